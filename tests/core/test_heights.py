# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights at which a moving ball meets shapes, against the overlap of shapes with the capsules that it sweeps."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels import heights
from collision_kit.core.walking.ground import Frame, items_of
from tests.helpers import zoo

KINDS = [kind for kind in ck.Kind if kind not in (ck.Kind.MESH, ck.Kind.COMPOUND)]
FRAME = Frame(np.eye(3), np.zeros(3))
# Of the height of the interval: the overlap is asked this far inside and outside of its ends.
NEAR = 1e-5


def ground_of(shapes):
    items = items_of(shapes, FRAME)
    return items, items.near_columns(0.5, 1.0, np.array([-9.0, -9.0]), np.array([9.0, 9.0]))


def intervals(shapes, at, way, radius):
    """The intervals of all items, merged for each shape to their union: a list of (low, high) for each row."""
    items, ground = ground_of(shapes)
    found = [[] for _ in range(len(shapes))]
    for item, owner in enumerate(items.owner.tolist()):
        one = heights_of(ground, item, at, way, radius)
        if one.low <= one.high:
            found[owner].append((float(one.low), float(one.high)))
    return found


def heights_of(ground, item, at, way, radius):
    return heights.height(ground, item, tuple(at), tuple(way), radius)


def meets(shape, at, way, radius, level):
    """Whether a ball that moves at a height overlaps a shape: the capsule that it sweeps."""
    start = np.array([at[0], at[1], level])
    return bool(ck.overlap(ck.Capsules(start, start + way, radius), shape)[0])


@pytest.mark.parametrize("still", [False, True])
@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_ball_meets_a_shape_exactly_at_these_heights(kind, maker, still):
    rng = np.random.default_rng([KINDS.index(kind), still])
    shapes = zoo.MAKERS[maker](kind, rng, 12)
    told = 0
    for row in range(len(shapes)):
        shape = shapes.take([row])
        at = np.array([*rng.uniform(-1.5, 1.5, 2), 0.0])
        way = np.array([*rng.uniform(-1.5, 1.5, 2), 0.0]) * (0.0 if still else 1.0)
        radius = rng.uniform(0.05, 0.8)
        (found,) = intervals(shape, at, way, radius)
        solid = kind in (ck.Kind.BOX, ck.Kind.HULL)
        for low, high in found:
            # The surface of a solid is several items: only the ends of their union are ends.
            if solid:
                low, high = min(one for one, _ in found), max(one for _, one in found)
            size = max(radius, 1.0)
            if np.isfinite(high):
                assert not meets(shape, at, way, radius, high + NEAR * size)
                told += 1
            if np.isfinite(low):
                assert not meets(shape, at, way, radius, low - NEAR * size)
            if high - low > 4.0 * NEAR * size:
                # Of an interval without end, a level far inside.
                inner = [low + NEAR * size, high - NEAR * size, low + 9.0, high - 9.0, 0.0]
                assert all(meets(shape, at, way, radius, one) for one in inner if np.isfinite(one) and low < one < high)
        if not found:
            for level in np.linspace(-3.0, 3.0, 13):
                assert not meets(shape, at, way, radius * (1.0 - 1e-6), level)
    assert told > 0 or kind in (ck.Kind.HALF_SPACE, ck.Kind.PLANE)


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_point_that_carries_a_ball_is_on_the_shape_and_on_the_ball(kind, maker):
    rng = np.random.default_rng([KINDS.index(kind), 7])
    shapes = zoo.MAKERS[maker](kind, rng, 12)
    told = 0
    for row in range(len(shapes)):
        shape = shapes.take([row])
        at = np.array([*rng.uniform(-1.0, 1.0, 2), 0.0])
        radius = rng.uniform(0.2, 0.8)
        items, ground = ground_of(shape)
        every = [heights_of(ground, item, at, np.zeros(3), radius) for item in range(len(items.owner))]
        best = max(every, key=lambda one: one.high)
        if not np.isfinite(best.high):
            continue
        told += 1
        point, center = np.array(best.point), np.array([at[0], at[1], best.high])
        assert np.linalg.norm(center - point) == pytest.approx(radius, abs=1e-7)
        assert abs(ck.signed_distance(shape, point[None])[0]) < 1e-7
        normal = np.array(best.normal)
        assert not normal.any() or np.linalg.norm(normal) == pytest.approx(1.0)
    assert told > 0


@pytest.mark.parametrize("kind", [ck.Kind.BOX, ck.Kind.CYLINDER, ck.Kind.SPHERE, ck.Kind.TRIANGLE])
def test_a_margin_is_a_larger_shape(kind):
    rng = np.random.default_rng(5)
    shapes, told = zoo.generic(kind, rng, 8), 0
    for row in range(len(shapes)):
        shape = shapes.take([row])
        at, way = np.array([0.2, -0.3, 0.0]), np.array([0.5, 0.4, 0.0])
        plain = intervals(shape, at, way, 0.5)[0]
        wide = intervals(ck.World([shape], margin=[0.2]), at, way, 0.3)[0]
        if not plain:
            assert not wide
            continue
        told += 1
        low, high = min(one for one, _ in plain), max(one for _, one in plain)
        assert min(one for one, _ in wide) == pytest.approx(low, abs=1e-7)
        assert max(one for _, one in wide) == pytest.approx(high, abs=1e-7)
    assert told > 0


def test_the_height_over_a_flat_face_is_exact():
    box = ck.Boxes([0, 0, 0], 1)
    (found,) = intervals(box, (0.25, 0.5, 0.0), (0.125, 0.25, 0.0), 0.5)
    assert max(high for _, high in found) == 1.5
    assert min(low for low, _ in found) == -1.5
