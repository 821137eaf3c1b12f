# SPDX-License-Identifier: GPL-3.0-or-later
"""Query statistics: how many pairs each stage of a query resolved.

A cheap test that resolves a pair saves all later stages (Lee 2018, section 13.1.2). Open a `QueryStats` to count them.
Queries report to it with `record_pairs` and `record_resolved`, which cost almost nothing if none is open.
"""

from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

import numpy as np

from .types import Bools

BOUNDING_SPHERES = "bounding spheres"
CACHED_AXIS = "cached axis"
FACE_AXES = "face axes"
EDGE_AXES = "edge axes"
EXACT = "exact"


class QueryStats:
    """Counts which stage resolved each pair, over all queries made while it is open.

    Open it around the queries::

        with ck.QueryStats() as stats:
            ck.overlap(a, b)
        print(stats)     # 10000 pairs: 8120 bounding spheres, 1400 face axes, 480 edge axes

    Attributes
    ----------
    pairs : int
        Pairs queried.
    resolved_by : dict of str to int
        Pairs resolved by each stage, in the order in which the stages first resolved one. Pairs that no stage claims
        were resolved by a single-stage method.
    """

    def __init__(self) -> None:
        self.pairs = 0
        self.resolved_by: dict[str, int] = {}
        self._token: Token[tuple[QueryStats, ...]] | None = None

    def __enter__(self) -> Self:
        self._token = _OPEN.set((*_OPEN.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._token is not None
        _OPEN.reset(self._token)

    def __str__(self) -> str:
        stages = ", ".join(f"{count} {stage}" for stage, count in self.resolved_by.items())
        return f"{self.pairs} pairs: {stages}"


_OPEN: ContextVar[tuple[QueryStats, ...]] = ContextVar("open query statistics", default=())


def record_pairs(count: int) -> None:
    """Record that `count` pairs were queried."""
    for stats in _OPEN.get():
        stats.pairs += count


def record_resolved(stage: str, pairs: int | Bools) -> None:
    """Record that a stage resolved a number of pairs, or the pairs of a mask."""
    for stats in _OPEN.get():
        count = int(np.count_nonzero(pairs)) if isinstance(pairs, np.ndarray) else pairs
        stats.resolved_by[stage] = stats.resolved_by.get(stage, 0) + count
