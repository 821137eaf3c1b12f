# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsules and cylinders of rails, cables, straps and wires are as small as what anybody would put along them."""

import itertools

import numpy as np
import pytest

from collision_kit.core import fit
from tests.helpers import fit_sets
from tests.helpers.fit_sets import CUBE, holds_exactly
from tests.helpers.offline import by_turns

# The promise of docs/fitting.md.
WITHIN = 1.02


def cable(rng, thick, count, around, wobble, flat=1.0):
    """Rings along X from -1 to 1 around a path that wobbles, as a share of the thickness."""
    path = np.cumsum(rng.normal(size=(count, 2)), axis=0) * wobble * thick
    turn = np.arange(around) * 2.0 * np.pi / around
    ring = np.c_[np.cos(turn), np.sin(turn)] * thick * [1.0, flat]
    place = np.repeat(np.linspace(-1.0, 1.0, count), around)
    return np.c_[place, (path[:, None] + ring).reshape(-1, 2)]


def helix(rng, thick):
    turn = np.linspace(0.0, 12.0 * np.pi, 200)
    return np.c_[np.linspace(-1.0, 1.0, 200), thick * np.cos(turn), thick * np.sin(turn)]


def sagging(rng, thick):
    place = np.linspace(-1.0, 1.0, 60)
    return np.concatenate([np.c_[place, np.full(60, side), 20.0 * thick * place**2] for side in (0.0, thick)])


LONG = {
    "rail": lambda rng, thick: CUBE * [1.0, thick, 2.0 * thick],
    "strap": lambda rng, thick: CUBE * [1.0, thick, 0.01 * thick],
    "pole": lambda rng, thick: cable(rng, thick, 2, 12, 0.0),
    "cable": lambda rng, thick: cable(rng, thick, 60, 8, 0.0),
    "wobbling wire": lambda rng, thick: cable(rng, thick, 60, 6, 0.3),
    "ribbon": lambda rng, thick: cable(rng, thick, 40, 6, 0.1, 0.02),
    "sagging": sagging,
    "helix": helix,
    "lattice": lambda rng, thick: rng.integers(-2, 3, (12, 3)) * [1.0, thick, thick],
    "few": lambda rng, thick: rng.normal(size=(5, 3)) * [1.0, thick, thick],
    "many": lambda rng, thick: rng.normal(size=(1000, 3)) * [1.0, thick, 0.3 * thick],
    "one point beside a beam": lambda rng, thick: np.append(CUBE * [1.0, thick, thick], [[0.4, 3.0 * thick, 0.0]], 0),
    "nail": lambda rng, thick: np.concatenate(
        [cable(rng, thick, 2, 12, 0.0), cable(rng, 4.0 * thick, 2, 12, 0.0) * [0.02, 1.0, 1.0] + [0.98, 0.0, 0.0]]
    ),
}
POSES = ("straight", "turned", "anywhere")
KINDS = (fit.fit_capsule, fit.fit_cylinder)
CELLS = [
    pytest.param(name, 1.0 / ratio, pose, id=f"{name}-{ratio}-{pose}")
    for name, ratio, pose in itertools.product(LONG, (100, 1000, 10_000, 1_000_000), POSES)
]


def posed(rng, points, pose):
    if pose == "straight":
        return points
    return points @ fit_sets.rotation(rng) + (rng.normal(size=3) if pose == "anywhere" else 0.0)


def along(fitted, points, axis):
    """Volume of the shape along an axis around the smallest circle of what is seen along it."""
    axis = axis / np.linalg.norm(axis)
    flat = points - np.outer(points @ axis, axis)
    circle = fit.fit_sphere(flat).shape
    height, radius = points @ axis, circle.radius[0]
    if fitted is fit.fit_cylinder:
        return np.pi * radius**2 * np.ptp(height)
    reach = np.sqrt(np.maximum(radius**2 - ((flat - circle.center[0]) ** 2).sum(axis=1), 0.0))
    span = max(0.0, (height - reach).max() - (height + reach).min())
    return np.pi * radius**2 * (span + 4.0 / 3.0 * radius)


def long_axes(points):
    """The principal axis, the farthest pair and the long side of the smallest box."""
    apart = ((points[:, None] - points) ** 2).sum(axis=2)
    first, second = np.unravel_index(apart.argmax(), apart.shape)
    box = fit.fit_oriented_box(points).shape
    yield np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2][0]
    yield points[first] - points[second]
    yield box.rotation[0][:, np.argmax(box.half_extents[0])]


@pytest.mark.parametrize(("name", "thick", "pose"), by_turns(CELLS, 12, 0))
def test_no_shape_along_a_long_set_is_much_smaller(name, thick, pose):
    rng = np.random.default_rng(31)
    points = posed(rng, LONG[name](rng, thick), pose)
    for fitted in KINDS:
        made = fitted(points)
        assert made.volume <= WITHIN * min(along(fitted, points, axis) for axis in long_axes(points))
        assert made.lower_bound <= made.volume * (1 + 1e-12)
        if len(points) < 100:
            assert holds_exactly(made.shape, points)


@pytest.mark.parametrize("ratio", [300, 30_000])
@pytest.mark.parametrize("name", ["rail", "lattice", "wobbling wire", "helix"])
@pytest.mark.parametrize("fitted", KINDS)
def test_the_pose_of_a_long_set_does_not_matter(fitted, name, ratio):
    rng = np.random.default_rng(32)
    points = LONG[name](rng, 1.0 / ratio)
    volumes = [fitted(points @ turn).volume for turn in (np.eye(3), np.eye(3)[[1, 2, 0]], fit_sets.rotation(rng))]
    assert max(volumes) <= min(volumes) * (1 + 1e-5)


def width_along(points):
    """The least radius of a line's surroundings that hold points all but along X, by least squares made sharper.

    Lawson's weights: at the end only the points that are farthest from the line count.
    """
    system = np.c_[np.ones(len(points)), points[:, 0]]
    weight = np.full(len(points), 1.0 / len(points))
    best = np.inf
    for _ in range(4000):
        root = np.sqrt(weight)[:, None]
        line = np.linalg.lstsq(system * root, points[:, 1:] * root, rcond=None)[0]
        off = np.linalg.norm(points[:, 1:] - system @ line, axis=1)
        best = min(best, off.max())
        weight *= off
        weight /= weight.sum()
    return best


@pytest.mark.parametrize("name", ["wobbling wire", "sagging", "lattice", "one point beside a beam"])
def test_a_long_shape_is_as_thin_as_the_best_line(name):
    rng = np.random.default_rng(33)
    points = LONG[name](rng, 1e-5)
    width = width_along(points * [1.0, 1e5, 1e5]) * 1e-5
    for fitted in KINDS:
        assert fitted(points).shape.radius[0] <= width * (1 + 2e-3)


@pytest.mark.parametrize("fitted", KINDS)
def test_long_sets_of_many_points_end_without_an_error(fitted):
    # Nearly all directions see only the two ends of these, which alone have no width and no length across.
    for thick in (1e-3, 1e-4, 1e-5):
        points = helix(None, thick)
        made = fitted(points)
        assert np.isfinite(made.volume) and made.shape.radius[0] <= 1.01 * thick
