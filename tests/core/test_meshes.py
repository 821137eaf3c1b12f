# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as a batch: input, watertightness, components, bounds; and inside and outside against integers."""

from functools import cache

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.debug_draw.shapes import shape_edges
from collision_kit.addon.debug_draw.surfaces import shape_triangles
from collision_kit.core.kernels.windings import aslant
from collision_kit.core.mesh.triangle_mesh import TriangleMesh, tree_of
from collision_kit.core.narrow_phase.mesh.bvh_traversal import near, nearest_few
from collision_kit.core.narrow_phase.mesh.operands import mesh_rows
from collision_kit.core.narrow_phase.mesh.ray_casting import hits, inside
from collision_kit.core.numerics.rows import connected_components
from tests.helpers import mesh_zoo, zoo

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
SHEET = (SQUARE, [[0, 1, 2], [0, 2, 3]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: [([[0, 0]], [[0, 0, 0]])], r"meshes\[0\] vertices: shape"),
        (lambda: [SHEET, ([[0, 0, np.nan]], [[0, 0, 0]])], r"meshes\[1\] vertices: row 0 is not finite"),
        (lambda: [SHEET, (SQUARE, [])], r"meshes\[1\] triangles: empty"),
        (lambda: [(SQUARE, [[0, 1]])], r"meshes\[0\] triangles: int64 of shape \(1, 2\)"),
        (lambda: [(SQUARE, [[0.0, 1.0, 2.0]])], r"meshes\[0\] triangles: float64"),
        (lambda: [(SQUARE, [[0, 1, 2], [0, 1, 4]])], r"meshes\[0\] triangles: row 1 is \[0, 1, 4\], but there are 4"),
        (lambda: [(SQUARE, [[0, 1, -1]])], r"meshes\[0\] triangles: row 0"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        ck.Meshes.from_triangles(make())


def without(mesh, count):
    return mesh[0], mesh[1][count:]


def flipped(mesh):
    triangles = mesh[1].copy()
    triangles[0] = triangles[0, ::-1]
    return mesh[0], triangles


@pytest.mark.parametrize(
    ("mesh", "fault"),
    [
        (mesh_zoo.box(), ""),
        (mesh_zoo.inside_out(mesh_zoo.box()), ""),
        (mesh_zoo.soup(mesh_zoo.ring()), ""),
        (mesh_zoo.torus(), ""),
        (mesh_zoo.hollow(), ""),
        (mesh_zoo.voxels([(0, 0, 0), (1, 1, 0)]), ""),  # two cells that share an edge
        (without(mesh_zoo.box(), 1), "3 open edges"),
        (without(mesh_zoo.box(), 2), "4 open edges"),
        (SHEET, "4 open edges"),
        (flipped(mesh_zoo.box()), "3 edges between triangles of opposite orientation"),
        ((SQUARE, [[1, 1, 1]]), "its triangles have no area"),
    ],
)
def test_what_keeps_a_mesh_from_being_a_solid_is_said(mesh, fault):
    found = ck.Meshes.from_triangles([mesh_zoo.box(), mesh])
    assert found.solid.tolist() == [True, not fault]
    assert ck.Meshes.from_triangles([mesh], solid=False).solid.tolist() == [False]
    if not fault:
        assert ck.Meshes.from_triangles([mesh], solid=True).solid.all()
        return
    with pytest.raises(ValueError, match=f"solid: row 1 is not watertight: {fault}"):
        ck.Meshes.from_triangles([mesh_zoo.box(), mesh], solid=True)
    assert ck.Meshes.from_triangles([mesh_zoo.box(), mesh], solid=[True, False]).solid.tolist() == [True, False]


def test_solid_takes_auto_and_bools_alone():
    for wrong in ("yes", [1], [True, False]):
        with pytest.raises(ValueError, match="solid:"):
            ck.Meshes.from_triangles([mesh_zoo.box()], solid=wrong)


def test_rows_share_geometry_and_are_taken():
    made = ck.Meshes.from_triangles([mesh_zoo.box(), SHEET], [[1, 2, 3], [4, 5, 6]])
    taken = made.take(np.array([1, 0, 1]))
    assert taken.geometry is made.geometry
    assert taken.index.tolist() == [1, 0, 1]
    assert taken.solid.tolist() == [False, True, False]
    assert taken.translation.tolist() == [[4, 5, 6], [1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_bounds_and_balls_hold_the_mesh_and_no_more(maker):
    shapes = zoo.MAKERS[maker](ck.Kind.MESH, np.random.default_rng(1), 40)
    lower, upper = ck.bounds(shapes)
    center, radius = ck.bounding_spheres(shapes)
    for row in range(len(shapes)):
        points = mesh_zoo.world(shapes, row).reshape(-1, 3)
        np.testing.assert_allclose(lower[row], points.min(axis=0), atol=1e-14)
        np.testing.assert_allclose(upper[row], points.max(axis=0), atol=1e-14)
        assert np.linalg.norm(points - center[row], axis=1).max() == pytest.approx(radius[row], abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_components_are_numbered_by_their_lowest_vertices(seed):
    rng = np.random.default_rng(seed)
    count, some = (int(number) for number in rng.integers([40, 5], [80, 40]))
    points, triangles = rng.integers(0, 6, (count, 3)).astype(float), rng.integers(0, count, (some, 3))
    geometry = TriangleMesh(points, triangles)
    corners = geometry.welded_triangles
    label = connected_components(count, corners[:, :2].ravel(), corners[:, 1:].ravel())[corners[:, 0]]
    np.testing.assert_array_equal(geometry.component, np.unique(label, return_inverse=True)[1])


def test_components_are_those_that_share_vertices():
    mesh = mesh_zoo.joined(
        [mesh_zoo.box(), mesh_zoo.moved(mesh_zoo.box(), (3, 0, 0)), mesh_zoo.moved(mesh_zoo.box(), (1, 1, 1))]
    )
    geometry = ck.Meshes.from_triangles([mesh_zoo.soup(mesh)]).geometry[0]
    # The third touches the first in a corner: it has the same coordinates.
    assert len(geometry.representatives) == 2
    assert np.unique(geometry.component[:12]).tolist() == [0]
    assert np.unique(geometry.component[12:24]).tolist() == [1]
    assert np.unique(geometry.component[24:]).tolist() == [0]


@cache
def steps(number):
    """A number in steps of 2^-200, of which the numbers of these tests are multiples."""
    over, under = float(number).as_integer_ratio()
    assert 2**200 % under == 0
    return over * (2**200 // under)


def exact_winding(corners, point):
    """Winding number about a point by a ray in integers, along a direction that meets no edge of these meshes."""
    direction = [1009 * 1000003, 1000003, 1009]
    total = 0
    for triangle in corners:
        p, q, r = ([steps(x) - steps(o) for x, o in zip(corner, point, strict=True)] for corner in triangle)

        def volume(u, v, w):
            return (
                u[0] * (v[1] * w[2] - v[2] * w[1])
                - u[1] * (v[0] * w[2] - v[2] * w[0])
                + u[2] * (v[0] * w[1] - v[1] * w[0])
            )

        sides = [volume(direction, u, v) for u, v in ((p, q), (q, r), (r, p))]
        if min(sides) < 0 < max(sides):
            continue
        whole = sum(sides)
        if whole == 0:
            continue
        assert all(sides), "the direction meets an edge"
        height = volume(p, q, r)
        assert height != 0, "the point is on the surface"
        if (height > 0) == (whole > 0):
            total += 1 if whole > 0 else -1
    return total


SOLIDS = [
    mesh_zoo.box(),
    mesh_zoo.bracket(),
    mesh_zoo.ring(),
    mesh_zoo.inside_out(mesh_zoo.ring()),
    mesh_zoo.hollow(),
    mesh_zoo.joined([mesh_zoo.box(), mesh_zoo.moved(mesh_zoo.box(), (0.5, 0.5, 0.5))]),
]


@pytest.mark.parametrize("mesh", SOLIDS)
def test_inside_is_what_exact_rays_say(mesh):
    """Points of a lattice in line with all edges and faces, of which none is on a face."""
    made = ck.Meshes.from_triangles([mesh])
    axis = np.arange(-1.75, 3.5, 0.5)
    points = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)[::7]
    expected = [exact_winding(mesh[0][mesh[1]], point) != 0 for point in points]
    assert any(expected)
    assert not all(expected)
    found = inside(mesh_rows(made), np.zeros(len(points), dtype=np.int64), points)
    assert found.tolist() == expected
    turn = zoo.rotations(np.random.default_rng(2), 1)
    placed = ck.Meshes(made.geometry, [0], [[5.0, -3.0, 2.0]], turn)
    found = inside(mesh_rows(placed), np.zeros(len(points), dtype=np.int64), points @ turn[0].T + [5.0, -3.0, 2.0])
    assert found.tolist() == expected


def test_a_ray_through_a_corner_does_not_decide():
    """Points in line with a corner, seen along the very direction in which inside is asked for."""
    made = mesh_rows(ck.Meshes.from_triangles([mesh_zoo.box()]))
    corner = np.array([[1, 1, 1], [0, 0, 0], [1, 0, 0], [0, 1, 1]], dtype=float)
    points = np.concatenate([corner - t * np.array(aslant(0)) for t in (0.3, 0.7)])
    row = np.zeros(len(points), dtype=np.int64)
    assert hits(made, row, points, np.broadcast_to(aslant(0), points.shape)).doubt.all()
    assert inside(made, row, points).tolist() == ((points > 0.0) & (points < 1.0)).all(axis=1).tolist()
    assert inside(made, row, points).any()


def test_rays_that_meet_edges_know_that_they_are_not_sure():
    made = mesh_rows(ck.Meshes.from_triangles([mesh_zoo.box()]))
    origin = np.array([[0.5, 0.5, 0.5], [0.25, 0.5, 0.5], [-1.0, 0.5, 0.25]])
    direction = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    found = hits(made, np.zeros(3, dtype=np.int64), origin, direction)
    np.testing.assert_allclose(found.distance, [0.5, 0.5, 1.0])
    assert found.doubt.tolist() == [True, False, False]  # the first passes the diagonal of the lid
    assert found.winding[1:].tolist() == [1, 0]


@pytest.mark.parametrize("reach", [0.0, 0.4])
def test_near_triangles_are_those_of_all(reach):
    rng = np.random.default_rng(4)
    a, b = (mesh_rows(zoo.generic(ck.Kind.MESH, rng, 20)) for _ in range(2))
    found = near(a.bodies, b.bodies, np.full(20, reach))
    few = nearest_few(a.bodies, b.bodies, 4)
    listed = set(zip(found.pair.tolist(), found.a.tolist(), found.b.tolist(), strict=True))
    assert len(listed) == len(found)
    for row in range(20):
        count_a, count_b = len(a.meshes[a.mesh[row]].triangles), len(b.meshes[b.mesh[row]].triangles)
        i, j = (grid.reshape(-1) for grid in np.meshgrid(np.arange(count_a), np.arange(count_b), indexing="ij"))
        first, second = (s.placed(np.full(len(i), row), k) for s, k in ((a, i), (b, j)))
        distance = ck.distance(ck.Triangles(first), ck.Triangles(second)).distance
        close = np.flatnonzero(distance <= reach)
        assert {(row, int(i[k]), int(j[k])) for k in close} <= listed
        mine = found.take(found.pair == row)
        assert (mine.bound <= np.maximum(distance.reshape(count_a, count_b)[mine.a, mine.b], 0.0) + 1e-12).all()
        assert 0 < (few.pair == row).sum() <= 4


def test_a_mesh_is_drawn_with_its_edges_or_its_creases_and_sections():
    few, many = mesh_zoo.box(), mesh_zoo.torus(40, 20)
    turn = zoo.rotations(np.random.default_rng(1), 1)[0]
    made = ck.Meshes.from_triangles([few, mesh_zoo.inside_out(few), many], [[1, 2, 3]] * 3, [turn] * 3)
    world = ck.World([made])
    lines = shape_edges(world, 0, Role.SHAPE_A).lines
    assert len(lines) == 18
    np.testing.assert_allclose(
        np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) ** 2 % 1.0 % (1.0 - 1e-9), 0.0, atol=1e-9
    )
    # Outwards, whichever way the mesh has it.
    for row in (0, 1):
        corners = shape_triangles(world, row)
        volume = (corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0
        assert volume == pytest.approx(1.0)
    lines = (shape_edges(world, 2, Role.SHAPE_A).lines - [1, 2, 3]) @ turn
    sections = lines[(np.abs(lines) < 1e-9).all(axis=1).any(axis=1)]
    assert len(lines) < 400
    assert len(sections) > 100
    middle = sections.mean(axis=1)
    tube = np.hypot(np.hypot(middle[:, 0], middle[:, 1]) - 1.0, middle[:, 2])
    np.testing.assert_allclose(tube, 0.4, atol=0.02)


def test_a_world_takes_meshes():
    world = ck.World(
        [
            ck.Spheres([[0.5, 0.5, 1.2]], [0.5]),
            ck.Meshes.from_triangles([mesh_zoo.box(), SHEET], [[0, 0, 0], [9, 9, 9]]),
        ]
    )
    pairs = world.pairs()
    assert pairs.tolist() == [[0, 1]]
    assert world.overlap(pairs).tolist() == [True]
    np.testing.assert_allclose(world.distance(pairs).distance, [-0.3])
    assert world.contacts(pairs).normal.tolist() == [[0, 0, -1]]


@pytest.mark.parametrize("size", [1e-40, 1e-48, 1e40])
def test_meshes_of_the_least_and_greatest_sizes_contain_themselves(size):
    rng = np.random.default_rng(20)
    shapes = zoo.placed(zoo.generic(ck.Kind.MESH, rng, 8), np.eye(3), size, np.zeros(3))
    assert ck.contains(shapes, shapes).any()
    assert (ck.classify(shapes, shapes) == ck.Verdict.CONTAINED).any()


COUNTS = (*range(1, 70), 127, 128, 129, 500, 1024, 1025)


def drawn_triangles(spread, count):
    """Corners of triangles: anywhere, on a line, all in one place, or of sizes that are far apart."""
    rng = np.random.default_rng(count)
    corners = rng.normal(size=(count, 3, 3))
    return {
        "anywhere": corners,
        "in a line": corners * [1.0, 0.0, 0.0],
        "in one place": np.zeros((count, 3, 3)),
        "of all sizes": corners * 10.0 ** rng.uniform(-100.0, 100.0, (count, 1, 1)),
    }[spread]


@pytest.mark.parametrize("spread", ["anywhere", "in a line", "in one place", "of all sizes"])
def test_each_triangle_is_in_one_leaf_and_the_boxes_above_hold_it(spread):
    for count in COUNTS:
        corners = drawn_triangles(spread, count)
        tree = tree_of(corners)
        full = tree.triangle >= 0
        assert np.array_equal(np.sort(tree.triangle[full]), np.arange(count))
        # The first leaf below a node with triangles has one: kernels take the box of a node along it.
        for level in range(tree.levels + 1):
            below = full.reshape(1 << level, -1)
            assert np.array_equal(below[:, 0], below.any(axis=1))
        leaves = len(tree.triangle)
        held = tree.span[leaves - 1 :][full]
        own = corners[tree.triangle[full]]
        assert np.array_equal(held, np.concatenate([own.min(axis=1), -own.max(axis=1)], axis=1))
        parent = np.arange(1, 2 * leaves - 1)
        assert np.all(tree.span[(parent - 1) // 2] <= tree.span[parent])
