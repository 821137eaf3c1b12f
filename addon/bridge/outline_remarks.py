# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to say about single outlines, apart from what `remarks` has; messages are of the same kind."""

from ...core.numerics.types import Floats
from .remarks import Remark

TOO_DETAILED = Remark(
    "too-detailed-outline", "info", "Its outline has too many edges to be found; the outline of its hull was tested."
)
EDGE_ON = Remark("edge-on", "info", "It is seen edge-on and has no width; a line was tested.")
OPEN = Remark("open-outline", "info", "Its curve is open and encloses nothing; a line without width was tested.")
ROUND = Remark(
    "round-outline",
    "info",
    "Its outline is round in parts; straight pieces were tested in their place, inside it by less than 0.04 % of the "
    "radius.",
)
HALF_SPACE = Remark("endless-outline", "warning", "It is a half-space, which has no outline; it was not tested.")


def spike(place: Floats) -> Remark:
    """Sides that go out and back along one line, which bound nothing; with a place of the world on them."""
    x, y, z = place.tolist()
    return Remark(
        "spike-outline",
        "info",
        f"Its outline goes out to ({x:.6g}, {y:.6g}, {z:.6g}) and back along the same line; what has no width there "
        "was left out.",
    )


def self_crossing(place: Floats) -> Remark:
    """Curves that do not say what they enclose; with a place of the world where they cross."""
    x, y, z = place.tolist()
    return Remark(
        "self-crossing-outline",
        "warning",
        f"Its outline crosses itself at ({x:.6g}, {y:.6g}, {z:.6g}); the outline of its hull was tested.",
    )
