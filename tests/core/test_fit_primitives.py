# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits hold every point, exactly, and nothing smaller is found in other ways."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import collision_kit.core as ck
from collision_kit.core import fit
from collision_kit.core.fit import interior_point
from collision_kit.core.fit.box import EdgePairs, _EdgeBoxes
from collision_kit.core.fit.result import least_balls
from tests.helpers import fit_sets, mesh_files
from tests.helpers.fit_sets import CUBE, ICOSAHEDRON, OCTAHEDRON, SETS, SOLIDS, TETRAHEDRON, holds_exactly
from tests.helpers.offline import by_turns, slow

FITS = [fit.fit_sphere, fit.fit_box, fit.fit_oriented_box, fit.fit_capsule, fit.fit_cylinder]
CELLS = [pytest.param(fitted, name, id=f"{fitted.__name__}-{name}") for fitted, name in itertools.product(FITS, SETS)]


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(("fitted", "name"), by_turns(CELLS, 3, 0))
def test_every_point_is_held_exactly(fitted, name):
    points = SETS[name](rng(1))
    made = fitted(points)
    assert len(made.shape) == 1 and holds_exactly(made.shape, points)
    assert made.volume == pytest.approx(fit.shape_volume(made.shape), rel=1e-12)
    hull = ck.convex_hull(points)
    assert hull.volume <= made.lower_bound <= made.volume * (1 + 1e-12)


@settings(max_examples=25, deadline=None)
@given(arrays(np.int64, st.tuples(st.integers(1, 14), st.just(3)), elements=st.integers(-3, 3)), st.sampled_from(FITS))
def test_lattices_are_held_exactly(points, fitted):
    made = fitted(points)
    assert holds_exactly(made.shape, points.astype(float))
    assert np.isfinite(made.volume) and made.lower_bound <= made.volume * (1 + 1e-12)


@pytest.mark.parametrize("fitted", FITS)
def test_a_hull_gives_what_its_points_give(fitted):
    points = SETS["normal"](rng(2))
    a, b = fitted(points), fitted(ck.convex_hull(points))
    assert a.volume == b.volume and a.kind == b.kind


@pytest.mark.parametrize("name", ["normal", "turned box"])
@pytest.mark.parametrize("fitted", FITS)
def test_scale_and_place_change_nothing(fitted, name):
    points = SETS[name](rng(3))
    volume = fitted(points).volume
    for scale in (2.0**-13, 2.0**13):
        assert fitted(points * scale).volume / scale**3 == pytest.approx(volume, rel=1e-6)
    assert fitted(points + 1e5).volume == pytest.approx(volume, rel=1e-6)


@pytest.mark.parametrize("points", [np.empty((0, 3)), [[0.0, np.nan, 0.0]], [[1.0, 2.0]]])
@pytest.mark.parametrize("fitted", FITS)
def test_bad_points_are_refused(fitted, points):
    with pytest.raises(ValueError, match="points"):
        fitted(points)


def test_the_sphere_of_regular_solids():
    for solid in (CUBE, TETRAHEDRON, OCTAHEDRON, ICOSAHEDRON):
        made = fit.fit_sphere(solid @ fit_sets.rotation(rng(4)) + 0.25)
        assert made.shape.radius[0] == pytest.approx(np.linalg.norm(solid[0]), rel=1e-14)
        np.testing.assert_allclose(made.shape.center[0], 0.25, atol=1e-14)


@pytest.mark.parametrize("name", SOLIDS)
def test_the_sphere_is_proved_least(name):
    made = fit.fit_sphere(SETS[name](rng(5)))
    # The bound comes from the weights with which the supporting points hold the center: the optimality conditions.
    rounding = 1e-6 if name == "small and far off" else 1e-9 if name == "far off" else 1e-12
    assert made.volume <= made.lower_bound * (1 + rounding)


def brute_radius(points):
    """The least enclosing radius, by all subsets of two to four points: the largest of their own least spheres."""
    best = 0.0
    for size in (2, 3, 4):
        for subset in itertools.combinations(points, size):
            corners = np.array(subset)
            spoke = corners[1:] - corners[0]
            x = np.linalg.lstsq(spoke, (spoke**2).sum(axis=1) / 2.0, rcond=None)[0]
            weight = np.linalg.lstsq(spoke.T, x, rcond=None)[0]
            flat = np.linalg.matrix_rank(spoke, tol=1e-9) < size - 1
            if not flat and (weight >= -1e-12).all() and weight.sum() <= 1 + 1e-12:
                best = max(best, float(np.linalg.norm(x)))
    return best


@pytest.mark.parametrize("seed", range(8))
def test_the_sphere_against_all_subsets(seed):
    points = rng(seed).integers(-2, 3, (9, 3)).astype(float) if seed % 2 else rng(seed).normal(size=(9, 3))
    assert fit.fit_sphere(points).shape.radius[0] == pytest.approx(brute_radius(points), rel=1e-12)


def test_many_circles_at_once_are_those_one_by_one():
    sets = rng(6).normal(size=(20, 30, 2))
    sets[::3] = np.rint(sets[::3] * 2)
    together = least_balls(sets)
    for row, points in enumerate(sets):
        one = least_balls(points[None])
        assert together.radius[row] == one.radius[0]
        flat = fit.fit_sphere(np.c_[points, np.zeros(30)])
        assert together.radius[row] == pytest.approx(flat.shape.radius[0], rel=1e-12)


def test_the_box_along_given_axes():
    turn = fit_sets.rotation(rng(7))
    made = fit.fit_box(CUBE * [1, 2, 3] @ turn.T + 5.0, axes=turn)
    np.testing.assert_allclose(made.shape.half_extents[0], [1, 2, 3], rtol=1e-13)
    assert made.lower_bound == made.volume
    aligned = fit.fit_box(CUBE * [1, 2, 3])
    assert aligned.shape.half_extents[0] == pytest.approx([1, 2, 3], rel=1e-15)
    with pytest.raises(ValueError, match="axes"):
        fit.fit_box(CUBE, axes=np.diag([1.0, 1.0, -1.0]))


@pytest.mark.parametrize("seed", range(6))
def test_turned_boxes_are_recovered(seed):
    half = rng(seed).uniform(0.1, 3.0, 3)
    inside = rng(seed).uniform(-1.0, 1.0, (200, 3))
    points = np.concatenate([CUBE, inside]) * half @ fit_sets.rotation(rng(seed)) + rng(seed).normal(size=3)
    made = fit.fit_oriented_box(points)
    assert made.volume == pytest.approx(8 * half.prod(), rel=1e-12)
    np.testing.assert_allclose(np.sort(made.shape.half_extents[0]), np.sort(half), rtol=1e-9)


def test_the_box_of_regular_solids():
    turn = fit_sets.rotation(rng(8))
    assert fit.fit_oriented_box(TETRAHEDRON @ turn).volume == pytest.approx(8.0, rel=1e-8)
    # Two faces flush with edges: sides 4 / 3, 4 / 3 and 4 / 3.
    assert fit.fit_oriented_box(OCTAHEDRON @ turn).volume == pytest.approx(64.0 / 27.0, rel=1e-8)


def spread(points, vector):
    return np.ptp(points @ Rotation.from_rotvec(vector).as_matrix(), axis=0).prod()


@pytest.mark.parametrize("name", ["normal", "prism", *slow("lattice", "icosahedron", "ellipsoid", "many")])
def test_no_smaller_box_is_found_and_the_bound_is_sound(name):
    points = SETS[name](rng(9))
    points = points[ck.convex_hull(points).vertices]
    made = fit.fit_oriented_box(points)
    starts = Rotation.random(6, random_state=1).as_rotvec()
    searched = min(
        minimize(lambda v: spread(points, v), one, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 0}).fun
        for one in starts
    )
    assert made.volume <= searched * (1 + 1e-9)
    assert made.lower_bound <= searched * (1 + 1e-12)
    assert made.volume <= made.lower_bound * (1 + 1e-8)


@pytest.mark.parametrize("name", ["normal", "icosahedron", "needle"])
def test_no_box_of_an_arc_is_below_its_bound(name):
    pairs = EdgePairs.of(ck.convex_hull(SETS[name](rng(20))))
    # Rays along the second edge leave its normal open: such boxes belong to other pairs.
    wide = np.linalg.norm(np.cross(pairs.start + pairs.end, pairs.edge), axis=1) > 1e-6
    start, end, edge = pairs.start[wide], pairs.end[wide], pairs.edge[wide]
    tight = 0
    for _ in range(4):
        middle = start + end
        middle /= np.linalg.norm(middle, axis=1)[:, None]
        bound = _EdgeBoxes.of(pairs.vertices, middle, edge).bounds(start, end, edge)
        least = np.full(len(bound), np.inf)
        for t in np.linspace(0.01, 0.99, 21)[:, None]:
            ray = (1.0 - t) * start + t * end
            ray /= np.linalg.norm(ray, axis=1)[:, None]
            least = np.minimum(least, _EdgeBoxes.of(pairs.vertices, ray, edge).volume)
        assert (bound <= least * (1 + 1e-9)).all()
        tight = np.mean(bound > 0.9 * least)
        end = middle
    assert tight > 0.5  # and on short arcs it says nearly all there is to say


def test_the_box_of_a_ball_says_how_good_it_is():
    points = fit_sets.on_sphere(rng(10), 3000)
    made = fit.fit_oriented_box(points)
    assert made.lower_bound > ck.convex_hull(points).volume
    assert made.volume <= 8.0 and made.volume <= made.lower_bound * 1.25


def test_the_rectangle_of_a_flat_set():
    turn = fit_sets.rotation(rng(11))
    points = np.array([[0, 0, 0], [4, 0, 0], [5, 2, 0], [1, 2, 0], [2, 1, 0]], dtype=float)
    made = fit.fit_oriented_box(points @ turn)
    half = np.sort(made.shape.half_extents[0])
    angle = np.linspace(0, np.pi, 20001)
    across = np.stack([np.cos(angle), np.sin(angle)]), np.stack([-np.sin(angle), np.cos(angle)])
    areas = np.ptp(points[:, :2] @ across[0], axis=0) * np.ptp(points[:, :2] @ across[1], axis=0)
    assert half[0] < 1e-14 and 4 * half[1] * half[2] == pytest.approx(areas.min(), rel=1e-6)


def capsule_volume(points, x):
    start, end = x[:3], x[3:]
    along = end - start
    t = np.clip((points - start) @ along / max(along @ along, 1e-300), 0, 1)
    radius = np.linalg.norm(points - start - t[:, None] * along, axis=1).max()
    return np.pi * radius**2 * (np.linalg.norm(along) + 4 / 3 * radius)


def cylinder_volume(points, x):
    axis = x[:3] / np.linalg.norm(x[:3])
    spoke = points - x[3:]
    height = spoke @ axis
    radius = np.linalg.norm(spoke - height[:, None] * axis, axis=1).max()
    return np.pi * radius**2 * np.ptp(height)


@pytest.mark.parametrize("fitted, volume", [(fit.fit_capsule, capsule_volume), (fit.fit_cylinder, cylinder_volume)])
@pytest.mark.parametrize("name", ["tetrahedron", *slow("normal", "lattice", "turned box", "sphere")])
def test_no_smaller_round_shape_is_found(fitted, volume, name):
    points = SETS[name](rng(12))
    points = points[ck.convex_hull(points).vertices]
    made = fitted(points)
    best = np.inf
    for start in rng(13).normal(size=(4, 6)):
        x = start
        for _ in range(2):  # again from where it stopped: the simplex collapses at kinks
            x = minimize(lambda v: volume(points, v), x, method="Nelder-Mead", options={"maxiter": 700}).x
        best = min(best, volume(points, x))
    assert made.volume <= best * (1 + 1e-6)


def test_capsules_and_cylinders_are_recovered():
    turn = fit_sets.rotation(rng(14))
    cylinder = fit.fit_cylinder(fit_sets.prism(32, 4.0) @ turn + 2.0)
    assert cylinder.volume == pytest.approx(4 * np.pi, rel=1e-6)
    assert cylinder.shape.radius[0] == pytest.approx(1.0, rel=1e-6)
    up = np.array([0.0, 0.0, 3.0])
    points = np.concatenate([fit_sets.on_sphere(rng(15), 200) + up, fit_sets.on_sphere(rng(16), 200) - up])
    capsule = fit.fit_capsule(points @ turn)
    true = np.pi * (6 + 4 / 3)
    assert 0.97 * true < capsule.volume <= true * (1 + 1e-6)


def test_a_ball_is_its_own_capsule():
    ball = fit.fit_sphere(ICOSAHEDRON)
    assert fit.fit_capsule(ICOSAHEDRON).volume <= ball.volume * (1 + 1e-12)


def test_flat_and_thin_sets_make_thin_shapes():
    flat = SETS["flat"](rng(17))
    cylinder = fit.fit_cylinder(flat)
    height = np.linalg.norm(cylinder.shape.end - cylinder.shape.start)
    assert 0.0 < height <= 1e-6 * cylinder.shape.radius[0]
    line = SETS["collinear"](rng(18))
    span = np.linalg.norm(np.ptp(line, axis=0))
    for made in (fit.fit_capsule(line), fit.fit_cylinder(line)):
        assert made.shape.radius[0] <= 1e-14 * span
        assert np.linalg.norm(made.shape.end - made.shape.start) == pytest.approx(span, rel=1e-12)


@pytest.mark.parametrize("kind", [interior_point.CAPSULE, interior_point.CYLINDER])
def test_the_derivatives_of_slacks_are_their_differences(kind):
    points = rng(19).normal(size=(20, 3))
    x = np.array([[-4, 0.2, 0, 4, 0, 0.1, 5], [-4, -4, -4.1, 4, 4.2, 4, 6]], dtype=float)
    slacks = kind.derivatives(x, points)
    np.testing.assert_allclose(slacks.value, kind.values(x, points), rtol=1e-14)
    gradient, hessian = interior_point._volume_derivatives(kind, x)
    for k in range(7):
        step = np.zeros(7)
        step[k] = 1e-5
        after, before = kind.derivatives(x + step, points), kind.derivatives(x - step, points)
        np.testing.assert_allclose(slacks.gradient[:, :, k], (after.value - before.value) / 2e-5, atol=1e-6)
        change = ((after.gradient - before.gradient) / 2e-5 / slacks.value[:, :, None]).sum(axis=1)
        np.testing.assert_allclose(slacks.hessian[:, k], change, atol=1e-6)
        volume = (kind.log_volume(x + step) - kind.log_volume(x - step)) / 2e-5
        np.testing.assert_allclose(gradient[:, k], volume, atol=1e-8)
        turn = [interior_point._volume_derivatives(kind, x + sign * step)[0] for sign in (1, -1)]
        np.testing.assert_allclose(hessian[:, k], (turn[0] - turn[1]) / 2e-5, atol=1e-8)


def test_what_is_proved_of_flat_points_holds_for_boxes_without_thickness():
    points = np.array([[0, 2, 1], [0, 0, -2], [0, -1, -3], [0, -3, -3], [0, -2, 2]])
    assert fit.fit_box(points).volume == 0.0
    made = fit.fit_oriented_box(points)
    assert made.lower_bound == 0.0
    assert holds_exactly(made.shape, points)


@pytest.mark.parametrize("file", ["rabbit.obj", "teapot.stl", *slow("fandisk.obj", "bunny.ply")])
def test_meshes_are_held(data_dir, file):
    path = data_dir / "meshes" / file
    if not path.is_file():
        pytest.skip(f"no {path}")
    points = mesh_files.vertices(path)
    hull = ck.convex_hull(points)
    some = np.concatenate([hull.points[hull.vertices], hull.points[:: max(1, len(points) // 300)]])
    made = {fitted.__name__: fitted(hull) for fitted in FITS}
    for one in made.values():
        assert holds_exactly(one.shape, some)
    box = made["fit_oriented_box"]
    assert box.volume <= made["fit_box"].volume and box.volume <= box.lower_bound * (1 + 1e-8)
    assert made["fit_capsule"].volume <= made["fit_sphere"].volume
