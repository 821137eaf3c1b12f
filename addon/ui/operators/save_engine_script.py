# SPDX-License-Identifier: GPL-3.0-or-later
"""Save the import script of an engine, to be put into a project."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...engines.scripts import SCRIPTS
from ...i18n import CONTEXT
from ...i18n.lookup import report_
from ...system.files import write_whole

ENGINES = (
    ("UNITY", "Unity", "An AssetPostprocessor, for a folder named Editor of the project"),
    ("GODOT", "Godot", "An import script for Godot 4. Select it in the import settings of a scene"),
)


class COLLISION_KIT_OT_save_engine_script(bpy.types.Operator):
    """Copies a script that comes along."""

    bl_idname = "collision_kit.save_engine_script"
    bl_label = "Save Import Script"
    bl_description = (
        "Save a script for Unity or Godot 4 projects that turns objects into colliders by their names "
        "when a file is imported"
    )
    bl_options = {"REGISTER"}

    engine: EnumProperty(
        name="Engine",
        translation_context=CONTEXT,
        description="Engine that the script is for",
        items=ENGINES,
        default="UNITY",
        options={"SKIP_SAVE"},
    )
    filepath: StringProperty(
        name="File Path",
        description="Where the script is saved",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Ask for a place, with the script's own name."""
        chosen: Any = self
        if not chosen.filepath:
            chosen.filepath = SCRIPTS[self.engine].name
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Save it."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            write_whole(path, SCRIPTS[self.engine].read_bytes())
        except OSError as error:
            reason = error.strerror or str(error)
            self.report({"ERROR"}, report_('Cannot write "{name}": {reason}', name=path, reason=reason))
            return {"CANCELLED"}
        self.report({"INFO"}, report_('Saved "{name}"', name=path))
        return {"FINISHED"}
