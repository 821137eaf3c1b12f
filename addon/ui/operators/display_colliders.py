# SPDX-License-Identifier: GPL-3.0-or-later
"""Display colliders as wires or translucent surfaces, hide them, and show them again."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ... import scene
from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_

STYLES = (
    ("SOLID", "Solid", "As translucent surfaces"),
    ("WIRE", "Wire", "As edges only, as new colliders are displayed"),
)
COLORS = (
    ("NONE", "None", "White"),
    ("KIND", "Type", "Box, sphere, capsule, cylinder, hull, triangle mesh or trigger"),
    ("ENGINE", "Engine", "The engine whose names they have: Unreal, Godot or none"),
    ("RENDER_MESH", "Render Mesh", "The object that they belong to"),
    ("LAYER", "Collision Layer", "The first of their collision layers"),
)


class _OfColliders(bpy.types.Operator):
    """Changes how all colliders of the view layer are shown."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only in Object Mode: what is being edited is not hidden."""
        if context.mode != "OBJECT":
            cls.poll_message_set(tip_("Not in Object Mode"))
        return context.mode == "OBJECT"


class COLLISION_KIT_OT_display_colliders(_OfColliders):
    """Sets how colliders are displayed."""

    bl_idname = "collision_kit.display_colliders"
    bl_label = "Display Colliders"
    bl_description = (
        "Display all colliders as translucent surfaces or as wires, in colors. 3D viewports then show object colors"
    )

    style: EnumProperty(
        name="Display As",
        translation_context=CONTEXT,
        description="How colliders are displayed",
        items=STYLES,
        default="SOLID",
    )
    color: EnumProperty(
        name="Color",
        translation_context=CONTEXT,
        description="What the color of a collider depends on",
        items=COLORS,
        default="KIND",
    )
    opacity: FloatProperty(
        name="Opacity",
        translation_context=CONTEXT,
        description="Opacity of the surfaces of colliders",
        subtype="FACTOR",
        default=0.4,
        min=0.0,
        max=1.0,
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Display them."""
        found = scene.colliders.display.show_as(context, self.style, self.color, self.opacity)
        if not found:
            self.report({"INFO"}, report_("The scene has no colliders"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("{count} colliders displayed", count=len(found)))
        return {"FINISHED"}


class COLLISION_KIT_OT_hide_colliders(_OfColliders):
    """Hides all colliders, or shows them."""

    bl_idname = "collision_kit.hide_colliders"
    bl_label = "Hide Colliders"
    bl_description = "Hide all colliders in the viewport, or show them again"

    hidden: BoolProperty(name="Hide", description="Hide colliders. Off: show them", default=True)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Hide or show them."""
        changed = scene.colliders.display.hide(context, self.hidden)
        if not changed:
            self.report({"INFO"}, report_("No collider was changed"))
            return {"CANCELLED"}
        count = len(changed)
        self.report(
            {"INFO"},
            report_("{count} colliders hidden", count=count)
            if self.hidden
            else report_("{count} colliders shown", count=count),
        )
        return {"FINISHED"}
