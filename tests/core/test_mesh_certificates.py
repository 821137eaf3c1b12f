# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths, contacts and separating translations of concave meshes, checked by points and, if installed, manifold3d."""

import importlib.util

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo
from tests.helpers.offline import slow_rows

TINY = 1e-9


def potato(rng):
    """A ball with dents, over a grid of angles."""
    count, rows = rng.integers(8, 20), rng.integers(5, 12)
    around, down = np.arange(count) * (2.0 * np.pi / count), (np.arange(rows) + 0.5) * (np.pi / rows)
    grid = [[np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)] for v in down for u in around]
    way = np.array([*grid, [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    waves = np.sin(3.0 * way @ rng.normal(size=(3, 4)) + rng.uniform(0.0, 6.0, 4)).sum(axis=1)
    points = way * np.maximum(1.0 + 0.125 * waves, 0.2)[:, None] * rng.uniform(0.4, 1.2, 3)
    faces = []
    for i in range(count):
        j = (i + 1) % count
        for row in range(rows - 1):
            a, b, c, d = (count * (row + k) + m for k in (0, 1) for m in (i, j))
            faces += [(a, c, b), (b, c, d)]
        last = count * (rows - 1)
        faces += [(count * rows, i, j), (count * rows + 1, last + j, last + i)]
    return points, np.array(faces)


def star(rng):
    """A prism over an outline that is seen from its middle."""
    count = rng.integers(5, 14)
    angle = (np.arange(count) + rng.uniform(0.1, 0.9, count)) * (2.0 * np.pi / count)
    outline = np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.3, 1.3, count)[:, None]
    high = rng.uniform(0.2, 1.5)
    points = np.array([[*corner, z] for z in (-high, high) for corner in outline] + [[0, 0, -high], [0, 0, high]])
    faces = []
    for i in range(count):
        j = (i + 1) % count
        faces += [
            (i, j, count + j),
            (i, count + j, count + i),
            (2 * count, j, i),
            (2 * count + 1, count + i, count + j),
        ]
    return points, np.array(faces)


def overlapping(rng, count):
    """Pairs that overlap: their points and faces, all in the world."""
    while count:
        one, other = ((potato, star)[k](rng) for k in rng.integers(2, size=2))
        placed = other[0] @ zoo.rotations(rng, 1)[0].T + 0.7 * rng.normal(size=3)
        pair = one, (placed, other[1])
        if ck.interference(*(ck.Meshes.from_triangles([each]) for each in pair))[0] > TINY:
            count -= 1
            yield pair


def common_volume(one, other):
    """The volume of the intersection, by manifold3d."""
    if importlib.util.find_spec("manifold3d") is None:
        return 0.0
    import manifold3d

    meshes = (manifold3d.Mesh64(points, faces.astype(np.uint64)) for points, faces in (one, other))
    a, b = (manifold3d.Manifold(mesh) for mesh in meshes)
    return (a ^ b).volume()


@pytest.mark.parametrize(("seed", "count"), [(0, 10), *slow_rows(*((seed, 100) for seed in range(1, 6)))])
def test_depth_contacts_and_separating_translation_of_concave_meshes(seed, count):
    rng = np.random.default_rng([61, seed])
    for one, other in overlapping(rng, count):
        a, b = (ck.Meshes.from_triangles([each]) for each in (one, other))
        depth, touch, found = ck.interference(a, b)[0], ck.contacts(a, b), ck.distance(a, b)
        # The deepest contact is as deep, and every contact joins the two surfaces.
        assert touch.depth[0] == pytest.approx(depth, rel=2e-3)
        ends = [touch.point + sign * (touch.depth / 2.0)[:, None] * touch.normal for sign in (-1.0, 1.0)]
        assert (
            np.abs(ck.signed_distance(a, ends[1])).max() <= TINY
            and np.abs(ck.signed_distance(b, ends[0])).max() <= TINY
        )
        # No vertex is deeper, and the separating translation is not shorter.
        assert max(-ck.signed_distance(b, one[0]).min(), -ck.signed_distance(a, other[0]).min()) <= depth * 1.002
        assert depth <= -found.distance[0] + TINY
        freed = other[0] - found.distance[0] * found.normal[0], other[1]
        assert ck.interference(a, ck.Meshes.from_triangles([freed]))[0] <= TINY
        assert common_volume(one, other) > 0.0 or importlib.util.find_spec("manifold3d") is None
        assert common_volume(one, freed) <= 1e-6
