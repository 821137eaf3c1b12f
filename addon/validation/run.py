# SPDX-License-Identifier: GPL-3.0-or-later
"""Validations as the settings of a scene ask for them, kept for the panel."""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import bpy

from ..asset_rules import Limits
from ..model.validation_report import Done, ValidationReport
from ..scene.settings import scene_settings
from ..session import validation_results
from .check import Progress, steps, validate


def scene_steps(context: bpy.types.Context) -> Generator[Progress, None, ValidationReport]:
    """The steps to validate what the settings of the scene say, against the limits that they say."""
    stored: Any = scene_settings(context).validation
    return steps(context, stored.engine.lower(), stored.scope, limits=_limits(stored))


def validate_again(context: bpy.types.Context, before: ValidationReport) -> ValidationReport:
    """Ask the same question as a report answers."""
    return validate(context, before.engine, before.scope, limits=before.limits)


def keep(context: bpy.types.Context, report: ValidationReport, done: tuple[Done, ...] = ()) -> None:
    """Show a report, and what has been repaired before it."""
    validation_results.keep(context, replace(report, done=done))


def _limits(stored: Any) -> Limits:
    return Limits(
        smallest=stored.smallest,
        vertices=stored.vertices,
        triangles=stored.triangles,
        sticking_out=stored.sticking_out / 100.0,
        overlap=stored.overlap / 100.0,
    )
