# SPDX-License-Identifier: GPL-3.0-or-later
"""A heat map of files and tests: the number of pairs of each named test in each file, and their worst verdict.

Without named tests, the columns are the verdicts. Accepted and ignored pairs do not count. The map is an SVG image.
"""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from ..addon.model.verdict_names import NAMES
from ..addon.system.characters import printable
from .agreement import is_open
from .one_file import Checked
from .pages import Pages

# If there are more files or tests, those with the most pairs are shown.
MOST_FILES, MOST_TESTS = 60, 24

# Column for files without named tests, if other files have some.
NO_TEST = "no named test"

# Verdicts, worst first.
_VERDICTS = [name for name in NAMES.values() if name != "separated"]

# Sizes in pixels of a cell, a character, and a wide character such as Hangul; maximum lengths of file and test names.
_WIDTH, _HEIGHT, _CHARACTER, _WIDE = 56, 24, 7.2, 12.5
_LONGEST_FILE, _LONGEST_TEST = 44, 26
# Angle of the test names, in degrees.
_RISE = 40.0
_MARGIN = 10.0


class Cell(NamedTuple):
    """Pairs of a test in a file: their number, and the worst verdict. The verdict is "" if there are none."""

    pairs: int
    worst: str


class HeatMap(NamedTuple):
    """Cells of files and tests. A cell is missing if the file does not have the test.

    Attributes
    ----------
    files : sequence of Checked
        Sorted by path.
    tests : sequence of str
    cells : mapping of (str, str) to Cell
        By path of the file and name of the test.
    all_files, all_tests : int
        Numbers of files and tests, including those that are not shown.
    """

    files: Sequence[Checked]
    tests: Sequence[str]
    cells: Mapping[tuple[str, str], Cell]
    all_files: int
    all_tests: int


def heat_map(checked: Sequence[Checked], most_files: int = MOST_FILES, most_tests: int = MOST_TESTS) -> HeatMap:
    """Return the heat map of the checked files. If there are many, it has those with the most pairs."""
    with_report = [one for one in checked if one.report is not None and "pairs" in one.report]
    by_test = any(one.report and one.report.get("tests") for one in with_report)
    cells: dict[tuple[str, str], Cell] = {}
    order: dict[str, None] = {}
    verdicts_found = {pair["verdict"] for one in with_report for pair in (one.report or {})["pairs"] if is_open(pair)}
    found = [name for name in _VERDICTS if name in verdicts_found]
    for one in with_report:
        for test in _tests(one.report or {}) if by_test else found:
            cells[one.path, test] = Cell(0, "")
            order[test] = None
        for pair in filter(is_open, (one.report or {})["pairs"]):
            key = one.path, (pair.get("test") or NO_TEST) if by_test else pair["verdict"]
            count, worst = cells.get(key, Cell(0, ""))
            verdicts = [name for name in (worst, pair["verdict"]) if name]
            cells[key] = Cell(count + 1, min(verdicts, key=_VERDICTS.index))
            order[key[1]] = None
    files = _with_most([one.path for one in with_report], cells, 0, most_files)
    tests = _with_most(list(order), cells, 1, most_tests)
    return HeatMap([one for one in with_report if one.path in files], tests, cells, len(with_report), len(order))


def as_svg(heat: HeatMap, pages: Pages) -> str:
    """Return the heat map as an SVG element. Each cell and each file name links to the page of the file."""
    labels = [_shortened(one.path, _LONGEST_FILE, end=True) for one in heat.files]
    heads = [_shortened(test.replace("_", " ") if test in _VERDICTS else test, _LONGEST_TEST) for test in heat.tests]
    left = _MARGIN + max(map(_length, labels))
    longest = max(map(_length, heads))
    top = _MARGIN + 12.0 + longest * math.sin(math.radians(_RISE))
    width = left + _WIDTH * len(heads) + longest * math.cos(math.radians(_RISE))
    height = top + _HEIGHT * len(labels) + _MARGIN
    most = max(cell.pairs for cell in heat.cells.values())
    parts = []
    for column, (test, head) in enumerate(zip(heat.tests, heads, strict=True)):
        x = left + _WIDTH * (column + 0.5)
        parts.append(
            f'<text x="{x:.1f}" y="{top - 8.0:.1f}" transform="rotate({-_RISE:g} {x:.1f} {top - 8.0:.1f})">'
            f"<title>{_text(test)}</title>{_text(head)}</text>"
        )
    for row, (one, label) in enumerate(zip(heat.files, labels, strict=True)):
        y = top + _HEIGHT * row
        drawn = [
            f'<text x="{left - 8.0:.1f}" y="{y + 16.0:.1f}" text-anchor="end"><title>{_text(one.path)}</title>'
            f"{_text(label)}</text>"
        ]
        for column, test in enumerate(heat.tests):
            cell = heat.cells.get((one.path, test))
            if cell is not None:
                drawn.append(_cell(cell, most, left + _WIDTH * column, y, f"{one.path}, {test}"))
        link, inside = pages.link(one), "\n".join(drawn)
        parts.append(f'<a href="{_text(link)}">{inside}</a>' if link else inside)
    content = "\n".join(parts)
    return (
        f'<svg class="heat" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'role="img" aria-label="Pairs by file and test">\n{content}\n</svg>'
    )


def _cell(cell: Cell, most: int, x: float, y: float, where: str) -> str:
    """Return a cell. Its color is stronger the more pairs it has, and the number is on top."""
    strength = 0.25 + 0.6 * math.log1p(cell.pairs) / math.log1p(most) if cell.pairs else 0.0
    said = f"{where}: {cell.pairs} {'pair' if cell.pairs == 1 else 'pairs'}" + (
        f", worst: {cell.worst.replace('_', ' ')}" if cell.worst else ""
    )
    return (
        f'<g><title>{_text(said)}</title><rect class="cell {cell.worst or "nothing"}" x="{x + 1.5:.1f}" '
        f'y="{y + 1.5:.1f}" width="{_WIDTH - 3}" height="{_HEIGHT - 3}" rx="3" fill-opacity="{strength:.2f}"/>'
        f'<text class="count" x="{x + _WIDTH / 2:.1f}" y="{y + 16.0:.1f}" text-anchor="middle">{cell.pairs}</text></g>'
    )


def _tests(report: Mapping[str, Any]) -> list[str]:
    """Return the tests that a file was checked with."""
    return [test["name"] for test in report.get("tests") or ()] or [NO_TEST]


def _with_most(names: Sequence[str], cells: Mapping[tuple[str, str], Cell], place: int, most: int) -> list[str]:
    """Return these files or tests in order. If there are more than `most`, those with the most pairs."""
    if len(names) <= most:
        return list(names)
    pairs = dict.fromkeys(names, 0)
    for key, cell in cells.items():
        pairs[key[place]] += cell.pairs
    chosen = set(sorted(names, key=lambda name: -pairs[name])[:most])
    return [name for name in names if name in chosen]


def _length(text: str) -> float:
    """Return the approximate width of a text in pixels."""
    return sum(_WIDE if unicodedata.east_asian_width(one) in "WF" else _CHARACTER for one in text)


def _shortened(text: str, longest: int, *, end: bool = False) -> str:
    """Return a text shortened to this many characters, at its end or its beginning."""
    if len(text) <= longest:
        return text
    return f"…{text[1 - longest :]}" if end else f"{text[: longest - 1]}…"


def _text(text: str) -> str:
    return escape(printable(text))
