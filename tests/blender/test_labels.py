# SPDX-License-Identifier: GPL-3.0-or-later
"""The labels by which patterns find the bodies of a report: parents, collections and libraries."""

from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.model.report import Body, ObjectKey
from collision_kit.addon.model.rules import Labels
from collision_kit.addon.scene.objects.labels import labels_of
from tests.helpers.blender.bridge_scene import add, cube_mesh


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def labels() -> dict[str, Labels]:
    """The labels of each body that a check of everything tests."""
    bodies = api.check_collisions(scope="ALL").bodies
    return dict(zip([body.name for body in bodies], labels_of(bodies), strict=True))


def test_parents_are_all_above_and_what_makes_an_instance_appear() -> None:
    car, axle, wheel = (add(name, cube_mesh(), at=(3.0 * x, 0, 0)) for x, name in enumerate(("Car", "Axle", "Wheel")))
    axle.parent, wheel.parent = car, axle
    rack = bpy.data.objects.new("Rack", None)
    bpy.context.scene.collection.objects.link(rack)
    shelf = bpy.data.objects.new("Shelf", None)
    shelf.parent, shelf.instance_type = rack, "COLLECTION"
    shelf.instance_collection = bpy.data.collections.new("Goods")
    bpy.context.scene.collection.objects.link(shelf)
    crate = add("Crate", cube_mesh())
    bpy.context.scene.collection.objects.unlink(crate)
    shelf.instance_collection.objects.link(crate)
    assert {name: set(found.parent) for name, found in labels().items()} == {
        "Car": set(),
        "Axle": {"Car"},
        "Wheel": {"Car", "Axle"},
        "Shelf/Crate": {"Shelf", "Rack"},
    }


def test_the_scene_collection_has_all_objects_of_the_scene() -> None:
    outer, inner = bpy.data.collections.new("Outer"), bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(outer)
    outer.children.link(inner)
    add("A", cube_mesh())
    b = add("B", cube_mesh(), at=(5, 0, 0))
    bpy.context.scene.collection.objects.unlink(b)
    inner.objects.link(b)
    assert {name: set(found.collection) for name, found in labels().items()} == {
        "A": {"Scene Collection"},
        "B": {"Scene Collection", "Outer", "Inner"},
    }


def test_what_is_overridden_is_of_its_library(tmp_path: Path) -> None:
    for name, data in (("Peg", None), ("Crate", cube_mesh())):
        ob = bpy.data.objects.new(name, data)
        bpy.context.scene.collection.objects.link(ob)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "props.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "props.blend"), link=True) as (_, wanted):
        wanted.objects = ["Peg", "Crate"]
    own = add("Own", cube_mesh())
    made = [linked.override_create() for linked in wanted.objects]
    for ob in made:
        bpy.context.scene.collection.objects.link(ob)
    bodies = [Body(ob.name, ObjectKey(ob.session_uid)) for ob in (*made, own)]
    assert [set(found.library) for found in labels_of(bodies)] == [{"props.blend"}, {"props.blend"}, set()]
