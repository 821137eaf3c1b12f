# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders as engines take them: what is wrong with them, and what can be repaired."""

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
        ANY, UNREAL, GODOT, UNITY, GLTF or USD: its rules are checked in addition to the general ones.
    scope : str
        ALL, VISIBLE, SELECTED or COLLECTION.
    collection : str
        The name of that of the last.
    limits : Limits, optional
        What is too small, too large, too detailed; lengths in Blender units. None: the usual limits, see
        `collider_limits`.

    Returns
    -------
    ValidationReport
        Its `issues` come worst first, each with its `rule`, `object` and `fixable`.

    Raises
    ------
    ValueError
        If there is no such engine, scope or collection.

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
    """The limits that hold where none are given: lengths in the unit of the current scene.

    Returns
    -------
    Limits
        Frozen; `dataclasses.replace` makes others of it.

    Examples
    --------
    ::

        limits = dataclasses.replace(api.collider_limits(), vertices=32)
    """
    return check.usual_limits(bpy.context.scene)


def issue_text(report: ValidationReport, issue: ValidationIssue) -> str:
    """Return the text of an issue as a sentence in English; `issue.rule.advice` says what to do.

    Parameters
    ----------
    report : ValidationReport
    issue : ValidationIssue
        One of the report's.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it is no report of a validation.

    Examples
    --------
    ::

        print(api.issue_text(report, report.issues[0]))
    """
    arguments.report(report, ValidationReport)
    return str(message(issue, report.units))


def fix_issue(report: ValidationReport, issue: ValidationIssue) -> ValidationReport:
    """Repair what an issue is about, and validate again.

    Parameters
    ----------
    report : ValidationReport
    issue : ValidationIssue
        One of the report's, with `fixable`.

    Returns
    -------
    ValidationReport
        On what is left; its `done` says what was repaired.

    Raises
    ------
    ValueError
        If the issue cannot be fixed automatically, or its object is gone.

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
    """Repair everything of a validation that needs no decision, as the scene is now, and validate again.

    Parameters
    ----------
    report : ValidationReport
        Which engine, scope and limits count.
    rule : str
        The id of the rule whose issues are repaired; empty: those of all rules.

    Returns
    -------
    ValidationReport
        On what is left; its `done` says what was repaired, in order.

    Raises
    ------
    ValueError
        If it is no report of a validation, or there is no such rule.

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
