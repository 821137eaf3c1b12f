# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave parts on a grid, as in a building kit: neighbors touch by their faces, exactly or up to the noise of float32.

Such pairs are most of a scene, so they must be decided without a search.
"""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.mesh import bounded_mesh
from tests.helpers import zoo
from tests.helpers.mesh_zoo import bracket

TOUCHING = 1e-6


def grid(dtype, world):
    """Brackets in their own cells of a grid of 3 x 3 x 2, turned by right angles about Z in the given precision."""
    rng = np.random.default_rng(4)
    corners, triangles = bracket()
    corners = np.asarray(corners, dtype=float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = (high - low).max()
    corners = (corners - (low + high) / 2.0) / (high - low)
    cells = np.stack(np.meshgrid(range(3), range(3), range(2), indexing="ij"), axis=-1).reshape(-1, 3).astype(float)
    angle = (np.pi / 2.0 * rng.integers(4, size=len(cells))).astype(dtype)
    cosine, sine, zero = np.cos(angle), np.sin(angle), np.zeros(len(cells))
    turn = np.array([[cosine, -sine, zero], [sine, cosine, zero], [zero, zero, zero + 1.0]]).transpose(2, 0, 1)
    made = ck.Meshes.from_triangles([(corners * size, triangles)])
    return ck.Meshes(made.geometry, np.zeros(len(cells), dtype=int), size * cells @ world.T, world @ turn.astype(float))


def neighbors(parts):
    """Pairs whose bounds touch."""
    lower, upper = parts.bounds()
    return ck.sweep_and_prune(lower - TOUCHING, upper + TOUCHING)


@pytest.mark.parametrize("world", [np.eye(3), zoo.rotations(np.random.default_rng(2), 1)[0]], ids=["aligned", "turned"])
def test_parts_that_touch_by_their_extents_are_decided_without_a_search(monkeypatch, world):
    parts = grid(np.float64, world)
    pairs = neighbors(parts)
    touching = pairs[ck.overlap(parts, parts, pairs)]
    assert len(touching) > 40
    monkeypatch.setattr(bounded_mesh, "separating_translation", None)
    found = ck.distance(parts, parts, touching)
    assert (np.abs(found.distance) <= found.rounding).all()
    made = ck.contacts(parts, parts, touching)
    assert set(made.pair) == set(range(len(touching)))
    assert (np.abs(made.depth) <= found.rounding[made.pair]).all()


def test_parts_in_each_other_by_the_noise_of_float32_are_separated():
    parts = grid(np.float32, np.eye(3))
    pairs = neighbors(parts)
    found = ck.distance(parts, parts, pairs)
    noisy = np.flatnonzero(found.distance < -found.rounding)
    assert len(noisy) > 5 and found.distance.min() > -TOUCHING
    freed = parts.take(pairs[noisy, 1])
    freed = ck.Meshes(
        freed.geometry,
        freed.index,
        freed.translation - found.distance[noisy, None] * found.normal[noisy],
        freed.rotation,
    )
    again = ck.distance(parts.take(pairs[noisy, 0]), freed)
    assert (again.distance >= -again.rounding).all()
