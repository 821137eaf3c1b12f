# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex solid meshes are hulls in every query: the same answers, with features of the mesh."""

from collections.abc import Iterator

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convexity import solidity
from collision_kit.core.mesh.hull_features import hull_features
from collision_kit.core.mesh.triangle_mesh import TriangleMesh
from tests.helpers import mesh_zoo, zoo
from tests.helpers.triangle_meshes import (
    BOX,
    CUBE,
    convex_meshes,
    hull_mesh,
    l_prism,
    meshes_that_are_not_convex,
    subdivided,
)

TINY = 1e-12
KINDS = [kind for kind in ck.Kind if kind not in (ck.Kind.MESH, ck.Kind.COMPOUND)]


def sheet() -> tuple[np.ndarray, np.ndarray]:
    """A flat sheet with two sides, which is watertight."""
    points = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0), (0.2, 0.1, 0.0)])
    fan = np.array([(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])
    return points, np.concatenate([fan, fan[:, ::-1]])


def shuffled(rng: np.random.Generator, points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles in another order, some vertices twice, and some that no triangle has."""
    copies = np.concatenate([points, points[rng.integers(0, len(points), 5)], rng.uniform(-0.1, 0.1, (2, 3))])
    order = rng.permutation(len(copies))
    number = np.argsort(order)
    twins = [np.flatnonzero((copies == point).all(axis=1)) for point in points]
    named = np.array([[rng.choice(twins[corner]) for corner in cell] for cell in triangles.tolist()])
    return copies[order], number[named][rng.permutation(len(named))]


def every_mesh() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(5)
    for _, points, triangles in convex_meshes():
        yield points, triangles
    yield sheet()
    box = subdivided(CUBE * (1.0, 0.5, 0.2), BOX)
    yield box
    yield mesh_zoo.inside_out(box)
    yield shuffled(rng, *box)
    yield shuffled(rng, *hull_mesh(rng.normal(size=(30, 3))))
    yield box[0] * (-1.0, 1.0, 2.0), box[1]


def batches(seed: int) -> tuple[ck.Meshes, ck.Hulls]:
    """All meshes, some of them twice, and the hulls of their vertices, in the same places."""
    rng = np.random.default_rng(seed)
    given = list(every_mesh())
    geometry = ck.Meshes.from_triangles(given).geometry
    index = np.concatenate([np.arange(len(given)), rng.integers(0, len(given), 10)])
    place, turn = rng.normal(size=(len(index), 3)), zoo.rotations(rng, len(index))
    hulls = ck.convex_hulls([mesh.points[mesh.used] for mesh in geometry])
    return ck.Meshes(geometry, index, place, turn), ck.Hulls(hulls, index, place, turn)


def same(mine: ck.Contacts, hulls: ck.Contacts) -> None:
    for name in ("pair", "point", "normal", "depth", "type"):
        np.testing.assert_allclose(getattr(mine, name), getattr(hulls, name), rtol=0.0, atol=TINY, err_msg=name)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_each_query_has_the_answer_of_the_hull(kind: ck.Kind, maker: str, flipped: bool):
    meshes, hulls = batches(int(kind))
    other = zoo.MAKERS[maker](kind, np.random.default_rng(kind), len(meshes))

    def asked(query, *given, **named):
        return [query(*((other, one) if flipped else (one, other)), *given, **named) for one in (meshes, hulls)]

    assert np.array_equal(*asked(ck.overlap))
    assert np.array_equal(*asked(ck.contains))
    assert np.array_equal(*asked(ck.interference))
    assert np.array_equal(*asked(ck.classify, touching=1e-3, clearance=0.3))
    for one, two in zip(*(vars(found).values() for found in asked(ck.distance)), strict=True):
        np.testing.assert_allclose(one, two, rtol=0.0, atol=TINY)
    same(*asked(ck.contacts, margin=0.2))
    mine, theirs = asked(ck.separating_axis)
    np.testing.assert_allclose(mine.gap, theirs.gap, rtol=0.0, atol=TINY)
    way = np.random.default_rng(1).normal(size=(len(meshes), 3))
    for motion in ({"velocity_b": way}, {"velocity_a": way, "angular_velocity_a": way}):
        assert ck.Impacts.allclose(*asked(ck.time_of_impact, **motion))


def test_two_convex_meshes_are_two_hulls():
    meshes, hulls = batches(1)
    pairs = np.stack([np.arange(len(meshes)), np.roll(np.arange(len(meshes)), 1)], axis=1)
    for one, two in zip(
        *(vars(ck.distance(shapes, shapes, pairs)).values() for shapes in (meshes, hulls)), strict=True
    ):
        np.testing.assert_allclose(one, two, rtol=0.0, atol=TINY)
    same(*(ck.contacts(shapes, shapes, pairs) for shapes in (meshes, hulls)))
    assert np.array_equal(*(ck.contains(shapes, shapes, pairs) for shapes in (meshes, hulls)))


def test_a_world_of_convex_and_concave_meshes_with_margins():
    rng = np.random.default_rng(3)
    given = [hull_mesh(rng.normal(size=(12, 3))), l_prism(), sheet(), mesh_zoo.torus(), subdivided(CUBE, BOX)]
    place = rng.normal(scale=1.5, size=(20, 3))
    geometry = ck.Meshes.from_triangles(given).geometry
    meshes = ck.Meshes(geometry, np.arange(20) % 5, place, zoo.rotations(rng, 20))
    convex = np.array([True, False, True, False, True])[meshes.index]
    points = [mesh.points[mesh.used] for mesh in geometry]
    hulls = ck.Hulls(ck.convex_hulls(points), meshes.index, place, meshes.rotation)
    pairs = np.stack(np.triu_indices(20, 1), axis=1)
    margin = rng.uniform(0.0, 0.2, 20)
    mine, theirs = ck.World([meshes], margin=margin), ck.World([hulls], margin=margin)
    both = convex[pairs].all(axis=1)
    assert 0 < np.count_nonzero(both) < len(pairs)
    found, known = mine.distance(pairs).distance, theirs.distance(pairs).distance
    np.testing.assert_allclose(found[both], known[both], rtol=0.0, atol=TINY)
    contacts = mine.contacts(pairs)
    same(mine.contacts(pairs[both]), theirs.contacts(pairs[both]))
    assert np.array_equal(np.unique(contacts.pair), np.flatnonzero(mine.overlap(pairs)))


def test_a_convex_mesh_with_a_margin_contains_what_its_hull_contains():
    rng = np.random.default_rng(8)
    held = 0
    for kind in (ck.Kind.CONE, ck.Kind.CYLINDER, ck.Kind.ELLIPSOID, ck.Kind.SPHERE, ck.Kind.BOX):
        meshes, hulls = batches(int(kind))
        other = zoo.placed(zoo.generic(kind, rng, len(meshes)), np.eye(3), 0.2, np.zeros(3))
        margin = np.stack([rng.uniform(0.0, 1.0, len(meshes)), rng.uniform(0.0, 0.2, len(meshes))])
        found, known = (
            ck.contains(ck.World([one], margin[0]), ck.World([zoo.moved(other, meshes.translation)], margin[1]))
            for one in (meshes, hulls)
        )
        np.testing.assert_array_equal(found, known)
        held += np.count_nonzero(known)
    assert held


def test_features_are_those_of_the_mesh_at_those_of_the_hull():
    """A vertex is the same point, an edge is on the hull's edge, and a triangle is in the plane of the hull's face."""
    for points, triangles in every_mesh():
        mesh = ck.Meshes.from_triangles([(points, triangles)]).geometry[0]
        hull, found = mesh.hull, hull_features(mesh)
        size = 1e-9 * np.abs(points).max()

        def of(kind: ck.FeatureKind, count: int, found=found) -> np.ndarray:
            return found.of(np.column_stack([np.full(count, kind), np.arange(count)]))[:, 1]

        vertex = of(ck.FeatureKind.VERTEX, len(hull.points))
        np.testing.assert_array_equal(mesh.points[vertex], hull.points)
        np.testing.assert_array_equal(vertex, [np.flatnonzero((points == p).all(axis=1))[0] for p in hull.points])
        if hull.dimension == 3:
            ends = mesh.points[mesh.edges.vertices[of(ck.FeatureKind.EDGE, len(hull.edges))]]
            start, end = hull.points[hull.edges].transpose(1, 0, 2)
            along = (end - start) / np.linalg.norm(end - start, axis=1)[:, None]
            off = np.cross(ends - start[:, None], along[:, None])
            assert np.linalg.norm(off, axis=2).max() < 1e3 * size
        corners = mesh.corners[of(ck.FeatureKind.FACE, len(hull.faces))]
        height = np.einsum("fkj,fj->fk", corners, hull.normals) - hull.offsets[:, None]
        assert np.abs(height).max(initial=0.0) < size
        if hull.dimension == 3:
            normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            facing = np.sign((normal * hull.normals).sum(axis=1))
            # All outward, or all inward.
            assert np.abs(facing.sum()) == len(facing) or len(mesh.edges.uses) < mesh.edges.uses.sum() / 2
        nothing = np.array([[-1, -1]])
        np.testing.assert_array_equal(found.of(nothing), nothing)


def test_edges_of_flat_meshes():
    """Both faces of a flat hull have the edges of its outline."""
    points, triangles = sheet()
    mesh = ck.Meshes.from_triangles([(points, triangles)])
    rod = ck.Boxes([[1.0, 0.0, 0.0]], [[0.05, 0.05, 3.0]])
    found = ck.contacts(mesh, rod)
    edge = found.feature_a[found.feature_a[:, 0] == ck.FeatureKind.EDGE, 1]
    assert len(edge)
    for ends in points[mesh.geometry[0].edges.vertices[edge]]:
        np.testing.assert_array_equal(ends[:, 0], 1.0)


def test_a_surface_is_no_hull():
    points, triangles = hull_mesh(CUBE)
    inside = ck.Boxes([[0.0, 0.0, 0.0]], [[0.1, 0.1, 0.1]])
    assert ck.overlap(ck.Meshes.from_triangles([(points, triangles)]), inside).all()
    assert not ck.overlap(ck.Meshes.from_triangles([(points, triangles)], solid=False), inside).any()
    assert not ck.overlap(ck.Meshes.from_triangles([(points, triangles[:-1])]), inside).any()


@pytest.mark.parametrize("dent", [1e-3, 1e-6, 1e-9])
def test_what_is_in_a_dent_is_outside(dent: float):
    points, triangles = hull_mesh(CUBE)
    top = int(np.flatnonzero((points[triangles][:, :, 2] == 1.0).all(axis=1))[0])
    middle = points[triangles[top]].mean(axis=0) - (0.0, 0.0, dent)
    a, b, c = triangles[top]
    number = len(points)
    cells = np.concatenate([np.delete(triangles, top, axis=0), [(a, b, number), (b, c, number), (c, a, number)]])
    mesh = ck.Meshes.from_triangles([(np.concatenate([points, [middle]]), cells)])
    speck = ck.Spheres([middle + np.array([0.0, 0.0, dent / 2.0])], [0.0])
    assert ck.distance(mesh, speck).distance[0] > dent / 10.0


def ball(count: int) -> tuple[np.ndarray, np.ndarray]:
    """A sphere of points that are evenly spread, and so more triangles than are tried at once."""
    turn = np.arange(count) * (np.pi * (3.0 - np.sqrt(5.0)))
    height = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    ring = np.sqrt(1.0 - height * height)
    return hull_mesh(np.stack([ring * np.cos(turn), ring * np.sin(turn), height], axis=1))


def test_a_few_planes_tell_most_large_meshes_that_are_not_convex():
    points, triangles = ball(600)
    for shift in (0.0, 1e3, 1e6):
        convex = TriangleMesh.checked(points + shift, triangles, "ball")
        assert not convex._is_dented
        assert convex.convex == solidity(convex.hull, np.searchsorted(convex.used, convex.welded_triangles)).convex
        bumpy = points * (1.0 + 0.05 * np.sin(9.0 * points[:, :1])) + shift
        assert TriangleMesh.checked(bumpy, triangles, "bumpy ball")._is_dented
    torus = mesh_zoo.torus(40, 20)
    assert TriangleMesh.checked(*torus, "torus")._is_dented
    fine = [subdivided(*subdivided(*subdivided(CUBE * (1.0, 1.0, height), BOX))) for height in (1.0, 1e-3, 1e-7)]
    assert not any(TriangleMesh.checked(*mesh, "plate")._is_dented for mesh in fine)


def test_thin_solids_have_a_volume_and_flat_ones_have_none():
    """As the dimension of the hull says, without the hull of most."""
    for given, triangles in (mesh_zoo.torus(), mesh_zoo.bracket(), (CUBE, BOX), sheet()):
        points = np.array(given)
        for height in 10.0 ** -np.arange(20.0):
            for shift in (0.0, 1e3, 1e6):
                mesh = TriangleMesh.checked(points * (1.0, 1.0, height) + shift, triangles, "plate")
                found = mesh.has_volume
                assert "hull" not in vars(mesh) or height < 1e-7 * max(shift, 1.0) or not points[:, 2].any()
                assert found == (mesh.watertight and mesh.hull.dimension == 3)


def test_what_is_not_convex_is_no_hull():
    for name, points, triangles in meshes_that_are_not_convex():
        if not len(triangles) or name == "loose vertex":
            continue
        mesh = TriangleMesh.checked(points, triangles, name)
        assert not (mesh.watertight and mesh.convex), name
