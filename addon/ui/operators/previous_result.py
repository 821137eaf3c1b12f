# SPDX-License-Identifier: GPL-3.0-or-later
"""Go to the previous result."""

from .select_pair import COLLISION_KIT_OT_select_pair
from .stepping import Stepping


class COLLISION_KIT_OT_previous_result(Stepping):
    """Before the first comes the last."""

    bl_idname = "collision_kit.previous_result"
    bl_label = "Previous Collision"
    bl_description = (
        "Make the previous result in the list active, select its objects and frame them. Before the "
        "first result, go to the last"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = COLLISION_KIT_OT_select_pair.bl_label

    by = -1
