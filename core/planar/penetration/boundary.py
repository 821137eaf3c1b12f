# SPDX-License-Identifier: GPL-3.0-or-later
"""Exits: ends of candidate separating translations, on boundaries of the convex sets of translations with contact.

The shortest translation to such a boundary ends in the interior of a side or an arc. The shortest one out of two sets
at once may end where their boundaries cross.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.rows import RowTable
from ...numerics.tolerances import EXIT
from ...numerics.types import Bools, Floats, Ints
from ..narrow_phase.convex import Block
from ..narrow_phase.sat import edge_gaps
from ..shapes.blocks import Cores
from ..shapes.regions import product

# The number of exits tried on an arc whose center is the origin.
_DIRECTIONS = 16


@dataclass(frozen=True, eq=False)
class Curves(RowTable):
    """Sides and arcs of the convex sets, in the plane of translations of B.

    Attributes
    ----------
    owner : (F,) int64
        The pair that the curve belongs to, or the cell.
    px, py, qx, qy : (F,) float64
        The ends of a side; for an arc, its center twice.
    nx, ny : (F,) float64
        Outward unit normal of a side; zero for an arc.
    radius : (F,) float64
        Radius of an arc; 0 for a side.
    """

    owner: Ints
    px: Floats
    py: Floats
    qx: Floats
    qy: Floats
    nx: Floats
    ny: Floats
    radius: Floats


@dataclass(frozen=True, eq=False)
class Exits(RowTable):
    """Candidates: where a separating translation may end, and the outward direction there."""

    owner: Ints
    x: Floats
    y: Floats
    ox: Floats
    oy: Floats


def sides(block: Block, owner: Ints) -> list[Curves]:
    """Sides and arcs of A − B for each pair of convex pieces of a block."""
    found = []
    zero = np.zeros(len(owner))
    for of, other, sign in ((block.a, block.b, 1.0), (block.b, block.a, -1.0)):
        x, y = sign * block.x, sign * block.y
        for edge, gap in enumerate(edge_gaps(of, other, x, y)):
            nx, ny = of.nx[edge], of.ny[edge]
            low, high = _level(of, nx, ny, 1.0, block.slack)
            other_low, other_high = _level(other, nx, ny, -1.0, block.slack)
            # Points of one shape minus points of the other, whose place is at x, y; for sides of B, with opposite sign.
            place = nx * y - ny * x
            reach = sign * (other.radius - gap)
            begin, end = sign * (low - other_high - place), sign * (high - other_low - place)
            ends = [(nx * reach - ny * along, ny * reach + nx * along) for along in (begin, end)]
            found.append(Curves(owner, *ends[0], *ends[1], sign * nx, sign * ny, zero))
        for corner in range(len(of.x) if other.radius.any() else 0):
            cx, cy = sign * (of.x[corner] - x), sign * (of.y[corner] - y)
            found.append(Curves(owner, cx, cy, cx, cy, zero, zero, other.radius))
    return found


def _level(core: Cores, nx: Floats, ny: Floats, side: float, slack: Floats) -> tuple[Floats, Floats]:
    """The extent along the tangent of the features that are farthest along a normal, or against it if `side` is -1."""
    height = side * (nx * core.x + ny * core.y)
    level = height >= height.max(axis=0) - slack
    along = nx * core.y - ny * core.x
    return np.where(level, along, np.inf).min(axis=0), np.where(level, along, -np.inf).max(axis=0)


def nearness(curves: Curves) -> Floats:
    """Distance of the origin from each side, or from the whole circle of each arc."""
    dx, dy = curves.qx - curves.px, curves.qy - curves.py
    square = dx * dx + dy * dy
    t = np.clip(-(curves.px * dx + curves.py * dy) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return np.abs(np.hypot(curves.px + t * dx, curves.py + t * dy) - curves.radius)


def nearest_places(curves: Curves) -> Exits:
    """The feet of the perpendiculars from the origin on the sides, and the points of the arcs nearest to the origin."""
    reach = curves.px * curves.nx + curves.py * curves.ny
    begin, end = (curves.nx * y - curves.ny * x for x, y in ((curves.px, curves.py), (curves.qx, curves.qy)))
    slack = EXIT * (np.abs(begin) + np.abs(end))
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
    nearest = Exits(*(part[kept] for part in (curves.owner, x, y, ox, oy)))
    centered = curves.take(np.flatnonzero(~side & (away <= EXIT * curves.radius)))
    return Exits.joined([nearest, _around(centered)])


def _around(arcs: Curves) -> Exits:
    """Exits all around arcs whose center is the origin. They are equally near, but some may be inside other sets."""
    angle = np.tile(2.0 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS, len(arcs.owner))
    arcs = arcs.take(np.repeat(np.arange(len(arcs.owner)), _DIRECTIONS))
    ox, oy = np.cos(angle), np.sin(angle)
    return Exits(arcs.owner, arcs.px + arcs.radius * ox, arcs.py + arcs.radius * oy, ox, oy)


def crossings(curves: Curves) -> Exits:
    """The points where two curves of a pair cross, with an outward direction for both."""
    curves = curves.take(np.argsort(curves.owner, kind="stable"))
    rank = np.arange(len(curves))
    later = np.searchsorted(curves.owner, curves.owner, side="right") - rank - 1
    found = [Exits(np.empty(0, np.int64), *np.empty((4, 0)))]
    for part in product(rank, np.ones_like(rank), rank + 1, later):
        i, j = part.a, part.b
        arcs = (curves.radius[i] > 0.0).astype(np.int64) + (curves.radius[j] > 0.0)
        turned = (curves.radius[i] > 0.0) & (curves.radius[j] == 0.0)
        i, j = np.where(turned, j, i), np.where(turned, i, j)
        for kind, crossing in enumerate((_two_sides, _side_and_arc, _two_arcs)):
            some = np.flatnonzero(arcs == kind)
            if not len(some):
                continue
            one, two = curves.take(i[some]), curves.take(j[some])
            for x, y, real in crossing(one, two):
                normals = [_outward(curve, x, y) for curve in (one, two)]
                ox, oy = normals[0][0] + normals[1][0], normals[0][1] + normals[1][1]
                length = np.hypot(ox, oy)
                kept = real & (length > EXIT)
                unit = np.stack([ox, oy])[:, kept] / length[kept]
                found.append(Exits(one.owner[kept], x[kept], y[kept], unit[0], unit[1]))
    return Exits.joined(found)


def _outward(curve: Curves, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    arc = curve.radius > 0.0
    size = np.where(arc, curve.radius, 1.0)
    return (np.where(arc, (x - curve.px) / size, curve.nx), np.where(arc, (y - curve.py) / size, curve.ny))


Places = list[tuple[Floats, Floats, Bools]]


def _two_sides(one: Curves, two: Curves) -> Places:
    ux, uy, vx, vy = one.qx - one.px, one.qy - one.py, two.qx - two.px, two.qy - two.py
    cross = ux * vy - uy * vx
    proper = cross != 0.0
    divisor = np.where(proper, cross, 1.0)
    wx, wy = two.px - one.px, two.py - one.py
    s, t = (wx * vy - wy * vx) / divisor, (wx * uy - wy * ux) / divisor
    real = proper & (np.minimum(s, t) >= -EXIT) & (np.maximum(s, t) <= 1.0 + EXIT)
    return [(one.px + s * ux, one.py + s * uy, real)]


def _side_and_arc(side: Curves, arc: Curves) -> Places:
    ux, uy = side.qx - side.px, side.qy - side.py
    height = side.nx * (arc.px - side.px) + side.ny * (arc.py - side.py)
    half = np.sqrt(np.maximum(arc.radius**2 - height**2, 0.0))
    square = ux * ux + uy * uy
    found = []
    for sign in (-1.0, 1.0):
        x = arc.px - height * side.nx - sign * half * side.ny
        y = arc.py - height * side.ny + sign * half * side.nx
        t = ((x - side.px) * ux + (y - side.py) * uy) / np.where(square > 0.0, square, 1.0)
        real = (np.abs(height) <= arc.radius) & (t >= -EXIT) & (t <= 1.0 + EXIT)
        found.append((x, y, real))
    return found


def _two_arcs(one: Curves, two: Curves) -> Places:
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
