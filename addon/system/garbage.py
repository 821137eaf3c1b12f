# SPDX-License-Identifier: GPL-3.0-or-later
"""Work without Python's cyclic garbage collector."""

import gc
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

Told = TypeVar("Told")
Found = TypeVar("Found")


@contextmanager
def without_collection() -> Iterator[None]:
    """Disable Python's cyclic garbage collector temporarily.

    A check, an update in live mode, or a report creates thousands of objects and no cycles. Occasional collections of
    all existing objects would take longer than an update.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collected_between(steps: Generator[Told, None, Found]) -> Generator[Told, None, Found]:
    """Run all steps, each without garbage collection, and return the result.

    Between steps, the collector is as before.
    """
    with closing(steps):
        while True:
            with without_collection():
                try:
                    told = next(steps)
                except StopIteration as end:
                    found: Found = end.value
                    return found
            yield told
