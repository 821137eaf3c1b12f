# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of JSON reports, which are written as arrays of digits: what JSON reads back is the number, rounded."""

import json
from dataclasses import replace

import numpy as np
import pytest

from collision_kit.addon.model.marks import PairMarks
from collision_kit.addon.model.report import Body, ObjectKey, PairResult, Report, Shape, Surface, Units, _flat
from collision_kit.addon.model.rules import PairTest
from collision_kit.addon.model.topics import Comment, Topic
from collision_kit.addon.reports.json_pairs import digits, pair_lines, pair_values
from collision_kit.core.constants import Verdict


def texts(values, decimals):
    """The text of each number."""
    return [row.tobytes().replace(b"\0", b"").decode("ascii") for row in digits(np.array(values), decimals)]


@pytest.mark.parametrize("decimals", [1, 9, 12])
@pytest.mark.parametrize("spread", ["even", "wide", "short"])
def test_json_reads_back_the_rounded_number(spread, decimals):
    rng = np.random.default_rng(1)
    values = {
        "even": rng.uniform(-100.0, 100.0, 500),
        "wide": rng.normal(size=500) * 10.0 ** rng.uniform(-14.0, 5.0, 500),
        "short": rng.integers(-3000, 3000, 500) / 64.0,
    }[spread]
    for value, text in zip(values.tolist(), texts(values, decimals), strict=True):
        read = json.loads(text)
        assert isinstance(read, float)
        # Half a unit of the last decimal, or of the fifteenth digit of the greatest.
        assert abs(read - value) <= 0.51 * max(10.0**-decimals, 10.0 ** (np.ceil(np.log10(np.abs(values).max())) - 15))


def test_numbers_are_as_short_as_they_can_be():
    assert texts([0.0, -0.0, 0.5, -2.5, 10.0, 99.9999999996, -1e-10, 1005.02], 9) == [
        "0.0",
        "0.0",
        "0.5",
        "-2.5",
        "10.0",
        "100.0",
        "0.0",
        "1005.02",
    ]
    assert texts([999.99], 1) == ["1000.0"]


def test_numbers_too_large_for_decimals_are_written_in_full():
    values = [1e300, -123456789012345680.0, 0.1]
    assert [json.loads(text) for text in texts(values, 9)] == values


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_json_does_not_have_is_an_error(value):
    with pytest.raises(ValueError, match="not JSON"):
        digits(np.array([1.0, value]), 9)


@pytest.mark.parametrize("name", ["distance", "touching"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_pairs_with_such_a_number_are_not_written(name, value):
    up, ends = np.array([0.0, 0.0, 1.0]), np.zeros(3)
    pair = PairResult(0, 1, Verdict.PENETRATING, -1.0, up, ends, ends, np.empty((0, 3)), np.empty(0), 0, 1)
    bodies = tuple(Body(one, ObjectKey(number)) for number, one in enumerate("ab", start=1))
    shapes = tuple(Shape(one, number, "box", "mesh") for number, one in enumerate("ab"))
    report = Report("", "", 1, "ALL", Units("NONE", 1.0, ""), 0.0, 0.0, bodies, shapes, (pair,))
    assert json.loads(pair_lines(report, PairMarks())[0])["touching"] == 0.0
    with pytest.raises(ValueError, match="not JSON"):
        pair_lines(replace(report, pairs=(replace(pair, **{name: value}),)), PairMarks())


def random_report(rng: np.random.Generator, spread: float) -> tuple[Report, PairMarks]:
    """Pairs with and without contacts, tests, interference, an asset and marks, of sizes that differ by `spread`."""
    bodies = tuple(
        Body(f"Body {number}", ObjectKey(number), asset=str(rng.choice(["", "Door", "Gate"]))) for number in range(1, 9)
    )
    surfaces = [Surface(0.5, 0.1), Surface(0.25, 0.0)]
    shapes = tuple(
        Shape(body.name, number, "box", "mesh", surface=surfaces[number % 2]) for number, body in enumerate(bodies)
    )
    tests = (
        PairTest("first", ("A*",), severity="warning"),
        PairTest("second", ("B*",), severity="info"),
    )
    touching = float(rng.choice([0.0, 1e-6, 1e-10]))
    pairs = []
    for _ in range(40):
        a, b = rng.choice(len(bodies), 2, replace=False).tolist()
        size, count = 10.0 ** rng.uniform(-spread, spread), int(rng.integers(4))
        points = rng.normal(size=(count + 3, 3)) * size
        distance = float(rng.normal() * size)
        inner = None if rng.random() < 0.3 else float(rng.uniform(0.0, 1.0) * size)
        verdict = Verdict.PENETRATING if distance < 0.0 else Verdict.WITHIN_CLEARANCE
        pair = PairResult(a, b, verdict, distance, *points[:3], points[3:], rng.uniform(size=count) * size, a, b, inner)
        complete, test = bool(rng.random() < 0.8), int(rng.integers(-1, 2))
        at_least = bool(rng.random() < 0.3)
        pairs.append(replace(pair, touching=touching, test=test, complete=complete, at_least=at_least))
    units = Units("NONE", 1.0, "")
    report = Report("", "", 1, "ALL", units, touching, 0.0, bodies, shapes, tuple(pairs), tests=tests)
    topic = Topic("guid", "open", "Ann", (Comment("Ann", "2026-01-01", "why?"),))
    marks = PairMarks({1: "glued", 2: ""}, frozenset({3}), deeper={4: 0.5}, worse=frozenset({5}), topics={6: topic})
    return report, marks if rng.random() < 0.7 else PairMarks()


@pytest.mark.parametrize("spread", [0.0, 3.0, 9.0, 20.0])
def test_values_of_pairs_are_what_json_reads_back(spread):
    rng = np.random.default_rng(int(spread))
    for _ in range(10):
        report, marks = random_report(rng, spread)
        expected = [json.loads(text) for text in pair_lines(report, marks)]
        for fields in expected:
            fields["contacts"] = len(fields["contacts"])
            del fields["faces"]
        found = pair_values(report, marks)
        assert found == expected
        # Minus zero is equal to zero, but not its text.
        assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.parametrize("first", [np.arange(6.0)[::2], np.arange(4.0).reshape(2, 2).T])
def test_numbers_of_arrays_with_gaps_in_memory_keep_their_order(first):
    assert _flat([first, np.array([7.0])]).tolist() == [*first.ravel(), 7.0]
