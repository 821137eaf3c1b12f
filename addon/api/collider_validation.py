# SPDX-License-Identifier: GPL-3.0-or-later
"""Validate colliders for engines, and fix issues."""

from typing import Literal

import bpy

from ..asset_rules.limits import Limits
from ..engines.rules import rules_for
from ..i18n.rule_sentences import message
from ..model.validation_report import ValidationIssue, ValidationReport
from ..scene import arguments
from ..validation import check, run
from .choices import RULES, Rules


def validate_colliders(
    engine: Rules = "ANY",
    *,
    scope: Literal["ALL", "VISIBLE", "SELECTED", "COLLECTION"] = "ALL",
    collection: str = "",
    limits: Limits | None = None,
) -> ValidationReport:
    """Check how an engine will import the colliders: names, shapes, scale, and how well they match the render meshes.

    Parameters
    ----------
    engine : str
        ANY, UNREAL, GODOT, UNITY, GLTF or USD. The rules of the engine are checked in addition to the general rules.
    scope : str
        ALL, VISIBLE, SELECTED or COLLECTION.
    collection : str
        Name of the collection for scope COLLECTION.
    limits : Limits, optional
        Thresholds for sizes and counts. Lengths are in Blender units. None: the defaults of `collider_limits`.

    Returns
    -------
    ValidationReport
        Its `issues` are sorted, worst first. Each has its `rule`, `object` and `fixable`.

    Raises
    ------
    ValueError
        If the engine, the scope or the collection does not exist.

    Examples
    --------
    ::

        report = api.validate_colliders("UNREAL", limits=api.Limits(vertices=32))
        for issue in report.issues:
            print(issue.rule.severity, issue.object, api.issue_text(report, issue))
    """
    arguments.texts(scope=scope, collection=collection)
    name = arguments.one_of("engine", engine, RULES).lower()
    if limits is not None and not isinstance(limits, Limits):
        raise ValueError(f"limits: {limits!r} is not a Limits")
    bpy.context.view_layer.update()
    return check.validate(bpy.context, name, scope, collection=collection, limits=limits)


def collider_limits() -> Limits:
    """Return the default limits, with lengths in the unit of the current scene.

    Returns
    -------
    Limits
        Immutable. `dataclasses.replace` makes a changed copy.

    Examples
    --------
    ::

        limits = dataclasses.replace(api.collider_limits(), vertices=32)
    """
    return check.usual_limits(bpy.context.scene)


def issue_text(report: ValidationReport, issue: ValidationIssue) -> str:
    """Return the text of an issue as an English sentence. `issue.rule.advice` says how to fix it.

    Parameters
    ----------
    report : ValidationReport
    issue : ValidationIssue
        An issue of the report.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If `report` is not a validation report.

    Examples
    --------
    ::

        print(api.issue_text(report, report.issues[0]))
    """
    arguments.report(report, ValidationReport)
    return str(message(issue, report.units))


def fix_issue(report: ValidationReport, issue: ValidationIssue) -> ValidationReport:
    """Fix an issue, and validate again.

    Parameters
    ----------
    report : ValidationReport
    issue : ValidationIssue
        An issue of the report with `fixable`.

    Returns
    -------
    ValidationReport
        Report of the remaining issues. Its `done` lists what was fixed.

    Raises
    ------
    ValueError
        If the issue cannot be fixed automatically, or its object no longer exists.

    Examples
    --------
    ::

        for issue in report.issues:
            if issue.rule.id == "negative-scale" and issue.fixable:
                report = api.fix_issue(report, issue)
    """
    arguments.report(report, ValidationReport)
    if not issue.fixable:
        raise ValueError(f"issue: {issue.rule.id} of {issue.object!r} cannot be fixed automatically")
    found = run.fix_issue(bpy.context, report, issue)
    if found is None:
        raise ValueError(f"issue: {issue.object!r} was removed")
    return found


def fix_issues(report: ValidationReport, *, rule: str = "") -> ValidationReport:
    """Fix all issues of the current scene that can be fixed automatically, and validate again.

    Parameters
    ----------
    report : ValidationReport
        Its engine, scope and limits are used.
    rule : str
        Id of the rule whose issues are fixed. Empty: all rules.

    Returns
    -------
    ValidationReport
        Report of the remaining issues. Its `done` lists what was fixed, in order.

    Raises
    ------
    ValueError
        If `report` is not a validation report, or the rule does not exist.

    Examples
    --------
    ::

        left = api.fix_issues(api.validate_colliders("UNREAL"))
        print(len(left.done), "fixed,", len(left.issues), "left")
    """
    arguments.report(report, ValidationReport)
    arguments.texts(rule=rule)
    if rule and rule not in {one.id for one in rules_for(report.engine)}:
        raise ValueError(f"rule: there is no rule {rule!r} for the engine {report.engine!r}")
    return run.fix_issues(bpy.context, report, rule)
