# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in steps: generators that yield how far they are and return what they have found."""

from collections.abc import Callable, Generator
from time import monotonic
from typing import Any, Protocol, TypeVar

Found = TypeVar("Found")
Told = TypeVar("Told")


class Counted(Protocol):
    """The progress of steps that count; the total is 0 as long as it is unknown."""

    @property
    def done(self) -> int:
        """The number of those that are done."""

    @property
    def total(self) -> int:
        """The number of all."""


class Taking(Protocol):
    """Takes all steps of what is named, and returns what was found."""

    def __call__(self, steps: Generator[Counted, None, Found], what: str) -> Found:
        """Take all steps of the work of this name."""


def exhausted(steps: Generator[Told, None, Found], tell: Callable[[Told], object] = lambda _told: None) -> Found:
    """Take all steps, tell what each yields, and return what was found."""
    while True:
        try:
            told = next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found
        tell(told)


def quietly(steps: Generator[Counted, None, Found], what: str) -> Found:
    """`Taking` without telling anybody."""
    return exhausted(steps)


def telling(told: Told, steps: Generator[Any, None, Found]) -> Generator[Told, None, Found]:
    """Take all steps, at each of which this is told, and return what was found."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found
        yield told


def after(seconds: float) -> Callable[[], bool]:
    """Whether so much time has passed from now on."""
    end = monotonic() + seconds
    return lambda: monotonic() >= end
