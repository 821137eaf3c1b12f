# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line can be asked for. Nothing here needs Blender: neither help nor bad usage waits for it."""

import argparse
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NoReturn

from ... import __version__, process
from ...core.constants import Verdict
from ..asset_rules.limits import ENGINES, SEVERITIES, Limits
from ..model.formats import FORMATS, SCENES
from ..model.motion_report import FAILURES
from ..model.verdict_names import NAMES
from ..system.streams import put, shown

_METERS = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001}
_VERDICTS = {name: verdict for verdict, name in NAMES.items() if verdict != Verdict.SEPARATED}
# The formats of reports that are no list of pairs.
_BRIEF = ("text", "json")


def read(program: str, arguments: Sequence[str], *, file_needed: bool) -> argparse.Namespace:
    """Read the arguments of a command; `file_needed`: no file is open that would do in the place of FILE.

    Raises
    ------
    SystemExit
        After help or the version, which were asked for, or one line that says what is wrong with the arguments.
    """
    parser = _parser(program, file_needed)
    options = parser.parse_args(list(arguments))
    if getattr(options, "against", None) is not None and options.scope[0] != "COLLECTION":
        parser.error("--against needs --scope collection:NAME")
    return options


class _Parser(argparse.ArgumentParser):
    """Ends bad usage with one line, like any other bad input."""

    def error(self, message: str) -> NoReturn:
        process.say(shown(f"error: {message} (see {self.prog} --help)"))
        self.exit(process.BAD_INPUT)

    def _print_message(self, message: str, file: IO[str] | None = None) -> None:
        # Help and version; argparse drops errors.
        try:
            put(message)
        except OSError as error:
            process.say(f"error: {error}")
            self.exit(process.BAD_INPUT)


def _parser(program: str, file_needed: bool) -> argparse.ArgumentParser:
    parser = _Parser(prog=program, description="Check collisions, motion, camera views and colliders of 3D scenes.")
    parser.add_argument("--version", action="version", version=f"Collision Kit {__version__}")
    commands = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    _add_check(
        commands.add_parser("check", help="find collisions: which objects collide, how deep and along which axis")
    )
    _add_cull(commands.add_parser("cull", help="list objects inside, crossing and outside the view of a camera"))
    _add_motion(commands.add_parser("motion", help="find first contacts in an animation"))
    _add_validate(commands.add_parser("validate", help="check how a game engine will import the colliders"))
    for added in commands.choices.values():
        added.add_argument(
            "file", metavar="FILE", nargs=None if file_needed else "?", help=f"scene file: {', '.join(SCENES)}"
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
    _add_format(parser, _BRIEF)


def _add_motion(parser: argparse.ArgumentParser) -> None:
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
    _add_format(parser, _BRIEF)
    parser.add_argument(
        "--fail-on",
        type=_statuses,
        default=frozenset({"new", "undecided"}),
        metavar="STATUS,…",
        help=f"contacts that exit with code 1: {', '.join(FAILURES)}, or none (default: new,undecided); "
        "started: touching from the first frame; penetrating: deeper than touching in any frame",
    )


def _add_validate(parser: argparse.ArgumentParser) -> None:
    usual = Limits()
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="any",
        help="engine whose rules are checked in addition to the general rules (default: any)",
    )
    parser.add_argument(
        "--scope",
        type=_scope,
        default=("ALL", ""),
        metavar="all|visible|selected|collection:NAME",
        help="objects whose colliders are validated (default: all, including hidden ones)",
    )
    parser.add_argument(
        "--smallest", type=_length, metavar="M", help=f"minimum thickness of a collider (default: {usual.smallest:g} m)"
    )
    parser.add_argument(
        "--vertices",
        type=_budget,
        metavar="N",
        default=usual.vertices,
        help="maximum number of vertices of a convex collider (default: %(default)s)",
    )
    parser.add_argument(
        "--triangles",
        type=_budget,
        metavar="N",
        default=usual.triangles,
        help="maximum number of triangles of a triangle mesh collider (default: %(default)s)",
    )
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "none"),
        default="error",
        help="lowest severity that exits with code 1 (default: error)",
    )
    _add_empty(parser, "nothing to validate")
    _add_format(parser, _BRIEF)


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


def _budget(text: str) -> int:
    if not text.isdecimal() or int(text) < 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 4")
    return int(text)
