# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lines the list shows: held against the same question answered pair by pair."""

import random
import re
from itertools import pairwise

import numpy as np
import pytest

from collision_kit.addon.model.marks import NO_MARKS, PairMarks
from collision_kit.addon.model.report import ObjectKey, PairResult, Report
from collision_kit.addon.ui.result_list.view import NONE, ResultsView, Wish, most_lines, step
from collision_kit.core import Verdict
from tests.helpers.blender.results_scene import pair, report, rows, session

NAMES = ["Crate.10", "crate.2", "Floor", "Big Floor Lamp", "Étagère", "Crate.2.1", "Zaun", "2 x 4"]
LISTED = [Verdict.CONTAINED, Verdict.PENETRATING, Verdict.TOUCHING, Verdict.WITHIN_CLEARANCE]


def random_report(rng: random.Random) -> Report:
    """Worst first, as a check orders its pairs; some depths are the same."""
    every = [(a, b) for b in range(len(NAMES)) for a in range(b)]
    found = []
    for a, b in rng.sample(every, rng.randrange(len(every))):
        verdict = rng.choice(LISTED)
        distance = {
            Verdict.TOUCHING: 0.0,
            Verdict.WITHIN_CLEARANCE: rng.choice([0.1, 0.2, rng.random()]),
        }.get(verdict, -rng.choice([0.1, 0.2, rng.random()]))
        found.append(pair(a, b, distance, verdict))
    return report(NAMES, sorted(found, key=lambda one: (-one.verdict, one.distance, one.body_a, one.body_b)))


def random_marks(rng: random.Random, found: Report) -> PairMarks:
    accepted = {row: "why" for row in range(len(found.pairs)) if rng.random() < 0.3}
    new = frozenset(row for row in range(len(found.pairs)) if rng.random() < 0.3)
    return PairMarks(accepted, new, ())


def random_wish(rng: random.Random) -> Wish:
    return Wish(
        kinds=frozenset(rng.sample(LISTED, rng.choice([2, 4, 4]))),
        accepted=rng.random() < 0.7,
        only_new=rng.random() < 0.3,
        text=rng.choice(["", "", "crate", "FLOOR crate", "étag", "nothing such", "2 4"]),
        depth=rng.choice([0.0, 0.0, 0.1, 0.5]),
        order=rng.choice(["VERDICT", "DEPTH", "DISTANCE", "NAME", "TEST"]),
        reverse=rng.random() < 0.4,
        grouped=rng.random() < 0.5,
    )


def shown(found: Report, wish: Wish, marks: PairMarks, row: int, one: PairResult) -> bool:
    names = [found.bodies[body].name.casefold() for body in (one.body_a, one.body_b)]
    return (
        one.verdict in wish.kinds
        and (wish.accepted or row not in marks.accepted)
        and (not wish.only_new or (row in (marks.new or ()) and row not in marks.accepted))
        and (wish.depth == 0.0 or -one.distance >= wish.depth)
        and all(any(word in name for name in names) for word in wish.text.casefold().split())
    )


def natural(name: str) -> list[object]:
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def key(found: Report, wish: Wish, one: PairResult) -> object:
    if wish.order == "NAME":
        return sorted(natural(found.bodies[body].name) for body in (one.body_a, one.body_b))
    return {"DEPTH": one.distance, "DISTANCE": abs(one.distance)}.get(wish.order, 0)


def expected(found: Report, wish: Wish, marks: PairMarks) -> list[int]:
    kept = [row for row, one in enumerate(found.pairs) if shown(found, wish, marks, row, one)]
    kept.sort(key=lambda row: key(found, wish, found.pairs[row]))  # type: ignore[arg-type, return-value]
    if wish.order == "VERDICT":
        kept.sort(key=lambda row: row not in (marks.new or ()) or row in marks.accepted)
    kept = kept[::-1] if wish.reverse else kept
    return [row for row in kept if row not in marks.accepted] + [row for row in kept if row in marks.accepted]


@pytest.mark.parametrize("seed", range(150))
def test_the_lines_are_those_that_pass_one_by_one_in_the_order_asked_for(seed: int) -> None:
    rng = random.Random(seed)
    found = random_report(rng)
    marks, wish = random_marks(rng, found), random_wish(rng)
    flat = expected(found, wish, marks)
    view, wish_flat = ResultsView(), wish._replace(grouped=False)
    assert view.lines(session(found), wish_flat, marks).pair.tolist() == flat
    lines = view.lines(session(found), wish._replace(grouped=True), marks)
    assert lines.shown == len(flat)
    groups = groups_of(lines.pair.tolist(), lines.body.tolist())
    assert sorted(groups) == sorted({body for row in flat for body in bodies(found, row)})
    for body, members in groups.items():
        assert members == [row for row in flat if body in bodies(found, row)]
        assert lines.listed[body] == len(members)
    order = list(groups)
    if wish.order == "NAME":
        by_name = sorted(order, key=lambda body: natural(found.bodies[body].name))  # type: ignore[arg-type, return-value]
        assert order == (by_name[::-1] if wish.reverse else by_name)
    else:
        place = {row: number for number, row in enumerate(flat)}
        first = [place[groups[body][0]] for body in order]
        assert first == sorted(first)
        for one, other in pairwise(order):
            if groups[one][0] == groups[other][0]:
                assert len(groups[one]) >= len(groups[other])


def bodies(found: Report, row: int) -> tuple[int, int]:
    return found.pairs[row].body_a, found.pairs[row].body_b


def groups_of(pairs: list[int], under: list[int]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for row, body in zip(pairs, under, strict=True):
        if row == NONE:
            assert body not in groups, "one heading for each object"
            groups[body] = []
        else:
            assert body == list(groups)[-1], "a pair stands under the heading above it"
            groups[body].append(row)
    return groups


def test_numbers_in_names_count_as_numbers() -> None:
    found = report(["Crate.10", "Crate.9", "Floor"], [pair(0, 2, -0.1), pair(1, 2, -0.1)])
    assert rows(found, Wish(order="NAME")) == [1, 0]


def test_an_object_can_be_folded_away_and_still_counts_its_pairs() -> None:
    found = report(["A", "B", "C"], [pair(0, 1, -0.3), pair(0, 2, -0.2)])
    view, state, wish = ResultsView(), session(found), Wish(grouped=True)
    assert view.lines(state, wish, NO_MARKS).pair.tolist() == [-1, 0, 1, -1, 0, -1, 1]
    view.turn(ObjectKey(1))
    lines = view.lines(state, wish, NO_MARKS)
    assert lines.pair.tolist() == [-1, -1, 0, -1, 1]
    assert lines.listed.tolist() == [2, 1, 1]
    view.turn(ObjectKey(1))
    assert len(view.lines(state, wish, NO_MARKS).pair) == 7


def test_a_pair_that_is_listed_twice_is_found_where_it_was_chosen() -> None:
    found = report(["A", "B", "C"], [pair(0, 1, -0.3), pair(0, 2, -0.2)])
    view, state = ResultsView(), session(found)
    lines = view.lines(state, Wish(grouped=True), NO_MARKS)
    assert view.place_of(lines, 1) == 2
    view.under = ObjectKey(3)
    assert view.place_of(lines, 1) == 6
    assert view.place_of(lines, 0) == 1, "it is not listed under C"
    assert view.place_of(lines, NONE) == NONE


def test_nothing_is_made_again_while_nothing_has_changed() -> None:
    found = report(["A", "B"], [pair(0, 1, -0.3)])
    view, state, marks = ResultsView(), session(found), PairMarks()
    lines = view.lines(state, Wish(), marks)
    assert view.lines(state, Wish(), marks) is lines
    state.depend_on({}, dict(state.names))
    assert view.lines(state, Wish(), marks) is lines, "the same names, looked up again"
    state.depend_on({}, {1: "A", 2: "Renamed"})
    assert view.lines(state, Wish(), marks) is not lines
    assert view.flags(1, 3, 8) is view.flags(1, 3, 8)


def test_steps_go_round_and_over_headings() -> None:
    found = report(["A", "B", "C"], [pair(0, 1, -0.3), pair(0, 2, -0.2)])
    lines = ResultsView().lines(session(found), Wish(grouped=True), NO_MARKS)
    assert [step(lines, place, 1) for place in (NONE, 1, 2, 4, 6)] == [1, 2, 4, 6, 1]
    assert [step(lines, place, -1) for place in (NONE, 6, 4, 2, 1)] == [6, 4, 2, 1, 6]
    assert [step(lines, 3, by) for by in (1, -1)] == [4, 2], "from a heading"
    nothing = ResultsView().lines(session(found), Wish(text="none such"), NO_MARKS)
    assert step(nothing, NONE, 1) == NONE


@pytest.mark.parametrize("grouped", [False, True])
def test_there_are_rows_enough(grouped: bool) -> None:
    for seed in range(20):
        found = random_report(random.Random(seed))
        lines = ResultsView().lines(session(found), Wish(grouped=grouped), NO_MARKS)
        assert len(lines.pair) <= most_lines(found, grouped)
    assert most_lines(None, grouped) == 0


def test_flags_show_the_first_rows_only() -> None:
    view = ResultsView()
    assert view.flags(2, 4, 8) == [8, 8, 0, 0]
    assert view.flags(4, 4, 8) == []
    np.testing.assert_array_equal(view.flags(0, 2, 8), [0, 0])
