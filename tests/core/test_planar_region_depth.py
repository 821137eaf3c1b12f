# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest separating translation of regions of many pieces: searched for, as against tried one by one."""

import tracemalloc
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from collision_kit.core import planar
from collision_kit.core.numerics.tolerances import EXIT
from collision_kit.core.planar.penetration import boundary, depth
from collision_kit.core.planar.penetration import depth as region_depth
from collision_kit.core.planar.penetration.cells import Cells
from collision_kit.core.planar.penetration.minkowski_difference import Obstacle
from tests.helpers.offline import slow_rows

BOX = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)]


def star(rng, corners, low=0.4):
    angle = (np.arange(corners) + rng.uniform(0.0, 0.9, corners)) * 2 * np.pi / corners
    return np.stack([np.cos(angle), np.sin(angle)], 1) * rng.uniform(low, 1.0, corners)[:, None]


def skyline(rng, columns):
    """Columns of whole heights side by side, on a level floor."""
    heights = rng.integers(1, 5, columns)
    top = [(x + side, h) for x, h in enumerate(heights.tolist()) for side in (0, 1)]
    return np.array(list(dict.fromkeys([(0, 0), (columns, 0), *top[::-1]])), float)


def gear(teeth, low=0.7):
    angle = np.arange(2 * teeth) * np.pi / teeth
    return np.stack([np.cos(angle), np.sin(angle)], 1) * np.where(np.arange(2 * teeth) % 2, low, 1.0)[:, None]


def both(monkeypatch, a, b, rows_a, rows_b):
    """Lengths and directions of the search, and of all exits tried, of pairs that overlap."""
    met = planar.overlap(a, b, np.stack([rows_a, rows_b], 1))
    rows = rows_a[met], rows_b[met]
    found = []
    for few in (-1, 1 << 62):
        monkeypatch.setattr(region_depth, "_FEW_SETS", few)
        found.append(region_depth.shortest_exit(a, b, *rows))
    return rows, found[0], found[1]


def assert_same(monkeypatch, a, b, rows_a, rows_b):
    """The two agree in length, to 1e-9 of the size; returns how many pairs overlapped."""
    rows, (length, direction), (expected, _) = both(monkeypatch, a, b, rows_a, rows_b)
    size = region_depth._curves(a, b, *rows)[1]
    np.testing.assert_array_less(np.abs(length - expected), 1e-9 * size)
    np.testing.assert_allclose(np.hypot(*direction.T), 1.0, rtol=1e-12)
    return len(length)


def test_random_stars_have_the_same_depth_either_way(monkeypatch):
    rng = np.random.default_rng(1)
    shapes = planar.Regions([(star(rng, rng.integers(4, 14)) + rng.uniform(-0.6, 0.6, 2), []) for _ in range(160)])
    rows = np.arange(80)
    assert assert_same(monkeypatch, shapes, shapes, rows, rows + 80) > 60


@pytest.mark.parametrize(
    "scale, place",
    [(1.0, 0.0), (0.1, 3e4), *slow_rows((1e-6, 0.0), (1e9, 0.0))],
)
def test_outlines_on_a_lattice_have_the_same_depth_either_way(monkeypatch, scale, place):
    """Sides in line, corners on sides, and exits equally far away in several directions."""
    rng = np.random.default_rng(2)
    shapes = planar.Regions(
        [(scale * (skyline(rng, rng.integers(2, 6)) + rng.integers(-2, 3, 2)) + place, []) for _ in range(80)],
        angle=rng.integers(0, 4, 80) * np.pi / 2 if not place else None,
    )
    rows = np.arange(40)
    assert assert_same(monkeypatch, shapes, shapes, rows, rows + 40) > 15
    assert assert_same(monkeypatch, shapes, shapes, rows, rows) == 40


def framed(hole):
    return BOX, [np.asarray(hole)]


FITTING = np.array([(-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1)], float)


@pytest.mark.parametrize(
    "first, second",
    [
        ((gear(4), []), (gear(4), [])),
        ((gear(5), []), (0.5 * gear(5), [])),
        ((gear(5, 0.2), []), (gear(5, 0.25), [])),
        (framed(0.5 * gear(4)), (0.5 * gear(4), [])),
        (framed(0.5 * gear(4)), (0.5 * gear(4) + [0.05, 0.02], [])),
        (framed(FITTING), (FITTING, [])),
        (framed(FITTING), (FITTING + np.array([0.25, 0.25]), [])),
        (framed(FITTING), (0.9 * FITTING + [0.25, 0.125], [])),
        (framed(0.6 * gear(3)), framed(0.6 * gear(3))),
        (framed(FITTING), (0.25 * FITTING + [1.5, 0.0], [])),
    ],
)
def test_symmetric_fitting_and_contained_shapes_have_the_same_depth_either_way(monkeypatch, first, second):
    shapes = planar.Regions([first, second])
    assert_same(monkeypatch, shapes, shapes, np.array([0, 1]), np.array([1, 0]))


def test_boxes_rectangles_polygons_and_segments_have_the_same_depth_in_regions_either_way(monkeypatch):
    rng = np.random.default_rng(3)
    regions = planar.Regions([(star(rng, 9), []), framed(FITTING), (star(rng, 12, 0.1), [])])
    place, half = rng.uniform(-0.5, 0.5, (12, 2)), rng.uniform(0.0, 0.4, (12, 2))
    half[:4, 0] = 0.0
    half[:2, 1] = 0.0
    others = [
        planar.AABBs(place - half, place + half),
        planar.Rectangles(place, half, rng.uniform(0.0, 3.0, 12)),
        planar.Polygons([rng.uniform(-0.4, 0.4, (3, 2)) for _ in range(12)], place),
    ]
    rows = np.repeat(np.arange(3), 12), np.tile(np.arange(12), 3)
    for other in others:
        assert assert_same(monkeypatch, regions, other, *rows) > 10
        assert assert_same(monkeypatch, other, regions, *rows[::-1]) > 10


def test_circles_have_the_same_depth_in_regions_either_way(monkeypatch):
    rng = np.random.default_rng(10)
    regions = planar.Regions([(star(rng, 12), []), framed(gear(4)), (gear(4, 0.2), []), framed(FITTING)])
    place, radius = rng.uniform(-1.0, 1.0, (12, 2)), rng.uniform(0.0, 1.5, 12)
    radius[:2] = 0.0
    # In the middle, and where it fits between the sides.
    place[2:5] = [(0.0, 0.0), (-0.5, -0.5), (0.0, 0.0)]
    radius[2:5] = 0.5, 0.5, 1.0
    circles = planar.Circles(place, radius)
    rows = np.repeat(np.arange(4), 12), np.tile(np.arange(12), 4)
    assert assert_same(monkeypatch, regions, circles, *rows) > 30
    assert assert_same(monkeypatch, circles, regions, *rows[::-1]) > 30


def test_a_circle_about_a_corner_leaves_between_the_walls_that_it_touches_on_either_side(monkeypatch):
    """All the arc about the corner is as near, and at its ends the circle fits exactly."""
    circle = planar.Circles([[0.0, 0.0]], [0.5])
    row = np.zeros(1, np.int64)
    for angle in (0.0, 0.1):
        frame = planar.Regions([framed(FITTING)], angle=[angle])
        for few in (-1, 1 << 62):
            monkeypatch.setattr(region_depth, "_FEW_SETS", few)
            assert region_depth.shortest_exit(frame, circle, row, row)[0][0] == pytest.approx(0.5, abs=1e-9)
    # Where no exit is tried between the walls, the way back from a place that is free ends there.
    monkeypatch.setattr(region_depth, "_FEW_SETS", -1)
    monkeypatch.setattr(depth, "_FEW", 0)
    monkeypatch.setattr(boundary, "_DIRECTIONS", 1)
    assert region_depth.shortest_exit(frame, circle, row, row)[0][0] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("other", ["region", "circle", "rectangle"])
def test_the_sets_of_an_obstacle_are_the_pairs_of_pieces(other):
    rng = np.random.default_rng(11)
    a = planar.Regions([(star(rng, 9), []), (star(rng, 12), [])], rng.uniform(-1.0, 1.0, (2, 2)), [0.2, 0.7])
    shift = rng.uniform(-1.0, 1.0, (200, 2))
    one, angle = np.ones(200), np.full(200, 1.2)
    circles, boxes = planar.Circles(shift, 0.4 * one), planar.Rectangles(shift, [[0.0, 0.5]] * one[:, None], angle)
    b = {"region": a, "circle": planar.Circles([[0.0, 0.0]], [0.4])}.get(
        other, planar.Rectangles([[0.0, 0.0]], [[0.0, 0.5]], [1.2])
    )
    obstacle = Obstacle(a, b, 1, 0, 9.0)
    sets = rng.integers(0, obstacle.count, 200)
    pieces, others = outlines_of(a, 1), outlines_of(a, 0)
    i, j = np.divmod(sets, len(others)) if other == "region" else (sets, sets)
    moved = {"circle": circles, "rectangle": boxes}.get(other)
    if moved is None:
        moved = planar.Polygons([others[piece] for piece in j], shift)
    expected = planar.distance(planar.Polygons([pieces[piece] for piece in i]), moved).distance
    gaps = obstacle.gaps(sets, *shift.T)
    inner = expected < 0.0
    assert 10 < inner.sum() < 190
    np.testing.assert_allclose(gaps[inner], expected[inner], atol=1e-12)
    assert (gaps[~inner] <= expected[~inner] + 1e-12).all() and (gaps[~inner] > 0.0).all()
    if other == "circle":
        np.testing.assert_allclose(gaps, expected, atol=1e-12)
    low_x, high_x, low_y, high_y = (bound[inner] for bound in obstacle.boxes(sets))
    x, y = shift[inner].T
    assert ((low_x <= x) & (x <= high_x) & (low_y <= y) & (y <= high_y)).all()


def outlines_of(regions, row):
    """The outlines of the pieces of a region where it stands."""
    pieces, found = regions.pieces, []
    for at in range(regions.first[row], regions.first[row + 1]):
        corners = slice(*pieces.pool.start[at : at + 2])
        place = np.array([pieces.rows.x[at], pieces.rows.y[at]])
        found.append(np.stack([pieces.pool.x[corners], pieces.pool.y[corners]], 1) + place)
    return found


@pytest.mark.parametrize("round_one", [False, True])
def test_what_is_said_of_cells_is_true_of_all_their_places(round_one):
    rng = np.random.default_rng(12)
    a = planar.Regions([(star(rng, 12), [])])
    b = planar.Circles([[0.0, 0.0]], [0.3]) if round_one else planar.Regions([(star(rng, 9), [])])
    obstacle = Obstacle(a, b, 0, 0, 9.0)
    search = depth._Search(obstacle, np.array([3.0, 0.0]))
    count, sets = 100, np.arange(obstacle.count)
    x, y = rng.uniform(-1.5, 1.5, (2, count))
    cells = Cells(x, y, rng.uniform(0.02, 0.4, count), np.full(count, len(sets)), np.tile(sets, count))
    quarters = depth._Quarters(cells)
    quarter, reaching = search._reaching(quarters, np.ones(4 * count, np.bool_), cells, slice(None))
    listed = np.zeros((4 * count, len(sets)), np.bool_)
    listed[quarter, reaching] = True
    step = np.linspace(-1.0, 1.0, 9)
    inside = [
        obstacle.gaps(
            np.tile(sets, 4 * count),
            np.repeat(quarters.x + dx * quarters.half, len(sets)),
            np.repeat(quarters.y + dy * quarters.half, len(sets)),
        ).reshape(4 * count, -1)
        <= 0.0
        for dx in step
        for dy in step
    ]
    covered, free = quarters.covered, quarters.free
    assert 20 < covered.sum() < 4 * count - 20 and 20 < free.sum() < 4 * count - 20
    assert np.all(inside, axis=0)[covered].any(axis=1).all()
    assert listed[np.any(inside, axis=0)].all() and not listed.all()
    assert not inside[40][free].any()


def test_moved_and_turned_batches_are_read_by_their_rows(monkeypatch):
    rng = np.random.default_rng(4)
    shapes = planar.Regions(
        [(star(rng, 8), []), (star(rng, 5), []), (star(rng, 11), [])], rng.uniform(-0.4, 0.4, (3, 2)), [0.3, 1.0, 2.0]
    ).take(np.array([2, 0, 1, 1, 0]))
    assert assert_same(monkeypatch, shapes, shapes, np.array([0, 1, 2, 4]), np.array([4, 3, 0, 2])) == 4


def certify(a, b, samples=400):
    """B parts from A by its depth along the normal, not by less, and by no shorter way of many; returns the depth."""
    row = np.zeros(1, np.int64)
    length, direction = region_depth.shortest_exit(a, b, row, row)
    size = float(a.pieces.rows.reach.max() + b.pieces.rows.reach.max())
    rng = np.random.default_rng(5)
    angle = rng.uniform(0.0, 2.0 * np.pi, samples)
    # Most of them near the rim, where the separating translation could be missed by little.
    reach = (length[0] - 1e-8 * size) * rng.uniform(0.0, 1.0, samples) ** np.tile([0.5, 0.01], samples // 2)
    around = np.stack([np.cos(angle), np.sin(angle)], 1) * reach[:, None]
    along = (length - 1e-8 * size) * np.linspace(0.0, 1.0, 50)[:, None] * direction
    for shorter in (around, along):
        rows = np.zeros(len(shorter), np.int64)
        assert region_depth.meets(a, b, rows, rows, shorter).all()
    beyond = length * direction + 4.0 * EXIT * size * sideways(direction[0])
    rows = np.zeros(len(beyond), np.int64)
    assert not region_depth.meets(a, b, rows, rows, beyond).all()
    return float(length[0])


def sideways(direction):
    """Unit vectors about a direction, (k, 2): beyond a corner of the obstacle the outside may lie to the side."""
    angle = np.arctan2(direction[1], direction[0]) + np.linspace(-1.6, 1.6, 65)
    return np.stack([np.cos(angle), np.sin(angle)], 1)


@pytest.mark.parametrize("place", [(1.6, 0.0), (0.9, 0.4), (0.3, 0.1), (0.0, 0.0)])
def test_spiky_stars_of_a_hundred_corners_part_by_their_depth_and_by_no_less(place):
    rng = np.random.default_rng(6)
    a, b = (planar.Regions([(star(rng, 100), [])], [at]) for at in ((0.0, 0.0), place))
    assert certify(a, b) > 0.0


def test_detailed_shapes_in_holes_part_by_their_depth_and_by_no_less():
    rng = np.random.default_rng(7)
    outline = star(rng, 60)
    frame = planar.Regions([(BOX, [outline])])
    loose = planar.Regions([(0.9 * outline + [0.11, 0.07], [])])
    assert certify(frame, loose) < 0.2
    # What fits exactly touches where it fits, and so has to leave the frame.
    assert certify(frame, planar.Regions([(outline, [])], [(0.05, 0.02)])) > 2.0
    assert certify(planar.Regions([(gear(40), [])]), planar.Regions([(gear(40), [])])) > 1.5


def test_thousands_of_sets_fit_into_little_memory():
    rng = np.random.default_rng(8)
    shapes = planar.Regions([(star(rng, 300, 0.7), []), (star(rng, 300, 0.7), [])], [(0.0, 0.0), (0.4, 0.1)])
    sets = np.prod(np.diff(shapes.first))
    assert sets > 20_000
    tracemalloc.start()
    try:
        depth = planar.distance(shapes, shapes, [[0, 1]]).distance[0]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert depth < -1.0 and peak < 100e6


def holds(outer, inner):
    """Whether a simple polygon of whole coordinates holds another: all its sides, cut where the two cross."""
    sides = list(zip(outer, outer[1:] + outer[:1], strict=True))

    def within(x, y):
        odd = False
        for (ax, ay), (bx, by) in sides:
            turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if turn == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
                return True
            odd ^= (ay <= y) != (by <= y) and (turn > 0) == (by > ay)
        return odd

    for (px, py), (qx, qy) in zip(inner, inner[1:] + inner[:1], strict=True):
        cuts = {Fraction(0), Fraction(1)}
        for (ax, ay), (bx, by) in sides:
            cross = (qx - px) * (by - ay) - (qy - py) * (bx - ax)
            ends = [(ax, ay), (bx, by)] if cross == 0 else []
            if cross:
                cuts.add(Fraction((ax - px) * (by - ay) - (ay - py) * (bx - ax), cross))
            for x, y in ends:
                cuts.add(Fraction((x - px) * (qx - px) + (y - py) * (qy - py), (qx - px) ** 2 + (qy - py) ** 2))
        ordered = sorted(cut for cut in cuts if 0 <= cut <= 1)
        for t in [*ordered, *((s + u) / 2 for s, u in pairwise(ordered))]:
            if not within(px + t * (qx - px), py + t * (qy - py)):
                return False
    return True


def test_a_region_holds_another_exactly_if_its_sides_say_so():
    rng = np.random.default_rng(9)
    outlines = [np.array([(0, 0), (90, 0), (90, 90), (45, 30), (0, 90)])]
    for size in (400, 400, 400, 150, 150, 100, 60):
        outlines += [np.rint(size * star(rng, 12, 0.6)).astype(int) for _ in range(5)]
    outlines += [outlines[0], skyline(rng, 4).astype(int) * 50, skyline(rng, 4).astype(int) * 50]
    shapes = planar.Regions([(outline, []) for outline in outlines])
    pairs = np.stack(np.meshgrid(np.arange(len(shapes)), np.arange(len(shapes))), -1).reshape(-1, 2)
    points = [[tuple(point) for point in outline.tolist()] for outline in outlines]
    expected = [holds(points[i], points[j]) for i, j in pairs.tolist()]
    assert 50 < sum(expected) < len(pairs) - 50
    assert planar.contains(shapes, shapes, pairs).tolist() == expected
