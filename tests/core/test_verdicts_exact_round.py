# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts on round shapes with rational coordinates, against squared comparisons in fractions, which cannot round."""

from fractions import Fraction

import numpy as np
import pytest

import collision_kit.core as ck

COUNT = 400
# Normals with a rational length, so that round shapes can touch a surface exactly.
PYTHAGOREAN = np.array([[1, 2, 2], [2, 3, 6], [0, 3, 4], [0, 0, 1], [4, 4, 7], [1, 4, 8]])


def fractions(values):
    return [Fraction(float(value)) for value in values]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def minus(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def square_to_segment(point, start, end):
    """Squared distance of a point from a segment, in fractions."""
    along, spoke = minus(end, start), minus(point, start)
    square = dot(along, along)
    t = min(max(dot(spoke, along) / square, Fraction(0)), Fraction(1)) if square else Fraction(0)
    way = [s - t * d for s, d in zip(spoke, along, strict=True)]
    return dot(way, way)


def square_of_segments(p, q, r, s):
    """Squared distance of two segments, in fractions: at an end of one of them, or where both lines are nearest."""
    u, v, w = minus(q, p), minus(s, r), minus(r, p)
    found = [square_to_segment(p, r, s), square_to_segment(q, r, s)]
    found += [square_to_segment(r, p, q), square_to_segment(s, p, q)]
    a, b, c, d, e = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    if (size := a * c - b * b) != 0:
        x, y = (c * d - b * e) / size, (b * d - a * e) / size
        if 0 <= x <= 1 and 0 <= y <= 1:
            way = [k - x * i + y * j for i, j, k in zip(u, v, w, strict=True)]
            found.append(dot(way, way))
    return min(found)


def check(a, b, signs):
    """`signs`: of the exact gap of each pair."""
    signs = np.array(signs)
    np.testing.assert_array_equal(ck.overlap(a, b), signs <= 0)
    np.testing.assert_array_equal(ck.overlap(b, a), signs <= 0)
    verdict = ck.classify(a, b)
    np.testing.assert_array_equal(verdict == ck.Verdict.SEPARATED, signs > 0)
    np.testing.assert_array_equal(verdict == ck.Verdict.TOUCHING, signs == 0)
    assert {-1, 0, 1} == set(signs.tolist())


def sign(value):
    return (value > 0) - (value < 0)


def lattice(rng, shape, reach=4):
    return rng.integers(-reach, reach + 1, shape) / 2.0


def capsules(rng):
    start = lattice(rng, (COUNT, 3))
    return ck.Capsules(start, start + lattice(rng, (COUNT, 3)), rng.integers(0, 4, COUNT) / 2.0)


@pytest.mark.parametrize("seed", range(3))
def test_spheres_and_capsules(seed):
    rng = np.random.default_rng(seed)
    balls, others = (ck.Spheres(lattice(rng, (COUNT, 3)), rng.integers(0, 4, COUNT) / 2.0) for _ in range(2))
    a, b = capsules(rng), capsules(rng)
    rows = range(COUNT)
    ends = [[fractions(x) for x in (a.start[i], a.end[i], b.start[i], b.end[i])] for i in rows]
    centers = [fractions(balls.center[i]) for i in rows]
    apart = [minus(centers[i], fractions(others.center[i])) for i in rows]

    def radii(one, other, i):
        return (Fraction(float(one.radius[i])) + Fraction(float(other.radius[i]))) ** 2

    check(balls, others, [sign(dot(apart[i], apart[i]) - radii(balls, others, i)) for i in rows])
    check(balls, a, [sign(square_to_segment(centers[i], *ends[i][:2]) - radii(balls, a, i)) for i in rows])
    check(a, b, [sign(square_of_segments(*ends[i]) - radii(a, b, i)) for i in rows])


@pytest.mark.parametrize("seed", range(3))
def test_spheres_and_boxes(seed):
    rng = np.random.default_rng(seed)
    balls = ck.Spheres(lattice(rng, (COUNT, 3)), rng.integers(0, 4, COUNT) / 2.0)
    boxes = ck.Boxes(lattice(rng, (COUNT, 3)), rng.integers(0, 3, (COUNT, 3)) / 2.0)
    signs = []
    for i in range(COUNT):
        spoke = minus(fractions(balls.center[i]), fractions(boxes.center[i]))
        out = [max(abs(x) - h, Fraction(0)) for x, h in zip(spoke, fractions(boxes.half_extents[i]), strict=True)]
        radius = Fraction(float(balls.radius[i]))
        inside = max(abs(x) - h for x, h in zip(spoke, fractions(boxes.half_extents[i]), strict=True))
        signs.append(sign(dot(out, out) - radius**2) if any(out) else sign(inside - radius))
    check(balls, boxes, signs)


def height_sign(heights, radius, normal, two_sided):
    """Sign of the gap over a surface, from heights times the normal's length; no square root is taken."""
    low, high = min(heights), max(heights)
    if two_sided and low + high < 0:
        low = -high
    if low <= 0:
        return sign(low) if radius == 0 else -1
    return sign(low**2 - radius**2 * dot(normal, normal))


@pytest.mark.parametrize("batch", [ck.HalfSpaces, ck.Planes])
@pytest.mark.parametrize("seed", range(3))
def test_spheres_and_capsules_over_surfaces(batch, seed):
    rng = np.random.default_rng(seed)
    rational = PYTHAGOREAN[rng.integers(0, len(PYTHAGOREAN), COUNT)] * rng.choice([-1, 1], (COUNT, 1))
    normal = np.where(rng.random(COUNT)[:, None] < 0.7, rational, rng.integers(-5, 6, (COUNT, 3)))
    normal[(normal == 0).all(axis=1), 2] = 1
    surface = batch(normal, offset := rng.integers(-9, 10, COUNT))
    balls = ck.Spheres(lattice(rng, (COUNT, 3)), rng.integers(0, 4, COUNT) / 2.0)
    rods = capsules(rng)
    for shapes, places in ((balls, [balls.center]), (rods, [rods.start, rods.end])):
        signs = []
        for i in range(COUNT):
            exact = fractions(normal[i])
            heights = [dot(exact, fractions(place[i])) - int(offset[i]) for place in places]
            signs.append(height_sign(heights, Fraction(float(shapes.radius[i])), exact, batch is ck.Planes))
        check(shapes, surface, signs)
