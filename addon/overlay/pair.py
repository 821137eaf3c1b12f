# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pair of the last report is drawn in the viewport."""

from typing import Any
from weakref import WeakKeyDictionary

import bpy
import numpy as np

from ...core.overlay.explanation import axis_primitives, crossing_primitives
from ...core.overlay.primitives import Primitives, concatenate
from ...core.planar.world import PlacedWorld
from ...core.world import World
from ..drawing import handler
from ..language import label_
from ..lengths import length_text
from ..report import PairResult
from ..session import last
from ..stored import results_list
from . import axis_explorer
from .evidence import evidence_primitives
from .verdict_colours import verdict_primitives

# Contact points of more than so many have no labels: there would be no telling which belongs to which.
MOST_LABELS = 4

# Arrows are this share of the smaller body's size, so that they neither vanish in it nor hide it.
ARROW_SHARE = 0.35

# By the rows of both shapes, for as long as somebody has the world.
_crossings: WeakKeyDictionary[World | PlacedWorld, dict[tuple[int, int], Primitives]] = WeakKeyDictionary()


def show(context: bpy.types.Context, row: int) -> None:
    """Draw a row of the report, if it still holds, and the colours of all bodies, if they are wanted."""
    pair = last.pair(row)
    if pair is not None and last.pair_is_stale(pair):
        pair = None
    wanted = results_list(context.window_manager)
    report, world = last.report, last.world
    parts = []
    if report is not None and world is not None and wanted.show_overlay:
        if wanted.explanation.by_verdict:
            stale = np.array([last.body_is_stale(body) for body in report.bodies], np.bool_)
            parts.append(verdict_primitives(report, world, stale))
        if pair is not None:
            parts += _pair(context, world, pair)
    if not parts:
        if pair is None:
            hide()
        return
    handler.set_primitives(concatenate(parts), last.place.scene_uid)
    last.shown, last.obstacle, last.view_drawn, last.motion_drawn = row if pair is not None else -1, None, False, False
    last.colours_drawn, last.drawn_at = wanted.explanation.by_verdict, last.staleness()


def _pair(context: bpy.types.Context, world: World | PlacedWorld, pair: PairResult) -> list[Primitives]:
    """What is wanted of the chosen pair."""
    wanted, units = results_list(context.window_manager).explanation, context.scene.unit_settings
    size, middle = _size(world, pair), (pair.point_a + pair.point_b) / 2.0
    length = length_text(abs(pair.gap), units)
    parts, label = [], length
    if wanted.ruler:
        explored = axis_explorer.explore(world, pair)
        _list_axes(wanted, len(explored.order) if explored is not None else 0)
        if explored is not None and isinstance(world, World):
            which = int(explored.order[axis_explorer.place()])
            gap = float(explored.axes.gap[which])
            text = label_("Overlap {length}" if gap < 0.0 else "Gap {length}", length=length_text(abs(gap), units))
            parts.append(
                axis_primitives(
                    world, pair.shape_a, pair.shape_b, explored.axes, which, middle=middle, size=size, label=text
                )
            )
            label = ""
    if wanted.crossing and pair.distance < 0.0:
        parts.append(_crossing(world, pair.shape_a, pair.shape_b))
    count = len(pair.contact_points)
    depths = tuple(length_text(depth, units) for depth in pair.contact_depths[:MOST_LABELS])
    if count > MOST_LABELS or len(set(depths)) < 2:
        depths = ()  # All as deep as the pair is: that is said once.
    evidence = evidence_primitives(
        world,
        pair,
        size=size,
        arrow=ARROW_SHARE * size,
        label=label,
        contacts=wanted.contacts,
        every_arrow=wanted.every_arrow,
        depths=depths,
    )
    return [evidence, *parts]


def _crossing(world: World | PlacedWorld, row_a: int, row_b: int) -> Primitives:
    """The curve in which two shapes cross, found once: of two detailed meshes it takes long."""
    known = _crossings.setdefault(world, {})
    if (row_a, row_b) not in known:
        known[row_a, row_b] = crossing_primitives(world, row_a, row_b)
    return known[row_a, row_b]


def _list_axes(explanation: Any, count: int) -> None:
    """Give the list of axes as many rows as there are."""
    rows = explanation.axes
    while len(rows) > count:
        rows.remove(len(rows) - 1)
    while len(rows) < count:
        rows.add()


def hide() -> None:
    """Draw nothing, neither a pair nor an obstacle nor a camera's view nor a contact of moving objects."""
    if last.shown >= 0 or last.obstacle is not None or last.view_drawn or last.motion_drawn or last.colours_drawn:
        handler.clear()
        last.shown, last.obstacle, last.view_drawn, last.motion_drawn = -1, None, False, False
        last.colours_drawn = False


def hide_if_stale() -> None:
    """Stop drawing a pair that is no longer as it was checked, and the colours of bodies that are not."""
    pair = last.pair(last.shown)
    if last.colours_drawn:
        if last.staleness() != last.drawn_at:
            show(bpy.context, last.chosen)
    elif pair is not None and last.pair_is_stale(pair):
        hide()


def _size(world: World | PlacedWorld, pair: PairResult) -> float:
    """Diagonal of the smaller of the two shapes' bounds; where both have none, the distance, or one unit."""
    lower, upper = world.bounds()
    diagonal = np.linalg.norm(upper[[pair.shape_a, pair.shape_b]] - lower[[pair.shape_a, pair.shape_b]], axis=1)
    sizes = diagonal[np.isfinite(diagonal) & (diagonal > 0.0)]
    return float(sizes.min()) if len(sizes) else abs(pair.distance) or 1.0
