# SPDX-License-Identifier: GPL-3.0-or-later
"""The range of lengths: what lies beyond it is refused, and at its ends answers are what they are elsewhere."""

import re

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.narrow_phase.table import PAIRS as MATRIX
from collision_kit.core.numerics import validation
from tests.helpers import zoo
from tests.helpers.argument_table import BALLS, CORNERS, CUBE, FACES, SQUARE
from tests.helpers.offline import many


def corners_of(size):
    return size * np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ck.Boxes([[2e155, 0, 0], [-2e155, 0, 0]], np.ones((2, 3))),
            "center: row 0 is out of range: above 1e+50",
        ),
        (lambda: ck.Spheres(np.zeros((2, 3)), [0, 1e-201]), "radius: row 1 is out of range: below 1e-50 and not zero"),
        (lambda: ck.Boxes([[0, 0, 0]], [[0, 1, 2e-51]]), "half_extents: row 0 is out of range: below 1e-50"),
        (lambda: ck.Triangles(corners_of(1.1e50)), "vertices: row 0 is out of range: above 1e+50"),
        (lambda: ck.Capsules([[0, 0, 0]], [[0, -2e50, 0]], [1]), "end: row 0 is out of range: above 1e+50"),
        (lambda: ck.HalfSpaces([[0, 0, 1e-60]], [1]), "offset: row 0 is out of range: above 1e+50"),
        (lambda: ck.HalfSpaces([[0, 0, 1e-300]], [1e10]), "offset: row 0 is not finite"),
        (lambda: ck.Hulls.from_points([CUBE, CUBE * 2e50]), "points[1]: row 1 is out of range"),
        (lambda: ck.Hulls.from_points([CUBE, CUBE * 1e-60]), "points[1]: row 1 is out of range"),
        (lambda: ck.Hulls([ck.convex_hull(CUBE * 2e50)], [0]), "geometry: row 0 is out of range"),
        (lambda: ck.check_convexity(CORNERS * 1e300, FACES), "points: row 1 is out of range"),
        (lambda: ck.is_convex(CORNERS * 1e-60, FACES), "points: row 1 is out of range"),
        (lambda: ck.Meshes.from_triangles([(CORNERS * 2e50, FACES)]), "meshes[0] vertices: row 1 is out of range"),
        (lambda: planar.Circles([[0, 0]], [1e141]), "radius: row 0 is out of range: above 1e+140"),
        (lambda: planar.Circles([[0, 0]], [1e-141]), "radius: row 0 is out of range: below 1e-140"),
        (lambda: planar.Polygons([SQUARE, SQUARE * 1e140]), "outlines: row 1: row 1 is out of range: above 1e+140"),
        (lambda: planar.Regions([(SQUARE * 1e140, [])]), "regions: row 0: row 1 is out of range: above 1e+140"),
        (lambda: planar.AABBs([[-1e141, 0]], [[0, 0]]), "lower: row 0 is out of range: above 1e+140"),
        (
            lambda: ck.time_of_impact(BALLS, BALLS, velocity_a=[[1e51, 0, 0]]),
            "velocity_a: row 0 is out of range: above 1e+50",
        ),
        (
            lambda: ck.last_contact(BALLS, BALLS, angular_velocity_b=[[0, -1e300, 0]]),
            "angular_velocity_b: row 0 is out of range: above 1e+50",
        ),
        (lambda: ck.contacts(BALLS, BALLS, margin=1e141), "margin: 1e+141 is not a length from 0 to 1e+140"),
    ],
)
def test_what_would_overflow_or_underflow_is_refused(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_coordinates_far_below_the_range_are_zero_and_no_error():
    """Shapes that become as small as a point are still shapes next to those that have a size."""
    ball = ck.Spheres([[1e-71, -1e-300, 0.5]], [1.0])
    np.testing.assert_array_equal(ball.center, [[0.0, 0.0, 0.5]])
    given = np.array([[1e-71, 1.0, 1.0]])
    ck.Spheres(given, [0.0])
    assert given[0, 0] == 1e-71


@pytest.mark.parametrize("power", [-158, 158])
@pytest.mark.parametrize("maker", ["generic", pytest.param("degenerate", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kinds", [kinds for kinds in MATRIX if ck.Kind.MESH not in kinds], ids=str)
def test_at_the_ends_of_the_range_every_answer_is_what_it_is_at_one(kinds, maker, power):
    """By powers of two, so that scaling rounds nothing."""
    scale = 2.0**power
    assert validation.SPACE.least < scale / 10.0 and 10.0 * scale < validation.SPACE.most
    rng = np.random.default_rng([17, *kinds])
    count = many(2, 6) if {ck.Kind.ELLIPSOID, ck.Kind.CONE} & {*kinds} else 6
    a, b = (zoo.MAKERS[maker](kind, rng, count) for kind in kinds)
    large_a, large_b = (zoo.placed(shapes, np.eye(3), scale, np.zeros(3)) for shapes in (a, b))
    one, other = ck.distance(a, b), ck.distance(large_a, large_b)
    np.testing.assert_allclose(other.distance / scale, one.distance, atol=1e-10)
    np.testing.assert_array_equal(ck.classify(large_a, large_b), ck.classify(a, b))
    gaps = ck.separating_axis(large_a, large_b).gap / scale
    np.testing.assert_allclose(gaps, ck.separating_axis(a, b).gap, atol=1e-10)
    np.testing.assert_array_equal(ck.contacts(large_a, large_b).pair, ck.contacts(a, b).pair)
