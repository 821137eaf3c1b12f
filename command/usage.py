# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of ``collision-kit`` for many files, beside those of one file in `addon/cli/arguments.py`."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..addon.cli import values
from ..addon.cli.arguments import EVERY, WRITING, add_names, add_switch
from ..addon.cli.usage import Parser
from ..addon.cli.usage import read as read_command
from ..addon.exports.table import EXPORTS

# Options that only concern many files. All others are passed on to the check of each file.
_OF_MANY = ("jobs", "timeout", "memory", "include", "exclude", "resume", "scheduler", "output_dir", "each_asset", "to")
# Those of them that concern written files.
_OF_WRITTEN = frozenset({"output_dir", "each_asset", "to"})


def read(arguments: Sequence[str], program: str = "collision-kit") -> argparse.Namespace:
    """Read the arguments of ``collision-kit``.

    Raises
    ------
    SystemExit
        After printing help, the version, or one line about invalid arguments.
    """
    return read_command(program, arguments, _ManyFiles())


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


class _ManyFiles:
    """The options for several files."""

    parser: type[Parser] = _RecordingParser

    def add(self, parser: Parser, *, writes: bool) -> None:
        """Add the options to the parser of a command."""
        _add_many(parser, writes=writes)

    def settle(self, parser: Parser, options: argparse.Namespace) -> None:
        """Set `file`, `many`, and the `arguments` with which each file is checked."""
        _settle_files(parser, options)


def _settle_files(parser: Parser, options: argparse.Namespace) -> None:
    """Set `file`, `many`, and the `arguments` with which each file is checked."""
    if "" in options.paths:
        parser.error("PATH is empty")
    options.file = options.paths[0]
    asked = {dest for dest, _ in options.given}
    of_many = _OF_MANY if options.command in WRITING else {*_OF_MANY} - _OF_WRITTEN
    options.many = len(options.paths) > 1 or os.path.isdir(options.file) or not asked.isdisjoint(of_many)
    options.many |= options.scene == EVERY and options.command not in WRITING
    options.many |= getattr(options, "clip", "") == EVERY
    own = {"paths", "output", "format", *of_many}
    if options.many and options.command in WRITING and options.saved:
        parser.error(f"{options.command} of many files needs --output-dir instead of OUT")
    options.arguments = [options.command, *(text for dest, text in options.given if dest not in own)]
    if options.many and getattr(options, "picture", None) is not None:
        parser.error("--picture needs one FILE")
    if options.many and options.saved:
        parser.error("--fix of many files needs --in-place")
    if options.scene == EVERY and getattr(options, "fix", False):
        parser.error("--fix needs the name of a scene")
    if options.many and getattr(options, "suggest_rules", False):
        parser.error("--suggest-rules needs one FILE")


def _add_many(parser: Parser, *, writes: bool) -> None:
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
