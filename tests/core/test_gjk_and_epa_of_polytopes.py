# SPDX-License-Identifier: GPL-3.0-or-later
"""GJK and the expanding polytope algorithm on polytopes: limits, symmetry, degenerate faces, and direction tables."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.gjk import closest
from collision_kit.core.convex.polytopes.placed import PolytopeSupport, polytopes
from collision_kit.core.kernels import closest as closest_kernel
from collision_kit.core.kernels import epa as epa_kernel
from collision_kit.core.kernels import gjk as gjk_kernel
from collision_kit.core.kernels.loading import SOURCES
from collision_kit.core.numerics.tolerances import EPS
from tests.helpers import zoo
from tests.helpers.epa import penetration


def hulls(rng, vertices, count, reach):
    points = rng.normal(size=(20, vertices, 3))
    points *= rng.uniform(0.4, 1.0, (20, 1, 3)) / np.linalg.norm(points, axis=2, keepdims=True)
    place = rng.uniform(-reach, reach, (count, 3))
    return ck.Hulls(ck.convex_hulls(list(points)), rng.integers(0, 20, count), place, zoo.rotations(rng, count))


def supports(rng, count, reach):
    a, b = (polytopes(hulls(rng, 16, count, reach)) for _ in range(2))
    return PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers


def test_gjk_ends_at_the_limit_and_at_the_tolerance():
    rng = np.random.default_rng(5)
    a, b, start = supports(rng, 2000, 1.5)
    exact = closest(a, b, start)
    apart = ~exact.overlap
    limited = closest(a, b, start, np.full(2000, 0.3))
    assert 0.3 < limited.beyond.mean() < 0.95
    assert (limited.beyond == (apart & (exact.distance > 0.3))).all()
    assert (limited.lower <= exact.distance + 1e-12)[limited.beyond].all()
    rough = closest(a, b, start, None, 1e-2)
    assert (rough.lower[apart] < exact.lower[apart] - 1e-9).any()
    assert (rough.distance - rough.lower <= 1e-2 * rough.distance + 1e-12)[apart].all()


def test_gjk_starts_anew_from_a_simplex_that_holds_the_origin(monkeypatch):
    # In planes of symmetry, a search ends on a triangle that holds the origin, deep inside A - B.
    rng = np.random.default_rng(9)
    turn = np.broadcast_to(np.eye(3), (1000, 3, 3))
    place = rng.integers(-1, 2, (2, 1000, 3)) / 4.0
    a, b = (polytopes(ck.Boxes(each, np.ones((1000, 3)), turn)) for each in place)
    shapes = PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers
    found = closest(*shapes)
    assert found.overlap.any()
    monkeypatch.setattr(closest_kernel, "closest", SOURCES["closest.closest"])
    monkeypatch.setattr(gjk_kernel, "perturbation", lambda step: (0.0, 0.0, 0.0))
    assert closest(*shapes).overlap.sum() < found.overlap.sum()


def test_no_polytope_grows_from_a_tetrahedron_beside_the_origin():
    rng = np.random.default_rng(6)
    a, b, start = supports(rng, 500, 0.3)
    near = closest(a, b, start)
    deep = np.flatnonzero(near.overlap)
    a, b, simplex = a.take(deep), b.take(deep), near.simplex[deep].copy()
    # Every other tetrahedron lies on one side of the origin.
    simplex[::2, :, :3] += 10.0
    found = penetration(a, b, simplex)
    assert found.converged[1::2].all() and not found.converged[::2].any()
    # A polytope without area has no face at all.
    flat = penetration(a, b, np.zeros_like(simplex))
    assert np.isinf(flat.depth).all() and not flat.lower.any() and not flat.converged.any()


def test_equally_short_separations_are_marked():
    # Cubes in one place: the six faces are equally near.
    cube = polytopes(ck.Boxes(np.zeros((1, 3)), np.ones((1, 3))))
    shape = PolytopeSupport.of(cube)
    corner = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    found = penetration(shape, shape, np.hstack([2.0 * corner, corner])[None])
    assert found.tied.all() and found.depth == 2.0


def test_the_normal_of_a_parallel_face_below_the_nearest_one_is_no_obstacle():
    rng = np.random.default_rng(5)
    corners = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    points = corners * rng.uniform(0.8, 1.2, (50, 4, 1)), rng.uniform(-0.1, 0.1, (50, 8, 3))
    a, b = (PolytopeSupport.of(polytopes(ck.Hulls.from_points(list(one)))) for one in points)
    simplex = np.concatenate([points[0] - points[1][:, :1], points[0]], axis=2)
    found = penetration(a, b, simplex)
    assert found.converged.all()
    np.testing.assert_allclose(found.point_a - found.point_b, found.depth[:, None] * found.normal, rtol=0.0, atol=1e-12)


def test_the_direction_from_an_edge_is_at_right_angles_to_it():
    # Of the vector between points so near, the rounding of a long edge would be a large part.
    rng = np.random.default_rng(10)
    along = zoo.rotations(rng, 200)
    start = rng.uniform(-1.0, 1.0, (200, 3))
    edge = ck.Capsules(start - along[:, :, 0], start + along[:, :, 0], np.zeros(200))
    points = start + rng.uniform(-0.9, 0.9, (200, 1)) * along[:, :, 0] + 1e-7 * along[:, :, 1]
    a, b = polytopes(edge), polytopes(ck.Spheres(points, np.zeros(200)))
    a, b, start = PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers
    found = closest(a, b, start, settle=False)
    assert np.allclose(found.distance, 1e-7, rtol=1e-7)
    assert abs(np.einsum("pi,pi->p", found.normal, along[:, :, 0])).max() < 1e-14


def test_depths_are_measured_to_rounding_where_faces_are_almost_in_one_plane():
    rng = np.random.default_rng(11)
    corner = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    points = [corner + 1e-12 * rng.normal(size=(8, 3)) for _ in range(20)]
    a, b = (
        polytopes(ck.Hulls.from_points([points[k] for k in rng.integers(0, 20, 300)], place, zoo.rotations(rng, 300)))
        for place in rng.uniform(-0.8, 0.8, (2, 300, 3))
    )
    a, b, start = PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers
    near = closest(a, b, start)
    deep = np.flatnonzero(near.overlap)
    a, b = a.take(deep), b.take(deep)
    size = a.size + b.size + abs(near.simplex[deep, :, :3]).max(axis=(1, 2))
    found = penetration(a, b, near.simplex[deep])
    assert found.converged.mean() > 0.9
    assert (found.depth - found.lower <= epa_kernel.CONVERGED * EPS * size)[found.converged].all()
    gap = np.einsum("pi,pi->p", a.support(found.normal) - b.support(-found.normal), found.normal)
    assert np.allclose(gap, found.depth, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize(("vertices", "tabled"), [(4, False), (10, False), (40, True), (400, True)])
def test_the_farthest_vertex_is_found_with_and_without_a_table(vertices, tabled):
    rng = np.random.default_rng(vertices)
    shapes = hulls(rng, vertices, 2000, 2.0)
    a = PolytopeSupport.of(polytopes(shapes))
    assert (a.cores.table_for(2000) is not None) == tabled == (len(a.side.candidates) > 0)
    # A few directions are at the border of a cell, or zero.
    ways = np.concatenate([rng.normal(size=(1500, 3)), rng.integers(-1, 2, (500, 3)).astype(float)])
    for rows in (np.arange(2000), np.arange(10)):
        found = np.einsum("pi,pi->p", a.take(rows).support(ways[rows]), ways[rows])
        most = [
            (shapes.geometry[k].points @ turn.T + place) @ way
            for k, turn, place, way in zip(
                shapes.index[rows], shapes.rotation[rows], shapes.translation[rows], ways[rows], strict=True
            )
        ]
        assert np.allclose(found, [each.max() for each in most], rtol=0.0, atol=1e-13)
