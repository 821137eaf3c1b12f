# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts of every two kinds against integers, which cannot round: the very floats given, times a power of two."""

import itertools

import numpy as np
import pytest

from collision_kit.core import planar
from tests.helpers.offline import MANY
from tests.helpers.planar_bodies import LETTERS, letter

LARGE = pytest.param(MANY, marks=pytest.mark.slow)
counts = pytest.mark.parametrize("count", [200, LARGE])
CONVEX = ("circle", "aabb", "rectangle", "polygon")
# All floats of these tests are whole numbers of this.
UNIT = 2**200


def whole(value):
    above, below = float(value).as_integer_ratio()
    return above * (UNIT // below)


integers = np.frompyfunc(whole, 1, 1)


def sign(values):
    return (values > 0).astype(int) - (values < 0).astype(int)


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def dot(a, b):
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]


def of_polygons(p, q):
    """Sign of the gap of convex outlines (n, k, 2), counterclockwise: 1 apart, 0 touching, -1 overlapping.

    The greatest over the sides of both of the least height of the other's corners above them; a sign needs no root.
    """
    best = np.full(len(p), -1)
    for own, other in ((p, q), (q, p)):
        for k in range(own.shape[1]):
            start, along = own[:, k - 1, None], (own[:, k] - own[:, k - 1])[:, None]
            heights = sign(-cross(along, other - start))
            # A corner repeated to fill up the row makes no side.
            real = (along != 0).any(axis=(1, 2))
            best = np.where(real, np.maximum(best, heights.min(axis=1)), best)
    return best


def of_circle(center, radius, q):
    """The same of circles and convex outlines: by the squared distance from the nearest side, unless inside."""
    within, best = np.ones(len(q), bool), np.full(len(q), 1)
    for k in range(q.shape[1]):
        start, along = q[:, k - 1], q[:, k] - q[:, k - 1]
        reach = center - start
        real = (along != 0).any(axis=1)
        within &= (cross(along, reach) > 0) | ~real
        place, length = dot(along, reach), dot(along, along)
        over = cross(along, reach) ** 2 - radius**2 * length
        ends = np.minimum(dot(reach, reach), dot(center - q[:, k], center - q[:, k])) - radius**2
        nearest = np.where((place > 0) & (place < length), sign(over), sign(ends))
        best = np.where(real, np.minimum(best, nearest), best)
    return np.where(within, -1, best)


def of_circles(center_a, radius_a, center_b, radius_b):
    between = center_b - center_a
    return sign(dot(between, between) - (radius_a + radius_b) ** 2)


def shapes(kind, rng, count, unit):
    """A batch on a lattice of one over `unit`, some rectangles turned anyhow; and what it is in integers."""
    place = rng.integers(-9, 10, (count, 2)) / unit
    if kind == "circle":
        radius = rng.integers(1, 7, count) / unit
        return planar.Circles(place, radius), (integers(place), integers(radius))
    half = rng.integers(1, 6, (count, 2)) / unit
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    if kind == "aabb":
        low, high = place - half, place + half
        corners = np.stack([np.where(side > 0, high, low) for side in signs], axis=1)
        return planar.AABBs(low, high), integers(corners)
    if kind == "rectangle":
        angle = np.where(rng.random(count) < 0.5, rng.integers(0, 4, count) * (np.pi / 2.0), rng.uniform(0, 7, count))
        batch = planar.Rectangles(place, half, angle)
        # The rectangle of its stored direction, exactly: center and sides in units of 1 / UNIT ** 2.
        (c, s), (hx, hy) = integers(np.stack([batch.cosine, batch.sine])), integers(half.T)
        x_axis, y_axis = np.stack([c * hx, s * hx], axis=1), np.stack([-s * hy, c * hy], axis=1)
        corners = np.stack([sx * x_axis + sy * y_axis for sx, sy in signs.tolist()], axis=1)
        return batch, corners + (integers(place) * UNIT)[:, None]
    rings = []
    while len(rings) < count:
        points = rng.integers(-4, 5, (7, 2))
        hull = planar.convex_hull(points)
        if hull.dimension == 2:
            rings.append((points[hull.outline] + rng.integers(-9, 10, 2)) / unit)
    most = max(map(len, rings))
    filled = np.stack([ring[np.minimum(np.arange(most), len(ring) - 1)] for ring in rings])
    return planar.Polygons(rings), integers(filled)


def fine(kind, exact):
    """In units of 1 / UNIT ** 2, as rectangles are."""
    if kind == "rectangle":
        return exact
    return tuple(part * UNIT for part in exact) if kind == "circle" else exact * UNIT


def taken(exact, rows):
    return tuple(part[rows] for part in exact) if isinstance(exact, tuple) else exact[rows]


def exact_signs(a, b):
    """Of two lots of circles, each a center and a radius, or outlines."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return of_circles(*a, *b)
    if isinstance(a, tuple):
        return of_circle(*a, b)
    return of_circle(*b, a) if isinstance(b, tuple) else of_polygons(a, b)


@counts
@pytest.mark.parametrize("kinds", list(itertools.combinations_with_replacement(CONVEX, 2)), ids="-".join)
def test_convex_kinds_never_get_a_wrong_verdict(kinds, count):
    rng = np.random.default_rng([count, *map(CONVEX.index, kinds)])
    # Thirds are no floats, so that many pairs touch but for the rounding of what is given.
    (a, of_a), (b, of_b) = (shapes(kind, rng, min(count, 3_000), 3.0) for kind in kinds)
    pairs = np.stack([rng.integers(len(a), size=count), rng.integers(len(b), size=count)], axis=1)
    found, overlap = planar.distance(a, b, pairs), planar.overlap(a, b, pairs)
    parts = (taken(fine(kind, exact), rows) for kind, exact, rows in zip(kinds, (of_a, of_b), pairs.T, strict=True))
    expected = exact_signs(*parts)
    certain = np.abs(found.distance) > found.rounding
    np.testing.assert_array_equal(np.sign(found.distance[certain]), expected[certain])
    np.testing.assert_array_equal(overlap[certain], expected[certain] <= 0)
    assert overlap[~certain].all()
    assert 0.1 < (expected < 0).mean() < 0.9 and certain.mean() > 0.5
    # What is exactly touching is never certain to be anything else.
    assert not certain[expected == 0].any()


@counts
@pytest.mark.parametrize("kind", [*CONVEX, "region"])
def test_regions_never_get_a_wrong_verdict(kind, count):
    """Letters on a lattice, by convex parts that were cut by hand; what lies in a hole or a mouth touches nothing."""
    rng = np.random.default_rng([count, 7, (*CONVEX, "region").index(kind)])
    a, parts_a = regions(rng, 150)
    b, of_b = regions(rng, 150) if kind == "region" else shapes(kind, rng, 150, 2.0)
    pairs = rng.integers(150, size=(count, 2))
    lots_b = of_b if kind == "region" else [fine(kind, of_b)]
    least = np.full(count, 1)
    for one, other in itertools.product(parts_a, lots_b):
        least = np.minimum(least, exact_signs(taken(one, pairs[:, 0]), taken(other, pairs[:, 1])))
    np.testing.assert_array_equal(planar.overlap(a, b, pairs), least <= 0)
    assert {-1, 1} <= set(least.tolist())


def regions(rng, count):
    """A batch, and its convex parts as lots of outlines, all rows having as many: the last part repeated."""
    bodies = []
    for _ in range(count):
        flip = np.array([[0.5, 0], [0, 0.5]])[rng.permutation(2)] * rng.choice([-1, 1], (2, 1))
        outline, holes, parts = letter(LETTERS[rng.integers(len(LETTERS))], flip)
        place = rng.integers(-6, 7, 2) / 2.0
        parts = [part[:: 1 if np.linalg.det(flip) > 0 else -1] + place for part in parts]
        bodies.append((outline + place, [hole + place for hole in holes], parts))
    lots = []
    for number in range(4):
        rows = [parts[min(number, len(parts) - 1)] for _, _, parts in bodies]
        filled = np.stack([part[np.minimum(np.arange(4), len(part) - 1)] for part in rows])
        lots.append(integers(filled) * UNIT)
    return planar.Regions([body[:2] for body in bodies]), lots
