# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of fixes for the chosen pair."""

import bpy

from ....core.constants import Verdict
from ...i18n.lookup import label_
from ...i18n.units import direction_text, spoken_text
from ...model.report import PairResult
from ...session.collision_results import last_check
from ..result_list.rows import view
from ..texts.fixes import ways_out
from ..verdicts import VERDICTS
from .layout import MARGIN, buttons, measure, scale, sidebar_width
from .name_row import LEAST_NAME
from .tab import CollisionTab

SEPARATE = "collision_kit.push_apart"


class COLLISION_KIT_PT_fixes(CollisionTab, bpy.types.Panel):
    """Buttons that move objects apart or into contact, and show the crossing faces."""

    bl_label = "Fixes"
    bl_parent_id = "COLLISION_KIT_PT_results"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if a pair is chosen."""
        return last_check.pair(last_check.chosen) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons that push either object out of the other, and those for the active object."""
        column = self.layout.column(align=True)
        pair = last_check.pair(last_check.chosen)
        # A part of an object cannot be moved separately.
        part = pair is not None and bool(last_check.bodies_of(pair)[1].part)
        if pair is not None and pair.verdict == Verdict.COPLANAR and not part:
            column.operator("collision_kit.nudge", icon="MOD_DISPLACE")
            column.separator()
        elif (
            pair is not None
            and pair.complete
            and VERDICTS[pair.verdict].alert
            # The panel of the pair has the button that selects the copy.
            and pair.verdict != Verdict.DUPLICATE
            and not part
        ):
            self._draw_push(context, column, pair)
            column.separator()
        active = context.view_layer.objects.active
        if active is not None:
            column.label(text=active.name, icon="OBJECT_DATA", translate=False)
        snap, drop = label_("Snap"), label_("Drop to Surface")
        row = buttons(column, context, snap, drop)
        row.operator("collision_kit.snap_to_contact", text=snap, translate=False, icon="SNAP_ON")
        row.operator("collision_kit.drop_to_surface", text=drop, translate=False, icon="TRIA_DOWN_BAR")
        column.operator("collision_kit.select_intersecting_faces", icon="FACESEL")

    def _draw_push(self, context: bpy.types.Context, column: bpy.types.UILayout, pair: PairResult) -> None:
        """Draw a button for each of the two objects with its distance, and one for both."""
        column.label(text=label_("Push Apart"), icon="MOD_EXPLODE", translate=False)
        room = sidebar_width(context) - MARGIN * scale(context)
        for way in ways_out(context, pair):
            length = spoken_text(way.length, context.scene.unit_settings)
            by = label_("{length} along {direction}", length=length, direction=direction_text(way.direction))
            name, width = last_check.body_name(way.body), measure(context)
            left = room - width(f": {by}")
            if left >= LEAST_NAME * scale(context):
                text = f"{view.short_names.shortened(name, left, width)}: {by}"
            else:
                column.label(text=view.short_names.shortened(name, room, width), translate=False)
                text = by
            column.operator(SEPARATE, text=text, translate=False).objects = way.which
        halves = column.operator(SEPARATE, text=label_("Push Both Apart"), translate=False)
        halves.objects, halves.share_by = "SELECTED", "HALVES"
