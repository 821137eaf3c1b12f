# SPDX-License-Identifier: GPL-3.0-or-later
"""Points to fit shapes to, and an exact test whether a shape contains them."""

import itertools
from fractions import Fraction

import numpy as np

import collision_kit.core as ck
from tests.helpers import zoo

CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
TETRAHEDRON = CUBE[[0, 3, 5, 6]]
OCTAHEDRON = np.concatenate([np.eye(3), -np.eye(3)])
GOLDEN = (1.0 + 5.0**0.5) / 2.0
ICOSAHEDRON = np.concatenate(
    [np.roll([(0.0, s, t * GOLDEN) for s in (-1.0, 1.0) for t in (-1.0, 1.0)], k, axis=1) for k in range(3)]
)


def on_sphere(rng, count):
    points = rng.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def rotation(rng):
    return zoo.rotations(rng, 1)[0]


def prism(sides, height):
    turn = np.arange(sides) * 2.0 * np.pi / sides
    return np.concatenate([np.c_[np.cos(turn), np.sin(turn), np.full(sides, z)] for z in (-height / 2.0, height / 2.0)])


SETS = {
    "one point": lambda rng: rng.normal(size=(1, 3)),
    "the origin": lambda rng: np.zeros((1, 3)),
    "one point again and again": lambda rng: np.tile(rng.normal(size=(1, 3)), (5, 1)),
    "two points": lambda rng: rng.normal(size=(2, 3)),
    "collinear": lambda rng: rng.normal(size=(20, 1)) * rng.normal(size=3) + rng.normal(size=3),
    "flat": lambda rng: (rng.normal(size=(30, 3)) * [1, 1, 0]) @ rotation(rng),
    "flat on an axis": lambda rng: rng.normal(size=(30, 3)) * [1, 0, 1] + [0, 3, 0],
    "cube": lambda rng: CUBE,
    "turned box": lambda rng: (CUBE * rng.uniform(0.2, 3.0, 3)) @ rotation(rng) + rng.normal(size=3),
    "tetrahedron": lambda rng: TETRAHEDRON,
    "octahedron": lambda rng: OCTAHEDRON,
    "icosahedron": lambda rng: ICOSAHEDRON,
    "prism": lambda rng: prism(12, 3.0) @ rotation(rng),
    "normal": lambda rng: rng.normal(size=(40, 3)),
    "many": lambda rng: rng.normal(size=(2000, 3)) * [1, 2, 3],
    "sphere": lambda rng: on_sphere(rng, 60),
    "ellipsoid": lambda rng: on_sphere(rng, 200) * [1, 2, 4],
    "lattice": lambda rng: rng.integers(-3, 4, (60, 3)).astype(float),
    "needle": lambda rng: rng.normal(size=(30, 3)) * [1, 1e-3, 1e-3] @ rotation(rng),
    "disc": lambda rng: rng.normal(size=(30, 3)) * [1, 1, 1e-6] @ rotation(rng),
    "small": lambda rng: rng.normal(size=(30, 3)) * 1e-4,
    "large": lambda rng: rng.normal(size=(30, 3)) * 1e4,
    "far off": lambda rng: rng.normal(size=(30, 3)) + 1e5,
    "small and far off": lambda rng: rng.normal(size=(30, 3)) * 1e-4 + 1e5,
}
SOLIDS = [name for name in SETS if name not in ("one point", "the origin", "one point again and again", "two points")]
SOLIDS = [name for name in SOLIDS if not name.startswith(("collinear", "flat"))]


def exact(array):
    return [[Fraction(float(x)) for x in row] for row in np.atleast_2d(array)]


def minus(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def holds_exactly(shape, points):
    """Whether a shape, a batch of one with exactly these fields, contains every point; computed without rounding."""
    return all(_holds(shape, point) for point in exact(points))


def _holds(shape, p):
    if isinstance(shape, ck.Spheres):
        (c,), ((r,),) = exact(shape.center), exact(shape.radius)
        return dot(minus(p, c), minus(p, c)) <= r * r
    if isinstance(shape, ck.Boxes):
        (c,), (half,), axes = exact(shape.center), exact(shape.half_extents), exact(shape.rotation[0].T)
        return all(abs(dot(axis, minus(p, c))) <= h for axis, h in zip(axes, half, strict=True))
    (start,), (end,), ((r,),) = exact(shape.start), exact(shape.end), exact(shape.radius)
    along, spoke = minus(end, start), minus(p, start)
    square, height = dot(along, along), dot(spoke, along)
    if isinstance(shape, ck.Cylinders):
        return 0 <= height <= square and dot(spoke, spoke) * square - height**2 <= r * r * square
    t = min(max(height / square, Fraction(0)), Fraction(1)) if square else Fraction(0)
    off = [x - t * a for x, a in zip(spoke, along, strict=True)]
    return dot(off, off) <= r * r
