# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of pairs as arrays are the results that they were made of."""

from dataclasses import fields

import numpy as np
import pytest

from collision_kit.addon.model.report import PairResult, PairResults, in_order
from collision_kit.core.constants import Verdict

VERDICTS = [verdict for verdict in Verdict if verdict != Verdict.SEPARATED]


def drawn(rng: np.random.Generator, count: int, whole: bool) -> list[PairResult]:
    """Results; of `whole` numbers many are the same, so that what comes next decides their order."""
    results = []
    for _ in range(count):
        contacts, distance = int(rng.integers(0, 4)), float(rng.integers(-2, 3) if whole else rng.normal())
        numbers = rng.integers(0, 3, 5) if whole else rng.integers(0, 100, 5)
        results.append(
            PairResult(
                body_a=int(numbers[0]),
                body_b=int(numbers[1]),
                verdict=VERDICTS[rng.integers(0, len(VERDICTS))],
                distance=distance,
                normal=rng.normal(size=3),
                point_a=rng.normal(size=3),
                point_b=rng.normal(size=3),
                contact_points=rng.normal(size=(contacts, 3)),
                contact_depths=rng.normal(size=contacts),
                shape_a=int(numbers[2]),
                shape_b=int(numbers[3]),
                interference=None if rng.random() < 0.3 else abs(distance) * float(rng.integers(0, 2)),
                contact_normals=rng.normal(size=(contacts, 3)),
                touching=float(rng.random()),
                rounding=float(rng.random()),
                faces=tuple(rng.integers(0, 9, int(rng.integers(0, 3))).tolist()),
                test=int(numbers[4]) - 1,
            )
        )
    return results


def plain(results) -> list[list[object]]:
    """All fields of results, with their types."""
    values = [[getattr(result, one.name) for one in fields(PairResult)] for result in results]
    return [[one.tolist() if isinstance(one, np.ndarray) else (type(one), one) for one in row] for row in values]


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("count", [0, 1, 200])
def test_arrays_of_results_give_them_back_and_sort_them(count, whole):
    results = drawn(np.random.default_rng(count), count, whole)
    arrays = PairResults.of(results)
    assert len(arrays) == count
    assert plain(arrays) == plain(results)
    assert plain(arrays.in_order()) == plain(in_order(results))
    parts = [PairResults.of(results[first : first + 50]) for first in range(0, count, 50)]
    assert plain(PairResults.joined(parts)) == plain(results)


def test_contacts_without_normals_have_those_of_their_pair():
    up, ends = np.array([0.0, 0.0, 1.0]), np.zeros(3)
    pair = PairResult(0, 1, Verdict.TOUCHING, 0.0, up, ends, ends, np.ones((2, 3)), np.zeros(2), 0, 1)
    assert PairResults.of([pair])[0].contact_normals.tolist() == [up.tolist()] * 2


def test_results_are_the_same_as_the_tuple_of_them():
    results = PairResults.of(drawn(np.random.default_rng(0), 3, False))
    assert results == tuple(results)
    assert results != tuple(results)[:2]
    assert PairResults.of(()) == ()
    assert repr(results) == repr(tuple(results))
    assert next(iter(results)) is results[0]
