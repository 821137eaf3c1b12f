# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and triangles: what their own methods promise beyond the contract of all pairs."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.polytopes.placed import polytopes
from collision_kit.core.narrow_phase.table import PAIRS
from collision_kit.core.numerics.rows import BLOCK
from collision_kit.core.numerics.tolerances import AXIS_NAMED, AXIS_PREFERENCE
from tests.helpers import exact_polytopes as exact
from tests.helpers import zoo
from tests.hunt.pair_cases import small_turns
from tests.hunt.pair_oracles import Body

BOX, TRIANGLE = ck.Kind.BOX, ck.Kind.TRIANGLE
kinds_of_pairs = pytest.mark.parametrize(
    "kinds", [(BOX, BOX), (BOX, TRIANGLE), (TRIANGLE, TRIANGLE)], ids=["box-box", "box-triangle", "triangle-triangle"]
)
makers = pytest.mark.parametrize("maker", zoo.MAKERS)


def batches(kinds, maker, seed, count):
    rng = np.random.default_rng([seed, *kinds])
    return tuple(zoo.MAKERS[maker](kind, rng, count) for kind in kinds)


# doc4code 2011, "Box vs triangle".

# For each side the heights of the second and the third corner above that of the first, as multiples of N · A_i.
AS_PRINTED = {0: (0, 1), 1: (-1, 0), 2: (-1, -1)}
AS_DERIVED = {0: (0, 1), 1: (-1, -1), 2: (1, 0)}


def overlap_by_table(axes, corners, table):
    """The thirteen conditions of doc4code 2011 for a box about the origin, from its table of p0, p1, p2 and R."""
    sides = np.roll(corners, -1, axis=0) - corners
    normal = np.cross(sides[0], sides[1])
    rows = [(corners[0] @ normal, 0, 0, sum(abs(axis @ normal) for axis in axes))]
    rows += [(corners[0] @ axis, sides[0] @ axis, -sides[2] @ axis, axis @ axis) for axis in axes]
    for i, axis in enumerate(axes):
        for k, side in enumerate(sides):
            reach = sum(abs(np.cross(axis, other) @ side) for other in np.delete(axes, i, axis=0))
            first, second = (times * (normal @ axis) for times in table[k])
            rows.append((corners[0] @ np.cross(axis, side), first, second, reach))
    return all(min(p, p + x, p + y) <= r and max(p, p + x, p + y) >= -r for p, x, y, r in rows)


@pytest.mark.parametrize(
    ("corners", "meet"),
    [([[-3, 0, 0], [-1, -1, 0], [0, -2, -1]], True), ([[-2, 0, -1], [-2, -1, -2], [0, 0, -2]], False)],
)
def test_the_table_of_seed_001_as_printed_gives_wrong_verdicts(corners, meet):
    corners = np.array(corners)
    box = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    point_or_side = exact.cross(corners[1] - corners[0], corners[2] - corners[0])[None, None]
    truth = exact.gaps(
        exact.box_vertices(np.zeros((1, 3), int), np.ones((1, 3), int), np.eye(3, dtype=int)[None]),
        exact.BOX_EDGES,
        corners[None],
        exact.SIDES,
        np.concatenate([np.eye(3, dtype=int)[None], point_or_side], axis=1),
    )
    assert (truth[0] <= 0.0) == meet
    assert overlap_by_table(np.eye(3), corners, AS_PRINTED) != meet
    assert overlap_by_table(np.eye(3), corners, AS_DERIVED) == meet
    assert ck.overlap(box, ck.Triangles([corners]))[0] == meet


def test_the_table_as_derived_agrees_with_ours_wherever_the_triangle_has_an_area():
    rng = np.random.default_rng(2)
    corners = rng.integers(-4, 5, (200, 3, 3))
    turn, half = zoo.quarter_turns(rng, 200), rng.integers(1, 3, (200, 3))
    ours = ck.overlap(ck.Boxes(np.zeros((200, 3)), half, turn), ck.Triangles(corners))
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).any(axis=1)
    table = [
        overlap_by_table((turn[row] * half[row]).T, corners[row], AS_DERIVED) if area[row] else ours[row]
        for row in range(len(corners))
    ]
    np.testing.assert_array_equal(ours, table)


# The order in which a triangle's corners are given.


@pytest.mark.parametrize("maker", ["generic", "degenerate", "touching"])
def test_the_36_orders_of_the_corners_of_two_triangles_give_one_answer(maker):
    if maker == "touching":
        # A corner of B on A, where only rounding decides: the verdicts must be the same all the same.
        rng = np.random.default_rng(4)
        first, second = rng.normal(size=(2, 150, 3, 3))
        weight = rng.dirichlet(np.ones(3), 150)
        second += (np.einsum("nk,nki->ni", weight, first) - second[:, 0])[:, None]
        a, b = ck.Triangles(first), ck.Triangles(second)
    else:
        a, b = batches((TRIANGLE, TRIANGLE), maker, 3, 150)
    # All orders in one batch: the same rows 36 times over.
    orders = list(itertools.product(itertools.permutations(range(3)), repeat=2))
    one = ck.Triangles(np.concatenate([a.vertices[:, order] for order, _ in orders]))
    other = ck.Triangles(np.concatenate([b.vertices[:, order] for _, order in orders]))
    found, segment = ck.distance(one, other), ck.crossing_segments(one, other)
    for answer in (ck.overlap(one, other), found.rounding, segment.coplanar, segment.start, segment.end):
        table = answer.reshape(36, len(a), -1)
        np.testing.assert_array_equal(table, np.broadcast_to(table[:1], table.shape))
    for answer in (ck.separating_axis(one, other).gap, found.distance):
        table = answer.reshape(36, len(a))
        np.testing.assert_allclose(table, np.broadcast_to(table[:1], table.shape), atol=1e-13)


# Which axis wins.


@kinds_of_pairs
@makers
def test_the_features_named_make_the_axis(kinds, maker):
    a, b = batches(kinds, maker, 5, 600)
    axes = ck.separating_axis(a, b)
    meet = np.flatnonzero(ck.overlap(a, b))
    named = np.zeros(len(a), dtype=int)
    for shapes, feature, sign in ((a, axes.feature_a, 1.0), (b, axes.feature_b, -1.0)):
        rows = np.flatnonzero(feature[:, 0] == ck.FeatureKind.FACE)
        normals = polytopes(shapes).normals[rows, feature[rows, 1]]
        np.testing.assert_allclose(normals, sign * axes.axis[rows], atol=1e-9)
        named[rows] += 2
        # An edge is at right angles to the axis it makes, and of a pair that goes through each other farthest out.
        rows = np.flatnonzero(feature[:, 0] == ck.FeatureKind.EDGE)
        solid = polytopes(shapes)
        ends = np.take_along_axis(solid.vertices[rows], solid.edges[rows, feature[rows, 1], :2, None], axis=1)
        heights = sign * np.einsum("nki,ni->nk", ends, axes.axis[rows])
        np.testing.assert_allclose(heights[:, 0], heights[:, 1], atol=1e-11)
        far = axes.gap[rows] < -1e-9
        np.testing.assert_allclose(heights[far, 0], zoo.support(shapes, sign * axes.axis)[rows[far]], atol=1e-11)
        named[rows] += 1
    # One face, or two edges; points are but vertices.
    points = np.any([(np.ptp(s.bounds(), axis=0) == 0.0).all(axis=1) for s in (a, b)], axis=0)
    assert (named[meet[~points[meet]]] == 2).all()
    if maker == "generic":
        assert {ck.FeatureKind.EDGE, ck.FeatureKind.FACE} <= set(axes.feature_a[meet, 0])


def resting_shapes(kinds, rng, count):
    """Shapes turned about +Z only: many axes are the vertical, and overlap by as much."""
    angle = rng.uniform(0.0, 2.0 * np.pi, (2, count))
    zero, one = np.zeros(count), np.ones(count)
    result = []
    for side, kind in enumerate(kinds):
        c, s = np.cos(angle[side]), np.sin(angle[side])
        turn = np.array([[c, -s, zero], [s, c, zero], [zero, zero, one]]).transpose(2, 0, 1)
        place = np.column_stack([rng.uniform(-0.2, 0.2, (count, 2)), np.full(count, 1.9 * side)])
        if kind == BOX:
            result.append(ck.Boxes(place, np.ones((count, 3)), turn))
        else:
            # Standing on one side, or lying.
            lying = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
            place[:, 2] = 0.95 * side
            result.append(ck.Triangles(place[:, None] + lying @ turn.transpose(0, 2, 1)))
    return result


@kinds_of_pairs
def test_noise_in_the_twelfth_digit_does_not_change_what_makes_the_axis(kinds):
    rng = np.random.default_rng(9)
    shapes = resting_shapes(kinds, rng, 400)
    before = ck.separating_axis(*shapes)
    assert (before.feature_a[:, 0] == ck.FeatureKind.FACE).all()  # of equals the face, and that of A
    for _ in range(5):
        shaken = []
        for batch in shapes:
            noise = 1e-12 * rng.uniform(-1.0, 1.0, (len(batch), 3, 3))
            if isinstance(batch, ck.Boxes):
                turned = np.linalg.qr(batch.rotation + noise)[0]
                turned *= np.sign(np.einsum("nij,nij->nj", turned, batch.rotation))[:, None]
                shaken.append(ck.Boxes(batch.center + noise[:, 0], batch.half_extents + noise[:, 1], turned))
            else:
                shaken.append(ck.Triangles(batch.vertices + noise))
        after = ck.separating_axis(*shaken)
        np.testing.assert_array_equal(after.feature_a, before.feature_a)
        np.testing.assert_array_equal(after.feature_b, before.feature_b)
        np.testing.assert_allclose(after.gap, before.gap, atol=1e-11)


def small_turn(rng, angle, count):
    """Rotations by about `angle` radians."""
    skew = angle * rng.normal(size=(count, 3))
    matrix = np.zeros((count, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        matrix[:, i, j], matrix[:, j, i] = -skew[:, k], skew[:, k]
    turned = np.linalg.qr(np.eye(3) + matrix)[0]
    return turned * np.sign(np.einsum("nii->ni", turned))[:, None]


@kinds_of_pairs
@pytest.mark.parametrize("angle", [1e-3, 1e-6, 1e-8, 1e-10, 1e-13])
def test_nearly_parallel_and_nearly_coplanar_shapes_get_the_verdict_of_their_very_floats(kinds, angle):
    """Turned by almost nothing and moved by as little: where cross products have lost their digits."""
    rng = np.random.default_rng([11, int(-np.log10(angle))])
    count = 40
    turn, shift = small_turn(rng, angle, count), angle * rng.normal(size=(count, 3))
    whole = zoo.rotations(rng, count)
    lying = rng.integers(-2, 3, (2, count, 3, 3)).astype(float)
    lying[..., 2] = 0.0
    shapes = []
    for side, kind in enumerate(kinds):
        matrix = whole @ turn if side else whole
        if kind == BOX:
            center = 2.0 * side * rng.integers(-1, 2, (count, 3)) + side * shift
            shapes.append(ck.Boxes(np.einsum("nij,nj->ni", whole, center), np.ones((count, 3)), matrix))
        else:
            height = 1.0 if BOX in kinds else 0.0
            corners = lying[side] @ matrix.transpose(0, 2, 1) + height * whole[:, None, :, 2] + side * shift[:, None]
            shapes.append(ck.Triangles(corners))
    truth = exact.gaps_of_floats(*shapes)
    found, axes = ck.distance(*shapes), ck.separating_axis(*shapes)
    np.testing.assert_array_equal(ck.overlap(*shapes)[truth > found.rounding], False)
    np.testing.assert_array_equal(ck.overlap(*shapes)[truth < -found.rounding], True)
    # An axis may be preferred that is worse by six steps of the preference; the shapes are up to twelve units.
    meet = truth <= 0.0
    assert (np.abs(found.distance - truth)[meet] <= 6.0 * AXIS_PREFERENCE * 12.0).all()
    assert (np.abs(axes.gap - truth)[meet] <= 6.0 * AXIS_NAMED * 12.0).all()
    assert (truth > 0.0).any() and (truth <= 0.0).any()


def test_triangles_in_one_line_or_point_have_an_axis_at_right_angles_to_it():
    segment = [[[0.0, 0.0, 0.0], [1.0, 2.0, 2.0], [2.0, 4.0, 4.0]]]
    other = [[[3.0, 6.0, 6.0], [1.0, 2.0, 2.0], [1.0, 2.0, 2.0]]]
    point = [[[1.0, 2.0, 2.0]] * 3]
    a, b = ck.Triangles(segment * 2 + point), ck.Triangles(other + point + point)
    found = ck.separating_axis(a, b)
    np.testing.assert_allclose(found.gap, 0.0, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(found.axis, axis=1), 1.0, atol=1e-15)
    np.testing.assert_allclose(found.axis[:2] @ [1.0, 2.0, 2.0], 0.0, atol=1e-15)
    np.testing.assert_array_equal(found.axis[2], [0.0, 0.0, 1.0])
    assert found.feature_a.tolist() == [[ck.FeatureKind.EDGE, 2]] * 2 + [[ck.FeatureKind.VERTEX, 0]]


# Batches and blocks.


@kinds_of_pairs
def test_a_pair_has_the_same_answer_wherever_it_stands_in_a_batch(kinds):
    """More pairs than a block holds, with a short one at the end."""
    a, b = batches(kinds, "generic", 13, 300)
    rows = np.random.default_rng(14).integers(0, 300, (BLOCK + 100, 2))
    many, few = ck.separating_axis(a, b, pairs=rows), ck.separating_axis(a, b, pairs=rows[-150:])
    for name, value in vars(few).items():
        np.testing.assert_allclose(vars(many)[name][-150:], value, atol=1e-14)
    np.testing.assert_array_equal(ck.overlap(a, b, pairs=rows)[-150:], ck.overlap(a, b, pairs=rows[-150:]))
    pair = PAIRS[kinds]
    empty = np.empty(0, dtype=np.int64)
    assert len(pair.overlap(a.take(empty), b.take(empty))) == 0
    assert len(pair.separating_axis(a.take(empty), b.take(empty))) == 0
    assert len(pair.contacts(a.take(empty), b.take(empty), 0.0)) == 0


def test_far_from_the_origin_touching_is_still_touching():
    """A thousand kilometers out, where coordinates are a tenth of a micrometer apart."""
    place = np.array([[1e9 / 3.0, -1e9 / 7.0, 1e9 / 11.0]])
    a = ck.Boxes(place, [[1.0, 1.0, 1.0]])
    b = ck.Boxes(place + np.array([[2.0, 0.5, 0.0]]), [[1.0, 1.0, 1.0]])
    corners = np.array([[1.0, -1.0, -1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]) + place
    touching, off = ck.Triangles([corners]), ck.Triangles([corners + np.array([1e-5, 0.0, 0.0])])
    assert ck.overlap(a, b)[0] and ck.overlap(a, touching)[0] and not ck.overlap(a, off)[0]
    assert ck.overlap(touching, ck.Triangles([corners[[0, 0, 0]]]))[0]


def in_lines(rng, count):
    """Triangles whose corners are in a line but for the rounding of a turn, and the ends of their longest sides."""
    place = np.sort(rng.integers(-3, 4, (count, 3)) / 2.0, axis=1)
    along = zoo.rotations(rng, count)[:, 0] * 2.0 ** rng.integers(-20, 20, (count, 1))
    start = rng.integers(-2, 3, (count, 1)) * along
    corners = start[:, None] + place[..., None] * along[:, None]
    return rng.permutation(corners, axis=1), corners[:, [0, 2]]


def test_triangles_without_area_have_one_distance_in_either_order():
    rng = np.random.default_rng(21)
    (one, _), (other, _) = in_lines(rng, 2000), in_lines(rng, 2000)
    other *= (
        np.abs(one).max(axis=(1, 2))[:, None, None] / np.maximum(np.abs(other).max(axis=(1, 2)), 1e-30)[:, None, None]
    )
    other[::2] = other[::2, :1]
    a, b = ck.Triangles(one), ck.Triangles(other)
    found, swapped, axes = ck.distance(a, b), ck.distance(b, a), ck.separating_axis(a, b)
    apart = found.distance > found.rounding
    assert apart.sum() > 1000
    assert (np.abs(found.distance - swapped.distance) <= 4.0 * found.rounding).all()
    np.testing.assert_array_equal(ck.overlap(a, b), ~apart)
    np.testing.assert_array_equal(axes.gap > found.rounding, apart)


def test_triangles_without_area_hold_no_more_than_their_line():
    rng = np.random.default_rng(22)
    corners, ends = in_lines(rng, 500)
    middle, half = ends.mean(axis=1, keepdims=True), ends - ends.mean(axis=1, keepdims=True)
    longer, shorter = (middle + half * share for share in (1.25, 0.75))
    long = np.linalg.norm(half[:, 0], axis=1) > 0.0
    triangles = ck.Triangles(corners)
    for inner, holds in ((longer, ~long), (shorter, np.ones(500, dtype=bool))):
        for shapes in (ck.Triangles(inner[:, [0, 1, 1]]), ck.Capsules(inner[:, 0], inner[:, 1], np.zeros(500))):
            np.testing.assert_array_equal(ck.contains(triangles, shapes), holds)


def test_a_named_face_of_boxes_is_worse_than_the_depth_by_no_more_than_is_stated():
    rng, count = np.random.default_rng(2), 2000
    turn, face, every = zoo.rotations(rng, count), rng.integers(0, 3, count), np.arange(count)
    half = np.repeat(rng.uniform(0.5, 1.0, (2, count, 1)), 3, axis=2)
    shift = rng.uniform(-1.5, 1.5, (count, 3))
    shift[every, face] = (half[0] + half[1])[:, 0] * rng.choice([-1.0, 1.0], count)
    a = ck.Boxes(np.zeros((count, 3)), half[0], turn)
    tilted = turn @ small_turns(rng, 10.0 ** rng.uniform(-5.5, -4.5, count))
    b = ck.Boxes(np.einsum("nij,nj->ni", turn, shift), half[1], tilted)
    found = ck.distance(a, b)
    b = zoo.moved(b, (-1e-9 - found.distance)[:, None] * found.normal)
    size = np.linalg.norm(half, axis=2).sum(axis=0)
    loss = (ck.distance(a, b).distance - ck.separating_axis(a, b).gap) / size
    assert 1e-6 < loss.max() <= 7.0 * AXIS_NAMED


@pytest.mark.parametrize("degenerate", [False, True])
@kinds_of_pairs
def test_the_axis_of_nearly_parallel_shapes_shows_its_gap_to_rounding(kinds, degenerate):
    rng, count = np.random.default_rng([11, *kinds, degenerate]), 4000
    turn = zoo.rotations(rng, count)
    made = []
    for kind in kinds:
        half = rng.uniform(0.1, 1.0, (count, 3))
        if degenerate:
            half *= rng.choice([0.0, 1e-10, 1.0], (count, 3))
        center, tilted = (
            rng.uniform(-2.0, 2.0, (count, 3)),
            turn @ small_turns(rng, 10.0 ** rng.uniform(-4.5, -0.5, count)),
        )
        if kind == BOX:
            made.append(ck.Boxes(center, half, tilted))
        else:
            local = half[:, None] * rng.integers(-1, 2, (count, 3, 3))
            made.append(ck.Triangles(center[:, None] + np.einsum("nij,nkj->nki", tilted, local)))
    a, b = made
    found, rounding = ck.separating_axis(a, b), ck.distance(a, b).rounding
    origin, axis = a.bounding_spheres()[0], found.axis.astype(np.longdouble)
    one, other = (Body(shapes, origin, np.longdouble) for shapes in (a, b))
    gap = -other.height(-axis) - one.height(axis)
    by_edges = (found.feature_a[:, 0] == ck.FeatureKind.EDGE) & (found.feature_b[:, 0] == ck.FeatureKind.EDGE)
    assert by_edges.sum() > count / 50
    assert (np.abs(gap - found.gap) <= rounding).all()
