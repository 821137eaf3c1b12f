# SPDX-License-Identifier: GPL-3.0-or-later
"""Honest times of functions that are compared: they take turns, so that what slows the machine slows them all."""

import time
from collections.abc import Callable, Sequence


def best(functions: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """The best time of each function, in seconds."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(repeats):
        for function, record in zip(functions, times, strict=True):
            begin = time.perf_counter()
            function()
            record.append(time.perf_counter() - begin)
    return [min(record) for record in times]
