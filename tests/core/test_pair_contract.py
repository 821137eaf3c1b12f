# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of every pair of kinds, whatever method answers: one test for each promise, over the matrix.

Certificates: the axis separates by the gap, the witnesses lie on the shapes and prove the distance, the translation
frees, no shorter one does. Invariances: swap, rigid motion, scale, one at a time or all at once.
"""

import itertools
from functools import cache

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from collision_kit.core.narrow_phase.table import PAIRS
from collision_kit.core.numerics.tolerances import FACE_DEEPER, FACE_DEEPER_SIZE, FACE_TILT
from collision_kit.core.shapes import UNBOUNDED
from tests.helpers import zoo
from tests.helpers.offline import MANY_SEARCHED, by_turns, offline, slow
from tests.helpers.pair_bounds import LOOSE, LOOSE_NORMAL, LOOSE_POINT, TINY, belongs, loose

COUNT = 200

CELLS = [
    pytest.param(kinds, maker, id=f"{kinds[0].name}-{kinds[1].name}-{maker}".lower())
    for kinds, maker in itertools.product(PAIRS, zoo.MAKERS)
    # Bodies answer as their parts do: test_assemblies.py. Meshes need not be convex: test_mesh_contract.py.
    if ck.Kind.MESH not in kinds
]


def cells(turn):
    """Each pair of kinds is drawn in one of the ways by the quick tests, and in the others by the slow ones."""
    return pytest.mark.parametrize(("kinds", "maker"), by_turns(CELLS, len(zoo.MAKERS), turn))


def batches(kinds, maker, seed=1, count=COUNT):
    rng = np.random.default_rng([seed, *kinds])
    made = [zoo.MAKERS[maker](kind, rng, count) for kind in kinds]
    some = np.arange(min(count, MANY_SEARCHED) if loose(kinds) else count)
    return tuple(shapes.take(some) for shapes in made)


@cache
def measured(kinds, maker):
    """The batches of a cell and their distances, which most tests need."""
    a, b = batches(kinds, maker)
    return a, b, ck.distance(a, b)


def test_every_pair_of_kinds_is_in_the_matrix_or_unbounded():
    # Assemblies are asked about by their parts.
    for first, second in itertools.combinations_with_replacement([*ck.Kind][:-1], 2):
        assert ((first, second) in PAIRS) == (not {first, second} <= {*UNBOUNDED})


# Kinds without vertices of a core: the least overlap of their pairs is searched for.
SEARCHED = {ck.Kind.CYLINDER, ck.Kind.ELLIPSOID, ck.Kind.CONE}

QUESTIONS = [ck.overlap, ck.distance, ck.separating_axis, ck.contacts, ck.contains, ck.classify]


@pytest.mark.parametrize("question", QUESTIONS)
def test_two_half_spaces_raise_a_named_error(question):
    a, b = batches((ck.Kind.HALF_SPACE, ck.Kind.HALF_SPACE), "generic", count=1)
    with pytest.raises(ck.UnsupportedPair, match="unbounded"):
        question(a, b)


@cells(0)
def test_the_witnesses_prove_the_distance_of_pairs_that_are_apart(kinds, maker):
    """Points of the shapes that near are an upper bound, a gap along the normal is a lower bound, and they agree."""
    a, b, found = measured(kinds, maker)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=TINY)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=TINY)
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=TINY)
    slack = max(LOOSE_POINT, LOOSE[maker]) if loose(kinds) else TINY
    assert on_surface(a, found.point_a, found.normal, slack)
    assert on_surface(b, found.point_b, -found.normal, slack)


def on_surface(shapes, point, normal, slack):
    """Each point belongs to its shape, and none of the shape lies beyond it along the normal."""
    level = np.abs(np.einsum("ni,ni->n", point, normal) - zoo.support(shapes, normal))
    return (level <= slack).all() and all(belongs(shapes, row, point[row], slack) for row in range(0, len(point), 8))


def has_face(shapes, row, normal):
    """Whether the normal is that of a face: three vertices or more of the shape lie farthest along it, to rounding."""
    points, _ = zoo.cores(shapes.take(np.array([row])))
    level = points[0] @ normal
    return np.count_nonzero(level >= level.max() - TINY) >= 3


def smaller_size(a, b):
    """Radius of the smaller ball about the two shapes of each pair."""
    sizes = [shapes.bounding_spheres()[1] for shapes in (a, b) if not isinstance(shapes, ck.HalfSpaces | ck.Planes)]
    return np.min(np.broadcast_arrays(*sizes), axis=0)


@cells(1)
def test_moving_by_the_depth_frees_and_nothing_shorter_does(kinds, maker):
    a, b, found = measured(kinds, maker)
    meet = np.flatnonzero(found.distance < -1e-9)
    away = -found.distance[meet, None] * found.normal[meet]
    a, b = a.take(meet), b.take(meet)
    slack = LOOSE[maker] if loose(kinds) else TINY
    np.testing.assert_allclose(ck.distance(a, zoo.moved(b, away)).distance, 0.0, atol=slack)
    assert not ck.overlap(a, zoo.moved(b, 1.001 * away)).any()
    if maker == "generic" and SEARCHED & {*kinds} and not {*kinds} & {*UNBOUNDED}:
        # No direction has less overlap: the origin is as deep in a hull of points of A - B.
        proved = proved_depth(a.take(every := np.arange(0, len(a), 8)), b.take(every), away[every], slack)
        assert (proved >= -found.distance[meet][every] - slack).all()
    elif maker == "generic" and not {*kinds} & {*UNBOUNDED}:
        assert np.abs(brute_force_depth(a, b) + found.distance[meet]).max() < TINY


def proved_depth(a, b, translation, slack):
    """Lower bounds on the depths of overlapping shapes of any kind: how deep the origin is in hulls of points of A - B.

    The points are those farthest along many directions, most of them near the translations given, and then along the
    normals of the facets that the origin is nearer to than it is said to be (van den Bergen, "Proximity queries and
    penetration depth computation on 3D game objects", 2001).
    """
    turn = np.arange(200) * np.pi * (3.0 - 5.0**0.5)
    level = 1.0 - (2.0 * np.arange(200) + 1.0) / 200.0
    sphere = np.stack([np.sqrt(1.0 - level**2) * np.cos(turn), np.sqrt(1.0 - level**2) * np.sin(turn), level], axis=1)
    near = np.concatenate([10.0**-power * sphere[::8] for power in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)])
    depth = np.empty(len(a))
    for row in range(len(a)):

        def points(d, row=row):
            d = d / np.linalg.norm(d, axis=1, keepdims=True)
            found = zoo.extremes(a, row, d) - zoo.extremes(b, row, -d)
            return found, (found * d).sum(axis=1)

        said = np.linalg.norm(translation[row])
        hull = ConvexHull(points(np.concatenate([sphere, translation[row] / said + near]))[0], incremental=True)
        for _ in range(30):
            facets = hull.equations
            short = facets[-facets[:, 3] < said - slack]
            more, reach = points(short[:, :3]) if len(short) else (np.empty((0, 3)), np.empty(0))
            beyond = reach > -short[:, 3] + slack / 4.0
            if not beyond.any():
                break
            hull.add_points(more[beyond])
        depth[row] = -hull.equations[:, 3].max()
        hull.close()
    return depth


def brute_force_depth(a, b):
    """Depth of overlapping shapes: distance of the origin from the nearest facet of A - B, built by Qhull."""
    (points_a, radius_a), (points_b, radius_b) = zoo.cores(a), zoo.cores(b)
    depth = np.empty(len(a))
    for row, (p, q) in enumerate(zip(points_a, points_b, strict=True)):
        difference = (p[:, None] - q[None]).reshape(-1, 3)
        depth[row] = depth_of_origin(difference) + radius_a[row] + radius_b[row]
    return depth


def depth_of_origin(points):
    """How deep the origin lies in the hull of points; negative outside: minus its distance, for cores of few points."""
    if len(points) >= 4 and np.linalg.matrix_rank(points - points[0], tol=1e-9) == 3:
        facets = ConvexHull(points).equations[:, 3]
        if facets.max() <= 0.0:
            return -facets.max()
    return -distance_to_origin(points)


def distance_to_origin(points):
    """Distance from the origin to the hull of points, over all their segments and triangles."""
    i, j = np.array(list(itertools.combinations(range(len(points)), 2)), dtype=int).reshape(-1, 2).T
    along = points[j] - points[i]
    square = np.maximum((along * along).sum(axis=1), 1e-300)
    t = np.clip(-(points[i] * along).sum(axis=1) / square, 0.0, 1.0)
    on_segments = points[i] + t[:, None] * along
    corners = points[np.array(list(itertools.combinations(range(len(points)), 3)), dtype=int).reshape(-1, 3)]
    p, q, r = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(q - p, r - p)
    area = np.linalg.norm(normal, axis=1)
    turns = np.stack([(np.cross(v, w) * normal).sum(axis=1) for v, w in ((p, q), (q, r), (r, p))])
    inside = (area > 0.0) & (turns >= 0.0).all(axis=0)
    heights = np.abs((normal * p).sum(axis=1))[inside] / area[inside]
    return min(np.linalg.norm(np.vstack([points, on_segments]), axis=1).min(), heights.min(initial=np.inf))


@cells(0)
def test_the_axis_separates_by_its_gap_or_overlaps_by_the_depth(kinds, maker):
    a, b, found = measured(kinds, maker)
    axes = ck.separating_axis(a, b)
    np.testing.assert_allclose(np.linalg.norm(axes.axis, axis=1), 1.0, atol=TINY)
    gap = -zoo.support(b, -axes.axis) - zoo.support(a, axes.axis)
    np.testing.assert_allclose(axes.gap, gap, atol=TINY)
    assert (axes.gap <= found.distance + TINY).all()
    meet = found.distance <= 0.0
    np.testing.assert_allclose(axes.gap[meet], found.distance[meet], atol=TINY)
    assert ((axes.gap > TINY) == (found.distance > TINY)).all()


@cells(1)
@pytest.mark.parametrize("margin", [0.3, *slow(0.0)])
def test_contacts_lie_midway_between_surfaces_that_meet(kinds, maker, margin):
    a, b, found = measured(kinds, maker)
    touch = ck.contacts(a, b, margin=margin)
    near = found.distance <= margin + found.rounding
    assert (np.bincount(touch.pair, minlength=len(a)) > 0).tolist() == near.tolist()
    assert (np.diff(touch.pair) >= 0).all()
    assert (touch.depth >= -margin).all()
    names = "POINT", "EDGE", "FACE"
    features = zip(touch.feature_a[:, 0], touch.feature_b[:, 0], strict=True)
    types = ["_".join(sorted((names[one], names[other]), key=names.index)) for one, other in features]
    assert [ck.ContactType(value).name for value in touch.type] == types
    slack = max(LOOSE_POINT, LOOSE[maker]) if loose(kinds) else TINY
    own = np.abs(touch.normal - found.normal[touch.pair]).max(axis=1) <= (LOOSE_NORMAL if loose(kinds) else TINY)
    # The deepest point of a pair is as deep as the pair, and comes first.
    pair, first = np.unique(touch.pair, return_index=True)
    deeper, own = touch.depth[first] + found.distance[pair], own[first]
    np.testing.assert_allclose(deeper[own], 0.0, atol=max(slack, 1e-9))
    # Or the normal is that of a face nearly as good, and the point deeper by no more than the rule allows.
    assert own.all() or not {ck.Kind.SPHERE, *SEARCHED, *UNBOUNDED} & set(kinds)
    along, meant = touch.normal[first], found.normal[pair]
    assert (np.einsum("ci,ci->c", along, meant)[~own] >= FACE_TILT).all()
    allowed = FACE_DEEPER * np.abs(found.distance[pair])
    assert (deeper >= -np.where(found.distance[pair] > 0.0, allowed, 0.0) - max(slack, 1e-8)).all()
    assert (deeper <= allowed + FACE_DEEPER_SIZE * smaller_size(a, b)[pair] + 1e-9).all()
    assert all(has_face(a, row, n) or has_face(b, row, -n) for row, n in zip(pair[~own], along[~own], strict=True))
    assert (np.diff(touch.depth)[np.diff(touch.pair) == 0] <= 0.0).all()
    # Half the depth either way along the normal lies on the one and on the other surface.
    for shapes, sign in ((a, 0.5), (b, -0.5)):
        surface = touch.point + sign * touch.depth[:, None] * touch.normal
        inside = [
            belongs(shapes, pair, point, slack) for pair, point in zip(touch.pair[::8], surface[::8], strict=True)
        ]
        assert all(inside)


@cells(0)
def test_overlap_classify_and_contains_agree_with_the_distance(kinds, maker):
    a, b, found = measured(kinds, maker)
    np.testing.assert_array_equal(ck.overlap(a, b), found.distance <= found.rounding)
    verdict = ck.classify(a, b, touching=0.05, clearance=0.2)
    for value, expected in (
        (ck.Verdict.SEPARATED, found.distance > 0.2),
        (ck.Verdict.WITHIN_CLEARANCE, (found.distance > 0.05) & (found.distance <= 0.2)),
        (ck.Verdict.TOUCHING, np.abs(found.distance) <= 0.05),
    ):
        np.testing.assert_array_equal(verdict == value, expected)
    held = ck.contains(a, b) | ck.contains(b, a)
    np.testing.assert_array_equal(verdict == ck.Verdict.CONTAINED, (found.distance < -0.05) & held)


@cells(1)
def test_what_is_contained_has_all_its_points_inside(kinds, maker):
    a, b = batches(kinds, maker)
    if isinstance(b, ck.HalfSpaces | ck.Planes):
        assert not ck.contains(a, b).any()
        expected = zoo.support(a, b.normal) <= b.offset + TINY
        if isinstance(b, ck.Planes):
            expected &= -zoo.support(a, -b.normal) >= b.offset - TINY
        np.testing.assert_array_equal(ck.contains(b, a), expected)
        return
    held = ck.contains(a, b)
    for row in range(0, len(a), 4):
        # Points of B's surface in many directions: all belong to A exactly if A holds B.
        direction = zoo.rotations(np.random.default_rng(row), 60).reshape(-1, 3)
        surface = zoo.extremes(b, row, direction)
        if held[row]:
            assert all(belongs(a, row, point) for point in surface)
        elif not isinstance(b, ck.Cylinders | ck.Ellipsoids | ck.Cones):
            points, radius = zoo.cores(b.take(np.array([row])))
            if radius[0] == 0.0:
                assert not all(belongs(a, row, point) for point in points[0])


@cells(0)
def test_swapping_the_two_turns_the_answer_round(kinds, maker):
    a, b, one = measured(kinds, maker)
    other = ck.distance(b, a)
    slack = LOOSE[maker] if loose(kinds) else TINY
    np.testing.assert_allclose(one.distance, other.distance, atol=slack)
    unique = one.distance > (1e-3 if loose(kinds) else 1e-6)
    turned = LOOSE_NORMAL if loose(kinds) else 1e-9
    np.testing.assert_allclose(one.normal[unique], -other.normal[unique], atol=turned)
    np.testing.assert_array_equal(ck.overlap(a, b), ck.overlap(b, a))
    gaps = ck.separating_axis(a, b).gap, ck.separating_axis(b, a).gap
    np.testing.assert_allclose(*gaps, atol=slack)
    swapped = ck.contacts(b, a)
    assert np.unique(swapped.pair).tolist() == np.unique(ck.contacts(a, b).pair).tolist()


@cells(1)
@pytest.mark.parametrize(
    ("scale", "shift"),
    [(1e-4, 0.0), (1.0, 1e5), *(pytest.param(scale, 0.0, marks=pytest.mark.slow) for scale in (1.0, 1e4))],
)
def test_rigid_motion_and_scale_change_nothing(kinds, maker, scale, shift):
    a, b, before = measured(kinds, maker)
    rng = np.random.default_rng(5)
    turn, move = zoo.rotations(rng, 1)[0], shift * np.array([0.6, -0.7, 0.4])
    moved_a, moved_b = zoo.placed(a, turn, scale, move), zoo.placed(b, turn, scale, move)
    after = ck.distance(moved_a, moved_b)
    # Coordinates 1e5 away are stored with an error of 1e5 eps to begin with.
    tolerance = scale * ((LOOSE[maker] if loose(kinds) else TINY) + 20.0 * np.finfo(float).eps * shift)
    np.testing.assert_allclose(after.distance, scale * before.distance, atol=tolerance)
    unique = before.distance > 1e-3
    # Where round surfaces face each other, the distance changes with the square of a turn.
    turned = LOOSE_NORMAL * (1.0 + 1e-4 * shift) if loose(kinds) else 1e-6
    np.testing.assert_allclose(after.normal[unique], before.normal[unique] @ turn.T, atol=turned)
    # No verdict changes but those that hang on less than that.
    levels = {"touching": 0.05, "clearance": 0.2}
    clear = np.abs(np.abs(before.distance)[:, None] - [0.0, *levels.values()]).min(axis=1) > 1e-9
    # Whether one holds the other can hang on a touch from inside.
    verdict, again = (
        ck.classify(a, b, **levels),
        ck.classify(moved_a, moved_b, **{k: scale * v for k, v in levels.items()}),
    )
    most = ck.Verdict.CONTAINED if maker == "generic" else ck.Verdict.PENETRATING
    np.testing.assert_array_equal(np.minimum(verdict, most)[clear], np.minimum(again, most)[clear])


@cells(0)
@pytest.mark.parametrize("step", [4, *offline(1)])
def test_one_at_a_time_is_the_same_as_all_at_once(kinds, maker, step):
    a, b = batches(kinds, maker, count=40)
    together, touch = ck.distance(a, b), ck.contacts(a, b)
    for row in range(0, len(a), step):
        alone = ck.distance(a.take(np.array([row])), b.take(np.array([row])))
        np.testing.assert_allclose(
            alone.distance[0], together.distance[row], atol=LOOSE[maker] if loose(kinds) else TINY
        )
        single = ck.contacts(a.take(np.array([row])), b.take(np.array([row])))
        assert len(single) == (touch.pair == row).sum()


@cells(1)
def test_index_pairs_and_broadcasting(kinds, maker):
    a, b = batches(kinds, maker, count=12)
    every = np.array(list(itertools.product(range(12), range(12))))
    table = ck.distance(a, b, pairs=every).distance.reshape(12, 12)
    np.testing.assert_allclose(ck.distance(a, b).distance, np.diag(table), atol=TINY)
    np.testing.assert_allclose(ck.distance(a.take(np.array([3])), b).distance, table[3], atol=TINY)
    np.testing.assert_allclose(ck.distance(a, b.take(np.array([5]))).distance, table[:, 5], atol=TINY)
    assert len(ck.distance(a, b, pairs=[])) == 0
    assert len(ck.contacts(a, b, pairs=np.empty((0, 2), int))) == 0
