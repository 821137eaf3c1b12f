# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as a table of comma-separated values, for spreadsheets: a row for each pair."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..system.characters import printable

# Spreadsheets interpret a cell that begins with one of the first characters as a formula, which can run programs.
_GUARDED = ("=", "+", "-", "@", "'")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")

# The columns: that of the file, and the fields of a pair as in JSON.
_HEADS = (
    *("file", "scene", "frame", "a", "b", "verdict", "distance", "interference"),
    *(f"{name}_{axis}" for name in ("normal", "point_a", "point_b") for axis in "xyz"),
    *("shape_a", "shape_b", "friction", "restitution", "contacts", "accepted"),
    *("id", "test", "severity", "touching", "accepted_depth", "ignored", "new", "worse"),
    *("within", "folded", "complete", "at_least"),
    *("topic_status", "topic_assigned_to", "topic_comments"),
)

# Texts with reasons, which may be empty.
_REASONS = ("accepted", "ignored")

# Lists whose number of items is shown. A report may have the number itself.
_COUNTED = ("contacts", "topic_comments")


def as_csv(reports: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Return the pairs of reports as comma-separated values with a header line. Lengths are in Blender units.

    Parameters
    ----------
    reports : iterable of tuple of str and mapping
        Value of the column ``file``, and the report as in JSON.

    Returns
    -------
    str
        A text that a spreadsheet would interpret as a formula, or that begins with an apostrophe, gets an apostrophe
        before it, which `unguarded` removes. Control characters and line ends are replaced.

    Examples
    --------
    >>> pair = {"a": "=1+1", "b": "Wall", "verdict": "touching", "distance": 0.0}
    >>> as_csv([("hall.blend", {"scene": "Scene", "frame": 1, "pairs": [pair]})]).splitlines()[1][:36]
    "hall.blend,Scene,1,'=1+1,Wall,touchi"
    """
    rows = (
        {"file": file, "scene": report["scene"], "frame": report["frame"], **_cells(pair)}
        for file, report in reports
        for pair in report.get("pairs") or ()
    )
    return _line(_HEADS) + "".join(_line([row.get(head) for head in _HEADS]) for row in rows)


def unguarded(text: str) -> str:
    """Return a text without the apostrophe that was added before it."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_GUARDED) else text


def _cells(pair: Mapping[str, Any]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name, value in pair.items():
        if isinstance(value, dict):
            cells |= _cells({f"{name}_{key}": part for key, part in value.items()})
        elif name in _COUNTED:
            cells[name] = value if isinstance(value, int) else len(value or ())
        elif isinstance(value, list):
            cells |= {f"{name}_{axis}": part for axis, part in zip("xyz", value, strict=False)}
        elif name in _REASONS and value == "":
            cells[name] = "yes"  # an empty cell is a pair that is neither
        elif isinstance(value, bool):
            cells[name] = str(value).lower()
        else:
            cells[name] = value
    return cells


def _line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(
        [_guarded(printable(cell)) if isinstance(cell, str) else cell for cell in cells]
    )
    return text.getvalue()


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_GUARDED) and not _NUMBER.fullmatch(text) else text
