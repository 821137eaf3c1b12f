# SPDX-License-Identifier: GPL-3.0-or-later
"""How many cases the longest tests try."""

import os

import pytest

# `make test-slow OFFLINE=1` takes hours, and finds what happens once in a hundred thousand.
_OFFLINE = bool(os.environ.get("OFFLINE"))


def many(slow: int, offline: int) -> int:
    """How many cases a slow test tries: in minutes altogether, and in hours with OFFLINE=1."""
    return offline if _OFFLINE else slow


MANY = many(10_000, 100_000)
# Of those that are decided by exact arithmetic, which takes longer.
MANY_EXACT = many(2_000, 100_000)
# Seeds of tests that certify thousands of cases each.
MANY_SEEDS = many(3, 10)
# Pairs of two support-mapped shapes, whose answers are searched for.
MANY_SEARCHED = many(16, 200)
# The marks of what takes so long that `make test-slow` leaves it out, too.
ONLY_OFFLINE = (
    pytest.mark.slow,
    pytest.mark.skipif(not _OFFLINE, reason="takes long: OFFLINE=1 runs it"),
)


def slow(*values: object) -> list:
    """Parameters that only `make test-slow` tries."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def slow_rows(*rows: tuple) -> list:
    """Rows of several parameters that only `make test-slow` tries."""
    return [pytest.param(*row, marks=pytest.mark.slow) for row in rows]


def offline(*values: object) -> list:
    """Parameters that only `make test-slow OFFLINE=1` tries."""
    return [pytest.param(value, marks=ONLY_OFFLINE) for value in values]


def by_turns(cells: list, ways: int, turn: int) -> list:
    """Cells that follow each other in so many ways of drawing the same: quick in one way, by turns, slow in the others.

    With another turn for each test of a file, quick tests see every cell, and each of them every subject. With twice
    the number of ways, each test draws every second subject quickly, and so on.
    """
    found = []
    for number, cell in enumerate(cells):
        subject, way = divmod(number, ways)
        marks = [*cell.marks, *[pytest.mark.slow] * ((subject + way + turn) % ways > 0)]
        found.append(pytest.param(*cell.values, id=cell.id, marks=marks))
    return found
