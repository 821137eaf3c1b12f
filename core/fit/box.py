# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes: along given axes, and of least volume over all rotations."""

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..numerics.tolerances import FIT_BOX_VOLUME
from ..numerics.types import Floats
from ..numerics.validation import array
from ..numerics.vectors import normalized
from ..shapes import Boxes
from ..shapes.batch import rotations
from .conservative import box_about, frame
from .min_volume_box import EdgePairs, box_volumes
from .point_set import Cloud, extremes, hemisphere
from .result import Fit

_WHOLE = 48
"""Hulls of no more vertices are searched as they are."""

_DIRECTIONS = hemisphere(24)
"""Of larger hulls, those farthest in these directions to begin with."""

_LARGEST = 128
"""With more vertices a search is not worth its time: what is proved by then is what is answered."""

_COARSE = 0.02
"""The share of the volume to which the first few are searched."""


def fit_box(points: ArrayLike | ConvexHull, axes: ArrayLike | None = None) -> Fit[Boxes]:
    """The smallest box along given axes that holds all points.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
    axes : (3, 3) array-like, optional
        A rotation, whose columns are the box's axes; none: the coordinate axes.

    Returns
    -------
    Fit
        Its `lower_bound` is of the boxes along these axes, hence its volume.

    Raises
    ------
    ValueError
        As `convex_hull`; also if `axes` is no rotation.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> fit.fit_box(cube).shape.half_extents
    array([[1., 1., 1.]])
    """
    turn = rotations(None if axes is None else array(axes, "axes", (3, 3))[None], 1, "axes")[0]
    return _fitted(Cloud.of(points), turn, None)


def fit_oriented_box(points: ArrayLike | ConvexHull) -> Fit[Boxes]:
    """The box of least volume that holds all points.

    A box of least volume has two adjacent faces that each contain an edge of the convex hull (O'Rourke, "Finding
    minimal enclosing boxes", 1985). So every pair of edges is searched, along the arc of directions that keeps both
    flush; see `min_volume_box`. Of a hull of many vertices, a few are taken first: their least box is no larger than
    that of all. What stands out of it joins them, until it holds all, and then it is the least box of all. Where that
    takes too long – a hull that is nearly a ball has thousands of boxes nearly as good as the best – the best one found
    is answered, and how much better another could be at most.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
        Flat sets give a box without thickness, whose rectangle is the least; collinear ones a segment.

    Returns
    -------
    Fit
        `lower_bound` is proved; the box is the least one within the share of its volume that is between the two.

    Raises
    ------
    ValueError
        As `convex_hull`.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> round(fit.fit_oriented_box(cube).volume, 9)
    8.0
    """
    return oriented_box_of(Cloud.of(points))


def oriented_box_of(cloud: Cloud) -> Fit[Boxes]:
    """See `fit_oriented_box`."""
    if cloud.hull.dimension < 3:
        return _fitted(cloud, _flat_axes(cloud), None)
    vertices = cloud.vertices
    chosen = np.arange(len(vertices)) if len(vertices) <= _WHOLE else extremes(vertices, _DIRECTIONS)
    axes = _first_axes(cloud)
    best = float(box_volumes(vertices, axes[None])[0])
    proved, within = 0.0, FIT_BOX_VOLUME if len(chosen) == len(vertices) else _COARSE
    while best > proved * (1.0 + 2.0 * FIT_BOX_VOLUME) and len(chosen) <= _LARGEST:
        some = convex_hull(vertices[chosen])
        if some.dimension < 3:  # the few are flat, within rounding, though all are not
            chosen = np.arange(len(vertices))
            some = convex_hull(vertices)
        found, bound, rivals = EdgePairs.of(some).least(axes, within)
        proved = max(proved, bound)
        volume = float(box_volumes(vertices, found[None])[0])
        if volume < best:
            best, axes = volume, found
        beyond = np.setdiff1d(extremes(vertices, np.concatenate([found.T, axes.T, rivals])), chosen)
        if not len(beyond) and within == FIT_BOX_VOLUME:
            break
        # As long as there are points to come, a proof need not be tight.
        within = (
            max(FIT_BOX_VOLUME, min(0.1 * (best / proved - 1.0), _COARSE)) if len(beyond) and proved else FIT_BOX_VOLUME
        )
        chosen = np.union1d(chosen, beyond)
    return _fitted(cloud, axes, proved * cloud.scale**3)


def _fitted(cloud: Cloud, axes: Floats, least: float | None) -> Fit[Boxes]:
    """The box along axes; where it is not known what the least is, it is this."""
    center, half = box_about(cloud.hull.points, axes, cloud.origin)
    volume = float(8.0 * half.prod())
    bound = volume if least is None else min(max(least, cloud.hull.volume), volume)
    return Fit(Boxes([center], [half], [axes]), volume, bound)


def _first_axes(cloud: Cloud) -> Floats:
    """The better of the principal and the coordinate axes."""
    tried = np.stack([cloud.axes, np.eye(3)])
    axes: Floats = tried[np.argmin(box_volumes(cloud.vertices, tried))]
    return axes


def _flat_axes(cloud: Cloud) -> Floats:
    """Axes of the least rectangle of a flat set, one side of which runs along an edge; the third is its normal."""
    if cloud.hull.dimension == 0:
        return np.eye(3)
    points = cloud.hull.points
    along = normalized((points[cloud.hull.edges[:, 1]] - points[cloud.hull.edges[:, 0]]) / cloud.scale, np.zeros(3))
    if cloud.hull.dimension == 1:
        side, up = frame(along[0])
        return np.stack([along[0], side, up], axis=1)
    normal = cloud.hull.normals[0]
    along = normalized(along - (along @ normal)[:, None] * normal, np.zeros(3))
    across = np.cross(normal, along)
    area = np.ptp(cloud.vertices @ along.T, axis=0) * np.ptp(cloud.vertices @ across.T, axis=0)
    best = int(np.argmin(area))
    return np.stack([along[best], across[best], normal], axis=1)
