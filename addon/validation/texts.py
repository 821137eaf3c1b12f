# SPDX-License-Identifier: GPL-3.0-or-later
"""The sentences of findings, in English for files and in the language of the interface."""

import bpy

from ..asset_rules import Length
from ..language import agreeing, label_
from ..lengths import length_text
from ..report import Units
from .report import Violation

SEVERITY_NAMES = {"error": "Errors", "warning": "Warnings", "info": "Notes"}

# What each fix has done, in words.
FIXED = {
    "own-mesh": "given a mesh of its own",
    "apply": "scale applied",
    "clean": "merged and dissolved",
    "outward": "normals turned outward",
    "separate": "split into its pieces",
    "hull": "replaced by its convex hull",
    "simplify": "simplified to the budget",
    "origin": "origin set to the middle",
    "as-hull": "made a convex collider",
    "rename": "renamed",
}


def message(violation: Violation, units: bpy.types.UnitSettings | Units) -> str:
    """What is wrong, in English."""
    parts = _texts(violation, units)
    return agreeing(violation.rule.sentence, parts).format(**parts)


def shown_message(violation: Violation, units: bpy.types.UnitSettings | Units) -> str:
    """What is wrong, in the language of the interface."""
    return label_(violation.rule.sentence, **_texts(violation, units))


def _texts(violation: Violation, units: bpy.types.UnitSettings | Units) -> dict[str, object]:
    return {
        name: length_text(value, units) if isinstance(value, Length) else value
        for name, value in violation.values.items()
    }
