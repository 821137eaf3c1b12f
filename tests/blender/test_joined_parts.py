# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of one thing that overlap where they are joined: their pairs are folded, and faults among them are not."""

from collections.abc import Callable, Generator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.body_extents import BodyExtents
from collision_kit.addon.collisions.check import check
from collision_kit.addon.collisions.joined_parts import joined_parts
from collision_kit.addon.collisions.pair_evidence import PairEvidence
from collision_kit.addon.collisions.pair_geometry import RIM
from collision_kit.addon.model.report import Body, ObjectKey
from collision_kit.addon.scene.reading.assets import GAP, are_near
from collision_kit.core.constants import Verdict
from tests.helpers.blender.asset_scene import CORNERS, FACES, box, check_file, checked, empty, faults, folded


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def chair(name: Callable[[str], str], parent: bpy.types.Object | None = None, collection: str = "") -> None:
    """A seat, four legs of different thickness that are 2 cm in it, and a back."""
    box(name("seat"), (0.0, 0.0, 0.45), (0.5, 0.5, 0.5), parent, collection)
    for number, (x, y) in enumerate(((0.01, 0.01), (0.01, 0.44), (0.44, 0.01), (0.44, 0.44))):
        box(name(f"leg {number}"), (x, y, 0.0), (x + 0.04, y + 0.04 + 0.001 * number, 0.47), parent, collection)
    box(name("back"), (0.0, 0.0, 0.48), (0.5, 0.04, 1.0), parent, collection)


def of_collection() -> None:
    bpy.context.scene.collection.children.link(bpy.data.collections.new("Chair"))
    chair(lambda part: {"seat": "Cube", "back": "Cube.001"}.get(part, f"Cube.00{part[-1]}0"), collection="Chair")


def of_names() -> None:
    chair(lambda part: f"Chair_{part}")


def of_one_asset() -> None:
    chair(str.title, empty("Chair"))


@pytest.mark.parametrize("made", [of_collection, of_names])
def test_parts_of_a_collection_or_with_one_first_word_are_one_line(
    made: Callable[[], None], tmp_path: Path, capfd
) -> None:
    made()
    box("Wall", (-1.0, 0.45, 0.0), (1.0, 0.6, 2.0))
    report = checked()
    assert folded(report) == {"within Chair": 5}
    assert {name for pair in faults(report) for name in pair if name == "Wall"} == {"Wall"}
    assert all("Wall" in pair for pair in faults(report))
    assert len(faults(checked(within=True))) == len(faults(report)) + 5
    path = tmp_path / "chair.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert "  5 pairs within Chair: 5 penetrating" in check_file(capfd, path)[1].splitlines()
    text = check_file(capfd, path, "--format", "json")[1]
    assert text.count('"within": "Chair", "folded": "within"') == 5


def test_parts_of_one_asset_are_one_line_though_there_is_nothing_else() -> None:
    of_one_asset()
    report = checked()
    assert folded(report) == {"within Chair": 5} and faults(report) == []
    assert [one.id for one in report.issues] == ["one-asset"]


FAULTS = {
    "contained": lambda: box("Chair_pin", (0.2, 0.2, 0.46), (0.25, 0.25, 0.49)),
    "duplicate": lambda: box("Chair_copy", (0.0, 0.0, 0.45), (0.5, 0.5, 0.5)),
    "sunk": lambda: box("Chair_cat", (0.1, 0.1, 0.4), (0.3, 0.3, 0.52)),
    "deep": lambda: box("Chair_bolt", (0.44, 0.2, 0.44), (0.59, 0.3, 0.52)),
    "a copy": lambda: box("Chair_leg 9", (0.03, 0.03, 0.1), (0.07, 0.07, 0.57)),
    "of another kind": lambda: box("Table_leg", (0.4, 0.2, 0.0), (0.6, 0.3, 0.47)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_among_joined_parts_are_listed(fault: str) -> None:
    of_names()
    box("Else", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    assert faults(checked()) == []
    ob = FAULTS[fault]()
    found = faults(checked())
    assert found and all(ob.name in pair for pair in found)


def test_parts_that_touch_are_tested_though_few_of_them_penetrate() -> None:
    root = empty("Machine")
    for number in range(9):
        depth = 0.05 if number in (2, 5, 7) else 0.0
        box(
            f"Plate {chr(65 + number)}",
            (0.0, 0.0, float(number) - depth),
            (1.0 + 0.1 * number, 1.0, number + 1.0),
            root,
        )
    report = checked()
    assert folded(report) == {} and len(faults(report)) == 3


def test_a_collection_of_everything_and_names_of_everything_say_nothing() -> None:
    of_names()
    bpy.data.objects["Chair_seat"].name = "Chair_plate"
    # Otherwise there is nothing but this chair.
    box("Chair_cushion", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    collection = bpy.data.collections.new("Chair")
    bpy.context.scene.collection.children.link(collection)
    for ob in list(bpy.context.scene.objects):
        collection.objects.link(ob)
    assert len(faults(checked())) == 5


def of_props(collection: str) -> None:
    """Props that stand alone, of which six were pushed into another."""
    for number in range(10):
        box(f"Prop {chr(65 + number)}", (3.0 * number, 5.0, 0.0), (3.0 * number + 1.0, 6.0, 1.0), None, collection)
    for number, (one, other) in enumerate((("Barrel", "Crate"), ("Ladder", "Shelf"), ("Stool", "Cabinet"))):
        x = 5.0 * number
        box(other, (x, 0.0, 0.0), (x + 1.0, 1.0, 1.0 + 0.1 * number), None, collection)
        box(one, (x + 0.95, 0.2, 0.0), (x + 1.5, 0.8, 1.2 + 0.1 * number), None, collection)


def test_faults_of_props_in_one_collection_are_listed() -> None:
    bpy.context.scene.collection.children.link(bpy.data.collections.new("Props"))
    box("Floor", (-20.0, -20.0, -1.0), (40.0, 20.0, -0.01))
    of_props("Props")
    report = checked()
    assert folded(report) == {}
    assert faults(report) == [("Barrel", "Crate"), ("Cabinet", "Stool"), ("Ladder", "Shelf")]


def unnamed(*places: tuple[tuple[float, float, float], tuple[float, float, float]], start: int = 0) -> list[str]:
    """Boxes with the names that Blender gives. No two have the same size."""
    names = [f"Cube.{start + number:03}" for number in range(len(places))]
    for name, (low, high) in zip(names, places, strict=True):
        box(name, low, high)
    return names


# The sides of a cart, its bottom, its shaft and a seat between the sides.
CART = (
    ((0.0, 0.0, 0.5), (3.0, 1.5, 0.6)),
    ((0.0, 0.0, 0.58), (3.01, 0.1, 1.2)),
    ((0.0, 1.4, 0.58), (3.02, 1.5, 1.2)),
    ((2.98, 0.7, 0.52), (4.5, 0.8, 0.58)),
    ((1.0, 0.08, 0.9), (1.3, 1.42, 0.95)),
)


def test_parts_that_nobody_has_named_are_one_thing_if_they_are_connected() -> None:
    unnamed(*CART)
    box("Tree", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    report = checked()
    assert faults(report) == [] and folded(report) == {"within Cube.000 + 4": 5}
    assert len(faults(checked(within=True))) == 5


def test_parts_that_nobody_has_named_are_listed_if_they_are_deeper_than_a_joint() -> None:
    names = unnamed(*CART)
    box("Tree", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    bpy.data.objects[names[3]].location.x = -0.04
    assert faults(checked()) == [(names[0], names[3])]
    for name in names:
        bpy.data.objects[name].parent = empty("Cart") if "Cart" not in bpy.data.objects else bpy.data.objects["Cart"]
    bpy.data.objects.remove(bpy.data.objects["Tree"])
    assert faults(checked()) == [], "a tenth is a joint in one asset"


def test_what_stands_on_a_thing_or_on_the_ground_is_no_part_though_nobody_has_named_it() -> None:
    unnamed(*CART)
    box("Plane", (-20.0, -20.0, -1.0), (20.0, 20.0, 0.0))
    vase, post, crate = unnamed(
        ((1.1, 0.6, 0.94), (1.2, 0.7, 1.4)),
        ((5.0, 0.0, -0.05), (5.2, 0.2, 2.0)),
        ((5.3, 0.0, -0.05), (6.3, 1.0, 0.97)),
        start=10,
    )
    report = checked()
    assert faults(report) == [("Cube.004", vase), (post, "Plane"), (crate, "Plane")]
    assert sum(folded(report).values()) == 5


def test_furniture_that_nobody_has_named_is_no_part_of_its_room() -> None:
    low, high = (0.0, 0.0, 0.0), (5.0, 4.0, 3.0)
    walls = [((0.0, 0.0, 0.0), (5.0, 4.0, 0.2)), ((0.0, 0.0, 0.0), (5.0, 0.2, 3.0)), ((0.0, 0.0, 0.0), (0.2, 4.0, 3.0))]
    room = box("Cube.100", low, high)
    corners = [[(a, b)[c][axis] for axis, c in enumerate(one)] for a, b in walls for one in CORNERS]
    room.data.clear_geometry()
    room.data.from_pydata(corners, [], [tuple(8 * part + one for one in face) for part in range(3) for face in FACES])
    names = unnamed(*[((0.5 + x, 1.0, 0.15), (1.0 + x, 2.0 + 0.01 * x, 0.9)) for x in (0.0, 1.0, 2.0, 3.0)])
    assert faults(checked()) == [(name, "Cube.100") for name in names]


def test_parts_of_different_things_with_names_are_not_one_thing() -> None:
    for number, name in enumerate(("Left car", "Right car")):
        root = empty(name)
        for part, ((x, y, z), high) in enumerate(CART):
            low, top = (x, y + 1.45 * number, z), (high[0], high[1] + 1.45 * number, high[2])
            box(f"Cube.{10 * number + part:03}", low, top, root)
    report = checked()
    assert folded(report) == {"within Left car": 5, "within Right car": 5}
    assert faults(report)


def machine() -> None:
    """Parts with names of their own. Each is a little in the next one."""
    for number, name in enumerate(("Frame", "Motor", "Shaft", "Gear", "Lever", "Handle")):
        box(name, (0.95 * number, 0.0, 0.0), (0.95 * number + 1.0, 1.0 + 0.1 * number, 1.0 + 0.1 * number))


def test_parts_of_a_machine_are_joined_if_there_is_nothing_else_and_no_floor() -> None:
    machine()
    report = checked()
    assert faults(report) == [] and folded(report) == {"within Handle + 5": 5}
    box("Floor", (-1.0, -1.0, -1.0), (7.0, 3.0, -0.9))
    assert len(faults(checked())) == 5
    bpy.data.objects["Floor"].location.z = -30.0
    assert len(faults(checked())) == 5
    bpy.data.objects.remove(bpy.data.objects["Floor"])
    box("Terrain", (-1.0, -1.0, -0.7), (7.0, 3.0, 0.0))
    assert len(faults(checked())) == 5


def test_a_backdrop_is_no_part_of_a_machine_and_a_detail_is() -> None:
    machine()
    box("Backdrop", (-90.0, -90.0, -9.0), (90.0, 90.0, -8.0))
    box("Button", (0.4, -0.02, 0.4), (0.6, 0.04, 0.6))
    report = checked()
    assert faults(report) == [] and folded(report) == {"within Handle + 6": 6}
    bpy.data.objects["Button"].location.y = 0.03
    assert faults(checked()) == [("Button", "Frame")], "too deep"


def test_what_is_in_a_room_is_no_machine() -> None:
    machine()
    box("Room", (-9.0, -9.0, -0.5), (15.0, 9.0, 9.0)).modifiers.new("Walls", "SOLIDIFY").thickness = 0.1
    assert len(faults(checked())) >= 5


@pytest.mark.parametrize(("low", "listed"), [(1.4, 0), (1.8, 4)])
def test_a_sign_that_is_mostly_below_the_top_of_a_wall_does_not_stand_on_it(low: float, listed: int) -> None:
    box("Cube", (0.0, 0.0, 0.0), (9.0, 1.0, 2.0))
    for number in range(4):
        box(f"Cube.{number:03}", (2.0 * number + 0.5, 0.0, low), (2.0 * number + 1.5, 0.05, low + 1.0))
    assert len(faults(checked())) == listed


def planks(number: int = 5, deep: float = 0.08) -> list[str]:
    """A beam of a barn, and planks below it that are this deep in it. Nobody has named them."""
    beam = ((0.0, 0.0, 2.0), (6.0, 0.2, 2.21))
    return unnamed(beam, *[((x + 0.5, 0.02, 0.9), (x + 0.6, 0.18, 2.0 + deep)) for x in range(number)])


def test_planks_that_are_all_equally_deep_in_a_beam_are_joined_and_another_one_is_not() -> None:
    names = planks()
    box("Tree", (19.0, 0.0, 0.0), (20.0, 1.0, 1.0))
    assert faults(checked()) == [] and folded(checked()) == {"within Cube.000 + 5": 5}
    bpy.data.objects[names[2]].location.z = 0.04
    assert faults(checked()) == [(names[0], names[2])], "half as deep again"
    bpy.data.objects[names[2]].location.z = 0.0
    for name in names[3:]:
        bpy.data.objects.remove(bpy.data.objects[name])
    assert faults(checked()) == [(names[0], one) for one in names[1:3]], "two are no habit"


def test_crates_in_a_row_are_listed_and_planks_that_cross_each_other_are_joined() -> None:
    names = unnamed(*[((0.95 * x, 0.0, 1.0), (0.95 * x + 1.0, 0.3, 2.0)) for x in range(5)])
    box("Tree", (19.0, 0.0, 0.0), (20.0, 1.0, 1.0))
    assert len(faults(checked())) == 4
    for name in names:
        bpy.data.objects.remove(bpy.data.objects[name])
    for place in range(3):
        for turn in (-1, 1):
            plank = box(f"Cube.{place}{turn + 1:02}", (-0.5, -0.01, -0.04), (0.5, 0.01, 0.04))
            plank.location, plank.rotation_euler = (1.2 * place, 0.0, 1.0), (0.0, turn * np.pi / 4, 0.0)
    box("Cube.999", (-0.4, -0.3, 1.2), (3.0, -0.009, 1.3))
    assert all("Cube.999" in pair for pair in faults(checked())), "the rail differs"
    assert sum(folded(checked()).values()) >= 3


# A sleigh: its seat, two bars below it, and runners.
SLEIGH = (
    ((0.0, 0.0, 0.5), (2.0, 1.0, 0.54)),
    ((0.3, 0.05, 0.2), (0.36, 0.1, 0.505)),
    ((1.5, 0.05, 0.2), (1.57, 0.1, 0.505)),
    ((-0.2, 0.04, 0.15), (2.3, 0.12, 0.206)),
    ((0.1, -0.02, 0.53), (0.15, 1.02, 0.9)),
)


def test_a_bar_through_a_plate_that_nobody_has_named_is_listed_and_several_are_joined() -> None:
    names = unnamed(*SLEIGH)
    box("Tree", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    assert faults(checked()) == [] and sum(folded(checked()).values()) == 5
    # A hundredth of its length, at the rim of the seat.
    box("Cube.777", (0.9, -0.02, -0.5), (0.92, 0.04, 1.5))
    bpy.data.objects[names[0]].data.vertices[0].co.y = -0.06
    found = faults(checked())
    assert found == [("Cube.000", "Cube.777")]
    for number in (1, 2):
        ob = bpy.data.objects["Cube.777"].copy()
        ob.location.x = 0.2 * number
        bpy.context.scene.collection.objects.link(ob)
    assert faults(checked()) == []


def test_a_bar_through_a_part_of_one_thing_is_listed() -> None:
    machine()
    box("Fin", (5.7, 0.2, 0.9), (6.4, 0.24, 1.6))
    assert faults(checked()) == []
    box("Bar", (6.2, -0.5, 1.3), (6.3, 0.9, 1.4))
    assert ("Bar", "Fin") in faults(checked())


def robot() -> None:
    """A robot of named parts without a root. Both arms are one mesh, and so are both hands and both shoulders."""
    box("Torso", (-0.3, -0.2, 1.0), (0.3, 0.2, 1.7))
    box("Neck", (-0.05, -0.05, 1.65), (0.05, 0.05, 1.85))
    box("Head", (-0.4, -0.4, 1.8), (0.4, 0.4, 2.4))
    for name, near, far, size in (("Shoulders", 0.25, 0.45, 0.1), ("Arms", 0.4, 1.0, 0.04), ("Hands", 0.95, 1.2, 0.08)):
        left = box(name, (near, -size, 1.4 - size), (far, size, 1.4 + size)).data
        right = [(-x, y, z) for x, y, z in (one.co for one in left.vertices)]
        corners = [tuple(one.co) for one in left.vertices] + right
        left.clear_geometry()
        left.from_pydata(corners, [], [*FACES, *[tuple(8 + one for one in reversed(face)) for face in FACES]])


def test_a_robot_without_a_root_is_one_thing_with_its_two_arms() -> None:
    robot()
    report = checked()
    assert faults(report) == [] and folded(report) == {"within Hands + 5": 5}
    assert len(faults(checked(within=True))) == 5
    bpy.data.objects["Head"].location.z = -0.6
    assert ("Head", "Torso") in faults(checked()), "its middle is in the torso"


def test_what_is_declared_to_move_is_not_one_thing() -> None:
    robot()
    bpy.context.view_layer.objects.active = bpy.data.objects["Neck"]
    bpy.ops.rigidbody.object_add()
    assert len(faults(checked())) == 5


def test_what_is_wider_than_what_it_stands_on_is_a_part_of_it() -> None:
    robot()
    box("Hat", (-0.02, -0.02, 2.38), (0.02, 0.02, 2.9))
    assert faults(checked()) == [("Hat", "Head")]
    bpy.data.objects["Hat"].scale = (25.0, 25.0, 1.0)
    assert faults(checked()) == []


def test_a_housing_is_no_room() -> None:
    machine()
    housing = box("Housing", (-1.0, -1.0, -5.0), (0.05, 2.0, 3.2)).data
    corners = [tuple(one.co) for one in housing.vertices]
    corners += [tuple(one.co) for one in box("Top", (-1.0, -1.0, 3.0), (8.0, 2.0, 3.2)).data.vertices]
    bpy.data.objects.remove(bpy.data.objects["Top"])
    housing.clear_geometry()
    housing.from_pydata(corners, [], [*FACES, *[tuple(8 + one for one in face) for face in FACES]])
    assert faults(checked()) == [] and folded(checked()) == {"within Housing + 6": 6}
    bpy.data.objects["Gear"].location.z = 2.0
    assert folded(checked()) == {}, "now it is all that connects them"


@pytest.mark.parametrize("seed", range(4))
def test_extents_of_bodies_are_those_of_their_vertices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = np.concatenate([np.add(rng.uniform(-1.0, 1.0, (4, 3)), (5.0 * number, 0.0, 0.0)) for number in range(3)])
    mesh = bpy.data.meshes.new("Parts")
    faces = [tuple(4 * part + one for one in face) for part in range(3) for face in combinations(range(4), 3)]
    mesh.from_pydata(corners.tolist(), [], faces)
    ob = bpy.data.objects.new("Parts", mesh)
    ob.rotation_euler, ob.location, ob.scale = rng.uniform(-3, 3, 3), rng.uniform(-9, 9, 3), rng.uniform(0.5, 2, 3)
    bpy.context.scene.collection.objects.link(ob)
    ball = bpy.data.objects.new("Box", box("Other", (0.0, 0.0, 0.0), (1.0, 2.0, 3.0)).data)
    ball.rotation_euler = rng.uniform(-3, 3, 3)
    bpy.context.scene.collection.objects.link(ball)
    report, shapes = check(bpy.context, "ALL")
    extents = BodyExtents(shapes)
    for number, body in enumerate(report.bodies):
        source = bpy.data.objects[body.name]
        points = np.array([source.matrix_world @ one.co for one in source.data.vertices])
        expected = points.reshape(-1, 4, 3) if body.name == "Parts" else points[None]
        lower, upper = extents.loose(number)
        order = np.argsort(lower[:, 0]), np.argsort(expected.min(axis=1)[:, 0])
        np.testing.assert_allclose(lower[order[0]], expected.min(axis=1)[order[1]], atol=1e-5)
        np.testing.assert_allclose(upper[order[0]], expected.max(axis=1)[order[1]], atol=1e-5)
        ways = [
            np.add(*pair) for pair in combinations(np.concatenate([np.eye(3), -np.eye(3)]), 2) if np.add(*pair).any()
        ]
        lengths = sorted(np.ptp(points @ way) for way in ways)
        # Each diagonal is there in both directions.
        np.testing.assert_allclose(np.sort(extents.diagonal(number)), lengths[::2], atol=1e-5)


def test_a_first_word_of_nearly_everything_says_nothing_and_the_next_one_does() -> None:
    chair(lambda part: f"SM_Chair_{part}")
    box("SM_Floor", (-9.0, -9.0, -1.0), (9.0, 9.0, 0.0))
    box("SM_Prop_crate", (3.0, 0.0, -0.05), (4.0, 1.0, 0.97))
    box("SM_Prop_barrel", (6.0, 0.0, -0.05), (6.6, 0.6, 0.97))
    box("SM_Prop_ladder", (8.0, 0.0, -0.05), (8.1, 0.6, 1.97))
    report = checked()
    assert folded(report) == {"within SM_Chair": 5}
    assert faults(report) == [("SM_Floor", f"SM_Prop_{name}") for name in ("barrel", "crate", "ladder")]


@pytest.mark.parametrize("parent", ["Table", ""])
def test_a_leg_that_is_deeper_than_the_others_is_a_fault_of_the_table(parent: str) -> None:
    root = empty("Table") if parent else None
    box("Table_top", (0.0, 0.0, 0.7), (1.0, 1.0, 0.75), root)
    for number in range(4):
        x, y = 0.1 + 0.7 * (number % 2), 0.1 + 0.7 * (number // 2)
        box(f"Table_leg.{number:03}", (x, y, 0.0), (x + 0.05, y + 0.05, 0.715), root)
    box("Else", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    assert faults(checked()) == []
    bpy.data.objects["Table_leg.002"].location.z = 0.01
    report = checked()
    assert faults(report) == [("Table_leg.002", "Table_top")] and folded(report) == {"within Table": 3}
    assert faults(checked(within=False)) == faults(report)
    for number in range(4):
        bpy.data.objects[f"Table_leg.{number:03}"].location.z = 0.004 * number
    assert faults(checked()) == [], "they do not agree"


def test_things_with_joints_of_their_own_are_not_joined_because_they_are_in_one_collection() -> None:
    bpy.context.scene.collection.children.link(bpy.data.collections.new("Furniture"))
    box("Floor", (-20.0, -20.0, -1.0), (40.0, 20.0, -0.01))
    chair(lambda part: f"Chair_{part}", collection="Furniture")
    box("Table_top", (0.49, 0.0, 0.5), (1.5, 1.0, 0.55), None, "Furniture")
    for number in range(4):
        x, y = 0.6 + 0.7 * (number % 2), 0.1 + 0.7 * (number // 2)
        box(f"Table_leg {number}", (x, y, 0.0), (x + 0.05, y + 0.05 + 0.001 * number, 0.52), None, "Furniture")
    report = checked()
    assert folded(report) == {"within Chair": 5, "within Table": 4}
    assert faults(report) == [("Chair_back", "Table_top")]


def test_a_depth_that_is_only_a_lower_bound_is_no_joint(monkeypatch: pytest.MonkeyPatch) -> None:
    of_one_asset()
    full = PairEvidence.finding

    def bounded(*given: Any) -> Generator[None, None, PairEvidence]:
        found = yield from full(*given)
        return replace(found, at_least=found.verdict == Verdict.PENETRATING)

    monkeypatch.setattr(PairEvidence, "finding", bounded)
    report = checked()
    assert folded(report) == {} and len(faults(report)) == 5


def test_a_pair_that_several_tests_find_is_one_joint() -> None:
    names = ["Part_a", "Part_b", "Part_c", "Else"]
    bodies = [Body(name, ObjectKey(number)) for number, name in enumerate(names, 1)]
    apart = np.array([[0.0, 0, 0], [2, 0, 0], [4.2, 0, 0], [9, 9, 9]])
    sizes = np.array([[1.0], [1.5], [1.7], [1.0]])

    def joined(ends: list[tuple[int, int]]) -> int:
        columns = *np.array(ends).T, np.full(len(ends), int(Verdict.PENETRATING)), np.full(len(ends), 0.01)
        return len(joined_parts(bodies, [""] * 4, (apart, apart + sizes), columns))

    assert joined([(0, 1), (0, 2), (2, 1)]) == 3
    assert joined([(0, 1), (0, 1), (1, 0), (0, 2)]) == 0


@pytest.mark.filterwarnings("error")
def test_half_spaces_have_no_joints() -> None:
    count = 5
    bodies = [Body(f"Part_{chr(97 + row)}", ObjectKey(row + 1)) for row in range(count)]
    lower, upper = np.zeros((count, 3)), np.ones((count, 3))
    lower[:4], upper[:4, 2], upper[:4, :2] = -np.inf, 0.0, np.inf
    first, second = np.triu_indices(count, 1)
    verdict = np.full(len(first), int(Verdict.PENETRATING))
    for deep in (0.01, np.inf):
        found = joined_parts(bodies, [""] * count, (lower, upper), (first, second, verdict, np.full(len(first), deep)))
        assert found == {}


@pytest.mark.parametrize("seed", range(6))
def test_only_pairs_with_the_habit_of_their_things_are_joined(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 40
    words = rng.choice(["Chair", "Desk", "Lamp", "Rug"], count)
    tails = [f"_{chr(97 + place)}" if rng.random() < 0.8 else f".{place:03}" for place in range(count)]
    bodies = [
        Body(f"{word}{end}", ObjectKey(place + 1)) for place, (word, end) in enumerate(zip(words, tails, strict=True))
    ]
    # One more, which is declared not to move, so that only names and collections count.
    bodies.append(Body("Else", ObjectKey(count + 1), motion="static"))
    collections = [*rng.choice(["", "Left", "Right"], count).tolist(), ""]
    lower = rng.uniform(0.0, 4.0, (count + 1, 3))
    lower[count] += 100.0
    upper = lower + rng.uniform(0.2, 2.0, (count + 1, 3))
    ends = np.array([(a, b) for a in range(count) for b in range(a) if rng.random() < 0.09], np.int64)
    kinds = [Verdict.PENETRATING, Verdict.TOUCHING, Verdict.CONTAINED]
    verdict = np.array([int(kinds[one]) for one in rng.choice(3, len(ends), p=[0.8, 0.15, 0.05])])
    depth = rng.choice([0.01, 0.5], len(ends), p=[0.9, 0.1])
    found = joined_parts(bodies, collections, (lower, upper), (*ends.T, verdict, depth))
    # Two names that differ only in numbers are those of copies.
    numbered = {place for place, tail in enumerate(tails) if tail.startswith(".")}

    def joint(a: int, b: int, kind: int, deep: float) -> bool:
        small, large = sorted((a, b), key=lambda one: max(upper[one] - lower[one]))
        long, longer = (max(upper[one] - lower[one]) for one in (small, large))
        above = any(
            lower[y][2] < lower[x][2] < upper[y][2] < upper[x][2]
            and all(lower[y][axis] <= lower[x][axis] and upper[x][axis] <= upper[y][axis] for axis in (0, 1))
            and sum(x in pair[:2] and pair[2] != Verdict.CONTAINED for pair in pairs) == 1
            for x, y in ((a, b), (b, a))
        )
        detail = long <= 0.4 * longer and deep <= 0.05 * longer and not above
        center = (lower[small] + upper[small]) / 2
        rim = RIM * (upper[large] - lower[large])
        out = any(not (lower[large] + rim)[axis] <= center[axis] <= (upper[large] - rim)[axis] for axis in range(3))
        copies = {a, b} <= numbered and words[a] == words[b]
        return kind == Verdict.PENETRATING and (detail or (out and deep <= 0.2 * long)) and not copies

    pairs = list(zip(*ends.T.tolist(), verdict.tolist(), depth.tolist(), strict=True))
    expected, thing = set[tuple[int, int]](), dict[int, str]()
    for mark in ([*words.tolist(), ""], collections):
        for name in sorted(set(mark) - {""}):
            among = [pair for pair in pairs if mark[pair[0]] == mark[pair[1]] == name]
            free = [pair for pair in among if len({thing[one] for one in pair[:2] if one in thing}) < 2]
            joints = [pair for pair in free if joint(*pair)]
            groups: list[set[int]] = []
            for a, b, *_ in joints:
                touched = [group for group in groups if group & {a, b}]
                groups = [group for group in groups if group not in touched] + [{a, b}.union(*touched)]
            for group in groups:
                own = [pair for pair in joints if pair[0] in group]
                met = [pair for pair in among if group & {*pair[:2]} and pair[2] != Verdict.CONTAINED]
                if len(own) >= 3 and 2 * len(own) >= len(met):
                    expected |= {(b, a) for a, b, *_ in own}
                    thing |= dict.fromkeys(group, name)
    assert set(found) == expected
    assert seed or expected


def test_parts_are_near_if_all_are_connected_by_gaps_of_a_fraction_of_the_smaller() -> None:
    rng, told = np.random.default_rng(3), []
    for _ in range(300):
        count = int(rng.integers(5, 20))
        # On a grid, so that many gaps are nearly as large as the largest that connects, or none.
        low = rng.integers(0, 3, (count, 3)) * rng.choice([1.0, 1.09, 1.15], p=[0.4, 0.4, 0.2])
        high = low + rng.choice([1.0, 0.9, 0.5], (count, 1), p=[0.7, 0.2, 0.1])
        group = list(range(count))
        for one in range(count):
            for other in range(one):
                gap = max(*(low[one] - high[other]), *(low[other] - high[one]))
                if gap <= GAP * min((high[one] - low[one]).max(), (high[other] - low[other]).max()):
                    kept, gone = group[one], group[other]
                    group = [kept if label == gone else label for label in group]
        told.append(are_near(low, high))
        assert told[-1] == (len(set(group)) == 1)
    assert 30 < sum(told) < 270


VAN = {
    "Chassis": ((0.0, 0.0, 0.3), (4.0, 1.8, 0.5)),
    "Hood": ((0.0, 0.05, 0.48), (1.22, 1.75, 1.0)),
    "Cabin": ((1.2, 0.0, 0.48), (2.6, 1.8, 1.9)),
    "Windshield": ((1.1, 0.1, 0.98), (1.23, 1.7, 1.7)),
    "Trunk": ((2.58, 0.02, 0.48), (4.0, 1.78, 1.6)),
    "Roof": ((1.15, 0.03, 1.88), (3.9, 1.77, 1.95)),
    "Spoiler": ((3.4, 0.1, 1.58), (3.8, 1.7, 1.89)),
}


def van() -> None:
    """A car whose parts are joined crosswise, on a street, so that it is not everything in the scene."""
    for name, (low, high) in VAN.items():
        box(name, low, high)
    box("Bumper", (-0.2, 0.1, 0.35), (0.02, 1.7, 0.6))
    box("Street", (-9.0, -9.0, -0.2), (9.0, 9.0, 0.0))


def test_parts_that_are_joined_crosswise_are_one_thing_though_they_have_names() -> None:
    van()
    report = checked()
    pairs = folded(report)["within Chassis + 7"]
    assert (pairs > 8, faults(report)) == (True, [])
    assert len(faults(checked(within=True))) == pairs


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        # Sunk by 40 %, and so by 35 % where it meets two parts.
        ("Crate", (0.3, 0.5, 0.88), (0.6, 0.8, 1.18)),
        ("Luggage", (2.45, 0.5, 1.4), (2.95, 1.0, 1.88)),
        # Slightly in one part of the van, and it stands there.
        ("Vase", (0.3, 0.5, 0.99), (0.4, 0.6, 1.3)),
        ("Pole", (3.0, 0.9, 0.1), (3.1, 1.0, 3.0)),
        ("Hood 2", *VAN["Hood"]),
    ],
)
def test_faults_among_parts_that_are_joined_crosswise_are_listed(
    name: str, low: tuple[float, ...], high: tuple[float, ...]
) -> None:
    van()
    box(name, low, high)
    found = faults(checked())
    assert found and all(name in pair for pair in found)
    assert len(found) == len([pair for pair in faults(checked(within=True)) if name in pair]) or name == "Hood 2"


def test_parts_in_a_row_are_not_joined_crosswise() -> None:
    box("Street", (-9.0, -9.0, -0.2), (9.0, 9.0, 0.0))
    for number, name in enumerate(("Desk", "Bed", "Sofa", "Shelf", "Stove", "Piano")):
        box(name, (number, 0.0, 0.0), (number + 1.02, 0.6, 0.7 + 0.1 * number))
    assert len(faults(checked())) == 5


def test_nobody_has_named_the_crates_of_a_pile_and_chairs_in_a_hall_have_one_size() -> None:
    van()
    report = checked()
    for number, name in enumerate(VAN):
        bpy.data.objects[name].name = f"Cube.{number:03}"
    bpy.data.objects["Bumper"].name = "Cube.020"
    bpy.data.objects["Cube.001"].location.z = -0.06
    assert faults(checked())
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    van()
    for number, x in enumerate((0.1, 0.7, 1.3)):
        # Each meets the chassis and another part, a little.
        box(f"{'ABC'[number]}", (x, -0.4, 0.2), (x + 0.5, 0.02, 0.9))
    listed = faults(checked())
    assert len(listed) > 3 and all({"A", "B", "C"} & {*pair} for pair in listed)
    assert len(folded(report)) == 1


def test_what_a_file_declares_is_not_joined_crosswise() -> None:
    van()
    bpy.context.view_layer.objects.active = bpy.data.objects["Street"]
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    assert len(faults(checked())) > 8


def test_furniture_is_not_joined_crosswise_with_walls() -> None:
    walls = {
        "North": ((0.0, 4.0, 0.0), (5.0, 4.2, 2.5)),
        "South": ((0.0, -0.2, 0.0), (5.0, 0.0, 2.5)),
        "West": ((-0.2, -0.2, 0.0), (0.02, 4.2, 2.5)),
        "East": ((4.98, -0.2, 0.0), (5.2, 4.2, 2.5)),
        "Ceiling": ((-0.2, -0.2, 2.48), (5.2, 4.2, 2.6)),
        "Floor": ((-0.2, -0.2, -0.2), (5.2, 4.2, 0.0)),
    }
    for name, (low, high) in walls.items():
        box(name, low, high)
    box("Wardrobe", (1.0, 3.8, 0.0), (2.0, 4.1, 2.0))
    box("Bed", (2.5, 2.0, 0.0), (3.9, 4.05, 0.6))
    box("Picture", (2.6, -0.01, 1.0), (3.2, 0.02, 1.5))
    listed = faults(checked())
    assert {("North", "Wardrobe"), ("Bed", "North"), ("Picture", "South")} <= set(listed)
