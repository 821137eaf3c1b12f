# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: ``collision-kit …`` and ``blender -b FILE --command collision_kit …``, which are the same code.

Exit code 0: nothing found, or nothing was looked for; 1: findings; 2: bad usage or bad input, with one line on
standard error that says what; 3: a defect of this program, with one line that says so;
128 and its number if a signal has ended it, so 130 for Ctrl-C.
"""

import argparse
import errno
import math
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple, NoReturn

import bpy

from ... import __version__, process, switched
from ...core import Verdict
from .. import register, unregister
from ..collisions.check import check
from ..culling.check import cull
from ..model.culling_report import Request
from ..model.errors import UserError
from ..model.marks import Marks
from ..model.motion_report import FAILURES
from ..model.report import Body, Finding, body_uids
from ..motion.check import motion
from ..reports import NAMES, cull_as_json, cull_as_text, failing, motion_as_json, motion_as_text
from ..reports.documents import ENDINGS, FORMATS, document, pictured_rows
from ..reports.text import nothing_to_collide, shown
from ..scene import accepted_pairs
from ..scene.files import EXTENSIONS, UnreadableFile, files_read, open_scene
from ..scene.reading.remarks import SCRIPT_NOT_RUN
from ..scene.reading.skipped_scripts import skipped_scripts
from ..scene.scope import scope_objects
from ..scene.settings import ROOT
from ..system.files import check_target, encoded, is_output, one_file, twice, write_whole
from ..system.streams import ERRORS, OUTPUT, holder, output_held, pass_on
from . import validate as validation_cli

FOUND_NOTHING, FOUND, BAD_INPUT = 0, 1, process.BAD_INPUT

_CULL_FORMATS = {"text": cull_as_text, "json": cull_as_json}
_MOTION_FORMATS = {"text": motion_as_text, "json": motion_as_json}
_STANDARD_OUTPUT = Path("-")
_METERS = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001}
_VERDICTS = {name: verdict for verdict, name in NAMES.items() if verdict != Verdict.SEPARATED}


class _BadInput(Exception):
    """The one line that ends the command with `BAD_INPUT`."""


class _Result(NamedTuple):
    """What a command has come to: its report, its exit code, and what there is to say on standard error."""

    report: str
    code: int
    error: str = ""
    picture: bytes = b""


def main(arguments: Sequence[str]) -> int:
    """Run as ``collision-kit``: Blender is a module of this process, and FILE must be named."""
    register()
    try:
        return _run("collision-kit", arguments, inside=False)
    finally:
        # Blender 4.2 crashes and 4.5 hangs at exit if anything is still registered.
        unregister()


def command(arguments: Sequence[str]) -> int:
    """Run as ``blender --command collision_kit``: the file that Blender opened will do."""
    if process.watched():
        process.watch()
    return _run("blender -b FILE --command collision_kit", arguments, inside=True)


def _run(program: str, arguments: Sequence[str], *, inside: bool) -> int:
    """Run a command, `inside` Blender's own program or not; however it ends, that is one line and an exit code."""
    with process.ending() as signals:
        try:
            code, line = _ended(program, arguments, inside)
        except process.Ended:
            pass
        except (_BadInput, OSError) as error:
            code, line = BAD_INPUT, f"error: {error}"
        except MemoryError:
            code, line = BAD_INPUT, "error: out of memory"
        except Exception as error:
            code, line = process.DEFECT, ""
            process.tell_defect(error, verbose="--verbose" in arguments)
    if signals:
        return process.SIGNALLED + signals[0]
    if line:
        process.say(shown(line))
    return code


def _command_line() -> list[str]:
    """Start this command of this Blender once more; the add-on may not be one of those that are always on."""
    return [bpy.app.binary_path, "--background", "--addons", ROOT, "--command", "collision_kit"]


def _ended(program: str, arguments: Sequence[str], inside: bool) -> tuple[int, str]:
    """The exit code, and what there is to say on standard error."""
    try:
        options = _parser(program, file_needed=not inside).parse_args(list(arguments))
    except SystemExit as stop:
        return int(stop.code or 0), ""
    if options.isolate and inside and not process.watched():
        if options.file is None:
            raise _BadInput("--isolate needs FILE: it cannot isolate a file that Blender has already opened")
        with switched(OUTPUT, ERRORS):
            pass  # What this Blender has printed through C waits in C's buffer, and is none of the report.
        return process.supervised([*_command_line(), *arguments]), ""
    _check_targets(options)
    options.format = options.format or _format_of(options)
    with holder() as held:
        with output_held(held):
            _open(options)
            result: _Result = options.run(options)
        if result.picture:
            _write(options.picture, result.picture)
        _print(result.report, options.output)
        if result.code != BAD_INPUT:
            pass_on(held)
    return result.code, f"error: {result.error}" if result.error else ""


class _Parser(argparse.ArgumentParser):
    """Ends bad usage with one line, like any other bad input."""

    def error(self, message: str) -> NoReturn:
        process.say(shown(f"error: {message} (see {self.prog} --help)"))
        self.exit(BAD_INPUT)

    def _print_message(self, message: str, file: IO[str] | None = None) -> None:
        # Help and version; argparse drops errors.
        _put(message)


def _parser(program: str, file_needed: bool) -> argparse.ArgumentParser:
    parser = _Parser(prog=program, description="Check collisions, motion, camera views and colliders of 3D scenes.")
    parser.add_argument("--version", action="version", version=f"Collision Kit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_check(
        commands.add_parser("check", help="find collisions: which objects collide, how deep and along which axis")
    )
    _add_cull(commands.add_parser("cull", help="list objects inside, crossing and outside the view of a camera"))
    _add_motion(commands.add_parser("motion", help="find first contacts in an animation"))
    validating = commands.add_parser("validate", help="check how a game engine will import the colliders")
    validating.set_defaults(run=_validate)
    validation_cli.add_options(validating, scope=_scope, length=_length)
    _add_empty(validating, "nothing to validate")
    _add_format(validating, tuple(validation_cli.FORMATS))
    for added in commands.choices.values():
        added.add_argument(
            "file", metavar="FILE", nargs=None if file_needed else "?", help=f"scene file: {', '.join(EXTENSIONS)}"
        )
        added.add_argument(
            "--output", type=Path, metavar="PATH", help="write the report to PATH; print it if PATH is - or not given"
        )
        added.add_argument(
            "--verbose", action="store_true", help="print the full traceback of internal errors (exit code 3)"
        )
        added.add_argument(
            "--enable-autoexec",
            action="store_true",
            help="run the Python drivers and scripts in FILE; otherwise they are disabled, whatever "
            "Blender's preferences say",
        )
        added.add_argument(
            "--allow-skipped-scripts",
            action="store_true",
            help="do not exit with code 2 if skipped drivers or scripts might move objects",
        )
        added.add_argument(
            "--isolate",
            action="store_true",
            help="read FILE in a separate process, so that a file that crashes Blender is invalid input (exit code 2)"
            + ("; always on" if file_needed else ""),
        )
    return parser


def _add_scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scope",
        type=_scope,
        default=("ALL", ""),
        metavar="all|visible|camera|selected|active|collection:NAME",
        help="objects to test against each other; camera: visible objects that are at least partly "
        "in the active camera's view; "
        "active: the active object against the other selected objects",
    )
    parser.add_argument(
        "--against", metavar="NAME", help="with collection:NAME: test that collection against collection NAME"
    )
    parser.add_argument(
        "--include-operands",
        action="store_true",
        help="also test Boolean operands that are displayed as wire or bounds, or not rendered",
    )


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_check)
    _add_scope(parser)
    _add_empty(parser, "nothing to test")
    parser.add_argument(
        "--clearance",
        type=_length,
        default=0.0,
        metavar="M",
        help="also report pairs closer than this: meters, or 5mm, 2cm",
    )
    parser.add_argument(
        "--touching",
        type=_length,
        metavar="M",
        help="treat gaps and overlaps up to this as touching (default: just above floating-point precision)",
    )
    _add_format(parser, FORMATS)
    parser.add_argument(
        "--plane",
        choices=("xy", "xz", "yz", "camera"),
        help="test outlines in this plane; camera: the view plane of the active, orthographic camera",
    )
    parser.add_argument("--picture", type=Path, metavar="OUT.png", help="render a picture of the worst pair")
    parser.add_argument(
        "--fail-on",
        type=_verdicts,
        default=frozenset({Verdict.PENETRATING, Verdict.CONTAINED}),
        metavar="VERDICT,…",
        help=f"results that exit with code 1: {', '.join(_VERDICTS)}, or none (default: penetrating,contained)",
    )


def _add_format(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    parser.set_defaults(formats=formats)
    parser.add_argument(
        "--format", choices=formats, help="report format (default: by the extension of --output, else text)"
    )


def _add_empty(parser: argparse.ArgumentParser, nothing: str) -> None:
    parser.add_argument(
        "--allow-empty", action="store_true", help=f"exit with code 0 instead of 2 if there is {nothing}"
    )


def _add_cull(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_cull)
    parser.add_argument("--camera", default="", metavar="NAME", help="camera to use (default: the active camera)")
    parser.add_argument(
        "--frames",
        type=_frames,
        metavar="A:B|scene",
        help="frames A to B, or the frame range of the scene (default: the current frame)",
    )
    method = parser.add_mutually_exclusive_group()
    method.add_argument(
        "--exact", action="store_true", default=True, help="test the exact shape of each object (default)"
    )
    method.add_argument(
        "--conservative",
        dest="exact",
        action="store_false",
        help="test the planes of the view only; large objects near a corner may count as crossing",
    )
    _add_format(parser, tuple(_CULL_FORMATS))


def _add_motion(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_motion)
    _add_scope(parser)
    _add_empty(parser, "nothing to test")
    parser.add_argument(
        "--frames",
        type=_frames,
        default="scene",
        metavar="A:B|scene",
        help="frames A to B (default: the frame range of the scene)",
    )
    parser.add_argument(
        "--deviation",
        type=_length,
        metavar="M",
        help="how far the tested motion may deviate from the animation between frames "
        "(default: 1/100 of the radius of each object)",
    )
    _add_format(parser, tuple(_MOTION_FORMATS))
    parser.add_argument(
        "--fail-on",
        type=_statuses,
        default=frozenset({"new", "undecided"}),
        metavar="STATUS,…",
        help=f"contacts that exit with code 1: {', '.join(FAILURES)}, or none (default: new,undecided); "
        "started: touching from the first frame; penetrating: deeper than touching in any frame",
    )


def _check(options: argparse.Namespace) -> _Result:
    scope, collection = _whole_scope(options)
    try:
        report, shapes = check(
            bpy.context,
            scope,
            collection_a=collection,
            collection_b=options.against or "",
            touching=_in_units(options.touching),
            clearance=_in_units(options.clearance),
            plane=options.plane.upper() if options.plane is not None else None,
            include_operands=options.include_operands,
        )
    except UserError as error:
        raise _BadInput(str(error)) from None
    picture = b""
    if options.picture is not None:
        from ..picture import draw_picture  # Loads what only pictures need.

        picture = draw_picture(bpy.context, report, shapes)[0]
    marks = Marks(accepted_pairs.rows(bpy.context.scene, report))
    pictures = {}
    if options.format == "html":
        from ..picture import pair_pictures

        rows = pictured_rows(report, marks, options.fail_on)
        pictures = dict(pair_pictures(bpy.context, report, shapes.world, rows))
    empty = "" if options.allow_empty else _empty(report.bodies, scope, collection, options.against)
    text = document(options.format, report, marks, fail_on=options.fail_on, pictures=pictures, empty=empty)
    return _result(options, text, bool(marks.open_rows(report, options.fail_on)), report.findings, empty, picture)


def _motion(options: argparse.Namespace) -> _Result:
    scene = bpy.context.scene
    scope, collection = _whole_scope(options)
    start, end = (scene.frame_start, scene.frame_end) if options.frames == "scene" else options.frames
    try:
        report = motion(
            bpy.context,
            scope,
            start=start,
            end=end,
            collection_a=collection,
            collection_b=options.against or "",
            deviation=_in_units(options.deviation),
            include_operands=options.include_operands,
        )
    except UserError as error:
        raise _BadInput(str(error)) from None
    empty = "" if options.allow_empty else _empty(report.bodies, scope, collection, options.against)
    text = _MOTION_FORMATS[options.format](report)
    return _result(options, text, failing(report, options.fail_on), report.findings, empty)


def _validate(options: argparse.Namespace) -> _Result:
    try:
        report = validation_cli.run(options, bpy.context)
    except UserError as error:
        raise _BadInput(str(error)) from None
    empty = (
        ""
        if report.colliders or report.violations or options.allow_empty
        else "nothing to validate: the scene has no colliders"
    )
    text, skipped = validation_cli.FORMATS[options.format](report), skipped_scripts(bpy.context)
    return _result(options, text, report.failing(options.fail_on), skipped, empty)


def _whole_scope(options: argparse.Namespace) -> tuple[str, str]:
    """The scope and its first collection."""
    scope, collection = options.scope
    if options.against is None:
        return scope, collection
    if scope != "COLLECTION":
        raise _BadInput("--against needs --scope collection:NAME")
    return "COLLECTIONS", collection


def _cull(options: argparse.Namespace) -> _Result:
    scene = bpy.context.scene
    frames = (scene.frame_start, scene.frame_end) if options.frames == "scene" else options.frames
    try:
        report = cull(bpy.context, Request("ALL", options.exact, frames, options.camera)).report
    except UserError as error:
        raise _BadInput(str(error)) from None
    return _result(options, _CULL_FORMATS[options.format](report), False, report.findings)


def _result(
    options: argparse.Namespace,
    report: str,
    found: bool,
    findings: Sequence[Finding],
    empty: str = "",
    picture: bytes = b"",
) -> _Result:
    """Findings first; else what could not be tested, or was not run, is bad input, and so is `empty`: no clean bill."""
    allowed = SCRIPT_NOT_RUN.id if options.allow_skipped_scripts else ""
    errors = [finding for finding in findings if finding.severity == "error" and finding.id != allowed]
    line = f"{errors[0].object}: {errors[0].message}" if errors else empty and f"{empty} (see --allow-empty)"
    if len(errors) > 1:
        line += f" (and {len(errors) - 1} more)"
    code = BAD_INPUT if line else FOUND_NOTHING
    return _Result(report, FOUND if found else code, line if errors or not found else "", picture)


def _empty(bodies: Sequence[Body], scope: str, collection: str, against: str | None) -> str:
    """What there is to say where nothing can collide; else nothing."""
    if len(bodies) < 2:
        return nothing_to_collide(bodies)
    selection = scope_objects(bpy.context, scope, collection, against or "")
    for objects in (selection.set_a, selection.set_b):
        if objects is not None and not {ob.session_uid for ob in objects} & set().union(*map(body_uids, bodies)):
            side = "the first side" if objects is selection.set_a else "the other side"
            return f"nothing to test: no object on {side} could be tested"
    return ""


def _open(options: argparse.Namespace) -> None:
    """Open the file, and see that none of what it consists of is written to."""
    if options.file is None:
        if not bpy.data.filepath:
            # Blender goes on with its default scene when the file it was given is missing.
            raise _BadInput("Blender could not open the given file")
    else:
        try:
            with process.reading(options.file):
                open_scene(Path(options.file), scripts=options.enable_autoexec)
        except UnreadableFile as error:
            raise _BadInput(str(error)) from None
    inputs = list(files_read(Path(options.file) if options.file is not None else None))
    for path in _targets(options):
        for read in inputs:
            if one_file(path, read):
                raise _BadInput(f"cannot write {path}: it is {_whose(read, options)}")
    if _prints(options) and any(is_output(read, OUTPUT) for read in inputs):
        raise _BadInput("cannot print the report: standard output is redirected to a file of the scene")


def _whose(read: Path, options: argparse.Namespace) -> str:
    itself = options.file is None or one_file(read, Path(options.file))
    return "the input file" if itself else f"a file that the scene uses, {read}"


def _targets(options: argparse.Namespace) -> list[Path]:
    """The files to be written."""
    return [path for path in (None if _prints(options) else options.output, _picture(options)) if path is not None]


def _picture(options: argparse.Namespace) -> Path | None:
    return getattr(options, "picture", None)


def _prints(options: argparse.Namespace) -> bool:
    return options.output is None or options.output == _STANDARD_OUTPUT


def _format_of(options: argparse.Namespace) -> str:
    """The format of the report by the ending of its file; devices and pipes have none."""
    ending = "" if _prints(options) else options.output.suffix.lower()
    if not ending:
        return "text"
    endings = [known for known, name in ENDINGS.items() if name in options.formats]
    if ending not in endings:
        raise _BadInput(f"{options.output}: unknown report format {ending}; use {', '.join(endings)} or --format")
    return ENDINGS[ending]


def _check_targets(options: argparse.Namespace) -> None:
    """Refuse what cannot be written before anything is opened for its sake."""
    targets = _targets(options)
    for path in targets:
        try:
            check_target(path)
        except OSError as error:
            raise _BadInput(_unwritable(path, error)) from None
        if options.file is not None and one_file(path, Path(options.file)):
            raise _BadInput(f"cannot write {path}: it is {_whose(Path(options.file), options)}")
    double = twice(targets)
    if double is not None:
        raise _BadInput(f"--output and --picture are the same file: {double}")


def _write(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise _BadInput(_unwritable(path, error)) from None


def _unwritable(path: Path, error: OSError) -> str:
    return f"cannot write {path}: {error.strerror or error}"


def _print(text: str, path: Path | None) -> None:
    if path is None or path == _STANDARD_OUTPUT:
        _put(text)
    else:
        _write(path, encoded(text))


def _put(text: str) -> None:
    """Print a text; what the encoding of standard output does not have is a question mark."""
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        # What is left in the buffer would be tried again when Python ends.
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, OUTPUT)
            os.close(nowhere)
        reason = getattr(error, "strerror", None) or error
        raise _BadInput(f"cannot write to standard output: {reason}") from None


def _scope(text: str) -> tuple[str, str]:
    name, colon, collection = text.partition(":")
    if name in ("all", "visible", "camera", "selected", "active") and not colon:
        return name.upper(), ""
    if name == "collection" and collection:
        return "COLLECTION", collection
    raise argparse.ArgumentTypeError(f"{text!r} is not all, visible, camera, selected, active or collection:NAME")


def _frames(text: str) -> tuple[int, int] | str:
    if text == "scene":
        return text
    match = re.fullmatch(r"(-?\d+):(-?\d+)", text)
    frames = (int(match[1]), int(match[2])) if match else (0, -1)
    if frames[0] > frames[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is not a frame range A:B or scene")
    return frames


def _length(text: str) -> float:
    match = re.fullmatch(r"([0-9.eE+-]+)\s*(m|cm|mm)?", text)
    try:
        value = float(match[1]) * _METERS[match[2] or ""] if match else math.nan
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0.0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a length of at least zero, such as 0.01, 10mm or 1cm")
    return value


def _in_units(meters: float | None) -> float | None:
    """A length in the units of the open scene."""
    if meters is None:
        return None
    length = meters / float(bpy.context.scene.unit_settings.scale_length)
    if not math.isfinite(length):
        raise _BadInput(f"{meters:g} m is out of range in the units of the scene")
    return length


def _statuses(text: str) -> frozenset[str]:
    names = frozenset(name for name in text.split(",") if name and name != "none")
    if not names <= set(FAILURES):
        raise argparse.ArgumentTypeError(f"{min(names - set(FAILURES))!r} is not one of {', '.join(FAILURES)}, none")
    return names


def _verdicts(text: str) -> frozenset[Verdict]:
    names = [name for name in text.split(",") if name and name != "none"]
    for name in names:
        if name not in _VERDICTS:
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(_VERDICTS)}, none")
    return frozenset(_VERDICTS[name] for name in names)
