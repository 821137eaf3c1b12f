# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the convex pieces of an object's outline into objects."""

import bpy

from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...scene.colliders.convex_pieces import make_pieces
from ...viewport import convex_pieces
from ..texts.planar import pieces_missing


class COLLISION_KIT_OT_make_convex_pieces(bpy.types.Operator):
    """Gives engines that take convex outlines only what they need."""

    bl_idname = "collision_kit.make_convex_pieces"
    bl_label = "Make Convex Pieces of Outline"
    bl_description = (
        "Make a flat mesh object of each convex piece of the active object's outline in the plane that is set, for "
        "engines that take only convex polygons. They follow the object, are in a collection of their own, and are "
        "not tested themselves, since the object is"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an active object in object mode, and a plane to see it in."""
        missing = "" if context.active_object is not None else tip_("Make an object the active one")
        if not missing and context.mode != "OBJECT":
            missing = tip_("Go to object mode first")
        missing = missing or pieces_missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make them, select them, and say how many there are."""
        ob = context.active_object
        try:
            found = convex_pieces.find_pieces(context, ob)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        made = make_pieces(context, ob, [found.plane.up(piece, found.height) for piece in found.pieces])
        self.report({"INFO"}, report_("“{name}”: {count} convex pieces made", name=ob.name, count=len(made)))
        return {"FINISHED"}
