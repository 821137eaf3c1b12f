# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of `test_pair_contract.py` for pairs with a mesh, as far as it holds for shapes that need not be convex.

What differs, and why. The depth is the length of a translation that is proved to free, not of the shortest one:
finding that is a search over all of configuration space. Where two solids are convex, it is the depth all the same.
The gap is that of the hulls along the axis: of two links of a chain it is negative though they are apart. The normals
of a pair's contacts differ from region to region, and so do the depths.
"""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.table import PAIRS
from tests.helpers import mesh_zoo, zoo
from tests.helpers.offline import by_turns, slow
from tests.helpers.triangle_meshes import hull_mesh, subdivided, torus

COUNT = 12
TINY = 1e-11
# A translation that frees leaves the two touching up to this: its last step is Newton's.
TOUCH = 1e-8

# All other bounded shapes go the same way as a ball does.
QUICK = (ck.Kind.SPHERE, ck.Kind.HALF_SPACE, ck.Kind.PLANE, ck.Kind.MESH)


def marks(kind):
    return [] if kind in QUICK else [pytest.mark.slow]


CELLS = [
    pytest.param(kinds, maker, id=f"{kinds[0].name}-{kinds[1].name}-{maker}".lower(), marks=marks(kinds[0]))
    for kinds, maker in itertools.product(PAIRS, zoo.MAKERS)
    if ck.Kind.MESH in kinds
]


def cells(turn):
    """Each pair of kinds is drawn in one of the ways by the quick tests, and in the others by the slow ones."""
    return pytest.mark.parametrize(("kinds", "maker"), by_turns(CELLS, len(zoo.MAKERS), turn))


UNBOUNDED = {ck.Kind.HALF_SPACE, ck.Kind.PLANE}


def batches(kinds, maker, seed=3, count=COUNT):
    rng = np.random.default_rng([seed, *kinds])
    return tuple(zoo.MAKERS[maker](kind, rng, count) for kind in kinds)


def pieces(shapes, row):
    """One row as a batch of convex pieces."""
    if isinstance(shapes, ck.Meshes):
        return ck.Triangles(mesh_zoo.world(shapes, row))
    return shapes.take(np.array([row]))


def every_piece(a, b, row):
    """Signed distances of all pieces of the one and all of the other."""
    first, second = pieces(a, row), pieces(b, row)
    pairs = np.array(list(itertools.product(range(len(first)), range(len(second)))))
    return ck.distance(first, second, pairs)


def point_of(shapes, row):
    """A point of the one piece that a shape is."""
    if isinstance(shapes, ck.Cylinders | ck.Cones | ck.Ellipsoids):
        name = {ck.Kind.CYLINDER: "start", ck.Kind.CONE: "base", ck.Kind.ELLIPSOID: "center"}[shapes.kind]
        return getattr(shapes, name)[row]
    return zoo.cores(shapes.take(np.array([row])))[0][0][0]


def inside(shapes, row, points):
    """Whether points are inside a solid mesh, by solid angles."""
    return np.rint(mesh_zoo.winding(mesh_zoo.world(shapes, row), points)) != 0


def held(a, b, row):
    """Whether one of two that do not meet is inside the other: one point of each piece will do."""
    one, other = (mesh_zoo.world(s, row)[:, 0] if isinstance(s, ck.Meshes) else point_of(s, row)[None] for s in (a, b))
    in_a = isinstance(a, ck.Meshes) and a.solid[row] and inside(a, row, other).any()
    return in_a or (b.solid[row] and inside(b, row, one).any())


@cells(0)
def test_the_distance_is_the_least_over_all_pieces(kinds, maker):
    a, b = batches(kinds, maker)
    found, overlap = ck.distance(a, b), ck.overlap(a, b)
    np.testing.assert_array_equal(overlap, found.distance <= found.rounding)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=TINY)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=TINY)
    assert overlap.any()
    assert not overlap.all()
    for row in range(len(a)):
        every = every_piece(a, b, row)
        if UNBOUNDED & {*kinds}:
            heights = (mesh_zoo.world(b, row) @ a.normal[row] - a.offset[row]).reshape(-1)
            meets = (every.distance <= every.rounding).any()
            assert overlap[row] == meets
            if not meets:
                least = heights.min() if kinds[0] == ck.Kind.HALF_SPACE else np.abs(heights).min()
                assert found.distance[row] == pytest.approx(least, abs=TINY)
            continue
        meets = (every.distance <= every.rounding).any()
        assert overlap[row] == (meets or held(a, b, row))
        if not overlap[row]:
            assert found.distance[row] == pytest.approx(every.distance.min(), abs=TINY)
            for shapes, point in ((a, found.point_a[row]), (b, found.point_b[row])):
                ball = ck.Spheres([point], [1e-9])
                assert ck.overlap(ball, pieces(shapes, row)).any()


@cells(1)
def test_moving_by_the_depth_frees(kinds, maker):
    a, b = batches(kinds, maker)
    found = ck.distance(a, b)
    meet = np.flatnonzero(found.distance < -1e-9)
    away = -found.distance[meet, None] * found.normal[meet]
    a, b = a.take(meet), b.take(meet)
    assert (np.abs(ck.distance(a, zoo.moved(b, away)).distance) <= TOUCH).all()
    freed = zoo.moved(b, away + 1e-6 * found.normal[meet])
    assert not ck.overlap(a, freed).any()
    # By the pieces alone, and by solid angles.
    for row in range(0, len(meet), 3):
        assert (every_piece(a, freed, row).distance > 0.0).all()
        assert UNBOUNDED & {*kinds} or not held(a, freed, row)


def test_the_deepest_contact_is_as_deep_as_the_interference_and_no_deeper_than_the_distance_to_separate():
    """Dozens of intersecting triangles, of which the largest region has normals that no axis of the shapes has."""
    rng = np.random.default_rng(1)
    (points, triangles), count = mesh_zoo.torus(16, 8), 4
    a, b = (ck.Meshes.from_triangles([mesh] * count, place, zoo.rotations(rng, count)) for mesh, place in (
        (mesh_zoo.torus(24, 12), np.zeros((count, 3))), ((0.4 * points, triangles), 0.5 * rng.normal(size=(count, 3))),
    ))  # fmt: skip
    found, contacts = ck.distance(a, b), ck.contacts(a, b)
    pair, first = np.unique(contacts.pair, return_index=True)
    assert len(pair) >= 3
    np.testing.assert_allclose(contacts.depth[first], ck.interference(a, b)[pair], rtol=2e-3)
    assert (contacts.depth[first] <= -found.distance[pair] + TOUCH).all()


def boxes_as_meshes(boxes):
    points, triangles = mesh_zoo.box()
    solids = [((2.0 * points - 1.0) * half, triangles) for half in boxes.half_extents]
    return ck.Meshes.from_triangles(solids, boxes.center, boxes.rotation)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=marks(kind)) for kind in ck.Kind if kind < ck.Kind.MESH],
    ids=lambda kind: kind.name,
)
def test_a_mesh_of_a_box_answers_as_the_box(kind):
    rng = np.random.default_rng(kind)
    a, box = zoo.generic(kind, rng, 24), zoo.generic(ck.Kind.BOX, rng, 24)
    b = boxes_as_meshes(box)
    expected, found = ck.distance(a, box), ck.distance(a, b)
    np.testing.assert_allclose(found.distance, expected.distance, atol=TINY)
    np.testing.assert_array_equal(ck.overlap(a, b), ck.overlap(a, box))
    np.testing.assert_array_equal(ck.contains(b, a), ck.contains(box, a))
    np.testing.assert_array_equal(ck.contains(a, b), ck.contains(a, box))
    for margin in (0.0, 0.3):
        one, other = ck.contacts(a, b, margin=margin), ck.contacts(a, box, margin=margin)
        assert np.unique(one.pair).tolist() == np.unique(other.pair).tolist()


def test_two_meshes_of_boxes_answer_as_the_boxes():
    rng = np.random.default_rng(3)
    one, other = (zoo.generic(ck.Kind.BOX, rng, 50) for _ in range(2))
    a, b = boxes_as_meshes(one), boxes_as_meshes(other)
    np.testing.assert_allclose(ck.distance(a, b).distance, ck.distance(one, other).distance, atol=TINY)
    np.testing.assert_array_equal(ck.contains(a, b), ck.contains(one, other))
    np.testing.assert_array_equal(
        ck.classify(a, b, touching=0.05, clearance=0.2), ck.classify(one, other, touching=0.05, clearance=0.2)
    )


@cells(0)
def test_the_axis_has_the_gap_of_the_hulls(kinds, maker):
    a, b = batches(kinds, maker)
    axes, found = ck.separating_axis(a, b), ck.distance(a, b)
    np.testing.assert_allclose(np.linalg.norm(axes.axis, axis=1), 1.0, atol=TINY)
    gap = -zoo.support(b, -axes.axis) - zoo.support(a, axes.axis)
    np.testing.assert_allclose(axes.gap, gap, atol=TINY)
    assert (axes.gap <= found.distance + TINY).all()


@cells(1)
@pytest.mark.parametrize("margin", [0.3, *slow(0.0)])
def test_a_pair_has_contacts_exactly_if_it_is_near(kinds, maker, margin):
    a, b = batches(kinds, maker)
    found, touch = ck.distance(a, b), ck.contacts(a, b, margin=margin)
    near = found.distance <= margin + found.rounding
    assert (np.bincount(touch.pair, minlength=len(a)) > 0).tolist() == near.tolist()
    assert (np.diff(touch.pair) >= 0).all()
    assert (np.diff(touch.depth)[np.diff(touch.pair) == 0] <= 0.0).all()
    assert (touch.depth >= -margin).all()
    np.testing.assert_allclose(np.linalg.norm(touch.normal, axis=1), 1.0, atol=TINY)
    apart = found.distance[touch.pair] > found.rounding[touch.pair]
    first = np.flatnonzero(apart & np.append(True, touch.pair[1:] != touch.pair[:-1]))
    np.testing.assert_allclose(touch.depth[first], -found.distance[touch.pair[first]], atol=TINY)
    assert np.isfinite(touch.point).all()
    for shapes, feature in ((a, touch.feature_a), (b, touch.feature_b)):
        if isinstance(shapes, ck.Meshes):
            meshes = [shapes.geometry[index] for index in shapes.index[touch.pair]]
            size = [
                (len(m.points), len(m.edges.uses), len(m.triangles))[k]
                for m, k in zip(meshes, feature[:, 0], strict=True)
            ]
            assert ((feature[:, 1] >= 0) & (feature[:, 1] < size)).all()


@cells(0)
def test_what_is_contained_has_all_its_points_inside(kinds, maker):
    a, b = batches(kinds, maker)
    # Small ones in the middle of what may hold them, and all pairs, so that some are held and some are not.
    b = zoo.placed(b, np.eye(3), 0.05, np.zeros(3))
    b = zoo.moved(b, ck.bounding_spheres(a)[0] - ck.bounding_spheres(b)[0])
    pairs = np.array(list(itertools.product(range(COUNT), range(COUNT))))
    held = ck.contains(a, b, pairs)
    assert held.any() or kinds[0] in (ck.Kind.TRIANGLE, ck.Kind.PLANE, ck.Kind.MESH)
    assert (ck.overlap(a, b, pairs) | ~held).all()
    for first, second in pairs[held][::3]:
        points = mesh_zoo.world(b, second).reshape(-1, 3)
        corners = ck.Spheres(points, np.full(len(points), 1e-9))
        piece = pieces(a, first)
        on = np.array([ck.overlap(corners, piece.take(np.array([k]))) for k in range(len(piece))]).any(axis=0)
        if isinstance(a, ck.Meshes):
            on |= inside(a, first, points)
        assert on.all()
    # And what is not held has a point outside, or is no solid, or leaves through a hollow.
    for first, second in pairs[~held][::7]:
        points = mesh_zoo.world(b, second)
        if isinstance(a, ck.Meshes) and a.solid[first] and inside(a, first, points.reshape(-1, 3)).all():
            found = ck.overlap(
                ck.Triangles(points),
                ck.Triangles(mesh_zoo.world(a, first)),
                np.array(list(itertools.product(range(len(points)), range(len(mesh_zoo.world(a, first)))))),
            )
            assert found.any()


@cells(1)
def test_swapping_the_two_turns_the_answer_round(kinds, maker):
    a, b = batches(kinds, maker)
    one, other = ck.distance(a, b), ck.distance(b, a)
    np.testing.assert_allclose(one.distance, other.distance, atol=TOUCH)
    unique = one.distance > 1e-6
    np.testing.assert_allclose(one.distance[unique], other.distance[unique], atol=TINY)
    np.testing.assert_array_equal(ck.overlap(a, b), ck.overlap(b, a))
    np.testing.assert_allclose(ck.separating_axis(a, b).gap, ck.separating_axis(b, a).gap, atol=1e-9)
    assert np.unique(ck.contacts(b, a).pair).tolist() == np.unique(ck.contacts(a, b).pair).tolist()


@cells(0)
@pytest.mark.parametrize(
    ("scale", "shift"),
    [(1e-4, 0.0), (1.0, 1e5), *(pytest.param(scale, 0.0, marks=pytest.mark.slow) for scale in (1.0, 1e4))],
)
def test_rigid_motion_and_scale_change_nothing(kinds, maker, scale, shift):
    a, b = batches(kinds, maker)
    rng = np.random.default_rng(5)
    turn, move = zoo.rotations(rng, 1)[0], shift * np.array([0.6, -0.7, 0.4])
    before = ck.distance(a, b)
    after = ck.distance(zoo.placed(a, turn, scale, move), zoo.placed(b, turn, scale, move))
    tolerance = scale * (TINY + 20.0 * np.finfo(float).eps * shift)
    apart = before.distance > 1e-9
    np.testing.assert_allclose(after.distance[apart], scale * before.distance[apart], atol=tolerance)
    # What touches as little as rounding may be off either way, and its separating translation with it.
    np.testing.assert_array_equal(after.distance > tolerance, scale * before.distance > tolerance)
    if maker == "generic":
        np.testing.assert_allclose(after.distance, scale * before.distance, atol=scale * TOUCH + tolerance)


@cells(1)
def test_one_at_a_time_is_the_same_as_all_at_once(kinds, maker):
    a, b = batches(kinds, maker, count=4)
    together, touch = ck.distance(a, b), ck.contacts(a, b)
    for row in range(len(a)):
        alone = ck.distance(a.take(np.array([row])), b.take(np.array([row])))
        np.testing.assert_allclose(alone.distance[0], together.distance[row], atol=TOUCH)
        single = ck.contacts(a.take(np.array([row])), b.take(np.array([row])))
        assert len(single) == (touch.pair == row).sum()


def test_a_mesh_with_many_vertices_changes_nothing_for_the_other_pairs():
    rng, count = np.random.default_rng(21), 24
    large = subdivided(*subdivided(*subdivided(*torus())))
    meshes = ck.Meshes.from_triangles([*(hull_mesh(rng.normal(size=(12, 3))) for _ in range(3)), large])
    index = np.append(rng.integers(0, 3, (2, count)), [[3], [3]], axis=1)
    a, b = (
        meshes.take(one).placed(zoo.rotations(rng, count + 1), rng.uniform(-0.7, 0.7, (count + 1, 3))) for one in index
    )
    together, small = ck.distance(a, b), np.arange(count)
    alone = ck.distance(a.take(small), b.take(small))
    assert (alone.distance < 0.0).sum() > count / 2
    np.testing.assert_allclose(alone.distance, together.distance[:count], atol=TINY)


@cells(0)
def test_index_pairs_and_broadcasting(kinds, maker):
    a, b = batches(kinds, maker, count=4)
    every = np.array(list(itertools.product(range(4), range(4))))
    table = ck.distance(a, b, pairs=every).distance.reshape(4, 4)
    np.testing.assert_allclose(ck.distance(a, b).distance, np.diag(table), atol=TOUCH)
    np.testing.assert_allclose(ck.distance(a.take(np.array([3])), b).distance, table[3], atol=TOUCH)
    np.testing.assert_allclose(ck.distance(a, b.take(np.array([2]))).distance, table[:, 2], atol=TOUCH)
    assert len(ck.distance(a, b, pairs=[])) == 0
    assert len(ck.contacts(a, b, pairs=np.empty((0, 2), int))) == 0


@cells(1)
def test_what_is_known_of_a_pair_gives_the_same_contacts(kinds, maker):
    a, b = batches(kinds, maker)
    known = ck.distance(a, b)
    for margin in (0.0, 0.3):
        anew, again = ck.contacts(a, b, margin=margin), ck.contacts(a, b, margin=margin, known=known)
        for name, value in vars(anew).items():
            np.testing.assert_array_equal(getattr(again, name), value, err_msg=name)


def test_each_of_three_tips_in_a_box_has_a_contact():
    # A box on three pyramids.
    tip, foot = [0.0, 0.0, 1.0], [[-0.5, -0.5, -1.0], [0.5, -0.5, -1.0], [0.0, 0.5, -1.0]]
    vertices = np.concatenate([np.add([tip, *foot], [x, 0.0, 0.0]) for x in (-2.0, 0.0, 2.0)])
    faces = [np.add([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)], 4 * number) for number in range(3)]
    mesh = ck.Meshes.from_triangles([(vertices, np.concatenate(faces))])
    box = ck.Boxes([[0.0, 0.0, 2.8]], [[4.0, 2.0, 2.0]])
    found = ck.contacts(box, mesh)
    tips = found.take(found.feature_b[:, 0] == ck.FeatureKind.VERTEX)
    np.testing.assert_allclose(np.sort(tips.point[:, 0]), [-2.0, 0.0, 2.0], atol=1e-12)
    np.testing.assert_allclose(tips.depth, 0.2)
    np.testing.assert_allclose(tips.normal, np.tile([0.0, 0.0, -1.0], (3, 1)), atol=1e-12)
    # No point of the box is as deep in a pyramid.
    assert (found.depth[len(tips) :] < 0.2).all()
