# SPDX-License-Identifier: GPL-3.0-or-later
"""Chunks of rows, so that the intermediate results of one step are still in cache for the next."""

from collections.abc import Iterator

# Rows per chunk: arrays of 64 kB fit in cache and are long enough to amortize the cost of numpy calls.
BLOCK = 8192


def blocks(count: int) -> Iterator[slice]:
    """Slices of consecutive chunks of rows."""
    for first in range(0, count, BLOCK):
        yield slice(first, min(first + BLOCK, count))
