# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps findings from being looked at or repaired."""

import bpy

from ..language import tip_
from ..validation import session as validation_session


def findings_missing(context: bpy.types.Context, *, repairing: bool) -> str:
    """Return what is missing, as a tooltip; empty if nothing is."""
    found = validation_session.kept_here(context)
    if found is None:
        return tip_("Validate the colliders first")
    if not found.report.violations:
        return tip_("The last validation found nothing")
    if repairing and context.mode != "OBJECT":
        return tip_("Go to object mode first")
    return ""
