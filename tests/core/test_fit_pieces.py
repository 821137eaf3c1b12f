# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of convex pieces that represent a mesh together, against samples and known values."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull, cKDTree
from scipy.spatial.transform import Rotation

import collision_kit.core as ck
from collision_kit.core import fit
from tests.helpers import fit_sets
from tests.helpers.fit_sets import CUBE
from tests.helpers.offline import slow, slow_rows
from tests.helpers.triangle_meshes import BOX, torus


def rng(seed=0):
    return np.random.default_rng(seed)


def samples(corners, count, source):
    """Random points of triangles (T, 3, 3), and which triangle each is on."""
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    row = source.choice(len(corners), count, p=area / area.sum())
    return (corners[row] * source.dirichlet(np.ones(3), count)[:, :, None]).sum(axis=1), row


def heights(points, piece):
    """Return how far points are above the highest face of a hull, by Qhull's planes."""
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


class Box:
    """A box of the oracle: corners, samples of its surface, and exact distances from it."""

    def __init__(self, center, half, turn):
        self.center, self.half, self.turn = center, half, turn
        self.points = np.asarray(CUBE, np.float64)
        self.points = (2.0 * (self.points - self.points.min(axis=0)) / np.ptp(self.points, axis=0) - 1.0) * half
        self.points = self.points @ turn.T + center

    def apart(self, points):
        """0 inside."""
        off = np.abs((points - self.center) @ self.turn) - self.half
        return np.linalg.norm(np.maximum(off, 0.0), axis=1)

    def samples(self, count, source):
        return np.concatenate([self.points, samples(self.points[BOX], count, source)[0]])

    def changed(self, source):
        half = self.half * source.uniform(0.8, 1.2, 3)
        turn = Rotation.from_rotvec(0.2 * source.normal(size=3)).as_matrix()
        return Box(self.center + 0.1 * source.normal(size=3) * self.half, half, turn @ self.turn)


def kit(source):
    """Boxes that touch, overlap or are apart, most of them along the same axes."""
    turn, boxes = fit_sets.rotation(source), []
    for _ in range(source.integers(2, 6)):
        own = fit_sets.rotation(source) if source.random() < 0.3 else turn
        half = source.integers(1, 4, 3) / 2.0
        boxes.append(Box(turn @ (source.integers(0, 4, 3) + half), half, own))
    return boxes


@pytest.mark.parametrize("seed", [0, 1, *slow(*range(2, 30))])
@pytest.mark.parametrize("change", [False, True])
def test_both_distances_of_each_piece_are_those_between_boxes(seed, change):
    source = rng(seed)
    parts = kit(source)
    inward = source.random(len(parts)) < 0.3
    points = np.concatenate([part.points for part in parts])
    triangles = np.concatenate([(BOX[:, ::-1] if inward[k] else BOX) + 8 * k for k in range(len(parts))])
    boxes = [part.changed(source) if change else part for part in parts]
    found = fit.pieces_quality([ck.convex_hull(box.points) for box in boxes], points, triangles)
    size = np.linalg.norm(np.ptp(points, axis=0))
    of_mesh = np.concatenate([part.samples(8_000, source) for part in parts])
    out = np.array([box.apart(of_mesh) for box in boxes])
    nearest, least = out.argmin(axis=0), out.min(axis=0)
    spacing = 0.15 if change else 1e-12
    for number, (box, own) in enumerate(zip(boxes, found.pieces, strict=True)):
        on = box.samples(8_000, source)
        gap = np.min([part.apart(on) for part in parts], axis=0).max()
        assert gap - 1e-9 <= own.gap + own.gap_error and own.gap <= gap + spacing
        protrusion = least[nearest == number].max(initial=0.0)
        assert protrusion - 1e-9 <= own.protrusion + own.protrusion_error and own.protrusion <= protrusion + spacing
        assert max(own.gap_error, own.protrusion_error) <= 5e-3 * size
        assert own.volume == pytest.approx(8.0 * box.half.prod())
    for name in ("gap", "protrusion"):
        values = np.array([getattr(own, name) for own in found.pieces])
        errors = np.array([getattr(own, f"{name}_error") for own in found.pieces])
        assert getattr(found, name) == values.max()
        assert getattr(found, name) + getattr(found, f"{name}_error") == pytest.approx((values + errors).max())
    different = {tuple(np.round(np.r_[part.center, np.sort(part.half)], 6)) for part in parts}
    if len(different) == len(parts):
        assert found.mesh_ratio == pytest.approx(found.volume / sum(8.0 * part.half.prod() for part in parts))
    if not change:
        assert found.gap + found.gap_error <= 1e-9 and found.protrusion + found.protrusion_error <= 1e-9


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
