# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix a whole scene without user interaction: colliders, penetrations and, if requested, gaps."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import bpy

from ...core.constants import Verdict
from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from ..asset_rules.limits import Limits
from ..collisions import check
from ..i18n.rule_sentences import message
from ..model.marks import PairMarks
from ..model.report import PairResult, Report, Settings, body_uids
from ..model.rules import IgnoreRule
from ..model.steps import Taking, quietly
from ..model.validation_report import ValidationReport
from ..model.verdict_names import DEEP, NAMES
from ..model.writing_reports import FixReport, LeftPair, Moved, ObjectMessage
from ..scene import open_file
from ..scene.accepted_pairs import marked
from ..validation import check as validation
from ..validation.fixes import Repairs
from ..validation.run import fix_steps
from . import moving
from .first_to_move import first_to_move
from .fix_result import FixResult, NotMoved, Refusal

# What can be fixed.
REPAIRS = ("colliders", "penetrations", "gaps")


class FixRequest(NamedTuple):
    """Options for fixing the scene.

    Attributes
    ----------
    repairs : collection of str
        Some of `REPAIRS`.
    engine : str
        As for `validate`.
    limits : Limits
    settings : Settings
        Scope, tolerances and named tests of the check. Its clearance is the largest gap that is closed.
    ignore : tuple of IgnoreRule
        Pairs that are not changed, in addition to accepted ones.
    """

    repairs: Collection[str]
    engine: str
    limits: Limits
    settings: Settings
    ignore: tuple[IgnoreRule, ...] = ()


def fix_scene(context: bpy.types.Context, request: FixRequest, take: Taking = quietly) -> FixReport:
    """Fix colliders first, then push penetrating objects apart, then close gaps. Report what is left.

    The smaller of two objects is moved, unless it cannot be. Accepted and ignored pairs are not changed.

    Parameters
    ----------
    context : bpy.types.Context
    request : FixRequest
    take : Taking
        Runs the steps of each part of the work.

    Raises
    ------
    UserError
        If a collection does not exist.
    """
    validated = _validated(context, request, take) if "colliders" in request.repairs else None
    report, marks, world = _checked(context, request, take)
    results = []
    if "penetrations" in request.repairs:
        results.append(_pushed_apart(context, request, report, marks, world, take))
        report, marks, world = _checked(context, request, take)
    if "gaps" in request.repairs:
        results += _closed(context, request, report, marks, world)
        report, marks, world = _checked(context, request, take)
    return replace(
        FixReport(report.file, report.scene, report.units),
        fixed=() if validated is None else validated.done,
        moved=_moves(results),
        refused=tuple(
            ObjectMessage(one.name, _reason(one))
            for result in results
            for one in result.refused
            if one.refusal is not Refusal.ALREADY
        ),
        left=tuple(
            LeftPair(
                report.bodies[pair.body_a].name, report.bodies[pair.body_b].name, NAMES[pair.verdict], -pair.distance
            )
            for pair in _open(report, marks, _wrong(request))
        ),
        unfixed=() if validated is None else _issues(validated),
    )


def _validated(context: bpy.types.Context, request: FixRequest, take: Taking) -> ValidationReport:
    before = take(validation.steps(context, request.engine, "ALL", limits=request.limits), "validating colliders")
    return take(fix_steps(context, Repairs(before)), "repairing colliders")


def _issues(report: ValidationReport) -> tuple[ObjectMessage, ...]:
    return tuple(
        ObjectMessage(one.object, f"[{one.rule.id}] {message(one, report.units)}")
        for one in report.issues
        if one.rule.severity == "error"
    )


def _wrong(request: FixRequest) -> set[Verdict]:
    """Return the verdicts that are faults."""
    penetrating = set(DEEP) if "penetrations" in request.repairs else set()
    return penetrating | ({Verdict.WITHIN_CLEARANCE} if "gaps" in request.repairs else set())


def _checked(
    context: bpy.types.Context, request: FixRequest, take: Taking
) -> tuple[Report, PairMarks, World | PlacedWorld]:
    report, shapes = take(check.steps(context, request.settings, evidence=False), "testing pairs")
    return report, marked(context.scene, report, request.ignore), shapes.world


def _open(report: Report, marks: PairMarks, verdicts: Collection[Verdict]) -> list[PairResult]:
    return [report.pairs[row] for row in marks.open_rows(report, verdicts)]


def _pushed_apart(
    context: bpy.types.Context,
    request: FixRequest,
    report: Report,
    marks: PairMarks,
    world: World | PlacedWorld,
    take: Taking,
) -> FixResult:
    wrong = set(marks.open_rows(report, DEEP))
    meant = set(range(len(report.pairs))) - set(marks.open_rows(report, list(NAMES)))
    leave = frozenset(
        frozenset((report.bodies[pair.body_a].key, report.bodies[pair.body_b].key))
        for pair in (report.pairs[row] for row in meant)
    )
    moved = dict.fromkeys(first_to_move(report, world, report.pairs[row])[0].selected_uid for row in sorted(wrong))
    uids = list(open_file.objects_by_uid(moved))
    if not uids:
        return FixResult()
    return take(moving.push_apart_steps(context, uids, settings=request.settings, leave=leave), "moving objects")


def _closed(
    context: bpy.types.Context, request: FixRequest, report: Report, marks: PairMarks, world: World | PlacedWorld
) -> list[FixResult]:
    """Move the smaller object of each pair to the other, nearest pairs first, and no object twice."""
    done: set[int] = set()
    results = []
    bodies = {body.key: body for body in report.bodies}
    for pair in sorted(_open(report, marks, {Verdict.WITHIN_CLEARANCE}), key=lambda pair: pair.distance):
        mover, other = first_to_move(report, world, pair)
        found = open_file.objects_by_uid([mover.selected_uid])
        if not found or mover.selected_uid in done:
            continue
        result = moving.snap(context, found[mover.selected_uid], body_uids(bodies[other]), settings=request.settings)
        results.append(result)
        if result.moved:
            # An object that touches something now is not moved again.
            done |= body_uids(bodies[mover]) | body_uids(bodies[other])
    return results


def _moves(results: Sequence[FixResult]) -> tuple[Moved, ...]:
    ways: dict[str, tuple[float, float, float]] = {}
    onto: dict[str, str] = {}
    for result in results:
        for name, way in result.moved.items():
            x, y, z = ways.get(name, (0.0, 0.0, 0.0))
            ways[name] = (x + float(way[0]), y + float(way[1]), z + float(way[2]))
        onto |= result.onto
    return tuple(Moved(name, way, onto.get(name, "")) for name, way in ways.items())


def _reason(one: NotMoved) -> str:
    """Return the reason why an object was not moved, in English."""
    texts = {
        Refusal.FLOOR: "infinite planes are not moved",
        Refusal.NO_SHAPE: "it has no collision shape",
        Refusal.NO_FREE_POSITION: "no free position found",
        Refusal.INSIDE: f"it penetrates {one.other}",
        Refusal.NOTHING_HIT: "nothing to touch",
        Refusal.DIRECTION: "it cannot be moved in that direction",
    }
    reason = "" if one.refusal is None else texts[one.refusal]
    return ", ".join(filter(None, [reason, *(lock.value for lock in one.locks)]))
