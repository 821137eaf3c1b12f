# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of two translating spheres or capsules.

It is the time at which the origin enters the difference of their segments, inflated by both radii. The difference B - A
is a point, a segment or a parallelogram. Its inflated surface consists of spheres around the corners, cylinders around
the edges, and two faces (doc4code 2011, configuration space; Ericson, sections 5.5.1 and 5.5.7). The first contact is
the smallest of some roots of quadratics and a quotient. Adjacent pieces are tangent to each other, so no piece needs to
be clipped exactly.
"""

import numpy as np

from ..numerics.tolerances import NEAR, SWEPT_SINE_SQUARED
from ..numerics.types import Bools, Floats
from ..numerics.vectors import cross_columns, dot_columns, to_columns
from ..shapes import Capsules, Spheres
from .first_contacts import FirstContacts, swept_slack

Round = Spheres | Capsules


def first_contacts(a: Round, b: Round, velocity_a: Floats, velocity_b: Floats) -> FirstContacts:
    """First contact of each pair in the interval [0, 1]. The velocities (P, 3) are those of the pairs.

    A pair whose least distance is within rounding counts as touching, at the time of the least distance. The caller
    measures the pair at that time to get the point and the normal. Points and segments without radius are left to
    conservative advancement.
    """
    first = _FirstContact(a, b, velocity_a, velocity_b)
    rows = np.flatnonzero(np.isfinite(first.time) & ~first.doubtful)
    nowhere = np.full((2, len(rows), 3), np.nan)
    return FirstContacts(~first.doubtful, rows, first.time[rows], nowhere[0], nowhere[1])


def _ends(shapes: Round) -> list[Floats]:
    """The ends of the segments, (3, P) each; a sphere has only one."""
    ends = (shapes.center,) if isinstance(shapes, Spheres) else (shapes.start, shapes.end)
    return [to_columns(end) for end in ends]


class _FirstContact:
    """The smallest entry time over all pieces, `time` (P,), and the pairs that are not decided, `doubtful` (P,)."""

    def __init__(self, a: Round, b: Round, velocity_a: Floats, velocity_b: Floats) -> None:
        ends_a, ends_b = _ends(a), _ends(b)
        self.velocity = to_columns(velocity_b) - to_columns(velocity_a)
        self.radius = a.radius + b.radius
        offset = sum(np.abs(end).sum(axis=0) for end in (*ends_a, *ends_b))
        path = (np.abs(velocity_a) + np.abs(velocity_b)).sum(axis=1)
        self.slack = swept_slack(self.radius + offset + path)
        self.grown = self.radius + self.slack
        self.time = np.full(len(a), np.inf)
        # If the radii are not large compared with rounding, the direction at contact is not accurate, unless a face
        # defines it.
        self.doubtful = NEAR * self.radius <= self.slack
        corners = [[end_b - end_a for end_b in ends_b] for end_a in ends_a]
        for row in corners:
            for corner in row:
                self._sphere(corner)
        for row in corners if len(ends_b) == 2 else ():
            self._cylinder(row[0], row[1])
        for k in range(len(ends_b)) if len(ends_a) == 2 else ():
            self._cylinder(corners[0][k], corners[1][k])
        if len(ends_a) == len(ends_b) == 2:
            self._faces(corners[0][0], corners[1][0] - corners[0][0], corners[0][1] - corners[0][0])

    def _sphere(self, center: Floats) -> None:
        time, sooner, within = self._roots(center, self.velocity)
        self._include(time, sooner, within, np.ones(len(within), dtype=bool), np.ones(len(within), dtype=bool))

    def _cylinder(self, start: Floats, end: Floats) -> None:
        axis = end - start
        far = np.sqrt(dot_columns(axis, axis))
        # A segment without length has no cylinder: no point counts as beside it.
        axis /= np.where(far > 0.0, far, 1.0)
        time, sooner, within = self._roots(cross_columns(axis, start), cross_columns(axis, self.velocity))
        begin, onward = -dot_columns(start, axis), -dot_columns(self.velocity, axis)
        beside = [(foot >= 0.0) & (foot <= far) & (far > 0.0) for foot in (begin, begin + _finite(time) * onward)]
        self._include(time, sooner, within, *beside)

    def _roots(self, place: Floats, velocity: Floats) -> tuple[Floats, Floats, Bools]:
        """Return when the origin enters a moving ball of the given radius, and one inflated by the slack: (P,) each.

        The formula loses no digits: the discriminant is a product of two lengths, and the root is a quotient without a
        difference. If the origin only comes within the slack, the first result is the time of the closest approach. The
        third result is whether the origin is inside the inflated ball at the start.
        """
        away, speed = (np.sqrt(dot_columns(of, of)) for of in (place, velocity))
        toward = -dot_columns(place, velocity)
        across = cross_columns(place, velocity)
        aside = np.sqrt(dot_columns(across, across))
        times = []
        for radius in (self.radius, self.grown):
            root = np.sqrt(np.maximum(radius * speed - aside, 0.0) * (radius * speed + aside))
            denominator = toward + root
            time = (away - radius) * (away + radius) / np.where(denominator > 0.0, denominator, 1.0)
            times.append(time)
        approaching = (toward > 0.0) & (aside <= self.grown * speed)
        return times[0], np.where(approaching, times[1], np.inf), away <= self.grown

    def _faces(self, corner: Floats, along: Floats, other: Floats) -> None:
        """The two faces of the parallelogram, which cover what the cylinders around its edges do not."""
        normal = cross_columns(along, other)
        square = dot_columns(normal, normal)
        sides = dot_columns(along, along), dot_columns(other, other)
        proper = square > SWEPT_SINE_SQUARED * sides[0] * sides[1]
        # In a narrow parallelogram, the cylinders around the long edges cover the faces: at most w²/8r is missing
        # between them.
        narrow = square <= 8.0 * self.radius * self.slack * np.maximum(*sides)
        self.doubtful |= ~proper & ~narrow & (square > 0.0)
        scale = np.sqrt(np.where(proper, square, 1.0))
        height, speed = dot_columns(normal, corner) / scale, dot_columns(normal, self.velocity) / scale
        falling = -speed * np.copysign(1.0, height)
        approaching = falling > 0.0
        fall = np.where(approaching, falling, 1.0)
        time = (np.abs(height) - self.radius) / fall
        sooner = np.where(approaching, (np.abs(height) - self.grown) / fall, np.inf)
        over = []
        for when in (np.zeros_like(time), _finite(time)):
            place = corner + when * self.velocity
            # Projection of the origin, in fractions of the two sides.
            first, second = (dot_columns(cross_columns(*of), normal) for of in ((other, place), (place, along)))
            over.append(proper & (np.minimum(first, second) >= 0.0) & (np.maximum(first, second) <= square))
        self._include(time, sooner, np.abs(height) <= self.grown, *over)

    def _include(self, time: Floats, sooner: Floats, within: Bools, beside: Bools, then: Bools) -> None:
        """Include another piece, given its entry time and that of the inflated piece, (P,); infinite if there is none.

        The other arguments are whether the origin is inside the inflated piece at the start, and whether it is between
        the ends of the piece at the start and at `time`, (P,).
        """
        self.doubtful |= within & beside
        hit = ~within & then & (sooner <= 1.0)
        self.time = np.where(hit, np.minimum(self.time, np.minimum(time, 1.0)), self.time)


def _finite(time: Floats) -> Floats:
    return np.where(np.isfinite(time), time, 0.0)
