# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of convex pieces that stand for a mesh together, against samples and against what is known."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull, cKDTree

import collision_kit.core as ck
from collision_kit.core import fit
from tests.core import fit_sets
from tests.core.fit_sets import CUBE
from tests.core.triangle_meshes import BOX, torus
from tests.offline import slow_rows


def rng(seed=0):
    return np.random.default_rng(seed)


def samples(corners, count, source):
    """Random points of triangles (T, 3, 3), and which triangle each is on."""
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    row = source.choice(len(corners), count, p=area / area.sum())
    return (corners[row] * source.dirichlet(np.ones(3), count)[:, :, None]).sum(axis=1), row


def heights(points, piece):
    """How far points are above the highest face of a hull, by Qhull's planes."""
    planes = ConvexHull(piece.points[piece.vertices]).equations
    return (points @ planes[:, :3].T + planes[:, 3]).max(axis=1)


def sectors(count, width, points):
    """Hulls of the parts of a mesh around the Z axis in so many sectors, each so many times as wide as it must be."""
    angle = np.arctan2(points[:, 1], points[:, 0])
    found = []
    for number in range(count):
        middle = 2.0 * np.pi * number / count
        off = np.abs((angle - middle + np.pi) % (2.0 * np.pi) - np.pi)
        found.append(ck.convex_hull(points[off <= width * np.pi / count + 1e-9]))
    return found


@pytest.mark.parametrize(
    ("count", "width"),
    [(4, 1.0), (8, 1.5), *slow_rows((8, 1.0), (8, 2.0))],
)
def test_gap_and_protrusion_are_what_samples_come_near_to(count, width):
    points, triangles = torus()
    pieces = sectors(count, width, points)
    found = fit.pieces_quality(pieces, points, triangles)
    size = np.linalg.norm(np.ptp(points, axis=0))
    source = rng(count)
    of_mesh, _ = samples(points[triangles], 60_000, source)
    near = cKDTree(of_mesh)
    spacing = size * 2e-3
    worst = 0.0
    for piece in pieces:
        hull = ConvexHull(piece.points[piece.vertices])
        on, row = samples(hull.points[hull.simplices], 5_000, source)
        outside = on + 2e-4 * size * hull.equations[row, :3]
        seen = np.min([heights(outside, other) for other in pieces], axis=0) > 1e-4 * size
        if seen.any():
            worst = max(worst, near.query(on[seen])[0].max())
    assert worst - spacing <= found.gap + found.gap_error
    assert found.gap <= worst + spacing
    out = np.min([heights(of_mesh, piece) for piece in pieces], axis=0).max()
    assert out <= found.protrusion + found.protrusion_error + 1e-12 * size


def test_volumes_are_sums_and_ratios():
    points, triangles = torus()
    pieces = sectors(8, 1.0, points)
    found = fit.pieces_quality(pieces, points, triangles)
    total = sum(ConvexHull(piece.points[piece.vertices]).volume for piece in pieces)
    corner = points[triangles]
    enclosed = abs(np.einsum("ij,ij->i", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])).sum()) / 6.0
    assert found.count == 8
    assert found.volume == pytest.approx(total, rel=1e-12)
    assert found.hull_ratio == pytest.approx(total / ConvexHull(points).volume, rel=1e-12)
    assert found.mesh_ratio == pytest.approx(total / enclosed, rel=1e-12)
    assert np.isnan(fit.pieces_quality(pieces, points, triangles[1:]).mesh_ratio)
    assert np.isnan(fit.pieces_quality(pieces, points).mesh_ratio)


@pytest.mark.parametrize("turned", [False, True])
def test_pieces_that_make_up_a_box_have_no_gap_where_they_meet(turned):
    turn = fit_sets.rotation(rng(3)) if turned else np.eye(3)
    points, triangles = np.asarray(CUBE, np.float64), BOX
    lower, upper = points.min(axis=0), points.max(axis=0)
    pieces = []
    for cell in np.ndindex(2, 2, 2):
        half = np.clip(points, lower, (lower + upper) / 2.0) + np.array(cell) * (upper - lower) / 2.0
        pieces.append(ck.convex_hull(half @ turn.T))
    found = fit.pieces_quality(pieces, points @ turn.T, triangles)
    assert found.mesh_ratio == pytest.approx(1.0)
    assert found.gap <= 1e-12 and found.protrusion == 0.0
    # With one of them missing, the mesh sticks out: the outer corner is half a side from the nearest of the others.
    lacking = fit.pieces_quality(pieces[1:], points @ turn.T, triangles)
    side = (upper - lower).min()
    size = np.linalg.norm(upper - lower)
    assert lacking.gap <= 1e-12
    assert lacking.protrusion - 1e-12 <= side / 2.0 <= lacking.protrusion + lacking.protrusion_error + 1e-12
    assert lacking.protrusion_error <= 1e-2 * size


def test_pieces_must_have_a_volume():
    cube = np.asarray(CUBE, np.float64)
    with pytest.raises(ValueError, match="there are none"):
        fit.pieces_quality([], cube)
    with pytest.raises(ValueError, match=r"pieces\[1\]"):
        fit.pieces_quality([ck.convex_hull(cube), ck.convex_hull(cube * (1.0, 1.0, 0.0))], cube)
    with pytest.raises(ValueError, match=r"pieces\[0\]"):
        fit.pieces_quality([cube], cube)
