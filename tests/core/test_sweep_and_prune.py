# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase finds exactly the pairs that comparing all with all finds."""

import importlib

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.shapes import UNBOUNDED
from tests.helpers import zoo
from tests.helpers.offline import slow

cell_sweep = importlib.import_module("collision_kit.core.broad_phase.grid_sweep")


def brute_force(lower, upper):
    meets = np.ones((len(lower), len(lower)), dtype=bool)
    for low, high in zip(lower.T, upper.T, strict=True):
        meets &= low[:, None] <= high
    return np.argwhere(np.triu(meets & meets.T, 1))


def boxes(name, rng, count):
    lower = rng.uniform(-10, 10, (count, 3))
    size = rng.uniform(0, 1.5, (count, 3))
    match name:
        case "touching":
            lower, size = np.floor(lower / 3), np.ones((count, 3))
        case "flat level":
            lower[:, 2], size[:, 2] = 0.0, 0.0
        case "tower":
            lower[:, :2] *= 0.01
        case "points":
            lower, size = np.floor(lower / 4), np.zeros((count, 3))
        case "duplicates":
            lower[1::2], size[1::2] = lower[::2], size[::2]
        case "few huge":
            size[:5] = 30.0
            lower[:5] -= 10.0
        case "one far away":
            lower[:1] = 1e9
        case "far off":
            lower += 1e7
        case "needles":
            size[:, 0] = 20.0
        case "needles both ways":
            size[::2, 0] = 20.0
            size[1::2, 1] = 20.0
        case "all sizes":
            size *= 10.0 ** rng.uniform(-4, 1.5, (count, 1))
        case "two heaps":
            lower[::2] = lower[::2] * 1e-3 + 1e6
            size[::2] *= 1e-3
        case "line":
            lower[:, 1:], size[:, 1:] = 0.0, 0.0
        case "heap":
            lower, size = lower * 0.0, size * 0.0
        case "half-spaces":
            upper = lower + size
            lower[rng.random((count, 3)) < 0.05] = -np.inf
            upper[rng.random((count, 3)) < 0.05] = np.inf
            return lower, upper
        case "outer space":
            lower[::7] = -1.7e308
            size[::7] = np.array([3e307, 1.0, 1.7e308])
        case "tiny":
            lower, size = lower * 1e-308, size * 1e-308
    return lower, lower + size


LAYOUTS = [
    "scattered",
    "touching",
    "flat level",
    "tower",
    "points",
    "duplicates",
    "few huge",
    "one far away",
    "far off",
]
LAYOUTS += [
    "needles",
    "needles both ways",
    "all sizes",
    "two heaps",
    "line",
    "heap",
    "half-spaces",
    "outer space",
    "tiny",
]


@pytest.mark.parametrize("count", [0, 1, 2, 30, 400])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_pairs_as_brute_force(layout, count):
    rng = np.random.default_rng(count)
    lower, upper = boxes(layout, rng, count - count % 2 if layout == "duplicates" else count)
    np.testing.assert_array_equal(ck.sweep_and_prune(lower, upper), brute_force(lower, upper).reshape(-1, 2))


def test_candidates_looked_at_in_blocks_are_all_looked_at(monkeypatch):
    lower, upper = boxes("touching", np.random.default_rng(0), 300)
    monkeypatch.setattr(cell_sweep, "_BLOCK", 50)
    np.testing.assert_array_equal(ck.sweep_and_prune(lower, upper), brute_force(lower, upper))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_crowded_cells_with_cells_of_their_own_give_the_same_pairs(layout, monkeypatch):
    monkeypatch.setattr(cell_sweep, "_OVERFULL_CANDIDATES", 40)
    monkeypatch.setattr(cell_sweep, "_OVERFULL_RATIO", 2)
    lower, upper = boxes(layout, np.random.default_rng(5), 400)
    every = brute_force(lower, upper)
    np.testing.assert_array_equal(ck.sweep_and_prune(lower, upper), every)
    found = ck.sweep_and_prune_between(lower[:150], upper[:150], lower[150:], upper[150:])
    np.testing.assert_array_equal(found + np.array([0, 150]), every[(every[:, 0] < 150) & (every[:, 1] >= 150)])


def test_a_heap_in_one_cell_is_told_apart_between_two_sets_as_well(monkeypatch):
    rng = np.random.default_rng(6)
    lower, size = rng.uniform(-10, 10, (5000, 3)), rng.uniform(0, 1.5, (5000, 3))
    heap = rng.random(5000) < 0.45
    lower[heap], size[heap] = lower[heap] * 0.01, size[heap] * 0.003
    a, b = (lower[:2500], lower[:2500] + size[:2500]), (lower[2500:], lower[2500:] + size[2500:])
    found = ck.sweep_and_prune_between(*a, *b)
    assert looked_at(monkeypatch, lambda: ck.sweep_and_prune_between(*a, *b)) < 12 * (len(found) + 5000)
    every = ck.sweep_and_prune(np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]]))
    across = every[(every[:, 0] < 2500) & (every[:, 1] >= 2500)]
    np.testing.assert_array_equal(found + np.array([0, 2500]), across)
    np.testing.assert_array_equal(every, brute_force(lower, lower + size))


def looked_at(monkeypatch, question):
    """Candidate pairs that a question looks at, and boxes compared with all others count as often."""
    counts = []
    candidates, one = cell_sweep._candidates, cell_sweep.boxes_overlapping

    def counted(*arguments):
        for block in candidates(*arguments):
            counts.append(len(block[0]))
            yield block

    def counted_one(low, *arguments):
        counts.append(low.shape[1])
        return one(low, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(cell_sweep, "_candidates", counted)
        patch.setattr(cell_sweep, "boxes_overlapping", counted_one)
        question()
    return sum(counts)


# How far apart boxes are put along each axis so that each meets a few others, and what grows with their number.
SPREAD = {
    "scattered": (1, 1, 1),
    "flat level": (6, 6, 1),
    "tower": (1, 1, 60),
    "few huge": (1, 1, 1),
    "one far away": (1, 1, 1),
    "needles": (10, 4, 4),
    "all sizes": (3, 3, 3),
    "two heaps": (1, 1, 1),
    "line": (60, 1, 1),
    "half-spaces": (1, 1, 1),
}


def spread_boxes(layout, count):
    rng = np.random.default_rng(1)
    lower, upper = boxes("scattered" if layout == "half-spaces" else layout, rng, count)
    grown = np.cbrt(count / 2500) if layout not in ("flat level", "tower", "line") else count / 2500
    grown = np.sqrt(count / 2500) if layout == "flat level" else grown
    middle = lower * np.array(SPREAD[layout]) * grown
    lower, upper = middle, middle + (upper - lower)
    if layout == "half-spaces":
        lower[:3], upper[:3] = -np.inf, np.inf
        upper[0, 2] = lower[1, 0] = 0.0
    return lower, upper


@pytest.mark.parametrize("layout", SPREAD)
def test_work_grows_with_the_boxes_and_their_pairs_not_with_all_pairs(layout, monkeypatch):
    """The promise of a broad phase, counted rather than timed."""
    work, pairs = {}, {}
    for count in (2500, 10000):
        lower, upper = spread_boxes(layout, count)
        found = ck.sweep_and_prune(lower, upper)
        pairs[count] = len(found)
        work[count] = looked_at(monkeypatch, lambda lower=lower, upper=upper: ck.sweep_and_prune(lower, upper))
        assert pairs[count] <= work[count] < 40 * (pairs[count] + count)
        if count == 2500:  # the more are left to the layouts above
            np.testing.assert_array_equal(found, brute_force(lower, upper))
    assert work[10000] < 6 * work[2500] + 6 * (pairs[10000] - pairs[2500])


def terdiman(count):
    """The boxes of Terdiman's "Box pruning revisited", drawn by the generator of Microsoft's C library from seed 42."""
    state, drawn = 42, np.empty(6 * count, dtype=np.int64)
    for place in range(len(drawn)):
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        drawn[place] = (state >> 16) & 0x7FFF
    drawn = drawn.reshape(count, 6)
    center, half = (drawn[:, :3] & 4095) - 2048.0, (drawn[:, 3:] & 127).astype(np.float64)
    return center - half, center + half


@pytest.mark.parametrize(("count", "published"), [(10_000, 11_811), (100_000, 1_144_045)])
def test_as_many_pairs_as_published(count, published):
    lower, upper = terdiman(count)
    assert len(ck.sweep_and_prune(lower, upper)) == published
    half = count // 2
    across = ck.sweep_and_prune_between(lower[:half], upper[:half], lower[half:], upper[half:])
    within = [len(ck.sweep_and_prune(lower[part], upper[part])) for part in (slice(half), slice(half, None))]
    assert len(across) + sum(within) == published
    if count == 10_000:
        assert len(ck.SweepAndPrune(lower, upper).pairs) == published


@pytest.mark.parametrize("counts", [(0, 5), (5, 0), (1, 1), (3, 300), (300, 3), (200, 350)])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_between_two_sets_are_those_of_brute_force(layout, counts):
    rng = np.random.default_rng(sum(counts))
    lower, upper = boxes(layout, rng, sum(counts) + sum(counts) % 2)
    order = rng.permutation(len(lower))[: sum(counts)]
    (lower_a, lower_b), (upper_a, upper_b) = (np.split(bound[order], counts[:1]) for bound in (lower, upper))
    meets = ((lower_a[:, None] <= upper_b[None]) & (lower_b[None] <= upper_a[:, None])).all(axis=2)
    found = ck.sweep_and_prune_between(lower_a, upper_a, lower_b, upper_b)
    np.testing.assert_array_equal(found, np.argwhere(meets))


def test_between_two_sets_only_what_may_meet_is_looked_at(monkeypatch):
    rng = np.random.default_rng(2)
    lower = rng.uniform(0, 30, (5000, 3))
    lower[2500:, 0] += 28.0
    a, b = (lower[:2500], lower[:2500] + 1), (lower[2500:], lower[2500:] + 1)
    found = ck.sweep_and_prune_between(*a, *b)
    assert len(found) > 20
    assert looked_at(monkeypatch, lambda: ck.sweep_and_prune_between(*a, *b)) < 60 * len(found) + 2 * 5000


@pytest.mark.parametrize("layout", ["scattered", "touching", "few huge"])
def test_a_filter_leaves_the_pairs_that_it_allows(layout):
    rng = np.random.default_rng(3)
    lower, upper = boxes(layout, rng, 300)
    group, mask, body = 1 << rng.integers(0, 4, 300), rng.integers(0, 16, 300), rng.integers(-2, 20, 300)
    every = brute_force(lower, upper)
    allowed = [
        group[i] & mask[j] and group[j] & mask[i] and (body[i] != body[j] or body[i] < 0) for i, j in every.tolist()
    ]
    filter = ck.CollisionFilter(group, mask, body)
    found = ck.sweep_and_prune(lower, upper, filter)
    np.testing.assert_array_equal(found, every[np.array(allowed, dtype=bool)])
    assert 0 < len(found) < len(every)
    np.testing.assert_array_equal(ck.SweepAndPrune(lower, upper, filter).pairs, found)


def test_parts_of_one_body_are_never_paired_and_all_else_is_by_default():
    lower = np.zeros((5, 3))
    found = ck.sweep_and_prune(lower, lower + 1, ck.CollisionFilter(body=[0, 0, 1, -1, -1]))
    assert [tuple(pair) for pair in np.argwhere(np.triu(np.ones((5, 5)), 1)).tolist() if pair != [0, 1]] == [
        tuple(pair) for pair in found.tolist()
    ]
    found = ck.sweep_and_prune(lower, lower + 1, ck.CollisionFilter.between(2, 3))
    assert found.tolist() == [[i, j] for i in (0, 1) for j in (2, 3, 4)]
    assert len(ck.sweep_and_prune(lower, lower + 1, ck.CollisionFilter.of_anything(5))) == 10
    # The first bit is a group like others, and so is the sign.
    signs = ck.CollisionFilter(group=[-(1 << 63)] * 5, mask=[-(1 << 63)] * 5)
    assert len(ck.sweep_and_prune(lower, lower + 1, signs)) == 10


def test_bad_filters_are_named():
    with pytest.raises(ValueError, match="none is given"):
        ck.CollisionFilter()
    with pytest.raises(ValueError, match="mask: 2 rows, but group has 1"):
        ck.CollisionFilter([1], [1, 2])
    with pytest.raises(ValueError, match="body: float64"):
        ck.CollisionFilter(body=[0.5])
    with pytest.raises(ValueError, match="filter: of 1 objects, but there are 2"):
        ck.sweep_and_prune(np.zeros((2, 3)), np.ones((2, 3)), ck.CollisionFilter(body=[0]))


@pytest.mark.parametrize(
    ("lower", "upper", "message"),
    [
        ([[0, 0, 0]], [[1, 1]], "upper: shape"),
        ([[0, 0, 0]], [[1, np.nan, 1]], "upper: row 0 is not a number"),
        ([[0, 0, 0], [2, 0, 0]], [[1, 1, 1], [1, 1, 1]], "lower: row 1 is above its upper bound"),
        ([[0, 0, 0]], np.ones((2, 3)), "upper: 2 rows, but lower has 1"),
        ([[0, 0, np.inf]], [[1, 1, np.inf]], "lower: row 0 lies at infinity"),
        ([[0, 0, 0], [0, -np.inf, 0]], [[1, 1, 1], [1, -np.inf, 1]], "lower: row 1 lies at infinity"),
        ([["a", 0, 0]], [[1, 1, 1]], "lower: not an array of numbers"),
    ],
)
def test_bad_input_is_named(lower, upper, message):
    with pytest.raises(ValueError, match=message):
        ck.sweep_and_prune(lower, upper)


@pytest.mark.parametrize("count", [3, *slow(5)])
def test_a_world_numbers_its_shapes_through_and_finds_their_pairs(count):
    rng = np.random.default_rng(4)
    kinds = [*ck.Kind, ck.Kind.BOX]
    # Meshes and assemblies are many shapes each.
    counts = [(count + 1) // 3 if kind > ck.Kind.PLANE else count for kind in kinds]
    batches = [zoo.generic(kind, rng, count) for kind, count in zip(kinds, counts, strict=True)]
    world = ck.World(batches)
    assert len(world) == sum(counts)
    assert world.kind.tolist() == np.repeat(kinds, counts).tolist()
    pairs = world.pairs()
    every = np.argwhere(np.triu(np.ones((len(world), len(world)), dtype=bool), 1))
    every = every[~np.isin(world.kind[every], UNBOUNDED).all(axis=1)]
    meeting = every[world.overlap(every)]
    assert set(map(tuple, meeting)) <= set(map(tuple, pairs))
    assert len(pairs) < len(every)
    # One answer, whether asked of the world or of the batches.
    pairs = pairs[::4]
    found = world.distance(pairs)
    first = np.cumsum(counts) - counts
    for row in range(0, len(pairs), 5):
        (i, place_i), (j, place_j) = (
            (k, row - first[k]) for row in pairs[row] for k in [np.searchsorted(first, row, side="right") - 1]
        )
        alone = ck.distance(batches[i], batches[j], pairs=[[place_i, place_j]])
        np.testing.assert_allclose(found.distance[row], alone.distance[0], atol=1e-9)
        np.testing.assert_allclose(found.point_a[row], alone.point_a[0], atol=1e-6)
    touch = world.contacts(pairs)
    assert np.unique(touch.pair).tolist() == np.flatnonzero(world.overlap(pairs)).tolist()


def test_a_margin_finds_pairs_up_to_that_far_apart():
    world = ck.World([ck.Spheres([[0, 0, 0], [3, 0, 0]], [1, 1]), ck.HalfSpaces([[0, 0, 1]], [-1.5])])
    assert world.pairs().tolist() == []
    assert world.pairs(margin=0.5).tolist() == [[0, 2], [1, 2]]
    assert world.pairs(margin=1.0).tolist() == [[0, 1], [0, 2], [1, 2]]


def test_an_empty_world_has_nothing_to_say():
    world = ck.World([])
    assert len(world) == 0
    assert world.pairs().shape == (0, 2)
    assert len(world.distance(world.pairs())) == 0


def test_shapes_stand_for_their_bounds():
    rng = np.random.default_rng(4)
    for kind in ck.Kind:
        shapes = zoo.generic(kind, rng, 30)
        for given in (shapes, ck.World([shapes])):
            np.testing.assert_array_equal(ck.sweep_and_prune(given), ck.sweep_and_prune(*ck.bounds(given)))
    circles = planar.Circles(rng.uniform(0.0, 4.0, (20, 2)), 0.5)
    for given in (circles, planar.World([circles])):
        np.testing.assert_array_equal(planar.sweep_and_prune(given), planar.sweep_and_prune(*planar.bounds(given)))


@pytest.mark.parametrize("sweep", [ck.sweep_and_prune, planar.sweep_and_prune])
def test_bounds_without_the_upper_ones_are_named(sweep):
    with pytest.raises(ValueError, match="upper: missing; lower and upper bounds, or shapes, are needed"):
        sweep([[0.0, 0.0, 0.0]])
