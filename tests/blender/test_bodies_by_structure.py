# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies by the structure of a scene: bones, ragdolls, links of robots, siblings, bodies of glTF files."""

import json
from collections import Counter
from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.colliders.scene_making import MakeRequest, steps
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.scene.files import open_scene
from collision_kit.core.constants import Verdict
from tests.helpers.blender.bridge_scene import (
    add,
    add_collection,
    body_names,
    cube_mesh,
    issue_ids,
    l_mesh,
    read,
    rigid_body,
    skipped,
)

pytestmark = pytest.mark.usefixtures("scene")

BONES = ("Left", "Right")
FAULTS = {Verdict.DUPLICATE, Verdict.CONTAINED, Verdict.PENETRATING}


def rig() -> bpy.types.Object:
    """An armature with a bone to each side."""
    bpy.ops.object.armature_add(enter_editmode=True)
    found = bpy.context.object
    bones = found.data.edit_bones
    bones[0].name = BONES[0]
    bones[0].head, bones[0].tail = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    other = bones.new(BONES[1])
    other.head, other.tail = (0.0, 0.0, 0.0), (-1.0, 0.0, 0.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    return found


def deformed(name: str, armature: bpy.types.Object) -> bpy.types.Object:
    ob = add(name, l_mesh(), parent=armature)
    ob.modifiers.new("Armature", "ARMATURE").object = armature
    return ob


def on_bone(name: str, armature: bpy.types.Object, bone: str) -> bpy.types.Object:
    ob = add(name, cube_mesh(), parent=armature)
    ob.parent_type, ob.parent_bone = "BONE", bone
    return ob


def without_colliders(engine: str = "ANY") -> set[str]:
    """The objects that validation says have no collider, or that stand for nothing."""
    found = api.validate_colliders(engine).issues
    return {one.object for one in found if one.rule.id in {"no-collider", "orphan-collider"}}


def made() -> list[str]:
    """The render meshes for which `make` makes colliders."""
    report = exhausted(steps(bpy.context, MakeRequest("BOX", "GODOT")))
    assert not report.problems
    return sorted(one.owner for one in report.colliders)


def test_colliders_on_bones_are_tested_instead_of_the_meshes_that_these_deform() -> None:
    armature = rig()
    meshes = [deformed(name, armature) for name in ("Door", "Frame")]
    for bone in BONES:
        on_bone(f"{bone} panel-colonly", armature, bone)
    add("Alone", cube_mesh(), at=(50.0, 0.0, 0.0))
    shapes = read()
    panels = [f"{bone} panel-colonly" for bone in BONES]
    # They move one by one, so each is a body.
    assert body_names(shapes) == {"Alone": ["Alone"], **{panel: [panel] for panel in panels}}
    assert not shapes.skipped and not any(issue_ids(shapes, panel) for panel in panels)
    assert set(body_names(read([meshes[1]]))) == set(panels), "a scope has the colliders of its meshes"
    assert without_colliders() == without_colliders("GODOT") == {"Alone"}
    assert made() == ["Alone"]


def test_if_all_colliders_on_bones_are_hidden_the_meshes_are_tested() -> None:
    armature = rig()
    door = deformed("Door", armature)
    on_bone("Panel-colonly", armature, BONES[0]).hide_set(True)
    shapes = read()
    assert body_names(shapes) == {"Door": ["Door"]}
    assert issue_ids(shapes, door.name)[:1] == ["hidden-colliders"]


@pytest.mark.parametrize("follows", ["bone", "box"])
def test_rigid_bodies_of_a_ragdoll_are_tested_instead_of_the_skinned_mesh(follows: str) -> None:
    armature = rig()
    deformed("Skin", armature)
    for bone in BONES:
        name = f"{bone} limb"
        limb = add(name, cube_mesh()) if follows == "bone" else on_bone(name, armature, bone)
        limb.hide_render = True
        rigid_body(limb, "BOX", "ACTIVE")
        if follows == "bone":
            armature.pose.bones[bone].constraints.new("CHILD_OF").target = limb
    # What is held in a hand is seen, and stands for itself only.
    rigid_body(on_bone("Sword", armature, BONES[0]), "BOX", "ACTIVE")
    shapes = read()
    names = {f"{bone} limb" for bone in BONES} | {"Sword"}
    assert set(body_names(shapes)) == names and not shapes.skipped
    assert not without_colliders()
    assert made() == ["Sword"]


def test_a_rigid_body_that_is_seen_on_a_bone_is_not_tested_instead_of_the_skinned_mesh() -> None:
    armature = rig()
    deformed("Skin", armature)
    rigid_body(on_bone("Sword", armature, BONES[0]), "BOX", "ACTIVE")
    assert set(body_names(read())) == {"Skin", "Sword"}
    assert without_colliders() == {"Skin"}


@pytest.mark.parametrize("by", ["number", "name", "collection"])
def test_links_of_phobos_are_tested_as_their_collision_objects(by: str) -> None:
    numbers = {"inertial": 2, "visual": 3, "collision": 4}
    collections = {kind: add_collection(kind) for kind in numbers}
    for place in range(2):
        link = rig()
        link.name = f"link {place}"
        link["phobostype"] = 1
        for kind, number in numbers.items():
            # A foot has no collision object.
            if place and kind == "collision":
                continue
            ob = on_bone(f"{kind} {place}", link, BONES[0])
            if by == "collection":
                collections[kind].objects.link(ob)
            else:
                ob["phobostype"] = number if by == "number" else kind
    shapes = read()
    assert body_names(shapes) == {"link 0": ["collision 0"], "link 1": ["visual 1"]}
    assert set(skipped(shapes)) == {"inertial 0", "inertial 1"}
    assert without_colliders() == {"visual 1"}
    assert made() == ["visual 1"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [(kind, kind) for kind in ("box", "sphere", "capsule", "cylinder", "mesh")] + [("", "mesh"), ("plane", "mesh")],
)
def test_collision_objects_of_phobos_are_tested_as_their_type_of_geometry(said: str, kind: str) -> None:
    link = rig()
    link["phobostype"] = "link"
    ob = add("solid", l_mesh(), parent=link, at=(3.0, 0.0, 0.0))
    ob["phobostype"], ob["geometry/type"] = "collision", said
    (shape,) = read().shapes
    assert (shape.object, shape.kind) == ("solid", kind)
    assert shape.reason == ("mesh" if kind == "mesh" else "Phobos geometry")
    # The user's setting comes first, and what is seen is a mesh in any case.
    ob.collision_kit.shape = "HULL"
    assert read().shapes[0].kind == "hull"
    ob.collision_kit.shape, ob["phobostype"] = "AUTO", "visual"
    assert read().shapes[0].kind == "mesh"


def test_a_collider_belongs_to_the_only_mesh_beside_it() -> None:
    for name, count in (("House", 1), ("Street", 2)):
        parent = add(name)
        for number in range(count):
            add(f"{name} wall {number}", l_mesh(), parent=parent)
        add(f"{name} outside-colonly", cube_mesh(), parent=parent)
    shapes = read()
    assert body_names(shapes)["House wall 0"] == ["House outside-colonly"]
    assert issue_ids(shapes, "House outside-colonly") == []
    # Of two meshes, nothing says which one; Godot needs none.
    assert {"Street wall 0", "Street wall 1", "Street outside-colonly"} < set(body_names(shapes))
    orphans = [(one.object, one.severity) for one in shapes.issues if one.id == "orphan-collider"]
    assert orphans == [("Street outside-colonly", "info")]
    assert "Street outside-colonly" in without_colliders() - without_colliders("GODOT")


def test_bodies_of_gltf_files_are_those_of_the_file(data_dir: Path) -> None:
    """Of the examples of OMI: a body never collides with itself, and two bodies meet once."""
    paths = sorted((data_dir / "omi").glob("*.gltf"))
    if not paths:
        pytest.skip(f"no {data_dir / 'omi'}: set COLLISION_KIT_DATA to a folder with gltf_physics/ and meshes/ in it")
    for path in paths:
        nodes = json.loads(path.read_text())["nodes"]
        physics = [node.get("extensions", {}).get("OMI_physics_body", {}) for node in nodes]
        parents = {child: number for number, node in enumerate(nodes) for child in node.get("children", ())}
        body = {}
        for number, node in enumerate(nodes):
            above, found = number, None
            while above is not None:
                if physics[above]:
                    found = above
                if "motion" in physics[above]:
                    break
                above = parents.get(above)
            body[node["name"]] = found
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        api.import_gltf(str(path))
        report = api.check_collisions()
        names = [body[one.name] for one in report.bodies]
        pairs = [(names[pair.body_a], names[pair.body_b]) for pair in report.pairs if pair.verdict in FAULTS]
        assert not [pair for pair in pairs if pair[0] == pair[1] is not None], path.name
        assert not [pair for pair, count in Counter(map(frozenset, pairs)).items() if count > 1], path.name
        assert not without_colliders(), path.name


def test_static_colliders_below_meshes_of_a_hierarchy_come_back_without_a_cycle(tmp_path: Path) -> None:
    above = None
    for place, name in enumerate(("Cabin", "Door", "Knob")):
        # Each is a part of the one before, and none of them meets another one.
        above = add(name, cube_mesh(), parent=above, at=(3.0 if place else 0.0, 0.0, 0.0))
    exhausted(steps(bpy.context, MakeRequest("HULL", "GLTF")))
    api.export_gltf(tmp_path / "cabin.glb")
    open_scene(tmp_path / "cabin.glb")
    report = api.check_collisions()
    assert sorted(one.name for one in report.bodies) == ["Cabin", "Door", "Knob"]
    assert not report.pairs and "circular-body" not in {one.id for one in report.issues}
    assert {api.render_mesh_of(f"{name}_collider").name for name in ("Cabin", "Door", "Knob")} == {
        "Cabin",
        "Door",
        "Knob",
    }


@pytest.mark.parametrize("ending", ["_collider", "_collider.001", "_collider_02", "-collision", " Collider"])
def test_names_that_end_in_collider_are_colliders_of_the_mesh_of_that_name(ending: str) -> None:
    add("Crate", cube_mesh())
    add("Rock", cube_mesh(), at=(9.0, 0.0, 0.0))
    add(f"Crate{ending}", cube_mesh(), at=(0.1, 0.0, 0.0))
    # Without a mesh of that name they are bodies of their own, and words for something else are no colliders.
    add("Stairs_collider", cube_mesh(), at=(18.0, 0.0, 0.0))
    add("Particle_collisions", cube_mesh(), at=(27.0, 0.0, 0.0))
    assert sorted(body_names(read())) == ["Crate", "Particle_collisions", "Rock", "Stairs_collider"]
    assert "orphan-collider" not in issue_ids(read(), "Stairs_collider")
    report = api.validate_colliders(engine="UNITY")
    assert "orphan-collider" not in {one.rule.id for one in report.issues}
    assert {one.object for one in report.issues if one.rule.id == "no-collider"} == {"Rock", "Particle_collisions"}
    made = exhausted(steps(bpy.context, MakeRequest("HULL", "UNITY")))
    assert {one.owner for one in made.colliders} == {"Rock", "Particle_collisions"}


def test_colliders_for_unity_come_back_from_fbx(tmp_path: Path) -> None:
    for name, place in (("Rock", 0.0), ("Rock.001", 9.0)):
        add(name, l_mesh(), at=(place, 0.0, 0.0))
    exhausted(steps(bpy.context, MakeRequest("BOX", "UNITY")))
    file = tmp_path / "rocks.fbx"
    assert bpy.ops.export_scene.fbx(filepath=str(file)) == {"FINISHED"}
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    open_scene(file)
    assert sorted(body_names(read())) == ["Rock", "Rock.001"]
    assert api.validate_colliders(engine="UNITY").colliders == 2
