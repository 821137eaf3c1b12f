# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed forms of round shapes and of planes, beyond the contract: against the generic convex way, and by hand."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.convex_convex import ConvexConvex
from collision_kit.core.narrow_phase.table import PAIRS
from tests.helpers import zoo

SPHERE, CAPSULE, BOX, TRIANGLE = ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE
GENERIC = ConvexConvex()
ROUND = [
    (SPHERE, SPHERE),
    (SPHERE, CAPSULE),
    (SPHERE, BOX),
    (SPHERE, TRIANGLE),
    (CAPSULE, CAPSULE),
]
round_pairs = pytest.mark.parametrize("kinds", ROUND, ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower())


def batches(kinds, maker, count=600):
    rng = np.random.default_rng([7, *kinds])
    return tuple(zoo.MAKERS[maker](kind, rng, count) for kind in kinds)


@round_pairs
def test_no_pair_goes_the_generic_way_unless_the_closed_form_is_in_doubt(kinds, monkeypatch):
    a, b = batches(kinds, "generic")
    expected = GENERIC.distance(a, b).distance

    def refuse(*_, **__):
        raise AssertionError("the generic way was asked")

    for name in ("overlap", "distance", "separating_axis", "contacts"):
        monkeypatch.setattr(ConvexConvex, name, refuse)
    pair = PAIRS[kinds]
    np.testing.assert_allclose(pair.distance(a, b).distance, expected, atol=1e-12)
    np.testing.assert_array_equal(pair.overlap(a, b), expected <= 1e-12)
    assert len(pair.separating_axis(a, b)) == len(a)
    assert len(np.unique(pair.contacts(a, b, 0.0).pair)) == (expected <= 1e-12).sum()


@round_pairs
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_the_closed_forms_agree_with_the_generic_way(kinds, maker):
    a, b = batches(kinds, maker)
    pair = PAIRS[kinds]
    ours, theirs = pair.distance(a, b), GENERIC.distance(a, b)
    np.testing.assert_allclose(ours.distance, theirs.distance, atol=1e-11)
    np.testing.assert_allclose(ours.rounding, theirs.rounding, rtol=1e-14)
    np.testing.assert_array_equal(pair.overlap(a, b), GENERIC.overlap(a, b))
    np.testing.assert_array_equal(pair.contains(a, b), GENERIC.contains(a, b))
    np.testing.assert_array_equal(pair.contained(a, b), GENERIC.contained(a, b))
    # Where the direction is unique, so are the normal and the features it names.
    same = (np.abs(ours.normal - theirs.normal) <= 1e-9).all(axis=1)
    assert same[theirs.distance > 1e-6].all()
    axes, generic_axes = pair.separating_axis(a, b), GENERIC.separating_axis(a, b)
    if maker == "generic":
        np.testing.assert_array_equal(axes.feature_a[same], generic_axes.feature_a[same])
        np.testing.assert_array_equal(axes.feature_b[same], generic_axes.feature_b[same])


@round_pairs
def test_the_contacts_are_those_of_the_generic_way(kinds):
    a, b = batches(kinds, "generic")
    ours, theirs = PAIRS[kinds].contacts(a, b, 0.2), GENERIC.contacts(a, b, 0.2)
    np.testing.assert_array_equal(ours.pair, theirs.pair)
    for name in ("point", "normal", "depth"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-9)
    for name in ("type", "feature_a", "feature_b"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@round_pairs
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_the_witnesses_lie_on_both_surfaces_however_deep_the_pair(kinds, maker):
    rng = np.random.default_rng([5, *kinds])
    a, b = (zoo.MAKERS[maker](kind, rng, 1500) for kind in kinds)
    found = PAIRS[kinds].distance(a, b)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=1e-11)
    for shapes, point, normal in ((a, found.point_a, found.normal), (b, found.point_b, -found.normal)):
        level = np.einsum("ni,ni->n", point, normal)
        np.testing.assert_allclose(level, zoo.support(shapes, normal), atol=1e-11)
        alone = GENERIC.distance(ck.Spheres(point, np.zeros(len(point))), shapes)
        assert alone.distance.max() <= 1e-11


@pytest.mark.parametrize("length", [1e-12, 1e-10, 1e-8, 1e-6])
def test_the_witness_of_a_short_capsule_in_a_box_is_its_deepest_end(length):
    rng = np.random.default_rng(8)
    boxes = zoo.MAKERS["generic"](ck.Kind.BOX, rng, 300)
    start = boxes.center + 0.5 * rng.uniform(-1, 1, (300, 3)) * boxes.half_extents
    a = ck.Capsules(start, start + length * rng.normal(size=(300, 3)), rng.uniform(0.0, 0.2, 300))
    found = ck.distance(a, boxes)
    for shapes, point, normal in ((a, found.point_a, found.normal), (boxes, found.point_b, -found.normal)):
        off = np.einsum("ni,ni->n", point, normal) - zoo.support(shapes, normal)
        assert (np.abs(off) <= found.rounding).all()


def capsule(start, end, radius):
    return ck.Capsules([start], [end], [radius])


def test_a_capsule_lying_across_a_box_touches_it_where_it_comes_and_goes():
    box = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    found = ck.contacts(capsule([-3, 0.25, 1.4], [3, 0.25, 1.4], 0.5), box)
    np.testing.assert_allclose(sorted(found.point.tolist()), [[-1, 0.25, 0.95], [1, 0.25, 0.95]], atol=1e-14)
    np.testing.assert_allclose(found.depth, 0.1, atol=1e-14)
    np.testing.assert_allclose(found.normal, [[0, 0, -1]] * 2)
    assert found.type.tolist() == [ck.ContactType.EDGE_EDGE] * 2
    # Edges of the box's top along y, at x = -1 and x = 1, in the order of the corners' bits.
    assert sorted(found.feature_b[:, 1].tolist()) == [6, 7]


def test_a_capsule_with_one_end_over_a_face_touches_by_its_cap_and_by_its_side():
    triangle = ck.Triangles([[[0, 0, 0], [4, 0, 0], [0, 4, 0]]])
    found = ck.contacts(capsule([1, 1, 0.5], [-2, 1, 0.5], 0.5), triangle)
    np.testing.assert_allclose(sorted(found.point.tolist()), [[0, 1, 0], [1, 1, 0]], atol=1e-14)
    by_point = {round(float(x)): kind for x, kind in zip(found.point[:, 0], found.type, strict=True)}
    assert by_point == {0: ck.ContactType.EDGE_EDGE, 1: ck.ContactType.FACE_FACE}


def test_capsules_side_by_side_touch_along_the_stretch_they_share():
    found = ck.contacts(capsule([0, 0, 0], [4, 0, 0], 0.5), capsule([6, 0.75, 0], [3, 0.75, 0], 0.5))
    np.testing.assert_allclose(sorted(found.point.tolist()), [[3, 0.375, 0], [4, 0.375, 0]], atol=1e-14)
    np.testing.assert_allclose(found.depth, 0.25)
    end_to_end = ck.contacts(capsule([0, 0, 0], [1, 0, 0], 0.5), capsule([1, 0.75, 0], [3, 0.75, 0], 0.5))
    assert len(end_to_end) == 1


def test_crossing_segments_are_parted_at_right_angles_to_both():
    found = ck.distance(capsule([-1, 0, 0], [1, 0, 0], 0.25), capsule([0, -1, 0], [0, 1, 0], 0.5))
    assert found.distance.tolist() == [-0.75]
    np.testing.assert_array_equal(np.abs(found.normal), [[0, 0, 1]])


def test_a_center_inside_a_box_leaves_by_the_nearest_face_and_ties_are_stable():
    box = ck.Boxes([[0, 0, 0]], [[1, 2, 3]])
    found = ck.distance(ck.Spheres([[0.25, 1.5, 0]], [0.5]), box)
    assert found.distance.tolist() == [-1.0]
    assert found.normal.tolist() == [[0, -1, 0]]
    turn = zoo.rotations(np.random.default_rng(2), 50)
    cubes = ck.Boxes(np.zeros((50, 3)), np.ones((50, 3)), turn)
    corner = 0.5 * turn.sum(axis=2)
    out = -ck.distance(ck.Spheres(corner, np.full(50, 0.1)), cubes).normal
    np.testing.assert_allclose(out, turn[:, :, 0], atol=1e-14)


@pytest.mark.parametrize("kind", [kind for kind in ck.Kind if (kind, ck.Kind.PLANE) in PAIRS and kind != ck.Kind.MESH])
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_a_plane_is_the_better_of_its_two_half_spaces(kind, maker):
    rng = np.random.default_rng([3, kind])
    shapes, planes = zoo.MAKERS[maker](kind, rng, 400), zoo.MAKERS[maker](ck.Kind.PLANE, rng, 400)
    front = ck.distance(shapes, ck.HalfSpaces(planes.normal, planes.offset))
    back = ck.distance(shapes, ck.HalfSpaces(-planes.normal, -planes.offset))
    found = ck.distance(shapes, planes)
    np.testing.assert_allclose(found.distance, np.maximum(front.distance, back.distance), atol=1e-14)
    in_front = front.distance >= back.distance - front.rounding
    np.testing.assert_array_equal(found.normal, np.where(in_front[:, None], -planes.normal, planes.normal))
    touch = ck.contacts(shapes, planes)
    assert set(touch.pair.tolist()) == set(np.flatnonzero(found.distance <= found.rounding).tolist())
    inside = ck.contains(ck.HalfSpaces(planes.normal, planes.offset), shapes)
    behind = ck.contains(ck.HalfSpaces(-planes.normal, -planes.offset), shapes)
    np.testing.assert_array_equal(ck.contains(planes, shapes), inside & behind)
    assert not ck.contains(shapes, planes).any()


def test_a_flat_thing_in_a_plane_is_held_by_it_and_touches_from_the_side_of_the_normal():
    triangle = ck.Triangles([[[0, 0, 2], [1, 0, 2], [0, 1, 2]]])
    for sign in (1.0, -1.0):
        plane = ck.Planes([[0, 0, sign]], [2 * sign])
        assert ck.contains(plane, triangle).all()
        assert ck.distance(triangle, plane).normal.tolist() == [[0, 0, -sign]]
        assert len(ck.contacts(triangle, plane)) == 3
        assert ck.classify(triangle, plane).tolist() == [ck.Verdict.TOUCHING]


def test_a_box_through_a_plane_has_a_contact_for_each_corner_beyond():
    box = ck.Boxes([[0, 0, 0.25]], [[1, 1, 1]])
    found = ck.contacts(box, ck.Planes([[0, 0, -1]], [0.0]))
    assert sorted(found.feature_a[:, 1].tolist()) == [0, 1, 2, 3]
    np.testing.assert_allclose(found.depth, 0.75)
    np.testing.assert_allclose(found.normal, [[0, 0, -1]] * 4)


def test_the_witness_of_what_lies_flat_is_the_middle_of_its_lowest_vertices():
    corners = ck.Boxes([[3, 4, 5]], [[1, 2, 1]])
    cube = ck.Hulls.from_points([zoo.cores(corners)[0][0]])
    rod, slab = capsule([0, 1, 3], [0, 3, 3], 0.5), ck.Triangles([[[0, 0, 3], [3, 0, 3], [0, 3, 3]]])
    floor = ck.HalfSpaces([[0, 0, 1]], [3.0])
    for shapes, middle in ((corners, [3, 4, 4]), (cube, [3, 4, 4]), (rod, [0, 2, 2.5]), (slab, [1, 1, 3])):
        np.testing.assert_allclose(ck.distance(shapes, floor).point_a, [middle], atol=1e-14)


def test_the_feature_of_a_cylinder_is_what_faces_the_half_space():
    center, up, aside = np.array([0.0, 0.0, 3.0]), np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    along = np.array([up, -up, aside])
    cylinders = ck.Cylinders(center - along, center + along, np.full(3, 0.5))
    floor = ck.HalfSpaces([up], [0.0]).take(np.zeros(3, dtype=int))
    # The caps have the ids 0 and 1, and the side is an edge.
    found = ck.separating_axis(cylinders, floor).feature_a
    np.testing.assert_array_equal(found[:2], [(ck.FeatureKind.FACE, 0), (ck.FeatureKind.FACE, 1)])
    assert found[2, 0] == ck.FeatureKind.EDGE


def test_a_cylinder_without_radius_touches_a_half_space_with_each_end_once():
    segment, floor = ck.Cylinders([[0, 0, 1]], [[1, 0, 2]], [0.0]), ck.HalfSpaces([[0, 0, 1]], [1.5])
    assert ck.contacts(segment, floor, margin=1.0).depth.tolist() == [0.5, -0.5]


def test_the_feature_of_a_cylinder_is_what_faces_the_center_of_the_sphere():
    cylinder = ck.Cylinders([[0, 0, -1]], [[0, 0, 1]], [0.5])
    face, edge = ck.FeatureKind.FACE, ck.FeatureKind.EDGE
    # Over the caps, inside near a cap, beyond the rims, beside the side, inside near the side.
    places = [[0.1, 0, 2], [0.1, 0, -2], [0.1, 0, 0.9], [1, 0, 2], [1, 0, -2], [1, 0, 0.2], [0.4, 0, 0.2]]
    found = ck.separating_axis(ck.Spheres(places, np.full(7, 2.0)), cylinder, [(k, 0) for k in range(7)]).feature_b
    assert found[:5].tolist() == [[face, 1], [face, 0], [face, 1], [edge, 1], [edge, 0]]
    side = found[5:].tolist()
    assert side[0] == side[1] and side[0][0] == edge and side[0][1] not in (0, 1)


def test_asking_changes_nothing_that_was_given():
    for kinds in ROUND:
        a, b = (shapes.take(np.array([0])) for shapes in batches(kinds, "generic", 1))
        before = [value.copy() for shapes in (a, b) for value in vars(shapes).values() if value is not None]
        for question in (ck.overlap, ck.distance, ck.separating_axis, ck.contacts, ck.contains):
            question(a, b)
            question(b, a)
        after = [value for shapes in (a, b) for value in vars(shapes).values() if value is not None]
        assert all((one == other).all() for one, other in zip(before, after, strict=True))
