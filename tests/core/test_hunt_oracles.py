# SPDX-License-Identifier: GPL-3.0-or-later
"""The oracles of the hunts: they agree with integers, and an answer that is a little wrong is a failure."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from tests.helpers import exact_polytopes, zoo
from tests.helpers.offline import by_turns, slow
from tests.hunt import batches, meshes, pair_cases, pair_oracles, pairs

KINDS = [(ck.Kind.BOX, ck.Kind.CAPSULE), (ck.Kind.SPHERE, ck.Kind.CYLINDER), (ck.Kind.HULL, ck.Kind.HALF_SPACE)]

# Of each pair of kinds.
counts = pytest.mark.parametrize("count", [8, *slow(24)])


def some(kinds, count):
    rng = np.random.default_rng([*kinds])
    turns, places = zoo.rotations(rng, count), 0.5 * rng.normal(size=(2, count, 3))
    return tuple(
        pair_cases.made(kind, "generic", rng, turns, place, 1.0) for kind, place in zip(kinds, places, strict=True)
    )


@cache
def asked(kinds, count):
    """Pairs and all answers about them, which each of the tests below changes in another way."""
    a, b = some(kinds, count)
    return a, b, pairs.asked(a, b, 0.3)


@counts
@pytest.mark.parametrize("kinds", KINDS, ids=str)
def test_generic_pairs_are_no_finds(kinds, count):
    assert pairs.faults(*some(kinds, count), 0.3) == []


SHIFT = np.array([1e-7, -2e-7, 1e-7])
WRONG = {
    "distance": lambda x: x._replace(distance=replace(x.distance, distance=x.distance.distance + 1e-7)),
    "witnesses": lambda x: x._replace(
        distance=replace(x.distance, point_a=x.distance.point_a + SHIFT, point_b=x.distance.point_b + SHIFT)
    ),
    "normal": lambda x: x._replace(
        distance=replace(x.distance, normal=pair_oracles.unit(x.distance.normal + 1e3 * SHIFT))
    ),
    "swapped": lambda x: x._replace(swapped=replace(x.swapped, distance=x.swapped.distance - 1e-9)),
    "overlap": lambda x: x._replace(overlap=~x.overlap),
    "verdict": lambda x: x._replace(verdict=(x.verdict + 1) % 5),
    "gap": lambda x: x._replace(axis=replace(x.axis, gap=x.axis.gap - 1e-7)),
    "contacts": lambda x: x._replace(contacts=replace(x.contacts, point=x.contacts.point + 10.0 * SHIFT)),
    "missing": lambda x: x._replace(contacts=x.contacts.take(np.arange(0))),
    "near": lambda x: x._replace(near=replace(x.near, depth=x.near.depth + 1e-6)),
    "contained": lambda x: x._replace(holds=~x.holds),
    "not contained": lambda x: x._replace(held=~x.held),
    "nan": lambda x: x._replace(distance=replace(x.distance, point_a=np.full_like(x.distance.point_a, np.nan))),
}


CELLS = [pytest.param(name, kinds, id=f"{name}-{kinds}") for name in WRONG for kinds in KINDS]


@counts
@pytest.mark.parametrize(("name", "kinds"), by_turns(CELLS, len(KINDS), 0))
def test_answers_that_are_a_little_wrong_are_finds(monkeypatch, kinds, name, count):
    a, b, answers = asked(kinds, count)
    answers = WRONG[name](answers)
    monkeypatch.setattr(pairs, "asked", lambda *_: answers)
    assert pairs.faults(a, b, 0.3)


def test_the_largest_gap_is_that_of_integers():
    for kinds in ((ck.Kind.BOX, ck.Kind.BOX), (ck.Kind.BOX, ck.Kind.TRIANGLE), (ck.Kind.TRIANGLE, ck.Kind.TRIANGLE)):
        rng = np.random.default_rng([5, *kinds])
        a, b = pair_cases.pairs(rng, 60, kinds)
        truth = exact_polytopes.gaps_of_floats(a, b)
        found, _ = pair_oracles.largest_gap(*(pair_oracles.Body(s, ck.bounding_spheres(b)[0]) for s in (a, b)))
        size = ck.bounding_spheres(a)[1] + ck.bounding_spheres(b)[1]
        assert (found <= truth + 1e-15 * size).all()
        deep = truth < -1e-14 * size
        np.testing.assert_allclose(found[deep] / size[deep], truth[deep] / size[deep], atol=1e-14)


def test_a_pair_of_every_two_kinds_is_made_again_from_json():
    for number, kinds in enumerate(pair_cases.KINDS):
        a, b = pair_cases.pairs(np.random.default_rng([6, number]), 8, kinds)
        again = [pair_cases.shape_of(json.loads(json.dumps(pair_cases.row_of(s, 5)))) for s in (a, b)]
        row = np.array([5])
        one, other = ck.distance(a.take(row), b.take(row)), ck.distance(*again)
        np.testing.assert_allclose(other.distance, one.distance, rtol=1e-12, atol=4.0 * one.rounding[0])


def test_meshes_that_cross_touch_and_are_apart_are_told_by_brute_force():
    points = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    box = ck.convex_hull(points)
    triangles = [(face[0], face[k], face[k + 1]) for face in box.faces for k in range(1, len(face) - 1)]
    turn = zoo.rotations(np.random.default_rng(1), 1)
    solid = ck.Meshes.from_triangles([(points, triangles)], rotation=turn)
    for shift, state, distance in (([0.6, 0.2, 0.3], "meet", 0.0), ([1.5, 0.2, 0.0], "apart", 0.5)):
        moved = zoo.moved(solid, (turn[0] @ shift)[None])
        assert meshes.surfaces(solid, moved, 1e-12) == (state, pytest.approx(distance, abs=1e-12))
        assert meshes.fault(solid, moved) == ""
    small = ck.Meshes.from_triangles([(0.1 * points, triangles)], [turn[0] @ [0.4, 0.4, 0.4]], turn)
    assert meshes.surfaces(small, solid, 1e-12)[0] == "meet"
    assert meshes.surfaces(solid, zoo.moved(solid, (turn[0] @ [1.0, 0.0, 0.0])[None]), 1e-12)[0] == "unsure"


@pytest.mark.parametrize("thin", [1.0, 1e-10, 1e-12])
def test_hulls_all_but_flat_keep_their_facets(thin):
    rng = np.random.default_rng(6)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    points = (signs + rng.uniform(-0.2, 0.2, (8, 3))) * [1.0, 1.0, thin]
    hulls = ck.Hulls.from_points([points], rotation=zoo.rotations(rng, 1))
    body = pair_oracles.Body(hulls, np.zeros((1, 3)), np.longdouble)
    sides = body.sides[0][body.sides[0].any(axis=1)]
    height = np.einsum("fi,vi->fv", sides, body.points[0])
    level = height >= height.max(axis=1, keepdims=True) - 1e-4 * thin
    assert (level.sum(axis=0) >= 3).all() and (level.sum(axis=1) == 3).all()
    # A point a little outside of either of the broad sides is off by so much, and one inside is not off at all.
    middle, up = body.points[0].mean(axis=0), hulls.rotation[0, :, 2].astype(np.longdouble)
    top = min((height.max(axis=1) - sides @ middle)[sides @ up > 0.5] / (sides @ up)[sides @ up > 0.5])
    off = [body.off((middle + up * top * share)[None])[0] for share in (0.99, 1.01)]
    assert off[0] == 0.0 and 0.5 < off[1] / (0.01 * top) < 1.01


@pytest.mark.parametrize("name", ["hulls", "extents", *slow(*sorted({*batches.SUBJECTS} - {"hulls", "extents"}))])
def test_batches_and_their_parts_answer_alike(name):
    assert batches.faults(1, [*batches.SUBJECTS].index(name)) == []


def test_an_answer_that_depends_on_the_batch_is_a_find(monkeypatch):
    depths = planar.interference
    monkeypatch.setattr(planar, "interference", lambda a, b: depths(a, b) + 1e-6 * len(a))
    number = [*batches.SUBJECTS].index("planar")
    assert {what for _, what in batches.faults(1, number)} == {"planar: interference"}
