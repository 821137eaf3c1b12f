# SPDX-License-Identifier: GPL-3.0-or-later
"""A small animation with known contacts: cubes that slide along X at constant speed."""

from collections.abc import Sequence

import bpy
from bpy_extras import anim_utils

from collision_kit.addon.scene.settings import contacts_list
from collision_kit.addon.session import motion_results
from collision_kit.addon.session.motion_results import MotionResult
from collision_kit.addon.ui.result_list import contacts
from tests.helpers.blender.bridge_scene import add, cube_mesh

START, END = 1, 11
# Slider's face, at its center plus 0.5, meets Post's, at -0.25, a quarter of a frame after frame 5, and leaves it a
# quarter of a frame before frame 7. In frame 6, the centers of both coincide.
FIRST, DEEPEST, LAST, DEPTH = 5.25, 6.0, 6.75, 0.75


def slide(ob: bpy.types.Object, *keys: tuple[float, float]) -> bpy.types.Object:
    """Keyframe the X location of an object; between the frames it moves at constant speed."""
    for frame, x in keys:
        ob.location.x = x
        ob.keyframe_insert("location", index=0, frame=frame)
    for curve in _curves(ob):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
        curve.update()
    return ob


def _curves(ob: bpy.types.Object) -> list[bpy.types.FCurve]:
    animation = ob.animation_data
    if hasattr(animation.action, "fcurves"):
        return list(animation.action.fcurves)
    bag = anim_utils.action_get_channelbag_for_slot(animation.action, animation.action_slot)
    return list(bag.fcurves)


def passing() -> dict[str, bpy.types.Object]:
    """Slider passes through Post; Book, which touches Shelf in the first frame, leaves it in frame 3."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = START, END
    made = {
        "Slider": slide(add("Slider", cube_mesh((0.5, 0.5, 0.5))), (1, -5.0), (11, 5.0)),
        "Post": add("Post", cube_mesh((0.25, 2.0, 2.0))),
        "Shelf": add("Shelf", cube_mesh((0.5, 0.5, 0.5)), at=(0.0, 20.0, 0.0)),
        "Book": slide(add("Book", cube_mesh((0.5, 0.5, 0.5)), at=(0.0, 20.0, 0.0)), (1, 0.8), (11, 1.8)),
    }
    scene.frame_set(2, subframe=0.5)
    return made


def check() -> MotionResult:
    """Check the scene's motion with the operator."""
    assert bpy.ops.collision_kit.check_motion() == {"FINISHED"}
    return kept()


def kept() -> MotionResult:
    """The stored data of the last check."""
    found = motion_results.latest.result
    assert found is not None
    return found


def place_of(*names: str) -> int:
    """The position in the list of the contact of two bodies."""
    return contacts.view.place_of(contacts.lines(contacts_list(bpy.context.window_manager)), row_of(*names))


def row_of(*names: str) -> int:
    """The row of the contact of two bodies."""
    found = kept()
    named: Sequence[set[str]] = [{body.name for body in found.bodies_of(contact)} for contact in found.report.contacts]
    return named.index(set(names))
