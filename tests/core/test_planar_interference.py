# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep any point of one shape is in another: fits, copies, and bodies of which many points are known."""

import numpy as np
import pytest

from collision_kit.core import Verdict, planar
from tests.helpers.planar_bodies import SQUARE

SLOT = [[0, 0], [4, 0], [4, 2], [3, 2], [3, 1], [1, 1], [1, 2], [0, 2]]


def around(corners, radius=1.0):
    angle = np.arange(corners) * 2.0 * np.pi / corners
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def turned(points, angle):
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, s], [-s, c]])


def star(rng, corners):
    angle = (np.arange(corners) + rng.uniform(0.0, 0.9, corners)) * 2.0 * np.pi / corners
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.3, 1.0, corners)[:, None]


def test_bodies_worked_out_by_hand():
    slot = planar.Regions([(SLOT, [])])
    boxes = planar.AABBs(
        [[1, 1], [0.9, 1], [1, 0.7], [-5, -5], [2, 0.5], [1, 1.5]], [[3, 2], [3, 2], [3, 4], [5, 5], [2, 1.5], [3, 1.5]]
    )
    expected = [0.0, 0.1, 0.3, 5.0, 0.5, 0.0]
    np.testing.assert_allclose(planar.interference(slot, boxes), expected, atol=1e-9)
    np.testing.assert_allclose(planar.interference(boxes, slot), expected, atol=1e-9)
    discs = planar.Circles([[2, 2], [2, 1.9], [0.5, 1], [2, 0.5], [2, 0.5], [0, 0], [2, 7]], [1, 1, 0.5, 0.1, 0, 0, 1])
    # The third reaches into the corner between floor and wall.
    expected = [0.0, 0.1, np.hypot(0.5, 1.0) - 0.5743408, 0.5, 0.5, 0.0, 0.0]
    found = planar.interference(slot, discs)
    np.testing.assert_allclose(np.delete(found, 2), np.delete(expected, 2), atol=1e-9)
    assert 0.5 < found[2] <= -planar.distance(slot, discs).distance[2]
    assert planar.classify(slot, boxes).tolist() == [
        Verdict.TOUCHING,
        Verdict.PENETRATING,
        Verdict.PENETRATING,
        Verdict.CONTAINED,
        Verdict.PENETRATING,
        Verdict.TOUCHING,
    ]
    assert planar.classify(slot, boxes, touching=0.2).tolist()[:2] == [Verdict.TOUCHING, Verdict.TOUCHING]


def test_of_convex_shapes_it_is_the_depth():
    rng = np.random.default_rng(2)
    place = rng.uniform(-1.0, 1.0, (2, 60, 2))
    a, b = (
        planar.Rectangles(place[0], rng.uniform(0.1, 1.0, (60, 2)), rng.uniform(0, 7, 60)),
        planar.Circles(place[1], rng.uniform(0.1, 1.0, 60)),
    )
    depth = np.maximum(-planar.distance(a, b).distance, 0.0)
    np.testing.assert_array_equal(planar.interference(a, b), depth)
    square = planar.Regions([(SQUARE, [])], [[0.5, 0.25]])
    assert planar.interference(square, planar.AABBs([[-1, -1]], [[1, 1]]))[0] == 1.5


@pytest.mark.parametrize(("sides", "size"), [(4, 1.0), (5, 1e-3), (8, 1e3), (64, 1.0)])
def test_a_peg_that_fits_touches_and_one_too_large_penetrates_by_that(sides, size):
    rng = np.random.default_rng(sides)
    tolerance = 1e-6 * size
    angle, place = rng.uniform(0.0, 7.0), size * rng.uniform(-3.0, 3.0, 2)
    hole = turned(around(sides, size), rng.uniform(0.0, 7.0))
    plate = planar.Regions([(turned(around(7, 3.0 * size), angle) + place, [turned(hole, angle) + place])])
    kinds = [planar.Polygons([hole * scale for scale in (1.0, 1.0 + 1e-12, 1.0 + 1e-5)], [place] * 3, [angle] * 3)]
    kinds.append(
        planar.Regions([(hole * scale, []) for scale in (1.0, 1.0 + 1e-12, 1.0 + 1e-5)], [place] * 3, [angle] * 3)
    )
    for pegs in kinds:
        verdicts = planar.classify(plate, pegs, touching=tolerance)
        assert verdicts.tolist() == [Verdict.TOUCHING, Verdict.TOUCHING, Verdict.PENETRATING]
        found = planar.interference(pegs, plate)
        np.testing.assert_allclose(found, [0.0, 1e-12 * size, 1e-5 * size], rtol=1e-6, atol=1e-14 * size)
        assert planar.distance(plate, pegs).distance[2] < -size
        assert planar.classify(plate, pegs)[0] == Verdict.TOUCHING
        contacts = planar.contacts(plate, pegs)
        assert len(contacts) and (contacts.depth <= 2e-5 * size).all()


def test_copies_in_one_place_or_nearly_so_are_in_each_other():
    """No boundary of the one is deep in the other; the largest circle of the slot stands in its corners."""
    slot = planar.Regions([(SLOT, [])])
    expected = 2.0 - np.sqrt(2.0)
    for shift in (0.0, 1e-12, 1e-6, -1e-4):
        copy = planar.Regions([(SLOT, [])], [[shift, shift / 2.0]])
        assert planar.interference(slot, copy)[0] == pytest.approx(expected, abs=2.0 * abs(shift) + 1e-9)
        assert planar.classify(slot, copy, touching=1e-3)[0] >= Verdict.PENETRATING
    inner = planar.Regions([(np.array(SLOT, float) * 0.999 + 0.001, [])])
    assert planar.classify(slot, inner, touching=0.01)[0] >= Verdict.PENETRATING


def depth_in(outline, holes, points):
    """Return how deep points are in a region, by all of its sides."""
    result = np.full(len(points), np.inf)
    for ring in (np.asarray(outline), *map(np.asarray, holes)):
        for p, q in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            t = np.clip((points - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
            result = np.minimum(result, np.hypot(*(points - p - t[:, None] * (q - p)).T))
    return np.where(planar.inside(outline, holes, points, boundary=False), result, 0.0)


def test_no_point_known_is_deeper_and_some_is_as_deep():
    rng = np.random.default_rng(9)
    along = np.linspace(0.0, 1.0, 400)[:, None]
    compared = 0
    for number in range(16):
        outlines = [star(rng, rng.integers(5, 10)) for _ in range(2)]
        outlines[1] = outlines[1] + rng.normal(size=2) * 0.4
        holes = (
            [[around(5, 0.2)], []]
            if np.hypot(*outlines[0].T).min() > 0.25 / np.cos(np.pi / 5) and number % 2
            else [[], []]
        )
        try:
            a, b = (planar.Regions([(o, h)]) for o, h in zip(outlines, holes, strict=True))
        except ValueError:
            continue
        deepest, step = 0.0, 0.0
        for one, other in ((0, 1), (1, 0)):
            for ring in (outlines[one], *holes[one]):
                for p, q in zip(ring, np.roll(ring, -1, axis=0), strict=True):
                    step = max(step, float(np.hypot(*(q - p))) / 400.0)
                    deepest = max(deepest, depth_in(outlines[other], holes[other], p + along * (q - p)).max())
        grid = rng.uniform(-1.0, 1.0, (4000, 2))
        shared = np.minimum(*(depth_in(o, h, grid) for o, h in zip(outlines, holes, strict=True))).max()
        found, back = planar.interference(a, b)[0], planar.interference(b, a)[0]
        assert found == pytest.approx(back, rel=1e-8)
        assert found <= max(-planar.distance(a, b).distance[0], 0.0)
        assert found >= max(deepest, shared) - 1e-12
        if len(a.pieces) > 1 or len(b.pieces) > 1:
            assert found <= max(deepest + step, shared + 0.08) + 1e-9
            compared += found > 0.0
    assert compared > 8


def test_it_is_the_same_far_away_and_at_any_scale():
    rng = np.random.default_rng(4)
    outlines = [np.round(star(rng, 9) * 64.0) / 64.0 for _ in range(12)]
    places = np.round(rng.uniform(-0.5, 0.5, (12, 2)) * 64.0) / 64.0
    first, second = np.arange(0, 12, 2), np.arange(1, 12, 2)
    expected = None
    for scale, offset in ((1.0, 0.0), (2.0**-20, 0.0), (2.0**20, 0.0), (1.0, 2.0**22)):
        shapes = planar.Regions([(o * scale, []) for o in outlines], places * scale + offset)
        found = planar.interference(shapes.take(first), shapes.take(second)) / scale
        expected = found if expected is None else expected
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-12)
    assert (expected > 0.0).sum() >= 4
