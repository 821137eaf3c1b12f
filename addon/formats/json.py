# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as JSON; docs/report.md documents every field."""

import json
from typing import Any

from ... import __version__
from ..cull_report import CullReport
from ..report import PairResult, Report
from .names import NAMES

# Raised whenever a field is removed or changes its meaning; new fields do not raise it.
SCHEMA_VERSION = 1


def as_json(report: Report) -> str:
    """The report as one JSON object, lengths in Blender units, ending in a newline."""
    counts = report.counts()
    content = {
        **heading(),
        "file": report.file,
        "scene": report.scene,
        "frame": report.frame,
        "scope": report.scope.lower(),
        "units": {
            "unit_scale": report.units.scale_length,
            "system": report.units.system.lower(),
            "length_unit": report.units.length_unit.lower(),
        },
        "tolerances": {"touching": report.touching, "clearance": report.clearance},
        "tested": report.tested,
        "counts": {name: counts[verdict] for verdict, name in NAMES.items() if name != "separated"},
        "pairs": [_pair(report, pair) for pair in report.pairs],
        **remarks(report),
        "bodies": [
            {
                "name": body.name,
                "shapes": [
                    {"object": shape.object, "kind": shape.kind, "reason": shape.reason}
                    for shape in report.shapes
                    if shape.body == index
                ],
            }
            for index, body in enumerate(report.bodies)
        ],
    }
    return written(content)


def heading() -> dict[str, Any]:
    """What every JSON report begins with."""
    return {"schema_version": SCHEMA_VERSION, "tool": {"name": "collision-kit", "version": __version__}}


def remarks(report: Report | CullReport) -> dict[str, Any]:
    """What there is to say about single objects."""
    return {
        "findings": [
            {"id": finding.id, "severity": finding.severity, "object": finding.object, "message": finding.message}
            for finding in report.findings
        ],
        "skipped": [{"object": skipped.object, "reason": skipped.reason} for skipped in report.skipped],
    }


def written(content: dict[str, Any]) -> str:
    """A report as one JSON object, ending in a newline."""
    # NaN and infinity are no JSON; were one to come this far, an error is better than a file nobody can read.
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _pair(report: Report, pair: PairResult) -> dict[str, Any]:
    return {
        "a": report.bodies[pair.body_a].name,
        "b": report.bodies[pair.body_b].name,
        "verdict": NAMES[pair.verdict],
        "distance": pair.distance,
        "normal": pair.normal.tolist(),
        "point_a": pair.point_a.tolist(),
        "point_b": pair.point_b.tolist(),
        "shape_a": report.shapes[pair.shape_a].object,
        "shape_b": report.shapes[pair.shape_b].object,
        "contacts": [
            {"point": point.tolist(), "depth": float(depth)}
            for point, depth in zip(pair.contact_points, pair.contact_depths, strict=True)
        ],
    }
