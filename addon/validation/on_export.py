# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation before a file is written, by the preferences: none, a warning, or canceling the export."""

from dataclasses import replace

import bpy

from ..engines.rules import godot
from ..i18n.rule_sentences import message
from ..model.errors import UserError
from ..model.steps import exhausted
from ..model.validation_report import Done, ValidationIssue, ValidationReport
from ..scene.settings import export_validation, scene_settings
from .check import steps
from .fixes import Repairs, Validation
from .run import keep, validate_scene


def validated(context: bpy.types.Context, *, omi: bool = False) -> ValidationReport | None:
    """Return the issues of the scene for its engine, which the panel then shows. None if disabled in the preferences.

    Parameters
    ----------
    context : bpy.types.Context
    omi : bool
        Whether the file declares the colliders by OMI, so that Godot needs no names.

    Raises
    ------
    UserError
        If there is an error, and the preferences say that nothing is written then.
    """
    wanted = export_validation(context)
    if wanted == "NONE":
        return None
    report = validate_scene(context)
    if omi:
        report = declared_by_omi(report)
    keep(context, report)
    if wanted == "STOP" and report.failing("error"):
        first = next(one for one in report.issues if one.rule.severity == "error")
        raise UserError(
            'Nothing was exported. Errors: {count}, such as "{name}": {what}',
            count=report.counts()["error"],
            name=first.object,
            what=message(first, report.units),
        )
    return report


def unread_names(context: bpy.types.Context, *, omi: bool = False) -> tuple[ValidationIssue, ...]:
    """The colliders whose names the engine of the scene does not read; `omi` as in `validated`."""
    return tuple(one for one in exhausted(_names_only(context, omi)).issues if one.rule.severity == "error")


def rename_unread(context: bpy.types.Context, *, omi: bool = False) -> tuple[Done, ...]:
    """Rename the colliders whose names the engine of the scene does not read as they are meant; `omi` as above."""
    return exhausted(Repairs().steps(context, lambda: _names_only(context, omi))).done


def _names_only(context: bpy.types.Context, omi: bool) -> Validation:
    report = yield from steps(context, scene_settings(context).engine.lower(), fix="rename")
    return declared_by_omi(report) if omi else report


def declared_by_omi(report: ValidationReport) -> ValidationReport:
    """Return the issues of a scene for a glTF file that declares its colliders by OMI."""
    return replace(report, issues=tuple(one for one in report.issues if one.rule.id != godot.NAME.id))


def warnings(report: ValidationReport | None) -> tuple[tuple[str, str], ...]:
    """Return the object and the English sentence of each error and warning."""
    if report is None:
        return ()
    bad = report.bad_severities("warning")
    return tuple((one.object, str(message(one, report.units))) for one in report.issues if one.rule.severity in bad)
