# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of pairs: what they are to each other, both names, and the depth or gap."""

import bpy

from ..lengths import length_text
from ..session import last
from ..verdicts import VERDICTS
from .text import measure, scale, shortened, sidebar_width

# Pixels at a resolution scale of 1: what lies beside a row, its icon, its length, what a label keeps free.
BESIDE = 82
ICON = 24
LENGTH = 52
PADDING = 9

# Significant digits of a length: the names need the room.
DIGITS = 2


class COLLISION_KIT_UL_pairs(bpy.types.UIList):
    """The rows of the report, worst first."""

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
        """Draw one pair; dimmed where it has changed since, unavailable where an object was deleted."""
        pair = last.pair(index)
        if pair is None:
            return
        body_a, body_b = last.bodies_of(pair)
        stale = last.pair_is_stale(pair)
        text = VERDICTS[pair.verdict]
        pixel, width = scale(context), measure(context)
        name = max((sidebar_width(context) / pixel - BESIDE - ICON - LENGTH) / 2.0, PADDING)
        room = (name - PADDING) * pixel

        row = layout.row(align=True)
        row.active = not stale
        row.enabled = not (last.body_is_gone(body_a) or last.body_is_gone(body_b))
        first = row.split(factor=(ICON + name) / (ICON + 2.0 * name + LENGTH), align=True)
        first_name = shortened(last.body_name(body_a), room, width)
        first.label(text=first_name, icon="TIME" if stale else text.icon, translate=False)
        rest = first.split(factor=name / (name + LENGTH), align=True)
        rest.label(text=shortened(last.body_name(body_b), room, width), translate=False)
        length = rest.row()
        length.alignment = "RIGHT"
        length.alert = text.alert and not stale
        shown = length_text(abs(pair.distance), context.scene.unit_settings, DIGITS)
        length.label(text=shown, translate=False)

    def filter_items(
        self, context: bpy.types.Context, data: "bpy.types.AnyType", property: str
    ) -> tuple[list[int], list[int]]:
        """Keep the rows whose current names hold the text of the search field; worst first, or by name."""
        pairs = last.report.pairs if last.report is not None else ()
        count = min(len(pairs), len(getattr(data, property)))
        wanted = self.filter_name.casefold()
        by_name = self.use_filter_sort_alpha
        names = [last.pair_name(pair).casefold() for pair in pairs[:count]] if wanted or by_name else []
        flags = [self.bitflag_filter_item if wanted in name else 0 for name in names] if wanted else []
        order = [0] * count if by_name else []
        for place, row in enumerate(sorted(range(count), key=names.__getitem__) if by_name else ()):
            order[row] = place
        return flags, order
