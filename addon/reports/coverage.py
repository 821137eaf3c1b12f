# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects and scenes that a check has not tested, in the formats of reports; see docs/report.md."""

from typing import Any

from ..model.coverage import any_hidden, left_out, not_tested
from ..model.coverage_report import CoverageReport
from ..model.culling_report import CullReport
from ..model.motion_report import MotionReport
from ..model.probe_report import ProbeReport
from ..model.report import Coverage, Report
from ..model.validation_report import ValidationReport

Covered = Report | MotionReport | CullReport | ValidationReport | CoverageReport | ProbeReport


def coverage_lines(report: Covered) -> list[str]:
    """Return lines about what was not tested. Empty if everything was."""
    lines, coverage = [], report.coverage
    if coverage.second_file:
        lines.append(_second_text(report))
    missed = not_tested(_tested(report), report.skipped)
    if missed:
        hint = " (--include-hidden tests hidden objects)" if any_hidden(report.skipped) else ""
        lines.append(missed + hint)
    if coverage.other_scenes:
        lines.append(f"other scenes not tested: {', '.join(scenes_text(coverage))} (--scene tests them)")
    if coverage.other_clips:
        lines.append(f"other clips not tested: {', '.join(coverage.other_clips)} (--clip tests them)")
    if coverage.newer:
        lines.append(f"saved with Blender {coverage.newer}, which is newer: what only that version has was not read")
    return lines


def scenes_text(coverage: Coverage) -> list[str]:
    """Return the names of the other scenes, each with its number of objects."""
    return [
        f"{one.name} ({one.objects} {'object' if one.objects == 1 else 'objects'})" for one in coverage.other_scenes
    ]


def _second_text(report: Covered) -> str:
    """Return the text about the second file."""
    name = report.coverage.second_file
    if isinstance(report, ValidationReport | CoverageReport):
        return f"colliders from {name}"
    return f"tested against {name}: of each pair, a is of the first file, b of {name}"


def coverage_values(report: Covered) -> dict[str, Any]:
    """Return the same as values for a JSON report."""
    coverage = report.coverage
    return {
        "objects": _tested(report) + len(report.skipped),
        "not_tested": len(report.skipped),
        "left_out": dict(left_out(report.skipped)),
        "include_hidden": coverage.include_hidden,
        "other_scenes": [one._asdict() for one in coverage.other_scenes],
        "other_clips": list(coverage.other_clips),
        "second_file": coverage.second_file or None,
        "newer_blender": coverage.newer or None,
    }


def _tested(report: Covered) -> int:
    if isinstance(report, Report):
        return len(report.tested_bodies)
    if isinstance(report, MotionReport):
        return len(report.bodies)
    if isinstance(report, ProbeReport):
        return report.bodies
    return report.bodies if isinstance(report, ValidationReport) else len(report.objects)
