# SPDX-License-Identifier: GPL-3.0-or-later
"""Drop to Surface and Snap to Contact: what is moved ends touching, penetrates nothing, and has gone past nothing."""

import math
import random

import bmesh
import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.collisions.check import check
from collision_kit.addon.fixes import moving as fixes
from collision_kit.addon.fixes.fix_result import FixResult, Refusal
from collision_kit.addon.ui.panels.fixes import COLLISION_KIT_PT_fixes
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import TURNED, add, cube_mesh, l_mesh, mesh, sphere_mesh, with_setting
from tests.helpers.blender.panel_recorder import drawn
from tests.helpers.offline import slow

# Some roundings of float32 at the coordinates of these scenes.
ROUNDING = 5e-6
DOWN = np.array([0.0, 0.0, -1.0])


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def verdicts(clearance: float = 0.0) -> dict[frozenset[str], Verdict]:
    bpy.context.view_layer.update()
    report = check(bpy.context, clearance=clearance)[0]
    names = [body.name for body in report.bodies]
    return {frozenset((names[pair.body_a], names[pair.body_b])): pair.verdict for pair in report.pairs}


def place(ob: bpy.types.Object) -> np.ndarray:
    bpy.context.view_layer.update()
    return np.array(ob.matrix_world, dtype=np.float64)[:3, 3]


def select(*objects: bpy.types.Object) -> None:
    bpy.context.view_layer.update()
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob in objects)
    bpy.context.view_layer.objects.active = objects[0]


def drop(*objects: bpy.types.Object, along: np.ndarray = DOWN, **options: bool) -> FixResult:
    bpy.context.view_layer.update()
    return fixes.drop_to_surface(bpy.context, objects, lambda _ob: along, **options)


def run(**options: object) -> set[str]:
    return bpy.ops.collision_kit.drop_to_surface(**options)


@pytest.mark.parametrize("seed", [0, 1, *slow(2, 3, 4, 5)])
def test_it_ends_touching_the_first_thing_on_its_way_and_penetrates_nothing(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(10):
        data = [cube_mesh((0.8, 0.5, 0.3)), sphere_mesh(0.6, 10, 6), l_mesh()][number % 3]
        ob = add(f"Below {number}", data, at=[rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-4, 0)])
        ob.rotation_euler = [rng.uniform(-3, 3) for _ in range(3)]
    with_setting(add("Floor", at=(0, 0, -6)), "HALF_SPACE")
    others = list(bpy.data.objects)
    mover = add("Mover", [cube_mesh((0.5, 0.4, 0.3)), l_mesh()][seed % 2], at=(0, 0, 6), rotation_euler=TURNED)
    before = place(mover)
    outcome = drop(mover)
    moved = place(mover) - before
    np.testing.assert_allclose(moved[:2], 0.0, atol=ROUNDING)
    stopped_by = outcome.onto["Mover"]
    report = api.check_collisions([mover], against=others)
    assert [(pair.verdict, set(api.names(report, pair))) for pair in report.pairs] == [
        (Verdict.TOUCHING, {"Mover", stopped_by})
    ]
    # It has gone past nothing: at no place on the way did it overlap anything.
    for share in np.linspace(0.0, 1.0, 16)[:-1]:
        mover.location = before + share * moved
        assert not api.check_collisions([mover], against=others).pairs


def test_undo_brings_it_back_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    with_setting(add("Floor"), "HALF_SPACE")
    mover = add("Mover", cube_mesh(), at=(0.1234567, 0, 7.7))
    select(mover)
    before = tuple(mover.location)
    bpy.ops.ed.undo_push(message="Before")
    assert run() == {"FINISHED"}
    assert '"Mover" moved by 6.7 m along −Z and now touches "Floor"' in capsys.readouterr().out
    assert mover.location.z == pytest.approx(1.0, abs=ROUNDING)
    bpy.ops.ed.undo_push(message="Drop to Surface")
    bpy.ops.ed.undo()
    assert tuple(bpy.data.objects["Mover"].location) == before


def test_a_stack_comes_down_whole_in_whatever_order_it_is_selected() -> None:
    with_setting(add("Floor"), "HALF_SPACE")
    boxes = [add(f"Box {number}", cube_mesh(), at=(0.1 * number, 0, 5 + 3 * number)) for number in (2, 0, 3, 1)]
    select(*boxes)
    assert run() == {"FINISHED"}
    assert sorted(place(ob)[2] for ob in boxes) == pytest.approx([1, 3, 5, 7], abs=ROUNDING)
    assert set(verdicts().values()) == {Verdict.TOUCHING}


def test_what_stands_flush_beside_it_does_not_stop_it() -> None:
    with_setting(add("Floor"), "HALF_SPACE")
    add("Beside", cube_mesh(), at=(2, 0, 1))  # flush, and below
    add("Tall", cube_mesh((1, 1, 9)), at=(-2, 0, 9))  # flush, and along all of the way
    mover = add("Mover", cube_mesh(), at=(0, 0, 8))
    outcome = drop(mover)
    assert outcome.onto == {"Mover": "Floor"}
    assert place(mover)[2] == pytest.approx(1.0, abs=ROUNDING)


def test_a_mesh_that_it_slides_along_stops_it_where_it_juts_out() -> None:
    # An L on its side: a wall that the mover touches, with a step at its foot.
    outline = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 6), (0, 6)]
    vertices = [(x, y, z) for y in (-2, 2) for x, z in outline]
    sides = [(i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)]
    add("Step", mesh(vertices, [tuple(reversed(range(6))), tuple(range(6, 12)), *sides]))
    mover = add("Mover", cube_mesh((0.5, 0.5, 0.5)), at=(1.5, 0, 4))
    outcome = drop(mover)
    assert outcome.onto == {"Mover": "Step"}
    np.testing.assert_allclose(place(mover), (1.5, 0, 1.5), atol=4 * ROUNDING)


def test_flat_sheets_stop_each_other_and_only_beside_each_other_do_not() -> None:
    corners = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    add("Sheet", mesh(corners, [(0, 1, 2, 3)]), rotation_euler=TURNED)
    mover, beside = (add(name, mesh(corners, [(0, 1, 2, 3)]), rotation_euler=TURNED) for name in ("Mover", "Beside"))
    bpy.context.view_layer.update()
    turned = np.array(mover.matrix_world)[:3, :3]
    mover.location, beside.location = turned @ (0.5, 0.3, 4.0), turned @ (-2.0, 0.0, 4.0)
    outcome = drop(mover, beside, along=-turned[:, 2])
    assert outcome.onto == {"Mover": "Sheet"}
    np.testing.assert_allclose(place(mover), turned @ (0.5, 0.3, 0.0), atol=ROUNDING)


def test_a_slope_stops_it_where_they_touch() -> None:
    add("Slope", cube_mesh((5, 5, 1)), rotation_euler=(0, math.radians(30), 0))
    mover = add("Mover", sphere_mesh(), at=(0, 0, 10))
    drop(mover)
    assert verdicts() == {frozenset(("Mover", "Slope")): Verdict.TOUCHING}


def test_what_penetrates_at_the_start_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    add("Block", cube_mesh(), at=(0, 0, 1))
    select(add("Mover", cube_mesh(), at=(1.5, 0, 1.2)))
    assert run() == {"CANCELLED"}
    told = capsys.readouterr().out
    assert '"Mover" penetrates "Block" by 500 mm: push the two apart first' in told
    assert "still" not in told


def test_what_penetrates_at_the_start_stays_unless_it_is_separated_first() -> None:
    with_setting(add("Floor"), "HALF_SPACE")
    add("Block", cube_mesh(), at=(0, 0, 1))
    mover = add("Mover", cube_mesh(), at=(1.5, 0, 1.2))
    outcome = drop(mover)
    assert not outcome.moved
    (refused,) = outcome.refused
    assert (refused.refusal, refused.other) == (Refusal.INSIDE, "Block")
    assert refused.length == pytest.approx(0.5)
    assert [(one.name, one.other) for one in outcome.left] == [("Mover", "Block")]
    outcome = drop(mover, push_apart_first=True)
    np.testing.assert_allclose(place(mover), (2, 0, 1), atol=ROUNDING)
    assert not outcome.refused and not outcome.left


def test_where_nothing_is_in_the_way_it_stays() -> None:
    mover = add("Mover", cube_mesh())
    add("Beside", cube_mesh(), at=(5, 0, -5))
    outcome = drop(mover)
    assert not outcome.moved and outcome.refused[0].refusal is Refusal.NOTHING_HIT


def test_what_touches_already_stays() -> None:
    mover = add("Mover", cube_mesh(), at=(0, 0, 1))
    with_setting(add("Floor"), "HALF_SPACE")
    outcome = drop(mover)
    assert not outcome.moved
    assert (outcome.refused[0].refusal, outcome.refused[0].other) == (Refusal.ALREADY, "Floor")


def test_what_is_locked_in_that_direction_stays_and_in_another_does_not() -> None:
    with_setting(add("Floor"), "HALF_SPACE")
    mover = add("Mover", cube_mesh(), at=(0, 0, 4))
    mover.lock_location[2] = True
    outcome = drop(mover)
    assert not outcome.moved and outcome.refused[0].refusal is Refusal.DIRECTION
    mover.lock_location = (True, True, False)
    drop(mover)
    np.testing.assert_allclose(place(mover), (0, 0, 1), atol=ROUNDING)


def test_a_parent_that_turns_and_stretches_takes_nothing_away() -> None:
    parent = add("Parent", at=(1, 2, 3), rotation_euler=(0.4, -1.1, 2.0), scale=(0.5, -2.0, 1.3))
    mover = add("Mover", sphere_mesh(1.0, 10, 6), parent=parent, rotation_euler=TURNED, at=(0.4, -0.2, 6.0))
    with_setting(add("Floor", at=(0, 0, -9), rotation_euler=(0.2, 0.1, 0)), "HALF_SPACE")
    before = place(mover)
    drop(mover)
    np.testing.assert_allclose((place(mover) - before)[:2], 0.0, atol=2 * ROUNDING)
    assert verdicts() == {frozenset(("Mover", "Floor")): Verdict.TOUCHING}


@pytest.mark.parametrize(
    ("direction", "expected"),
    [("DOWN", (0, 0, -8)), ("GRAVITY", (8, 0, 0)), ("X", (0, 8, 0)), ("NEGATIVE_Y", (8, 0, 0)), ("Z", (0, 0, 8))],
)
def test_each_direction_is_what_it_says(direction: str, expected: tuple[float, float, float]) -> None:
    for number, (axis, sign) in enumerate((axis, sign) for axis in range(3) for sign in (-1, 1)):
        at = [0.0, 0.0, 0.0]
        at[axis] = 10.0 * sign
        add(f"Wall {number}", cube_mesh(), at=at)
    mover = add("Mover", cube_mesh(), rotation_euler=(0, 0, math.radians(90)))
    bpy.context.scene.gravity = (2, 0, 0)
    select(mover)
    assert run(direction=direction) == {"FINISHED"}
    np.testing.assert_allclose(place(mover), expected, atol=ROUNDING)


def test_a_direction_that_there_is_not_is_refused() -> None:
    select(add("Mover", cube_mesh()))
    bpy.context.scene.gravity = (0, 0, 0)
    with pytest.raises(RuntimeError, match="The scene has no gravity"):
        run(direction="GRAVITY")


# Snap to Contact


def chosen(*, clearance: float = 2.0, row: int = 0) -> None:
    bpy.context.scene.collision_kit.clearance = clearance
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    bpy.ops.collision_kit.select_pair(row=row)


@pytest.mark.parametrize("active", ["A", "B"])
def test_snap_moves_the_active_one_by_the_gap(active: str) -> None:
    a, b = add("A", cube_mesh()), add("B", sphere_mesh(), at=(2.5, 1.9, 1.5), rotation_euler=TURNED)
    chosen()
    moving, still = (a, b) if active == "A" else (b, a)
    bpy.context.view_layer.objects.active = moving
    gap = check(bpy.context, clearance=2.0)[0].pairs[0].distance
    before, other = place(moving), place(still)
    assert bpy.ops.collision_kit.snap_to_contact() == {"FINISHED"}
    assert np.linalg.norm(place(moving) - before) == pytest.approx(gap, abs=ROUNDING)
    np.testing.assert_array_equal(place(still), other)
    assert verdicts() == {frozenset("AB"): Verdict.TOUCHING}


def test_snap_goes_by_where_they_are_now() -> None:
    a, b = add("A", cube_mesh()), add("B", cube_mesh(), at=(2.5, 0, 0))
    chosen()
    b.location.x = 4.0
    bpy.context.view_layer.objects.active = a
    assert bpy.ops.collision_kit.snap_to_contact() == {"FINISHED"}
    np.testing.assert_allclose(place(a), (2, 0, 0), atol=ROUNDING)


def test_snap_moves_no_floor_and_says_what_it_runs_into(capsys: pytest.CaptureFixture[str]) -> None:
    floor = with_setting(add("A floor"), "HALF_SPACE")
    mover = add("B mover", cube_mesh(), at=(0, 0, 1.5))
    add("C table", cube_mesh((1, 1, 0.1)), at=(0.5, 0, 0.35))
    report_pairs = 0
    bpy.context.scene.collision_kit.clearance = 1.0
    bpy.ops.collision_kit.check_collisions()
    from collision_kit.addon.session.collision_results import last_check

    for row, pair in enumerate(last_check.report.pairs):
        if {body.name for body in last_check.bodies_of(pair)} == {"A floor", "B mover"}:
            bpy.ops.collision_kit.select_pair(row=row)
            report_pairs += 1
    assert report_pairs == 1
    bpy.context.view_layer.objects.active = floor
    assert bpy.ops.collision_kit.snap_to_contact() == {"FINISHED"}
    np.testing.assert_allclose(place(mover), (0, 0, 1), atol=ROUNDING)
    assert '"B mover" still penetrates "C table"' in capsys.readouterr().out


def test_snap_needs_a_pair_that_is_apart() -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), at=(1.5, 0, 0))
    with pytest.raises(RuntimeError, match="run Check Collisions first"):
        bpy.ops.collision_kit.snap_to_contact()
    chosen()
    with pytest.raises(RuntimeError, match="no gap to close"):
        bpy.ops.collision_kit.snap_to_contact()


def test_the_panel_has_the_fixes_of_the_pair_and_then_those_of_what_is_selected() -> None:
    assert drawn(COLLISION_KIT_PT_fixes, bpy.context) is None
    add("Alpha", cube_mesh())
    add("Beta", cube_mesh(), at=(1.5, 0, 0))
    third = add("Gamma", cube_mesh(), at=(9, 0, 0))
    chosen()
    shown = drawn(COLLISION_KIT_PT_fixes, bpy.context)
    assert shown is not None
    assert shown.operators == [
        *3 * ["collision_kit.push_apart"],
        "collision_kit.drop_to_surface",
        "collision_kit.select_intersecting_faces",
    ]
    assert "2 selected objects" in shown.texts
    # What is active then has nothing to do with the pair.
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = third
    texts = drawn(COLLISION_KIT_PT_fixes, bpy.context).texts
    assert texts[texts.index("Push Both Apart") + 1 :] == ["Active: Gamma", "Intersecting Faces of Gamma"]
    third.select_set(True)
    assert "Selected: Gamma" in drawn(COLLISION_KIT_PT_fixes, bpy.context).texts


def test_a_pair_that_is_apart_has_a_button_for_either_way_into_contact() -> None:
    a, b = add("Alpha", cube_mesh()), add("Beta", cube_mesh((0.5, 0.5, 0.5)), at=(2.0, 0, 0))
    chosen()
    shown = drawn(COLLISION_KIT_PT_fixes, bpy.context)
    assert shown.texts[3:6] == ["Snap to Contact", "Beta: 500 mm along −X", "Alpha: 500 mm along +X"]
    assert shown.operators[2:4] == ["collision_kit.snap_to_contact"] * 2
    assert bpy.ops.collision_kit.snap_to_contact(objects="A") == {"FINISHED"}
    np.testing.assert_allclose([place(a)[0], place(b)[0]], [0.5, 2.0], atol=ROUNDING)


def test_snap_without_an_active_one_of_the_two_moves_the_one_that_the_panel_names_first() -> None:
    a, b = add("Alpha", cube_mesh()), add("Beta", cube_mesh((0.5, 0.5, 0.5)), at=(2.0, 0, 0))
    other = add("Other", cube_mesh(), at=(0, 20, 0))
    chosen()
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = other
    assert bpy.ops.collision_kit.snap_to_contact() == {"FINISHED"}
    np.testing.assert_allclose([place(a)[0], place(b)[0], place(other)[1]], [0.0, 1.5, 20.0], atol=ROUNDING)


# Move Away


def test_a_pair_within_the_clearance_has_a_button_for_what_is_missing_and_it_moves_that_far() -> None:
    a, b = add("Alpha", cube_mesh()), add("Beta", cube_mesh((0.5, 0.5, 0.5)), at=(1.6, 0, 0))
    chosen(clearance=0.25)
    shown = drawn(COLLISION_KIT_PT_fixes, bpy.context)
    assert shown.texts[:4] == ["Move Away", "Beta: 150 mm along +X", "Alpha: 150 mm along −X", "Snap to Contact"]
    assert shown.operators[:4] == ["collision_kit.move_away"] * 2 + ["collision_kit.snap_to_contact"] * 2
    assert bpy.ops.collision_kit.move_away(objects="A") == {"FINISHED"}
    np.testing.assert_allclose([place(a)[0], place(b)[0]], [-0.15, 1.6], atol=1e-5)
    assert check(bpy.context, clearance=0.25)[0].pairs == ()


@pytest.mark.parametrize("seed", range(6))
def test_a_convex_one_moves_away_by_exactly_what_is_missing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    add("A", cube_mesh(), rotation_euler=rng.uniform(-3, 3, 3))
    b = add("B", sphere_mesh(), rotation_euler=rng.uniform(-3, 3, 3))
    towards = rng.normal(size=3)
    b.location = 3.2 * towards / np.linalg.norm(towards)
    bpy.context.view_layer.update()
    gap, before = check(bpy.context, clearance=5.0)[0].pairs[0].distance, place(b)
    assert gap > 0.0
    chosen(clearance=gap + 0.4)
    bpy.context.view_layer.objects.active = b
    assert bpy.ops.collision_kit.move_away() == {"FINISHED"}
    assert np.linalg.norm(place(b) - before) == pytest.approx(0.4, abs=1e-5)
    after = check(bpy.context, clearance=5.0)[0].pairs[0].distance
    assert gap + 0.4 < after < gap + 0.4 + 1e-4


def test_what_moves_away_slides_along_what_it_touches_and_into_nothing() -> None:
    """A ramp's normal leads into the floor below, so the crate slides farther along the floor."""
    floor = add("Floor", cube_mesh((9, 9, 0.5)), at=(0, 0, -0.5))
    crate = add("Crate", cube_mesh((0.5, 0.5, 0.5)), at=(0, 0, 0.5))
    ramp = add("Ramp", cube_mesh((0.1, 3, 3)), at=(1.0, 0, 1.2), rotation_euler=(0, -0.5, 0))
    gap = gap_of("Crate", "Ramp")
    api.move_away("Crate", "Ramp", gap + 0.2)
    assert place(crate)[2] == pytest.approx(0.5, abs=1e-5)
    assert place(crate)[0] < -0.2
    assert gap_of("Crate", "Ramp") == pytest.approx(gap + 0.2, abs=1e-4)
    assert verdicts()[frozenset(["Crate", "Floor"])] == Verdict.TOUCHING
    assert place(floor)[2] == -0.5 and place(ramp)[0] == 1.0


def gap_of(a: str, b: str) -> float:
    bpy.context.view_layer.update()
    report = check(bpy.context, clearance=9.0)[0]
    names = [body.name for body in report.bodies]
    return next(pair.distance for pair in report.pairs if {names[pair.body_a], names[pair.body_b]} == {a, b})


def bore() -> tuple[bpy.types.Object, bpy.types.Object]:
    """A shaft of 1 m in a bore of 1.2 m, 0.08 m out of the middle."""
    mesh = bpy.data.meshes.new("Bore")
    ring = bmesh.new()
    bmesh.ops.create_cone(ring, cap_ends=False, segments=64, radius1=0.6, radius2=0.6, depth=1.0)
    bmesh.ops.solidify(ring, geom=ring.faces[:], thickness=-0.3)
    ring.to_mesh(mesh)
    ring.free()
    housing = add("Housing", mesh)
    shaft = bpy.data.meshes.new("Shaft")
    rod = bmesh.new()
    bmesh.ops.create_cone(rod, cap_ends=True, segments=64, radius1=0.5, radius2=0.5, depth=3.0)
    rod.to_mesh(shaft)
    rod.free()
    return housing, add("Shaft", shaft, at=(0.08, 0, 0))


def test_a_shaft_is_moved_into_the_middle_of_its_bore() -> None:
    _, shaft = bore()
    found = api.move_away("Shaft", "Housing", 0.09)
    assert not found.refused and not found.left
    assert np.hypot(*place(shaft)[:2]) < 0.015
    assert gap_of("Shaft", "Housing") >= 0.09


def test_a_shaft_whose_bore_is_too_tight_for_the_clearance_stays() -> None:
    _, shaft = bore()
    found = api.move_away("Shaft", "Housing", 0.2)
    assert [one.refusal for one in found.refused] == [Refusal.NO_FREE_POSITION]
    assert place(shaft)[0] == pytest.approx(0.08)


def test_what_cannot_move_away_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    add("A", cube_mesh())
    b = add("B", cube_mesh(), at=(2.1, 0, 0))
    with pytest.raises(RuntimeError, match="run Check Collisions first"):
        bpy.ops.collision_kit.move_away()
    chosen(clearance=0.25)
    b.lock_location[0] = True
    bpy.context.view_layer.objects.active = b
    assert bpy.ops.collision_kit.move_away() == {"CANCELLED"}
    assert 'No free position found for "B": location locked' in capsys.readouterr().out
    b.location.x = 3.0
    assert bpy.ops.collision_kit.move_away() == {"CANCELLED"}
    assert '"B" is 1 m away from "A": that is enough' in capsys.readouterr().out
    b.location.x = 1.5
    assert bpy.ops.collision_kit.move_away() == {"CANCELLED"}
    assert '"B" penetrates "A" by 500 mm: push the two apart first' in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"clearance: -1\.0 is not a length"):
        api.move_away("B", "A", -1.0)
    b.location.x, b.lock_location[0] = 2.0, False
    chosen(clearance=0.25)
    with pytest.raises(RuntimeError, match="no gap to close"):
        bpy.ops.collision_kit.move_away()


def test_both_apart_moves_the_pair_whatever_is_selected() -> None:
    a, b = add("Alpha", cube_mesh()), add("Beta", cube_mesh(), at=(1.5, 0, 0))
    add("Gamma", cube_mesh(), at=(0, 9, 0))
    other = add("Other", cube_mesh(), at=(1.6, 9, 0))
    chosen()
    bpy.ops.object.select_all(action="DESELECT")
    other.select_set(True)
    assert bpy.ops.collision_kit.push_apart(objects="PAIR", share_by="HALVES") == {"FINISHED"}
    np.testing.assert_allclose([place(a)[0], place(b)[0], place(other)[0]], [-0.25, 1.75, 1.6], atol=1e-5)


def on_a_step() -> tuple[bpy.types.Object, bpy.types.Object]:
    """A shelf 1 m above a step, and a crate sunk 0.1 m into it, which is 3 m above the floor beside the step."""
    add("Floor", cube_mesh((5.0, 5.0, 0.5)), at=(0.0, 0.0, -0.5))
    add("Step", cube_mesh((0.5, 0.5, 0.5)), at=(-1.0, 0.0, 0.5))
    shelf = add("Shelf", cube_mesh((1.5, 0.5, 0.1)), at=(0.0, 0.0, 2.1))
    crate = add("Crate", cube_mesh((0.2, 0.2, 0.2)), at=(1.2, 0.0, 2.3))
    bpy.context.view_layer.update()
    return shelf, crate


def test_objects_that_are_dropped_as_one_keep_their_places_to_each_other():
    shelf, crate = on_a_step()
    apart = place(crate) - place(shelf)
    result = api.drop_to_surface([crate, shelf], "GRAVITY", as_one=True)
    np.testing.assert_allclose(place(crate) - place(shelf), apart, atol=ROUNDING)
    assert place(shelf)[2] == pytest.approx(1.1, abs=ROUNDING)
    assert set(result.onto.values()) == {"Step"} and not result.refused
    shelf.location.z, crate.location.z = 2.1, 2.3
    bpy.context.view_layer.update()
    # Each on its own: the crate is in the shelf, and stays.
    result = api.drop_to_surface([crate, shelf], "GRAVITY")
    assert place(crate)[2] == pytest.approx(2.3) and [one.refusal for one in result.refused].count(Refusal.INSIDE)


def test_a_group_that_floats_is_dropped_as_one():
    shelf, crate = on_a_step()
    (one,) = api.floating()
    assert {one.object, *one.others} == {"Shelf", "Crate"}
    apart = place(crate) - place(shelf)
    api.drop_to_surface([one.object, *one.others], "GRAVITY", as_one=True)
    np.testing.assert_allclose(place(crate) - place(shelf), apart, atol=ROUNDING)
    assert not api.floating()


@pytest.mark.parametrize("axis", ["X", "NEGATIVE_Z"])
def test_objects_cannot_be_dropped_as_one_along_an_axis_of_each(axis: str):
    shelf, crate = on_a_step()
    with pytest.raises(ValueError, match=f"direction: {axis} is an axis of each object"):
        api.drop_to_surface([shelf, crate], axis, as_one=True)
    assert place(shelf)[2] == pytest.approx(2.1)
