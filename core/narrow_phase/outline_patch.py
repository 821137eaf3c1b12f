# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact patch of the supporting features of two shapes: faces, edges and points, projected along the normal."""

import numpy as np

from ..convex.manifold import Patch, outline_crossings, points_inside
from ..numerics.tolerances import SUPPORT
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, perpendicular
from ..results import FeatureKind
from ..shapes.support_mapped import Outline


def face_patch(a: Outline, b: Outline, normal: Floats, size: Floats) -> Patch:
    """All corners of the patch of a face over a face or over an edge.

    Parameters
    ----------
    a, b : Outline
        The supporting features of A along the normal, and of B against it. At least one is a face.
    normal : (P, 3) float64
        Unit, from A to B.
    size : (P,) float64
        Size of the pair, for rounding.
    """
    count = len(normal)
    side = perpendicular(normal)
    frame = np.stack([side, np.cross(normal, side), normal], axis=2)
    origin = a.corners[:, :1]
    ours, theirs = (outline.corners - origin for outline in (a, b))
    ours, theirs = ours @ frame, theirs @ frame
    own, other = ours[..., :2], theirs[..., :2]
    within, _, _ = points_inside(other, own, size)
    # Seen along the normal, the outline of B has the opposite orientation.
    covered, _, _ = points_inside(own, other[:, ::-1], size)
    crossing, at = outline_crossings(own, other, size)
    where = other[:, None] + at[..., None] * (np.roll(other, -1, axis=1) - other)[:, None]
    place = np.concatenate([other, own, where.reshape(count, -1, 2)], axis=1)
    top, bottom = _heights(a, ours, place, frame), _heights(b, theirs, place, frame)
    point = origin + place @ frame[..., :2].transpose(0, 2, 1) + ((top + bottom) / 2.0)[..., None] * normal[:, None]
    valid = np.concatenate([within, covered, crossing.reshape(count, -1)], axis=1)
    width_a, width_b = own.shape[1], other.shape[1]
    feature_a = np.concatenate(
        [
            np.repeat(a.feature()[:, None], width_b, axis=1),
            a.corner_feature,
            np.repeat(a.side_feature, width_b, axis=1),
        ],
        axis=1,
    )
    feature_b = np.concatenate(
        [
            b.corner_feature,
            np.repeat(b.feature()[:, None], width_a, axis=1),
            np.tile(b.side_feature, (1, width_a, 1)),
        ],
        axis=1,
    )
    return Patch(point, top - bottom, valid, feature_a, feature_b)


def _heights(outline: Outline, corners: Floats, place: Floats, frame: Floats) -> Floats:
    """Height of an outline along the normal over points (P, K, 2) of the plane, (P, K)."""
    run = corners[:, 1] - corners[:, 0]
    square = dot(run[:, :2], run[:, :2])
    along = run[:, :2] * (run[:, 2] / np.where(square > 0.0, square, 1.0))[:, None]
    plane = np.einsum("pij,pi->pj", frame, outline.plane)
    steep = np.where(plane[:, 2] != 0.0, plane[:, 2], 1.0)
    across = -plane[:, :2] / steep[:, None]
    slope = np.where((outline.kind == FeatureKind.FACE)[:, None], across, along)
    slope = np.where((outline.kind == FeatureKind.VERTEX)[:, None], 0.0, slope)
    rise = np.einsum("pki,pi->pk", place - corners[:, :1, :2], slope)
    # The outline is between its lowest and highest corner.
    low, high = corners[..., 2].min(axis=1, keepdims=True), corners[..., 2].max(axis=1, keepdims=True)
    return np.clip(corners[:, :1, 2] + rise, low, high)


def side_by_side(a: Outline, b: Outline) -> Bools:
    """Which pairs have parallel edges as supporting features, (P,)."""
    run_a, run_b = (of.corners[:, 1] - of.corners[:, 0] for of in (a, b))
    long = length(run_a) * length(run_b)
    parallel = length(np.cross(run_a, run_b)) <= SUPPORT * long
    edges = (a.kind == FeatureKind.EDGE) & (b.kind == FeatureKind.EDGE)
    result: Bools = edges & parallel & (long > 0.0)
    return result


def edge_patch(a: Outline, b: Outline, normal: Floats) -> Patch:
    """The patch of parallel edges: the ends of their shared part."""
    start, run = a.corners[:, 0], a.corners[:, 1] - a.corners[:, 0]
    ends = dot(b.corners[:, :2] - start[:, None], run[:, None]) / dot(run, run)[:, None]
    t = np.stack([np.maximum(ends.min(axis=1), 0.0), np.minimum(ends.max(axis=1), 1.0)], axis=1)
    on_a = start[:, None] + t[..., None] * run[:, None]
    other = b.corners[:, 1] - b.corners[:, 0]
    u = np.clip(dot(on_a - b.corners[:, :1], other[:, None]) / dot(other, other)[:, None], 0.0, 1.0)
    on_b = b.corners[:, :1] + u[..., None] * other[:, None]
    rise = dot(on_b - on_a, normal[:, None])
    point = on_a + (rise / 2.0)[..., None] * normal[:, None]
    valid = np.repeat((t[:, :1] <= t[:, 1:]), 2, axis=1)
    return Patch(point, -rise, valid, _of_ends(a, t), _of_ends(b, u))


def _of_ends(outline: Outline, t: Floats) -> Ints:
    """Features of points at parameters `t` (P, 2) of edges. End points have the feature of the corner."""
    at = (t[..., None] >= 0.5).astype(np.int64)
    corners = np.take_along_axis(outline.corner_feature[:, :2], at, axis=1)
    is_end = ((t == 0.0) | (t == 1.0))[..., None]
    return np.where(is_end, corners, outline.side_feature[:, :1])
