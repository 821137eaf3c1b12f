# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of how well a shape fits points or a mesh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..kernels import points as points_kernel
from ..narrow_phase.mesh.orientation import oriented
from ..numerics.tolerances import FIT_GAP
from ..numerics.types import Floats, Ints
from ..numerics.validation import check_range, check_type
from ..numerics.vectors import cross, length
from ..query.queries import distance
from ..shapes import Boxes, Capsules, Hulls, Meshes, Spheres
from .patches import FLAT, Patches, patches_of
from .point_set import to_hull, to_surface
from .result import Primitive

_QUERIES = 4000
"""Limit for the number of points of the surface whose distance is measured, so that a gap does not take too long."""


@dataclass(frozen=True)
class FitQuality:
    """Comparison of a shape with the points or the mesh that it was fitted to, the input.

    Attributes
    ----------
    volume : float
        The volume of the shape.
    hull_ratio : float
        `volume` divided by the volume of the convex hull of the input: 1 is as tight as a convex shape can be. Infinite
        for coplanar input.
    mesh_ratio : float
        `volume` divided by the volume that the input's triangles enclose; NaN if they are not watertight or not given.
    protrusion : float
        The largest distance by which the input protrudes from the shape; 0 if the shape contains it. Exact: the
        distance from a convex shape is greatest at a vertex.
    gap : float
        The largest distance of a point on the surface of the shape from the surface of the input: from the triangles if
        there are any, otherwise from the convex hull.
    gap_error : float
        The true gap is between `gap` and ``gap + gap_error``.
    protrusion_error : float
        The same for the protrusion. It is 0 except for one of several convex pieces.
    """

    volume: float
    hull_ratio: float
    mesh_ratio: float
    protrusion: float
    gap: float
    gap_error: float
    protrusion_error: float = 0.0


def fit_quality(shape: Primitive, points: ArrayLike | ConvexHull, triangles: ArrayLike | None = None) -> FitQuality:
    """Return how well a shape fits points or a mesh.

    The gap is found by branch and bound. The surface of the shape is divided into patches, each inside a ball about one
    of its points. Within the ball, the distance from the input differs by at most the radius. Also, no point of a flat
    patch is farther from a triangle than the farthest of its corners is. Patches that cannot exceed the largest
    distance found are discarded, and the others are split into four. The search ends when no patch is left, or after
    four thousand points.

    Parameters
    ----------
    shape : Boxes, Spheres, Capsules, Cylinders or Hulls
        A batch of one row.
    points : (n, 3) array-like or ConvexHull
    triangles : (m, 3) array-like of int, optional
        Rows of `points`.

    Returns
    -------
    FitQuality

    Raises
    ------
    ValueError
        As for `convex_hull` and `Meshes.from_triangles`, or if the shape does not have exactly one row, or triangles
        are given with a hull.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> round(fit.fit_quality(fit.fit_box(cube).shape, cube).gap, 9)
    0.0
    """
    size = shape_volume(shape)
    if isinstance(points, ConvexHull):
        if triangles is not None:
            raise ValueError("triangles: given with a hull, but their vertices are needed")
        hull, mesh = points, None
    else:
        hull = convex_hull(points)
        check_range(hull.points, "points")
        mesh = None if triangles is None else Meshes.from_triangles([(points, triangles)])
    inside = np.nan if mesh is None else enclosed(mesh)
    out = _protrusion(shape, hull)
    gap, error = _gap(shape, hull, mesh, out == 0.0)
    return FitQuality(
        volume=size,
        hull_ratio=size / hull.volume if hull.volume > 0.0 else np.inf,
        mesh_ratio=size / inside if inside > 0.0 else np.nan,
        protrusion=out,
        gap=gap,
        gap_error=error,
    )


def shape_volume(shape: Primitive) -> float:
    """Volume of a shape, a batch of one row.

    Parameters
    ----------
    shape : Boxes, Spheres, Capsules, Cylinders or Hulls
        A batch of one row.

    Returns
    -------
    float
        In the caller's unit, cubed.

    Raises
    ------
    ValueError
        If it is not a box, sphere, capsule, cylinder or hull, or does not have exactly one row.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> round(fit.shape_volume(fit.fit_box(cube).shape), 9)
    8.0
    """
    check_type(shape, get_args(Primitive), "shape")
    if len(shape) != 1:
        raise ValueError(f"shape: {len(shape)} rows, but one is needed")
    if isinstance(shape, Hulls):
        return float(shape.geometry[shape.index[0]].volume)
    if isinstance(shape, Boxes):
        return float(8.0 * shape.half_extents[0].prod())
    radius = float(shape.radius[0])
    ball = 4.0 / 3.0 * np.pi * radius**3
    if isinstance(shape, Spheres):
        return ball
    side = float(np.pi * radius**2 * length(shape.end[0] - shape.start[0]))
    return side + ball if isinstance(shape, Capsules) else side


def enclosed(mesh: Meshes) -> float:
    """The volume that a mesh encloses; NaN if it is not watertight."""
    one = mesh.geometry[0]
    if not one.watertight:
        return np.nan
    corner = oriented(one).corners - one.corners[0, 0]
    return abs(float(np.einsum("ij,ij->i", corner[:, 0], cross(corner[:, 1], corner[:, 2])).sum())) / 6.0


def _protrusion(shape: Primitive, hull: ConvexHull) -> float:
    """The largest distance by which the vertices protrude from a shape; 0 if it is no more than rounding."""
    points = hull.points[hull.vertices]
    if isinstance(shape, Hulls):
        own: ConvexHull = shape.geometry[shape.index[0]]
        local = (points - shape.translation[0]) @ shape.rotation[0]
        out, rounding = to_hull(local, own), own.tolerance
    else:
        found = distance(Spheres(points, np.zeros(len(points))), shape)
        out, rounding = found.distance, float(found.rounding.max())
    most = float(out.max())
    return most if most > rounding else 0.0


def _gap(shape: Primitive, hull: ConvexHull, mesh: Meshes | None, contained: bool) -> tuple[float, float]:
    """The largest distance found of a point of the shape's surface from the input, and how much larger it may be."""
    patches, _ = patches_of(shape)
    if mesh is None and contained and isinstance(shape, Boxes | Hulls):
        # The distance from a convex set is greatest at a corner, so nothing needs to be searched.
        return max(float(to_hull(patches.corners().reshape(-1, 3), hull).max()), 0.0), 0.0
    within = FIT_GAP * float(length(np.ptp(hull.points[hull.vertices], axis=0)))
    return largest(patches, lambda some: apart(some, hull, mesh), within)


def largest(
    patches: Patches, look: Callable[[Patches], tuple[Floats, Floats]], within: float, queries: int = _QUERIES
) -> tuple[float, float]:
    """The largest value found of a function on patches, by branch and bound, and how much larger it may be.

    Parameters
    ----------
    patches : Patches
    look : callable
        Returns, for each patch, the value at its center, and an upper bound of the value on the whole patch.
    within : float
        The accuracy of the largest value.
    queries : int
        Limit for the number of patches that are evaluated; the given patches are always evaluated.
    """
    none = np.zeros(len(patches), np.int64)
    best, error = largest_of_each(patches, none, 1, lambda some, _: look(some), within, queries)
    return float(best[0]), float(error[0])


def largest_of_each(
    patches: Patches,
    group: Ints,
    count: int,
    look: Callable[[Patches, Ints], tuple[Floats, Floats]],
    within: float,
    queries: int,
) -> tuple[Floats, Floats]:
    """Return the same as `largest` for each of `count` groups of patches, in one search: (count,) each.

    `group` is that of each patch. `look` gets some of the patches and their groups. The limit of `queries` is for all.
    """
    best, most, measured = np.zeros(count), np.zeros(count), 0
    while True:
        value, bound = look(patches, group)
        np.maximum.at(best, group, value)
        measured += len(value)
        open_ = bound > best[group] + within
        enough = measured + 4 * int(open_.sum()) > queries
        np.maximum.at(most, group, np.where(open_ & ~np.bool_(enough), 0.0, bound))
        if enough or not open_.any():
            return best, np.maximum(most - best, 0.0)
        patches, group = patches.take(open_).quartered(), np.tile(group[open_], 4)


def apart(patches: Patches, hull: ConvexHull, mesh: Meshes | None) -> tuple[Floats, Floats]:
    """The distance of the center of each patch from the input, and an upper bound for all of its points: (P,) each."""
    center, radius = patches.balls()
    if mesh is None:
        found = np.abs(to_hull(center, hull))
        return found, found + radius
    found, triangle = to_surface(center, mesh)
    bound = found + radius
    # No point of a flat patch is farther from a triangle than the farthest of its corners.
    flat = np.flatnonzero(patches.kind == FLAT)
    ends, reached = patches.corners()[flat].reshape(-1, 3), np.empty(4 * len(flat))
    points_kernel.from_triangles(mesh.geometry[0].corners, np.repeat(triangle[flat], 4), ends, reached)
    bound[flat] = np.minimum(bound[flat], reached.reshape(-1, 4).max(axis=1))
    return found, bound
