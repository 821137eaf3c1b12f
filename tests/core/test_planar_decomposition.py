# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex decomposition and points in regions, against exact rational arithmetic and against Shapely."""

import itertools
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collision_kit.core import planar
from collision_kit.core.planar.polygon import predicates
from collision_kit.core.planar.shapes import regions
from tests.helpers.offline import many

UNIT = [(0, 0), (4, 0), (4, 4), (0, 4)]
BOW_TIE = [(0, 0), (1, 1), (1, 0), (0, 1)]


def fractions(points):
    return [(Fraction(float(x)), Fraction(float(y))) for x, y in points]


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def doubled_area(ring):
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in itertools.pairwise([*ring, ring[0]]))


def location(rings, point):
    """1 inside, 0 on an edge, -1 outside, by even and odd, in rationals."""
    inside = False
    for ring in rings:
        for a, b in itertools.pairwise([*ring, ring[0]]):
            side = turn(a, b, point)
            box = all(min(a[k], b[k]) <= point[k] <= max(a[k], b[k]) for k in (0, 1))
            if side == 0 and box:
                return 0
            if (a[1] <= point[1]) != (b[1] <= point[1]) and (side > 0) == (b[1] > a[1]):
                inside = not inside
    return 1 if inside else -1


def check(outline, holes=()):
    """Assert, exactly, that the pieces are strictly convex, lie in the region, and have its area; return them."""
    pieces = planar.decompose(outline, holes)
    rings = [fractions(ring) for ring in (outline, *holes)]
    corners = {point for ring in rings for point in ring}
    area = abs(doubled_area(rings[0])) - sum(abs(doubled_area(ring)) for ring in rings[1:])
    exact_pieces = [fractions(piece) for piece in pieces]
    assert sum(doubled_area(piece) for piece in exact_pieces) == area
    for piece in exact_pieces:
        assert set(piece) <= corners
        around = [*piece, *piece[:2]]
        turns = [turn(*around[k : k + 3]) for k in range(len(piece))]
        assert min(turns) > 0
        assert piece[0] == min(piece)
        middle = tuple(sum(coordinate) / len(piece) for coordinate in zip(*piece, strict=True))
        assert location(rings, middle) == 1
        for a, b in itertools.pairwise([*piece, piece[0]]):
            assert all(
                location(rings, tuple(p + (q - p) * Fraction(k, 5) for p, q in zip(a, b, strict=True))) >= 0
                for k in (1, 4)
            )
    # Inside the region, of its area together, and pairwise apart: an exact cover.
    for one, other in itertools.combinations(exact_pieces, 2):
        assert any(
            all(turn(a, b, p) <= 0 for p in there)
            for here, there in ((one, other), (other, one))
            for a, b in itertools.pairwise([*here, here[0]])
        )
    return pieces


def reflex_corners(ring):
    ring = [p for k, p in enumerate(ring) if p != ring[k - 1]]
    sign = 1 if doubled_area(ring) > 0 else -1
    around = zip([ring[-1], *ring[:-1]], ring, [*ring[1:], ring[0]], strict=True)
    return sum(sign * turn(*corner) < 0 for corner in around)


def star(rng, corners, lattice=0):
    """A star-shaped outline around the origin; on a lattice it has many collinear and repeated corners."""
    while True:
        angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, corners))
        if np.diff(np.append(angle, angle[0] + 2.0 * np.pi)).max() < 3.0:
            break
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.4, 1.0, (corners, 1))
    # Without a lattice for the eye, on one so fine that the middles of sides are exact.
    return np.rint(points * lattice) if lattice else np.rint(points * 2.0**20) / 2.0**20


def is_simple_star(ring):
    """Whether each corner that is not repeated is counterclockwise of the one before, as seen from the origin."""
    around = fractions(ring)
    return all(a == b or turn((0, 0), a, b) > 0 for a, b in itertools.pairwise([*around, around[0]]))


def with_extras(rng, ring):
    """The same outline with corners on its sides, repeated ones, from anywhere on, either way around."""
    points = []
    for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        points += [a] * rng.integers(1, 3)
        if rng.random() < 0.3:
            points.append((a + b) / 2.0)
    points = np.roll(points, rng.integers(len(points)), axis=0)
    return points[:: rng.choice([-1, 1])]


def region(rng):
    """A random outline with collinear runs, and holes of which some touch it or each other at corners."""
    if rng.random() < 0.5:
        outline = with_extras(rng, star(rng, rng.integers(4, 24)) * 8.0)
        hole = star(rng, rng.integers(3, 9)) * 8.0 * 0.3
        holes = [with_extras(rng, hole)] if rng.random() < 0.7 and clear(outline, hole) else []
        return outline, holes
    # Cells of a chessboard: holes touch each other, and the outline, at corners.
    size = rng.integers(2, 6)
    outline = np.array([(0, 0), (size, 0), (size, size), (0, size)], dtype=float)
    holes = []
    for x, y in itertools.product(range(size), range(size)):
        if (x + y) % 2 and rng.random() < 0.6:
            cell = np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], dtype=float)
            holes.append(cell if rng.random() < 0.5 else (cell - [x, y]) * 0.5 + [x + 0.25, y + 0.25])
            if not (0 < x < size - 1 and 0 < y < size - 1) and rng.random() < 0.5:
                holes[-1] = cell[[0, 1, 2]] if rng.random() < 0.5 else cell[[0, 2, 3]]
    turned = np.array([[3.0, -4.0], [4.0, 3.0]]) if rng.random() < 0.3 else np.eye(2)
    return outline @ turned, [hole @ turned for hole in holes]


def clear(outline, hole):
    return bool(planar.inside(outline, [], hole, boundary=False).all()) and not crosses(outline, hole)


def crosses(one, other):
    try:
        planar.decompose(one, [other])
    except ValueError:
        return True
    return False


def test_the_worked_letters():
    ell = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    assert len(check(ell)) == 2
    assert len(check(UNIT)) == 1
    assert len(check(UNIT, [[(1, 1), (2, 1), (2, 2), (1, 2)]])) <= 4
    comb = [(0, 0), (7, 0), (7, 3), (6, 3), (6, 1), (5, 1), (5, 3), (4, 3), (4, 1), (3, 1), (3, 3), (0, 3)]
    assert len(check(comb)) <= 4


@pytest.mark.parametrize("corners", [3, 17, 200])
def test_a_convex_outline_is_one_piece(corners):
    angle = np.arange(corners) * (2.0 * np.pi / corners)
    ring = np.rint(np.stack([np.cos(angle), np.sin(angle)], axis=1) * 2.0**20)
    (piece,) = planar.decompose(with_extras(np.random.default_rng(1), ring))
    assert len(piece) == corners


def test_holes_may_touch_the_outline_and_each_other():
    corner = [(0, 0), (2, 1), (1, 2)]
    side = [(4, 2), (3, 3), (3, 1)]
    assert check(UNIT, [corner]) and check(UNIT, [side])
    assert check(UNIT, [[(1, 1), (2, 2), (1, 2)], [(2, 2), (3, 2), (3, 3)]])
    # A hole from side to side leaves two parts, one along a side of the outline leaves a shorter outline.
    assert len(check(UNIT, [[(0, 2), (2, 1), (4, 2), (2, 3)]])) >= 2
    assert check(UNIT, [[(0, 0), (4, 0), (4, 1), (0, 1)]])


def test_an_outline_may_touch_itself():
    assert len(check([(0, 0), (1, 1), (2, 0), (2, 2), (1, 1), (0, 2)])) == 2
    # Out and back along a bridge to what is really a hole.
    keyhole = [*UNIT, (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
    assert sum(doubled_area(fractions(piece)) for piece in planar.decompose(keyhole)) == 24
    spike = [(0, 0), (4, 0), (6, 0), (4, 0), (4, 4), (0, 4)]
    assert sum(doubled_area(fractions(piece)) for piece in planar.decompose(spike)) == 32


@pytest.mark.parametrize(
    ("outline", "holes", "message"),
    [
        (BOW_TIE, [], r"outline: edge 0 crosses edge 2 at \(0\.5, 0\.5\)"),
        (UNIT, [[(1, 1), (6, 1), (6, 2)]], r"outline: edge 1 crosses edge \d of holes\[0\] at \(4, 1"),
        (UNIT, [[(5, 5), (6, 5), (6, 6)]], r"holes\[0\]: reaches outside outline"),
        (UNIT, [[(1, 1), (3, 1), (3, 3)], [(1.5, 1.2), (2.5, 1.2), (2.5, 1.8)]], r"holes\[1\]: overlaps holes\[0\]"),
        (UNIT, [UNIT], "outline: its holes leave nothing of it"),
        (UNIT, [[(1, 1), (2, 2), (3, 3)]], r"holes\[0\]: encloses no area"),
        ([(0, 0), (1, 0), (2, 0)], [], "outline: encloses no area"),
        ([(1, 2)], [], "outline: encloses no area"),
        ([(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 2)], [], r"outline: crosses itself at corners 1 and 4, \(1, 1\)"),
        (UNIT * 2, [], "outline: goes around the same area more than once|outline: crosses itself at corners"),
        ([(0, 0), (1, np.nan), (1, 1)], [], "outline: row 1 is not finite"),
        (UNIT, [np.zeros((2, 3))], r"holes\[0\]: shape \(2, 3\)"),
        ([], [], "outline: empty"),
    ],
)
def test_bad_outlines_are_refused_by_name(outline, holes, message):
    with pytest.raises(ValueError, match=message):
        planar.decompose(outline, holes)


def test_crossings_below_any_rounding_are_seen():
    """A corner one float beyond a far side, where a determinant in floats is nothing but rounding."""
    step = np.nextafter(1.0, 2.0)
    across = [(1.0 / 3.0, 0.2), (0.9, step), (0.5, 0.4)]
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    with pytest.raises(ValueError, match=r"crosses edge \d of holes\[0\]"):
        planar.decompose(square, [across])
    across[1] = (0.9, 1.0)
    check(square, [across])


@pytest.mark.parametrize("seed", range(25))
def test_random_regions_are_covered_exactly(seed):
    rng = np.random.default_rng(seed)
    outline, holes = region(rng)
    check(outline, holes)


@pytest.mark.parametrize("seed", range(20))
def test_there_are_no_more_pieces_than_hertel_and_mehlhorn_promise(seed):
    rng = np.random.default_rng(seed)
    corners, lattice = rng.integers(5, 40), rng.choice([0, 30])
    outline = next(ring for _ in range(1000) if is_simple_star(ring := star(rng, corners, lattice=lattice)))
    pieces = planar.decompose(outline)
    reflex = reflex_corners(fractions(outline))
    # Every cut can end the concavity of two corners at best.
    assert (reflex + 1) // 2 + 1 <= len(pieces) <= 2 * reflex + 1 or reflex == 0


def test_scale_and_place_change_nothing():
    outline = np.array([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], dtype=float)
    pieces = planar.decompose(outline)
    for scale in (2.0**-1000, 2.0**-40, 2.0**500):
        for piece, other in zip(pieces, planar.decompose(scale * outline), strict=True):
            np.testing.assert_array_equal(scale * piece, other)
    for piece, other in zip(pieces, planar.decompose(outline + 2.0**40), strict=True):
        np.testing.assert_array_equal(piece + 2.0**40, other)


def test_no_slivers_but_those_that_the_input_has():
    """Many cuts would do; the Delaunay ones make no piece thinner than a third of the teeth."""
    teeth = [(0.0, 0.0)] + [(x, y) for k in range(8) for x, y in ((k + 0.5, 1.0), (k + 1.0, 0.0))]
    outline = [*teeth, (8.0, -2.0), (0.0, -2.0)]
    for piece in planar.decompose(outline):
        normals = np.roll(piece, -1, axis=0) - piece
        normals = np.stack([normals[:, 1], -normals[:, 0]], axis=1) / np.hypot(*normals.T)[:, None]
        assert np.ptp(piece @ normals.T, axis=0).min() > 0.3


coordinate = st.one_of(st.integers(-4, 4).map(float), st.floats(-4, 4, allow_subnormal=True))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=9))
def test_any_outline_is_decomposed_or_refused_by_name(outline):
    try:
        pieces = planar.decompose(outline)
    except ValueError as error:
        assert "outline" in str(error)
        return
    assert sum(doubled_area(fractions(piece)) for piece in pieces) > 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=9), st.integers(0, 2**32))
def test_inside_is_exact(outline, seed):
    rng = np.random.default_rng(seed)
    ring = fractions(outline)
    corners = np.array(outline)
    on_sides = (corners + np.roll(corners, -1, axis=0)) / 2.0
    points = np.concatenate([corners, on_sides, np.nextafter(on_sides, 9.0), rng.uniform(-5.0, 5.0, (10, 2))])
    clear = np.array([location([ring], point) != 0 for point in fractions(points)])
    expected = np.array([location([ring], point) > 0 for point in fractions(points)])
    for boundary in (True, False):
        found = planar.inside(outline, [], points, boundary=boundary)
        np.testing.assert_array_equal(found[clear], expected[clear])


def test_what_has_no_width_is_no_part_of_a_region():
    """Points on sides that go out and back, and between holes side by side, as the bodies themselves take them."""
    spike = [(0, 0), (2, 0), (2, 1), (3, 1), (2, 1), (2, 2), (0, 2)]
    keyhole = [*UNIT, (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
    walls = [[(1, 1), (2, 1), (2, 2), (1, 2)], [(2, 1), (3, 1), (3, 2), (2, 2)]]
    for outline, holes, points, expected in (
        (spike, [], [(2.5, 1), (3, 1), (2, 1), (2, 0.5), (1, 1)], [False, False, True, True, True]),
        (keyhole, [], [(0.5, 0.5), (1, 1), (1, 2), (2, 2)], [True, True, True, False]),
        (UNIT, walls, [(2, 1.5), (2, 1), (1, 1.5), (1.5, 1.5)], [False, True, True, False]),
    ):
        assert planar.inside(outline, holes, points).tolist() == expected
        dots = planar.Circles(points, np.zeros(len(points)))
        assert planar.overlap(planar.Regions([(outline, holes)]), dots).tolist() == expected
    assert planar.inside(keyhole, [], [(0.5, 0.5), (1, 2)], boundary=False).tolist() == [True, False]


def test_points_in_holes_are_outside_and_on_their_edges_as_the_boundary_says():
    holes = [[(1, 1), (3, 1), (3, 3), (1, 3)]]
    points = [(2, 2), (0.5, 0.5), (1, 2), (4, 4), (5, 5)]
    assert planar.inside(UNIT, holes, points).tolist() == [False, True, True, True, False]
    assert planar.inside(UNIT, holes, points, boundary=False).tolist() == [False, True, False, False, False]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=6, max_size=6))
def test_orientation_is_the_sign_of_the_rational_determinant(numbers):
    a, b, c = (np.array([numbers[k : k + 2]]) for k in (0, 2, 4))
    expected = turn(*(fractions(point)[0] for point in (a, b, c)))
    assert predicates.orientation(a, b, c)[0] == (expected > 0) - (expected < 0)


@pytest.mark.slow
def test_areas_and_covers_are_those_of_shapely():
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(7)
    for _ in range(many(1_000, 10_000)):
        outline, holes = region(rng)
        pieces = planar.decompose(outline, holes)
        polygon = shapely.Polygon(outline)
        for hole in holes:
            polygon = polygon.difference(shapely.Polygon(hole))
        ours = shapely.polygons([shapely.linearrings(piece) for piece in pieces])
        assert shapely.area(ours).sum() == pytest.approx(polygon.area, rel=1e-12)
        assert shapely.union_all(ours).symmetric_difference(polygon).area <= 1e-12 * polygon.area
        assert (shapely.area(shapely.convex_hull(ours)) <= shapely.area(ours) * (1.0 + 1e-12)).all()


@pytest.mark.slow
def test_many_random_regions_are_covered_exactly():
    for seed in range(25, many(300, 1000)):
        print(seed)  # the last one printed is the one that fails
        check(*region(np.random.default_rng(seed)))


def comb(teeth):
    """Teeth of which all begin at one height, lying on their side."""
    tooth = [(1.0, 0.0), (9.0, 0.0), (9.0, 1.0), (1.0, 1.0)]
    corners = [(x, y + 2.0 * k) for k in range(teeth) for x, y in tooth]
    return [(0.0, 0.0), *corners, (0.0, 2.0 * teeth - 1.0)]


def plate(rows, jitter=0.0, turned=0.0):
    """A plate with rows of round holes."""
    rng = np.random.default_rng(rows)
    angle = np.arange(8) * (2.0 * np.pi / 8.0)
    ring = 0.3 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    turn = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
    places = np.stack(np.meshgrid(np.arange(rows), np.arange(rows)), axis=-1).reshape(-1, 2) + 0.5
    holes = [ring + place for place in places + rng.uniform(-jitter, jitter, places.shape)]
    return np.array([(0, 0), (rows, 0), (rows, rows), (0, rows)]) @ turn, [hole @ turn for hole in holes]


def maze(cells, seed=0):
    """The outline of a random tree of corridors on a lattice."""
    rng, size = np.random.default_rng(seed), int(cells**0.5)
    stack, seen, floor = [(0, 0)], {(0, 0)}, {(0, 0)}
    while stack:
        x, y = stack[-1]
        around = [(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        free = [(a, b) for a, b in around if 0 <= a < size and 0 <= b < size and (a, b) not in seen]
        if not free:
            stack.pop()
            continue
        a, b = free[rng.integers(len(free))]
        seen.add((a, b))
        floor |= {(2 * a, 2 * b), (x + a, y + b)}
        stack.append((a, b))
    following = {}
    for x, y in floor:
        corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            if (x + dx, y + dy) not in floor:
                following[corners[side]] = corners[(side + 1) % 4]
    outline = [min(following)]
    while following[outline[-1]] != outline[0]:
        outline.append(following[outline[-1]])
    return np.array(outline, dtype=float)


def spiral(corners):
    angle = np.linspace(0.0, 6.0 * np.pi, corners // 2)
    arm = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    radius = (1.0 + angle)[:, None]
    return np.concatenate([radius * arm, ((radius - 1.0) * arm)[::-1]])


def sides_with_corners(corners):
    """A square with many corners on its sides, of which most triangulations are far from Delaunay."""
    along = np.arange(corners // 4) / (corners // 4)
    zero, one = np.zeros_like(along), np.ones_like(along)
    return np.concatenate([np.c_[along, zero], np.c_[one, along], np.c_[1.0 - along, one], np.c_[zero, 1.0 - along]])


def slits(rows):
    """A turned plate with long thin holes, of which the ends see the corners of many others."""
    turn = np.array([[0.8, 0.6], [-0.6, 0.8]])
    holes = [np.array([(1, y), (999, y), (999, y + 1), (1, y + 1)]) @ turn for y in range(1, 2 * rows, 2)]
    return np.array([(0, 0), (1000, 0), (1000, 2 * rows + 2), (0, 2 * rows + 2)]) @ turn, holes


def circle(corners):
    angle = np.arange(corners) * (2.0 * np.pi / corners)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def calls(function, *arguments, within=None):
    """Return how many functions a call calls, of Python and of C; of C from one code only."""
    count = 0

    def called(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call") if within is None else event == "c_call" and frame.f_code is within

    sys.setprofile(called)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return count


KINDS = {
    "star": lambda n: (star(np.random.default_rng(n), n), []),
    "comb": lambda n: (comb(n // 4), []),
    "comb on its back": lambda n: (np.array(comb(n // 4))[:, ::-1], []),
    "maze": lambda n: (maze(n // 4), []),
    "spiral": lambda n: (spiral(n), []),
    "circle": lambda n: (circle(n), []),
    "plate": lambda n: plate(int((n / 8) ** 0.5)),
    "turned plate": lambda n: plate(int((n / 8) ** 0.5), 0.15, 0.3),
    "sides with corners": lambda n: (sides_with_corners(n), []),
    "slits": lambda n: slits(n // 4),
}


@pytest.mark.parametrize("kind", KINDS)
def test_shapes_of_many_kinds_are_covered_exactly(kind):
    outline, holes = KINDS[kind](80)
    check(outline, holes)


@pytest.mark.parametrize("kind", KINDS)
def test_the_work_grows_as_the_number_of_corners(kind):
    """Four times the corners take four times the calls, and a little more for searching."""

    def work(corners):
        outline, holes = KINDS[kind](corners)
        return calls(planar.Regions, [(outline, holes)]) / (len(outline) + sum(map(len, holes)))

    assert work(1600) < 1.6 * work(400)


def test_turning_about_corners_of_many_pieces_takes_few_steps(monkeypatch):
    """The corners at the ends of the plate belong to pieces between all slits."""
    corners, counts = regions._corners, []

    def counted(found):
        counts.append(calls(corners, found, within=corners.__code__))
        return corners(found)

    monkeypatch.setattr(regions, "_corners", counted)
    for rows in (100, 400):
        planar.Regions([slits(rows)])
    assert counts[1] < 1.6 * (counts[0] + 1)


def test_sides_that_overlap_are_one_side():
    """Holes that share parts of their sides with each other and with the outline, of different lengths."""
    first, second = [(0, 1), (2, 1), (2, 2), (0, 2)], [(2, 0.5), (3, 0.5), (3, 1.5), (2, 1.5)]
    holes = [first, second, [(1, 2), (4, 2), (4, 3), (1, 3)]]
    pieces = check(UNIT, holes)
    assert sum(doubled_area(fractions(piece)) for piece in pieces) == 2 * (16 - 2 - 1 - 3)


def test_sides_that_cross_where_a_third_has_a_corner_are_refused():
    triangle = [(2, 2), (3, 1), (3, 3)]
    with pytest.raises(ValueError, match="crosses"):
        planar.decompose([(0, 0), (4, 4), (4, 0), (0, 4)], [triangle])


@pytest.mark.parametrize("turned", [0.0, 0.3])
def test_rows_of_round_holes_are_cut_well(turned):
    """Each of the eight reflex corners needs a cut, and a good cut serves two of them: about three pieces a hole."""
    outline, holes = plate(11, turned=turned)
    assert len(planar.decompose(outline, holes)) <= 3.5 * len(holes)
