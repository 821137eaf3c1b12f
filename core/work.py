# SPDX-License-Identifier: GPL-3.0-or-later
"""Work counters: how many pairs each stage of a question settled, so that early outs are seen and not believed.

A cheap test that settles a pair spares it all that comes after (Lee 2018, section 13.1.2). Whoever wants to know how
many opens a `Work`; code that settles pairs says so with `settled`, which costs nothing when nobody listens.
"""

from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

import numpy as np

from .results import Bools

BOUNDING_SPHERES = "bounding spheres"
CACHED_AXIS = "cached axis"
FACE_AXES = "face axes"
EDGE_AXES = "edge axes"
EXACT = "exact"


class Work:
    """Counts the work of all questions asked while it is open.

    Open it around the questions::

        with ck.Work() as work:
            ck.overlap(a, b)
        print(work)     # 10000 pairs: 8120 bounding spheres, 1400 face axes, 480 edge axes

    Attributes
    ----------
    asked : int
        Pairs that questions were asked about.
    settled : dict of str to int
        Pairs that each stage settled, in the order in which stages first did. What no stage claims was settled by
        the pair's own method, of one stage.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.settled: dict[str, int] = {}
        self._token: Token[tuple[Work, ...]] | None = None

    def __enter__(self) -> Self:
        self._token = _OPEN.set((*_OPEN.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._token is not None
        _OPEN.reset(self._token)

    def __str__(self) -> str:
        stages = ", ".join(f"{count} {stage}" for stage, count in self.settled.items())
        return f"{self.asked} pairs: {stages}"


_OPEN: ContextVar[tuple[Work, ...]] = ContextVar("open work counters", default=())


def asked(count: int) -> None:
    """Say that a question was asked about so many pairs."""
    for work in _OPEN.get():
        work.asked += count


def settled(stage: str, pairs: int | Bools) -> None:
    """Say that a stage settled so many pairs, or those that are true in a mask."""
    for work in _OPEN.get():
        count = int(np.count_nonzero(pairs)) if isinstance(pairs, np.ndarray) else pairs
        work.settled[stage] = work.settled.get(stage, 0) + count
