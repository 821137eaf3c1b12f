# SPDX-License-Identifier: GPL-3.0-or-later
"""The supporting feature of a polytope or of a cylinder's side: a face, an edge or a vertex."""

import numpy as np

from ...numerics.tolerances import CYLINDER_INSIDE, EPS, FACE_ALIGNMENT, FACE_TILT, SUPPORT
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length
from ...results import FeatureKind
from ...shapes.support_mapped import Outline
from ..manifold import supporting_face
from ..polytopes import Polytopes
from .placed import SIDE, PlacedCylinders


def polytope_outline(
    cores: Polytopes,
    direction: Floats,
    on_cap: Bools | None = None,
    on_side: Bools | None = None,
    level: Floats | None = None,
) -> Outline:
    """The supporting face, edge or vertex of each core along its unit direction (P, 3).

    Parameters
    ----------
    cores : Polytopes
    direction : (P, 3) float64
    on_cap, on_side : (P,) bool, optional
        Whether the core faces a cap, or a side. Then a face counts even if it is tilted by up to
        `tolerances.FACE_TILT`. Against a cap, so does an edge.
    level : (P,) float64, optional
        Tolerance of the support plane; None: `tolerances.SUPPORT` times the size.
    """
    at = np.arange(len(cores))
    heights = np.matmul(cores.vertices, direction[:, :, None])[:, :, 0]
    on_top = heights >= (heights.max(axis=1) - (SUPPORT * cores.size if level is None else level))[:, None]
    face, cosine = supporting_face(cores, direction, level)
    tilted = np.zeros(len(cores), dtype=bool) if on_cap is None else on_cap
    flat = cosine >= np.where(tilted if on_side is None else tilted | on_side, FACE_TILT, 1.0 - FACE_ALIGNMENT)
    width = 2
    if flat.any():
        corners, polygon = cores.polygon(np.maximum(face, 0))
        width = max(2, polygon.shape[1])
        # A flat box has faces without area, which are edges or vertices.
        spokes = corners - corners[:, :1]
        area = np.cross(spokes, np.roll(spokes, -1, axis=1)).sum(axis=1)
        flat &= length(area) > CYLINDER_INSIDE * EPS * cores.size**2
        if level is not None:
            flat &= np.take_along_axis(on_top, polygon, axis=1).all(axis=1)
    ends = cores.edges
    first, second = ends[..., 0], ends[..., 1]
    run = cores.vertices[at[:, None], first] - cores.vertices[at[:, None], second]
    # Of collinear edges, as in a triangle without area, the longest. An edge of length zero is a vertex.
    square = dot(run, run)
    top_first, top_second = on_top[at[:, None], first], on_top[at[:, None], second]
    long = np.where(top_first & top_second, square, 0.0)
    if on_cap is not None:
        # If there is no such edge, the longest one that starts on the support plane and is tilted a little.
        little = dot(run, direction[:, None]) ** 2 <= (1.0 - FACE_TILT**2) * square
        sloping = (top_first | top_second) & little & (on_cap & ~(long > 0.0).any(axis=1))[:, None]
        long = np.where(sloping, square, long)
    edge, top = long.argmax(axis=1), heights.argmax(axis=1)
    straight = ~flat & (long[at, edge] > 0.0)
    kind = np.where(flat, FeatureKind.FACE, np.where(straight, FeatureKind.EDGE, FeatureKind.VERTEX))
    index = np.repeat(top[:, None], width, axis=1)
    if flat.any():
        index[flat, : polygon.shape[1]] = polygon[flat]
        index[flat, polygon.shape[1] :] = polygon[flat, -1:]
    index[straight, 0], index[straight, 1:] = first[at, edge][straight], second[at, edge][straight, None]
    following = np.roll(index, -1, axis=1)
    low, high = np.minimum(index, following)[..., None], np.maximum(index, following)[..., None]
    lower, upper = ends[:, None, :, :2].min(axis=3), ends[:, None, :, :2].max(axis=3)
    side = np.argmax((lower == low) & (upper == high), axis=2)
    plane = np.where(flat[:, None], cores.normals[at, np.maximum(face, 0)], direction)
    return Outline(
        kind,
        np.take_along_axis(cores.vertices, index[..., None], axis=1),
        plane,
        _features(FeatureKind.VERTEX, index),
        _features(FeatureKind.EDGE, side),
        _features(FeatureKind.FACE, face),
    )


def side_outline(
    cylinders: PlacedCylinders, direction: Floats, on_face: Bools | None = None, level: Floats | None = None
) -> Outline:
    """The supporting line on the side of each cylinder along its unit direction, or the supporting point of a rim.

    Rims are equally far within `level` (P,); None: `tolerances.SUPPORT` times the size. If the cylinder faces a face or
    a cap, `on_face` (P,), the line may be tilted by `tolerances.FACE_TILT`.
    """
    count = len(cylinders)
    out = cylinders.center + cylinders.outward(direction)
    along = cylinders.half
    side = cylinders.facing_side(direction, level)
    if on_face is not None:
        side |= on_face & cylinders.nearly_facing_side(direction)
    sign = cylinders.cap_sign(direction)
    first = np.where(side, -1.0, sign)
    corners = np.stack([out + first[:, None] * along, out + np.where(side, 1.0, sign)[:, None] * along], axis=1)
    kind = np.where(side, FeatureKind.EDGE, FeatureKind.VERTEX)
    cap = (sign > 0.0).astype(np.int64)
    rims = np.stack([np.where(side, 0, cap), np.where(side, 1, cap)], axis=1)
    edges = _features(FeatureKind.EDGE, np.full((count, 2), SIDE))
    return Outline(kind, corners, direction, cylinders.shown(_features(FeatureKind.EDGE, rims)), edges, edges[:, 0])


def _features(kind: FeatureKind, index: Ints) -> Ints:
    return np.stack([np.full(index.shape, kind), index], axis=-1)
