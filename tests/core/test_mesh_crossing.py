# SPDX-License-Identifier: GPL-3.0-or-later
"""Crossing triangles and curves of meshes: against all pairs in exact numbers, FCL, and what a curve must be."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import mesh_files, mesh_zoo, zoo


def exact_overlap(p, q):
    """Whether triangles with area meet, for coordinates that are integers or rationals: no axis has a gap."""
    side_p, side_q = np.roll(p, -1, axis=1) - p, np.roll(q, -1, axis=1) - q
    normal_p, normal_q = np.cross(side_p[:, 0], side_p[:, 1]), np.cross(side_q[:, 0], side_q[:, 1])
    axes = [normal_p, normal_q]
    axes += [np.cross(side_p[:, i], side_q[:, j]) for i in range(3) for j in range(3)]
    axes += [np.cross(normal_p, side_p[:, i]) for i in range(3)] + [np.cross(normal_q, side_q[:, i]) for i in range(3)]
    result = np.ones(len(p), dtype=bool)
    for axis in axes:
        one, other = ((corners * axis[:, None]).sum(axis=2) for corners in (p, q))
        result &= (one.min(axis=1) <= other.max(axis=1)) & (other.min(axis=1) <= one.max(axis=1))
    return result


def fractions(corners):
    """Coordinates as exact rationals."""
    return np.vectorize(Fraction, otypes=[object])(corners)


def lattice(rng):
    cells = {tuple(cell) for cell in rng.integers(0, 3, (rng.integers(1, 7), 3)).tolist()}
    points, triangles = mesh_zoo.voxels(sorted(cells))
    return 2 * points, triangles


@pytest.mark.parametrize("seed", range(6))
def test_crossing_pairs_are_all_that_meet_exactly(seed):
    rng = np.random.default_rng(seed)
    meshes = [lattice(rng) for _ in range(8)]
    place = rng.integers(-3, 4, (8, 3)).astype(float)
    made = ck.Meshes.from_triangles(meshes, place, zoo.quarter_turns(rng, 8))
    pairs = np.array(list(itertools.combinations(range(8), 2)))
    found = ck.crossing(made, made, pairs)
    for row, (first, second) in enumerate(pairs):
        p, q = (np.rint(mesh_zoo.world(made, k)).astype(np.int64) for k in (first, second))
        i, j = (grid.reshape(-1) for grid in np.meshgrid(np.arange(len(p)), np.arange(len(q)), indexing="ij"))
        meets = exact_overlap(p[i], q[j])
        mine = found.pair == row
        expected = set(zip(i[meets].tolist(), j[meets].tolist(), strict=True))
        assert set(zip(found.triangle_a[mine].tolist(), found.triangle_b[mine].tolist(), strict=True)) == expected
        assert mine.sum() == len(expected)
    overlap = ck.overlap(made, made, pairs)
    assert overlap[np.unique(found.pair)].all()


def test_the_curve_of_two_tori_is_closed_and_lies_on_both():
    mesh = mesh_zoo.torus(24, 12)
    turn = zoo.rotations(np.random.default_rng(2), 1)
    a = ck.Meshes.from_triangles([mesh])
    b = ck.Meshes(a.geometry, [0], [[0.9, 0.2, 0.1]], turn)
    found = ck.crossing(a, b)
    curves = found.curves()
    assert len(found) > 50
    assert all(curve.closed for curve in curves)
    assert len(curves) == len(np.unique(found.curve))
    # Every segment is part of a curve, once.
    length = np.linalg.norm(found.end - found.start, axis=1).sum()
    walked = sum(np.linalg.norm(np.roll(curve.points, -1, axis=0) - curve.points, axis=1).sum() for curve in curves)
    assert walked == pytest.approx(length)
    points = np.concatenate([curve.points for curve in curves])
    for shapes in (a, b):
        local = (points - shapes.translation[0]) @ shapes.rotation[0]
        corners = mesh[0][mesh[1]]
        balls = ck.Spheres(local, np.full(len(local), 1e-9))
        on = np.zeros(len(local), dtype=bool)
        for corner in corners:
            on |= ck.overlap(balls, ck.Triangles([corner]))
        assert on.all()


def test_the_curve_of_two_cells_is_the_outline_of_what_they_share():
    box = mesh_zoo.box()
    a, b = ck.Meshes.from_triangles([box]), ck.Meshes.from_triangles([box] * 3, [[0.5, 0.5, 0.5], [1, 0, 0], [2, 0, 0]])
    curves = ck.crossing(a, b).curves()
    assert [curve.pair for curve in curves] == [0, 1]
    assert all(curve.closed for curve in curves)
    corners = {tuple(point) for point in curves[0].points.tolist()}
    assert corners >= {
        (1.0, 0.5, 0.5),
        (1.0, 1.0, 0.5),
        (0.5, 1.0, 0.5),
        (0.5, 1.0, 1.0),
        (0.5, 0.5, 1.0),
        (1.0, 0.5, 1.0),
    }
    assert {tuple(point) for point in curves[1].points.tolist()} == {
        (1.0, y, z) for y in (0.0, 1.0) for z in (0.0, 1.0)
    }


def test_only_meshes_cross():
    mesh = ck.Meshes.from_triangles([mesh_zoo.box()])
    with pytest.raises(ck.UnsupportedPair, match="Spheres have no triangles"):
        ck.crossing(mesh, ck.Spheres([[0, 0, 0]], [1]))
    assert len(ck.crossing(mesh, mesh, pairs=[])) == 0


def test_solids_hold_what_is_in_them():
    unit = mesh_zoo.box()
    large = mesh_zoo.moved(unit, (-1, -1, -1), 3.0)
    small = mesh_zoo.moved(unit, (0, 0, 0), 0.25)
    cases = [
        (large, unit, (0, 0, 0), True),
        (large, unit, (1, 1, 1), True),  # touching three walls from inside
        (large, unit, (1.5, 0, 0), False),
        (unit, unit, (0, 0, 0), True),
        (unit, large, (0, 0, 0), False),
        (mesh_zoo.inside_out(large), unit, (0, 0, 0), True),
        (mesh_zoo.bracket(), unit, (1, 1, 0), False),  # in the corner, touching from outside
        (mesh_zoo.bracket(), unit, (0.5, 0, 0), True),
        (mesh_zoo.bracket(), unit, (0.5, 0.5, 0), False),  # through an edge, from vertex to vertex
        (mesh_zoo.bracket(), mesh_zoo.voxels([(0, 0, 0), (1, 0, 0)]), (0, 0, 0), True),
        (mesh_zoo.ring(), mesh_zoo.moved(unit, (1, 1, 0)), (0, 0, 0), False),  # just fills the hole
        (mesh_zoo.ring(), mesh_zoo.moved(large, (1.0, 1.0, 0.0), 1.0), (0, 0, 0), False),
        (mesh_zoo.hollow(), small, (0, 0, 0), False),  # in the cavity
        (mesh_zoo.hollow(), small, (1, 1, 1), True),
        (mesh_zoo.hollow(), small, (0.4, 0, 0), False),
        (mesh_zoo.joined([unit, mesh_zoo.moved(unit, (0.5, 0, 0))]), small, (0.6, 0.2, 0.2), True),
        ((unit[0], unit[1][2:]), small, (0.2, 0.2, 0.2), False),  # no solid
    ]
    a, b = (
        ck.Meshes.from_triangles([case[k] for case in cases], place)
        for k, place in ((0, None), (1, [c[2] for c in cases]))
    )
    expected = [case[3] for case in cases]
    assert ck.contains(a, b).tolist() == expected
    turn = np.repeat(zoo.rotations(np.random.default_rng(1), 1), len(cases), axis=0)
    turned = [ck.Meshes(m.geometry, m.index, m.translation @ turn[0].T + [3, 1, 2], turn, m.solid) for m in (a, b)]
    assert ck.contains(*turned).tolist() == expected
    # What is inside without touching overlaps a solid, and is apart from a surface and from the walls of a cavity.
    overlap = ck.overlap(a, b)
    assert overlap[13]
    assert not overlap[12]
    assert not overlap[16]
    inside = ck.distance(a.take(np.array([13])), b.take(np.array([13])))
    assert inside.distance[0] == pytest.approx(-0.5)  # out through the nearest wall, of the shell's 1.5 and 1.0 + 0.25
    assert len(ck.contacts(a.take(np.array([13])), b.take(np.array([13])))) == 1


def test_a_link_in_another_is_apart_though_no_plane_parts_them():
    link = mesh_zoo.torus(24, 12)
    across = np.array([[[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]])
    a, b = ck.Meshes.from_triangles([link]), ck.Meshes.from_triangles([link], [[1, 0, 0]], across)
    assert not ck.overlap(a, b).any()
    assert 0.1 < ck.distance(a, b).distance[0] < 0.25
    assert ck.separating_axis(a, b).gap[0] < 0.0
    assert ck.classify(a, b).tolist() == [ck.Verdict.SEPARATED]


def test_each_region_of_contact_has_its_own_depth():
    """A table with legs of unlike lengths on a floor."""
    legs = [
        mesh_zoo.moved((mesh_zoo.box()[0] * [0.1, 0.1, 1.0 + 0.1 * k], mesh_zoo.box()[1]), (x, y, -0.1 * k))
        for k, (x, y) in enumerate(((0, 0), (2, 0), (0, 2), (2, 2)))
    ]
    floor = mesh_zoo.moved((mesh_zoo.box()[0] * [5.0, 5.0, 1.0], mesh_zoo.box()[1]), (-1, -1, -0.95))
    a, b = ck.Meshes.from_triangles([floor]), ck.Meshes.from_triangles([mesh_zoo.joined(legs)])
    found = ck.contacts(a, b)
    np.testing.assert_allclose(found.normal, np.tile([0.0, 0.0, 1.0], (len(found), 1)), atol=1e-12)
    np.testing.assert_allclose(found.depth, np.repeat([0.35, 0.25, 0.15, 0.05], 4), atol=1e-12)
    np.testing.assert_allclose(found.point[:, 2], 0.05 - found.depth / 2.0, atol=1e-12)
    for k, corner in enumerate(((2, 2), (0, 2), (2, 0), (0, 0))):
        some = found.point[4 * k : 4 * k + 4, :2] - corner
        assert {tuple(np.round(point, 9)) for point in some.tolist()} == {(x, y) for x in (0, 0.1) for y in (0, 0.1)}
    assert ck.distance(a, b).distance[0] == pytest.approx(-0.35)
    box = ck.contacts(ck.Boxes([[1, 1, 0.5]], [[0.5, 0.5, 0.5]]), a)
    np.testing.assert_allclose(box.depth, 0.05, atol=1e-12)
    assert len(box) == 4


def test_curves_end_where_they_branch():
    """Four walls that share an upright edge, through a sheet: a cross of four lines."""
    walls = np.array([[0, 0, -1], [0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], dtype=float)
    sheet = np.array([[-2, -2, 0.1], [2, -2, 0.1], [0, 3, 0.1]], dtype=float)
    a = ck.Meshes.from_triangles([(sheet, [[0, 1, 2]])])
    b = ck.Meshes.from_triangles([(walls, [[0, 1, k] for k in (4, 2, 3, 5)])])
    curves = ck.crossing(a, b).curves()
    assert [len(curve.points) for curve in curves] == [2] * 4
    for curve in curves:
        assert not curve.closed
        assert np.linalg.norm(curve.points - [0, 0, 0.1], axis=1).min() < 1e-12


@pytest.mark.parametrize("turned", [False, True])
def test_regions_at_a_floor_and_at_a_wall_have_their_own_normals(turned):
    """Whichever way the triangles of the solids face."""
    floor = mesh_zoo.moved((mesh_zoo.box()[0] * [4.0, 4.0, 1.0], mesh_zoo.box()[1]), (0, 0, -1))
    wall = mesh_zoo.moved((mesh_zoo.box()[0] * [1.0, 4.0, 4.0], mesh_zoo.box()[1]), (-1, 0, 0.5))
    solids = [
        mesh_zoo.joined([floor, wall]),
        mesh_zoo.joined([mesh_zoo.moved(mesh_zoo.box(), (2, 1, -0.05)), mesh_zoo.moved(mesh_zoo.box(), (-0.1, 1, 2))]),
    ]
    a, b = (ck.Meshes.from_triangles([mesh_zoo.inside_out(mesh) if turned else mesh]) for mesh in solids)
    found = ck.contacts(a, b)
    np.testing.assert_allclose(found.normal, np.repeat([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 4, axis=0), atol=1e-12)
    np.testing.assert_allclose(found.depth, np.repeat([0.1, 0.05], 4), atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["not_convex.obj", "wallhole.obj", "ballA.off", "rabbit.obj", "bunny.ply", "fandisk.obj"]
)
def test_crossing_pairs_are_those_of_fcl_and_what_it_misses(name, data_dir):
    """FCL overlooks some pairs of long triangles; each pair more than it has is proved with exact rationals."""
    fcl = pytest.importorskip("fcl")
    path = data_dir / "meshes" / name
    if not path.is_file():
        pytest.skip(f"no {path}")
    points, triangles = mesh_files.vertices(path), mesh_files.triangles(path)
    points = (points - points.mean(axis=0)) / np.abs(points).max()
    rng = np.random.default_rng(7)
    made = ck.Meshes.from_triangles([(points, triangles)], solid=False)
    model = fcl.BVHModel()
    model.beginModel(len(points), len(triangles))
    model.addSubModel(points, triangles)
    model.endModel()
    for turn in zoo.rotations(rng, 6):
        shift = 0.3 * rng.normal(size=3)
        result = fcl.CollisionResult()
        placed = fcl.CollisionObject(model, fcl.Transform(turn, shift))
        request = fcl.CollisionRequest(num_max_contacts=1_000_000, enable_contact=True)
        fcl.collide(fcl.CollisionObject(model), placed, request, result)
        theirs = {(contact.b1, contact.b2) for contact in result.contacts}
        other = ck.Meshes(made.geometry, [0], [shift], [turn], solid=False)
        found = ck.crossing(made, other)
        ours = set(zip(found.triangle_a.tolist(), found.triangle_b.tolist(), strict=True))
        assert ours >= theirs
        more = np.array(sorted(ours - theirs)).reshape(-1, 2)
        assert len(more) <= 0.1 * len(ours)
        if len(more):
            p, q = mesh_zoo.world(made, 0)[more[:, 0]], mesh_zoo.world(other, 0)[more[:, 1]]
            assert exact_overlap(fractions(p), fractions(q)).all()
