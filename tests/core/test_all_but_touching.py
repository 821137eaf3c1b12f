# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex shapes from a few to a million roundings apart: the normal shows the whole distance, and parts them."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo

KINDS = [
    (kind, ck.Kind.HULL) for kind in (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)
]
OTHERS = [
    (ck.Kind.SPHERE, ck.Kind.TRIANGLE),
    (ck.Kind.BOX, ck.Kind.BOX),
    (ck.Kind.BOX, ck.Kind.TRIANGLE),
    (ck.Kind.TRIANGLE, ck.Kind.TRIANGLE),
]


@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower())
def test_the_normal_of_shapes_that_nearly_touch_shows_the_distance(kinds):
    count = 300
    rng = np.random.default_rng([1, *kinds])
    a, b = (zoo.generic(kind, rng, count) for kind in kinds)
    if kinds[0] in (ck.Kind.SPHERE, ck.Kind.CAPSULE):
        a = a.with_fields(radius=np.zeros(count))
    found = ck.distance(a, b)
    left = found.rounding * 10.0 ** rng.uniform(0.3, 6.0, count)
    b = zoo.moved(b, (left - found.distance)[:, None] * found.normal)
    found = ck.distance(a, b)
    apart = found.distance > found.rounding
    assert apart.mean() > 0.9
    shown = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    assert (shown[apart] > 0.0).all()
    np.testing.assert_array_less(np.abs(shown - found.distance)[apart], found.rounding[apart])


def touching(kinds, maker, rng, count):
    """Pairs about as far apart as what still counts as touching."""
    a, b = (zoo.MAKERS[maker](kind, rng, count) for kind in kinds)
    if hasattr(a, "radius"):
        a = a.with_fields(radius=np.zeros(count))
    for _ in range(2):
        found = ck.distance(a, b)
        left = found.rounding * rng.uniform(0.8, 1.2, count)
        b = zoo.moved(b, (left - found.distance)[:, None] * found.normal)
    return a, b


@pytest.mark.parametrize("maker", ["generic", "degenerate"])
@pytest.mark.parametrize("kinds", [*KINDS, *OTHERS], ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower())
def test_overlap_contacts_and_distance_agree_on_what_just_touches(kinds, maker):
    count = 400
    a, b = touching(kinds, maker, np.random.default_rng([8, *kinds]), count)
    found = ck.distance(a, b)
    touches = found.distance <= found.rounding
    assert 0.05 < touches.mean() < 0.95
    np.testing.assert_array_equal(ck.overlap(a, b), touches)
    np.testing.assert_array_equal(np.bincount(ck.contacts(a, b).pair, minlength=count) > 0, touches)


def test_overlap_is_decided_by_the_last_digit_of_the_distance():
    turn = [
        [0.7151053774498815, -0.5848755012911602, -0.38281189523273257],
        [0.05114211180679428, -0.5023996612067234, 0.8631216975718491],
        [-0.6971433020134413, -0.6368007760742626, -0.3293569310778389],
    ]
    place = [-0.6636305781717398, -0.40449498719044463, 0.9640872895384085]
    needle = ck.Hulls.from_points([np.outer([-0.9274341709140425, 0.0, 1.3089506436169402], [0.0, 1.0, 0.0])])
    needle = ck.Hulls(needle.geometry, [0], [place], [turn])
    middle = [-0.7254289607603588, 0.19625194892527723, 0.25325259867730554]
    ball = ck.Capsules([middle], [middle], [0.9138035066357061])
    found = ck.distance(needle, ball)
    assert found.distance > found.rounding and not ck.overlap(needle, ball)
