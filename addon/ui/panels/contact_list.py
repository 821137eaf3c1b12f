# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of contacts: both names, the frame of first contact, and the depth."""

from typing import Any

import bpy

from ...i18n.units import spoken_text
from ...scene.settings import contacts_list
from ...session import motion_results
from ..result_list import contacts as listed_contacts
from .icons import ACCEPTED
from .list_rows import ListRows
from .motion_texts import ICONS, frame_text
from .name_row import Value, draw_names

CHOOSE = "collision_kit.jump_to_contact"

# Usual width of a frame and a depth, in pixels at a resolution scale of 1.
FRAME = 58
DEPTH = 46

# Significant digits of a depth. Few, because the names need the room.
DIGITS = 2


class COLLISION_KIT_UL_contacts(ListRows, bpy.types.UIList):  # type: ignore[misc]
    """Contacts and near misses. Those that begin within the range come first."""

    def listed(self) -> Any:
        """Return the module that arranges the lines."""
        return listed_contacts

    def settings(self, context: bpy.types.Context) -> Any:
        """Return the list's properties."""
        return contacts_list(context.window_manager)

    def draw_row(self, context: bpy.types.Context, layout: bpy.types.UILayout, row: int, body: int) -> None:
        """Draw one contact."""
        found = motion_results.latest.result
        contact = found.contact(row) if found is not None else None
        if found is None or contact is None:
            return
        bodies, units = found.bodies_of(contact), context.scene.unit_settings
        line = layout.row(align=True)
        line.active = found.change is None and contact.ignored < 0
        line.enabled = not any(map(found.body_is_gone, bodies))
        length = spoken_text(abs(listed_contacts.gap_of(contact)), units, DIGITS)
        values = [Value(frame_text(contact.first), FRAME), Value(length, DEPTH)]
        names, icon = list(map(found.body_name, bodies)), ACCEPTED if contact.ignored >= 0 else ICONS[contact.status]
        draw_names(context, line, names, values, listed_contacts.view.short_names, icon, choose=(CHOOSE, row))
