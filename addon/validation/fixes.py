# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs what a validation found, and validates again: one finding, or all that can be repaired."""

from collections.abc import Callable, Iterator

import bpy

from ..model.validation_report import Done, ValidationReport, Violation
from ..scene.colliders.collider_scene import read_colliders
from ..scene.colliders.repair import ORDER, repair

# One repair can lay open what another rule looks at: a mesh that is split has pieces of its own.
_MOST_PASSES = 8

Validate = Callable[[], ValidationReport]


def fix_one(context: bpy.types.Context, report: ValidationReport, violation: Violation) -> Done | None:
    """Repair one finding; None if its object is gone."""
    objects = {ob.session_uid: ob for ob in context.scene.objects}
    ob = objects.get(violation.uid)
    if ob is None:
        return None
    found = read_colliders(context, [ob], report.engine)
    owner = objects.get(found.owners.get(ob.session_uid, 0))
    name = ob.name
    repair(context, ob, violation.rule, report.limits, owner.name if owner is not None else "")
    return Done(name, violation.rule.id, violation.rule.fix)


def fix_each(
    context: bpy.types.Context, report: ValidationReport, validate: Validate
) -> tuple[ValidationReport, list[Done]]:
    """Repair everything that can be repaired, as long as there is more; nothing twice.

    Returns
    -------
    report : ValidationReport
        On what is left.
    done : list of Done
        In the order in which it was done.
    """
    done: list[Done] = []
    tried: set[tuple[int, str]] = set()
    for _ in range(_MOST_PASSES):
        before = len(tried)
        for violation in _next(report, tried):
            tried.add((violation.uid, violation.rule.id))
            one = fix_one(context, report, violation)
            if one is not None:
                done.append(one)
        if len(tried) == before:
            break
        report = validate()
    return report, done


def _next(report: ValidationReport, tried: set[tuple[int, str]]) -> Iterator[Violation]:
    """One repair for each object that has any left: the first in order."""
    left = [one for one in report.violations if one.fixable and (one.uid, one.rule.id) not in tried]
    seen: set[int] = set()
    for violation in sorted(left, key=lambda one: ORDER.index(one.rule.fix)):
        if violation.uid not in seen:
            seen.add(violation.uid)
            yield violation
