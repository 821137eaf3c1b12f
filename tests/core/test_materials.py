# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials: what a contact between two surfaces is like (Lee 2018, section 13.2)."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo


def stack(materials_a, materials_b):
    """A box with balls around it that all touch it."""
    box = ck.Boxes([[0, 0, 0]], [[1, 1, 1]], materials=materials_a)
    return box, ck.Spheres(1.5 * np.eye(3), [0.6, 0.6, 0.6], materials=materials_b)


def test_friction_is_the_geometric_mean_and_restitution_the_larger():
    box, balls = stack(ck.Materials(friction=0.8, restitution=0.1), ck.Materials([0.2, 0.0, 0.8], [0.0, 0.4, 1.0]))
    for touch in (ck.contacts(box, balls), ck.contacts(balls, box)):
        np.testing.assert_allclose(touch.friction, [0.4, 0.0, 0.8])
        np.testing.assert_allclose(touch.restitution, [0.1, 0.4, 1.0])


def test_like_surfaces_keep_their_friction_and_shapes_without_materials_have_the_default():
    same = ck.Materials(friction=0.3)
    np.testing.assert_allclose(ck.contacts(*stack(same, same)).friction, 0.3)
    bare = ck.contacts(*stack(None, None))
    np.testing.assert_allclose(bare.friction, ck.Materials().friction[0])
    np.testing.assert_allclose(bare.restitution, ck.Materials().restitution[0])


def test_materials_go_with_their_rows():
    rng = np.random.default_rng(1)
    bare = zoo.generic(ck.Kind.BOX, rng, 50)
    made_of = ck.Materials(rng.uniform(0, 2, 50), rng.uniform(0, 1, 50))
    boxes = ck.Boxes(bare.center, bare.half_extents, bare.rotation, materials=made_of)
    pairs = rng.integers(0, 50, (300, 2))
    touch = ck.contacts(boxes, boxes, pairs)
    i, j = pairs[touch.pair].T
    np.testing.assert_allclose(touch.friction, np.sqrt(made_of.friction[i] * made_of.friction[j]))
    np.testing.assert_array_equal(touch.restitution, np.maximum(made_of.restitution[i], made_of.restitution[j]))
    world = ck.World([boxes.take(np.arange(25, 50)), ck.Spheres([[0, 0, 0]], [3.0])])
    near = ck.contacts(world, world, [[25, 3]])
    np.testing.assert_allclose(near.friction, np.sqrt(made_of.friction[28] * 0.5))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"friction": [0.1, -0.1]}, "friction: row 1 is -0.1, but must be at least 0"),
        ({"restitution": [0.1, 1.5]}, "restitution: row 1 is 1.5, but must be between 0 and 1"),
        ({"friction": [0.1, np.nan]}, "friction: row 1 is not finite"),
        ({"friction": [[0.1]]}, r"friction: shape \(1, 1\)"),
        ({"friction": [0.1, 0.2], "restitution": [0.1, 0.2, 0.3]}, "friction 2 and restitution 3"),
    ],
)
def test_bad_materials_are_named(fields, message):
    with pytest.raises(ValueError, match=message):
        ck.Materials(**fields)


def test_as_many_materials_as_shapes():
    with pytest.raises(ValueError, match="materials: 2 rows, but there are 3 shapes"):
        stack(None, ck.Materials([0.1, 0.2]))
