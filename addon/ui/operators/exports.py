# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports with colliders, and import scripts for engines."""

import errno
import os
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ... import exports, urdf, usd, validation
from ...engines.scripts import SCRIPTS
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, tip_
from ...model.errors import CommandError, UserError
from ...model.formats import GLTF, USD
from ...scene import exporting, open_file
from ...scene.files import files_read
from ...scene.settings import preferences_of, scene_settings
from ...system.files import one_file, write_whole
from .base import Operator, file_filter, file_path, linked_scene


def _selected_setting() -> Any:
    return BoolProperty(name="Selected Objects", description="Export only the selected objects", default=False)


def _each_asset_setting() -> Any:
    return BoolProperty(
        name="File for Each Asset",
        description=(
            "Write a file for each object without a parent, with its children and colliders, named after it, "
            "into the folder of the file"
        ),
        default=False,
    )


def _asked_setting() -> Any:
    return BoolProperty(
        name="Names Checked",
        description="Whether the user was asked about names that the engine does not read",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )


def _by_omi(context: bpy.types.Context, suffix: str) -> bool:
    """Return whether files with this suffix declare colliders by OMI, so that Godot needs no names."""
    return suffix in GLTF and bool(scene_settings(context).gltf.omi)


def _ask_about_names(export: str, unread: list[str], *, omi: bool) -> None:
    blender_ops: Any = bpy.ops
    blender_ops.collision_kit.rename_before_export(
        "INVOKE_DEFAULT", export=export, listed=_BETWEEN.join(unread), omi=omi
    )


class _Export(ExportHelper, Operator):
    """Asks for a file, writes it, and reports what it could not represent exactly."""

    bl_options = {"REGISTER"}

    ENDINGS: tuple[str, ...]
    filename_ext: str

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Suggest a name in the folder of the scene."""
        chosen: Any = self
        if self.asks(context):
            return {"CANCELLED"}
        if not chosen.filepath:
            blend = Path(open_file.path() or Path.home() / "untitled.blend")
            chosen.filepath = str(blend.with_suffix(self.filename_ext))
        return ExportHelper.invoke(self, context, event)

    def asks(self, _context: bpy.types.Context) -> bool:
        """Whether something is asked before the file, which begins the export again."""
        return False

    def check(self, _context: bpy.types.Context) -> bool:
        """Add the default extension to a name without an extension of the format."""
        chosen: Any = self
        path = Path(chosen.filepath)
        if path.suffix.lower() in self.ENDINGS or not path.name:
            return False
        chosen.filepath = str(path.with_name(path.name + self.filename_ext))
        return True

    def run(self, context: bpy.types.Context) -> set[str]:
        """Write the file."""
        chosen: Any = self
        self.check(context)  # Scripts may pass a name without extension.
        path = Path(bpy.path.abspath(chosen.filepath))
        try:
            if path.suffix.lower() not in self.ENDINGS:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            notes = self.written(context, path, list(context.selected_objects) if chosen.selected else None)
        except CommandError as error:
            return self.refuse(str(error))
        except OSError as error:
            reason = error.strerror or str(error)
            return self.refuse(report_('Cannot write "{name}": {reason}', name=path, reason=reason))
        for note in notes.translated() if hasattr(notes, "translated") else notes:
            self.report({"WARNING"}, note)
        return {"FINISHED"}

    def written(self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None) -> Any:
        """Write the file."""
        raise NotImplementedError


class _ValidatedExport(_Export):
    """Validates as set in the preferences, and writes one file, or one for each asset."""

    def asks(self, context: bpy.types.Context) -> bool:
        """Ask what is to happen to colliders whose names the engine does not read."""
        chosen: Any = self
        omi = _by_omi(context, self.filename_ext)
        unread = [] if chosen.asked else [one.object for one in validation.on_export.unread_names(context, omi=omi)]
        if unread:
            # `bl_idname` of an operator that runs is the name of its class.
            _ask_about_names(self.bl_idname.partition("_OT_")[2], unread, omi=omi)
        return bool(unread)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options, and what the preferences do."""
        layout = self.layout
        layout.prop(self, "selected")
        layout.prop(self, "each_asset")
        preferences = preferences_of(context)
        if preferences is not None:
            layout.separator()
            layout.label(text=label_("Validate on Export"), translate=False)
            layout.prop(preferences, "validate_export", text="")

    def written(self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None) -> Any:
        """Write the files."""
        report = validation.on_export.validated(context, omi=_by_omi(context, path.suffix.lower()))
        notes = [f"{name}: {what}" for name, what in validation.on_export.warnings(report)]
        for one, wanted in self._files(context, path, objects).items():
            notes += exports.table.EXPORTS[path.suffix.lower()].write(context, one, wanted)
        return list(dict.fromkeys(notes))

    def _files(
        self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None
    ) -> dict[Path, exports.wanted.ExportOptions]:
        """Return the files to write and their content. None of them is a file that the scene uses."""
        chosen: Any = self
        scene = context.scene
        members = {path: None if objects is None else exporting.with_colliders(scene, objects)}
        if chosen.each_asset:
            members = {
                path.with_name(name + path.suffix): found
                for name, found in exporting.assets(scene).items()
                if objects is None or not set(found).isdisjoint(objects)
            }
        inputs = tuple(files_read(None))
        for one in members:
            if any(one_file(one, read) for read in inputs):
                raise UserError('"{name}" is a file that the scene uses', name=one)
        return {one: exports.wanted.ExportOptions(found, inputs) for one, found in members.items()}


class COLLISION_KIT_OT_export_gltf(_ValidatedExport):
    """Writes glTF with validated colliders, optionally a file for each asset."""

    bl_idname = "collision_kit.export_gltf"
    manual = "colliders"
    bl_label = "Export glTF with Colliders"
    bl_description = (
        "Export the scene, or each asset with its colliders, as glTF with the settings of Colliders in "
        "Blender's export, and validate it first if the preferences say so"
    )

    ENDINGS = (".glb", ".gltf")
    filename_ext = ".glb"

    filepath: file_path("The glTF file: .glb, or .gltf with separate files")
    filter_glob: file_filter("*.glb", "*.gltf")
    selected: _selected_setting()
    each_asset: _each_asset_setting()
    asked: _asked_setting()


class COLLISION_KIT_OT_export_fbx(_ValidatedExport):
    """Writes validated FBX, optionally a file for each asset."""

    bl_idname = "collision_kit.export_fbx"
    manual = "colliders"
    bl_label = "Export FBX with Colliders"
    bl_description = (
        "Export the scene, or each asset with its colliders, as FBX, hidden colliders included, "
        "and validate it first if the preferences say so"
    )

    ENDINGS = (".fbx",)
    filename_ext = ".fbx"

    filepath: file_path("The FBX file")
    filter_glob: file_filter("*.fbx")
    selected: _selected_setting()
    each_asset: _each_asset_setting()
    asked: _asked_setting()


# Names that the dialog lists, and its width; between names that the export passes to it.
MOST_LISTED, LISTED_WIDTH = 12, 360
_BETWEEN = "\n"


class COLLISION_KIT_OT_rename_before_export(Operator):
    """Lists the colliders whose names the engine does not read, before they are exported."""

    bl_idname = "collision_kit.rename_before_export"
    manual = "colliders"
    bl_label = "Rename Before Export"
    bl_description = "List the colliders whose names the engine of the scene does not read, and rename them"
    bl_options = {"REGISTER", "UNDO"}

    rename: BoolProperty(
        name="Rename Colliders",
        description="Give the colliders names that the engine reads. Otherwise the names are exported as they are",
        default=True,
        options={"SKIP_SAVE"},
    )
    export: StringProperty(
        name="Export", description="The export that follows. Empty: none", options={"HIDDEN", "SKIP_SAVE"}
    )
    listed: StringProperty(
        name="Listed",
        description="The names that the export has found. Empty: the dialog finds them",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    omi: BoolProperty(
        name="OMI",
        description="Whether the file declares colliders by OMI, so that Godot needs no names",
        default=False,
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """It must be possible to rename."""
        return linked_scene(context) or ("" if context.mode == "OBJECT" else tip_("Not in Object Mode"))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """List them, and ask."""
        found = validation.on_export.unread_names
        self._unread = (
            self.listed.split(_BETWEEN) if self.listed else [one.object for one in found(context, omi=self.omi)]
        )
        if not self._unread:
            return self.execute(context)
        confirm = label_("Export") if self.export else label_("Rename")
        return {*context.window_manager.invoke_props_dialog(self, width=LISTED_WIDTH, confirm_text=confirm)}

    def draw(self, context: bpy.types.Context) -> None:
        """List the names and, before an export, whether they are changed."""
        layout, settings = self.layout, scene_settings(context)
        engine = settings.bl_rna.properties["engine"].enum_items[settings.engine].name
        text = label_("{engine} does not read the names of {count} colliders", engine=engine, count=len(self._unread))
        layout.label(text=text, icon="ERROR", translate=False)
        column = layout.column(align=True)
        for name in self._unread[:MOST_LISTED]:
            column.label(text=name, icon="BLANK1", translate=False)
        if len(self._unread) > MOST_LISTED:
            more = label_("and {count} more", count=len(self._unread) - MOST_LISTED)
            column.label(text=more, icon="BLANK1", translate=False)
        if self.export:
            layout.prop(self, "rename", text=label_("Rename for {engine}", engine=engine), translate=False)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Rename them if that was chosen, and go on with the export."""
        if self.rename:
            done = validation.on_export.rename_unread(context, omi=self.omi)
            self.report({"INFO"}, report_("{count} colliders renamed", count=len(done)))
        if self.export in {"export_gltf", "export_fbx"} and context.window is not None:
            blender_ops: Any = bpy.ops
            getattr(blender_ops.collision_kit, self.export)("INVOKE_DEFAULT", asked=True)
        return {"FINISHED"}


class COLLISION_KIT_OT_export_usd(_Export):
    """Runs Blender's own export, and adds the physics."""

    bl_idname = "collision_kit.export_usd"
    manual = "colliders"
    bl_label = "Export USD with Colliders"
    bl_description = "Export the scene as USD, with colliders, rigid bodies and physics materials (UsdPhysics)"

    ENDINGS = USD
    filename_ext = ".usdc"

    filepath: file_path("The USD file: .usd, .usda, .usdc or .usdz")
    filter_glob: file_filter("*.usd", "*.usda", "*.usdc", "*.usdz")
    selected: _selected_setting()

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires OpenUSD's Python modules in Blender."""
        missing = usd.library.lacking()
        return report_(missing) if missing else ""

    def written(self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None) -> Any:
        """Write the file."""
        return usd.exporting.write_usd(context, path, objects, {})


class COLLISION_KIT_OT_export_urdf(_Export):
    """Writes a robot for simulators and ROS."""

    bl_idname = "collision_kit.export_urdf"
    manual = "colliders"
    bl_label = "Export URDF"
    bl_description = (
        "Export the scene as a robot: a link for each object, with meshes, colliders and mass, "
        "and joints from parents, limits and rigid body constraints"
    )

    ENDINGS = (".urdf",)
    filename_ext = ".urdf"

    filepath: file_path("The URDF file. Meshes are written to a folder beside it")
    filter_glob: file_filter("*.urdf")
    selected: _selected_setting()

    def written(self, context: bpy.types.Context, path: Path, objects: list[bpy.types.Object] | None) -> Any:
        """Write the file."""
        return urdf.exporting.write_urdf(context, path, objects)


ENGINES = (
    ("UNITY", "Unity", "An AssetPostprocessor, for a folder named Editor of the project"),
    ("GODOT", "Godot", "An import script for Godot 4. Select it in the import settings of a scene"),
)


class COLLISION_KIT_OT_save_import_script(Operator):
    """Copies an import script of the add-on."""

    bl_idname = "collision_kit.save_import_script"
    manual = "colliders"
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
        """Ask for a file, with the name of the script as default."""
        chosen: Any = self
        if not chosen.filepath:
            chosen.filepath = SCRIPTS[self.engine].name
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def run(self, _context: bpy.types.Context) -> set[str]:
        """Save the script."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            write_whole(path, SCRIPTS[self.engine].read_bytes())
        except OSError as error:
            reason = error.strerror or str(error)
            return self.refuse(report_('Cannot write "{name}": {reason}', name=path, reason=reason))
        self.report({"INFO"}, report_('Saved "{name}"', name=path))
        return {"FINISHED"}


CLASSES = (
    COLLISION_KIT_OT_export_gltf,
    COLLISION_KIT_OT_export_fbx,
    COLLISION_KIT_OT_rename_before_export,
    COLLISION_KIT_OT_export_usd,
    COLLISION_KIT_OT_export_urdf,
    COLLISION_KIT_OT_save_import_script,
)
