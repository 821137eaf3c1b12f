# SPDX-License-Identifier: GPL-3.0-or-later
"""``collision-kit motion``: what it prints and writes, and how it ends."""

import json
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.bridge_scene import add_collection
from tests.helpers.blender.command_line import run
from tests.helpers.blender.motion_scene import box, keyed, slider
from tests.helpers.blender.report_readers import outcomes, suite_of

Save = Callable[[], str]


@pytest.fixture
def saved(scene: bpy.types.Scene, tmp_path: Path) -> Save:
    """A function that saves a scene, to which the test may add, and closes it.

    Mover meets Wall at 5.25 and leaves it at 7.25, in it by 0.75 at most; the frames are 1 to 12, at 24 a second.
    """
    scene.frame_start, scene.frame_end = 1, 12
    slider()
    box("Wall", (0.25, 0.0, 0.0))

    def save() -> str:
        path = tmp_path / "scene.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        return str(path)

    return save


def parsed(capfd, *arguments: str) -> tuple[int, dict]:
    code, output, error = run(capfd, "motion", *arguments, "--format", "json")
    assert error == ""
    return code, json.loads(output)


def test_text_says_who_meets_whom_when_and_how_deep(saved: Save, capfd) -> None:
    code, output, error = run(capfd, "motion", saved())
    assert (code, error) == (1, "")
    lines = output.splitlines()
    assert lines[0] == "scene.blend, scene Scene, frames 1 to 12: 2 bodies tested, 1 moving, 1 contact: 1 new"
    assert lines[1].startswith("largest deviation from the animation ")
    assert " ".join(lines[3].split()) == (
        "frame 5.2500 0.1771 s Mover × Wall to 7.2500 0.75 m deep at 6 along (1.00, 0.00, 0.00)"
    )


def test_json_has_what_is_documented(saved: Save, capfd) -> None:
    code, report = parsed(capfd, saved())
    assert code == 1
    assert list(report) == [
        "schema_version",
        "tool",
        "file",
        "scene",
        "scope",
        "configuration",
        "frames",
        "units",
        "deviation",
        "tested",
        "coverage",
        "animated",
        "clip",
        "clearance",
        "counts",
        "ignored_counts",
        "folded_counts",
        "tests",
        "ignore",
        "contacts",
        "near_misses",
        "deforming",
        "findings",
        "skipped",
        "bodies",
    ]
    assert report["frames"] == {"first": 1, "last": 12, "fps": 24.0}
    assert report["counts"] == {"new": 1, "started": 0, "undecided": 0, "near": 0}
    assert list(report["tested"]) == ["bodies", "moving", "shapes", "samples", "candidates", "frames"]
    assert list(report["deviation"]) == ["allowed", "left", "object", "frame"]
    (contact,) = report["contacts"]
    assert list(contact) == [
        "a",
        "b",
        "status",
        "test",
        "severity",
        "within",
        "folded",
        "ignored",
        "first",
        "last",
        "verdict",
        "deepest",
        "point",
        "normal",
        "shape_a",
        "shape_b",
        "proved_until",
        "per_frame",
        "path",
        "curve",
    ]
    assert (contact["a"], contact["b"], contact["status"]) == ("Mover", "Wall", "new")
    assert contact["first"] == pytest.approx({"frame": 5.25, "seconds": 4.25 / 24.0}, abs=1e-3)
    deepest = {"frame": 6.0, "seconds": 5.0 / 24.0, "depth": 0.75, "distance": -0.75}
    assert contact["deepest"] == pytest.approx(deepest, abs=1e-4)
    assert contact["verdict"] == "penetrating"
    assert contact["path"][0]["frame"] == contact["first"]["frame"]


def test_near_misses_are_listed_and_may_fail(saved: Save, capfd, tmp_path: Path) -> None:
    path = saved()
    assert parsed(capfd, path, "--frames", "1:4", "--clearance", "0.4")[1]["near_misses"] == []
    assert run(capfd, "motion", path, "--frames", "1:4", "--clearance", "2.5", "--fail-on", "near")[0] == 1
    code, report = parsed(capfd, path, "--frames", "1:4", "--clearance", "2.5")
    assert (code, report["clearance"], report["contacts"]) == (0, 2.5, [])
    (near,) = report["near_misses"]
    assert report["counts"]["near"] == 1 and near["status"] == "near"
    # It goes on at one unit a frame, so that it is nearest in the last one.
    assert near["nearest"] == pytest.approx({"frame": 4.0, "seconds": 3.0 / 24.0, "distance": 1.25}, abs=1e-5)
    assert near["curve"][-1] == {key: near["nearest"][key] for key in ("frame", "distance")}
    text = run(capfd, "motion", path, "--frames", "1:4", "--clearance", "2.5")[1]
    assert "no contacts and 1 near miss: 1 near" in text and "Nearer than 2.5 m:" in text and "1.25 m apart" in text
    for kind, said in (("html", "1.25 m apart"), ("junit", "near miss at frame 4.0000")):
        written = tmp_path / f"near.{kind}"
        arguments = ("--clearance", "2.5", "--frames", "1:4", "--format", kind, "--output", str(written))
        assert run(capfd, "motion", path, *arguments)[0] == 0
        assert said in written.read_text()
    assert 'class="curve"' in (tmp_path / "near.html").read_text()


def test_frames_and_what_fails(saved: Save, capfd) -> None:
    path = saved()
    assert run(capfd, "motion", path, "--frames", "1:5")[0] == 0
    assert run(capfd, "motion", path, "--frames", "5:6")[0] == 1
    code, report = parsed(capfd, path, "--frames", "6:12")
    assert (code, report["contacts"][0]["status"]) == (0, "started")
    assert run(capfd, "motion", path, "--frames", "6:12", "--fail-on", "started")[0] == 1
    assert run(capfd, "motion", path, "--frames", "6:12", "--fail-on", "penetrating")[0] == 1
    assert run(capfd, "motion", path, "--fail-on", "none")[0] == 0


def test_scope_deviation_and_output(saved: Save, capfd, tmp_path: Path) -> None:
    other = add_collection("Other")
    keyed(box("Late", (9, 9, 9), collection=other), "location", [(1, (9, 9, 9)), (12, (9, 9, 8))], "BEZIER")
    path = saved()
    assert parsed(capfd, path, "--scope", "collection:Other", "--allow-empty")[1]["tested"]["bodies"] == 1
    visits = [parsed(capfd, path, "--deviation", deviation)[1]["tested"]["frames"] for deviation in ("1m", "1mm")]
    assert visits[0] < visits[1]
    target = tmp_path / "report.txt"
    code, output, _ = run(capfd, "motion", path, "--output", str(target))
    assert (code, output) == (1, "")
    assert target.read_text(encoding="utf-8").startswith("scene.blend, scene Scene, frames 1 to 12")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--frames", "9:1"), "is not a frame range A:B"),
        (("--frames", "1:99999999"), "Frame out of range:"),
        (("--scope", "collection:Nowhere"), "There is no collection 'Nowhere'"),
        (("--against", "Nowhere"), "--against needs --scope collection:NAME"),
        (("--deviation", "-1"), "--deviation"),
        (("--fail-on", "old"), "'old' is not one of new, started, undecided, penetrating, near, none"),
    ],
)
def test_bad_usage_is_one_line_and_2(saved: Save, capfd, arguments: tuple[str, ...], message: str) -> None:
    code, output, error = run(capfd, "motion", saved(), *arguments)
    assert (code, output) == (2, "")
    assert error.startswith("error: ")
    assert message in error
    assert "\n" not in error


def test_deforming_and_undecided_contacts_are_named(saved: Save, capfd, monkeypatch: pytest.MonkeyPatch) -> None:
    bpy.data.objects["Wall"].name = "Breathing"
    keyed(bpy.data.objects["Breathing"], "scale", [(1, (1, 1, 1)), (12, (1.01, 1, 1))])
    path = saved()
    code, output, _ = run(capfd, "motion", path)
    assert code == 1
    assert "Deforming, tested at frames and subframes only: Breathing" in output.splitlines()
    assert "subframes only" in output


@pytest.mark.parametrize(
    ("options", "code", "expected"),
    [
        ((), 1, ["failure"]),
        (("--fail-on", "started"), 0, ["passed"]),
        (("--fail-on", "penetrating"), 1, ["failure"]),
        (("--frames", "1:3"), 0, ["passed"]),
    ],
)
def test_build_servers_get_a_test_for_each_contact(
    saved: Save, capfd, options: tuple[str, ...], code: int, expected: list[str]
) -> None:
    found, output, _ = run(capfd, "motion", saved(), "--format", "junit", *options)
    suite = suite_of(output)
    assert (found, outcomes(suite)) == (code, expected)
    (case,) = suite.findall("testcase")
    if "--frames" in options:
        assert case.get("name") == "no contacts"
        return
    assert case.get("name") == "Mover × Wall"
    text = "".join(case.itertext())
    assert "new contact at frame 5.2500, 0.75 m deep at 6" in text


def test_what_could_not_be_tested_is_an_error_for_build_servers(scene: bpy.types.Scene, capfd, tmp_path) -> None:
    path = str(tmp_path / "empty.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    code, output, _ = run(capfd, "motion", path, "--format", "junit")
    assert (code, outcomes(suite_of(output))) == (2, ["error"])
