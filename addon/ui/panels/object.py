# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of the settings of an object: in the sidebar, and in the Physics tab of the Properties editor."""

from typing import Any

import bpy

from ...i18n import CONTEXT
from ...i18n.lookup import label_, translated
from ...scene.objects.choice import MESH, NAME, RIGID_BODY, SETTING, choose
from ...scene.objects.collision_settings import has_rigid_body, surface_of
from ...scene.settings import object_settings
from .layout import NARROW, fact, field, is_narrow, paragraph
from .tab import CollisionTab, SwitchedTab

# The default shape of an object, and its source.
SHAPE_NAMES = {
    "BOX": "Box",
    "SPHERE": "Sphere",
    "CAPSULE": "Capsule",
    "CYLINDER": "Cylinder",
    "CONE": "Cone",
    "ELLIPSOID": "Ellipsoid",
    "HULL": "Convex Hull",
    "HALF_SPACE": "Infinite Plane",
    "MESH": "Triangle Mesh",
    "COMPOUND": "Shapes of Children",
}
SOURCE_NAMES = {
    RIGID_BODY: "Rigid Body",
    NAME: "Name",
    MESH: "Mesh",
}


class _OfObject:
    """A panel for the active object or, in the Properties editor, the pinned one."""

    layout: bpy.types.UILayout

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there is an object."""
        return context.object is not None


class _PhysicsTab:
    """Puts a panel into the Physics tab of the Properties editor."""

    # The stubs only allow the one value of `Panel` for each of these.
    bl_space_type: Any = "PROPERTIES"
    bl_region_type: Any = "WINDOW"
    bl_context = "physics"


class _Shape(_OfObject):
    """The shape setting of an object, and the resulting shape."""

    bl_options: Any = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings of the object."""
        ob, layout = context.object, self.layout
        assert ob is not None  # ensured by `poll`
        narrow = is_narrow(context, NARROW)
        layout.use_property_split = not narrow
        layout.use_property_decorate = False
        column = layout.column()
        settings = object_settings(ob)
        field(column, settings, "shape", above=narrow)
        choice = choose(ob)
        if choice.shape == "NONE":
            paragraph(layout, context, label_("Not tested: {reason}", reason=translated(choice.note)), "INFO")
        elif choice.source != SETTING:
            fact(layout, "Tested As", label_(SHAPE_NAMES[choice.shape]), above=narrow)
            fact(layout, "Source", label_(SOURCE_NAMES[choice.source]), above=narrow)
        column = layout.column()
        column.prop(settings, "margin")
        field(column, settings, "part_of", above=narrow)
        field(column, settings, "motion", above=narrow)
        column.prop(settings.collider, "trigger")
        # A pinned object need not be the active one, which settings are copied from.
        if ob == context.active_object:
            column = layout.column(align=True)
            column.operator("collision_kit.copy_collision_settings", text=label_("Copy to Selected"), translate=False)
            column.operator("collision_kit.reset_collision_settings", text=label_("Reset"), translate=False)


class _Groups(_OfObject):
    """Groups of an object, and groups that it collides with."""

    bl_label = "Collision Layers"
    bl_options: Any = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the groups. If the object's own are not used, draw those that are."""
        ob, layout = context.object, self.layout
        assert ob is not None  # ensured by `poll`
        settings = object_settings(ob)
        layout.prop(settings, "own_groups", text=label_("Custom"), translate=False)
        if settings.own_groups:
            column = layout.column()
            column.label(text=label_("Layers"), translate=False)
            column.prop(settings, "groups", text="")
            column.label(text=label_("Mask"), translate=False)
            column.prop(settings, "mask", text="")
            if not any(settings.groups) or not any(settings.mask):
                paragraph(layout, context, label_("Not tested: no layer or an empty mask"), "ERROR")
        elif has_rigid_body(ob):
            paragraph(
                layout,
                context,
                label_("Collides with rigid bodies in the same collision collections, and with all other objects"),
                "INFO",
            )
        else:
            paragraph(layout, context, label_("In layer 1, collides with all layers"), "INFO")


class _Surface(_OfObject):
    """Friction and restitution of an object."""

    bl_label = "Surface Response"
    bl_options: Any = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw friction and restitution. If the object's own are not used, draw those that are."""
        ob, layout = context.object, self.layout
        assert ob is not None  # ensured by `poll`
        settings = object_settings(ob)
        layout.prop(settings, "own_surface", text=label_("Custom"), translate=False)
        narrow = is_narrow(context, NARROW)
        layout.use_property_split = not narrow
        layout.use_property_decorate = False
        if settings.own_surface:
            column = layout.column()
            column.prop(settings, "friction")
            column.prop(settings, "restitution")
            return
        surface = surface_of(ob)
        fact(layout, "Friction", f"{surface.friction:.3g}", above=narrow)
        fact(layout, "Bounciness", f"{surface.restitution:.3g}", above=narrow)
        if has_rigid_body(ob):
            fact(layout, "Source", label_(SOURCE_NAMES[RIGID_BODY]), above=narrow)


class COLLISION_KIT_PT_object(SwitchedTab, _Shape, bpy.types.Panel):
    """Settings of the active object in the sidebar."""

    bl_label = "Active Object"
    switch = "object"

    @classmethod
    def applies(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an object."""
        return context.object is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw its name, which the Properties editor shows above its panels, and its settings."""
        ob = context.object
        assert ob is not None  # ensured by `poll`
        self.layout.label(text=ob.name, icon="OBJECT_DATA", translate=False)
        _Shape.draw(self, context)


class COLLISION_KIT_PT_object_groups(CollisionTab, _Groups, bpy.types.Panel):
    """Groups of the active object in the sidebar."""

    bl_parent_id = "COLLISION_KIT_PT_object"


class COLLISION_KIT_PT_object_surface(CollisionTab, _Surface, bpy.types.Panel):
    """Surface of the active object in the sidebar."""

    bl_parent_id = "COLLISION_KIT_PT_object"


class COLLISION_KIT_PT_physics(_PhysicsTab, _Shape, bpy.types.Panel):
    """Settings of an object in the Physics tab. Blender has a panel called Collision there."""

    bl_label = "Collision Shape"
    bl_translation_context: Any = CONTEXT


class COLLISION_KIT_PT_physics_groups(_PhysicsTab, _Groups, bpy.types.Panel):
    """Groups of an object in the Physics tab."""

    bl_parent_id = "COLLISION_KIT_PT_physics"


class COLLISION_KIT_PT_physics_surface(_PhysicsTab, _Surface, bpy.types.Panel):
    """Surface of an object in the Physics tab."""

    bl_parent_id = "COLLISION_KIT_PT_physics"
