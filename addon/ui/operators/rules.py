# SPDX-License-Identifier: GPL-3.0-or-later
"""Add, remove and reorder named tests and ignore rules; load them from a file and save them to one."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...config import NAME as FILE_NAME
from ...i18n import CONTEXT
from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...scene import open_file
from ...scene.rules import export_configuration, ignore_pair, import_configuration
from ...scene.settings import scene_settings
from ...session.collision_results import last
from .file_fields import file_filter, file_path
from .results_poll import results_missing

# The collections of a scene's settings, and what tells which of their items is the active one.
_LISTS = {"TESTS": ("tests", "active_test"), "IGNORE": ("ignore_rules", "active_ignore_rule")}

LISTS = (
    ("TESTS", "Tests", "Named tests"),
    ("IGNORE", "Ignore Rules", "Rules for pairs that are meant to collide"),
)
ACTIONS = (
    ("ADD", "Add", "Add an entry at the end"),
    ("REMOVE", "Remove", "Remove the active entry"),
    ("UP", "Move Up", "Move the active entry up. The first rule that matches a pair takes it"),
    ("DOWN", "Move Down", "Move the active entry down"),
)


class COLLISION_KIT_OT_edit_rules(bpy.types.Operator):
    """Changes the list of tests, or that of ignore rules."""

    bl_idname = "collision_kit.edit_rules"
    bl_label = "Edit Tests and Rules"
    bl_description = "Add, remove or move a named test or an ignore rule"
    bl_options = {"REGISTER", "UNDO"}

    what: EnumProperty(
        name="List", translation_context=CONTEXT, description="List to change", items=LISTS, options={"SKIP_SAVE"}
    )
    action: EnumProperty(
        name="Action", translation_context=CONTEXT, description="What to do", items=ACTIONS, options={"SKIP_SAVE"}
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """What the button does."""
        action: Any = properties
        return next(tip_(text) for name, _, text in ACTIONS if name == action.action)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """The scene must be the file's own."""
        if context.scene.library is not None:
            cls.poll_message_set(tip_("The scene is linked"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the list."""
        settings = scene_settings(context)
        name, active = _LISTS[self.what]
        entries, place = getattr(settings, name), getattr(settings, active)
        if self.action == "ADD":
            added = entries.add()
            if self.what == "TESTS":
                added.label = self._free_name({one.label for one in entries})
            place = len(entries) - 1
        elif not 0 <= place < len(entries):
            self.report({"WARNING"}, report_("There is no active entry"))
            return {"CANCELLED"}
        elif self.action == "REMOVE":
            entries.remove(place)
            place = min(place, len(entries) - 1)
        else:
            target = place + (1 if self.action == "DOWN" else -1)
            if not 0 <= target < len(entries):
                return {"CANCELLED"}
            entries.move(place, target)
            place = target
        setattr(settings, active, max(place, 0))
        return {"FINISHED"}

    def _free_name(self, taken: set[str]) -> str:
        numbers = (report_("Test {number}", number=number) for number in range(1, len(taken) + 2))
        return next(name for name in numbers if name not in taken)


class COLLISION_KIT_OT_ignore_pair(bpy.types.Operator):
    """Makes an ignore rule of the chosen pair, to be generalized by hand."""

    bl_idname = "collision_kit.ignore_pair"
    bl_label = "Ignore Pair by Rule"
    bl_description = "Add an ignore rule with the names of the active pair. Widen it with * or collection:"
    bl_options = {"REGISTER", "UNDO"}

    reason: StringProperty(name="Reason", description="Why this collision is intended")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results of this scene, and the scene must be the file's own."""
        missing = results_missing(context)
        if not missing and context.scene.library is not None:
            missing = tip_("The scene is linked")
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the rule."""
        report = last.report
        if report is None or not 0 <= last.chosen < len(report.pairs):
            self.report({"WARNING"}, report_("No active result: click one in the list"))
            return {"CANCELLED"}
        ignore_pair(context.scene, report, report.pairs[last.chosen], self.reason)
        return {"FINISHED"}


class COLLISION_KIT_OT_import_configuration(ImportHelper, bpy.types.Operator):  # type: ignore[misc]
    """Reads what the command line reads."""

    bl_idname = "collision_kit.import_configuration"
    bl_label = "Import Configuration"
    bl_description = "Replace the tests and ignore rules of the scene, and set its tolerances, from collision-kit.toml"
    bl_options = {"REGISTER", "UNDO"}

    filepath: file_path("The configuration file")
    filter_glob: file_filter("*.toml")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read it."""
        try:
            import_configuration(context.scene, Path(bpy.path.abspath(self.filepath)))
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class COLLISION_KIT_OT_export_configuration(ExportHelper, bpy.types.Operator):  # type: ignore[misc]
    """Writes what the command line reads."""

    bl_idname = "collision_kit.export_configuration"
    bl_label = "Export Configuration"
    bl_description = "Save the tests, ignore rules and tolerances of the scene as collision-kit.toml"
    bl_options = {"REGISTER"}

    filename_ext = ".toml"

    filepath: file_path("The configuration file")
    filter_glob: file_filter("*.toml")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Propose the name that the command line looks for, beside the file."""
        if not self.filepath:
            self.filepath = str(Path(open_file.path() or Path.home() / "untitled.blend").with_name(FILE_NAME))
        return super().invoke(context, event)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            export_configuration(context.scene, path)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        except OSError as error:
            reason = error.strerror or str(error)
            self.report({"ERROR"}, report_('Cannot write "{name}": {reason}', name=path, reason=reason))
            return {"CANCELLED"}
        return {"FINISHED"}
