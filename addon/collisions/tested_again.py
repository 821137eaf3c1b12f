# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of results that come from the file, which does not store shapes. They are read again."""

from collections.abc import Iterable

import bpy

from ...core import World
from ...core.planar.world import PlacedWorld
from ..model.errors import UserError
from ..model.report import Body, Report, Settings, Shape
from ..scene import events
from ..scene.open_file import objects_by_uid
from ..scene.scope import ScopeSelection
from ..session import isolation
from ..session.collision_results import last_check
from .check import shapes_of


def read_again(context: bpy.types.Context, *, marks: bool = True) -> None:
    """Read the tested shapes of the last results if those come from the file.

    If the shapes would be different now, all objects are marked as changed, unless `marks` is False.
    """
    report, settings = last_check.report, last_check.settings
    if report is None or settings is None or last_check.world is not None or last_check.place != events.place(context):
        return
    last_check.world = _world(context, report, settings)
    if last_check.world is None and marks:
        last_check.mark_changed(last_check.uids)


def tested_objects(report: Report) -> ScopeSelection:
    """Return the tested objects. For instances, their instancers."""
    keys = {key for body in report.bodies for key in (body.key, *body.members)}
    return ScopeSelection(list(objects_by_uid(key.selected_uid for key in keys).values()))


def _world(context: bpy.types.Context, report: Report, settings: Settings) -> World | PlacedWorld | None:
    """Return the shapes, row for row with the report. None if they would be different now."""
    try:
        with isolation.overlooked(context):
            shapes = shapes_of(context, settings, tested_objects(report))
    except UserError:
        return None
    same = _rows(shapes.bodies, shapes.shapes) == _rows(report.bodies, report.shapes)
    return shapes.world if same else None


def _rows(bodies: Iterable[Body], shapes: Iterable[Shape]) -> tuple[list[object], list[object]]:
    return [body.key for body in bodies], [(shape.body, shape.kind, shape.margin) for shape in shapes]
