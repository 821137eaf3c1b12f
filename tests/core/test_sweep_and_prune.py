# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase finds exactly the pairs that comparing all with all finds."""

import importlib

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.shapes import UNBOUNDED
from tests import zoo

# The package has the function under this name.
module = importlib.import_module("collision_kit.core.sweep_and_prune")


def brute_force(lower, upper):
    meets = ((lower[:, None] <= upper[None]) & (lower[None] <= upper[:, None])).all(axis=2)
    return np.argwhere(np.triu(meets, 1))


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
    return lower, lower + size


LAYOUTS = ["scattered", "touching", "flat level", "tower", "points"]
LAYOUTS += ["duplicates", "few huge", "one far away", "far off", "needles"]


@pytest.mark.parametrize("count", [0, 1, 2, 30, 400])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_pairs_as_brute_force(layout, count):
    rng = np.random.default_rng(count)
    lower, upper = boxes(layout, rng, count - count % 2 if layout == "duplicates" else count)
    np.testing.assert_array_equal(ck.sweep_and_prune(lower, upper), brute_force(lower, upper).reshape(-1, 2))


def test_candidates_looked_at_in_blocks_are_all_looked_at(monkeypatch):
    lower, upper = boxes("touching", np.random.default_rng(0), 300)
    monkeypatch.setattr(module, "_BLOCK", 50)
    np.testing.assert_array_equal(ck.sweep_and_prune(lower, upper), brute_force(lower, upper))


@pytest.mark.parametrize("layout", ["scattered", "flat level", "tower", "few huge"])
def test_far_fewer_candidates_than_all_pairs(layout, monkeypatch):
    """The promise of a broad phase, counted rather than timed."""
    count = 4000
    rng = np.random.default_rng(1)
    lower, upper = boxes(layout, rng, count)
    # Spread so that each box meets about four others, along whatever directions the layout leaves.
    spread = {"scattered": (1, 1, 1), "flat level": (6, 6, 1), "tower": (1, 1, 60), "few huge": (1, 1, 1)}[layout]
    middle = (lower + upper) / 2 * spread
    lower, upper = middle - (upper - lower) / 2, middle + (upper - lower) / 2
    looked_at = []
    candidates = module._candidates

    def counted(*arguments):
        for block in candidates(*arguments):
            looked_at.append(len(block[0]))
            yield block

    monkeypatch.setattr(module, "_candidates", counted)
    pairs = ck.sweep_and_prune(lower, upper)
    assert len(pairs) / 2 < sum(looked_at) < count * count / 50
    np.testing.assert_array_equal(pairs, brute_force(lower, upper))


@pytest.mark.parametrize(
    ("lower", "upper", "message"),
    [
        ([[0, 0, 0]], [[1, 1]], "upper: shape"),
        ([[0, 0, 0]], [[1, np.nan, 1]], "upper: row 0 is not finite"),
        ([[0, 0, 0], [2, 0, 0]], [[1, 1, 1], [1, 1, 1]], "lower: row 1 is above its upper bound"),
        ([[0, 0, 0]], np.ones((2, 3)), "upper: 2 rows, but lower has 1"),
    ],
)
def test_bad_input_is_named(lower, upper, message):
    with pytest.raises(ValueError, match=message):
        ck.sweep_and_prune(lower, upper)


def test_a_world_numbers_its_shapes_through_and_finds_their_pairs():
    rng = np.random.default_rng(4)
    batches = [zoo.generic(kind, rng, 20) for kind in ck.Kind]
    batches.append(zoo.generic(ck.Kind.BOX, rng, 20))
    world = ck.World(batches)
    total = 20 * len(batches)
    assert len(world) == total
    assert world.kind.tolist() == [kind for kind in (*ck.Kind, ck.Kind.BOX) for _ in range(20)]
    pairs = world.pairs()
    every = np.argwhere(np.triu(np.ones((total, total), dtype=bool), 1))
    every = every[~np.isin(world.kind[every], UNBOUNDED).all(axis=1)]
    meeting = every[world.overlap(every)]
    assert set(map(tuple, meeting)) <= set(map(tuple, pairs))
    assert len(pairs) < len(every)
    # One answer, whether asked of the world or of the batches.
    found = world.distance(pairs)
    for row in range(0, len(pairs), 25):
        i, j = pairs[row]
        alone = ck.distance(batches[i // 20], batches[j // 20], pairs=[[i % 20, j % 20]])
        np.testing.assert_allclose(found.distance[row], alone.distance[0], atol=1e-12)
        np.testing.assert_allclose(found.point_a[row], alone.point_a[0], atol=1e-9)
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
