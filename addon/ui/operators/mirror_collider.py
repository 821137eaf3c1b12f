# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirror colliders."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ...colliders.converting import mirror, selected_colliders
from ...i18n import CONTEXT
from ...i18n.lookup import error_text, report_
from ...model.errors import UserError
from ...scene.colliders.objects import select_only
from .convert_collider import colliders_missing

AXES = (
    ("X", "X", "Across the plane that the object's own X axis is normal to"),
    ("Y", "Y", "Across the plane that the object's own Y axis is normal to"),
    ("Z", "Z", "Across the plane that the object's own Z axis is normal to"),
)


class COLLISION_KIT_OT_mirror_collider(bpy.types.Operator):
    """Puts a collider, or a copy of it, on the other side of what it stands for."""

    bl_idname = "collision_kit.mirror_collider"
    bl_label = "Mirror Collider"
    bl_description = (
        "Make a copy of each selected collider on the other side of the object that it stands for, across a plane "
        "through that object's origin. The mesh is mirrored, not the scale, which engines do not like negative"
    )
    bl_options = {"REGISTER", "UNDO"}

    axis: EnumProperty(
        name="Axis",
        translation_context=CONTEXT,
        description="Across which plane of the object the collider is mirrored",
        items=AXES,
        default="X",
    )
    copy: BoolProperty(
        name="Copy",
        translation_context=CONTEXT,
        description="Leave the collider where it is, and mirror a copy of it",
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
        for ob, owner in selected_colliders(context):
            try:
                made.append(mirror(context, ob, owner, "XYZ".index(self.axis), self.copy))
            except UserError as error:
                self.report({"WARNING"}, error_text(error))
        if not selected_colliders(context):
            self.report({"WARNING"}, report_("Select colliders that stand for another object"))
        if not made:
            return {"CANCELLED"}
        select_only(context, made)
        self.report({"INFO"}, report_("Colliders mirrored: {count}", count=len(made)))
        return {"FINISHED"}
