# SPDX-License-Identifier: GPL-3.0-or-later
"""Separate: a fresh check finds nothing afterwards, nothing goes too far, and what is held stays."""

import math
import random

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from collision_kit.addon.collisions.check import check
from collision_kit.addon.fixes import moving as fixes
from collision_kit.addon.fixes import solver
from collision_kit.addon.fixes.fix_result import Refusal
from collision_kit.addon.fixes.problem import Manner, setting_of_scene
from collision_kit.addon.model.report import ObjectKey, Report
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.scene import accepted_pairs
from collision_kit.addon.scene.objects.moving import Lock
from collision_kit.addon.scene.reading.geometry_cache import KnownGeometry
from collision_kit.addon.scene.settings import check_settings
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import (
    TURNED,
    add,
    add_collection,
    add_instance,
    cube_mesh,
    l_mesh,
    mesh,
    rigid_body,
    sphere_mesh,
    with_setting,
)
from tests.helpers.offline import slow

# Half a millimeter per hundred meters: some roundings of float32 at the coordinates of these scenes.
ROUNDING = 5e-6


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def wrong(report: Report) -> dict[frozenset[str], float]:
    """Depth of each pair that does more than touch, by names."""
    return {
        frozenset((report.bodies[pair.body_a].name, report.bodies[pair.body_b].name)): -pair.distance
        for pair in report.pairs
        if pair.verdict >= Verdict.PENETRATING
    }


def found() -> dict[frozenset[str], float]:
    bpy.context.view_layer.update()
    return wrong(check(bpy.context)[0])


def place(ob: bpy.types.Object) -> np.ndarray:
    bpy.context.view_layer.update()
    return np.array(ob.matrix_world, dtype=np.float64)[:3, 3]


def activate(*objects: bpy.types.Object) -> None:
    bpy.context.view_layer.update()
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob in objects)
    bpy.context.view_layer.objects.active = objects[0]
    bpy.context.view_layer.update()


def run(**options: object) -> set[str]:
    return bpy.ops.collision_kit.push_apart(**options)


@pytest.mark.parametrize("seed", range(8))
def test_a_single_convex_obstacle_is_left_by_exactly_the_depth(seed: int) -> None:
    rng = random.Random(seed)
    meshes = [cube_mesh((1.0, 0.7, 0.4)), sphere_mesh(1.0, 12, 8)]
    obstacle = add("Obstacle", meshes[seed % 2], rotation_euler=[rng.uniform(-3, 3) for _ in range(3)])
    mover = add("Mover", meshes[seed // 2 % 2], at=[rng.uniform(-0.7, 0.7) for _ in range(3)])
    mover.rotation_euler = [rng.uniform(-3, 3) for _ in range(3)]
    (depth,) = found().values()
    before, still = place(mover), place(obstacle)
    activate(mover)
    assert run() == {"FINISHED"}
    assert not found()
    assert np.linalg.norm(place(mover) - before) == pytest.approx(depth, abs=ROUNDING)
    np.testing.assert_array_equal(place(obstacle), still)
    # It is left in contact, not somewhere far away.
    assert check(bpy.context)[0].pairs[0].verdict == Verdict.TOUCHING


def test_what_is_free_stays_and_there_is_nothing_to_undo() -> None:
    mover = add("Mover", cube_mesh())
    add("Far", cube_mesh(), at=(5, 0, 0))
    activate(mover)
    assert run() == {"CANCELLED"}
    assert tuple(mover.location) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("count", [2, 4])
def test_open_meshes_in_one_place_are_moved_apart(count: int) -> None:
    # No point of one is inside the other, so they do not penetrate, but a check lists them as duplicates.
    closed = sphere_mesh(1.0, 12, 8)
    faces = [list(face.vertices) for face in closed.polygons][10:]
    shared = mesh([tuple(vertex.co) for vertex in closed.vertices], faces)
    copies = [add(f"Copy {number}", shared) for number in range(count)]
    assert len(found()) == count * (count - 1) // 2
    outcome = fixes.push_apart(bpy.context, copies)
    assert not found() and not outcome.left and len(outcome.moved) == count - 1


def test_a_corner_is_left_in_one_step_by_the_shortest_way() -> None:
    add("Floor", cube_mesh((5, 5, 1)), at=(0, 0, -1))
    add("Wall", cube_mesh((1, 5, 5)), at=(-1, 0, 5))
    mover = add("Mover", cube_mesh(), at=(0.8, 0.0, 0.7))
    activate(mover)
    assert run() == {"FINISHED"}
    # Both planes have to be left: sideways by 0.2 and up by 0.3.
    np.testing.assert_allclose(place(mover), (1.0, 0.0, 1.0), atol=ROUNDING)
    assert not found()


def test_what_is_too_tight_is_left_the_other_way() -> None:
    for name, x in (("Left", -1.9), ("Right", 1.9)):
        add(name, cube_mesh((1, 4, 4)), at=(x, 0, 0))
    mover = add("Mover", cube_mesh(), at=(0.1, 0.0, 3.5))
    activate(mover)
    assert run() == {"FINISHED"}
    assert not found()
    # The gap between the two is narrower than it: up by 1.5 is nearer than to either side, by 3.8.
    np.testing.assert_allclose(place(mover), (0.1, 0.0, 5.0), atol=ROUNDING)


def test_what_lies_inside_comes_out_by_the_nearest_side() -> None:
    add("Crate", cube_mesh((3, 3, 3)))
    mover = add("Mover", cube_mesh((0.5, 0.5, 0.5)), at=(1.0, 0.2, -0.3))
    activate(mover)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(mover), (3.5, 0.2, -0.3), atol=ROUNDING)


def test_a_crowd_is_left_however_many_shapes_are_in_the_way() -> None:
    rng = np.random.default_rng(0)
    crowd = [add(f"Cube {number}", cube_mesh(), at=tuple(rng.uniform(-1.0, 1.0, 3))) for number in range(30)]
    for ob in crowd[:3]:
        before = place(ob)
        activate(ob)
        run(objects="ACTIVE")
        assert not any(ob.name in pair for pair in found())
        # The others reach from -2 to 2.
        assert 0.0 < np.linalg.norm(place(ob) - before) < 6.0


def test_a_concave_mesh_is_left_too() -> None:
    add("Step", l_mesh())
    mover = add("Mover", cube_mesh((0.4, 0.4, 0.4)), at=(1.2, 1.3, 0.5))
    activate(mover)
    assert run() == {"FINISHED"}
    assert not found()
    # The notch is beside it: far less than out of the hull.
    assert np.linalg.norm(place(mover) - (1.2, 1.3, 0.5)) < 0.4


def stool_mesh() -> bpy.types.Mesh:
    """A seat on three legs of the same size, each a block of its own: concave, as furniture is."""
    blocks = [((0.0, 0.0, 0.45), (0.4, 0.4, 0.04)), *(((x, y, 0.22), (0.04, 0.04, 0.44)) for x, y in LEGS)]
    corners, faces = [], []
    for (x, y, z), (a, b, c) in blocks:
        faces += [[8 * (len(corners) // 8) + corner for corner in face] for face in BLOCK_FACES]
        corners += [(x + i * a / 2, y + j * b / 2, z + k * c / 2) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return mesh(corners, faces)


LEGS = ((-0.18, -0.18), (0.18, -0.18), (0.0, 0.18))
BLOCK_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def test_an_instance_of_a_concave_mesh_goes_sideways_and_not_up() -> None:
    inside = add_collection("Inside", parent=False)
    add("Stool mesh", stool_mesh(), collection=inside)
    stool = add_instance("Stool", inside, at=(0.0, 0.0, 0.001))
    add("Floor", cube_mesh((4.0, 4.0, 0.1), (0.0, 0.0, -0.1)))
    # Both are as high as the seat, and reach so far under it that legs stand in them.
    add("Box 1", cube_mesh((0.2, 0.2, 0.3), (0.33, 0.1, 0.3)))
    add("Box 2", cube_mesh((0.2, 0.2, 0.3), (-0.1, -0.33, 0.3)))
    activate(stool)
    assert run() == {"FINISHED"}
    assert not any("Stool" in name for pair in found() for name in pair)
    way = place(stool) - (0.0, 0.0, 0.001)
    assert abs(way[2]) < 1e-3
    # It overlaps each box by 0.07 m, to the left and backward.
    assert np.linalg.norm(way) == pytest.approx(0.07 * math.sqrt(2.0), abs=2e-3)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_what_is_in_the_way_is_found_as_by_measuring_all(seed: int) -> None:
    rng = random.Random(seed)
    for number, made in enumerate((cube_mesh((0.5, 0.5, 0.5)), sphere_mesh(0.3, 12, 8), l_mesh())):
        turn = [rng.uniform(-3, 3) for _ in range(3)]
        add(f"Still {number}", made, at=[rng.uniform(-0.5, 0.5) for _ in range(3)], rotation_euler=turn)
    stool = add("Stool", stool_mesh(), rotation_euler=[rng.uniform(-3, 3) for _ in range(3)])
    activate(stool)
    manner = Manner(1, settings=check_settings(bpy.context))
    scenery = setting_of_scene(bpy.context, [stool.session_uid], KnownGeometry(), manner).scenery
    said = []
    for _ in range(40):
        here = np.array([[rng.gauss(0.0, 0.7) for _ in range(3)]])
        pairs = scenery.penetrating([0], here)
        stool = scenery.unit.tolist().index(0)
        every = np.array([(stool, row) for row in range(len(scenery.unit)) if row != stool])
        deep = every[scenery.depths(every, here) > scenery.level[every].max(axis=1)]
        assert {frozenset(pair) for pair in pairs.tolist()} == {frozenset(pair) for pair in deep.tolist()}
        said.append(len(pairs))
    assert len(set(said)) > 2 and 0 in said


def test_a_floor_without_end_pushes_and_is_never_moved(capsys: pytest.CaptureFixture[str]) -> None:
    floor = with_setting(add("Floor"), "HALF_SPACE")
    mover = add("Mover", cube_mesh(), at=(3, 4, -7))
    activate(floor)
    assert run() == {"CANCELLED"}
    assert '"Floor" was not moved: infinite planes stay put' in capsys.readouterr().out
    activate(mover)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(mover), (3, 4, 1), atol=ROUNDING)


def test_undo_puts_it_back_exactly_and_redo_out_again() -> None:
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), at=(0.1234567, 1.3, 0.2))
    activate(mover)
    before = tuple(mover.location)
    bpy.ops.ed.undo_push(message="Before")
    run()
    after = tuple(mover.location)
    assert after != before
    bpy.ops.ed.undo_push(message="Push Apart")
    bpy.ops.ed.undo()
    assert tuple(bpy.data.objects["Mover"].location) == before
    bpy.ops.ed.redo()
    assert tuple(bpy.data.objects["Mover"].location) == after


# Parents, children, colliders


@pytest.mark.parametrize("seed", range(6))
def test_a_parent_that_turns_and_stretches_takes_nothing_away(seed: int) -> None:
    rng = random.Random(seed)
    parent = add("Parent", at=(1, 2, 3), scale=[rng.choice((-1, 1)) * rng.uniform(0.3, 3) for _ in range(3)])
    parent.rotation_euler = [rng.uniform(-3, 3) for _ in range(3)]
    mover = add("Mover", sphere_mesh(1.0, 10, 6), parent=parent, rotation_euler=TURNED, at=(0.4, -0.2, 0.1))
    mover.matrix_parent_inverse = Matrix.Rotation(0.7, 4, "X") @ Matrix.Diagonal((1.0, 2.0, 0.5, 1.0))
    bpy.context.view_layer.update()
    before = place(mover)
    add("Obstacle", cube_mesh((0.5, 0.5, 0.5)), at=before + np.array((0.3, 0.1, -0.2)))
    (depth,) = found().values()
    activate(mover)
    assert run() == {"FINISHED"}
    assert not found()
    assert np.linalg.norm(place(mover) - before) == pytest.approx(depth, abs=2 * ROUNDING)


def test_children_and_colliders_come_along_even_hidden_or_unparented() -> None:
    mover = add("Crate", cube_mesh())
    child = add("Handle", cube_mesh((0.2, 0.2, 0.2)), parent=mover, at=(0, 0, 1.2))
    beside = add("UBX_Crate_01", cube_mesh((1, 1, 1)))
    hidden = add("UBX_Crate_02", cube_mesh((1, 1, 1)))
    hidden.hide_set(True)
    add("Obstacle", cube_mesh(), at=(1.5, 0, 0))
    starts = [place(ob) for ob in (mover, child, beside)]
    activate(mover)
    assert run() == {"FINISHED"}
    for ob, start in zip((mover, child, beside), starts, strict=True):
        np.testing.assert_allclose(place(ob) - start, (-0.5, 0, 0), atol=ROUNDING)
    np.testing.assert_allclose(hidden.location, (-0.5, 0, 0), atol=ROUNDING)
    assert not found()


def test_a_child_that_is_in_the_way_moves_its_parent() -> None:
    parent = add("Parent", cube_mesh())
    child = add("Child", cube_mesh((0.5, 0.5, 0.5)), parent=parent, at=(3, 0, 0))
    add("Obstacle", cube_mesh(), at=(4.2, 0, 0))
    activate(parent)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(child), (2.7, 0, 0), atol=ROUNDING)
    assert not found()


def test_what_makes_instances_is_moved_with_them() -> None:
    inside = add_collection("Inside", parent=False)
    add("Member", cube_mesh(), collection=inside, at=(1, 0, 0))
    maker = add_instance("Maker", inside)
    add("Obstacle", cube_mesh(), at=(2.75, 0, 0))
    activate(maker)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(maker), (-0.25, 0, 0), atol=ROUNDING)
    assert not found()


# What holds an object


def held(capsys: pytest.CaptureFixture[str], mover: bpy.types.Object, reason: str) -> None:
    activate(mover)
    before = tuple(mover.location)
    assert run() == {"CANCELLED"}
    assert tuple(mover.location) == before
    assert reason in capsys.readouterr().out


def test_a_locked_axis_is_respected_and_another_way_is_found() -> None:
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), at=(1.5, 0.3, 0.4))
    mover.lock_location[0] = True
    activate(mover)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(mover), (1.5, 0.3, 2.0), atol=ROUNDING)
    assert mover.location.x == 1.5


def test_locks_are_those_of_the_space_of_the_parent() -> None:
    parent = add("Parent", rotation_euler=(0, 0, math.radians(90)))
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), parent=parent, at=(0.3, 1.5, 0.4))
    mover.lock_location = (False, True, False)
    activate(mover)
    before = place(mover)
    assert run() == {"FINISHED"}
    # Its own Y runs along the world's X.
    moved = place(mover) - before
    assert abs(moved[0]) < ROUNDING and np.linalg.norm(moved) == pytest.approx(1.6, abs=ROUNDING)


def test_what_is_locked_whole_constrained_or_animated_stays(capsys: pytest.CaptureFixture[str]) -> None:
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), at=(0.5, 0, 0))
    mover.lock_location = (True, True, True)
    held(capsys, mover, "location locked")
    mover.lock_location = (False, False, False)
    constraint = mover.constraints.new("LIMIT_LOCATION")
    held(capsys, mover, "constrained")
    mover.constraints.remove(constraint)
    mover.keyframe_insert("location", frame=1)
    held(capsys, mover, "location animated")
    mover.animation_data_clear()
    for axis in range(3):
        mover.driver_add("location", axis).driver.expression = "0.25"
    bpy.context.view_layer.update()
    held(capsys, mover, "location animated")


def test_a_constraint_that_only_turns_does_not_hold_it() -> None:
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), at=(1.5, 0, 0))
    mover.constraints.new("LIMIT_ROTATION")
    activate(mover)
    assert run() == {"FINISHED"}
    assert not found()


def test_one_animated_axis_leaves_the_others() -> None:
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), at=(1.5, 0.3, 0.4))
    mover.keyframe_insert("location", index=0, frame=1)
    activate(mover)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(mover), (1.5, 0.3, 2.0), atol=ROUNDING)


def test_a_strip_that_moves_it_holds_it(capsys: pytest.CaptureFixture[str]) -> None:
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), at=(0.5, 0, 0))
    mover.keyframe_insert("location", frame=1)
    animation = mover.animation_data
    action, slot = animation.action, getattr(animation, "action_slot", None)
    strip = animation.nla_tracks.new().strips.new("Strip", 1, action)
    if slot is not None:
        strip.action_slot = slot
    animation.action = None
    held(capsys, mover, "location animated")


def test_what_a_simulation_moves_stays(capsys: pytest.CaptureFixture[str]) -> None:
    add("Obstacle", cube_mesh())
    mover = rigid_body(add("Mover", cube_mesh(), at=(1.5, 0, 0)), "BOX", "ACTIVE")
    bpy.context.scene.frame_set(bpy.context.scene.rigidbody_world.point_cache.frame_start + 1)
    held(capsys, mover, "rigid body is being simulated")


def test_a_linked_object_stays(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    add("Mover", cube_mesh(), at=(0.5, 0, 0))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, into):
        into.objects = ["Mover"]
    mover = bpy.data.objects["Mover"]
    bpy.context.scene.collection.objects.link(mover)
    add("Obstacle", cube_mesh())
    held(capsys, mover, "linked from another file")


def test_a_locked_collider_holds_what_it_stands_for() -> None:
    mover = add("Crate", cube_mesh(), at=(0.5, 0, 0))
    collider = add("UBX_Crate", cube_mesh(), at=(0.5, 0, 0))
    collider.lock_location = (True, True, True)
    add("Obstacle", cube_mesh())
    outcome = fixes.push_apart(bpy.context, [mover])
    assert not outcome.moved and outcome.refused[0].locks == (Lock.LOCKED,)
    assert [(one.name, one.other) for one in outcome.left] == [("Crate", "Obstacle")]


def test_where_no_way_is_found_it_stays_and_says_how_deep_it_is() -> None:
    add("Obstacle", cube_mesh((3, 3, 3)))
    mover = add("Mover", cube_mesh())
    # Along the one axis that is free, floors without end stand on both sides.
    mover.lock_location = (True, True, False)
    with_setting(add("Below", at=(0, 0, -1.5)), "HALF_SPACE")
    with_setting(add("Above", at=(0, 0, 1.5), rotation_euler=(math.pi, 0, 0)), "HALF_SPACE")
    outcome = fixes.push_apart(bpy.context, [mover])
    assert not outcome.moved
    assert [(one.refusal, one.locks) for one in outcome.refused] == [(Refusal.NO_FREE_POSITION, (Lock.LOCKED,))]
    assert [(one.name, one.other) for one in outcome.left] == [("Mover", "Obstacle")]
    assert outcome.left[0].depth == pytest.approx(4.0)


def test_what_nothing_holds_and_has_no_place_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    mover = add("Mover", cube_mesh())
    with_setting(add("Below", at=(0, 0, -0.5)), "HALF_SPACE")
    with_setting(add("Above", at=(0, 0, 0.5), rotation_euler=(math.pi, 0, 0)), "HALF_SPACE")
    activate(mover)
    assert run() == {"CANCELLED"}
    assert 'No free position found for "Mover"' in capsys.readouterr().out


def test_accepted_pairs_are_left_as_they_are() -> None:
    plate, bolt = add("Plate", cube_mesh((5, 5, 0.5))), add("Bolt", cube_mesh((0.2, 0.2, 1)))
    add("Crate", cube_mesh(), at=(1.1, 0, 0.9))
    keys = frozenset(ObjectKey(ob.session_uid) for ob in (plate, bolt))
    accepted_pairs.accept(bpy.context.scene, {keys: 1.0}, "it is bolted")
    activate(bolt)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(bolt), (-0.1, 0, 0), atol=ROUNDING)


# Several at once


def test_two_give_way_by_halves() -> None:
    a, b = add("A", cube_mesh()), add("B", cube_mesh(), at=(1.5, 0.1, 0.2))
    activate(a, b)
    assert run(objects="SELECTED", share_by="HALVES") == {"FINISHED"}
    np.testing.assert_allclose(place(a), (-0.25, 0, 0), atol=ROUNDING)
    np.testing.assert_allclose(place(b), (1.75, 0.1, 0.2), atol=ROUNDING)


def test_who_is_held_does_not_give_way_by_half() -> None:
    a, b = add("A", cube_mesh()), add("B", cube_mesh(), at=(1.5, 0.1, 0.2))
    a.lock_location = (True, True, True)
    activate(a, b)
    assert run(objects="SELECTED", share_by="HALVES") == {"FINISHED"}
    np.testing.assert_allclose(place(a), (0, 0, 0))
    np.testing.assert_allclose(place(b), (2.0, 0.1, 0.2), atol=ROUNDING)


def test_in_turn_the_smaller_gives_way() -> None:
    large, small = add("Large", cube_mesh((2, 2, 2))), add("Small", cube_mesh(), at=(2.5, 0, 0))
    activate(large, small)
    assert run(objects="SELECTED") == {"FINISHED"}
    np.testing.assert_allclose(place(large), (0, 0, 0))
    np.testing.assert_allclose(place(small), (3.0, 0, 0), atol=ROUNDING)


@pytest.mark.parametrize("share_by", ["HALVES", *slow("TURN")])
@pytest.mark.parametrize(
    ("seed", "count"), [(0, 5), *(pytest.param(seed, 12, marks=pytest.mark.slow) for seed in range(3))]
)
def test_a_heap_is_taken_apart(seed: int, count: int, share_by: str) -> None:
    rng = random.Random(seed)
    objects = []
    for number in range(count):
        ob = add(f"Part {number}", cube_mesh([rng.uniform(0.3, 0.8) for _ in range(3)]))
        ob.location = [rng.uniform(-1.2, 1.2) for _ in range(3)]
        ob.rotation_euler = [rng.uniform(-3, 3) for _ in range(3)]
        objects.append(ob)
    with_setting(add("Floor", at=(0, 0, -1)), "HALF_SPACE")
    assert found()
    activate(*objects)
    bpy.context.scene.collision_kit.scope = "VISIBLE"
    assert run(objects="SELECTED", share_by=share_by) == {"FINISHED"}
    assert not found()


@pytest.mark.parametrize("turned", [False, True])
def test_a_pile_of_concave_meshes_is_taken_apart_or_what_is_left_is_told(turned: bool) -> None:
    rng = np.random.default_rng(1)
    pile = []
    for number in range(3):
        angles = rng.uniform(-3.0, 3.0, 3) * turned
        pile.append(add(f"L{number}", l_mesh(), at=tuple(rng.uniform(-0.2, 0.2, 3))))
        pile[-1].rotation_euler = angles
    bpy.context.view_layer.update()
    assert len(found()) >= 2
    outcome = fixes.push_apart(bpy.context, pile)
    assert {frozenset((one.name, one.other)) for one in outcome.left} == set(found()) == set()


def torus_mesh(around: int = 24, across: int = 12) -> bpy.types.Mesh:
    """A ring of quads with the radii 1 and 0.25."""
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = 2.0 * np.pi * u / around, 2.0 * np.pi * v / across
    ring = 1.0 + 0.25 * np.cos(b)
    points = np.stack([ring * np.cos(a), ring * np.sin(a), 0.25 * np.sin(b)], axis=-1).reshape(-1, 3)
    onward, up = (u + 1) % around, (v + 1) % across
    faces = np.stack([each * across + at for each, at in ((u, v), (onward, v), (onward, up), (u, up))], axis=-1)
    return mesh(points, faces.reshape(-1, 4).tolist())


def rings(rng: np.random.Generator, count: int) -> list[bpy.types.Object]:
    """Turned rings whose centers are within a cube of side 0.8."""
    made = [add(f"Ring {number}", torus_mesh(), at=tuple(rng.uniform(-0.4, 0.4, 3))) for number in range(count)]
    for ob in made:
        ob.rotation_euler = rng.uniform(-3.0, 3.0, 3)
    bpy.context.view_layer.update()
    return made


def test_a_pile_of_fine_meshes_is_taken_apart_in_short_steps() -> None:
    pile = rings(np.random.default_rng(2), 5)
    assert len(found()) >= 2
    steps = fixes.push_apart_steps(bpy.context, [ob.session_uid for ob in pile])
    told = 0
    try:
        while True:
            progress = next(steps)
            assert 0 <= progress.done <= progress.total
            told += 1
    except StopIteration as stop:
        outcome = stop.value
    assert not found() and not outcome.left
    # Each search for a separating translation has several.
    assert told > 4 * len(outcome.moved)


def test_a_search_for_a_separating_translation_that_is_canceled_moves_everything_back() -> None:
    pile = rings(np.random.default_rng(2), 5)
    before = [place(ob) for ob in pile]
    steps = fixes.push_apart_steps(bpy.context, [ob.session_uid for ob in pile])
    for _ in range(12):
        next(steps)
    steps.close()
    assert [place(ob).tolist() for ob in pile] == [at.tolist() for at in before]


def test_copies_of_a_fine_mesh_in_one_place_are_taken_apart() -> None:
    made = torus_mesh()
    pile = [add(f"Copy {number}", made) for number in range(4)]
    assert len(found()) == 6
    outcome = fixes.push_apart(bpy.context, pile)
    assert not found() and not outcome.left and len(outcome.moved) == 3
    # As flat as they are, the least that frees one of another is its thickness.
    assert sorted(np.linalg.norm(way) for way in outcome.moved.values())[0] == pytest.approx(0.5, rel=0.1)


def test_the_shortest_way_of_all_directions_is_taken_whichever_is_followed_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pile = rings(np.random.default_rng(4), 4)
    setting = setting_of_scene(bpy.context, [pile[0].session_uid], KnownGeometry(), Manner(1))
    scenery, offsets = setting.scenery, np.zeros((1, 3))
    rng = np.random.default_rng(5)
    ways = rng.normal(size=(12, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    alone = []
    for way in ways:
        found_way = exhausted(solver._straight(scenery, 0, offsets, way[None], np.inf))
        assert not len(scenery.penetrating([0], found_way[None]))
        # Nearer along this direction, it is in the way.
        shares = rng.uniform(0.0, 0.98, 6)
        assert np.mean([len(scenery.penetrating([0], share * found_way[None])) > 0 for share in shares]) > 0.9
        alone.append(np.linalg.norm(found_way))
    for first in (1, 4, 12):
        monkeypatch.setattr(solver, "_FIRST", first)
        together = exhausted(solver._straight(scenery, 0, offsets, ways, np.inf))
        assert np.linalg.norm(together) == pytest.approx(min(alone), rel=1e-6)


def test_what_is_moved_out_of_fine_meshes_touches_them() -> None:
    pile = rings(np.random.default_rng(0), 4)
    outcome = fixes.push_apart(bpy.context, pile[:1])
    assert set(outcome.moved) == {"Ring 0"}
    assert not any("Ring 0" in pair for pair in found())
    setting = setting_of_scene(bpy.context, [pile[0].session_uid], KnownGeometry(), Manner(1))
    scenery = setting.scenery
    own = scenery.unit.tolist().index(0)
    every = np.array([(own, row) for row in range(len(scenery.unit)) if row != own])
    assert abs(scenery.measured(every, np.zeros((1, 3))).distance.min()) < 1e-6


def test_two_collections_only_those_of_the_other_are_left() -> None:
    props, level = add_collection("Props"), add_collection("Level")
    mover = add("Mover", cube_mesh(), collection=props)
    add("Friend", cube_mesh(), collection=props, at=(0, 0.5, 0))
    add("Wall", cube_mesh(), collection=level, at=(1.75, 0, 0))
    settings = bpy.context.scene.collision_kit
    settings.scope, settings.collection_a, settings.collection_b = "COLLECTIONS", props, level
    activate(mover)
    assert run() == {"FINISHED"}
    np.testing.assert_allclose(place(mover), (-0.25, 0, 0), atol=ROUNDING)


def test_poll_says_what_is_missing() -> None:
    with pytest.raises(RuntimeError, match="Select the objects to move"):
        run()
    mover = add("Mover", cube_mesh())
    activate(mover)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Not in Object Mode"):
        run()


def test_a_failure_on_the_way_puts_everything_back(monkeypatch: pytest.MonkeyPatch) -> None:
    add("Obstacle", cube_mesh())
    mover = add("Mover", cube_mesh(), at=(1.5, 0, 0))
    activate(mover)
    steps = fixes.push_apart_steps(bpy.context, [mover.session_uid])
    looks = 0
    real = fixes.setting_of_scene

    def fails_the_second_time(*arguments: object) -> object:
        nonlocal looks
        looks += 1
        if looks == 2:
            assert mover.location.x == pytest.approx(2.0)
            raise RuntimeError("no more")
        return real(*arguments)

    monkeypatch.setattr(fixes, "setting_of_scene", fails_the_second_time)
    with pytest.raises(RuntimeError, match="no more"):
        list(steps)
    assert mover.location.x == 1.5
