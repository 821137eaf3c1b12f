# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs kept from frame to frame are those that comparing all with all finds, after every update."""

import importlib

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers.offline import many

module = importlib.import_module("collision_kit.core.broad_phase.persistent")


def brute_force(lower, upper, allowed=None):
    """Index pairs that overlap, lexicographic; `allowed` (N, N) says which may."""
    meets = np.ones((len(lower), len(lower)), dtype=bool)
    for axis in range(3):
        meets &= lower[:, None, axis] <= upper[None, :, axis]
    meets &= meets.T
    if allowed is not None:
        meets &= allowed
    return np.argwhere(np.triu(meets, 1))


class Level:
    """Random boxes, and everything that may happen to them."""

    def __init__(self, rng, filtered):
        self.rng = rng
        self.filtered = filtered
        self.alive = np.ones(60, dtype=bool)
        self.lower, self.upper = self.boxes(60)
        self.traits = self.some_traits(60)
        self.sap = ck.SweepAndPrune(self.lower, self.upper, self.filter(self.traits))
        self.told = self.expected()

    def boxes(self, count):
        rng = self.rng
        lower, size = rng.uniform(-6, 6, (count, 3)), rng.uniform(0, 2.5, (count, 3))
        style = rng.integers(0, 12)
        if style == 0:  # on a lattice: faces, edges and corners touch
            lower, size = np.floor(lower), np.ones((count, 3))
        elif style == 1:
            lower[:, 2], size[:, 2] = 0.0, 0.0
        elif style == 2:
            lower[:, :2] *= 0.01
        elif style == 3:
            size[: count // 4] = 40.0
            lower[: count // 4] -= 20.0
        elif style == 4:  # points
            lower, size = np.floor(lower), np.zeros((count, 3))
        elif style == 5:
            lower += 10.0 ** rng.uniform(3, 16)
        elif style == 6 and count > 1:
            lower[1::2], size[1::2] = lower[:-1:2], size[:-1:2]
        upper = lower + size
        if style == 7:  # half-spaces, slabs and all of space
            endless = rng.random((count, 3)) < 0.5
            lower[endless] = -np.inf
            upper[rng.random((count, 3)) < 0.5] = np.inf
        return lower, upper

    def some_traits(self, count):
        rng = self.rng
        group, mask = 1 << rng.integers(0, 3, count), rng.integers(1, 8, count)
        return np.stack([group, mask, rng.integers(-1, 4, count)], axis=1)

    def filter(self, traits):
        return ck.CollisionFilter(*traits.T) if self.filtered else None

    def expected(self):
        allowed = self.alive[:, None] & self.alive[None]
        if self.filtered:
            group, mask, body = self.traits.T
            allowed &= (group[:, None] & mask[None] != 0) & (group[None] & mask[:, None] != 0)
            allowed &= (body[:, None] != body[None]) | (body[:, None] < 0)
        return brute_force(self.lower, self.upper, allowed)

    def moved(self):
        """Some boxes and where they go: one or all of them, by a hair, by a step or anywhere."""
        rng, alive = self.rng, np.flatnonzero(self.alive)
        how_many = rng.choice([0, 1, 1, 1, 2, len(alive) // 2, len(alive)])
        objects = rng.permutation(alive)[:how_many]
        lower, upper = self.lower[objects], self.upper[objects]
        if rng.random() < 0.3:
            return objects, *self.boxes(len(objects))
        reach = rng.choice([0.0, 1e-3, 0.05, 0.3, 1.0])
        step = np.round(rng.uniform(-2, 2, (len(objects), 3))) if reach == 1.0 else rng.normal(0, reach, lower.shape)
        return objects, lower + step, upper + step

    def step(self):
        rng, chance = self.rng, self.rng.random()
        if chance < 0.12 and np.count_nonzero(self.alive) < 90:
            lower, upper = self.boxes(int(rng.choice([0, 1, 2, 60], p=[0.1, 0.5, 0.35, 0.05])))
            traits = self.some_traits(len(lower))
            indices = self.sap.add(lower, upper, self.filter(traits))
            more = max(0, int(indices.max(initial=-1)) + 1 - len(self.alive))
            self.alive = np.append(self.alive, np.zeros(more, dtype=bool))
            assert not self.alive[indices].any() and len(set(indices.tolist())) == len(lower)
            empty = np.full((more, 3), np.nan)
            self.lower, self.upper = np.vstack([self.lower, empty]), np.vstack([self.upper, empty])
            self.traits = np.vstack([self.traits, np.zeros((more, 3), dtype=np.int64)])
            self.alive[indices], self.traits[indices] = True, traits
            self.lower[indices], self.upper[indices] = lower, upper
        elif chance < 0.24:
            gone = rng.permutation(np.flatnonzero(self.alive))[: rng.integers(0, 4)]
            self.sap.remove(gone)
            self.alive[gone] = False
        if chance < 0.2 and rng.random() < 0.5:  # told of with the next update
            np.testing.assert_array_equal(self.sap.pairs, self.expected())
            return
        objects, lower, upper = self.moved()
        self.lower[objects], self.upper[objects] = lower, upper
        added, removed = self.sap.update(objects, lower, upper)
        now = self.expected()
        np.testing.assert_array_equal(self.sap.pairs, now)
        before, after = set(map(tuple, self.told)), set(map(tuple, now))
        assert [tuple(pair) for pair in added] == sorted(after - before)
        assert [tuple(pair) for pair in removed] == sorted(before - after)
        np.testing.assert_array_equal(self.sap.indices, np.flatnonzero(self.alive))
        self.told = now


def run(seed, steps, filtered):
    level = Level(np.random.default_rng(seed), filtered)
    np.testing.assert_array_equal(level.sap.pairs, level.told)
    for _ in range(steps):
        level.step()


@pytest.mark.parametrize("filtered", [False, True], ids=["all", "filtered"])
def test_the_same_pairs_as_brute_force_after_every_update(filtered):
    for seed in range(3):
        run(seed, 150, filtered)


@pytest.mark.slow
@pytest.mark.parametrize("filtered", [False, True], ids=["all", "filtered"])
@pytest.mark.parametrize("seed", range(10, many(13, 20)))
def test_the_same_pairs_as_brute_force_after_ten_thousand_updates(seed, filtered):
    run(seed, 1000, filtered)


def scattered(rng, count):
    """Boxes that meet about four others each."""
    lower, size = rng.uniform(0, np.cbrt(2.0 * count), (count, 3)), rng.uniform(0.5, 1.5, (count, 3))
    return lower, lower + size


def steps(name, rng, count):
    """The displacement of each box in a frame; their sizes are about one."""
    match name:
        case "walk":
            while True:
                step = rng.normal(size=(count, 3))
                yield 0.01 * step / np.linalg.norm(step, axis=1)[:, None]
        case "drift":
            step = rng.normal(0, 0.02, (count, 3))
            while True:
                yield step
        case "rush":
            while True:
                yield rng.normal(0, 2.0, (count, 3))
        case "all one way":
            while True:
                yield np.full((count, 3), 0.05)


@pytest.mark.parametrize("motion", ["walk", "drift", "rush", "all one way"])
def test_many_boxes_that_move_all_the_time(motion):
    rng = np.random.default_rng(20)
    lower, upper = scattered(rng, 800)
    sap = ck.SweepAndPrune(lower, upper)
    indices = np.arange(800)
    for frame, step in zip(range(48), steps(motion, rng, 800), strict=False):
        before = sap.pairs
        lower, upper = lower + step, upper + step
        added, removed = sap.update(indices, lower, upper)
        if frame % 6 == 5:
            now = brute_force(lower, upper)
            np.testing.assert_array_equal(sap.pairs, now)
            before, now = set(map(tuple, before)), set(map(tuple, now))
            assert set(map(tuple, added)) == now - before and set(map(tuple, removed)) == before - now


def counted_sweeps(monkeypatch):
    """A list that grows with each sweep of all boxes."""
    sweeps = []
    self_pairs = module.grid_sweep.self_pairs
    monkeypatch.setattr(
        module.grid_sweep, "self_pairs", lambda *bounds: sweeps.append(len(bounds[0].T)) or self_pairs(*bounds)
    )
    return sweeps


def test_boxes_that_tremble_are_seldom_swept(monkeypatch):
    rng = np.random.default_rng(21)
    lower, upper = scattered(rng, 1000)
    sweeps = counted_sweeps(monkeypatch)
    sap = ck.SweepAndPrune(lower, upper)
    for _, step in zip(range(100), steps("walk", rng, 1000), strict=False):
        lower, upper = lower + step, upper + step
        sap.update(np.arange(1000), lower, upper)
    assert len(sweeps) <= 4


def test_a_box_that_is_dragged_through_all_others_makes_no_sweep_of_all(monkeypatch):
    rng = np.random.default_rng(22)
    lower, upper = scattered(rng, 1000)
    sap = ck.SweepAndPrune(lower, upper)
    sweeps = counted_sweeps(monkeypatch)
    seen = set()
    for frame, place in enumerate(np.linspace(0.0, 12.0, 300)):
        lower[7], upper[7] = [place, 6.0, 6.0], [place + 1.0, 7.0, 7.0]
        added, removed = sap.update([7], lower[[7]], upper[[7]])
        seen.update(map(tuple, added))
        if frame % 10 == 9:
            np.testing.assert_array_equal(sap.pairs, brute_force(lower, upper))
        assert (added == 7).any(axis=1).all() and (removed == 7).any(axis=1).all()
    assert len(seen) > 15 and not sweeps


def test_what_moves_nothing_changes_nothing():
    sap = ck.SweepAndPrune(np.zeros((3, 3)), np.ones((3, 3)))
    assert sap.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    for added, removed in (sap.update(), sap.update([], [], []), sap.update([1], np.zeros((1, 3)), np.ones((1, 3)))):
        assert added.shape == removed.shape == (0, 2)
    assert len(sap) == 3
    with pytest.raises(ValueError, match="read-only"):
        sap.pairs[0] = 5
    empty = ck.SweepAndPrune([], [])
    assert len(empty) == 0 and empty.pairs.shape == (0, 2)
    assert empty.add([[0, 0, 0], [1, 1, 1]], [[1, 1, 1], [2, 2, 2]]).tolist() == [0, 1]
    assert empty.update()[0].tolist() == empty.pairs.tolist() == [[0, 1]]


def test_an_index_is_free_once_its_removal_was_told_of():
    sap = ck.SweepAndPrune(np.zeros((3, 3)), np.ones((3, 3)))
    sap.remove([1])
    assert sap.pairs.tolist() == [[0, 2]] and sap.indices.tolist() == [0, 2]
    assert 1 not in sap.add(np.zeros((1, 3)), np.ones((1, 3))).tolist()
    added, removed = sap.update()
    assert removed.tolist() == [[0, 1], [1, 2]] and len(added) == 2
    assert sap.add(np.zeros((1, 3)), np.ones((1, 3))).tolist() == [1]
    # It is another box now: its pairs are news.
    assert sap.update()[0].tolist() == [[0, 1], [1, 2], [1, 3]]


def test_a_box_given_twice_takes_the_last_bounds():
    for count in (2, 200):
        lower = np.arange(count)[:, None] * np.array([2.0, 0, 0])
        sap = ck.SweepAndPrune(lower, lower + 1)
        places = np.array([[0.5, 0, 0], [50.5, 0, 0], [0.25, 0, 0]])
        added, _ = sap.update([1, 1, 1], places, places + 1)
        assert added.tolist() == [[0, 1]]
        added, removed = sap.update([1, 1], places[:2] + 900, places[:2] + 901)
        assert added.tolist() == [] and removed.tolist() == [[0, 1]]


BAD_UPDATES = [
    ([5], [[0, 0, 0]], [[1, 1, 1]], "indices: row 0 is 5, and there is no such box"),
    ([0, -1], [[0, 0, 0]] * 2, [[1, 1, 1]] * 2, "indices: row 1 is -1"),
    ([2], [[0, 0, 0]], [[1, 1, 1]], "indices: row 0 is 2"),
    ([0.5], [[0, 0, 0]], [[1, 1, 1]], "indices: float64"),
    ([0, 1], [[0, 0, 0]], [[1, 1, 1]], "lower: 1 rows, but there are 2 indices"),
    ([0], [[0, 0, 0]], [[1, np.nan, 1]], "upper: row 0 is not a number"),
    ([0], [[0, 2, 0]], [[1, 1, 1]], "lower: row 0 is above its upper bound"),
    ([0], [[0, 0, 0]], [[1, 1]], "upper: shape"),
    ([0], [[0, 0, np.inf]], [[1, 1, np.inf]], "lower: row 0 lies at infinity"),
]


@pytest.mark.parametrize(("indices", "lower", "upper", "message"), BAD_UPDATES)
def test_bad_updates_are_named_and_move_nothing(indices, lower, upper, message):
    sap = ck.SweepAndPrune(np.zeros((3, 3)), np.ones((3, 3)))
    sap.remove([2])
    sap.update()
    with pytest.raises(ValueError, match=message):
        sap.update(indices, lower, upper)
    assert sap.pairs.tolist() == [[0, 1]]
    added, removed = sap.update()
    assert len(added) == len(removed) == 0


def test_bad_removals_and_filters_are_named():
    sap = ck.SweepAndPrune(np.zeros((3, 3)), np.ones((3, 3)))
    with pytest.raises(ValueError, match="given twice"):
        sap.remove([1, 1])
    sap.remove([1])
    with pytest.raises(ValueError, match="row 0 is 1, and there is no such box"):
        sap.remove([1])
    with pytest.raises(ValueError, match="filter: of 1 objects, but there are 2"):
        sap.add(np.zeros((2, 3)), np.ones((2, 3)), ck.CollisionFilter(body=[0]))


def test_one_set_against_another():
    rng = np.random.default_rng(23)
    lower, upper = scattered(rng, 300)
    sap = ck.SweepAndPrune(lower, upper, ck.CollisionFilter.between(100, 200))
    for _, step in zip(range(20), steps("drift", rng, 300), strict=False):
        lower, upper = lower + 3 * step, upper + 3 * step
        sap.update(np.arange(300), lower, upper)
        across = ck.sweep_and_prune_between(lower[:100], upper[:100], lower[100:], upper[100:])
        np.testing.assert_array_equal(sap.pairs, across + np.array([0, 100]))


def test_a_filter_of_later_boxes_alone():
    sap = ck.SweepAndPrune(np.zeros((2, 3)), np.ones((2, 3)))
    late = sap.add(np.zeros((2, 3)), np.ones((2, 3)), ck.CollisionFilter(body=[4, 4]))
    assert late.tolist() == [2, 3]
    assert sap.pairs.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]]


def test_who_gets_the_index_of_a_removed_box_does_not_get_its_pairs():
    far = np.array([[0.0, 0, 0], [0.5, 0, 0], [50.0, 0, 0]])
    sap = ck.SweepAndPrune(far, far + 1, ck.CollisionFilter(body=[1, 2, 3]))
    assert sap.pairs.tolist() == [[0, 1]]
    sap.remove([1])
    sap.update()
    assert sap.add(far[[1]], far[[1]] + 1, ck.CollisionFilter(body=[1])).tolist() == [1]
    assert sap.update()[0].tolist() == []
    place = far[[1]] + 0.01
    assert [len(part) for part in sap.update([1], place, place + 1)] == [0, 0]
    assert sap.pairs.tolist() == []


def test_room_keeps_a_few_times_as_many_pairs_as_overlap():
    rng = np.random.default_rng(24)
    lower, upper = scattered(rng, 1500)
    # A floor far below, above which all would be kept had it room by its own size.
    lower, upper = np.vstack([lower, [[-900, -900, -30]]]), np.vstack([upper, [[900, 900, -20]]])
    sap = ck.SweepAndPrune(lower, upper)
    assert len(sap.pairs) < sap._cache.count < 4 * len(sap.pairs)
    sap.update([1500], lower[1500:] + 1, upper[1500:] + 1)
    assert sap._cache.count < 4 * len(sap.pairs)
