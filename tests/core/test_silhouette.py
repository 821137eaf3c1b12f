# SPDX-License-Identifier: GPL-3.0-or-later
"""The areas that triangles cover and curves enclose, against points asked one by one and Shapely."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collision_kit.core import convex_hull
from collision_kit.core.planar import Regions, inside
from collision_kit.core.planar import convex_hull as planar_hull
from collision_kit.core.planar.polygon.union import MOST_EDGES, Crossing, TooDetailed, enclosed, silhouette
from tests.helpers.offline import slow

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_TRIANGLES = np.array([corner for a, b, c, d in QUADS for corner in ((a, b, c), (a, c, d))])


def area(regions):
    def of(ring):
        about = ring - ring[0]
        x, y = about.T
        return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2.0

    assert all(of(outline) > 0.0 and all(of(hole) < 0.0 for hole in holes) for outline, holes in regions)
    return sum(of(outline) + sum(map(of, holes)) for outline, holes in regions)


def held(regions, points):
    result = np.zeros(len(points), bool)
    for outline, holes in regions:
        result |= inside(outline, holes, points)
    return result


def in_triangles(points, triangles, place):
    """By the signs of three areas, in fractions."""
    for corners in triangles:
        a, b, c = ([Fraction(float(x)) for x in points[corner]] for corner in corners)
        p = [Fraction(float(x)) for x in place]
        turns = [(v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0]) for u, v in ((a, b), (b, c), (c, a))]
        whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if whole and (all(t >= 0 for t in turns) or all(t <= 0 for t in turns)):
            return True
    return False


def away_from_edges(points, triangles, places, distance):
    """Return which places are farther than this from every edge: there rounding decides nothing."""
    far = np.ones(len(places), bool)
    for corners in triangles:
        for u, v in zip(corners, np.roll(corners, -1), strict=True):
            a, along = points[u], points[v] - points[u]
            size = along @ along
            share = np.clip((places - a) @ along / size, 0.0, 1.0) if size else np.zeros(len(places))
            far &= np.hypot(*(places - a - share[:, None] * along).T) > distance
    return far


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 12), st.integers(1, 14), st.booleans())
def test_a_place_is_covered_exactly_if_a_triangle_covers_it(seed, count, number, on_grid):
    rng = np.random.default_rng(seed)
    points = rng.integers(-4, 5, (count, 2)).astype(float) if on_grid else rng.normal(size=(count, 2))
    triangles = rng.integers(0, count, (number, 3))
    found = silhouette(points, triangles)
    places = rng.uniform(-5, 5, (60, 2)) if on_grid else rng.normal(size=(60, 2)) * 1.3
    places = places[away_from_edges(points, triangles, places, 1e-4)]
    wanted = [in_triangles(points, triangles, place) for place in places]
    np.testing.assert_array_equal(held(found, places), wanted)
    if found:
        Regions(found)  # Takes them all, and none is refused.


@pytest.mark.parametrize("count", [50, *slow(150)])
def test_against_shapely_the_union_has_the_same_area(count):
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(5)
    for _ in range(count):
        points = rng.normal(size=(rng.integers(3, 30), 2)) * 10.0 ** rng.integers(-6, 7)
        triangles = rng.integers(0, len(points), (rng.integers(1, 40), 3))
        rings = [shapely.Polygon(points[corners]) for corners in triangles]
        union = shapely.unary_union([ring for ring in rings if ring.area > 0.0])
        found = silhouette(points, triangles)
        size = float(np.abs(points).max())
        parts = [shapely.Polygon(outline, holes).buffer(0) for outline, holes in found]
        off = shapely.unary_union(parts).symmetric_difference(union).area if parts else union.area
        # A few steps of the grid along the whole rim.
        assert off <= 16 * 2.0**-23 * size * (union.length + size)


def test_corners_are_those_of_the_input_where_nothing_crosses():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(6, 2))
    ring = np.array([[0.0, 0.0], [4.0, 0.1], [4.1, 4.0], [0.3, 4.2]])
    both = np.concatenate([ring, 0.5 * ring + 1.0])
    frame = [(k, (k + 1) % 4, 4 + (k + 1) % 4) for k in range(4)] + [(k, 4 + (k + 1) % 4, 4 + k) for k in range(4)]
    ((outline, holes),) = silhouette(both, frame)
    assert {tuple(p) for p in outline} == {tuple(p) for p in ring}
    assert {tuple(p) for p in holes[0]} == {tuple(p) for p in both[4:]}
    assert len(holes) == 1
    assert silhouette(points, np.empty((0, 3), int)) == []


@pytest.mark.parametrize("seed", range(8))
def test_a_convex_solid_has_the_outline_of_its_hull(seed):
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0].astype(np.float32).astype(float)
    flat = (CUBE @ turn.T)[:, :2]
    ((outline, holes),) = silhouette(flat, CUBE_TRIANGLES, tidy=True)
    hull = planar_hull(flat.astype(np.float32))
    assert not holes
    assert area([(outline, [])]) == pytest.approx(hull.area, rel=1e-6)
    assert len(outline) == len(hull.outline)


@pytest.mark.parametrize("noise", [0.0, 1e-8, 1e-7, 3e-6])
def test_an_upright_box_leaning_by_rounding_is_a_square(noise):
    turn = np.array([[np.cos(0.7), -np.sin(0.7), noise], [np.sin(0.7), np.cos(0.7), 2 * noise], [noise, 0.0, 1.0]])
    ((outline, holes),) = silhouette((CUBE @ turn.T)[:, :2], CUBE_TRIANGLES, tidy=True)
    assert not holes
    assert area([(outline, [])]) == pytest.approx(4.0, abs=40.0 * max(noise, 1e-7))
    assert len(outline) == (4 if noise <= 1e-7 else 6)


def test_a_spiky_ball_is_one_region_and_its_far_points_are_on_its_rim():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(300, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    hull = convex_hull(points)
    triangles = np.array([(f[0], f[k], f[k + 1]) for f in hull.faces for k in range(1, len(f) - 1)])
    flat = (points * (1.0 + 0.2 * rng.random(300))[:, None])[:, :2]
    found = silhouette(flat, triangles)
    assert len(found) == 1
    for way in rng.normal(size=(40, 2)):
        assert (found[0][0] @ way).max() == pytest.approx((flat @ way).max(), rel=1e-6)


def test_curves_in_curves_are_holes_and_islands():
    squares = [np.array([[-k, -k], [k, -k], [k, k], [-k, k]], float) for k in (4, 3, 2, 1)]
    found = enclosed([squares[2], squares[0][::-1], squares[3], squares[1]])
    assert area(found) == 64 - 36 + 16 - 4
    assert sorted(len(holes) for _, holes in found) == [1, 1]


def test_what_touches_in_corners_or_along_sides_does_not_cross():
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    assert len(enclosed([square, square + 2.0])) == 2
    ((outline, holes),) = enclosed([square, square + np.array([2.0, 0.0])])
    assert area([(outline, holes)]) == 8.0
    assert area(enclosed([square * 2.0, square + np.array([0.0, 1.0])])) == 12.0
    assert enclosed([square, square]) == []
    assert enclosed([np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])]) == []
    assert enclosed([]) == []
    pinched = enclosed([2.0 * square, [[0.0, 0.0], [2.0, 1.0], [1.0, 2.0]]])
    assert area(pinched) == 16.0 - 1.5
    Regions(pinched)


def test_a_crossing_is_refused_with_its_place():
    with pytest.raises(Crossing) as refused:
        enclosed([[(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)]])
    np.testing.assert_allclose(refused.value.point, [2.0, 2.0])
    with pytest.raises(Crossing, match=r"\(1, 0\)|\(2, 0\)|\(1, 2\)|\(2, 2\)"):
        enclosed([[(0, 0), (4, 0), (4, 2), (0, 2)], [(1, -1), (2, -1), (2, 3), (1, 3)]])


def test_too_many_edges_are_refused_and_bad_input_is_named():
    count = MOST_EDGES // 3 + 1
    corners = np.arange(3 * count).reshape(-1, 3)
    x = np.repeat(np.arange(count), 3) * 2.0
    flat = np.stack([x + np.tile([0.0, 1.0, 0.0], count), np.tile([0.0, 0.0, 1.0], count)], axis=1)
    with pytest.raises(TooDetailed):
        silhouette(flat, corners)
    with pytest.raises(ValueError, match="points"):
        silhouette([[0.0, np.nan]], [])
    with pytest.raises(ValueError, match=r"rings\[1\]"):
        enclosed([[(0, 0), (1, 0), (0, 1)], [(0, np.inf)]])
