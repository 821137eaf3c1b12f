# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pair of the last report is drawn in the viewport."""

import bpy
import numpy as np

from ..core.world import World
from .drawing import handler
from .evidence import evidence_primitives
from .lengths import length_text
from .report import PairResult
from .session import last
from .stored import results_list

# Arrows are this share of the smaller body's size, so that they neither vanish in it nor hide it.
ARROW_SHARE = 0.35


def show(context: bpy.types.Context, row: int) -> None:
    """Draw a row of the report, if it still holds; otherwise nothing."""
    pair = last.pair(row)
    if pair is None or last.world is None or last.pair_is_stale(pair):
        hide()
    elif results_list(context.window_manager).show_overlay:
        label = length_text(abs(pair.distance), context.scene.unit_settings)
        size = _size(last.world, pair)
        primitives = evidence_primitives(last.world, pair, size=size, arrow=ARROW_SHARE * size, label=label)
        handler.set_primitives(primitives, last.place.scene_uid)
        last.shown, last.obstacle, last.view_drawn = row, None, False


def hide() -> None:
    """Draw nothing, neither a pair nor an obstacle nor a camera's view."""
    if last.shown >= 0 or last.obstacle is not None or last.view_drawn:
        handler.clear()
        last.shown, last.obstacle, last.view_drawn = -1, None, False


def hide_if_stale() -> None:
    """Stop drawing a pair that is no longer as it was checked."""
    pair = last.pair(last.shown)
    if pair is not None and last.pair_is_stale(pair):
        hide()


def _size(world: World, pair: PairResult) -> float:
    """Diagonal of the smaller of the two shapes' bounds; where both have none, the distance, or one unit."""
    lower, upper = world.bounds()
    diagonal = np.linalg.norm(upper[[pair.shape_a, pair.shape_b]] - lower[[pair.shape_a, pair.shape_b]], axis=1)
    sizes = diagonal[np.isfinite(diagonal) & (diagonal > 0.0)]
    return float(sizes.min()) if len(sizes) else abs(pair.distance) or 1.0
