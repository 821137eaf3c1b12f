# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of a fit are true; the best primitive is chosen by the rule that is stated; loose parts."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from collision_kit.core import fit
from tests.helpers import fit_sets, mesh_files
from tests.helpers.fit_sets import CUBE, SETS
from tests.helpers.triangle_meshes import BOX, torus


def rng(seed=0):
    return np.random.default_rng(seed)


def on_surface(shape, count, source):
    """Random points of the surface of a shape."""
    direction = fit_sets.on_sphere(source, count)
    if isinstance(shape, ck.Spheres):
        return shape.center[0] + shape.radius[0] * direction
    if isinstance(shape, ck.Boxes):
        local = source.uniform(-1.0, 1.0, (count, 3))
        local[np.arange(count), source.integers(0, 3, count)] = source.choice([-1.0, 1.0], count)
        return local * shape.half_extents[0] @ shape.rotation[0].T + shape.center[0]
    if isinstance(shape, ck.Hulls):
        hull = shape.geometry[shape.index[0]]
        triangles = np.array([(f[0], f[i], f[i + 1]) for f in hull.faces for i in range(1, len(f) - 1)])
        weight = source.dirichlet(np.ones(3), count)
        return (hull.points[triangles[source.integers(0, len(triangles), count)]] * weight[:, :, None]).sum(axis=1)
    start, along = shape.start[0], shape.end[0] - shape.start[0]
    if isinstance(shape, ck.Capsules):
        end = direction @ along > 0.0
        place = start + np.where(source.random(count) < 0.5, end, source.random(count))[:, None] * along
        axis = along / np.linalg.norm(along)
        middle = (place != start).any(axis=1) & (place != start + along).any(axis=1)
        direction[middle] -= (direction[middle] @ axis)[:, None] * axis
        return place + shape.radius[0] * direction / np.linalg.norm(direction, axis=1)[:, None]
    axis = along / np.linalg.norm(along)
    across = direction - (direction @ axis)[:, None] * axis
    across /= np.linalg.norm(across, axis=1)[:, None]
    t = np.where(source.random(count) < 0.5, source.random(count), source.integers(0, 2, count))
    reach = np.where((t > 0) & (t < 1), 1.0, source.random(count))
    return start + t[:, None] * along + (reach * shape.radius[0])[:, None] * across


SHAPES = {
    "sphere": ck.Spheres([[0, 0, 0.2]], [1.5]),
    "box": ck.Boxes([[0.1, 0, 0]], [[1.5, 1.2, 1.1]], fit_sets.rotation(rng(0))[None]),
    "capsule": ck.Capsules([[0, 0, -1]], [[0.5, 0, 1]], [1.3]),
    "cylinder": ck.Cylinders([[0, 0, -1.5]], [[0.2, 0.1, 1.5]], [1.7]),
    "hull": ck.Hulls.from_points([rng(1).normal(size=(30, 3)) * 1.5]),
}


@pytest.mark.parametrize("meshed", [True, False])
@pytest.mark.parametrize("name", SHAPES)
def test_the_gap_is_what_samples_come_near_to(name, meshed):
    shape = SHAPES[name]
    made = fit.fit_quality(shape, CUBE, BOX if meshed else None)
    points = on_surface(shape, 20_000, rng(2))
    # The distance from the surface of the cube, written down.
    over = np.abs(points) - 1.0
    outside = np.linalg.norm(np.maximum(over, 0.0), axis=1)
    far = np.where((over > 0).any(axis=1), outside, -over.max(axis=1)).max()
    assert far <= made.gap + made.gap_error
    assert made.gap <= far * 1.05 + 0.02
    assert made.gap_error < 0.15
    # A corner of the cube is what sticks out most.
    corners = ck.distance(ck.Spheres(CUBE, np.zeros(8)), shape).distance
    assert made.protrusion == pytest.approx(max(corners.max(), 0.0), rel=1e-9)


def test_known_gaps_and_volumes():
    sphere = fit.fit_quality(ck.Spheres([[0, 0, 0]], [np.sqrt(3.0)]), CUBE, BOX)
    assert sphere.volume == pytest.approx(4 / 3 * np.pi * 3**1.5)
    assert sphere.hull_ratio == sphere.mesh_ratio == pytest.approx(sphere.volume / 8)
    assert sphere.gap <= np.sqrt(3) - 1 <= sphere.gap + sphere.gap_error
    assert sphere.protrusion == 0.0
    small = fit.fit_quality(ck.Spheres([[0, 0, 0]], [0.5]), CUBE)
    assert small.protrusion == pytest.approx(np.sqrt(3) - 0.5)
    assert small.gap <= 1 - 0.5 / np.sqrt(3) <= small.gap + small.gap_error
    box = fit.fit_quality(ck.Boxes([[0, 0, 0]], [[2, 1, 1]]), CUBE)
    assert (box.gap, box.gap_error, box.volume, box.hull_ratio) == (1.0, 0.0, 16.0, 2.0)
    same = fit.fit_quality(ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), CUBE, BOX)
    assert same.gap <= 1e-12 and same.gap_error < 0.05 and same.mesh_ratio == 1.0


def test_an_inner_hull_sticks_in():
    points = fit_sets.on_sphere(rng(3), 60)
    simple = fit.simplify_hull(points, vertices=10, enclose=False)
    made = fit.fit_quality(ck.Hulls([simple.hull], [0]), points)
    assert made.protrusion == pytest.approx(simple.protrusion, rel=1e-9)
    assert made.hull_ratio == pytest.approx(simple.volume_ratio)
    assert made.gap > 0.0


def test_the_gap_of_a_hull_over_a_hole():
    points, triangles = torus()
    made = fit.fit_quality(fit.fit_hull(points).shape, points, triangles)
    # The lid over the hole, level with the top of the tube, is farthest from the tube in the middle of the hole.
    # (On a round torus sqrt(5) - 1; this one has sixteen sides each way.)
    assert made.gap == pytest.approx(np.hypot(2.0, 1.0) - 1.0, rel=0.03) and made.gap_error < 0.02
    assert made.mesh_ratio > made.hull_ratio == 1.0


def test_an_open_mesh_has_no_volume():
    assert np.isnan(fit.fit_quality(ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), CUBE, BOX[:-1]).mesh_ratio)
    flat = fit.fit_quality(ck.Spheres([[0, 0, 0]], [3.0]), CUBE * [1, 1, 0])
    assert flat.hull_ratio == np.inf and flat.protrusion == 0.0 and np.isfinite(flat.gap)


def test_bad_questions_are_refused():
    with pytest.raises(ValueError, match="2 rows"):
        fit.fit_quality(ck.Spheres(np.zeros((2, 3)), [1, 1]), CUBE)
    with pytest.raises(ValueError, match="given with a hull"):
        fit.fit_quality(ck.Spheres(np.zeros((1, 3)), [1]), ck.convex_hull(CUBE), BOX)
    with pytest.raises(ValueError, match="cannot be fitted"):
        fit.best_primitive(CUBE, kinds=[ck.Kind.MESH])
    with pytest.raises(ValueError, match="empty"):
        fit.best_primitive(CUBE, kinds=[])
    with pytest.raises(ValueError, match="within"):
        fit.best_primitive(CUBE, within=-0.1)


def domes():
    half = fit_sets.on_sphere(rng(4), 500)
    return half + np.where(half[:, 2:] > 0, 2.0, -2.0) * [0, 0, 1]


WHAT = {
    ck.Kind.SPHERE: lambda: fit_sets.on_sphere(rng(5), 300),
    ck.Kind.CAPSULE: domes,
    ck.Kind.BOX: lambda: CUBE * [1, 2, 3],
    ck.Kind.CYLINDER: lambda: fit_sets.prism(40, 2.0),
    ck.Kind.HULL: lambda: fit_sets.TETRAHEDRON,
}


@pytest.mark.parametrize("kind", WHAT)
def test_what_it_is_is_what_is_chosen(kind):
    choice = fit.best_primitive(WHAT[kind]() @ fit_sets.rotation(rng(6)))
    assert choice.kind == kind == choice.fit.kind
    assert list(choice.fits) == list(fit.SIMPLEST_FIRST)


def test_a_limited_hull_contains_the_points_and_is_compared_by_its_own_volume():
    """A ball of many vertices: the hull is smallest, but one of few vertices is larger than the sphere."""
    points = rng(8).normal(size=(400, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    assert fit.best_primitive(points, within=0.01).kind == ck.Kind.HULL
    choice = fit.best_primitive(points, within=0.01, vertices=12)
    assert choice.kind == ck.Kind.SPHERE
    few = choice.fits[ck.Kind.HULL]
    hull = few.shape.geometry[0]
    assert len(hull.vertices) <= 12 and few.volume == hull.volume > choice.fit.volume > few.lower_bound
    normal, offset = ConvexHull(hull.points).equations[:, :3], ConvexHull(hull.points).equations[:, 3]
    assert (points @ normal.T + offset).max() < 1e-9
    with pytest.raises(ValueError, match="vertices"):
        fit.best_primitive(points, vertices=3)


@pytest.mark.parametrize("name", ["normal", "flat", "collinear", "one point", "prism", "needle"])
@pytest.mark.parametrize("kinds", [fit.SIMPLEST_FIRST, (ck.Kind.BOX, ck.Kind.SPHERE)])
def test_the_rule_is_the_one_stated(name, kinds):
    choice = fit.best_primitive(SETS[name](rng(7)), kinds, within=0.3)
    volumes = {kind: one.volume for kind, one in choice.fits.items()}
    assert set(volumes) == set(kinds) and choice.within == 0.3
    least = min(volumes.values())
    good = [kind for kind in fit.SIMPLEST_FIRST if kind in volumes and volumes[kind] <= 1.3 * least]
    assert choice.kind == good[0] and volumes[choice.least] == least
    assert choice.score(choice.least) == 1.0 and choice.score(choice.kind) <= 1.3


@pytest.mark.parametrize("kind", fit.SIMPLEST_FIRST)
def test_many_at_once_are_as_one_by_one(kind):
    sets = [SETS[name](rng(8)) for name in ("normal", "flat", "turned box")]
    alone = [fit.best_primitive(one, [kind]).fit for one in sets]
    together = fit.fit_each(kind, [sets[0], ck.convex_hull(sets[1]), sets[2]])
    assert [one.volume for one in together] == [one.volume for one in alone]


def parts_by_flooding(points, triangles):
    """Connected sets of triangles, one triangle after another."""
    names = {}
    welded = [[names.setdefault(tuple(points[v]), len(names)) for v in t] for t in triangles]
    left, parts = set(range(len(triangles))), []
    while left:
        part, waiting = set(), [min(left)]
        while waiting:
            one = waiting.pop()
            if one in left:
                left.discard(one)
                part.add(one)
                waiting += [other for other in left if set(welded[other]) & set(welded[one])]
        parts.append(sorted(part))
    return parts


def test_loose_parts():
    tube, around = torus()
    points = np.concatenate([CUBE, tube + 5.0, CUBE * 0.5 + 20.0, [[9.0, 9.0, 9.0]]])
    triangles = np.concatenate([BOX, around + 8, BOX + 8 + len(tube)])
    shuffled = rng(9).permutation(len(triangles))
    triangles = triangles[shuffled]
    parts = fit.loose_parts(points, triangles)
    found = sorted(part.triangle_index.tolist() for part in parts)
    assert found == sorted(parts_by_flooding(points, triangles)) and len(parts) == 3
    for part in parts:
        assert np.array_equal(part.points, points[part.point_index])
        assert np.array_equal(part.point_index[part.triangles], triangles[part.triangle_index])
    assert [part.point_index[0] for part in parts] == [0, 8, 8 + len(tube)]


def test_seams_are_no_gaps():
    split = CUBE[BOX].reshape(-1, 3)
    (part,) = fit.loose_parts(split, np.arange(36).reshape(-1, 3))
    assert len(part.points) == 36 and len(part.triangles) == 12
    with pytest.raises(ValueError, match="triangle is needed"):
        fit.loose_parts(CUBE, np.empty((0, 3), np.int64))


@pytest.mark.slow
def test_the_quality_of_a_mesh(data_dir):
    path = data_dir / "meshes" / "fandisk.obj"
    if not path.is_file():
        pytest.skip(f"no {path}")
    points, triangles = mesh_files.vertices(path), mesh_files.triangles(path)
    shape = fit.fit_oriented_box(points).shape
    made = fit.fit_quality(shape, points, triangles)
    surface = ck.Meshes.from_triangles([(points, triangles)], solid=False)
    samples = on_surface(shape, 2000, rng(10))
    far = ck.distance(ck.Spheres(samples, np.zeros(2000)), surface).distance.max()
    assert far <= made.gap + made.gap_error and made.gap <= far * 1.1
    assert made.protrusion == 0.0 and made.mesh_ratio > made.hull_ratio > 1.0
