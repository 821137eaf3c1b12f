# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that collection instances bring in are validated as they stand there, and what is alike once."""

import bpy
import pytest

from collision_kit.addon.validation.check import validate
from collision_kit.addon.validation.run import fix_issues
from tests.helpers.blender.bridge_scene import (
    CUBE_FACES,
    CUBE_VERTICES,
    add,
    add_collection,
    add_instance,
    cube_mesh,
    mesh,
)

pytestmark = pytest.mark.usefixtures("scene")


def kit(name="Kit", **fields):
    """A rock and its box, in a collection that no scene has."""
    collection = add_collection(name, parent=False)
    rock = add("Rock", cube_mesh(), collection=collection)
    return collection, add("UBX_Rock_01", cube_mesh(), collection=collection, parent=rock, **fields)


def found(engine="any", **options):
    bpy.context.view_layer.update()
    return [(one.rule.id, one.object) for one in validate(bpy.context, engine, **options).issues]


def test_what_an_instance_scales_is_scaled():
    collection, _ = kit()
    add_instance("Here", collection, location=(5.0, 0.0, 0.0))
    assert found() == []
    bpy.data.objects["Here"].scale = (2.0, 2.0, 2.0)
    assert found() == [("unapplied-scale", "Here/UBX_Rock_01")]
    bpy.data.objects["Here"].scale = (-1.0, 1.0, 1.0)
    assert found() == [("negative-scale", "Here/UBX_Rock_01")]


def test_instances_that_are_alike_are_told_of_once():
    collection, box = kit(scale=(2.0, 2.0, 2.0))
    for number in range(20):
        add_instance(f"Here{number}", collection, location=(number, 0, 0), rotation_euler=(0.0, 0.0, 0.1 * number))
    report = validate(bpy.context)
    assert [one.rule.id for one in report.issues].count("unapplied-scale") == 1
    assert (report.bodies, report.colliders) == (1, 1)
    add_instance("Large", collection, scale=(3.0, 1.0, 1.0))
    assert validate(bpy.context).bodies == 2
    assert box.name == "UBX_Rock_01"


def test_each_kind_of_scale_of_an_instance_is_told_of():
    collection, _ = kit()
    scales = ((1.0, 1.0, 1.0), (2.0, 2.0, 2.0), (3.0, 3.0, 3.0), (2.0, 2.0, 2.0), (-1.0, 1.0, 1.0), (1.0, -2.0, 0.5))
    for number, scale in enumerate(scales):
        add_instance(f"I{number}", collection, location=(10.0 * number, 0.0, 0.0), scale=scale)
    assert sorted(found()) == [
        ("negative-scale", "I4/UBX_Rock_01"),
        ("negative-scale", "I5/UBX_Rock_01"),
        ("unapplied-scale", "I1/UBX_Rock_01"),
        ("unapplied-scale", "I2/UBX_Rock_01"),
    ]


def test_what_is_not_about_the_scale_is_told_of_once():
    collection, box = kit()
    box.data = mesh(CUBE_VERTICES, CUBE_FACES[:5])
    for number in range(1, 4):
        add_instance(f"I{number}", collection, location=(10.0 * number, 0.0, 0.0), scale=[number] * 3)
    rules = [rule for rule, _ in found()]
    assert rules.count("open-mesh") == 1 and rules.count("unapplied-scale") == 2


def test_instances_within_instances_are_read():
    collection, _ = kit()
    outer = add_collection("Outer", parent=False)
    add_instance("Inner", collection, scale=(2.0, 2.0, 2.0)).users_collection[0].objects.unlink(
        bpy.data.objects["Inner"]
    )
    outer.objects.link(bpy.data.objects["Inner"])
    add_instance("Here", outer, location=(1.0, 2.0, 3.0))
    assert found() == [("unapplied-scale", "Here/Inner/UBX_Rock_01")]


def test_hidden_members_and_the_offset_of_the_collection_count():
    collection, box = kit(location=(0.5, 0.0, 0.0))
    box.hide_viewport = True
    collection.instance_offset = (3.0, 0.0, 0.0)
    add_instance("Here", collection, location=(5.0, 0.0, 0.0))
    # Both are moved by the offset alike, so that the box still sticks out as far.
    assert ("collider-sticks-out", "Here/UBX_Rock_01") in found()


def test_an_issue_of_the_scene_is_not_said_again_of_its_instances():
    collection = add_collection("Kit")
    rock = add("Rock", cube_mesh(), collection=collection)
    add("UBX_Rock_01", cube_mesh(), collection=collection, parent=rock, scale=(2.0, 2.0, 2.0))
    add_instance("Here", collection, location=(9.0, 0.0, 0.0))
    assert [name for rule, name in found() if rule == "unapplied-scale"] == ["UBX_Rock_01"]


def test_unreal_does_not_see_the_names_that_fbx_gives_them():
    collection, _ = kit()
    add_instance("Here", collection)
    report = validate(bpy.context, "unreal")
    (one,) = (one for one in report.issues if one.rule.id == "unreal-instanced")
    assert one.values["name"] == "Here|UBX_Rock_01|Dupli|"
    assert "unreal-instanced" not in [rule for rule, _ in found("gltf")]


def test_issues_of_instances_are_those_of_the_object_that_brings_them_in():
    collection, _ = kit(scale=(2.0, 2.0, 2.0))
    here = add_instance("Here", collection)
    report = validate(bpy.context)
    assert {one.uid for one in report.issues} == {here.session_uid}
    assert not any(one.fixable for one in report.issues)
    after = fix_issues(bpy.context, report)
    assert after.done == () and len(after.issues) == len(report.issues)


def test_scopes_go_by_what_brings_them_in():
    collection, _ = kit(scale=(2.0, 2.0, 2.0))
    here = add_instance("Here", collection)
    other = add("Other", at=(9.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    for ob, wanted in ((here, 1), (other, 0)):
        for one in bpy.context.view_layer.objects:
            one.select_set(one == ob)
        assert validate(bpy.context, "any", "SELECTED").bodies == wanted
    assert validate(bpy.context, "any", "COLLECTION", collection="Kit").bodies == 1


def test_triggers_are_no_colliders():
    rock = add("Rock", cube_mesh())
    zone = add("Rock_collider", cube_mesh((3.0, 3.0, 3.0)), parent=rock)
    zone.collision_kit.collider.kind = "BOX"
    assert "collider-far-outside" in [rule for rule, _ in found()]
    zone.collision_kit.collider.trigger = True
    assert found() == [("no-collider", "Rock")]
