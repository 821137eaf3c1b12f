# SPDX-License-Identifier: GPL-3.0-or-later
"""The project report as a short text, and the progress line."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..addon.system.characters import shown
from .one_file import CHECKED, Checked
from .report import configurations, found_in, shared, totals
from .run import Progress, Run

# For a file with findings, this many are listed. Its own report lists all.
_MOST = 3


def as_text(run: Run) -> str:
    """Return the report as lines of text, ending in a newline."""
    checked = [entry.checked for entry in run.entries.values()]
    sums = totals(checked)
    outcomes = sums["outcomes"]
    failed = sum(outcomes[name] for name in outcomes if name not in CHECKED)
    lines = [
        f"{_number(len(checked), 'file', 'files')}: {outcomes['found']} with findings, {outcomes['clean']} clean, "
        f"{failed} not fully checked",
    ]
    counted = [f"{count} {name.replace('_', ' ')}" for name, count in sums.get("counts", {}).items() if count]
    if counted:
        lines.append(", ".join(counted))
    found = [one for one in checked if one.outcome == "found"]
    if found:
        lines += ["", "Findings:"]
        for one in found:
            lines += [f"  {one.path}", *(f"      {line}" for line in worst_lines(one))]
    if failed:
        lines += ["", "Not fully checked:"]
        failures = [one for one in checked if one.outcome not in CHECKED]
        lines += [f"  {one.path}: {_words(one)}: {one.message}" for one in failures]
    defects = shared(checked)
    if defects:
        lines += ["", "In linked files, which several files show:"]
        lines += [
            f"  {pair_line(one, 1.0)}  in {_number(len(one['files']), 'file', 'files')}: {_some(one['files'])}"
            for one in defects
        ]
    used = configurations(checked)
    if used:
        lines += ["", *(f"configuration {name}" for name in used)]
    if run.not_checked:
        lines += ["", f"Ended before {_number(len(run.not_checked), 'file was', 'files were')} checked."]
    return "\n".join(map(shown, lines)) + "\n"


def worst_lines(checked: Checked) -> list[str]:
    """Return the worst findings of a file, a line each."""
    report = checked.report or {}
    scale = (report.get("units") or {}).get("unit_scale", 1.0)
    found = found_in(report)
    lines = [_line(one, scale) for one in found[:_MOST]]
    return lines + ([f"and {len(found) - _MOST} more"] if len(found) > _MOST else [])


def progress_text(progress: Progress) -> str:
    """Return a progress line for a run."""
    counts = f"{progress.found} with findings, {progress.failed} not fully checked"
    text = f"{progress.done} of {progress.total} files, {counts}"
    left = progress.seconds_left()
    return text if left is None or progress.done == progress.total else f"{text}, about {_duration(left)} left"


def _words(checked: Checked) -> str:
    """Return the outcome of a file that was not fully checked.

    If it has a report, only part of it could not be read.
    """
    if checked.outcome == "unreadable" and checked.report is not None:
        return "incomplete"
    return checked.outcome.replace("_", " ")


def _line(one: Mapping[str, Any], scale: float) -> str:
    if "message" in one:
        return f"{one['severity']}  {one['object']}: {one['message']}"
    return pair_line(one, scale)


def pair_line(pair: Mapping[str, Any], scale: float) -> str:
    """Return a line for a pair with its verdict and distance.

    `scale`, the meters per Blender unit, converts the distance to meters.
    """
    names = f"{pair['verdict'].replace('_', ' ')}  {pair['a']}  ×  {pair['b']}"
    if "first" in pair:
        return f"{names}  from frame {pair['first']['frame']:.4g}"
    distance = pair["distance"] * scale
    return f"{names}  {abs(distance):.4g} m {'deep' if distance < 0.0 else 'apart'}"


def _some(paths: Sequence[str]) -> str:
    return ", ".join(paths[:_MOST]) + (", …" if len(paths) > _MOST else "")


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _duration(seconds: float) -> str:
    if seconds < 90.0:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60.0)} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
