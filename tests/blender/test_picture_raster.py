# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangle a pixel shows, against brute force; views, text and lines by what must be true of them."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.debug_draw.surfaces import shape_triangles
from collision_kit.addon.picture.overlay import Shot, draw_overlay
from collision_kit.addon.picture.raster import NOTHING, View, clip, planes, rasterise
from collision_kit.addon.picture.shading import crevices, nearness
from collision_kit.addon.picture.text import _wound, plate, text_mask
from collision_kit.addon.picture.view import best_direction, framing
from collision_kit.addon.scene.meshes.text_outlines import text_outlines
from collision_kit.addon.scene.reading.surfaces import scene_surfaces
from collision_kit.core.shapes import Boxes, Spheres
from collision_kit.core.world.world import World

WIDTH, HEIGHT = 61, 47


def view(parallel: bool = False, **changes) -> View:
    """A view along +Y from the origin."""
    axes = np.array([[1.0, 0, 0], [0, 0, 1.0], [0, 1.0, 0]])
    settings = {"eye": np.zeros(3), "axes": axes, "scale": 40.0, "width": WIDTH, "height": HEIGHT}
    return View(**(settings | {"near": 0.1, "parallel": parallel} | changes))


def brute_force(screen: np.ndarray, farthest: bool) -> tuple[np.ndarray, np.ndarray]:
    """The triangle that each pixel shows, tested against every triangle, and which pixels are too close to an edge."""
    x, y = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    best, shown = np.full(x.shape, -np.inf), np.full(x.shape, NOTHING)
    close = np.zeros(x.shape, bool)
    for number, (a, b, c) in enumerate(screen):
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        u = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        v = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        weights = np.stack([1 - u - v, u, v])
        value = np.tensordot([a[2], b[2], c[2]], weights, 1) * (-1 if farthest else 1)
        inside = (weights > 0).all(axis=0)
        close |= np.abs(weights).min(axis=0) < 1e-9
        close |= inside & (np.abs(value - best) < 1e-9)
        better = inside & (value > best)
        best[better], shown[better] = value[better], number
    return shown, close


@pytest.mark.parametrize("farthest", [False, True])
@pytest.mark.parametrize("size", [3.0, 20.0, 300.0])
def test_pixels_show_what_brute_force_says(size, farthest):
    rng = np.random.default_rng(int(size))
    for _ in range(6):
        middle = rng.uniform((-10, -10, 1), (WIDTH + 10, HEIGHT + 10, 2), (40, 1, 3))
        screen = middle + rng.normal(size=(40, 3, 3)) * (size, size, 0.2)
        expected, close = brute_force(screen, farthest)
        shown = rasterise(screen, WIDTH, HEIGHT, farthest=farthest)
        assert (shown == expected)[~close].all()
        assert close.mean() < 0.01
        # The nearness of what is shown is its plane's, there.
        near = nearness(screen, shown)
        rows, columns = np.nonzero(shown != NOTHING)
        a, b, c = planes(screen)[shown[rows, columns]].T
        np.testing.assert_allclose(near[rows, columns], a * (columns + 0.5) + b * (rows + 0.5) + c, rtol=1e-4)
        assert np.isneginf(near[shown == NOTHING]).all()


def test_triangles_that_share_edges_leave_no_gap_and_no_pixel_twice():
    rng = np.random.default_rng(4)
    x, y = np.meshgrid(np.linspace(-5, WIDTH + 5, 14), np.linspace(-5, HEIGHT + 5, 11))
    corners = np.stack([x, y, np.ones_like(x)], axis=-1)
    corners[1:-1, 1:-1, :2] += rng.uniform(-2, 2, corners[1:-1, 1:-1, :2].shape)
    a, b, c, d = corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]
    screen = np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, c, d], 2).reshape(-1, 3, 3)])
    assert (rasterise(screen, WIDTH, HEIGHT) != NOTHING).all()
    alone = sum(int((rasterise(screen[[i]], WIDTH, HEIGHT) != NOTHING).sum()) for i in range(len(screen)))
    assert alone == WIDTH * HEIGHT


def test_no_triangles_show_nothing():
    assert (rasterise(np.empty((0, 3, 3)), 4, 3) == NOTHING).all()
    flat = np.array([[[1, 1, 1], [3, 3, 1], [2, 2, 1]]], float)
    assert (rasterise(flat, 8, 8) == NOTHING).all()


@pytest.mark.parametrize("parallel", [False, True])
def test_what_is_projected_is_found_again(parallel):
    rng = np.random.default_rng(0)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    seen_from = view(parallel, eye=np.array([3.0, -2.0, 1.0]), axes=turn)
    column, row = rng.integers(0, WIDTH, 50), rng.integers(0, HEIGHT, 50)
    near = np.full((HEIGHT, WIDTH), -np.inf, np.float32)
    depth = rng.uniform(1.0, 9.0, 50)
    near[row, column] = -depth if parallel else 1.0 / depth
    offsets = seen_from.offsets(near)
    screen = seen_from.screen(seen_from.eye + offsets[row, column].astype(float))
    np.testing.assert_allclose(screen[:, 0], column + 0.5, atol=1e-4)
    np.testing.assert_allclose(screen[:, 1], row + 0.5, atol=1e-4)
    np.testing.assert_allclose(screen[:, 2], near[row, column], rtol=1e-5)
    assert (offsets[np.isneginf(near)] == 0.0).all()
    np.testing.assert_array_equal(seen_from.offsets(near[20:], 20), offsets[20:])


def test_clipping_keeps_what_is_in_front_and_nothing_else():
    rng = np.random.default_rng(2)
    seen_from = view(near=1.0)
    triangles = rng.uniform(-3, 3, (300, 3, 3)) + np.array([0, 1.0, 0])
    pieces, values, parent = clip(seen_from, triangles, triangles)
    np.testing.assert_allclose(values, pieces, atol=1e-12)  # attributes are interpolated like the corners
    assert (seen_from.depth(pieces) > 1.0 - 1e-9).all()
    inside = seen_from.depth(triangles) > 1.0
    assert set(parent) == set(np.flatnonzero(inside.any(axis=1)))
    # The pieces lie in their parents: a piece's area is the part of the parent's beyond the plane.
    samples = rng.dirichlet((1, 1, 1), 4000)
    area = np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1)
    whole = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    for row in range(0, 300, 10):
        share = (seen_from.depth(samples @ triangles[row]) > 1.0).mean()
        assert area[parent == row].sum() / whole[row] == pytest.approx(share, abs=0.04)


def test_an_open_plain_has_no_crevices_and_a_corner_has():
    floor = np.array([[[-50, -50, -1], [50, -50, -1], [50, 50, -1]], [[-50, -50, -1], [50, 50, -1], [-50, 50, -1]]])
    wall = np.array([[[-50, 5, -9], [50, 5, -9], [50, 5, 50]], [[-50, 5, -9], [50, 5, 50], [-50, 5, 50]]])
    open_, cornered = (_openness(np.concatenate(t).astype(float)) for t in ([floor], [floor, wall]))
    assert open_[HEIGHT * 3 // 4 :].min() > 0.95
    assert cornered.min() < open_.min() - 0.1


def _openness(triangles: np.ndarray) -> np.ndarray:
    seen_from = view(scale=60.0, eye=np.array([0, 2.0, -0.4]))
    pieces, _, _ = clip(seen_from, triangles, triangles)
    screen = seen_from.screen(pieces)
    return crevices(seen_from, nearness(screen, rasterise(screen, WIDTH, HEIGHT)), 1.0)


@pytest.mark.parametrize("seed", range(8))
def test_a_framed_view_holds_every_point_and_fills_the_frame(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(30, 3)) * rng.uniform(0.1, 3, 3) * 10.0 ** rng.uniform(-3, 3) + rng.normal(size=3) * 50
    direction = np.array([rng.normal(), rng.normal(), -0.4])
    seen_from = framing(direction / np.linalg.norm(direction), points, (640, 400))
    screen = seen_from.screen(points)
    assert (seen_from.depth(points) > seen_from.near).all()
    assert (screen[:, :2] > (0.06 * 640, 0.07 * 400)).all()
    assert (screen[:, :2] < (0.94 * 640, 0.84 * 400)).all()
    filled = np.ptp(screen[:, :2], axis=0) / (640 * 0.84, 400 * 0.73)
    assert filled.max() > 0.9


def test_the_view_is_across_the_axis_from_above_and_past_what_stands_in_the_way():
    a, b = (shape_triangles(World([Boxes([[x, 0, 0]], [[1, 1, 1]])]), 0) for x in (-0.9, 0.9))
    framed = np.concatenate([a, b]).reshape(-1, 3)
    normal = np.array([1.0, 0, 0])
    free = best_direction(framed, normal, [a, b], [], (640, 400))
    assert abs(free @ normal) < 0.6
    assert -0.75 < free[2] < -0.2
    side = np.sign(free[1])
    wall = shape_triangles(World([Boxes([[0, -3.5 * side, 1]], [[9, 0.1, 6]])]), 0)
    around = best_direction(framed, normal, [a, b], [wall], (640, 400))
    assert np.sign(around[1]) == -side


@pytest.mark.parametrize("seed", range(10))
def test_whatever_the_axis_the_view_is_across_it(seed):
    axis = np.random.default_rng(seed).normal(size=3)
    axis /= np.linalg.norm(axis)
    world = World([Spheres([0.9 * axis, -0.9 * axis], [1.0, 1.0])])
    a, b = shape_triangles(world, 0), shape_triangles(world, 1)
    direction = best_direction(np.concatenate([a, b]).reshape(-1, 3), axis, [a, b], [], (640, 400))
    assert abs(direction @ axis) < 0.5


@pytest.fixture
def lines_drawn():
    """Draw primitives over mid gray, behind and before a wall at distance 5."""

    def draw(primitives: Primitives) -> np.ndarray:
        wall = np.array([[[-9, 5, -9], [9, 5, -9], [9, 5, 9]], [[-9, 5, -9], [9, 5, 9], [-9, 5, 9]]], float)
        seen_from = view()
        screen = seen_from.screen(wall)
        near = nearness(screen, rasterise(screen, WIDTH, HEIGHT))
        image = np.full((HEIGHT, WIDTH, 3), 0.5, np.float32)
        draw_overlay(image, Shot(seen_from, screen, near), primitives, 1.0)
        return np.abs(image - 0.5).max(axis=-1)

    return draw


def line(*ends, role=Role.SHAPE_A) -> Primitives:
    return Primitives(lines=np.array([ends], float), line_role=np.array([role], np.int8))


def test_a_line_is_drawn_where_it_projects_and_nowhere_else(lines_drawn):
    changed = lines_drawn(line((-2, 4, 0), (2, 4, 0)))
    rows, columns = np.nonzero(changed > 0.05)
    assert abs(rows.mean() + 0.5 - HEIGHT / 2) < 0.6
    assert np.ptp(rows) <= 5
    assert columns.min() == pytest.approx(WIDTH / 2 - 20, abs=3)
    assert columns.max() == pytest.approx(WIDTH / 2 + 20, abs=3)


def test_a_hidden_line_is_fainter_and_one_in_the_surface_is_not(lines_drawn):
    before, within, behind = (lines_drawn(line((-2, y, 0), (2, y, 0))).max() for y in (4.0, 5.0, 6.0))
    assert within == pytest.approx(before, abs=0.02)
    assert 0.05 < behind < 0.7 * before


def test_a_line_through_the_eye_is_cut_off_before_it(lines_drawn):
    changed = lines_drawn(line((0.3, -5, 0.2), (0.3, 4, 0.2)))
    assert (changed > 0.05).sum() > 4
    np.testing.assert_array_equal(lines_drawn(line((0, -5, 0), (0, -1, 0))), 0.0)


def test_points_are_round(lines_drawn):
    point = Primitives(points=np.array([[0, 4.0, 0]]), point_role=np.array([Role.WITNESS_A], np.int8))
    changed = lines_drawn(point) > 0.2
    rows, columns = np.nonzero(changed)
    assert np.ptp(rows) == np.ptp(columns)
    assert changed.sum() == pytest.approx(np.pi / 4 * (np.ptp(rows) + 1) ** 2, rel=0.15)


@pytest.mark.usefixtures("scene")
def test_text_is_set_without_a_trace_and_without_holes():
    before = [len(kind) for kind in (bpy.data.curves, bpy.data.objects, bpy.data.fonts, bpy.data.meshes)]
    edges = text_outlines("Rk4")
    assert [len(k) for k in (bpy.data.curves, bpy.data.objects, bpy.data.fonts, bpy.data.meshes)] == before
    assert 1.5 < np.ptp(edges[..., 0]) < 4.0  # three letters
    assert edges[..., 1].max() == pytest.approx(1.0, abs=0.02)  # a capital's height
    for loop_end in edges[:, 1]:
        assert (edges[:, 0] == loop_end).all(axis=1).any()  # every loop is closed
    mask, baseline = text_mask("I", 100.0)
    assert mask[1 : baseline - 2].max(axis=1).min() > 0.99  # the letter's stem, from head to foot
    assert baseline == pytest.approx(100, abs=2)


@pytest.mark.usefixtures("scene")
def test_letters_with_overlapping_loops_are_filled():
    square = np.array([[0, 0], [20, 0], [20, 20], [0, 20]], float)
    loop = np.stack([square, np.roll(square, -1, axis=0)], axis=1)
    two = np.concatenate([loop, loop + 10.0])
    filled = _wound(two, 32, 32)
    assert filled.sum() == 20 * 20 * 2 - 10 * 10
    ring = np.concatenate([loop, (loop * 0.5 + 5.0)[:, ::-1]])
    assert _wound(ring, 32, 32).sum() == 20 * 20 - 10 * 10


@pytest.mark.usefixtures("scene")
def test_korean_names_have_letters_and_no_empty_text_fails():
    mask, _ = text_mask("상자", 40.0)
    assert mask.shape[1] > 50
    assert 0.1 < mask.mean() < 0.7
    assert text_mask("", 40.0)[0].sum() == 0.0
    assert text_mask("  ", 40.0)[0].sum() == 0.0


def test_plates_cover_their_whole_rectangle_but_the_corners():
    assert (plate(9, 5, 0.0) == 1.0).all()
    round_ = plate(20, 12, 4.0)
    assert round_[0, 0] == 0.0
    assert (round_[4:-4] == 1.0).all()
    assert round_.sum() == pytest.approx(20 * 12 - (4 - np.pi) * 16, abs=1.0)


def test_surfaces_are_where_the_evaluated_objects_are(scene):
    mesh = bpy.data.meshes.new("triangle")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    ob = bpy.data.objects.new("triangle", mesh)
    ob.location, ob.scale, ob.rotation_euler = (1, 2, 3), (2, -1, 1), (0, 0, np.pi / 2)
    scene.collection.objects.link(ob)
    gone = ob.copy()
    scene.collection.objects.link(gone)
    gone.hide_viewport = True
    kit = bpy.data.collections.new("kit")
    part = bpy.data.objects.new("part", mesh)
    kit.objects.link(part)
    instance = bpy.data.objects.new("instance", None)
    instance.instance_type, instance.instance_collection, instance.location = "COLLECTION", kit, (7, 0, 0)
    scene.collection.objects.link(instance)
    bpy.context.view_layer.update()
    surfaces = scene_surfaces(bpy.context)
    assert len(surfaces) == 2
    by_key = {surface.body.instancer_uid: surface for surface in surfaces}
    np.testing.assert_allclose(by_key[0].triangles, [[[1, 2, 3], [1, 4, 3], [2, 2, 3]]], atol=1e-6)
    np.testing.assert_allclose(by_key[0].normals, [[[0, 0, -1]] * 3], atol=1e-6)
    np.testing.assert_allclose(by_key[instance.session_uid].triangles, [[[7, 0, 0], [8, 0, 0], [7, 1, 0]]])
