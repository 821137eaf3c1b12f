# SPDX-License-Identifier: GPL-3.0-or-later
"""Export the scene as USD, with its colliders."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ... import usd
from ...i18n.lookup import error_text, report_
from ...model.errors import UserError
from ...model.formats import USD
from ...scene import open_file


class COLLISION_KIT_OT_export_usd(ExportHelper, bpy.types.Operator):
    """Writes what Blender's own export does, and adds the physics."""

    bl_idname = "collision_kit.export_usd"
    bl_label = "Export USD with Colliders"
    bl_description = "Export the scene as USD, with colliders, rigid bodies and physics materials (UsdPhysics)"
    bl_options = {"REGISTER"}

    filename_ext = ".usdc"

    filepath: StringProperty(
        name="File Path",
        description="The USD file: .usd, .usda, .usdc or .usdz",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    filter_glob: StringProperty(
        name="File Filter",
        description="File types that the file browser shows",
        default="*.usd;*.usda;*.usdc;*.usdz",
        options={"HIDDEN"},
    )
    selected: BoolProperty(
        name="Selected Objects",
        description="Export only the selected objects",
        default=False,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Say what is missing."""
        missing = usd.library.lacking()
        if missing:
            cls.poll_message_set(report_(missing))
        return not missing

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Propose a name beside the file."""
        if not self.filepath:
            self.filepath = str(Path(open_file.path() or Path.home() / "untitled.blend").with_suffix(".usdc"))
        return super().invoke(context, event)

    def check(self, _context: bpy.types.Context) -> bool:
        """Give a name without an ending of USD the usual one."""
        path = Path(self.filepath)
        if path.suffix.lower() in USD or not path.name:
            return False
        self.filepath = str(path.with_name(path.name + self.filename_ext))
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it, and say what is not in it as it was."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            notes = usd.exporting.write_usd(context, path, context.selected_objects if self.selected else None, {})
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        except OSError as error:
            reason = error.strerror or str(error)
            self.report({"ERROR"}, report_('Cannot write "{name}": {reason}', name=path, reason=reason))
            return {"CANCELLED"}
        for note in notes.translated():
            self.report({"WARNING"}, note)
        return {"FINISHED"}
