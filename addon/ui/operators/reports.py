# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports: copy and save the results of a check, and load BCF topics of pairs."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, IntProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from .... import core
from ... import collisions, reports
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_
from ...model.formats import ENDINGS, MOST_PICTURES, USUAL_ENDINGS
from ...model.report import PairResult, PairResults, Report
from ...scene import open_file
from ...scene.accepted_pairs import changed
from ...scene.objects.labels import collections_of, global_ids_of
from ...scene.settings import results_list
from ...scene.topics import store_topics
from ...session.collision_results import last_check
from ...system.files import encoded, write_whole
from ...system.late import np
from ..result_list import rows as results_rows
from .base import Operator, file_filter, file_path, linked_scene
from .modal_steps import RunInSteps, Steps
from .results import chosen_missing, report_missing, results_missing

if TYPE_CHECKING:
    from ....core.planar.world import PlacedWorld


WHAT = (
    ("REPORT", "Report", "The whole report, as the command line prints it"),
    ("LISTED", "Listed Pairs", "One line for each listed pair, in the order of the list"),
    ("CHOSEN", "Active Pair", "The line of the active pair"),
)


class COLLISION_KIT_OT_copy_report(Operator):
    """Copies the results as text, for example for a message."""

    bl_idname = "collision_kit.copy_report"
    manual = "report"
    bl_label = "Copy Collision Report"
    bl_description = "Copy the results to the clipboard as text, in English"
    bl_options = {"REGISTER"}

    what: EnumProperty(
        name="Copy",
        description="What to copy to the clipboard",
        translation_context=CONTEXT,
        items=WHAT,
        default="REPORT",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results of this scene."""
        return report_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Copy the results."""
        report, marks = last_check.report, results_rows.marks()
        missing = {"REPORT": report_missing, "LISTED": results_missing, "CHOSEN": chosen_missing}[self.what](context)
        if report is None or missing:
            return self.refuse(missing, "WARNING")
        if self.what == "REPORT":
            context.window_manager.clipboard = reports.documents.document("text", report, marks)
            self.report({"INFO"}, report_("Report copied"))
            return {"FINISHED"}
        listed = results_rows.lines(results_list(context.window_manager)).pair.tolist()
        rows = [last_check.chosen] if self.what == "CHOSEN" else list(dict.fromkeys(row for row in listed if row >= 0))
        lines = [line.strip() for line in reports.text.pair_lines(report, rows, marks)]
        context.window_manager.clipboard = "\n".join(lines) + "\n" if len(lines) > 1 else "".join(lines)
        self.report({"INFO"}, report_("{count} pairs copied", count=len(rows)))
        return {"FINISHED"}


FORMATS = (
    ("HTML", "Web Page (.html)", "A page with pictures of the worst pairs"),
    ("JSON", "JSON (.json)", "Data for programs"),
    ("JUNIT", "JUnit (.xml)", "Tests for build servers"),
    ("CSV", "Table (.csv)", "A table for spreadsheets"),
    ("BCF", "BCF (.bcf)", "Topics with viewpoints for programs of building design"),
    ("TEXT", "Text (.txt)", "The text that the command line prints"),
)

# Formats with pictures of pairs.
_PICTURED = ("html", "bcf")


@dataclass
class _Task:
    """The report to be written.

    Attributes
    ----------
    path : Path
    report : Report or None
    rows : list of int
        Rows with pictures.
    left : int
        Number of pairs that are measured in full first.
    """

    path: Path
    report: Report | None = None
    rows: list[int] = field(default_factory=list)
    left: int = 0

    @property
    def kind(self) -> str:
        """Return the format by the extension of the name. Empty if it is unknown."""
        return ENDINGS.get(self.path.suffix.lower(), "")


class COLLISION_KIT_OT_save_report(ExportHelper, RunInSteps):
    """Saves the results to a file. An HTML page takes some seconds for each picture."""

    bl_idname = "collision_kit.save_report"
    manual = "report"
    bl_label = "Save Collision Report"
    bl_description = (
        "Save the results as a web page with pictures (.html), JSON data (.json), JUnit tests for "
        "build servers (.xml), a table (.csv), BCF topics (.bcf) or text (.txt)"
    )
    bl_options = {"REGISTER"}

    filepath: file_path("File to write. The extension selects the format")
    filter_glob: file_filter(*(f"*{ending}" for ending in ENDINGS))
    format: EnumProperty(
        name="Format",
        translation_context=CONTEXT,
        description="Format of the file. The extension of its name follows the format, and the format the extension",
        items=FORMATS,
        default="HTML",
    )
    pictures: IntProperty(
        name="Pictures",
        translation_context=CONTEXT,
        description="Number of the worst pairs that are shown as pictures in a web page or BCF file",
        default=MOST_PICTURES,
        min=0,
        soft_max=50,
    )

    filename_ext = USUAL_ENDINGS["html"]

    # Not annotated, because Blender would make them properties. The format is the last one of the name.
    _task = _Task(Path())
    _format = ""

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results of this scene."""
        return report_missing(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file, in the folder of the scene. The given file is written; Esc cancels."""
        if self.filepath:
            return RunInSteps.invoke(self, context, event)
        blend = Path(open_file.path() or Path.home() / "untitled.blend")
        self.filepath = str(blend.with_name(f"{blend.stem}_collisions{USUAL_ENDINGS[self.format.lower()]}"))
        self._format = self.format
        answer: Any = ExportHelper.invoke(self, context, event)
        return {*answer}

    def check(self, _context: bpy.types.Context) -> bool:
        """Set the extension of the name to a chosen format, and the format to a typed extension."""
        path = Path(self.filepath)
        if not path.name:
            return False
        named, before = ENDINGS.get(path.suffix.lower(), ""), self._format
        if named and self.format == before:
            self.format = named.upper()
        self._format = self.format
        if named == self.format.lower():
            return bool(self.format != before)
        ending = USUAL_ENDINGS[self.format.lower()]
        self.filepath = str(path.with_suffix(ending) if named else path.with_name(path.name + ending))
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings in the file browser."""
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        self.layout.prop(self, "format")
        row = self.layout.row()
        row.active = self.format.lower() in _PICTURED
        row.prop(self, "pictures")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Write the file. After the file browser, pictures are drawn between events, and Esc cancels."""
        if not self.options.is_invoke:
            return RunInSteps.run(self, context)
        save_report: Any = bpy.ops.collision_kit.save_report  # type: ignore[attr-defined]
        save_report("INVOKE_DEFAULT", filepath=self.filepath, format=self.format, pictures=self.pictures)
        return {"FINISHED"}

    def begin(self, context: bpy.types.Context) -> Steps:
        """Measure pairs that have not been measured in full, and draw the pictures, one per step."""
        collisions.tested_again.read_again(context)
        report = last_check.report
        assert report is not None
        self._task = _Task(Path(bpy.path.abspath(self.filepath)), report)
        if self._task.kind in _PICTURED:
            rows = reports.documents.pictured_rows(report, results_rows.marks(), most=self.pictures)
            # Changed objects look different from what the report says.
            self._task.rows = [row for row in rows if not last_check.pair_is_stale(report.pairs[row])]
        topics = reports.documents.topic_rows(report, results_rows.marks()) if self._task.kind == "bcf" else None
        if self._task.kind != "text":
            self._task.left = sum(not pair.complete for pair in _pairs())
        return _made(context, self._task, last_check.world, topics)

    def is_short(self) -> bool:
        """Return whether there is nothing to measure and no picture to draw."""
        return not (self._task.rows or self._task.left)

    def share(self, progress: tuple[int, int]) -> float:
        """Return the finished fraction of measurements and pictures."""
        return sum(progress) / max(self._task.left + len(self._task.rows), 1)

    def status(self, progress: tuple[int, int]) -> str:
        """Return the numbers of measurements and pictures."""
        measured, drawn = progress
        if measured < self._task.left:
            return label_("Measuring pairs: {done} of {total}", done=measured, total=self._task.left)
        return label_("Rendering pictures: {done} of {total}", done=drawn, total=len(self._task.rows))

    def finish(self, context: bpy.types.Context, found: tuple[Report, dict[int, Any]]) -> set[str]:
        """Write the file."""
        path, report, kind = self._task.path, self._task.report, self._task.kind
        if not kind:
            text = report_('The file name must end in .html, .json, .xml, .csv, .bcf or .txt: "{name}"', name=path.name)
            return self.refuse(text)
        if report is None or last_check.report is not report:
            return self.refuse(
                report_("The results changed while the report was made, so nothing was saved. Run it again")
            )
        try:
            write_whole(path, _content(kind, *found))
        except OSError as error:
            reason = error.strerror or str(error)
            return self.refuse(report_('Cannot write "{name}": {reason}', name=path, reason=reason))
        self.report({"INFO"}, report_('Report saved as "{name}"', name=path))
        return {"FINISHED"}


def _content(kind: str, report: Report, found: dict[int, Any]) -> bytes:
    marks = results_rows.marks()
    if kind == "bcf":
        return reports.bcf.as_bcf(
            report, reports.documents.topic_rows(report, marks), marks, found, global_ids_of(report.bodies)
        )
    collections = collections_of(report.bodies) if kind == "html" else ()
    return encoded(reports.documents.document(kind, report, marks, pictures=found, collections=collections))


def _pairs() -> list[PairResult]:
    """Return the pairs of the session's report, as far as they have been measured."""
    assert last_check.report is not None
    return [pair for row in range(len(last_check.report.pairs)) if (pair := last_check.pair(row)) is not None]


def _made(
    context: bpy.types.Context, task: _Task, world: "core.World | PlacedWorld | None", topics: list[int] | None
) -> Steps:
    """Measure pairs, and draw the pictures of some rows. With the rows of a BCF file, draw their viewpoints.

    Each step yields the numbers of measured pairs and of drawn pictures. Returns the report and the pictures.
    """
    report, rows, found = task.report, task.rows, dict[int, Any]()
    assert report is not None
    if task.left and world is not None:
        pairs = PairResults.of(_pairs())
        steps = collisions.pair_evidence.measuring(world, pairs, np.arange(len(pairs)))
        while True:
            try:
                yield next(steps), 0
            except StopIteration as end:
                report = replace(report, pairs=end.value)
                break
    if rows or topics:
        from ...picture import pair_pictures, pair_viewpoints  # loads modules that only pictures need

        drawn: Iterator[tuple[int, Any]] = (
            pair_pictures(context, report, world, rows)
            if topics is None
            else pair_viewpoints(context, report, world, topics, rows)
        )
        for row, picture in drawn:
            found[row] = picture
            if row in rows:
                yield task.left, len(found)
    return report, found


class COLLISION_KIT_OT_load_bcf(ImportHelper, Operator):  # type: ignore[misc]
    """Reads the answers to a file that *Save Collision Report* has written."""

    bl_idname = "collision_kit.load_bcf"
    manual = "report"
    bl_label = "Load BCF"
    bl_description = (
        "Load the status, the assignee and the comments of pairs from a BCF file. They replace those that the "
        "scene stores for the same pairs"
    )
    bl_options = {"REGISTER", "UNDO"}

    filepath: file_path("The BCF file")
    filter_glob: file_filter("*.bcf", "*.bcfzip")

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a scene that is not linked."""
        return linked_scene(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Read the file."""
        topics = reports.bcf_files.read_topics(Path(bpy.path.abspath(self.filepath)))
        store_topics(context.scene, topics.values())
        changed()
        found = len(results_rows.marks().topics) if last_check.report is not None else 0
        text = report_("{count} topics loaded, {found} of listed pairs", count=len(topics), found=found)
        self.report({"INFO"}, text)
        return {"FINISHED"}


CLASSES = (
    COLLISION_KIT_OT_copy_report,
    COLLISION_KIT_OT_save_report,
    COLLISION_KIT_OT_load_bcf,
)
