# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes and scenes of meshes for benchmarks, made in code."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import collision_kit.core as ck

Mesh = tuple[np.ndarray, np.ndarray]


def icosphere(levels: int) -> Mesh:
    """The unit sphere, of 20 times 4 to the power of `levels` triangles."""
    golden = (1.0 + 5.0**0.5) / 2.0
    points = np.array([[-1, golden, 0], [1, golden, 0], [-1, -golden, 0], [1, -golden, 0]])
    points = np.concatenate([points, points[:, [2, 0, 1]], points[:, [1, 2, 0]]])
    hull = ck.convex_hull(points)
    triangles = np.array(hull.faces)
    points = points / np.linalg.norm(points, axis=1)[:, None]
    for _ in range(levels):
        sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
        edges, number = np.unique(sides, axis=0, return_inverse=True)
        ab, bc, ca = number.reshape(3, -1) + len(points)
        middle = points[edges].sum(axis=1)
        points = np.concatenate([points, middle / np.linalg.norm(middle, axis=1)[:, None]])
        a, b, c = triangles.T
        triangles = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
    return points, triangles


def terrain(cells: int) -> Mesh:
    """A height field of twice `cells` squared triangles, four units a side."""
    line = np.linspace(-2.0, 2.0, cells + 1)
    x, y = (grid.reshape(-1) for grid in np.meshgrid(line, line, indexing="ij"))
    points = np.stack([x, y, 0.1 * np.sin(5.0 * x) * np.cos(4.0 * y)], axis=1)
    i, j = (grid.reshape(-1) for grid in np.meshgrid(np.arange(cells), np.arange(cells), indexing="ij"))
    a = i * (cells + 1) + j
    b, c, d = a + cells + 1, a + cells + 2, a + 1
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


@dataclass
class Scene:
    """Meshes and where they are: the mesh, rotation and translation of each object."""

    meshes: list[Mesh]
    index: np.ndarray
    place: np.ndarray
    turn: np.ndarray

    def shapes(self) -> ck.Meshes:
        """The objects as meshes that have not been asked anything yet."""
        geometry = ck.Meshes.from_triangles(self.meshes).geometry
        return ck.Meshes(geometry, self.index, self.place, self.turn)


def box(low: tuple[float, ...], high: tuple[float, ...]) -> Mesh:
    """A box of twelve triangles."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    return np.array(low) + corners * (np.array(high) - np.array(low)), triangles


def swept(profile: np.ndarray, closed: bool, sides: int, radius: float = 0.0) -> Mesh:
    """A closed profile (k, 2) of distances from the axis and heights, turned about Z."""
    count = len(profile)
    angle = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = np.empty((sides, count, 3))
    points[..., :2] = ring[:, None] * (radius + profile[:, 0])[None, :, None]
    points[..., 2] = profile[:, 1]
    cells = []
    for i in range(sides):
        for j in range(count if closed else count - 1):
            a, b = i * count + j, i * count + (j + 1) % count
            c, d = (i + 1) % sides * count + (j + 1) % count, (i + 1) % sides * count + j
            cells += [(a, d, c), (a, c, b)]
    return points.reshape(-1, 3), np.array(cells)


def tube(inner: float, outer: float, low: float, high: float, sides: int = 96) -> Mesh:
    """A hollow cylinder."""
    return swept(np.array([(inner, low), (outer, low), (outer, high), (inner, high)]), True, sides)


def rod(radius: float, low: float, high: float, sides: int = 96) -> Mesh:
    """A cylinder with a fan on each end."""
    points, triangles = swept(np.array([(radius, low), (radius, high)]), False, sides)
    middle = np.array([(0.0, 0.0, low), (0.0, 0.0, high)])
    i = np.arange(sides)
    after, count = (i + 1) % sides, len(points)
    bottom = np.stack([np.full(sides, count), 2 * after, 2 * i], axis=1)
    top = np.stack([np.full(sides, count + 1), 2 * i + 1, 2 * after + 1], axis=1)
    return np.concatenate([points, middle]), np.concatenate([triangles, bottom, top])


def frame(width: float, depth: float, height: float, opening: tuple[float, float, float, float], cuts: int) -> Mesh:
    """A wall with an opening (left, right, low, high), of a grid of cells."""
    xs = np.unique(np.concatenate([np.linspace(0.0, width, cuts), opening[:2]]))
    zs = np.unique(np.concatenate([np.linspace(0.0, height, cuts), opening[2:]]))
    solid = np.ones((len(xs) - 1, len(zs) - 1), dtype=bool)
    x, z = (xs[1:] + xs[:-1]) / 2.0, (zs[1:] + zs[:-1]) / 2.0
    solid[np.ix_((x > opening[0]) & (x < opening[1]), (z > opening[2]) & (z < opening[3]))] = False
    number: dict[tuple[float, ...], int] = {}
    cells = []

    def quad(*corners: tuple[float, float, float]) -> None:
        a, b, c, d = (number.setdefault(corner, len(number)) for corner in corners)
        cells.extend([(a, b, c), (a, c, d)])

    for i, k in np.argwhere(solid).tolist():
        x0, x1, z0, z1, y1 = xs[i], xs[i + 1], zs[k], zs[k + 1], depth
        quad((x0, 0.0, z0), (x1, 0.0, z0), (x1, 0.0, z1), (x0, 0.0, z1))
        quad((x0, y1, z0), (x0, y1, z1), (x1, y1, z1), (x1, y1, z0))
        if i == 0 or not solid[i - 1, k]:
            quad((x0, 0.0, z0), (x0, 0.0, z1), (x0, y1, z1), (x0, y1, z0))
        if i + 1 == len(xs) - 1 or not solid[i + 1, k]:
            quad((x1, 0.0, z0), (x1, y1, z0), (x1, y1, z1), (x1, 0.0, z1))
        if k == 0 or not solid[i, k - 1]:
            quad((x0, 0.0, z0), (x0, y1, z0), (x1, y1, z0), (x1, 0.0, z0))
        if k + 1 == len(zs) - 1 or not solid[i, k + 1]:
            quad((x0, 0.0, z1), (x1, 0.0, z1), (x1, y1, z1), (x0, y1, z1))
    return np.array(list(number)), np.array(cells)


def random_turns(rng: np.random.Generator, count: int) -> np.ndarray:
    """Rotations, evenly spread."""
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    return turn * np.sign(np.linalg.det(turn))[:, None, None]


def kit() -> Scene:
    """400 walls with windows and doors side by side and on top of each other; every tenth is 2 cm into its neighbor."""
    rng = np.random.default_rng(1)
    parts = [
        frame(2.0, 0.25, 3.0, (0.5, 1.5, 1.0, 2.2), 6),
        frame(2.0, 0.25, 3.0, (0.6, 1.4, 0.5, 2.5), 4),
        frame(2.0, 0.25, 3.0, (0.25, 1.75, 0.75, 2.75), 9),
    ]
    i, k = (grid.reshape(-1) for grid in np.meshgrid(np.arange(20), np.arange(20), indexing="ij"))
    place = np.stack([2.0 * i, 0.0 * i, 3.0 * k], axis=1)
    off = rng.permutation(400)[:40]
    place[off, 0] += 0.02
    return Scene(parts, rng.integers(0, 3, 400), place, np.tile(np.eye(3), (400, 1, 1)))


def mechanism() -> Scene:
    """44 housings, bearings, shafts and washers of 96 sides: fits of 10 micrometers to 0.1 mm, some too tight."""
    meshes, place = [], []
    for row in range(11):
        fit = np.geomspace(1e-5, 1e-4, 11)[row] * (-1.0 if row % 3 == 0 else 1.0)
        at = np.array([0.2 * row, 0.0, 0.0])
        for mesh in (
            tube(0.05, 0.08, -0.05, 0.05),
            tube(0.02, 0.05 - fit, -0.02, 0.02),
            rod(0.02 - fit, -0.12, 0.12),
            tube(0.0201, 0.04, 0.02, 0.024),
        ):
            meshes.append(mesh)
            place.append(at)
    return Scene(meshes, np.arange(44), np.array(place), np.tile(np.eye(3), (44, 1, 1)))


def rings() -> Scene:
    """60 rings of 1,728 triangles in a heap."""
    rng = np.random.default_rng(2)
    angle = 2.0 * np.pi * np.arange(18) / 18
    ring = swept(0.25 * np.stack([np.cos(angle), np.sin(angle)], axis=1), True, 48, radius=1.0)
    return Scene([ring], np.zeros(60, dtype=int), rng.uniform(-2.0, 2.0, (60, 3)), random_turns(rng, 60))


def props() -> Scene:
    """1,500 concave props, turned, in a heap."""
    rng = np.random.default_rng(3)
    parts = [tube(0.3, 0.5, -0.4, 0.4, 16), frame(1.0, 0.2, 1.0, (0.3, 0.7, 0.3, 0.7), 4)]
    points, triangles = icosphere(2)
    parts.append((0.5 * points * (1.0 + 0.3 * np.sin(5.0 * points[:, :1])), triangles))
    return Scene(parts, rng.integers(0, 3, 1500), rng.uniform(0.0, 10.0, (1500, 3)), random_turns(rng, 1500))


def on_terrain() -> Scene:
    """100 convex props on a terrain of 80,000 triangles, some sunk in and some above it."""
    rng = np.random.default_rng(4)
    points, triangles = icosphere(2)
    ground = terrain(200)
    place = rng.uniform(-1.9, 1.9, (100, 3))
    place[:, 2] = 0.1 * np.sin(5.0 * place[:, 0]) * np.cos(4.0 * place[:, 1]) + rng.uniform(0.0, 0.08, 100)
    place = np.concatenate([place, np.zeros((1, 3))])
    index = np.append(np.arange(100) % 2, 2)
    parts = [(0.05 * points, triangles), box((-0.04,) * 3, (0.04,) * 3), ground]
    return Scene(parts, index, place, np.concatenate([random_turns(rng, 100), np.eye(3)[None]]))


def bumpy(levels: int) -> Mesh:
    """A ball with bumps."""
    points, triangles = icosphere(levels)
    return points * (1.0 + 0.1 * np.sin(7.0 * points[:, :1]) * np.cos(5.0 * points[:, 1:2])), triangles


def two(mesh: Mesh, shift: float) -> Scene:
    """A mesh twice, of which the second is shifted."""
    place = shift * np.array([[0.0, 0.0, 0.0], [1.0, 0.2, 0.1]])
    return Scene([mesh], np.zeros(2, dtype=int), place, np.tile(np.eye(3), (2, 1, 1)))


def loose_cubes(rng: np.random.Generator, side: int) -> Mesh:
    """Turned cubes on a grid, as one mesh."""
    corners, triangles = box((-0.5,) * 3, (0.5,) * 3)
    place = 1.5 * np.argwhere(np.ones((side,) * 3)) + rng.uniform(-0.2, 0.2, (side**3, 3))
    points = np.einsum("nij,kj->nki", random_turns(rng, side**3), corners) + place[:, None]
    cells = triangles + 8 * np.arange(side**3)[:, None, None]
    return points.reshape(-1, 3), cells.reshape(-1, 3)


def loose_in_each_other() -> Scene:
    """Two meshes of 2,197 loose cubes each, in each other."""
    rng = np.random.default_rng(5)
    meshes = [loose_cubes(rng, 13) for _ in range(2)]
    return Scene(meshes, np.arange(2), np.zeros((2, 3)), np.tile(np.eye(3), (2, 1, 1)))


def sunk_in_terrain() -> Scene:
    """500 props sunk into a terrain of 500,000 triangles."""
    rng = np.random.default_rng(6)
    points, triangles = bumpy(2)
    place = rng.uniform(-1.9, 1.9, (500, 3))
    place[:, 2] = 0.1 * np.sin(5.0 * place[:, 0]) * np.cos(4.0 * place[:, 1]) + 0.02
    place, index = np.concatenate([place, np.zeros((1, 3))]), np.append(np.zeros(500, dtype=int), 1)
    return Scene([(0.03 * points, triangles), terrain(500)], index, place, np.tile(np.eye(3), (501, 1, 1)))


SCENES: dict[str, Callable[[], Scene]] = {
    "400 kit parts": kit,
    "44 parts of a mechanism": mechanism,
    "60 rings": rings,
    "1,500 concave props": props,
    "100 props on a terrain": on_terrain,
    "500 props in 500,000 cells": sunk_in_terrain,
    "a copy of 81,920 triangles": lambda: two(bumpy(6), 0.0),
    "the same, nudged": lambda: two(bumpy(6), 1e-3),
    "2 x 2,197 loose cubes": loose_in_each_other,
}
