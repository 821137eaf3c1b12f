# SPDX-License-Identifier: GPL-3.0-or-later
"""GJK and the expanding polytope on anything that has a support mapping: what they say, their own bounds prove."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from collision_kit.core.convex.gjk import closest
from collision_kit.core.convex.rooms import polytope_room
from collision_kit.core.kernels.epa import STEP, USED
from collision_kit.core.numerics.tolerances import EPS
from tests.helpers import zoo
from tests.helpers.clouds import Clouds
from tests.helpers.epa import penetration

# Relative tolerances asked of curved shapes.
NEAR, DEEP = 1e-12, 1e-7


@dataclass
class Ellipsoids:
    """Ellipsoids by their support mapping."""

    center: np.ndarray
    axes: np.ndarray

    def __len__(self):
        return len(self.center)

    @property
    def size(self):
        return np.linalg.norm(self.axes, axis=(1, 2))

    def support(self, direction):
        local = np.einsum("pij,pi->pj", self.axes, direction)
        norm = np.linalg.norm(local, axis=1, keepdims=True)
        unit = local / np.where(norm > 0.0, norm, 1.0)
        return self.center + np.einsum("pij,pj->pi", self.axes, unit)

    def take(self, rows):
        return Ellipsoids(self.center[rows], self.axes[rows])


def ellipsoids(rng, count, reach):
    axes = zoo.rotations(rng, count) * rng.uniform(0.2, 1.0, (count, 1, 3))
    return Ellipsoids(rng.uniform(-reach, reach, (count, 3)), axes)


def balls(rng, count, reach):
    return Ellipsoids(rng.uniform(-reach, reach, (count, 3)), np.eye(3) * rng.uniform(0.2, 1.0, (count, 1, 1)))


def gap_along(a, b, normal):
    """Least of B minus the greatest of A along each unit normal: a lower bound on the distance, whatever the normal."""
    return np.einsum("pi,pi->p", b.support(-normal) - a.support(normal), normal)


def test_the_distance_of_balls_is_that_of_their_centers_less_the_radii():
    rng = np.random.default_rng(0)
    a, b = balls(rng, 500, 2.0), balls(rng, 500, 2.0)
    true = np.linalg.norm(b.center - a.center, axis=1) - a.axes[:, 0, 0] - b.axes[:, 0, 0]
    found = closest(a, b, tolerance=NEAR)
    np.testing.assert_array_equal(found.overlap, true < 0.0)
    apart = true > 0.0
    np.testing.assert_allclose(found.distance[apart], true[apart], rtol=1e-9)
    assert (found.lower[apart] <= true[apart] * (1.0 + 1e-12)).all()
    away = b.center[apart] - a.center[apart]
    np.testing.assert_allclose(found.normal[apart], away / np.linalg.norm(away, axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("start", [False, True])
def test_bounds_on_the_distance_of_ellipsoids_agree_and_are_bounds(start):
    rng = np.random.default_rng(1)
    a, b = ellipsoids(rng, 500, 2.0), ellipsoids(rng, 500, 2.0)
    found = closest(a, b, a.center - b.center if start else None, tolerance=NEAR)
    apart = ~found.overlap
    assert 300 < apart.sum() < 490
    assert (found.distance - found.lower)[apart].max() <= 1e-10
    np.testing.assert_allclose(gap_along(a, b, found.normal)[apart], found.distance[apart], atol=1e-10)
    between = found.point_b - found.point_a
    np.testing.assert_allclose(np.linalg.norm(between, axis=1)[apart], found.distance[apart], atol=1e-12)
    for shape, point in ((a, found.point_a), (b, found.point_b)):
        local = np.linalg.solve(shape.axes, (point - shape.center)[:, :, None])[:, :, 0]
        assert np.linalg.norm(local, axis=1)[apart].max() <= 1.0 + 1e-12


def test_a_simplex_with_the_origin_inside_proves_the_overlap():
    rng = np.random.default_rng(2)
    a, b = Clouds(rng.normal(size=(800, 12, 3))), Clouds(rng.normal(size=(800, 12, 3)) + rng.normal(size=(800, 1, 3)))
    found = closest(a, b)
    assert 200 < found.overlap.sum() < 800
    simplex = found.simplex[found.overlap]
    weights = np.linalg.solve(
        np.concatenate([simplex[..., :3].transpose(0, 2, 1), np.ones((len(simplex), 1, 4))], axis=1),
        np.broadcast_to([[0.0], [0.0], [0.0], [1.0]], (len(simplex), 4, 1)),
    )
    assert weights.min() > 0.0
    on_a = simplex[..., 3:]
    on_b = on_a - simplex[..., :3]
    for shape, corner in ((a, on_a), (b, on_b)):
        miss = np.linalg.norm(shape.points[found.overlap][:, None] - corner[:, :, None], axis=3).min(axis=2)
        assert miss.max() <= 1e-14


def test_pairs_beyond_the_limit_are_farther_apart_than_it():
    rng = np.random.default_rng(3)
    a, b = (Clouds(rng.normal(size=(1000, 8, 3)) + 2.0 * rng.normal(size=(1000, 1, 3))) for _ in range(2))
    whole = closest(a, b)
    limit = rng.uniform(0.0, 2.0, 1000)
    found = closest(a, b, limit=limit)
    np.testing.assert_array_equal(found.overlap, whole.overlap)
    assert (found.lower > limit)[found.beyond].all()
    assert (found.distance <= whole.distance + 1e-12)[found.beyond].all()
    np.testing.assert_allclose(gap_along(a, b, found.normal)[found.beyond], found.lower[found.beyond], atol=1e-12)
    # What is not beyond was measured; what is farther than the limit by more than rounding is beyond.
    measured = ~found.beyond & ~found.overlap
    np.testing.assert_allclose(found.distance[measured], whole.distance[measured], atol=1e-12)
    assert found.beyond[whole.distance > limit + 1e-12].all()


def test_the_depth_of_balls_is_the_radii_less_the_distance_of_their_centers():
    rng = np.random.default_rng(4)
    a, b = balls(rng, 300, 0.6), balls(rng, 300, 0.6)
    near = closest(a, b, tolerance=NEAR)
    rows = np.flatnonzero(near.overlap)
    a, b = a.take(rows), b.take(rows)
    true = a.axes[:, 0, 0] + b.axes[:, 0, 0] - np.linalg.norm(b.center - a.center, axis=1)
    found = penetration(a, b, near.simplex[rows], DEEP)
    assert (found.depth >= true - 1e-12).all()
    assert (found.lower <= true + 1e-12).all()
    assert found.converged.mean() > 0.8
    np.testing.assert_allclose(found.depth[found.converged], true[found.converged], rtol=2.0 * DEEP)
    np.testing.assert_allclose(-gap_along(a, b, found.normal), found.depth, atol=1e-12)


def test_bounds_on_the_depth_of_ellipsoids_hold_and_the_witnesses_are_theirs():
    rng = np.random.default_rng(5)
    a, b = ellipsoids(rng, 300, 0.5), ellipsoids(rng, 300, 0.5)
    near = closest(a, b, tolerance=NEAR)
    rows = np.flatnonzero(near.overlap)
    a, b = a.take(rows), b.take(rows)
    found = penetration(a, b, near.simplex[rows], DEEP)
    assert (found.lower <= found.depth).all()
    assert found.converged.mean() > 0.8
    np.testing.assert_allclose(found.point_a - found.point_b, found.depth[:, None] * found.normal, atol=1e-12)
    # No direction parts them by less than the lower bound.
    for direction in zoo.rotations(rng, 60).reshape(-1, 3):
        along = np.broadcast_to(direction, (len(a), 3))
        assert (-gap_along(a, b, along) >= found.lower - 1e-12).all()


def test_a_simplex_with_a_face_without_area_leaves_its_pair_open_and_no_other():
    rng = np.random.default_rng(6)
    a, b = Clouds(rng.normal(size=(2, 12, 3))), Clouds(rng.normal(size=(2, 12, 3)))
    near = closest(a, b)
    assert near.overlap.all()
    simplex = near.simplex.copy()
    simplex[1, 1] = simplex[1, 0]
    with np.errstate(all="raise"):
        found = penetration(a, b, simplex)
    assert found.converged.tolist() == [True, False]
    assert np.isinf(found.depth[1]) and found.lower[1] == 0.0


def test_no_pairs_are_no_work():
    none = Clouds(np.empty((0, 5, 3)))
    found = closest(none, none)
    assert len(found.distance) == 0
    assert len(penetration(none, none, found.simplex).depth) == 0


def clouds(rng, kind, count):
    """Points of hulls around the origin: on spheres, in boxes, on a lattice, in plates, and corners of turned cubes."""
    points = rng.normal(size=(count, 24, 3))
    match kind:
        case "spheres":
            points /= np.linalg.norm(points, axis=2, keepdims=True)
        case "lattice":
            points = rng.integers(-2, 3, points.shape).astype(float)
        case "plates":
            points *= [1.0, 1.0, 10.0 ** rng.uniform(-6.0, 0.0)]
        case "cubes":
            signs = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
            points = np.einsum("pij,kj->pki", zoo.rotations(rng, count), signs)
    return Clouds(points + 0.2 * points.std(axis=1, keepdims=True) * rng.normal(size=(count, 1, 3)))


@pytest.mark.parametrize("kind", ["boxes", "spheres", "lattice", "plates", "cubes"])
@pytest.mark.parametrize("together", [1, 3, 50])
def test_the_depth_of_hulls_is_that_of_the_facets_of_their_difference_for_one_pair_and_for_many(kind, together):
    rng = np.random.default_rng([len(kind), together])
    a, b = clouds(rng, kind, 50), clouds(rng, kind, 50)
    near = closest(a, b)
    rows = np.flatnonzero(near.overlap)
    assert len(rows) > 25
    checked = 0
    for some in np.split(rows, np.arange(together, len(rows), together)):
        found = penetration(a.take(some), b.take(some), near.simplex[some])
        size = (a.size + b.size)[some]
        apart = found.point_a - found.point_b - found.depth[:, None] * found.normal
        assert (np.abs(apart).max(axis=1) <= 1e-14 * size).all()
        assert (found.lower <= found.depth + 1e-14 * size).all()
        for row, depth in zip(some[found.converged], found.depth[found.converged], strict=True):
            difference = (a.points[row][:, None] - b.points[row]).reshape(-1, 3)
            assert depth == pytest.approx(-ConvexHull(difference).equations[:, 3].max(), abs=1e-9)
            checked += 1
    assert checked > 0.9 * len(rows)


def test_one_pair_alone_has_the_answer_that_it_has_among_others():
    rng = np.random.default_rng(17)
    for kind in ("boxes", "spheres", "lattice", "plates", "cubes"):
        a, b = clouds(rng, kind, 40), clouds(rng, kind, 40)
        near = closest(a, b)
        rows = np.flatnonzero(near.overlap)
        whole = penetration(a.take(rows), b.take(rows), near.simplex[rows])
        for place, row in enumerate(rows):
            alone = penetration(a.take([row]), b.take([row]), near.simplex[[row]])
            if not (alone.converged[0] and whole.converged[place]):
                continue
            assert alone.depth[0] == pytest.approx(whole.depth[place], abs=1e-13)
            assert alone.tied[0] == whole.tied[place]
            if not alone.tied[0]:
                np.testing.assert_allclose(alone.normal[0], whole.normal[place], atol=1e-6)


def test_two_directions_that_are_equally_short_are_told_for_one_pair_as_for_many():
    rng = np.random.default_rng(4)
    signs = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    half = rng.uniform(0.5, 1.0, (20, 1, 3))
    # Concentric boxes have two shortest separating translations; those of the last ten are shifted, and have one.
    shift = np.where(np.arange(20) < 10, 0.0, 0.1)[:, None, None]
    a, b = Clouds(signs * half), Clouds(signs * half[::-1] + shift)
    # Every other corner of A, less the opposite corner of B.
    of_a = np.array([0, 3, 5, 6])
    simplex = np.concatenate([a.points[:, of_a] - b.points[:, 7 - of_a], a.points[:, of_a]], axis=2)
    whole = penetration(a, b, simplex)
    alone = [penetration(a.take([row]), b.take([row]), simplex[[row]]) for row in range(20)]
    assert whole.converged.all()
    assert all(one.converged[0] for one in alone)
    assert whole.tied.tolist() == [one.tied[0] for one in alone] == (np.arange(20) < 10).tolist()


def test_points_are_on_the_nearest_face_if_its_normal_was_found_on_a_parallel_face_below():
    rng = np.random.default_rng(5)
    corners = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    a, b = Clouds(corners * rng.uniform(0.8, 1.2, (50, 4, 1))), Clouds(rng.uniform(-0.1, 0.1, (50, 8, 3)))
    # The faces of A, less one point of B that is seldom the farthest.
    simplex = np.concatenate([a.points - b.points[:, :1], a.points], axis=2)
    assert penetration(a, b, simplex).converged.all()
    assert all(penetration(a.take([row]), b.take([row]), simplex[[row]]).converged[0] for row in range(50))


def offsets_of_nearest_faces():
    """The offsets of the planes of a polytope onto which the origin projects within, exact ones, and the size."""
    room = polytope_room()
    corners, planes, vertices = (np.array(x) for x in (room.corners, room.planes, room.vertices))
    found = []
    for face in np.flatnonzero(np.isfinite(planes[: room.counts[USED], 3])):
        p, q, r = ([Fraction(x) for x in vertices[at, :3].tolist()] for at in corners[face])
        normal = exact_cross([y - x for x, y in zip(p, q, strict=True)], [y - x for x, y in zip(p, r, strict=True)])
        within = all(exact_dot(exact_cross(*ends), normal) >= 0 for ends in ((p, q), (q, r), (r, p)))
        if within:
            size = np.abs(vertices[corners[face], :3]).max()
            true = float(exact_dot(normal, p)) / float(exact_dot(normal, normal)) ** 0.5
            found.append((planes[face, 3], true, size))
    return np.array(found).reshape(-1, 3).T


def exact_cross(a, b):
    return [a[k - 2] * b[k - 1] - a[k - 1] * b[k - 2] for k in range(3)]


def exact_dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_the_planes_of_nearest_faces_are_exact_to_rounding_however_thin_the_faces(radius):
    rng, count = np.random.default_rng(1), 60
    turn = zoo.rotations(rng, count)
    out, axis = turn[:, :, 0], turn[:, :, 2]
    place, wide, high = rng.uniform(-1.0, 1.0, (count, 3)), rng.uniform(0.1, 1.0, count), rng.uniform(0.1, 2.0, count)
    # The end of A is near the rim of B, and inside by little.
    deep = 10.0 ** rng.uniform(-12.0, -6.0, (2, count))
    tip = place + (high - deep[0])[:, None] * axis + (wide - deep[1])[:, None] * out
    a = ck.Cylinders(tip, tip + out + 0.3 * rng.normal(size=(count, 3)), np.full(count, radius))
    b = ck.Cylinders(place, place + high[:, None] * axis, wide)
    checked = 0
    for row in range(count):
        steps = polytope_room().counts[STEP]
        ck.distance(b.take(np.array([row])), a.take(np.array([row])))
        if polytope_room().counts[STEP] > steps:
            offset, true, size = offsets_of_nearest_faces()
            assert (np.abs(offset - true) <= 4.0 * EPS * size).all()
            checked += len(offset)
    assert checked > count / 5
