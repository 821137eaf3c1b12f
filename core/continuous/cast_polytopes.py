# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of two translating polytopes: the time at which a line enters A - B.

The polytopes have a common point at time t exactly if t v lies in A - B (doc4code 2011, "Configuration space
obstacle"), where v is the displacement of B relative to A. Portal refinement (Snethen, "XenoCollide", in Game
Programming Gems 7, 2008) finds where a line enters a convex set that is given by its support function. It begins with
three points of A - B around the line, as seen along the line. The support point along the normal of their triangle then
replaces one of the three, until no support point is beyond the triangle. This is the simplex method on the entry times
along all axes, the largest of which is the time of impact. Each triangle is an upper bound of it, and each support
point a lower bound.

Results are proved by certificates. For a miss, there is a direction along which the pair is separated at the start and
at the end, and therefore always. For a hit, there is a direction along which it is separated until that time, and a
point of each shape that coincide at that time. If rounding could change the result, the pair is left to conservative
advancement. So is a pair that may touch at the start.
"""

from dataclasses import dataclass

import numpy as np

from .. import results
from ..convex.polytopes.placed import Polytopes, PolytopeSupport, polytopes
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns, to_columns, unit_columns
from ..shapes import Boxes, Hulls, Triangles
from .first_contacts import FirstContacts, swept_slack

# Pairs that need more support points are left to conservative advancement. Hulls of 64 vertices take a dozen.
_MOST_SUPPORTS = 48

# Offset of the inner point from the center, as a fraction of the inscribed ball. Without it, the line would often pass
# exactly through the inner point, for example when a shape is aimed at the center, or moves in a plane of symmetry of a
# box.
_SKEW = np.array([0.088, -0.068, 0.056])

Flat = Boxes | Triangles | Hulls
Hits = tuple[Ints, Floats, Floats, Floats]
_NO_HITS: Hits = np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros((3, 0)), np.zeros((3, 0))


def first_contacts(a: Flat, b: Flat, velocity_a: Floats, velocity_b: Floats) -> FirstContacts:
    """First contact of each pair in the interval [0, 1]. The velocities (P, 3) are those of the pairs.

    The point is NaN if faces or edges lie on each other. The caller then measures the pair at that time.
    """
    settled = np.zeros(len(a), dtype=bool)
    if not len(a):
        return FirstContacts(settled, np.zeros(0, dtype=np.int64), np.zeros(0), *np.zeros((2, 0, 3)))
    left, right = polytopes(a), polytopes(b)
    origin, every = left.translation, slice(None)
    extent = np.abs(origin) + np.abs(right.translation) + np.abs(velocity_a) + np.abs(velocity_b)
    slack = swept_slack(left.size + right.size + extent.sum(axis=1))
    portals = _Portals.between(left.take(every, origin), right.take(every, origin), velocity_b - velocity_a, slack)
    hits = [_NO_HITS]
    for _ in range(_MOST_SUPPORTS):
        if not len(portals.rows):
            break
        hits.append(portals.refine(settled))
    rows, time, normal, point = (np.concatenate(part, axis=-1) for part in zip(*hits, strict=True))
    settled[rows] = True
    results.record_resolved(results.EXACT, settled)
    place = point.T + origin[rows] + time[:, None] * velocity_a[rows]
    return FirstContacts(settled, rows, time, place, normal.T)


@dataclass
class _Portals:
    """Pairs without a result yet, in components.

    Attributes
    ----------
    rows : (P,) int64
    a, b : PolytopeSupport
        Relative to A's position.
    velocity : (3, P) float64
        Of B relative to A.
    along : (3, P) float64
        The velocity or its opposite, such that the corners are counterclockwise about it.
    nearest : (P,) float64
        When the centers are nearest. Points on the line are relative to its point at this time, so that long
        displacements lose no digits.
    slack : (P,) float64
        Gaps or overlaps up to this may be touching contact.
    portal_found : (P,) bool
        Whether the line passes between the corners.
    seeking_exit : (P,) bool
        Whether the exit point of the line is searched, because the line enters before the start.
    corner : (3, 6, P) float64
        Three points of A - B, relative to the line's point at `nearest`, and the points of A that they come from. At
        first, the first one is an inner point.
    """

    rows: Ints
    a: PolytopeSupport
    b: PolytopeSupport
    velocity: Floats
    along: Floats
    nearest: Floats
    slack: Floats
    portal_found: Bools
    seeking_exit: Bools
    corner: Floats

    @classmethod
    def between(cls, a: Polytopes, b: Polytopes, velocity: Floats, slack: Floats) -> "_Portals":
        """Pairs with their first three corners, which do not surround the line yet.

        Pairs that hardly move are omitted.
        """
        rows = np.flatnonzero((velocity * velocity).sum(axis=1) > slack * slack)
        a, b, way = a.take(rows), b.take(rows), to_columns(velocity[rows])
        portal_found, seeking_exit = np.zeros((2, len(rows)), dtype=bool)
        support_a, support_b = PolytopeSupport.of(a), PolytopeSupport.of(b)
        inner = to_columns(a.centers + a.inner[:, None] * _SKEW)
        apart = inner - b.centers.T
        nearest = dot_columns(apart, way) / dot_columns(way, way)
        corner = np.empty((3, 6, len(rows)))
        corner[0, :3], corner[0, 3:] = apart - nearest * way, inner
        self = cls(rows, support_a, support_b, way, way, nearest, slack[rows], portal_found, seeking_exit, corner)
        # As seen along the line: the farthest point towards it, and the farthest point on its side of that corner.
        center = corner[0, :3]
        corner[1] = self.farthest(unit_columns(-center))
        side = corner[1, :3] - center
        self.along = np.where(_turn(way, center, side) < 0.0, -way, way)
        corner[2] = self.farthest(unit_columns(cross_columns(self.along, side)))
        return self

    def take(self, rows: Ints) -> None:
        """Keep only these pairs."""
        self.a, self.b = self.a.take(rows), self.b.take(rows)
        for name in ("rows", "velocity", "along", "nearest", "slack", "portal_found", "seeking_exit", "corner"):
            setattr(self, name, getattr(self, name).take(rows, axis=-1))

    def farthest(self, normal: Floats) -> Floats:
        """The support point of A - B along each normal (3, P), as a corner (6, P)."""
        on_a = self.a.support(normal.T).T
        return np.concatenate([on_a - self.b.support(-normal.T).T - self.nearest * self.velocity, on_a])

    def refine(self, settled: Bools) -> Hits:
        """Add one support point for each pair: settle the misses, return the hits, and keep the others."""
        first, second, third = self.corner[:, :3]
        past = ~self.portal_found & (_turn(self.along, third, first) < 0.0)
        beyond = ~self.portal_found & ~past & (_turn(self.along, second, third) < 0.0)
        self.portal_found = ~(past | beyond)
        # The next support direction: past the third corner, seen from the inner point; beyond the edge of the second
        # and third corners; or normal to the triangle.
        onward, other = np.where(beyond, third - second, second - first), third - first
        onward, other = np.where(past, self.along, onward), np.where(beyond, self.along, other)
        normal = unit_columns(cross_columns(onward, other))
        speed = dot_columns(normal, self.velocity)
        away = np.where(self.portal_found & ((speed > 0.0) != self.seeking_exit), -1.0, 1.0)
        normal, speed = normal * away, speed * away
        level = dot_columns(normal, second)
        # Height of the start above the plane of the triangle, along the reversed normal.
        begin = level + self.nearest * speed
        turn = self.portal_found & ~self.seeking_exit & (begin > 0.0)
        overlapping = self.seeking_exit & (begin >= 0.0)
        self.seeking_exit = self.seeking_exit | turn
        turned = np.where(turn, -1.0, 1.0)
        normal, speed, level = normal * turned, speed * turned, level * turned
        new = self.farthest(normal)
        height = dot_columns(normal, new[:3])
        at_start = -self.nearest * speed - height
        missed = np.minimum(at_start, at_start + speed) > self.slack
        settled[self.rows[missed]] = True
        # No point is farther than the corners: this is the face that the line passes through, or the edge that it just
        # touches.
        done = height - level <= self.slack / 4.0
        go = ~(missed | done | overlapping)
        hit = np.flatnonzero(
            done & ~missed & self.portal_found & ~self.seeking_exit & (at_start > self.slack) & (speed < 0.0)
        )
        hits = self._hits(hit, normal, height, speed)
        self._replace(new, past, beyond)
        if not go.all():
            self.take(np.flatnonzero(go))
        return hits

    def _replace(self, new: Floats, past: Bools, beyond: Bools) -> None:
        """Replace a corner of each pair by the new one, so that the line is between the three corners or closer."""
        ahead = cross_columns(self.along, new[:3])
        first, second, third = (dot_columns(ahead, corner[:3]) for corner in self.corner)
        place = np.where((second >= 0.0) & (third <= 0.0), 0, 1)
        place[(first >= 0.0) & (second <= 0.0)] = 2
        place = np.where(beyond, np.where(first <= 0.0, 1, 2), place)
        rows = np.flatnonzero(past)
        self.corner[1][:, rows] = self.corner[2][:, rows]
        place[rows] = 2
        self.corner[place, :, np.arange(len(place))] = new.T

    def _hits(self, at: Ints, normal: Floats, height: Floats, speed: Floats) -> Hits:
        """Return which pairs are proved to touch where their line enters through the triangle of their corners."""
        if not len(at):
            return _NO_HITS
        normal, corner, along = normal.take(at, axis=1), self.corner.take(at, axis=2), self.along.take(at, axis=1)
        onward = height[at] / speed[at]
        time = self.nearest[at] + onward
        sides = [_turn(along, corner[k, :3], corner[k - 2, :3]) for k in (1, 2, 0)]
        share = np.maximum(sides, 0.0)
        whole = share.sum(axis=0)
        share /= np.where(whole > 0.0, whole, 1.0)
        place = np.einsum("kp,kip->ip", share, corner)
        # Distance between the points of A and B at that time: within touching tolerance for a hit.
        miss = onward * self.velocity.take(at, axis=1) - place[:3]
        sure = (whole > 0.0) & (time <= 1.0) & (dot_columns(miss, miss) <= (self.slack[at] / 4.0) ** 2)
        point = place[3:] + miss / 2.0
        levels = [shapes.take(at).level(direction) for shapes, direction in ((self.a, normal), (self.b, -normal))]
        # Each shape has several corners at the same level: the point may be anywhere in a patch or a segment.
        point[:, (np.minimum(*levels) > 1) & (np.maximum(*levels) > 2)] = np.nan
        return self.rows[at[sure]], time[sure], normal[:, sure], point[:, sure]


def _turn(along: Floats, first: Floats, second: Floats) -> Floats:
    """Positive if the turn from the first to the second vector is counterclockwise about the line: (P,)."""
    return dot_columns(along, cross_columns(first, second))
