# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps findings from being looked at or repaired."""

import bpy

from ...i18n.lookup import tip_
from ...session import validation_results


def findings_missing(context: bpy.types.Context, *, repairing: bool) -> str:
    """Return what is missing, as a tooltip; empty if nothing is."""
    found = validation_results.kept_here(context)
    if found is None:
        return tip_("No results: run Validate Colliders first")
    if not found.report.violations:
        return tip_("The last validation found no issues")
    if repairing and context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    return ""
