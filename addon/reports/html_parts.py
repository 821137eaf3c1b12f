# SPDX-License-Identifier: GPL-3.0-or-later
"""Components of the HTML pages of all reports."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from pathlib import PurePath
from typing import NamedTuple

from ...core import __version__
from ..model.alike import joined, joined_skipped
from ..model.coverage_report import CoverageReport
from ..model.culling_report import CullReport
from ..model.motion_report import MotionReport
from ..model.probe_report import ProbeReport
from ..model.report import Report, Skipped
from ..system.characters import printable
from .html_page import POLICY, SCRIPT, STYLE

_NO_CHIPS = '<li class="chip none">nothing found</li>'


class TableCell(NamedTuple):
    """A cell of a table: HTML, and the sort key of the column. None: the text."""

    html: str
    key: float | str | None = None


def page(title: str, parts: Iterable[str], style: str = "", script: str = "") -> str:
    """Return a document, ending in a newline. Empty parts are left out.

    Parameters
    ----------
    title : str
        Plain text.
    parts : iterable of str
        HTML.
    style, script : str
        Additions to those of all pages.
    """
    scripts = f"<script>\n{SCRIPT}</script>" + (f"\n<script>\n{script}</script>" if script else "")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + f"\n</main>\n{scripts}\n</body>\n</html>\n"
    )


def header(kind: str, verdict: str, where: str, chips: Sequence[tuple[str, str]], missed: Iterable[str] = ()) -> str:
    """Return the head of a page: its kind, the result in large letters, the source, and counts with their CSS classes.

    `missed` is what was not tested.
    """
    lines = "".join(f"<p>{escaped(line)}</p>\n" for line in missed)
    listed = "".join(f'<li class="chip {name}">{text}</li>' for name, text in chips)
    return (
        f'<header>\n<p class="quiet">{kind}</p>\n<h1>{escaped(verdict)}</h1>\n'
        f'<p class="quiet">{escaped(where)}</p>\n{lines}<ul class="chips">{listed or _NO_CHIPS}</ul>\n</header>'
    )


def place(file: str, *parts: str) -> str:
    """Return the name of the file, if there is one, and other data about the source."""
    return " · ".join([*([PurePath(file).name] if file else []), *parts])


def sortable(
    title: str, headings: Sequence[str], rows: Iterable[str], numbers: Collection[str] = (), what: str = "names"
) -> str:
    """Return a table that can be sorted and searched. `numbers` are the headings of columns of numbers."""
    body = "\n".join(rows)
    if not body:
        return ""
    heads = "".join(
        f'<th scope="col"{_class(text in numbers)}><button type="button">{text}</button></th>' for text in headings
    )
    return (
        f'<h2>{title}</h2>\n<input type="search" placeholder="Search {what}" '
        f'aria-label="Search {what}" hidden>\n<div class="sheet"><table class="pairs">\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def table_row(
    headings: Sequence[str], cells: Sequence[TableCell], numbers: Collection[str] = (), said: str = ""
) -> str:
    """Return a row of a `sortable` table. `said` are attributes of the row."""
    written = "".join(
        f"<td{_class(head in numbers)}{'' if cell.key is None else f' data-sort={chr(34)}{cell.key}{chr(34)}'}>"
        f"{cell.html}</td>"
        for head, cell in zip(headings, cells, strict=True)
    )
    return f"<tr{said}>{written}</tr>"


def listed(title: str, rows: Iterable[str]) -> str:
    """Return a list of HTML with a title. Empty if the list is empty."""
    cells = "\n".join(f"<tr><td>{row}</td></tr>" for row in rows)
    return f'<h2>{title}</h2>\n<div class="sheet"><table><tbody>\n{cells}\n</tbody></table></div>' if cells else ""


def issues_part(report: Report | CullReport | MotionReport | CoverageReport | ProbeReport) -> str:
    """Return issues of single objects, and objects that were not tested."""
    issues = [
        f"{tag('accepted', found.severity)} {isolated(found.object)}: {escaped(found.message)} {quiet(found.id)}"
        for found in joined(report.issues)
    ]
    return "\n".join(part for part in (listed("Issues", issues), skipped_part(report.skipped)) if part)


def skipped_part(skipped: Iterable[Skipped]) -> str:
    """Return the section about objects that were not tested, and why."""
    return listed("Not tested", [f"{isolated(one.object)}: {escaped(one.reason)}" for one in joined_skipped(skipped)])


# Used instead of the file of the configuration.
NO_CONFIGURATION = "no file"


def settings_part(facts: Mapping[str, str], title: str = "How it was checked") -> str:
    """Return the section with the options of the command and the version of the program."""
    facts = {**facts, "Written by": facts.get("Written by", f"Collision Kit {__version__}")}
    written = "".join(f"<dt>{name}</dt><dd>{escaped(value)}</dd>" for name, value in facts.items())
    return f"<h2>{title}</h2>\n<dl>{written}</dl>"


def tag(name: str, text: str) -> str:
    """Return a word on a plate with the color of a class."""
    return f'<span class="tag {name}">{escaped(text)}</span>'


def quiet(text: str) -> str:
    """Return dimmed text."""
    return f'<span class="quiet">{escaped(text)}</span>'


def isolated(name: str) -> str:
    """Return text from the user. Right-to-left text does not affect the surrounding text."""
    return f"<bdi>{escaped(name)}</bdi>"


def escaped(text: str) -> str:
    """Return text that a browser shows literally."""
    return escape(printable(text))


def _class(is_number: bool) -> str:
    return ' class="number"' if is_number else ""
