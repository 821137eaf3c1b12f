# SPDX-License-Identifier: GPL-3.0-or-later
"""Where labels stand: no plate covers another, none moves farther than it must, and none leaves its room."""

import itertools

import numpy as np
import pytest

from collision_kit.addon.viewport.labels import REACH, beside, laid_out, moved_into

SEEDS = range(40)


def plates(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Plates of one height, as they are, or of several, crowded so that many want the same place."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 14))
    corner = rng.uniform(0.0, 120.0, (count, 2))
    size = np.c_[rng.uniform(20.0, 90.0, count), np.full(count, 22.0) if seed % 2 else rng.uniform(10.0, 40.0, count)]
    if seed % 5 == 0:
        corner[:] = corner[0]  # all at one point
    return corner, size


def overlaps(corner_a: np.ndarray, size_a: np.ndarray, corner_b: np.ndarray, size_b: np.ndarray) -> bool:
    """Whether two rectangles have more in common than a border, up to rounding."""
    common = np.minimum(corner_a + size_a, corner_b + size_b) - np.maximum(corner_a, corner_b)
    return bool((common > 2e-6).all())


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_plates_overlap(seed):
    corner, size = plates(seed)
    placed, shown = laid_out(corner, size)
    for a, b in itertools.combinations(np.flatnonzero(shown), 2):
        assert not overlaps(placed[a], size[a], placed[b], size[b])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_stays_and_the_others_move_only_up_or_down(seed):
    corner, size = plates(seed)
    kept = corner.copy()
    placed, shown = laid_out(corner, size)
    np.testing.assert_array_equal(corner, kept)
    assert shown[0]
    np.testing.assert_array_equal(placed[0], corner[0])
    np.testing.assert_array_equal(placed[:, 0], corner[:, 0])


@pytest.mark.parametrize("seed", SEEDS)
def test_each_takes_the_nearest_place_that_those_before_it_leave_free(seed):
    corner, size = plates(seed)
    placed, shown = laid_out(corner, size)
    for row in range(1, len(placed)):
        moved = abs(placed[row, 1] - corner[row, 1])
        assert shown[row] == (moved <= REACH * size[row, 1])
        # Wherever nearer it stood, up or down, it would cover one of those before it.
        for share in (0.0, 0.01, 0.25, 0.5, 0.9, 0.999):
            for way in (-1.0, 1.0):
                nearer = np.array([corner[row, 0], corner[row, 1] + way * share * moved])
                before = np.flatnonzero(shown[:row])
                covered = any(overlaps(nearer, size[row], placed[k], size[k]) for k in before)
                assert covered or moved == 0.0


def test_plates_that_are_free_stay_where_they_are_asked_for():
    corner = np.array([[0.0, 0.0], [50.0, 0.0], [0.0, 20.0], [25.0, 40.0]])
    size = np.array([[50.0, 20.0]] * 4)
    placed, shown = laid_out(corner, size)
    np.testing.assert_array_equal(placed, corner)  # they touch
    assert shown.all()


def test_seen_from_far_away_the_first_label_stays_alone():
    corner = np.array([[100.0, 60.0], [104.0, 57.0], [96.0, 66.0], [107.0, 63.0], [93.0, 55.0]])
    _, shown = laid_out(corner, np.array([[80.0, 26.0]] * 5))
    assert shown.tolist() == [True, False, False, False, False]


def test_without_labels_there_is_nothing_to_lay_out():
    placed, shown = laid_out(np.empty((0, 2)), np.empty((0, 2)))
    assert placed.shape == (0, 2)
    assert shown.shape == (0,)


@pytest.mark.parametrize("seed", SEEDS)
def test_plates_are_moved_into_the_room_and_no_farther(seed):
    corner, size = plates(seed)
    room, margin = np.array([30.0, 10.0, 160.0, 90.0]), 3.0
    moved = moved_into(room, corner, size, margin)
    assert (moved >= room[:2] + margin).all()
    assert (moved + size <= room[2:] - margin + 1e-9).all()
    # Where it was moved it stands at a border; where it was not, it had room.
    at_border = np.isclose(moved, room[:2] + margin) | np.isclose(moved + size, room[2:] - margin)
    assert ((moved == corner) | at_border).all()


def test_a_plate_that_is_too_large_begins_where_the_room_does():
    moved = moved_into(np.array([10.0, 20.0, 60.0, 200.0]), np.array([[90.0, 90.0]]), np.array([[300.0, 20.0]]), 2.0)
    np.testing.assert_array_equal(moved, [[12.0, 90.0]])


@pytest.mark.parametrize("turn", np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False))
@pytest.mark.parametrize("x", [20.0, 150.0, 290.0])
def test_a_label_at_the_tip_of_an_arrow_does_not_cover_the_arrow(x: float, turn: float) -> None:
    tip, size = np.array([[x, 150.0]]), np.array([[100.0, 20.0]])
    tail, room = tip + 80.0 * np.array([np.cos(turn), np.sin(turn)]), np.array([0.0, 0.0, 320.0, 300.0])
    corner = beside(tip, tail, size, np.array([14.0, 8.0]), room, 4.0)
    assert corner[0, 0] >= 0.0 and corner[0, 0] + size[0, 0] <= 320.0
    # On the other side, it is above or below the arrow, unless the arrow is nearly level.
    level = abs(np.sin(turn)) < 0.5
    along = tip + np.linspace(0.0, 1.0, 200)[:, None] * (tail - tip)
    covered = ((along > corner) & (along < corner + size)).all(axis=1)
    assert level or not covered.any()


def test_a_label_without_a_side_is_to_the_right_and_above() -> None:
    corner = beside(
        np.array([[50.0, 50.0]]),
        np.full((1, 2), np.nan),
        np.array([[100.0, 20.0]]),
        np.array([14.0, 8.0]),
        np.array([0.0, 0.0, 320.0, 300.0]),
        4.0,
    )
    np.testing.assert_array_equal(corner, [[64.0, 58.0]])
