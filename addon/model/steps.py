# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in steps: generators that yield how far they are and return what they have found."""

from collections.abc import Callable, Generator
from time import monotonic
from typing import Any, TypeVar

Found = TypeVar("Found")
Told = TypeVar("Told")


def exhausted(steps: Generator[Any, None, Found]) -> Found:
    """Take all steps, and return what was found."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found


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
