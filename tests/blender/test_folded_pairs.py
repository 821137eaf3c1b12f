# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of one asset, static bodies and copies: their pairs have one line together, and only copies fail a build."""

import base64
import itertools
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.colliders import scene_making
from collision_kit.addon.model.folds import CheckRequest, Fold, FoldKind, folded_rows
from collision_kit.addon.model.report import Body, ObjectKey, Report
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.scene.settings import results_list
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.panels.results import COLLISION_KIT_PT_results
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.addon.ui.result_list import tips
from collision_kit.core.constants import Verdict
from tests.helpers.blender.asset_scene import FACES, box, checked, empty, faults
from tests.helpers.blender.panel_recorder import drawn


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def character(name: str = "Character", x: float = 0.0) -> bpy.types.Object:
    """An empty with a torso, and with arms that are 10 cm in it."""
    root = empty(name)
    box(f"{name} torso", (x - 0.5, -0.3, 1.0), (x + 0.5, 0.3, 2.0), root)
    box(f"{name} left", (x + 0.4, -0.1, 1.2), (x + 0.7, 0.1, 1.9), root)
    box(f"{name} right", (x - 0.7, -0.1, 1.2), (x - 0.4, 0.1, 1.9), root)
    return root


def assets(report: Report) -> dict[str, str]:
    return {body.name: body.asset for body in report.bodies if body.asset}


def folded(report: Report) -> dict[str, int]:
    """Return how many pairs each line stands for, by its kind and its name."""
    count: dict[str, int] = {}
    for fold in report.folded.values():
        key = f"{fold.kind.value} {fold.name}".strip()
        count[key] = count.get(key, 0) + 1
    return count


# What an asset is


def test_parts_of_an_asset_are_one_line_and_what_meets_them_is_not() -> None:
    character()
    box("Log", (0.6, -3.0, 1.5), (0.9, 3.0, 1.6))
    report = checked()
    assert folded(report) == {"within Character": 2}
    assert faults(report) == [("Character left", "Log")]
    assert faults(checked(within=True)) == [
        ("Character left", "Character torso"),
        ("Character left", "Log"),
        ("Character right", "Character torso"),
    ]


def test_a_scene_that_is_one_asset_is_tested_in_full_and_says_so() -> None:
    character()
    report = checked()
    assert folded(report) == {} and len(faults(report)) == 2
    assert [(one.id, one.object) for one in report.issues] == [("one-asset", "Character")]
    report = checked(within=False)
    assert folded(report) == {"within Character": 2} and faults(report) == []
    assert report.issues == ()


def test_the_panel_says_that_one_asset_is_tested_in_full() -> None:
    def said() -> str:
        assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
        recorder = drawn(COLLISION_KIT_PT_results, bpy.context)
        assert recorder is not None
        return " ".join(recorder.texts)

    character()
    assert "Character: All bodies are parts of this one asset, so all its parts are tested" in said()
    bpy.context.scene.collision_kit.parts = "FOLDED"
    assert "parts of this one asset" not in said()
    bpy.context.scene.collision_kit.parts = "AUTOMATIC"
    box("Log", (0.6, -3.0, 1.5), (0.9, 3.0, 1.6))
    assert "parts of this one asset" not in said()


def test_a_part_that_sticks_out_of_its_parent_is_joined_to_it() -> None:
    chest = box("Chest", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    box("Lid", (0.0, 0.0, 0.9), (1.0, 1.0, 1.2), box("Lock", (0.4, -0.1, 0.8), (0.6, 0.1, 0.95), chest))
    box("Coin", (0.1, 0.1, 0.1), (0.9, 0.9, 0.5), chest)
    box("Key", (0.4, -0.1, 0.7), (0.6, 0.05, 0.85), empty("Ring", chest))
    # The lid is a child of the lock, not of the chest. The lock and the key are both children of the chest.
    report = checked()
    assert folded(report) == {"within Chest": 3}
    assert faults(report) == [("Chest", "Coin"), ("Chest", "Lid"), ("Key", "Lock")]
    assert [issue.object for issue in report.issues if issue.id == "one-asset"] == ["Chest"]
    assert len(faults(checked(within=True))) == 6
    box("Wall", (20.0, 0.0, 0.0), (21.0, 1.0, 1.0))
    assert faults(checked()) == [] and folded(checked()) == {"within Chest": 6}


def test_objects_that_are_parented_to_a_ground_are_not_joined_to_it() -> None:
    ground = box("Ground", (-20.0, -20.0, -1.0), (20.0, 20.0, 0.0))
    for number in range(3):
        box(f"Crate {number}", (3.0 * number, 0.0, -0.1), (3.0 * number + 1.0, 1.0, 1.0), ground)
    assert faults(checked()) == [(f"Crate {number}", "Ground") for number in range(3)]


def test_a_mesh_with_its_children_is_an_asset_wherever_they_are() -> None:
    chest = box("Chest", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    hinge = box("Hinge", (0.0, 0.9, 0.9), (1.0, 1.1, 1.1), chest)
    box("Lid", (0.0, 0.0, 1.0), (1.0, 1.0, 1.2), hinge)
    box("Key", (7.0, 0.0, 0.0), (8.0, 1.0, 1.0), chest)
    box("Wall", (20.0, 0.0, 0.0), (21.0, 1.0, 1.0))
    assert assets(checked()) == dict.fromkeys(("Chest", "Hinge", "Lid", "Key"), "Chest")


@pytest.mark.parametrize("outside", [True, False])
def test_an_empty_above_a_whole_scene_is_no_asset(outside: bool) -> None:
    world = empty("Sketchfab_model")
    below = empty("RootNode", world)
    box("Floor", (-20.0, -20.0, -1.0), (20.0, 20.0, 0.0), below)
    for number in range(3):
        box(f"Crate {number}", (3.0 * number, 0.0, -0.1), (3.0 * number + 1.0, 1.0, 1.0), below)
    character("Guard", 10.0).parent = below
    if outside:
        box("Player", (40.0, 0.0, 0.0), (41.0, 1.0, 2.0))
    report = checked()
    assert assets(report) == dict.fromkeys(("Guard torso", "Guard left", "Guard right"), "Guard")
    assert faults(report) == [(f"Crate {number}", "Floor") for number in range(3)]
    assert folded(report) == {"within Guard": 2}


def test_an_empty_whose_parts_lie_apart_is_no_asset() -> None:
    trees = empty("Trees")
    for number in range(3):
        box(f"Tree {number}", (9.0 * number, 0.0, 0.0), (9.0 * number + 1.0, 1.0, 4.0), trees)
    box("Bush", (0.5, 0.5, 0.0), (1.5, 1.5, 1.0), trees)
    box("Rock", (99.0, 0.0, 0.0), (100.0, 1.0, 1.0))
    report = checked()
    assert assets(report) == {} and faults(report) == [("Bush", "Tree 0")]


def test_a_flat_ground_with_children_is_no_asset_and_a_table_is_one() -> None:
    ground = box("Ground", (-9.0, -9.0, -0.5), (9.0, 9.0, 0.0))
    for number in range(2):
        box(f"House {number}", (5.0 * number, 0.0, -0.2), (5.0 * number + 2.0, 2.0, 3.0), ground)
    top = box("Table", (30.0, 0.0, 0.9), (32.0, 1.0, 1.0))
    for number in range(2):
        box(f"Leg {number}", (30.0 + 1.9 * number, 0.0, 0.0), (30.1 + 1.9 * number, 0.1, 0.95), top)
    report = checked()
    assert assets(report) == dict.fromkeys(("Table", "Leg 0", "Leg 1"), "Table")
    assert faults(report) == [("Ground", "House 0"), ("Ground", "House 1")]


def instanced(name: str, x: float) -> None:
    ob = empty(name)
    ob.instance_type, ob.instance_collection, ob.location.x = "COLLECTION", bpy.data.collections["Robot"], x


def test_each_instance_of_a_collection_is_an_asset() -> None:
    bpy.data.collections.new("Robot")
    box("Body", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), collection="Robot")
    box("Arm", (0.9, 0.0, 0.0), (2.0, 1.0, 1.0), collection="Robot")
    instanced("A", 0.0)
    instanced("B", 1.5)
    report = checked()
    assert folded(report) == {"within A": 1, "within B": 1}
    assert faults(report) == [("A/Arm", "B/Body")]
    report = checked(each_asset=True)
    assert faults(report) == [("A/Arm", "A/Body"), ("B/Arm", "B/Body")] and not report.folded


def test_what_an_armature_carries_is_an_asset_though_its_parts_lie_apart() -> None:
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    for number in range(2):
        box(f"Part {number}", (5.0 * number, 0.0, 0.0), (5.0 * number + 1.0, 1.0, 1.0), rig)
    box("Else", (0.5, 0.5, 0.5), (2.0, 2.0, 2.0))
    report = checked()
    assert assets(report) == {"Part 0": "Rig", "Part 1": "Rig"} and faults(report) == [("Else", "Part 0")]


def test_pairs_that_were_asked_for_are_not_folded() -> None:
    character()
    box("Far", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    torso, arm = (bpy.data.objects[f"Character {part}"] for part in ("torso", "left"))
    assert len(api.faults(api.check_collisions([torso], against=[arm]))) == 1
    asked = api.PairTest("arms", ("*left",), ("*torso",))
    everything = api.PairTest("all", ("*",))
    report = checked(tests=(asked, everything))
    assert [report.test_of(pair).name for pair in api.faults(report)] == ["arms"]
    assert folded(report) == {"within Character": 2}


# Rigid bodies


def rigid(ob: bpy.types.Object, kind: str) -> bpy.types.Object:
    bpy.context.view_layer.objects.active = ob
    ob.select_set(True)
    bpy.ops.rigidbody.object_add(type=kind)
    ob.select_set(False)
    return ob


def test_two_passive_rigid_bodies_are_information() -> None:
    rigid(box("Wall", (0.0, 0.0, 0.0), (5.0, 0.2, 3.0)), "PASSIVE")
    rigid(box("Bar", (1.0, 0.1, 0.0), (1.2, 0.5, 3.0)), "PASSIVE")
    rigid(box("Ball", (3.0, 0.1, 0.0), (4.0, 1.0, 1.0)), "ACTIVE")
    box("Undeclared", (4.5, 0.1, 0.0), (6.0, 1.0, 1.0))
    report = checked()
    assert folded(report) == {"static": 1}
    assert faults(report) == [("Ball", "Wall"), ("Undeclared", "Wall")]
    assert ("Bar", "Wall") in faults(checked(static=True))
    bpy.data.objects["Bar"].rigid_body.kinematic = True
    assert ("Bar", "Wall") in faults(checked())


def test_the_sentence_without_faults_names_collisions_of_static_bodies(tmp_path: Path, capfd: Any) -> None:
    for number in range(3):
        rigid(box(f"Wall {number}", (0.5 * number, 0, 0), (0.5 * number + 0.8, 1, 1)), "PASSIVE")
    path = tmp_path / "walls.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    code, text = run(capfd, path)
    assert code == 0 and "No collisions, except between static bodies (2 pairs, folded)." in text.splitlines()
    assert "except between static bodies (2 pairs, folded)" in run(capfd, path, "--format", "html")[1]
    assert "No collisions.\n" not in text
    bpy.data.objects["Wall 1"].location.z = 5.0
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert "No collisions." in run(capfd, path)[1].splitlines()


def jointed(a: bpy.types.Object, b: bpy.types.Object) -> bpy.types.RigidBodyConstraint:
    joint = empty(f"J {a.name}")
    bpy.context.view_layer.objects.active = joint
    joint.select_set(True)
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    joint.select_set(False)
    joint.rigid_body_constraint.object1, joint.rigid_body_constraint.object2 = a, b
    joint.rigid_body_constraint.disable_collisions = True
    return joint.rigid_body_constraint


def test_what_a_joint_holds_together_is_folded_even_if_there_is_nothing_else() -> None:
    limbs = [rigid(box(name, (x, 0, 0), (x + 1.1, 1, 1)), "ACTIVE") for name, x in (("A", 0), ("B", 1), ("C", 1.5))]
    joint = jointed(limbs[0], limbs[1])
    report = checked()
    assert folded(report) == {"within A": 1} and faults(report) == [("B", "C")]
    joint.disable_collisions = False
    assert faults(checked()) == [("A", "B"), ("B", "C")]


def rigged(bones: dict[str, str]) -> bpy.types.Object:
    """An armature with bones, each with the name of the one above it."""
    bpy.ops.object.armature_add(enter_editmode=True)
    armature = bpy.context.object
    made = armature.data.edit_bones
    made.remove(made[0])
    for name, above in bones.items():
        bone = made.new(name)
        bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
        bone.parent = made[above] if above else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def on_bone(armature: bpy.types.Object, bone: str, name: str) -> bpy.types.Object:
    ob = box(name, (0, 0, 0), (1, 1, 1.1), armature)
    ob.parent_type, ob.parent_bone = "BONE", bone
    return ob


def test_parts_on_bones_that_are_no_neighbors_are_tested() -> None:
    armature = rigged({"base": "", "control": "base", "arm": "control", "hand": "arm", "other": "base"})
    for number, bone in enumerate(("base", "arm", "hand", "other")):
        # Otherwise they are copies of each other.
        on_bone(armature, bone, bone.title()).scale.x = 1 + number / 8
    on_bone(armature, "arm", "Cover").scale.x = 2
    assert faults(checked()) == [("Arm", "Other"), ("Base", "Hand"), ("Cover", "Other"), ("Hand", "Other")]
    # A collider on a bone is a body like any other.
    bpy.data.objects["Hand"].name = "Hand-convcolonly"
    assert ("Arm", "Hand-convcolonly") in faults(checked())


def test_the_skin_of_a_character_and_what_it_holds_are_linked() -> None:
    armature = rigged({"left": "", "right": ""})
    for name, x in (("Body", 0.0), ("Cape", 0.5)):
        skin = box(name, (x, -0.5, 0), (x + 1, 0.5, 3), armature)
        skin.modifiers.new("Armature", "ARMATURE").object = armature
    for bone, size in (("left", 1.0), ("right", 1.2)):
        on_bone(armature, bone, f"Sword {bone}").scale.x = size
    report = checked()
    assert faults(report) == [("Sword left", "Sword right")]
    assert sum(folded(report).values()) == 5
    assert len(faults(checked(within=True))) == 6
    # Another character is another body.
    box("Enemy", (0.2, 0.2, 0.2), (0.6, 0.6, 3))
    assert ("Body", "Enemy") in faults(checked())


def test_neighboring_links_of_a_robot_are_linked() -> None:
    above = None
    for number, name in enumerate(("hip", "shoulder", "arm", "hand")):
        link = empty(name, above)
        link["phobostype"] = "link"
        if name != "shoulder":
            part = box(f"{name} seen", (0, 0, 0), (1, 1, 1 + number / 8), link)
            part["phobostype"] = "visual"
        above = link
    lens = box("Lens", (0, 0, 0), (2, 2, 2), above)
    lens["phobostype"] = "sensor"
    report = checked()
    assert faults(report) == [("hand", "hip")]
    assert {one.object: one.reason for one in report.skipped}["Lens"].startswith("Sensor of a robot")


@pytest.mark.parametrize("physics", [True, False])
def test_what_is_neither_rendered_nor_a_rigid_body_is_a_helper(physics: bool) -> None:
    crate = box("Crate", (0, 0, 0), (1, 1, 1))
    walkable = box("Walkable", (-5, -5, -1), (5, 5, 0.1))
    walkable.hide_render = True
    if physics:
        rigid(crate, "ACTIVE")
    report = checked()
    assert faults(report) == ([] if physics else [("Crate", "Walkable")])
    assert [one.object for one in report.skipped] == ["Walkable"] * physics
    assert faults(checked(include_operands=True)) == [("Crate", "Walkable")]
    if physics:
        # It has what stands for it, or stands for itself.
        collider = box("UCX_Walkable", (-5, -5, -1), (5, 5, 0.2), walkable)
        assert faults(checked()) == [("Crate", "Walkable")]
        bpy.data.objects.remove(collider)
        walkable.collision_kit.shape = "BOX"
        assert faults(checked()) == [("Crate", "Walkable")]


# Copies


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


# The command line


def run(capfd: pytest.CaptureFixture, path: Path, *options: str) -> tuple[int, str]:
    capfd.readouterr()
    code = commands.command(["check", str(path), *options])
    return code, capfd.readouterr().out


@pytest.fixture
def two_characters(tmp_path: Path) -> Path:
    character("Ann")
    character("Bob", 9.0)
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def test_the_command_line_folds_and_passes(two_characters: Path, capfd: pytest.CaptureFixture) -> None:
    code, text = run(capfd, two_characters)
    assert code == 0 and "2 pairs within Ann: 2 penetrating" in text and "Ann left" not in text
    code, text = run(capfd, two_characters, "--unfold")
    assert code == 0 and "Ann left" in text
    assert run(capfd, two_characters, "--within")[0] == run(capfd, two_characters, "--each-asset")[0] == 1
    code, text = run(capfd, two_characters, "--format", "json")
    report = json.loads(text)
    assert {(one["within"], one["folded"], one["severity"]) for one in report["pairs"]} == {
        ("Ann", "within", "info"),
        ("Bob", "within", "info"),
    }
    assert report["folded_counts"]["penetrating"] == 4
    assert {body["name"]: body["asset"] for body in report["bodies"]}["Bob left"] == "Bob"
    text = run(capfd, two_characters, "--format", "html")[1]
    assert text.count("<details>") == 2 and "2 pairs within Bob" in text
    assert run(capfd, two_characters, "--format", "junit")[1].count("<skipped") == 4


@pytest.mark.parametrize(("line", "code"), [("within = true", 1), ("each_asset = true", 1), ("within = false", 0)])
def test_the_configuration_says_the_same(
    line: str, code: int, two_characters: Path, capfd: pytest.CaptureFixture
) -> None:
    config = two_characters.with_name("collision-kit.toml")
    config.write_text(f"[check]\n{line}\n", encoding="utf-8")
    assert run(capfd, two_characters)[0] == code
    api.import_configuration(config)
    assert bool(api.faults(api.check_collisions(**vars(api.check_settings())))) == bool(code)
    api.export_configuration(config)
    assert line in config.read_text(encoding="utf-8")


# The list


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


# Surroundings


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


def test_the_surroundings_are_an_option_of_commands_and_configurations(
    tmp_path: Path, capfd: pytest.CaptureFixture
) -> None:
    crates(4)
    sphere("Sky", 30.0)
    path = tmp_path / "sky.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    code, text = run(capfd, path)
    assert code == 0 and "4 pairs with the surroundings Sky: 4 contained" in text
    code, text = run(capfd, path, "--format", "json")
    assert {(one["folded"], one["severity"], one["verdict"]) for one in json.loads(text)["pairs"]} == {
        ("surroundings", "info", "contained")
    }
    assert run(capfd, path, "--surroundings")[0] == 1
    (tmp_path / "rules.toml").write_text("[check]\nsurroundings = true\n", encoding="utf-8")
    assert run(capfd, path, "--config", str(tmp_path / "rules.toml"))[0] == 1


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


# Colliders of a level


@pytest.mark.parametrize("name", ["Collision", "collider.003", "Collision_Barrier", "WallCollider", "Barrier-colonly"])
def test_colliders_without_a_mesh_are_tested_against_what_can_hit_them(name: str) -> None:
    box("House", (0.0, 0.0, 0.0), (4.0, 4.0, 3.0))
    box(name, (-0.5, -0.5, 0.0), (0.5, 4.5, 3.0))
    box("Collision.001", (-0.5, -0.5, 0.0), (4.5, 0.5, 3.0))
    report = checked()
    assert folded(report) == {"level": 3} and faults(report) == []
    assert len(faults(checked(static=True))) == 3
    crate = box("Crate", (-1.0, 2.0, 0.0), (-0.2, 3.0, 1.0))
    assert faults(checked()) == []
    crate.collision_kit.motion = "DYNAMIC"
    assert faults(checked()) == [tuple(sorted(("Crate", name)))]
    crate.collision_kit.motion = "AUTO"
    box("Crate_collider", (-1.0, 2.0, 0.0), (-0.2, 3.0, 1.0))
    assert faults(checked()) == [tuple(sorted(("Crate", name)))]
    crate.collision_kit.motion = "STATIC"
    assert faults(checked()) == []


def test_a_file_of_nothing_but_colliders_is_tested_in_full() -> None:
    for number in range(2):
        box(f"Collision.00{number}", (0.5 * number, 0.0, 0.0), (0.5 * number + 1.0, 1.0, 1.0))
    assert faults(checked()) == [("Collision.000", "Collision.001")]
    box("Wall", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    assert faults(checked()) == [] and folded(checked()) == {"level": 1}


# Asset libraries


def alternatives(count: int, apart: float = 0.0) -> None:
    """Boxes of different sizes around the origin, or in a row."""
    for number in range(count):
        size = 0.5 + 0.1 * number
        box(f"Car {number}", (-size, -size, 0.01 * number), (size, size, 1.0 + size)).location.x = apart * number


def test_assets_in_one_place_are_one_issue(two_characters: Path, capfd: pytest.CaptureFixture) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    alternatives(4)
    box("Far", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    box("Near", (9.5, 0.0, 0.0), (11.0, 1.0, 1.0)).location = (0.0, 0.0, 0.1)
    report = checked()
    assert folded(report) == {"library": 6} and faults(report) == [("Far", "Near")]
    (told,) = [one for one in report.issues if one.id == "asset-library"]
    assert (told.severity, told.object) == ("warning", "Car 0") and "3 other assets" in str(told.message)
    bpy.ops.wm.save_as_mainfile(filepath=str(two_characters))
    assert "6 pairs of assets in one place" in run(capfd, two_characters)[1]
    assert run(capfd, two_characters, "--each-asset")[0] == 0
    assert len(faults(checked(within=True))) == 7


@pytest.mark.parametrize(
    "scene", ["fewer", "apart", "copies", "a room whose transforms are applied", "a bench with tools"]
)
def test_what_is_no_library(scene: str) -> None:
    if scene == "fewer":
        alternatives(3)
    elif scene == "apart":
        alternatives(5, apart=0.9)
    elif scene == "copies":
        for number in range(5):
            box(f"Wall {number}", (0.0, 0.0, 0.0), (5.0, 0.2, 3.0))
    elif scene == "a bench with tools":
        # Their origins are near each other for their size, and half of the pairs penetrate.
        parts = {
            "Frame": ((-2.7, -5.9, 0.0), (-3.3, -6.5, -4.0), (3.3, 6.5, 4.0)),
            "Top": ((0.0, 0.0, 4.0), (-3.1, -7.0, 3.6), (3.1, 7.0, 4.4)),
            "Back": ((-2.2, -5.8, 5.4), (-3.2, -6.2, 4.3), (-1.2, 6.2, 9.9)),
            "Hammer": ((0.0, -4.7, 4.6), (-0.3, -5.0, 4.3), (1.8, -2.3, 4.7)),
            "Screwdriver": ((0.0, -4.7, 4.6), (-0.6, -5.2, 4.35), (0.5, -4.2, 4.8)),
        }
        for name, (origin, *corners) in parts.items():
            low, high = (tuple(np.subtract(corner, origin).tolist()) for corner in corners)
            box(name, low, high).location = origin
    else:
        box("Floor", (-3.0, -3.0, -0.1), (3.0, 3.0, 0.1))
        for number, (x, y) in enumerate(((-3, 0), (3, 0), (0, -3), (0, 3))):
            box(f"Wall {number}", (x - 0.1 - 3 * (x == 0), y - 0.1 - 3 * (y == 0), 0), (x + 3.1, y + 3.1, 3))
    report = checked()
    assert not report.library and faults(report)


# What files declare


def gltf_with_bodies(path: Path, extension: str, motion: dict | None) -> Path:
    """A glTF file with two boxes as bodies that are 0.5 in each other; the second has a motion."""
    points = [c for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0) for c in (x, y, z)]
    faces = [k for a, b, c, d in FACES for k in (a, b, c, a, c, d)]
    data = struct.pack("<24f", *points) + struct.pack(f"<{len(faces)}H", *faces)
    shapes = "KHR_implicit_shapes" if extension == "KHR_physics_rigid_bodies" else "OMI_physics_shape"
    geometry = {"geometry": {"shape": 0}} if shapes.startswith("KHR") else {"shape": 0}
    nodes: list[dict] = []
    for number, moved in enumerate((None, motion)):
        collider = {"name": f"Collider {number}", "extensions": {extension: {"collider": geometry}}}
        nodes += [
            {
                "name": f"Body {number}",
                "children": [len(nodes) + 1, len(nodes) + 2],
                "translation": [1.5 * number, 0, 0],
            },
            {"name": f"Mesh {number}", "mesh": 0},
            collider,
        ]
        if moved is not None:
            nodes[3 * number]["extensions"] = {extension: {"motion": moved}}
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": nodes,
        "extensionsUsed": [extension, shapes],
        "extensions": {shapes: {"shapes": [{"type": "box", "box": {"size": [2, 2, 2]}}]}},
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": len(data) - 96},
        ],
        "accessors": [
            {
                **{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                **{"min": [-1, -1, -1], "max": [1, 1, 1]},
            },
            {"bufferView": 1, "componentType": 5123, "count": len(faces), "type": "SCALAR"},
        ],
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("extension", "motion", "declared"),
    [
        ("KHR_physics_rigid_bodies", None, "static"),
        ("KHR_physics_rigid_bodies", {}, "dynamic"),
        ("KHR_physics_rigid_bodies", {"isKinematic": True}, "kinematic"),
        ("OMI_physics_body", {"type": "static"}, "static"),
        ("OMI_physics_body", {"type": "dynamic"}, "dynamic"),
        ("OMI_physics_body", {"type": "kinematic"}, "kinematic"),
    ],
)
def test_a_gltf_file_declares_what_moves(
    extension: str, motion: dict | None, declared: str, tmp_path: Path, capfd: pytest.CaptureFixture
) -> None:
    path = gltf_with_bodies(tmp_path / "bodies.gltf", extension, motion)
    code, text = run(capfd, path, "--format", "json")
    report = json.loads(text)
    assert [body["motion"] for body in report["bodies"]] == ["static", declared]
    assert [one["folded"] for one in report["pairs"]] == ["static" if declared == "static" else None]
    assert code == (0 if declared == "static" else 1)
    assert run(capfd, path, "--static")[0] == 1


def test_the_motion_type_of_an_object_is_set_by_hand() -> None:
    for number in range(2):
        box(f"Box {number}", (0.5 * number, 0, 0), (0.5 * number + 1, 1, 1)).collision_kit.motion = "STATIC"
    assert folded(checked()) == {"static": 1}
    bpy.data.objects["Box 1"].collision_kit.motion = "DYNAMIC"
    assert faults(checked()) == [("Box 0", "Box 1")]


# Motion


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


# Copies in one place, against what each line says, pair by pair


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
    found = folded_rows(bodies, columns, CheckRequest(None, False, frozenset(), (), (False, False)))

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
