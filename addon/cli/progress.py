# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of a command on standard error: a bar on a terminal, otherwise an occasional line."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

import numpy as np

from ..collisions.blocks import BLOCK
from ..model.steps import Counted, after, exhausted
from ..system.streams import sparse_lines, terminal_line

# Seconds. Faster commands show no bar.
PATIENCE = 2.0

# Seconds between updates of the bar.
_PAUSE = 0.1

# Width of the bar in characters.
_WIDTH = 24

Found = TypeVar("Found")
Item = TypeVar("Item")


class Bar:
    """Shows the current step and the progress of a command after `PATIENCE` seconds.

    Attributes
    ----------
    seconds : float
        Approximate length of a step of divisible work. Without standard error, all of the work is one step.
    """

    def __init__(self, show: Callable[[str], None] | None, say: Callable[[str], None] | None = None) -> None:
        self._show, self._say = show, say
        self._late = after(PATIENCE)
        self._shown = 0.0
        self.seconds = BLOCK if show is not None else np.inf if say is None else PATIENCE

    def begin(self, what: str) -> None:
        """Show the next task at once: Blender does it in a single step, without progress."""
        if self._show is not None:
            self._show(f"{what} …")

    def take(self, steps: Generator[Counted, None, Found], what: str) -> Found:
        """Run all steps, show progress and the objects that are in work, if known, and return the result."""

        def tell(progress: Counted) -> None:
            self._tell(what, progress.done, progress.total, getattr(progress, "current", ""))

        return exhausted(steps, tell)

    def each(self, items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
        """Yield items that each take a while, and show how many are done."""
        self._tell(what, 0, total)
        for done, item in enumerate(items, start=1):
            yield item
            self._tell(what, done, total)

    def _tell(self, what: str, done: int, total: int, current: str = "") -> None:
        counted = f"{what}, {done} of {total}" + (f": {current}" if current else "")
        if self._show is None:
            if self._say is not None:
                self._say(counted if total else "reading the scene")
            return
        if not self._late() or monotonic() - self._shown < _PAUSE:
            return
        self._shown = monotonic()
        if not total:
            self.begin("reading the scene")
            return
        filled = _WIDTH * done // total
        bar = "#" * filled + "-" * (_WIDTH - filled)
        self._show(f"{100 * done // total:3d} %  [{bar}]  {counted}")


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """Progress bar of a command. It is erased at the end."""
    with terminal_line() as show, sparse_lines() as say:
        yield Bar(show, say)
