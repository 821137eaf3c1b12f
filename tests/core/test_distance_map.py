# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of distances, and areas beyond a threshold: single points, closed forms, and unions by another library."""

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from collision_kit.core.world.hausdorff import search
from tests.helpers import mesh_zoo, zoo
from tests.helpers.surface_samples import apart, samples

BOUNDED = [kind for kind in ck.Kind if kind not in (ck.Kind.HALF_SPACE, ck.Kind.PLANE, ck.Kind.COMPOUND)]
ROUND = {ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.CONE, ck.Kind.ELLIPSOID}


def between(found, rng, count):
    """Random points of random triangles of a map, and their triangles."""
    chosen = rng.integers(0, len(found), count)
    weight = rng.dirichlet(np.ones(3), count)
    return np.einsum("nk,nki->ni", weight, found.corners[chosen]), chosen


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", BOUNDED)
def test_single_points_are_between_the_bounds(kind, maker):
    rng = np.random.default_rng([kind, *maker.encode()])
    for other in rng.permutation(BOUNDED)[:3]:
        shapes, target = zoo.MAKERS[maker](kind, rng, 1), zoo.MAKERS[maker](other, rng, 3)
        found = ck.distance_map(shapes, target, resolution=0.1, threshold=0.3)
        assert len(found) and found.exposed.all() and not found.covered.any()
        slack = 1e-9 * (1.0 + np.abs(found.corners).max())
        some = rng.integers(0, len(found), 200)
        corners = apart([target], found.corners[some].reshape(-1, 3)).reshape(-1, 3)
        np.testing.assert_allclose(found.distance[some], corners, atol=slack)
        sampled = samples(shapes, rng, 1000)
        value = apart([target], sampled)
        assert value.max() <= found.most.max() + slack
        assert value.min() >= found.least.min() - slack
        if kind not in ROUND:
            points, chosen = between(found, rng, 500)
            value = apart([target], points)
            assert (found.least[chosen] - slack <= value).all()
            assert (value <= found.most[chosen] + slack).all()


def ellipsoid_area(axes):
    """The area of an ellipsoid by integration over an eighth of it."""
    a, b, c = axes

    def stretch(v, u):
        du = np.array([-a * np.sin(u) * np.sin(v), b * np.cos(u) * np.sin(v), 0.0])
        dv = np.array([a * np.cos(u) * np.cos(v), b * np.sin(u) * np.cos(v), -c * np.sin(v)])
        return np.linalg.norm(np.cross(du, dv))

    return 8.0 * dblquad(stretch, 0.0, np.pi / 2.0, 0.0, np.pi / 2.0, epsabs=1e-6)[0]


def test_areas_of_whole_surfaces():
    rng = np.random.default_rng(5)
    far = ck.Spheres([50, 0, 0], 1.0)

    def area(shapes):
        found = ck.distance_map(shapes, far, resolution=5.0)
        assert found.beyond(1e-9).least == pytest.approx(found.area.sum(), rel=1e-12)
        return found.area.sum()

    for _ in range(3):
        radius, height = rng.uniform(0.2, 2.0, 2)
        turn = zoo.rotations(rng, 1)[0]
        start = rng.normal(size=3)
        end = start + height * turn[:, 0]
        slant = np.hypot(radius, height)
        assert area(ck.Spheres(start, radius)) == pytest.approx(4 * np.pi * radius**2)
        round_ = 4 * np.pi * radius**2 + 2 * np.pi * radius * height
        assert area(ck.Capsules(start, end, radius)) == pytest.approx(round_)
        assert area(ck.Cylinders(start, end, radius)) == pytest.approx(2 * np.pi * radius * (radius + height))
        assert area(ck.Cones(start, end, radius)) == pytest.approx(np.pi * radius * (radius + slant))
        half = rng.uniform(0.2, 2.0, 3)
        assert area(ck.Boxes(start, half, turn)) == pytest.approx(8 * (half @ np.roll(half, 1)))
        points = rng.normal(size=(20, 3))
        assert area(ck.Hulls.from_points([points])) == pytest.approx(ConvexHull(points).area)
        axes = rng.uniform(0.5, 2.0, 3)
        expected = ellipsoid_area(axes)
        assert area(ck.Ellipsoids(start, axes, turn)) == pytest.approx(expected, rel=1e-4)


def test_areas_beyond_a_threshold_in_closed_form():
    def check(area, expected, total):
        assert area.least - 1e-9 <= expected <= area.most + 1e-9
        assert area.most - area.least <= 0.03 * expected
        assert area.area == pytest.approx(expected, rel=0.02)
        assert area.total == pytest.approx(total, rel=1e-3)
        assert area.share == area.area / area.total

    box = ck.Boxes([0, 0, 0], 1)
    # A higher box: both ends, and what of its sides is beyond.
    check(ck.distance_map(ck.Boxes([0, 0, 0], [1, 1, 1.25]), box, threshold=0.125).beyond(0.125), 10.0, 28.0)
    # Two boxes whose sides are in the same planes, in part the same ones.
    row = ck.Boxes([[0, 0, 0], [1.5, 0, 0]], 1)
    check(ck.distance_map(row, box, threshold=0.2, union=True).beyond(0.2), 4 + 8 * 1.3, 36.0)
    # Three in one place are as one.
    check(ck.distance_map(ck.Boxes(np.zeros((3, 3)), 1.5), box, threshold=0.4, union=True).beyond(0.4), 54.0, 54.0)
    # A cap of a sphere, of a height of 0.8.
    slab, ball = ck.Boxes([0, 0, -5], [9, 9, 5]), ck.Spheres([0, 0, 0], 1.0)
    check(ck.distance_map(ball, slab, threshold=0.2).beyond(0.2), 2 * np.pi * 0.8, 4 * np.pi)
    # What is inside of a solid, and what is far from a surface.
    sheet = ck.Triangles([[[-9, -9, 0], [9, -9, 0], [0, 9, 0]]])
    assert ck.distance_map(ball, ck.Boxes([0, 0, 0], 2), threshold=0.1).beyond(0.1).most == 0.0
    check(ck.distance_map(ball, sheet, threshold=0.2).beyond(0.2), 4 * np.pi * 0.8, 4 * np.pi)


@pytest.mark.parametrize("seed", range(2))
def test_areas_of_unions_of_hulls_are_those_of_another_library(seed):
    manifold3d = pytest.importorskip("manifold3d")
    rng = np.random.default_rng(seed)
    sets = [rng.uniform(-1.0, 1.0, 3) + 0.5 * rng.normal(size=(12, 3)) for _ in range(4)]
    solid = [manifold3d.Manifold.hull_points(points) for points in sets]
    united = manifold3d.Manifold.batch_boolean(solid, manifold3d.OpType.Add)
    exact, mesh = united.surface_area(), united.to_mesh64()
    surface = ck.Meshes.from_triangles([(mesh.vert_properties[:, :3], mesh.tri_verts)])
    target = ck.Spheres([0, 0, 0], 0.3)
    one = ck.distance_map(ck.Hulls.from_points(sets), target, threshold=0.8, union=True)
    assert one.area[one.exposed].sum() <= exact + 1e-6
    assert one.area.sum() >= exact - 1e-6
    assert one.beyond(0.8).total == pytest.approx(exact, rel=0.02)
    one, other = one.beyond(0.8), ck.distance_map(surface, target, threshold=0.8).beyond(0.8)
    assert one.least <= other.most + 1e-6
    assert other.least <= one.most + 1e-6
    assert one.area == pytest.approx(other.area, rel=0.03)


def test_a_dent_in_a_large_face_is_seen():
    level = ck.Meshes.from_triangles([dented_grid()])
    corner = np.array([[-5, -5], [5, -5], [5, 5], [-5, 5]])
    quad = ck.Triangles(np.c_[corner, np.zeros(4)][[[0, 1, 2], [0, 2, 3]]])
    found = ck.distance_map(quad, level, resolution=0.05 / 32)
    near = np.linalg.norm(found.corners[:, :, :2] - (2.0, 1.0), axis=2) < 0.35
    assert near.all(axis=1).sum() > 20
    assert found.distance[near].max() == pytest.approx(0.05, abs=0.05 / 32)
    assert found.distance[~near].max() < 1e-9
    assert found.area.sum() == pytest.approx(100.0)


def dented_grid():
    """A level grid of 10 m with a dent of 5 cm at (2, 1), 40 cm wide."""
    count = 101
    x, y = np.meshgrid(*[np.linspace(-5.0, 5.0, count)] * 2, indexing="ij")
    z = -0.05 * np.clip(2.0 - np.hypot(x - 2.0, y - 1.0) / 0.1, 0.0, 1.0)
    number = np.arange(count * count).reshape(count, count)
    a, b = number[:-1, :-1].ravel(), number[1:, :-1].ravel()
    c, d = number[1:, 1:].ravel(), number[:-1, 1:].ravel()
    return np.stack([x, y, z], axis=-1).reshape(-1, 3), np.concatenate([np.c_[a, b, c], np.c_[a, c, d]])


def test_what_coincides_and_what_has_no_area():
    mesh = ck.Meshes.from_triangles([mesh_zoo.torus(24, 12)])
    same = ck.distance_map(mesh, mesh, threshold=0.01)
    assert same.distance.max() < 1e-12 and same.beyond(0.01).most == 0.0
    line = ck.Triangles([[[0, 0, 0], [1, 0, 0], [2, 0, 0]]])
    found = ck.distance_map(line, ck.Spheres([0, 0, 0], 0.5), threshold=0.5)
    assert found.area.sum() == 0.0 and found.beyond(0.5).share == 0.0
    assert found.most.max() == pytest.approx(1.5)


def test_coverage_has_areas_where_thresholds_are_given():
    wall, collider = ck.Boxes([0, 0, 0], [2, 0.1, 1]), ck.Boxes([0, 0, 0], [2, 0.2, 1])
    found = ck.coverage(collider, wall, max_outside=0.05, max_inside=0.05)
    assert found.outside.distance == pytest.approx(0.1)
    # Both sides, and what of the four narrow faces is beyond.
    assert found.outside_area.area == pytest.approx(2 * 8 + 2 * 0.05 * 12, rel=0.02)
    assert (found.inside_area.area, found.inside_area.most) == (0.0, 0.0)
    found = ck.coverage(collider, wall, max_outside=0.2)
    assert found.outside_area.most == 0.0
    assert found.inside_area is None


def test_a_search_that_is_ended_has_a_bound_that_is_certain(monkeypatch):
    monkeypatch.setattr(search, "_MOST", 3000)
    # A sheet in two cylinders, through the line in which they touch.
    row = ck.Cylinders([[-1, 0, -2], [1, 0, -2]], [[-1, 0, 2], [1, 0, 2]], 1)
    sheet = ck.Triangles([[[-1, 0, -1], [1, 0, -1], [1, 0, 1]], [[-1, 0, -1], [1, 0, 1], [-1, 0, 1]]])
    found = ck.coverage(row, sheet, tolerance=1e-6).inside
    assert found.distance == 0.0
    assert found.tolerance < found.bound < 0.1
    points, triangles = dented_grid()
    moved = ck.Meshes.from_triangles([(points + np.array([0.013, 0.007, 0.0]), triangles)])
    level = ck.Meshes.from_triangles([(points, triangles)])
    found = ck.greatest_distance(level, moved, tolerance=1e-7)
    rng = np.random.default_rng(0)
    value = np.abs(ck.signed_distance(moved, samples(level, rng, 4000))).max()
    assert found.distance <= found.bound and value <= found.bound + 1e-9


def test_bad_input_is_named():
    box, ball = ck.Boxes([0, 0, 0], 1), ck.Spheres([0, 0, 0], 1)
    for value in (0.0, -1.0, np.inf):
        with pytest.raises(ValueError, match="resolution"):
            ck.distance_map(box, ball, resolution=value)
    for value in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match="threshold"):
            ck.distance_map(box, ball, threshold=value)
        with pytest.raises(ValueError, match="max_inside"):
            ck.coverage(box, ball, max_inside=value)
    with pytest.raises(ValueError, match="target: no shape"):
        ck.distance_map(box, ck.World([]))
