# SPDX-License-Identifier: GPL-3.0-or-later
"""Greatest distances of surfaces from other shapes: closed forms, dense samples, and unions by another library."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import mesh_zoo, zoo
from tests.helpers.surface_samples import apart, check, samples

BOUNDED = [kind for kind in ck.Kind if kind not in (ck.Kind.HALF_SPACE, ck.Kind.PLANE, ck.Kind.COMPOUND)]


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", BOUNDED)
def test_no_sample_of_a_surface_is_farther_than_the_bound(kind, maker):
    rng = np.random.default_rng([kind, *maker.encode()])
    for other in BOUNDED:
        shapes, target = zoo.MAKERS[maker](kind, rng, 1), zoo.MAKERS[maker](other, rng, 3)
        found = ck.greatest_distance(shapes, target, tolerance=0.01)
        sampled = samples(shapes, rng, 3000)
        check(found, sampled, apart([target], sampled), [target])
        if found.shape == 0:
            assert abs(ck.signed_distance(shapes, found.point[None])[0]) <= 1e-9


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("seed", range(6))
def test_of_a_union_no_sample_that_is_outside_of_the_others_is_farther(seed, maker):
    rng = np.random.default_rng([seed, *maker.encode()])
    batches = [zoo.MAKERS[maker](kind, rng, 2) for kind in rng.permutation(BOUNDED)[:4]]
    target = [zoo.MAKERS[maker](kind, rng, 2) for kind in rng.permutation(BOUNDED)[:2]]
    found = ck.greatest_distance(ck.World(batches), ck.World(target), tolerance=0.02, union=True)
    single = [batch.take([row]) for batch in batches for row in range(2)]
    solid = [not isinstance(one, ck.Triangles) and getattr(one, "solid", [True])[0] for one in single]
    kept = []
    for row, shape in enumerate(single):
        points = samples(shape, rng, 1500)
        others = [other for place, other in enumerate(single) if place != row and solid[place]]
        least = np.min([ck.signed_distance(other, points) for other in others], axis=0)
        # What is in a seam between two shapes is not looked for, nor slivers.
        kept.append(points[least > 0.02])
        if found.shape == row:
            assert np.min([ck.signed_distance(other, found.point[None]) for other in others]) >= -1e-9
    sampled = np.concatenate(kept)
    check(found, sampled, apart(target, sampled), target)


def test_closed_forms():
    box = ck.Boxes([0, 0, 0], [1, 2, 3])
    inner = ck.greatest_distance(ck.Boxes([0, 0, 0], [1, 2, 2.75]), box)
    assert (inner.distance, inner.shape) == (0.0, -1)
    assert ck.greatest_distance(box, ck.Boxes([0, 0, 0], [1, 2, 2.75])).distance == 0.25
    ball = ck.Spheres([0.5, 0, 0], 2.0)
    found = ck.greatest_distance(ball, ck.Spheres([0, 0, 0], 1.0))
    assert found.distance == pytest.approx(1.5, abs=0.01 * found.tolerance)
    np.testing.assert_allclose(found.point, [2.5, 0, 0], atol=0.05)
    # The corner of a cube is farthest from the ball inside of it.
    found = ck.greatest_distance(ck.Boxes([0, 0, 0], 1), ck.Spheres([0, 0, 0], 1))
    assert found.distance == pytest.approx(np.sqrt(3.0) - 1.0)
    # A surface has two sides, and a solid one.
    sheet = ck.Meshes.from_triangles([([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])])
    plate = ck.Boxes([0, 0, -0.5], [1, 1, 0.5])
    assert ck.greatest_distance(plate, sheet).distance == 1.0
    assert ck.greatest_distance(plate, ck.Boxes([0, 0, -5], [9, 9, 5])).distance == 0.0


def test_surfaces_between_shapes_that_touch_or_overlap_do_not_count():
    # Two halves of a bar around a wire: the faces in which they meet are far from it.
    wire = ck.Triangles([[[-2, 0, 0], [-2, 0.1, 0], [-2, 0, 0.1]]])
    halves = ck.Boxes([[-1, 0, 0], [1, 0, 0]], [1, 0.2, 0.2])
    whole = ck.Boxes([0, 0, 0], [2, 0.2, 0.2])
    assert ck.greatest_distance(halves, wire, union=True).distance == ck.greatest_distance(whole, wire).distance
    small, large = ck.Spheres([0, 0, 0], 0.5), ck.Boxes([0, 0, 0], 1)
    around = ck.Boxes([0, 0, 0], 1)
    cross = ck.World([small, large])
    hole = ck.Meshes.from_triangles([mesh_zoo.torus(24, 12)])
    # Inside the box nothing of the ball is surface, whatever it is compared with.
    for target in (hole, around, wire):
        assert ck.greatest_distance(cross, target, union=True).distance == pytest.approx(
            ck.greatest_distance(large, target).distance, abs=1e-3
        )
    # A box in a box, seen from the surface of a sheet in its middle.
    sheet = ck.Triangles([[[-1, -1, 0], [1, -1, 0], [1, 1, 0]], [[-1, -1, 0], [1, 1, 0], [-1, 1, 0]]])
    stacked = ck.Boxes([[0, 0, -0.05], [0, 0, 0.05]], [1, 1, 0.05])
    assert ck.greatest_distance(stacked, sheet, union=True).distance == pytest.approx(0.1)


def regions(rng, maker):
    """Shapes that a part of a surface may be within: of one kind, several kinds, with margins, and without an end."""
    some = [zoo.MAKERS[maker](kind, rng, 1) for kind in rng.permutation(BOUNDED)[:2]]
    normal = rng.normal(size=3)
    yield ck.Spheres(rng.normal(size=3), rng.uniform(0.3, 1.5))
    yield ck.World(some, margin=rng.uniform(0.05, 0.5, 2))
    yield ck.HalfSpaces(normal / np.linalg.norm(normal), 0.2)


def outside(shapes, points):
    """Return how far points are outside of the nearest of shapes, which may have margins."""
    rows = np.indices((len(shapes), len(points))).reshape(2, -1).T
    return ck.signed_distance(shapes, points, rows).reshape(len(shapes), -1).min(axis=0)


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", BOUNDED)
def test_only_what_is_within_counts(kind, maker):
    rng = np.random.default_rng([7, kind, *maker.encode()])
    shapes, target = zoo.MAKERS[maker](kind, rng, 1), zoo.MAKERS[maker](rng.permutation(BOUNDED)[0], rng, 2)
    sampled = samples(shapes, rng, 2000)
    value = apart([target], sampled)
    for within in regions(rng, maker):
        found = ck.greatest_distance(shapes, target, tolerance=0.02, within=within)
        away = outside(within, sampled)
        check(found, sampled, np.where(away <= 0.0, value, 0.0), [target])
        if found.shape == 0:
            assert outside(within, found.point[None])[0] <= 0.25 * found.tolerance + 1e-9
        area = ck.distance_map(shapes, target, threshold=0.1, within=within).beyond(0.1)
        assert 0.0 <= area.least <= area.area <= area.most


def test_closed_forms_of_what_is_within():
    # A floor of 4 x 2 that is 0.5 too high: of its upper face, the half that a ball reaches.
    floor, low = ck.Boxes([0, 0, 0], [2, 1, 0.5]), ck.Boxes([0, 0, -0.5], [2, 1, 0.5])
    half = ck.HalfSpaces([1, 0, 0], 0.25)
    top = ck.Boxes([0, 0, 0.5], [9, 9, 0.1])
    found = ck.coverage(floor, low, max_outside=0.45, within=top, tolerance=1e-3)
    assert found.outside.distance == pytest.approx(0.5)
    assert found.outside_area.least <= 8.0 + 12.0 * 0.05 <= found.outside_area.most
    assert found.outside_area.area == pytest.approx(8.0 + 12.0 * 0.05, rel=0.05)
    left = ck.distance_map(floor, low, threshold=0.45, within=half).beyond(0.45)
    assert left.area == pytest.approx(2.25 * 2.0 + (2.0 + 2.0 * 2.25) * 0.05, rel=0.03)
    # The wall that sticks out farthest is out of reach.
    wall = ck.Boxes([[0, 0, 0], [0, 5, 0]], [1, 0.2, 1])
    seen = ck.Boxes([[0, 0, 0], [0, 5, 0]], [[1, 0.15, 1], [1, 0.05, 1]])
    assert ck.coverage(wall, seen).outside.distance == pytest.approx(0.15)
    here = ck.coverage(wall, seen, within=ck.Spheres([0, 0, 0], 2.0)).outside
    assert (here.distance, here.shape) == (pytest.approx(0.05), 0)
    nowhere = ck.coverage(wall, seen, within=ck.Spheres([0, 50, 0], 2.0), max_outside=0.01)
    assert (nowhere.outside.distance, nowhere.outside.bound, nowhere.outside.shape) == (0.0, 0.0, -1)
    assert nowhere.outside_area.area == 0.0


def test_coverage_measures_both_ways():
    wall = ck.Hulls.from_points([[[x, y, z] for x in (-2, 2) for y in (-0.2, 0.2) for z in (-1, 1)]])
    found = ck.coverage(ck.Boxes([0.05, 0, 0], [2, 0.2, 1]), wall)
    assert found.outside.distance == pytest.approx(0.05)
    assert found.inside.distance == pytest.approx(0.05)
    assert found.outside.point[0] == pytest.approx(2.05)
    assert found.inside.point[0] == pytest.approx(-2.0)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_results_do_not_depend_on_scale_rotation_or_place(scale):
    rng = np.random.default_rng(3)
    turn, shift = zoo.rotations(rng, 1)[0], scale * rng.normal(size=3)
    hulls, mesh = zoo.generic(ck.Kind.HULL, rng, 4), zoo.generic(ck.Kind.MESH, rng, 1)
    here = ck.coverage(hulls, mesh)
    there = ck.coverage(zoo.placed(hulls, turn, scale, shift), zoo.placed(mesh, turn, scale, shift))
    for one, other in ((here.outside, there.outside), (here.inside, there.inside)):
        slack = 2e-3 * one.tolerance + one.bound - one.distance
        assert other.distance / scale == pytest.approx(one.distance, abs=slack)


def test_of_a_compound_each_part_counts():
    parts = [ck.Boxes([[-1, 0, 0], [1, 0, 0]], [1, 0.2, 0.2]), ck.Spheres([0, 1, 0], 0.5)]
    body = ck.Assemblies([parts, [ck.Spheres([9, 9, 9], 0.1)]])
    found = ck.greatest_distance(body.take([0]), ck.Boxes([0, 0, 0], [2, 0.2, 0.2]), union=True)
    assert found.distance == pytest.approx(1.3, abs=1e-4)
    assert found.shape == 0
    assert ck.greatest_distance(ck.Boxes([9, 9, 9], 1), body).distance == pytest.approx(np.sqrt(3.0) - 0.1, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_unions_of_hulls_are_those_of_another_library(seed):
    manifold3d = pytest.importorskip("manifold3d")
    rng = np.random.default_rng(seed)
    sets = [rng.uniform(-1.0, 1.0, 3) + 0.5 * rng.normal(size=(12, 3)) for _ in range(5)]
    hulls = ck.Hulls.from_points(sets)
    united = manifold3d.Manifold.batch_boolean(
        [manifold3d.Manifold.hull_points(points.astype(np.float64)) for points in sets], manifold3d.OpType.Add
    ).to_mesh64()
    surface = ck.Meshes.from_triangles([(united.vert_properties[:, :3], united.tri_verts)])
    target = ck.Spheres([0, 0, 0], 0.3)
    one = ck.greatest_distance(hulls, target, union=True)
    other = ck.greatest_distance(surface, target)
    assert one.bound >= other.distance - 1e-9
    assert other.bound >= one.distance - 1e-9
    sheet = zoo.generic(ck.Kind.TRIANGLE, rng, 2)
    one, other = ck.greatest_distance(hulls, sheet, union=True), ck.greatest_distance(surface, sheet)
    assert one.bound >= other.distance - 1e-9
    assert other.bound >= one.distance - 1e-9


def test_bad_input_is_named():
    box, ball = ck.Boxes([0, 0, 0], 1), ck.Spheres([0, 0, 0], 1)
    for value in (0.0, -1.0, np.inf):
        with pytest.raises(ValueError, match="tolerance"):
            ck.coverage(box, ball, tolerance=value)
    with pytest.raises(ValueError, match="target: no shape"):
        ck.greatest_distance(box, ck.World([]))
    with pytest.raises(ValueError, match="colliders: row 1 has a margin"):
        ck.coverage(ck.World([box, ball], margin=[0.0, 0.1]), ball)
    with pytest.raises(ValueError, match="within: no shape"):
        ck.coverage(box, ball, within=ck.World([]))
    with pytest.raises(ValueError, match="within: int"):
        ck.coverage(box, ball, within=3)
    with pytest.raises(ck.UnsupportedPair, match="visible: row 0 is unbounded"):
        ck.coverage(box, ck.HalfSpaces([0, 0, 1], 0))
