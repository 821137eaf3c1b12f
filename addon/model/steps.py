# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in steps: generators that yield their progress and return their result."""

from collections.abc import Callable, Generator
from time import monotonic
from typing import Any, Protocol, TypeVar

Found = TypeVar("Found")
Told = TypeVar("Told")


class Counted(Protocol):
    """Progress of steps that are counted. The total is 0 while it is unknown."""

    @property
    def done(self) -> int:
        """Number of finished steps."""

    @property
    def total(self) -> int:
        """Total number of steps."""


class Taking(Protocol):
    """Runs all steps of a named task, and returns the result."""

    def __call__(self, steps: Generator[Counted, None, Found], what: str) -> Found:
        """Run all steps of the task with this name."""


def exhausted(steps: Generator[Told, None, Found], tell: Callable[[Told], object] = lambda _told: None) -> Found:
    """Run all steps, report what each yields, and return the result."""
    while True:
        try:
            told = next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found
        tell(told)


def quietly(steps: Generator[Counted, None, Found], what: str) -> Found:
    """`Taking` without reports."""
    return exhausted(steps)


def telling(told: Told, steps: Generator[Any, None, Found]) -> Generator[Told, None, Found]:
    """Run all steps, call this function at each step, and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found
        yield told


def after(seconds: float) -> Callable[[], bool]:
    """Return whether this much time has passed from now on."""
    end = monotonic() + seconds
    return lambda: monotonic() >= end
