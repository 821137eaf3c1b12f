# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of batches, materials, motions and results are selected as numpy's brackets select them."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.numerics.validation import selected_rows
from collision_kit.core.shapes.batch import Batch
from tests.core.argument_table import CORNERS, FACES, PAIRS, THINGS, THREE

MASKS = [[True, False, True], [False, True, True], [True, True, False], [False] * 3, [True] * 3]
# What selects the same rows, made from a mask of three.
FORMS = {
    "list": list,
    "array": np.array,
    "objects": lambda mask: np.array(mask, object),
    "numpy bools": lambda mask: [np.bool_(one) for one in mask],
    "strided": lambda mask: np.repeat(mask, 2)[::2],
}


def check_selected(thing, rows, taken) -> None:
    """Compare each array of what was taken with the rows that brackets select from that of the whole."""
    shared = thing.shared if isinstance(thing, Batch) else ()
    assert {*vars(thing)} >= {*vars(taken)}
    for name, found in vars(taken).items():
        whole = vars(thing)[name]
        if name in shared or whole is None:
            assert found is whole
        elif isinstance(whole, np.ndarray):
            np.testing.assert_array_equal(found, whole[rows], err_msg=name, strict=True)
        else:
            check_selected(whole, rows, found)


def with_materials(thing):
    """The thing or, if it is a batch that can have materials, a copy with different ones in each row."""
    if isinstance(thing, Batch) and not isinstance(thing, ck.Compounds):
        return thing.with_fields(materials=ck.Materials([0.1, 0.2, 0.3], [0.4, 0.5, 0.6]))
    return thing


@pytest.mark.parametrize("name", THINGS)
def test_a_mask_selects_its_rows_in_every_form(name):
    thing = with_materials(THINGS[name])
    assert len(thing) == 3
    for mask in MASKS:
        for make in FORMS.values():
            check_selected(thing, np.array(mask), thing.take(make(mask)))


@pytest.mark.parametrize("name", THINGS)
def test_indices_and_slices_select_as_brackets_do(name):
    thing = with_materials(THINGS[name])
    indices = [[2, 0], [1, 1, 1, 1], [-1, 0], [], [0, 2, 1, -3]]
    for rows in indices:
        for dtype in (np.int64, np.int8, ">i4"):
            check_selected(thing, np.array(rows, np.int64), thing.take(np.array(rows, dtype)))
        check_selected(thing, np.array(rows, np.int64), thing.take(rows))
    check_selected(thing, np.array([2, 0]), thing.take(np.array([2, 0], np.uint64)))
    for rows in (slice(None), slice(1, None), slice(None, None, -1), slice(0, 99, 2), slice(3, 3)):
        check_selected(thing, rows, thing.take(rows))
    check_selected(thing, np.array([1]), thing.take(1))


def test_rows_of_a_motion_that_all_shapes_share_are_checked_too():
    still = ck.RigidMotion(*(np.broadcast_to(np.zeros((1, 3)), (3, 3)) for _ in range(3)))
    assert len(still.take([True, False, False]).velocity) == 1
    with pytest.raises(ValueError, match="rows: row 1 is 3, but there are 3 rows"):
        still.take(np.array([0, 3]))


def test_answers_of_a_mask_are_the_answers_of_its_rows():
    rng = np.random.default_rng(5)
    a = ck.Spheres(rng.normal(size=(40, 3)), rng.uniform(0.5, 1.0, 40))
    b = ck.Boxes(rng.normal(size=(40, 3)), rng.uniform(0.3, 1.0, (40, 3)))
    found = ck.distance(a, b)
    near = found.distance < 0.0
    assert 0 < near.sum() < 40
    np.testing.assert_array_equal(ck.distance(a.take(near), b.take(near)).distance, found.take(near).distance)
    motion = ck.motion_between(None, np.zeros((40, 3)), None, b.center - a.center)
    every = ck.time_of_impact(a, b, motion_a=motion)
    some = ck.time_of_impact(a.take(near), b.take(near), motion_a=motion.take(near))
    np.testing.assert_array_equal(some.time, every.time[near])


def test_distances_of_meshes_are_known_after_rows_are_selected():
    a = ck.Meshes.from_triangles([(CORNERS, FACES)] * 3)
    place = [[0.1, 0.1, 0.1], [0.2, 0.1, 0.1], [0.1, 0.3, 0.1]]
    b = ck.Meshes.from_triangles([(CORNERS, FACES)] * 3, translation=place)
    found = ck.distance(a, b)
    expected = ck.interference(a, b)
    for mask in MASKS:
        some = np.flatnonzero(mask)
        known = ck.interference(a, b, np.stack([some, some], axis=1), known=found.take(mask))
        np.testing.assert_array_equal(known, expected[some])


WORLDS = [ck.World([ck.Spheres(THREE, np.ones(3))]), planar.World([planar.Circles(THREE[:, :2], np.ones(3))])]


@pytest.mark.parametrize("world", WORLDS, ids=["space", "plane"])
def test_a_mask_of_pairs_is_refused_and_the_message_says_how_to_use_it(world):
    for mask in ([True, False, True], np.zeros((3, 2), bool), np.zeros(0, bool)):
        with pytest.raises(ValueError, match=r"pairs: bool of shape .* pairs\[mask\] are those"):
            world.overlap(mask)
    world.overlap(PAIRS[[True, False, True]])


@pytest.mark.parametrize("index", [True, False, np.True_, np.False_])
@pytest.mark.parametrize("count", [1, 2])
def test_a_bool_is_no_box_of_a_sweep(index, count):
    sweep = ck.SweepAndPrune(THREE[:count], THREE[:count] + 1.0)
    for indices in ([index], np.array([index])):
        with pytest.raises(ValueError, match="indices: bool of shape"):
            sweep.update(indices, [[5.0, 5.0, 5.0]], [[6.0, 6.0, 6.0]])
        with pytest.raises(ValueError, match="indices: bool of shape"):
            sweep.remove(indices)
    assert len(sweep) == count


def test_slices_that_numpy_refuses_name_the_argument():
    for rows in (slice("a", None), slice(None, None, 0), slice(0.5, None)):
        with pytest.raises(ValueError, match=r"^rows: "):
            selected_rows(rows, 3)
