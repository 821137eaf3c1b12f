# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsules along edges of boxes, about as long as these, and cylinders whose rims nearly touch.

Closed forms and polynomials have multiple roots here, or roots at the ends of their intervals. Of the pairs of `pairs`,
hardly any are like this.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.numerics.vectors import dot, normalized
from collision_kit.core.shapes import Shapes
from tests.helpers import zoo
from tests.hunt import pairs
from tests.hunt.pairs import wrong

__all__ = ["run", "wrong"]

COUNT = 2000
_ROWS = 500


def run(seed: int, count: int) -> list[dict[str, Any]]:
    return pairs.tried(seed, batches(seed, count))


def batches(seed: int, count: int) -> Iterator[tuple[Shapes, Shapes]]:
    for number in range(-(-count // _ROWS)):
        rng = np.random.default_rng([seed, number])
        made = (_capsules_and_boxes, _cylinders)[number % 2]
        yield made(rng, min(_ROWS, count - number * _ROWS))


def _powers(rng: np.random.Generator, low: float, high: float, *shape: int) -> np.ndarray:
    return 10.0 ** rng.uniform(low, high, shape)


def _signs(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.choice([-1.0, 1.0], shape)


def _some(rng: np.random.Generator, share: float, count: int) -> np.ndarray:
    return rng.random((count, 1)) < share


def _capsules_and_boxes(rng: np.random.Generator, count: int) -> tuple[Shapes, Shapes]:
    """Boxes, and capsules in or beside them whose axes are nearly parallel to an edge and about as long as it."""
    turns = zoo.quarter_turns(rng, count) if rng.random() < 0.3 else zoo.rotations(rng, count)
    half = _powers(rng, -3.0, 0.0, count, 3) if rng.random() < 0.5 else rng.uniform(0.2, 1.0, (count, 3))
    every, edge = np.arange(count), rng.integers(0, 3, count)
    size, along, across = half[every, edge, None], np.eye(3)[edge], np.eye(3)[(edge + 1) % 3]
    tilt = size * _powers(rng, -16.0, -0.3, count, 1) * rng.normal(size=(count, 3)) * _some(rng, 0.8, count)
    tilt *= np.where(_some(rng, 0.4, count), across, 1.0)
    way = size * (1.0 + _signs(rng, count, 1) * _powers(rng, -16.0, 0.0, count, 1)) * along + tilt
    # Anywhere across the edge, also near the faces.
    middle = rng.uniform(-1.0, 1.0, (count, 3))
    beside = 1.0 + _signs(rng, count, 3) * _powers(rng, -16.0, -1.0, count, 3)
    middle = half * np.where(rng.random((count, 3)) < 0.4, np.sign(middle) * beside, middle)
    shift = rng.random(count) * rng.choice([0.0, 1e-8, 1.0], count) * _signs(rng, count)
    middle[every, edge] = half[every, edge] * shift
    largest = half.max(axis=1, keepdims=True)
    place = _powers(rng, -1.0, 7.0, count, 1) * largest * rng.normal(size=(count, 3)) * _some(rng, 0.6, count)
    start, end = (np.einsum("nij,nj->ni", turns, local) + place for local in (middle - way, middle + way))
    radius = (largest * _powers(rng, -8.0, 0.0, count, 1) * _some(rng, 0.7, count))[:, 0]
    scale = 10.0 ** rng.integers(-6, 7)
    capsules, boxes = (
        ck.Capsules(start * scale, end * scale, radius * scale),
        ck.Boxes(place * scale, half * scale, turns),
    )
    return (capsules, boxes) if rng.random() < 0.5 else (boxes, capsules)


def _cylinders(rng: np.random.Generator, count: int) -> tuple[Shapes, Shapes]:
    """Cylinders whose rims touch at the origin but for a small gap or overlap, with axes nearly parallel or any."""
    turns = zoo.rotations(rng, count)
    axis, out = turns[:, :, 2], turns[:, :, 0]
    # The direction in which the other one lies: anywhere between the radius and the axis, or nearly one of them.
    near = _powers(rng, -12.0, -1.0, count)
    angle = np.choose(rng.integers(0, 3, count), [rng.uniform(0.0, np.pi / 2.0, count), near, np.pi / 2.0 - near])
    normal = np.cos(angle)[:, None] * out + np.sin(angle)[:, None] * axis
    tilt = _powers(rng, -14.0, 0.0, count, 1) * rng.normal(size=(count, 3)) * _some(rng, 0.9, count)
    level = normalized(_signs(rng, count, 1) * axis + tilt, axis)
    other = np.where(_some(rng, 0.6, count), level, zoo.rotations(rng, count)[:, :, 2])
    against = normalized(dot(normal, other)[:, None] * other - normal, out)
    radius = np.where(rng.random((2, count)) < 0.5, 1.0, _powers(rng, -9.0, 0.0, 2, count))
    size = radius.sum(axis=0)[:, None]
    height = _powers(rng, -7.0, 0.5, 2, count, 1)
    side = np.where(dot(normal, other) > 0.0, 1.0, -1.0)[:, None] * np.where(_some(rng, 0.8, count), 1.0, -1.0)
    gap = rng.choice([-1.0, 0.0, 1.0], (count, 1)) * _powers(rng, -17.0, -3.0, count, 1) * size
    aside = size * _powers(rng, -16.0, -4.0, count, 1) * rng.normal(size=(count, 3)) * _some(rng, 0.6, count)
    place = 10.0 ** rng.uniform(-1.0, 3.0) * rng.normal(size=3) * (rng.random() < 0.3)
    first = place - radius[0, :, None] * out
    second = place + gap * normal + aside - radius[1, :, None] * against
    scale = 10.0 ** rng.integers(-6, 7)
    return (
        ck.Cylinders(first * scale, (first - height[0] * axis) * scale, radius[0] * scale),
        ck.Cylinders(second * scale, (second + height[1] * side * other) * scale, radius[1] * scale),
    )
