# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the convex pieces of an object's outline into objects."""

import bpy

from ... import colliders, scene
from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...scene.settings import scene_settings
from ...viewport import pair as pair_overlay
from ..texts.planar import pieces_missing


class COLLISION_KIT_OT_make_convex_pieces(bpy.types.Operator):
    """Gives engines that take convex outlines only what they need."""

    bl_idname = "collision_kit.make_convex_pieces"
    bl_label = "Make Convex Pieces of Outline"
    bl_description = (
        "Split the active object's outline into flat convex mesh objects, for engines that require convex polygons"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an active object in object mode, and a plane to see it in."""
        missing = "" if context.active_object is not None else tip_("No active object")
        if not missing and context.mode != "OBJECT":
            missing = tip_("Not in Object Mode")
        if not missing and context.scene.library is not None:
            missing = tip_("The scene is linked")
        missing = missing or pieces_missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make them, select them, and say how many there are."""
        ob = context.active_object
        assert ob is not None  # As `poll` says.
        try:
            found = colliders.outline_pieces.find_pieces(context, ob, scene_settings(context).planar.plane)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        made = scene.colliders.convex_pieces.make_pieces(
            context, ob, [found.plane.up(piece, found.height) for piece in found.pieces]
        )
        scene.colliders.objects.select_only(context, made)
        pair_overlay.step_back(context)
        self.report({"INFO"}, report_('"{name}" split into {count} convex pieces', name=ob.name, count=len(made)))
        return {"FINISHED"}
