# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports on distances between colliders and render meshes, as text and as JSON.

docs/coverage.md documents every field.
"""

from typing import Any

from ..i18n.units import area_text, length_text
from ..model.coverage_report import Area, CoverageReport, CoveredObject, Point, Thresholds, Walked
from .coverage import coverage_lines, coverage_values
from .json import heading, issues, units, written
from .probe import character_text, character_values
from .text import aligned, number, text_of, where
from .text import issues as issue_lines


def colliders_as_text(report: CoverageReport) -> str:
    """Return the report as lines of text, ending in a newline: a line for each object, worst first."""
    failing = report.failing
    found = number(len(failing), "object", "objects") + " out of tolerance" if failing else "no issues"
    lines = [
        f"{where(report)}: {number(len(report.objects), 'object', 'objects')} compared with colliders, {found}",
        *coverage_lines(report),
        limits_text(report, report.thresholds),
        *walked_lines(report),
    ]
    if report.objects:
        lines.append("")
        lines += aligned([_row(report, one) for one in report.objects])
    if report.without_collider:
        lines += ["", f"Without collider: {', '.join(report.without_collider)}"]
    if report.out_of_reach:
        lines += ["", f"Out of reach: {', '.join(report.out_of_reach)}"]
    return text_of([*lines, *issue_lines(report)])


def limits_text(report: CoverageReport, thresholds: Thresholds) -> str:
    """Return the thresholds in words."""
    outside, inside = (
        "any length" if one is None else f"at most {length_text(one, report.units)}" for one in thresholds
    )
    return f"colliders may stick out by {outside}, and miss {inside} of what is seen"


def walked_lines(report: CoverageReport) -> list[str]:
    """A line about the character that limits what counts; none if everything does."""
    walked = report.walked
    if walked is None:
        return []
    side, reach = report.units.scale_length, length_text(walked.reach, report.units)
    return [
        f"only what is no farther than {reach} from {character_text(walked.request, report.units)}, "
        f"which reached {walked.reached_area * side * side:.4g} m²"
    ]


def sentence(report: CoverageReport, one: CoveredObject) -> str:
    """Return both distances, each with its place."""
    return f"{_distance(report, one, 'outside')}; {_distance(report, one, 'inside')}"


def _distance(report: CoverageReport, one: CoveredObject, which: str) -> str:
    value = one.outside if which == "outside" else one.inside
    point = one.outside_point if which == "outside" else one.inside_point
    what = "sticks out by" if which == "outside" else "misses"
    if point is None:
        return f"{what} {length_text(0.0, report.units)}"
    by = f" ({one.outside_collider})" if which == "outside" and one.outside_collider != one.name else ""
    area = beyond_text(report, one, which)
    return f"{what} {length_text(value, report.units)} at {point_text(point)}{by}{area and f', {area}'}"


def beyond_text(report: CoverageReport, one: CoveredObject, which: str) -> str:
    """Return the area of the surface beyond the threshold. Empty without a threshold, or if there is none."""
    area = one.outside_area if which == "outside" else one.inside_area
    threshold = one.thresholds.outside if which == "outside" else one.thresholds.inside
    if area is None or threshold is None or area.most == 0.0:
        return ""
    limit = length_text(threshold, report.units)
    return f"{area_text(area.area, report.units)} ({share_text(area)}) by more than {limit}"


def share_text(area: Area) -> str:
    """Return the fraction of a surface in percent. A nonzero fraction is never shown as zero."""
    return f"{100.0 * area.share:.2g} %" if area.share < 0.995 or area.share == 1.0 else ">99 %"


def bounds_text(report: CoverageReport, area: Area) -> str:
    """Return the text of the lower and the upper bound of an area."""
    return f"{area_text(area.least, report.units)} to {area_text(area.most, report.units)}"


def point_text(point: Point | None) -> str:
    """Return the coordinates of a point. Empty for None."""
    return "" if point is None else "(" + ", ".join(f"{each + 0.0:.6g}" for each in point) + ")"


def _row(report: CoverageReport, one: CoveredObject) -> tuple[str, ...]:
    state = "fails" if one.failing else "ok"
    return state, one.name, _distance(report, one, "outside"), _distance(report, one, "inside")


def colliders_as_json(report: CoverageReport) -> str:
    """Return the report as a JSON object, with lengths in Blender units, ending in a newline."""
    return written(
        {
            **heading(),
            "kind": "coverage",
            "file": report.file,
            "scene": report.scene,
            "scope": report.scope.lower(),
            "configuration": report.configuration or None,
            "units": units(report),
            "max_outside": report.thresholds.outside,
            "max_inside": report.thresholds.inside,
            "coverage": coverage_values(report),
            "counts": {"fails": len(report.failing), "ok": len(report.objects) - len(report.failing)},
            "objects": [_values(one) for one in report.objects],
            "without_collider": list(report.without_collider),
            "require_colliders": report.required,
            "walked": _walked(report.walked),
            "out_of_reach": list(report.out_of_reach),
            **issues(report),
        }
    )


def _walked(walked: Walked | None) -> dict[str, Any] | None:
    if walked is None:
        return None
    request = walked.request
    return {
        "character": character_values(request),
        "starts": list(request.starts),
        "spacing": request.spacing,
        "reach": walked.reach,
        "reached_area": walked.reached_area,
    }


def _values(one: CoveredObject) -> dict[str, Any]:
    return {
        "name": one.name,
        "verdict": "fails" if one.failing else "ok",
        "colliders": list(one.colliders),
        "outside": one.outside,
        "inside": one.inside,
        "outside_bound": one.outside_bound,
        "inside_bound": one.inside_bound,
        "outside_point": None if one.outside_point is None else list(one.outside_point),
        "inside_point": None if one.inside_point is None else list(one.inside_point),
        "outside_collider": one.outside_collider or None,
        "outside_area": None if one.outside_area is None else one.outside_area._asdict(),
        "inside_area": None if one.inside_area is None else one.inside_area._asdict(),
        "max_outside": one.thresholds.outside,
        "max_inside": one.thresholds.inside,
        "findings": list(one.failing),
    }
