# SPDX-License-Identifier: GPL-3.0-or-later
"""Save the report of the last check to a file."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, IntProperty
from bpy_extras.io_utils import ExportHelper

from .... import core
from ... import collisions, reports
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_
from ...model.formats import ENDINGS, MOST_PICTURES, USUAL_ENDINGS
from ...model.report import Report
from ...scene import open_file
from ...scene.objects.labels import collections_of, global_ids_of
from ...session.collision_results import last
from ...system.files import encoded, write_whole
from ..result_list import rows as results_rows
from .file_fields import file_filter, file_path
from .modal_steps import RunInSteps, Steps
from .results_poll import report_missing

if TYPE_CHECKING:
    from ....core.planar.world import PlacedWorld


FORMATS = (
    ("HTML", "Web Page (.html)", "A page with pictures of the worst pairs"),
    ("JSON", "JSON (.json)", "Data for programs"),
    ("JUNIT", "JUnit (.xml)", "Tests for build servers"),
    ("CSV", "Table (.csv)", "A table for spreadsheets"),
    ("BCF", "BCF (.bcf)", "Topics with viewpoints for programs of building design"),
    ("TEXT", "Text (.txt)", "The text that the command line prints"),
)

# The formats that have pictures of pairs.
_PICTURED = ("html", "bcf")


@dataclass
class _Task:
    """What is to be written.

    Attributes
    ----------
    path : Path
    report : Report or None
    rows : list of int
        Those that pictures are drawn of.
    """

    path: Path
    report: Report | None = None
    rows: list[int] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The format, by the ending of the name; empty for one that is unknown."""
        return ENDINGS.get(self.path.suffix.lower(), "")


class COLLISION_KIT_OT_save_report(ExportHelper, RunInSteps):
    """Writes what the panel shows where others can read it. A page takes some seconds for each picture."""

    bl_idname = "collision_kit.save_report"
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

    # Not annotated, as Blender would take them for properties. The format is that which the name had last.
    _task = _Task(Path())
    _format = ""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results of this scene."""
        missing = report_missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file, beside that of the scene; one that is named is written, and Esc ends that."""
        if self.filepath:
            return RunInSteps.invoke(self, context, event)
        blend = Path(open_file.path() or Path.home() / "untitled.blend")
        self.filepath = str(blend.with_name(f"{blend.stem}_collisions{USUAL_ENDINGS[self.format.lower()]}"))
        self._format = self.format
        answer: Any = ExportHelper.invoke(self, context, event)
        return {*answer}

    def check(self, _context: bpy.types.Context) -> bool:
        """Give the name the ending of a format that was chosen, and choose that of an ending that was typed."""
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

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it; after the file browser, so that pictures are drawn between events and Esc ends that."""
        if not self.options.is_invoke:
            return RunInSteps.execute(self, context)
        save_report: Any = bpy.ops.collision_kit.save_report  # type: ignore[attr-defined]
        save_report("INVOKE_DEFAULT", filepath=self.filepath, format=self.format, pictures=self.pictures)
        return {"FINISHED"}

    def begin(self, context: bpy.types.Context) -> Steps:
        """Draw the pictures, one a step."""
        collisions.tested_again.read_again(context)
        report = last.report
        assert report is not None
        self._task = _Task(Path(bpy.path.abspath(self.filepath)), report)
        if self._task.kind in _PICTURED:
            rows = reports.documents.pictured_rows(report, results_rows.marks(), most=self.pictures)
            # What has changed since the check looks otherwise than the report says.
            self._task.rows = [row for row in rows if not last.pair_is_stale(report.pairs[row])]
        topics = reports.documents.topic_rows(report, results_rows.marks()) if self._task.kind == "bcf" else None
        return _drawn(context, report, last.world, self._task.rows, topics)

    def is_short(self) -> bool:
        """Whether there are no pictures to draw."""
        return not self._task.rows

    def share(self, progress: int) -> float:
        """How many are drawn."""
        return progress / max(len(self._task.rows), 1)

    def status(self, progress: int) -> str:
        """Say how many."""
        return label_("Rendering pictures: {done} of {total}", done=progress, total=len(self._task.rows))

    def finish(self, context: bpy.types.Context, found: dict[int, Any]) -> set[str]:
        """Write the file."""
        path, report, kind = self._task.path, self._task.report, self._task.kind
        if not kind:
            text = report_('The file name must end in .html, .json, .xml, .csv, .bcf or .txt: "{name}"', name=path.name)
            self.report({"ERROR"}, text)
            return {"CANCELLED"}
        if report is None or last.report is not report:
            self.report(
                {"ERROR"}, report_("The results changed while the report was made, so nothing was saved. Run it again")
            )
            return {"CANCELLED"}
        try:
            write_whole(path, _content(kind, report, found))
        except OSError as error:
            reason = error.strerror or str(error)
            self.report({"ERROR"}, report_('Cannot write "{name}": {reason}', name=path, reason=reason))
            return {"CANCELLED"}
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


def _drawn(
    context: bpy.types.Context,
    report: Report,
    world: "core.World | PlacedWorld | None",
    rows: list[int],
    topics: list[int] | None,
) -> Steps:
    """Draw some rows, a step each: their pictures or, with the rows of a BCF file, the viewpoints of those."""
    found: dict[int, Any] = {}
    if rows or topics:
        from ...picture import pair_pictures, pair_viewpoints  # Loads what only pictures need.

        drawn: Iterator[tuple[int, Any]] = (
            pair_pictures(context, report, world, rows)
            if topics is None
            else pair_viewpoints(context, report, world, topics, rows)
        )
        for row, picture in drawn:
            found[row] = picture
            if row in rows:
                yield len(found)
    return found
