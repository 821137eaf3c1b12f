# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that all commands share: scope, configuration and result."""

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from ..config import Config, find, load
from ..model.errors import CommandError, UserError
from ..model.report import Issue
from ..reports.documents import written
from ..scene import open_file
from ..scene.reading.known_issues import SCRIPT_NOT_RUN
from ..scene.second_file import Sides
from ..scene.settings import ignore_rules_of, tests_of
from ..system import exits
from ..system.characters import spelled
from .options import Command, ConfiguredCommand
from .progress import Bar

FOUND_NOTHING, FOUND, BAD_INPUT = 0, 1, exits.BAD_INPUT


class CommandResult(NamedTuple):
    """The result of a command: its reports, its exit code, and the message for standard error."""

    reports: Sequence[str | bytes]  # in the order of `CommandRun.reports`
    code: int
    error: str = ""
    picture: bytes = b""


@dataclass(frozen=True)
class CommandRun:
    """State of a command while it runs.

    Attributes
    ----------
    bar : Bar
    reports : sequence of (str, Path)
        The format and the file of each report; None: standard output.
    looking : ExitStack
        Restores the scene and its visibility when the command ends.
    imported : tuple of Issue
        Issues of the import of the files.
    sides : Sides, optional
        The collections of the two files, if there is a second one.
    """

    bar: Bar
    reports: Sequence[tuple[str, Path | None]]
    looking: ExitStack
    imported: tuple[Issue, ...] = ()
    sides: Sides | None = None

    @property
    def kinds(self) -> set[str]:
        """Formats of the reports."""
        return {kind for kind, _ in self.reports}


def configuration(options: ConfiguredCommand) -> tuple[Config, str]:
    """Return the configuration of the file or, if there is none, of the scene, with lengths in scene units.

    Returns
    -------
    Config
    str
        Path of its file, which reports include. Empty: the configuration is that of the scene.
    """
    path = config_file(options)
    scene = bpy.context.scene
    if path is None:
        # Lengths in the scene are stored in its units.
        return Config(tests=tests_of(scene), ignore=ignore_rules_of(scene)), ""
    try:
        config = load(path)
    except UserError as error:
        raise CommandError(str(error)) from None
    name = spelled(Path(os.path.abspath(path)).as_posix())
    return config.in_units(float(scene.unit_settings.scale_length)), name


def config_file(options: Command) -> Path | None:
    """Return the given configuration, or the one found from the folder of the scene."""
    if not isinstance(options, ConfiguredCommand):
        return None
    if options.config is not None:
        return options.config
    scene = options.file or open_file.path()
    return find(Path(scene)) if scene else None


def whole_scope(scope: tuple[str, str], against: str | None) -> tuple[str, str]:
    """Return the scope and its first collection."""
    return scope if against is None else ("COLLECTIONS", scope[1])


def reports_of(
    run: CommandRun,
    report: object,
    empty: str | None = None,
    *,
    fail_on: Any = None,
    pictures: Mapping[int, bytes] | None = None,
) -> list[str]:
    """Return the report in each of the requested formats."""
    return [written(kind, report, fail_on=fail_on, empty=empty, pictures=pictures) for kind, _ in run.reports]


def judged(options: Command, issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """Return the issues. Scripts that were not run are not errors if that is allowed."""
    allowed = SCRIPT_NOT_RUN.id if options.allow_skipped_scripts else ""
    return tuple(replace(one, severity="warning") if one.id == allowed else one for one in issues)


def result_of(
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
