# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are placed by their curves alone are where Blender's evaluation puts them, and no others are."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.scene.animation import poses
from collision_kit.addon.scene.animation.frames import frame_kept
from collision_kit.addon.scene.animation.keyed_objects import KeyedObject, is_keyed
from tests.helpers.blender.motion_scene import box, by_name, checked, curves_of, keyed, slider

pytestmark = pytest.mark.usefixtures("scene")

MODES = ("XYZ", "ZXY", "YZX", "QUATERNION", "AXIS_ANGLE")
TURNS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


def animated(rng: np.random.Generator, name: str, mode: str) -> bpy.types.Object:
    """A box with random keys of some of its properties, and random ways between them."""
    ob = box(name)
    ob.rotation_mode = mode
    turn = TURNS.get(mode, "rotation_euler")
    for path, size in (("location", 3), (turn, 4 if mode in TURNS else 3), ("scale", 3)):
        if rng.random() < 0.2:
            continue
        for frame in sorted(rng.choice(np.arange(-5, 25), 4, replace=False).tolist()):
            setattr(ob, path, rng.normal(size=size) * (4.0 if path == "location" else 1.0))
            ob.keyframe_insert(path, frame=frame)
    for curve in curves_of(ob) if ob.animation_data else ():
        for key in curve.keyframe_points:
            key.interpolation = str(rng.choice(["CONSTANT", "LINEAR", "BEZIER", "BOUNCE", "ELASTIC"]))
        if rng.random() < 0.3:
            curve.modifiers.new(str(rng.choice(["NOISE", "CYCLES"])))
        curve.mute = rng.random() < 0.1
        curve.extrapolation = str(rng.choice(["CONSTANT", "LINEAR"]))
    return ob


@pytest.mark.parametrize("mode", MODES)
def test_curves_place_objects_where_they_are_evaluated(mode: str) -> None:
    rng = np.random.default_rng(len(mode) * 7 + ord(mode[0]))
    objects = [animated(rng, f"Box {number}", mode) for number in range(12)]
    scene = bpy.context.scene
    assert all(is_keyed(scene, ob) for ob in objects)
    placed = [KeyedObject(ob) for ob in objects]
    moved = 0
    with frame_kept(bpy.context) as go:
        for frame in (*range(-6, 27, 4), *rng.uniform(-6.0, 26.0, 12).astype(np.float32).tolist()):
            go(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for ob, one in zip(objects, placed, strict=True):
                seen = np.array(ob.evaluated_get(depsgraph).matrix_world, dtype=np.float64)
                size = np.abs(seen).max(axis=0)
                assert (np.abs(one.matrix(frame) - seen) <= 4e-6 * size).all(), (ob.name, frame)
                moved += not np.array_equal(seen, np.eye(4))
    assert moved > 100


def parent(ob: bpy.types.Object) -> None:
    ob.parent = box("Parent")


def constraint(ob: bpy.types.Object) -> None:
    ob.constraints.new("COPY_LOCATION").target = box("Target")


def driver(ob: bpy.types.Object) -> None:
    ob.driver_add("scale", 0).driver.expression = "1 + frame / 10"


def strip(ob: bpy.types.Object) -> None:
    action = ob.animation_data.action
    ob.animation_data.nla_tracks.new().strips.new("Strip", 1, action)


def delta(ob: bpy.types.Object) -> None:
    ob.delta_location.y = 0.25


def turned(ob: bpy.types.Object) -> None:
    ob.delta_rotation_euler.z = 0.25


def visibility(ob: bpy.types.Object) -> None:
    ob.keyframe_insert("hide_viewport", frame=1)


def mode(ob: bpy.types.Object) -> None:
    ob.keyframe_insert("rotation_mode", frame=1)


def rigid_body(ob: bpy.types.Object) -> None:
    bpy.context.view_layer.objects.active = ob
    bpy.ops.rigidbody.object_add()


def time(ob: bpy.types.Object) -> None:
    bpy.context.scene.render.frame_map_new = 50


@pytest.mark.parametrize(
    "change", [parent, constraint, driver, strip, delta, turned, visibility, mode, rigid_body, time]
)
def test_what_else_may_place_an_object_is_seen(change) -> None:
    ob = slider()
    assert is_keyed(bpy.context.scene, ob)
    change(ob)
    assert not is_keyed(bpy.context.scene, ob)


def many(count: int) -> None:
    """Boxes that cross each other's ways."""
    rng = np.random.default_rng(4)
    for number in range(count):
        keys = [(frame, rng.uniform(-2.0, 2.0, 3)) for frame in (1, 40, 80)]
        keyed(box(f"Box {number}", half=(0.3, 0.4, 0.2)), "location", keys, "BEZIER")


def test_a_check_evaluates_only_the_frames_and_what_is_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    many(12)
    found = checked(end=80)
    monkeypatch.setattr(poses, "is_keyed", lambda *_: False)
    evaluated = checked(end=80)
    assert len(found.contacts) > 10
    # Each frame, and one time between two of them.
    assert found.frames_visited == 80 + 79 < evaluated.frames_visited
    one, other = by_name(found), by_name(evaluated)
    assert one.keys() == other.keys()
    for pair, contact in one.items():
        assert contact.first == pytest.approx(other[pair].first, abs=1e-4)
        assert contact.last == pytest.approx(other[pair].last, abs=2e-3)
        assert contact.depth == pytest.approx(other[pair].depth, abs=1e-5)
        # Faces touch in more than one point, but in one plane.
        away = np.subtract(contact.point, other[pair].point) @ contact.normal
        assert away == pytest.approx(0.0, abs=1e-4)


def test_many_samples_at_once_place_bodies_where_each_frame_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    many(6)
    for number in (1, 4):
        bpy.data.objects[f"Box {number}"].parent = box(f"Parent {number}", (50.0 * number, 0, 0))
    bpy.context.view_layer.update()
    monkeypatch.setattr(poses, "_AT_ONCE", 4)
    rng = np.random.default_rng(5)
    with frame_kept(bpy.context) as go:
        scope = {ob.session_uid for ob in bpy.data.objects}
        reader = poses.PoseReader(bpy.context, go, scope, with_hidden=False)
        first = reader.sample(1.0)
        nears = first, reader.sample(30.0, first)
        by_keys = [shape.object not in ("Box 1", "Box 4") for shape in reader.shapes]
        asked = []
        for _ in range(30):
            rows = rng.choice(len(by_keys), rng.integers(1, 4), replace=False)
            asked.append((float(np.float32(rng.uniform(1.0, 80.0))), nears[rng.integers(2)], rows))
        visited = reader.visited
        found = exhausted(reader.samples(asked))
        assert reader.visited - visited == sum(not all(by_keys[row] for row in rows) for *_, rows in asked) > 5
        for (frame, near, rows), sample in zip(asked, found, strict=True):
            seen = reader.sample(frame, near)
            others = np.setdiff1d(np.arange(len(by_keys)), rows)
            assert sample.frame == frame
            np.testing.assert_allclose(sample.translation[rows], seen.translation[rows], rtol=0.0, atol=4e-5)
            np.testing.assert_allclose(sample.rotation[rows], seen.rotation[rows], rtol=0.0, atol=4e-6)
            np.testing.assert_array_equal(sample.translation[others], near.translation[others])


def test_what_a_script_moves_is_evaluated() -> None:
    mover = slider()
    box("Wall", (2.0, 0.0, 0.0))

    def back(_scene: bpy.types.Scene, _depsgraph) -> None:
        mover.location.x -= 1.0

    bpy.app.handlers.frame_change_post.append(back)
    try:
        report = checked()
    finally:
        bpy.app.handlers.frame_change_post.remove(back)
    (contact,) = report.contacts
    # Its keys alone would take it to the wall at frame 7.
    assert contact.first == pytest.approx(8.0, abs=1e-4)
