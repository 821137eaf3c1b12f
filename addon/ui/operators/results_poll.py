# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators on results need, told in a tooltip; empty texts where nothing is missing."""

from typing import Any

import bpy

from ...i18n.lookup import tip_
from ...scene import events
from ...session.collision_results import last


def report_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator on the whole report, which may have no pairs."""
    if last.report is None:
        return tip_("No results: run Check Collisions first")
    if events.place(context) != last.place:
        return tip_("The results belong to another scene or view layer")
    return ""


def results_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator on the results of this scene."""
    if last.report is None or not last.report.pairs:
        return tip_("No results: run Check Collisions first")
    return report_missing(context)


class OnResults:
    """A base of operators on the results of this scene: without any, they are disabled and say why."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results of this scene."""
        missing = results_missing(context)
        if missing:
            operator: Any = cls
            operator.poll_message_set(missing)
        return not missing


def chosen_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator on the chosen pair."""
    missing = results_missing(context)
    if not missing and last.pair(last.chosen) is None:
        missing = tip_("No active result: click one in the list")
    return missing
