# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a mesh is convex: true of any boundary of a convex body however cut up, and of nothing else."""

import numpy as np
import pytest

from collision_kit.core.convexity import is_convex, solidity
from collision_kit.core.hull import convex_hull

CUBE = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
BOX = np.array([t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))])


def rotation(seed: int) -> np.ndarray:
    matrix, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return matrix


def hull_mesh(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The hull of a point cloud as a triangle mesh of its own vertices."""
    hull = convex_hull(points)
    fans = [(face[0], face[i], face[i + 1]) for face in hull.faces for i in range(1, len(face) - 1)]
    number = np.full(len(points), -1)
    number[hull.vertices] = np.arange(len(hull.vertices))
    return points[hull.vertices], number[np.array(fans)]


def subdivided(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each triangle in four, sharing no vertex with its neighbours."""
    a, b, c = points[triangles].transpose(1, 0, 2)
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    corners = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))])
    return corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3)


def convex_meshes():
    yield "box", CUBE, BOX
    yield "flat box", CUBE * (1.0, 1.0, 1e-4), BOX
    yield "needle", CUBE * (1.0, 1e-3, 1e-3), BOX
    for seed in range(6):
        cloud = np.random.default_rng(seed).normal(size=(10 * 4**seed // 8 + 5, 3))
        if seed % 2:
            cloud /= np.linalg.norm(cloud, axis=1, keepdims=True)
        yield f"hull {seed}", *hull_mesh(cloud)
    # A vertex on an edge that only one of its faces knows of, and the sliver that makes up for it.
    others = BOX[~np.isin(BOX, [0, 1, 5]).all(axis=1)]
    sliver = [(0, 5, 8), (8, 5, 1), (0, 8, 1)]
    yield (
        "sliver along an edge",
        np.concatenate([CUBE, [(-1.0, -1.0, 0.3)]]),
        np.concatenate([others, sliver]),
    )
    yield "every face twice", CUBE, np.concatenate([BOX, BOX[:, ::-1]])
    yield "subdivided box", *subdivided(*subdivided(CUBE, BOX))
    # Slivers of bevels: their planes are mostly rounding.
    for width in (1e-3, 1e-4, 1e-5):
        wide = np.eye(3) * width + 1.0
        yield f"bevel of {width}", *hull_mesh(np.concatenate([CUBE * row for row in wide]))


@pytest.mark.parametrize(("name", "points", "triangles"), [*convex_meshes()])
def test_boundaries_of_convex_bodies(name: str, points: np.ndarray, triangles: np.ndarray) -> None:
    generator = np.random.default_rng(1)
    for seed in range(3):
        turned = points @ rotation(seed).T * 10.0**seed + 100.0 * generator.normal(size=3) * seed
        turned = turned.astype(np.float32)
        flipped = np.where(generator.random(len(triangles))[:, None] < 0.5, triangles, triangles[:, ::-1])
        assert is_convex(turned, triangles)
        assert is_convex(turned, flipped), "which way faces are wound plays no part"


def moved(vertex: int, to: np.ndarray) -> np.ndarray:
    points, _ = subdivided(CUBE, BOX)
    return np.where((points == points[vertex]).all(axis=1)[:, None], to, points)


def torus() -> tuple[np.ndarray, np.ndarray]:
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


def star() -> tuple[np.ndarray, np.ndarray]:
    """A double cone over a pentagram: every edge folds outward, but the surface goes around twice."""
    angle = 4.0 * np.pi * np.arange(5) / 5.0
    rim = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    points = np.concatenate([rim, [(0, 0, 1), (0, 0, -1)]])
    i = np.arange(5)
    up = np.stack([i, (i + 1) % 5, np.full(5, 5)], axis=1)
    return points, np.concatenate([up, np.where(up == 5, 6, up)[:, ::-1]])


def dented_grid() -> tuple[np.ndarray, np.ndarray]:
    """A box whose fine lid sags: at each edge by less than rounding, all in all by far more."""
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


def meshes_that_are_not_convex():
    points, triangles = subdivided(CUBE, BOX)
    yield "open box", CUBE, BOX[:-1]
    yield "dented", moved(1, points[1] * 0.99), triangles
    yield "two boxes", np.concatenate([CUBE, CUBE + 3.0]), np.concatenate([BOX, BOX + 8])
    yield "a box in a box", np.concatenate([CUBE, CUBE * 0.5]), np.concatenate([BOX, BOX + 8])
    wall = np.array([(0, 1, 7), (0, 7, 6)])
    # Through the middle, so that it adds no volume; its back cut up otherwise, so that it is no repetition.
    two_sided = np.concatenate([wall, [(0, 1, 6), (1, 7, 6)]])
    yield "a box with a two-sided wall inside", CUBE, np.concatenate([BOX, two_sided])
    yield "a box with a wall inside", CUBE, np.concatenate([BOX, wall])
    yield "torus", *torus()
    yield "star", *star()
    yield "sagging lid", *dented_grid()
    yield "loose vertex", np.concatenate([CUBE, [(0.0, 0.0, 2.0)]]), BOX
    yield "no faces", CUBE, np.empty((0, 3), np.int64)
    yield "half of it twice", CUBE, np.concatenate([BOX[:6], BOX[:6, ::-1]])


@pytest.mark.parametrize(("name", "points", "triangles"), [*meshes_that_are_not_convex()])
def test_everything_else_is_not_convex(name: str, points: np.ndarray, triangles: np.ndarray) -> None:
    for seed in range(2):
        assert not is_convex((points @ rotation(seed).T).astype(np.float32), triangles)


def test_the_depth_of_a_dent_that_counts_goes_with_the_size_and_the_distance_from_the_origin() -> None:
    points, triangles = subdivided(CUBE, BOX)

    def with_dent(depth: float) -> np.ndarray:
        middle = np.flatnonzero(np.isclose(np.abs(points), 1.0).sum(axis=1) == 1)[0]  # inside a face, not at an edge
        return moved(int(middle), points[middle] * np.where(np.abs(points[middle]) == 1.0, 1.0 - depth, 1.0))

    for scale in (1e-3, 1.0, 1e3):
        assert is_convex(np.float32(with_dent(1e-7) * scale), triangles)
        assert not is_convex(np.float32(with_dent(1e-4) * scale), triangles)
        assert not is_convex(with_dent(1e-7) * scale, triangles), "float64 carries no such rounding"
    assert is_convex(np.float32(with_dent(1e-4) + 1e4), triangles)


def test_flat_meshes_are_convex_if_they_fill_a_convex_polygon() -> None:
    square = np.array([(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (1, 1, 0)], dtype=float)
    fan = np.array([(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])
    for seed in range(3):
        turned = np.float32(square @ rotation(seed).T)
        assert is_convex(turned, fan)
        assert is_convex(turned, np.concatenate([fan, fan[:, ::-1]]))
        assert is_convex(turned, np.concatenate([fan, [(0, 2, 1), (0, 3, 2)]])), "two-sided"
        assert is_convex(turned, [(0, 1, 2), (0, 2, 3)])
        assert not is_convex(turned, fan[:-1])
        assert not is_convex(turned, [(0, 1, 4)])


def test_the_enclosed_volume_is_that_of_the_mesh_not_of_its_hull() -> None:
    points, triangles = torus()
    for shift in (0.0, 1e6):
        found = solidity(convex_hull(points + shift), triangles)
        assert found.closed and not found.convex
        # A torus of 16 by 16 flat pieces, by Pappus for its 16-gon section turned in 16 straight steps.
        section = 8.0 * np.sin(np.pi / 8)
        assert found.volume == pytest.approx(section * 2.0 * 16 * np.sin(np.pi / 8), rel=2e-2)
    assert np.isnan(solidity(convex_hull(CUBE), BOX[:-1]).volume)
    assert solidity(convex_hull(CUBE), BOX).volume == pytest.approx(8.0)


def test_seams_are_closed_where_they_are_off_by_rounding_alone() -> None:
    points, triangles = subdivided(CUBE, BOX)
    noise = np.random.default_rng(0).uniform(-1e-7, 1e-7, size=points.shape)
    assert is_convex(np.float32(points + noise), triangles)
    assert not is_convex(np.float32(points + 1e3 * noise), triangles)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_points_and_segments(count: int) -> None:
    points = np.arange(count)[:, None] * np.array([[1.0, 2.0, 3.0]])
    assert is_convex(points, np.empty((0, 3), np.int64))
    assert is_convex(points, np.zeros((1, 3), np.int64))
