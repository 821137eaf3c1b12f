# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests and ignore rules of a check of motion: which contacts they find and take, and what the exit code is."""

import json
from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.scene.settings import NAME
from tests.helpers.blender.command_line import run
from tests.helpers.blender.motion_scene import box, slider
from tests.helpers.blender.report_readers import outcomes, suite_of
from tests.helpers.report_schemas import mistakes


@pytest.fixture
def file(scene: bpy.types.Scene, tmp_path: Path) -> str:
    """Mover passes two boxes: it is in Wall by at most 0.75, and in Plate by 0.1."""
    scene.frame_start, scene.frame_end = 1, 12
    slider()
    box("Wall", (0.25, 0.0, 0.0))
    box("Plate", (3.0, 0.9, 0.0))
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return str(path)


def checked(capfd, file: str, *arguments: str) -> tuple[int, dict]:
    code, output, error = run(capfd, "motion", file, *arguments, "--format", "json")
    assert error == ""
    report = json.loads(output)
    assert mistakes("motion", report) == []
    return code, report


def contacts(report: dict, *fields: str) -> set[tuple]:
    return {(one["a"], one["b"], *(one[field] for field in fields)) for one in report["contacts"]}


def config(file: str, text: str) -> None:
    Path(file).with_name("collision-kit.toml").write_text(text, encoding="utf-8")


def test_without_tests_all_contacts_are_errors(file, capfd):
    code, report = checked(capfd, file)
    assert code == 1
    assert contacts(report, "test", "severity", "ignored") == {
        ("Mover", "Plate", None, "error", None),
        ("Mover", "Wall", None, "error", None),
    }
    assert (report["tests"], report["ignore"]) == ([], [])


def test_each_contact_is_of_the_tests_that_find_it_and_others_are_left_out(file, capfd):
    test = '[[test]]\nname = "{}"\na = "{}"\nb = "{}"\nseverity = "{}"\n'
    config(file, test.format("walls", "Wall*", "Mover", "warning") + test.format("doors", "Door", "*", "error"))
    code, report = checked(capfd, file)
    assert code == 0, "only pairs of tests with severity error fail"
    assert contacts(report, "test", "severity") == {("Mover", "Wall", "walls", "warning")}
    assert [(one["name"], one["pairs"]) for one in report["tests"]] == [("walls", 1), ("doors", 0)]
    assert [(one["id"], one["object"]) for one in report["findings"]] == [("test-without-objects", "doors")]
    config(file, test.format("walls", "Wall*", "Mover", "warning") + test.format("all", "*", "*", "error"))
    code, report = checked(capfd, file)
    assert code == 1
    assert contacts(report, "test") == {
        ("Mover", "Wall", "walls"),
        ("Mover", "Wall", "all"),
        ("Mover", "Plate", "all"),
    }
    output = run(capfd, "motion", file)[1]
    assert "test walls (warning)" in output and "2 pairs  all" in output


def test_a_rule_takes_contacts_up_to_its_depth(file, capfd):
    depth = {one["b"]: one["deepest"]["depth"] for one in checked(capfd, file)[1]["contacts"]}
    assert depth["Plate"] < depth["Wall"]
    rule = f'[[ignore]]\na = ["Mover"]\nmax_depth = {depth["Plate"]}\nreason = "slides in"\n'
    config(file, rule)
    code, report = checked(capfd, file)
    assert code == 1
    assert contacts(report, "ignored") == {("Mover", "Plate", "slides in"), ("Mover", "Wall", None)}
    assert [one["pairs"] for one in report["ignore"]] == [1]
    assert (report["counts"]["new"], report["ignored_counts"]["new"]) == (2, 1)
    config(file, rule.replace(str(depth["Plate"]), str(depth["Wall"])))
    code, report = checked(capfd, file)
    assert (code, report["ignored_counts"]["new"]) == (0, 2)
    config(file, rule.replace(str(depth["Plate"]), str(0.9 * depth["Plate"])))
    code, report = checked(capfd, file)
    assert (code, report["ignored_counts"]["new"]) == (1, 0)


def test_build_servers_see_ignored_contacts_as_skipped_and_tests_by_their_names(file, capfd):
    config(file, '[[test]]\nname = "moving"\na = "*"\n[[ignore]]\na = "Plate"\nreason = "slides in"\n')
    suite = suite_of(run(capfd, "motion", file, "--format", "junit")[1])
    cases = {
        case.get("name"): outcome for case, outcome in zip(suite.findall("testcase"), outcomes(suite), strict=True)
    }
    assert cases == {"moving: Mover × Plate": "skipped", "moving: Mover × Wall": "failure"}
    text = run(capfd, "motion", file)[1].splitlines()
    assert text[0].endswith("2 contacts: 1 new, 1 ignored by rules")
    assert not [line for line in text if line.startswith("  frame") and "Plate" in line]


def test_without_a_file_what_the_scene_stores_counts_and_a_file_can_be_named(file, tmp_path, capfd):
    stored = getattr(bpy.context.scene, NAME).ignore_rules.add()
    stored.side_a = "Mover"
    bpy.ops.wm.save_as_mainfile(filepath=file)
    assert checked(capfd, file)[0] == 0
    other = tmp_path / "other.toml"
    other.write_text("")
    assert checked(capfd, file, "--config", str(other))[0] == 1
    other.write_text("[[ignore]]\n")
    code, _, error = run(capfd, "motion", file, "--config", str(other))
    assert code == 2 and error.startswith(f"error: {other}")


def test_scripts_give_tests_and_rules(file):
    report = api.check_motion(
        tests=[api.PairTest("walls", ["Wall"], ["Mover"])], rules=[api.IgnoreRule(["Wall"], reason="meant")]
    )
    assert [(api.names(report, one), one.test, one.ignored) for one in report.contacts] == [(("Mover", "Wall"), 0, 0)]
    with pytest.raises(ValueError, match="tests"):
        api.check_motion(tests=["walls"])
