# SPDX-License-Identifier: GPL-3.0-or-later
"""Validations with the settings of a scene, stored for the panel."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import bpy

from ..asset_rules.limits import Limits
from ..model.steps import exhausted
from ..model.validation_report import ValidationIssue, ValidationReport
from ..scene.settings import number, scene_settings
from ..session import validation_results
from .check import Progress, steps
from .fixes import FixProgress, Repairs, Validation, fix_one


def scene_steps(context: bpy.types.Context) -> Generator[Progress, None, ValidationReport]:
    """Return the steps of a validation with the settings and limits of the scene."""
    settings = scene_settings(context)
    stored: Any = settings.validation
    return steps(context, settings.engine.lower(), stored.scope, limits=_limits(stored))


def validate_scene(context: bpy.types.Context) -> ValidationReport:
    """Validate all objects for the engine of the scene, with the limits of its settings."""
    settings = scene_settings(context)
    return exhausted(steps(context, settings.engine.lower(), limits=_limits(settings.validation)))


def validate_again(context: bpy.types.Context, before: ValidationReport) -> ValidationReport:
    """Return the steps of another validation with the request of a report."""
    return exhausted(_steps_again(context, before))


def _steps_again(context: bpy.types.Context, before: ValidationReport) -> Validation:
    return steps(
        context,
        before.engine,
        before.scope,
        collection=before.collection,
        limits=before.limits,
        imported=before.imported,
    )


def fix_issue(context: bpy.types.Context, report: ValidationReport, issue: ValidationIssue) -> ValidationReport | None:
    """Fix an issue, and validate again. None if the object of the issue no longer exists."""
    done = fix_one(context, report, issue)
    return None if done is None else replace(validate_again(context, report), done=(done,))


def fix_issues(context: bpy.types.Context, report: ValidationReport, rule: str = "") -> ValidationReport:
    """Fix the issues of the current scene that can be fixed. The report has the remaining issues and the fixes.

    Parameters
    ----------
    context : bpy.types.Context
    report : ValidationReport
    rule : str
        Id of the rule whose issues are fixed. Empty: all rules.
    """
    return exhausted(fix_steps(context, Repairs(report), rule))


def fix_steps(
    context: bpy.types.Context,
    repairs: Repairs,
    rule: str = "",
    watched: Callable[[Validation], Validation] = lambda steps: steps,
) -> Generator[FixProgress, None, ValidationReport]:
    """Run `fix_issues` in steps. The function that runs the steps of each validation can watch the scene meanwhile."""
    asked = repairs.report
    assert asked is not None
    return repairs.steps(context, lambda: watched(_steps_again(context, asked)), rule)


def keep(context: bpy.types.Context, report: ValidationReport) -> None:
    """Show a report, and the fixes before it."""
    validation_results.keep(context, report)


def keep_unfinished(context: bpy.types.Context, repairs: Repairs) -> None:
    """Show the last report of fixes that have ended early, as one from before them."""
    validation_results.keep(context, repairs.so_far(), changed=True)


def _limits(stored: Any) -> Limits:
    return Limits(
        smallest=number(stored, "smallest"),
        vertices=stored.vertices,
        triangles=stored.triangles,
        sticking_out=number(stored, "sticking_out") / 100.0,
        overlap=number(stored, "overlap") / 100.0,
    )
