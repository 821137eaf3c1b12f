# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls in the plane against certificates, against Qhull and against exact arithmetic."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import ConvexHull as Qhull

from collision_kit.core import convex_hull
from collision_kit.core.hull import planar as hull_chain
from collision_kit.core.hull.planar import left_turn
from collision_kit.core.planar import convex_hull as planar_hull
from collision_kit.core.planar import convex_hulls as planar_hulls
from collision_kit.core.planar import is_convex

FIELDS = ("dimension", "vertices", "outline", "edges", "normals", "offsets", "area", "perimeter", "centroid")


def turned(points, angle):
    c, s = np.cos(angle), np.sin(angle)
    return points @ [[c, s], [-s, c]]


def square_with_points_on_its_sides(rng):
    points = rng.random((200, 2))
    side = rng.integers(0, 4, 200)
    points[np.arange(200), side % 2] = side // 2
    return np.concatenate((points, [[0, 0], [0, 1], [1, 0], [1, 1]]))


def circle(count):
    angle = np.arange(count) * 2.0 * np.pi / count
    return np.stack((np.cos(angle), np.sin(angle)), axis=1)


def check(hull):
    """Assert every promise of `PlanarHull`; returns the hull."""
    points, outline, scale = (
        hull.points,
        hull.outline,
        0.5 ** max(int(np.frexp(np.abs(hull.points).max())[1]), -960),
    )
    for array in (points, hull.vertices, outline, hull.edges, hull.normals, hull.offsets, hull.centroid):
        assert not array.flags.writeable
    assert np.array_equal(np.sort(outline), hull.vertices) and (np.diff(hull.vertices) > 0).all()
    assert outline[0] == outline.min()
    for vertex in hull.vertices:
        assert vertex == np.flatnonzero((points == points[vertex]).all(axis=1))[0] or hull.dimension == 0
    if hull.dimension == 0:
        assert hull.vertices.tolist() == [0] and len(hull.edges) == hull.area == hull.perimeter == 0
        assert np.abs(points - points[0]).max() <= 4 * hull.tolerance
        return hull
    assert np.array_equal(hull.edges, np.stack((outline, np.roll(outline, -1)), axis=1))
    assert len(hull.vertices) == 2 if hull.dimension == 1 else len(hull.vertices) >= 3
    points, offsets, tolerance = points * scale, hull.offsets * scale, hull.tolerance * scale
    assert np.abs(np.hypot(*hull.normals.T) - 1.0).max() < 1e-15
    allowed = tolerance if hull.dimension == 2 else 4 * tolerance
    assert (points @ hull.normals.T - offsets).max() <= allowed
    ends = np.einsum("eki,ei->ek", points[hull.edges], hull.normals)
    assert (
        np.abs(ends.max(axis=1) - offsets).max() <= tolerance / 16 and (ends.min(axis=1) >= offsets - tolerance).all()
    )
    start, end = points[hull.edges].transpose(1, 0, 2)
    # The outward normal is to the right of the edge: counterclockwise.
    along = end - start
    assert (along[:, 0] * -hull.normals[:, 1] + along[:, 1] * hull.normals[:, 0] > 0.0).all()
    assert hull.perimeter * scale == pytest.approx(np.hypot(*along.T).sum(), rel=1e-12)
    if hull.dimension == 2:
        ring = [[Fraction(x) for x in row] for row in points[outline].tolist()]
        doubled = sum(
            (b[0] - ring[0][0]) * (c[1] - ring[0][1]) - (b[1] - ring[0][1]) * (c[0] - ring[0][0])
            for b, c in itertools.pairwise(ring)
        )
        assert doubled > 0
        if np.abs(hull.points).max() > 1e-90:
            rounding = 8 * tolerance * hull.perimeter * scale
            assert hull.area * scale**2 == pytest.approx(float(doubled) / 2, rel=1e-12, abs=rounding)
        assert (hull.normals @ (hull.centroid * scale) < offsets).all()
        # Once around: the exterior angles sum to one turn.
        bearing = np.arctan2(along[:, 1], along[:, 0])
        turn = np.mod(np.roll(bearing, -1) - bearing, 2.0 * np.pi)
        assert turn.sum() == pytest.approx(2.0 * np.pi) and turn.max() < np.pi
    return hull


def agrees_with_qhull(hull):
    points = hull.points - hull.points.mean(axis=0)
    theirs = Qhull(points)
    size, tolerance = np.ptp(points, axis=0).max(), 8.0 * hull.tolerance
    assert hull.area == pytest.approx(theirs.volume, rel=1e-9, abs=size * tolerance)
    assert hull.perimeter == pytest.approx(theirs.area, rel=1e-9, abs=tolerance)
    reach = (points[theirs.vertices] @ hull.normals.T).max(axis=0)
    assert np.abs(reach - hull.offsets + hull.normals @ hull.points.mean(axis=0)).max() <= tolerance
    extra = np.setdiff1d(theirs.vertices, hull.vertices)
    height = hull.points[extra] @ hull.normals.T - hull.offsets
    assert np.abs(height.max(axis=1, initial=-np.inf)).max(initial=0.0) <= tolerance


SETS = {
    "normal": lambda rng: rng.normal(size=(rng.integers(3, 300), 2)),
    "square": lambda rng: rng.random((rng.integers(3, 300), 2)),
    "circle": lambda rng: turned(circle(rng.integers(3, 300)), rng.random()),
    "lattice": lambda rng: rng.integers(-3, 4, (rng.integers(20, 200), 2)).astype(float),
    "turned sides": lambda rng: turned(square_with_points_on_its_sides(rng), rng.random()),
    "near line": lambda rng: turned(rng.normal(size=(100, 2)) * [1.0, 1e-11], rng.random()),
    "clusters": lambda rng: circle(5)[rng.integers(0, 5, 200)] + 1e-9 * rng.normal(size=(200, 2)),
    "parabola": lambda rng: np.linspace(-1.0, 1.0, 60)[:, None] ** [1, 2],
    "arc and a far point": lambda rng: np.concatenate(
        (np.linspace(0.0, 1.0, 300)[:, None] ** [1, 2] * [1, -1], [[1.5, 5.0]])
    ),
    "far off": lambda rng: rng.normal(size=(80, 2)) + 1e6,
    "huge": lambda rng: rng.normal(size=(80, 2)) * 1e9,
    "tiny": lambda rng: rng.normal(size=(80, 2)) * 1e-9,
}


@pytest.mark.parametrize("name", SETS)
def test_hulls_are_certified_and_equal_to_qhulls(name):
    rng = np.random.default_rng(5)
    sets = [SETS[name](rng) for _ in range(12)]
    for points, hull in zip(sets, planar_hulls(sets), strict=True):
        assert hull.dimension == 2
        agrees_with_qhull(check(hull))
        alone = planar_hull(points)
        assert all(np.array_equal(getattr(hull, field), getattr(alone, field)) for field in FIELDS)


@pytest.mark.parametrize("name", SETS)
def test_flat_hulls_in_space_have_the_same_measures(name):
    points = SETS[name](np.random.default_rng(6))
    ours, theirs = planar_hull(points), convex_hull(np.pad(points, ((0, 0), (0, 1))))
    assert ours.dimension == theirs.dimension == 2
    assert ours.tolerance == theirs.tolerance
    assert 2.0 * ours.area == pytest.approx(theirs.area, rel=1e-12, abs=8 * ours.tolerance * ours.perimeter)
    assert np.allclose(ours.centroid, theirs.centroid[:2], rtol=0, atol=1e-4 * np.ptp(points, axis=0).max())
    if name not in ("turned sides", "near line"):  # there noise decides which of two corners stays
        assert ours.vertices.tolist() == theirs.vertices.tolist()


def test_corners_that_are_rounding_noise_are_left_out():
    rng = np.random.default_rng(3)
    for angle in rng.random(40):
        assert len(check(planar_hull(turned(square_with_points_on_its_sides(rng), angle))).vertices) == 4
        rounded = turned(square_with_points_on_its_sides(rng), angle).astype(np.float32)
        assert len(check(planar_hull(rounded)).vertices) == 4
    assert len(planar_hull(circle(4000)).vertices) == 4000


def test_noise_is_no_corner_wherever_the_outline_starts():
    rng = np.random.default_rng(4)
    for _ in range(20):
        points = square_with_points_on_its_sides(rng)
        points[:200] += rng.normal(size=(200, 2)) * 1e-16
        assert len(check(planar_hull(points)).vertices) == 4


def test_turns_are_exact():
    rng = np.random.default_rng(13)
    far = rng.integers(-(2**52), 2**52, (2000, 2, 2))
    # A third point within a step or two of the line through the others, and one on the line wherever there is one.
    t = rng.random((2000, 1))
    near = np.rint(far[:, 0] + t * (far[:, 1] - far[:, 0])) + rng.integers(-1, 2, (2000, 2))
    triples = np.concatenate((far, near[:, None].astype(np.int64)), axis=1)
    small = rng.integers(-3, 4, (500, 3, 2))
    triples = np.concatenate((triples, small, small * 2**49, [[[0, 0], [2**51, 2**50 + 1], [2, 1]]] * 2))
    a, b, c = triples.transpose(1, 0, 2)
    u, v = (b - a).astype(object), (c - a).astype(object)
    exact = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] > 0).astype(bool)
    assert 1000 < exact.sum() < 2000
    assert np.array_equal(left_turn(*(p.astype(np.float64) for p in (a, b, c))), exact)


@pytest.mark.parametrize("worth", [1, 32, 10**9])
def test_rounds_and_scan_find_the_same_strict_corners(worth, monkeypatch):
    monkeypatch.setattr(hull_chain, "_ROUND_WORTH", worth)
    rng = np.random.default_rng(14)
    sets = [np.unique(rng.integers(-5, 6, (rng.integers(1, 90), 2)), axis=0).astype(float) for _ in range(30)]
    start = np.cumsum([0, *map(len, sets)])
    corner, owner = hull_chain.outlines(np.concatenate(sets), start)
    for index, points in enumerate(sets):
        hull = planar_hull(points)
        assert (corner[owner == index] - start[index]).tolist() == hull.outline.tolist()


@pytest.mark.parametrize("scale", [1, 10**6, 2**46])
def test_lattice_hulls_are_exact(scale):
    rng = np.random.default_rng(9)
    for _ in range(60):
        reach = int(rng.choice([1, 2, 5, 40]))
        integers = rng.integers(-reach, reach + 1, (rng.integers(1, 60), 2)) * scale
        hull = check(planar_hull(integers))
        exact = [tuple(map(int, row)) for row in integers]
        ring = [exact[index] for index in hull.outline]
        if hull.dimension < 2:
            assert len(ring) == min(2, len(set(exact)))
            continue
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            side = {p: (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) for p in exact}
            assert min(side.values()) == 0  # nothing outside
            on_line = [p for p, height in side.items() if height == 0]
            assert {min(on_line), max(on_line)} == {(ax, ay), (bx, by)}  # ends are the extreme points
        rolled = ring[1:] + ring[:1]
        doubled = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, rolled, strict=True))
        assert Fraction(hull.area) == Fraction(doubled, 2)


@settings(max_examples=200, deadline=None)
@given(
    arrays(
        np.float64,
        st.tuples(st.integers(1, 12), st.just(2)),
        elements=st.one_of(
            st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e-16, 1 + 2**-52, 0.1, 0.2, 0.1 + 0.2, 1e8, 5e-324]),
            st.floats(-1e3, 1e3, allow_subnormal=False),
        ),
    )
)
def test_hulls_never_fail_on_degenerate_sets(points):
    check(planar_hull(points))


def test_extreme_scales():
    simplex = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.25, 0.25]])
    for scale in (1e-300, 1e-160, 1e160, 1e300):
        hull = planar_hull(simplex * scale)
        assert hull.outline.tolist() == [0, 1, 2]
        assert np.allclose(hull.centroid / scale, 1 / 3, atol=1e-6)


def test_degenerate_dimensions():
    segment = check(planar_hull([[1, 1], [3, 3], [2, 2], [3, 3]]))
    assert segment.dimension == 1 and segment.edges.tolist() == [[0, 1], [1, 0]]
    assert segment.perimeter == pytest.approx(4 * math.sqrt(2)) and segment.centroid.tolist() == [2, 2]
    assert check(planar_hull([[4, 5], [4, 5]])).dimension == 0
    assert check(planar_hull([[1.0 + 1e-15, 1.0], [1.0, 1.0]])).dimension == 0
    assert planar_hulls([]) == []


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "points: empty"),
        ([[1, 2, 3]], r"points: shape \(1, 3\)"),
        ([[0, 0], [0, np.nan]], "points: row 1 is not finite"),
        ([["a", "b"]], "points: not an array"),
        ([[1j, 0]], "points: not an array"),
    ],
)
def test_bad_input_is_named(points, message):
    with pytest.raises(ValueError, match=message):
        planar_hull(points)
    with pytest.raises(ValueError, match=r"points\[1\]"):
        planar_hulls([[[0, 0]], points])


def test_a_chain_that_loses_one_point_at_a_time_takes_no_time():
    x = np.linspace(0.0, 1.0, 100_000)
    arc = np.stack((x, -x * x), axis=1)
    assert planar_hull(np.concatenate((arc, [[1.5, 5.0]]))).outline.tolist() == [0, 99_999, 100_000]


def test_convex_outlines():
    rng = np.random.default_rng(12)
    for _ in range(100):
        hull = planar_hull(rng.normal(size=(rng.integers(3, 40), 2)))
        outline = hull.points[hull.outline] + rng.choice([0.0, 100.0])
        # Corners on the sides, and repeated ones, change nothing; nor does the way around, or a turn.
        fraction = rng.random((len(outline), 1))
        on_sides = outline + fraction * (np.roll(outline, -1, axis=0) - outline)
        outline = np.stack((outline, on_sides), axis=1).reshape(-1, 2)
        outline = np.repeat(outline, rng.integers(1, 3, len(outline)), axis=0)
        for same in (outline, outline[::-1], turned(outline, 0.7), np.roll(outline, 3, axis=0)):
            assert is_convex(same) and is_convex(same.astype(np.float32))
        center, at = outline.mean(axis=0), int(rng.integers(len(outline)))
        dent = outline[at] + 1e-6 * (center - outline[at])
        assert not is_convex(np.insert(outline, at, [dent, outline[at]], axis=0))
        assert not is_convex(np.concatenate((outline, outline)))  # twice around
    assert not is_convex(circle(5)[[0, 2, 4, 1, 3]])
    assert not is_convex([[0, 0], [2, 0], [2, 2], [1, 2 - 1e-9], [0, 2]])
    assert is_convex([[0, 0], [2, 0], [2, 2], [1, 2 - 1e-16], [0, 2]])
    assert not is_convex([[0, 0], [2, 0], [2, 2], [2, 1], [0, 2]])  # all corners on the boundary
    assert is_convex([[0, 0], [1, 1], [3, 3], [2, 2]]) and not is_convex([[0, 0], [2, 2], [1, 1], [3, 3]])
    assert is_convex([[1, 1]]) and is_convex([[1, 1], [1, 1]])
