# SPDX-License-Identifier: GPL-3.0-or-later
"""Widths of point sets: between the lowest and the highest point along each direction."""

from .arrays import Floats2
from .loading import kernel
from .vectors import dot, minus, put, row


@kernel
def spans(points: Floats2, directions: Floats2, found: Floats2) -> None:
    """Find the vector from the lowest point to the highest, for each direction. Of equal points, the first one counts.

    Parameters
    ----------
    points : (V, 3) float64
        At least one.
    directions : (C, 3) float64
        Of any length.
    found : (C, 3) float64
        Written.
    """
    for at in range(len(directions)):
        way = row(directions, at)
        least = most = dot(row(points, 0), way)
        low = high = 0
        for one in range(1, len(points)):
            height = dot(row(points, one), way)
            if height > most:
                most, high = height, one
            elif height < least:
                least, low = height, one
        put(found, at, minus(row(points, high), row(points, low)))
