# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of the command line. Nothing here needs Blender, so help and usage errors appear at once."""

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NoReturn, Protocol

from ...core import __version__
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

# File name of a report if only a folder is given.
_INDEX = "index.html"


class ManyFiles(Protocol):
    """Options of a command for several files. FILE is required then, because no file is open."""

    parser: "type[Parser]"

    def add(self, parser: "Parser", *, writes: bool) -> None:
        """Add the options to the parser of a command. `writes` says whether the command writes scenes."""

    def settle(self, parser: "Parser", options: argparse.Namespace) -> None:
        """Set `file`, `many`, and the `arguments` with which each file is checked."""


def read(program: str, arguments: Sequence[str], many: ManyFiles | None = None) -> argparse.Namespace:
    """Read the arguments of a command.

    Parameters
    ----------
    program : str
        Program name for messages.
    arguments : sequence of str
    many : ManyFiles, optional
        Options for several files. None: one file, or the open file.

    Raises
    ------
    SystemExit
        After printing help, the version, or one line about invalid arguments.
    """
    parser, commands = _parser(program, many)
    options, unknown = parser.parse_known_args(list(arguments))
    parser = commands[options.command]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    options.output = [_report_file(parser, options, text) for text in options.output or ()] or None
    # Missing options can come from the configuration.
    if getattr(options, "against", None) is not None and (options.scope or ("COLLECTION",))[0] != "COLLECTION":
        parser.error("--against needs --scope collection:NAME")
    options.many = False
    options.saved = []
    if options.command in WRITING:
        _settle_written(parser, options, file_needed=many is not None)
    elif getattr(options, "fix", False):
        options.saved = [path for path in options.output or () if path.suffix.lower() == SAVED]
        options.output = [path for path in options.output or () if path not in options.saved] or None
        if len(options.saved) + options.in_place != 1:
            parser.error(f"--fix needs one --output that ends in {SAVED}, or --in-place")
    elif getattr(options, "in_place", False):
        parser.error("--in-place needs --fix")
    if getattr(options, "ground", None) and not options.floating:
        parser.error("--ground needs --floating")
    if getattr(options, "held_below", False) and not options.floating:
        parser.error("--held-below needs --floating")
    if options.format is not None and len(options.output or ()) > 1:
        parser.error("--format needs one --output: the formats of several are those of their extensions")
    if options.format is not None and getattr(options, "suggest_rules", False):
        parser.error("--suggest-rules has no --format: it writes TOML")
    if many is not None:
        many.settle(parser, options)
    if getattr(options, "second", None) is not None:
        _check_second(parser, options)
    return options


def _check_second(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Reject a second file together with options for many files or for other sides of the check."""
    if options.many or options.file is None:
        parser.error("--with needs one FILE")
    if options.scene:
        parser.error("--with cannot be combined with --scene")
    if options.command == "check" and (options.scope or options.against):
        parser.error("--with tests two files against each other: it cannot be combined with --scope and --against")


def _report_file(parser: argparse.ArgumentParser, options: argparse.Namespace, text: str) -> Path:
    """Return the file of a report. For HTML, a folder may be given."""
    path = values.path(text)
    if not values.is_folder(text) and (not os.path.isdir(text) or path.suffix.lower() in EXPORTS):
        return path
    if getattr(options, "suggest_rules", False) or options.format not in (None, "html"):
        which = "--suggest-rules" if options.format is None else f"--format {options.format}"
        parser.error(f"argument --output: {text!r} is a folder, and {which} needs a file")
    return path / _INDEX


def _settle_written(parser: argparse.ArgumentParser, options: argparse.Namespace, *, file_needed: bool) -> None:
    """Set `saved`, the files that the scene is written to. The rest of `output` are reports."""
    options.saved = [path for path in options.output or () if path.suffix.lower() in EXPORTS]
    options.output = [path for path in options.output or () if path not in options.saved] or None
    options.in_place = getattr(options, "in_place", False)
    to_folder = getattr(options, "output_dir", None) is not None
    if options.command == "export":
        given = list(options.paths)
        files = 0 if to_folder else 1 if file_needed or len(given) + len(options.saved) > 1 else 0
        if not to_folder:
            for text in given[files:]:
                if values.is_folder(text) or Path(text).suffix.lower() not in EXPORTS:
                    parser.error(f"{text}: no format that can be written; these can: {WRITTEN}")
                options.saved.append(Path(text))
            given = given[:files]
        if file_needed:
            options.paths = given
        else:
            options.file = given[0] if given else None
    if to_folder and (options.saved or options.in_place):
        parser.error("--output-dir takes the place of --output OUT and of --in-place")
    if getattr(options, "to", None) is not None and not to_folder:
        parser.error("--to needs --output-dir")
    if options.saved and options.in_place:
        parser.error("--in-place takes the place of --output OUT")
    if not (options.saved or options.in_place or to_folder):
        place = "OUT" if options.command == "export" else "--output OUT, --in-place"
        parser.error(f"{options.command} needs {place} or --output-dir; OUT ends in {WRITTEN}")


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


class _Version(argparse.Action):
    """Prints the version and whether the kernels are compiled. Finding that out takes some milliseconds."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser._print_message(f"Collision Kit {__version__}, kernels {kernels.mode}\n")
        parser.exit()


def _parser(program: str, many: ManyFiles | None) -> tuple[Parser, Mapping[str, Parser]]:
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
            many.add(added, writes=name in WRITING)
        else:
            added.add_argument("file", metavar="FILE", nargs="?", help=f"scene file: {', '.join(SCENES)}")
        added.add_argument(
            "--output",
            action="append",
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
