# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts kept from one update to the next: what they are computed from, who they are, and when they are forgotten."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import collision_kit.core as ck
from collision_kit.core import ContactState, RemovalReason
from tests.helpers.coherent_scenes import COUNT, FLOOR, sunk, turns

# Cylinders and meshes have no features to compute from: their contacts are recognized, not recomputed.
FEATURED = ("sphere", "capsule", "box", "triangle", "hull", "half-space", "plane", "assembly")


def _shapes(kind, rng):
    place, size = rng.normal(size=(COUNT, 3)) * 0.7, rng.uniform(0.3, 1.0, (COUNT, 3))
    if kind == "sphere":
        return ck.Spheres(place, size[:, 0])
    if kind == "capsule":
        return ck.Capsules(place, rng.normal(size=(COUNT, 3)), size[:, 0] / 2.0)
    if kind == "box":
        return ck.Boxes(place, size, turns(rng))
    if kind == "triangle":
        return ck.Triangles(rng.normal(size=(COUNT, 3, 3)))
    if kind == "hull":
        return ck.Hulls.from_points([rng.normal(size=(10, 3)) for _ in range(COUNT)], place, turns(rng))
    if kind == "half-space":
        return ck.HalfSpaces(rng.normal(size=(COUNT, 3)), rng.normal(size=COUNT) * 0.3)
    if kind == "plane":
        return ck.Planes(rng.normal(size=(COUNT, 3)), rng.normal(size=COUNT) * 0.3)
    parts = [[ck.Boxes(rng.normal(size=(2, 3)), size[:2]), ck.Spheres(place[:1], [0.5])] for _ in range(COUNT)]
    return ck.Assemblies(parts, place, turns(rng))


PAIRS = [
    (one, other)
    for i, one in enumerate(FEATURED)
    for other in FEATURED[i:]
    if not {one, other} <= {"half-space", "plane"}
]


def _same_rows(first, second):
    """Rows of two answers that are about the same identity."""
    shared, i, j = np.intersect1d(first.identity, second.identity, return_indices=True)
    return shared, i, j


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_recomputed_from_features_is_what_was_found(one, other):
    rng = np.random.default_rng([FEATURED.index(one), FEATURED.index(other)])
    a, b = _shapes(one, rng), _shapes(other, rng)
    for first, second in ((a, b), (b, a)):
        memory = ck.ContactCache()
        found, again = memory.update(first, second), memory.recompute(first, second)
        shared, i, j = _same_rows(found, again)
        # The few others are pairs so deep in each other that the deepest features do not meet face to face.
        assert len(shared) >= 0.95 * len(found) > 10
        for name in ("point", "normal", "depth"):
            np.testing.assert_allclose(getattr(found.contacts, name)[i], getattr(again.contacts, name)[j], atol=1e-9)
        assert (again.state == ContactState.RECOMPUTED).all()
        np.testing.assert_array_equal(found.contacts.type[i], again.contacts.type[j])


def _small_motion(rng, size):
    return rng.normal(size=(COUNT, 3)) * size, Rotation.from_rotvec(rng.normal(size=(COUNT, 3)) * size).as_matrix()


def _resting(rng):
    """Boxes on boxes, face to face and a little turned about the vertical."""
    spin = Rotation.from_rotvec(rng.uniform(-0.5, 0.5, (COUNT, 1)) * [0.0, 0.0, 1.0]).as_matrix()
    below = ck.Boxes(np.zeros((COUNT, 3)), np.ones((COUNT, 3)))
    above = ck.Boxes([0.0, 0.0, 1.75] + rng.uniform(-0.3, 0.3, (COUNT, 3)) * [1, 1, 0], np.full((COUNT, 3), 0.8), spin)
    return below, above


def test_after_a_motion_features_that_are_the_same_give_the_fresh_contact():
    rng = np.random.default_rng(3)
    below, above = _resting(rng)
    memory = ck.ContactCache()
    memory.update(below, above)
    shift, turn = _small_motion(rng, 0.004)
    moved = ck.Boxes(above.center + shift, above.half_extents, turn @ above.rotation)
    again, fresh = memory.recompute(below, moved), ck.contacts(below, moved)
    keys = [
        {
            (*row[0], *row[1], row[2]): place
            for place, row in enumerate(zip(c.feature_a.tolist(), c.feature_b.tolist(), c.pair.tolist(), strict=True))
        }
        for c in (again.contacts, fresh)
    ]
    both = keys[0].keys() & keys[1].keys()
    rows = np.array([(keys[0][key], keys[1][key]) for key in both])
    # The reference face may have changed with the tilt; where it has not, so has nothing else.
    parallel = np.abs(np.einsum("ij,ij->i", again.contacts.normal[rows[:, 0]], fresh.normal[rows[:, 1]]) - 1) < 1e-12
    assert np.count_nonzero(parallel) > COUNT
    i, j = rows[parallel].T
    np.testing.assert_allclose(again.contacts.point[i], fresh.point[j], atol=1e-9)
    np.testing.assert_allclose(again.contacts.depth[i], fresh.depth[j], atol=1e-9)


def _inside_box(boxes, rows, points, slack):
    local = np.einsum("kji,kj->ki", boxes.rotation[rows], points - boxes.center[rows])
    return np.abs(local) - boxes.half_extents[rows] <= slack, np.abs(local) - boxes.half_extents[rows]


def test_recomputed_contact_lies_on_both_surfaces_within_its_depth():
    rng = np.random.default_rng(4)
    below, above = _resting(rng)
    memory = ck.ContactCache(min_depth=-0.1)
    memory.update(below, above)
    shift, turn = _small_motion(rng, 0.01)
    moved = ck.Boxes(above.center + shift, above.half_extents, turn @ above.rotation)
    again = memory.recompute(below, moved).contacts
    assert len(again) > 2 * COUNT
    half = again.depth[:, None] / 2.0 * again.normal
    # The surface of A is half the depth along the normal, that of B half the depth against it.
    for shapes, ends in ((below, again.point + half), (moved, again.point - half)):
        inside, over = _inside_box(shapes, again.pair, ends, 0.01)
        assert inside.all()
        np.testing.assert_array_less(np.abs(over.max(axis=1)), 0.02)


def test_identity_persists_under_small_motion_and_not_under_a_jump():
    rng = np.random.default_rng(5)
    below, above = _resting(rng)
    memory = ck.ContactCache()
    first = memory.update(below, above)
    for step in range(5):
        shift, turn = _small_motion(rng, 1e-3)
        above = ck.Boxes(above.center + shift, above.half_extents, turn @ above.rotation)
        found = memory.update(below, above)
        kept = found.identity[found.state != ContactState.NEW]
        assert len(kept) >= 0.6 * len(found)
        assert len(np.unique(found.identity)) == len(found)
        assert found.age.max() == step + 1
    shared = np.intersect1d(first.identity, found.identity)
    assert len(shared) >= 0.3 * len(first)
    # Turned by half a turn about the vertical, and moved across: other corners in the same places, then the same
    # corners elsewhere on the face.
    flat = ck.ContactCache()
    floor = ck.Boxes([[0.0, 0.0, -10.0]], [[10.0, 10.0, 10.0]])
    one = flat.update(floor, ck.Boxes([[-5.0, 0.0, 0.4]], [[0.5, 0.5, 0.5]]))
    other = flat.update(floor, ck.Boxes([[5.0, 0.0, 0.4]], [[0.5, 0.5, 0.5]]))
    assert len(one) == len(other) == 4
    assert not np.intersect1d(one.identity, other.identity).size
    assert (other.state == ContactState.NEW).all()
    assert sorted(other.removed.tolist()) == sorted(one.identity.tolist())
    assert (other.removal_reason == RemovalReason.SEPARATED).all()


def test_no_contact_is_given_twice():
    rng = np.random.default_rng(6)
    below, above = _resting(rng)
    memory = ck.ContactCache(max_contacts=12)
    for _ in range(20):
        shift, turn = _small_motion(rng, 0.01)
        above = ck.Boxes(above.center + shift * [1, 1, 0.1], above.half_extents, turn @ above.rotation)
        found = memory.update(below, above)
        assert len(np.unique(found.identity)) == len(found)
        for pair in np.unique(found.contacts.pair):
            rows = np.flatnonzero(found.contacts.pair == pair)
            features = np.column_stack([found.contacts.feature_a[rows], found.contacts.feature_b[rows]])
            assert len(np.unique(features, axis=0)) == len(rows)
            remembered = rows[found.state[rows] == ContactState.RECOMPUTED]
            for row in remembered:
                others = np.setdiff1d(rows, [row])
                apart = np.linalg.norm(found.contacts.point[others] - found.contacts.point[row], axis=1)
                assert apart.min(initial=np.inf) > 0.02 * 0.8


def test_memory_completes_what_a_search_leaves_out():
    """An octagon on a face has eight corners there, and a manifold no more than four of them."""
    angle = np.arange(8) * np.pi / 4.0
    rim = np.column_stack([np.cos(angle), np.sin(angle)])
    points = np.vstack([np.column_stack([rim, np.full(8, z)]) for z in (0.0, 1.0)])
    floor = ck.Boxes([[0.0, 0.0, -1.0]], [[3.0, 3.0, 1.0]])
    memory = ck.ContactCache(max_contacts=8)
    rng, most = np.random.default_rng(7), 0
    for _ in range(30):
        tilt = Rotation.from_rotvec([*rng.normal(size=2) * 1e-3, 0.0]).as_matrix()
        found = memory.update(floor, ck.Hulls.from_points([points], [[0.0, 0.0, -0.05]], [tilt]))
        most = max(most, len(found))
        lowest = points[:8] @ tilt.T + [0.0, 0.0, -0.05]
        for point, depth in zip(found.contacts.point, found.contacts.depth, strict=True):
            # Each is a corner of the octagon at its present depth, however it was come by.
            near = np.linalg.norm(lowest - (point - [0, 0, depth / 2.0]), axis=1).min()
            assert near < 1e-3
    assert most > 4


def test_rebuilt_hull_is_matched_by_where_its_contacts_are():
    rng = np.random.default_rng(8)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    memory = ck.ContactCache()
    place, turn = [[0.3, 0.2, 0.9]], Rotation.from_rotvec([[0.02, 0.01, 0.0]]).as_matrix()
    first = memory.update(FLOOR, ck.Hulls.from_points([corners], place, turn))
    where = {identity: point for identity, point in zip(first.identity.tolist(), first.contacts.point, strict=True)}
    for _ in range(4):
        shuffled = corners[rng.permutation(8)]
        found = memory.update(FLOOR, ck.Hulls.from_points([shuffled], place, turn))
        assert sorted(found.identity.tolist()) == sorted(where)
        assert (found.state == ContactState.KEPT).all()
        for identity, point in zip(found.identity.tolist(), found.contacts.point, strict=True):
            np.testing.assert_allclose(point, where[identity], atol=1e-12)


@pytest.mark.parametrize("make", ["cylinder", "mesh"])
def test_shapes_without_features_are_recognized(make):
    def at(x):
        if make == "cylinder":
            return ck.Cylinders([[x, 0, -0.1]], [[x, 0, 1.9]], [1.0])
        corners = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (0, 2)], dtype=float)
        hull = ck.convex_hull(corners)
        triangles = [(f[0], f[i], f[i + 1]) for f in hull.faces for i in range(1, len(f) - 1)]
        return ck.Meshes.from_triangles([(corners, triangles)], [[x, 0, -0.1]])

    memory = ck.ContactCache()
    first = memory.update(FLOOR, at(0.0))
    assert len(first)
    found = memory.update(FLOOR, at(0.01))
    assert sorted(found.identity.tolist()) == sorted(first.identity.tolist())
    assert (found.state == ContactState.KEPT).all()


def test_ids_follow_the_shapes_whatever_rows_they_are_in():
    memory = ck.ContactCache()
    first = memory.update(FLOOR, sunk([0.1, 0.2, 0.3]), ids=([7], [10, 20, 30]))
    by_id = dict(zip([10, 20, 30], first.identity.tolist(), strict=True))
    reordered = sunk([0.1, 0.2, 0.3]).take(np.array([2, 0]))
    found = memory.update(FLOOR, reordered, ids=([7], [30, 10]))
    assert found.identity.tolist() == [by_id[30], by_id[10]]
    assert found.removed.tolist() == [by_id[20]]


def test_world_pairs_and_remembered_axes_save_work():
    rng = np.random.default_rng(9)
    boxes = ck.Boxes(rng.uniform(-6, 6, (200, 3)), rng.uniform(0.2, 1.0, (200, 3)), turns(rng, 200))
    world = ck.World([boxes])
    pairs = world.pairs()
    memory = ck.ContactCache()
    with ck.QueryStats() as first:
        memory.update(world, world, pairs)
    moved = ck.World([ck.Boxes(boxes.center + rng.normal(size=(200, 3)) * 1e-3, boxes.half_extents, boxes.rotation)])
    axes = memory.axes(moved, moved, pairs)
    with ck.QueryStats() as second:
        again = memory.update(moved, moved, pairs)
    fresh = ck.contacts(moved, moved, pairs)
    assert set(fresh.pair.tolist()) == set(again.contacts.pair.tolist())
    apart = ~ck.overlap(moved, moved, pairs)
    balls = second.resolved_by["bounding spheres"]
    assert "cached axis" not in first.resolved_by
    # All but a few of those that are apart are settled by the axis that parted them before.
    assert second.resolved_by["cached axis"] >= 0.95 * (np.count_nonzero(apart) - balls) > 10
    with ck.QueryStats() as given:
        np.testing.assert_array_equal(ck.overlap(moved, moved, pairs, axis=axes), ~apart)
    assert given.resolved_by["cached axis"] == second.resolved_by["cached axis"]


def test_two_copies_in_a_world_and_alone_agree():
    below, above = _resting(np.random.default_rng(10))
    world = ck.World([below, above])
    rows = np.column_stack([np.arange(COUNT), COUNT + np.arange(COUNT)])
    alone, mixed = ck.ContactCache(), ck.ContactCache()
    for step in (0.0, 0.003):
        lifted = ck.Boxes(above.center + np.array([step, step, 0.0]), above.half_extents, above.rotation)
        world = ck.World([below, lifted])
        one, other = alone.update(below, lifted), mixed.update(world, world, rows)
        np.testing.assert_array_equal(one.identity, other.identity)
        np.testing.assert_array_equal(one.contacts.point, other.contacts.point)


def test_materials_stay_with_the_contact():
    rough = ck.Spheres([[0, 0, 0.9]], [1.0], materials=ck.Materials([0.9], [0.3]))
    memory = ck.ContactCache()
    found, again = memory.update(FLOOR, rough), memory.recompute(FLOOR, rough)
    np.testing.assert_array_equal(found.contacts.friction, again.contacts.friction)
    np.testing.assert_array_equal(found.contacts.restitution, again.contacts.restitution)


def test_nothing_at_all_and_beginning_anew():
    memory = ck.ContactCache()
    assert not len(memory.update(sunk([]), sunk([])))
    memory.update(FLOOR, sunk([0.1]))
    assert len(memory) == 1
    memory.clear()
    found = memory.update(FLOOR, sunk([0.1]))
    assert found.state.tolist() == [ContactState.NEW] and found.identity.tolist() == [1]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"max_contacts": 0}, "max_contacts"),
        ({"min_depth": np.nan}, "min_depth"),
        ({"max_separation_speed": np.nan}, "max_separation_speed"),
        ({"match_distance": -1.0}, "match_distance"),
    ],
)
def test_settings_are_checked(settings, field):
    with pytest.raises(ValueError, match=field):
        ck.ContactCache(**settings)


def test_questions_are_checked():
    memory, spheres = ck.ContactCache(), sunk([0.1, 0.2])
    with pytest.raises(ValueError, match="twice"):
        memory.update(FLOOR, spheres, [[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="ids"):
        memory.update(FLOOR, spheres, ids=([0], [1]))
    memory.update(FLOOR, spheres, time=2.0)
    with pytest.raises(ValueError, match="before"):
        memory.update(FLOOR, spheres, time=1.0)
    with pytest.raises(ValueError, match="time: nan"):
        memory.update(FLOOR, spheres, time=np.nan)
