# SPDX-License-Identifier: GPL-3.0-or-later
"""Walk the level: starts, character, walk, and what can be done with issues."""

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ... import probing
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, sentences, tip_
from ...i18n.units import area_text
from ...model.probe_report import CHARACTERS, ProbeIssue, ProbeReport, path_name
from ...model.report import ObjectKey
from ...scene import accepted_walk_issues
from ...scene.objects import path_curves, selection, starts
from ...scene.objects.selection import some_selected
from ...scene.settings import NAME, probe_request, scene_settings, walk_issues
from ...session import dependencies, isolation, probe_results, stored_walks
from ...session.probe_results import ProbeResult
from ...viewport import probe as probe_overlay
from ..texts.probe import KIND_TEXTS, counted
from .base import Operator, linked_scene, missing_here
from .modal_steps import RunInSteps, Steps, undisturbed
from .results import clear_latest
from .settings import AddPreset, run_preset

# Size of the view around an issue, in heights of the character.
_AROUND = 1.5


class COLLISION_KIT_OT_walk_level(RunInSteps):
    """Lets the character walk wherever it can, and draws the floors that it reached."""

    bl_idname = "collision_kit.walk_level"
    manual = "probe"
    bl_label = "Walk the Level"
    bl_description = (
        "Let a character walk on the colliders wherever it can. Find gaps that it falls through, places that it "
        "cannot leave, edges that stop it, and unreached floors"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Return what is missing: objects to walk on, or a start."""
        stored, scene = scene_settings(context).probe, context.scene
        if stored.scope == "SELECTED" and not some_selected(context):
            return tip_("Select the objects to walk on")
        if stored.scope == "COLLECTION" and stored.collection is None:
            return tip_("Choose the collection to walk on")
        if not starts.begins_somewhere(scene, probe_request(context).starts):
            return tip_("No start: add an empty or an object from which the character begins")
        return ""

    def begin(self, context: bpy.types.Context) -> Steps:
        """Walk with the settings of the scene."""
        self._request = probe_request(context)
        return undisturbed(context, probing.check.steps(context, self._request), isolation.overlooked)

    def share(self, progress: "probing.check.Progress") -> float:
        """Return the finished fraction."""
        return progress.done / progress.total if progress.total else 0.0

    def status(self, progress: "probing.check.Progress") -> str:
        """Return the progress."""
        if not progress.total:
            return label_("Reading the scene")
        return label_("Walking the level: {percent} %", percent=progress.done)

    def finish(self, context: bpy.types.Context, found: ProbeReport) -> set[str]:
        """Store the report, list its issues, and draw the floors."""
        probe_results.keep(context, found, self._request)
        dependencies.remember_probe(context)
        probe_overlay.draw()
        if not found.bodies:
            self.report({"WARNING"}, report_("Nothing to walk on: no body has a collision shape"))
            return {"FINISHED"}
        counts = [counted(kind, count, report_) for kind, count in found.counts().items() if count]
        reached = report_("{area} reached", area=area_text(found.reached_area, context.scene.unit_settings))
        self.report({"INFO"}, sentences((reached, *(counts or [report_("Nothing found")]))))
        return {"FINISHED"}


def walk_issues_missing(context: bpy.types.Context) -> str:
    """Return why there are no issues to work with, as a tooltip. Empty if there are."""
    found = probe_results.latest.result
    place = found.place if found is not None and found.report.found else None
    return missing_here(context, place, tip_("No results: run Walk the Level first"))


def chosen_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator on the chosen issue."""
    missing, found = walk_issues_missing(context), probe_results.latest.result
    if not missing and (found is None or found.issue(found.chosen) is None):
        missing = tip_("No active issue: click one in the list")
    return missing


def _at(row: int) -> tuple[ProbeResult | None, ProbeIssue | None]:
    """Return the last probe and one of its issues: the chosen one if the row is negative."""
    found = probe_results.latest.result
    return found, None if found is None else found.issue(found.chosen if row < 0 else row)


def _row() -> Any:
    return IntProperty(
        name="Issue",
        description="Index of the issue, from zero; -1 for the active issue",
        default=-1,
        min=-1,
    )


class COLLISION_KIT_OT_select_walk_issue(Operator):
    """The operator for clicks on a row of the list of issues."""

    bl_idname = "collision_kit.select_walk_issue"
    manual = "probe"
    bl_label = "Select Walk Issue"
    bl_description = "Select the objects of this issue, move the view to it, and draw the character before and after"
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = bl_label

    row: _row()

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires issues of this scene."""
        return walk_issues_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select, frame and draw, as far as the objects still exist."""
        dependencies.review(context)
        found, one = _at(self.row)
        if found is None or one is None:
            return self.refuse(report_("There is no issue {row}", row=self.row), "WARNING")
        found.chosen = found.chosen if self.row < 0 else self.row
        probe_overlay.draw()
        size = max(found.request.height, 2.0 * found.request.radius)
        selection.frame_ball(context, one.point, _AROUND * size)
        if not selection.select_objects(context, map(ObjectKey, one.uids)):
            self.report({"WARNING"}, report_("The objects of this issue are hidden or deleted: nothing was selected"))
        return {"FINISHED"}


class COLLISION_KIT_OT_show_path(Operator):
    """Makes an object from the path to an issue, which can be kept, measured and sent to others."""

    bl_idname = "collision_kit.show_path"
    manual = "probe"
    bl_label = "Show Path"
    bl_description = "Make a curve from the start to the active issue. No check tests it"
    bl_options = {"REGISTER", "UNDO"}

    row: _row()

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a chosen issue, and a scene that is not linked."""
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        return chosen_missing(context) or linked_scene(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Make the object."""
        found, one = _at(self.row)
        if found is None or one is None:
            return self.refuse(report_("There is no issue {row}", row=self.row), "WARNING")
        ob = path_curves.make_path(context, path_name(one), found.report.way(one))
        selection.select_objects(context, [ObjectKey(ob.session_uid)])
        self.report({"INFO"}, report_('Path "{name}" added', name=ob.name))
        return {"FINISHED"}


class COLLISION_KIT_OT_accept_walk_issue(Operator):
    """Marks a place as intended."""

    bl_idname = "collision_kit.accept_walk_issue"
    manual = "probe"
    bl_label = "Accept Walk Issue"
    bl_description = (
        "Mark a place as intended. The file stores the reason. The issue no longer fails probes on the command line"
    )
    bl_options = {"REGISTER", "UNDO"}

    reason: StringProperty(name="Reason", description="Why this place is intended")

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a chosen issue, and a scene that is not linked."""
        return chosen_missing(context) or linked_scene(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the reason. The default is the previous one."""
        _, one = _at(-1)
        if one is not None:
            self.reason = accepted_walk_issues.reasons(context.scene).get(one.id, self.reason)
        return {*context.window_manager.invoke_props_dialog(self)}

    def run(self, context: bpy.types.Context) -> set[str]:
        """Store the reason."""
        _, one = _at(-1)
        count = accepted_walk_issues.accept(context.scene, [one.id] if one is not None else (), self.reason.strip())
        _draw_again()
        self.report({"INFO"}, report_("{count} accepted", count=count))
        return {"FINISHED"}


TO_WITHDRAW = (
    ("CHOSEN", "Active Issue", "The active issue in the list"),
    ("ALL", "All Issues of Scene", "All accepted issues of the scene, including those that no longer occur"),
)


class COLLISION_KIT_OT_stop_accepting_walk_issue(Operator):
    """Reverses `accept_walk_issue`."""

    bl_idname = "collision_kit.stop_accepting_walk_issue"
    manual = "probe"
    bl_label = "Stop Accepting Walk Issue"
    bl_description = "Report an issue again, and delete the reason for which it was accepted"
    bl_options = {"REGISTER", "UNDO"}

    which: EnumProperty(
        name="Issues",
        description="Which issues are no longer accepted",
        translation_context=CONTEXT,
        items=TO_WITHDRAW,
        default="CHOSEN",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires accepted issues in the scene."""
        if not accepted_walk_issues.reasons(context.scene):
            return tip_("The scene has no accepted issues")
        return linked_scene(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Remove the accepted issue."""
        _, one = _at(-1)
        if self.which == "ALL":
            count = accepted_walk_issues.withdraw_all(context.scene)
        else:
            count = accepted_walk_issues.withdraw(context.scene, [one.id] if one is not None else ())
        _draw_again()
        if not count:
            return self.refuse(report_("The active issue is not accepted"), "INFO")
        self.report({"INFO"}, report_("{count} no longer accepted", count=count))
        return {"FINISHED"}


def _draw_again() -> None:
    if probe_overlay.is_drawn():
        probe_overlay.draw()


class COLLISION_KIT_OT_clear_walk_results(Operator):
    """Clears the list of issues and removes the overlay."""

    bl_idname = "collision_kit.clear_walk_results"
    manual = "probe"
    bl_label = "Clear Walk Results"
    bl_description = "Clear the list of issues and the drawing of the walk in the viewport. Curves of paths are kept"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, _context: bpy.types.Context) -> str:
        """Requires results."""
        return tip_("No results: run Walk the Level first") if probe_results.latest.result is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Clear the results, also those in the file when it is saved."""
        found = probe_results.latest.result
        if found is not None:
            stored_walks.clear(found.place)
        return clear_latest(context, probe_results.latest, drawn=probe_overlay.is_drawn())


class COLLISION_KIT_OT_show_all_walk_issues(Operator):
    """Clears all filters of the list."""

    bl_idname = "collision_kit.show_all_walk_issues"
    manual = "probe"
    bl_label = "Show All Walk Issues"
    bl_description = "Reset the filters so that all issues are listed"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires issues."""
        return walk_issues_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Reset the filters."""
        view = walk_issues(context.window_manager)
        for name in (*KIND_TEXTS, "accepted"):
            setattr(view, name, True)
        return {"FINISHED"}


class COLLISION_KIT_OT_add_starts(Operator):
    """Adds the selected objects to the list of starts."""

    bl_idname = "collision_kit.add_starts"
    manual = "probe"
    bl_label = "Add Starts"
    bl_description = "Add the selected objects to the starts. The character begins on the floor below their origins"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a selection, and a scene that is not linked."""
        return linked_scene(context) or ("" if some_selected(context) else tip_("Select empties or objects"))

    def run(self, context: bpy.types.Context) -> set[str]:
        """Add the objects."""
        count = starts.add_starts(context.scene, context.selected_objects)
        self.report({"INFO"}, report_("{count} starts added", count=count))
        return {"FINISHED"} if count else {"CANCELLED"}


class COLLISION_KIT_OT_remove_start(Operator):
    """Removes the active start from the list."""

    bl_idname = "collision_kit.remove_start"
    manual = "probe"
    bl_label = "Remove Start"
    bl_description = "Remove the active start from the list. The object is kept"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a start."""
        if not len(scene_settings(context).probe.starts):
            return tip_("The list has no starts")
        return linked_scene(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Remove the start."""
        starts.remove_start(context.scene, scene_settings(context).probe.active_start)
        return {"FINISHED"}


# Below `presets` in the user's scripts folder.
CHARACTER_FOLDER = "collision_kit/characters"
# The panel that lists the presets. The operators of its entries are below.
CHARACTER_MENU = "COLLISION_KIT_PT_character_presets"
# Properties of a preset.
_SIZES = ("shape", "radius", "height", "step", "slope", "drop")
_OWN = "OWN"


class COLLISION_KIT_OT_apply_character_preset(Operator):
    """Sets the character of an engine, or a preset of the user as Blender does, but with undo."""

    bl_idname = "collision_kit.apply_character_preset"
    manual = "probe"
    bl_label = "Apply Character Preset"
    bl_description = "Apply the size, step height and steepest slope of a character to the scene"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    shipped: EnumProperty(
        name="Preset",
        translation_context=CONTEXT,
        description="Character of an engine",
        items=(
            (_OWN, "Custom", "User preset"),
            *((name.upper(), preset.title, "") for name, preset in CHARACTERS.items()),
        ),
        default=_OWN,
        options={"SKIP_SAVE"},
    )
    filepath: StringProperty(
        name="File",
        description="File of a user preset",
        subtype="FILE_PATH",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def run(self, context: bpy.types.Context) -> set[str]:
        """Set the values of the preset."""
        if self.shipped == _OWN:
            return run_preset(self, CHARACTER_MENU)
        starts.apply_character(context.scene, CHARACTERS[self.shipped.lower()])
        return {"FINISHED"}


class COLLISION_KIT_OT_add_character_preset(AddPreset):
    """Saves a preset in Blender's folder for user presets."""

    bl_idname = "collision_kit.add_character_preset"
    manual = "probe"
    bl_label = "Add Character Preset"
    bl_description = "Save the size, step height, steepest slope and drop as a preset, or remove a preset"

    preset_menu = CHARACTER_MENU
    preset_subdir = CHARACTER_FOLDER
    # Spelled out: with Python 3.13, Blender before 5.1 does not see variables defined by `preset_defines`.
    preset_values = tuple(f"bpy.context.scene.{NAME}.probe.{name}" for name in _SIZES)


CLASSES = (
    COLLISION_KIT_OT_walk_level,
    COLLISION_KIT_OT_select_walk_issue,
    COLLISION_KIT_OT_show_path,
    COLLISION_KIT_OT_accept_walk_issue,
    COLLISION_KIT_OT_stop_accepting_walk_issue,
    COLLISION_KIT_OT_clear_walk_results,
    COLLISION_KIT_OT_show_all_walk_issues,
    COLLISION_KIT_OT_add_starts,
    COLLISION_KIT_OT_remove_start,
    COLLISION_KIT_OT_apply_character_preset,
    COLLISION_KIT_OT_add_character_preset,
)
