# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of each command, for argparse. Nothing here needs Blender."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..asset_rules.limits import ENGINES, SEVERITIES, Limits
from ..config import NAME as CONFIG
from ..engines.kinds import KINDS, PRESETS
from ..exports.table import EXPORTS
from ..model import option_values
from ..model.formats import FORMATS
from ..model.motion_report import FAILURES, FAULTS
from ..model.probe_report import CHARACTERS
from . import values

# Formats of reports that are not lists of pairs, and formats of reports that can be shown as tests by build servers.
_BRIEF = ("text", "json", "html")
_TESTS = (*_BRIEF, "junit")
# Extension of the files that scenes are saved to.
SAVED = ".blend"
# Commands that write scenes, and the formats that they write.
WRITING = ("make", "fix", "export")
WRITTEN = ", ".join(EXPORTS)
# Stands for all scenes or all clips.
EVERY = "all"
# In a file name: the file is written once for each asset.
ASSET = "{asset}"


def add_scene(parser: argparse.ArgumentParser, *, every: bool) -> None:
    """Add the option for the scene of a file. `every`: it also accepts all scenes."""
    what = "scene of a .blend file (default: the one that was active when it was saved)"
    more = f"; {EVERY}: each scene with objects, as in a report on many files" if every else ""
    parser.add_argument("--scene", default="", metavar=f"NAME|{EVERY}" if every else "NAME", help=what + more)


def _add_hidden(parser: argparse.ArgumentParser, verb: str = "test", **more: Any) -> None:
    what = f"also {verb} objects that are hidden or disabled in viewports, and those in hidden collections"
    add_switch(parser, "--include-hidden", what, **more)


def add_switch(parser: argparse._ActionsContainer, name: str, what: str, **more: Any) -> None:
    """Add an option without a value."""
    parser.add_argument(name, action="store_true", help=what, **more)


def _add_length(parser: argparse._ActionsContainer, name: str, what: str, **more: Any) -> None:
    parser.add_argument(name, type=values.length, metavar="M", help=what, **more)


def _add_count(parser: argparse.ArgumentParser, name: str, usual: int, what: str, kind: Any = values.budget) -> None:
    parser.add_argument(name, type=kind, metavar="N", default=usual, help=f"{what} (default: %(default)s)")


def _add_file(parser: argparse.ArgumentParser, name: str, what: str) -> None:
    parser.add_argument(name, type=Path, metavar="FILE", help=what)


def add_names(parser: argparse._ActionsContainer, name: str, what: str) -> None:
    """Add an option whose value is a pattern of names, and which may be given several times."""
    parser.add_argument(name, action="append", default=[], metavar="GLOB", help=what)


def _add_severity(parser: argparse.ArgumentParser, what: str, usual: str = "error") -> None:
    help_ = f"{what} (default: {usual})"
    parser.add_argument("--fail-on", choices=(*SEVERITIES, "none"), default=usual, help=help_)


def _add_touching(parser: argparse.ArgumentParser) -> None:
    what = "treat gaps and overlaps up to this as touching (default: just above floating-point precision)"
    _add_length(parser, "--touching", what)


def _add_scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scope",
        type=values.scope,
        default=("ALL", ""),
        metavar="all|visible|camera|selected|active|collection:NAME",
        help="objects to test against each other; camera: visible objects that are at least partly "
        "in the active camera's view; "
        "active: the active object against the other selected objects",
    )
    parser.add_argument(
        "--against", metavar="NAME", help="with collection:NAME: test that collection against collection NAME"
    )
    add_switch(
        parser, "--include-operands", "also test Boolean operands that are displayed as wire or bounds, or not rendered"
    )
    _add_hidden(parser)


_COLLIDERS = "second scene file, whose meshes are the colliders of FILE: those of the same name, or of all of it"


def _add_second(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--with", dest="second", type=values.file, metavar="OTHER", help=what)


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check` to its parser."""
    _add_scope(parser)
    _add_second(parser, "second scene file: test the bodies of FILE against those of OTHER; of each pair, a is of FILE")
    _add_empty(parser, "no body to test")
    _add_length(parser, "--clearance", "also report pairs closer than this: meters, or 5mm, 2cm (default: 0)")
    _add_touching(parser)
    own = parser.add_mutually_exclusive_group()
    add_switch(
        own,
        "--self",
        "also test each mesh against itself: its loose parts against each other, and faces that cross",
        default=None,
    )
    add_switch(
        own,
        "--loose-parts",
        "test each loose part of a mesh as a body of its own, against each other and all other bodies",
        default=None,
    )
    parts = parser.add_mutually_exclusive_group()
    add_switch(
        parts,
        "--within",
        "also fail on pairs of parts of one asset, which are folded into one line otherwise, unless all bodies are "
        "parts of one asset",
        default=None,
    )
    parts.add_argument(
        "--no-within",
        dest="within",
        action="store_false",
        help="fold pairs of parts of one asset in every case, also if there is nothing else",
    )
    add_switch(
        parts,
        "--each-asset",
        "test each asset on its own: its parts against each other, and nothing else",
        default=None,
    )
    _add_one_thing(parser, ", unless --within is given")
    add_switch(
        parser,
        "--static",
        "also fail on pairs of bodies that are both declared static, which no engine tests, and of colliders that have "
        "no mesh",
        default=None,
    )
    add_switch(
        parser,
        "--surroundings",
        "also fail on bodies inside of one that contains nearly all others, such as a sky, which are folded into one "
        "line otherwise",
        default=None,
    )
    add_switch(parser, "--floating", "also list objects that nothing holds, and exit with code 1 for them")
    add_switch(
        parser, "--held-below", "with --floating: list also objects that are held only from the side or from above"
    )
    add_names(
        parser,
        "--ground",
        "with --floating: bodies that need no support, as in rules (default: those declared static, infinite planes, "
        "and what has nothing below it and is connected with other bodies or below some)",
    )
    _add_evidence(parser, "the separating translation and the contacts")
    add_switch(
        parser,
        "--unfold",
        "in the text report, list each pair: those of folded lines, and those similar to another",
    )
    _add_format(parser, FORMATS)
    parser.add_argument(
        "--plane",
        choices=option_values.PLANES,
        help="test outlines in this plane; camera: the view plane of the active, orthographic camera",
    )
    parser.add_argument("--picture", type=values.file, metavar="OUT.png", help="render a picture of the worst pair")
    parser.add_argument(
        "--fail-on",
        type=values.verdicts,
        metavar="VERDICT,…",
        help=f"results that exit with code 1: {', '.join(option_values.VERDICTS)}, or none "
        "(default: duplicate,penetrating,contained,coplanar)",
    )
    _add_config(parser, "options, named tests and ignore rules")
    _add_file(
        parser,
        "--baseline",
        "JSON report of an earlier check: exit with code 1 only for pairs that are new or have become deeper",
    )
    _add_file(
        parser,
        "--bcf",
        "BCF file with the status, the assignee and the comments of pairs, which reports then contain "
        "(default: what the .blend file stores)",
    )
    add_switch(
        parser,
        "--suggest-rules",
        f"instead of the report, write ignore rules for pairs that look intended, for {CONFIG}; exit with code 0 "
        "also if there are collisions",
    )
    # Missing options can come from the configuration.
    parser.set_defaults(scope=None, include_operands=None, include_hidden=None, allow_empty=None)


def _add_format(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    parser.set_defaults(formats=formats)
    parser.add_argument(
        "--format", choices=formats, help="report format (default: by the extension of --output, else text)"
    )


def _add_config(parser: argparse.ArgumentParser, what: str) -> None:
    where = f"{CONFIG} next to the scene file or in the nearest folder above it; else what the .blend file stores"
    _add_file(parser, "--config", f"configuration with {what} (default: {where})")


def _add_one_thing(parser: argparse.ArgumentParser, unless: str = "") -> None:
    """Add the option for declared things. `unless` says which option lists their pairs nevertheless."""
    parser.add_argument(
        "--one-thing",
        action="append",
        type=values.pattern,
        metavar="PATTERN",
        help="objects that are one thing, such as a car of many parts: '*' for everything, collection:GLOB, "
        f"parent:GLOB or a GLOB of names; pairs among them are folded into one line{unless}",
    )


def _add_evidence(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--evidence",
        choices=("all", "none"),
        help=f"measure {what} of meshes that are not convex, which takes longer than verdicts and depths "
        "(default: all, if the report is more than text)",
    )


def _add_empty(parser: argparse.ArgumentParser, nothing: str) -> None:
    add_switch(parser, "--allow-empty", f"exit with code 0 instead of 2 if there is {nothing}")


def add_cull(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cull` to its parser."""
    parser.add_argument("--camera", default="", metavar="NAME", help="camera to use (default: the active camera)")
    _add_hidden(parser)
    parser.add_argument(
        "--frames",
        type=values.frames,
        metavar="A:B|scene",
        help="frames A to B, or the frame range of the scene (default: the current frame)",
    )
    method = parser.add_mutually_exclusive_group()
    add_switch(method, "--exact", "test the exact shape of each object (default)", default=True)
    method.add_argument(
        "--conservative",
        dest="exact",
        action="store_false",
        help="test the planes of the view only; large objects near a corner may count as crossing",
    )
    _add_format(parser, _TESTS)


def add_probe(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `probe` to its parser."""
    _add_scope(parser)
    _add_empty(parser, "no body to walk on")
    _add_starts(parser, "--start", "(default: those whose names begin with start or spawn)")
    _add_character(parser)
    _add_length(
        parser,
        "--margin",
        "report steps that are too high, and passages that are too narrow, by up to this "
        "(default: an eighth of the radius)",
    )
    parser.add_argument(
        "--accept",
        action="append",
        default=[],
        metavar="ID",
        help="issue that is no fault; may be given several times",
    )
    _add_file(parser, "--baseline", "earlier JSON report: only issues that it does not have exit with code 1")
    _add_format(parser, _TESTS)


def _add_starts(parser: argparse._ActionsContainer, option: str, otherwise: str) -> None:
    parser.add_argument(
        option,
        dest="start",
        action="append",
        default=[],
        metavar="NAME|X,Y,Z",
        help="empty or object below whose origin the character begins, or a point; may be given several times "
        + otherwise,
    )


def _add_character(parser: argparse._ActionsContainer) -> None:
    presets = "; ".join(f"{name}: {one.title}" for name, one in CHARACTERS.items())
    parser.add_argument(
        "--character", choices=CHARACTERS, help=f"size, step and slope as of an engine's character. {presets}"
    )
    _add_length(parser, "--radius", "radius of the capsule (default: 0.4)")
    _add_length(parser, "--height", "height of the whole capsule (default: 1.8)")
    _add_length(parser, "--step", "highest step that it climbs (default: 0.35)")
    parser.add_argument(
        "--slope", type=values.degrees, metavar="DEGREES", help="steepest slope that it walks on (default: 45)"
    )
    _add_length(parser, "--drop", "how far it may drop (default: 2)")
    add_switch(parser, "--ball", "roll a ball of that radius instead, such as a marble or a wheel")
    _add_length(parser, "--spacing", "distance of the columns between which it moves (default: 0.25)")


def add_motion(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `motion` to its parser."""
    _add_scope(parser)
    _add_empty(parser, "no body to test")
    parser.add_argument(
        "--frames",
        type=values.frames,
        default="scene",
        metavar="A:B|scene",
        help="frames A to B (default: the frame range of the scene or, of an imported file, of its keys)",
    )
    parser.add_argument(
        "--clip",
        default="",
        metavar=f"NAME|{EVERY}",
        help="animation clip of a glTF file, or NLA track, to play (default: the one that is played after the import); "
        f"{EVERY}: each, as in a report on many files",
    )
    _add_length(
        parser,
        "--deviation",
        "how far the tested motion may deviate from the animation between frames "
        "(default: 1/100 of the radius of each object)",
    )
    _add_length(
        parser,
        "--clearance",
        "also list objects that never touch, but come nearer than this, in meters (default: 0, none)",
        default=0.0,
    )
    _add_one_thing(parser)
    _add_evidence(parser, "the separating translation")
    _add_format(parser, _TESTS)
    _add_config(parser, "named tests and ignore rules")
    parser.add_argument(
        "--fail-on",
        type=values.statuses,
        default=FAULTS,
        metavar="STATUS,…",
        help=f"contacts that exit with code 1: {', '.join(FAILURES)}, or none (default: new,undecided); "
        "started: touching from the first frame; penetrating: deeper than touching in any frame; "
        "near: nearer than --clearance",
    )


def add_validate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `validate` to its parser."""
    usual = Limits()
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="any",
        help="engine whose rules are checked in addition to the general rules (default: any)",
    )
    parser.add_argument(
        "--scope",
        type=values.scope,
        default=("ALL", ""),
        metavar="all|visible|selected|collection:NAME",
        help="objects whose colliders are validated (default: all, including hidden ones)",
    )
    _add_second(parser, _COLLIDERS)
    _add_length(parser, "--smallest", f"minimum thickness of a collider (default: {usual.smallest:g} m)")
    _add_count(parser, "--vertices", usual.vertices, "maximum number of vertices of a convex collider")
    _add_count(parser, "--triangles", usual.triangles, "maximum number of triangles of a triangle mesh collider")
    _add_thresholds(parser)
    _add_severity(parser, "lowest severity that exits with code 1")
    add_switch(
        parser,
        "--fix",
        "fix all issues that need no decision, save the scene to --output OUT.blend, and report what remains",
    )
    add_switch(parser, "--in-place", "with --fix: save the scene to FILE itself, if anything was fixed")
    _add_empty(parser, "nothing to validate")
    _add_format(parser, _TESTS)


def _add_thresholds(parser: argparse.ArgumentParser) -> None:
    _add_length(
        parser,
        "--max-outside",
        "a collider that sticks out of what is seen by more than this is an error: meters, or 5cm (default: that of "
        "the configuration, else none)",
    )
    _add_length(
        parser,
        "--max-inside",
        "what is seen and outside of every collider by more than this is an error (default: as above)",
    )
    _add_config(parser, "thresholds")


def add_coverage(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `coverage` to its parser."""
    parser.add_argument(
        "--scope",
        type=values.scope,
        default=("ALL", ""),
        metavar="all|visible|selected|collection:NAME",
        help="objects whose colliders are compared (default: all)",
    )
    _add_second(parser, _COLLIDERS)
    _add_hidden(parser)
    _add_thresholds(parser)
    _add_length(
        parser, "--tolerance", "of the distances that are measured (default: 1/1000 of the diagonal of each object)"
    )
    parser.add_argument(
        "--engine", choices=ENGINES, default="any", help="engine whose thresholds the configuration has (default: any)"
    )
    add_switch(parser, "--require-colliders", "also exit with code 1 if a visible object has no collider")
    reached = parser.add_argument_group("what a character comes near")
    _add_starts(reached, "--from", "(default: everything counts, wherever a character gets)")
    _add_length(reached, "--reach", "how near it must come (default: one and a half of --spacing)")
    _add_character(reached)
    _add_empty(parser, "no visible object")
    _add_format(parser, _TESTS)


def _add_in_place(parser: argparse.ArgumentParser) -> None:
    add_switch(parser, "--in-place", f"save the scene to FILE itself ({SAVED}), if anything was changed")


def _add_written(parser: argparse.ArgumentParser) -> None:
    """Add the options for the files that a scene is written to."""
    written = parser.add_argument_group("written files")
    written.add_argument(
        "--collider-meshes",
        choices=("auto", "leave-out", "keep"),
        help="glTF: whether colliders keep their visible meshes (default: as the scene says; auto: if they are "
        "recognized by name, except with OMI for Godot)",
    )
    written.add_argument(
        "--physics", choices=("both", "khr", "omi"), help="glTF: physics extensions (default: as the scene says)"
    )
    written.add_argument(
        "--omi-capsules",
        choices=("between-centers", "total"),
        help="glTF: height of capsules in OMI_physics_shape (default: as the scene says; total with --engine godot)",
    )
    written.add_argument(
        "--no-modifiers",
        dest="apply_modifiers",
        action="store_false",
        help="glTF, FBX: do not apply modifiers; glTF keeps shape keys only then",
    )


def add_make(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `make` to its parser."""
    parser.add_argument(
        "--kind",
        required=True,
        choices=(*(kind.lower().replace("_", "-") for kind, *_ in KINDS), "pieces"),
        help="type of the colliders; pieces: several convex hulls for each object",
    )
    parser.add_argument(
        "--engine",
        required=True,
        choices=ENGINES,
        help="engine whose naming convention the colliders follow; any: that of Unreal, usd: that of glTF",
    )
    what = "only render meshes whose name matches GLOB; may be given several times (default: all)"
    add_names(parser, "--objects", what)
    parser.add_argument(
        "--name",
        dest="template",
        metavar="TEMPLATE",
        help="template for names, with {mesh}, {base}, {lod}, {kind}, {prefix}, {suffix}, {engine} and {index} "
        "(default: that of the configuration or else of the scene for the engine, else the engine's own names)",
    )
    _add_config(parser, "templates for names")
    parser.add_argument(
        "--existing",
        choices=("keep", "add", "replace"),
        default="keep",
        help="render meshes that have colliders: left as they are (default), given more, or given new ones instead",
    )
    around = parser.add_mutually_exclusive_group()
    add_switch(around, "--loose-parts", "one collider for each loose part of a mesh")
    add_switch(around, "--vertex-groups", "one collider for each vertex group; that of a bone follows the bone")
    what = "maximum number of vertices of a reduced hull, a Best Fit hull, or each piece"
    _add_count(parser, "--vertices", 32, what)
    _add_length(parser, "--thickness", "minimum thickness of boxes: meters, or 5mm (default: 0)")
    _add_length(
        parser,
        "--max-gap",
        "of kind best: the simplest type whose largest gap to the mesh is no larger, in meters, or 5mm "
        "(default: the simplest whose volume is within 10 %% of the smallest)",
    )
    _add_count(parser, "--pieces", 8, "maximum number of pieces", values.count)
    parser.add_argument(
        "--quality",
        choices=[preset.lower() for preset, *_ in PRESETS],
        default="balanced",
        help="of kind pieces: how closely they follow the mesh (default: %(default)s)",
    )
    what = "lowest severity of what is found of the colliders that makes the exit code 1; none: never"
    _add_severity(parser, what, "warning")
    _add_in_place(parser)
    _add_written(parser)
    _add_hidden(parser, "make colliders for, and write,")
    _add_empty(parser, "no render mesh")
    _add_format(parser, _BRIEF)


def add_fix(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fix` to its parser."""
    _add_scope(parser)
    parser.add_argument(
        "--repair",
        type=values.repairs,
        default=frozenset(values.REPAIRS),
        metavar="WHAT,…",
        help="colliders: what validate --fix repairs; penetrations: push apart what penetrates (default: both)",
    )
    _add_length(parser, "--close-gaps", "also move objects that are closer than this into contact")
    parser.add_argument(
        "--engine", choices=ENGINES, default="any", help="engine for which colliders are repaired (default: any)"
    )
    _add_touching(parser)
    _add_config(parser, "named tests and ignore rules")
    _add_in_place(parser)
    _add_written(parser)
    _add_format(parser, _BRIEF)


def add_export(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `export` to its parser."""
    parser.add_argument(
        "--validate",
        choices=ENGINES,
        metavar="ENGINE",
        help="check first how this engine will import the colliders; if there are issues of the severity of --fail-on "
        "or worse, write nothing and exit with code 1",
    )
    _add_severity(parser, "with --validate: lowest severity that stops the export; none: only list the issues")
    parser.set_defaults(in_place=False)
    _add_hidden(parser, "write")
    _add_written(parser)
    _add_format(parser, _BRIEF)
