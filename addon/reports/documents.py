# SPDX-License-Identifier: GPL-3.0-or-later
"""The report in each of its formats, for the command line, the file browser and the clipboard alike."""

from collections.abc import Collection, Mapping

from ...core import Verdict
from ..model.marks import NO_MARKS, Marks
from ..model.report import Report
from ..model.verdict_names import FAULTS
from . import as_html, as_json, as_junit, as_text

# Which format a file is in, by its ending.
ENDINGS = {".txt": "text", ".json": "json", ".xml": "junit", ".html": "html", ".htm": "html"}
FORMATS = ("text", "json", "junit", "html")

# Pictures take some seconds each, and a hundred kilobytes: of this many of the worst pairs there is one.
MOST_PICTURES = 8


def document(
    kind: str,
    report: Report,
    marks: Marks = NO_MARKS,
    *,
    fail_on: Collection[Verdict] = FAULTS,
    pictures: Mapping[int, bytes] | None = None,
    empty: str | None = None,
) -> str:
    """The report as text, json, junit or html; `fail_on` and `empty` matter to junit, `pictures` to html."""
    if kind == "junit":
        return as_junit(report, marks, fail_on, empty)
    if kind == "html":
        return as_html(report, marks, pictures)
    return as_json(report, marks) if kind == "json" else as_text(report, marks)


def pictured_rows(
    report: Report, marks: Marks, fail_on: Collection[Verdict] = FAULTS, most: int = MOST_PICTURES
) -> list[int]:
    """The rows that a page has pictures of: the worst of those that are wrong or too near, and not accepted."""
    return marks.open_rows(report, {*FAULTS, *fail_on, Verdict.WITHIN_CLEARANCE})[:most]
