# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of the command line. Nothing here needs Blender, so help and usage errors appear at once."""

import argparse
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from ...core import __version__
from ..config import CheckOptions
from ..exports.table import EXPORTS
from ..model.formats import SCENES, UNITLESS, UNITS
from ..system import exits
from ..system.late import kernels
from ..system.streams import put
from . import values
from .arguments import (
    ASSET,
    SAVED,
    WRITING,
    WRITTEN,
    add_check,
    add_coverage,
    add_cull,
    add_export,
    add_fix,
    add_make,
    add_motion,
    add_probe,
    add_scene,
    add_switch,
    add_validate,
)
from .options import (
    COMMANDS,
    CharacterCommand,
    CheckCommand,
    Command,
    CoverageCommand,
    ExportCommand,
    SavingCommand,
    ScopeCommand,
    TwoFileCommand,
    ValidateCommand,
    WritingCommand,
    filled,
)

# File name of a report if only a folder is given.
_INDEX = "index.html"
# The options for a character, without the places where it begins.
_CHARACTER = [name for name in CharacterCommand.__annotations__ if name != "start"]


def read(program: str, arguments: Sequence[str]) -> Command:
    """Read the arguments of a command for one file, or for the file that is open.

    Parameters
    ----------
    program : str
        Program name for messages.
    arguments : sequence of str

    Raises
    ------
    SystemExit
        After printing help, the version, or one line about invalid arguments.
    """
    return settled(*parsed(program, arguments))


def parsed(
    program: str, arguments: Sequence[str], many: "ManyFilesArguments | None" = None
) -> tuple["Parser", argparse.Namespace]:
    """Return the parser of the command, and what argparse has found; raises as `read`."""
    parser, commands = _parser(program, many)
    given, unknown = parser.parse_known_args(list(arguments))
    parser = commands[given.command]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return parser, given


def settled(
    parser: "Parser", given: argparse.Namespace, *, file_needed: bool = False, to_folder: bool = False
) -> Command:
    """Return the options of a command, and refuse those that cannot be combined.

    Parameters
    ----------
    parser : Parser
        That of the command.
    given : argparse.Namespace
    file_needed : bool
        Whether no file is open that would do in the place of FILE.
    to_folder : bool
        Whether the scenes are written to a folder.
    """
    kind = COMMANDS[given.command]
    paths = [given.paths] if isinstance(given.paths, str) else list(given.paths or ())
    outputs = [_report_file(parser, vars(given), text) for text in given.output]
    endings: Collection[str] = ()
    if issubclass(kind, SavingCommand):
        endings = EXPORTS if issubclass(kind, WritingCommand) else (SAVED,) if given.fix else ()
    saved = [path for path in outputs if path.suffix.lower() in endings]
    if kind is ExportCommand and not to_folder:
        inputs = 1 if file_needed or len(paths) + len(saved) > 1 else 0
        saved += [_scene_to_write(parser, text) for text in paths[inputs:]]
        paths = paths[:inputs]
    reports = [path for path in outputs if path.suffix.lower() not in endings]
    found = {**vars(given), "paths": paths, "output": reports, "saved": saved}
    if kind is CheckCommand:
        found["check"] = filled(CheckOptions, found)
    options = filled(kind, found)
    _refuse(parser, options, to_folder=to_folder)
    return options


def _report_file(parser: argparse.ArgumentParser, found: Mapping[str, Any], text: str) -> Path:
    """Return the file of a report. For HTML, a folder may be given."""
    path = values.path(text)
    if not values.is_folder(text) and (not os.path.isdir(text) or path.suffix.lower() in EXPORTS):
        return path
    if found.get("suggest_rules") or found["format"] not in (None, "html"):
        which = "--suggest-rules" if found["format"] is None else f"--format {found['format']}"
        parser.error(f"argument --output: {text!r} is a folder, and {which} needs a file")
    return path / _INDEX


def _scene_to_write(parser: argparse.ArgumentParser, text: str) -> Path:
    if values.is_folder(text) or Path(text).suffix.lower() not in EXPORTS:
        parser.error(f"{text}: no format that can be written; these can: {WRITTEN}")
    return Path(text)


def _refuse(parser: argparse.ArgumentParser, options: Command, *, to_folder: bool) -> None:
    """Refuse options that cannot be combined."""
    if isinstance(options, CheckCommand):
        # Missing options can come from the configuration.
        _refuse_against(parser, options.check.scope, options.check.against)
        _refuse_of_check(parser, options)
    elif isinstance(options, ScopeCommand):
        _refuse_against(parser, options.scope, options.against)
    if isinstance(options, CoverageCommand) and not options.start:
        for name in ("reach", *_CHARACTER):
            if vars(options)[name] not in (None, False):
                parser.error(f"--{name}: only with --from, which says where the character begins")
    if isinstance(options, ValidateCommand):
        if options.in_place and not options.fix:
            parser.error("--in-place needs --fix")
        if options.fix and len(options.saved) + options.in_place != 1:
            parser.error(f"--fix needs one --output that ends in {SAVED}, or --in-place")
    if isinstance(options, WritingCommand):
        if options.saved and options.in_place:
            parser.error("--in-place takes the place of --output OUT")
        if not (options.saved or options.in_place or to_folder):
            place = "OUT" if isinstance(options, ExportCommand) else "--output OUT, --in-place"
            parser.error(f"{options.name} needs {place} or --output-dir; OUT ends in {WRITTEN}")
    if options.format is not None and len(options.output) > 1:
        parser.error("--format needs one --output: the formats of several are those of their extensions")
    if isinstance(options, TwoFileCommand) and options.second is not None:
        _refuse_with(parser, options)


def _refuse_against(parser: argparse.ArgumentParser, scope: tuple[str, str] | None, against: str | None) -> None:
    if against is not None and scope is not None and scope[0] != "COLLECTION":
        parser.error("--against needs --scope collection:NAME")


def _refuse_of_check(parser: argparse.ArgumentParser, options: CheckCommand) -> None:
    if options.ground and not options.floating:
        parser.error("--ground needs --floating")
    if options.held_below and not options.floating:
        parser.error("--held-below needs --floating")
    if options.format is not None and options.suggest_rules:
        parser.error("--suggest-rules has no --format: it writes TOML")


def _refuse_with(parser: argparse.ArgumentParser, options: TwoFileCommand) -> None:
    """Refuse a second file without a first, or together with what is about other sides than the two files."""
    if options.file is None:
        parser.error("--with needs one FILE")
    if options.scene:
        parser.error("--with cannot be combined with --scene")
    if isinstance(options, CheckCommand) and (options.check.scope or options.check.against):
        parser.error("--with tests two files against each other: it cannot be combined with --scope and --against")


class Parser(argparse.ArgumentParser):
    """Prints one line for bad usage, as for any other bad input, and exits."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit."""
        exits.say(f"error: {message} (see {self.prog} --help)")
        self.exit(exits.BAD_INPUT)

    def _print_message(self, message: str, file: IO[str] | None = None) -> None:
        # Help and version. argparse ignores write errors here.
        try:
            put(message)
        except OSError as error:
            exits.say(f"error: {error}")
            self.exit(exits.BAD_INPUT)


class ManyFilesArguments(NamedTuple):
    """The arguments of a command for several files.

    Attributes
    ----------
    parser : type of Parser
    add : callable
        Adds them to the parser of a command, which writes scenes or does not.
    """

    parser: type[Parser]
    add: Callable[[Parser, bool], None]


class _Version(argparse.Action):
    """Prints the version and whether the kernels are compiled. Finding that out takes some milliseconds."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser._print_message(f"Collision Kit {__version__}, kernels {kernels.mode}\n")
        parser.exit()


def _parser(program: str, many: ManyFilesArguments | None) -> tuple[Parser, Mapping[str, Parser]]:
    """Return the main parser and the parsers of the commands."""
    what = "Check collisions, motion, camera views and colliders of 3D scenes; make, fix and export colliders."
    parser = (Parser if many is None else many.parser)(prog=program, description=what)
    parser.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    commands = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    add_check(
        commands.add_parser("check", help="find collisions: which objects collide, how deep and along which axis")
    )
    add_cull(commands.add_parser("cull", help="list objects inside, crossing and outside the view of a camera"))
    add_motion(commands.add_parser("motion", help="find first contacts in an animation"))
    add_probe(commands.add_parser("probe", help="walk a character over colliders: find falls, traps and steps"))
    add_validate(commands.add_parser("validate", help="check how a game engine will import the colliders"))
    add_coverage(commands.add_parser("coverage", help="find colliders that stick out of what is seen, or miss it"))
    add_make(commands.add_parser("make", help="make colliders for the render meshes of a scene"))
    add_fix(commands.add_parser("fix", help="repair colliders, and push apart what penetrates"))
    add_export(commands.add_parser("export", help="write a scene with its colliders in another format"))
    outs = f"file to be written: {WRITTEN}; with {ASSET} in its name, one for each asset"
    for name, added in commands.choices.items():
        if name == "export" and many is None:
            added.add_argument("paths", metavar="[FILE] OUT", nargs="*", help=outs)
        elif many is not None:
            added.add_argument(
                "paths",
                metavar="PATH",
                nargs="+",
                help=f"scene files ({', '.join(SCENES)}), or folders that are searched for them",
            )
            many.add(added, name in WRITING)
        else:
            added.add_argument("paths", metavar="FILE", nargs="?", help=f"scene file: {', '.join(SCENES)}")
        added.add_argument(
            "--output",
            action="append",
            default=[],
            metavar="PATH",
            help=("" if name not in WRITING else f"write the scene to PATH, if it ends in {WRITTEN}; otherwise ")
            + "write the report to PATH, or as a page to PATH/index.html if PATH is a folder; print it if PATH is - "
            "or not given; may be given several times, for several formats",
        )
        add_scene(added, every=many is not None and name not in WRITING)
        added.add_argument(
            "--unit",
            choices=UNITS,
            help=f"unit of a file that has none ({', '.join(UNITLESS)}; default: m)",
        )
        add_switch(
            added,
            "--verbose",
            "also print the messages of Blender and its importers and exporters, and the full traceback of "
            "internal errors (exit code 3)",
        )
        add_switch(
            added,
            "--enable-autoexec",
            "run the Python drivers and scripts in FILE; otherwise they are disabled, whatever "
            "Blender's preferences say",
        )
        add_switch(
            added, "--allow-skipped-scripts", "do not exit with code 2 if skipped drivers or scripts might move objects"
        )
        add_switch(
            added,
            "--isolate",
            "read FILE in a separate process, so that a file that crashes Blender is invalid input (exit code 2)"
            + ("; always on" if many is not None else ""),
        )
    return parser, commands.choices
