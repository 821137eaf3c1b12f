# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants that whoever shows results needs before anything is computed. Nothing here needs numpy."""

from enum import IntEnum

# How a shape lies to a view frustum.
OUTSIDE, CROSSING, INSIDE = -1, 0, 1

# Of shapes given without materials, as of a rigid body in Blender that nobody has touched.
DEFAULT_FRICTION = 0.5
DEFAULT_RESTITUTION = 0.0


class Verdict(IntEnum):
    """How two shapes stand to each other, from the most harmless to the worst.

    Attributes
    ----------
    SEPARATED
        The gap is above the touching tolerance and the clearance.
    WITHIN_CLEARANCE
        The gap is above the touching tolerance, and at most the clearance.
    TOUCHING
        The gap is at most the touching tolerance, and no point is deeper than it in the other shape.
    PENETRATING
        A point of one shape is deeper in the other than the touching tolerance.
    CONTAINED
        As PENETRATING, and one shape holds all of the other.
    """

    SEPARATED = 0
    WITHIN_CLEARANCE = 1
    TOUCHING = 2
    PENETRATING = 3
    CONTAINED = 4
