# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues about single outlines, in addition to those in `known_issues`, with messages of the same form."""

from ....core.numerics.types import Floats
from ...model.message import Message
from ..reading.known_issues import ReadingIssue

TOO_DETAILED = ReadingIssue(
    "too-detailed-outline", "info", Message("Outline has too many edges; tested as the outline of the convex hull.")
)
EDGE_ON = ReadingIssue("edge-on", "info", Message("Seen edge-on, without width; tested as a line."))
OPEN = ReadingIssue(
    "open-outline", "info", Message("Curve is open and encloses no area; tested as a line without width.")
)
ROUND = ReadingIssue(
    "round-outline",
    "info",
    Message("Outline is partly round; tested as straight segments, which lie inside it by up to 0.04 % of the radius."),
)
HALF_SPACE = ReadingIssue("endless-outline", "warning", Message("An infinite plane has no outline; not tested."))


def spike(place: Floats) -> ReadingIssue:
    """Sides that go out and back along a line and enclose no area, with a world space point on them."""
    return ReadingIssue(
        "spike-outline",
        "info",
        Message("Outline has a spike without width at ({place}); tested without the spike.", place=_text(place)),
    )


def self_crossing(place: Floats) -> ReadingIssue:
    """Curves that cross, so that the enclosed area is ambiguous, with the world space point of the crossing."""
    return ReadingIssue(
        "self-crossing-outline",
        "warning",
        Message(
            "Outline intersects itself at ({place}); tested as the outline of the convex hull.", place=_text(place)
        ),
    )


def _text(place: Floats) -> str:
    return ", ".join(f"{coordinate:.6g}" for coordinate in place.tolist())
