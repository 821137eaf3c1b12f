# SPDX-License-Identifier: GPL-3.0-or-later
"""Intended pairs: accept or ignore them, suggest and edit rules, and store rules in a file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, BoolVectorProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...config import NAME as FILE_NAME
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, tip_, translated
from ...i18n.units import length_text
from ...model.one_thing import ProposedThing, proposed_thing
from ...model.report import Report
from ...model.rules import listed, read_list
from ...model.suggestions import SuggestedRule, remaining, suggested_rules
from ...model.topics import STATUSES
from ...model.verdict_names import FAULTS
from ...scene import accepted_pairs, open_file
from ...scene.objects.labels import labels_of
from ...scene.rules import add_ignore_rule, export_configuration, ignore_pair, import_configuration
from ...scene.settings import results_list, scene_settings
from ...scene.topics import store_topics, topic_of, topics_of
from ...session import motion_results
from ...session.collision_results import last_check
from ...viewport.pair import in_full
from ..result_list import rows as results_rows
from .base import Operator, file_filter, file_path, linked_scene
from .results import results_missing

TO_ACCEPT = (
    ("CHOSEN", "Active Pair", "The active pair in the list"),
    ("LISTED", "All Listed Pairs", "All pairs that the list currently shows"),
)


def _linked_scene(context: bpy.types.Context) -> str:
    linked = context.scene.library is not None
    return tip_("The scene is linked: accept pairs in its own file") if linked else ""


class COLLISION_KIT_OT_accept_pair(Operator):
    """Marks a collision as intended."""

    bl_idname = "collision_kit.accept_pair"
    manual = "report"
    bl_label = "Accept Pair"
    bl_description = (
        "Mark a collision as intended. The file stores the reason. The pair no longer fails checks on "
        "the command line, unless it becomes deeper"
    )
    bl_options = {"REGISTER", "UNDO"}

    reason: StringProperty(name="Reason", description="Why this collision is intended")
    which: EnumProperty(
        name="Pairs",
        description="Which pairs are accepted",
        translation_context=CONTEXT,
        items=TO_ACCEPT,
        default="CHOSEN",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results of this scene, and a scene that is not linked."""
        return results_missing(context) or _linked_scene(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the reason. The default is the previous one."""
        self.reason = results_rows.marks().accepted.get(last_check.chosen, self.reason)
        return {*context.window_manager.invoke_props_dialog(self)}

    def run(self, context: bpy.types.Context) -> set[str]:
        """Store the reason."""
        rows = [last_check.chosen]
        if self.which == "LISTED":
            listed = results_rows.lines(results_list(context.window_manager)).pair
            rows = sorted({int(row) for row in listed if row >= 0})
        pairs = {last_check.keys_of(row): pair.depth for row in rows if (pair := in_full(row)) is not None}
        count = accepted_pairs.accept(context.scene, pairs, self.reason.strip())
        if not count:
            return self.refuse(report_("No active result: click one in the list"), "WARNING")
        self.report({"INFO"}, report_("{count} accepted", count=count))
        return {"FINISHED"}


def _statuses(_operator: Any, context: bpy.types.Context, text: str) -> list[str]:
    """Return the usual statuses, and others of the scene, that contain a text."""
    known = dict.fromkeys([*STATUSES, *(one.status for one in topics_of(context.scene).values() if one.status)])
    return [status for status in known if text.casefold() in status.casefold()]


class COLLISION_KIT_OT_edit_pair_status(Operator):
    """Sets status, assignee and comment of a pair."""

    bl_idname = "collision_kit.edit_pair_status"
    manual = "report"
    bl_label = "Edit Pair Status"
    bl_description = (
        "Set the status and the assignee of the active pair, and add a comment. The file stores them, and reports and "
        "BCF files contain them"
    )
    bl_options = {"REGISTER", "UNDO"}

    status: StringProperty(
        name="Status",
        description="Progress of the work on the pair. Empty: no status",
        search=_statuses,
        search_options={"SUGGESTION"},
        options={"SKIP_SAVE"},
    )
    assigned_to: StringProperty(
        name="Assigned To", description="Who works on the pair. Empty: nobody", options={"SKIP_SAVE"}
    )
    comment: StringProperty(name="Comment", description="Comment that is added. Empty: none", options={"SKIP_SAVE"})
    author: StringProperty(name="Author", description="Author of the comment")

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results of this scene, and a scene that is not linked."""
        return results_missing(context) or linked_scene(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for all fields. The defaults are the stored values."""
        self._fill(context)
        return {*context.window_manager.invoke_props_dialog(self)}

    def _fill(self, context: bpy.types.Context) -> None:
        """Set missing fields to the stored values."""
        report = last_check.report
        if report is None or not 0 <= last_check.chosen < len(report.pairs):
            return
        topic = topic_of(context.scene, report, last_check.chosen)
        for name in ("status", "assigned_to"):
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(topic, name))

    def run(self, context: bpy.types.Context) -> set[str]:
        """Store the fields."""
        report = last_check.report
        if report is None or not 0 <= last_check.chosen < len(report.pairs):
            return self.refuse(report_("No active result: click one in the list"), "WARNING")
        self._fill(context)
        topic = topic_of(context.scene, report, last_check.chosen)
        topic = topic._replace(status=self.status.strip(), assigned_to=self.assigned_to.strip())
        store_topics(context.scene, [topic.with_comment(self.comment, self.author)])
        accepted_pairs.changed()
        return {"FINISHED"}


TO_WITHDRAW = (
    ("CHOSEN", "Active Pair", "The active pair in the list"),
    ("ALL", "All Pairs of Scene", "All accepted pairs of the scene, including collisions that no longer exist"),
)


class COLLISION_KIT_OT_stop_accepting_pair(Operator):
    """Reverses `accept_pair`."""

    bl_idname = "collision_kit.stop_accepting_pair"
    manual = "report"
    bl_label = "Stop Accepting Pair"
    bl_description = "Report a pair as a collision again, and delete the reason for which it was accepted"
    bl_options = {"REGISTER", "UNDO"}

    which: EnumProperty(
        name="Pairs",
        description="Which pairs are no longer accepted",
        translation_context=CONTEXT,
        items=TO_WITHDRAW,
        default="CHOSEN",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires accepted pairs in the scene."""
        if not len(accepted_pairs.entries(context.scene)):
            return tip_("The scene has no accepted pairs")
        return _linked_scene(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Remove the accepted pair."""
        if self.which == "ALL":
            count = accepted_pairs.withdraw_all(context.scene)
        else:
            count = accepted_pairs.withdraw(context.scene, [last_check.keys_of(last_check.chosen)])
        if not count:
            return self.refuse(report_("The active pair is not accepted"), "INFO")
        self.report({"INFO"}, report_("{count} no longer accepted", count=count))
        return {"FINISHED"}


# Collections of the scene's settings, and the property with the index of the active item.
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


class COLLISION_KIT_OT_edit_rules(Operator):
    """Changes the list of tests or of ignore rules."""

    bl_idname = "collision_kit.edit_rules"
    manual = "configuration"
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
        """Return the tooltip of the button."""
        action: Any = properties
        return next(tip_(text) for name, _, text in ACTIONS if name == action.action)

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a scene that is not linked."""
        return linked_scene(context)

    def run(self, context: bpy.types.Context) -> set[str]:
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
            return self.refuse(report_("There is no active entry"), "WARNING")
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


class COLLISION_KIT_OT_ignore_pair(Operator):
    """Makes an ignore rule from the chosen pair, to be generalized by hand."""

    bl_idname = "collision_kit.ignore_pair"
    manual = "configuration"
    bl_label = "Ignore Pair by Rule"
    bl_description = "Add an ignore rule with the names of the active pair. Widen it with * or collection:"
    bl_options = {"REGISTER", "UNDO"}

    reason: StringProperty(name="Reason", description="Why this collision is intended")

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results of this scene, and a scene that is not linked."""
        return results_missing(context) or linked_scene(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Add the rule."""
        report = last_check.report
        if report is None or not 0 <= last_check.chosen < len(report.pairs):
            return self.refuse(report_("No active result: click one in the list"), "WARNING")
        ignore_pair(context.scene, report, report.pairs[last_check.chosen], self.reason)
        return {"FINISHED"}


class COLLISION_KIT_OT_import_configuration(ImportHelper, Operator):  # type: ignore[misc]
    """Reads the configuration file of the command line."""

    bl_idname = "collision_kit.import_configuration"
    manual = "configuration"
    bl_label = "Import Configuration"
    bl_description = "Replace the tests and ignore rules of the scene, and set its tolerances, from collision-kit.toml"
    bl_options = {"REGISTER", "UNDO"}

    filepath: file_path("The configuration file")
    filter_glob: file_filter("*.toml")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Read the file."""
        import_configuration(context.scene, Path(bpy.path.abspath(self.filepath)))
        return {"FINISHED"}


class COLLISION_KIT_OT_export_configuration(ExportHelper, Operator):  # type: ignore[misc]
    """Writes the configuration file of the command line."""

    bl_idname = "collision_kit.export_configuration"
    manual = "configuration"
    bl_label = "Export Configuration"
    bl_description = "Save the tests, ignore rules and tolerances of the scene as collision-kit.toml"
    bl_options = {"REGISTER"}

    filename_ext = ".toml"

    filepath: file_path("The configuration file")
    filter_glob: file_filter("*.toml")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Suggest the name that the command line looks for, in the folder of the scene."""
        if not self.filepath:
            self.filepath = str(Path(open_file.path() or Path.home() / "untitled.blend").with_name(FILE_NAME))
        return super().invoke(context, event)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Write the file."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            export_configuration(context.scene, path)
        except OSError as error:
            reason = error.strerror or str(error)
            return self.refuse(report_('Cannot write "{name}": {reason}', name=path, reason=reason))
        return {"FINISHED"}


# Number of rules that are shown at once, and width of the dialog at a resolution scale of 1.
SHOWN, WIDTH = 10, 520


class COLLISION_KIT_OT_suggest_rules(Operator):
    """Shows rules with their effects. Nothing is ignored until a rule is chosen."""

    bl_idname = "collision_kit.suggest_rules"
    manual = "configuration"
    bl_label = "Suggest Rules"
    bl_description = (
        "Suggest ignore rules for pairs that look intended, such as pairs with a navigation mesh, in a ground, of "
        "similar names, in one collection, or of a small depth"
    )
    bl_options = {"REGISTER", "UNDO"}

    take: BoolVectorProperty(
        name="Rules",
        description="Add this rule",
        size=SHOWN,
        default=(False,) * SHOWN,
        options={"SKIP_SAVE"},
    )

    take_thing: BoolProperty(
        name="One Thing",
        description="Declare these objects to be one thing, so that pairs within it share one line",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results of this scene, and a scene that is not linked."""
        return results_missing(context) or linked_scene(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Show the suggestions."""
        self.found, self.thing = _suggestions()
        if not (self.found or self.thing):
            return self.refuse(report_("No rules to suggest"), "INFO")
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text=label_("Add Rules"))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a box for each rule."""
        report = last_check.report
        if report is None:
            return
        if self.thing is not None:
            self._draw_thing(self.thing)
        for number, one in enumerate(self.found[:SHOWN]):
            self._draw_rule(report, number, one)
        if len(self.found) > SHOWN:
            text = label_("{count} more after these are added", count=len(self.found) - SHOWN)
            self.layout.label(text=text, icon="INFO", translate=False)
        if not self.found:
            return
        left = label_(
            "{count} of {total} pairs remain with all of these rules",
            count=len(remaining(report, results_rows.marks(), self.found)),
            total=len(results_rows.marks().open_rows(report, FAULTS)),
        )
        self.layout.label(text=left, icon="BLANK1", translate=False)
        self.layout.label(
            text=label_("Look at the deepest pair of a rule before you add the rule"), icon="INFO", translate=False
        )

    def _draw_thing(self, thing: ProposedThing) -> None:
        column = self.layout.box().column(align=True)
        row = column.row()
        name = listed((thing.pattern,))
        if thing.pattern.field == "collection":
            name = label_('The collection "{name}"', name=thing.pattern.glob)
        elif thing.pattern.field == "parent":
            name = label_('"{name}" with all its children', name=thing.pattern.glob)
        row.prop(self, "take_thing", text=label_("{name} is one thing", name=name), translate=False)
        count = row.row()
        count.alignment = "RIGHT"
        count.label(text=label_("{count} pairs", count=thing.pairs), translate=False)
        text = label_("Pairs within it share one line, and {count} of {total} pairs remain", **_remain(thing))
        column.label(text=text, icon="BLANK1", translate=False)

    def _draw_rule(self, report: Report, number: int, one: SuggestedRule) -> None:
        column = self.layout.box().column(align=True)
        row = column.row()
        sides = f"{listed(one.rule.a)}  ×  {listed(one.rule.b)}"
        row.prop(self, "take", index=number, text=sides, translate=False)
        count = row.row()
        count.alignment = "RIGHT"
        count.label(text=label_("{count} pairs", count=len(one.rows)), translate=False)
        column.label(text=translated(one.reason), icon="BLANK1", translate=False)
        pair = report.pairs[one.rows[0]]
        text = label_(
            "Deepest: {pair}, {depth}. Ignored up to {limit}",
            pair=last_check.pair_name(pair),
            depth=length_text(-pair.gap, report.units),
            limit=length_text(one.rule.max_depth or 0.0, report.units),
        )
        column.label(text=text, icon="BLANK1", translate=False)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Add the chosen rules, and declare the chosen thing."""
        # If called by a script, there was no dialog.
        found, thing = (self.found, self.thing) if hasattr(self, "found") else _suggestions()
        chosen = [one for one, take in zip(found, self.take, strict=False) if take]
        declared = thing if self.take_thing else None
        if not (chosen or declared):
            return self.refuse(report_("No rules selected"), "INFO")
        for one in chosen:
            add_ignore_rule(context.scene, replace(one.rule, reason=translated(one.reason)))
        if chosen:
            self.report({"INFO"}, report_("{count} rules added", count=len(chosen)))
        if declared is not None:
            settings = scene_settings(context)
            settings.one_thing = listed((*read_list(settings.one_thing), declared.pattern))
            self.report({"INFO"}, report_("The next check folds the pairs of one thing"))
        return {"FINISHED"}


def _remain(thing: ProposedThing) -> dict[str, int]:
    """Return the number of pairs that remain beside a thing, and of all pairs."""
    return {"count": thing.of_pairs - thing.pairs, "total": thing.of_pairs}


def _suggestions() -> tuple[list[SuggestedRule], ProposedThing | None]:
    """Return the suggestions for the last result, and for the last motion check if it is up to date."""
    report, motion = last_check.report, motion_results.latest.here(last_check.place)
    if report is None:
        return [], None
    known = motion.report if motion is not None and motion.change is None else None
    labels, marks = labels_of(report.bodies), results_rows.marks()
    return suggested_rules(report, labels, marks, known), proposed_thing(report, labels, marks)


CLASSES = (
    COLLISION_KIT_OT_accept_pair,
    COLLISION_KIT_OT_edit_pair_status,
    COLLISION_KIT_OT_stop_accepting_pair,
    COLLISION_KIT_OT_edit_rules,
    COLLISION_KIT_OT_ignore_pair,
    COLLISION_KIT_OT_import_configuration,
    COLLISION_KIT_OT_export_configuration,
    COLLISION_KIT_OT_suggest_rules,
)
