# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants that callers need before anything is computed, for example to show results. They do not need numpy."""

from enum import IntEnum

# Position of a shape relative to a view frustum.
OUTSIDE, CROSSING, INSIDE = -1, 0, 1

# Values of shapes without materials. Blender gives new rigid bodies the same values.
DEFAULT_FRICTION = 0.5
DEFAULT_RESTITUTION = 0.0


class Verdict(IntEnum):
    """Relation between two shapes.

    From the most harmless to the worst: SEPARATED, WITHIN_CLEARANCE, TOUCHING, COPLANAR, PENETRATING, CONTAINED,
    DUPLICATE.

    Attributes
    ----------
    SEPARATED
        The gap is above the touching tolerance and the clearance.
    WITHIN_CLEARANCE
        The gap is above the touching tolerance, and at most the clearance.
    TOUCHING
        The gap is at most the touching tolerance, and no point of either shape is deeper in the other than the
        tolerance.
    PENETRATING
        A point of one shape is deeper in the other than the touching tolerance.
    CONTAINED
        As PENETRATING, and one shape contains all of the other.
    DUPLICATE
        The two are the same geometry in the same place, whether they have an inside or only touch. `duplicates` detects
        this, and `classify` does not.
    COPLANAR
        Touching, with coplanar faces that face the same way and overlap, so that they flicker when drawn.
        `coplanar_faces` detects this, and `classify` does not.
    """

    SEPARATED = 0
    WITHIN_CLEARANCE = 1
    TOUCHING = 2
    PENETRATING = 3
    CONTAINED = 4
    DUPLICATE = 5
    COPLANAR = 6
