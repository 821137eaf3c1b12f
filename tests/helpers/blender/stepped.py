# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of generators, taken one by one."""

import itertools

import pytest

from collision_kit.addon.model import steps as stepping


def taken(steps):
    """The values that a generator yields, and the one that it returns."""
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return seen, end.value


def slow_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the time takes a second."""
    monkeypatch.setattr(stepping, "monotonic", itertools.count().__next__)
