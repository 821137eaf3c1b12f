# SPDX-License-Identifier: GPL-3.0-or-later
"""Go to the next result."""

from .select_pair import COLLISION_KIT_OT_select_pair
from .stepping import Stepping


class COLLISION_KIT_OT_next_result(Stepping):
    """After the last comes the first."""

    bl_idname = "collision_kit.next_result"
    bl_label = "Next Collision"
    bl_description = (
        "Make the next result in the list active, select its objects and frame them. After the last "
        "result, start again at the first"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = COLLISION_KIT_OT_select_pair.bl_label

    by = 1
