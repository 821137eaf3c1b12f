# SPDX-License-Identifier: GPL-3.0-or-later
"""Many rows a block at a time, so that what one step leaves is still in the caches when the next wants it."""

from collections.abc import Iterator

# Rows at a time: arrays of 64 kB, of which the caches hold those in use, and long enough for calls to cost little.
BLOCK = 8192


def blocks(count: int) -> Iterator[slice]:
    """Rows in blocks."""
    for first in range(0, count, BLOCK):
        yield slice(first, min(first + BLOCK, count))
