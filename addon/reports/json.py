# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as JSON; docs/report.md documents every field."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...core import __version__
from ..model.coverage_report import CoverageReport
from ..model.culling_report import CullReport
from ..model.floating import Floating
from ..model.marks import NO_MARKS, GonePair, PairMarks
from ..model.motion_report import MotionReport
from ..model.probe_report import ProbeReport
from ..model.report import Issue, Report, Skipped
from ..model.rules import IgnoreRule, PairTest
from ..model.verdict_names import NAMES
from ..system.characters import escaped
from ..system.late import kernels
from .coverage import coverage_values
from .json_pairs import line, pair_lines, quoted

# Increased whenever a field is removed or changes its meaning. New fields do not change it.
SCHEMA_VERSION = 1


class JsonItems(list[str]):
    """Items of a list that are JSON texts already."""


def as_json(report: Report, marks: PairMarks = NO_MARKS) -> str:
    """Return the report as a JSON object, with lengths in Blender units, ending in a newline."""
    counts = {"counts": report.counts(), "accepted_counts": marks.accepted_counts(report)}
    counts["ignored_counts"] = marks.ignored_counts(report)
    counts["folded_counts"] = marks.folded_counts(report)
    content = {
        **heading(),
        "file": report.file,
        "scene": report.scene,
        "frame": report.frame,
        "scope": report.scope.lower(),
        "configuration": report.configuration or None,
        "plane": report.plane,
        "units": units(report),
        "tolerances": {"touching": report.touching, "clearance": report.clearance},
        "tested": report.tested,
        "coverage": coverage_values(report),
        **{
            key: {name: count[verdict] for verdict, name in NAMES.items() if name != "separated"}
            for key, count in counts.items()
        },
        "tests": listed_tests(report.tests, report.test_counts),
        "ignore": listed_rules(marks.rules, marks.uses()),
        "pairs": JsonItems(pair_lines(report, marks)),
        "gone": None if marks.gone is None else [_gone(pair) for pair in marks.gone],
        "floating": None if report.floating is None else [_floating(one) for one in report.floating],
        **issues(report),
        "bodies": bodies(report),
    }
    return written(content)


def _floating(one: Floating) -> dict[str, Any]:
    """Return floating bodies. null: nothing is below, or no held body is near."""
    below, near = bool(one.onto), bool(one.nearest)
    return {
        "object": one.object,
        "others": list(one.others),
        "drop": one.drop if below else None,
        "onto": one.onto if below else None,
        "distance": one.distance if near else None,
        "nearest": one.nearest if near else None,
    }


def heading() -> dict[str, Any]:
    """Return the first fields of every JSON report."""
    tool = {"name": "collision-kit", "version": __version__, "kernels": kernels.mode}
    return {"schema_version": SCHEMA_VERSION, "tool": tool}


def units(report: Report | MotionReport | CoverageReport | ProbeReport) -> dict[str, Any]:
    """Return the units of the scene."""
    return {
        "unit_scale": report.units.scale_length,
        "system": report.units.system.lower(),
        "length_unit": report.units.length_unit.lower(),
    }


def bodies(report: Report | MotionReport) -> JsonItems:
    """Return the tested bodies with their shapes."""
    shapes: list[list[str]] = [[] for _ in report.bodies]
    # Thousands of shapes share a few values, apart from their names.
    texts: dict[tuple[object, ...], str] = {}
    for shape in report.shapes:
        values = shape.kind, shape.reason, shape.margin, shape.surface
        if values not in texts:
            said = {"kind": shape.kind, "reason": shape.reason, "margin": shape.margin, **shape.surface._asdict()}
            texts[values] = line(said)[1:]
        shapes[shape.body].append(f'{{"object": {quoted(shape.object)}, {texts[values]}')
    libraries: dict[tuple[str, str], str] = {}
    for body in report.bodies:
        file = body.library, body.library_file
        if file not in libraries:
            path = body.library_file.replace(os.sep, "/") or None
            libraries[file] = line({"library": body.library, "library_file": path})[1:-1]
    return JsonItems(
        f'{{"name": {quoted(body.name)}, "object": {quoted(body.object)}, "part": {body.part or "null"}, '
        f'{libraries[body.library, body.library_file]}, "asset": {quoted(body.asset) if body.asset else "null"}, '
        f'"motion": {quoted(body.motion) if body.motion else "null"}, "shapes": [{", ".join(own)}]}}'
        for body, own in zip(report.bodies, shapes, strict=True)
    )


def issues(report: Report | CullReport | MotionReport | CoverageReport) -> dict[str, Any]:
    """Return the issues and the skipped objects."""
    return {
        "findings": listed_issues(report.issues),
        "skipped": listed_skipped(report.skipped),
    }


def listed_skipped(skipped: Iterable[Skipped]) -> list[dict[str, str]]:
    """Return the objects that were not tested, with the names of the fields."""
    return [{"object": one.object, "reason": one.reason} for one in skipped]


def listed_issues(issues: Iterable[Issue]) -> list[dict[str, str]]:
    """Return issues with the names of their fields."""
    return [
        {"id": one.id, "severity": one.severity, "object": one.object, "message": str(one.message)} for one in issues
    ]


def written(content: dict[str, Any]) -> str:
    """Return a report as a JSON object, with each field and each item of a list on a line, ending in a newline."""
    # All parts are joined at the end, because a report may have many megabytes.
    parts: list[str] = []
    for name, value in content.items():
        parts += [",\n  " if parts else "{\n  ", line(name), ": ", *_lines(value)]
    return escaped("".join([*parts, "\n}\n"]))


def _lines(value: object) -> list[str]:
    """Yield the parts of a value as JSON, each item of a list on a line."""
    if not isinstance(value, list | Iterator):
        return [line(value)]
    items = value if isinstance(value, JsonItems) else [line(item) for item in value]
    if not items:
        return ["[]"]
    parts = [",\n    "] * (2 * len(items) + 1)
    parts[0], parts[1::2], parts[-1] = "[\n    ", items, "\n  ]"
    return parts


def listed_tests(tests: Sequence[PairTest], counts: Sequence[int]) -> list[dict[str, Any]]:
    """Return the named tests, and the number of pairs that each has found."""
    return [
        {
            "name": test.name,
            "a": [one.text for one in test.a],
            "b": [one.text for one in test.b],
            "touching": test.touching,
            "clearance": test.clearance,
            "severity": test.severity,
            "pairs": count,
        }
        for test, count in zip(tests, counts, strict=True)
    ]


def listed_rules(rules: Sequence[IgnoreRule], uses: Sequence[int]) -> list[dict[str, Any]]:
    """Return the ignore rules, and the number of pairs that match each."""
    return [
        {
            "a": [one.text for one in rule.a],
            "b": [one.text for one in rule.b],
            "max_depth": rule.max_depth,
            "reason": rule.reason,
            "pairs": used,
        }
        for rule, used in zip(rules, uses, strict=True)
    ]


def _gone(pair: GonePair) -> dict[str, Any]:
    return {"a": pair.name_a, "b": pair.name_b, "verdict": NAMES[pair.verdict], "distance": pair.distance}
