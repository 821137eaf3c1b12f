# SPDX-License-Identifier: GPL-3.0-or-later
"""Where objects are tested against others, A of each pair is of the first side, and the normal goes from A to B."""

from collections.abc import Sequence

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.model.report import Report
from tests.helpers.blender.asset_scene import box

WALLS = {"Wall 1": (0.0, -1.0, 0.0), "Wall 2": (0.0, 1.0, 0.0), "A wall": (-1.0, 0.0, 0.0)}


@pytest.fixture(autouse=True)
def _rooms() -> None:
    """A space with three walls that are 10 cm in it; in the order of names it is neither first nor last."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for name in ("Walls", "Spaces"):
        bpy.context.scene.collection.children.link(bpy.data.collections.new(name))
    box("Wall 1", (0, 0, 0), (5, 0.2, 3), collection="Walls")
    box("Wall 2", (0, 4, 0), (5, 4.2, 3), collection="Walls")
    box("A wall", (-0.1, 0.1, 0), (0.1, 4.1, 3), collection="Walls")
    box("Space", (0, 0.1, 0), (5, 4.1, 3), collection="Spaces")


def check_sides(report: Report, first: str) -> None:
    assert len(report.pairs) == 3
    for pair in report.pairs:
        a, b = api.names(report, pair)
        assert (a == "Space") == (first == "Spaces")
        wall, way = (b, 1.0) if first == "Spaces" else (a, -1.0)
        assert tuple(pair.normal * way) == pytest.approx(WALLS[wall])
        assert tuple(pair.point_b - pair.point_a) == pytest.approx(tuple(pair.distance * pair.normal))


SIDES = [("Walls", "Spaces"), ("Spaces", "Walls")]


@pytest.mark.parametrize(("first", "second"), SIDES)
def test_two_collections(first: str, second: str) -> None:
    check_sides(api.check_collisions(scope="COLLECTIONS", collection=first, other_collection=second), first)


@pytest.mark.parametrize(("first", "second"), SIDES)
def test_objects_against_others(first: str, second: str) -> None:
    objects, against = (list(bpy.data.collections[name].objects) for name in (first, second))
    check_sides(api.check_collisions(objects, against=against), first)


@pytest.mark.parametrize(("first", "second"), SIDES)
def test_a_named_test(first: str, second: str) -> None:
    test = api.PairTest("rooms", (f"collection:{first}",), (f"collection:{second}",))
    check_sides(api.check_collisions(scope="ALL", tests=(test,)), first)


def test_what_is_on_both_sides_is_in_the_order_of_names() -> None:
    both: Sequence[bpy.types.Object] = list(bpy.data.objects)
    report = api.check_collisions(both, against=both)
    found = [api.names(report, pair) for pair in report.pairs]
    assert len(found) == 5 and all(a < b for a, b in found)
