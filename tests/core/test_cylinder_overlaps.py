# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders that kernels tell to overlap, or not to: what is told is true, and little is left."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.batch_sides import proved_distances, proved_overlaps
from tests.helpers import zoo

DIRECTIONS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, -1], [-1, 0, 0]])


def any_way(rng, count, radius, height):
    """Cylinders of radii and half lengths between these, about the origin."""
    place, along = rng.uniform(-0.85, 0.85, (count, 3)), rng.normal(size=(count, 3))
    along *= rng.uniform(*height, (count, 1)) / np.linalg.norm(along, axis=1)[:, None]
    return ck.Cylinders(place - along, place + along, rng.uniform(*radius, count))


def on_a_grid(rng, count):
    """Cylinders with coordinates on a grid, of which many touch, share an axis or are the same."""
    place = rng.integers(-8, 9, (count, 3)) / 8.0
    along = DIRECTIONS[rng.integers(0, 7, count)] * rng.integers(1, 9, (count, 1)) / 8.0
    return ck.Cylinders(place - along, place + along, rng.integers(1, 9, count) / 8.0)


@pytest.mark.parametrize(
    ("radius", "height", "most"),
    [((0.2, 0.8), (0.3, 0.8), 0.02), ((1e-3, 0.02), (0.5, 2.0), 0.05), ((0.5, 2.0), (1e-3, 0.02), 0.12)],
    ids=["usual", "needles", "coins"],
)
def test_nearly_all_pairs_are_settled_and_rightly(radius, height, most):
    rng = np.random.default_rng(11)
    a, b = any_way(rng, 3000, radius, height), any_way(rng, 3000, radius, height)
    overlap, left = proved_overlaps(a, b)
    assert len(left) <= most * 3000
    found = ck.distance(a, b)
    known = np.setdiff1d(np.arange(3000), left)
    np.testing.assert_array_equal(overlap[known], found.distance[known] < 0.0)


@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_cylinders_that_touch_are_left_or_told_as_they_are(offset):
    rng = np.random.default_rng(12)
    a, b = on_a_grid(rng, 3000), on_a_grid(rng, 3000)
    # Powers of two and a grid: both are moved exactly.
    moved = [ck.Cylinders(each.start + offset, each.end + offset, each.radius) for each in (a, b)]
    overlap, left = proved_overlaps(*moved)
    known = np.setdiff1d(np.arange(3000), left)
    found = ck.distance(a, b)
    slack = found.rounding * (1.0 + 1e6 * (offset > 0.0))
    touch = np.abs(found.distance) <= slack
    assert touch.sum() > 50
    np.testing.assert_array_equal(overlap[known[~touch[known]]], found.distance[known[~touch[known]]] < 0.0)
    # What only touches does overlap: it must not be told to be apart.
    assert overlap[np.setdiff1d(np.flatnonzero(touch), left)].all()


def test_cylinders_without_a_radius_overlap_as_their_distances_say():
    rng = np.random.default_rng(13)
    a, b = any_way(rng, 500, (0.0, 0.0), (0.3, 0.8)), any_way(rng, 500, (0.2, 0.8), (0.3, 0.8))
    overlap, left = proved_overlaps(a, b)
    assert len(left) < 50
    np.testing.assert_array_equal(ck.overlap(a, b), ck.distance(a, b).distance <= 0.0)
    assert overlap.any()


@pytest.mark.parametrize("kind", ["box", "triangle", "hull", "capsule"])
def test_overlap_agrees_with_distance_for_polytopes_beside_cylinders(kind):
    rng = np.random.default_rng(14)
    a, place = on_a_grid(rng, 1000), rng.integers(-8, 9, (1000, 3)) / 8.0
    match kind:
        case "box":
            b = ck.Boxes(place, rng.integers(0, 5, (1000, 3)) / 8.0)
        case "triangle":
            b = ck.Triangles(place[:, None] + rng.integers(-4, 5, (1000, 3, 3)) / 8.0)
        case "hull":
            b = ck.Hulls.from_points(list(place[:, None] + rng.integers(-4, 5, (1000, 8, 3)) / 8.0))
        case "capsule":
            b = ck.Capsules(place, place + rng.integers(-4, 5, (1000, 3)) / 8.0, rng.integers(0, 4, 1000) / 8.0)
    overlap, found = ck.overlap(a, b), ck.distance(a, b)
    assert np.count_nonzero(np.abs(found.distance) <= found.rounding) > 5
    np.testing.assert_array_equal(overlap, found.distance <= found.rounding)


def resting(rng, count):
    """Barrels that stand or lie on boxes and on other barrels, and cones on boxes, and how their normals point."""
    up, zero = np.array([0.0, 0.0, 1.0]), np.zeros(count)
    radius, height = rng.uniform(0.2, 0.6, count), rng.uniform(0.3, 1.0, (count, 1))
    foot = np.column_stack([rng.uniform(-1.0, 1.0, (count, 2)), zero])
    turn = rng.uniform(0.0, 7.0, count)
    along = height * np.column_stack([np.cos(turn), np.sin(turn), zero])
    middle = foot + radius[:, None] * up
    floor = ck.Boxes(np.tile([0.0, 0.0, -0.5], (count, 1)), [2.0, 2.0, 0.5])
    below = ck.Cylinders(foot - height * up, foot, 1.2 * radius)
    standing, lying = (
        ck.Cylinders(foot, foot + height * up, radius),
        ck.Cylinders(middle - along, middle + along, radius),
    )
    above = ck.Cylinders(lying.start + 2.0 * radius[:, None] * up, lying.end + 2.0 * radius[:, None] * up, radius)
    cones = ck.Cones(foot, foot + height * up, radius)
    yield from ((standing, floor), (lying, floor), (standing, below), (lying, below), (above, lying), (cones, floor))


@pytest.mark.parametrize("depth", [0.0, 1e-9, 1e-6, 1e-3])
def test_shapes_that_rest_on_others_are_settled_with_the_depth_at_which_they_were_put(depth):
    rng = np.random.default_rng(16)
    turn, place = zoo.rotations(rng, 1)[0], rng.normal(size=3)
    for number, (a, b) in enumerate(resting(rng, 300)):
        sunk = zoo.moved(a, np.tile([0.0, 0.0, -depth], (300, 1)))
        a, b = (zoo.placed(shapes, turn, 1.0, place) for shapes in (sunk, b))
        found, left = proved_distances(a, b)
        overlap, open_still = proved_overlaps(a, b)
        # Symmetric pairs that overlap by a fraction of rounding's root may be left.
        assert max(len(left), len(open_still)) <= (0 if depth == 0.0 else 75), number
        known = np.setdiff1d(np.arange(300), left)
        assert (np.abs(found.distance + depth)[known] <= 4.0 * found.rounding[known]).all()
        assert (np.abs(found.normal[known] @ turn[:, 2] + 1.0) <= 1e-12).all()
        meets = found.distance <= found.rounding if depth == 0.0 else np.ones(300, dtype=bool)
        settled = np.setdiff1d(known, open_still)
        np.testing.assert_array_equal(overlap[settled], meets[settled])
