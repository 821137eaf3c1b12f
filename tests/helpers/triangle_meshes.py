# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes whose convexity is known from their construction."""

from collections.abc import Iterator

import numpy as np

from collision_kit.core.hull import convex_hull

Mesh = tuple[np.ndarray, np.ndarray]


CUBE = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
BOX = np.array([t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))])


def rotation(seed: int) -> np.ndarray:
    matrix, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return matrix


def hull_mesh(points: np.ndarray) -> Mesh:
    """The hull of a point cloud, as a triangle mesh with its own vertices."""
    hull = convex_hull(points)
    fans = [(face[0], face[i], face[i + 1]) for face in hull.faces for i in range(1, len(face) - 1)]
    number = np.full(len(points), -1)
    number[hull.vertices] = np.arange(len(hull.vertices))
    return points[hull.vertices], number[np.array(fans)]


def subdivided(points: np.ndarray, triangles: np.ndarray) -> Mesh:
    """Each triangle divided into four, without shared vertices."""
    a, b, c = points[triangles].transpose(1, 0, 2)
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    corners = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))])
    return corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3)


def convex_meshes() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    yield "box", CUBE, BOX
    yield "flat box", CUBE * (1.0, 1.0, 1e-4), BOX
    yield "needle", CUBE * (1.0, 1e-3, 1e-3), BOX
    for seed in range(6):
        cloud = np.random.default_rng(seed).normal(size=(10 * 4**seed // 8 + 5, 3))
        if seed % 2:
            cloud /= np.linalg.norm(cloud, axis=1, keepdims=True)
        yield f"hull {seed}", *hull_mesh(cloud)
    # A vertex on an edge that is part of only one of its faces, and the sliver that fills the gap.
    others = BOX[~np.isin(BOX, [0, 1, 5]).all(axis=1)]
    sliver = [(0, 5, 8), (8, 5, 1), (0, 8, 1)]
    yield (
        "sliver along an edge",
        np.concatenate([CUBE, [(-1.0, -1.0, 0.3)]]),
        np.concatenate([others, sliver]),
    )
    yield "every face twice", CUBE, np.concatenate([BOX, BOX[:, ::-1]])
    yield "subdivided box", *subdivided(*subdivided(CUBE, BOX))
    # Slivers like those of bevels, whose planes are mostly rounding.
    for width in (1e-3, 1e-4, 1e-5):
        wide = np.eye(3) * width + 1.0
        yield f"bevel of {width}", *hull_mesh(np.concatenate([CUBE * row for row in wide]))


def moved(vertex: int, to: np.ndarray) -> np.ndarray:
    points, _ = subdivided(CUBE, BOX)
    return np.where((points == points[vertex]).all(axis=1)[:, None], to, points)


def torus() -> Mesh:
    turns = np.arange(16) * np.pi / 8
    u, v = (angle.ravel() for angle in np.meshgrid(turns, turns, indexing="ij"))
    points = np.stack([(2 + np.cos(v)) * np.cos(u), (2 + np.cos(v)) * np.sin(u), np.sin(v)], axis=1)
    i, j = (index.ravel() for index in np.meshgrid(np.arange(16), np.arange(16), indexing="ij"))
    a, b, c, d = (
        16 * i + j,
        16 * ((i + 1) % 16) + j,
        16 * ((i + 1) % 16) + (j + 1) % 16,
        16 * i + (j + 1) % 16,
    )
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def star() -> Mesh:
    """A double cone over a pentagram: every edge folds outward, but the surface winds around twice."""
    angle = 4.0 * np.pi * np.arange(5) / 5.0
    rim = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    points = np.concatenate([rim, [(0, 0, 1), (0, 0, -1)]])
    i = np.arange(5)
    up = np.stack([i, (i + 1) % 5, np.full(5, 5)], axis=1)
    return points, np.concatenate([up, np.where(up == 5, 6, up)[:, ::-1]])


def dented_grid() -> Mesh:
    """A box with a finely divided lid that sags: at each edge by less than rounding, in total by much more."""
    count = 201
    x = np.linspace(-1.0, 1.0, count)
    u, v = np.meshgrid(x, x, indexing="ij")
    lid = np.stack([u, v, 1.0 - 2e-4 * (1 - u**2) * (1 - v**2)], axis=-1).reshape(-1, 3)
    i, j = (index.ravel() for index in np.meshgrid(np.arange(count - 1), np.arange(count - 1), indexing="ij"))
    a, b, c, d = count * i + j, count * (i + 1) + j, count * (i + 1) + j + 1, count * i + j + 1
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    edge = np.flatnonzero(np.isclose(np.abs(lid[:, :2]).max(axis=1), 1.0))
    around = edge[np.argsort(np.arctan2(lid[edge, 1], lid[edge, 0]))]
    tip = np.full(len(around), len(lid))
    points = np.concatenate([lid, [(0.0, 0.0, -1.0)]])
    return points, np.concatenate([triangles, np.stack([np.roll(around, -1), around, tip], axis=1)])


def meshes_that_are_not_convex() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    points, triangles = subdivided(CUBE, BOX)
    yield "open box", CUBE, BOX[:-1]
    yield "dented", moved(1, points[1] * 0.99), triangles
    yield "two boxes", np.concatenate([CUBE, CUBE + 3.0]), np.concatenate([BOX, BOX + 8])
    yield "a box in a box", np.concatenate([CUBE, CUBE * 0.5]), np.concatenate([BOX, BOX + 8])
    wall = np.array([(0, 1, 7), (0, 7, 6)])
    # Through the center, so that it adds no volume; the back is triangulated differently, so that it is no duplicate.
    two_sided = np.concatenate([wall, [(0, 1, 6), (1, 7, 6)]])
    yield "a box with a two-sided wall inside", CUBE, np.concatenate([BOX, two_sided])
    yield "a box with a wall inside", CUBE, np.concatenate([BOX, wall])
    yield "torus", *torus()
    yield "star", *star()
    yield "sagging lid", *dented_grid()
    yield "loose vertex", np.concatenate([CUBE, [(0.0, 0.0, 2.0)]]), BOX
    yield "no faces", CUBE, np.empty((0, 3), np.int64)
    yield "half of it twice", CUBE, np.concatenate([BOX[:6], BOX[:6, ::-1]])


def l_prism(depth: float = 1.0) -> Mesh:
    """A block with a step cut out of it: the edge (3, 9) is its only reflex edge, with a right angle."""
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=float)
    points = np.concatenate([np.c_[outline, np.zeros(6)], np.c_[outline, np.full(6, depth)]])
    bottom = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)]
    top = [(a + 6, c + 6, b + 6) for a, b, c in bottom]
    sides = [t for i in range(6) for j in [(i + 1) % 6] for t in ((i, j, j + 6), (i, j + 6, i + 6))]
    return points, np.array(bottom + top + sides)
