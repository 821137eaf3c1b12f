# SPDX-License-Identifier: GPL-3.0-or-later
"""Go to the previous result."""

from .stepping import Stepping


class COLLISION_KIT_OT_previous_result(Stepping):
    """Before the first comes the last."""

    bl_idname = "collision_kit.previous_result"
    bl_label = "Previous Collision"
    bl_description = (
        "Choose the result above the chosen one in the list, select its objects and frame them; before the first "
        "comes the last"
    )
    bl_options = {"REGISTER", "UNDO"}

    by = -1
