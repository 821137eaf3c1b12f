# SPDX-License-Identifier: GPL-3.0-or-later
"""A heat map of files and tests: how many pairs each named test has found in each file, and their worst verdict.

Without named tests the columns are the verdicts. Pairs that are accepted or ignored do not count. Drawn as SVG.
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

# Of more files or tests those with the most pairs are shown.
MOST_FILES, MOST_TESTS = 60, 24

# The column of files in which there are no named tests, if other files have some.
NO_TEST = "no named test"

# Verdicts, the worst first.
_VERDICTS = [name for name in NAMES.values() if name != "separated"]

# Pixels of a cell, of a character and of a wide one such as Hangul has, and characters of a file's and a test's name.
_WIDTH, _HEIGHT, _CHARACTER, _WIDE = 56, 24, 7.2, 12.5
_LONGEST_FILE, _LONGEST_TEST = 44, 26
# Names of tests rise by this angle, in degrees.
_RISE = 40.0
_MARGIN = 10.0


class Cell(NamedTuple):
    """The pairs of a test in a file: how many, and the worst of their verdicts; "" if there is no pair."""

    pairs: int
    worst: str


class HeatMap(NamedTuple):
    """The cells of some files and tests, by both; a cell is missing if the file has no such test.

    Attributes
    ----------
    files : sequence of Checked
        In the order of their paths.
    tests : sequence of str
    cells : mapping of (str, str) to Cell
        By the path of the file and the name of the test.
    all_files, all_tests : int
        How many there are with those that are not shown.
    """

    files: Sequence[Checked]
    tests: Sequence[str]
    cells: Mapping[tuple[str, str], Cell]
    all_files: int
    all_tests: int


def heat_map(checked: Sequence[Checked], most_files: int = MOST_FILES, most_tests: int = MOST_TESTS) -> HeatMap:
    """Return the heat map of the files that were checked; of many, of those with the most pairs."""
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
    """Return the heat map as an SVG element; each cell and each name of a file is a link to the page of the file."""
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
    """A cell, the stronger the more pairs it has; the number is on top."""
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
    """The tests that a file was checked with."""
    return [test["name"] for test in report.get("tests") or ()] or [NO_TEST]


def _with_most(names: Sequence[str], cells: Mapping[tuple[str, str], Cell], place: int, most: int) -> list[str]:
    """These files or tests, in their order; of more than `most` those with the most pairs."""
    if len(names) <= most:
        return list(names)
    pairs = dict.fromkeys(names, 0)
    for key, cell in cells.items():
        pairs[key[place]] += cell.pairs
    chosen = set(sorted(names, key=lambda name: -pairs[name])[:most])
    return [name for name in names if name in chosen]


def _length(text: str) -> float:
    """About how many pixels long a text is."""
    return sum(_WIDE if unicodedata.east_asian_width(one) in "WF" else _CHARACTER for one in text)


def _shortened(text: str, longest: int, *, end: bool = False) -> str:
    """A text of at most so many characters; its end or its beginning."""
    if len(text) <= longest:
        return text
    return f"…{text[1 - longest :]}" if end else f"{text[: longest - 1]}…"


def _text(text: str) -> str:
    return escape(printable(text))
