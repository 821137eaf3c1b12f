# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of operators about a fix: what was moved, what was not and why, and what still penetrates."""

from collections.abc import Sequence

import bpy

from ... import fixes
from ...i18n.lookup import enumerated, report_, sentences
from ...i18n.units import direction_text, spoken_text
from ...scene.objects.moving import Lock
from ...system.late import np

# Maximum number of sentences in a line of the status bar.
_MOST = 3


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
            length=spoken_text(one.depth, units),
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
    fine = {fixes.fix_result.Refusal.ALREADY, fixes.fix_result.Refusal.CLEAR}
    wrong = bool(result.left) or any(one.refusal not in fine for one in result.refused)
    operator.report({"WARNING" if wrong else "INFO"}, sentences(texts))
    return {"FINISHED"} if result.moved else {"CANCELLED"}


def _moved(result: "fixes.fix_result.FixResult", units: bpy.types.UnitSettings) -> str:
    length = spoken_text(result.farthest, units)
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
    name, other, length = one.name, one.other, spoken_text(one.length, units)
    if one.refusal is fixes.fix_result.Refusal.FLOOR:
        return report_('"{name}" was not moved: infinite planes stay put', name=name)
    if one.refusal is fixes.fix_result.Refusal.NO_SHAPE:
        return report_('"{name}" has no collision shape', name=name)
    if one.refusal is fixes.fix_result.Refusal.NOTHING_HIT:
        return report_('"{name}" was not moved: nothing in that direction', name=name)
    if one.refusal is fixes.fix_result.Refusal.ALREADY:
        return report_('"{name}" already touches "{other}"', name=name, other=other)
    if one.refusal is fixes.fix_result.Refusal.CLEAR:
        return report_(
            '"{name}" is {length} away from "{other}": that is enough', name=name, other=other, length=length
        )
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
