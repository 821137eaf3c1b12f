# SPDX-License-Identifier: GPL-3.0-or-later
"""Honest times of functions that are compared: they take turns, so that what slows the machine slows them all."""

import time
from collections.abc import Callable, Sequence

import numpy as np


def rounds(
    functions: Sequence[Callable[[], object]], repeats: int, clock: Callable[[], float] = time.process_time
) -> np.ndarray:
    """The time of each function in each round, in seconds: (repeats, functions)."""
    times = np.empty((repeats, len(functions)))
    for record in times:
        for number, function in enumerate(functions):
            begin = clock()
            function()
            record[number] = clock() - begin
    return times


def best(functions: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """The best processor time of each function, in seconds."""
    found: list[float] = rounds(functions, repeats).min(axis=0).tolist()
    return found


def compared(ours: Callable[[], object], *theirs: Callable[[], object], repeats: int) -> tuple[list[float], float]:
    """The best processor time of each, in seconds, and the median of the fastest of theirs over ours."""
    times = rounds([ours, *theirs], repeats)
    found: list[float] = times.min(axis=0).tolist()
    return found, float(np.median(times[:, 1:].min(axis=1) / times[:, 0]))
