# SPDX-License-Identifier: GPL-3.0-or-later
"""Planar shapes of every kind, with convex parts that are computed independently of the code under test."""

import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from collision_kit.core import planar

KINDS = ("circle", "aabb", "rectangle", "polygon", "region")
SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])

# Concave outlines with their holes, and convex parts that cover them.
LETTERS: list[tuple[list, list, list]] = [
    (  # L
        [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)],
        [],
        [[(0, 0), (4, 0), (4, 1), (0, 1)], [(0, 0), (1, 0), (1, 3), (0, 3)]],
    ),
    (  # U
        [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)],
        [],
        [
            [(0, 0), (3, 0), (3, 1), (0, 1)],
            [(0, 0), (1, 0), (1, 3), (0, 3)],
            [(2, 0), (3, 0), (3, 3), (2, 3)],
        ],
    ),
    (  # a frame around a hole
        [(0, 0), (4, 0), (4, 4), (0, 4)],
        [[(1, 1), (3, 1), (3, 3), (1, 3)]],
        [
            [(0, 0), (4, 0), (4, 1), (0, 1)],
            [(0, 3), (4, 3), (4, 4), (0, 4)],
            [(0, 0), (1, 0), (1, 4), (0, 4)],
            [(3, 0), (4, 0), (4, 4), (3, 4)],
        ],
    ),
    (  # an arrow, with a corner on a straight side
        [(0, 0), (2, 1), (4, 2), (0, 4), (1, 2)],
        [],
        [[(0, 0), (4, 2), (1, 2)], [(1, 2), (4, 2), (0, 4)]],
    ),
]


@dataclass(frozen=True)
class Bodies:
    """Rows of one kind: local outlines, holes and convex parts, and their placements."""

    kind: str
    local: list[tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]]
    radius: np.ndarray
    translation: np.ndarray
    angle: np.ndarray

    def __len__(self) -> int:
        return len(self.local)

    def batch(self) -> Any:
        """The batch under test."""
        outlines = [outline for outline, _, _ in self.local]
        if self.kind == "circle":
            return planar.Circles(self.translation, self.radius)
        if self.kind == "aabb" and not self.angle.any():
            low, high = (np.array([side(outline, axis=0) for outline in outlines]) for side in (np.min, np.max))
            return planar.AABBs(low + self.translation, high + self.translation)
        if self.kind in ("aabb", "rectangle"):
            half = np.array([outline.max(axis=0) for outline in outlines])
            return planar.Rectangles(self.translation, half, self.angle)
        if self.kind == "polygon":
            return planar.Polygons(outlines, self.translation, self.angle)
        return planar.Regions([part[:2] for part in self.local], self.translation, self.angle)

    def placed(self, angle: float = 0.0, scale: float = 1.0, shift: Any = 0.0) -> "Bodies":
        """All rows rotated about the origin, scaled, and translated."""
        turn = rotation(angle)
        local = [
            (scale * outline, [scale * hole for hole in holes], [scale * part for part in parts])
            for outline, holes, parts in self.local
        ]
        place = scale * self.translation @ turn.T + shift
        return replace(self, local=local, radius=scale * self.radius, translation=place, angle=self.angle + angle)

    def take(self, rows: Any) -> "Bodies":
        local = [self.local[row] for row in rows]
        return Bodies(self.kind, local, self.radius[rows], self.translation[rows], self.angle[rows])

    def parts(self, row: int) -> list[np.ndarray]:
        """The convex parts of a row in the world, without its radius."""
        turn = rotation(self.angle[row])
        return [part @ turn.T + self.translation[row] for part in self.local[row][2]]

    def support(self, row: int, direction: np.ndarray) -> float:
        """The extent of a row along a direction."""
        return max((part @ direction).max() for part in self.parts(row)) + self.radius[row]


def rotation(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def convex(outline: Any) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """A convex outline, and its part, which contains each corner once."""
    points = np.asarray(outline, dtype=float)
    first = np.sort(np.unique(points, axis=0, return_index=True)[1])
    return points, [], [points[first]]


def generic(kind: str, rng: np.random.Generator, count: int) -> Bodies:
    """Shapes of about unit size; about half of their pairs overlap."""
    place, angle = rng.uniform(-1.0, 1.0, (count, 2)), rng.uniform(0.0, 7.0, count)
    radius = np.zeros(count)
    if kind == "circle":
        radius, local = rng.uniform(0.1, 0.9, count), [convex([[0, 0]])] * count
    elif kind in ("aabb", "rectangle"):
        local = [convex(SQUARE * half) for half in rng.uniform(0.1, 0.9, (count, 2))]
        angle = angle if kind == "rectangle" else np.zeros(count)
    elif kind == "polygon":
        local = []
        for _ in range(count):
            turn = np.sort(rng.uniform(0.0, 2.0 * np.pi, rng.integers(3, 14)))
            outline = np.stack([np.cos(turn), np.sin(turn)], axis=1) * rng.uniform(0.2, 0.9, 2)
            local.append(convex(outline[:: rng.choice([-1, 1])]))
    else:
        local = [letter(LETTERS[rng.integers(len(LETTERS))], rng.normal(size=(2, 2)) * 0.4) for _ in range(count)]
    return Bodies(kind, local, radius, place, angle)


def degenerate(kind: str, rng: np.random.Generator, count: int) -> Bodies:
    """Shapes on a small lattice: touching, parallel, concentric, flat, contained, or without any extent."""
    place = rng.integers(-2, 3, (count, 2)) / 2.0
    angle, radius = rng.integers(-3, 5, count) * (np.pi / 2.0), np.zeros(count)
    if kind == "circle":
        radius, local = rng.integers(0, 3, count) / 2.0, [convex([[0, 0]])] * count
    elif kind in ("aabb", "rectangle"):
        local = [convex(SQUARE * half) for half in rng.integers(0, 3, (count, 2)) / 2.0]
        angle = angle if kind == "rectangle" else np.zeros(count)
    elif kind == "polygon":
        local = [convex(lattice_outline(rng)) for _ in range(count)]
    else:
        flips = np.array([[[0.5, 0], [0, 0.5]], [[0, 0.5], [0.5, 0]], [[-0.5, 0], [0, 0.5]]])
        local = [letter(LETTERS[rng.integers(len(LETTERS))], flips[rng.integers(3)]) for _ in range(count)]
    return Bodies(kind, local, radius, place, angle)


def letter(shape: tuple[list, list, list], linear: np.ndarray) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """A letter relative to its center, under a linear map, which may mirror it."""
    middle = np.mean(shape[0], axis=0).round()
    outline, holes, parts = shape

    def mapped(points: list) -> np.ndarray:
        return (np.asarray(points, dtype=float) - middle) @ linear.T

    return mapped(outline), [mapped(hole) for hole in holes], [mapped(part) for part in parts]


def lattice_outline(rng: np.random.Generator) -> np.ndarray:
    """A convex outline with repeated corners and corners on straight sides, sometimes a segment or a point."""
    points = rng.integers(-1, 2, (rng.integers(1, 7), 2)) / 2.0
    hull = planar.convex_hull(points)
    ring = points[hull.outline]
    if hull.dimension == 2:
        ring = np.concatenate(
            [np.stack([p, (p + q) / 2.0, q]) for p, q in zip(ring, np.roll(ring, -1, 0), strict=True)]
        )
    ring = np.roll(np.repeat(ring, rng.integers(1, 3, len(ring)), axis=0), rng.integers(len(ring)), axis=0)
    return ring[:: rng.choice([-1, 1])]


MAKERS = {"generic": generic, "degenerate": degenerate}


def signed_distance(a: Bodies, b: Bodies, row: int) -> float:
    """The signed distance of two convex bodies, or of separated bodies, over all pairs of their parts."""
    pairs = itertools.product(a.parts(row), b.parts(row))
    return min(of_origin((q[None] - p[:, None]).reshape(-1, 2)) for p, q in pairs) - a.radius[row] - b.radius[row]


def of_origin(points: np.ndarray) -> float:
    """Distance of the origin from the hull of points, negative inside, from the segments between all pairs of points.

    Inside, it is the largest gap along the normals of all segments, which include those of the hull's sides.
    """
    i, j = np.triu_indices(len(points), 1)
    p, along = points[i], points[j] - points[i]
    square = (along * along).sum(axis=1)
    long = square > 1e-24
    unit = along[long] / np.sqrt(square[long])[:, None]
    normal = np.concatenate([np.stack([unit[:, 1], -unit[:, 0]], axis=1), unit])  # along segments: collinear points
    height = points @ normal.T
    gaps = np.concatenate([height.min(axis=0), -height.max(axis=0)])  # in both directions of each normal
    if len(gaps) and gaps.max() <= 0.0:
        return float(gaps.max())
    t = np.clip(-(p[long] * along[long]).sum(axis=1) / square[long], 0.0, 1.0)
    feet = p[long] + t[:, None] * along[long]
    return float(np.hypot(*np.concatenate([points, feet]).T).min())
