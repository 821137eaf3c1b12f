# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls with a budget keep it, hold what they must, and say truly how far they are from what they stand for."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial import ConvexHull, HalfspaceIntersection

import collision_kit.core as ck
from collision_kit.core import fit
from collision_kit.core.fit import hull as fit_hull
from collision_kit.core.fit.box import oriented_box_below
from collision_kit.core.fit.half_spaces import Removal
from collision_kit.core.fit.hull import enclosing
from collision_kit.core.fit.point_set import Cloud
from collision_kit.core.kernels import loading
from collision_kit.core.kernels import removal as removal_kernel
from tests.helpers import fit_sets, hull_certificate, mesh_files
from tests.helpers.fit_sets import CUBE, SETS, SOLIDS

LONG = ("many", "sphere", "ellipsoid", "small", "large", "far off", "disc")
BUDGETS = [{name: most} for name in ("vertices", "faces", "triangles") for most in (4, 11)] + [{"vertices": 30}]


def rng(seed=0):
    return np.random.default_rng(seed)


def counted(hull):
    vertices = len(hull.vertices)
    return {"vertices": vertices, "faces": len(hull.faces), "triangles": 2 * vertices - 4}


def standing_out(points, hull):
    """The greatest height above a face or, of a flat hull, beyond a side."""
    if hull.dimension == 3:
        return (points @ hull.normals.T - hull.offsets).max()
    corners = hull.points[hull.faces[0]]
    outward = np.cross(np.roll(corners, -1, axis=0) - corners, hull.normals[0])
    outward /= np.linalg.norm(outward, axis=1)[:, None]
    return ((points[:, None] - corners) * outward).sum(axis=2).max()


def from_hull(point, corners):
    """The distance of a point from the hull of corners, by non-negative least squares."""
    weight = 1e4 * np.ptp(corners, axis=0).max()
    system = np.concatenate([(corners - point).T, np.full((1, len(corners)), weight)])
    chosen = nnls(system, np.array([0.0, 0.0, 0.0, weight]))[0]
    return np.linalg.norm(chosen / chosen.sum() @ (corners - point))


@pytest.mark.parametrize("enclose", [True, False])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in [*SOLIDS, "flat", "flat on an axis"]],
)
def test_every_budget_is_kept(name, enclose):
    points = SETS[name](rng(1))
    hull = ck.convex_hull(points)
    for budget in BUDGETS[:: 1 if len(points) < 50 else 2]:
        ((kind, most),) = budget.items()
        made = fit.simplify_hull(hull, **budget, enclose=enclose)
        if name != "needle":  # its long thin faces are convex up to more than the certificate grants
            hull_certificate.check(made.hull)
        assert counted(made.hull)[kind] <= most and made.hull.dimension == hull.dimension
        if enclose:
            assert standing_out(points, made.hull) <= made.hull.tolerance
            assert made.protrusion <= made.hull.tolerance and made.volume_ratio >= 1 - 1e-12
        else:
            within = {tuple(row) for row in hull.points[hull.vertices]}
            assert all(tuple(row) in within for row in made.hull.points[made.hull.vertices])
            assert made.gap <= hull.tolerance and made.volume_ratio <= 1 + 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_lattice_points_are_held_exactly(seed):
    points = rng(seed).integers(-4, 5, (40, 3)).astype(float)
    made = fit.simplify_hull(points, faces=8).hull
    tolerance = Fraction(made.tolerance)
    corners = [fit_sets.exact(made.points[face[:3]]) for face in made.faces]
    for a, b, c in corners:
        u, v = fit_sets.minus(b, a), fit_sets.minus(c, a)
        normal = [u[i] * v[j] - u[j] * v[i] for i, j in ((1, 2), (2, 0), (0, 1))]
        size = fit_sets.dot(normal, normal)
        for point in fit_sets.exact(points):
            height = fit_sets.dot(normal, fit_sets.minus(point, a))
            # The first three corners span the face's plane up to four tolerances.
            assert height <= 0 or height**2 <= (8 * tolerance) ** 2 * size


@pytest.mark.parametrize("enclose", [True, False])
@pytest.mark.parametrize("name", ["normal", "ellipsoid", "lattice", "flat"])
def test_the_stated_errors_are_the_hausdorff_distances(name, enclose):
    points = SETS[name](rng(2))
    hull = ck.convex_hull(points)
    made = fit.simplify_hull(hull, vertices=6, enclose=enclose)
    ours, theirs = made.hull.points[made.hull.vertices], hull.points[hull.vertices]
    size = np.ptp(points, axis=0).max()
    assert made.gap == pytest.approx(max(from_hull(p, theirs) for p in ours), abs=1e-5 * size)
    assert made.protrusion == pytest.approx(max(from_hull(p, ours) for p in theirs), abs=1e-5 * size)


def test_a_hull_within_its_budget_stays_as_it_is():
    hull = ck.convex_hull(CUBE)
    for budget in ({"vertices": 8}, {"faces": 6}, {"triangles": 12}):
        made = fit.simplify_hull(hull, **budget)
        assert made.hull is hull and (made.volume_ratio, made.protrusion, made.gap) == (1.0, 0.0, 0.0)


def test_a_beveled_box_is_a_box_again():
    beveled = np.concatenate([CUBE * np.where(np.arange(3) == k, 1.0, 0.9) for k in range(3)]) * [1, 2, 3]
    turn = fit_sets.rotation(rng(3))
    made = fit.simplify_hull(beveled @ turn, faces=6)
    assert made.hull.volume == pytest.approx(48.0, rel=1e-9) and len(made.hull.faces) == 6


def test_the_cheapest_face_goes_first():
    # A cube with two corners cut off, one by more: with one face less, the smaller cut is made good.
    def cut(sign, depth):
        corner = np.full(3, sign)
        return [corner - sign * depth * axis for axis in np.eye(3)]

    points = np.array([*CUBE[1:-1], *cut(-1.0, 0.5), *cut(1.0, 0.2)])
    assert fit.simplify_hull(points, faces=7).hull.volume == pytest.approx(8.0 - 0.5**3 / 6.0, rel=1e-9)
    assert fit.simplify_hull(points, faces=6).hull.volume == pytest.approx(8.0, rel=1e-9)


def test_no_budget_is_worse_than_the_box_that_keeps_it():
    for name in ("normal", "needle"):
        points = SETS[name](rng(4))
        box = fit.fit_oriented_box(points)
        for budget in ({"vertices": 8}, {"faces": 6}):
            assert fit.simplify_hull(points, **budget).hull.volume <= box.volume * (1 + 1e-9)


@pytest.mark.parametrize("name", ["normal", "lattice", "needle", "small", "large", "far off"])
def test_a_box_is_searched_until_it_is_proved_to_be_no_smaller(name):
    cloud = Cloud.of(SETS[name](rng(10)))
    best = fit.fit_oriented_box(cloud.hull)
    assert oriented_box_below(cloud, cloud.hull.volume) is None
    assert oriented_box_below(cloud, best.volume * (1 - 1e-6)) is None
    found = oriented_box_below(cloud, best.volume * (1 + 1e-3))
    assert found is not None and found.volume == pytest.approx(best.volume, rel=1e-6)


@pytest.mark.parametrize("name", ["normal", "needle", "sphere"])
def test_a_box_that_is_known_leads_to_the_same_hull(name):
    hull = ck.convex_hull(SETS[name](rng(5)))
    for most in (8, 12):
        found = enclosing(hull, "vertices", most, fit.fit_oriented_box(hull))
        np.testing.assert_allclose(found.volume, enclosing(hull, "vertices", most).volume, rtol=1e-9)


@pytest.mark.parametrize("name", ["normal", "ellipsoid", "needle"])
def test_the_tetrahedron_is_the_smallest_of_all_rotations(name):
    hull = ck.convex_hull(SETS[name](rng(6)))
    points = hull.points[hull.vertices]
    corners = fit_hull._tetrahedron(points, points[:: max(1, len(points) // 6)])
    turned = fit_hull._turned_normals()
    height = (turned @ points.T).max(axis=2).sum(axis=1)
    # The heights of a regular tetrahedron's corners above the opposite faces are the sum of the four.
    side = np.linalg.norm(corners[:, None] - corners, axis=2)[np.triu_indices(4, 1)]
    np.testing.assert_allclose(side, height.min() * np.sqrt(1.5), rtol=1e-9)


def test_more_room_is_used():
    points = fit_sets.on_sphere(rng(5), 80)
    for enclose in (True, False):
        made = [fit.simplify_hull(points, vertices=most, enclose=enclose) for most in (8, 16, 30)]
        off = [one.gap + one.protrusion for one in made]
        assert off == sorted(off, reverse=True) and off[-1] < 0.5 * off[0]
    # A circumscribed polytope of so many faces: about as good as evenly spread ones, whose excess is near 4.8 / faces.
    assert fit.simplify_hull(points, faces=24).volume_ratio < 1.0 + 1.2 * 4.8 / 24


def volume_of(points):
    """The volume of the intersection that dual points stand for."""
    half_spaces = np.concatenate([points, np.full((len(points), 1), -1.0)], axis=1)
    return ConvexHull(HalfspaceIntersection(half_spaces, np.zeros(3)).intersections).volume


def steps(removal):
    """The dual points that are left after each step, with the volume that the kernel gives for the step."""
    dual, left = removal._dual, removal.left
    points = np.array(dual.points)
    yield points[left], 0.0
    while removal.leave(len(left) - 1):
        (gone,) = np.setdiff1d(left, removal.left)
        left = removal.left
        yield points[left], dual.volume[gone]


def grown(points):
    """The volume that each removal of one dual point adds, by Qhull; inf where the rest is not bounded."""
    whole, added = volume_of(points), []
    for place in range(len(points)):
        rest = np.delete(points, place, axis=0)
        bounded = len(rest) > 3 and (ConvexHull(rest).equations[:, 3] < -1e-6).all()
        added.append(volume_of(rest) - whole if bounded else np.inf)
    return np.array(added)


@pytest.mark.parametrize("count", [8, 14, 30])
@pytest.mark.parametrize("squash", [1.0, 0.02])
def test_each_step_removes_the_face_that_adds_the_least(count, squash):
    normals = fit_sets.on_sphere(rng(count), count) * [1.0, 1.0, squash]
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    removal = Removal(normals, 1.0 + 0.1 * rng(count).random(count))
    before, all_added = None, []
    for points, added in steps(removal):
        assert len(ConvexHull(points).vertices) == len(points)
        if before is not None:
            expected = grown(before)
            assert added == pytest.approx(expected.min(), rel=1e-5, abs=1e-9 * volume_of(before))
            assert volume_of(points) - volume_of(before) == pytest.approx(added, rel=1e-5, abs=1e-9 * volume_of(before))
        before = points
        all_added.append(added)
    assert len(all_added) > 4 - (count == 8) and np.isinf(grown(before)).all()


def test_the_triangles_stay_those_of_the_dual_hull():
    removal = Removal(fit_sets.on_sphere(rng(6), 60), np.ones(60))
    dual = removal._dual
    for points, _ in steps(removal):
        left = removal.left
        hull = ck.convex_hull(points)
        theirs = {frozenset(left[edge].tolist()) for edge in hull.edges}
        alive, seen = [dual.at[left[0]]], set()
        while alive:
            triangle = alive.pop()
            if triangle not in seen:
                seen.add(triangle)
                alive.extend(dual.neighbors[triangle].tolist())
        corners = dual.corners[sorted(seen)]
        sides = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2)
        ours = {frozenset(side) for side in sides.tolist()}
        assert ours == theirs and len(seen) == 2 * len(left) - 4
        assert all(vertex in dual.corners[dual.at[vertex]] for vertex in left)
    assert 4 <= len(left) <= 6


@pytest.mark.skipif(loading.mode != loading.COMPILED, reason="the kernels are not compiled")
@pytest.mark.parametrize("name", ["normal", "lattice", "needle", "sphere", "many"])
def test_compiled_and_interpreted_removal_give_the_same_bits(name, monkeypatch):
    points = SETS[name](rng(8))
    asked = [{"vertices": 8}, {"faces": 7}, {"triangles": 30}]
    compiled = [fit.simplify_hull(points, **one).hull.points.tobytes() for one in asked]
    calls = []

    def interpreted(*arguments):
        calls.append(1)
        return loading.SOURCES["removal.remove"](*arguments)

    monkeypatch.setattr(removal_kernel, "remove", interpreted)
    assert [fit.simplify_hull(points, **one).hull.points.tobytes() for one in asked] == compiled and calls


def test_copies_of_points_change_nothing():
    points = fit_sets.on_sphere(rng(9), 60)
    again = np.concatenate([points, points[::-1], points[:7]])
    for budget in ({"vertices": 10}, {"faces": 12}):
        once, twice = (fit.simplify_hull(one, **budget) for one in (points, again))
        assert twice.hull.volume == pytest.approx(once.hull.volume, rel=1e-9)


@pytest.mark.parametrize(
    "budget, message",
    [({}, "exactly one"), ({"vertices": 8, "faces": 6}, "exactly one"), ({"faces": 3}, "faces: 3, but at least 4")],
)
def test_bad_budgets_are_refused(budget, message):
    with pytest.raises(ValueError, match=message):
        fit.simplify_hull(CUBE, **budget)


def test_the_hull_is_the_tightest_fit():
    made = fit.fit_hull(SETS["normal"](rng(7)))
    assert made.volume == made.lower_bound == made.shape.geometry[0].volume


@pytest.mark.parametrize("file", ["rabbit.obj"])
def test_meshes_within_a_budget(data_dir, file):
    path = data_dir / "meshes" / file
    if not path.is_file():
        pytest.skip(f"no {path}")
    points = mesh_files.vertices(path)
    hull = ck.convex_hull(points)
    made = fit.simplify_hull(hull, vertices=32)
    assert len(made.hull.vertices) <= 32 and standing_out(points, made.hull) <= made.hull.tolerance
    assert made.volume_ratio < 1.1
