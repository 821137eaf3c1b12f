# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu beside the list of results."""

import bpy

from ..language import label_
from .icons import ACCEPTED


class COLLISION_KIT_MT_results(bpy.types.Menu):
    """What can be done with several results at once."""

    bl_label = "Results"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the entries."""
        layout = self.layout
        layout.operator(
            "collision_kit.copy_report", text=label_("Copy Chosen Pair"), translate=False, icon="COPYDOWN"
        ).what = "CHOSEN"
        layout.operator("collision_kit.copy_report", text=label_("Copy Listed Pairs"), translate=False).what = "LISTED"
        layout.separator()
        layout.operator(
            "collision_kit.accept_pair", text=label_("Accept Listed Pairs"), translate=False, icon=ACCEPTED
        ).which = "LISTED"
        layout.operator("collision_kit.unaccept_pair", text=label_("Stop Accepting All"), translate=False).which = "ALL"
