# SPDX-License-Identifier: GPL-3.0-or-later
"""The candidate axes of the drawn pair, and the chosen one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import core
from .. import debug_draw
from ..model.report import PairResult
from ..session.collision_results import last_check
from ..system.late import np

if TYPE_CHECKING:
    from ...core.numerics.types import Ints
    from ...core.planar.world import PlacedWorld


# More rows than this are of no use. The axes nearest to deciding come first.
MOST = 100


@dataclass(frozen=True, eq=False)
class Exploration:
    """The axes of one pair of a report.

    Attributes
    ----------
    pair : PairResult
    axes : CandidateAxes
        Axes of its deepest or nearest shapes.
    order : (K,) int64
        Rows of `axes`: the deciding one first, then by gap, and skipped ones last. Faces and edges with the same axis
        are listed once, as the first of them, and so are parallel edges.
    total : int
        Number of axes, without parallel edges. `order` has the first of them.
    parallel : int
        Number of parallel pairs of edges. If there are any, the last row of `order` represents all of them.
    """

    pair: PairResult
    axes: "core.CandidateAxes"
    order: "Ints"
    total: int
    parallel: int


class _Explorer:
    """The explored pair, and the current place among its axes."""

    def __init__(self) -> None:
        self.exploration: Exploration | None = None
        self.place = 0
        self.of: PairResult | None = None


_explorer = _Explorer()


def explore(world: "core.World | PlacedWorld", pair: PairResult) -> Exploration | None:
    """Return the axes of a pair, computed once. None if one of its shapes is not convex.

    If the shapes of a pair are the same as before, as after a live update, the place in the list is kept.
    """
    if _explorer.of is not pair:
        before, _explorer.of = _explorer.of, pair
        axes = debug_draw.explanation.pair_axes(world, pair.shape_a, pair.shape_b)
        order = np.empty(0, np.int64)
        _explorer.exploration = None
        if axes is not None:
            every, parallel = debug_draw.explanation.listed_axes(axes)
            order = np.concatenate([every[:MOST], parallel[:1]])
            if len(order):
                _explorer.exploration = Exploration(pair, axes, order, len(every), len(parallel))
        same = before is not None and (before.shape_a, before.shape_b) == (pair.shape_a, pair.shape_b)
        if not same or _explorer.place >= len(order):
            _explorer.place = 0
    return _explorer.exploration


def explored() -> Exploration | None:
    """Return what is explored. None: nothing, or the drawing has no axes."""
    return _explorer.exploration


def place() -> int:
    """Return the place of the chosen axis in the order."""
    return _explorer.place


def look_at(place: int) -> None:
    """Choose another axis. After the last comes the first."""
    found = _explorer.exploration
    _explorer.place = place % len(found.order) if found is not None else 0


def forget() -> None:
    """Stop exploring."""
    _explorer.exploration, _explorer.of, _explorer.place = None, None, 0


@last_check.on_new.subscribe
def _forget_with_the_report() -> None:
    if last_check.report is None:
        forget()
