# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that all commands share: scope, configuration and result."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import bpy

from ..config import Config, find, load
from ..model.errors import CommandError, UserError
from ..model.report import Issue
from ..reports.documents import written
from ..scene import open_file
from ..scene.reading.known_issues import SCRIPT_NOT_RUN
from ..scene.settings import ignore_rules_of, tests_of
from ..system import exits
from ..system.characters import spelled

FOUND_NOTHING, FOUND, BAD_INPUT = 0, 1, exits.BAD_INPUT


class CommandResult(NamedTuple):
    """The result of a command: its reports, its exit code, and the message for standard error."""

    reports: Sequence[str | bytes]  # in the order of `options.reports`
    code: int
    error: str = ""
    picture: bytes = b""


def configuration(options: argparse.Namespace) -> Config:
    """Return the configuration of the file or, if there is none, of the scene, with lengths in scene units.

    Sets `configuration` of the options, which reports include.
    """
    path = config_file(options)
    options.configuration = "" if path is None else spelled(Path(os.path.abspath(path)).as_posix())
    scene = bpy.context.scene
    if path is None:
        # Lengths in the scene are stored in its units.
        return Config(tests=tests_of(scene), ignore=ignore_rules_of(scene))
    try:
        config = load(path)
    except UserError as error:
        raise CommandError(str(error)) from None
    return config.in_units(float(scene.unit_settings.scale_length))


def config_file(options: argparse.Namespace) -> Path | None:
    """Return the given configuration, or the one found from the folder of the scene."""
    if options.command not in ("check", "coverage", "motion", "validate", "fix", "make") or options.config is not None:
        return getattr(options, "config", None)
    scene = options.file or open_file.path()
    return find(Path(scene)) if scene else None


def whole_scope(options: argparse.Namespace) -> tuple[str, str]:
    """Return the scope and its first collection."""
    scope, collection = options.scope
    return scope if options.against is None else "COLLECTIONS", collection


def reports_of(
    options: argparse.Namespace, report: object, empty: str | None = None, pictures: Mapping[int, bytes] | None = None
) -> list[str]:
    """Return the report in each of the requested formats."""
    fail_on = getattr(options, "fail_on", None)
    return [written(kind, report, fail_on=fail_on, empty=empty, pictures=pictures) for kind, _ in options.reports]


def judged(options: argparse.Namespace, issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """Return the issues. Scripts that were not run are not errors if that is allowed."""
    allowed = SCRIPT_NOT_RUN.id if options.allow_skipped_scripts else ""
    return tuple(replace(one, severity="warning") if one.id == allowed else one for one in issues)


def result_of(
    options: argparse.Namespace,
    reports: Sequence[str | bytes],
    found: bool,
    issues: Sequence[Issue],
    empty: str = "",
    picture: bytes = b"",
) -> CommandResult:
    """Return the exit code: issues first. Otherwise untested or skipped parts, and `empty`, are bad input."""
    errors = [issue for issue in issues if issue.severity == "error"]
    line = f"{errors[0].object}: {errors[0].message}" if errors else empty and f"{empty} (see --allow-empty)"
    if len(errors) > 1:
        line += f" (and {len(errors) - 1} more)"
    code = BAD_INPUT if line else FOUND_NOTHING
    return CommandResult(reports, FOUND if found else code, line if errors or not found else "", picture)


def unwritable(path: Path, error: OSError) -> str:
    """Return the message for a file that cannot be written."""
    return f"cannot write {path}: {error.strerror or error}"


def in_units(meters: float | None) -> float | None:
    """Return a length in the units of the open scene."""
    return None if meters is None else meters / float(bpy.context.scene.unit_settings.scale_length)
