# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of folded pairs: in the text, in the list, in a check of motion, and of copies in one place."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.model.folds import CheckRequest, Fold, FoldKind, folded_rows
from collision_kit.addon.model.report import Body, ObjectKey
from collision_kit.addon.scene.settings import results_list
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.addon.ui.result_list import tips
from collision_kit.core.constants import Verdict
from tests.helpers.blender.asset_scene import box, character, check_file, checked, empty, faults, folded


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.fixture
def two_characters(tmp_path: Path) -> Path:
    character("Ann")
    character("Bob", 9.0)
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def test_copies_are_told_once_with_their_pairs() -> None:
    for number in range(4):
        box(f"Wall {number}", (0.0, 0.0, 0.0), (5.0, 0.2, 3.0))
    box("Shelf", (0.0, 0.1, 0.0), (1.0, 2.0, 1.0))
    report = checked()
    assert faults(report) == [("Shelf", "Wall 0"), ("Wall 0", "Wall 1")]
    assert folded(report) == {"copies Wall 0": 8}
    assert list(report.copies_told.values()) == [4]
    assert {report.severity_of(row) for row in report.folded} == {"error"}
    assert sorted(api.duplicates_of(report)) == ["Wall 1", "Wall 2", "Wall 3"]


def test_a_copy_with_the_same_parent_is_a_fault_though_both_are_linked() -> None:
    lamp = box("Lamp", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    box("Arm", (0.5, 0.2, 0.5), (1.5, 0.4, 0.7), lamp)
    box("Arm copy", (0.5, 0.2, 0.5), (1.5, 0.4, 0.7), lamp)
    report = checked()
    assert faults(report) == [("Arm", "Arm copy")]


def test_the_command_line_folds_and_passes(two_characters: Path, capfd: pytest.CaptureFixture) -> None:
    code, text = check_file(capfd, two_characters)
    assert code == 0 and "2 pairs within Ann: 2 penetrating" in text and "Ann left" not in text
    code, text = check_file(capfd, two_characters, "--unfold")
    assert code == 0 and "Ann left" in text
    assert check_file(capfd, two_characters, "--within")[0] == check_file(capfd, two_characters, "--each-asset")[0] == 1
    code, text = check_file(capfd, two_characters, "--format", "json")
    report = json.loads(text)
    assert {(one["within"], one["folded"], one["severity"]) for one in report["pairs"]} == {
        ("Ann", "within", "info"),
        ("Bob", "within", "info"),
    }
    assert report["folded_counts"]["penetrating"] == 4
    assert {body["name"]: body["asset"] for body in report["bodies"]}["Bob left"] == "Bob"
    text = check_file(capfd, two_characters, "--format", "html")[1]
    assert text.count("<details>") == 2 and "2 pairs within Bob" in text
    assert check_file(capfd, two_characters, "--format", "junit")[1].count("<skipped") == 4


@pytest.mark.parametrize(("line", "code"), [("within = true", 1), ("each_asset = true", 1), ("within = false", 0)])
def test_the_configuration_says_the_same(
    line: str, code: int, two_characters: Path, capfd: pytest.CaptureFixture
) -> None:
    config = two_characters.with_name("collision-kit.toml")
    config.write_text(f"[check]\n{line}\n", encoding="utf-8")
    assert check_file(capfd, two_characters)[0] == code
    api.import_configuration(config)
    assert bool(api.faults(api.check_collisions(**vars(api.check_settings())))) == bool(code)
    api.export_configuration(config)
    assert line in config.read_text(encoding="utf-8")


@pytest.fixture
def view() -> Iterator[Any]:
    """The settings of the list, which outlive files and are as they were afterwards."""
    settings = results_list(bpy.context.window_manager).view
    yield settings
    settings.property_unset("grouped")


def test_the_line_in_the_list_opens(two_characters: Path, view: Any) -> None:
    bpy.context.scene.collision_kit.scope = "ALL"
    bpy.ops.collision_kit.check_collisions()
    results = results_list(bpy.context.window_manager)
    lines = results_rows.lines(results)
    assert lines.pair.tolist() == [-1, -1] and lines.shown == 4
    assert tips.tip(results, 0).splitlines()[0] == "2 pairs within Ann"
    results_rows.choose_place(results, 1)
    lines = results_rows.lines(results)
    assert lines.fold.tolist() == [0, 1, 1, 1] and (lines.pair >= 0).tolist() == [False, False, True, True]
    results_rows.choose_place(results, 2)
    assert last_check.chosen == lines.pair[2] and results.active == 2
    view.grouped = True
    assert results_rows.lines(results).fold.tolist() == [0, 1, 1, 1]
    results_rows.choose_place(results, 1)
    assert results_rows.lines(results).pair.tolist() == [-1, -1]


def test_contacts_of_parts_of_one_asset_fail_no_check_of_motion(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    root = empty("Robot")
    box("Base", (0, 0, 0), (1, 1, 1), root)
    arm = box("Arm", (1.05, 0, 0), (2, 1, 1), root)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 10
    for frame, x in ((1, 0.0), (10, -0.5)):
        arm.location.x = x
        arm.keyframe_insert("location", frame=frame)
    path = tmp_path / "scene.blend"

    def motion(*options: str) -> tuple[int, str]:
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        capfd.readouterr()
        code = commands.command(["motion", str(path), *options])
        return code, capfd.readouterr().out

    assert motion()[0] == 1
    box("Wall", (9, 0, 0), (10, 1, 1))
    code, text = motion()
    assert code == 0 and "1 contact within Robot" in text and "1 folded" in text
    report = json.loads(motion("--format", "json")[1])
    (contact,) = report["contacts"]
    assert (contact["within"], contact["folded"], contact["severity"]) == ("Robot", "within", "info")
    assert report["folded_counts"]["new"] == 1
    assert "<skipped" in motion("--format", "junit")[1] and "1 folded" in motion("--format", "html")[1]


@pytest.mark.parametrize("seed", range(20))
def test_of_copies_only_pairs_that_another_pair_repeats_are_folded(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 12))
    bodies = [Body(f"Body {number}", ObjectKey(number + 1)) for number in range(count)]
    # Bodies with the same place are copies of each other. Of other pairs, some were found, by two tests.
    place = rng.integers(0, count // 2, count)
    rows = [(a, b) if rng.random() < 0.5 else (b, a) for a, b in itertools.combinations(range(count), 2)]
    rows = [(a, b) for a, b in rows if place[a] == place[b] or rng.random() < 0.6]
    rng.shuffle(rows)
    verdict = [int(Verdict.DUPLICATE if place[a] == place[b] else Verdict.PENETRATING) for a, b in rows]
    test = [int(rng.integers(0, 2)) if kind == Verdict.PENETRATING else 0 for kind in verdict]
    columns = [np.array(some, np.int64) for some in (*zip(*rows, strict=True), verdict, test)]
    found = folded_rows(bodies, columns, CheckRequest(None, False, frozenset(), (), False, (False, False)))

    def named(a: int, b: int) -> frozenset[int]:
        """The bodies of the pair that stands for this one."""
        places = [np.flatnonzero(place == place[one]).tolist() for one in (a, b)]
        return frozenset(places[0][:2]) if places[0] == places[1] else frozenset(some[0] for some in places)

    listed = {(frozenset(pair), number) for pair, number in zip(rows, test, strict=True)}
    expected = {
        row
        for row, (pair, number) in enumerate(zip(rows, test, strict=True))
        if named(*pair) != frozenset(pair) and (named(*pair), number) in listed
    }
    assert set(found) == expected
    assert list(found) == sorted(found)
    for row, fold in found.items():
        a, b = rows[row]
        first = [int(np.flatnonzero(place == place[one])[0]) for one in (a, b)]
        assert fold == Fold(FoldKind.COPIES, bodies[first[0] if first[0] != a else first[1]].name)
