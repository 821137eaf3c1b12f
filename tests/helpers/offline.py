# SPDX-License-Identifier: GPL-3.0-or-later
"""The number of cases that the longest tests try."""

import os

import pytest

# `make test-slow OFFLINE=1` takes hours, and finds errors that occur once in a hundred thousand cases.
_OFFLINE = bool(os.environ.get("OFFLINE"))


def many(slow: int, offline: int) -> int:
    """The number of cases that a slow test tries: so that all take minutes, or hours with OFFLINE=1."""
    return offline if _OFFLINE else slow


MANY = many(10_000, 100_000)
# For cases that are decided by exact arithmetic, which takes longer.
MANY_EXACT = many(2_000, 100_000)
# Seeds of tests that certify thousands of cases each.
MANY_SEEDS = many(3, 10)
# Pairs of two support-mapped shapes, which are measured by iteration.
MANY_SEARCHED = many(16, 200)
# The marks of tests that take so long that `make test-slow` also omits them.
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
    """Mark cells, where `ways` consecutive ones are variants of one case: in turns, one is quick, the others are slow.

    With a different rotation for each test of a file, quick tests cover every cell, and each test covers every subject.
    With twice the number of variants, each test covers every second subject quickly, and so on.
    """
    found = []
    for number, cell in enumerate(cells):
        subject, way = divmod(number, ways)
        marks = [*cell.marks, *[pytest.mark.slow] * ((subject + way + turn) % ways > 0)]
        found.append(pytest.param(*cell.values, id=cell.id, marks=marks))
    return found
