# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex pieces between cuts contain the mesh, do not overlap, and are the boxes that it was put together from."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from collision_kit.core import fit
from tests.helpers import fit_sets
from tests.helpers.offline import slow
from tests.helpers.triangle_meshes import torus

CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])


def prism(outline, height):
    """A solid over an outline that is counterclockwise, and can be fanned from its first corner or has no caps."""
    count = len(outline)
    points = np.concatenate([np.column_stack([outline, np.full(count, z)]) for z in (0.0, height)])
    sides = [t for i in range(count) for j in [(i + 1) % count] for t in ((i, j, j + count), (i, j + count, i + count))]
    floor = [(0, j + 1, j) for j in range(1, count - 1)]
    return points, np.array([*sides, *floor, *((a + count, c + count, b + count) for a, b, c in floor)])


def staircase(source, count):
    """Steps of random depths and heights, which a fan around the lowest corner covers, and the volume."""
    depths, heights = source.uniform(0.5, 1.5, (2, count))
    x, y = np.cumsum(depths), np.cumsum(heights)[::-1]
    outline = [(0.0, 0.0), (x[-1], 0.0)]
    for number in range(count - 1, -1, -1):
        outline += [(x[number], y[number]), (x[number - 1] if number else 0.0, y[number])]
    return (*prism(np.array(outline), 2.0), 2.0 * float(depths @ y))


def shell(source):
    """A closed room: a box in a box, the inner one facing inward, and its volume."""
    box = CORNERS[:, ::-1][np.lexsort(CORNERS[:, ::-1].T)]
    triangles = outward(box)
    size, wall = source.uniform(3.0, 6.0, 3), source.uniform(0.2, 0.6, (2, 3))
    inner = box * (size - wall.sum(axis=0)) + wall[0]
    volume = float(np.prod(size) - np.prod(size - wall.sum(axis=0)))
    return np.concatenate([box * size, inner]), np.concatenate([triangles, triangles[:, ::-1] + 8]), volume


def outward(points):
    """The triangles of the hull of points, counterclockwise as seen from outside."""
    hull = ConvexHull(points)
    corner = points[hull.simplices]
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    turned = (across * hull.equations[:, :3]).sum(axis=1) < 0.0
    return np.where(turned[:, None], hull.simplices[:, ::-1], hull.simplices).astype(np.int64)


def dented(source):
    """A ball of random radii: bumps and hollows everywhere."""
    points = source.normal(size=(60, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    triangles = outward(points)
    return points * source.uniform(0.5, 1.5, (len(points), 1)), triangles


def soup(source):
    """Triangles that belong to nothing, and some without area."""
    points = source.integers(0, 4, (30, 3)).astype(np.float64)
    return points, source.integers(0, len(points), (40, 3))


def planes(piece):
    """Qhull's planes of a piece."""
    return ConvexHull(piece.points[piece.vertices], qhull_options="QJ Pp").equations


def above(points, piece):
    found = planes(piece)
    return (points @ found[:, :3].T + found[:, 3]).max(axis=1)


def on_surface(points, triangles, source, count=2000):
    corner = points[triangles]
    row = source.integers(0, len(corner), count)
    return (corner[row] * source.dirichlet(np.ones(3), count)[:, :, None]).sum(axis=1)


@pytest.mark.parametrize("seed", [0, 3, *slow(1, 2)])
@pytest.mark.parametrize(("shape", "count"), [("stairs", 2), ("stairs", 4), ("stairs", 7), ("room", 6)])
def test_solids_of_boxes_become_these_boxes(shape, count, seed):
    source = np.random.default_rng([seed, count])
    points, triangles, volume = staircase(source, count) if shape == "stairs" else shell(source)
    turn, place = fit_sets.rotation(source), source.normal(size=3) * 50.0
    points = points @ turn.T * 10.0 ** (seed - 2) + place * (seed % 2)
    volume *= 1000.0 ** (seed - 2)
    found = fit.convex_pieces(points, triangles, 12, gap=0.0)
    assert len(found) == count
    assert sum(piece.volume for piece in found) == pytest.approx(volume, rel=1e-5)
    assert all(len(piece.vertices) == 8 and len(piece.faces) == 6 for piece in found)


@pytest.mark.parametrize("seed", [0, *slow(1, 2)])
@pytest.mark.parametrize("shape", [dented, soup, lambda _: torus()])
def test_pieces_contain_the_surface_and_do_not_overlap(shape, seed):
    source = np.random.default_rng(seed)
    points, triangles = shape(source)
    pieces = fit.convex_pieces(points, triangles, 5)
    assert 1 <= len(pieces) <= 5
    size = np.linalg.norm(np.ptp(points, axis=0))
    on = on_surface(points, triangles, source)
    heights = np.array([above(on, piece) for piece in pieces])
    assert heights.min(axis=0).max() <= 1e-5 * size
    anywhere = source.uniform(points.min(axis=0), points.max(axis=0), (4000, 3))
    inside = np.array([above(anywhere, piece) < -1e-5 * size for piece in pieces])
    assert inside.sum(axis=0).max() == 1


def test_more_pieces_fill_less():
    points, triangles = dented(np.random.default_rng(5))
    volumes = [sum(p.volume for p in fit.convex_pieces(points, triangles, n)) for n in (1, 3, 5)]
    assert volumes[0] == pytest.approx(ConvexHull(points).volume)
    assert all(more < less for less, more in pairwise(volumes))


@pytest.mark.parametrize("seed", range(3))
def test_a_convex_mesh_and_one_with_a_shallow_hollow_stay_whole(seed):
    source = np.random.default_rng(seed)
    points = source.normal(size=(40, 3))
    (piece,) = fit.convex_pieces(points, outward(points), 8, gap=1e-6)
    assert piece.volume == pytest.approx(ConvexHull(points).volume)
    points, triangles, _ = staircase(source, 3)
    assert len(fit.convex_pieces(points, triangles, 8, gap=1.0)) == 1
    assert len(fit.convex_pieces(points, triangles, 8, gap=0.01)) == 3


def test_only_triangles_count_and_flat_meshes_are_one_flat_piece():
    far = np.concatenate([CORNERS, [(9.0, 9.0, 9.0)]])
    (piece,) = fit.convex_pieces(far, outward(CORNERS))
    assert piece.volume == pytest.approx(1.0)
    (flat,) = fit.convex_pieces(CORNERS[:4], [(0, 1, 2), (1, 3, 2)])
    assert flat.dimension == 2 and flat.area == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("wrong", "what"),
    [({"pieces": 0}, "pieces"), ({"gap": -0.1}, "gap"), ({"gap": np.nan}, "gap"), ({"triangles": [(0, 1, 9)]}, "9")],
)
def test_wrong_arguments_are_named(wrong, what):
    with pytest.raises(ValueError, match=what):
        fit.convex_pieces(**{"points": CORNERS, "triangles": [(0, 1, 2)], **wrong})
