# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of the last validation, and the fixes since."""

from dataclasses import dataclass, field

import bpy

from ..model.validation_report import ValidationIssue, ValidationReport
from ..scene import events
from ..scene.events import SceneChange
from .latest import Change, Latest, Result


@dataclass(eq=False)
class ValidationResult(Result):
    """A validation of a scene."""

    report: ValidationReport = field(kw_only=True)

    def happened(self, change: SceneChange) -> None:
        """Record a change of a scene. Colliders may belong to any object."""
        if change.uids and not change.frame and self.change is None:
            self.change = Change.SCENE


latest: "Latest[ValidationResult]" = Latest()


def keep(context: bpy.types.Context, report: ValidationReport, *, changed: bool = False) -> None:
    """Store a validation, and drop the previous one. `changed`: the scene has changed since."""
    latest.store(ValidationResult(place=events.place(context), report=report, change=Change.SCENE if changed else None))


def kept_here(context: bpy.types.Context) -> ValidationResult | None:
    """Return the last validation, if it was in this scene."""
    return latest.here(events.place(context))


def issue(context: bpy.types.Context, row: int) -> ValidationIssue | None:
    """Return an issue of this scene by its row. None if the row does not exist."""
    found = kept_here(context)
    rows = found.report.issues if found is not None else ()
    return rows[row] if 0 <= row < len(rows) else None


def uids_of(context: bpy.types.Context, rule: str) -> list[int]:
    """Return the `session_uid` of each object of this scene that violates the rule with this id."""
    found = kept_here(context)
    issue_group = found.report.by_rule.get(rule) if found is not None else None
    return [found.report.issues[row].uid for row in issue_group.rows] if found is not None and issue_group else []


def row_after_active(context: bpy.types.Context) -> int:
    """Return the first issue of the object after the active one in the list. After the last comes the first."""
    found = kept_here(context)
    uids = [one.uid for one in found.report.issues] if found is not None else []
    objects, active = list(dict.fromkeys(uids)), _active_uid(context)
    if not objects:
        return -1
    place = objects.index(active) + 1 if active in objects else 0
    return uids.index(objects[place % len(objects)])


def fixable_row_of_active(context: bpy.types.Context) -> int:
    """Return the first issue of the active object that can be fixed automatically. -1 if there is none."""
    found, active = kept_here(context), _active_uid(context)
    rows = enumerate(found.report.issues if found is not None else ())
    return next((row for row, one in rows if one.fixable and one.uid == active), -1)


def _active_uid(context: bpy.types.Context) -> int | None:
    active = context.view_layer.objects.active
    return active.session_uid if active is not None else None
