# SPDX-License-Identifier: GPL-3.0-or-later
"""Spheres against cones and ellipsoids in closed form, and thin ellipsoids against segments within them.

What must be true: the normal shows the distance, the witness points are on the two surfaces, and no other direction
proves more of a distance or needs less of a translation.
"""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo

COUNT = 400
SCALES = (1e-6, 1.0, 1e6)


def scattered(kind, rng):
    """Shapes of all proportions, and points near their surfaces, inside and outside."""
    place, extent = rng.normal(size=(COUNT, 3)), 10.0 ** rng.uniform(-2.0, 1.0, (COUNT, 3))
    turn = zoo.rotations(rng, COUNT)
    way = zoo.rotations(rng, COUNT)[:, 0]
    if kind is ck.Ellipsoids:
        shapes = ck.Ellipsoids(place, extent, turn)
    else:
        shapes = ck.Cones(place, place + turn[:, 0] * extent[:, :1], extent[:, 1] * (rng.random(COUNT) > 0.1))
    center = shapes.support(way) + way * (extent.min(axis=1) * rng.normal(size=COUNT))[:, None]
    return shapes, center


def aligned(kind, rng):
    """Shapes along the axes of the world, with points on their axes, over their corners and in their middles."""
    place, extent = np.zeros((COUNT, 3)), rng.integers(1, 5, (COUNT, 3)) / 4.0
    on_axis = np.eye(3)[rng.integers(3, size=COUNT)] * rng.integers(-8, 9, (COUNT, 1)) / 8.0
    if kind is ck.Ellipsoids:
        extent[::2, 1] = extent[::2, 0]
        return ck.Ellipsoids(place, extent), np.where(
            rng.random((COUNT, 1)) < 0.5, on_axis, rng.normal(size=(COUNT, 3))
        )
    shapes = ck.Cones(place, place + [0.0, 0.0, 1.0] * extent[:, :1], extent[:, 1])
    rim = place + extent[:, 1:2] * zoo.rotations(rng, COUNT)[:, 0] * [1.0, 1.0, 0.0]
    return shapes, np.where(rng.random((COUNT, 1)) < 0.5, on_axis, rim + rng.integers(-2, 3, (COUNT, 3)) / 8.0)


def off_surface(shapes, point):
    """Distances of points from the surface: exact for cones, and to first order for ellipsoids."""
    if isinstance(shapes, ck.Ellipsoids):
        local = np.einsum("nji,nj->ni", shapes.rotation, point - shapes.center) / shapes.radii
        value, slope = (local**2).sum(axis=1) - 1.0, 2.0 * np.linalg.norm(local / shapes.radii, axis=1)
        return np.abs(value) / np.where(slope > 0.0, slope, 1.0)
    along = shapes.apex - shapes.base
    height = np.linalg.norm(along, axis=1)
    rise = ((point - shapes.base) * along).sum(axis=1) / height
    across = np.linalg.norm(point - shapes.base - (rise / height)[:, None] * along, axis=1)
    slant = np.hypot(height, shapes.radius)
    beside = (height * (across - shapes.radius) + shapes.radius * rise) / slant
    by_base = np.hypot(np.maximum(across - shapes.radius, 0.0), rise)
    share = np.clip((height * rise - shapes.radius * (across - shapes.radius)) / slant**2, 0.0, 1.0)
    by_side = np.hypot(across - shapes.radius * (1.0 - share), rise - height * share)
    assert (np.abs(beside) <= by_side + 1e-9 * slant).all()
    return np.minimum(by_base, by_side)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("draw", [scattered, aligned])
@pytest.mark.parametrize("kind", [ck.Cones, ck.Ellipsoids])
def test_distances_of_spheres_are_proved(kind, draw, scale):
    rng = np.random.default_rng([7, int(np.log10(scale)) + 10])
    shapes, center = draw(kind, rng)
    if kind is ck.Cones:
        shapes = ck.Cones(shapes.base * scale, shapes.apex * scale, shapes.radius * scale)
    else:
        shapes = ck.Ellipsoids(shapes.center * scale, shapes.radii * scale, shapes.rotation)
    center = center * scale
    spheres = ck.Spheres(center, rng.uniform(0.0, 0.5, COUNT) * scale * (rng.random(COUNT) > 0.2))
    found = ck.distance(spheres, shapes)
    # Those in the middle of an ellipsoid, and on the surface of a cone, are left to the generic algorithm.
    size = shapes.bounding_spheres()[1] + spheres.radius
    deep = found.distance + spheres.radius < 1e-7 * size
    allowed = np.where(deep, 1e-8 * size, 1e-12 * size) + found.rounding
    reach = ((shapes.support(-found.normal) - center) * found.normal).sum(axis=1) - spheres.radius
    assert (np.abs(reach - found.distance) <= allowed).all()
    assert (
        np.linalg.norm(found.point_b - found.point_a - found.distance[:, None] * found.normal, axis=1) <= allowed
    ).all()
    assert (np.abs(np.linalg.norm(found.point_a - center, axis=1) - spheres.radius) <= 1e-7 * size).all()
    assert (off_surface(shapes, found.point_b) <= 1e-7 * size).all()
    for way in np.concatenate([zoo.rotations(rng, 100)[:, 0], np.eye(3), -np.eye(3)]):
        gap = (shapes.support(np.broadcast_to(-way, (COUNT, 3))) - center) @ way - spheres.radius
        assert (gap <= found.distance + allowed).all()
    assert (ck.overlap(spheres, shapes) == (found.distance <= found.rounding)).all()
    held = ck.contains(shapes, spheres)
    inner = -(found.distance + spheres.radius) - spheres.radius
    assert held[inner > allowed].all() and not held[inner < -allowed].any()
    contacts = ck.contacts(spheres, shapes, margin=scale)
    assert (np.bincount(contacts.pair, minlength=COUNT) == (found.distance <= scale + found.rounding)).all()


def test_the_separating_translation_of_a_thin_ellipsoid_is_the_shorter_one():
    # Segments parallel to the disc: one side is nearer, and both are steep valleys of the overlap.
    rng = np.random.default_rng(1)
    radii = np.empty((1500, 3))
    radii[:, :2] = 10.0 ** rng.uniform(-1.0, 1.0, (1500, 1))
    radii[:, 2] = radii[:, 0] * 10.0 ** rng.uniform(-3.0, -0.1, 1500)
    height = radii[:, 2] * rng.uniform(0.05, 0.9, 1500)
    start = np.column_stack([np.zeros((1500, 2)), height])
    segments = ck.Capsules(start, start + np.array([1e-9, 0.0, 0.0]), np.zeros(1500))
    found = ck.distance(segments, ck.Ellipsoids(np.zeros((1500, 3)), radii))
    assert np.abs(-found.distance - (radii[:, 2] - height)).max() <= 1e-8 * radii.max()
    assert (-found.distance <= (radii[:, 2] - height) * (1.0 + 1e-6)).all()


def test_points_close_to_the_middle_of_a_needle_move_out_to_the_nearer_side():
    # All directions across the needle are nearly equally good, so GJK finds points with no direction between them.
    rng, radius = np.random.default_rng(3), 0.005
    turn, place = zoo.rotations(rng, COUNT), rng.normal(size=(COUNT, 3))
    aside = 10.0 ** rng.uniform(-9.0, -2.0, COUNT) * radius
    angle = rng.uniform(0.0, 2.0 * np.pi, COUNT) * (rng.random(COUNT) < 0.5)
    spoke = aside[:, None] * (np.cos(angle)[:, None] * turn[:, :, 0] + np.sin(angle)[:, None] * turn[:, :, 1])
    needles = ck.Ellipsoids(place, np.tile([radius, radius, 1.0], (COUNT, 1)), turn)
    found = ck.distance(ck.Spheres(place + spoke, np.zeros(COUNT)), needles)
    assert np.abs(np.linalg.norm(found.normal, axis=1) - 1.0).max() <= 1e-12
    assert np.abs(-found.distance - (radius - aside)).max() <= 1e-12


def test_points_in_thin_cones_are_as_deep_as_the_side_is_near():
    # All points of these cones are so close to the side that the generic algorithm is less accurate.
    rng = np.random.default_rng(5)
    turn = zoo.rotations(rng, COUNT)
    axis, around = turn[:, 2], turn[:, 0]
    height, radius = 10.0 ** rng.uniform(-3.0, 1.0, COUNT), 10.0 ** rng.uniform(-8.0, -2.0, COUNT)
    cones = ck.Cones(np.zeros((COUNT, 3)), axis * height[:, None], radius)
    aside, rise = radius * rng.uniform(0.9, 1.0, COUNT), radius * rng.uniform(0.0, 0.1, COUNT)
    slant = np.hypot(height, radius)
    depth = np.minimum(rise, ((radius - aside) * height - rise * radius) / slant)
    inside = depth > 0.0
    center = aside[:, None] * around + rise[:, None] * axis
    found = ck.distance(ck.Spheres(center, np.zeros(COUNT)), cones)
    assert inside.sum() > COUNT / 2
    assert (np.abs(found.distance + depth) <= found.rounding)[inside].all()
    for share, held in ((1.0 - 1e-6, True), (1.0 + 1e-6, False)):
        sure = inside & (1e-6 * depth > 2.0 * found.rounding)
        assert sure.any()
        spheres = ck.Spheres(center, np.where(inside, depth * share, 0.0))
        assert (ck.contains(cones, spheres)[sure] == held).all()


def test_points_close_to_the_surface_of_an_ellipsoid_are_as_far_from_it_as_they_were_put():
    rng = np.random.default_rng(6)
    radii, way = 10.0 ** rng.uniform(-1.0, 1.0, (COUNT, 3)), zoo.rotations(rng, COUNT)[:, 0]
    shapes = ck.Ellipsoids(np.zeros((COUNT, 3)), radii, zoo.rotations(rng, COUNT))
    far = radii.max(axis=1) * 10.0 ** rng.uniform(-12.0, -7.5, COUNT) * rng.choice([-1.0, 1.0], COUNT)
    found = ck.distance(ck.Spheres(shapes.support(way) + way * far[:, None], np.zeros(COUNT)), shapes)
    assert (np.abs(found.distance - far) <= found.rounding).all()
    np.testing.assert_allclose(found.normal, -way, atol=1e-10)


@pytest.mark.parametrize("radius", [0.0, 1e-9, 0.3])
def test_spheres_on_the_axis_of_a_cone_are_as_far_as_its_ends(radius):
    rng = np.random.default_rng(20)
    base, along = rng.integers(-4, 5, (300, 3)), rng.permuted(np.tile([1.0, 0.0, 0.0], (300, 1)), axis=1)
    height, rise = rng.integers(1, 5, (300, 1)), rng.integers(-12, 13, (300, 1))
    cones = ck.Cones(base, base + height * along, radius)
    size = rng.integers(0, 2, 300)
    found = ck.distance(ck.Spheres(base + rise * along, size), cones)
    outside = (np.maximum(-rise, rise - height))[:, 0]
    rows = np.flatnonzero(outside > 0)
    np.testing.assert_allclose(found.distance[rows], (outside - size)[rows], rtol=0.0, atol=1e-12)
    np.testing.assert_array_equal(
        ck.overlap(ck.Spheres(base + rise * along, size), cones)[rows], (outside <= size)[rows]
    )
