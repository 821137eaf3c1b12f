# SPDX-License-Identifier: GPL-3.0-or-later
"""The separating axis test in the plane, by signed edge separation ("Collision Detection Algorithms 2", 2022).

The separation of an edge is the least signed height of the other shape above it. The largest separation over the edges
of both shapes is the gap. An edge of A − B is an edge of A or of B (doc4code 2011, "Convex polygon vs convex polygon"),
so no other axes are needed. Overlapping shapes are separated along the edge with the largest, that is least negative,
separation.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...numerics.rows import RowTable
from ...numerics.tolerances import EPS
from ...numerics.types import Bools, Floats, Ints
from ..shapes.blocks import Cores


@dataclass(frozen=True, eq=False)
class Facets(RowTable):
    """The edge of A or of B with the largest separation, for each pair.

    Attributes
    ----------
    gap : (n,) float64
        Of the polygons, without the radii.
    by_b : (n,) bool
        Whether the edge is an edge of B.
    edge : (n,) int64
        The corner at which the edge begins.
    """

    gap: Floats
    by_b: Bools
    edge: Ints

    def where(self, chosen: Bools, others: "Facets") -> "Facets":
        """These facets where they are chosen, and the other facets elsewhere."""
        return Facets(*(np.where(chosen, own, vars(others)[name]) for name, own in vars(self).items()))


def best_facets(a: Cores, b: Cores, x: Floats, y: Floats, size: Floats) -> Facets:
    """The best facet of each pair, at least one of which has edges. `x`, `y` (n,) are B's place minus A's place."""
    if not a.has_edges:
        return edge_separation(b, a, -x, -y, by_b=True)
    of_a = edge_separation(a, b, x, y, by_b=False)
    return _better(of_a, edge_separation(b, a, -x, -y, by_b=True), size) if b.has_edges else of_a


def _better(of_a: Facets, of_b: Facets, size: Floats) -> Facets:
    """The better of two facets.

    An edge of B must be better than one of A by more than the rounding of the `size` (n,) of the pair, so that noise
    does not flip the axis.
    """
    return of_b.where(of_b.gap > of_a.gap + 8.0 * EPS * size, of_a)


def edge_separation(core: Cores, other: Cores, x: Floats, y: Floats, by_b: bool) -> Facets:
    """The largest separation over the edges of one shape from the corners of the other.

    `x` and `y` lead from the first shape's place to the other's. `by_b`: the first shape is B.
    """
    best, which = _largest(edge_gaps(core, other, x, y), len(x))
    return Facets(best, np.full(len(x), by_b), which)


def behind(core: Cores, other: Cores, x: Floats, y: Floats) -> tuple[Floats, Ints]:
    """The largest gap against the normal of an edge, on the far side of the shape, and the edge.

    `x` and `y` lead from the first shape's place to the other's.
    """
    return _largest(
        (
            (nx * core.x + ny * core.y).min(axis=0) - (nx * other.x + ny * other.y).max(axis=0) - (nx * x + ny * y)
            for nx, ny in zip(core.nx, core.ny, strict=True)
        ),
        len(x),
    )


def _largest(gaps: Iterator[Floats], count: int) -> tuple[Floats, Ints]:
    """The largest gap, and the number of its edge, from an iterator over the gaps of each edge, (count,) each."""
    best, which = np.full(count, -np.inf), np.zeros(count, np.int64)
    for edge, gap in enumerate(gaps):
        better = gap > best
        np.copyto(best, gap, where=better)
        np.copyto(which, edge, where=better)
    return best, which


def edge_gaps(core: Cores, other: Cores, x: Floats, y: Floats) -> Iterator[Floats]:
    """The separation of each edge in turn, (n,) each."""
    work, other_work = np.empty_like(other.x), np.empty_like(other.x)
    for nx, ny, offset in zip(core.nx, core.ny, core.offset, strict=True):
        np.multiply(other.x, nx, out=work)
        np.multiply(other.y, ny, out=other_work)
        np.add(work, other_work, out=work)
        gap = work.min(axis=0)
        gap += nx * x
        gap += ny * y
        gap -= offset
        yield gap


def rectangle_facets(a: Cores, b: Cores, x: Floats, y: Floats, size: Floats) -> Facets:
    """The best facets of two rectangles along their four axes (doc4code 2011, "Rectangle vs rectangle in 2D space").

    ``|D · L| - (|A0 · L| + |A1 · L| + |B0 · L| + |B1 · L|)`` for each axis L. This is half the work, because an axis
    stands for two opposite edges.
    """
    cosine = np.abs(a.nx[1] * b.nx[1] + a.ny[1] * b.ny[1])
    sine = np.abs(a.nx[1] * b.nx[2] + a.ny[1] * b.ny[2])
    of_a = _best_axis(a, b, cosine, sine, x, y, by_b=False)
    return _better(of_a, _best_axis(b, a, cosine, sine, -x, -y, by_b=True), size)


def _best_axis(core: Cores, other: Cores, cosine: Floats, sine: Floats, x: Floats, y: Floats, by_b: bool) -> Facets:
    """The better of the two axes of a rectangle, with its edge on the side of the other rectangle."""
    # Edges 1 and 2 have the normals along the rectangle's own axes; 3 and 0 are opposite.
    along_x, along_y = core.nx[1] * x + core.ny[1] * y, core.nx[2] * x + core.ny[2] * y
    gap_x = np.abs(along_x) - core.offset[1] - (other.offset[1] * cosine + other.offset[2] * sine)
    gap_y = np.abs(along_y) - core.offset[2] - (other.offset[1] * sine + other.offset[2] * cosine)
    edge = np.where(gap_y > gap_x, np.where(along_y < 0.0, 0, 2), np.where(along_x < 0.0, 3, 1))
    return Facets(np.maximum(gap_x, gap_y), np.full(len(edge), by_b), edge)
