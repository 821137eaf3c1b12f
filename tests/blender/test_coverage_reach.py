# SPDX-License-Identifier: GPL-3.0-or-later
"""Coverage of what a character comes near: in the window, on the command line and in scripts."""

import json
from pathlib import Path
from xml.etree import ElementTree

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.session import coverage_results, dependencies
from collision_kit.addon.session.latest import Change
from collision_kit.core.world.hausdorff import distance_map
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.command_line import run
from tests.helpers.report_schemas import mistakes

ops = bpy.ops.collision_kit
# Two rooms without a way between them, by the middle of their floors.
ROOMS = {"Here": 0.0, "There": 30.0}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coarse maps."""
    monkeypatch.setattr(distance_map, "_MAP_BUDGET", 500)
    monkeypatch.setattr(distance_map, "_AREA_BUDGET", 2000)


@pytest.fixture
def rooms(scene: bpy.types.Scene, tmp_path: Path) -> str:
    """A saved scene: in each room, the hidden collider of a wall is 0.1 too thick, and a crate has none.

    Above the first one hangs a lamp, whose collider is far too large.
    """
    for name, x in ROOMS.items():
        add(f"Floor {name}", cube_mesh((3.0, 3.0, 0.5)), at=(x, 0, -0.5))
        add(f"Crate {name}", cube_mesh((0.3, 0.3, 0.3)), at=(x - 1.5, -1.5, 0.3))
        add(f"Wall {name}", cube_mesh((0.1, 3.0, 1.5)), at=(x + 2.0, 0, 1.5))
        add(f"UBX_Wall {name}_01", cube_mesh((0.2, 3.0, 1.5)), at=(x + 2.0, 0, 1.5)).hide_viewport = True
    add("Lamp", cube_mesh((0.2, 0.2, 0.2)), at=(0, 0, 5.0))
    add("UBX_Lamp_01", cube_mesh((1.0, 1.0, 1.0)), at=(0, 0, 5.0))
    for name, at in (("Rail_A", (-3, 0, 1)), ("Rail_B", (0, 3, 1)), ("Rail_C", (0, -3, 1))):
        add(name, cube_mesh((0.05, 3.0, 1.0) if name == "Rail_A" else (3.0, 0.05, 1.0)), at=at)
    start = bpy.data.objects.new("Start", None)
    scene.collection.objects.link(start)
    path = tmp_path / "rooms.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return str(path)


def test_only_what_the_character_comes_near_is_compared(rooms: str) -> None:
    assert {one.name for one in api.coverage().objects} == {"Lamp", "Wall Here", "Wall There"}
    walk = api.probe(["Start"], drop=0.5)
    report = api.coverage(walk=walk, max_outside=0.05)
    assert [(one.name, one.failing) for one in report.objects] == [("Wall Here", ("collider-sticks-out",))]
    assert report.objects[0].outside == pytest.approx(0.1, abs=1e-6)
    # Of the wall, 3 m high, only what is no higher than the character and its reach.
    assert report.objects[0].outside_point[2] < 1.8 + 0.375 + 0.01
    assert {*report.out_of_reach} == {"Wall There", "Floor There", "Crate There", "Lamp"}
    assert "Crate Here" in report.without_collider and "Crate There" not in report.without_collider
    assert report.walked.request.starts == ("Start",)
    assert report.walked.reach == pytest.approx(0.375)
    assert report.walked.reached_area == walk.reached_area > 5.0
    # A longer arm gets to the lamp, whose collider sticks out farther.
    lamp = api.coverage(walk=walk, max_outside=0.05, reach=2.5).objects[0]
    assert (lamp.name, lamp.outside) == ("Lamp", pytest.approx(0.8 * 3**0.5, abs=1e-2))


def test_scripts_get_one_clear_error(rooms: str) -> None:
    with pytest.raises(ValueError, match="reach: given without a walk"):
        api.coverage(reach=1.0)
    with pytest.raises(ValueError, match="reach: "):
        api.coverage(walk=api.probe(["Start"]), reach=-1.0)
    with pytest.raises(ValueError):
        api.coverage(walk="Start")


def test_the_command_line(rooms: str, capfd, tmp_path: Path) -> None:
    options = ["--max-outside", "5cm", "--from", "Start", "--drop", "0.5"]
    code, text, _ = run(capfd, "coverage", rooms, *options)
    assert code == 1
    assert "only what is no farther than 0.375 m from capsule of radius 0.4 m" in text and "from Start" in text
    assert "fails  Wall Here" in text and "Out of reach: " in text
    report = json.loads(run(capfd, "coverage", rooms, *options, "--format", "json")[1])
    assert mistakes("coverage", report) == []
    assert [one["name"] for one in report["objects"]] == ["Wall Here"]
    assert report["walked"]["starts"] == ["Start"] and report["walked"]["character"]["drop"] == 0.5
    assert {"Lamp", "Wall There"} <= {*report["out_of_reach"]}
    # A point in the other room, and another character.
    there = ["--max-outside", "5cm", "--from", "30,0,1", "--drop", "0.5", "--character", "unity", "--reach", "20cm"]
    report = json.loads(run(capfd, "coverage", rooms, *there, "--format", "json")[1])
    assert [one["name"] for one in report["objects"]] == ["Wall There"]
    assert (report["walked"]["reach"], report["walked"]["character"]["radius"]) == (0.2, 0.5)
    tests = ElementTree.fromstring(run(capfd, "coverage", rooms, *options, "--format", "junit")[1])
    skipped = {case.get("name") for case in tests.iter("testcase") if case.find("skipped") is not None}
    assert {"Lamp", "Wall There"} <= skipped
    page = run(capfd, "coverage", rooms, *options, "--format", "html")[1]
    assert "Out of reach" in page and "only what is no farther than" in page
    everything = json.loads(run(capfd, "coverage", rooms, "--format", "json")[1])
    assert (everything["walked"], everything["out_of_reach"]) == (None, [])
    assert mistakes("coverage", everything) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--radius", "0.5"], "--radius: only with --from"),
        (["--ball"], "--ball: only with --from"),
        (["--reach", "1"], "--reach: only with --from"),
        (["--from", "Nobody"], "There is no object 'Nobody' to start from"),
        (["--from", "1,2"], "There is no object '1,2' to start from"),
        (["--from", "1,2,nan"], "There is no object '1,2,nan' to start from"),
        (["--from", "500,0,0"], "500,0,0: there is no floor below it"),
        (["--from", "Start", "--height", "0.1"], "height: 0.1, but at least twice the radius"),
    ],
)
def test_bad_options_are_named(rooms: str, capfd, options: list[str], message: str) -> None:
    code, _, error = run(capfd, "coverage", rooms, *options)
    assert code == 2 and message in error


def test_a_probe_begins_at_a_point(rooms: str, capfd) -> None:
    _code, text, _ = run(capfd, "probe", rooms, "--start", "30,0,1", "--drop", "0.5", "--format", "json")
    report = json.loads(text)
    assert report["starts"] == ["30,0,1"] and report["poses"] > 100


def test_the_panel(rooms: str) -> None:
    settings = bpy.context.scene.collision_kit.coverage
    settings.reachable_only, settings.reach = True, 0.3
    bpy.context.scene.collision_kit.probe.drop = 0.5
    assert ops.compare_with_render_mesh() == {"FINISHED"}
    found = coverage_results.latest.result
    assert [one.name for one in found.report.objects] == ["Wall Here"]
    assert "Lamp" in found.report.out_of_reach
    assert found.report.walked.reach == pytest.approx(0.3)
    assert found.change is None
    # The start is no part of what is compared, and decides what counts.
    bpy.data.objects["Start"].location.x = 30.0
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found.change == Change.SCENE
    assert ops.compare_with_render_mesh() == {"FINISHED"}
    assert [one.name for one in coverage_results.latest.result.report.objects] == ["Wall There"]
    bpy.data.objects.remove(bpy.data.objects["Start"])
    assert not ops.compare_with_render_mesh.poll()
    settings.reachable_only = False
    assert ops.compare_with_render_mesh.poll()
