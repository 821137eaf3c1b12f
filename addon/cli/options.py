# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of each command. Nothing here needs Blender.

`usage.settled` makes them from the arguments. The state of a command while it runs is a `CommandRun`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from ..config import CheckOptions
from ..model.rules import Pattern

_Record = TypeVar("_Record")


@dataclass(frozen=True, kw_only=True)
class Command:
    """The options that every command has.

    Attributes
    ----------
    name : str
        The name of the command.
    paths : tuple of str
        The scene files, and folders that are searched for them. Empty: the file that Blender has opened.
    output : tuple of Path
        The files of the reports; empty: standard output.
    format : str, optional
        The format of the report; None: that of the extension of each file.
    formats : tuple of str
        Those that the command has.
    scene : str
        The name of the scene, `arguments.EVERY` for each; empty: the active one.
    unit : str, optional
        That of a file that has none.
    verbose, enable_autoexec, allow_skipped_scripts, isolate : bool
    """

    name: ClassVar[str]

    paths: tuple[str, ...]
    output: tuple[Path, ...]
    format: str | None
    formats: tuple[str, ...]
    scene: str
    unit: str | None
    verbose: bool
    enable_autoexec: bool
    allow_skipped_scripts: bool
    isolate: bool

    @property
    def file(self) -> str | None:
        """The scene file; None: the one that Blender has opened."""
        return self.paths[0] if self.paths else None


@dataclass(frozen=True, kw_only=True)
class ScopeCommand(Command):
    """A command that tests objects of a scope, which is a name and that of its collection."""

    scope: tuple[str, str]
    against: str | None
    include_operands: bool
    include_hidden: bool


@dataclass(frozen=True, kw_only=True)
class ConfiguredCommand(Command):
    """A command that reads a configuration. None: the one that is found from where the scene is."""

    config: Path | None


@dataclass(frozen=True, kw_only=True)
class TwoFileCommand(ConfiguredCommand):
    """A command that may be given a second scene file."""

    second: Path | None


@dataclass(frozen=True, kw_only=True)
class BaselineCommand(Command):
    """A command that may be given an earlier report, and then fails only for what that does not have."""

    baseline: Path | None


@dataclass(frozen=True, kw_only=True)
class CharacterCommand(Command):
    """A command that walks a character. Lengths in meters, the slope in degrees. None: the value of the character.

    Attributes
    ----------
    start : tuple of str
        Names of empties or objects, or points, where it begins.
    """

    start: tuple[str, ...]
    character: str | None
    radius: float | None
    height: float | None
    step: float | None
    slope: float | None
    drop: float | None
    ball: bool
    spacing: float | None


@dataclass(frozen=True, kw_only=True)
class SavingCommand(Command):
    """A command that may save the scene: to the files `saved`, or to FILE itself."""

    saved: tuple[Path, ...]
    in_place: bool


@dataclass(frozen=True, kw_only=True)
class WritingCommand(SavingCommand):
    """A command that writes the scene in any of the formats. None: as the scene says.

    `include_hidden`: whether hidden objects are written, too.
    """

    include_hidden: bool
    collider_meshes: str | None
    physics: str | None
    omi_capsules: str | None
    apply_modifiers: bool


@dataclass(frozen=True, kw_only=True)
class CheckCommand(TwoFileCommand, BaselineCommand):
    """The command ``check``.

    Attributes
    ----------
    check : CheckOptions
        The options that may be in a configuration, too.
    """

    name = "check"

    check: CheckOptions
    floating: bool
    held_below: bool
    ground: tuple[str, ...]
    evidence: str | None
    unfold: bool
    picture: Path | None
    bcf: Path | None
    suggest_rules: bool


@dataclass(frozen=True, kw_only=True)
class CullCommand(Command):
    """The command ``cull``. Frames are the first and the last, ``"scene"``, or None for the current one."""

    name = "cull"

    camera: str
    include_hidden: bool
    frames: tuple[int, int] | str | None
    exact: bool


@dataclass(frozen=True, kw_only=True)
class ProbeCommand(ScopeCommand, BaselineCommand, CharacterCommand):
    """The command ``probe``; the margin is a length in meters."""

    name = "probe"

    allow_empty: bool
    margin: float | None
    accept: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class MotionCommand(ScopeCommand, ConfiguredCommand):
    """The command ``motion``. Lengths in meters; frames are the first and the last, or ``"scene"``."""

    name = "motion"

    allow_empty: bool
    frames: tuple[int, int] | str
    clip: str
    deviation: float | None
    clearance: float
    one_thing: tuple[Pattern, ...] | None
    evidence: str | None
    fail_on: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class ValidateCommand(TwoFileCommand, SavingCommand):
    """The command ``validate``. Lengths in meters; None: as the configuration or, without one, the scene says."""

    name = "validate"

    engine: str
    scope: tuple[str, str]
    smallest: float | None
    vertices: int
    triangles: int
    max_outside: float | None
    max_inside: float | None
    fail_on: str
    fix: bool
    allow_empty: bool


@dataclass(frozen=True, kw_only=True)
class CoverageCommand(TwoFileCommand, CharacterCommand):
    """The command ``coverage``. Lengths in meters; None: as the configuration says."""

    name = "coverage"

    engine: str
    scope: tuple[str, str]
    include_hidden: bool
    max_outside: float | None
    max_inside: float | None
    tolerance: float | None
    require_colliders: bool
    reach: float | None
    allow_empty: bool


@dataclass(frozen=True, kw_only=True)
class MakeCommand(ConfiguredCommand, WritingCommand):
    """The command ``make``. Lengths in meters."""

    name = "make"

    kind: str
    engine: str
    objects: tuple[str, ...]
    template: str | None
    existing: str
    loose_parts: bool
    vertex_groups: bool
    vertices: int
    thickness: float | None
    max_gap: float | None
    pieces: int
    quality: str
    fail_on: str
    allow_empty: bool


@dataclass(frozen=True, kw_only=True)
class FixCommand(ScopeCommand, ConfiguredCommand, WritingCommand):
    """The command ``fix``. Lengths in meters."""

    name = "fix"

    repair: frozenset[str]
    close_gaps: float | None
    engine: str
    touching: float | None


@dataclass(frozen=True, kw_only=True)
class ExportCommand(WritingCommand):
    """The command ``export``; `validate` is the engine for which the colliders are validated first, if any."""

    name = "export"

    validate: str | None
    fail_on: str


# By their names.
COMMANDS: Mapping[str, type[Command]] = {
    one.name: one
    for one in (
        CheckCommand,
        CullCommand,
        MotionCommand,
        ProbeCommand,
        ValidateCommand,
        CoverageCommand,
        MakeCommand,
        FixCommand,
        ExportCommand,
    )
}


def filled(kind: type[_Record], given: Mapping[str, Any]) -> _Record:
    """Return a record of options from what the parser of arguments has found, by name; lists become tuples."""
    values = {one.name: given[one.name] for one in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: tuple(one) if isinstance(one, list) else one for name, one in values.items()})
