# SPDX-License-Identifier: GPL-3.0-or-later
"""How many cases the longest tests try."""

import os

import pytest

# `make test-slow OFFLINE=1` takes hours, and finds what happens once in a hundred thousand.
_OFFLINE = bool(os.environ.get("OFFLINE"))
MANY = 100_000 if _OFFLINE else 10_000
# Of those that are decided by exact arithmetic, which takes longer.
MANY_EXACT = 100_000 if _OFFLINE else 2_000
# Seeds of tests that certify thousands of cases each.
MANY_SEEDS = 10 if _OFFLINE else 3
# Pairs of two support-mapped shapes, whose answers are searched for.
MANY_SEARCHED = 200 if _OFFLINE else 40
# The marks of what takes so long that `make test-slow` leaves it out, too.
ONLY_OFFLINE = (
    pytest.mark.slow,
    pytest.mark.skipif(not _OFFLINE, reason="takes long: OFFLINE=1 runs it"),
)


def slow(*values: object) -> list:
    """Parameters that only `make test-slow` tries."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]
