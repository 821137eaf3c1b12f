# SPDX-License-Identifier: GPL-3.0-or-later
"""Validations as the settings of a scene ask for them, kept for the panel."""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import bpy

from ..asset_rules.limits import Limits
from ..model.validation_report import ValidationReport, Violation
from ..scene.settings import scene_settings
from ..session import validation_results
from .check import Progress, steps, validate
from .fixes import fix_each, fix_one


def scene_steps(context: bpy.types.Context) -> Generator[Progress, None, ValidationReport]:
    """The steps to validate what the settings of the scene say, against the limits that they say."""
    stored: Any = scene_settings(context).validation
    return steps(context, stored.engine.lower(), stored.scope, limits=_limits(stored))


def validate_again(context: bpy.types.Context, before: ValidationReport) -> ValidationReport:
    """Ask the same question as a report answers."""
    return validate(context, before.engine, before.scope, collection=before.collection, limits=before.limits)


def fix_finding(context: bpy.types.Context, report: ValidationReport, violation: Violation) -> ValidationReport | None:
    """Repair what a finding is about, and validate again; None if the object of the finding is gone."""
    done = fix_one(context, report, violation)
    return None if done is None else replace(validate_again(context, report), done=(done,))


def fix_all(context: bpy.types.Context, report: ValidationReport) -> ValidationReport:
    """Repair what can be repaired as the scene is now; the report is on what is left, and has what was done."""
    found, done = fix_each(context, validate_again(context, report), lambda: validate_again(context, report))
    return replace(found, done=tuple(done))


def keep(context: bpy.types.Context, report: ValidationReport) -> None:
    """Show a report, and what has been repaired before it."""
    validation_results.keep(context, report)


def _limits(stored: Any) -> Limits:
    return Limits(
        smallest=stored.smallest,
        vertices=stored.vertices,
        triangles=stored.triangles,
        sticking_out=stored.sticking_out / 100.0,
        overlap=stored.overlap / 100.0,
    )
