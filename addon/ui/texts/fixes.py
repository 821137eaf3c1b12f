# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of operators about a fix: what was moved, what was not and why, and what still penetrates."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ... import fixes
from ...i18n.lookup import enumerated, report_, sentences
from ...i18n.units import direction_text, length_text
from ...model.report import Body, PairResult
from ...scene.objects.collision_settings import is_own
from ...scene.objects.moving import Lock
from ...scene.open_file import objects_by_uid
from ...session.collision_results import last_check
from ...system.late import np

if TYPE_CHECKING:
    from ....core.numerics.types import Floats

# Maximum number of sentences in a line of the status bar.
_MOST = 3


class WayOut(NamedTuple):
    """The shortest separating translation of a pair for one of its objects.

    Attributes
    ----------
    which : str
        A or B: the first or the second object of the pair.
    body : Body
    length : float
        In Blender units.
    direction : (3,) float64
        Unit vector in world space.
    """

    which: str
    body: Body
    length: float
    direction: "Floats"


def ways_out(context: bpy.types.Context, pair: PairResult) -> list[WayOut]:
    """Return how either object of a pair of the session's report would leave the other, the one to move first.

    This is the active object, except for an infinite plane and, if the other can be moved, a linked object or an
    override that cannot be edited.
    """
    report = last_check.report
    assert report is not None
    bodies, direction = last_check.bodies_of(pair), pair.normal
    ways = [
        WayOut("A", bodies[0], -pair.distance, -direction),
        WayOut("B", bodies[1], -pair.distance, direction),
    ]
    if _is_of(context.active_object, bodies[1]) or not _is_of(context.active_object, bodies[0]):
        ways.reverse()
    shapes = {"A": pair.shape_a, "B": pair.shape_b}
    ways = [way for way in ways if report.shapes[shapes[way.which]].kind != "half-space"]
    return [way for way in ways if not _is_linked(way.body)] or ways


def _is_linked(body: Body) -> bool:
    """Return whether an object is linked, or an override that cannot be edited.

    An instance's instancer can be moved.
    """
    if body.key.instancer_uid or not body.library_file:
        return False
    ob = objects_by_uid([body.key.session_uid]).get(body.key.session_uid)
    return bool(body.library) or (ob is not None and not is_own(ob))


def _is_of(ob: bpy.types.Object | None, body: Body) -> bool:
    """Return whether an object is a part of a body."""
    return ob is not None and ob.session_uid in {key.session_uid for key in (body.key, *body.members)}


def told(operator: bpy.types.Operator, context: bpy.types.Context, result: "fixes.fix_result.FixResult") -> set[str]:
    """Report the result of a fix in an operator. Return whether there is anything to undo."""
    units = context.scene.unit_settings
    texts = [_moved(result, units)] if result.moved else []
    # These are already named as the reason.
    inside = [{one.name, one.other} for one in result.refused if one.refusal is fixes.fix_result.Refusal.INSIDE]
    left = [
        report_(
            '"{name}" still penetrates "{other}" by {length}',
            name=one.name,
            other=one.other,
            length=length_text(one.depth, units),
        )
        for one in result.left
        if {one.name, one.other} not in inside
    ]
    why = [_refusal(one, units) for one in result.refused]
    texts += _some([*why, *left])
    if result.one_by_one:
        texts.append(
            report_("More than {count} objects: moved one by one instead of both", count=fixes.moving.MOST_TOGETHER)
        )
    if not texts:
        texts = [report_("Nothing moved: no objects penetrate each other")]
    wrong = bool(result.left) or any(one.refusal != fixes.fix_result.Refusal.ALREADY for one in result.refused)
    operator.report({"WARNING" if wrong else "INFO"}, sentences(texts))
    return {"FINISHED"} if result.moved else {"CANCELLED"}


def _moved(result: "fixes.fix_result.FixResult", units: bpy.types.UnitSettings) -> str:
    length = length_text(result.farthest, units)
    if len(result.moved) > 1:
        return report_("{count} objects moved by up to {length}", count=len(result.moved), length=length)
    ((name, way),) = result.moved.items()
    size = float(np.linalg.norm(way))
    direction = direction_text(way / size) if size else ""
    if name in result.onto:
        return report_(
            '"{name}" moved by {length} along {direction} and now touches "{other}"',
            name=name,
            length=length,
            direction=direction,
            other=result.onto[name],
        )
    return report_('"{name}" moved by {length} along {direction}', name=name, length=length, direction=direction)


def _some(texts: Sequence[str]) -> list[str]:
    more = len(texts) - _MOST
    return [*texts[:_MOST], report_("and {count} more", count=more)] if more > 0 else list(texts)


def _refusal(one: "fixes.fix_result.NotMoved", units: bpy.types.UnitSettings) -> str:
    name, other, length = one.name, one.other, length_text(one.length, units)
    if one.refusal is fixes.fix_result.Refusal.FLOOR:
        return report_('"{name}" was not moved: infinite planes stay put', name=name)
    if one.refusal is fixes.fix_result.Refusal.NO_SHAPE:
        return report_('"{name}" has no collision shape', name=name)
    if one.refusal is fixes.fix_result.Refusal.NOTHING_HIT:
        return report_('"{name}" was not moved: nothing in that direction', name=name)
    if one.refusal is fixes.fix_result.Refusal.ALREADY:
        return report_('"{name}" already touches "{other}"', name=name, other=other)
    if one.refusal is fixes.fix_result.Refusal.INSIDE:
        return report_(
            '"{name}" penetrates "{other}" by {length}: push the two apart first',
            name=name,
            other=other,
            length=length,
        )
    held = enumerated(_lock(lock) for lock in one.locks)
    if one.refusal is fixes.fix_result.Refusal.NO_FREE_POSITION:
        if held:
            return report_('No free position found for "{name}": {reason}', name=name, reason=held)
        return report_('No free position found for "{name}"', name=name)
    if one.refusal is fixes.fix_result.Refusal.DIRECTION:
        return report_('"{name}" cannot be moved in that direction: {reason}', name=name, reason=held)
    return report_('"{name}" was not moved: {reason}', name=name, reason=held)


def _lock(lock: Lock) -> str:
    if lock is Lock.LINKED:
        return report_("linked from another file")
    if lock is Lock.CONSTRAINED:
        return report_("constrained")
    if lock is Lock.PARENT:
        return report_("blocked by the parent's transform")
    if lock is Lock.LOCKED:
        return report_("location locked")
    if lock is Lock.SIMULATED:
        return report_("rigid body is being simulated")
    return report_("location animated")
