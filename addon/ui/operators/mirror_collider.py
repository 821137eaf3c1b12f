# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirror colliders."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ... import colliders, scene
from ...i18n import CONTEXT
from ...i18n.lookup import error_text, report_
from ...model.errors import UserError
from ...viewport import pair as pair_overlay
from .convert_collider import colliders_missing

AXES = (
    ("X", "X", "Mirror along the render mesh's local X axis"),
    ("Y", "Y", "Mirror along the render mesh's local Y axis"),
    ("Z", "Z", "Mirror along the render mesh's local Z axis"),
)


class COLLISION_KIT_OT_mirror_collider(bpy.types.Operator):
    """Puts a collider, or a copy of it, on the other side of what it stands for."""

    bl_idname = "collision_kit.mirror_collider"
    bl_label = "Mirror Collider"
    bl_description = (
        "Mirror the selected colliders across a plane through the render mesh's origin. Mirrors the "
        "mesh instead of using negative scale"
    )
    bl_options = {"REGISTER", "UNDO"}

    axis: EnumProperty(
        name="Axis",
        translation_context=CONTEXT,
        description="Axis of the render mesh across which the colliders are mirrored",
        items=AXES,
        default="X",
    )
    copy: BoolProperty(
        name="Copy",
        translation_context=CONTEXT,
        description="Keep the original collider and mirror a copy",
        default=True,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a selected collider."""
        text = colliders_missing(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Mirror them, and select what came of it."""
        made = []
        chosen = colliders.converting.with_owners(context, context.selected_objects)
        for ob, owner in chosen:
            try:
                made.append(colliders.converting.mirror(context, ob, owner, "XYZ".index(self.axis), self.copy))
            except UserError as error:
                self.report({"WARNING"}, error_text(error))
        if not chosen:
            self.report({"WARNING"}, report_("Select colliders that belong to a render mesh"))
        if not made:
            return {"CANCELLED"}
        scene.colliders.objects.select_only(context, made)
        pair_overlay.step_back(context)
        self.report({"INFO"}, report_("{count} colliders mirrored", count=len(made)))
        return {"FINISHED"}
