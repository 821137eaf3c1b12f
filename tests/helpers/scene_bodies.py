# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies of the random scenes: convex shapes of random size, with everything that is known about each."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UP = np.array((0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Form:
    """A convex shape in its own frame: all points within `radius` of the hull of `core`.

    `normals` and `offsets` are the planes of a polytope, whose radius is 0; other forms have none.
    """

    kind: str  # "box", "sphere", "capsule" or "hull"
    core: Floats  # (k, 3)
    radius: float = 0.0
    normals: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    offsets: Floats = field(default_factory=lambda: np.zeros(0))
    centroids: Floats = field(default_factory=lambda: np.zeros((0, 3)))  # a point inside each face

    def reach(self, direction: Floats) -> float:
        """Return the extent of the form along a unit vector."""
        return float((self.core @ direction).max()) + self.radius

    def inner_radius(self) -> float:
        """Return the radius of a ball about the center of the core that is inside the form."""
        middle = self.core.mean(axis=0)
        return float((self.offsets - self.normals @ middle).min()) if len(self.offsets) else self.radius


@dataclass(frozen=True)
class Item:
    """One body of a scene: how to model it, and its placement.

    Points in the world are ``rotation @ (scale * vertices) + location``, whatever the parent is. `parent` is a frame of
    the same kind, by which the object's own transform is divided. `form` is the same shape in world units.
    """

    name: str
    form: Form
    vertices: Floats
    faces: tuple[tuple[int, ...], ...]
    scale: Floats
    said_by: str  # what defines its shape: "mesh", "name" (a collider's prefix) or "setting"
    rotation: Floats = field(default_factory=lambda: np.eye(3))
    location: Floats = field(default_factory=lambda: np.zeros(3))
    parent: tuple[Floats, Floats, Floats] | None = None  # rotation, scale, location
    inner_ball: float = 0.0  # radius of a second collider, a ball inside the first, about its center

    def core(self) -> Floats:
        """Return the form's core in the world."""
        return self.form.core @ self.rotation.T + self.location


def turn(axis: Floats, angle: float) -> Floats:
    """Return the rotation about a unit axis."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def unit(rng: np.random.Generator) -> Floats:
    """Return a random direction."""
    vector = rng.normal(size=3)
    return vector / np.linalg.norm(vector)


def random_rotation(rng: np.random.Generator) -> Floats:
    """Return a rotation. One in four consists of quarter turns only, where rounding is likely to cause errors."""
    if rng.random() < 0.25:
        return turn(np.eye(3)[rng.integers(3)], rng.integers(4) * np.pi / 2).round()
    return turn(unit(rng), rng.uniform(0.0, 2.0 * np.pi))


def rotation_between(start: Floats, end: Floats, spin: float) -> Floats:
    """Return a rotation that maps one unit vector to another, combined with a rotation about the second."""
    axis = np.cross(start, end)
    length = np.linalg.norm(axis)
    if length < 1e-12:
        side = np.cross(start, np.eye(3)[np.abs(start).argmin()])
        first = turn(side / np.linalg.norm(side), 0.0 if start @ end > 0.0 else np.pi)
    else:
        first = turn(axis / length, float(np.arctan2(length, start @ end)))
    return turn(end, spin) @ first


def round_mesh(rings: list[tuple[float, float]], segments: int = 16) -> tuple[Floats, tuple[tuple[int, ...], ...]]:
    """Return a mesh about the Z axis from the (radius, height) of its rings, between two poles of radius 0."""
    angles = 2.0 * np.pi * np.arange(segments) / segments
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros(segments)], axis=1)
    bottom, top = rings[0][1] * UP, rings[-1][1] * UP
    layers = [radius * circle + height * UP for radius, height in rings[1:-1]]
    vertices = np.concatenate([bottom[None], *layers, top[None]])
    faces: list[tuple[int, ...]] = []
    last = 1 + segments * (len(layers) - 1)
    for i in range(segments):
        k = (i + 1) % segments
        faces.append((0, 1 + k, 1 + i))
        faces.append((last + i, last + k, len(vertices) - 1))
        for start in range(1, last, segments):
            faces.append((start + i, start + k, start + segments + k, start + segments + i))
    return vertices, tuple(faces)


def ball_mesh() -> tuple[Floats, tuple[tuple[int, ...], ...]]:
    """Return a mesh of a ball of radius 1."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, 9)
    return round_mesh(list(zip(np.cos(angles), np.sin(angles), strict=True)))


def box(name: str, rng: np.random.Generator, size: float) -> Item:
    """Return a box: a cube with side 2 and a separate scale for each axis, sometimes mirrored."""
    half = size * rng.uniform(0.25, 0.65, 3)
    signs = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    normals = np.concatenate([-np.eye(3), np.eye(3)])
    form = Form("box", signs * half, 0.0, normals, np.tile(half, 2), normals * half)
    mirrored = np.where(rng.random(3) < 0.15, -1.0, 1.0)
    return Item(name, form, signs, faces, half * mirrored, str(rng.choice(["mesh", "name", "setting"])))


def ball(name: str, rng: np.random.Generator, size: float) -> Item:
    """Return a ball, uniformly scaled."""
    radius = size * rng.uniform(0.3, 0.9)
    vertices, faces = ball_mesh()
    form = Form("sphere", np.zeros((1, 3)), radius)
    return Item(name, form, vertices, faces, np.full(3, radius), str(rng.choice(["name", "setting"])))


def capsule(name: str, rng: np.random.Generator, size: float) -> Item:
    """Return a capsule along its Z axis, uniformly scaled."""
    radius, half = size * rng.uniform(0.15, 0.4), size * rng.uniform(0.25, 0.55)
    angles = np.linspace(0.0, np.pi / 2, 5)
    upper = [(np.cos(angle), half / radius + np.sin(angle)) for angle in angles]
    vertices, faces = round_mesh([(r, -z) for r, z in upper[::-1]] + upper)
    form = Form("capsule", np.array([-half * UP, half * UP]), radius)
    return Item(name, form, vertices, faces, np.full(3, radius), str(rng.choice(["name", "setting"])))


def hull(name: str, rng: np.random.Generator, size: float) -> Item:
    """Return a convex mesh of 6 to 12 corners on an ellipsoid, with a separate scale for each axis."""
    while True:
        count = int(rng.integers(6, 13))
        points = np.array([unit(rng) for _ in range(count)]).astype(np.float32).astype(np.float64)
        scale = size * rng.uniform(0.4, 1.0, 3)
        faces, normals, offsets = triangles_around(points * scale)
        centroids = (points * scale)[np.array(faces)].mean(axis=1)
        form = Form("hull", points * scale, 0.0, normals, offsets, centroids)
        if form.inner_radius() > 0.15 * size:  # no slivers, which have no room for an inner ball
            break
    return Item(name, form, points, faces, scale, str(rng.choice(["mesh", "name", "setting"])))


def triangles_around(points: Floats) -> tuple[tuple[tuple[int, ...], ...], Floats, Floats]:
    """Return the triangles with all other points behind them, and their planes, by trying all of them."""
    count = len(points)
    i, j, k = np.array([(i, j, k) for i in range(count) for j in range(i) for k in range(j)]).T
    normals = np.cross(points[j] - points[i], points[k] - points[i])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    heights = (points[None] - points[i][:, None]) @ normals[:, :, None]
    above, below = (heights[..., 0] > 1e-9).any(axis=1), (heights[..., 0] < -1e-9).any(axis=1)
    outside, flipped = ~above | ~below, above & ~below
    corners = np.where(flipped[:, None], np.stack([i, k, j], axis=1), np.stack([i, j, k], axis=1))[outside]
    normals = np.where(flipped[:, None], -normals, normals)[outside]
    offsets = (normals * points[corners[:, 0]]).sum(axis=1)
    return tuple(tuple(int(corner) for corner in face) for face in corners), normals, offsets


MAKERS: dict[str, Callable[[str, np.random.Generator, float], Item]] = {
    "box": box,
    "sphere": ball,
    "capsule": capsule,
    "hull": hull,
}
