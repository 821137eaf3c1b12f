# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the search for floating objects, and its results."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty

from ...i18n import CONTEXT
from ...model.floating import GAP
from ..callbacks import floating as callbacks_floating
from .lengths import length_setting


class COLLISION_KIT_PG_floating(bpy.types.PropertyGroup):
    """Settings of the search for floating objects."""

    gap: length_setting(
        name="Gap",
        translation_context=CONTEXT,
        description="Objects that are no farther apart than this hold each other",
        default=GAP,
        soft_max=0.1,
        fine=True,
    )
    below: BoolProperty(
        name="Held from Below",
        description=(
            "Also list objects that are held only from the side or from above, such as shelves and lamps. "
            "Active rigid bodies always have to be held from below"
        ),
        default=False,
        options=set(),
    )
    ground: StringProperty(
        name="Ground",
        description=(
            "Objects that need no support: names with * and ?, collection:, material: or parent:, separated by commas. "
            "Empty: static objects, and the lowest ones"
        ),
        options=set(),
    )


class COLLISION_KIT_PG_floating_row(bpy.types.PropertyGroup):
    """A row of the list: the floating objects with its number."""


class COLLISION_KIT_PG_floating_list(bpy.types.PropertyGroup):
    """The list of floating objects. It belongs to the window manager, like the results of a collision check."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_floating_row)
    active: IntProperty(
        name="Floating Object",
        description="Click to select and frame the object, and those that are held only by it",
        min=-1,
        get=callbacks_floating.chosen_row,
        set=callbacks_floating.choose_row,
        update=callbacks_floating.row_chosen,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_floating, COLLISION_KIT_PG_floating_row, COLLISION_KIT_PG_floating_list)
