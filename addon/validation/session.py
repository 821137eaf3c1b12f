# SPDX-License-Identifier: GPL-3.0-or-later
"""What the last validation found and what was repaired since, kept in Python and keyed by `session_uid`."""

from dataclasses import dataclass

import bpy

from .report import ValidationReport, Violation


@dataclass(eq=False)
class Kept:
    """A validation of a scene.

    Attributes
    ----------
    report : ValidationReport
    scene_uid : int
    changed : bool
        Objects have changed since.
    """

    report: ValidationReport
    scene_uid: int
    changed: bool = False


_kept: list[Kept] = []


def kept() -> Kept | None:
    """Return the last validation; None if there is none."""
    return _kept[0] if _kept else None


def keep(context: bpy.types.Context, report: ValidationReport) -> None:
    """Remember a validation, and forget the one before."""
    _kept[:] = [Kept(report, context.scene.session_uid)]


def kept_here(context: bpy.types.Context) -> Kept | None:
    """The last validation, if it was one of this scene."""
    found = kept()
    return found if found is not None and found.scene_uid == context.scene.session_uid else None


def violation(context: bpy.types.Context, row: int) -> Violation | None:
    """A finding of this scene by its row; None where there is none."""
    found = kept_here(context)
    rows = found.report.violations if found is not None else ()
    return rows[row] if 0 <= row < len(rows) else None


def row_after_active(context: bpy.types.Context) -> int:
    """The first finding about the object that is listed after the active one; after the last comes the first."""
    found = kept_here(context)
    uids = [one.uid for one in found.report.violations] if found is not None else []
    objects, active = list(dict.fromkeys(uids)), _active_uid(context)
    if not objects:
        return -1
    place = objects.index(active) + 1 if active in objects else 0
    return uids.index(objects[place % len(objects)])


def fixable_row_of_active(context: bpy.types.Context) -> int:
    """The first finding about the active object that can be fixed automatically; -1 if there is none."""
    found, active = kept_here(context), _active_uid(context)
    rows = enumerate(found.report.violations if found is not None else ())
    return next((row for row, one in rows if one.fixable and one.uid == active), -1)


def _active_uid(context: bpy.types.Context) -> int | None:
    active = context.view_layer.objects.active
    return active.session_uid if active is not None else None


def mark_changed() -> None:
    """Take note that objects have changed."""
    if _kept:
        _kept[0].changed = True


def forget() -> None:
    """Forget the last validation."""
    _kept.clear()
