# SPDX-License-Identifier: GPL-3.0-or-later
"""The report in each of its formats, for the command line, the file browser and the clipboard."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ...core.constants import Verdict
from ..model.alike import alike
from ..model.coverage_report import CoverageReport
from ..model.culling_report import CullReport
from ..model.formats import MOST_PICTURES, TEXTS
from ..model.marks import NO_MARKS, PairMarks
from ..model.motion_report import MotionReport
from ..model.probe_report import ProbeReport
from ..model.report import Report
from ..model.validation_report import ValidationReport
from ..model.verdict_names import FAULTS
from ..model.writing_reports import ExportReport, FixReport, MakeReport
from ..system.garbage import without_collection
from .colliders import colliders_as_json, colliders_as_text
from .csv import as_csv
from .culling import cull_as_json, cull_as_text
from .html import as_html
from .html_lists import (
    coverage_as_html,
    cull_as_html,
    export_as_html,
    fix_as_html,
    make_as_html,
    motion_as_html,
    probe_as_html,
    validation_as_html,
)
from .json import as_json
from .json_pairs import pair_values
from .junit import as_junit, coverage_as_junit, cull_as_junit, motion_as_junit, probe_as_junit, validation_as_junit
from .motion import motion_as_json, motion_as_text
from .probe import probe_as_json, probe_as_text
from .text import as_text
from .validation import validation_as_json, validation_as_text
from .writing import export_as_json, export_as_text, fix_as_json, fix_as_text, make_as_json, make_as_text


@without_collection()
def document(
    kind: str,
    report: Report,
    marks: PairMarks = NO_MARKS,
    *,
    fail_on: Collection[Verdict] = FAULTS,
    pictures: Mapping[int, bytes] | None = None,
    empty: str | None = None,
    collections: Sequence[str] = (),
    unfold: bool = False,
    hints: Sequence[str] = (),
) -> str:
    """Return the report as one of the `TEXTS`. `as_bcf` makes the archive.

    `fail_on` and `empty` are used for junit, `pictures` and the `collections` of the bodies for html, `unfold` and
    `hints` for text.
    """
    if kind == "junit":
        return as_junit(report, marks, fail_on, empty)
    if kind == "html":
        return as_html(report, marks, pictures, collections)
    if kind == "csv":
        pairs = pair_values(report, marks)
        return as_csv([(report.file, {"scene": report.scene, "frame": report.frame, "pairs": pairs})])
    return as_json(report, marks) if kind == "json" else as_text(report, marks, unfold=unfold, hints=hints)


_FORMATS: tuple[tuple[type, dict[str, Callable[..., str]]], ...] = (
    (
        MotionReport,
        {"text": motion_as_text, "json": motion_as_json, "junit": motion_as_junit, "html": motion_as_html},
    ),
    (CullReport, {"text": cull_as_text, "json": cull_as_json, "junit": cull_as_junit, "html": cull_as_html}),
    (
        ValidationReport,
        {
            "text": validation_as_text,
            "json": validation_as_json,
            "junit": validation_as_junit,
            "html": validation_as_html,
        },
    ),
    (
        CoverageReport,
        {
            "text": colliders_as_text,
            "json": colliders_as_json,
            "junit": coverage_as_junit,
            "html": coverage_as_html,
        },
    ),
    (ProbeReport, {"text": probe_as_text, "json": probe_as_json, "junit": probe_as_junit, "html": probe_as_html}),
    (MakeReport, {"text": make_as_text, "json": make_as_json, "html": make_as_html}),
    (FixReport, {"text": fix_as_text, "json": fix_as_json, "html": fix_as_html}),
    (ExportReport, {"text": export_as_text, "json": export_as_json, "html": export_as_html}),
)


def formats_of(report: object) -> tuple[str, ...]:
    """Return the text formats of a report."""
    return TEXTS if isinstance(report, Report) else tuple(_of_kind(report))


@without_collection()
def written(
    kind: str,
    report: object,
    marks: PairMarks = NO_MARKS,
    *,
    pictures: Mapping[int, bytes] | None = None,
    fail_on: Any = None,
    collections: Sequence[str] = (),
    empty: str | None = None,
) -> str:
    """Return a report of any check in one of its formats.

    `marks`, `pictures` and `collections` are used for a `Report`, `pictures` for html of a `CoverageReport`, `fail_on`
    and `empty` for junit of all others.
    """
    if isinstance(report, Report):
        return document(kind, report, marks, pictures=pictures, collections=collections)
    options: dict[str, Any] = {}
    if kind == "junit":
        options = {name: one for name, one in (("fail_on", fail_on), ("empty", empty)) if one is not None}
    if kind == "html" and isinstance(report, CoverageReport):
        options = {"pictures": pictures}
    return _of_kind(report)[kind](report, **options)


def _of_kind(report: object) -> dict[str, Callable[..., str]]:
    return next(formats for kind, formats in _FORMATS if isinstance(report, kind))


def topic_rows(report: Report, marks: PairMarks, fail_on: Collection[Verdict] = FAULTS) -> list[int]:
    """Return the rows of a BCF file: faults and pairs within the clearance that are neither accepted nor ignored."""
    return marks.open_rows(report, {*FAULTS, *fail_on, Verdict.WITHIN_CLEARANCE})


def pictured_rows(
    report: Report, marks: PairMarks, fail_on: Collection[Verdict] = FAULTS, most: int = MOST_PICTURES
) -> list[int]:
    """Return the rows with pictures on a page or in a BCF file: the worst of `topic_rows`, one for each look."""
    return list(alike(report, topic_rows(report, marks, fail_on)))[:most]
