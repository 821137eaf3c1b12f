# SPDX-License-Identifier: GPL-3.0-or-later
"""The sentences of findings, and the names of severities and repairs."""

import bpy

from ..asset_rules import Length
from ..model import message as messages
from ..model.message import Message
from ..model.report import Units
from ..model.validation_report import Violation
from .units import with_unit

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


def message(violation: Violation, units: bpy.types.UnitSettings | Units) -> Message:
    """What is wrong; `language.translated` tells it in the language of the interface."""
    values = {
        name: messages.Length(value) if isinstance(value, Length) else value for name, value in violation.values.items()
    }
    return with_unit(Message(violation.rule.sentence, **values), units)
