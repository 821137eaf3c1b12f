# SPDX-License-Identifier: GPL-3.0-or-later
"""After a click, a check and a fix the view shows the place where two bodies are in each other, and what is around."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector

from collision_kit.addon.scene.objects import selection
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import framing
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh, mesh
from tests.helpers.blender.views import beside_axis, looks

# What is framed is this near to the axis of the view, as the toolbar and the header cover little of it.
BESIDE = 0.1


@pytest.fixture(autouse=True)
def forgotten(scene: bpy.types.Scene):
    yield
    last_check.forget()


def place() -> framing.FramedPlace:
    report, pair = last_check.report, last_check.pair(last_check.chosen)
    assert report is not None and last_check.world is not None and pair is not None
    return framing.place_of(report, last_check.world, pair)


def check(*names: str) -> framing.FramedPlace:
    """Check, and choose the pair of two objects."""
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    report = last_check.report
    assert report is not None
    keys = [body.key for body in report.bodies if body.name in names]
    bpy.ops.collision_kit.select_pair(row=report.row_of(keys))
    return place()


def test_where_a_pipe_goes_through_a_wall_the_view_shows_that_place() -> None:
    add("Wall", cube_mesh((3.0, 0.1, 1.5)))
    add("Pipe", cube_mesh((0.05, 3.0, 0.05)), at=(1.0, 1.0, 0.5))
    center, radius = check("Pipe", "Wall")
    np.testing.assert_allclose(center, (1.0, 0.0, 0.5), atol=0.11)
    assert 0.1 < radius < 1.5, "the wall around the pipe, and neither all of the pipe nor all of the wall"
    assert any(beside_axis(look, center) < BESIDE for look in looks())


def test_where_a_leg_stands_in_a_table_the_view_shows_that_leg() -> None:
    legs = [cube_mesh((0.03, 0.03, 0.4)) for _ in range(4)]
    mesh = bpy.data.meshes.new("Chair")
    points, faces = [], []
    for leg, (x, y) in zip(legs, ((-0.3, -0.3), (-0.3, 0.3), (0.3, -0.3), (0.3, 0.3)), strict=True):
        first = len(points)
        points += [tuple(vertex.co + type(vertex.co)((x, y, 0.0))) for vertex in leg.vertices]
        faces += [[first + index for index in face.vertices] for face in leg.polygons]
    mesh.from_pydata(points, [], faces)
    add("Chair", mesh)
    add("Table", cube_mesh((0.5, 0.5, 0.5)), at=(0.78, 0.3, 0.0))
    center, radius = check("Chair", "Table")
    np.testing.assert_allclose(center[:2], (0.3, 0.3), atol=0.05)
    assert radius < 2.0


def test_a_shallow_seam_of_large_floors_is_shown_from_nearby() -> None:
    add("A", cube_mesh((2.0, 2.0, 0.1)))
    add("B", cube_mesh((2.0, 2.0, 0.1)), at=(3.996, 0.0, 0.0))
    center, radius = check("A", "B")
    assert abs(center[0] - 1.998) < 0.003 and radius < 1.0
    add("C", cube_mesh((2.0, 2.0, 0.1)), at=(0.0, 3.0, 0.0))
    center, radius = check("A", "C")
    assert radius > 2.0, "what overlaps by a meter is shown as a whole"


def test_a_contained_body_is_shown_with_what_contains_it() -> None:
    add("Pillar", cube_mesh((0.3, 0.3, 2.0)))
    add("Cup", cube_mesh((0.04, 0.04, 0.05)), at=(0.1, 0.0, 0.5))
    center, radius = check("Cup", "Pillar")
    assert last_check.pair(last_check.chosen).verdict == Verdict.CONTAINED
    np.testing.assert_allclose(center, (0.1, 0.0, 0.5), atol=1e-6)
    assert 0.6 < radius < 1.5, "the sides of the pillar are seen"
    add("Case", cube_mesh((0.1, 0.1, 0.3)), at=(5.0, 0.0, 0.0))
    add("Cube", cube_mesh((0.06, 0.06, 0.06)), at=(5.0, 0.0, 0.2))
    _center, radius = check("Case", "Cube")
    assert radius == pytest.approx(np.linalg.norm((0.1, 0.1, 0.3)), rel=1e-6), "all of a small container"


def test_what_is_near_or_touches_is_shown_with_all_of_the_smaller_body_unless_that_is_long() -> None:
    bpy.context.scene.collision_kit.clearance = 0.05
    add("Wall", cube_mesh((4.0, 0.1, 2.0)))
    add("Crate", cube_mesh((0.4, 0.3, 0.3)), at=(0.0, -0.41, 0.0))
    add("Box", cube_mesh((0.4, 0.3, 0.3)), at=(2.0, -0.4, 0.0))
    add("Pipe", cube_mesh((3.0, 0.05, 0.05)), at=(0.0, 0.16, 0.0))
    for name, verdict in (("Crate", Verdict.WITHIN_CLEARANCE), ("Box", Verdict.TOUCHING)):
        center, radius = check(name, "Wall")
        pair, ob = last_check.pair(last_check.chosen), bpy.data.objects[name]
        assert pair is not None and pair.verdict == verdict
        corners = np.array([ob.matrix_world @ Vector(corner) for corner in ob.bound_box])
        assert np.linalg.norm(corners - center, axis=1).max() < radius < 1.5
    center, radius = check("Pipe", "Wall")
    assert 0.3 < radius < 1.0, "its thickness is seen, and not all of its 6 meters"


def test_a_duplicate_is_shown_as_a_whole() -> None:
    add("A", cube_mesh((2.0, 1.0, 0.1)), at=(5.0, 0.0, 0.0))
    add("B", cube_mesh((2.0, 1.0, 0.1)), at=(5.0, 0.0, 0.0))
    center, radius = check("A", "B")
    assert last_check.pair(last_check.chosen).verdict == Verdict.DUPLICATE
    np.testing.assert_allclose(center, (5.0, 0.0, 0.0), atol=1e-6)
    assert 2.2 < radius < 3.0


def test_a_body_on_an_infinite_plane_is_shown_where_it_stands() -> None:
    ground = add("Ground", cube_mesh((0.01, 0.01, 0.01)))
    ground.collision_kit.shape = "HALF_SPACE"
    add("Rock", cube_mesh((1.0, 1.0, 1.0)), at=(50.0, 0.0, 0.5))
    center, radius = check("Ground", "Rock")
    assert abs(center[0] - 50.0) <= 1.0 and 0.3 < radius < 6.0


@pytest.mark.parametrize("seed", range(6))
def test_the_place_is_near_the_contacts_and_shows_the_deepest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    add("A", cube_mesh(tuple(rng.uniform(0.05, 3.0, 3))))
    one = add("B", cube_mesh(tuple(rng.uniform(0.05, 3.0, 3))), at=tuple(rng.uniform(-0.5, 0.5, 3)))
    one.rotation_euler = tuple(rng.uniform(-3.0, 3.0, 3))
    center, radius = check("A", "B")
    pair = last_check.pair(last_check.chosen)
    assert pair is not None and radius > 0.0
    if pair.verdict == Verdict.PENETRATING:
        deepest = pair.contact_points[pair.contact_depths.argmax()]
        # Contacts are midway between surfaces, so they may be outside both.
        assert np.linalg.norm(deepest - center) <= radius + pair.contact_depths.max()


@pytest.mark.parametrize("sunk", [1e-3, 2e-3])
@pytest.mark.parametrize("plate", [(0.6, 0.4, 0.2), (0.3, 0.3, 0.3)])
def test_where_only_the_depth_has_room_it_is_what_the_view_shows(
    plate: tuple[float, float, float], sunk: float
) -> None:
    corners = [(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0), (-2, -2, 2), (2, -2, 2), (2, 2, 2), (-2, 2, 2)]
    add("Room", mesh(corners, [(0, 1, 2, 3), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)]))
    add("Plate", cube_mesh(plate), at=(0.7, 0.3, plate[2] - sunk))
    center, radius = check("Plate", "Room")
    pair = last_check.pair(last_check.chosen)
    assert pair is not None and pair.verdict == Verdict.PENETRATING and pair.depth == pytest.approx(sunk, rel=1e-3)
    assert radius < 0.5, "nearer than the whole plate"
    for point in (pair.point_a, pair.point_b):
        assert np.linalg.norm(point - center) < radius / 2.0


def test_a_check_shows_the_fault_that_it_chooses_and_leaves_the_view_alone_where_that_was_chosen_before() -> None:
    add("A", cube_mesh(), at=(20.0, 0.0, 0.0))
    add("B", cube_mesh(), at=(21.9, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    assert any(abs(look.view_location[0] - 20.95) < 0.1 for look in looks())
    for look in looks():
        look.view_location = (0.0, 0.0, 0.0)
    bpy.ops.collision_kit.check_collisions()
    assert not any(look.view_location[0] for look in looks())


def test_nothing_is_framed_where_a_check_finds_no_fault() -> None:
    for look in looks():
        look.view_location = (0.0, 0.0, 0.0)
    add("A", cube_mesh(), at=(20.0, 0.0, 0.0))
    add("B", cube_mesh(), at=(22.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    assert not any(look.view_location[0] for look in looks())


def test_a_fix_shows_the_next_fault() -> None:
    for x, depth in ((0.0, 0.3), (20.0, 0.2)):
        add(f"Floor {x:.0f}", cube_mesh((2.0, 2.0, 0.5)), at=(x, 0.0, -0.5))
        add(f"Post {x:.0f}", cube_mesh((0.5, 0.5, 1.0)), at=(x, 0.0, 1.0 - depth))
    check("Floor 0", "Post 0")
    bpy.ops.collision_kit.push_apart(objects="ACTIVE")
    assert last_check.framed
    assert any(abs(look.view_location[0] - 20.0) < 0.6 for look in looks())
    assert {ob.name for ob in bpy.context.selected_objects} == {"Floor 20", "Post 20"}


def regions(rng: np.random.Generator) -> SimpleNamespace:
    """A 3D view of random size with a header, and a sidebar at either side that covers up to two thirds of it."""
    width, height = rng.integers(300, 2000, 2).tolist()
    x, y = rng.integers(0, 500, 2).tolist()
    bar = int(rng.integers(0, 2 * width // 3))

    def region(kind: str, alignment: str, *box: int) -> SimpleNamespace:
        return SimpleNamespace(
            type=kind, alignment=alignment, **dict(zip(("x", "y", "width", "height"), box, strict=True))
        )

    on_right = rng.random() < 0.5
    look = SimpleNamespace(
        view_perspective="PERSP",
        view_location=(0.0, 0.0, 0.0),
        view_distance=1.0,
        view_rotation=Quaternion(rng.normal(size=4)).normalized(),
    )
    space = SimpleNamespace(
        region_3d=look, lens=float(rng.uniform(15, 120)), clip_start=1e-3, show_gizmo=False, show_gizmo_navigate=False
    )
    return SimpleNamespace(
        regions=[
            region("WINDOW", "NONE", x, y, width, height),
            region("HEADER", "TOP", x, y + height - 26, width, 26),
            region("UI", "RIGHT" if on_right else "LEFT", x + (width - bar if on_right else 0), y, bar, height),
        ],
        spaces=SimpleNamespace(active=space),
        tag_redraw=lambda: None,
        free=(0 if on_right else bar, width - bar if on_right else width, height - 26),
    )


@pytest.mark.parametrize("seed", range(20))
def test_what_is_framed_is_beside_the_sidebar_and_not_under_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    area, center, radius = regions(rng), rng.normal(size=3), float(rng.uniform(0.1, 10.0))
    region, look = area.regions[0], area.spaces.active.region_3d
    monkeypatch.setattr(selection, "view_3d", lambda _context: (None, area, region))
    assert selection.frame_ball(bpy.context, center.tolist(), radius)
    # Seen from a point, on a sensor of 72 mm along the longer side.
    rotation = np.array(look.view_rotation.to_matrix(), np.float64)
    eye = np.array(look.view_location) + look.view_distance * rotation[:, 2]
    around = rng.normal(size=(400, 3))
    around -= (around @ rotation[:, 2:]) * rotation[:, 2]
    points = center + radius * around / np.linalg.norm(around, axis=1, keepdims=True)
    local = (points - eye) @ rotation
    focal = area.spaces.active.lens / 72.0 * max(region.width, region.height)
    x, y = (
        region.width / 2.0 - focal * local[:, 0] / local[:, 2],
        region.height / 2.0 - focal * local[:, 1] / local[:, 2],
    )
    left, right, high = area.free
    assert left <= x.min() and x.max() <= right and y.min() >= 0.0 and y.max() <= high
    # It fills the free part, and is no farther from the middle of the view than it has to be.
    assert max(np.ptp(x) / (right - left), np.ptp(y) / high) > 0.85
    if left < region.width / 2.0 - np.ptp(x) * 0.56 and region.width / 2.0 + np.ptp(x) * 0.56 < right:
        assert abs((x.max() + x.min() - region.width) / 2.0) < 0.01 * region.width
