# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are tested as cones and ellipsoids: in reports, in drawings, and as obstacles."""

import json
import math

import bpy
import numpy as np
import pytest

from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.debug_draw.shapes import shape_edges
from collision_kit.addon.debug_draw.surfaces import shape_triangles
from collision_kit.addon.reports.documents import document
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import obstacle
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh, with_setting
from tests.helpers.blender.checked_scene import check

pytestmark = pytest.mark.usefixtures("scene")

TURNED = (0.3, -0.8, 1.7)


def build() -> None:
    """A cone 0.25 deep in a crate, and an egg 0.5 above its tip."""
    add("Crate", cube_mesh())
    with_setting(add("Cone", cube_mesh((0.5, 0.5, 1.0)), at=(0, 0, 1.75)), "CONE")
    add("Egg", empty_display_type="SPHERE", scale=(1, 1, 2), at=(0, 0, 5.25))
    bpy.context.scene.collision_kit.clearance = 1.0
    bpy.context.view_layer.update()


def test_a_report_tells_what_they_are_and_how_far_apart() -> None:
    build()
    check()
    said = json.loads(document("json", last_check.report))
    kinds = {shape["object"]: shape["kind"] for body in said["bodies"] for shape in body["shapes"]}
    assert kinds == {"Crate": "hull", "Cone": "cone", "Egg": "ellipsoid"}
    found = {
        frozenset(last_check.report.bodies[body].name for body in (pair.body_a, pair.body_b)): (
            pair.verdict,
            pair.distance,
        )
        for pair in last_check.report.pairs
    }
    verdict, depth = found[frozenset({"Crate", "Cone"})]
    assert verdict == Verdict.PENETRATING and depth == pytest.approx(-0.25, abs=1e-6)
    verdict, gap = found[frozenset({"Cone", "Egg"})]
    assert verdict == Verdict.WITHIN_CLEARANCE and gap == pytest.approx(0.5, abs=1e-6)
    assert "ellipsoid" in document("html", last_check.report)


def off_cone(points: np.ndarray, ob: bpy.types.Object) -> np.ndarray:
    """Return how far points are beyond the side or the base of a cone of radius 1 and height 2; below zero inside."""
    local = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(np.array(ob.matrix_world)).T
    aside, height = np.hypot(local[:, 0], local[:, 1]), local[:, 2]
    return np.maximum((2.0 * aside + height - 1.0) / math.sqrt(5.0), -1.0 - height)


def off_egg(points: np.ndarray, ob: bpy.types.Object) -> np.ndarray:
    """The same of what is a ball of radius 1 to its object."""
    local = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(np.array(ob.matrix_world)).T
    return np.linalg.norm(local[:, :3], axis=1) - 1.0


def test_lines_and_triangles_are_drawn_on_their_surfaces() -> None:
    cone = with_setting(add("Cone", cube_mesh(), at=(1, 2, 3), rotation_euler=TURNED), "CONE")
    egg = add("Egg", empty_display_type="SPHERE", scale=(1, 2, 3), at=(9, 0, 0), rotation_euler=TURNED)
    check()
    rows = {shape.object: row for row, shape in enumerate(last_check.report.shapes)}
    for ob, off in ((cone, off_cone), (egg, off_egg)):
        lines = shape_edges(last_check.world, rows[ob.name], Role.SHAPE_A).lines.reshape(-1, 3)
        triangles = shape_triangles(last_check.world, rows[ob.name])
        assert len(lines) > 100 and np.abs(off(lines, ob)).max() < 1e-5
        corners = off(triangles.reshape(-1, 3), ob)
        assert np.abs(corners).max() < 1e-5
        # Nothing is left out: between the corners no triangle is far below the surface, and all look outward.
        assert off(triangles.mean(axis=1), ob).min() > -0.03
        normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        volume = (triangles.mean(axis=1) - np.array(ob.matrix_world.translation)) * normal
        expected = 2.0 / 3.0 * math.pi if ob is cone else 8.0 * math.pi
        assert volume.sum() / 6.0 == pytest.approx(expected, rel=0.02)


def test_their_obstacle_is_as_far_from_the_origin_as_they_are_apart() -> None:
    build()
    for ob in bpy.context.scene.objects:
        ob.select_set(ob.name in {"Cone", "Egg"})
    bpy.context.view_layer.objects.active = bpy.data.objects["Cone"]
    assert bpy.ops.collision_kit.show_obstacle() == {"FINISHED"}
    shown = obstacle.shown()
    assert shown is not None and shown.distance == pytest.approx(0.5, abs=1e-6)
    bpy.ops.collision_kit.hide_obstacle()
