# SPDX-License-Identifier: GPL-3.0-or-later
"""What the active object is to collisions."""

import bpy

from ..bridge.choice import EMPTY, MESH, NAME, RIGID_BODY, SETTING, choose
from ..language import label_
from ..phrases import translated
from ..stored import object_settings
from .tab import CollisionTab
from .text import fact, paragraph

# What an object is tested as if the user sets nothing, and according to what.
SHAPE_NAMES = {
    "BOX": "Box",
    "SPHERE": "Sphere",
    "CAPSULE": "Capsule",
    "CYLINDER": "Cylinder",
    "CONE": "Its mesh's hull",
    "HULL": "Convex Hull",
    "HALF_SPACE": "Half-Space",
    "MESH": "Triangle Mesh",
    "COMPOUND": "Its children's shapes",
}
SOURCE_NAMES = {
    RIGID_BODY: "its rigid body",
    NAME: "its name",
    MESH: "nothing else set",
    EMPTY: "its display",
}


class COLLISION_KIT_PT_object(CollisionTab, bpy.types.Panel):
    """The shape the active object stands for: what is set, and what that comes to."""

    bl_label = "Active Object"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there is an active object."""
        return context.active_object is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the object's settings."""
        ob = context.active_object
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.label(text=ob.name, icon="OBJECT_DATA", translate=False)
        column.prop(object_settings(ob), "shape")
        choice = choose(ob)
        if choice.shape == "NONE":
            paragraph(layout, context, label_("Not tested: {reason}", reason=translated(choice.note)), "INFO")
        elif choice.source != SETTING:
            fact(layout, "Read As", label_(SHAPE_NAMES[choice.shape]))
            fact(layout, "According To", label_(SOURCE_NAMES[choice.source]))
