# SPDX-License-Identifier: GPL-3.0-or-later
"""Hull against hull: the quick methods against the enumeration of all facets, exact verdicts, and other libraries."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.polytopes.placed import polytopes
from collision_kit.core.narrow_phase import convex_convex
from tests.helpers import zoo
from tests.helpers.offline import many

# Relative to the sizes of the two.
SAME = 1e-11


def solid(rng, vertices, shape):
    """Points of a hull of one of several sorts, about unit size."""
    points = rng.normal(size=(vertices, 3))
    match shape:
        case "ellipsoid":
            points *= rng.uniform(0.4, 1.0, 3) / np.linalg.norm(points, axis=1, keepdims=True)
        case "needle":
            points *= [0.01, 0.01, 1.0]
        case "plate":
            points *= [1.0, 1.0, 1e-4]
        case "lattice":
            points = np.vstack([rng.integers(-2, 3, (vertices, 3)) / 2.0, np.eye(3), -np.eye(3)])
        case "prism":
            angle = 2.0 * np.pi * np.arange(vertices // 2) / (vertices // 2)
            ring = np.stack([np.cos(angle), np.sin(angle), np.ones(len(angle))], axis=1)
            points = 0.5 * np.vstack([ring, ring * [1.0, 1.0, -1.0]])
        case "flat":
            points[:, 2] = 0.0
    return points


SHAPES = ["cloud", "ellipsoid", "needle", "plate", "lattice", "prism", "flat"]


SMALL, ALL_SIZES = (4, 6, 12, 20), (4, 6, 8, 12, 20, 32, 64)


def bodies(rng, count, reach, turned=True, sizes=SMALL):
    """Two batches of hulls, near each other."""
    pools = []
    for _ in range(2):
        points = [solid(rng, int(n), shape) for n, shape in itertools.product(sizes, SHAPES)]
        turn = zoo.rotations(rng, count) if turned else zoo.quarter_turns(rng, count)
        place = rng.uniform(-reach, reach, (count, 3)) if turned else rng.integers(-3, 4, (count, 3)) / 2.0
        pools.append(ck.Hulls(ck.convex_hulls(points), rng.integers(0, len(points), count), place, turn))
    return pools


def facet_gaps(a, b):
    """The largest gap along all normals of faces and all cross products of edges, with the digits of long floats."""
    (vertices_a, faces_a, edges_a), (vertices_b, faces_b, edges_b) = features(a), features(b)
    gaps = np.empty(len(a))
    for row in range(len(a)):
        crosses = np.cross(edges_a[row][:, None], edges_b[row][None]).reshape(-1, 3)
        axes = np.concatenate([faces_a[row], -faces_b[row], crosses, -crosses])
        size = np.sqrt((axes * axes).sum(axis=1))
        sides = np.concatenate([size[: -2 * len(crosses)], *[side_products(edges_a[row], edges_b[row])] * 2])
        axes = axes[size > 1e-15 * sides] / size[size > 1e-15 * sides, None]
        ahead, behind = axes @ vertices_b[row].T, axes @ vertices_a[row].T
        gaps[row] = (ahead.min(axis=1) - behind.max(axis=1)).max()
    return gaps


def side_products(one, other):
    """The products of the lengths of all edges with all others."""
    lengths = [np.sqrt((edges * edges).sum(axis=1)) for edges in (one, other)]
    return np.outer(*lengths).ravel()


def features(hulls):
    """The vertices, the normals and the edges of each hull in the world."""
    shapes = polytopes(hulls)
    found = [[], [], []]
    for row in range(len(hulls)):
        one = shapes.take(np.array([row]))
        vertices = one.vertices[0].astype(np.longdouble)
        start, end = one.edges[0, :, :2].T
        for values, made in zip(found, (vertices, one.normals[0], vertices[end] - vertices[start]), strict=True):
            values.append(made.astype(np.longdouble))
    return found


def check_against_facets(a, b):
    """Depths are those of the best facet, and pairs are apart where it is."""
    found, axes = ck.distance(a, b), ck.separating_axis(a, b)
    gaps = facet_gaps(a, b)
    size = np.array([np.abs(hull.points).max() for hull in a.geometry])[a.index] + 2.0
    meet = gaps <= found.rounding
    np.testing.assert_array_equal(found.distance <= found.rounding, meet)
    np.testing.assert_array_equal(ck.overlap(a, b), meet)
    assert (np.abs(found.distance - gaps)[meet] <= SAME * size[meet]).all()
    assert (gaps <= found.distance + SAME * size).all()
    # The certificates, by projecting all points: the normal proves the gap, and the witnesses are that far along.
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=SAME * size.max())
    np.testing.assert_allclose(axes.gap, found.distance, atol=SAME * size.max())
    np.testing.assert_allclose(
        np.einsum("ni,ni->n", found.point_a, found.normal), zoo.support(a, found.normal), atol=SAME * size.max()
    )
    return meet


@pytest.mark.parametrize("turned", [True, False])
def test_depths_are_those_of_the_best_of_all_facets(turned):
    rng = np.random.default_rng(1)
    meet = check_against_facets(*bodies(rng, 200, 0.8, turned))
    assert 30 < meet.sum() < 190


@pytest.mark.slow
@pytest.mark.parametrize("reach", [0.0, 0.3, 0.8, 1.3])
@pytest.mark.parametrize("turned", [True, False])
def test_depths_of_many_pairs_are_those_of_the_best_of_all_facets(reach, turned):
    count = many(70, 700)
    check_against_facets(*bodies(np.random.default_rng([7, int(10 * reach)]), count, reach, turned, ALL_SIZES))


def test_hulls_pushed_together_until_they_touch_touch():
    """B moved by minus the distance touches; a hair more or less does not."""
    rng = np.random.default_rng(2)
    a, b = bodies(rng, 300, 1.5)
    found = ck.distance(a, b)
    for offset, expected in ((0.0, 0.0), (1e-9, 1e-9), (1e-4, 1e-4)):
        shifted = zoo.moved(b, (offset - found.distance)[:, None] * found.normal)
        np.testing.assert_allclose(ck.distance(a, shifted).distance, expected, atol=1e-10)
        if offset:
            assert not ck.overlap(a, shifted).any()


def test_cubes_side_by_side_meet_up_to_the_last_rounding():
    """The balls within them meet where the cubes do: nothing that is apart may be settled by balls."""
    cube = ck.convex_hull(np.array(list(itertools.product((-0.5, 0.5), repeat=3))))
    gap = np.array([-0.3, -1e-3, -1e-9, 0.0, 1e-12, 1e-9, 1e-3, 0.04])
    place = np.outer(1.0 + gap, [0.0, 1.0, 0.0])
    turns = zoo.rotations(np.random.default_rng(9), 1).repeat(len(gap), axis=0)
    where = np.arange(len(gap)) * 0
    for turn in (None, turns):
        shift = place if turn is None else np.einsum("nij,nj->ni", turn, place)
        fixed = ck.Hulls([cube], where, rotation=turn)
        half = np.full((len(gap), 3), 0.5)
        for other in (ck.Hulls([cube], where, shift, turn), ck.Boxes(shift, half, turn)):
            np.testing.assert_array_equal(ck.overlap(fixed, other), gap <= 0.0)


def test_a_hull_in_itself_and_concentric_hulls_have_the_depth_of_their_best_facet():
    rng = np.random.default_rng(3)
    a, b = bodies(rng, 60, 0.0)
    for left, right in ((a, a), (a, b), (b, a)):
        found = ck.distance(left, right)
        np.testing.assert_allclose(found.distance, facet_gaps(left, right), atol=1e-10)


def test_of_two_ways_out_that_are_equally_short_noise_does_not_choose():
    """Boxes of which several faces tie, and mirror images: the same axis, to whichever side rounding falls."""
    rng = np.random.default_rng(4)
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    boxes, box_places = [corners, corners], np.array([[0.75, 0.75, 0.1], [0.5, 0.5, 0.5], [0.0, 0.9, 0.9]])
    clouds = [rng.normal(size=(6, 3)) * [0.3, 1.0, 1.0] for _ in range(20)]
    mirrored = [np.vstack([cloud, cloud * [-1.0, 1.0, 1.0]]) for cloud in clouds]
    mirror_places = np.stack([np.zeros(10), *(0.3 * rng.normal(size=(2, 10)))], axis=1)
    tied = 0
    for shapes, places in ((boxes * 3, box_places), (mirrored, mirror_places)):
        geometry = ck.convex_hulls(shapes)
        which = np.repeat(np.arange(len(places)), 20)
        noise = rng.uniform(-1e-15, 1e-15, (len(which), 3))
        a, b = ck.Hulls(geometry, 2 * which), ck.Hulls(geometry, 2 * which + 1, places[which] + noise)
        axes = ck.separating_axis(a, b)
        first = axes.axis[20 * which]
        np.testing.assert_allclose(axes.axis, first, atol=1e-12)
        tied += (np.abs(first[:, 0]) > 1e-6).sum()
    assert tied > 100


@pytest.mark.parametrize("margin", [0.0, 0.2])
def test_contacts_of_pairs_that_were_measured_before_are_the_same(margin):
    rng = np.random.default_rng(5)
    a, b = bodies(rng, 200, 0.8)
    boxes = ck.Boxes(b.translation, rng.uniform(0.1, 0.6, (200, 3)), b.rotation)
    for left, right in ((a, b), (a, boxes), (boxes, a)):
        first = ck.contacts(left, right, margin=margin)
        second = ck.contacts(left, right, margin=margin, known=ck.distance(left, right))
        check_same(first, second)
    with pytest.raises(ValueError, match="known"):
        ck.contacts(a, b, known=ck.distance(a, b, pairs=[[0, 0]]))


def test_contacts_of_pairs_that_were_measured_before_are_not_measured_again(monkeypatch):
    rng = np.random.default_rng(6)
    a, b = bodies(rng, 50, 0.8)
    known = ck.distance(a, b)
    monkeypatch.setattr(convex_convex, "_distances", None)
    assert len(ck.contacts(a, b, known=known)) > 10
    with pytest.raises(TypeError):
        ck.contacts(a, b)


def check_same(first, second):
    for name in ("pair", "feature_a", "feature_b", "type"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    for name in ("point", "normal", "depth"):
        np.testing.assert_allclose(getattr(first, name), getattr(second, name), atol=1e-9)


def gap_signs(a, b):
    """Sign of the gap of pairs of integer point sets (P, K, 3): 1 apart, 0 touching, -1 overlapping; exact.

    Every facet of a solid A - B has a normal that is the cross product of two differences within A or B.
    """
    signs = np.empty(len(a), dtype=np.int64)
    for first in range(0, len(a), 500):
        block = slice(first, first + 500)
        i, j = np.triu_indices(a.shape[1], 1)
        edges = np.concatenate([a[block, i] - a[block, j], b[block, i] - b[block, j]], axis=1)
        m, n = np.triu_indices(edges.shape[1], 1)
        normals = np.cross(edges[:, m], edges[:, n])
        on_a, on_b = normals @ a[block].transpose(0, 2, 1), normals @ b[block].transpose(0, 2, 1)
        ahead, behind = on_b.min(axis=2) - on_a.max(axis=2), on_a.min(axis=2) - on_b.max(axis=2)
        # A normal of length zero has a gap of zero, which is none.
        some = (normals != 0).any(axis=2)
        signs[block] = np.sign(np.where(some, np.maximum(ahead, behind), -(1 << 60)).max(axis=1))
    return signs


def check_verdicts(count, seed):
    """Hulls of five integer points each, the first of a pair solid."""
    rng = np.random.default_rng(seed)
    points = rng.integers(-3, 4, (2, 400, 5, 3))
    edge = points[0, :, 1:] - points[0, :, :1]
    solids = (np.linalg.det(edge[:, :3]) ** 2 + np.linalg.det(edge[:, 1:]) ** 2) > 0.25
    chosen = rng.choice(np.flatnonzero(solids), count), rng.integers(0, 400, count)
    shift = rng.integers(-4, 5, (count, 3))
    signs = gap_signs(points[0][chosen[0]], points[1][chosen[1]] + shift[:, None])
    a = ck.Hulls(ck.convex_hulls(list(points[0].astype(float))), chosen[0])
    b = ck.Hulls(ck.convex_hulls(list(points[1].astype(float))), chosen[1], shift.astype(float))
    found = ck.distance(a, b)
    np.testing.assert_array_equal(ck.overlap(a, b), signs <= 0)
    np.testing.assert_array_equal(found.distance > found.rounding, signs > 0)
    np.testing.assert_array_equal(found.distance < -found.rounding, signs < 0)
    assert (np.bincount(signs + 1) > count // 50).all()


def test_hulls_on_the_lattice_get_the_exact_verdict():
    check_verdicts(2000, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, many(4, 12)))
def test_tens_of_thousands_of_hulls_on_the_lattice_get_the_exact_verdict(seed):
    check_verdicts(10_000, seed)


def random_pairs(rng, count):
    """Generic hulls of 4 to 64 vertices in world poses, by index pairs."""
    points = [solid(rng, int(n), "ellipsoid") for n in rng.integers(4, 65, 60)]
    place = rng.uniform(-0.85, 0.85, (1000, 3))
    hulls = ck.Hulls(ck.convex_hulls(points), rng.integers(0, 60, 1000), place, zoo.rotations(rng, 1000))
    pairs = rng.integers(0, 1000, (count, 2))
    return hulls, pairs[pairs[:, 0] != pairs[:, 1]]


@pytest.mark.slow
def test_coal_agrees_on_ten_thousand_pairs():
    coal = pytest.importorskip("coal")
    hulls, pairs = random_pairs(np.random.default_rng(6), 12_000)
    shapes = []
    for hull in hulls.geometry:
        points = coal.StdVec_Vec3s()
        points.extend(list(hull.points))
        shapes.append(coal.Convex.convexHull(points, True, ""))
    poses = [coal.Transform3s(*pose) for pose in zip(hulls.rotation, hulls.translation, strict=True)]
    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    theirs = []
    for i, j in pairs.tolist():
        answer = coal.DistanceResult()
        of_i, of_j = shapes[hulls.index[i]], shapes[hulls.index[j]]
        theirs.append(coal.distance(of_i, poses[i], of_j, poses[j], request, answer))
    check_disagreements(hulls, pairs, np.array(theirs), 1e-5)


@pytest.mark.slow
def test_fcl_agrees_on_ten_thousand_pairs():
    fcl = pytest.importorskip("fcl")
    hulls, pairs = random_pairs(np.random.default_rng(7), 12_000)
    shapes = []
    for hull in hulls.geometry:
        faces = np.concatenate([np.append(len(face), face) for face in hull.faces])
        shapes.append(fcl.Convex(hull.points, len(hull.faces), faces))
    objects = [
        fcl.CollisionObject(shapes[index], fcl.Transform(turn, place))
        for index, turn, place in zip(hulls.index, hulls.rotation, hulls.translation, strict=True)
    ]
    theirs = np.array([fcl.collide(objects[i], objects[j]) > 0 for i, j in pairs.tolist()])
    found = ck.distance(hulls, hulls, pairs)
    differ = (found.distance <= found.rounding) != theirs
    # Where the two differ, it is by less than FCL's own tolerance.
    assert np.abs(found.distance[differ]).max(initial=0.0) < 1e-5
    assert differ.mean() < 1e-3


def check_disagreements(hulls, pairs, theirs, tolerance):
    """Return where another library says something else, ours is proved, so that it must be the other."""
    found = ck.distance(hulls, hulls, pairs)
    differ = np.flatnonzero(np.abs(found.distance - theirs) > tolerance)
    assert len(differ) < len(pairs) // 1000
    a, b = hulls.take(pairs[differ, 0]), hulls.take(pairs[differ, 1])
    deep = found.distance[differ] < 0.0
    np.testing.assert_allclose(found.distance[differ][deep], facet_gaps(a, b)[deep], atol=1e-11)
    # Apart: points of the two that near are a bound from above, the gap along the normal is one from below.
    gap = -zoo.support(b, -found.normal[differ]) - zoo.support(a, found.normal[differ])
    np.testing.assert_allclose(gap, found.distance[differ], atol=1e-11)
