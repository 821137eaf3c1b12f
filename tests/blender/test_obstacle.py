# SPDX-License-Identifier: GPL-3.0-or-later
"""Show Configuration Space Obstacle: what is drawn is A - B, where it is drawn, and when it goes away again."""

import bpy
import numpy as np
import pytest
from scipy.spatial import ConvexHull as Qhull

from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.ui.panels.active_pair import COLLISION_KIT_PT_pair
from collision_kit.addon.ui.panels.obstacle import COLLISION_KIT_PT_obstacle
from collision_kit.addon.viewport import obstacle
from collision_kit.addon.viewport import pair as pair_overlay
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube, check
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import drawn


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    if obstacle.shown() is not None:
        bpy.ops.collision_kit.hide_obstacle()


def select(*wanted: str) -> None:
    """Select these, the last the active one."""
    for ob in bpy.context.scene.objects:
        ob.select_set(ob.name in wanted)
    bpy.context.view_layer.objects.active = bpy.data.objects[wanted[-1]] if wanted else None


def show(**options: object) -> Primitives:
    assert bpy.ops.collision_kit.show_obstacle(**options) == {"FINISHED"}
    return on_screen()


def surface(primitives: Primitives) -> np.ndarray:
    return primitives.lines[primitives.line_role == Role.OBSTACLE]


def mesh_object(name: str, vertices: np.ndarray, location: tuple[float, float, float]) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], Qhull(vertices).simplices.tolist())
    ob = bpy.data.objects.new(name, mesh)
    ob.location = location
    ob.rotation_euler = (0.3, 0.5, 0.7)
    bpy.context.scene.collection.objects.link(ob)
    bpy.context.view_layer.update()
    return ob


def in_world(ob: bpy.types.Object) -> np.ndarray:
    return np.array([ob.matrix_world @ vertex.co for vertex in ob.data.vertices])


def two_meshes(distance: float) -> tuple[bpy.types.Object, bpy.types.Object]:
    rng = np.random.default_rng(4)
    a = mesh_object("Rock", rng.normal(size=(8, 3)), (1.0, 2.0, 3.0))
    b = mesh_object("Tool", rng.normal(size=(7, 3)) * 0.5 + (0.2, 0.1, 0.0), (1.0 + distance, 2.0, 3.0))
    select("Tool", "Rock")
    return a, b


@pytest.mark.parametrize("distance", [1.0, 6.0])
@pytest.mark.parametrize("placement", ["AT_A", "ORIGIN"])
def test_the_lines_are_the_edges_of_the_hull_of_all_differences(distance: float, placement: str) -> None:
    a, b = two_meshes(distance)
    shown = show(placement=placement)
    origin = np.array(b.matrix_world.translation) if placement == "AT_A" else np.zeros(3)
    differences = (in_world(a)[:, None] - in_world(b)).reshape(-1, 3) + origin
    hull = Qhull(differences)
    lines = surface(shown)
    # Their ends are all its corners, and each line runs in two of its faces.
    corners = differences[hull.vertices]
    ends = np.unique(np.round(lines.reshape(-1, 3), 3), axis=0)
    assert len(ends) == len(corners)
    assert max(np.linalg.norm(corners - end, axis=1).min() for end in ends) < 2e-3
    planes = np.unique(np.round(hull.equations, 4), axis=0)
    on = np.abs(lines @ planes[:, :3].T + planes[:, 3]).max(axis=1) < 2e-3
    assert (on.sum(axis=1) >= 2).all()


@pytest.mark.parametrize("distance", [1.0, 6.0])
def test_the_arrow_leads_from_the_origin_of_b_to_the_nearest_point_of_the_surface(distance: float) -> None:
    a, b = two_meshes(distance)
    shown = show()
    origin = np.array(b.matrix_world.translation)
    hull = Qhull((in_world(a)[:, None] - in_world(b)).reshape(-1, 3) + origin)
    heights = hull.equations[:, :3] @ origin + hull.equations[:, 3]
    inside = bool((heights < 0.0).all())
    assert inside == (distance == 1.0)
    role = Role.DEPTH if inside else Role.GAP
    start, end = shown.lines[shown.line_role == role][0]
    assert start == pytest.approx(origin, abs=1e-5)
    at_end = hull.equations[:, :3] @ end + hull.equations[:, 3]
    assert at_end.max() == pytest.approx(0.0, abs=1e-5), "it ends on the surface"
    assert obstacle.shown() is not None
    assert np.linalg.norm(end - start) == pytest.approx(abs(obstacle.shown().distance), abs=1e-5)
    if inside:
        assert -heights.max() == pytest.approx(np.linalg.norm(end - start), abs=1e-5)
    # Moved along it, the two do no more than touch.
    b.location = np.array(b.location) + (end - start)
    bpy.context.view_layer.update()
    show()
    assert obstacle.shown().distance == pytest.approx(0.0, abs=1e-5)


def test_the_active_object_is_the_one_that_stays() -> None:
    checked_scene.build()
    select("Second", "First")
    shown = show()
    assert obstacle.shown() is not None
    assert (obstacle.shown().name_a, obstacle.shown().name_b) == ("First", "Second")
    lines = surface(shown).reshape(-1, 3)
    assert lines.min(axis=0) == pytest.approx([-2, -2, -2])
    assert lines.max(axis=0) == pytest.approx([2, 2, 2])
    origin = shown.points[shown.point_role == Role.ORIGIN]
    assert origin == pytest.approx(np.array([[1.5, 0, 0]]))
    assert shown.labels == ("Origin of Second, 500 mm deep",)
    assert {Role.SHAPE_A, Role.SHAPE_B} <= set(shown.line_role)
    select("First", "Second")
    assert surface(show()).reshape(-1, 3).max(axis=0) == pytest.approx([3.5, 2, 2])


def test_at_the_worlds_origin_it_is_the_difference_itself() -> None:
    checked_scene.build()
    select("Fourth", "Third")
    shown = show(placement="ORIGIN")
    lines = surface(shown).reshape(-1, 3)
    assert lines.min(axis=0) == pytest.approx([-4.25, -2, -2])
    assert lines.max(axis=0) == pytest.approx([-0.25, 2, 2])
    assert shown.points == pytest.approx(np.zeros((1, 3)))
    assert shown.labels == ("Origin, 250 mm away",)
    assert Role.SHAPE_A not in shown.line_role


def test_a_round_shape_is_rounded() -> None:
    ball = add_cube("Ball", 4.0)
    ball.empty_display_type = "SPHERE"
    ball.collision_kit.shape = "SPHERE"
    add_cube("Box", 0.0)
    select("Ball", "Box")
    lines = surface(show()).reshape(-1, 3)
    from_box = np.linalg.norm(np.maximum(np.abs(lines) - 1.0, 0.0), axis=1)
    assert from_box == pytest.approx(1.0, abs=0.03)
    assert obstacle.shown() is not None
    assert obstacle.shown().distance == pytest.approx(2.0), "by the exact shapes, not by what is drawn"


def test_a_compound_has_the_obstacle_of_each_part() -> None:
    rng = np.random.default_rng(0)
    whole = mesh_object("Chair", rng.normal(size=(9, 3)), (0.0, 0.0, 0.0))
    for number, x in enumerate((-3.0, 3.0)):
        part = mesh_object(
            f"UCX_Chair_0{number}", np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1.0])).T.reshape(-1, 3), (x, 0, 0)
        )
        part.rotation_euler = (0, 0, 0)
        part.parent = whole
        part.matrix_parent_inverse = whole.matrix_world.inverted()
    other = add_cube("Other", 5.5)
    select("Other", "Chair")
    shown = show()
    assert obstacle.shown() is not None
    assert (obstacle.shown().pieces, obstacle.shown().drawn) == (2, 2)
    assert len(surface(shown)) == 24
    assert obstacle.shown().distance == pytest.approx(0.5, abs=1e-5)
    assert other.session_uid in obstacle.shown().uids


def test_of_very_many_parts_the_deciding_pair_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obstacle, "MOST_PIECES", 0)
    checked_scene.build()
    select("Second", "First")
    assert len(surface(show())) == 12
    recorder = drawn(COLLISION_KIT_PT_obstacle, bpy.context)
    assert recorder is not None
    assert obstacle.shown() is not None and obstacle.shown().drawn == 1


def test_without_two_selected_it_is_that_of_the_chosen_result() -> None:
    checked_scene.build()
    check()
    select()
    show()
    assert obstacle.shown() is not None
    assert {obstacle.shown().name_a, obstacle.shown().name_b} == {"First", "Second"}
    assert pair_overlay.shown_row() == -1, "instead of the pair"
    bpy.ops.collision_kit.hide_obstacle()
    assert obstacle.shown() is None
    assert pair_overlay.shown_row() == 0, "the pair is drawn again"
    assert Role.OBSTACLE not in on_screen().line_role


def test_an_instance_is_drawn_about_the_middle_of_its_bounds() -> None:
    collection = bpy.data.collections.new("Instanced")
    for name, x in (("Left", 0.0), ("Right", 1.5)):
        add_cube(name, x)
        collection.objects.link(bpy.data.objects[name])
        bpy.context.scene.collection.objects.unlink(bpy.data.objects[name])
    host = add_cube("Host", 100.0)
    host.collision_kit.shape = "AUTO"
    host.instance_type, host.instance_collection = "COLLECTION", collection
    bpy.context.view_layer.update()
    check()
    select()
    shown = show()
    assert obstacle.shown() is not None
    assert obstacle.shown().name_b == "Host/Right"
    assert shown.points[shown.point_role == Role.ORIGIN] == pytest.approx(np.array([[101.5, 0, 0]]), abs=1e-4)


# When it goes away


def test_it_goes_when_one_of_the_two_moves_and_stays_when_another_does() -> None:
    checked_scene.build()
    select("Second", "First")
    show()
    bpy.data.objects["Third"].location.x += 1.0
    bpy.context.view_layer.update()
    assert obstacle.shown() is not None
    bpy.data.objects["Second"].location.x += 1.0
    bpy.context.view_layer.update()
    assert obstacle.shown() is None
    assert on_screen() is None


def test_it_goes_when_one_of_the_two_is_deleted() -> None:
    checked_scene.build()
    select("Second", "First")
    show()
    bpy.data.objects.remove(bpy.data.objects["Second"])
    bpy.context.view_layer.update()
    assert obstacle.shown() is None


@pytest.mark.parametrize("event", ["undo", "load", "check", "select", "switch"])
def test_it_goes_with_whatever_makes_it_untrue_or_takes_its_place(event: str) -> None:
    checked_scene.build()
    check()
    bpy.ops.ed.undo_push(message="Before")
    select("Second", "First")
    bpy.ops.ed.undo_push(message="After")
    show()
    if event == "undo":
        bpy.ops.ed.undo()
    elif event == "load":
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    elif event == "check":
        check()
    elif event == "select":
        bpy.ops.collision_kit.select_pair(row=1)
    else:
        bpy.context.window_manager.collision_kit.show_overlay = False
        bpy.context.window_manager.collision_kit.show_overlay = True
    assert obstacle.shown() is None
    assert on_screen() is None or Role.OBSTACLE not in on_screen().line_role


def test_a_check_that_finds_nothing_draws_nothing() -> None:
    checked_scene.build()
    check()
    assert pair_overlay.shown_row() == 0
    bpy.context.scene.collision_kit.scope = "SELECTED"
    bpy.context.scene.collision_kit.clearance = 0.0
    select("First", "Fourth")
    check()
    assert on_screen() is None


# What is refused, and why


def test_what_goes_on_without_end_is_refused() -> None:
    checked_scene.build()
    bpy.data.objects["First"].collision_kit.shape = "HALF_SPACE"
    select("First", "Third")
    with pytest.raises(RuntimeError, match='"First" is infinite'):
        bpy.ops.collision_kit.show_obstacle()
    assert obstacle.shown() is None


def test_an_object_without_a_shape_is_refused_and_the_reason_said() -> None:
    checked_scene.build()
    bpy.data.objects["First"].collision_kit.shape = "NONE"
    select("First", "Third")
    with pytest.raises(RuntimeError, match=r'"First" has no collision shape: Collision shape is set to None\.'):
        bpy.ops.collision_kit.show_obstacle()


def test_a_mesh_and_its_collider_are_one_body() -> None:
    box = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1.0])).T.reshape(-1, 3)
    mesh_object("Chair", box, (0, 0, 0))
    mesh_object("UCX_Chair", box, (0, 0, 0))
    select("Chair", "UCX_Chair")
    with pytest.raises(RuntimeError, match="belong to one body"):
        bpy.ops.collision_kit.show_obstacle()


def test_what_is_missing_is_said() -> None:
    checked_scene.build()
    select("First")
    with pytest.raises(RuntimeError, match="Select two objects"):
        bpy.ops.collision_kit.show_obstacle()
    with pytest.raises(RuntimeError, match="No obstacle is drawn"):
        bpy.ops.collision_kit.hide_obstacle()
    check()
    another = bpy.data.scenes.new("Another")
    with (
        bpy.context.temp_override(scene=another, view_layer=another.view_layers[0]),
        pytest.raises(RuntimeError, match="another scene"),
    ):
        bpy.ops.collision_kit.show_obstacle()
    bpy.data.objects["First"].location.x += 0.1
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="changed since the check"):
        bpy.ops.collision_kit.show_obstacle()


# The panel


@pytest.mark.usefixtures("all_panels")
def test_the_panel_says_how_the_origin_stands() -> None:
    checked_scene.build()
    select("First")
    assert drawn(COLLISION_KIT_PT_obstacle, bpy.context) is None
    select("Second", "First")
    recorder = drawn(COLLISION_KIT_PT_obstacle, bpy.context)
    assert recorder is not None and "First" not in recorder.texts
    show()
    recorder = drawn(COLLISION_KIT_PT_obstacle, bpy.context)
    assert recorder is not None
    facts = dict(zip(recorder.texts, recorder.texts[1:], strict=False))
    assert (facts["Object A"], facts["Object B"]) == ("First", "Second")
    assert (facts["Origin"], facts["Depth"], facts["Direction"]) == ("inside the obstacle", "500 mm", "+X")
    select("Fourth", "Third")
    show()
    recorder = drawn(COLLISION_KIT_PT_obstacle, bpy.context)
    assert recorder is not None
    facts = dict(zip(recorder.texts, recorder.texts[1:], strict=False))
    assert (facts["Origin"], facts["Distance"], facts["Direction"]) == ("outside the obstacle", "250 mm", "−X")


def test_the_chosen_pair_shows_the_statistics_of_its_hulls() -> None:
    box = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1.0])).T.reshape(-1, 3)
    for number, ob in enumerate((mesh_object("One", box, (0, 0, 0)), mesh_object("Two", box * 0.5, (1, 0, 0)))):
        ob.collision_kit.shape = "HULL" if number else "BOX"
    check()
    recorder = drawn(COLLISION_KIT_PT_pair, bpy.context)
    assert recorder is not None
    text = " ".join(recorder.texts).replace("\N{NO-BREAK SPACE}", " ")
    assert text.count("8 vertices, 12 edges, 6 faces, 1 m³") == 1, "a box has nothing to count"
