# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about a pair of the last check, the same in the view and in the sidebar."""

import bpy

from ...core.constants import Verdict
from ..i18n.lookup import label_
from ..i18n.units import gap_text, near_text, said_text, spoken_text
from ..model.message import Message
from ..model.report import PairResult
from ..scene import reading
from ..session.collision_results import last_check
from . import framing

# Dimensionless: a body that the other holds, and that is in it by less than this fraction of its smallest extent, may
# be pressed in on purpose.
_FIT = 0.01


def may_be_a_fit(pair: PairResult) -> bool:
    """Return whether a pair of the last check may be a press fit: held on several sides, and hardly deep."""
    world = last_check.world
    if world is None or not pair.held or pair.verdict != Verdict.PENETRATING:
        return False
    lower, upper = reading.batches.bounds_of(world, (pair.shape_a, pair.shape_b))
    return abs(pair.gap) < _FIT * float((upper - lower).min(axis=1).min())


def goes_through(pair: PairResult) -> bool:
    """Return whether one body of a pair of the last check goes through the other, as `framing.goes_through`."""
    world = last_check.world
    return world is not None and framing.goes_through(world, pair)


def in_list(pair: PairResult, units: bpy.types.UnitSettings) -> str:
    """Return the depth or the gap of a pair of the last check for a list. Empty if it would add nothing to the verdict.

    That of a body that goes through the other is the length of a way out, which is not always the one that is advised.
    """
    if pair.faces:
        return label_("{count} faces", count=len(pair.faces))
    if pair.verdict in {Verdict.DUPLICATE, Verdict.COPLANAR}:
        return ""
    return label_("through") if goes_through(pair) else gap_text(pair, units)


def said(pair: PairResult, units: bpy.types.UnitSettings) -> Message:
    """Describe the relation of a pair of the last check, in words with at most one length."""
    report, world = last_check.report, last_check.world
    if goes_through(pair):
        return Message("goes through")
    if pair.verdict == Verdict.DUPLICATE and not pair.faces:
        return Message("same place as {name}", name=last_check.body_name(last_check.bodies_of(pair)[1]))
    if world is not None and pair.verdict == Verdict.CONTAINED and not pair.faces:
        container = last_check.bodies_of(pair)[1 - framing.inner_side(world, pair)]
        length, name = spoken_text(abs(pair.gap), units), last_check.body_name(container)
        if pair.at_least:
            return Message("at least {length} inside {name}", length=length, name=name)
        return Message("{length} inside {name}", length=length, name=name)
    if report is not None and pair.verdict == Verdict.WITHIN_CLEARANCE:
        return near_text(pair, report.clearance_of(pair), units)
    return said_text(pair, units)
