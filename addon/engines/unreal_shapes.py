# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a mesh is a box, a sphere or a capsule by the rules of Unreal's importer for UBX_, USP_ and UCP_."""

import numpy as np

from ...core.hull import ConvexHull
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import cross, dot, length, perpendicular
from ..model import tolerances
from ..model.shapes import Box, Capsule, Sphere


def fit_box(points: Floats, triangles: Ints) -> Box | None:
    """Return the box that a mesh is, with any rotation and subdivision. None if it is not a box.

    Its faces must lie in three pairs of planes that are perpendicular to each other, and every plane must have a face.
    """
    corners = points[triangles]
    rounding = tolerances.BOX_ROUNDING * float(np.abs(corners).max(initial=0.0))
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # The normal of a sliver is dominated by rounding.
    broad = length(normal) > rounding * length(corners - np.roll(corners, 1, axis=1)).max(axis=1)
    if not broad.any():
        return None
    corners, normal = corners[broad], normal[broad]
    axes = _perpendicular_axes(normal)
    along = corners @ axes
    lower, upper = along.min(axis=(0, 1)), along.max(axis=(0, 1))
    facing = np.argmax(np.abs(normal @ axes), axis=1)
    height = np.take_along_axis(along, facing[:, None, None], axis=2)[..., 0]
    # Relative to the side that a face belongs to: a thin board is measured by its thickness, not by its length.
    near = tolerances.BOX_FIT * (upper - lower) + rounding
    low = (np.abs(height - lower[facing, None]) <= near[facing, None]).all(axis=1)
    high = (np.abs(height - upper[facing, None]) <= near[facing, None]).all(axis=1)
    planes = {(int(axis), bool(top)) for axis, top in zip(facing, high, strict=True)}
    if not (low | high).all() or len(planes) != 6:
        return None
    return Box(axes @ ((lower + upper) / 2.0), axes, (upper - lower) / 2.0)


def _perpendicular_axes(normal: Floats) -> Floats:
    """Return three perpendicular axes, as columns, of a box whose faces have these normals, with lengths by area."""
    first = _common_direction(normal, normal[np.argmax(length(normal))])
    # Only the others: the rounding error of a large face's normal can exceed a small face.
    across = normal[np.abs(normal @ first) < 0.5 * length(normal)]
    rest = across - (across @ first)[:, None] * first
    fallback = perpendicular(first[None])[0]
    second = _common_direction(rest, rest[np.argmax(length(rest))]) if rest.any() else fallback
    return np.stack([first, second, cross(first, second)], axis=1)


def _common_direction(normal: Floats, guess: Floats) -> Floats:
    """Return the direction of all normals parallel to a guess, with either sign.

    Their sum depends only on the border of the faces, however finely they are split and however inaccurate each piece
    is.
    """
    size = length(normal) * float(length(guess))
    cosine = normal @ guess
    alike = np.abs(cosine) > 0.9 * size
    total = (np.sign(cosine)[:, None] * normal)[alike].sum(axis=0)
    direction: Floats = total / length(total)
    return direction


def fit_sphere(points: Floats) -> Sphere | None:
    """Return the sphere that a mesh is, within 5 %.

    Its bounds are nearly a cube, and its vertices are nearly at the same distance from the center.
    """
    lower, upper = points.min(axis=0), points.max(axis=0)
    side = upper - lower
    if side.max() - side.min() > tolerances.ROUND_FIT * side.max():
        return None
    sphere = Sphere((lower + upper) / 2.0, float(side.max()) / 2.0)
    off = np.abs(length(points - sphere.center) - sphere.radius)
    return sphere if (off <= tolerances.ROUND_FIT * sphere.radius).all() else None


def fit_capsule(hull: ConvexHull) -> Capsule:
    """Return the capsule that Unreal makes of any mesh: between its two farthest vertices, with the farthest as radius.

    Takes the hull of the mesh, because only its vertices can be farthest.
    """
    vertices = hull.points[hull.vertices]
    start, end = _farthest_pair(vertices)
    span = float(length(end - start))
    if span == 0.0:
        return Capsule(start, end, 0.0)
    axis = (end - start) / span
    off_axis = cross(vertices - start, axis)
    radius = float(length(off_axis).max())
    inset = min(radius, span / 2.0) * axis
    start, end = start + inset, end - inset
    nearest = start + np.clip((vertices - start) @ axis, 0.0, max(span - 2.0 * radius, 0.0))[:, None] * axis
    off = np.abs(length(vertices - nearest) - radius)
    return Capsule(start, end, radius, bool((off <= tolerances.ROUND_FIT * radius).all()))


def _farthest_pair(points: Floats) -> tuple[Floats, Floats]:
    """Return the two points farthest apart. Of several such pairs, the first."""
    best, found = -1.0, (0, 0)
    centered = points - points.mean(axis=0)
    squared = dot(centered, centered)
    for start in range(0, len(points), 512):  # blocks, so that a dense hull needs no n × n table
        rows = slice(start, start + 512)
        apart = squared[rows, None] + squared - 2.0 * (centered[rows] @ centered.T)
        row, column = np.unravel_index(int(np.argmax(apart)), apart.shape)
        if apart[row, column] > best:
            best, found = float(apart[row, column]), (start + int(row), int(column))
    return points[found[0]], points[found[1]]
