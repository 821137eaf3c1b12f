# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer about a pair does not depend on the other pairs of the batch."""

import numpy as np

import collision_kit.core as ck
from tests import zoo

FIRST = np.array([0])
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)


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
