# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of what rests on something stay the same under noise, and lose nothing of the depth of the pair.

Certificates: what is true of a manifold whatever made it. Faces resting on faces have four contacts however little they
are tilted; each contact lies midway between points of the two shapes; the deepest is as deep as the pair.
"""

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from collision_kit.core.numerics.tolerances import AXIS_NAMED, FACE_DEEPER, FACE_DEEPER_SIZE, PATCH_LEVEL
from tests.helpers import mesh_zoo, zoo
from tests.helpers.offline import slow

COUNT = 60
CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
# Seven sides, tapered: its two faces are no parallelograms, and its sides lean.
PRISM = np.concatenate(
    [
        np.column_stack([width * np.cos(turns), width * np.sin(turns), np.full(7, z)])
        for width, z in ((0.9, -1.0), (1.1, 1.0))
        for turns in [np.arange(7) * 0.9 + 0.1]
    ]
)
LOWER = {"box": CUBE, "hull": PRISM}
RESTING = [("box", "box"), ("box", "hull"), ("hull", "box"), ("hull", "hull"), ("box", "triangle"), ("cylinder", "box")]


def turns(axis, angle):
    """Rotations about unit axes (N, 3), (N, 3, 3)."""
    x, y, z = axis.T
    zero = np.zeros_like(x)
    cross = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def about_up(angle):
    return np.concatenate([turns(np.array([[0.0, 0.0, 1.0]]), one) for one in angle])


def directions(rng, count):
    vectors = rng.normal(size=(count, 3))
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def resting(kinds, tilt, rng, depth=0.07):
    """One shape below, and many that rest on it, turned any way about the vertical and tilted by so much."""
    place = np.random.default_rng(5)
    center = np.column_stack([*place.uniform(-0.6, 0.6, (2, COUNT)), np.full(COUNT, 2.0 - depth)])
    yaw = about_up(place.uniform(0.0, 2.0 * np.pi, COUNT))
    rotation = turns(directions(rng, COUNT), tilt) @ yaw
    below, above = kinds
    if below == "cylinder":
        a = ck.Cylinders([[0.0, 0.0, -1.0]], [[0.0, 0.0, 1.0]], [1.0])
    else:
        a = ck.Boxes([[0.0] * 3], [[1.0] * 3]) if below == "box" else ck.Hulls.from_points([PRISM])
    if above == "triangle":
        corners = np.array([[-0.9, -1.0, -1.0], [1.2, -0.8, -1.0], [0.2, 1.1, -1.0]])
        return a, ck.Triangles(corners @ rotation.transpose(0, 2, 1) + center[:, None])
    if above == "hull":
        return a, ck.Hulls.from_points([PRISM] * COUNT, center, rotation)
    return a, ck.Boxes(center, np.ones((COUNT, 3)), rotation)


def named(touch, count):
    """The features and type of the contacts of each pair, in no order."""
    columns = np.column_stack([touch.pair, touch.type, touch.feature_a, touch.feature_b])
    return [sorted(map(tuple, columns[touch.pair == pair, 1:].tolist())) for pair in range(count)]


def deepest(touch, count):
    result = np.full(count, -np.inf)
    np.maximum.at(result, touch.pair, touch.depth)
    return result


@pytest.mark.parametrize("kinds", RESTING, ids="-".join)
@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-5, 1e-2, *slow(1e-6, 1e-4, 1e-3)])
def test_a_face_on_a_face_has_as_many_contacts_however_little_it_is_tilted(kinds, tilt):
    a, b = resting(kinds, tilt, np.random.default_rng(1))
    touch, found = ck.contacts(a, b), ck.distance(a, b)
    level = ck.contacts(*resting(kinds, 0.0, np.random.default_rng(1)))
    number = np.bincount(touch.pair, minlength=COUNT)
    np.testing.assert_array_equal(number, np.bincount(level.pair, minlength=COUNT))
    assert (number >= 3).all()
    lacking = -found.distance - deepest(touch, COUNT)
    assert lacking.max() <= 4.0 * PATCH_LEVEL
    # Tilted by so much a patch is deeper than the pair to second order only.
    assert lacking.min() >= -(tilt**2) - 1e-12


@pytest.mark.parametrize("kinds", RESTING[:5], ids="-".join)
@pytest.mark.parametrize("noise", [1e-9, 1e-6, *slow(1e-8, 1e-7)])
def test_noise_changes_no_feature_and_no_type(kinds, noise):
    rng = np.random.default_rng(2)
    poses = [named(ck.contacts(*resting(kinds, noise, rng)), COUNT) for _ in range(3)]
    level = named(ck.contacts(*resting(kinds, 0.0, rng)), COUNT)
    assert all(pose == level for pose in poses)
    assert all(len(contacts) >= 3 for contacts in level)


@pytest.mark.parametrize("noise", [1e-12, 1e-9, 1e-7, 1e-6])
@pytest.mark.parametrize("kinds", [("box", "box"), ("box", "triangle")], ids="-".join)
def test_what_separates_faces_that_are_parallel_but_for_noise_is_a_face(kinds, noise):
    a, b = resting(kinds, noise, np.random.default_rng(3))
    axes, found = ck.separating_axis(a, b), ck.distance(a, b)
    edges = (axes.feature_a[:, 0] == ck.FeatureKind.EDGE) & (axes.feature_b[:, 0] == ck.FeatureKind.EDGE)
    assert not edges.any()
    # The gap is that of the axis named, and no more than the preference is lost.
    projected = -zoo.support(b, -axes.axis) - zoo.support(
        ck.Boxes(np.zeros((COUNT, 3)), np.ones((COUNT, 3))), axes.axis
    )
    np.testing.assert_allclose(axes.gap, projected, atol=1e-13)
    assert (axes.gap <= found.distance + 1e-12).all()
    assert (axes.gap >= found.distance - 7.0 * AXIS_NAMED * 6.0).all()


@pytest.mark.parametrize("gap", [1e-12, 1e-9, 3e-8, 1e-7, 1e-6])
def test_an_axis_of_boxes_that_are_apart_shows_the_gap_however_small(gap):
    """Turned by noise, an edge may show a gap where a face that is as good but for the preference shows none."""
    rng = np.random.default_rng(4)
    a, b = resting(("box", "box"), gap, rng, depth=-gap)
    found, axes = ck.distance(a, b), ck.separating_axis(a, b)
    apart = found.distance > found.rounding
    np.testing.assert_array_equal(axes.gap > found.rounding, apart)
    assert apart.any()


def outside(points, shape):
    """Return how far each point is outside of the hull of some points, by Qhull's planes."""
    planes = ConvexHull(shape).equations
    return (points @ planes[:, :3].T + planes[:, 3]).max(axis=1)


def test_every_contact_lies_midway_between_points_of_both_shapes():
    """Any depth and tilt, and margins: pairs that have the face's normal as well as those that have their own."""
    rng = np.random.default_rng(6)
    count = 300
    rotation = turns(directions(rng, count), 1.0) @ about_up(rng.uniform(0.0, 2.0 * np.pi, count))
    rotation[::2] = turns(directions(rng, count), 0.05)[::2] @ about_up(rng.uniform(0.0, 6.0, count))[::2]
    center = np.column_stack([*rng.uniform(-1.2, 1.2, (2, count)), rng.uniform(1.5, 2.05, count)])
    a, b = ck.Hulls.from_points([PRISM]), ck.Boxes(center, np.ones((count, 3)), rotation)
    touch, found = ck.contacts(a, b, margin=0.05), ck.distance(a, b)
    side = touch.depth[:, None] * touch.normal / 2.0
    assert outside(touch.point + side, PRISM).max() <= 1e-9
    assert (
        max(
            outside((touch.point - side - center[touch.pair])[touch.pair == pair] @ rotation[pair], CUBE).max()
            for pair in np.unique(touch.pair)
        )
        <= 1e-9
    )
    meet = found.distance <= 0.05
    excess = (deepest(touch, count) + found.distance)[meet]
    allowed = FACE_DEEPER * np.abs(found.distance[meet])
    assert (excess >= -allowed - 4.0 * PATCH_LEVEL).all()
    assert (excess <= allowed + FACE_DEEPER_SIZE * np.sqrt(3.0)).all()
    # Both sorts are there.
    turned = np.abs(touch.normal - found.normal[touch.pair]).max(axis=1) > 1e-6
    assert 0 < len(np.unique(touch.pair[turned])) < meet.sum()


def test_edges_that_cross_touch_in_one_point_with_their_own_normal():
    """Planks stood on their edges, one across the other: there is no face that could do."""
    quarter = turns(np.array([[1.0, 0.0, 0.0]]), np.pi / 4.0)
    across = turns(np.array([[0.0, 1.0, 0.0]]), np.pi / 4.0)
    half = np.sqrt(2.0) / 10.0
    a = ck.Boxes([[0.0, 0.0, 0.0]], [[5.0, 0.1, 0.1]], quarter)
    b = ck.Boxes([[0.0, 0.0, 2.0 * half - 0.01]], [[0.1, 5.0, 0.1]], across)
    touch = ck.contacts(a, b)
    assert touch.type.tolist() == [ck.ContactType.EDGE_EDGE]
    np.testing.assert_allclose(touch.normal, [[0.0, 0.0, 1.0]], atol=1e-12)
    np.testing.assert_allclose(touch.depth, [0.01], atol=1e-12)


def slab(rng):
    """A subdivided slab whose vertices are float32, as a mesh has them, and its rotation."""
    rotation = zoo.rotations(rng, 1)[0]
    grid = np.stack(np.meshgrid(*[np.linspace(-5.0, 5.0, 9)] * 2, [-0.25, 0.25], indexing="ij"), axis=-1).reshape(-1, 3)
    return (grid @ rotation.T).astype(np.float32).astype(float), rotation


@pytest.mark.parametrize("other", ["box", "hull", "cylinder"])
def test_a_side_of_many_facets_keeps_the_deepest_contact(other):
    rng = np.random.default_rng(7)
    for _ in range(12):
        points, rotation = slab(rng)
        count = 12
        place = np.column_stack([*rng.uniform(-3.0, 3.0, (2, count)), 0.25 + rng.uniform(0.2, 1.0, count)])
        turn, half, center = zoo.rotations(rng, count), rng.uniform(0.3, 3.0, (count, 3)), place @ rotation.T
        if other == "box":
            b = ck.Boxes(center, half, turn)
        elif other == "hull":
            b = ck.Hulls.from_points([half_extents * CUBE for half_extents in half], center, turn)
        else:
            b = ck.Cylinders(center, center + half[:, :1] * turn[:, :, 2], half[:, 1])
        a = ck.Hulls.from_points([points])
        touch, found = ck.contacts(a, b), ck.distance(a, b)
        meet = found.distance < -1e-3
        excess = (deepest(touch, count) + found.distance)[meet]
        assert (excess >= -1e-4).all()
        assert (excess <= FACE_DEEPER * -found.distance[meet] + FACE_DEEPER_SIZE * 6.0).all()


def test_a_side_of_many_facets_is_one_face_to_what_rests_on_it():
    """Four contacts near the corners of the crate, and one name for the face, wherever on the slab it stands."""
    points, rotation = slab(np.random.default_rng(8))
    rng = np.random.default_rng(9)
    count = 20
    place = np.column_stack([*rng.uniform(-3.5, 3.5, (2, count)), np.full(count, 0.25 + 1.0 - 0.01)])
    turn = rotation @ about_up(rng.uniform(0.0, 6.0, count))
    touch = ck.contacts(ck.Hulls.from_points([points]), ck.Boxes(place @ rotation.T, np.ones((count, 3)), turn))
    np.testing.assert_array_equal(np.bincount(touch.pair), 4)
    local = np.einsum("cji,cj->ci", turn[touch.pair], touch.point - (place @ rotation.T)[touch.pair])
    np.testing.assert_allclose(np.abs(local[:, :2]), 1.0, atol=1e-5)
    assert (touch.feature_a[:, 0] == ck.FeatureKind.FACE).all()
    assert len(np.unique(touch.feature_a[:, 1])) == 1


def test_a_low_tip_on_a_plate_hides_no_depth():
    """A plate with a pyramid on it as high as rounding: four facets that look the same way, and a box deep in it."""
    plate = [[x, y, z] for x in (-5, 5) for y in (-5, 5) for z in (-1, 0)]
    turn = [
        [-0.61780551, 0.12945374, 0.77560176],
        [-0.78305958, -0.19116522, -0.59183913],
        [0.0716523, -0.97298386, 0.21947292],
    ]
    box = ck.Boxes([[1.11983227, -0.7525717, 1.2]], [[0.44147416, 1.08524365, 1.41352433]], [turn])
    for tip in (1e-9, 1e-7, 1e-6):
        hull = ck.Hulls.from_points([[*plate, [0.0, 0.0, tip]]])
        touch, found = ck.contacts(hull, box), ck.distance(hull, box)
        # Of which facet the normal is makes a difference as small as the tip.
        np.testing.assert_allclose(touch.depth.max(), -found.distance[0], rtol=0.0, atol=tip)
        # The witness on the box is one of its corners.
        assert np.abs(np.abs((found.point_b - box.center) @ box.rotation[0]) - box.half_extents).max() <= 1e-5


def test_contacts_of_what_is_tilted_are_remembered_by_their_features():
    """Contacts computed from the features of a manifold that took a face's normal are those that were found."""
    a, b = resting(("box", "box"), 1e-3, np.random.default_rng(10))
    pairs = np.column_stack([np.zeros(COUNT, dtype=np.int64), np.arange(COUNT)])
    memory = ck.ContactCache()
    first = memory.update(a, b, pairs)
    again = memory.recompute(a, b, pairs)
    order, same = np.argsort(first.identity), np.argsort(again.identity)
    np.testing.assert_array_equal(first.identity[order], again.identity[same])
    np.testing.assert_allclose(first.contacts.point[order], again.contacts.point[same], atol=1e-9)
    np.testing.assert_allclose(first.contacts.depth[order], again.contacts.depth[same], atol=1e-9)
    np.testing.assert_allclose(first.contacts.normal[order], again.contacts.normal[same], atol=1e-9)


# What a cylinder or capsule does on what lies below it.
ROUND = [("cylinder", "standing"), ("cylinder", "lying"), ("capsule", "lying")]
BELOW = {
    "box": ck.Boxes([[0.0] * 3], [[1.0] * 3]),
    "hull": ck.Hulls.from_points([PRISM]),
    "triangle": ck.Triangles([[[-2.0, -1.0, 1.0], [2.0, -1.0, 1.0], [0.0, 2.0, 1.0]]]),
    "half-space": ck.HalfSpaces([[0.0, 0.0, 1.0]], [1.0]),
    "cylinder": ck.Cylinders([[0.0, 0.0, -1.0]], [[0.0, 0.0, 1.0]], [1.0]),
}
amounts = pytest.mark.parametrize("count", [60, *slow(200)])


def round_resting(kind, pose, tilt, rng, count, depth=0.07):
    """Many of a kind, turned any way about the vertical and tilted by so much, all over the brink of what is below."""
    place = np.random.default_rng(5)
    rotation = turns(directions(rng, count), tilt) @ about_up(place.uniform(0.0, 2.0 * np.pi, count))
    # A capsule over a brink has the normal of its own side, as balls have.
    reach = 0.9 if kind == "cylinder" else 0.1
    axis, half, radius = rotation[:, :, 2 if pose == "standing" else 0], 0.8, 0.4
    height = 1.0 + (half if pose == "standing" else radius) - depth
    center = np.column_stack([*place.uniform(-reach, reach, (2, count)), np.full(count, height)])
    batch = ck.Cylinders if kind == "cylinder" else ck.Capsules
    return batch(center - half * axis, center + half * axis, np.full(count, radius))


@amounts
@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize(("kind", "pose"), ROUND, ids="-".join)
def test_noise_changes_no_contact_of_what_is_round(kind, pose, below, count):
    level = named(ck.contacts(BELOW[below], round_resting(kind, pose, 0.0, np.random.default_rng(1), count)), count)
    counts = {len(contacts) for contacts in level}
    assert 4 in counts if pose == "standing" else 2 in counts
    for noise in (1e-12, 1e-9, 1e-7, 1e-6):
        tilted = round_resting(kind, pose, noise, np.random.default_rng(2), count)
        assert named(ck.contacts(BELOW[below], tilted), count) == level, noise


@amounts
@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize(("kind", "pose"), ROUND, ids="-".join)
def test_a_cap_and_a_side_keep_their_contacts_however_little_they_are_tilted(kind, pose, below, count):
    a = BELOW[below]
    level = np.bincount(
        ck.contacts(a, round_resting(kind, pose, 0.0, np.random.default_rng(1), count)).pair, minlength=count
    )
    for tilt in (1e-5, 1e-4, 1e-3, 1e-2):
        b = round_resting(kind, pose, tilt, np.random.default_rng(2), count)
        touch, found = ck.contacts(a, b), ck.distance(a, b)
        np.testing.assert_array_equal(np.bincount(touch.pair, minlength=count), level)
        meets = found.distance <= 0.0
        excess = (deepest(touch, count) + found.distance)[meets]
        # No contact is deeper than its pair, and the deepest is as deep but for what noise may be.
        assert excess.max() <= 1e-12 and excess.min() >= -4.0 * PATCH_LEVEL
        # Each lies midway between points of the two.
        side = touch.depth[:, None] * touch.normal / 2.0
        for shapes, row, points in (
            (a, np.zeros_like(touch.pair), touch.point + side),
            (b, touch.pair, touch.point - side),
        ):
            balls = ck.Spheres(points, np.zeros(len(points)))
            assert ck.distance(shapes.take(row), balls).distance.max() <= 1e-12


@pytest.mark.parametrize("as_mesh", [False, True])
def test_rounding_does_not_choose_the_contacts_of_a_level_mesh(as_mesh):
    # Two brackets that are turned together, so that all corners of the contact are equally deep to rounding.
    points, triangles = mesh_zoo.bracket()
    turns = zoo.rotations(np.random.default_rng(3), 40)
    places = turns @ [0.25, 0.375, 0.875]
    lower = ck.Meshes.from_triangles([(points, triangles)] * len(turns), np.zeros_like(places), turns)
    if as_mesh:
        upper = ck.Meshes.from_triangles([(points, triangles)] * len(turns), places, turns)
    else:
        upper = ck.Hulls([ck.convex_hull(points)] * len(turns), np.arange(len(turns)), places, turns)
    found = ck.contacts(upper, lower)
    local = np.einsum("nji,nj->ni", turns[found.pair], found.point)
    manifolds = [local[found.pair == row] for row in range(len(turns))]
    # The far corners. If several others add the same area, rounding may choose between them.
    for manifold in manifolds:
        for corner in ([0.25, 0.375, 0.9375], [1.0, 2.0, 0.9375]):
            assert np.linalg.norm(manifold - corner, axis=1).min() <= 1e-9
        assert len(manifold) >= 3
    deepest = found.depth[np.unique(found.pair, return_index=True)[1]]
    np.testing.assert_allclose(deepest, 0.125, rtol=1e-9)
    if not as_mesh:
        assert {tuple(np.unique(manifold.round(6), axis=0).ravel()) for manifold in manifolds} == {
            tuple(np.unique(manifolds[0].round(6), axis=0).ravel())
        }


@pytest.mark.parametrize("offset", [0.0, 3e6, 3e9])
@pytest.mark.parametrize("kind", ["capsule", "cylinder"])
def test_the_rounding_of_the_coordinates_does_not_decide_how_many_contacts_a_round_side_over_an_edge_has(kind, offset):
    cube = 1000.0 * np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    hull = ck.Hulls(ck.convex_hulls([cube]), [0], [[offset] * 3])
    make = ck.Capsules if kind == "capsule" else ck.Cylinders
    for steps in (-1, 0, 1):
        x = offset + 1000.0 + steps * np.spacing(max(offset, 1000.0))
        side = make([[x, offset - 500.0, offset + 1500.0]], [[x, offset + 1500.0, offset + 1500.0]], [500.0])
        for contacts in (ck.contacts(hull, side), ck.contacts(side, hull)):
            assert np.sort(contacts.point[:, 1] - offset) == pytest.approx([-500.0, 1000.0], abs=2e-5)
