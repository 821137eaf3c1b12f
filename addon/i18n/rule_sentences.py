# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences of issues, and names of fixes."""

import bpy

from ..model.message import Message
from ..model.report import Units
from ..model.validation_report import ValidationIssue
from .units import TextOf, length_text, with_unit

# Result of each fix, in words.
FIXED = {
    "own-mesh": "made mesh single-user",
    "apply": "applied scale",
    "clean": "merged vertices and dissolved degenerate faces",
    "outward": "recalculated normals outward",
    "separate": "split into loose parts",
    "hull": "replaced by the convex hull",
    "simplify": "reduced to the vertex limit",
    "origin": "set origin to center",
    "as-hull": "changed to a convex collider",
    "rename": "renamed",
}


def message(issue: ValidationIssue, units: bpy.types.UnitSettings | Units, text_of: TextOf = length_text) -> Message:
    """Return the sentence of an issue, in English unless it is translated when shown."""
    return with_unit(Message(issue.rule.sentence, **issue.values), units, text_of)
