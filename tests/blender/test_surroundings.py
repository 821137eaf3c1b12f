# SPDX-License-Identifier: GPL-3.0-or-later
"""Surroundings of a scene, such as a sky: what is inside of them is folded."""

import json
from pathlib import Path

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.colliders import scene_making
from collision_kit.addon.model.steps import exhausted
from tests.helpers.blender.asset_scene import box, check_file, checked, faults, folded


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def sphere(name: str, radius: float) -> bpy.types.Object:
    """A sphere around the origin."""
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius)
    bpy.context.object.name = name
    return bpy.context.object


def crates(count: int) -> None:
    """Boxes in a row, 2 apart."""
    for number in range(count):
        box(f"Crate {number}", (2.0 * number, 0.0, 0.0), (2.0 * number + 1.0, 1.0, 1.0))


def test_what_is_inside_of_a_sky_is_one_line_and_what_crosses_it_is_not() -> None:
    crates(4)
    sphere("Sky", 30.0)
    sphere("Space", 300.0)
    box("Ground", (-35.0, -35.0, -2.0), (35.0, 35.0, -1.0))
    report = checked()
    assert report.surroundings == ("Space", "Sky")
    assert folded(report) == {"surroundings Space": 6, "surroundings Sky": 4}
    assert faults(report) == [("Ground", "Sky")]
    assert len(faults(checked(surroundings=True))) == 11
    # Each pair was requested.
    assert len(faults(api.check_collisions(["Space"], against=["Crate 0", "Crate 1", "Crate 2"]))) == 3


@pytest.mark.parametrize(
    ("name", "folds"),
    [
        *((name, True) for name in ("Water", "water.001", "WaterPlane", "ocean_surface", "fog1")),
        *((name, True) for name in ("NavMesh", "nav_Plane", "Navigation mesh", "DoorTrigger", "trigger_03")),
        *((name, False) for name in ("WaterTower", "Seat", "Lake House", "Waterfall", "Navy", "Plane", "Crate")),
    ],
)
def test_what_is_in_water_fog_a_navigation_mesh_or_a_trigger_is_one_line(name: str, folds: bool) -> None:
    crates(2)
    box(name, (-5.0, -5.0, -1.0), (5.0, 5.0, 0.3))
    report = checked()
    assert folded(report) == ({f"area {name}": 2} if folds else {})
    assert len(faults(report)) == (0 if folds else 2)
    assert len(faults(checked(surroundings=True))) == 2
    assert len(faults(api.check_collisions([name], against=["Crate 0", "Crate 1"]))) == 2


def test_two_waters_in_one_place_a_dynamic_one_and_a_scene_of_water_are_faults() -> None:
    for name in ("Water", "Water.001"):
        box(name, (0.0, 0.0, 0.0), (5.0, 5.0, 0.3))
    crates(1)
    assert faults(checked()) == [("Water", "Water.001")]
    bpy.data.objects["Water"].collision_kit.motion = "DYNAMIC"
    assert ("Crate 0", "Water") in faults(checked())
    bpy.data.objects.remove(bpy.data.objects["Crate 0"])
    bpy.data.objects["Water"].location.x = 1.0
    bpy.data.objects["Water"].collision_kit.motion = "AUTO"
    assert faults(checked()) == [("Water", "Water.001")]


def test_the_surroundings_are_an_option_of_commands_and_configurations(
    tmp_path: Path, capfd: pytest.CaptureFixture
) -> None:
    crates(4)
    sphere("Sky", 30.0)
    path = tmp_path / "sky.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    code, text = check_file(capfd, path)
    assert code == 0 and "4 pairs with the surroundings Sky: 4 contained" in text
    code, text = check_file(capfd, path, "--format", "json")
    assert {(one["folded"], one["severity"], one["verdict"]) for one in json.loads(text)["pairs"]} == {
        ("surroundings", "info", "contained")
    }
    assert check_file(capfd, path, "--surroundings")[0] == 1
    (tmp_path / "rules.toml").write_text("[check]\nsurroundings = true\n", encoding="utf-8")
    assert check_file(capfd, path, "--config", str(tmp_path / "rules.toml"))[0] == 1


@pytest.mark.parametrize("scene", ["half of the bodies", "a chest on a floor", "a collider", "two bodies", "copies"])
def test_what_is_no_surroundings(scene: str) -> None:
    crates(2 if scene == "two bodies" else 4)
    around = box("Block", (-1.0, -1.0, -1.0), (9.0, 2.0, 2.0))
    if scene == "half of the bodies":
        for number in range(4):
            box(f"Far {number}", (20.0, 3.0 * number, 0.0), (21.0, 3.0 * number + 1.0, 1.0))
    elif scene == "a chest on a floor":
        box("Floor", (-30.0, -30.0, -2.0), (30.0, 30.0, -1.0))
    elif scene == "a collider":
        around.collision_kit.shape = "BOX"
    elif scene == "copies":
        for ob in list(bpy.data.objects):
            ob.location = (0.0, 0.0, 0.0)
            ob.data = around.data
    report = checked()
    assert not report.surroundings and faults(report)


def test_a_scene_gets_no_collider_around_everything() -> None:
    crates(4)
    sphere("Sky", 30.0)
    made = exhausted(scene_making.steps(bpy.context, scene_making.MakeRequest("BEST", "GODOT")))
    assert sorted(one.owner for one in made.colliders) == [f"Crate {number}" for number in range(4)]
    assert [(one.object, one.message) for one in made.kept] == [("Sky", "is around nearly all other objects")]
    made = exhausted(scene_making.steps(bpy.context, scene_making.MakeRequest("BEST", "GODOT", ["Sky"])))
    assert [one.owner for one in made.colliders] == ["Sky"]


def test_what_moves_into_water_is_one_line_of_a_motion() -> None:
    box("Water", (0.0, -5.0, -5.0), (5.0, 5.0, 5.0))
    ball = box("Ball", (-3.0, 0.0, 0.0), (-2.0, 1.0, 1.0))
    for frame, x in ((1, 0.0), (10, 4.0)):
        ball.location.x = x
        ball.keyframe_insert("location", frame=frame)
    report = api.check_motion(start=1, end=10)
    assert [report.fold_of(one).name for one in report.contacts] == ["Water"]


def test_what_moves_inside_of_a_sky_is_one_line_of_a_motion() -> None:
    crates(4)
    sphere("Sky", 30.0)
    box("Wall", (-4.0, -3.0, -3.0), (-3.0, 3.0, 3.0))
    moving = bpy.data.objects["Crate 0"]
    for frame, x in ((1, 0.0), (10, -3.5)):
        moving.location.x = x
        moving.keyframe_insert("location", frame=frame)
    report = api.check_motion(start=1, end=10).of_moving()
    folds = {(fold.kind.value, fold.name): len(rows) for fold, rows in report.folds().items()}
    assert folds == {("surroundings", "Sky"): 1}
    assert [api.names(report, one) for one in report.contacts if report.fold_of(one) is None] == [("Crate 0", "Wall")]
