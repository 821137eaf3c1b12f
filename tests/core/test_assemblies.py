# SPDX-License-Identifier: GPL-3.0-or-later
"""Assemblies: every answer is that of their parts, put together here in a loop."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo

PART_KINDS = [ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL]
TINY = 1e-11


def bodies(rng, count, maker="generic"):
    """Bodies of one to four parts of mixed kinds, as lists of batches."""
    made = []
    for _ in range(count):
        kinds = rng.choice(PART_KINDS, rng.integers(1, 4))
        made.append([zoo.MAKERS[maker](ck.Kind(kind), rng, int(rng.integers(1, 3))) for kind in kinds])
    return made


def posed(seed=1, count=7, maker="generic"):
    rng = np.random.default_rng(seed)
    parts = bodies(rng, count, maker)
    return parts, rng.normal(size=(count, 3)), zoo.rotations(rng, count)


def in_world(parts, translation, rotation):
    """Each part of each body by itself, placed by the tests' own means."""
    return [
        [zoo.placed(batch.take(np.array([k])), turn, 1.0, move) for batch in batches for k in range(len(batch))]
        for batches, move, turn in zip(parts, translation, rotation, strict=True)
    ]


def every_pair(count):
    return np.array(list(itertools.product(range(count), range(count))))


@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_bodies_answer_as_their_parts_do(maker):
    parts, move, turn = posed(2, maker=maker)
    assembly, loose = ck.Assemblies(parts, move, turn), in_world(parts, move, turn)
    pairs = every_pair(len(parts))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    found, axes = ck.distance(assembly, assembly, pairs), ck.separating_axis(assembly, assembly, pairs)
    overlap, held = ck.overlap(assembly, assembly, pairs), ck.contains(assembly, assembly, pairs)
    touch = ck.contacts(assembly, assembly, pairs, margin=0.1)
    for row, (i, j) in enumerate(pairs):
        table = np.array([[ck.distance(p, q).distance[0] for q in loose[j]] for p in loose[i]])
        gaps = np.array([[ck.separating_axis(p, q).gap[0] for q in loose[j]] for p in loose[i]])
        np.testing.assert_allclose(found.distance[row], table.min(), atol=TINY)
        np.testing.assert_allclose(axes.gap[row], gaps.min(), atol=TINY)
        assert overlap[row] == any(ck.overlap(p, q)[0] for p in loose[i] for q in loose[j])
        assert held[row] == all(any(ck.contains(p, q)[0] for p in loose[i]) for q in loose[j])
        mine = np.flatnonzero(touch.pair == row)
        assert (np.diff(touch.depth[mine]) <= 0.0).all()
        for a, p in enumerate(loose[i]):
            for b, q in enumerate(loose[j]):
                expected = ck.contacts(p, q, margin=0.1)
                here = mine[(touch.part_a[mine] == a) & (touch.part_b[mine] == b)]
                np.testing.assert_allclose(np.sort(touch.depth[here]), np.sort(expected.depth), atol=1e-9)
                if maker == "generic":  # of equally deep features, rounding may name another
                    features = [np.sort(named, axis=0) for named in (touch.feature_a[here], expected.feature_a)]
                    np.testing.assert_array_equal(*features)


def test_the_witnesses_are_points_of_the_two_bodies_that_prove_the_distance():
    assembly = ck.Assemblies(*posed(3))
    found = ck.distance(assembly, assembly, every_pair(7))
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=TINY)
    swapped = ck.distance(assembly, assembly, every_pair(7)[:, ::-1])
    np.testing.assert_allclose(swapped.distance, found.distance, atol=TINY)


@pytest.mark.parametrize("kind", [*PART_KINDS, ck.Kind.HALF_SPACE])
def test_against_a_shape_that_is_no_assembly(kind):
    parts, move, turn = posed(4)
    assembly, loose = ck.Assemblies(parts, move, turn), in_world(parts, move, turn)
    others = zoo.generic(kind, np.random.default_rng(5), len(parts))
    found, back = ck.distance(others, assembly), ck.distance(assembly, others)
    held, holds = ck.contains(others, assembly), ck.contains(assembly, others)
    for row, mine in enumerate(loose):
        other = others.take(np.array([row]))
        np.testing.assert_allclose(found.distance[row], min(ck.distance(other, p).distance[0] for p in mine), atol=TINY)
        assert held[row] == all(ck.contains(other, p)[0] for p in mine)
        assert holds[row] == any(ck.contains(p, other)[0] for p in mine)
    np.testing.assert_allclose(back.distance, found.distance, atol=TINY)
    np.testing.assert_allclose(ck.contacts(assembly, others).depth, ck.contacts(others, assembly).depth, atol=TINY)


def test_parts_of_one_body_are_never_tested_against_each_other_and_nested_ones_are_its_own():
    ball, block = ck.Spheres([[0, 0, 0]], [1.0]), ck.Boxes([[0.5, 0, 0]], [[1, 1, 1]])
    inner = ck.Assemblies([[ball, block]], [[0, 0, 2]])
    outer = ck.Assemblies([[inner, ball], [ball]], [[0, 0, 0], [9, 0, 0]])
    assert outer.count.tolist() == [3, 1]
    world = ck.World([outer])
    assert world.pairs().tolist() == []
    lower, upper = ck.bounds(outer)
    np.testing.assert_allclose(lower, [[-1, -1, -1], [8, -1, -1]])
    np.testing.assert_allclose(upper, [[1.5, 1, 3], [10, 1, 1]])
    near = ck.Spheres([[0, 0, 4.0]], [0.5])
    np.testing.assert_allclose(ck.distance(outer.take(np.array([0])), near).distance, 0.5)
    # The nested assembly's ball and block come first.
    touch = ck.contacts(outer.take(np.array([0])), near, margin=0.7)
    assert set(touch.part_a.tolist()) == {0, 1}


def test_contacts_name_their_parts_and_have_their_materials():
    ice, rubber = ck.Materials(0.04), ck.Materials(1.0, 0.9)
    sledge = ck.Assemblies(
        [
            [
                ck.Boxes([[0, 0, 2]], [[1, 1, 0.5]]),
                ck.Capsules([[-1, 1, 0.2]], [[1, 1, 0.2]], [0.2], materials=ice),
                ck.Capsules([[-1, -1, 0.2]], [[1, -1, 0.2]], [0.2], materials=rubber),
            ]
        ]
    )
    touch = ck.contacts(sledge, ck.HalfSpaces([[0, 0, 1]], [0.05], materials=ck.Materials(0.25)))
    assert sorted(touch.part_a.tolist()) == [1, 1, 2, 2]
    assert touch.part_b.tolist() == [0] * 4
    np.testing.assert_allclose(touch.friction[touch.part_a == 1], 0.1)
    np.testing.assert_allclose(touch.friction[touch.part_a == 2], 0.5)
    np.testing.assert_allclose(touch.restitution, np.where(touch.part_a == 1, 0.0, 0.9))


def test_placing_a_body_is_placing_its_parts():
    parts, move, turn = posed(6)
    rng = np.random.default_rng(7)
    again, further = zoo.rotations(rng, 7), rng.normal(size=(7, 3))
    one = ck.Assemblies(parts, move, turn).placed(again, further)
    two = ck.Assemblies(parts, np.einsum("nij,nj->ni", again, move) + further, again @ turn)
    np.testing.assert_allclose(ck.bounds(one), ck.bounds(two), atol=1e-9)
    probe = zoo.generic(ck.Kind.BOX, rng, 7)
    np.testing.assert_allclose(ck.distance(one, probe).distance, ck.distance(two, probe).distance, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[ck.Spheres([[0, 0, 0]], [1])], []], "bodies: body 1 has no part"),
        ([[ck.Spheres([], [])]], "bodies: body 0 has no part"),
        ([[[1, 2, 3]]], "bodies: body 0 has a list"),
    ],
)
def test_bad_bodies_are_named(given, message):
    with pytest.raises(ValueError, match=message):
        ck.Assemblies(given)
    with pytest.raises(ValueError, match="translation"):
        ck.Assemblies([[ck.Spheres([[0, 0, 0]], [1])]], translation=[[0, 0, 0], [1, 0, 0]])


OTHERS = [ck.Kind.SPHERE, ck.Kind.BOX, ck.Kind.HALF_SPACE, ck.Kind.COMPOUND]


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize(
    ("scale", "shift"), [(1.0, 1e5), *(pytest.param(scale, 0.0, marks=pytest.mark.slow) for scale in (1e-4, 1e4))]
)
def test_rigid_motion_scale_and_order_change_nothing(kind, maker, scale, shift):
    rng = np.random.default_rng([8, kind])
    a, b = zoo.MAKERS[maker](kind, rng, 24), zoo.MAKERS[maker](ck.Kind.COMPOUND, rng, 24)
    turn, move = zoo.rotations(rng, 1)[0], shift * np.array([0.6, -0.7, 0.4])
    before = ck.distance(a, b)
    after = ck.distance(zoo.placed(a, turn, scale, move), zoo.placed(b, turn, scale, move))
    tolerance = scale * (TINY + 20.0 * np.finfo(float).eps * shift)
    np.testing.assert_allclose(after.distance, scale * before.distance, atol=tolerance)
    np.testing.assert_allclose(ck.distance(b, a).distance, before.distance, atol=TINY)
    for row in range(24):
        alone = ck.distance(a.take(np.array([row])), b.take(np.array([row])))
        np.testing.assert_allclose(alone.distance, before.distance[[row]], atol=TINY)


def test_no_early_out_changes_what_bodies_answer():
    rng = np.random.default_rng(9)
    a, b = (zoo.generic(ck.Kind.COMPOUND, rng, 40) for _ in range(2))
    b = zoo.moved(b, rng.integers(-3, 4, (40, 3)) / 1.0)
    found = ck.distance(a, b)
    with ck.QueryStats() as work:
        meets = ck.overlap(a, b, axis=found.normal)
    np.testing.assert_array_equal(meets, found.distance <= found.rounding)
    assert work.resolved_by["bounding spheres"] > 0
