# SPDX-License-Identifier: GPL-3.0-or-later
"""Work during which Python does not look for unreachable cycles of references."""

import gc
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

Told = TypeVar("Told")
Found = TypeVar("Found")


@contextmanager
def without_collection() -> Iterator[None]:
    """Keep Python from looking for unreachable cycles of references.

    A check, an update in live mode, or a report makes thousands of objects and no cycles. Now and then Python would
    look through all objects that there are, which takes longer than an update.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collected_between(steps: Generator[Told, None, Found]) -> Generator[Told, None, Found]:
    """Take all steps, each without a collection, and return what was found. Between steps all is as it was."""
    with closing(steps):
        while True:
            with without_collection():
                try:
                    told = next(steps)
                except StopIteration as end:
                    found: Found = end.value
                    return found
            yield told
