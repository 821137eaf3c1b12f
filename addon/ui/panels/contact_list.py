# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of contacts: both names, the frame in which they first touch, and how deep they get."""

import bpy

from ...i18n.units import length_text
from ...i18n.wrapping import shortened
from ...session import motion_results
from .layout import measure, scale, sidebar_width
from .motion_texts import ICONS, frame_text

# Pixels at a resolution scale of 1: what lies beside a row, its icon, its frame, its depth, what a label keeps free.
BESIDE = 82
ICON = 24
FRAME = 58
DEPTH = 56
PADDING = 9
# A name that has less than this is of no use; the depth, which the panel below shows too, makes room for it then, and
# so does the frame if that is not enough.
LEAST_NAME = 70
LEAST_BESIDE_FRAME = 43

# Significant digits of a depth: the names need the room.
DIGITS = 2


class COLLISION_KIT_UL_contacts(bpy.types.UIList):
    """The contacts of the report, in the order of their first frames."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: object,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw one contact; dimmed if the scene has changed since, unavailable where an object was deleted."""
        found = motion_results.latest.result
        contact = found.contact(index) if found is not None else None
        if found is None or contact is None:
            return
        body_a, body_b = found.bodies_of(contact)
        pixel, width = scale(context), measure(context)
        room = sidebar_width(context) / pixel - BESIDE - ICON
        frame = FRAME if (room - FRAME) / 2.0 >= LEAST_BESIDE_FRAME else 0
        depth = DEPTH if (room - FRAME - DEPTH) / 2.0 >= LEAST_NAME else 0
        name = max((room - frame - depth) / 2.0, PADDING)
        text = (name - PADDING) * pixel

        row = layout.row(align=True)
        row.active = found.change is None
        row.enabled = not (found.body_is_gone(body_a) or found.body_is_gone(body_b))
        first = row.split(factor=(ICON + name) / (ICON + 2.0 * name + frame + depth), align=True)
        first.label(text=shortened(found.body_name(body_a), text, width), icon=ICONS[contact.status], translate=False)
        second = first.split(factor=name / (name + frame + depth), align=True)
        second.label(text=shortened(found.body_name(body_b), text, width), translate=False)
        values = second.split(factor=frame / (frame + depth), align=True) if depth else second
        if frame:
            _at_the_right(values, frame_text(contact.first))
        if depth:
            length = contact.distance if contact.is_near_miss else contact.depth if contact.penetrates else 0.0
            _at_the_right(values, length_text(length, context.scene.unit_settings, DIGITS))

    def filter_items(
        self, context: bpy.types.Context, data: "bpy.types.AnyType", property: str
    ) -> tuple[list[int], list[int]]:
        """Keep the rows whose current names hold the text of the search field; by first frame, or by name."""
        found = motion_results.latest.result
        if found is None:
            return [], []
        count = min(len(found.report.rows), len(getattr(data, property)))
        wanted, by_name = self.filter_name.casefold(), self.use_filter_sort_alpha
        names = [found.pair_name(contact).casefold() for contact in found.report.rows[:count]]
        flags = [self.bitflag_filter_item if wanted in name else 0 for name in names] if wanted else []
        order = [0] * count if by_name else []
        for place, row in enumerate(sorted(range(count), key=names.__getitem__) if by_name else ()):
            order[row] = place
        return flags, order


def _at_the_right(layout: bpy.types.UILayout, text: str) -> None:
    part = layout.row()
    part.alignment = "RIGHT"
    part.label(text=text, translate=False)
