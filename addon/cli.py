# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: ``collision-kit …`` and ``blender -b FILE --command collision_kit …``, which are the same code.

Exit code 0: nothing found, or nothing was looked for; 1: findings; 2: bad usage or bad input, with one line on
standard error that says what.
"""

import argparse
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import bpy

from .. import __version__
from ..core import Verdict
from .bridge.files import EXTENSIONS, UnreadableFile, open_scene
from .collisions.check import check
from .culling.check import cull
from .culling.report import Request
from .documents import FORMATS, document, pictured_rows
from .files import written_whole
from .formats import NAMES, cull_as_json, cull_as_text, failing, motion_as_json, motion_as_text
from .formats.text import shown
from .motion.check import motion
from .motion.report import STATUSES
from .report import Finding, Report
from .results import accepted
from .results.marks import Marks
from .streams import output_on_errors
from .validation import cli as validation_cli

FOUND_NOTHING, FOUND, BAD_INPUT = 0, 1, 2

_CULL_FORMATS = {"text": cull_as_text, "json": cull_as_json}
_MOTION_FORMATS = {"text": motion_as_text, "json": motion_as_json}
_STANDARD_OUTPUT = Path("-")
_METRES = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001}
_VERDICTS = {name: verdict for verdict, name in NAMES.items() if verdict != Verdict.SEPARATED}


class _BadInput(Exception):
    """The one line that ends the command with `BAD_INPUT`."""


def main(arguments: Sequence[str]) -> int:
    """Run as ``collision-kit``: Blender is a module of this process, and FILE must be named."""
    from . import register, unregister

    register()
    try:
        return _run("collision-kit", arguments, file_needed=True)
    finally:
        # Blender 4.2 crashes and 4.5 hangs at exit if anything is still registered.
        unregister()


def command(arguments: Sequence[str]) -> int:
    """Run as ``blender --command collision_kit``: the file that Blender opened will do."""
    return _run("blender -b FILE --command collision_kit", arguments, file_needed=False)


def _run(program: str, arguments: Sequence[str], *, file_needed: bool) -> int:
    try:
        options = _parser(program, file_needed).parse_args(list(arguments))
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        code: int = options.run(options)
    except _BadInput as error:
        print(shown(f"error: {error}"), file=sys.stderr)
        return BAD_INPUT
    return code


class _Parser(argparse.ArgumentParser):
    """Ends bad usage with one line, like any other bad input."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"error: {message} (see {self.prog} --help)\n")


def _parser(program: str, file_needed: bool) -> argparse.ArgumentParser:
    parser = _Parser(prog=program, description="Collision geometry, checked with evidence.")
    parser.add_argument("--version", action="version", version=f"Collision Kit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_check(commands.add_parser("check", help="which objects of a scene collide, how deep, and along which axis"))
    _add_cull(commands.add_parser("cull", help="which objects a camera sees, wholly or partly, and which not"))
    _add_motion(
        commands.add_parser("motion", help="which objects touch as they move, and in which frame they first do")
    )
    validating = commands.add_parser("validate", help="what a game engine will make of the colliders")
    validating.set_defaults(run=_validate)
    validation_cli.add_options(validating, scope=_scope, length=_length)
    for added in commands.choices.values():
        added.add_argument(
            "file", metavar="FILE", nargs=None if file_needed else "?", help=f"a scene: {', '.join(EXTENSIONS)}"
        )
        added.add_argument("--output", type=Path, metavar="PATH", help="write the report there; - or nothing: print it")
    return parser


def _add_scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scope",
        type=_scope,
        default=("ALL", ""),
        metavar="all|visible|camera|selected|active|collection:NAME",
        help="what is tested, each against each; camera: what is visible and not outside the active camera's view; "
        "active: the active object against the other selected ones",
    )
    parser.add_argument("--against", metavar="NAME", help="with collection:NAME: test that collection against this one")
    parser.add_argument(
        "--include-operands",
        action="store_true",
        help="test operands of Boolean modifiers that are displayed as wire or bounds, or not rendered, as well",
    )


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_check)
    _add_scope(parser)
    parser.add_argument(
        "--clearance", type=_length, default=0.0, metavar="M", help="report pairs nearer than this: metres, or 5mm, 2cm"
    )
    parser.add_argument(
        "--touching",
        type=_length,
        metavar="M",
        help="surfaces no deeper and no farther apart than this touch (default: the rounding of coordinates)",
    )
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument(
        "--plane",
        choices=("xy", "xz", "yz", "camera"),
        help="test the outlines of objects in this plane; camera: that of the active camera, an orthographic one",
    )
    parser.add_argument("--picture", type=Path, metavar="OUT.png", help="draw the worst pair with its evidence")
    parser.add_argument(
        "--fail-on",
        type=_verdicts,
        default=frozenset({Verdict.PENETRATING, Verdict.CONTAINED}),
        metavar="VERDICT,…",
        help=f"verdicts that make the exit code 1: {', '.join(_VERDICTS)}, or none (default: penetrating,contained)",
    )


def _add_cull(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_cull)
    parser.add_argument("--camera", default="", metavar="NAME", help="the camera (default: the active one)")
    parser.add_argument(
        "--frames",
        type=_frames,
        metavar="A:B|scene",
        help="from A to B, or the scene's frame range: outside is what is so in every frame (default: the current one)",
    )
    method = parser.add_mutually_exclusive_group()
    method.add_argument("--exact", action="store_true", default=True, help="decide every object exactly (default)")
    method.add_argument(
        "--conservative",
        dest="exact",
        action="store_false",
        help="outside is what lies beyond one plane; what is large and beside a corner may count as crossing",
    )
    parser.add_argument("--format", choices=tuple(_CULL_FORMATS), default="text")


def _add_motion(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_motion)
    _add_scope(parser)
    parser.add_argument(
        "--frames", type=_frames, default="scene", metavar="A:B|scene", help="from A to B (default: the scene's range)"
    )
    parser.add_argument(
        "--deviation",
        type=_length,
        metavar="M",
        help="how far an object may stray from the motion that is tested before it is looked at more often "
        "(default: a hundredth of its radius)",
    )
    parser.add_argument("--format", choices=tuple(_MOTION_FORMATS), default="text")
    parser.add_argument(
        "--fail-on",
        type=_statuses,
        default=frozenset({"new", "undecided"}),
        metavar="STATUS,…",
        help=f"contacts that make the exit code 1: {', '.join(STATUSES)}, or none (default: new,undecided); "
        "started: in touch from the first frame",
    )


def _check(options: argparse.Namespace) -> int:
    with output_on_errors():
        _open(options.file)
        scope, collection = _whole_scope(options)
        metres = bpy.context.scene.unit_settings.scale_length
        try:
            report, shapes = check(
                bpy.context,
                scope,
                collection_a=collection,
                collection_b=options.against or "",
                touching=None if options.touching is None else options.touching / metres,
                clearance=options.clearance / metres,
                plane=options.plane.upper() if options.plane is not None else None,
                include_operands=options.include_operands,
            )
        except ValueError as error:
            raise _BadInput(str(error)) from None
        if options.picture is not None:
            from .picture import write_picture  # Loads what only pictures need.

            with _written(options.picture) as temporary:
                write_picture(bpy.context, report, shapes, str(temporary))
        marks = Marks(accepted.rows(bpy.context.scene, report))
        pictures = {}
        if options.format == "html":
            from .picture import pair_pictures

            rows = pictured_rows(report, marks, options.fail_on)
            pictures = dict(pair_pictures(bpy.context, report, shapes.world, rows))
    _print(document(options.format, report, marks, fail_on=options.fail_on, pictures=pictures), options.output)
    return _exit_code(report, marks, options.fail_on)


def _motion(options: argparse.Namespace) -> int:
    with output_on_errors():
        _open(options.file)
        scene = bpy.context.scene
        scope, collection = _whole_scope(options)
        start, end = (scene.frame_start, scene.frame_end) if options.frames == "scene" else options.frames
        metres = scene.unit_settings.scale_length
        try:
            report = motion(
                bpy.context,
                scope,
                start=start,
                end=end,
                collection_a=collection,
                collection_b=options.against or "",
                deviation=None if options.deviation is None else options.deviation / metres,
                include_operands=options.include_operands,
            )
        except ValueError as error:
            raise _BadInput(str(error)) from None
    _print(_MOTION_FORMATS[options.format](report), options.output)
    code = _print_errors(report.findings)
    return FOUND if failing(report, options.fail_on) else code


def _validate(options: argparse.Namespace) -> int:
    with output_on_errors():
        _open(options.file)
        try:
            report = validation_cli.run(options, bpy.context)
        except ValueError as error:
            raise _BadInput(str(error)) from None
    _print(validation_cli.FORMATS[options.format](report), options.output)
    return FOUND if report.failing(options.fail_on) else FOUND_NOTHING


def _whole_scope(options: argparse.Namespace) -> tuple[str, str]:
    """The scope and its first collection."""
    scope, collection = options.scope
    if options.against is None:
        return scope, collection
    if scope != "COLLECTION":
        raise _BadInput("--against needs --scope collection:NAME")
    return "COLLECTIONS", collection


def _cull(options: argparse.Namespace) -> int:
    with output_on_errors():
        _open(options.file)
        scene = bpy.context.scene
        frames = (scene.frame_start, scene.frame_end) if options.frames == "scene" else options.frames
        try:
            report = cull(bpy.context, Request("ALL", options.exact, frames, options.camera)).report
        except ValueError as error:
            raise _BadInput(str(error)) from None
    _print(_CULL_FORMATS[options.format](report), options.output)
    return _print_errors(report.findings)


def _print(text: str, path: Path | None) -> None:
    if path is None or path == _STANDARD_OUTPUT:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        with _written(path) as temporary:
            temporary.write_text(text, encoding="utf-8")


def _exit_code(report: Report, marks: Marks, fail_on: frozenset[Verdict]) -> int:
    """Findings first; else an object that could not be tested at all is bad input, not a clean bill."""
    code = _print_errors(report.findings)
    return FOUND if marks.open_rows(report, fail_on) else code


def _print_errors(findings: Iterable[Finding]) -> int:
    """Say which objects could not be tested at all; the exit code if nothing else is found."""
    errors = [finding for finding in findings if finding.severity == "error"]
    for finding in errors:
        print(shown(f"error: {finding.object}: {finding.message}"), file=sys.stderr)
    return BAD_INPUT if errors else FOUND_NOTHING


def _open(file: str | None) -> None:
    if file is None:
        if not bpy.data.filepath:
            # Blender goes on with its default scene when the file it was given is missing.
            raise _BadInput("no file is open: Blender found none where it was told to look")
        return
    try:
        open_scene(Path(file))
    except UnreadableFile as error:
        raise _BadInput(str(error)) from None


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
        raise argparse.ArgumentTypeError(f"{text!r} is not A:B, the first frame and the last, or scene")
    return frames


def _length(text: str) -> float:
    match = re.fullmatch(r"([0-9.eE+-]+)\s*(m|cm|mm)?", text)
    try:
        value = float(match[1]) * _METRES[match[2] or ""] if match else math.nan
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0.0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a length of at least zero, such as 0.01, 10mm or 1cm")
    return value


def _statuses(text: str) -> frozenset[str]:
    names = frozenset(name for name in text.split(",") if name and name != "none")
    if not names <= set(STATUSES):
        raise argparse.ArgumentTypeError(f"{min(names - set(STATUSES))!r} is not one of {', '.join(STATUSES)}, none")
    return names


def _verdicts(text: str) -> frozenset[Verdict]:
    names = [name for name in text.split(",") if name and name != "none"]
    for name in names:
        if name not in _VERDICTS:
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(_VERDICTS)}, none")
    return frozenset(_VERDICTS[name] for name in names)


@contextmanager
def _written(path: Path) -> Iterator[Path]:
    """A temporary file that becomes `path` once it is whole; where it cannot be written, that is bad input."""
    try:
        with written_whole(path) as temporary:
            yield temporary
    except OSError as error:
        raise _BadInput(f"{path} cannot be written: {error.strerror or error}") from None
