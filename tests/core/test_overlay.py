# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlays show what the results say: judged by the geometry of the shapes, not by how the lines are made."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon.debug_draw.extract import WITNESS, pair_primitives, way_primitives
from collision_kit.addon.debug_draw.mesh_lines import drawn_edges
from collision_kit.addon.debug_draw.primitives import Primitives, concatenate
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.debug_draw.shapes import MANY, shape_edges
from collision_kit.addon.debug_draw.surfaces import shape_triangles
from collision_kit.core.narrow_phase.table import PAIRS
from tests.helpers import zoo
from tests.helpers.offline import slow

TURN = zoo.rotations(np.random.default_rng(5), 1)


def lines_of(primitives: Primitives, role: Role) -> np.ndarray:
    return primitives.lines[primitives.line_role == role]


def points_of(primitives: Primitives, role: Role) -> np.ndarray:
    return primitives.points[primitives.point_role == role]


def lengths(lines: np.ndarray) -> np.ndarray:
    return np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)


def from_segment(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Distance of each point (..., 3) from a segment."""
    along = end - start
    share = np.clip((points - start) @ along / max(along @ along, 1e-300), 0.0, 1.0)
    return np.linalg.norm(points - start - share[..., None] * along, axis=-1)


def overlay_of(a, b, length: float = 0.5, label: str = "text") -> tuple[Primitives, ck.Distances, ck.Contacts]:
    """The overlay of the first pair of two batches, and the evidence that it shows."""
    far, near = ck.distance(a, b), ck.contacts(a, b)
    shown = pair_primitives(
        far.point_a[0],
        far.point_b[0],
        far.normal[0],
        far.distance[0],
        near.point,
        near.depth,
        length,
        label,
    )
    return shown, far, near


APART = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Spheres([[3.5, 0.2, 0.1]], [0.5])
DEEP = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Boxes([[1.7, 0.1, 0.2]], [[1, 1, 1]])


@pytest.mark.parametrize(("shapes", "between"), [(APART, Role.GAP), (DEEP, Role.DEPTH)])
def test_no_arrow_says_where_to_move_and_ticks_end_the_depth_or_the_gap(shapes, between):
    shown, far, near = overlay_of(*shapes)
    ends = np.stack([far.point_a[0], far.point_b[0]])
    lines = lines_of(shown, between)
    ticks = lines[np.abs((lines[:, 1] - lines[:, 0]) @ far.normal[0]) < 1e-12]
    assert len(ticks)
    # With an end in the middle, and as long as each other: no barb of an arrowhead.
    np.testing.assert_allclose(lengths(ticks), lengths(ticks)[0])
    at = np.linalg.norm(ticks.mean(axis=1)[:, None] - ends, axis=2)
    assert at.min(axis=1).max() < 1e-12 and set(at.argmin(axis=1)) == {0, 1}
    # From no side are all ticks of an end seen end-on.
    for end in (0, 1):
        ways = (ticks[:, 1] - ticks[:, 0])[at.argmin(axis=1) == end]
        assert np.linalg.matrix_rank(ways) == 2
    assert len(lines_of(shown, Role.NORMAL)) == len(near), "lines without heads"
    assert not len(lines_of(shown, Role.WAY))


def test_witnesses_that_would_cover_what_is_between_them_are_not_drawn():
    far = ck.distance(*APART)
    for length, drawn in ((0.9 * far.distance[0] / WITNESS, 1), (1.1 * far.distance[0] / WITNESS, 0)):
        shown, _, _ = overlay_of(*APART, length=length)
        assert len(points_of(shown, Role.WITNESS_A)) == len(points_of(shown, Role.WITNESS_B)) == drawn


def test_the_way_out_is_one_arrow_with_its_head_behind_the_tip():
    tail, way = np.array([1.0, 2.0, 3.0]), np.array([0.3, -0.4, 0.5])
    shown = way_primitives(tail, way, 0.1, "move Crate")
    lines = lines_of(shown, Role.WAY)
    assert len(lines) == len(shown.lines)
    shafts, barbs = lines[lengths(lines) > 0.2], lines[lengths(lines) <= 0.2]
    np.testing.assert_allclose(shafts, [[tail, tail + way]])
    assert len(barbs) == 4
    np.testing.assert_allclose(barbs[:, 0], np.broadcast_to(tail + way, (4, 3)))
    assert ((barbs[:, 1] - barbs[:, 0]) @ way < 0.0).all()
    np.testing.assert_allclose(shown.label_at, [tail + way])
    np.testing.assert_allclose(shown.label_away, [tail], err_msg="the label does not cover the arrow")


def test_the_stretch_of_a_deep_pair_is_its_depth_between_the_witnesses():
    shown, far, near = overlay_of(*DEEP)
    assert len(lines_of(shown, Role.GAP)) == 0
    stretches = lines_of(shown, Role.DEPTH)
    assert len(stretches) == 1 + 4 + len(near), "the depth, two ticks at each end, and the depth of each contact"
    ends = {tuple(np.round(end, 9)) for end in stretches[np.argmax(lengths(stretches))]}
    between = stretches[[np.allclose(line, [far.point_a[0], far.point_b[0]]) for line in stretches]]
    assert len(between) >= 1
    assert lengths(between)[0] == pytest.approx(-far.distance[0])
    assert len(ends) == 2


def test_the_stretch_of_a_pair_apart_is_its_gap():
    shown, far, _ = overlay_of(*APART)
    assert len(lines_of(shown, Role.DEPTH)) == 0
    gap, *ticks = lines_of(shown, Role.GAP)
    assert len(ticks) == 4
    np.testing.assert_allclose(gap, [far.point_a[0], far.point_b[0]])
    assert lengths(gap[None])[0] == pytest.approx(far.distance[0])


def test_contacts_are_points_with_a_normal_and_their_own_depth():
    shown, far, near = overlay_of(*DEEP)
    np.testing.assert_array_equal(points_of(shown, Role.CONTACT), near.point)
    normals = lines_of(shown, Role.NORMAL)
    starts = normals[lengths(normals) > 0.9 * lengths(normals).max()]
    np.testing.assert_allclose(starts[:, 0], near.point)
    along = (starts[:, 1] - starts[:, 0]) / lengths(starts)[:, None]
    np.testing.assert_allclose(along, np.broadcast_to(far.normal[0], along.shape), atol=1e-12)
    for point, depth in zip(near.point, near.depth, strict=True):
        centered = np.isclose(lines_of(shown, Role.DEPTH).mean(axis=1), point).all(axis=1)
        assert np.isclose(lengths(lines_of(shown, Role.DEPTH)[centered]), depth).any()


def test_contacts_that_are_not_deep_have_no_stretch():
    shown = pair_primitives([0, 0, 0], [0, 0, 0], [0, 0, 1], 0.0, [[0, 0, 0], [1, 0, 0]], [0.0, -0.1], 1.0, "touching")
    assert not np.isin(shown.line_role, (Role.DEPTH, Role.GAP)).any()
    assert len(points_of(shown, Role.CONTACT)) == 2


def test_witnesses_and_labels():
    shown, far, _ = overlay_of(*DEEP, label="12.3 mm deep")
    np.testing.assert_array_equal(points_of(shown, Role.WITNESS_A), far.point_a)
    np.testing.assert_array_equal(points_of(shown, Role.WITNESS_B), far.point_b)
    assert shown.labels == ("12.3 mm deep",)
    assert shown.label_role.tolist() == [Role.DEPTH]
    upright = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Boxes([[0.1, 0.2, 1.7]], [[1, 1, 1]])
    for shapes in (upright, upright[::-1]):
        shown, far, _ = overlay_of(*shapes)
        upper, lower = sorted((far.point_a[0], far.point_b[0]), key=lambda point: -point[2])
        assert upper[2] > lower[2]
        np.testing.assert_array_equal([shown.label_at[0], shown.label_away[0]], [upper, lower])
    assert overlay_of(*DEEP, label="")[0].labels == ()
    assert overlay_of(*APART)[0].label_role.tolist() == [Role.GAP]


@pytest.mark.parametrize("count", [1, *slow(3)])
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_the_overlay_of_any_pair_is_finite(maker, count):
    rng = np.random.default_rng(11)
    pairs = list(itertools.product(ck.Kind, ck.Kind))
    # Quick: each kind with some others.
    for kind_a, kind_b in pairs[::5] if count == 1 else pairs:
        kinds = (min(kind_a, kind_b), max(kind_a, kind_b))
        if kinds not in PAIRS and ck.Kind.COMPOUND not in kinds:
            continue
        a, b = (zoo.MAKERS[maker](kind, rng, count) for kind in (kind_a, kind_b))
        far, near = ck.distance(a, b), ck.contacts(a, b)
        for row in range(count):
            mine = near.pair == row
            shown = pair_primitives(
                far.point_a[row],
                far.point_b[row],
                far.normal[row],
                far.distance[row],
                near.point[mine],
                near.depth[mine],
                0.3,
                "label",
            )
            for numbers in (shown.lines, shown.points, shown.label_at):
                assert np.isfinite(numbers).all()
            assert len(shown.lines) == len(shown.line_role)
            assert len(shown.points) == len(shown.point_role)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("point_a", [0, np.nan, 0]),
        ("point_b", [0, 0]),
        ("normal", [0, 0, np.inf]),
        ("contact_points", [[0, 0, np.nan]]),
        ("contact_depths", [1.0, 2.0]),
        ("length", 0.0),
        ("distance", np.nan),
    ],
)
def test_bad_evidence_is_named(field, value):
    evidence = {
        "point_a": [0, 0, 0],
        "point_b": [0, 0, 1],
        "normal": [0, 0, 1],
        "distance": 1.0,
        "contact_points": [[0, 0, 0]],
        "contact_depths": [0.1],
        "length": 1.0,
    }
    with pytest.raises(ValueError, match=field):
        pair_primitives(**(evidence | {field: value}))


def edges_of(shape, row: int = 0, **options) -> np.ndarray:
    shown = shape_edges(ck.World([shape]), row, Role.SHAPE_B, **options)
    assert (shown.line_role == Role.SHAPE_B).all()
    assert np.isfinite(shown.lines).all()
    return shown.lines


def test_a_box_has_its_twelve_edges():
    half = np.array([0.5, 1.0, 2.0])
    lines = edges_of(ck.Boxes([[4, 5, 6]], [half], TURN))
    assert sorted(np.round(lengths(lines), 9)) == [1.0] * 4 + [2.0] * 4 + [4.0] * 4
    local = (lines - [4, 5, 6]) @ TURN[0]
    np.testing.assert_allclose(np.abs(local), np.broadcast_to(half, local.shape), atol=1e-12)
    corners, met = np.unique(np.round(local.reshape(-1, 3), 6), axis=0, return_counts=True)
    assert len(corners) == 8
    assert (met == 3).all()
    assert len({frozenset(map(tuple, np.round(line, 6))) for line in local}) == 12


def test_a_sphere_is_three_circles_through_its_middle():
    lines = edges_of(ck.Spheres([[1, 2, 3]], [2.5]))
    np.testing.assert_allclose(np.linalg.norm(lines - [1, 2, 3], axis=2), 2.5)
    assert lengths(lines).sum() == pytest.approx(3 * 2 * np.pi * 2.5, rel=2e-3)
    for axis in range(3):
        assert (np.abs(lines[:, :, axis] - (axis + 1.0)) < 1e-9).all(axis=1).sum() == len(lines) // 3


@pytest.mark.parametrize("end", [[1, 2, 3], [4, -1, 0.5]])
def test_a_capsules_lines_lie_on_it(end):
    start = np.array([1.0, 2.0, 3.0])
    lines = edges_of(ck.Capsules([start], [end], [0.7]))
    np.testing.assert_allclose(from_segment(lines, start, np.array(end, float)), 0.7, atol=1e-12)
    along = np.array(end) - start
    size = np.linalg.norm(along)
    # Both caps are drawn out to their poles.
    if size > 0.0:
        reach = (lines - start) @ along / size
        assert reach.min() == pytest.approx(-0.7)
        assert reach.max() == pytest.approx(size + 0.7)


def test_a_hulls_edges_are_those_of_the_hull_where_it_is():
    cube = np.array([[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)], float)
    inside = np.ones((1, 3))
    hulls = ck.Hulls.from_points(
        [np.eye(4)[:, :3], np.concatenate([inside, cube])], [[0, 0, 0], [7, 8, 9]], [np.eye(3), TURN[0]]
    )
    assert len(edges_of(hulls, 0)) == 6
    lines = edges_of(hulls, 1)
    assert len(lines) == 12
    local = (lines - [7, 8, 9]) @ TURN[0]
    np.testing.assert_allclose(lengths(lines), 2.0)
    assert {tuple(p) for p in np.round(local.reshape(-1, 3)).astype(int)} == {tuple(p) for p in cube.astype(int)}


def test_a_finely_rounded_hull_is_drawn_with_few_lines_that_lie_on_it():
    height, angle = np.linspace(-1.0, 1.0, 902)[1:-1], np.arange(900) * np.pi * (3.0 - np.sqrt(5.0))
    flat = np.sqrt(1.0 - height**2)
    ball = np.stack([flat * np.cos(angle), flat * np.sin(angle), height], axis=1)
    hull = ck.convex_hull(ball)
    assert len(hull.edges) > MANY
    lines = edges_of(ck.Hulls([hull], [0], [[1, 0, 0]], TURN))
    assert 3 * 20 < len(lines) < len(hull.edges) / 5
    local = (lines - [1, 0, 0]) @ TURN[0]
    for points in (local.reshape(-1, 3), local.mean(axis=1)):  # the ends, and what is between them
        heights = points @ hull.normals.T - hull.offsets
        np.testing.assert_allclose(heights.max(axis=1), 0.0, atol=1e-9)
    # Three closed loops, each in a plane through the middle.
    _, met = np.unique(np.round(local.reshape(-1, 3), 9), axis=0, return_counts=True)
    assert (met == 2).all()
    for axis in range(3):
        assert (np.abs(local[:, :, axis] - hull.centroid[axis]) < 1e-9).all(axis=1).sum() > 20


def test_a_finely_rounded_hull_keeps_its_creases():
    angle = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    disc = np.stack([np.cos(angle), np.sin(angle), np.zeros(240)], axis=1)
    lines = edges_of(ck.Hulls.from_points([np.concatenate([disc, disc + np.array([0, 0, 3])])]))
    for height in (0.0, 3.0):
        rim = (np.abs(lines[:, :, 2] - height) < 1e-9).all(axis=1)
        assert rim.sum() >= 240
    upright = np.abs(lines[:, 1, 2] - lines[:, 0, 2]) > 2.9
    assert upright.sum() <= 4


def test_a_half_space_is_a_patch_of_its_plane_near_the_focus():
    normal, offset, focus = np.array([1.0, 2.0, 2.0]) / 3.0, 1.5, np.array([10.0, -4.0, 6.0])
    lines = edges_of(ck.HalfSpaces([normal], [offset]), focus=focus, size=2.0)
    heights = lines @ normal - offset
    grid = lines[(np.abs(heights) < 1e-9).all(axis=1)]
    center = focus - (focus @ normal - offset) * normal
    np.testing.assert_allclose(grid.reshape(-1, 3).mean(axis=0), center, atol=1e-9)
    np.testing.assert_allclose(lengths(grid), 4.0)
    assert np.linalg.norm(grid.reshape(-1, 3) - center, axis=1).max() == pytest.approx(np.sqrt(8.0))
    arrow = lines[~(np.abs(heights) < 1e-9).all(axis=1)]
    assert len(arrow) == 5
    assert heights.min() > -1e-9  # the arrow stands on the open side


@pytest.mark.parametrize("kind", ck.Kind)
def test_shapes_without_extent_are_drawn_without_complaint(kind):
    shapes = zoo.degenerate(kind, np.random.default_rng(8), 20)
    for row in range(20):
        edges_of(shapes, row)
        assert np.isfinite(shape_triangles(ck.World([shapes]), row)).all()


def test_rows_of_a_mixed_world_are_told_apart():
    world = ck.World([ck.Spheres([[0, 0, 0], [9, 0, 0]], [1, 2]), ck.Boxes([[0, 5, 0]], [[1, 1, 1]])])
    second, box = (shape_edges(world, row, Role.SHAPE_A).lines for row in (1, 2))
    np.testing.assert_allclose(np.linalg.norm(second - [9, 0, 0], axis=2), 2.0)
    assert len(box) == 12


SOLIDS = [
    (ck.Boxes([[4, 5, 6]], [[0.5, 1, 2]], TURN), 8.0, 1e-12),
    (ck.Spheres([[1, 2, 3]], [2.0]), 4 / 3 * np.pi * 8, 0.03),
    (ck.Capsules([[0, 0, 0]], [[1, 2, 2]], [0.5]), np.pi * 0.25 * 3 + 4 / 3 * np.pi * 0.125, 0.03),
    (ck.Cylinders([[0, 0, 0]], [[1, 2, 2]], [0.5]), np.pi * 0.25 * 3, 0.03),
    (ck.Hulls.from_points([np.eye(4)[:, :3]], [[3, 3, 3]], TURN), 1 / 6, 1e-12),
    (ck.Triangles([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]), 0.0, 1e-12),
    (ck.HalfSpaces([[0, 0, 1]], [2]), 2.0 * 2.0 * 1.0, 1e-12),
]


@pytest.mark.parametrize(("shape", "volume", "error"), SOLIDS)
def test_surfaces_are_closed_outward_and_of_the_right_volume(shape, volume, error):
    triangles = shape_triangles(ck.World([shape]), 0)
    _, corner = np.unique(np.round(triangles.reshape(-1, 3), 7), axis=0, return_inverse=True)
    corner = corner.reshape(-1, 3)
    directed = np.stack([corner.reshape(-1), np.roll(corner, -1, axis=1).reshape(-1)], axis=1)
    forward = {tuple(edge) for edge in directed}
    assert len(forward) == len(directed)
    assert forward == {tuple(edge[::-1]) for edge in directed}
    inside = np.einsum("ti,ti->t", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])).sum() / 6.0
    assert inside == pytest.approx(volume, rel=max(error, 1e-9))
    assert inside <= volume * (1 + 1e-9)


def test_concatenation_keeps_everything_in_order():
    a, b = (pair_primitives([x, 0, 0], [x, 0, 1], [0, 0, 1], 1.0, [], [], 1.0, f"{x}") for x in (0, 1))
    both = concatenate([a, b])
    np.testing.assert_array_equal(both.lines, np.concatenate([a.lines, b.lines]))
    assert both.labels == ("0", "1")
    assert len(both.label_at) == len(both.label_role) == 2
    assert len(concatenate([]).lines) == 0


@pytest.fixture(scope="module")
def terrain() -> ck.World:
    """A rough surface of 3,200 triangles, 40 units wide, with creases all over."""
    rng = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(np.arange(41.0), np.arange(41.0)), axis=-1).reshape(-1, 2)
    points = np.column_stack([grid, rng.uniform(0.0, 0.7, len(grid))])
    corner = (np.arange(40)[:, None] * 41 + np.arange(40)).reshape(-1, 1)
    triangles = np.concatenate([corner + np.array([0, 1, 42]), corner + np.array([0, 42, 41])])
    return ck.World([ck.Meshes.from_triangles([(points, triangles)], [[5, -3, 2]], TURN)])


class TestTerrain:
    def test_beside_something_small_only_what_is_near_is_drawn_and_all_of_that(self, terrain):
        place = np.array([20.0, 15.0, 0.5])
        focus, size = TURN[0] @ place + [5, -3, 2], 3.0
        lines = shape_edges(terrain, 0, Role.SHAPE_B, focus=focus, size=size).lines
        along = np.linspace(0.0, 1.0, 101)[:, None]
        reach = np.array([np.linalg.norm(a + along * (b - a) - focus, axis=1).min() for a, b in lines])
        assert (reach <= size + 1e-6).all()
        edges = edges_in_place(terrain)
        near = [np.linalg.norm(a + along * (b - a) - focus, axis=1).min() < size - 0.02 for a, b in edges]
        assert 50 < sum(near) <= len(lines) <= MANY

    def test_whole_it_is_drawn_with_its_border_and_few_of_its_creases(self, terrain):
        lines = shape_edges(terrain, 0, Role.SHAPE_B).lines
        geometry = terrain.batches[0].geometry[0]
        border = geometry.edges.open
        assert np.count_nonzero(geometry.creases) > 3 * MANY
        shown = drawn_edges(geometry, MANY)
        assert shown[border].all()
        first, second, third = np.moveaxis(geometry.corners, 1, 0)
        normal = np.cross(second - first, third - first)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        for edge in np.flatnonzero(~border):
            one, other = normal[(geometry.edges.of_triangle == edge).any(axis=1)]
            assert shown[edge] == (one @ other < 0.5)
        # Two sections from border to border; the one halfway up would be all over it.
        assert 2 * 40 < len(lines) - np.count_nonzero(shown) < 4 * 80
        assert np.count_nonzero(shown & ~border) < np.count_nonzero(geometry.creases) / 4

    def test_two_of_one_size_are_whole(self, terrain):
        np.testing.assert_array_equal(
            shape_edges(terrain, 0, Role.SHAPE_B).lines,
            shape_edges(terrain, 0, Role.SHAPE_B, focus=np.zeros(3), size=56.0).lines,
        )


def edges_in_place(world: ck.World) -> np.ndarray:
    """The edges (E, 2, 3) of the first mesh of a world, where it is."""
    mesh = world.batches[0]
    return mesh.geometry[0].points[mesh.geometry[0].edges.vertices] @ mesh.rotation[0].T + mesh.translation[0]
