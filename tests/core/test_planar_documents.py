# SPDX-License-Identifier: GPL-3.0-or-later
"""Worked examples of two documents of docs/sources.md in the plane, verdicts in rationals; what shapes refuse."""

from fractions import Fraction

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from tests.helpers.offline import many, offline, slow
from tests.helpers.planar_bodies import rotation

TINY = 1e-12
RNG = np.random.default_rng(11)
COUNT = 2_000


@pytest.mark.parametrize("count", [COUNT, *slow(100_000)])
def test_circles_by_squared_distance(count):
    """Of the section "Circles" of the 2022 document: on a lattice, in integers; touching is contact here."""
    place, radius = RNG.integers(-9, 10, (2, count, 2)), RNG.integers(0, 8, (2, count))
    square = ((place[0] - place[1]) ** 2).sum(axis=1) - radius.sum(axis=0) ** 2
    a, b = (planar.Circles(p, r) for p, r in zip(place, radius, strict=True))
    np.testing.assert_array_equal(planar.overlap(a, b), square <= 0)
    np.testing.assert_array_equal(planar.classify(a, b) == ck.Verdict.TOUCHING, square == 0)


@pytest.mark.parametrize("count", [COUNT, *slow(100_000)])
def test_boxes_by_their_bounds(count):
    """Of the section "AABB" of the 2022 document: `a.min > b.max` and the like, no overlap."""
    corners = np.sort(RNG.integers(-9, 10, (2, 2, count, 2)), axis=1) / 10.0
    a, b = (planar.AABBs(*sides) for sides in corners)
    (low_a, high_a), (low_b, high_b) = corners
    apart = (low_a > high_b).any(axis=1) | (high_a < low_b).any(axis=1)
    np.testing.assert_array_equal(planar.overlap(a, b), ~apart)
    np.testing.assert_array_equal(planar.distance(a, b).distance > 1e-12, apart)


def separation(va, vb):
    """`ComputeSeparation`: the largest over A's edges of the least signed distance of B's corners."""
    along = np.roll(va, -1, axis=0) - va
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
    return (normal @ vb.T - (normal * va).sum(axis=1)[:, None]).min(axis=1).max()


def separation_behind(va, vb):
    """The same against the normals of A's edges: from B's farthest corner up to A's lowest."""
    along = np.roll(va, -1, axis=0) - va
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
    return ((normal @ va.T).min(axis=1) - (normal @ vb.T).max(axis=1)).max()


def test_signed_edge_separation_of_transformed_polygons():
    """The section "Convex polygons (SAT)" of the 2022 document: the greater of the two separations is the gap."""
    shapes = [[convex(RNG, RNG.integers(3, 9)) for _ in range(200)] for _ in range(2)]
    place, angle = RNG.uniform(-1, 1, (2, 200, 2)), RNG.uniform(0, 7, (2, 200))
    a, b = (planar.Polygons(s, p, t) for s, p, t in zip(shapes, place, angle, strict=True))
    found = planar.separating_axis(a, b)
    for row in range(200):
        va, vb = (s[row] @ rotation(t[row]).T + p[row] for s, p, t in zip(shapes, place, angle, strict=True))
        both = separation(va, vb), separation(vb, va)
        # Apart against the normal of an edge is apart as well.
        behind = separation_behind(va, vb), separation_behind(vb, va)
        ways = (max(both[0], behind[0]), max(both[1], behind[1])) if max(both) > 0.0 else both
        assert found.gap[row] == pytest.approx(max(ways), abs=TINY)
        assert (found.feature_a[row, 0] == ck.FeatureKind.EDGE) == (ways[0] >= ways[1] - 1e-14)
        assert (both[0] < 0.0 and both[1] < 0.0) == planar.overlap(a, b, [[row, row]])[0]


def convex(rng, corners):
    angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners))
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.3, 1.0, 2)


def rectangles(count):
    place, half, angle = (
        RNG.uniform(-2, 2, (2, count, 2)),
        RNG.uniform(0.1, 1.5, (2, count, 2)),
        RNG.uniform(0, 7, (2, count)),
    )
    sides = [
        np.stack([rotation(t) * h for t, h in zip(ts, hs, strict=True)]) for ts, hs in zip(angle, half, strict=True)
    ]
    return [planar.Rectangles(*each) for each in zip(place, half, angle, strict=True)], place, sides


def test_two_rectangles_by_four_axes():
    """doc4code 2011, "Rectangle vs rectangle in 2D space", its table of conditions, sides not of unit length."""
    (a, b), place, (sides_a, sides_b) = rectangles(60)
    gap, overlap = planar.separating_axis(a, b).gap, planar.overlap(a, b)
    for row in range(60):
        d, (sa, sb) = place[0, row] - place[1, row], (sides_a[row].T, sides_b[row].T)
        axes = [*sa, *sb]
        reach = [sum(abs(side @ axis) for side in (*sa, *sb)) for axis in axes]
        conditions = [abs(d @ axis) <= most for axis, most in zip(axes, reach, strict=True)]
        assert all(conditions) == overlap[row]
        gaps = [(abs(d @ axis) - most) / np.hypot(*axis) for axis, most in zip(axes, reach, strict=True)]
        assert gap[row] == pytest.approx(max(gaps), abs=TINY)
        found = planar.candidate_axes(a, b, [[row, row]])
        tested = found.status == planar.AxisStatus.TESTED
        assert tested.sum() == 4 and (found.status[~tested] == planar.AxisStatus.PARALLEL).all()
        assert sorted(found.gap[tested]) == pytest.approx(sorted(gaps), abs=TINY)


def test_two_swept_rectangles_by_entry_and_exit():
    """doc4code 2011, "Dynamic intersection test": t_min and t_max over the four axes, and 0 and 1."""
    (a, b), place, (sides_a, sides_b) = rectangles(200)
    speed = RNG.normal(size=(2, 200, 2)) * 2.0
    found = planar.time_of_impact(a, b, velocity_a=speed[0], velocity_b=speed[1])
    evidence = planar.candidate_axes(a, b, velocity_a=speed[0], velocity_b=speed[1])
    for row in range(200):
        d, v = place[0, row] - place[1, row], speed[0, row] - speed[1, row]
        sa, sb = sides_a[row].T, sides_b[row].T
        times = []
        for axis in (*sa, *sb):
            reach, rate = sum(abs(side @ axis) for side in (*sa, *sb)), v @ axis
            times.append((-(d @ axis) / rate - reach / abs(rate), -(d @ axis) / rate + reach / abs(rate)))
        begin, end = max(0.0, *(t[0] for t in times)), min(1.0, *(t[1] for t in times))
        assert found.hit[row] == (begin <= end)
        if found.hit[row]:
            assert found.time[row] == pytest.approx(begin, abs=1e-11)
        own = (evidence.pair == row) & (evidence.status == planar.AxisStatus.TESTED)
        assert sorted(evidence.entry[own]) == pytest.approx(sorted(t[0] for t in times), rel=1e-9, abs=1e-9)
        assert sorted(evidence.exit[own]) == pytest.approx(sorted(t[1] for t in times), rel=1e-9, abs=1e-9)


def exact_gap_sign(p, q):
    """Sign of the gap of two convex outlines of floats, in rationals: no square root is needed for a sign."""
    gaps = []
    for own, other in ((p, q), (q, p)):
        for (ax, ay), (bx, by) in zip(own, [*own[1:], own[0]], strict=True):
            gaps.append(min((by - ay) * (x - ax) - (bx - ax) * (y - ay) for x, y in other))
    return max((g > 0) - (g < 0) for g in gaps)


@pytest.mark.parametrize("count", [120, *slow(2_000), *offline(100_000)])
def test_verdicts_are_exact_beyond_rounding(count):
    """Lattice polygons, moved apart by what may be nothing, in rationals of the very floats that are given."""
    outlines = [[], []]
    for side in outlines:
        while len(side) < count:
            points = RNG.integers(-3, 4, (6, 2))
            hull = planar.convex_hull(points)
            if hull.dimension == 2:
                side.append(points[hull.outline] / 3.0)
    shift = RNG.integers(-6, 7, (count, 2)) / 3.0 * RNG.choice([1.0, 1.0 + 1e-15, 1.0 - 1e-9], (count, 1))
    moved = [outline + step for outline, step in zip(outlines[1], shift, strict=True)]
    a, b = planar.Polygons(outlines[0]), planar.Polygons(moved)
    gap, rounding = planar.separating_axis(a, b).gap, planar.distance(a, b).rounding
    overlap = planar.overlap(a, b)
    certain = np.abs(gap) > rounding
    assert 0.5 < certain.mean() < 1.0
    for row in np.flatnonzero(certain):
        p, q = ([tuple(map(Fraction, corner)) for corner in ring.tolist()] for ring in (outlines[0][row], moved[row]))
        assert np.sign(gap[row]) == exact_gap_sign(p, q)
        assert overlap[row] == (exact_gap_sign(p, q) <= 0)
    assert overlap[~certain].all()


@pytest.mark.slow
@pytest.mark.parametrize("corners", [3, 8, 20])
def test_gap_and_distance_against_shapely(corners):
    shapely = pytest.importorskip("shapely")
    count = many(20_000, 100_000)
    sides = [
        np.array([convex(RNG, corners) for _ in range(count)]) + RNG.uniform(-1.2, 1.2, (count, 1, 2)) for _ in range(2)
    ]
    a, b = (planar.Polygons(list(side)) for side in sides)
    one, other = (shapely.polygons(side) for side in sides)
    np.testing.assert_array_equal(planar.overlap(a, b), shapely.intersects(one, other))
    np.testing.assert_allclose(
        np.maximum(planar.distance(a, b).distance, 0.0), shapely.distance(one, other), atol=1e-12
    )
    np.testing.assert_array_equal(planar.contains(a, b), shapely.covers(one, other))


def test_no_candidate_axes_have_the_types_of_many():
    a, b = planar.Rectangles([[0, 0]], [[1, 1]]), planar.Circles([[3, 0]], [1])
    some, none = vars(planar.candidate_axes(a, b)), vars(planar.candidate_axes(a, b, []))
    assert [(name, value.dtype, value.shape[1:]) for name, value in some.items()] == [
        (name, value.dtype, value.shape[1:]) for name, value in none.items()
    ]
    assert not any(map(len, none.values()))


def test_concentric_circles_part_upwards():
    found = planar.distance(planar.Circles([[1, 2]], [1]), planar.Circles([[1, 2]], [2]))
    assert found.distance.tolist() == [-3.0] and found.normal.tolist() == [[0.0, 1.0]]
    axes = planar.candidate_axes(planar.Circles([[1, 2]], [1]), planar.Circles([[1, 2]], [2]))
    assert axes.status.tolist() == [planar.AxisStatus.DEGENERATE]


def test_features_go_by_the_corners_given():
    """A clockwise square with a corner repeated and one on a side; a triangle stands on it with its tip."""
    square = [(1, 1), (1, 1), (1, -1), (0, -1), (-1, -1), (-1, 1)]
    tip = [(0, 0.9), (0.5, 2), (-0.5, 2)]
    touch = planar.contacts(planar.Polygons([square]), planar.Polygons([tip]))
    assert touch.feature_a.tolist() == [[ck.FeatureKind.EDGE, 5]] and touch.feature_b.tolist() == [
        [ck.FeatureKind.VERTEX, 0]
    ]
    assert touch.type.tolist() == [ck.ContactType.POINT_EDGE]
    flat = planar.contacts(planar.Polygons([square]), planar.AABBs([[0.5, 0.9]], [[3, 2]]))
    assert flat.feature_a.tolist() in ([[1, 5], [0, 0]], [[0, 0], [1, 5]]) and len(flat) == 2


def test_work_is_counted():
    a, b = (
        planar.Circles(np.zeros((3, 2)), np.ones(3)),
        planar.AABBs([[5, 5], [-0.1, -0.1], [0.9, 0.0]], [[6, 6], [0.1, 0.1], [1, 1]]),
    )
    with ck.QueryStats() as work:
        assert planar.overlap(a, b).tolist() == [False, True, True]
    assert work.pairs == 3 and work.resolved_by == {"inner circles": 1, "bounding boxes": 1, "exact": 1}


def test_materials_come_with_contacts():
    slippery = ck.Materials(friction=0.04, restitution=0.9)
    touch = planar.contacts(planar.Circles([[0, 0]], [1], materials=slippery), planar.AABBs([[0.5, 0]], [[2, 2]]))
    assert touch.friction == pytest.approx([np.sqrt(0.04 * 0.5)]) and touch.restitution.tolist() == [0.9]


def test_sweep_and_prune_finds_the_overlapping_bounds():
    place = RNG.uniform(0, 5, (60, 2))
    shapes = planar.Circles(place, np.full(60, 0.3))
    lower, upper = planar.bounds(shapes)
    every = np.array(np.triu_indices(60, 1)).T
    meets = ((lower[every[:, 0]] <= upper[every[:, 1]]) & (lower[every[:, 1]] <= upper[every[:, 0]])).all(axis=1)
    np.testing.assert_array_equal(planar.sweep_and_prune(lower, upper), every[meets])


DART = [(0, 0), (2, 1), (0, 2), (1, 1)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: planar.Circles([[0, 0], [0, np.inf]], [1, 1]), "center: row 1 is not finite"),
        (lambda: planar.Circles([[0, 0]], [-1]), "radius: row 0 is negative"),
        (lambda: planar.Circles([[0, 0, 0]], [1]), r"center: shape \(1, 3\)"),
        (lambda: planar.AABBs([[0, 2]], [[1, 1]]), "lower: row 0 is above its upper bound"),
        (lambda: planar.Rectangles([[0, 0]], [[1, -1]]), "half_extents: row 0 is negative"),
        (lambda: planar.Rectangles([[0, 0]] * 3, [[1, 1]], [1, 2]), "angle: 2 rows, but center has 3"),
        (lambda: planar.Polygons([DART[:3], DART]), "outlines: row 1 is not convex; planar.Regions takes"),
        (lambda: planar.Polygons([[(0, 0)], []]), "outlines: row 1: empty"),
        (lambda: planar.Polygons([DART[:3]], [[0, 0], [1, 1]]), "translation: 2 rows, but outlines has 1"),
        (
            lambda: planar.Regions([(DART, []), ([(0, 0), (1, 1), (1, 0), (0, 1)], [])]),
            "regions: row 1: outline: edge 0 crosses",
        ),
        (lambda: planar.Regions([DART]), "regions: row 0 is not a pair"),
        (
            lambda: planar.contacts(planar.Circles([[0, 0]], [1]), planar.Circles([[0, 0]], [1]), margin=-1.0),
            "margin: -1",
        ),
        (
            lambda: planar.classify(planar.Circles([[0, 0]], [1]), planar.Circles([[0, 0]], [1]), touching=-1),
            "touching: -1",
        ),
        (
            lambda: planar.time_of_impact(
                planar.Circles([[0, 0]], [1]), planar.Circles([[0, 0]], [1]), velocity_a=[[0, 0], [1, 1]]
            ),
            "velocity_a: 2 rows",
        ),
        (
            lambda: planar.overlap(
                planar.Circles(np.zeros((2, 2)), [1, 1]), planar.Circles(np.zeros((3, 2)), [1, 1, 1])
            ),
            "a has 2 rows",
        ),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_shapes_of_space_are_no_shapes_of_the_plane():
    for question in (planar.overlap, planar.distance, planar.contacts, planar.time_of_impact, planar.candidate_axes):
        with pytest.raises(ck.UnsupportedPair, match="Spheres are no shapes of the plane"):
            question(planar.Circles([[0, 0]], [1]), ck.Spheres([[0, 0, 0]], [1]))


def test_nothing_is_beyond_the_tip_of_a_needle():
    """Separations from the sides of a sliver are next to nothing there; its tips have directions of their own."""
    needle = planar.Polygons([[(0, 0), (1, 1e-15), (2, 0)]])
    for other in (
        planar.Circles([[3, 0]], [0.5]),
        planar.Circles([[3, 0]], [0]),
        planar.AABBs([[2.5, -1]], [[4, 1]]),
        needle,
    ):
        moved = planar.Polygons([[(2.5, 0), (3, 1e-15), (4, 0)]]) if other is needle else other
        assert not planar.overlap(needle, moved)[0]
        assert planar.distance(needle, moved).distance[0] >= 0.5 - TINY
