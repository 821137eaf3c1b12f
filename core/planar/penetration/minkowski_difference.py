# SPDX-License-Identifier: GPL-3.0-or-later
"""The translations of B at which it meets A, as a union of convex sets with fast queries.

For bodies of convex pieces, A − B is the union of all A_i − B_j. The sides of such a set are the sides of A_i and the
reversed sides of B_j (doc4code 2011, "Convex polygon vs convex polygon"). One table contains the separation of each
side of A from each piece of B, another that of each side of B from each piece of A. All sets are computed from these
tables. If one body is a circle, the sets have round corners.
"""

import numpy as np

from ...numerics.rows import blocks, ragged_arange
from ...numerics.tolerances import EXIT, EXIT_AROUND, rounding
from ...numerics.types import Floats, Ints
from ..shapes.blocks import Convex, Corners, corners_of
from ..shapes.convex import Circles
from ..shapes.regions import Body, pieces_of, ranges
from .boundary import Curves

# The number of rows processed together; their blocks fit into the caches.
_ROWS = 1 << 14
# The number of products of sides and corners computed together.
_CELLS = 1 << 16


def _rows(body: Body, row: int) -> Ints:
    """The pieces of one row, as rows of their batch."""
    first, count = (int(part[0]) for part in ranges(body, np.array([row])))
    return np.arange(first, first + count)


def _near(shapes: Convex, chosen: Ints, others: Convex, theirs: Ints, reach: float) -> Ints:
    """The pieces whose bounds come within `reach` of the common bounds of other pieces."""
    lower, upper = (side[chosen] for side in shapes.bounds())
    low, high = others.bounds()
    near = (lower <= high[theirs].max(axis=0) + reach) & (upper >= low[theirs].min(axis=0) - reach)
    return chosen[near.all(axis=1)]


class Obstacle:
    """A − B of one pair of bodies, limited to translations of a length up to `reach`.

    Set s is A_i − B_j for ``divmod(s, pieces of B)``. Pieces that none of these translations can bring into contact are
    left out.

    Attributes
    ----------
    count : int
        The number of sets.
    size : float
        The size of the pair: the largest sum of the radii of the bounding circles of two pieces.
    round : bool
        Whether one of the bodies is a circle.
    """

    def __init__(self, a: Body, b: Body, row_a: int, row_b: int, reach: float) -> None:
        first, second = pieces_of(a), pieces_of(b)
        rows_a, rows_b = _rows(a, row_a), _rows(b, row_b)
        self.size = float(first.rows.reach[rows_a].max() + second.rows.reach[rows_b].max())
        magnitude = np.maximum(first.rows.magnitude[rows_a].max(), second.rows.magnitude[rows_b].max())
        most = reach + EXIT_AROUND * EXIT * self.size + float(rounding(np.array(self.size), magnitude))
        near_a, near_b = _near(first, rows_a, second, rows_b, most), _near(second, rows_b, first, rows_a, most)
        self._a, self._b = corners_of(first, near_a), corners_of(second, near_b)
        self._rows = first.rows.take(near_a), second.rows.take(near_b)
        self.round = isinstance(a, Circles) or isinstance(b, Circles)
        self._radius = float(self._a.radius.max() + self._b.radius.max())
        self.count = len(self._a.start) * len(self._b.start)
        # Each table with the pieces that its sides belong to, the other pieces, and the sign of the normals.
        self._tables = ((self._a, _table(self._a, self._b), 1.0), (self._b, _table(self._b, self._a), -1.0))
        extents = []
        for part in (self._a, self._b):
            for along in (part.x, part.y):
                extents += [np.minimum.reduceat(along, part.start), np.maximum.reduceat(along, part.start)]
        self._extents = np.stack(extents[:4]), np.stack(extents[4:])

    def _two(self, sets: Ints) -> tuple[Ints, Ints]:
        return np.divmod(sets, len(self._b.start))

    def boxes(self, sets: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """The least and the greatest x, then y, of each set, rounding included."""
        i, j = self._two(sets)
        x, y = self._a.place.take(i, axis=1) - self._b.place.take(j, axis=1)
        of_a, of_b = self._extents[0].take(i, axis=1), self._extents[1].take(j, axis=1)
        slack = self.slack(sets) + self._radius
        low_x, low_y = x + of_a[0] - of_b[1] - slack, y + of_a[2] - of_b[3] - slack
        return low_x, x + of_a[1] - of_b[0] + slack, low_y, y + of_a[3] - of_b[2] + slack

    def slack(self, sets: Ints) -> Floats:
        """The rounding of each set: a point no farther outside is still a translation at which two pieces touch."""
        (of_a, of_b), (i, j) = self._rows, self._two(sets)
        return rounding(of_a.reach[i] + of_b.reach[j], np.maximum(of_a.magnitude[i], of_b.magnitude[j]))

    def gaps(self, sets: Ints, x: Floats, y: Floats, enough: Floats | float = np.inf) -> Floats:
        """The largest height of a point above the sides of a set, minus the set's rounding, for each row.

        For sets with arcs, outside points have their distance from the set. At values of at most zero, B meets A.
        Inside, the value is minus the distance from the boundary; outside, it is at most the distance. If the value
        exceeds `enough`, any value above `enough` may be returned.
        """
        result, enough = np.empty(len(sets)), np.broadcast_to(enough, len(sets))
        for block in blocks(len(sets), _ROWS):
            result[block] = self._gaps(sets[block], x[block], y[block], enough[block])
        return result

    def _gaps(self, sets: Ints, x: Floats, y: Floats, enough: Floats) -> Floats:
        own = self._two(sets)
        slack = self.slack(sets) + self._radius
        result = np.full(len(sets), -np.inf)
        rows = np.arange(len(sets))
        for (part, table, sign), this, that in zip(self._tables, own, own[::-1], strict=True):
            left = rows
            begin, size, other = part.start.take(this[left]), part.sides.take(this[left]), that[left]
            px, py = sign * x[left], sign * y[left]
            for side in range(int(size.max(initial=0))):
                if side > 2:
                    more = np.flatnonzero(size > side)
                    if len(more) < len(left):
                        left, begin, size, other = left[more], begin[more], size[more], other[more]
                        px, py = px[more], py[more]
                edge = begin + side
                height = part.nx.take(edge) * px
                height += part.ny.take(edge) * py
                height += table.take(edge * table.shape[1] + other)
                result[left] = np.maximum(result[left], height)
            rows = np.flatnonzero(result <= enough + slack)
        if self.round:
            rows = rows[result[rows] > 0.0]
            result[rows] = self._away(sets[rows], x[rows], y[rows])
        return result - slack

    def _about_center(self, sets: Ints) -> tuple[Corners, Ints, Floats, float]:
        """The body that is not a circle, the piece of each set, the circle's place relative to it, and its sign."""
        own = self._two(sets)
        turned = not self._a.sides.any()
        part, other, sign = (self._b, self._a, -1.0) if turned else (self._a, self._b, 1.0)
        this, that = own[::-1] if turned else own
        return part, this, other.place[:, that] - part.place[:, this], sign

    def _away(self, sets: Ints, x: Floats, y: Floats) -> Floats:
        """The distance of points from the sets about a circle's center; the points are outside."""
        part, this, place, sign = self._about_center(sets)
        mx, my = np.stack([sign * x, sign * y]) + place
        size, start = part.count[this], part.start[this]
        result = np.full(len(sets), np.inf)
        for corner in range(int(size.max(initial=0))):
            # Pieces with fewer corners test their last side again.
            at = np.minimum(corner, size - 1)
            begin, end = start + at, start + (at + 1) % size
            px, py = mx - part.x[begin], my - part.y[begin]
            dx, dy = part.x[end] - part.x[begin], part.y[end] - part.y[begin]
            square = dx * dx + dy * dy
            t = np.clip((px * dx + py * dy) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
            np.minimum(result, np.hypot(px - t * dx, py - t * dy), out=result)
        return result

    def curves(self, sets: Ints, owner: Ints, x: Floats, y: Floats, reach: Floats) -> Curves:
        """The arcs of sets and the lines of their sides within `reach` of a point, with the owner of each set."""
        own = self._two(sets)
        found = []
        for (part, table, sign), this, that in zip(self._tables, own, own[::-1], strict=True):
            row, edge = ragged_arange(part.sides[this], part.start[this])
            nx, ny = sign * part.nx[edge], sign * part.ny[edge]
            height = table[edge, that[row]] + nx * x[row] + ny * y[row] - self._radius
            near = np.abs(height) <= reach[row]
            row, nx, ny, height = row[near], nx[near], ny[near], height[near]
            px, py, along = x[row] - height * nx, y[row] - height * ny, reach[row]
            ends = px + along * ny, py - along * nx, px - along * ny, py + along * nx
            found.append(Curves(owner[row], *ends, nx, ny, np.zeros(len(row))))
        if self.round:
            found.append(self._arcs(sets, owner, x, y, reach))
        return Curves.joined(found)

    def _arcs(self, sets: Ints, owner: Ints, x: Floats, y: Floats, reach: Floats) -> Curves:
        """The arcs of `curves`."""
        part, this, place, sign = self._about_center(sets)
        row, corner = ragged_arange(part.count[this], part.start[this])
        cx, cy = sign * (np.stack([part.x[corner], part.y[corner]]) - place[:, row])
        near = np.abs(np.hypot(cx - x[row], cy - y[row]) - self._radius) <= reach[row]
        row, cx, cy = row[near], cx[near], cy[near]
        zero = np.zeros(len(row))
        return Curves(owner[row], cx, cy, cx, cy, zero, zero, zero + self._radius)


def _table(pieces: Corners, other: Corners) -> Floats:
    """The separation of each side of one body from each piece of another, (E, n)."""
    result = np.empty((len(pieces.nx), len(other.start)))
    owner = np.repeat(np.arange(len(pieces.start)), pieces.sides)
    for some in blocks(len(owner), max(1, _CELLS // len(other.x))):
        nx, ny = pieces.nx[some, None], pieces.ny[some, None]
        here = pieces.place[:, owner[some], None]
        heights = nx * other.x
        heights += ny * other.y
        nearest = np.minimum.reduceat(heights, other.start, axis=1)
        nearest += nx * (other.place[0] - here[0])
        nearest += ny * (other.place[1] - here[1])
        nearest -= pieces.offset[some, None]
        result[some] = nearest
    return result
