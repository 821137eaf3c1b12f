# SPDX-License-Identifier: GPL-3.0-or-later
"""Culling reports as text for a terminal and as JSON; docs/report.md documents every field."""

from ..model.culling_report import CulledObject, CullReport
from ..model.verdict_names import CULL_NAMES
from .coverage import coverage_lines, coverage_values
from .json import heading, issues, written
from .text import issues as issue_lines
from .text import number, text_of, where


def cull_as_text(report: CullReport) -> str:
    """Return the report as lines of text, ending in a newline: objects inside the view first."""
    title = (
        f"{where(report)}, {frames_text(report)}, seen by {', '.join(report.cameras)}: "
        + number(len(report.objects), "object", "objects")
        + f", {counts_text(report)}"
    )
    lines = [title, *coverage_lines(report), "exact" if report.exact else "planes only"]
    if report.objects:
        lines.append("")
    for verdict, name in CULL_NAMES.items():
        lines += [
            f"  {name:8}  {entry.name}{_seen(entry, report)}" for entry in report.objects if entry.verdict == verdict
        ]
    return text_of([*lines, *issue_lines(report)])


def counts_text(report: CullReport) -> str:
    """Return the numbers of objects by place. For several frames, by how often they are seen."""
    if report.frames > 1:
        return "{} seen in every frame, {} in some frames, {} never seen".format(*report.sightings())
    counts = report.counts()
    return ", ".join(f"{counts[verdict]} {name}" for verdict, name in CULL_NAMES.items())


def cull_as_json(report: CullReport) -> str:
    """Return the report as a JSON object, ending in a newline."""
    counts = report.counts()
    return written(
        {
            **heading(),
            "file": report.file,
            "scene": report.scene,
            "cameras": list(report.cameras),
            "frames": {"first": report.first_frame, "last": report.last_frame},
            "exact": report.exact,
            "coverage": coverage_values(report),
            "counts": {name: counts[verdict] for verdict, name in CULL_NAMES.items()},
            "objects": [
                {"name": entry.name, "verdict": CULL_NAMES[entry.verdict], "frames_seen": entry.frames_seen}
                for entry in report.objects
            ],
            **issues(report),
        }
    )


def frames_text(report: CullReport) -> str:
    """Return the frames that were tested."""
    if report.first_frame == report.last_frame:
        return f"frame {report.first_frame}"
    return f"frames {report.first_frame} to {report.last_frame}"


def _seen(entry: CulledObject, report: CullReport) -> str:
    """Return the number of frames in which it is seen, unless that is obvious."""
    if entry.frames_seen in (0, report.frames):
        return ""
    return f"  (seen in {entry.frames_seen} of {report.frames} frames)"
