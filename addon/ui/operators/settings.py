# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision settings of objects, and presets for checks and names."""

from pathlib import Path
from typing import Any

import bpy
from bl_operators.presets import AddPresetBase
from bpy.props import EnumProperty, StringProperty

from ... import scene
from ...collisions.presets import FOLDER, MENU, OWN, SHIPPED, VALUES, apply_shipped
from ...engines.kinds import ENGINES, template_name
from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene.objects import collision_settings
from ...scene.objects.collision_settings import is_own
from ...scene.objects.selection import may_be_selected, some_selected
from ...scene.settings import NAME, scene_settings
from .base import Operator

WHAT = (
    ("SHAPE", "Shape", "Shape that the object is tested as"),
    ("MARGIN", "Margin", "Distance by which the shape is enlarged"),
    ("GROUPS", "Collision Layers", "Collision layers and mask"),
    ("SURFACE", "Surface Response", "Friction and bounciness"),
    ("BODY", "Part Of", "Object whose body the object belongs to"),
)


class COLLISION_KIT_OT_copy_collision_settings(Operator):
    """Copies the settings of the active object to the selected objects."""

    bl_idname = "collision_kit.copy_collision_settings"
    manual = "settings"
    bl_label = "Copy Collision Settings to Selected"
    bl_description = "Copy the collision settings of the active object to the other selected objects"
    bl_options = {"REGISTER", "UNDO"}

    what: EnumProperty(
        name="Settings",
        translation_context=CONTEXT,
        description="Settings to copy",
        items=WHAT,
        options={"ENUM_FLAG"},
        default={"SHAPE", "MARGIN", "GROUPS", "SURFACE"},
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an active object, and other selected ones."""
        active = context.active_object
        if active is None:
            return tip_("No active object to copy from")
        if may_be_selected(context, lambda ob: ob != active and is_own(ob)):
            return ""
        if may_be_selected(context, lambda ob: ob != active):
            return tip_("The selected objects are linked: change them in their own file")
        return tip_("Select the objects to copy to in addition to the active object")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Copy the settings."""
        active = context.active_object
        assert active is not None  # ensured by `poll`
        others = [ob for ob in context.selected_objects if ob != active and is_own(ob)]
        if not others:
            return self.refuse(report_("Select the objects to copy to in addition to the active object"), "WARNING")
        for ob in others:
            collision_settings.copy_settings(active, ob, self.what)
        self.report({"INFO"}, report_("Collision settings copied to {count} objects", count=len(others)))
        return {"FINISHED"}


class COLLISION_KIT_OT_reset_collision_settings(Operator):
    """Resets the collision settings of the selected objects."""

    bl_idname = "collision_kit.reset_collision_settings"
    manual = "settings"
    bl_label = "Reset Collision Settings"
    bl_description = "Reset the collision settings of the selected objects to their defaults. Collider data is kept"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a selected object with settings."""
        if not some_selected(context):
            return tip_("Select the objects to reset")
        if may_be_selected(context, _may_be_reset):
            return ""
        if may_be_selected(context, collision_settings.is_set):
            return tip_("The selected objects are linked: change them in their own file")
        return tip_("The selected objects have default collision settings")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Reset the settings."""
        chosen = [ob for ob in context.selected_objects if _may_be_reset(ob)]
        for ob in chosen:
            collision_settings.reset(ob)
        if not chosen:
            return self.refuse(report_("The selected objects have default collision settings"), "WARNING")
        self.report({"INFO"}, report_("Collision settings of {count} objects reset", count=len(chosen)))
        return {"FINISHED"}


def _may_be_reset(ob: bpy.types.Object) -> bool:
    return collision_settings.is_set(ob) and is_own(ob)


def run_preset(operator: Operator, menu: str) -> set[str]:
    """Run the script of a preset as Blender does.

    Parameters
    ----------
    operator : Operator
        Its `filepath` is that of the preset. It reports errors.
    menu : str
        Menu or panel that lists the presets. Blender changes its label.
    """
    chosen: Any = operator
    if not Path(chosen.filepath).is_file():
        return operator.refuse(report_("Preset not found"))
    script: Any = bpy.ops.script
    try:
        return {*script.execute_preset(filepath=chosen.filepath, menu_idname=menu)}
    except RuntimeError as error:  # any error of the script
        return operator.refuse(scene.files.reason_of(error))


class COLLISION_KIT_OT_apply_check_preset(Operator):
    """Applies a user preset as Blender does, but with undo."""

    bl_idname = "collision_kit.apply_check_preset"
    manual = "settings"
    bl_label = "Apply Check Preset"
    bl_description = "Apply the check settings of a preset to the scene"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    shipped: EnumProperty(
        name="Preset",
        translation_context=CONTEXT,
        description="Built-in preset",
        items=SHIPPED,
        default=OWN,
        options={"SKIP_SAVE"},
    )
    filepath: StringProperty(
        name="File",
        description="File of a user preset",
        subtype="FILE_PATH",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Return the tooltip of the preset."""
        shipped = getattr(properties, "shipped", OWN)
        return next((tip_(text) for name, _, text in SHIPPED if name == shipped != OWN), "")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Apply the preset."""
        if self.shipped != OWN:
            apply_shipped(scene_settings(context), self.shipped, context.scene.unit_settings.scale_length)
            return {"FINISHED"}
        return run_preset(self, MENU)


class AddPreset(Operator, AddPresetBase):  # type: ignore[misc]
    """Saves a preset in Blender's folder for user presets, or removes one. Not registered itself."""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Do it as Blender does."""
        answer: Any = AddPresetBase.execute(self, context)
        return {*answer}


class COLLISION_KIT_OT_add_check_preset(AddPreset):
    """Saves a preset in Blender's folder for user presets."""

    bl_idname = "collision_kit.add_check_preset"
    manual = "settings"
    bl_label = "Add Check Preset"
    bl_description = "Save the check settings as a preset, or remove a preset"

    preset_menu = MENU
    preset_subdir = FOLDER
    # Spelled out: with Python 3.13, Blender before 5.1 does not see variables defined by `preset_defines`.
    preset_values = tuple(f"bpy.context.scene.{NAME}.{path}" for path in VALUES)


# Below `presets` in the user's scripts folder.
NAME_FOLDER = "collision_kit/names"
# The panel that lists the presets. The operators of its entries are below.
NAME_MENU = "COLLISION_KIT_PT_name_presets"


class COLLISION_KIT_OT_apply_name_preset(Operator):
    """Applies a user preset as Blender does, but with undo."""

    bl_idname = "collision_kit.apply_name_preset"
    manual = "colliders"
    bl_label = "Apply Name Preset"
    bl_description = "Apply the name templates of a preset to the scene"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    filepath: StringProperty(
        name="File",
        description="File of a user preset",
        subtype="FILE_PATH",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def run(self, _context: bpy.types.Context) -> set[str]:
        """Apply the preset."""
        return run_preset(self, NAME_MENU)


class COLLISION_KIT_OT_add_name_preset(AddPreset):
    """Saves a preset in Blender's folder for user presets."""

    bl_idname = "collision_kit.add_name_preset"
    manual = "colliders"
    bl_label = "Add Name Preset"
    bl_description = "Save the name templates of all engines as a preset, or remove a preset"

    preset_menu = NAME_MENU
    preset_subdir = NAME_FOLDER
    # Spelled out: with Python 3.13, Blender before 5.1 does not see variables defined by `preset_defines`.
    preset_values = tuple(f"bpy.context.scene.{NAME}.colliders.{template_name(engine)}" for engine, *_ in ENGINES)


CLASSES = (
    COLLISION_KIT_OT_copy_collision_settings,
    COLLISION_KIT_OT_reset_collision_settings,
    COLLISION_KIT_OT_apply_check_preset,
    COLLISION_KIT_OT_add_check_preset,
    COLLISION_KIT_OT_apply_name_preset,
    COLLISION_KIT_OT_add_name_preset,
)
