# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of a validation, as text for a terminal and as JSON; docs/validation.md documents every field."""

from typing import Any

from ..i18n.rule_sentences import FIXED, message
from ..model.validation_report import ValidationIssue, ValidationReport
from .coverage import coverage_lines, coverage_values
from .json import heading, listed_skipped, written
from .text import aligned, number, skipped_lines, text_of, where


def validation_as_text(report: ValidationReport) -> str:
    """Return the report as lines of text, ending in a newline: a line for each issue, with the advice below it."""
    counts = report.counts()
    found = [
        number(counts[severity], one, many)
        for severity, one, many in (
            ("error", "error", "errors"),
            ("warning", "warning", "warnings"),
            ("info", "info", "info"),
        )
        if counts[severity]
    ]
    engine = "" if report.engine == "any" else f" for {report.engine}"
    lines = [
        f"{where(report)}: {number(report.bodies, 'body', 'bodies')} with "
        f"{number(report.colliders, 'collider', 'colliders')} validated{engine}, " + (", ".join(found) or "no issues"),
        *coverage_lines(report),
    ]
    for same in _alike(report):
        one, *more = same
        named = one.object if not more else f"{len(same)} objects"
        lines += ["", *aligned([(one.rule.severity, named, f"[{one.rule.id}]")])]
        said = [message(issue, report.units) for issue in same]
        if len(set(said)) > 1:
            lines += [f"    {issue.object}: {text}" for issue, text in zip(same, said, strict=True)]
        else:
            lines += [f"    {', '.join(issue.object for issue in same)}"] if more else []
            lines.append(f"    {said[0]}")
        lines.append(f"    {_advice(one)}")
    if report.done:
        rows = [(one.object, f"[{one.rule}]", FIXED[one.fix]) for one in report.done]
        lines += ["", f"{number(len(rows), 'issue', 'issues')} fixed:", *aligned(rows)]
    return text_of([*lines, *skipped_lines(report)])


def validation_as_json(report: ValidationReport) -> str:
    """Return the report as a JSON object, with lengths in Blender units, ending in a newline."""
    counts = report.counts()
    return written(
        {
            **heading(),
            "file": report.file,
            "scene": report.scene,
            "engine": report.engine,
            "scope": report.scope.lower(),
            "units": {
                "unit_scale": report.units.scale_length,
                "system": report.units.system.lower(),
                "length_unit": report.units.length_unit.lower(),
            },
            "limits": vars(report.limits),
            "tested": {"bodies": report.bodies, "colliders": report.colliders},
            "coverage": coverage_values(report),
            "counts": {severity: counts[severity] for severity in ("error", "warning", "info")},
            "findings": [_issue(report, issue) for issue in report.issues],
            "fixed": [{"id": one.rule, "object": one.object, "fix": FIXED[one.fix]} for one in report.done],
            "skipped": listed_skipped(report.skipped),
        }
    )


def _alike(report: ValidationReport) -> list[list[ValidationIssue]]:
    """Return the issues, grouped by rule and advice."""
    found: dict[tuple[str, str], list[ValidationIssue]] = {}
    for one in report.issues:
        found.setdefault((one.rule.id, _advice(one)), []).append(one)
    return list(found.values())


def _issue(report: ValidationReport, issue: ValidationIssue) -> dict[str, Any]:
    return {
        "id": issue.rule.id,
        "severity": issue.rule.severity,
        "engine": issue.rule.engine,
        "object": issue.object,
        "message": message(issue, report.units),
        "advice": issue.rule.advice,
        "fixable": issue.fixable,
        "values": issue.values,
    }


def _advice(issue: ValidationIssue) -> str:
    return issue.rule.advice + (" (Fix All does this.)" if issue.fixable else "")
