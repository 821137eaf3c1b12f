# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the convex pieces of an object's outline."""

import bpy

from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...viewport import convex_pieces
from ..texts.planar import pieces_missing


class COLLISION_KIT_OT_show_convex_pieces(bpy.types.Operator):
    """Shows into what a concave outline is cut up, for engines and for the check itself."""

    bl_idname = "collision_kit.show_convex_pieces"
    bl_label = "Show Convex Pieces of Outline"
    bl_description = (
        "Draw the active object's outline in the selected plane, split into few convex pieces without new vertices"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an active object, and a plane to see it in."""
        missing = "" if context.active_object is not None else tip_("No active object")
        missing = missing or pieces_missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Draw them, and say how many there are."""
        ob = context.active_object
        assert ob is not None  # As `poll` says.
        try:
            shown = convex_pieces.show(context, ob)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        self.report({"INFO"}, report_('"{name}": {count} convex pieces', name=shown.name, count=shown.pieces))
        return {"FINISHED"}
