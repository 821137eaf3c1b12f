# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of a motion check, as text for a terminal and as JSON; docs/report.md documents every field."""

from collections.abc import Collection
from typing import Any

from ..i18n.units import depth_text, length_text
from ..model.motion_report import NEAR, PENETRATING, STATUSES, MotionContact, MotionReport
from .coverage import coverage_lines, coverage_values
from .json import bodies, heading, issues, listed_rules, listed_tests, units, written
from .text import (
    aligned,
    configuration_lines,
    direction,
    fold_name,
    nothing_to_collide,
    number,
    rule_lines,
    test_lines,
    test_text,
    text_of,
    where,
)
from .text import issues as issue_lines

_STATUS_LINES = {"started": "Touching from the first frame:", "undecided": "Undecided, possibly touching:"}


def motion_as_text(report: MotionReport) -> str:
    """Return the report as lines of text, ending in a newline. Contacts that begin within the range come first."""
    moving = report.tested.get("moving", 0)
    ignored = report.ignored_counts()
    folds = report.folds()
    counts = report.counts() - ignored - report.folded_counts()
    found = [f"{counts[status]} {status}" for status in STATUSES if counts[status]]
    found += [f"{counts[NEAR]} near"] if counts[NEAR] else []
    found += [f"{ignored.total()} ignored by rules"] if ignored else []
    found += [f"{sum(map(len, folds.values()))} folded"] if folds else []
    lines = [
        f"{where(report)}{f', clip {report.clip}' if report.clip else ''}, frames {report.start} to {report.end}: "
        + number(len(report.bodies), "body", "bodies")
        + f" tested, {moving} moving, "
        + _counted(report, found),
        *coverage_lines(report),
        _deviation(report),
        *configuration_lines(report),
        "",
    ]
    if counts["new"]:
        lines += _table(report, "new")
    elif len(report.bodies) < 2 or not report.animated:
        lines.append(f"{nothing_moves(report)}.")
    else:
        lines.append("No new contacts.")
    for status, title in _STATUS_LINES.items():
        if counts[status]:
            lines += ["", title, *_table(report, status)]
    if counts[NEAR]:
        lines += ["", f"Nearer than {length_text(report.clearance, report.units)}:", *_table(report, NEAR)]
    if folds:
        lines += ["", "Folded:"]
    for fold, contacts in folds.items():
        lines.append(f"  {number(len(contacts), 'contact', 'contacts')} {fold_name(fold)}")
    if report.tests:
        lines += ["", "Tests:", *test_lines(report.tests, report.test_counts())]
    if report.rules:
        lines += ["", "Ignored by rules:", *rule_lines(report.rules, report.uses())]
    if report.deforming:
        lines += ["", "Deforming, tested at frames and subframes only: " + ", ".join(report.deforming)]
    return text_of([*lines, *issue_lines(report)])


def nothing_moves(report: MotionReport) -> str:
    """Return the message for fewer than two bodies, or for a scene in which nothing is animated."""
    if len(report.bodies) < 2:
        return nothing_to_collide(report).capitalize()
    return f"Nothing is animated between frames {report.start} and {report.end}"


def motion_as_json(report: MotionReport) -> str:
    """Return the report as a JSON object, with lengths in Blender units, ending in a newline."""
    counts, ignored, folded = report.counts(), report.ignored_counts(), report.folded_counts()
    return written(
        {
            **heading(),
            "file": report.file,
            "scene": report.scene,
            "scope": report.scope.lower(),
            "configuration": report.configuration or None,
            "frames": {"first": report.start, "last": report.end, "fps": report.fps},
            "units": units(report),
            "deviation": {
                "allowed": report.deviation_allowed,
                "left": report.deviation_left.distance,
                "object": report.deviation_left.object or None,
                "frame": report.deviation_left.frame if report.deviation_left.object else None,
            },
            "tested": {**report.tested, "frames": report.frames_visited},
            "coverage": coverage_values(report),
            "animated": report.animated,
            "clip": report.clip or None,
            "clearance": report.clearance,
            "counts": {status: counts[status] for status in (*STATUSES, NEAR)},
            "ignored_counts": {status: ignored[status] for status in (*STATUSES, NEAR)},
            "folded_counts": {status: folded[status] for status in (*STATUSES, NEAR)},
            "tests": listed_tests(report.tests, report.test_counts()),
            "ignore": listed_rules(report.rules, report.uses()),
            "contacts": [_contact(report, contact) for contact in report.contacts],
            "near_misses": [_near_miss(report, near) for near in report.near_misses],
            "deforming": list(report.deforming),
            **issues(report),
            "bodies": bodies(report),
        }
    )


def failing(report: MotionReport, fail_on: Collection[str]) -> bool:
    """Return whether there is a contact that fails a check with these `FAILURES`."""
    return any(fails(report, contact, fail_on) for contact in report.rows)


def fails(report: MotionReport, contact: MotionContact, fail_on: Collection[str]) -> bool:
    """Return whether a contact is one of these `FAILURES`, not ignored, and not of a test with a lower severity."""
    if contact.ignored >= 0 or report.severity_of(contact) != "error":
        return False
    return contact.status in fail_on or (contact.penetrates and PENETRATING in fail_on)


def _pair(report: MotionReport, contact: MotionContact) -> dict[str, Any]:
    """Return the fields that contacts and near misses share."""
    return {
        "a": report.bodies[contact.body_a].name,
        "b": report.bodies[contact.body_b].name,
        "status": contact.status,
        "test": None if (test := report.test_of(contact)) is None else test.name,
        "severity": report.severity_of(contact),
        "within": report.thing_of(contact) or None,
        "folded": None if (fold := report.fold_of(contact)) is None else fold.kind.value,
        "ignored": report.reason(contact),
    }


def _shapes(report: MotionReport, contact: MotionContact) -> dict[str, str]:
    return {"shape_a": report.shapes[contact.shape_a].object, "shape_b": report.shapes[contact.shape_b].object}


def _curve(contact: MotionContact) -> list[dict[str, float]]:
    return [{"frame": frame, "distance": distance} for frame, distance in contact.curve]


def _near_miss(report: MotionReport, near: MotionContact) -> dict[str, Any]:
    on_a, on_b = near.nearest_points
    return {
        **_pair(report, near),
        "nearest": {**_time(report, near.first), "distance": near.distance},
        "point_a": on_a.tolist(),
        "point_b": on_b.tolist(),
        "normal": near.normal.tolist(),
        **_shapes(report, near),
        "per_frame": near.per_frame,
        "curve": _curve(near),
    }


def _contact(report: MotionReport, contact: MotionContact) -> dict[str, Any]:
    return {
        **_pair(report, contact),
        "first": _time(report, contact.first),
        "last": _time(report, contact.last),
        "verdict": contact.verdict.name.lower(),
        "deepest": {
            **_time(report, contact.deepest),
            "depth": contact.depth,
            "distance": report.told_distance(contact),
        },
        "point": contact.point.tolist(),
        "normal": contact.normal.tolist(),
        **_shapes(report, contact),
        "proved_until": _time(report, contact.proved_until),
        "per_frame": contact.per_frame,
        "path": [{"frame": float(row[0]), "point": row[1:].tolist()} for row in contact.path],
        "curve": _curve(contact),
    }


def _time(report: MotionReport, frame: float) -> dict[str, float]:
    return {"frame": float(frame), "seconds": float(report.seconds(frame))}


def _counted(report: MotionReport, found: list[str]) -> str:
    """Return the numbers of contacts and near misses, and of contacts of each status."""
    near = number(len(report.near_misses), "near miss", "near misses") if report.near_misses else ""
    many = number(len(report.contacts), "contact", "contacts") if report.contacts else "no contacts"
    return " and ".join(part for part in (many, near) if part) + (f": {', '.join(found)}" if found else "")


def _deviation(report: MotionReport) -> str:
    if not report.deviation_left.object and not report.tested.get("moving"):
        return "no moving objects"
    left, allowed = (
        length_text(value, report.units) for value in (report.deviation_left.distance, report.deviation_allowed)
    )
    where = (
        f" ({report.deviation_left.object}, frame {report.deviation_left.frame:g})"
        if report.deviation_left.object
        else ""
    )
    visited = number(report.frames_visited, "frame", "frames")
    return f"largest deviation from the animation {left}{where}, {allowed} allowed, {visited} evaluated"


def depth(report: MotionReport, contact: MotionContact) -> str:
    """Return the depth of a contact and its frame, or the distance of a near miss."""
    if contact.is_near_miss:
        return f"{length_text(contact.distance, report.units)} apart"
    if not contact.penetrates:
        return "touching"
    return f"{penetration_text(report, contact)} at {contact.deepest:.4g}"


def penetration_text(report: MotionReport, contact: MotionContact) -> str:
    """Return the depth of a contact and, if the bodies have to move clearly farther and it is told, how far."""
    distance = report.told_distance(contact)
    return depth_text(contact.depth, -contact.depth if distance is None else distance, report.units)


def _table(report: MotionReport, status: str) -> list[str]:
    """Return a line about a contact: time, names, duration, depth with its frame, direction, and certainty."""
    contacts = [
        contact
        for contact in report.rows
        if contact.status == status and contact.ignored < 0 and report.fold_of(contact) is None
    ]
    return aligned(
        [
            (
                f"frame {contact.first:.4f}",
                f"{report.seconds(contact.first):.4f} s",
                f"{report.bodies[contact.body_a].name}  ×  {report.bodies[contact.body_b].name}",
                "" if contact.is_near_miss else f"to {contact.last:.4f}",
                depth(report, contact),
                direction(contact.normal),
                "subframes only" if contact.per_frame else "",
                "" if (test := report.test_of(contact)) is None else test_text(test),
            )
            for contact in contacts
        ]
    )
