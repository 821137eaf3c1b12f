# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps findings from being looked at or repaired."""

import bpy

from ...i18n.lookup import tip_
from ...session import validation_results


def findings_missing(context: bpy.types.Context, *, repairing: bool) -> str:
    """Return what is missing, as a tooltip; empty if nothing is."""
    found = validation_results.kept_here(context)
    if found is None:
        return tip_("Validate the colliders first")
    if not found.report.violations:
        return tip_("The last validation found nothing")
    if repairing and context.mode != "OBJECT":
        return tip_("Go to object mode first")
    return ""
