# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of results that kernels read and write."""

from typing import NamedTuple

from .arrays import Floats1, Floats2, Ints1, Ints2, Vector
from .vectors import minus, moved, plus, put, scaled


class DistanceRows(NamedTuple):
    """The fields of `collision_kit.core.results.Distances`: (P,) or (P, 3), a row for each pair."""

    distance: Floats1
    point_a: Floats2
    point_b: Floats2
    normal: Floats2
    rounding: Floats1


class ContactRows(NamedTuple):
    """Fields of `collision_kit.core.results.Contacts`: (K,), (K, 3) or (K, 2), with room for four contacts a pair."""

    pair: Ints1
    point: Floats2
    normal: Floats2
    depth: Floats1
    feature_a: Ints2
    feature_b: Ints2


def put_distance(result: DistanceRows, at: int, gap: float, way: Vector, middle: Vector, rounding: float) -> None:
    """Write the signed distance of a pair, with witness points at equal distances from the point midway between."""
    half = scaled(gap / 2.0, way)
    result.distance[at], result.rounding[at] = gap, rounding
    put(result.normal, at, way)
    put(result.point_a, at, minus(middle, half))
    put(result.point_b, at, plus(middle, half))


def put_from(result: DistanceRows, at: int, gap: float, way: Vector, point: Vector, rounding: float) -> None:
    """Write the signed distance of a pair, with the witness point of A, from which that of B is the distance away."""
    result.distance[at], result.rounding[at] = gap, rounding
    put(result.normal, at, way)
    put(result.point_a, at, point)
    put(result.point_b, at, moved(point, way, gap))
