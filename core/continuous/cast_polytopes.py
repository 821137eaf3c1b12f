# SPDX-License-Identifier: GPL-3.0-or-later
"""Two polytopes in straight motion: the way of B against A is a line through A - B, and they touch where it enters.

They have a common point at the time t exactly if t v lies in A - B (doc4code 2011, "Configuration space obstacle"),
where v is the displacement of B against A. Portal refinement (Snethen, "XenoCollide", in Game Programming Gems 7, 2008)
finds where a line enters a convex set that is known by its support mapping: first three points of A - B around the
line, in the plane across it; then the support along the normal of their triangle takes the place of one of the three,
until no support is beyond the triangle. That is the simplex method on the entry times per axis, the largest of which is
the time of impact: each triangle bounds it from above, and each support from below.

What is told is proved by what was found and not by how. A miss has a direction along which they are apart at the start
and at the end, and therefore always. A hit has one along which they are apart until then, and a point of each shape
that are in one place at the time. Where neither is clear of rounding the pair is left to the advancement, and so is
what may touch at the start.
"""

from dataclasses import dataclass

import numpy as np

from ..convex.polytopes import Polytopes, PolytopeSupport, polytopes
from ..numerics import counters
from ..numerics import soa as vector
from ..numerics.types import Bools, Floats, Ints
from ..shapes import Boxes, Hulls, Triangles
from .first_contacts import FirstContacts, swept_slack

# Supports after which a pair is left to the advancement: hulls of 64 vertices take a dozen.
_MOST_SUPPORTS = 48

# Which way the inner point is put off the center, as a share of the ball within: the line goes right through the center
# when something is aimed at it, and along planes of symmetry when that is a box.
_SKEW = np.array([0.088, -0.068, 0.056])

Flat = Boxes | Triangles | Hulls
Hits = tuple[Ints, Floats, Floats, Floats]
_NO_HITS: Hits = np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros((3, 0)), np.zeros((3, 0))


def first_contacts(a: Flat, b: Flat, velocity_a: Floats, velocity_b: Floats) -> FirstContacts:
    """First contact of each pair over the times 0 to 1; the velocities are those of the pairs, (P, 3).

    Points are left open where faces or edges lie on each other, for whoever measures the pair at that time.
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
    counters.record_resolved(counters.EXACT, settled)
    place = point.T + origin[rows] + time[:, None] * velocity_a[rows]
    return FirstContacts(settled, rows, time, place, normal.T)


@dataclass
class _Portals:
    """Pairs on their way to being settled, in components.

    Attributes
    ----------
    rows : (P,) int64
    a, b : PolytopeSupport
        In the frame at A's place.
    velocity : (3, P) float64
        Of B against A.
    along : (3, P) float64
        The same or the opposite: the corners are counter-clockwise about it.
    nearest : (P,) float64
        When the centers are nearest: the points of the line are counted from there, so that long ways lose no digits.
    slack : (P,) float64
        Gaps up to this, either way, may be touching.
    portal_found : (P,) bool
        Whether the line passes between the corners.
    seeking_exit : (P,) bool
        Whether what is sought is where the line leaves, because it enters before the start.
    corner : (3, 6, P) float64
        Three points of A - B, less the line's at `nearest`, and the points of A they come from. The first is an inner
        point at first.
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
        """Pairs with their first three corners, not around the line yet; those that hardly move are left out."""
        rows = np.flatnonzero((velocity * velocity).sum(axis=1) > slack * slack)
        a, b, way = a.take(rows), b.take(rows), vector.of_rows(velocity[rows])
        portal_found, seeking_exit = np.zeros((2, len(rows)), dtype=bool)
        support_a, support_b = PolytopeSupport.of(a), PolytopeSupport.of(b)
        inner = vector.of_rows(a.centers + a.inner[:, None] * _SKEW)
        apart = inner - b.centers.T
        nearest = vector.dot(apart, way) / vector.dot(way, way)
        corner = np.empty((3, 6, len(rows)))
        corner[0, :3], corner[0, 3:] = apart - nearest * way, inner
        self = cls(rows, support_a, support_b, way, way, nearest, slack[rows], portal_found, seeking_exit, corner)
        # In the plane across the line: the farthest point towards it, and the farthest on the side where the line is.
        center = corner[0, :3]
        corner[1] = self.farthest(_unit(-center))
        side = corner[1, :3] - center
        self.along = np.where(_turn(way, center, side) < 0.0, -way, way)
        corner[2] = self.farthest(_unit(vector.cross(self.along, side)))
        return self

    def take(self, rows: Ints) -> None:
        """Go on with these pairs."""
        self.a, self.b = self.a.take(rows), self.b.take(rows)
        for name in ("rows", "velocity", "along", "nearest", "slack", "portal_found", "seeking_exit", "corner"):
            setattr(self, name, getattr(self, name).take(rows, axis=-1))

    def farthest(self, normal: Floats) -> Floats:
        """The farthest point of A - B along each normal (3, P), as a corner (6, P)."""
        on_a = self.a.support(normal.T).T
        return np.concatenate([on_a - self.b.support(-normal.T).T - self.nearest * self.velocity, on_a])

    def refine(self, settled: Bools) -> Hits:
        """One support more for each pair: settle those that miss, give those that hit, and go on with the others."""
        first, second, third = self.corner[:, :3]
        past = ~self.portal_found & (_turn(self.along, third, first) < 0.0)
        beyond = ~self.portal_found & ~past & (_turn(self.along, second, third) < 0.0)
        self.portal_found = ~(past | beyond)
        # Past the third corner, seen from the inner point; beyond the edge from the second; or up to the triangle.
        onward, other = np.where(beyond, third - second, second - first), third - first
        onward, other = np.where(past, self.along, onward), np.where(beyond, self.along, other)
        normal = _unit(vector.cross(onward, other))
        speed = vector.dot(normal, self.velocity)
        away = np.where(self.portal_found & ((speed > 0.0) != self.seeking_exit), -1.0, 1.0)
        normal, speed = normal * away, speed * away
        level = vector.dot(normal, second)
        # How high above the triangle's plane the start lies, backwards.
        begin = level + self.nearest * speed
        turn = self.portal_found & ~self.seeking_exit & (begin > 0.0)
        overlapping = self.seeking_exit & (begin >= 0.0)
        self.seeking_exit = self.seeking_exit | turn
        turned = np.where(turn, -1.0, 1.0)
        normal, speed, level = normal * turned, speed * turned, level * turned
        new = self.farthest(normal)
        height = vector.dot(normal, new[:3])
        at_start = -self.nearest * speed - height
        missed = np.minimum(at_start, at_start + speed) > self.slack
        settled[self.rows[missed]] = True
        # No farther than the corners: this is the face that the line goes through, or the edge that it just meets.
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
        """Have the new corners take the place of others, so that the line is between the three, or nearer to them."""
        ahead = vector.cross(self.along, new[:3])
        first, second, third = (vector.dot(ahead, corner[:3]) for corner in self.corner)
        place = np.where((second >= 0.0) & (third <= 0.0), 0, 1)
        place[(first >= 0.0) & (second <= 0.0)] = 2
        place = np.where(beyond, np.where(first <= 0.0, 1, 2), place)
        rows = np.flatnonzero(past)
        self.corner[1][:, rows] = self.corner[2][:, rows]
        place[rows] = 2
        self.corner[place, :, np.arange(len(place))] = new.T

    def _hits(self, at: Ints, normal: Floats, height: Floats, speed: Floats) -> Hits:
        """Of pairs that the line enters through the triangle of their corners, those that are seen to touch there."""
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
        # Where B's point is then, seen from A's: no farther than touching allows.
        miss = onward * self.velocity.take(at, axis=1) - place[:3]
        sure = (whole > 0.0) & (time <= 1.0) & (vector.dot(miss, miss) <= (self.slack[at] / 4.0) ** 2)
        point = place[3:] + miss / 2.0
        levels = [shapes.take(at).level(direction) for shapes, direction in ((self.a, normal), (self.b, -normal))]
        # More than two corners of the one and two of the other: the point may be anywhere in a patch or a stretch.
        point[:, (np.minimum(*levels) > 1) & (np.maximum(*levels) > 2)] = np.nan
        return self.rows[at[sure]], time[sure], normal[:, sure], point[:, sure]


def _unit(vectors: Floats) -> Floats:
    """Unit vectors, zero where there is no direction."""
    far = np.sqrt(vector.dot(vectors, vectors))
    result: Floats = vectors / np.where(far > 0.0, far, 1.0)
    return result


def _turn(along: Floats, first: Floats, second: Floats) -> Floats:
    """Above zero where the way from the first to the second is counter-clockwise about the line: (P,)."""
    return vector.dot(along, vector.cross(first, second))
