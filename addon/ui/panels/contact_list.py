# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of contacts: both names, the frame in which they first touch, and how deep they get."""

import bpy

from ...i18n.units import length_text
from ...session import motion_results
from .motion_texts import ICONS, frame_text
from .name_row import Value, draw_names

CHOOSE = "collision_kit.jump_to_contact"

# Pixels at a resolution scale of 1 that a frame and a depth usually need.
FRAME = 58
DEPTH = 46

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
        bodies, units = found.bodies_of(contact), context.scene.unit_settings
        row = layout.row(align=True)
        row.active = found.change is None
        row.enabled = not any(map(found.body_is_gone, bodies))
        length = contact.distance if contact.is_near_miss else contact.depth if contact.penetrates else 0.0
        values = [Value(frame_text(contact.first), FRAME), Value(length_text(length, units, DIGITS), DEPTH)]
        names = list(map(found.body_name, bodies))
        icon = ICONS[contact.status]
        draw_names(context, row, names, values, found.short_names, icon, choose=(CHOOSE, index))

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
