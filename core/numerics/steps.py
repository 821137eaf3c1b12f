# SPDX-License-Identifier: GPL-3.0-or-later
"""Long queries in steps: generators that yield between their steps, and return the result."""

from collections.abc import Generator
from typing import TypeVar

Found = TypeVar("Found")

# Number of rows of a step if all rows are to be one step.
ALL_ROWS = 1 << 62


def exhausted(steps: Generator[None, None, Found]) -> Found:
    """Run all steps, and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Found = end.value
            return found
