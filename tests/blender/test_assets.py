# SPDX-License-Identifier: GPL-3.0-or-later
"""Assets: what is one, and which pairs of its parts are folded."""

import bpy
import numpy as np
import pytest

from collision_kit.addon import api
from collision_kit.addon.collisions import check
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.ui.panels.results import COLLISION_KIT_PT_results
from collision_kit.core.constants import Verdict
from tests.helpers.blender.asset_scene import assets, box, character, checked, empty, faults, folded
from tests.helpers.blender.bridge_scene import add, l_mesh, mesh, nodes
from tests.helpers.blender.panel_recorder import drawn


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


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


def test_a_part_that_is_there_twice_is_a_fault() -> None:
    root = character()
    box("Character copy", (0.4, -0.1, 1.2), (0.7, 0.1, 1.9), root)
    box("Log", (5.0, -3.0, 1.5), (6.0, 3.0, 1.6))
    assert faults(checked()) == faults(checked(within=False)) == [("Character copy", "Character left")]
    assert folded(checked()) == {"within Character": 3}


def test_a_scene_that_is_one_asset_is_tested_in_full_and_says_so() -> None:
    character()
    report = checked()
    assert folded(report) == {} and len(faults(report)) == 2
    assert [(one.id, one.object) for one in report.issues] == [("one-asset", "Character")]
    report = checked(within=False)
    assert folded(report) == {"within Character": 2} and faults(report) == []
    assert report.issues == ()


def test_of_one_asset_the_assets_inside_are_folded_and_what_is_between_them_is_not() -> None:
    scene = empty("Scene", empty("RootNode"))
    for name, x in (("Ann", 0.0), ("Bob", 1.3)):
        character(name, x).parent = scene
    box("Belt", (-0.5, -0.4, 1.0), (0.5, 0.4, 1.1), scene)
    report = checked()
    assert folded(report) == {"within Ann": 2, "within Bob": 2}
    assert faults(report) == [("Ann left", "Bob right"), ("Ann torso", "Belt")]
    assert [(one.id, one.object) for one in report.issues] == [("one-asset", "RootNode")]
    assert len(faults(checked(within=True))) == 6
    report = checked(within=False)
    assert faults(report) == [] and folded(report) == {"within Ann": 2, "within Bob": 2, "within RootNode": 2}


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
    assert folded(report) == {"within Chest": 2, "within Lock": 1}
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


@pytest.mark.parametrize("by_nodes", [False, True])
def test_instances_that_an_object_scatters_are_parts_of_it(by_nodes: bool) -> None:
    stone = box("Stone", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    field = add("Field", mesh([(2, 0, 0), (2.8, 0, 0), (9, 0, 0), (0, 9, 0)], [(0, 1, 3), (1, 2, 3)]))
    if by_nodes:
        field.modifiers.new("Nodes", "NODES").node_group = nodes("scatter", instance=stone, keep=True)
    else:
        stone.parent, field.instance_type = field, "VERTS"
    box("Wall", (8.9, -2.0, -1.0), (9.1, 2.0, 3.0))
    bpy.context.view_layer.update()
    report = checked()
    names = [f"Field/Stone[{number}]" for number in range(1, 5)]
    of_parent = {} if by_nodes else dict.fromkeys(("Field", "Stone"), "Field")
    assert assets(report) == dict.fromkeys(names, "Field") | of_parent
    assert faults(report) == [("Field", "Wall"), (names[2], "Wall")]
    assert folded(report) == {"within Field": 5}, "four stones with the field, and two with each other"
    assert len(faults(checked(within=True))) == 7


def test_scattered_instances_alone_are_tested_in_full() -> None:
    stone = box("Stone", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    stone.hide_viewport = True
    field = add("Field", mesh([(2, 0, 0), (2.8, 0, 0), (9, 0, 0)]))
    field.modifiers.new("Nodes", "NODES").node_group = nodes("scatter", instance=stone)
    bpy.context.view_layer.update()
    report = checked()
    assert faults(report) == [("Field/Stone[1]", "Field/Stone[2]")] and not report.folded
    assert [(one.id, one.object) for one in report.issues] == [("one-asset", "Field")]


def test_a_scattered_instance_that_is_there_twice_is_a_fault() -> None:
    stone = box("Stone", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    field = add("Field", mesh([(2, 0, 0), (2, 0, 0), (9, 0, 0)]), instance_type="VERTS")
    stone.parent = field
    box("Wall", (20.0, 0.0, 0.0), (21.0, 1.0, 1.0))
    assert faults(checked()) == [("Field/Stone[1]", "Field/Stone[2]")]


def test_of_scattered_instances_none_is_deeper_than_its_siblings() -> None:
    around = [(20, 0, 0), (20.9, 0, 0), (19.1, 0, 0), (20, 0.9, 0), (20, -0.6, 0)]
    field = add("Field", mesh(around), instance_type="VERTS")
    box("Stone", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), field)
    box("Wall", (40.0, 0.0, 0.0), (41.0, 1.0, 1.0))
    report = checked()
    assert not faults(report) and sum(folded(report).values()) >= 4


def test_of_what_one_object_scatters_only_the_verdict_is_found() -> None:
    field = add("Field", mesh([(20, 0, 0), (20.7, 0, 0), (28, 0, 0), (36, 0, 0)]), instance_type="VERTS")
    add("Corner", l_mesh(), parent=field)
    add("Wall", l_mesh(), at=(28.4, 0.3, 0.2))
    bpy.context.view_layer.update()
    report, shapes = check.check(bpy.context, "ALL")
    assert folded(report) == {"within Field": 1} and faults(report) == [("Field/Corner[3]", "Wall")]
    # No limit of depth decides about the folded pair.
    for one in (report, exhausted(check.with_full_depths(report, shapes, seconds=np.inf))):
        pairs = {tuple(sorted(api.names(one, pair))): pair for pair in one.pairs}
        scattered, listed = pairs["Field/Corner[1]", "Field/Corner[2]"], pairs["Field/Corner[3]", "Wall"]
        assert scattered.verdict == listed.verdict == Verdict.PENETRATING
        assert scattered.at_least and not scattered.complete and 0.0 < scattered.depth < 0.01
        assert not listed.at_least and listed.complete and listed.depth > 0.1
    # As a fault, it is measured.
    asked = checked(within=True)
    (pair,) = [one for one in asked.pairs if "Wall" not in api.names(asked, one)]
    assert pair.complete and not pair.at_least and pair.depth > 0.1


def test_what_lies_like_scattered_instances_is_measured() -> None:
    field = add("Field", mesh([(20, 0, 0), (20.7, 0, 0), (36, 0, 0)]), instance_type="VERTS")
    add("Corner", l_mesh(), parent=field)
    data = bpy.data.objects["Corner"].data
    add("Copy", data, at=(20, 0, 0))
    report = checked(evidence=False)
    pairs = {tuple(sorted(api.names(report, pair))): pair for pair in report.pairs}
    assert not pairs["Copy", "Field/Corner[2]"].at_least and pairs["Copy", "Field/Corner[2]"].depth > 0.1


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
