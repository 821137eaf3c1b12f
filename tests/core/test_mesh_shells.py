# SPDX-License-Identifier: GPL-3.0-or-later
"""The shells of meshes whose closed parts face different ways, and the solids that they bound."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.mesh.shells import shells_of, volumes_of
from collision_kit.core.mesh.triangle_mesh import TriangleMesh
from collision_kit.core.narrow_phase.mesh.orientation import orientation
from tests.helpers import mesh_zoo, part_meshes, zoo
from tests.helpers.mesh_zoo import box, hollow, inside_out, joined, moved, soup
from tests.helpers.offline import many

CUBE = moved(box(), (-1, -1, -1), 2.0)
SMALL = moved(box(), (-0.25, -0.25, -0.25), 0.5)
OVERLAPPING = moved(CUBE, (1.0, 0.5, 0.25))
# A box with all faces twice, once flipped, over the same vertices.
DOUBLE_SIDED = CUBE[0], np.concatenate([CUBE[1], CUBE[1][:, ::-1]])


def shared(mesh):
    """Vertices in the same place as one."""
    points, number = np.unique(mesh[0], axis=0, return_inverse=True)
    return points, number.reshape(-1)[mesh[1]]


def shuffled(mesh):
    return mesh[0], np.random.default_rng(3).permutation(mesh[1])


def given(mesh) -> ck.Meshes:
    return ck.Meshes.from_triangles([mesh])


def holds(mesh, *points) -> list[bool]:
    places = np.array(points, dtype=float)
    return ck.contains(given(mesh), ck.Spheres(places, np.zeros(len(places)))).tolist()


FORMS = [
    lambda mesh: mesh,
    shared,
    soup,
    shuffled,
    lambda mesh: shuffled(soup(mesh)),
    lambda mesh: shuffled(shared(mesh)),
]
EACH_FORM = pytest.mark.parametrize("form", FORMS, ids=["as it is", "shared", "soup", "any order", "soup*", "shared*"])


@EACH_FORM
@pytest.mark.parametrize("flips", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_overlapping_parts_are_a_union_whichever_way_they_face(form, flips):
    parts = [inside_out(part) if flip else part for part, flip in zip((CUBE, OVERLAPPING), flips, strict=True)]
    assert holds(form(joined(parts)), (0.5, 0.25, 0.12), (-0.5, 0, 0), (1.5, 0.5, 0.2), (3, 3, 3)) == [
        True,
        True,
        True,
        False,
    ]


@EACH_FORM
def test_a_box_with_all_faces_twice_is_a_solid(form):
    for mesh in (DOUBLE_SIDED, inside_out(DOUBLE_SIDED), joined([CUBE, inside_out(CUBE)])):
        mesh = form(mesh)
        assert sorted(np.bincount(shells_of(TriangleMesh(*mesh)))) == [12, 12]
        for inner in (
            ck.Boxes([[0, 0, 0]], [[0.1] * 3]),
            ck.Spheres([[0, 0, 0]], [0.1]),
            ck.Spheres([[0, 0, 0]], [0.0]),
        ):
            assert ck.classify(given(mesh), inner) == ck.Verdict.CONTAINED
            found = ck.distance(given(mesh), inner)
            assert ck.interference(given(mesh), inner) <= -found.distance
        assert ck.interference(given(mesh), given(SMALL)) == pytest.approx(1.25, rel=2e-3)


@EACH_FORM
def test_an_open_box_with_all_faces_twice_holds_nothing(form):
    mesh = form((CUBE[0], np.concatenate([CUBE[1][2:], CUBE[1][2:, ::-1]])))
    inner = ck.Boxes([[0.5, 0, 0]], [[0.1] * 3])
    assert not orientation(TriangleMesh(*mesh)).turned.any()
    assert ck.classify(given(mesh), inner) == ck.Verdict.SEPARATED
    assert ck.interference(given(mesh), inner) == ck.interference(inner, given(mesh)) == 0.0


@EACH_FORM
@pytest.mark.parametrize("whole", [False, True])
def test_a_cavity_stays_and_what_is_in_it_is_solid_however_it_faces(form, whole):
    island = moved(box(), (-0.125, -0.125, -0.125), 0.25)
    for part in (island, inside_out(island)):
        mesh = joined([hollow(), part])
        mesh = form(inside_out(mesh) if whole else mesh)
        assert holds(mesh, (1, 1, 1), (0.3, 0.3, 0.3), (0, 0, 0), (2, 2, 2)) == [True, False, True, False]
    hole = inside_out(hollow()) if whole else hollow()
    between = ck.Boxes([[0.3, 0.3, 0.3]], [[0.05] * 3])
    assert ck.distance(given(form(hole)), between).distance == pytest.approx(0.15)
    assert ck.interference(given(form(hole)), between) == 0.0


def test_a_part_in_a_solid_that_faces_outward_is_no_cavity():
    assert holds(joined([CUBE, SMALL]), (0, 0, 0), (0.5, 0.5, 0.5)) == [True, True]
    assert holds(inside_out(joined([CUBE, SMALL])), (0, 0, 0), (0.5, 0.5, 0.5)) == [True, True]


@EACH_FORM
def test_an_inverted_part_that_touches_the_surface_from_inside_is_turned(form):
    flush = moved(box(), (-0.25, -0.25, 0.5), 0.5)
    mesh = form(joined([CUBE, inside_out(flush)]))
    assert holds(mesh, (0, 0, 0.75), (0, 0, 0)) == [True, True]
    assert orientation(TriangleMesh(*mesh)).turned.sum() == 1


@EACH_FORM
@pytest.mark.parametrize("flips", [(0, 0), (0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize("place", [(2, 2, 0), (2, 0, 0), (2, 2, 2)], ids=["edge", "face", "vertex"])
def test_boxes_that_share_a_face_an_edge_or_a_vertex_are_two_shells(form, flips, place):
    parts = [inside_out(part) if flip else part for part, flip in zip((CUBE, moved(CUBE, place)), flips, strict=True)]
    mesh = form(joined(parts))
    assert holds(mesh, (0.1, 0.2, 0.3), np.add(place, (0.1, 0.2, 0.3)), (-2, 2, 2)) == [True, True, False]
    if flips != (1, 1):
        found = TriangleMesh(*mesh)
        assert sorted(volumes_of(found, shells_of(found))) == sorted(8.0 * (-1.0) ** flip for flip in flips)


def test_shells_are_turned_only_if_others_are_not():
    for mesh in (CUBE, hollow(), joined([CUBE, OVERLAPPING])):
        assert not orientation(TriangleMesh(*inside_out(mesh))).turned.any()
    found = orientation(TriangleMesh(*joined([CUBE, inside_out(OVERLAPPING), moved(hollow(), (9, 9, 9))])))
    assert found.turned.tolist() == [False, True, False, False]
    assert found.cavity_of.tolist() == [-1, -1, -1, 2]


def test_a_mesh_without_a_shell_to_turn_is_used_as_it_is():
    for mesh in (box(), hollow(), joined([CUBE, OVERLAPPING]), mesh_zoo.torus()):
        one = TriangleMesh(*mesh)
        assert orientation(one).mesh is one and not orientation(one).turned.any()


def test_features_are_those_of_the_given_triangles():
    rng = np.random.default_rng(8)
    mesh = joined([inside_out(CUBE), moved(CUBE, (1.5, 0.25, 0.5)), moved(inside_out(CUBE), (5, 5, 5))])
    mesh = mesh[0], rng.permutation(mesh[1])
    shape = given(mesh)
    place = rng.uniform(-1.5, 3.0, (200, 3))
    balls = ck.Spheres(place, np.full(200, 0.3))
    pairs = np.stack([np.zeros(200, dtype=int), np.arange(200)], axis=1)
    found = ck.contacts(shape, balls, pairs)
    assert len(found) > 50
    for kind, feature, point, depth, normal in zip(
        *found.feature_a.T, found.point, found.depth, found.normal, strict=True
    ):
        at = point - normal * -depth / 2.0
        one = TriangleMesh(*mesh)
        if kind == ck.FeatureKind.FACE:
            corner = mesh[0][mesh[1][feature]]
        elif kind == ck.FeatureKind.EDGE:
            corner = mesh[0][one.edges.vertices[feature]]
        else:
            corner = mesh[0][[feature]]
        low, high = corner.min(axis=0) - 1e-9, corner.max(axis=0) + 1e-9
        assert ((low <= at) & (at <= high)).all()


KINDS = pytest.mark.parametrize("make", [part_meshes.scattered, part_meshes.stacked])


def points_are_inside_the_union_of_the_parts(make, seed, count):
    for number, kit in enumerate(part_meshes.kits(np.random.default_rng(seed), count, make)):
        shape = given(kit.mesh)
        low, high = shape.bounds()
        points = np.random.default_rng(number).uniform(low - 0.1, high + 0.1, (200, 3))
        found = ck.contains(shape, ck.Spheres(points, np.zeros(len(points))))
        np.testing.assert_array_equal(found, kit.contains(points), f"kit {number}")


@KINDS
def test_points_are_inside_the_union_of_the_parts(make):
    points_are_inside_the_union_of_the_parts(make, 21, 12)


@pytest.mark.slow
@KINDS
def test_points_are_inside_the_union_of_the_parts_of_many_meshes(make):
    points_are_inside_the_union_of_the_parts(make, 22, many(60, 600))


def all_queries_answer_as_for_normals_outside(make, seed, count):
    rng = np.random.default_rng(seed)
    for kit in part_meshes.kits(rng, count, lambda rng: part_meshes.flawed(rng, make)):
        flawed, right = given(kit.mesh), given(kit.recalculated())
        low, high = right.bounds()
        size = np.append(rng.uniform(0.02, 0.4, 3), 0.01)
        place = np.append(rng.uniform(low - 0.2, high + 0.2, (3, 3)), part_meshes.canceled(rng, kit)[:1], axis=0)
        turn = zoo.rotations(rng, 4)
        others = [
            ck.Boxes(place, size[:, None] * np.ones(3), turn),
            ck.Spheres(place, size),
            ck.Meshes.from_triangles([moved(mesh_zoo.bracket(), (-0.1, -0.1, -0.05), 0.1)] * 4, place, turn),
        ]
        for other in others:
            for name in ("overlap", "contains", "classify"):
                query = getattr(ck, name)
                np.testing.assert_array_equal(query(flawed, other), query(right, other), name)
                np.testing.assert_array_equal(query(other, flawed), query(other, right), name)
            found, wanted = ck.distance(flawed, other), ck.distance(right, other)
            apart = wanted.distance > 0.0
            np.testing.assert_allclose(found.distance[apart], wanted.distance[apart], rtol=1e-9)
            assert (found.distance[~apart] <= 1e-12).all()
            deep = ck.interference(flawed, other)
            np.testing.assert_allclose(deep, ck.interference(right, other), rtol=3e-3, atol=3e-4)
            assert (deep[apart] == 0.0).all() and (deep[~apart] <= -found.distance[~apart] * (1.0 + 1e-9)).all()
            way = rng.normal(size=(4, 3))
            first, second = (ck.time_of_impact(each, other, velocity_b=way) for each in (flawed, right))
            np.testing.assert_array_equal(first.hit, second.hit)
            np.testing.assert_allclose(first.time, second.time, atol=1e-9)
            # The translation separates the pair, whatever its length.
            away = np.where(apart, 0.0, -found.distance)[:, None] * found.normal
            shifted = ck.Spheres(place + away, size) if isinstance(other, ck.Spheres) else None
            if shifted is not None:
                assert (ck.interference(right, shifted) <= 1e-6).all()


@KINDS
def test_all_queries_answer_as_for_normals_outside(make):
    all_queries_answer_as_for_normals_outside(make, 31, 1)


@pytest.mark.slow
@KINDS
def test_all_queries_answer_as_for_normals_outside_of_many_meshes(make):
    all_queries_answer_as_for_normals_outside(make, 32, many(6, 60))


@EACH_FORM
def test_a_triangle_that_is_one_point_inside_of_a_shell_changes_nothing(form):
    grain = np.array([[0.6, 0.6, 0.6]] * 3), np.array([[0, 1, 2]])
    # One of the two is turned, so that it is asked what is inside of what.
    mesh = form(joined([CUBE, inside_out(moved(CUBE, (9.0, 0.0, 0.0))), grain]))
    found = orientation(TriangleMesh(*mesh))
    assert volumes_of(found.mesh, found.shell).sum() == pytest.approx(16.0)
    assert holds(mesh, (0.0, 0.0, 0.0), (9.0, 0.0, 0.0), (4.0, 0.0, 0.0)) == [True, True, False]


@pytest.mark.parametrize(
    ("triangles", "shells"),
    [
        ([[0, 1, 2], [1, 0, 3]], [0, 0]),
        ([[0, 1, 2], [1, 0, 3], [0, 1, 4]], [0, 1, 2]),
        ([[0, 1, 2], [1, 0, 3], [0, 5, 1]], [0, 1, 2]),
    ],
    ids=["an edge of two", "an edge of three", "a sliver beside it"],
)
def test_open_edges_connect_only_the_two_triangles_that_have_them(triangles, shells):
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0, 1], [0.5, 0, 0]], dtype=float)
    assert shells_of(TriangleMesh(points, np.array(triangles))).tolist() == shells
