# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation clips of glTF files, each of which can be checked."""

import json
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.command_line import box, run
from tests.helpers.blender.command_process import finish, start
from tests.helpers.report_schemas import mistakes


@pytest.fixture
def robot(tmp_path: Path) -> str:
    """A glTF file with clips of other lengths: one passes the wall far away, one goes through it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    robot = box("Robot", (0, 0, 0))
    box("Wall", (5, 0, 0))
    robot.animation_data_create()
    for name, last, way in (("Aside", 20, (0, 9, 0)), ("Charge", 400, (9, 0, 0))):
        action = bpy.data.actions.new(name)
        robot.animation_data.action = action
        robot.location = (0, 0, 0)
        robot.keyframe_insert("location", frame=1)
        robot.location = way
        robot.keyframe_insert("location", frame=last)
        robot.animation_data.action = None
        robot.animation_data.nla_tracks.new().strips.new(name, 1, action)
        robot.animation_data.nla_tracks[-1].name = name
        robot.animation_data.nla_tracks[-1].mute = True
    path = tmp_path / "robot.glb"
    bpy.ops.export_scene.gltf(filepath=str(path), export_animation_mode="NLA_TRACKS")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return str(path)


def motion(capfd, path: str, *options: str) -> tuple[int, dict]:
    code, output, error = run(capfd, "motion", path, "--format", "json", *options)
    assert not error
    report = json.loads(output)
    assert mistakes("motion", report) == []
    return code, report


def test_each_clip_can_be_played(robot: str, capfd) -> None:
    found = {}
    for options in ((), ("--clip", "Aside"), ("--clip", "Charge")):
        code, report = motion(capfd, robot, *options)
        found[report["clip"]] = code, report["frames"]["last"], len(report["contacts"])
        others = {"Aside", "Charge"} - {report["clip"]}
        assert report["coverage"]["other_clips"] == list(others)
    assert set(found) == {"Aside", "Charge"}
    code, last, contacts = found["Aside"]
    assert (code, contacts) == (0, 0) and last < 30
    code, last, contacts = found["Charge"]
    # Longer than the range that Blender sets.
    assert (code, contacts) == (1, 1) and last > 390
    output = run(capfd, "motion", robot, "--clip", "Aside")[1].splitlines()
    assert output[0].startswith("robot.glb, clip Aside, frames ")
    assert output[1] == "other clips not tested: Charge (--clip tests them)"
    code, _, error = run(capfd, "motion", robot, "--clip", "Swim")
    assert code == 2 and error.startswith("error: There is no clip 'Swim'; there are: '")


def test_all_clips_are_one_report(robot: str, environment: dict[str, str]) -> None:
    arguments = ("motion", robot, "--clip", "all", "--jobs", "1", "--resume", "run.jsonl", "--output=report.json")
    code, _, error = finish(start(environment, *arguments))
    assert (code, error) == (1, "")
    report = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert mistakes("project", report) == []
    outcomes = {one["report"]["clip"]: (one["path"], one["outcome"]) for one in report["files"]}
    assert {clip: outcome for clip, (_, outcome) in outcomes.items()} == {"Aside": "clean", "Charge": "found"}
    assert sorted(path.count("/") for path, _ in outcomes.values()) == [0, 1]
    lines = Path("run.jsonl").read_text(encoding="utf-8")
    assert finish(start(environment, *arguments))[0] == 1
    assert Path("run.jsonl").read_text(encoding="utf-8") == lines
