# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in steps: generators that yield how far they are and return what they have found."""

from collections.abc import Generator
from typing import Any, TypeVar

Found = TypeVar("Found")


def exhausted(steps: Generator[Any, None, Found]) -> Found:
    """Take all steps, and return what was found."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found
