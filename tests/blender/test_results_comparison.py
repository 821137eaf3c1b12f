# SPDX-License-Identifier: GPL-3.0-or-later
"""New results since the previous check, and those that have gone."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from collision_kit.addon.model.report import Report, Settings
from collision_kit.addon.session import comparison
from collision_kit.addon.session.collision_results import CollisionResult
from collision_kit.core import Verdict
from tests.helpers.blender.results_scene import SETTINGS, pair, report, session

NAMES = ["A", "B", "C", "D"]
BEFORE = report(NAMES, [pair(0, 1, -0.3), pair(1, 2, 0.0, Verdict.TOUCHING)])
AFTER = report(NAMES, [pair(0, 3, -0.4), pair(0, 1, -0.1)])


@pytest.fixture(autouse=True)
def nothing_to_compare_with() -> Iterator[None]:
    comparison.forget()
    yield
    comparison.forget()


def changes(before: Report, after: Report, then: Settings = SETTINGS, now: Settings = SETTINGS) -> Any:
    comparison.begin(session(before, then))
    return comparison.changes(session(after, now))


def test_new_is_what_became_a_fault_and_resolved_what_was_one() -> None:
    found = changes(BEFORE, AFTER)
    assert found.new == {0}
    assert found.worse == frozenset()
    assert found.gone == (), "B and C touched, which is no fault"
    back = changes(AFTER, BEFORE)
    assert [(one.name_a, one.name_b, one.verdict) for one in back.gone] == [("A", "D", Verdict.PENETRATING)]
    assert back.new == frozenset(), "touching is no fault"
    assert back.worse == {0}, "A and B were 0.1 deep and are 0.3 now"


def test_a_crate_that_touched_and_sinks_is_new() -> None:
    sunk = report(NAMES, [pair(0, 1, -0.3), pair(1, 2, -0.05)])
    found = changes(BEFORE, sunk)
    assert found.new == {1}
    assert found.worse == {1}
    assert [(one.name_a, one.name_b) for one in changes(sunk, BEFORE).gone] == [("B", "C")]


def test_a_pair_is_worse_only_beyond_its_tolerance() -> None:
    deeper = report(NAMES, [replace(pair(0, 1, -0.3001), touching=1e-3)])
    assert changes(BEFORE, deeper).worse == frozenset()
    deeper = report(NAMES, [replace(pair(0, 1, -0.3001), touching=1e-5)])
    assert changes(BEFORE, deeper).worse == {0}


def test_the_order_of_two_bodies_does_not_matter() -> None:
    swapped = report(NAMES, [pair(1, 0, -0.3), pair(2, 1, 0.0, Verdict.TOUCHING)])
    assert changes(BEFORE, swapped) == (frozenset(), frozenset(), ())


def test_bodies_are_told_by_object_and_not_by_name_or_place() -> None:
    # The first object is gone, so that every body has another number now; one has another name.
    sunk = report(NAMES, [pair(0, 1, -0.3), pair(1, 2, -0.2)])
    later = Report(**{**vars(AFTER), "bodies": AFTER.bodies[1:], "pairs": (pair(0, 1, -0.2),)})
    found = changes(sunk, later)
    assert found.new == frozenset(), "B and C were in each other before"
    assert [(one.name_a, one.name_b) for one in found.gone] == [("A", "B")]


def test_without_a_check_before_nothing_is_new() -> None:
    assert comparison.changes(session(AFTER)) is None
    comparison.begin(CollisionResult())
    assert comparison.changes(session(AFTER)) is None


@pytest.mark.parametrize("field", ["scope", "collection_a", "collection_b"])
def test_another_question_is_no_comparison_but_other_tolerances_are(field: str) -> None:
    other = SETTINGS._replace(**{field: "ALL"})
    assert changes(BEFORE, AFTER, then=other) is None
    assert changes(BEFORE, AFTER, then=SETTINGS._replace(clearance=1.0, touching=0.1)) is not None


def test_what_was_not_selected_has_not_gone() -> None:
    settings = SETTINGS._replace(scope="SELECTED")
    then = Report(**{**vars(BEFORE), "scope": "SELECTED"})
    # C is selected no longer, and E is for the first time.
    now = report(["A", "B", "D"], [pair(0, 2, -0.4)], scope="SELECTED")
    now = Report(**{**vars(now), "bodies": (BEFORE.bodies[0], BEFORE.bodies[1], report(["E"] * 9, []).bodies[8])})
    found = changes(then, now, settings, settings)
    assert found.new == frozenset(), "E was not tested before"
    assert [(one.name_a, one.name_b) for one in found.gone] == [("A", "B")], "B and C: nobody knows"


def test_live_mode_compares_with_what_it_began_with() -> None:
    state = session(BEFORE)
    comparison.begin(state, live=True)
    for found in (AFTER, BEFORE, AFTER):
        state.renew(found, state.world)
        comparison.settled(state)
    assert comparison.changes(state).new == {0}
    # With nothing to begin with, its first whole report is what counts.
    comparison.begin(CollisionResult(), live=True)
    assert comparison.changes(state) is None
    comparison.settled(session(BEFORE))
    assert comparison.changes(state).new == {0}
