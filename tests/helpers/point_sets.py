# SPDX-License-Identifier: GPL-3.0-or-later
"""Point sets for hulls: in general position, degenerate, and nearly degenerate."""

import itertools

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.helpers import zoo

BOX = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def lattice(*counts):
    return np.stack(np.meshgrid(*[np.arange(float(n)) for n in counts], indexing="ij"), axis=-1).reshape(-1, 3)


def on_sphere(rng, count):
    points = rng.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def prism(sides, rings):
    angle = np.arange(sides) * 2.0 * np.pi / sides
    ring = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    return np.concatenate([np.insert(ring, 2, z, axis=1) for z in np.linspace(-1.0, 1.0, rings)])


SETS = {
    "normal": lambda rng: rng.normal(size=(rng.integers(5, 300), 3)),
    "cube": lambda rng: rng.random((rng.integers(5, 300), 3)),
    "sphere": lambda rng: on_sphere(rng, rng.integers(4, 300)),
    "lattice": lambda rng: rng.integers(-3, 4, (rng.integers(20, 200), 3)).astype(float),
    "turned lattice": lambda rng: lattice(*rng.integers(2, 7, 3)) @ zoo.rotations(rng, 1)[0],
    "turned prism": lambda rng: prism(rng.integers(3, 60), rng.integers(2, 6)) @ zoo.rotations(rng, 1)[0],
    "near plane": lambda rng: rng.normal(size=(100, 3)) * [1.0, 1.0, 1e-9] @ zoo.rotations(rng, 1)[0],
    "needle": lambda rng: rng.normal(size=(60, 3)) * [1.0, 1e-5, 1e-8] @ zoo.rotations(rng, 1)[0],
    "clusters": lambda rng: BOX[rng.integers(0, 8, 200)] + 1e-7 * rng.normal(size=(200, 3)),
    "cone": lambda rng: np.concatenate((prism(50, 2)[:50], [[0.0, 0.0, 3.0]])) @ zoo.rotations(rng, 1)[0],
    "moment curve": lambda rng: np.linspace(-1.0, 1.0, 60)[:, None] ** [1, 2, 3],
    "far off": lambda rng: rng.normal(size=(80, 3)) + 1e6,
    "huge": lambda rng: rng.normal(size=(80, 3)) * 1e9,
    "tiny": lambda rng: rng.normal(size=(80, 3)) * 1e-9,
}


def near_tolerance(rng):
    """A degenerate set with noise near the tolerance, for which it is hardest to decide which points to merge."""
    match rng.integers(6):
        case 0:
            points = lattice(*rng.integers(1, 8, 3)) / 4.0 - 1.0
        case 1:
            points = prism(rng.integers(3, 40), rng.integers(1, 5))
        case 2:
            points = on_sphere(rng, rng.integers(4, 100))
        case 3:
            points = rng.integers(-2, 3, (rng.integers(4, 60), 3)).astype(float)
        case 4:
            points = BOX[rng.integers(0, 8, 100)]
        case _:  # a flat cap: rings on a shallow paraboloid
            rim = prism(rng.integers(3, 50), 2)[:, :2]
            depth = 10.0 ** rng.uniform(-16, -10)
            points = np.concatenate([np.insert(r * rim, 2, -depth * r * r, axis=1) for r in (0.0, 0.3, 0.7, 1.0)])
    points = points * 10.0 ** rng.choice([0, 0, 0, -3, -8, -12, -14, -15], 3)
    steps = 2.0**-52 * rng.choice([0, 1, 4, 16, 32, 64, 128, 512, 1e5])
    points = points + steps * rng.uniform(-1.0, 1.0, points.shape)
    if rng.random() < 0.7:
        points = points @ zoo.rotations(rng, 1)[0]
    if rng.random() < 0.3:
        points = points + rng.normal(size=3) * 10.0 ** rng.integers(-3, 7)
    return points.astype(np.float32) if rng.random() < 0.2 else points


noise = st.sampled_from([0.0, 2.0**-53, 2.0**-50, 2.0**-48, 2.0**-46, 2.0**-40, 1e-9])


@st.composite
def degenerate_points(draw):
    """Points with few distinct coordinates and many repetitions, noise near the tolerance, any place and any scale."""
    base = draw(arrays(np.int64, (draw(st.integers(1, 12)), 3), elements=st.integers(-2, 2)))
    weights = draw(arrays(np.int64, (draw(st.integers(0, 24)), len(base)), elements=st.integers(0, 3)))
    weights = weights[weights.sum(axis=1) > 0]
    mixed = weights @ base / weights.sum(axis=1, keepdims=True)
    points = np.concatenate((base, mixed)) * draw(st.sampled_from([[1, 1, 1], [1, 1, 1e-8], [1, 1e-6, 1e-13]]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    points = points + draw(noise) * rng.uniform(-1.0, 1.0, points.shape)
    if draw(st.booleans()):
        points = points @ zoo.rotations(rng, 1)[0]
    points += draw(st.sampled_from([0.0, 1.0, 1e3, 1e6])) * rng.uniform(-1.0, 1.0, 3)
    dtype, scales = draw(
        st.sampled_from([(np.float64, [1.0, 1e-9, 1e9, 1e-300, 1e100]), (np.float32, [1.0, 1e-9, 1e9])])
    )
    return (points * draw(st.sampled_from(scales))).astype(dtype)
