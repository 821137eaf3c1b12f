# SPDX-License-Identifier: GPL-3.0-or-later
"""Every question of the plane, every two kinds: no answer changes with order, place, scale or batch."""

import itertools
from functools import cache

import numpy as np
import pytest

from collision_kit.core import planar
from tests.helpers.offline import slow
from tests.helpers.planar_bodies import KINDS, generic

COUNT = 6
pairs_of_kinds = pytest.mark.parametrize("kinds", list(itertools.combinations_with_replacement(KINDS, 2)), ids="-".join)
MOVES = {
    "turned": (0.7, 1.0, 0.0),
    "small": (0.0, 1e-4, 0.0),
    "large": (0.3, 1e4, 0.0),
    "far away": (0.0, 1.0, 1e5),
}


def bodies(kinds):
    rng = np.random.default_rng([9, *map(KINDS.index, kinds)])
    first, second = (generic(kind, rng, COUNT) for kind in kinds)
    # One row in which one holds the other, and one far apart.
    place = second.translation.copy()
    place[0], place[1] = first.translation[0], first.translation[1] + [4.0, 1.0]
    second = type(second)(second.kind, second.local, second.radius, place, second.angle)
    return first, second, rng.normal(size=(2, COUNT, 2)) * 2.0


def answers(a, b, speeds, scale=1.0):
    """The answers of all queries, in units of the scale; lengths apart from verdicts."""
    found, axes, touch = planar.distance(a, b), planar.separating_axis(a, b), planar.contacts(a, b, margin=0.3 * scale)
    impact = planar.time_of_impact(a, b, velocity_a=speeds[0], velocity_b=speeds[1])
    evidence = planar.candidate_axes(a, b)
    tested = evidence.status == planar.AxisStatus.TESTED
    deepest, largest_gap = np.full((2, len(a)), -np.inf)
    np.maximum.at(deepest, touch.pair, touch.depth)
    np.maximum.at(largest_gap, evidence.pair[tested], evidence.gap[tested])
    size = np.ptp(np.concatenate([*a.bounds(), *b.bounds()]), axis=0).max()
    assert (np.abs(found.rounding) < 1e-6 * size).all()
    lengths = {
        "distance": found.distance,
        "gap": axes.gap,
        "between the witnesses": np.hypot(*(found.point_b - found.point_a).T),
        "deepest contact": deepest,
        "largest gap along an axis": largest_gap,
    }
    verdicts = {
        "overlap": planar.overlap(a, b),
        "verdict": planar.classify(a, b, touching=0.013 * scale, clearance=0.21 * scale),
        "contains": planar.contains(a, b),
        "contained": planar.contains(b, a),
        "contacts": np.bincount(touch.pair, minlength=len(a)),
        "hit": impact.hit,
    }
    return {name: length / scale for name, length in lengths.items()}, verdicts, impact.time


def compare(one, other, error, regions):
    for name, length in one[0].items():
        # The depth of a region is found to 1e-9 of the size.
        np.testing.assert_allclose(other[0][name], length, rtol=0, atol=max(error, 1e-8 * regions), err_msg=name)
    for name, verdict in one[1].items():
        if name == "contacts" and regions:
            verdict, there = verdict > 0, other[1][name] > 0
        else:
            there = other[1][name]
        np.testing.assert_array_equal(there, verdict, err_msg=name)
    np.testing.assert_allclose(other[2], one[2], atol=1e3 * error)


@cache
def known(kinds):
    """Two bodies, their speeds and all answers about them."""
    first, second, speeds = bodies(kinds)
    return first, second, speeds, answers(first.batch(), second.batch(), speeds)


@pairs_of_kinds
@pytest.mark.parametrize("move", ["turned", "far away", *slow(*sorted({*MOVES} - {"turned", "far away"}))])
def test_rigid_motion_and_scale_change_no_answer(kinds, move):
    angle, scale, shift = MOVES[move]
    first, second, speeds, before = known(kinds)
    if "aabb" in kinds:
        angle = 0.0 if move == "far away" else angle  # a box along the axes is a rectangle once it is turned
    moved = [body.placed(angle, scale, shift * np.array([0.6, -0.7])).batch() for body in (first, second)]
    c, s = np.cos(angle), np.sin(angle)
    after = answers(*moved, scale * speeds @ np.array([[c, s], [-s, c]]), scale)
    # Coordinates are stored with an error of eps times the distance from the origin.
    compare(before, after, 1e-12 + 20.0 * np.finfo(float).eps * shift, "region" in kinds)


@pairs_of_kinds
def test_the_order_changes_no_answer(kinds):
    first, second, speeds, one = known(kinds)
    other = answers(second.batch(), first.batch(), speeds[::-1])
    other[1]["contains"], other[1]["contained"] = other[1]["contained"], other[1]["contains"]
    compare(one, other, 1e-12, "region" in kinds)


@pairs_of_kinds
def test_one_at_a_time_gives_the_answers_of_all_at_once(kinds):
    first, second, speeds, (lengths, verdicts, times) = known(kinds)
    a, b = first.batch(), second.batch()
    for row in range(0, COUNT, 2):
        here = np.array([row])
        one = answers(a.take(here), b.take(here), speeds[:, here])
        together = ({n: v[here] for n, v in lengths.items()}, {n: v[here] for n, v in verdicts.items()}, times[here])
        compare(together, one, 1e-12, "region" in kinds)


@pairs_of_kinds
def test_touching_is_contact_whatever_the_kinds(kinds):
    """A common point is enough everywhere; see "Circles and polygons" in docs/sources.md."""
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    notched = np.array([(-1, -1), (1, -1), (1, 1), (0.5, 1), (0.5, 0.5), (-0.5, 0.5), (-0.5, 1), (-1, 1)], float)

    def shape(kind, at):
        if kind == "circle":
            return planar.Circles(at, np.ones(3))
        if kind == "aabb":
            return planar.AABBs(at - 1.0, at + 1.0)
        if kind == "rectangle":
            return planar.Rectangles(at, np.ones((3, 2)), np.full(3, np.pi / 2.0))
        if kind == "polygon":
            return planar.Polygons([square] * 3, at)
        return planar.Regions([(notched, [])] * 3, at)

    a, b = shape(kinds[0], np.zeros((3, 2))), shape(kinds[1], np.array([[2.0, 0.0], [2.0 + 1e-9, 0], [2.0 - 1e-9, 0]]))
    for one, other, way in ((a, b, 1.0), (b, a, -1.0)):
        assert planar.overlap(one, other).tolist() == [True, False, True]
        assert planar.classify(one, other).tolist() == [2, 0, 3]
        touch = planar.contacts(one, other)
        assert set(touch.pair.tolist()) == {0, 2}
        np.testing.assert_allclose(touch.normal, np.tile([way, 0.0], (len(touch), 1)), atol=1e-9)
