# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of a probe, as text for a terminal and as JSON; docs/report.md documents every field."""

import math
from typing import Any

from ..i18n.units import length_text, walk_issue_message
from ..model.probe_report import KINDS, ProbeIssue, ProbeReport, ProbeRequest
from ..model.report import Units
from .coverage import coverage_lines, coverage_values
from .json import heading, listed_issues, listed_skipped, units, written
from .text import issues as issue_lines
from .text import number, skipped_lines, text_of, where


def probe_as_text(report: ProbeReport) -> str:
    """Return the report as lines of text, ending in a newline."""
    lines = [f"{where(report)}, probe: {probe_verdict(report)}", *probe_facts(report), *coverage_lines(report)]
    if report.found:
        lines.append("")
    for one in report.found:
        lines.append(f"  {one.kind:11}  {issue_text(one, report.units)} [{one.id}]{mark_text(one)}")
    return text_of([*lines, *(issue_lines(report) if report.issues else skipped_lines(report))])


def probe_verdict(report: ProbeReport) -> str:
    """Return the numbers of issues by kind."""
    counts = report.counts()
    listed = [number(count, *KINDS[kind]) for kind, count in counts.items() if count]
    marked = len(report.found) - sum(counts.values())
    return ", ".join([*(listed or ["nothing found"]), *([f"{marked} accepted or known"] if marked else [])])


def probe_facts(report: ProbeReport) -> list[str]:
    """Return lines about the character, its starts, and how far it got."""
    request, scene = report.request, report.units
    side = report.units.scale_length
    return [
        character_text(request, scene),
        f"reached {report.reached_area * side * side:.4g} m² in {number(report.poses, 'pose', 'poses')}, "
        f"spacing {length_text(request.spacing, scene)}; all gaps wider than "
        f"{length_text(report.undetected_below, scene)} are listed, if it could go straight to them",
    ]


def character_text(request: ProbeRequest, scene: Units) -> str:
    """The character, and where it began."""
    size = f"radius {length_text(request.radius, scene)}"
    if not request.ball:
        size += f", height {length_text(request.height, scene)}"
    size += f", step {length_text(request.step, scene)}, slope {request.slope:g}°"
    return (
        f"{'ball' if request.ball else 'capsule'} of {size}, drop {length_text(request.drop, scene)}, "
        f"from {', '.join(request.starts)}"
    )


def issue_text(one: ProbeIssue, units: Units) -> str:
    """Return a sentence about an issue."""
    at = "({:.3f}, {:.3f}, {:.3f})".format(*one.point)
    return f"{' and '.join(one.objects)}: {walk_issue_message(one, units)}, at {at}"


def mark_text(one: ProbeIssue) -> str:
    """Return the text after an issue that is not a fault, with the reason."""
    if one.accepted:
        return "  accepted"
    return "" if one.new is None else "  new" if one.new else "  known"


def probe_as_json(report: ProbeReport) -> str:
    """Return the report as a JSON object, ending in a newline."""
    request = report.request
    return written(
        {
            **heading(),
            "kind": "probe",
            "file": report.file,
            "scene": report.scene,
            "units": units(report),
            "character": character_values(request),
            "starts": list(request.starts),
            "spacing": request.spacing,
            "reached_area": report.reached_area,
            "undetected_below": report.undetected_below,
            "poses": report.poses,
            "coverage": coverage_values(report),
            "counts": {kind: sum(one.kind == kind for one in report.found) for kind in KINDS},
            "findings": [_values(one) for one in report.found],
            "remarks": listed_issues(report.issues),
            "skipped": listed_skipped(report.skipped),
        }
    )


def character_values(request: ProbeRequest) -> dict[str, Any]:
    """The character as values of a JSON report."""
    return {
        "shape": "ball" if request.ball else "capsule",
        "radius": request.radius,
        "height": request.height,
        "step": request.step,
        "slope": request.slope,
        "drop": request.drop,
    }


def _values(one: ProbeIssue) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "point": list(one.point),
        "objects": list(one.objects),
        "measure": one.measure,
        # JSON has no infinity.
        "depth": one.deep if one.kind == "fall" and math.isfinite(one.deep) else None,
        "area": one.area if one.kind in ("stuck", "unreachable") else None,
        "before": list(one.before),
        "after": list(one.after),
        "contact": list(one.contact),
        "path": [list(point) for point in one.path],
        "accepted": one.accepted,
        "new": one.new,
    }
