# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of batches, materials, motions and results are selected as numpy's brackets select them."""

import inspect
import re

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.numerics.validation import selected_rows
from collision_kit.core.shapes.batch import Batch
from tests.helpers.argument_table import CORNERS, FACES, PAIRS, THINGS, THREE

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
    shared = thing.shared if isinstance(thing, Batch) else ("batches",)
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
    check_selected(thing, np.array([1]), thing[[1]])


@pytest.mark.parametrize("name", THINGS)
def test_brackets_select_as_take_does_and_one_index_is_refused_with_a_hint(name):
    thing = with_materials(THINGS[name])
    mask = np.array([True, False, True])
    for rows in (mask, np.array([2, 0]), [1, 1], slice(1, None), slice(None, None, -1)):
        check_selected(thing, rows, thing[rows])
    for index in (1, np.int64(1), -1, np.array(1)):
        for select in (thing.take, thing.__getitem__):
            with pytest.raises(ValueError, match=r"^rows: -?1 is no selection of rows: \[\[-?1\]\] or \[-?[01]:"):
                select(index)
    with pytest.raises(TypeError, match="not iterable"):
        list(thing)


@pytest.mark.parametrize("name", THINGS)
def test_parts_are_concatenated_to_the_whole_again(name):
    thing = with_materials(THINGS[name])
    whole = ck.concatenate([thing[:1], thing[1:], thing[:0]])
    assert type(whole) is type(thing)
    assert len(whole) == 3
    assert whole.equals(thing)
    assert whole.allclose(thing)
    assert not thing[:2].equals(thing)
    if not isinstance(thing, ck.Contacts):
        assert ck.concatenate([thing, thing])[3:].equals(thing)


def test_rows_that_differ_are_not_equal():
    balls = ck.Spheres(THREE, [1.0, 2.0, 3.0])
    near = balls.with_fields(radius=balls.radius + 1e-13)
    assert balls.allclose(near)
    assert not balls.equals(near)
    assert not balls.allclose(near, atol=0.0, rtol=1e-15)
    assert not balls[[1, 0, 2]].allclose(balls)
    assert not balls.equals(ck.Boxes(THREE, 1.0))
    assert not balls.equals(3)
    assert not ck.Spheres(THREE, 1.0).equals(ck.Spheres(THREE, 1.0, ck.Materials(0.1)))
    assert ck.Spheres(THREE, 1.0).equals(ck.Spheres(THREE, 1.0, ck.Materials()))
    meshes = ck.Meshes.from_triangles([(CORNERS, FACES), (CORNERS, FACES[::-1])])
    assert not meshes[[1, 0]].equals(meshes)
    assert meshes[[1, 0]][::-1].equals(meshes)
    flat = planar.Polygons([[[0, 0], [1, 0], [0, 1]], [[0, 0], [2, 0], [0, 1]]])
    assert not flat[[1, 0]].equals(flat)


def test_a_world_of_selected_rows_answers_as_the_whole_world_does():
    world = ck.World([ck.Spheres(THREE, 1.0), ck.Boxes(THREE + 1.5, 1.0)], margin=[0.1, 0.0, 0.2, 0.0, 0.3, 0.0])
    rows = np.array([5, 0, 3, 2])
    some, pairs = world[rows], np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
    assert some.distance(pairs).equals(world.distance(rows[pairs]))
    for side in range(2):
        np.testing.assert_array_equal(some.bounds()[side], world.bounds()[side][rows])
    assert {tuple(sorted(rows[pair])) for pair in some.pairs()} <= {tuple(pair) for pair in world.pairs()}
    both = ck.concatenate([some, world])
    assert both.distance(pairs).equals(some.distance(pairs))
    assert both[4:].equals(world)


def test_scalars_and_single_rows_apply_to_all_rows():
    assert ck.Spheres(THREE, 0.5).radius.tolist() == [0.5] * 3
    assert ck.Boxes(THREE, 1.0).half_extents.tolist() == [[1.0] * 3] * 3
    assert ck.Boxes(THREE, [1, 2, 3]).half_extents.tolist() == [[1.0, 2.0, 3.0]] * 3
    assert ck.Boxes([0, 0, 0], 1.0, np.eye(3)).equals(ck.Boxes([[0, 0, 0]], [[1, 1, 1]], [np.eye(3)]))
    assert ck.Spheres([0, 0, 0], 1).equals(ck.Spheres([[0, 0, 0]], [1]))
    assert len(ck.Spheres([0, 0, 0], [1, 2])) == 2
    assert ck.Capsules([0, 0, 0], THREE + 1.0, 0.1).start.tolist() == [[0.0] * 3] * 3
    assert ck.HalfSpaces([0, 0, 1], 0).equals(ck.HalfSpaces([[0, 0, 1]], [0]))
    assert len(ck.Hulls.from_points([CORNERS], translation=THREE)) == 3
    assert planar.Rectangles(THREE[:, :2], 1.0, 0.5).half_extents.tolist() == [[1.0] * 2] * 3
    assert planar.Circles([0, 0], 1).equals(planar.Circles([[0, 0]], [1]))
    with pytest.raises(ValueError, match="radius: 2 rows, but center has 3"):
        ck.Spheres(THREE, [1, 2])
    with pytest.raises(ValueError, match=r"center: shape \(\), but \(N, 3\) is needed"):
        ck.Spheres(0.0, 1.0)


class Rotation:
    """A rotation of another library."""

    def as_matrix(self):
        return [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


class Mesh:
    """A mesh of another library."""

    def __init__(self, **arrays):
        vars(self).update(arrays)


def test_rotations_and_meshes_of_other_libraries_are_accepted():
    assert ck.Boxes(THREE, 1.0, Rotation()).rotation[2].tolist() == Rotation().as_matrix()
    with pytest.raises(ValueError, match=r"rotation: shape .* as_matrix"):
        ck.Boxes(THREE, 1.0, [[0, 0, 0, 1]] * 3)
    expected = ck.Meshes.from_triangles([(CORNERS, FACES)])
    for name in ("faces", "triangles"):
        mesh = Mesh(vertices=CORNERS, **{name: FACES})
        assert ck.Meshes.from_triangles([mesh]).equals(expected)
        assert ck.Meshes.from_triangles(mesh).equals(expected)
    with pytest.raises(ValueError, match=r"for one mesh, write \[\(vertices, triangles\)\]"):
        ck.Meshes.from_triangles((CORNERS, FACES))
    with pytest.raises(ValueError, match=r"for arrays, there is Meshes.from_triangles"):
        ck.Meshes(CORNERS, FACES)
    with pytest.raises(ValueError, match=r"for one point set, write \[points\]"):
        ck.Hulls.from_points(CORNERS)


def test_few_rows_are_printed_with_names_and_many_are_counted():
    balls = ck.Spheres(THREE, 1.0)
    assert repr(balls[:1]) == "Spheres(1 shape: center=[[0., 0., 0.]], radius=[1.])"
    assert repr(ck.Spheres(np.zeros((1000, 3)), 1.0)) == "Spheres(1000 shapes)"
    assert repr(ck.World([balls, ck.Boxes(THREE, 1.0)])) == "World(3 Spheres, 3 Boxes)"
    found = ck.contacts(balls[:1], ck.Boxes([[0, 0, 1.5]], 1.0))
    assert "type=[FACE_FACE]" in repr(found)
    assert "feature_b=[[FACE, 4]]" in repr(found)
    columns = found.columns()
    assert columns["type"].tolist() == ["FACE_FACE"]
    assert columns["feature_b_kind"].tolist() == ["FACE"]
    assert columns["feature_b_index"].tolist() == [4]
    assert columns["normal_z"].tolist() == [1.0]
    assert {len(column) for column in columns.values()} == {1}


def test_contacts_of_one_pair():
    found = ck.contacts(ck.Boxes(THREE, 1.0), ck.Boxes([0, 0, 1.5], 1.0))
    assert len(found.of(0)) == 4
    assert found.of(0).equals(found[found.pair == 0])
    assert len(found.of(1)) == 0


def test_no_zero_of_a_result_has_a_sign():
    boxes, balls = ck.Boxes(THREE, 1.0), ck.Spheres(THREE - [0.0, 0.0, 1.5], 1.0)
    flat = planar.Rectangles(THREE[:, :2], 1.0), planar.Circles(THREE[:, :2] - [1.5, 0.0], 1.0)
    results = [
        *(
            ask(*pair)
            for ask in (ck.distance, ck.separating_axis, ck.contacts)
            for pair in ((boxes, balls), (balls, boxes))
        ),
        ck.time_of_impact(boxes, ck.Spheres(THREE - [3.0, 0.0, 0.0], 0.5), velocity_b=[5, 0, 0]),
        *(ask(*flat) for ask in (planar.distance, planar.separating_axis, planar.contacts)),
    ]
    for found in results:
        for name, value in vars(found).items():
            if value.dtype.kind == "f":
                assert not np.signbit(value[value == 0.0]).any(), (type(found).__name__, name)


def test_the_namespace_lists_what_is_public():
    assert dir(ck) == ck.__all__
    assert re.fullmatch(r"\d+\.\d+\.\d+", ck.__version__)
    assert {"volume", "faces", "centroid"} <= {*dir(ck.convex_hull(CORNERS))}
    for name in ck.__all__:
        thing = getattr(ck, name)
        if inspect.isfunction(thing):
            assert len(str(inspect.signature(thing))) < 700, name


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


def test_bounds_of_selected_rows_of_a_world_are_theirs_also_after_those_of_all_were_asked_for():
    world = ck.World([ck.Spheres([[0, 0, 0], [5, 0, 0]], [1, 2]), ck.Boxes([[0, 9, 0]], [[1, 2, 3]])], [0.1, 0.0, 0.2])
    lower, upper = world.bounds()
    for rows in ([2, 0], [True, False, True], slice(1, 3), []):
        some = world.take(rows)
        low, high = some.bounds()
        index = np.arange(3)[np.asarray(rows, int) if rows == [] else rows]
        np.testing.assert_array_equal(low, lower[index])
        np.testing.assert_array_equal(high, upper[index])
    assert len(ck.World.joined([world, world]).bounds()[0]) == 6
