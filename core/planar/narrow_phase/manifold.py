# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact manifolds of the plane: at most two points, the ends of the overlap of two edges along the contact tangent.

The edge that defines the normal is the reference. The edge of the other shape whose normal is most opposed to it is
clipped to the reference's extent (Catto, "Contact manifolds", GDC 2007).
"""

from dataclasses import dataclass, replace

import numpy as np

from ...numerics.rows import RowTable
from ...numerics.types import Bools, Floats, Ints
from ...results import FeatureKind
from ..shapes.blocks import Cores
from .sat import Facets
from .witnesses import Witnesses, extent, named


@dataclass(frozen=True, eq=False)
class Manifolds(RowTable):
    """At most two contacts for each of n pairs, relative to A's place, the deeper first; with a circle, K is 1.

    Attributes
    ----------
    x, y, depth : (n, K) float64
    feature_a, feature_b : (n, K, 2) int64
    valid : (n, K) bool
    """

    x: Floats
    y: Floats
    depth: Floats
    feature_a: Ints
    feature_b: Ints
    valid: Bools


def manifolds(
    a: Cores, b: Cores, x: Floats, y: Floats, facets: Facets | None, witnesses: Witnesses, least: Floats, slack: Floats
) -> Manifolds:
    """The contacts of each pair that are at least `least` (n,) deep; if none, one midway between the witness points."""
    most = 2 if a.has_edges and b.has_edges else 1
    result = Manifolds(
        np.repeat((witnesses.ax + witnesses.bx)[:, None] / 2.0, most, axis=1),
        np.repeat((witnesses.ay + witnesses.by)[:, None] / 2.0, most, axis=1),
        np.repeat(-witnesses.distance[:, None], most, axis=1),
        np.repeat(witnesses.feature_a[:, None], most, axis=1),
        np.repeat(witnesses.feature_b[:, None], most, axis=1),
        np.tile(np.arange(most) == 0, (len(x), 1)),
    )
    if facets is None or most == 1:
        return result
    for by_b in (False, True):
        rows = np.flatnonzero((facets.by_b == by_b) & witnesses.facing)
        if not len(rows):
            continue
        of, other, sign = (b, a, -1.0) if by_b else (a, b, 1.0)
        px, py = sign * x[rows], sign * y[rows]
        part = _clipped(of.take(rows), other.take(rows), px, py, facets.edge[rows], least[rows], slack[rows])
        if by_b:
            place_x, place_y = part.x - px[:, None], part.y - py[:, None]
            part = replace(part, x=place_x, y=place_y, feature_a=part.feature_b, feature_b=part.feature_a)
        some: Bools = np.any(part.valid, axis=1)
        result.put(rows[some], part.take(some))
    return result


def _clipped(core: Cores, other: Cores, x: Floats, y: Floats, edge: Ints, least: Floats, slack: Floats) -> Manifolds:
    """The ends of the other shape's edge, clipped to the extent of an edge of the first shape, the deeper first."""
    at = np.arange(len(x))
    nx, ny = core.nx[edge, at], core.ny[edge, at]
    top = core.offset[edge, at]
    reach, own = nx * core.x + ny * core.y, nx * core.y - ny * core.x
    begin, stop, ends = extent(own, reach >= reach.max(axis=0) - slack)
    incident = _incident(other, nx, ny)
    corners = incident, other.after(incident)
    where = [(ox + x, oy + y) for ox, oy in map(other.corner, corners)]
    height = [nx * cx + ny * cy for cx, cy in where]
    along = [nx * cy - ny * cx for cx, cy in where]
    run = along[1] - along[0]
    slope = np.where(np.abs(run) > slack, (height[1] - height[0]) / np.where(run != 0.0, run, 1.0), 0.0)
    reaches = (np.minimum(*along) <= stop + slack) & (np.maximum(*along) >= begin - slack)
    found = []
    for corner, level, place in zip(corners, height, along, strict=True):
        clipped = np.clip(place, begin, stop)
        cut = clipped != place
        depth = top - (level + slope * (clipped - place))
        kind = np.where(cut, FeatureKind.VERTEX, FeatureKind.EDGE)
        which = np.where(cut, np.where(place < begin, ends[0], ends[1]), edge)
        kind_other = np.where(cut, FeatureKind.EDGE, FeatureKind.VERTEX)
        which_other = np.where(cut, incident, corner)
        middle = top - depth / 2.0
        found.append(
            (
                nx * middle - ny * clipped,
                ny * middle + nx * clipped,
                depth,
                named(core, kind, which),
                named(other, kind_other, which_other),
                reaches & (depth >= least),
                clipped,
            )
        )
    order = np.where((found[1][2] > found[0][2])[:, None], [1, 0], [0, 1])
    px, py, depth, feature, feature_other, valid, place = (
        np.stack(part)[order, at[:, None]] for part in zip(*found, strict=True)
    )
    # Ends at the same place are one contact.
    valid[:, 1] &= np.abs(place[:, 1] - place[:, 0]) > slack
    return Manifolds(px, py, depth, feature, feature_other, valid)


def _incident(core: Cores, nx: Floats, ny: Floats) -> Ints:
    """The edge at the lowest corner of each shape, along a normal, whose own normal is most opposed to it.

    Corners of segments and sharp tips are stored twice. Edges one corner further are also tried, if they end at the
    same place.
    """
    at = np.arange(len(core))
    lowest = np.minimum((nx * core.x + ny * core.y).argmin(axis=0), core.count - 1)
    x, y = core.corner(lowest)
    before = core.before(lowest)
    best, chosen = np.full(len(core), np.inf), lowest
    for edge in (lowest, before, core.before(before), core.after(lowest)):
        against = nx * core.nx[edge, at] + ny * core.ny[edge, at]
        ends = core.corner(edge), core.corner(core.after(edge))
        meets = np.logical_or(*((ex == x) & (ey == y) for ex, ey in ends))
        better = meets & (against < best)
        best, chosen = np.where(better, against, best), np.where(better, edge, chosen)
    return chosen
