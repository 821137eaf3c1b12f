# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a mesh is convex: true of any boundary of a convex body however cut up, and of nothing else."""

import numpy as np
import pytest

from collision_kit.core.convexity import is_convex, report, solidities, solidity
from collision_kit.core.hull import convex_hull
from tests.helpers.triangle_meshes import (
    BOX,
    CUBE,
    convex_meshes,
    meshes_that_are_not_convex,
    moved,
    rotation,
    subdivided,
    torus,
)


@pytest.mark.parametrize(("name", "points", "triangles"), [*convex_meshes()])
def test_boundaries_of_convex_bodies(name: str, points: np.ndarray, triangles: np.ndarray) -> None:
    generator = np.random.default_rng(1)
    for seed in range(3):
        turned = points @ rotation(seed).T * 10.0**seed + 100.0 * generator.normal(size=3) * seed
        turned = turned.astype(np.float32)
        flipped = np.where(generator.random(len(triangles))[:, None] < 0.5, triangles, triangles[:, ::-1])
        assert is_convex(turned, triangles)
        assert is_convex(turned, flipped), "which way faces are wound plays no part"


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


def test_the_hull_of_what_folds_inward_is_not_looked_for() -> None:
    points, triangles = torus()
    for middle in (0.0, 1e4):
        ring = convex_hull(points + middle)
        compared = solidity(ring, triangles)
        assert not compared.convex and compared.closed and "faces" not in vars(ring)
    cube = convex_hull(CUBE)
    assert solidity(cube, BOX).convex and "faces" in vars(cube)


def bumpy(rows: int, bump: float) -> tuple[np.ndarray, np.ndarray]:
    """A sphere of 4 rows² triangles, with one bump of this height as wide as an eighth of it."""
    up, around = np.arange(1, rows) * np.pi / rows, np.arange(2 * rows) * np.pi / rows
    u, v = (angle.ravel() for angle in np.meshgrid(up, around, indexing="ij"))
    points = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=1)
    points *= 1.0 + bump * np.exp(-((points[:, :1] - 1.0) ** 2 + points[:, 1:2] ** 2 + points[:, 2:] ** 2) / 0.05)
    at = np.arange(len(points)).reshape(rows - 1, -1)
    quads = np.stack([at[:-1], at[1:], np.roll(at, -1, 1)[1:], np.roll(at, -1, 1)[:-1]], axis=-1).reshape(-1, 4)
    top, bottom = len(points), len(points) + 1
    ends = [np.stack([np.full(2 * rows, top), at[0], np.roll(at[0], -1)], axis=1)]
    ends += [np.stack([np.full(2 * rows, bottom), np.roll(at[-1], -1), at[-1]], axis=1)]
    points = np.concatenate([points, [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]])
    return points, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]], *ends])


def test_some_triangles_of_a_large_mesh_that_folds_inward_tell_that_it_is_not_convex(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = 64
    assert len(bumpy(rows, 0.0)[1]) >= report._LARGE
    for seed, shift in enumerate((0.0, 1e2)):
        meshes = [bumpy(rows, height) for height in (0.0, 0.5)]
        meshes.append((meshes[0][0] * (1.0, 1.0, 0.0), meshes[0][1]))
        points = [np.float32(points @ rotation(seed).T + shift) for points, _ in meshes]
        triangles = [triangles for _, triangles in meshes]
        hulls = [convex_hull(one) for one in points]
        assert [report._certainly_folds(*one) for one in zip(hulls, triangles, strict=True)] == [False, True, False]
        some = solidities(hulls, triangles)
        with monkeypatch.context() as patched:
            patched.setattr(report, "_LARGE", 1 << 60)
            every = solidities(hulls, triangles)
        assert [one.convex for one in some] == [one.convex for one in every]
        assert [one.closed for one in some] == [one.closed for one in every]
        assert [one.volume for one in some] == [one.volume for one in every]
        # A strip cut out leaves it open, which is known only if it is asked for.
        assert not solidity(hulls[1], triangles[1][:-9]).closed


def test_any_small_part_of_a_convex_mesh_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "_LARGE", 1)
    monkeypatch.setattr(report, "_RUN", 4)
    for seed, (_, points, triangles) in enumerate(convex_meshes()):
        for scale in (1.0, (1.0, 1.0, 1e-4)):
            turned = np.float32(points * scale @ rotation(seed).T)
            order = np.random.default_rng(seed).permutation(len(triangles))
            if len(order) >= 4:
                assert not report._certainly_folds(convex_hull(turned), triangles[order])
