# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a body has to move to be free of another, where one of the two is concave.

The translations of B at which it meets A are the configuration space obstacle A − B (seed 001), here a union of convex
sets, one for each two pieces. The shortest way out ends on the boundary of the union: in the middle of a side or an arc
of one of the sets, or where two of them cross. All such places are candidates; tried from the shortest on, a little
beyond, the first at which the bodies do not meet is the answer, proved by the test itself. A way out may lead into a
hole, and leads across whatever lies between.
"""

from dataclasses import dataclass

import numpy as np

from ..results import Bools, Floats, Ints
from ..tolerances import WAY_OUT
from . import convex
from .convex import Block, blocks
from .cores import Cores
from .regions import Body, piece_pairs, pieces_of, product
from .separation import edge_gaps

# Candidates of each pair that are tried together at first; twice as many each time none of them is free.
_FIRST_TRIES = 4


@dataclass(frozen=True, eq=False)
class _Curves:
    """Sides and arcs of the convex sets, in the plane of translations of B.

    Attributes
    ----------
    owner : (F,) int64
        The pair.
    px, py, qx, qy : (F,) float64
        The ends of a side; of an arc, its centre, twice.
    nx, ny : (F,) float64
        Outward unit normal of a side; zero for an arc.
    radius : (F,) float64
        Of an arc; 0 for a side.
    """

    owner: Ints
    px: Floats
    py: Floats
    qx: Floats
    qy: Floats
    nx: Floats
    ny: Floats
    radius: Floats

    def take(self, rows: Ints | Bools) -> "_Curves":
        return _Curves(**{name: value[rows] for name, value in vars(self).items()})

    @classmethod
    def joined(cls, parts: "list[_Curves]") -> "_Curves":
        return cls(**{name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])})


@dataclass(frozen=True, eq=False)
class _Exits:
    """Candidates: where a way out may end, and in which direction the outside lies there."""

    owner: Ints
    x: Floats
    y: Floats
    ox: Floats
    oy: Floats


def shortest_exit(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> tuple[Floats, Floats]:
    """Length (P,) and direction (P, 2) of the shortest translation of B that parts it from A, for pairs that meet."""
    if not len(rows_a):
        return np.empty(0), np.empty((0, 2))
    curves, size = _curves(a, b, rows_a, rows_b)
    best = _around(a, b, rows_a, rows_b)
    bound = np.hypot(best[:, 0], best[:, 1])
    for step in (_nearest_places, _crossings):
        # Only what is nearer than a way out that is known already.
        curves = curves.take(_nearness(curves) <= bound[curves.owner])
        exits = step(curves)
        found = _first_free(a, b, rows_a, rows_b, exits, bound, size)
        better = np.isfinite(found[:, 0])
        best[better] = found[better]
        bound = np.hypot(best[:, 0], best[:, 1])
    some = bound > 0.0
    direction = np.where(some[:, None], best / np.where(some, bound, 1.0)[:, None], [0.0, 1.0])
    return bound, direction


def _around(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Floats:
    """The shortest way along an axis until the bounding boxes are apart, (P, 2)."""
    lower_a, upper_a = (side[rows_a] for side in a.bounds())
    lower_b, upper_b = (side[rows_b] for side in b.bounds())
    ways = np.concatenate([upper_a - lower_b, lower_a - upper_b], axis=1)
    least = np.abs(ways).argmin(axis=1)
    result = np.zeros((len(rows_a), 2))
    at = np.arange(len(rows_a))
    result[at, least % 2] = ways[at, least]
    return result


def _curves(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> tuple[_Curves, Floats]:
    """The boundaries of the sets of all pairs of pieces, and the size of each pair of bodies."""
    found = []
    size = np.zeros(len(rows_a))
    first, second = pieces_of(a), pieces_of(b)
    for part in piece_pairs(a, b, rows_a, rows_b):
        for block in blocks(first, second, part.a, part.b):
            owner = part.owner[block.slots]
            np.maximum.at(size, owner, block.size)
            found += _sides(block, owner)
    return _Curves.joined(found), size


def _sides(block: Block, owner: Ints) -> list[_Curves]:
    """Sides and arcs of A − B for each pair of convex pieces of a block."""
    found = []
    zero = np.zeros(len(owner))
    for of, other, sign in ((block.a, block.b, 1.0), (block.b, block.a, -1.0)):
        x, y = sign * block.x, sign * block.y
        for edge, gap in enumerate(edge_gaps(of, other, x, y)):
            nx, ny = of.nx[edge], of.ny[edge]
            low, high = _level(of, nx, ny, 1.0, block.slack)
            other_low, other_high = _level(other, nx, ny, -1.0, block.slack)
            # Points of the one less points of the other, which lies at x, y; for B's sides with the sign turned.
            place = nx * y - ny * x
            reach = sign * (other.radius - gap)
            begin, end = sign * (low - other_high - place), sign * (high - other_low - place)
            ends = [(nx * reach - ny * along, ny * reach + nx * along) for along in (begin, end)]
            found.append(_Curves(owner, *ends[0], *ends[1], sign * nx, sign * ny, zero))
        for corner in range(len(of.x) if other.radius.any() else 0):
            cx, cy = sign * (of.x[corner] - x), sign * (of.y[corner] - y)
            found.append(_Curves(owner, cx, cy, cx, cy, zero, zero, other.radius))
    return found


def _level(core: Cores, nx: Floats, ny: Floats, side: float, slack: Floats) -> tuple[Floats, Floats]:
    """The extent, at right angles to a normal, of what lies farthest along it, or with `side` -1 against it."""
    height = side * (nx * core.x + ny * core.y)
    level = height >= height.max(axis=0) - slack
    along = nx * core.y - ny * core.x
    return np.where(level, along, np.inf).min(axis=0), np.where(level, along, -np.inf).max(axis=0)


def _nearness(curves: _Curves) -> Floats:
    """Distance of the origin from each side, or from the whole circle of each arc."""
    dx, dy = curves.qx - curves.px, curves.qy - curves.py
    square = dx * dx + dy * dy
    t = np.clip(-(curves.px * dx + curves.py * dy) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return np.abs(np.hypot(curves.px + t * dx, curves.py + t * dy) - curves.radius)


def _nearest_places(curves: _Curves) -> _Exits:
    """The feet of the origin on the sides that have them, and the nearest points of the arcs."""
    reach = curves.px * curves.nx + curves.py * curves.ny
    begin, end = (curves.nx * y - curves.ny * x for x, y in ((curves.px, curves.py), (curves.qx, curves.qy)))
    slack = WAY_OUT * (np.abs(begin) + np.abs(end))
    side = curves.radius == 0.0
    feet = side & (np.minimum(begin, end) <= slack) & (np.maximum(begin, end) >= -slack)
    away = np.hypot(curves.px, curves.py)
    some = away > 0.0
    ux = np.where(some, -curves.px / np.where(some, away, 1.0), 0.0)
    uy = np.where(some, -curves.py / np.where(some, away, 1.0), 1.0)
    x = np.where(side, curves.nx * reach, curves.px + curves.radius * ux)
    y = np.where(side, curves.ny * reach, curves.py + curves.radius * uy)
    ox, oy = np.where(side, curves.nx, ux), np.where(side, curves.ny, uy)
    kept = feet | ~side
    return _Exits(*(part[kept] for part in (curves.owner, x, y, ox, oy)))


def _crossings(curves: _Curves) -> _Exits:
    """Where any two curves of a pair cross; the outside lies beyond both."""
    curves = curves.take(np.argsort(curves.owner, kind="stable"))
    count = np.bincount(curves.owner, minlength=1)
    first = np.cumsum(count) - count
    found = [_Exits(np.empty(0, np.int64), *np.empty((4, 0)))]
    for part in product(first, count, first, count):
        ordered = part.a < part.b
        i, j = part.a[ordered], part.b[ordered]
        arcs = (curves.radius[i] > 0.0).astype(np.int64) + (curves.radius[j] > 0.0)
        turned = (curves.radius[i] > 0.0) & (curves.radius[j] == 0.0)
        i, j = np.where(turned, j, i), np.where(turned, i, j)
        for kind, crossing in enumerate((_two_sides, _side_and_arc, _two_arcs)):
            one, two = curves.take(i[arcs == kind]), curves.take(j[arcs == kind])
            for x, y, real in crossing(one, two):
                normals = [_outward(curve, x, y) for curve in (one, two)]
                ox, oy = normals[0][0] + normals[1][0], normals[0][1] + normals[1][1]
                length = np.hypot(ox, oy)
                kept = real & (length > WAY_OUT)
                unit = np.stack([ox, oy])[:, kept] / length[kept]
                found.append(_Exits(one.owner[kept], x[kept], y[kept], unit[0], unit[1]))
    return _Exits(*(np.concatenate([vars(part)[name] for part in found]) for name in vars(found[0])))


def _outward(curve: _Curves, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    arc = curve.radius > 0.0
    size = np.where(arc, curve.radius, 1.0)
    return (
        np.where(arc, (x - curve.px) / size, curve.nx),
        np.where(arc, (y - curve.py) / size, curve.ny),
    )


Places = list[tuple[Floats, Floats, Bools]]


def _two_sides(one: _Curves, two: _Curves) -> Places:
    ux, uy, vx, vy = one.qx - one.px, one.qy - one.py, two.qx - two.px, two.qy - two.py
    cross = ux * vy - uy * vx
    proper = cross != 0.0
    divisor = np.where(proper, cross, 1.0)
    wx, wy = two.px - one.px, two.py - one.py
    s, t = (wx * vy - wy * vx) / divisor, (wx * uy - wy * ux) / divisor
    real = proper & (np.minimum(s, t) >= -WAY_OUT) & (np.maximum(s, t) <= 1.0 + WAY_OUT)
    return [(one.px + s * ux, one.py + s * uy, real)]


def _side_and_arc(side: _Curves, arc: _Curves) -> Places:
    ux, uy = side.qx - side.px, side.qy - side.py
    height = side.nx * (arc.px - side.px) + side.ny * (arc.py - side.py)
    half = np.sqrt(np.maximum(arc.radius**2 - height**2, 0.0))
    square = ux * ux + uy * uy
    found = []
    for sign in (-1.0, 1.0):
        x = arc.px - height * side.nx - sign * half * side.ny
        y = arc.py - height * side.ny + sign * half * side.nx
        t = ((x - side.px) * ux + (y - side.py) * uy) / np.where(square > 0.0, square, 1.0)
        real = (np.abs(height) <= arc.radius) & (t >= -WAY_OUT) & (t <= 1.0 + WAY_OUT)
        found.append((x, y, real))
    return found


def _two_arcs(one: _Curves, two: _Curves) -> Places:
    dx, dy = two.px - one.px, two.py - one.py
    apart = np.hypot(dx, dy)
    some = apart > 0.0
    ux, uy = dx / np.where(some, apart, 1.0), dy / np.where(some, apart, 1.0)
    along = (apart + (one.radius - two.radius) * (one.radius + two.radius) / np.where(some, apart, 1.0)) / 2.0
    half = np.sqrt(np.maximum(one.radius**2 - along**2, 0.0))
    real = some & (np.abs(along) <= one.radius)
    return [
        (one.px + along * ux - sign * half * uy, one.py + along * uy + sign * half * ux, real) for sign in (-1.0, 1.0)
    ]


def _first_free(a: Body, b: Body, rows_a: Ints, rows_b: Ints, exits: _Exits, bound: Floats, size: Floats) -> Floats:
    """The shortest exit of each pair a little beyond which the bodies do not meet; infinite where there is none."""
    result = np.full((len(rows_a), 2), np.inf)
    length = np.hypot(exits.x, exits.y)
    order = np.lexsort((length, exits.owner))
    order = order[length[order] < bound[exits.owner[order]]]
    owner = exits.owner[order]
    begin = np.searchsorted(owner, np.arange(len(rows_a)))
    end = np.searchsorted(owner, np.arange(len(rows_a)), side="right")
    tries = _FIRST_TRIES
    waiting = np.flatnonzero(begin < end)
    while len(waiting):
        until = np.minimum(begin[waiting] + tries, end[waiting])
        count = until - begin[waiting]
        at = np.repeat(begin[waiting] - (np.cumsum(count) - count), count) + np.arange(count.sum())
        tried, pair = order[at], owner[at]
        reach = WAY_OUT * size[pair]
        shift = np.stack([exits.x[tried] + reach * exits.ox[tried], exits.y[tried] + reach * exits.oy[tried]], axis=1)
        free = np.flatnonzero(~meets(a, b, rows_a[pair], rows_b[pair], shift))
        if len(free):
            which, place = np.unique(pair[free], return_index=True)
            chosen = tried[free[place]]
            result[which] = np.stack([exits.x[chosen], exits.y[chosen]], axis=1)
        begin[waiting] = until
        waiting = waiting[(until < end[waiting]) & ~np.isfinite(result[waiting, 0])]
        tries *= 2
    return result


def meets(a: Body, b: Body, rows_a: Ints, rows_b: Ints, shift: Floats | None = None) -> Bools:
    """Whether any two pieces have a point in common; B moved by `shift` (P, 2)."""
    result = np.zeros(len(rows_a), dtype=np.bool_)
    for part in piece_pairs(a, b, rows_a, rows_b):
        moved = None if shift is None else shift[part.owner]
        together = convex.overlap(pieces_of(a), pieces_of(b), part.a, part.b, moved)
        result[part.owner[together]] = True
    return result
