# SPDX-License-Identifier: GPL-3.0-or-later
"""Export the scene with its colliders in formats that Blender's own exporters write without them, or not at all."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ... import urdf, usd
from ...i18n.lookup import error_text, report_
from ...model.errors import UserError
from ...model.formats import USD
from ...scene import open_file


def _selected_setting() -> Any:
    return BoolProperty(name="Selected Objects", description="Export only the selected objects", default=False)


class _Export(ExportHelper, bpy.types.Operator):
    """Asks for a file, writes it, and says what is not in it as it was."""

    bl_options = {"REGISTER"}

    ENDINGS: tuple[str, ...]
    filename_ext: str

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Propose a name beside the file."""
        chosen: Any = self
        if not chosen.filepath:
            blend = Path(open_file.path() or Path.home() / "untitled.blend")
            chosen.filepath = str(blend.with_suffix(self.filename_ext))
        return super().invoke(context, event)

    def check(self, _context: bpy.types.Context) -> bool:
        """Give a name without an ending of the format the usual one."""
        chosen: Any = self
        path = Path(chosen.filepath)
        if path.suffix.lower() in self.ENDINGS or not path.name:
            return False
        chosen.filepath = str(path.with_name(path.name + self.filename_ext))
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""
        chosen: Any = self
        path = Path(bpy.path.abspath(chosen.filepath))
        try:
            notes = self.written(context, path, list(context.selected_objects) if chosen.selected else None)
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

    def written(self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None) -> Any:
        """Write the file."""
        raise NotImplementedError


class COLLISION_KIT_OT_export_usd(_Export):
    """Writes what Blender's own export does, and adds the physics."""

    bl_idname = "collision_kit.export_usd"
    bl_label = "Export USD with Colliders"
    bl_description = "Export the scene as USD, with colliders, rigid bodies and physics materials (UsdPhysics)"

    ENDINGS = USD
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
    selected: _selected_setting()

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Say what is missing."""
        missing = usd.library.lacking()
        if missing:
            cls.poll_message_set(report_(missing))
        return not missing

    def written(self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None) -> Any:
        """Write the file."""
        return usd.exporting.write_usd(context, path, objects, {})


class COLLISION_KIT_OT_export_urdf(_Export):
    """Writes a robot for simulators and ROS."""

    bl_idname = "collision_kit.export_urdf"
    bl_label = "Export URDF"
    bl_description = (
        "Export the scene as a robot: a link for each object, with meshes, colliders and mass, "
        "and joints from parents, limits and rigid body constraints"
    )

    ENDINGS = (".urdf",)
    filename_ext = ".urdf"

    filepath: StringProperty(
        name="File Path",
        description="The URDF file. Meshes are written to a folder beside it",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    filter_glob: StringProperty(
        name="File Filter",
        description="File types that the file browser shows",
        default="*.urdf",
        options={"HIDDEN"},
    )
    selected: _selected_setting()

    def written(self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None) -> Any:
        """Write the file."""
        return urdf.exporting.write_urdf(context, path, objects)
