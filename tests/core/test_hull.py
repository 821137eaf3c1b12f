# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls against certificates, against Qhull and against exact arithmetic."""

import copy
import pickle
import weakref

import numpy as np
import pytest
from scipy.spatial import ConvexHull as Qhull

import collision_kit.core as ck
import collision_kit.core.hull.spatial as hull_module
from collision_kit.core import convex_hull, convex_hulls
from tests.helpers import mesh_files, zoo
from tests.helpers.hull_certificate import check, counts, same
from tests.helpers.offline import slow
from tests.helpers.point_sets import BOX, SETS, lattice, on_sphere, prism


def cross(a, b):
    """Of Python integers, which do not overflow."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def agrees_with_qhull(hull):
    """The same volume, area, extreme points and supporting planes as Qhull finds."""
    points = hull.points - hull.points.mean(axis=0)  # Qhull loses accuracy far from the origin
    theirs = Qhull(points)
    size, tolerance = np.ptp(points, axis=0).max(), 8.0 * hull.tolerance
    assert hull.volume == pytest.approx(theirs.volume, rel=1e-9, abs=hull.area * tolerance)
    assert hull.area == pytest.approx(theirs.area, rel=1e-9, abs=size * tolerance)
    offsets = hull.offsets - hull.normals @ hull.points.mean(axis=0)
    # Each of our planes supports their hull, and each of theirs ours.
    ours = points[hull.vertices]
    assert np.abs((points[theirs.vertices] @ hull.normals.T).max(axis=0) - offsets).max() <= tolerance
    planes = np.unique(theirs.equations, axis=0)
    assert np.abs((ours @ planes[:, :3].T).max(axis=0) + planes[:, 3]).max() <= tolerance
    # Vertices that only one of the two has are within rounding of the other's; coplanar extras, or equals.
    for extra, normals, limit in (
        (np.setdiff1d(theirs.vertices, hull.vertices), hull.normals, offsets),
        (np.setdiff1d(hull.vertices, theirs.vertices), planes[:, :3], -planes[:, 3]),
    ):
        if len(extra):
            height = points[extra] @ normals.T - limit
            assert np.abs(height.max(axis=1)).max() <= tolerance


@pytest.mark.parametrize("count", [2, *slow(12)])
@pytest.mark.parametrize("name", SETS)
def test_hulls_are_certified_and_equal_to_qhulls(name, count):
    rng = np.random.default_rng(7)
    sets = [SETS[name](rng) for _ in range(count)]
    for points, hull in zip(sets, convex_hulls(sets), strict=True):
        assert hull.dimension == 3
        assert np.array_equal(check(hull).points, points)
        agrees_with_qhull(hull)
        assert same(hull, convex_hull(points))


def test_hulls_of_real_meshes_are_certified_and_equal_to_qhulls(data_dir):
    paths = sorted((data_dir / "meshes").iterdir())
    assert len(paths) >= 11
    for path in paths:
        points = mesh_files.vertices(path)
        hull = check(convex_hull(points.astype(np.float64)))
        assert hull.dimension == 3, path.name
        agrees_with_qhull(hull)
        if points.dtype == np.float32:
            rounded = check(convex_hull(points))
            assert len(rounded.faces) <= len(hull.faces)
            assert rounded.volume == pytest.approx(hull.volume, rel=1e-6)


@pytest.mark.parametrize("seed", [0, 1, *slow(2, 3, 4)])
@pytest.mark.parametrize("scale", [1, 3, 1000])
def test_lattice_hulls_are_exact(scale, seed):
    """In integers: no point outside, every corner on its plane, every face complete, every vertex extreme."""
    rng = np.random.default_rng(seed)
    turn = np.array([[1, 2, 2], [2, 1, -2], [2, -2, 1]])  # three times an orthogonal matrix
    sets = [rng.integers(-reach, reach + 1, (rng.integers(8, 80), 3)) * scale for reach in (1, 2, 3, 5, 40)]
    sets += [lattice(*rng.integers(2, 5, 3)).astype(int) @ turn * scale + 10**6]
    for points, hull in zip(sets, convex_hulls(sets), strict=True):
        check(hull)
        distinct = points.astype(object)
        for face in hull.faces:
            a, b, c = distinct[face[:3]]
            normal = cross(b - a, c - a)
            height = (distinct - a) @ normal
            assert max(height) == 0 and all(height[face] == 0)
            # Whatever else lies in the plane of a face is inside the face.
            in_plane = distinct[height == 0]
            for start, end in zip(distinct[face], np.roll(distinct[face], -1, axis=0), strict=True):
                side = cross(normal, end - start)
                assert min((in_plane - start) @ side) >= 0
                # Corners are corners: only those two lie on the line of the edge.
                assert sum((distinct[face] - start) @ side == 0) == 2


@pytest.mark.parametrize("count", [2, *slow(20)])
@pytest.mark.parametrize(
    ("dtype", "offset"),
    [(np.float64, 0), (np.float64, 1e3), (np.float64, 1e6), (np.float32, 0), (np.float32, 1e3)],
)
def test_coplanar_points_computed_with_rounding_make_one_face(dtype, offset, count):
    rng = np.random.default_rng(3)
    for turn in zoo.rotations(rng, count):
        place = offset * rng.normal(size=3)
        for points, expected in [
            (BOX, (3, 8, 12, 6)),
            (lattice(7, 6, 5), (3, 8, 12, 6)),
            (prism(24, 4), (3, 48, 72, 26)),
            (lattice(9, 9, 1), (2, 4, 4, 2)),
            (prism(40, 2)[:40], (2, 40, 40, 2)),
            (lattice(30, 1, 1), (1, 2, 1, 0)),
        ]:
            hull = check(convex_hull((points @ turn + place).astype(dtype)))
            assert counts(hull) == expected


def test_box():
    hull = convex_hull(BOX)
    assert [face.tolist() for face in hull.faces] == [
        [0, 1, 3, 2], [0, 2, 6, 4], [0, 4, 5, 1], [1, 5, 7, 3], [2, 3, 7, 6], [4, 6, 7, 5]
    ]  # fmt: skip
    assert hull.normals.tolist() == [[-1, 0, 0], [0, 0, -1], [0, -1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert hull.offsets.tolist() == [1.0] * 6
    assert (hull.volume, hull.area, hull.centroid.tolist()) == (8.0, 24.0, [0.0, 0.0, 0.0])
    assert not np.signbit(hull.normals[hull.normals == 0.0]).any()
    assert repr(hull) == "ConvexHull(dimension=3, points=8, vertices=8, edges=12, faces=6, volume=8)"


@pytest.mark.parametrize(
    ("points", "expected", "area", "centroid"),
    [
        ([[1, 2, 3]], (0, 1, 0, 0), 0, [1, 2, 3]),
        ([[0, 0, 0]] * 5, (0, 1, 0, 0), 0, [0, 0, 0]),
        ([[1, 1, 1], [3, 3, 3], [2, 2, 2], [1, 1, 1]], (1, 2, 1, 0), 0, [2, 2, 2]),
        ([[0, 0, 5], [4, 0, 5], [0, 4, 5], [1, 1, 5]], (2, 3, 3, 2), 16, [4 / 3, 4 / 3, 5]),
        ([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 0, 0], [1, 1, 0]], (2, 4, 4, 2), 8, [1, 1, 0]),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], (3, 4, 6, 4), 1.5 + 0.75**0.5, [0.25, 0.25, 0.25]),
    ],
)
def test_every_dimension(points, expected, area, centroid):
    hull = check(convex_hull(points))
    assert counts(hull) == expected
    assert hull.area == pytest.approx(area) and hull.centroid == pytest.approx(np.array(centroid))


def test_duplicates_are_named_by_the_lowest_index():
    hull = check(convex_hull(np.concatenate((BOX[::-1], BOX, BOX))))
    assert hull.vertices.tolist() == list(range(8))
    assert convex_hull([[1, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]]).vertices.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "points: empty"),
        (np.zeros((0, 3)), "points: empty"),
        ([[1, 2]], r"points: shape \(1, 2\)"),
        ([1, 2, 3], r"points: shape \(3,\)"),
        ([[0, 0, 0], [0, np.nan, 0]], "points: row 1 is not finite"),
        ([[0, 0, 0], [0, 0, 0], [0, 0, -np.inf]], "points: row 2 is not finite"),
        ([[0, 0, 0], [1, 2]], "points: not an array of numbers"),
        ([[0, 0, 1j]], "points: not an array of numbers"),
        ("points", "points: not an array of numbers"),
    ],
)
def test_bad_input_is_named(points, message):
    with pytest.raises(ValueError, match=message):
        convex_hull(points)
    with pytest.raises(ValueError, match=message.replace("points", r"points\[1\]", 1)):
        convex_hulls([BOX, points])


@pytest.mark.parametrize("scale", [1e307, 1e160, 1e-160, 1e-280])
def test_scales_at_the_ends_of_float64(scale):
    turn = zoo.rotations(np.random.default_rng(31), 1)[0]
    for points in (BOX, BOX @ turn, prism(30, 3) @ turn):
        hull = check(convex_hull(points * scale))
        assert [face.tolist() for face in hull.faces] == [face.tolist() for face in convex_hull(points).faces]
        assert hull.normals == pytest.approx(convex_hull(points).normals, abs=1e-14)
        image = check(hull.transformed(np.diag([1.0, -0.5, 0.25])))
        assert np.array_equal(image.edges, hull.edges)
    assert convex_hull([[0, 0, 0], [5e-324, 0, 0]]).dimension == 0  # no scale can tell these apart


def test_hulls_of_a_call_are_computed_together_when_one_is_asked_about(monkeypatch):
    rng = np.random.default_rng(5)
    calls = []
    whole = hull_module.kernel.convex_hulls
    monkeypatch.setattr(hull_module.kernel, "convex_hulls", lambda *given: calls.append(1) or whole(*given))
    hulls = convex_hulls(list(rng.normal(size=(6, 20, 3))))
    dropped = weakref.ref(hulls.pop())
    assert dropped() is None
    assert not calls
    assert hulls[3].volume > 0.0
    assert all(len(hull.faces) for hull in hulls)
    assert len(calls) == 1
    with pytest.raises(AttributeError):
        hulls[0].nothing  # noqa: B018


def test_small_hulls_overlap_and_are_measured_before_their_faces_are_known():
    rng = np.random.default_rng(6)
    hulls = ck.Hulls.from_points(list(rng.normal(size=(40, 12, 3))), rng.uniform(-2.0, 2.0, (40, 3)))
    rows = np.array([(i, j) for i in range(40) for j in range(i)])
    verdict, found = ck.overlap(hulls, hulls, rows), ck.distance(hulls, hulls, rows)
    assert not any("faces" in vars(hull) for hull in hulls.geometry)
    assert all(len(hull.faces) for hull in hulls.geometry)
    again = ck.Hulls(hulls.geometry, hulls.index, hulls.translation)
    np.testing.assert_array_equal(verdict, ck.overlap(again, again, rows))
    np.testing.assert_allclose(found.distance, ck.distance(again, again, rows).distance, atol=1e-14)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda hull: pickle.loads(pickle.dumps(hull))])
def test_a_copy_of_a_hull_has_all_of_it(copied):
    hull = convex_hull(np.random.default_rng(7).normal(size=(20, 3)))
    other = copied(hull)
    assert same(hull, other)


def test_no_sets_make_no_hulls():
    assert convex_hulls([]) == []


@pytest.mark.parametrize("scale", [1e-9, 7.0, *slow(1e-3, 1e9)])
@pytest.mark.parametrize("name", ["normal", "sphere", "lattice", "turned lattice", "turned prism"])
def test_rigid_motions_and_scales_change_no_topology(name, scale):
    rng = np.random.default_rng(11)
    sets = [SETS[name](rng) for _ in range(10)]
    turns = zoo.rotations(rng, len(sets))
    moved = [(points @ turn.T + rng.normal(size=3)) * scale for points, turn in zip(sets, turns, strict=True)]
    for before, after, turn in zip(convex_hulls(sets), convex_hulls(moved), turns, strict=True):
        assert [face.tolist() for face in before.faces] == [face.tolist() for face in after.faces]
        assert np.array_equal(before.edges, after.edges) and np.array_equal(before.edge_faces, after.edge_faces)
        assert after.normals == pytest.approx(before.normals @ turn.T, abs=1e-9)
        assert after.volume == pytest.approx(before.volume * scale**3, rel=1e-9)
        assert after.area == pytest.approx(before.area * scale**2, rel=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_affine_images_keep_their_topology(name):
    rng = np.random.default_rng(13)
    for _ in range(6):
        hull = convex_hull(SETS[name](rng))
        linear = zoo.rotations(rng, 1)[0] * rng.choice([-1.0, 1.0], 3) * rng.uniform(0.3, 3.0, 3)
        image = check(hull.transformed(linear))
        assert np.allclose(image.points, hull.points @ linear.T, rtol=1e-14, atol=0.0)
        assert image.volume == pytest.approx(hull.volume * abs(np.linalg.det(linear)), rel=1e-6)
        if name not in ("far off", "needle", "near plane"):  # there the rounding of the image decides
            assert np.array_equal(image.vertices, hull.vertices) and np.array_equal(image.edges, hull.edges)
            assert sorted(map(len, image.faces)) == sorted(map(len, hull.faces))


def test_images_of_solids_are_not_built_anew(monkeypatch):
    hulls = [convex_hull(SETS[name](np.random.default_rng(29))) for name in ("normal", "lattice", "turned prism")]
    monkeypatch.setattr(hull_module, "_hulls", None)
    for hull in hulls:
        for linear in (np.eye(3), -np.eye(3), np.diag([1.0, 2.0, -3.0])):
            check(hull.transformed(linear))


def test_a_reflection_turns_faces_around():
    hull = check(convex_hull(BOX).transformed(np.diag([-1.0, 1.0, 2.0])))
    assert counts(hull) == (3, 8, 12, 6)
    assert hull.volume == 16.0
    right = [face.tolist() for face in hull.faces].index([0, 2, 3, 1])
    assert hull.normals[right].tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("diagonal", "expected"),
    [
        ([1.0, 1.0, 0.0], (2, 4, 4, 2)),
        ([1.0, 1.0, 1e-17], (2, 4, 4, 2)),
        ([1.0, 1e-17, 0.0], (1, 2, 1, 0)),
        ([0.0, 0.0, 0.0], (0, 1, 0, 0)),
        ([1.0, 1.0, 1e-9], (3, 8, 12, 6)),
    ],
)
def test_singular_images_lose_dimensions(diagonal, expected):
    turn = zoo.rotations(np.random.default_rng(17), 1)[0]
    for linear in (np.diag(diagonal), turn * diagonal):
        assert counts(check(convex_hull(BOX).transformed(linear))) == expected


@pytest.mark.parametrize("points", [[[1, 2, 3]], [[1, 1, 1], [3, 3, 3]], BOX[:4]])
def test_images_of_flat_hulls(points):
    hull = convex_hull(points)
    image = check(hull.transformed(np.diag([2.0, -3.0, 4.0])))
    assert counts(image) == counts(hull) and np.array_equal(image.vertices, hull.vertices)


def test_images_are_moved_after_they_are_turned():
    turn, offset = zoo.rotations(np.random.default_rng(3), 1)[0], np.array([10.0, -2.0, 0.5])
    hull = convex_hull(BOX)
    image = check(hull.transformed(turn, offset))
    assert np.array_equal(image.points, hull.points @ turn.T + offset)
    assert counts(image) == counts(hull) and image.volume == pytest.approx(hull.volume)
    with pytest.raises(ValueError, match="translation"):
        hull.transformed(turn, [0.0, np.inf, 0.0])


@pytest.mark.parametrize("linear", [np.eye(2), np.full((3, 3), np.nan), np.eye(3)[None]])
def test_a_bad_matrix_is_named(linear):
    with pytest.raises(ValueError, match="linear"):
        convex_hull(BOX).transformed(linear)


@pytest.mark.parametrize("thousands", [20, *slow(200)])
def test_many_points(thousands):
    rng = np.random.default_rng(19)
    for points, faces in (
        (rng.random((1000 * thousands, 3)), None),
        (on_sphere(rng, 100 * thousands), 200 * thousands - 4),
        (lattice(20, 50, thousands) @ zoo.rotations(rng, 1)[0], 6),
    ):
        hull = convex_hull(points)
        assert faces in (None, len(hull.faces))
        theirs = Qhull(points)
        assert hull.volume == pytest.approx(theirs.volume, rel=1e-12)
        for begin in range(0, len(hull.faces), 500):
            height = hull.normals[begin : begin + 500] @ points[theirs.vertices].T
            assert (height.max(axis=1) <= hull.offsets[begin : begin + 500] + hull.tolerance).all()
