# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames a check of motion looks at: those in which something is animated."""

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.scene.animation.changing import changing_frames
from tests.helpers.blender.motion_scene import box, slider

LAST = 1_000_000


def frames(start: int = 1, end: int = LAST) -> tuple[list[int], bool]:
    return changing_frames(bpy.context, start, end)


@pytest.fixture(autouse=True)
def empty() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def test_a_still_scene_ends_at_once() -> None:
    box("A")
    box("B", at=(0.75, 0, 0))
    assert frames() == ([1, LAST], False)
    report = api.check_motion(scope="ALL", start=1, end=LAST)
    assert (report.animated, report.frames_visited) == (False, 3)
    (contact,) = report.contacts
    assert (contact.status, contact.first, contact.last) == ("started", 1.0, LAST)
    assert "Nothing is animated between frames 1 and 1000000." in api.report_text(report)


def test_frames_end_with_the_keys() -> None:
    slider(begin=(3, -5.0), end=(11, 5.0))
    box("Wall")
    assert frames() == ([1, *range(3, 12), LAST], True)
    assert frames(5, 8) == ([5, 6, 7, 8], True)
    assert frames(20, 30) == ([20, 30], True)
    whole, keyed = api.check_motion(scope="ALL", start=1, end=20), api.check_motion(scope="ALL", start=1, end=LAST)
    assert keyed.frames_visited < 60 and keyed.animated
    (one,), (other,) = whole.contacts, keyed.contacts
    assert (one.first, one.last, one.depth) == (other.first, other.last, other.depth)
    # What is still in touch after the last key stays so.
    bpy.data.objects["Wall"].location.x = 5.0
    bpy.context.view_layer.update()
    (contact,) = api.check_motion(scope="ALL", start=1, end=LAST).contacts
    assert contact.last == LAST


def test_one_body_has_no_frames_to_look_at() -> None:
    slider(begin=(1, -5.0), end=(400, 5.0))
    assert api.check_motion(scope="ALL", start=1, end=400).frames_visited == 1
    # An object that is hidden may appear.
    hidden = box("Hidden", at=(0, 5, 0))
    hidden.hide_viewport = True
    assert api.check_motion(scope="ALL", start=1, end=9).frames_visited > 1


def keyed_value(ob: bpy.types.Object) -> bpy.types.FCurve:
    ob.keyframe_insert("location", frame=10)
    ob.location.x += 1.0
    ob.keyframe_insert("location", frame=20)
    from collision_kit.addon.scene.objects.moving import curves_of

    return curves_of(ob.animation_data)[0]


def cycles(ob: bpy.types.Object) -> None:
    keyed_value(ob).modifiers.new("CYCLES")


def onward(ob: bpy.types.Object) -> None:
    keyed_value(ob).extrapolation = "LINEAR"


def driven(ob: bpy.types.Object) -> None:
    ob.driver_add("location", 0).driver.expression = "frame / 10"


def turning(ob: bpy.types.Object) -> None:
    ob.modifiers.new("Waves", "WAVE")


def by_nodes(ob: bpy.types.Object) -> None:
    tree = bpy.data.node_groups.new("Time", "GeometryNodeTree")
    tree.nodes.new("GeometryNodeInputSceneTime")
    ob.modifiers.new("Nodes", "NODES").node_group = tree


def by_handler(ob: bpy.types.Object) -> None:
    bpy.app.handlers.frame_change_post.append(moved_by_handler)


def moved_by_handler(*_: object) -> None:
    pass


@pytest.mark.parametrize("change", [cycles, onward, driven, turning, by_nodes, by_handler])
def test_what_changes_without_keys_is_looked_at_in_every_frame(change) -> None:
    ob = box("A")
    try:
        change(ob)
        assert frames(1, 50) == (list(range(1, 51)), True)
    finally:
        if moved_by_handler in bpy.app.handlers.frame_change_post:
            bpy.app.handlers.frame_change_post.remove(moved_by_handler)


def test_drivers_of_keyed_values_and_strips_have_an_end() -> None:
    ob, other = box("A"), box("B", at=(3, 0, 0))
    keyed_value(ob)
    driver = other.driver_add("location", 2).driver
    variable = driver.variables.new()
    variable.name, variable.targets[0].id, variable.targets[0].data_path = "x", ob, "location.x"
    driver.expression = "max(x, 0) * 2"
    assert frames(1, 50) == ([1, *range(10, 21), 50], True)
    animation = ob.animation_data
    action = animation.action
    animation.nla_tracks.new().strips.new("Walk", 30, action)
    animation.action = None
    assert frames(1, 50) == ([1, *range(30, 41), 50], True)
    animation.nla_tracks[0].mute = True
    assert frames(1, 50) == ([1, 50], False)


def test_keys_of_shapes_and_bones_count() -> None:
    ob = box("A")
    ob.shape_key_add(name="Basis")
    key = ob.shape_key_add(name="Wide")
    key.keyframe_insert("value", frame=4)
    key.value = 1.0
    key.keyframe_insert("value", frame=6)
    assert frames(1, 50) == ([1, 4, 5, 6, 50], True)


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT_BODY"])
def test_a_simulation_that_is_not_baked_is_told(kind: str) -> None:
    box("Sheet").modifiers.new("Falls", kind)
    box("Floor", at=(0, 0, -3))
    found = {one.id: one for one in api.check_motion(scope="ALL", start=1, end=2).issues}
    one = found["simulation-not-baked"]
    assert (one.severity, one.object) == ("warning", "Sheet")
    assert '"Falls" (' in one.message and "is not baked" in one.message
    bpy.data.objects["Sheet"].modifiers["Falls"].show_viewport = False
    assert not api.check_motion(scope="ALL", start=1, end=2).issues
