# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines through A - B: linear programs say the same, nothing is decided by rounding, and every answer is proved."""

import importlib
import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

import collision_kit.core as ck
from collision_kit.core import results
from collision_kit.core.continuous import cast_polytopes
from tests.helpers import zoo
from tests.helpers.offline import MANY_EXACT, slow

# The function has the name of its module, and hides it.
module = importlib.import_module("collision_kit.core.continuous.time_of_impact")
K = ck.Kind
KINDS = [(K.BOX, K.TRIANGLE), (K.BOX, K.HULL), (K.TRIANGLE, K.TRIANGLE), (K.TRIANGLE, K.HULL), (K.HULL, K.HULL)]
kinds_ = pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower())
SIGNS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def thrown(kinds, rng, count, maker="generic"):
    """Pairs of which about a third touch, some at the start."""
    a, b = (zoo.MAKERS[maker](kind, rng, count) for kind in kinds)
    if maker == "generic":
        away, noise = 2.5 * rng.normal(size=(count, 3)), rng.normal(size=(2, count, 3))
    else:
        away, noise = rng.integers(-4, 5, (count, 3)) * 1.0, rng.integers(-1, 2, (2, count, 3)) * 1.0
    return a, zoo.moved(b, away), noise[0], noise[0] + noise[1] - 1.6 * away


def corners(shapes, row):
    """The vertices of one row: (V, 3)."""
    match shapes:
        case ck.Boxes():
            return shapes.center[row] + (SIGNS * shapes.half_extents[row]) @ shapes.rotation[row].T
        case ck.Triangles():
            return shapes.vertices[row]
        case ck.Hulls():
            hull = shapes.geometry[shapes.index[row]]
            return hull.points[hull.vertices] @ shapes.rotation[row].T + shapes.translation[row]


def first_common_time(a, b, path):
    """The least t in [0, 1] for which a mixture of A's vertices is one of B's displaced by t times the path, or inf."""
    count = len(a) + len(b)
    equal = np.zeros((5, count + 1))
    equal[:3, : len(a)], equal[:3, len(a) : count], equal[:3, count] = a.T, -b.T, -path
    equal[3, : len(a)] = equal[4, len(a) : count] = 1.0
    found = linprog(
        np.eye(count + 1)[count],
        A_eq=equal,
        b_eq=[0, 0, 0, 1, 1],
        bounds=[(0, None)] * count + [(0, 1)],
        method="highs",
    )
    return found.x[count] if found.status == 0 else np.inf


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
@kinds_
def test_a_linear_program_finds_the_same_time(kinds, count):
    rng = np.random.default_rng([1, *kinds])
    a, b, va, vb = thrown(kinds, rng, count)
    found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
    assert 0.1 < found.hit.mean() < 0.9
    expected = [first_common_time(corners(a, row), corners(b, row), (vb - va)[row]) for row in range(count)]
    # Programs are solved to 1e-7.
    np.testing.assert_allclose(found.time, expected, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("maker", zoo.MAKERS)
@kinds_
def test_every_answer_of_the_closed_form_is_proved(kinds, maker):
    """Hits share a point at the time and are parted along the normal before it, misses never meet."""
    rng = np.random.default_rng([2, *kinds])
    count = 250
    a, b, va, vb = thrown(kinds, rng, count, maker)
    found = cast_polytopes.first_contacts(a, b, va, vb)
    rows = found.rows
    assert found.settled[rows].all() and len(np.unique(rows)) == len(rows) > 20
    then = [zoo.moved(x.take(rows), v[rows] * found.time[:, None]) for x, v in ((a, va), (b, vb))]
    assert ((found.time > 0.0) & (found.time <= 1.0)).all()
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=1e-14)
    # Along the normal they touch then, and are apart before: their projections have not met, and go to meet.
    gap = -zoo.support(then[0], found.normal) - zoo.support(then[1], -found.normal)
    np.testing.assert_allclose(gap, 0.0, atol=1e-13)
    assert (np.einsum("ni,ni->n", vb[rows] - va[rows], found.normal) < 0.0).all()
    at_start = -zoo.support(a.take(rows), found.normal) - zoo.support(b.take(rows), -found.normal)
    assert (at_start > 0.0).all()
    told = np.flatnonzero(~np.isnan(found.point[:, 0]))
    spot = ck.Spheres(found.point[told], np.zeros(len(told)))
    for shapes in then:
        np.testing.assert_allclose(ck.distance(shapes.take(told), spot).distance, 0.0, atol=1e-7)
    # A point is left open only where the shapes share more than one.
    if maker == "generic":
        assert len(told) == len(rows)
    missed = found.settled.copy()
    missed[rows] = False
    missed = np.flatnonzero(missed)
    for time in np.linspace(0.0, 1.0, 9):
        pair = (zoo.moved(x.take(missed), time * v[missed]) for x, v in ((a, va), (b, vb)))
        assert not ck.overlap(*pair).any()


@pytest.mark.parametrize("count", [25, *slow(MANY_EXACT)])
@pytest.mark.parametrize("maker", zoo.MAKERS)
@kinds_
def test_the_advancement_says_the_same(monkeypatch, kinds, maker, count):
    rng = np.random.default_rng([8, *kinds])
    for start in range(0, count, 1000):
        a, b, va, vb = thrown(kinds, rng, min(1000, count - start), maker)
        found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
        with monkeypatch.context() as patch:
            patch.setattr(module, "_CLOSED_FORMS", {})
            expected = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
        np.testing.assert_array_equal(found.hit, expected.hit)
        np.testing.assert_array_equal(found.decided, expected.decided)
        np.testing.assert_allclose(found.time, expected.time, rtol=0.0, atol=1e-11)
        np.testing.assert_allclose(found.safe, expected.safe, rtol=0.0, atol=1e-11)
        if maker == "generic":
            np.testing.assert_allclose(found.normal, expected.normal, atol=1e-6)
            # Of an edge that nearly lies on a face or an edge either end may be told; each is a point of both.
            other = np.flatnonzero(found.hit & (np.abs(found.point - expected.point).max(axis=1) > 1e-6))
            assert len(other) <= len(found.hit) // 500
            for shapes, velocity in ((a, va), (b, vb)):
                then = zoo.moved(shapes.take(other), velocity[other] * found.time[other, None])
                for point in (found.point, expected.point):
                    apart = ck.distance(then, ck.Spheres(point[other], np.zeros(len(other)))).distance
                    np.testing.assert_allclose(apart, 0.0, atol=1e-6)


@kinds_
def test_nearly_all_that_starts_apart_is_settled(kinds):
    rng = np.random.default_rng([3, *kinds])
    for maker, least in (("generic", 0.995), ("degenerate", 0.8)):
        a, b, va, vb = thrown(kinds, rng, 500, maker)
        found = cast_polytopes.first_contacts(a, b, va, vb)
        apart = ~ck.overlap(a, b)
        assert found.settled[apart].mean() > least
        assert not found.settled[~apart].any()


@kinds_
def test_scale_place_and_order_change_nothing(kinds):
    rng = np.random.default_rng([4, *kinds])
    a, b, va, vb = thrown(kinds, rng, 200)
    found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
    swapped = ck.time_of_impact(b, a, velocity_a=vb, velocity_b=va)
    np.testing.assert_array_equal(swapped.hit, found.hit)
    np.testing.assert_allclose(swapped.time, found.time, atol=1e-12)
    np.testing.assert_allclose(swapped.normal, -found.normal, atol=1e-6)
    np.testing.assert_allclose(swapped.point, found.point, atol=1e-6)
    turn = zoo.rotations(rng, 1)[0]
    for scale, shift in ((1e-4, 0.0), (1e4, 0.0), (1.0, 1e5)):
        there = [zoo.placed(x, turn, scale, np.array([0.6, -0.7, 0.9]) * shift) for x in (a, b)]
        other = ck.time_of_impact(*there, velocity_a=scale * va @ turn.T, velocity_b=scale * vb @ turn.T)
        near = 1e-11 if shift == 0.0 else 1e-8
        np.testing.assert_array_equal(other.hit, found.hit)
        np.testing.assert_allclose(other.time, found.time, atol=near)
        later = found.hit & (found.time > 0.0)
        np.testing.assert_allclose(other.normal[later], (found.normal @ turn.T)[later], atol=1e-6)


def cube(center, half=1.0):
    corner = np.array(center) + half * SIGNS
    return ck.Hulls.from_points([corner])


@pytest.mark.parametrize(
    ("start", "velocity", "time"),
    [
        ([4, 0, 0], [-4, 0, 0], 0.5),  # right through both centers
        ([4, 2, 0], [-4, 0, 0], 0.5),  # face slides along face, and an edge meets an edge
        ([4, 2, 2], [-4, 0, 0], 0.5),  # corner meets corner
        ([4, 4, 4], [-4, -4, -4], 0.5),
        ([4, 4, 0], [-2, -4, 0], 1.0),  # at the very end
        ([4, 4, 0], [-2, -1.99, 0], np.inf),
        ([4, 2.0000001, 0], [-4, 0, 0], np.inf),
        ([4, 0, 0], [4, 0, 0], np.inf),
        ([4, 0, 0], [-1.999999, 0, 0], np.inf),
        ([2, 0, 0], [0, 9, 0], 0.0),  # in touch, and leaving
        ([2, 0, 0], [3, 0, 0], 0.0),
        ([2.5, 0, 0], [0, 9, 0], np.inf),
        ([4, 0, 0], [0, 0, 0], np.inf),
        ([2, 0, 0], [0, 0, 0], 0.0),
        ([0, 0, 0], [9, 0, 0], 0.0),
        ([4, 0, 0], [-1e9, 0, 0], 2e-9),
        ([-4, 0, 0], [-1e9, 0, 0], np.inf),
        ([4, 0, 0], [-1e-30, 0, 0], np.inf),
    ],
)
def test_each_case_of_two_cubes_is_defined(start, velocity, time):
    found = ck.time_of_impact(cube([0, 0, 0]), cube(start), velocity_b=[velocity])
    assert found.decided[0] and found.hit[0] == np.isfinite(time)
    np.testing.assert_allclose(found.time[0], time, rtol=0.0, atol=1e-12 * max(1.0, min(time, 1.0)))
    swept = ck.time_of_impact(cube([0, 0, 0]), cube(start), velocity_a=[np.negative(velocity)])
    np.testing.assert_allclose(swept.time[0], time, rtol=0.0, atol=1e-12)


EDGE_UP = np.array([[-1, 0, 0], [1, 0, 0], [0, 1, -1], [0, -1, -1]], dtype=float)
ALONG, ACROSS, CORNER = [[-1, 0, 0], [1, 0, 0]], [[0, -1, 0], [0, 1, 0]], [[0, 0, 0], [0.2, 0, 0.1]]
TOP = [[0.1, 1, 1], [-0.1, -1, 1]]


@pytest.mark.parametrize(
    ("lower", "upper", "several"),
    [
        (EDGE_UP, [*ACROSS, *TOP], False),  # edges that cross
        (EDGE_UP, [*ALONG, [0, 1, 1], [0, -1, 1]], True),  # edges that lie on each other
        (SIGNS - [0, 0, 1], [*CORNER, *TOP], False),  # a corner on a face
        (SIGNS - [0, 0, 1], [*ACROSS, *TOP], True),  # an edge on a face
        (SIGNS - [0, 0, 1], -(SIGNS - [0, 0, 1]), True),  # a face on a face
    ],
)
def test_a_point_is_told_where_there_is_but_one_and_measured_where_there_are_more(lower, upper, several):
    a, b = ck.Hulls.from_points([lower]), ck.Hulls.from_points([np.add(upper, [0.3, 0.2, 2.0])])
    way = np.array([[-0.6, -0.4, -4.0]])  # so that they meet half-way, the upper one where it was made
    found = cast_polytopes.first_contacts(a, b, 0.0 * way, way)
    np.testing.assert_allclose(found.time, [0.5], atol=1e-12)
    assert np.isnan(found.point).all() == several
    told = ck.time_of_impact(a, b, velocity_b=way)
    if not several:
        np.testing.assert_allclose(found.point, 0.0, atol=1e-9)
        np.testing.assert_allclose(told.point, 0.0, atol=1e-9)
    for shapes in (a, zoo.moved(b, 0.5 * way)):
        np.testing.assert_allclose(ck.distance(shapes, ck.Spheres(told.point, [0.0])).distance, 0.0, atol=1e-9)
    parted = -zoo.support(a, told.normal) - zoo.support(zoo.moved(b, 0.5 * way), -told.normal)
    np.testing.assert_allclose(parted, 0.0, atol=1e-12)


@pytest.mark.parametrize("maker", ["point", "segment", "polygon", "solid"])
def test_flat_hulls_and_points_meet_as_they_should(maker):
    """Against a box, by linear programs; thin ones from any side."""
    rng = np.random.default_rng(5)
    basis = {"point": [0, 0, 0], "segment": [1, 0, 0], "polygon": [1, 1, 0], "solid": [1, 1, 1]}[maker]
    count = 60
    turn = zoo.rotations(rng, count)
    points = [(rng.normal(size=(9, 3)) * basis) @ turn[row].T for row in range(count)]
    a = ck.Hulls.from_points(points)
    b = ck.Boxes(3.0 * rng.normal(size=(count, 3)), rng.uniform(0.1, 1.0, (count, 3)), zoo.rotations(rng, count))
    path = -1.5 * b.center + 0.4 * rng.normal(size=(count, 3))
    found = ck.time_of_impact(a, b, velocity_b=path)
    expected = [first_common_time(corners(a, row), corners(b, row), path[row]) for row in range(count)]
    assert found.decided.all() and found.hit.mean() > 0.4
    np.testing.assert_allclose(found.time, expected, rtol=0.0, atol=1e-6)


def test_grazing_is_a_hit_within_rounding_and_no_further():
    """Tetrahedra that pass with an edge across an edge, at heights about touching."""
    lower = np.array([[-1, 0, 0], [1, 0, 0], [0, 1, -1], [0, -1, -1]], dtype=float)
    upper = np.array([[0, -1, 0], [0, 1, 0], [1, 0, 1], [-1, 0, 1]], dtype=float)
    height = np.array([0.0, 1e-16, 1e-15, 1e-12, 1e-9, 1e-3, -1e-12, -1e-3])
    start = np.column_stack([np.zeros(8), np.full(8, 4.0), height])
    a = ck.Hulls(ck.convex_hulls([lower]), np.zeros(8, dtype=int), np.zeros((8, 3)), np.tile(np.eye(3), (8, 1, 1)))
    b = ck.Hulls(ck.convex_hulls([upper]), np.zeros(8, dtype=int), start, np.tile(np.eye(3), (8, 1, 1)))
    found = ck.time_of_impact(a, b, velocity_b=[[0, -8, 0]])
    np.testing.assert_array_equal(found.hit, height < 1e-13)
    # The edge is two long, and passes from three units away on.
    np.testing.assert_allclose(found.time[:3], 3.0 / 8.0, atol=1e-12)


def test_a_triangle_that_the_line_passes_by_proves_nothing(monkeypatch):
    """At the time of a hit, points of both shapes are in one place, whatever the corners came from."""
    rng = np.random.default_rng(9)
    case = thrown((K.HULL, K.HULL), rng, 60)
    found, told = cast_polytopes.first_contacts(*case), cast_polytopes._Portals._hits

    def shifted(self, at, *rest):
        self.corner[:, :3] += 1e-6
        return told(self, at, *rest)

    monkeypatch.setattr(cast_polytopes._Portals, "_hits", shifted)
    other = cast_polytopes.first_contacts(*case)
    assert len(found.rows) > 5 and not len(other.rows)
    assert not other.settled[found.rows].any()


def test_it_does_not_matter_how_many_are_asked_about():
    rng = np.random.default_rng(6)
    a, b, va, vb = thrown((K.HULL, K.HULL), rng, 50)
    found = cast_polytopes.first_contacts(a, b, va, vb)
    for row in range(0, 50, 7):
        one = np.array([row])
        alone = cast_polytopes.first_contacts(a.take(one), b.take(one), va[one], vb[one])
        assert alone.settled[0] == found.settled[row] and (len(alone.rows) > 0) == (row in found.rows)
        np.testing.assert_allclose(alone.time, found.time[found.rows == row], atol=1e-14)
        np.testing.assert_allclose(alone.point, found.point[found.rows == row], atol=1e-13)
    none = np.zeros(0, dtype=int)
    nothing = cast_polytopes.first_contacts(a.take(none), b.take(none), va[none], vb[none])
    assert len(nothing.settled) == len(nothing.rows) == 0
    far = cast_polytopes.first_contacts(a, zoo.moved(b, np.full((50, 3), 1e3)), va, va)
    assert not len(far.rows) and not far.settled.any()  # they do not move against each other


def test_work_tells_what_settled_the_pairs():
    rng = np.random.default_rng(7)
    a, b, va, vb = thrown((K.HULL, K.HULL), rng, 500)
    with ck.QueryStats() as seen:
        found = ck.time_of_impact(a, b, velocity_a=va, velocity_b=vb)
    started = found.time == 0.0
    assert seen.pairs == 500
    assert seen.resolved_by[results.BOUNDING_SPHERES] > 5
    assert (
        abs(seen.resolved_by[results.BOUNDING_SPHERES] + seen.resolved_by[results.EXACT] - np.count_nonzero(~started))
        < 10
    )
