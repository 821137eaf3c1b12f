# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of fixes for the chosen pair."""

from collections.abc import Callable
from typing import Any

import bpy

from ....core.constants import Verdict
from ... import fixes
from ...i18n.lookup import label_
from ...i18n.units import direction_text, spoken_text
from ...model.report import PairResult
from ...scene.open_file import objects_by_uid
from ...session.collision_results import last_check
from ..result_list.rows import view
from ..verdicts import VERDICTS
from .layout import ICON, MARGIN, measure, opened, paragraph, scale, sidebar_width
from .name_row import LEAST_NAME, PADDING
from .tab import CollisionTab

SEPARATE, SNAP, AWAY = "collision_kit.push_apart", "collision_kit.snap_to_contact", "collision_kit.move_away"


class COLLISION_KIT_PT_fixes(CollisionTab, bpy.types.Panel):
    """Buttons that move the objects of the pair, and those that work on what is selected."""

    bl_label = "Fixes"
    bl_parent_id = "COLLISION_KIT_PT_results"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if a pair is chosen."""
        return last_check.pair(last_check.chosen) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons that move the objects of the pair, and those for what is selected."""
        column = self.layout.column(align=True)
        pair = last_check.pair(last_check.chosen)
        if pair is not None and fixes.shortest_ways.moves_as_one(pair):
            self._draw_as_one(context, column, pair)
        elif pair is not None:
            self._draw_pair(context, column, pair)
        self._draw_selected(context)

    def _draw_as_one(self, context: bpy.types.Context, column: bpy.types.UILayout, pair: PairResult) -> None:
        """Draw why no button can separate the two."""
        if not VERDICTS[pair.verdict].alert:
            return
        first, second = last_check.bodies_of(pair)
        uid = first.key.selected_uid
        mover = objects_by_uid([uid]).get(uid)
        name = mover.name if mover is not None else first.name
        if uid != second.key.selected_uid:
            text = label_("A part of an object is not moved by itself. Mend the mesh, or accept the pair")
        elif second.part:
            text = label_('Both are parts of "{name}". Mend its mesh, or accept the pair', name=name)
        else:
            text = label_(
                'Both are parts of "{name}", which moves as a whole. Mend what it instances, or accept the pair',
                name=name,
            )
        paragraph(column, context, text, "INFO")

    def _draw_pair(self, context: bpy.types.Context, column: bpy.types.UILayout, pair: PairResult) -> None:
        """Draw the buttons for the pair, which depend on its verdict, with the names of the objects that they move."""
        if pair.verdict == Verdict.COPLANAR:
            column.operator("collision_kit.nudge", icon="MOD_DISPLACE")
        elif pair.verdict == Verdict.DUPLICATE:
            column.operator("collision_kit.select_duplicates", icon=VERDICTS[pair.verdict].icon)
        elif pair.complete and VERDICTS[pair.verdict].alert:
            column.label(text=label_("Push Apart"), icon="MOD_EXPLODE", translate=False)
            self._draw_ways(context, column, fixes.shortest_ways.ways(context, pair), SEPARATE)
            both: Any = column.operator(SEPARATE, text=label_("Push Both Apart"), translate=False)
            both.objects, both.share_by = "PAIR", "HALVES"
        elif pair.complete and pair.distance > 0.0:
            if pair.verdict == Verdict.WITHIN_CLEARANCE:
                column.label(text=label_("Move Away"), icon="ARROW_LEFTRIGHT", translate=False)
                self._draw_ways(context, column, fixes.shortest_ways.ways_apart(context, pair), AWAY)
            column.label(text=label_("Snap to Contact"), icon="SNAP_ON", translate=False)
            self._draw_ways(context, column, fixes.shortest_ways.ways(context, pair), SNAP)

    def _draw_ways(
        self,
        context: bpy.types.Context,
        column: bpy.types.UILayout,
        ways: "list[fixes.shortest_ways.ShortestWay]",
        operator: str,
    ) -> None:
        """Draw a button for each of the two objects, with its distance."""
        room = sidebar_width(context) - MARGIN * scale(context)
        for way in ways:
            length = spoken_text(way.length, context.scene.unit_settings)
            by = label_(
                "at least {length} along {direction}" if way.at_least else "{length} along {direction}",
                length=length,
                direction=direction_text(way.direction),
            )
            name, width = last_check.body_name(way.body), measure(context)
            left, padding = room - width(f": {by}"), PADDING * scale(context)
            if width(by) > room - padding:
                # The button has no room for the direction.
                paragraph(column, context, f"{view.short_names.shortened(name, room, width)}: {by}")
                text = length
            elif left >= LEAST_NAME * scale(context):
                text = f"{view.short_names.shortened(name, left, width)}: {by}"
            else:
                column.label(text=view.short_names.shortened(name, room, width), translate=False)
                text = by
            button: Any = column.operator(operator, text=text, translate=False)
            button.objects = way.which

    def _draw_selected(self, context: bpy.types.Context) -> None:
        """Draw the buttons that do not belong to the pair, in a section named after what they are for."""
        active, selected = context.view_layer.objects.active, context.selected_objects
        if len(selected) > 1:
            text = label_("{count} selected objects", count=len(selected))
        elif selected:
            text = _with_name(context, selected[0].name, lambda name: label_("Selected: {name}", name=name))
        elif active is not None:
            text = _with_name(context, active.name, lambda name: label_("Active: {name}", name=name))
        else:
            return
        body = opened(self.layout, "collision_kit_fixes_selected", text)
        if body is None:
            return
        column = body.column(align=True)
        column.operator("collision_kit.drop_to_surface", icon="TRIA_DOWN_BAR")
        if active is not None and active.type == "MESH":
            text = _with_name(context, active.name, lambda name: label_("Intersecting Faces of {name}", name=name))
            column.operator("collision_kit.select_intersecting_faces", text=text, translate=False, icon="FACESEL")


def _with_name(context: bpy.types.Context, name: str, say: Callable[[str], str]) -> str:
    """Return a text that contains a name, which is shortened to the room beside an icon."""
    room, width = sidebar_width(context) - (MARGIN + ICON) * scale(context), measure(context)
    return say(view.short_names.shortened(name, room - width(say("")), width))
