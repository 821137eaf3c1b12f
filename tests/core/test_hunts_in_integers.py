# SPDX-License-Identifier: GPL-3.0-or-later
"""The hunts whose oracles are integers: what is right is no failure, and each fault put in on purpose is one."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from tests.hunt import integer_polygons, integer_soups, voxel_solids

FAMILIES = {
    voxel_solids: (58, 5, ck, "ck"),
    integer_soups: (3, 4, ck, "ck"),
    integer_polygons: (5, 5, planar, "planar"),
}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_the_first_cases_are_no_finds(family):
    seed, count, *_ = FAMILIES[family]
    assert family.run(seed, count) == []


def longer(found):
    """Distances and depths that are a little too small in size."""
    return replace(found, distance=found.distance * (1.0 - 1e-6))


def without_last(found):
    return found.take(np.arange(len(found) - 1)) if len(found) else found


VOXEL_FAULTS = {
    "distance": longer,
    "overlap": lambda met: np.zeros_like(met),
    "contains": lambda held: ~held,
    "verdict": lambda verdict: np.minimum(verdict, ck.Verdict.PENETRATING),
    "interference": lambda depth: 0.5 * depth,
    "touch": lambda found: replace(found, point=found.point + 1e-6),
}


@cache
def voxel_answers():
    """The answers about the first cases of solids, either way round."""
    right, kept = voxel_solids.asked, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(voxel_solids, "asked", lambda *given: kept.append(right(*given)) or kept[-1])
        voxel_solids.run(*FAMILIES[voxel_solids][:2])
    return kept


@pytest.mark.parametrize("field", VOXEL_FAULTS)
def test_a_fault_in_an_answer_about_solids_is_found(monkeypatch, field):
    kept = iter([x._replace(**{field: VOXEL_FAULTS[field](getattr(x, field))}) for x in voxel_answers()])
    monkeypatch.setattr(voxel_solids, "asked", lambda *_: next(kept))
    found = voxel_solids.run(*FAMILIES[voxel_solids][:2])
    assert found
    assert not any(failure["what"].startswith("raises") for failure in found)


FAULTS = [
    (integer_soups, "distance", longer),
    (integer_soups, "overlap", lambda met: np.zeros_like(met)),
    (integer_soups, "crossing_segments", lambda found: replace(found, end=found.start)),
    (integer_soups, "crossing", lambda found: replace(found, coplanar=np.zeros_like(found.coplanar))),
    (integer_soups, "self_crossing", without_last),
    (integer_polygons, "distance", longer),
    (integer_polygons, "overlap", lambda met: np.zeros_like(met)),
    (integer_polygons, "contains", lambda held: ~held),
    (integer_polygons, "inside", lambda held: ~held),
    (integer_polygons, "decompose", lambda pieces: pieces[1:]),
    (integer_polygons, "interference", lambda depth: depth + 1.0),
]


@pytest.mark.parametrize(
    ("family", "query", "change"), FAULTS, ids=[f"{family.__name__}-{query}" for family, query, _ in FAULTS]
)
def test_a_fault_put_in_on_purpose_is_found(monkeypatch, family, query, change):
    seed, count, module, name = FAMILIES[family]
    answers = {each: getattr(module, each) for each in module.__all__}
    right = answers[query]
    monkeypatch.setattr(family, name, SimpleNamespace(**{**answers, query: lambda *a, **k: change(right(*a, **k))}))
    found = family.run(seed, count)
    assert found
    assert not any(failure["what"].startswith("raises") for failure in found)
