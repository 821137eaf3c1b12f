# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances of the origin from triangles and segments, in fractions, which do not round."""

from fractions import Fraction


def squared(p: list[Fraction], q: list[Fraction], r: list[Fraction]) -> Fraction:
    """Squared distance of the origin from a triangle."""
    one, other = less(q, p), less(r, p)
    a, b, c = inner(one, one), inner(one, other), inner(other, other)
    d, e = inner(one, p), inner(other, p)
    area = a * c - b * b
    if area > 0:
        s, t = (b * e - c * d) / area, (b * d - a * e) / area
        if s >= 0 and t >= 0 and s + t <= 1:
            foot = [x + s * y + t * z for x, y, z in zip(p, one, other, strict=True)]
            return inner(foot, foot)
    return min(from_side(p, q), from_side(q, r), from_side(r, p))


def from_side(start: list[Fraction], end: list[Fraction]) -> Fraction:
    """Squared distance of the origin from a segment."""
    run = less(end, start)
    square = inner(run, run)
    t = min(max(-inner(start, run) / square, Fraction(0)), Fraction(1)) if square else Fraction(0)
    foot = [x + t * y for x, y in zip(start, run, strict=True)]
    return inner(foot, foot)


def less(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    """The difference of two vectors."""
    return [x - y for x, y in zip(a, b, strict=True)]


def inner(a: list[Fraction], b: list[Fraction]) -> Fraction:
    """The inner product of two vectors."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
