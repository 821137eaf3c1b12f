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


def mark_changed() -> None:
    """Take note that objects have changed."""
    if _kept:
        _kept[0].changed = True


def forget() -> None:
    """Forget the last validation."""
    _kept.clear()
