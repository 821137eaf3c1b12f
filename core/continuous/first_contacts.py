# SPDX-License-Identifier: GPL-3.0-or-later
"""What the closed forms of motion answer, and what cannot come near each other at all."""

from dataclasses import dataclass

from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class FirstContacts:
    """First contacts by a closed form, and which pairs it leaves to the advancement.

    Attributes
    ----------
    settled : (P,) bool
        False where rounding could change the verdict, and where a pair may touch at the start.
    rows : (H,) int64
        Those of the settled pairs that touch.
    time : (H,) float64
    point, normal : (H, 3) float64
        Midway between the surfaces, and from A to B, both at that time; NaN where they are left open: then the pair is
        to be measured at that time.
    """

    settled: Bools
    rows: Ints
    time: Floats
    point: Floats
    normal: Floats


def swept_slack(extent: Floats) -> Floats:
    """Gaps no larger than this, either way, may be touching when a shape has been displaced: (P,).

    Four times what is called touching at the end of the way, so that no verdict is left to rounding.

    Parameters
    ----------
    extent : (P,) float64
        Size of the pair, distances from the origin and lengths of the displacements, together.
    """
    return 4.0 * ROUNDING_STEPS * EPS * extent
