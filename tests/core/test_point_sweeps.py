# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps of points of every kind against convex shapes, checked in decimals."""

from dataclasses import replace

import pytest

import collision_kit.core as ck
from tests.helpers.offline import many
from tests.hunt import point_sweeps


@pytest.mark.parametrize(("seed", "count"), [(1, 60), pytest.param(2, many(600, 20_000), marks=pytest.mark.slow)])
def test_points_meet_and_leave_shapes_on_their_surfaces(seed, count):
    assert point_sweeps.run(seed, count) == []


@pytest.mark.parametrize(
    ("query", "late", "what"),
    [
        ("time_of_impact", 1e-6, "a contact is not the first"),
        ("time_of_impact", -1e-6, "a contact is off the shape"),
        ("last_contact", 1e-6, "a contact is off the shape"),
    ],
)
def test_the_oracle_notices_times_that_are_off_by_a_millionth(monkeypatch, query, late, what):
    asked = getattr(ck, query)

    def wrong(a, b, **motion):
        found = asked(a, b, **motion)
        return replace(found, time=found.time + late * (found.time > 0.01) * (found.time < 0.99))

    monkeypatch.setattr(ck, query, wrong)
    failures = point_sweeps.run(1, 100)
    found = [failure for failure in failures if what in failure["what"]]
    assert len(found) > 3
    # The case of a failure makes the same sweep again.
    assert what in point_sweeps.wrong(found[0])
