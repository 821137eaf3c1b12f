# SPDX-License-Identifier: GPL-3.0-or-later
"""``collision-kit validate``: its options, and what it does with them; `cli` does what all commands have in common."""

import argparse
from collections.abc import Callable
from dataclasses import replace

import bpy

from ..asset_rules import ENGINES, SEVERITIES, Limits
from ..model.validation_report import ValidationReport
from ..reports.validation import validation_as_json, validation_as_text
from ..validation.check import usual_limits, validate

FORMATS = {"text": validation_as_text, "json": validation_as_json}


def add_options(
    parser: argparse.ArgumentParser, scope: Callable[[str], tuple[str, str]], length: Callable[[str], float]
) -> None:
    """Add the options of the command; `scope` and `length` read what all commands write alike."""
    usual = Limits()
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="any",
        help="engine whose rules are checked in addition to the general rules (default: any)",
    )
    parser.add_argument(
        "--scope",
        type=scope,
        default=("ALL", ""),
        metavar="all|visible|selected|collection:NAME",
        help="objects whose colliders are validated (default: all, including hidden ones)",
    )
    parser.add_argument(
        "--smallest", type=length, metavar="M", help=f"minimum thickness of a collider (default: {usual.smallest:g} m)"
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


def run(options: argparse.Namespace, context: bpy.types.Context) -> ValidationReport:
    """Validate the open scene as the options say.

    Raises
    ------
    ValueError
        As `validate`.
    """
    limits = replace(usual_limits(context.scene), vertices=options.vertices, triangles=options.triangles)
    if options.smallest is not None:
        limits = replace(limits, smallest=options.smallest / context.scene.unit_settings.scale_length)
    scope, collection = options.scope
    return validate(context, options.engine, scope, collection=collection, limits=limits)


def _budget(text: str) -> int:
    if not text.isdecimal() or int(text) < 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 4")
    return int(text)
