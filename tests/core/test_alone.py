# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer about a pair does not depend on the other pairs of the batch."""

import dataclasses
from itertools import combinations_with_replacement

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.polytopes.placed import Polytopes
from collision_kit.core.shapes import Shapes
from tests.helpers import mesh_zoo, zoo

FIRST = np.array([0])
# Kinds that kernels answer for, one pair after the other.
FLAT = (ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)
KERNELS = [*combinations_with_replacement(FLAT, 2), (ck.Kind.SPHERE, ck.Kind.BOX), (ck.Kind.SPHERE, ck.Kind.HULL)]
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)


@pytest.mark.parametrize("kinds", KERNELS, ids=str)
def test_a_call_with_one_pair_gives_the_bits_of_a_call_with_many(kinds):
    rng = np.random.default_rng(7)
    a, b = (zoo.generic(kind, rng, 40) for kind in kinds)
    for name in ("overlap", "separating_axis", "distance", "contacts"):
        ask = getattr(ck, name)
        together = ask(a, b)
        for row in range(len(a)):
            alone = ask(a.take(np.array([row])), b.take(np.array([row])))
            if name == "overlap":
                assert alone[0] == together[row]
                continue
            own = together.take(together.pair == row if name == "contacts" else np.array([row]))
            for field in dataclasses.fields(own):
                if field.name != "pair":
                    np.testing.assert_array_equal(getattr(alone, field.name), getattr(own, field.name))


def test_a_hull_without_faces_changes_nothing_for_what_another_hull_contains():
    hulls = ck.Hulls(ck.convex_hulls([CUBE, CUBE[:1]]), [0, 1], np.zeros((2, 3)))
    # The first reaches out of the cube by more than rounding, and the second is a point in a point.
    inner = ck.Ellipsoids([[0, 0, 0], CUBE[0]], [[1 + 5e-13] * 3, [0, 0, 0]])
    assert not ck.contains(hulls.take(FIRST), inner.take(FIRST))[0]
    np.testing.assert_array_equal(ck.contains(hulls, inner), [False, True])


def test_a_tilted_cylinder_changes_no_contact_of_parallel_cylinders():
    rng, count = np.random.default_rng(5), 40
    turn, place = zoo.rotations(rng, count), rng.uniform(-1.0, 1.0, (count, 3))
    axis, aside = turn[:, :, 2], turn[:, :, 0]
    tilted = axis[0] + 1e-7 * aside[0]
    below = ck.Cylinders(place - axis, place + axis, np.ones(count))
    start, end = place + 0.99 * axis + 0.3 * aside, place + 3.0 * axis + 0.3 * aside
    beside = place[0] + 0.99 * tilted, place[0] + 3.0 * tilted
    above = ck.Cylinders(*(np.vstack(ends) for ends in zip((start, end), beside, strict=True)), np.ones(count + 1))
    below = ck.Cylinders.joined([below, below.take(FIRST)])
    together = ck.contacts(below, above)
    for row in range(count):
        alone = ck.contacts(below.take(np.array([row])), above.take(np.array([row])))
        np.testing.assert_allclose(together.point[together.pair == row], alone.point, atol=1e-12)


def test_a_shape_far_away_changes_nothing_for_those_beside_an_endless_frustum():
    projection = np.diag([1.0, 1.0, -1.0, 0.0])
    projection[2, 3], projection[3, 2] = -0.2, -1.0
    view = ck.Frustum.from_matrix(projection)
    half = np.sqrt(0.5)
    turn = np.array([[half, -half, 0], [half, half, 0], [0, 0, 1]])

    # Boxes beyond an edge of the frustum, one of them near, by a thousandth, and one far along the view.
    beyond = [(np.sqrt(2.0) * z + gap + size) * turn[:, 0] - [0, 0, z] for z, gap, size in ((1, 3e-3, 2), (1e12, 0, 1))]
    boxes = ck.Boxes(beyond, [[2, 2, 1e-3], [1, 1, 1]], [turn, turn])
    hulls = ck.Hulls.from_points(boxes.center[:, None] + (CUBE * boxes.half_extents[:, None]) @ turn.T)
    for shapes in (boxes, hulls):
        assert view.classify(shapes.take(FIRST), exact=True)[0] == -1
        assert view.classify(shapes, exact=True)[0] == -1
    # The same along the axes, with the frustum turned.
    roll = np.eye(4)
    roll[:3, :3] = turn
    view, middle = ck.Frustum.from_matrix(projection @ roll), boxes.center @ turn
    low, high = middle - boxes.half_extents, middle + boxes.half_extents
    assert view.classify_bounds(low[:1], high[:1], exact=True)[0] == -1
    assert view.classify_bounds(low, high, exact=True)[0] == -1


def test_a_large_pair_changes_no_contacts_of_a_hull_on_a_mesh():
    # A prism with 12 sides in a plate. Tilted by 1e-9, some of its corners are as deep as the deepest to rounding.
    turn = 2.0 * np.pi * np.arange(12) / 12.0
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros(12)], axis=1)
    prism = np.concatenate([ring, ring + np.array([0, 0, 4])]) @ np.array(
        [[1, 0, -1e-9], [0, 1, 3e-10], [1e-9, -3e-10, 1]]
    )
    corners, triangles = mesh_zoo.box()
    scale, places = [1.0, 1e6], np.array([[0, 0, -0.1], [0, 0, -1e5]])
    hulls = ck.Hulls(ck.convex_hulls([prism * size for size in scale]), [0, 1], places)
    plate = corners * [6, 6, 2] - [2.5, 3.2, 2]
    meshes = ck.Meshes.from_triangles([(plate * size, triangles) for size in scale], np.zeros((2, 3)))
    _same_contacts(hulls, meshes, 0.0)


def test_a_large_press_fit_brings_no_contacts_to_another():
    # A wedge between two jaws: its upper face touches by one edge only, and leaves the jaw by 2 ** -12.
    corners, triangles = mesh_zoo.box()
    jaws = mesh_zoo.joined([(corners * [4, 1, 4] + [-2, y, -2], triangles) for y in (-2, 1)])
    wedge = 2.0 * corners - 1.0
    wedge[(wedge[:, 0] > 0) & (wedge[:, 1] > 0), 1] -= 2.0**-12
    inner, outer = (
        ck.Meshes.from_triangles([(points * size, faces) for size in (1.0, 1e12)], np.zeros((2, 3)))
        for points, faces in ((wedge, triangles), jaws)
    )
    together = _same_contacts(inner, outer, 0.0)
    upper = together.point[(together.pair == 0) & (together.normal[:, 1] > 0.0)]
    np.testing.assert_array_equal(upper[:, 0], [-1.0, -1.0])


def test_a_pair_farther_apart_changes_no_features_of_a_contact():
    # A tilted cylinder beside the diagonal of two triangles, and the same farther above them.
    start, axis = np.array([[0.4156, 0.1987, 0.02135], [0.4156, 0.1987, 0.5]]), np.array([-0.0326, -0.0087, 1.0])
    plates = ck.Meshes.from_triangles([mesh_zoo.box()], [[0, 0, -1]]).take(np.zeros(2, dtype=int))
    _same_contacts(ck.Cylinders(start, start + axis, np.full(2, 0.3)), plates, 1.0)


def _same_contacts(a: Shapes, b: Shapes, margin: float) -> ck.Contacts:
    """Check that the contacts of the first pair are the same alone, and return those of all."""
    alone, together = ck.contacts(a.take(FIRST), b.take(FIRST), margin=margin), ck.contacts(a, b, margin=margin)
    first = together.take(np.flatnonzero(together.pair == 0))
    for name, value in vars(alone).items():
        np.testing.assert_array_equal(getattr(first, name), value)
    return together


@pytest.mark.parametrize("query", [ck.distance, ck.overlap])
def test_the_faces_of_shapes_that_touch_are_converted_once(monkeypatch, query):
    hull = ck.Hulls(ck.convex_hulls([CUBE]), [0], np.zeros((1, 3)))
    box = ck.Boxes([[2.0, 0.5, 0.0]], [[1.0, 1.0, 1.0]])
    first, converted, known = query(hull, box), [], Polytopes.faceted
    monkeypatch.setattr(Polytopes, "faceted", lambda *given: converted.append(given) or known(*given))
    again = query(hull, box)
    assert not converted
    assert str(again) == str(first)
