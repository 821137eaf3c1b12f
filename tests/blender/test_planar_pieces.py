# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines in convex pieces: drawn, and made into objects."""

import math

import bpy
import numpy as np
import pytest

from collision_kit.addon.colliders import outline_pieces
from collision_kit.addon.collisions.check import check
from collision_kit.addon.model.errors import UserError
from collision_kit.addon.ui.operators.geometry import COLLISION_KIT_OT_hide_convex_pieces as HIDE
from collision_kit.addon.ui.operators.geometry import COLLISION_KIT_OT_make_convex_pieces as MAKE
from collision_kit.addon.ui.operators.geometry import COLLISION_KIT_OT_show_convex_pieces as SHOW
from collision_kit.addon.ui.panels.planar import COLLISION_KIT_PT_planar
from collision_kit.addon.viewport import convex_pieces
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.core import planar
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import drawn
from tests.helpers.blender.planar_scene import HOLE, SQUARE, L, curve, flat_mesh, frame_mesh, link

pytestmark = pytest.mark.usefixtures("scene")


def activate(ob: bpy.types.Object) -> bpy.types.Object:
    bpy.context.view_layer.objects.active = ob
    bpy.context.view_layer.update()
    return ob


def corners(piece: bpy.types.Object) -> np.ndarray:
    return np.array([tuple(piece.matrix_world @ vertex.co) for vertex in piece.data.vertices])


def area(flat: np.ndarray) -> float:
    x, y = (flat - flat[0]).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2.0


def test_the_pieces_are_drawn_and_counted_and_taken_away() -> None:
    bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    ob = activate(frame_mesh("Frame", location=(1.0, 2.0, 3.0)))
    assert not HIDE.poll(bpy.context)
    assert bpy.ops.collision_kit.show_convex_pieces() == {"FINISHED"}
    shown = convex_pieces.shown()
    assert shown is not None
    assert (shown.name, shown.pieces, shown.corners, shown.area) == ("Frame", 4, 8, 12.0)
    assert on_screen() is shown.primitives
    panel = drawn(COLLISION_KIT_PT_planar, bpy.context)
    assert panel is not None
    assert {"Frame", "4", "8"} <= set(panel.texts)
    assert bpy.ops.collision_kit.hide_convex_pieces() == {"FINISHED"}
    assert convex_pieces.shown() is None
    assert on_screen() is None
    assert ob.name == "Frame"


@pytest.mark.parametrize("change", ["moved", "deleted", "plane", "undo", "pair"])
def test_what_is_no_longer_true_is_not_drawn(change) -> None:
    ob = activate(frame_mesh("Frame"))
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.collision_kit.show_convex_pieces()
    if change == "moved":
        ob.location.x = 1.0
    elif change == "deleted":
        bpy.data.objects.remove(ob)
    elif change == "plane":
        bpy.context.scene.collision_kit.planar.plane = "XZ"
    elif change == "undo":
        bpy.ops.ed.undo_push(message="After")
        bpy.ops.ed.undo()
    else:
        flat_mesh("Other", [SQUARE])
        bpy.context.view_layer.update()
        bpy.ops.collision_kit.check_collisions()
        assert pair_overlay.shown_row() == 0
    bpy.context.view_layer.update()
    assert convex_pieces.shown() is None


@pytest.mark.parametrize(
    "fields",
    [
        {"location": (1.5, -2.0, 0.75)},
        {"location": (100.0, 3.0, -2.0), "rotation_euler": (0.0, 0.0, 0.9), "scale": (-2.0, 0.5, 3.0)},
        {"rotation_euler": (0.4, 0.3, 0.0)},
    ],
    ids=["moved", "mirrored", "leaning"],
)
def test_the_pieces_are_made_exactly_as_large_as_the_outline(fields) -> None:
    ob = activate(frame_mesh("Frame", **fields))
    before = set(bpy.data.objects)
    assert bpy.ops.collision_kit.make_convex_pieces() == {"FINISHED"}
    bpy.context.view_layer.update()
    made = sorted(set(bpy.data.objects) - before, key=lambda piece: piece.name)
    assert [piece.name for piece in made] == [f"Frame_piece_{number}" for number in range(1, 5)]
    wanted = np.array([tuple(ob.matrix_world @ vertex.co) for vertex in ob.data.vertices])
    front = wanted[:, 2].max()
    for piece in made:
        assert piece.parent == ob
        np.testing.assert_allclose(piece.matrix_world, np.eye(4) + [[0, 0, 0, c] for c in (*ob.location, 0)], atol=2e-6)
        found = corners(piece)
        np.testing.assert_allclose(found[:, 2], front, atol=1e-5)
        assert planar.is_convex(found[:, :2])
        assert len(piece.data.polygons) == 1
        # Corners of the outline and no others.
        assert np.linalg.norm(found[:, None, :2] - wanted[:, :2], axis=-1).min(axis=1).max() < 2e-5
    total = sum(abs(area(corners(piece)[:, :2])) for piece in made)
    linear = np.array(ob.matrix_world, dtype=float)[:2, :2]
    assert total == pytest.approx(12.0 * abs(np.linalg.det(linear)), rel=1e-5)
    assert set(bpy.context.selected_objects) == set(made)
    (collection,) = made[0].users_collection
    assert collection.name == "Frame_pieces"
    assert set(collection.objects) == set(made)


def test_the_pieces_follow_their_object_and_are_not_tested_against_it() -> None:
    ob = activate(curve("Ring", [SQUARE, HOLE], rotation_euler=(0.0, 0.0, 0.5)))
    bpy.ops.collision_kit.make_convex_pieces()
    pieces = list(bpy.context.selected_objects)
    before = corners(pieces[0])
    ob.location = (3.0, 4.0, 5.0)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(corners(pieces[0]), before + np.array([3.0, 4.0, 5.0]), atol=1e-5)
    report, _ = check(bpy.context, "ALL", plane="XY")
    assert not report.pairs
    assert len(report.bodies) == 1


def test_it_is_one_step_of_undo() -> None:
    activate(frame_mesh("Frame"))
    bpy.ops.ed.undo_push(message="Before")
    count = len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.collections)
    bpy.ops.collision_kit.make_convex_pieces()
    bpy.ops.ed.undo_push(message="Made")
    bpy.ops.ed.undo()
    assert (len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.collections)) == count


def test_made_twice_they_share_the_collection() -> None:
    ob = frame_mesh("Frame")
    for _ in range(2):
        activate(ob)
        assert bpy.ops.collision_kit.make_convex_pieces() == {"FINISHED"}
    assert [collection.name for collection in bpy.data.collections] == ["Frame_pieces"]
    assert len(bpy.data.collections["Frame_pieces"].objects) == 8


@pytest.mark.parametrize("left_out", ["its first", "that of its pieces", "none"])
def test_they_are_made_where_the_view_layer_shows_them(left_out) -> None:
    ob = frame_mesh("Frame")
    scene = bpy.context.scene
    first = bpy.data.collections.new("First")
    if left_out == "its first":
        # In the list of the object's collections it is the first.
        scene.collection.objects.unlink(ob)
        first.objects.link(ob)
        scene.collection.objects.link(ob)
    elif left_out == "that of its pieces":
        first.name = "Frame_pieces"
    else:
        bpy.data.scenes.new("Other").collection.children.link(first)
        scene.collection.objects.unlink(ob)
        first.objects.link(ob)
        second = bpy.data.collections.new("Second")
        second.objects.link(ob)
        scene.collection.children.link(second)
    if left_out != "none":
        scene.collection.children.link(first)
        bpy.context.view_layer.layer_collection.children[first.name].exclude = True
    activate(ob)
    before = set(bpy.data.objects)
    assert bpy.ops.collision_kit.make_convex_pieces() == {"FINISHED"}
    made = set(bpy.data.objects) - before
    assert len(made) == 4
    if left_out == "that of its pieces":
        assert all(piece.users_collection == (first,) for piece in made)
        assert bpy.context.view_layer.objects.active == ob
    else:
        assert set(bpy.context.selected_objects) == made


def test_several_islands_and_round_things_fall_into_pieces_too() -> None:
    activate(flat_mesh("Both", [SQUARE, [(x + 9.0, y) for x, y in L]]))
    found = outline_pieces.find_pieces(
        bpy.context, bpy.context.active_object, bpy.context.scene.collision_kit.planar.plane
    )
    assert len(found.pieces) == 1 + 2
    assert found.area == 16.0 + 5.0
    ball = link("Ball", None)
    ball.empty_display_type, ball.empty_display_size = "SPHERE", 2.0
    ball.collision_kit.shape = "SPHERE"
    activate(ball)
    found = outline_pieces.find_pieces(bpy.context, ball, bpy.context.scene.collision_kit.planar.plane)
    assert found.area == pytest.approx(4 * math.pi, rel=2e-3)
    assert found.height == 2.0


def test_an_object_with_colliders_is_cut_up_itself() -> None:
    ob = flat_mesh("Floor", [SQUARE])
    flat_mesh("UCX_Floor_01", [L], parent=ob)
    found = outline_pieces.find_pieces(bpy.context, ob, bpy.context.scene.collision_kit.planar.plane)
    assert found.area == 16.0


def test_what_has_no_outline_says_why() -> None:
    def refused(ob) -> str:
        activate(ob)
        with pytest.raises(outline_pieces.NoPieces) as refusal:
            outline_pieces.find_pieces(bpy.context, ob, bpy.context.scene.collision_kit.planar.plane)
        return str(refusal.value)

    assert "hidden" in refused(flat_mesh("Hidden", [SQUARE], hide_viewport=True))
    off = flat_mesh("Off", [SQUARE])
    off.collision_kit.shape = "NONE"
    assert "set to None" in refused(off)
    assert "encloses no area" in refused(curve("Open", [L], dimensions="3D", cyclic=False))
    assert "encloses no area" in refused(flat_mesh("Upright", [SQUARE], rotation_euler=(math.pi / 2, 0.0, 0.0)))


def test_what_crosses_itself_is_not_cut_up_and_the_place_is_named() -> None:
    bow_tie = curve("Bow Tie", [[(0, 0), (2, 2), (2, 0), (0, 2)]], location=(10.0, 0.0, 5.0))
    activate(bow_tie)
    with pytest.raises(outline_pieces.NoPieces, match=r'"Bow Tie" intersects itself at \(11, 1, 5\)'):
        outline_pieces.find_pieces(bpy.context, bow_tie, bpy.context.scene.collision_kit.planar.plane)
    with pytest.raises(RuntimeError, match="intersects itself"):
        bpy.ops.collision_kit.make_convex_pieces()
    assert list(bpy.data.objects) == [bow_tie]


def test_what_is_missing_is_said() -> None:
    bpy.context.view_layer.objects.active = None
    assert not SHOW.poll(bpy.context)
    assert not MAKE.poll(bpy.context)
    ob = activate(flat_mesh("A", [SQUARE]))
    assert SHOW.poll(bpy.context)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not MAKE.poll(bpy.context)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.collision_kit.planar.plane = "CAMERA"
    assert not SHOW.poll(bpy.context)
    with pytest.raises(UserError, match="camera"):
        outline_pieces.find_pieces(bpy.context, ob, bpy.context.scene.collision_kit.planar.plane)
