# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of bodies in local coordinates, which have as many exact digits far from the origin as near it.

A place is stored as a float64 and its rounding error (`Rows`). The difference of two places is therefore as exact as
the shapes themselves, however far they are from the origin.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...numerics.types import Floats, Ints
from .convex import AABBs, Polygons
from .regions import Body, Regions, pieces_of, ranges

# The number of pieces whose rows are copied together: some megabytes.
_CHUNK = 1 << 16


def local_pairs(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Iterator[tuple[slice, Body, Body]]:
    """Chunks of the pairs: the slice, and both bodies row by row, relative to an origin in the smaller body."""
    bodies = (a, rows_a), (b, rows_b)
    pieces = np.cumsum(sum(ranges(shapes, rows)[1] for shapes, rows in bodies))
    first, second = (np.hypot(*np.subtract(*shapes.bounds()).T)[rows] for shapes, rows in bodies)
    origin = np.where((first <= second)[:, None], *(_place(shapes, rows) for shapes, rows in bodies))
    begin = 0
    while begin < len(rows_a):
        before = int(pieces[begin - 1]) if begin else 0
        some = slice(begin, max(begin + 1, int(np.searchsorted(pieces, before + _CHUNK, side="right"))))
        one, other = (_from_origin(shapes, rows[some], origin[some]) for shapes, rows in bodies)
        yield some, one, other
        begin = some.stop


def _place(shapes: Body, rows: Ints) -> Floats:
    """The place of the first piece of each body, (P, 2)."""
    first = ranges(shapes, rows)[0]
    of = pieces_of(shapes).rows
    return np.stack([of.x[first], of.y[first]], axis=1)


def _from_origin(shapes: Any, rows: Ints, origin: Floats) -> Any:
    """These rows, each relative to an origin, (P, 2)."""
    if isinstance(shapes, Regions):
        parts: dict[str, Any] = {}
        for name, start in (("pieces", "first"), ("sides", "first_side")):
            polygons, begin = getattr(shapes, name), getattr(shapes, start)
            geometry = shapes.index[rows]
            count = np.diff(begin)[geometry]
            first = np.cumsum([0, *count])
            at = np.arange(first[-1]) + np.repeat(begin[geometry] - first[:-1], count)
            parts |= {name: _from_origin(polygons, at, np.repeat(origin, count, axis=0)), start: first}
        taken = shapes.take(rows)
        return taken.with_fields(index=np.arange(len(rows)), **parts)
    taken = shapes.take(rows)
    fields: dict[str, Any] = {"rows": taken.rows.from_origin(origin)}
    if not isinstance(shapes, Polygons):
        corners = ("lower", "upper") if isinstance(shapes, AABBs) else ("center",)
        fields |= {name: getattr(taken, name) - origin for name in corners}
    return taken.with_fields(**fields)
