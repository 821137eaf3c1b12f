# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of boxes over faces in closed form: equal to those of the generic method, and on the features they name."""

from itertools import pairwise

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.convex_convex import ConvexConvex

COUNT = 400


def rotations(rng, count):
    """Random rotations."""
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    turn[np.linalg.det(turn) < 0.0, :, 0] *= -1.0
    return turn


def tumbled(rng):
    """Boxes in all directions, of sizes that differ by a factor of twenty."""
    place = rng.uniform(-0.8, 0.8, (COUNT, 3))
    return ck.Boxes(place, 10.0 ** rng.uniform(-1.3, 0.0, (COUNT, 3)), rotations(rng, COUNT))


def stacked(rng):
    """Boxes on a grid, so that faces, edges and corners coincide. Their axes are permuted."""
    orders = np.array([np.eye(3)[list(order)] for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))])
    place, half = rng.integers(-3, 4, (COUNT, 3)) / 2.0, rng.integers(1, 4, (COUNT, 3)) / 2.0
    return ck.Boxes(place, half, orders[rng.integers(0, 3, COUNT)])


def leaning(rng):
    """Boxes on a grid with some noise, tilted by angles from 1e-8 to 0.1."""
    boxes = stacked(rng)
    tilt = rng.normal(size=(COUNT, 3)) * 10.0 ** rng.uniform(-8.0, -1.0, (COUNT, 1))
    skew = np.zeros((COUNT, 3, 3))
    skew[:, [2, 0, 1], [1, 2, 0]], skew[:, [1, 2, 0], [2, 0, 1]] = tilt, -tilt
    turn = np.linalg.qr(np.eye(3) + skew)[0]
    turn *= np.sign(np.einsum("nii->ni", turn))[:, None]
    return ck.Boxes(boxes.center + rng.normal(size=(COUNT, 3)) * 1e-3, boxes.half_extents, turn)


def parts(found):
    """The rows of the contacts of each pair."""
    edges = np.searchsorted(found.pair, np.arange(COUNT + 1))
    return [slice(*ends) for ends in pairwise(edges)]


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("draw", [tumbled, stacked, leaning])
def test_contacts_of_boxes_are_those_of_the_generic_method(draw, margin):
    rng = np.random.default_rng(5)
    a, b = draw(rng), draw(rng)
    known = ck.distance(a, b)
    generic = ConvexConvex().contacts(a, b, margin, known)
    for found in (ck.contacts(a, b, margin=margin), ck.contacts(a, b, margin=margin, known=known)):
        counts = np.bincount(found.pair, minlength=COUNT)
        assert np.array_equal(counts, np.bincount(generic.pair, minlength=COUNT))
        assert (counts > 0).sum() > 80
        assert (counts > 2).sum() > 15
        np.testing.assert_allclose(found.normal, generic.normal, atol=1e-7)
        matched = 0
        for one, other in zip(parts(found), parts(generic), strict=True):
            assert (np.diff(found.depth[one]) <= 0.0).all()
            np.testing.assert_allclose(found.depth[one][:1], generic.depth[other][:1], atol=1e-9)
            off = np.linalg.norm(found.point[one][:, None] - generic.point[other][None], axis=2)
            matched += np.count_nonzero((off <= 1e-6).any(axis=1))
        # Corners that are equally far from the others may be exchanged, as those of two parallel sides.
        assert matched >= 0.98 * len(found.pair)


def distance_from_feature(boxes, feature, points):
    """Distance of points from features of boxes, row by row: from a corner, an edge or a face."""
    local = np.einsum("nji,nj->ni", boxes.rotation, points - boxes.center)
    nearest = np.clip(local, -boxes.half_extents, boxes.half_extents)
    for row, (kind, index) in enumerate(feature):
        if kind == ck.FeatureKind.VERTEX:
            fixed = {axis: index >> axis & 1 for axis in range(3)}
        elif kind == ck.FeatureKind.EDGE:
            first, second = (axis for axis in range(3) if axis != index // 4)
            fixed = {first: index & 1, second: index >> 1 & 1}
        else:
            fixed = {index // 2: index & 1}
        for axis, high in fixed.items():
            nearest[row, axis] = boxes.half_extents[row, axis] * (1 if high else -1)
    return np.linalg.norm(nearest - local, axis=1)


@pytest.mark.parametrize("draw", [tumbled, stacked, leaning])
def test_each_contact_of_boxes_lies_on_the_features_it_names(draw):
    rng = np.random.default_rng(6)
    a, b = draw(rng), draw(rng)
    found = ck.contacts(a, b, margin=0.1)
    half = found.normal * found.depth[:, None] / 2.0
    for boxes, feature, way in ((a, found.feature_a, 1.0), (b, found.feature_b, -1.0)):
        off = distance_from_feature(boxes.take(found.pair), feature, found.point + way * half)
        assert off.max() <= 1e-6
    assert np.isin(found.type, (ck.ContactType.POINT_FACE, ck.ContactType.EDGE_EDGE)).mean() > 0.9


def test_no_contact_of_a_box_that_touches_by_a_corner_is_where_the_two_are_apart():
    rng = np.random.default_rng(5)
    count, tilt = 500, 10.0 ** np.random.default_rng(6).uniform(-9.0, -5.5, 500)
    way = rng.uniform(0.0, 2.0 * np.pi, count)
    x, y, s, c = np.cos(way), np.sin(way), np.sin(tilt), 1.0 - np.cos(tilt)
    rows = [[1.0 - c * y * y, c * x * y, s * y], [c * x * y, 1.0 - c * x * x, -s * x], [-s * y, s * x, 1.0 - c]]
    turn, half = np.array(rows).transpose(2, 0, 1), rng.uniform(0.05, 0.3, (count, 3))
    place = rng.uniform(-0.2, 0.2, (count, 3))
    place[:, 2] = 1.0 + np.einsum("ni,ni->n", np.abs(turn[:, 2]), half) - 1e-12
    found = ck.contacts(ck.Boxes(np.zeros((count, 3)), np.ones((count, 3))), ck.Boxes(place, half, turn))
    assert set(found.pair) == set(range(count))
    np.testing.assert_allclose(found.point[:, 2], 1.0, rtol=0.0, atol=1e-11)
