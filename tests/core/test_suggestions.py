# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggested ignore rules: what they would take, against a search written with sets, `statistics` and `fnmatch`."""

import random
import re
import statistics
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np
import pytest

from collision_kit.addon.model.marks import NO_MARKS, PairMarks, ignored_rows
from collision_kit.addon.model.motion_report import MotionContact, MotionReport
from collision_kit.addon.model.report import Body, ObjectKey, PairResult, Report, Units
from collision_kit.addon.model.rules import Labels, Pattern, listed, read_list
from collision_kit.addon.model.suggestions import (
    SuggestedRule,
    SuggestionReason,
    beginnings,
    exact,
    remaining,
    rounded_up,
    suggested_rules,
)
from collision_kit.core import Verdict

UNITS = Units("METRIC", 1.0, "METERS")
UP = np.array([0.0, 0.0, 1.0])
MEANT = {Verdict.CONTAINED, Verdict.PENETRATING}


def pair(a: int, b: int, depth: float, verdict: Verdict = Verdict.PENETRATING, touching: float = 0.0) -> PairResult:
    none = np.empty((0, 3))
    return PairResult(a, b, verdict, -depth, UP, UP, UP, none, np.empty(0), a, b, touching=touching)


def report(names: Sequence[str], pairs: Sequence[PairResult]) -> Report:
    bodies = tuple(Body(name, ObjectKey(uid), object=name) for uid, name in enumerate(names, start=1))
    return Report("", "Scene", 1, "ALL", UNITS, 0.0, 0.0, bodies, (), tuple(pairs))


def labels(names: Sequence[str], **fields: dict[str, Sequence[str]]) -> list[Labels]:
    """The labels of bodies by these names; of other fields, what `fields` says of a name."""
    return [
        Labels(frozenset({name}), **{field: frozenset(said.get(name, ())) for field, said in fields.items()})
        for name in names
    ]


def shown(found: SuggestedRule) -> str:
    return f"{listed(found.rule.a)} × {listed(found.rule.b)}"


# One kind of evidence after the other


def bolts(depths: Sequence[float]) -> Report:
    """Bolt.000 in Plate.000, and so on; and as many walls beside them."""
    count = len(depths)
    names = [f"{kind}.{number:03}" for kind in ("Bolt", "Plate", "Wall") for number in range(count)]
    return report(names, [pair(number, count + number, depth) for number, depth in enumerate(depths)])


def test_names_that_many_pairs_share_with_the_depth_of_these_pairs() -> None:
    found = bolts([0.002, 0.0021, 0.0019, 0.05])
    (one,) = suggested_rules(found, labels([body.name for body in found.bodies]))
    assert (shown(one), one.evidence) == ("Bolt* × Plate*", SuggestionReason.NAMES)
    # A tenth above the deepest; the pair that is much deeper is left.
    assert one.rule.max_depth == pytest.approx(0.00231)
    assert one.rows == (1, 0, 2)
    assert one.rule.reason == one.reason == "repeated in pairs of these names"


def test_pairs_that_are_left_because_they_are_deeper_are_not_suggested_next() -> None:
    found = bolts([0.002, 0.0021, 0.0019, 0.0018, 0.05, 0.051, 0.052])
    known = labels([body.name for body in found.bodies])
    (one,) = suggested_rules(found, known)
    marks = PairMarks(rules=(one.rule,), ignored=ignored_rows(found, [one.rule], known))
    assert len(marks.ignored) == 4
    assert suggested_rules(found, known, marks) == []


def test_the_limit_is_that_of_the_pairs_that_are_left() -> None:
    found = bolts([0.02, 0.03, 0.029, 0.08])
    (one,) = suggested_rules(found, labels([body.name for body in found.bodies]), PairMarks(accepted={3: "bent"}))
    assert one.rows == (1, 2, 0)
    assert one.rule.max_depth == pytest.approx(0.033)


def test_two_pairs_and_names_that_mostly_stand_apart_are_no_pattern() -> None:
    found = bolts([0.002, 0.002])
    assert suggested_rules(found, labels([body.name for body in found.bodies])) == []
    names = [f"Level_Crate{number}" for number in range(30)] + [f"Rock{number}" for number in range(40)]
    found = report(names, [pair(number, number + 1, 0.01) for number in range(0, 8, 2)])
    assert suggested_rules(found, labels(names)) == []


def test_the_widest_beginning_that_takes_most_pairs_comes_first_and_covers_the_others() -> None:
    names = [f"{kind}.{number}" for kind in ("Bolt_M6", "Bolt_M8", "Plate", "Wall") for number in range(4)]
    pairs = [pair(number, 8 + number % 4, 0.01) for number in range(8)]
    (one,) = suggested_rules(report(names, pairs), labels(names))
    assert shown(one) == "Bolt* × Plate*"
    assert len(one.rows) == 8


def test_a_single_partner_is_named() -> None:
    names = [f"Bolt.{number}" for number in range(5)] + ["Frame", *(f"Wall{number}" for number in range(9))]
    (one,) = suggested_rules(report(names, [pair(number, 5, 0.01) for number in range(5)]), labels(names))
    assert shown(one) == "Bolt* × Frame"


def test_what_is_parented() -> None:
    names = ["Car", "Axle", "Wheel[1]", "Wall", "Tree", "Rock", "Post"]
    known = labels(names, parent={"Axle": ["Car"], "Wheel[1]": ["Car", "Axle"]})
    found = report(names, [pair(0, 1, 0.1), pair(1, 2, 0.2), pair(1, 3, 0.3)])
    whole, axle = suggested_rules(found, known)[0], suggested_rules(report(names, [pair(1, 2, 0.2)]), known)[0]
    assert shown(whole) == "Car, parent:Car × Car, parent:Car"
    assert (whole.rows, whole.reason) == ((1, 0), 'in the hierarchy of "Car"')
    # As many pairs, of fewer objects.
    assert (shown(axle), axle.reason) == ("Axle × parent:Axle", 'parented to "Axle"')
    assert all(one.evidence is SuggestionReason.PARENT and 2 not in one.rows for one in suggested_rules(found, known))


def test_a_collection_that_both_are_in_unless_most_are_in_it() -> None:
    names = list("ABCDEFGHIJ")
    where = {name: ["Props", "Level"] if name < "E" else ["Level"] for name in names}
    pairs = [pair(0, 1, 0.1), pair(1, 2, 0.1), pair(2, 3, 0.1), pair(3, 4, 0.1), pair(7, 8, 0.1)]
    (one,) = suggested_rules(report(names, pairs), labels(names, collection=where))
    assert (shown(one), one.rows) == ("collection:Props × collection:Props", (0, 1, 2))
    assert one.reason == 'in the collection "Props"'


def contact(a: int, b: int, depth: float, **values: object) -> MotionContact:
    steady = {"unbroken": True, "shallowest": depth, "path": np.zeros((10, 4))} | values
    return MotionContact(
        a, b, 1, 10, True, 1, depth, -depth, Verdict.PENETRATING, UP, UP, shape_a=a, shape_b=b, **steady
    )


def motion(found: Report, contacts: Sequence[MotionContact]) -> MotionReport:
    return MotionReport("", "Scene", 24.0, 1, 10, "ALL", UNITS, found.bodies, (), tuple(contacts))


def test_what_is_in_touch_all_the_time() -> None:
    names = ["Door", "Hinge", "Pin", "Wall", "Cart", "Post", "Lamp"]
    found = report(names, [pair(0, row, 0.01 * row) for row in range(1, 6)])
    contacts = [
        contact(0, 1, 0.0104),
        contact(0, 2, 0.02, shallowest=0.019),
        contact(0, 3, 0.03, unbroken=False),
        contact(0, 4, 0.04, shallowest=0.01),
        contact(0, 5, 0.05, path=np.zeros((1, 4))),
    ]
    rules = suggested_rules(found, labels(names), motion=motion(found, contacts))
    (one,) = [one for one in rules if one.evidence is SuggestionReason.MOTION]
    assert (shown(one), one.rows, one.evidence) == ("Door × Hinge, Pin", (1, 0), SuggestionReason.MOTION)
    assert one.rule.max_depth == pytest.approx(0.022)
    assert one.reason == "in touch from frame 1 to 10, about equally deep"
    # In a frame in which they are much deeper than the animation has them.
    deep = report(names, [pair(0, 1, 0.5)])
    assert suggested_rules(deep, labels(names), motion=motion(deep, contacts)) == []


def test_what_is_accepted_or_ignored_is_not_suggested() -> None:
    found = bolts([0.002] * 6)
    known = labels([body.name for body in found.bodies])
    (one,) = suggested_rules(found, known, PairMarks(accepted={0: "glued"}, ignored={1: 0}))
    assert one.rows == (2, 3, 4, 5)
    assert suggested_rules(found, known, PairMarks(accepted=dict.fromkeys(range(6), ""))) == []


def test_duplicates_are_never_taken() -> None:
    names = [f"Crate.{number:03}" for number in range(8)] + [f"Wall{number}" for number in range(9)]
    pairs = [pair(row, row + 4, 1.0, Verdict.DUPLICATE) for row in range(4)]
    assert suggested_rules(report(names, pairs), labels(names)) == []
    found = bolts([0.002] * 5)
    known = labels([body.name for body in found.bodies])
    mixed = report([body.name for body in found.bodies], [*found.pairs[:4], pair(4, 9, 0.002, Verdict.DUPLICATE)])
    (one,) = suggested_rules(mixed, known)
    assert one.rows == (0, 1, 2, 3)
    assert set(ignored_rows(mixed, [one.rule], known)) == {0, 1, 2, 3}


# Texts


@pytest.mark.parametrize(
    ("name", "patterns"),
    [
        ("Bolt.001", ["Bolt.001", "Bolt*"]),
        ("Bolt_M8.003", ["Bolt_M8.003", "Bolt_M*", "Bolt*"]),
        ("SteelBolt 12", ["SteelBolt 12", "SteelBolt*", "Steel*"]),
        ("Left-Door", ["Left-Door", "Left-Door*", "Left*"]),
        ("001", ["001"]),
        ("A[1]*", ["A[[]1][*]", "A[[]1][*]*"]),
    ],
)
def test_how_names_begin(name: str, patterns: list[str]) -> None:
    assert [pattern.text for pattern in beginnings(name)] == patterns
    assert all(pattern.matches(Labels(frozenset({name}))) for pattern in beginnings(name))


@pytest.mark.parametrize(
    "name",
    [
        *("Bolt", "a*b?c[d]", " x ", "parent:Car", "name:x", 'say "x", y', "]", "[!a]", "볼트"),
        *("two\nlines", "a\r\nb", "\nx", "x\r"),
    ],
)
def test_an_exact_pattern_matches_one_name_also_after_it_was_listed(name: str) -> None:
    (pattern,) = read_list(listed([exact(name)]))
    assert pattern.matches(Labels(frozenset({name})))
    for other in ("Bolt1", "aXbYcd", "x", "Car", "", "b", f"{name}x"):
        assert other == name or not pattern.matches(Labels(frozenset({other})))


def test_an_end_of_line_outside_quotes_separates_patterns() -> None:
    assert read_list('Bolt*\r\n"Plate\n1", parent:Car\nWall') == tuple(
        map(Pattern.read, ("Bolt*", "Plate\n1", "parent:Car", "Wall"))
    )


@pytest.mark.parametrize("seed", range(50))
def test_lengths_are_rounded_up_by_less_than_a_hundredth(seed: int) -> None:
    draw = random.Random(seed)
    length = 10.0 ** draw.uniform(-7.0, 5.0)
    assert length * (1.0 - 1e-6) <= rounded_up(length) <= length * 1.0100001
    assert len(f"{rounded_up(length):.12g}".replace(".", "").partition("e")[0].strip("0")) <= 3
    assert rounded_up(rounded_up(length)) == rounded_up(length)
    assert rounded_up(0.0) == 0.0


# Random scenes, searched in another way


def scene(draw: random.Random) -> tuple[Report, list[Labels], PairMarks]:
    stems = ["Bolt", "Bolt_Long", "Plate", "SteelFrame", "Wall", "Level_Crate", "Level_Rock"]
    names = list(dict.fromkeys(f"{draw.choice(stems)}.{draw.randrange(40):03}" for _ in range(draw.randrange(2, 60))))
    collections = {name: draw.sample(["Props", "Level", "Cars", "Set"], draw.randrange(3)) for name in names}
    parents: dict[str, list[str]] = {}
    for row, name in enumerate(names[1:], start=1):
        if draw.random() < 0.5:
            above = names[draw.randrange(row)]
            parents[name] = [above, *parents.get(above, [])]
    known = labels(names, collection=collections, parent=parents)
    ends = {tuple(sorted(draw.sample(range(len(names)), 2))) for _ in range(draw.randrange(3 * len(names)))}
    scale = draw.choice([1e-4, 1.0, 100.0])
    pairs = [
        pair(a, b, scale * draw.choice([0.9, 1.0, 1.1, 2.9, 3.1, 50.0]), draw.choice(list(Verdict)[1:]), 0.01 * scale)
        for a, b in sorted(ends)
    ]
    rows = range(len(pairs))
    accepted = {row: "" for row in rows if draw.random() < 0.1}
    ignored = {row: 0 for row in rows if draw.random() < 0.1 and row not in accepted}
    return report(names, pairs), known, PairMarks(accepted=accepted, ignored=ignored)


def matched(patterns: Sequence[Pattern], body: Labels) -> bool:
    return not patterns or any(fnmatchcase(name, one.glob) for one in patterns for name in getattr(body, one.field))


@pytest.mark.parametrize("seed", range(60))
def test_a_suggested_rule_takes_what_is_said_and_nothing_much_deeper(seed: int) -> None:
    found, known, marks = scene(random.Random(seed))
    suggested = suggested_rules(found, known, marks)
    for one in suggested:
        if one.evidence is SuggestionReason.TOLERANCE:
            continue
        a, b, limit = one.rule.a, one.rule.b, one.rule.max_depth
        both = [
            row
            for row, each in enumerate(found.pairs)
            if each.verdict in MEANT
            for first, second in [(known[each.body_a], known[each.body_b])]
            if (matched(a, first) and matched(b, second)) or (matched(a, second) and matched(b, first))
        ]
        depth = {row: -found.pairs[row].distance - found.pairs[row].touching for row in both}
        middle = statistics.median(depth.values())
        fresh = set(both) & set(marks.open_rows(found, tuple(MEANT)))
        usual = [depth[row] for row in fresh if depth[row] <= 3.0 * middle]
        assert max(usual) < limit <= max(usual) * 1.1 * 1.01
        assert set(one.rows) == {row for row in fresh if depth[row] <= limit} != set()
        assert [depth[row] for row in one.rows] == sorted((depth[row] for row in one.rows), reverse=True)
        # As the rule itself has it, too.
        taken = ignored_rows(found, [one.rule], known)
        assert set(one.rows) == {row for row in taken if found.pairs[row].verdict in MEANT} & fresh
        settled = {*marks.accepted, *marks.ignored}
        assert all(found.pairs[row].verdict != Verdict.DUPLICATE or row in settled for row in taken)
        sides = [sum(matched(side, body) for body in known) for side in (a, b)]
        assert 2 * min(sides) <= len(known), "not most of the scene"
    for place, one in enumerate(suggested):
        for before in suggested[:place]:
            assert len(before.rows) >= len(one.rows)
            assert before.evidence > one.evidence or not set(one.rows) <= set(before.rows)


@pytest.mark.parametrize("seed", range(60))
def test_every_collection_and_every_hierarchy_is_looked_at(seed: int) -> None:
    """The pairs of each, up to three times the median depth, are taken by a rule that is suggested."""
    found, known, marks = scene(random.Random(seed))
    suggested = suggested_rules(found, known, marks)
    # A search for all of them: what is left out is what another rule of as much evidence takes.
    faults = [row for row, each in enumerate(found.pairs) if each.verdict in MEANT]
    names = {name for body in known for name in body.parent}
    sets = [
        (SuggestionReason.PARENT, 1, lambda body, name=name: name in body.parent or name in body.name)
        for name in sorted(names)
    ] + [
        (SuggestionReason.COLLECTION, 3, lambda body, name=name: name in body.collection)
        for name in ("Props", "Level", "Cars", "Set")
    ]
    for evidence, fewest, inside in sets:
        members = {body for body, label in enumerate(known) if inside(label)}
        rows = [row for row in faults if {found.pairs[row].body_a, found.pairs[row].body_b} <= members]
        if not rows or 2 * len(members) > len(known):
            continue
        depth = {row: -found.pairs[row].distance - found.pairs[row].touching for row in rows}
        kept = [row for row in rows if depth[row] <= 3.0 * statistics.median(depth.values())]
        fresh = set(kept) & set(marks.open_rows(found, tuple(MEANT)))
        if len(kept) >= fewest and fresh and len(suggested) < 20:
            assert any(one.evidence <= evidence and fresh <= set(one.rows) for one in suggested)


def test_names_of_random_scenes_are_those_of_counting_by_hand() -> None:
    """Each two stems of which three pairs are equally deep are suggested if one of them is mostly in such pairs."""
    seen = 0
    for seed in range(60):
        draw = random.Random(seed)
        names = [f"{stem}{number}" for stem in ("Bolt", "Nut", "Plate", "Wall") for number in range(8)]
        ends = {tuple(sorted(draw.sample(range(32), 2))) for _ in range(draw.randrange(8, 32))}
        found = report(names, [pair(a, b, 1.0) for a, b in sorted(ends)])
        known = labels(names)
        suggested = {shown(one): one for one in suggested_rules(found, known)}
        kinds = [re.sub(r"\d", "", name) for name in names]
        for first, second in [(x, y) for x in sorted(set(kinds)) for y in sorted(set(kinds)) if x <= y]:
            rows = [row for row, (a, b) in enumerate(sorted(ends)) if sorted((kinds[a], kinds[b])) == [first, second]]
            inside = {body for row in rows for body in sorted(ends)[row]}
            shares = [len([body for body in inside if kinds[body] == kind]) for kind in (first, second)]
            text = f"{first}* × {second}*"
            if len(rows) >= 3 and max(shares) >= 4:
                seen += 1
                assert any(set(one.rows) >= set(rows) for one in suggested.values()), text
            else:
                assert text not in suggested
    assert seen > 50


# What is said by other things than names


def only(found: Report, known: Sequence[Labels], evidence: SuggestionReason) -> list[SuggestedRule]:
    return [one for one in suggested_rules(found, known) if one.evidence is evidence]


def test_a_tolerance_that_takes_small_steps_and_no_more() -> None:
    names = [f"{letter}{letter.lower()}" for letter in "ABCDEFGH"]
    found = report(names, [pair(k, k + 1, depth) for k, depth in enumerate([0.0013, 0.0012, 0.0004, 0.006, 0.1])])
    (one,) = only(found, labels(names), SuggestionReason.TOLERANCE)
    assert one.rule.max_depth == 0.002 and sorted(one.rows) == [0, 1, 2] and shown(one) == "* × *"
    assert [found.pairs[row].depth for row in remaining(found, NO_MARKS, [one])] == [0.006, 0.1]
    close = report(
        names, [pair(k, k + 1, 0.0013 + 0.0004 * k) for k in range(5)] + [pair(6, 7, 0.0045), pair(0, 7, 0.008)]
    )
    assert only(close, labels(names), SuggestionReason.TOLERANCE) == []
    small = [replace(one, point_a=UP * 0.2 * row) for row, one in enumerate(found.pairs)]
    assert only(report(names, small), labels(names), SuggestionReason.TOLERANCE)
    assert (
        only(
            report(names, [replace(one, point_a=one.point_a / 10) for one in small]),
            labels(names),
            SuggestionReason.TOLERANCE,
        )
        == []
    )
    deep = report(names, [pair(k, k + 1, 0.02) for k in range(5)])
    assert only(deep, labels(names), SuggestionReason.TOLERANCE) == []


def test_what_stands_in_a_ground() -> None:
    names = ["Aa", "Bb", "Cc", "Terrain", "Dd", "Ee", "Far", "Wide"]
    found = report(names, [replace(pair(k, 3, 0.1), normal=-UP) for k in range(3)] + [pair(3, 4, 0.1), pair(5, 6, 0.1)])
    (one,) = only(found, labels(names), SuggestionReason.GROUND)
    assert (shown(one), one.rule.b) == ("Terrain × ", ()) and sorted(one.rows) == [0, 1, 2, 3]
    # What others stand below, or beside, is no ground.
    turned = report(names, [pair(k, 3, 0.1) for k in range(3)])
    assert not [one for one in only(turned, labels(names), SuggestionReason.GROUND) if "Terrain" in shown(one)]


@pytest.mark.parametrize(
    ("name", "material", "reason"),
    [
        ("Plane.007", ("NavMesh",), "named like a navigation mesh"),
        # Pairs with these are folded, unless a check tests them.
        ("nav_Plane", (), ""),
        ("NavMesh.001", (), ""),
        ("SkyDome", (), "named like a sky"),
        ("Plane.007", ("Water shader",), "named like water"),
        ("Tree_Impostor", (), "named like an impostor"),
        ("Plane.007", ("Water", "Wood"), ""),
        ("Navy", (), ""),
        ("Seaside", (), ""),
    ],
)
def test_helpers_by_name_and_material(name: str, material: Sequence[str], reason: str) -> None:
    names = [name, "Aa", "Bb", "Cc"]
    found = report(names, [pair(0, 1, 0.1)])
    rules = only(found, labels(names, material={name: material}), SuggestionReason.HELPER)
    assert [one.reason for one in rules] == ([reason] if reason else [])
    assert all((one.rule.a, one.rule.b, one.rows) == ((exact(name),), (), (0,)) for one in rules)


def test_what_contains_most_bodies() -> None:
    names = ["Sphere.003", "Aa", "Bb", "Cc", "Dd", "Ee"]
    inside = [pair(0, k, 0.1, Verdict.CONTAINED) for k in range(1, 5)]
    found = report(names, [*inside, pair(0, 5, 0.1), pair(1, 2, 0.1, Verdict.CONTAINED)])
    (one,) = only(found, labels(names), SuggestionReason.HELPER)
    assert (shown(one), one.rule.b, one.reason) == ("Sphere.003 × ", (), "contains most bodies")
    assert sorted(one.rows) == [0, 1, 2, 3, 4]
    # A crate with three parts in it, among ten other bodies, or a body that three others only penetrate.
    crate = report([*names, *(f"Far {k}" for k in range(10))], inside[:3])
    assert only(crate, labels([body.name for body in crate.bodies]), SuggestionReason.HELPER) == []
    penetrated = report(names, [replace(one, verdict=Verdict.PENETRATING) for one in inside])
    assert only(penetrated, labels(names), SuggestionReason.HELPER) == []


def test_colliders_by_name() -> None:
    names = ["Rock_collision", "Rock", "Stone", "RockPhysics", "Hull"]
    found = report(names, [pair(0, 1, 0.1), pair(0, 2, 0.1), pair(1, 3, 0.2), pair(2, 4, 0.1)])
    rules = only(found, labels(names), SuggestionReason.COLLIDER)
    assert sorted(map(shown, rules)) == ["RockPhysics × Rock", "Rock_collision × Rock"]


def test_what_does_not_move_if_anything_is_said_to() -> None:
    names = ["Wall", "Roof", "Door", "Post", "Ball"]
    found = report(names, [pair(0, 1, 0.1), pair(0, 2, 0.1), pair(0, 3, 0.1), pair(3, 4, 0.1)])
    known = labels(names, motion={name: ["undeclared"] for name in names[:4]} | {"Ball": ["dynamic"]})
    assert only(found, known, SuggestionReason.STATIC) == []
    moving = replace(found, bodies=(*found.bodies[:4], replace(found.bodies[4], motion="dynamic")))
    (one,) = only(moving, known, SuggestionReason.STATIC)
    assert sorted(one.rows) == [0, 1, 2] and shown(one).startswith("motion:undeclared, motion:static ×")


def test_nothing_is_suggested_of_nothing() -> None:
    assert suggested_rules(report([], []), [], NO_MARKS) == []
    assert suggested_rules(report(["A", "B"], [pair(0, 1, 0.0, Verdict.TOUCHING)]), labels(["A", "B"])) == []
