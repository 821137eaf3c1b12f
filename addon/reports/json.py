# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as JSON; docs/report.md documents every field."""

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from ... import __version__
from ..model.culling_report import CullReport
from ..model.marks import NO_MARKS, GonePair, Marks
from ..model.motion_report import MotionReport
from ..model.pair_ids import pair_ids
from ..model.report import PairResult, Report, Surface
from ..model.rules import IgnoreRule, PairTest
from ..model.topics import Topic
from ..model.verdict_names import NAMES

# Raised whenever a field is removed or changes its meaning; new fields do not raise it.
SCHEMA_VERSION = 1


def as_json(report: Report, marks: Marks = NO_MARKS) -> str:
    """The report as one JSON object, lengths in Blender units, ending in a newline."""
    counts = {"counts": report.counts(), "accepted_counts": marks.accepted_counts(report)}
    counts["ignored_counts"] = marks.ignored_counts(report)
    content = {
        **heading(),
        "file": report.file,
        "scene": report.scene,
        "frame": report.frame,
        "scope": report.scope.lower(),
        "plane": report.plane,
        "units": units(report),
        "tolerances": {"touching": report.touching, "clearance": report.clearance},
        "tested": report.tested,
        **{
            key: {name: count[verdict] for verdict, name in NAMES.items() if name != "separated"}
            for key, count in counts.items()
        },
        "tests": listed_tests(report.tests, report.test_counts),
        "ignore": listed_rules(marks.rules, marks.uses()),
        "pairs": _pairs(report, marks),
        "gone": None if marks.gone is None else [_gone(pair) for pair in marks.gone],
        **remarks(report),
        "bodies": bodies(report),
    }
    return written(content)


def heading() -> dict[str, Any]:
    """What every JSON report begins with."""
    return {"schema_version": SCHEMA_VERSION, "tool": {"name": "collision-kit", "version": __version__}}


def units(report: Report | MotionReport) -> dict[str, Any]:
    """The scene's units."""
    return {
        "unit_scale": report.units.scale_length,
        "system": report.units.system.lower(),
        "length_unit": report.units.length_unit.lower(),
    }


def bodies(report: Report | MotionReport) -> list[dict[str, Any]]:
    """What was tested, and as what."""
    result: list[dict[str, Any]] = [
        {
            "name": body.name,
            "object": body.object,
            "part": body.part or None,
            "library": body.library,
            "library_file": body.library_file.replace(os.sep, "/") or None,
            "shapes": [],
        }
        for body in report.bodies
    ]
    for shape in report.shapes:
        result[shape.body]["shapes"].append(
            {
                "object": shape.object,
                "kind": shape.kind,
                "reason": shape.reason,
                "margin": shape.margin,
                **shape.surface._asdict(),
            }
        )
    return result


def remarks(report: Report | CullReport | MotionReport) -> dict[str, Any]:
    """What there is to say about single objects."""
    return {
        "findings": [
            {"id": finding.id, "severity": finding.severity, "object": finding.object, "message": finding.message}
            for finding in report.findings
        ],
        "skipped": [{"object": skipped.object, "reason": skipped.reason} for skipped in report.skipped],
    }


def written(content: dict[str, Any]) -> str:
    """A report as one JSON object, each field and each item of a list or an iterator on a line; ends in a newline."""
    return "{\n" + ",\n".join(f"  {_line(name)}: {_lines(value)}" for name, value in content.items()) + "\n}\n"


# NaN and infinity are no JSON; were one to come this far, an error is better than a file nobody can read.
_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _lines(value: object) -> str:
    """A value as JSON, each item of a list on a line."""
    if not isinstance(value, list | Iterator):
        return _line(value)
    items = ",\n".join(f"    {_line(item)}" for item in value)
    return f"[\n{items}\n  ]" if items else "[]"


def listed_tests(tests: Sequence[PairTest], counts: Sequence[int]) -> list[dict[str, Any]]:
    """The named tests, and how many pairs each has found."""
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
    """The rules for pairs that are meant to collide, and how many pairs each has taken."""
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


def _pairs(report: Report, marks: Marks) -> Iterator[dict[str, Any]]:
    rows = zip(report.pairs, report.surfaces_of(report.pairs), pair_ids(report), strict=True)
    for row, (pair, surface, name) in enumerate(rows):
        yield {"id": name} | _pair(report, pair, surface) | _marks(marks, row)


def _pair(report: Report, pair: PairResult, surface: Surface) -> dict[str, Any]:
    test = report.test_of(pair)
    return {
        "a": report.bodies[pair.body_a].name,
        "b": report.bodies[pair.body_b].name,
        "verdict": NAMES[pair.verdict],
        "test": None if test is None else test.name,
        "severity": report.severity_of(pair),
        "distance": pair.distance,
        "interference": pair.interference,
        "normal": pair.normal.tolist(),
        "point_a": pair.point_a.tolist(),
        "point_b": pair.point_b.tolist(),
        "shape_a": report.shapes[pair.shape_a].object,
        "shape_b": report.shapes[pair.shape_b].object,
        "touching": pair.touching,
        "faces": list(pair.faces),
        **surface._asdict(),
        "contacts": [
            {"point": point, "depth": depth}
            for point, depth in zip(pair.contact_points.tolist(), pair.contact_depths.tolist(), strict=True)
        ],
    }


def _marks(marks: Marks, row: int) -> dict[str, Any]:
    """What is known of a pair besides how it stands; None: not accepted, and not compared with anything."""
    return {
        "accepted": marks.accepted.get(row),
        "accepted_depth": marks.deeper.get(row),
        "ignored": marks.reason(row),
        "new": None if marks.new is None else row in marks.new,
        "worse": None if marks.worse is None else row in marks.worse,
        "topic": _topic(marks.topics[row]) if row in marks.topics else None,
    }


def _topic(topic: Topic) -> dict[str, Any]:
    """What others say of a pair."""
    return {
        "status": topic.status or None,
        "assigned_to": topic.assigned_to or None,
        "comments": [{"author": one.author, "date": one.date, "text": one.text} for one in topic.comments],
    }


def _gone(pair: GonePair) -> dict[str, Any]:
    return {"a": pair.name_a, "b": pair.name_b, "verdict": NAMES[pair.verdict], "distance": pair.distance}
