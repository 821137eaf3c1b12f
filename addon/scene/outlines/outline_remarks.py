# SPDX-License-Identifier: GPL-3.0-or-later
"""Remarks about single outlines, in addition to those in `remarks`, with messages of the same form."""

from ....core.numerics.types import Floats
from ...model.message import Message
from ..reading.remarks import Remark

TOO_DETAILED = Remark(
    "too-detailed-outline", "info", Message("Outline has too many edges; tested as the outline of the convex hull.")
)
EDGE_ON = Remark("edge-on", "info", Message("Seen edge-on, without width; tested as a line."))
OPEN = Remark("open-outline", "info", Message("Curve is open and encloses no area; tested as a line without width."))
ROUND = Remark(
    "round-outline",
    "info",
    Message("Outline is partly round; tested as straight segments, which lie inside it by up to 0.04 % of the radius."),
)
HALF_SPACE = Remark("endless-outline", "warning", Message("An infinite plane has no outline; not tested."))


def spike(place: Floats) -> Remark:
    """Sides that go out and back along a line and enclose nothing; with a world point on them."""
    return Remark(
        "spike-outline",
        "info",
        Message("Outline has a spike without width at ({place}); tested without the spike.", place=_text(place)),
    )


def self_crossing(place: Floats) -> Remark:
    """Curves that cross, so that the enclosed area is ambiguous; with the world point where they cross."""
    return Remark(
        "self-crossing-outline",
        "warning",
        Message(
            "Outline intersects itself at ({place}); tested as the outline of the convex hull.", place=_text(place)
        ),
    )


def _text(place: Floats) -> str:
    return ", ".join(f"{coordinate:.6g}" for coordinate in place.tolist())
