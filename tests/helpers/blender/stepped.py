# SPDX-License-Identifier: GPL-3.0-or-later
"""Generators run step by step."""

import itertools

import pytest

from collision_kit.addon.model import steps as stepping


def taken(steps):
    """The values that a generator yields, and its return value."""
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return seen, end.value


def slow_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every reading of the clock take a second."""
    monkeypatch.setattr(stepping, "monotonic", itertools.count().__next__)
