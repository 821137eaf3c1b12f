# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of ``collision-kit`` for many files, beside those of one file in `addon/cli/arguments.py`."""

import argparse
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from ..addon.cli import values
from ..addon.cli.arguments import EVERY, WRITING, add_names, add_switch
from ..addon.cli.options import (
    CheckCommand,
    Command,
    MotionCommand,
    TwoFileCommand,
    ValidateCommand,
    WritingCommand,
    filled,
)
from ..addon.cli.usage import ManyFilesArguments, Parser, parsed, settled
from ..addon.exports.table import EXPORTS


@dataclass(frozen=True, kw_only=True)
class WrittenFolder:
    """The options for the scenes that a command on several files writes.

    Attributes
    ----------
    output_dir : Path, optional
        Their folder; None: each scene is saved to its own file.
    each_asset : bool
        Whether each asset is written to a file of its own.
    to : str, optional
        The extension of the files, without its dot.
    """

    output_dir: Path | None
    each_asset: bool
    to: str | None


@dataclass(frozen=True, kw_only=True)
class ManyFiles:
    """The options for several files.

    Attributes
    ----------
    jobs : int
        0: as many as there are processors.
    timeout : float, optional
        Seconds.
    memory : int, optional
        Bytes.
    include, exclude : tuple of str
    resume : Path, optional
    scheduler : str, optional
    written : WrittenFolder, optional
        Of a command that writes scenes.
    arguments : tuple of str
        Those with which each of the files is checked.
    """

    jobs: int
    timeout: float | None
    memory: int | None
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    resume: Path | None
    scheduler: str | None
    written: WrittenFolder | None
    arguments: tuple[str, ...]


class Arguments(NamedTuple):
    """The arguments of ``collision-kit``; `many` is None for one file."""

    options: Command
    many: ManyFiles | None


# The options that only concern many files; the rest is passed on to the check of each.
_OF_MANY = {one.name for one in fields(ManyFiles)} - {"written", "arguments"}
_OF_WRITTEN = {one.name for one in fields(WrittenFolder)}


def read(arguments: Sequence[str], program: str = "collision-kit") -> Arguments:
    """Read the arguments of ``collision-kit``.

    Raises
    ------
    SystemExit
        After printing help, the version, or one line about invalid arguments.
    """
    parser, given = parsed(program, arguments, MANY_FILES)
    written = filled(WrittenFolder, vars(given)) if given.command in WRITING else None
    to_folder = written is not None and written.output_dir is not None
    if written is not None and written.to is not None and not to_folder:
        parser.error("--to needs --output-dir")
    options = settled(parser, given, file_needed=True, to_folder=to_folder)
    if "" in options.paths:
        parser.error("PATH is empty")
    of_many = _OF_MANY if written is None else _OF_MANY | _OF_WRITTEN
    if not _is_many(options, {dest for dest, _ in given.given} & of_many):
        return Arguments(options, None)
    _refuse(parser, options, to_folder=to_folder)
    own = {"paths", "output", "format", *of_many}
    passed_on = (options.name, *(text for dest, text in given.given if dest not in own))
    return Arguments(options, filled(ManyFiles, {**vars(given), "written": written, "arguments": passed_on}))


class _RecordingParser(Parser):
    """Stores the given arguments as text in `given`."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.given: list[tuple[str, str]] = []
        self.set_defaults(given=self.given)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        values = super()._get_values(action, arg_strings)
        self.given.append((action.dest, "=".join([*action.option_strings[-1:], *arg_strings])))
        return values


def _is_many(options: Command, of_many: Collection[str]) -> bool:
    """Whether a command is on several files, scenes or clips, or has options that are for several."""
    if len(options.paths) > 1 or os.path.isdir(options.paths[0]) or of_many:
        return True
    every_scene = options.scene == EVERY and options.name not in WRITING
    return every_scene or (isinstance(options, MotionCommand) and options.clip == EVERY)


def _refuse(parser: Parser, options: Command, *, to_folder: bool) -> None:
    """Refuse options that cannot be combined with several files."""
    if isinstance(options, WritingCommand):
        if to_folder and (options.saved or options.in_place):
            parser.error("--output-dir takes the place of --output OUT and of --in-place")
        if options.saved:
            parser.error(f"{options.name} of many files needs --output-dir instead of OUT")
    if isinstance(options, ValidateCommand):
        if options.saved:
            parser.error("--fix of many files needs --in-place")
        if options.scene == EVERY and options.fix:
            parser.error("--fix needs the name of a scene")
    if isinstance(options, CheckCommand):
        if options.picture is not None:
            parser.error("--picture needs one FILE")
        if options.suggest_rules:
            parser.error("--suggest-rules needs one FILE")
    if isinstance(options, TwoFileCommand) and options.second is not None:
        parser.error("--with needs one FILE")


def _add_many(parser: Parser, writes: bool) -> None:
    many = parser.add_argument_group("many files", "each is checked in a process of its own, and all are in one report")
    if writes:
        many.add_argument(
            "--output-dir",
            type=Path,
            metavar="DIR",
            help="write each scene to a file in DIR, in the same folders as below PATH",
        )
        add_switch(many, "--each-asset", "with --output-dir: one file for each asset, in a folder for each scene")
        many.add_argument(
            "--to",
            choices=[ending.removeprefix(".") for ending in EXPORTS],
            help="with --output-dir: the format of these files (default: blend; of export: glb)",
        )
    many.add_argument(
        "--jobs",
        type=values.jobs,
        default=0,
        metavar="N|auto",
        help="number of files that are checked at once (default: auto, one for each processor core, "
        "and no more than fit into free memory with --memory)",
    )
    many.add_argument(
        "--timeout",
        type=values.seconds,
        metavar="T",
        help="time limit of a file: seconds, or 90s, 10m, 1h (default: none)",
    )
    many.add_argument("--memory", type=values.memory, metavar="M", help="memory limit of a file: bytes, or 512M, 4G")
    for name, what in (("include", "check only the files that match GLOB"), ("exclude", "leave out what matches GLOB")):
        where = "a name, or a path below PATH if it contains a slash; may be given several times"
        add_names(many, f"--{name}", f"{what}: {where}")
    many.add_argument(
        "--resume",
        type=values.file,
        metavar="FILE",
        help="keep the result of each file in FILE, and take from it what is there already and still true",
    )
    many.add_argument(
        "--scheduler", metavar="ADDRESS", help="check on the Dask cluster of this scheduler, such as tcp://host:8786"
    )


MANY_FILES = ManyFilesArguments(_RecordingParser, _add_many)
