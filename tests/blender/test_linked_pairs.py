# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that joints, bones and links of robots hold together: their pairs are folded."""

import bpy
import pytest

from tests.helpers.blender.asset_scene import box, checked, empty, faults, folded, rigid


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


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
