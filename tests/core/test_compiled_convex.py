# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled GJK and expanding polytope algorithm find what numpy finds, and leave it the rest."""

import importlib

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex import epa, epa_single, gjk
from collision_kit.core.convex.epa import penetration
from collision_kit.core.convex.gjk import closest
from collision_kit.core.convex.polytopes import PolytopeSupport, loaded, polytopes
from collision_kit.core.kernels import loading
from collision_kit.core.numerics.compilation import ALWAYS, NEVER, Kernels
from collision_kit.core.numerics.tolerances import EPS
from tests import zoo
from tests.hunt import pair_cases

pytest.importorskip("numba", reason="numba is not installed: pip install collision-kit[fast]")
kernels = importlib.import_module("collision_kit.core.convex.compiled")

POLYTOPES = (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)
# Multiples of the rounding that the answer states.
NEAR = 1.0


@pytest.fixture
def both(monkeypatch):
    """Ask once with kernels and once without."""

    def ask(question, *arguments, **named):
        answers = []
        for mode in (ALWAYS, NEVER):
            monkeypatch.setattr(Kernels, "mode", mode)
            monkeypatch.setattr(loading, "mode", loading.COMPILED if mode == ALWAYS else loading.INTERPRETED)
            answers.append(question(*arguments, **named))
        return answers

    return ask


def hulls(rng, vertices, count, reach):
    points = rng.normal(size=(20, vertices, 3))
    points *= rng.uniform(0.4, 1.0, (20, 1, 3)) / np.linalg.norm(points, axis=2, keepdims=True)
    place = rng.uniform(-reach, reach, (count, 3))
    return ck.Hulls(ck.convex_hulls(list(points)), rng.integers(0, 20, count), place, zoo.rotations(rng, count))


@pytest.mark.parametrize("vertices", [4, 8, 32, 128])
def test_both_say_the_same_about_hulls(both, vertices):
    rng = np.random.default_rng(vertices)
    a, b = hulls(rng, vertices, 1000, 0.7), hulls(rng, vertices, 1000, 0.7)
    fast, slow = both(ck.distance, a, b)
    assert 0.1 < (slow.distance < 0.0).mean() < 0.9
    assert (abs(fast.distance - slow.distance) <= NEAR * slow.rounding).all()
    for name in ("normal", "point_a", "point_b"):
        # Points and normals of faces that all but tie may differ by more than rounding.
        off = abs(getattr(fast, name) - getattr(slow, name)).max(axis=1)
        assert (off <= 1e-9).mean() > 0.995, name
    fast, slow = both(ck.overlap, a, b)
    assert (fast == slow).all()
    fast, slow = both(ck.contacts, a, b, margin=0.1)
    assert (np.bincount(fast.pair, minlength=1000) == np.bincount(slow.pair, minlength=1000)).mean() > 0.995


@pytest.mark.parametrize("first", POLYTOPES)
@pytest.mark.parametrize("second", POLYTOPES)
def test_both_say_the_same_about_degenerate_polytopes(both, first, second):
    rng = np.random.default_rng([first, second])
    for _ in range(4):
        with np.errstate(all="ignore"):
            a, b = pair_cases.pairs(rng, 100, (first, second))
        fast, slow = both(ck.distance, a, b)
        assert (abs(fast.distance - slow.distance) <= NEAR * slow.rounding).all()
        fast, slow = both(ck.overlap, a, b)
        assert (fast == slow).all()


def supports(rng, count, reach):
    a, b = (polytopes(hulls(rng, 16, count, reach)) for _ in range(2))
    return PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers


def test_gjk_ends_at_the_limit_and_at_the_tolerance(both):
    rng = np.random.default_rng(5)
    a, b, start = supports(rng, 2000, 1.5)
    fast, slow = both(closest, a, b, start, np.full(2000, 0.3))
    assert (fast.beyond == slow.beyond).all() and 0.3 < slow.beyond.mean() < 0.95
    assert np.allclose(fast.lower, slow.lower, rtol=0.0, atol=1e-12)
    rough, exact = closest(a, b, start, None, 1e-2), closest(a, b, start)
    apart = ~exact.overlap
    assert (rough.lower[apart] < exact.lower[apart] - 1e-9).any()
    for found in both(closest, a, b, start, None, 1e-2):
        assert np.allclose(found.lower[apart], rough.lower[apart], rtol=0.0, atol=1e-12)
        assert (found.distance - found.lower <= 1e-2 * found.distance + 1e-12)[apart].all()


def test_gjk_starts_anew_from_a_simplex_that_holds_the_origin(both, monkeypatch):
    # In planes of symmetry, a search ends on a triangle that holds the origin, deep inside A - B.
    rng = np.random.default_rng(9)
    turn = np.broadcast_to(np.eye(3), (1000, 3, 3))
    a, b = (polytopes(ck.Boxes(rng.integers(-1, 2, (1000, 3)) / 4.0, np.ones((1000, 3)), turn)) for _ in range(2))
    fast, slow = both(closest, PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers)
    assert (fast.overlap == slow.overlap).all() and slow.overlap.any()
    monkeypatch.setattr(gjk, "_SKEW", np.zeros((1, 3)))
    without, _ = both(closest, PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers)
    assert without.overlap.sum() < fast.overlap.sum()


def test_irregular_polytopes_are_left_to_numpy(both, monkeypatch):
    rng = np.random.default_rng(6)
    a, b, start = supports(rng, 500, 0.3)
    near = closest(a, b, start)
    deep = np.flatnonzero(near.overlap)
    a, b, simplex = a.take(deep), b.take(deep), near.simplex[deep].copy()
    # Every other tetrahedron lies on one side of the origin: no polytope can grow from it.
    simplex[::2, :, :3] += 10.0
    left = []
    growing = epa._Growing
    monkeypatch.setattr(epa, "_Growing", lambda rows, *more: left.append(rows) or growing(rows, *more))
    fast, slow = both(penetration, a, b, simplex)
    assert left[0].tolist() == list(range(0, len(deep), 2))
    assert slow.converged[1::2].all() and not slow.converged[::2].any()
    assert (fast.converged == slow.converged).all() and (fast.tied == slow.tied).all()
    for name in ("depth", "lower"):
        assert np.allclose(getattr(fast, name), getattr(slow, name), rtol=1e-12, atol=1e-12)


def test_equally_short_separations_are_marked(both):
    # Cubes in one place: the six faces are equally near.
    cube = polytopes(ck.Boxes(np.zeros((1, 3)), np.ones((1, 3))))
    shape = PolytopeSupport.of(cube)
    corner = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    for found in both(penetration, shape, shape, np.hstack([2.0 * corner, corner])[None]):
        assert found.tied.all() and found.depth == 2.0


def test_the_normal_of_a_parallel_face_below_the_nearest_one_is_no_obstacle(both):
    rng = np.random.default_rng(5)
    corners = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    points = corners * rng.uniform(0.8, 1.2, (50, 4, 1)), rng.uniform(-0.1, 0.1, (50, 8, 3))
    a, b = (PolytopeSupport.of(polytopes(ck.Hulls.from_points(list(one)))) for one in points)
    simplex = np.concatenate([points[0] - points[1][:, :1], points[0]], axis=2)
    fast, slow = both(penetration, a, b, simplex)
    assert fast.converged.all()
    assert slow.converged.all()
    np.testing.assert_allclose(fast.point_a, slow.point_a, rtol=0.0, atol=1e-12)


def test_the_direction_from_an_edge_is_at_right_angles_to_it(both):
    # Of the vector between points so near, the rounding of a long edge would be a large part.
    rng = np.random.default_rng(10)
    along = zoo.rotations(rng, 200)
    start = rng.uniform(-1.0, 1.0, (200, 3))
    edge = ck.Capsules(start - along[:, :, 0], start + along[:, :, 0], np.zeros(200))
    points = start + rng.uniform(-0.9, 0.9, (200, 1)) * along[:, :, 0] + 1e-7 * along[:, :, 1]
    a, b = polytopes(edge), polytopes(ck.Spheres(points, np.zeros(200)))
    a, b, start = PolytopeSupport.of(a), PolytopeSupport.of(b), a.centers - b.centers
    for found in both(closest, a, b, start, settle=False):
        assert np.allclose(found.distance, 1e-7, rtol=1e-7)
        assert abs(np.einsum("pi,pi->p", found.normal, along[:, :, 0])).max() < 1e-14


def test_depths_are_measured_to_rounding_where_faces_are_almost_in_one_plane(both):
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
    for found in both(penetration, a, b, near.simplex[deep]):
        assert found.converged.mean() > 0.9
        assert (found.depth - found.lower <= epa_single.CONVERGED * EPS * size)[found.converged].all()
        gap = np.einsum("pi,pi->p", a.support(found.normal) - b.support(-found.normal), found.normal)
        assert np.allclose(gap, found.depth, rtol=0.0, atol=1e-14)


def test_curved_shapes_are_left_to_numpy(monkeypatch):
    monkeypatch.setattr(Kernels, "mode", ALWAYS)
    a, b, _ = supports(np.random.default_rng(7), 3, 1.0)
    ellipsoids = ck.Ellipsoids(np.zeros((3, 3)), np.ones((3, 3)))
    every = Kernels("convex", 1.0)
    assert loaded(every, a, b) is not None
    assert loaded(every, a, ellipsoids) is None and loaded(every, ellipsoids, b) is None


@pytest.mark.parametrize(("vertices", "tabled"), [(4, False), (10, False), (40, True), (400, True)])
def test_kernels_find_the_farthest_vertex_with_and_without_a_table(both, vertices, tabled):
    rng = np.random.default_rng(vertices)
    a = PolytopeSupport.of(polytopes(hulls(rng, vertices, 2000, 2.0)))
    point = polytopes(ck.Spheres(rng.uniform(-4.0, 4.0, (2000, 3)), np.zeros(2000)))
    start = a.translation.T - point.translation
    assert (a.cores.table_for(2000) is not None) == tabled
    for few in (np.arange(2000), np.arange(10)):
        near = [found.distance for found in both(closest, a.take(few), PolytopeSupport.of(point.take(few)), start[few])]
        assert np.allclose(*near, rtol=0.0, atol=1e-13)


def test_kernels_are_compiled_for_one_kind_of_arrays(monkeypatch):
    monkeypatch.setattr(Kernels, "mode", ALWAYS)
    rng = np.random.default_rng(8)
    a, b, start = supports(rng, 200, 0.4)
    for rows in (np.arange(200), np.arange(1), np.empty(0, dtype=np.int64)):
        few = a.take(rows), b.take(rows)
        limit = np.broadcast_to(np.float64(0.2), len(rows))
        near = closest(*few, start[rows], limit)
        closest(*few, np.asfortranarray(start[rows]), None, 0.1)
        closest(*few)
        deep = np.flatnonzero(near.overlap)
        penetration(few[0].take(deep), few[1].take(deep), np.asfortranarray(near.simplex[deep]))
    assert len(kernels.penetration.signatures) == 1
