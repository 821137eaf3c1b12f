# SPDX-License-Identifier: GPL-3.0-or-later
"""The candidate axes of the pair that is drawn, and which of them is looked at."""

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


# A list of more rows than this is of no use to anyone; the axes nearest to deciding come first.
MOST = 100


@dataclass(frozen=True, eq=False)
class Exploration:
    """The axes of one pair of a report.

    Attributes
    ----------
    pair : PairResult
    axes : CandidateAxes
        Of its deepest or nearest shapes.
    order : (K,) int64
        Rows of `axes`: the one that decides first, then by their gap, and those that were skipped last. Of the
        faces and edges that make the same axis the first is listed, and of parallel edges the first pair.
    total : int
        How many axes there are, without parallel edges; `order` has the first of them.
    parallel : int
        How many pairs of edges are parallel. If there are any, the last row of `order` stands for all of them.
    """

    pair: PairResult
    axes: "core.CandidateAxes"
    order: "Ints"
    total: int
    parallel: int


class _Explorer:
    """The explored pair, and the present place among its axes."""

    def __init__(self) -> None:
        self.exploration: Exploration | None = None
        self.place = 0
        self.of: PairResult | None = None


_explorer = _Explorer()


def explore(world: "core.World | PlacedWorld", pair: PairResult) -> Exploration | None:
    """Return the axes of a pair, found once; None where one of its shapes is not convex.

    Of a pair whose shapes were the same ones before, as after a live update, the place in the list stays.
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
    """Return what is explored; None: nothing, or what is drawn has no axes."""
    return _explorer.exploration


def place() -> int:
    """Return the place in the order of the axis that is looked at."""
    return _explorer.place


def look_at(place: int) -> None:
    """Look at another axis; beyond the last comes the first."""
    found = _explorer.exploration
    _explorer.place = place % len(found.order) if found is not None else 0


def forget() -> None:
    """Explore nothing."""
    _explorer.exploration, _explorer.of, _explorer.place = None, None, 0


@last_check.on_new.subscribe
def _forget_with_the_report() -> None:
    if last_check.report is None:
        forget()
