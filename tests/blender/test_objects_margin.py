# SPDX-License-Identifier: GPL-3.0-or-later
"""An object's margin: wherever shapes are tested, its shape is thicker by it."""

import json

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.fixes import moving as fixes
from collision_kit.addon.model.report import Settings
from collision_kit.addon.motion.check import motion
from collision_kit.addon.reports.json import as_json
from collision_kit.addon.scene.reading.batches import bounds_of
from collision_kit.addon.scene.reading.read_scene import read_scene
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import axis_explorer, obstacle, stage
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import TURNED, add, cube_mesh, l_mesh, sphere_mesh

pytestmark = pytest.mark.usefixtures("scene")


def body(name: str, shape: str, *, margin: float = 0.0, at=(0.0, 0.0, 0.0), data=None, **fields) -> bpy.types.Object:
    ob = add(name, data or cube_mesh(), at=at, **fields)
    ob.collision_kit.shape, ob.collision_kit.margin = shape, margin
    bpy.context.view_layer.update()
    return ob


def only_pair(**settings):
    report = check(bpy.context, "ALL", **settings)[0]
    assert len(report.pairs) <= 1
    return report.pairs[0] if report.pairs else None


@pytest.mark.parametrize("shape", ["BOX", "CYLINDER", "HULL", "MESH", "SPHERE", "CAPSULE"])
def test_a_shape_reaches_as_much_farther_as_its_margin(shape: str) -> None:
    """Cubes of half extent 1 whose bounds are 0.5 apart, in whatever shape touches them along X."""
    body("A", shape)
    body("B", shape, at=(2.5, 0.0, 0.0))
    gap = only_pair(clearance=1.0).distance
    assert gap == pytest.approx(0.5, abs=1e-6)
    for margins, verdict in (
        ((0.2, 0.2), Verdict.WITHIN_CLEARANCE),
        ((0.25, 0.25), Verdict.TOUCHING),
        ((0.5, 0.3), Verdict.PENETRATING),
    ):
        for name, margin in zip("AB", margins, strict=True):
            bpy.data.objects[name].collision_kit.margin = margin
        pair = only_pair(clearance=1.0)
        assert pair.verdict == verdict
        assert pair.distance == pytest.approx(0.5 - sum(margins), abs=1e-6)
        np.testing.assert_allclose(np.abs(pair.normal), [1.0, 0.0, 0.0], atol=1e-6)
        np.testing.assert_allclose(pair.point_b - pair.point_a, pair.distance * pair.normal, atol=1e-6)
        assert pair.point_a[0] == pytest.approx(1.0 + margins[0], abs=1e-6)
        if verdict == Verdict.PENETRATING:
            assert len(pair.contact_points)
            assert pair.contact_depths.max() == pytest.approx(-pair.distance, abs=1e-6)
            assert pair.contact_points[0, 0] == pytest.approx((1.5 + 1.2) / 2.0, abs=1e-6)


def test_the_bounds_of_some_shapes_are_those_that_they_have_in_the_world() -> None:
    for number, shape in enumerate(["BOX", "CYLINDER", "HULL", "MESH", "SPHERE", "CAPSULE", "BOX", "HULL"]):
        body(
            f"{shape} {number}",
            shape,
            margin=0.25 * (number % 3),
            at=(3.0 * number, 1.0, 0.0),
            rotation_euler=(0.2 * number, 0.5, 0.0),
        )
    body("Floor", "HALF_SPACE", margin=0.5)
    for world in (check(bpy.context, "ALL")[1].world, check(bpy.context, "ALL", plane="XY")[1].world):
        lower, upper = world.bounds()
        assert len(world) >= 8
        for rows in ((0, 1), (len(world) - 1, 2), (5,)):
            low, high = bounds_of(world, rows)
            np.testing.assert_array_equal(low, lower[list(rows)])
            np.testing.assert_array_equal(high, upper[list(rows)])


def test_a_floor_rises_and_a_mesh_is_thicker() -> None:
    body("Floor", "HALF_SPACE", margin=0.25)
    body("Shelf", "MESH", data=l_mesh(), at=(0.0, 0.0, 0.75), margin=0.125)
    assert only_pair(clearance=1.0).distance == pytest.approx(0.375, abs=1e-6)
    bpy.data.objects["Floor"].collision_kit.margin = 0.75
    assert only_pair().distance == pytest.approx(-0.125, abs=1e-6)


def test_what_is_out_of_reach_bare_is_found_by_its_margin() -> None:
    """The bounds in the broad phase grow with the margins, and not with the scale of the object."""
    body("A", "BOX", margin=3.0)
    body("B", "BOX", at=(5.5, 0.0, 0.0), margin=0.0, scale=(2.0, 2.0, 2.0))
    assert only_pair().distance == pytest.approx(-0.5, abs=1e-6)
    bpy.data.objects["A"].collision_kit.margin = 0.0
    bpy.data.objects["B"].collision_kit.margin = 3.0
    assert only_pair().distance == pytest.approx(-0.5, abs=1e-6)


def test_a_small_thing_inflated_sticks_out_of_what_holds_it() -> None:
    body("Room", "BOX", scale=(2.0, 2.0, 2.0))
    body("Thing", "BOX", margin=0.9)
    assert only_pair().verdict == Verdict.CONTAINED
    bpy.data.objects["Thing"].collision_kit.margin = 1.1
    assert only_pair().verdict == Verdict.PENETRATING
    bpy.data.objects["Room"].collision_kit.margin = 0.2
    assert only_pair().verdict == Verdict.CONTAINED


@pytest.mark.parametrize("unit", ["XY", "XZ"])
def test_outlines_in_a_plane_have_margins_too(unit: str) -> None:
    body("A", "BOX", margin=0.3)
    body("B", "MESH", at=(2.5, 0.0, 0.0), data=l_mesh(), margin=0.1, rotation_euler=(0.0, 0.0, 0.0))
    pair = only_pair(clearance=5.0, plane=unit)
    bare = 2.5 - 1.0
    assert pair.distance == pytest.approx(bare - 0.4, abs=1e-6)
    bpy.data.objects["A"].collision_kit.margin = 1.6
    pair = only_pair(plane=unit)
    assert pair.verdict == Verdict.PENETRATING and pair.distance <= bare - 1.7 + 1e-6
    circle = body("C", "SPHERE", at=(0.0, 9.0, 9.0), margin=0.5, data=sphere_mesh())
    assert circle.collision_kit.margin == 0.5
    shapes = check(bpy.context, "ALL", plane=unit)[1]
    low, high = shapes.world.bounds()
    row = [shape.object for shape in shapes.shapes].index("C")
    assert (high - low)[row].max() == pytest.approx(3.0, abs=1e-6)


def test_the_report_tells_margins_and_reads_like_the_scene() -> None:
    body("A", "BOX", margin=0.125)
    told = json.loads(as_json(check(bpy.context, "ALL")[0]))
    assert told["bodies"][0]["shapes"][0]["margin"] == 0.125


def test_what_is_seen_and_what_colliders_are_made_from_has_no_margin() -> None:
    ob = body("A", "SPHERE", margin=0.5)
    low, high = read_scene(bpy.context, [ob]).world.bounds()
    bare_low, bare_high = read_scene(bpy.context, [ob], margins=False).world.bounds()
    np.testing.assert_allclose(high - low, 3.0, atol=1e-6)
    np.testing.assert_allclose(bare_high - bare_low, 2.0, atol=1e-6)


@pytest.mark.parametrize("shape", ["BOX", "SPHERE", "MESH"])
def test_motion_meets_the_inflated_shape(shape: str) -> None:
    """From 10 away at one unit a frame, a cube or ball of radius 1 meets another as much earlier as it is thicker."""
    body("A", shape, data=l_mesh() if shape == "MESH" else None)
    ob = body("B", shape)
    scene = bpy.context.scene
    for frame, place in ((1, 10.0), (11, 0.0)):
        ob.location.x = place
        ob.keyframe_insert("location", frame=frame)
    for fcurve in _curves(ob):
        for key in fcurve.keyframe_points:
            key.interpolation = "LINEAR"
    scene.frame_set(1)
    wide = 2.0 if shape == "MESH" else 1.0
    begins = {}
    for margin in (0.0, 0.75):
        ob.collision_kit.margin = margin
        (contact,) = motion(bpy.context, "ALL", start=1, end=11).contacts
        begins[margin] = contact.first
        assert contact.depth >= 0.0
    assert begins[0.0] == pytest.approx(1.0 + 10.0 - wide - 1.0, abs=1e-3)
    assert begins[0.75] == pytest.approx(begins[0.0] - 0.75, abs=1e-3)


def _curves(ob: bpy.types.Object):
    action = ob.animation_data.action
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


@pytest.mark.parametrize("shape", ["BOX", "MESH"])
def test_what_is_separated_or_laid_down_keeps_its_margin(shape: str) -> None:
    body("Floor", shape, at=(0.0, 0.0, -1.0))
    thing = body("Thing", "BOX", at=(0.0, 0.0, 3.0), margin=0.25)
    settings = Settings("ALL", "", "", None, 0.0)
    down = np.array([0.0, 0.0, -1.0])
    fixes.drop_to_surface(bpy.context, [thing], lambda _ob: down, settings=settings)
    bpy.context.view_layer.update()
    assert thing.location.z == pytest.approx(1.25, abs=1e-4)
    thing.location.z = 1.1
    bpy.context.view_layer.update()
    fixes.push_apart(bpy.context, [thing], together=False, settings=settings)
    bpy.context.view_layer.update()
    assert thing.location.z == pytest.approx(1.25, abs=1e-4)


def test_the_axes_that_are_listed_are_those_of_the_inflated_shapes() -> None:
    body("A", "BOX", margin=0.25, rotation_euler=TURNED)
    body("B", "BOX", at=(1.5, 0.0, 0.0))
    report, shapes = check(bpy.context, "ALL")
    axis_explorer.forget()
    found = axis_explorer.explore(shapes.world, report.pairs[0])
    assert found is not None
    assert found.axes.gap[found.order[0]] == pytest.approx(report.pairs[0].distance, abs=1e-9)
    which = found.order[0]
    one, other = found.axes.interval_a[which], found.axes.interval_b[which]
    assert max(one[0], other[0]) - min(one[1], other[1]) == pytest.approx(found.axes.gap[which], abs=1e-9)
    axis_explorer.forget()


@pytest.mark.parametrize("shape", ["BOX", "SPHERE"])
@pytest.mark.parametrize("chosen", [False, True])
def test_the_obstacle_is_that_of_the_bare_shapes(shape: str, chosen: bool) -> None:
    a, b = body("A", shape, margin=0.5), body("B", shape, at=(2.5, 0.0, 0.0), margin=0.25)
    if chosen:
        bpy.context.scene.collision_kit.scope = "ALL"
        bpy.ops.collision_kit.check_collisions()
        assert last_check.report.pairs[0].distance == pytest.approx(-0.25, abs=1e-6)
    else:
        for ob in (b, a):
            ob.select_set(True)
        bpy.context.view_layer.objects.active = a
    bpy.ops.collision_kit.show_obstacle()
    assert obstacle.shown() is not None
    assert obstacle.shown().distance == pytest.approx(0.5, abs=1e-6)
    stage.clear()
