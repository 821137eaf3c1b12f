# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of floating objects: each of them, how far it is above what is below it, and the chosen one filled."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import bpy

from .. import debug_draw, viewport
from ..i18n.units import spoken_text
from ..model.floating import Floating
from ..model.message import Message
from ..scene.objects import selection
from ..session.floating_results import FloatingResult, latest
from ..system.late import np
from . import stage
from .framing import FramedPlace

# The view shows a chosen object with this much around it, as a fraction of its size, and the way down up to this many
# times its size.
_AROUND, _FAR = 1.8, 6.0

# Outlines of the objects of a result, as long as the result exists.
_outlines: "WeakKeyDictionary[FloatingResult, debug_draw.primitives.Primitives]" = WeakKeyDictionary()


@dataclass(eq=False)
class FloatingDrawing(stage.Drawing):
    """Overlay of a search for floating objects."""

    search: FloatingResult

    def holds(self) -> bool:
        """Return whether the scene is unchanged."""
        return self.search is latest.result and self.search.change is None


def is_drawn() -> bool:
    """Return whether floating objects are drawn."""
    return stage.current(FloatingDrawing) is not None


def draw(context: bpy.types.Context) -> None:
    """Draw the last search instead of the current overlay. Nothing if it is out of date, or if nothing floats."""
    found = latest.result
    if found is None or found.change is not None or not found.found:
        stage.clear(FloatingDrawing)
    else:
        stage.show(FloatingDrawing(_primitives(context, found), found.place.scene_uid, found))


def frame(context: bpy.types.Context, row: int) -> bool:
    """Show an object of the last search, and what is below it. False if there is no 3D view, or no such row."""
    found = latest.result
    if found is None or found.row(row) is None:
        return False
    center, radius = place_of(found, row)
    return radius > 0.0 and selection.frame_ball(context, center.tolist(), radius)


def place_of(search: FloatingResult, row: int) -> FramedPlace:
    """Return the place that the view shows: the object of a row and the way down, as far as it is not very long."""
    low, high = search.evidence.bounds[row]
    drop, size = search.evidence.drop[row], float(np.linalg.norm(high - low))
    if not np.isnan(drop).any():
        way = drop[1] - drop[0]
        length = float(np.linalg.norm(way))
        below = drop[0] + way * min(1.0, _FAR * size / length) if length else drop[0]
        low, high = np.minimum(low, below), np.maximum(high, below)
    return FramedPlace((low + high) / 2.0, _AROUND * float(np.linalg.norm(high - low)) / 2.0)


def _primitives(context: bpy.types.Context, search: FloatingResult) -> "debug_draw.primitives.Primitives":
    """Return all objects of a search. The labels of the chosen one come first: they are shown if there is no room."""
    evidence, drawn = search.evidence, debug_draw.floating
    if search not in _outlines:
        outlines = [drawn.outline_primitives(evidence.world, rows) for rows in evidence.rows]
        _outlines[search] = debug_draw.primitives.concatenate(outlines)
    order = sorted(range(len(search.found)), key=lambda row: row != search.chosen)
    parts = [_way_down(context, search, row) for row in order]
    if search.row(search.chosen) is not None:
        parts.append(drawn.filled_primitives(evidence.world, evidence.rows[search.chosen]))
        near = evidence.near[search.chosen]
        if not np.isnan(near).any():
            parts.append(drawn.gap_primitives(near, label=_near_text(context, search.found[search.chosen])))
    found = debug_draw.primitives.concatenate([*parts, _outlines[search]])
    return viewport.legend.with_legend(found, viewport.legend.meanings_of(debug_draw.roles.Role.FLOATING))


def _way_down(context: bpy.types.Context, search: FloatingResult, row: int) -> "debug_draw.primitives.Primitives":
    one, (low, high), down = search.found[row], search.evidence.bounds[row], search.evidence.down
    lowest = (low + high) / 2.0 + down * float(np.abs(down) @ (high - low)) / 2.0
    text = Message("nothing below")
    if one.onto:
        units = context.scene.unit_settings
        text = Message("{length} above {name}", length=spoken_text(one.drop, units), name=one.onto)
    label, size = Message("{name}: {text}", name=one.object, text=text), float(np.linalg.norm(high - low)) or 1.0
    return debug_draw.floating.way_down_primitives(search.evidence.drop[row], lowest, down, size=size, label=label)


def _near_text(context: bpy.types.Context, one: Floating) -> str:
    length = spoken_text(one.distance, context.scene.unit_settings)
    return Message("{length} from {name}", length=length, name=one.nearest)


latest.on_new.subscribe(stage.refresh)
