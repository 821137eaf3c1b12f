# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes along given axes, and boxes of minimum volume over all rotations, with a proved lower bound.

A box of minimum volume has two adjacent faces that each contain an edge of the convex hull.

For two edges e and f, the normal m of the first face is perpendicular to e, the normal n of the second is perpendicular
to f, and m and n are perpendicular to each other. Such boxes form a family with one parameter t. m runs along the arc
N = (1 - t) m0 + t m1 between the normals of the two faces beside e, and n is N × f. n lies between the normals beside f
exactly if f belongs to the silhouette seen along N. The third normal is N × (N × f).

With the vertices that touch the box's faces held fixed, the volume is a quotient of two polynomials of degree four in
t. O'Rourke's (1985) sextic is the numerator of its derivative. The width of a hull is the greatest over all pairs of
its points, so fixed vertices give at most the true volume, and the quotient is a lower bound over the whole arc. It is
at least the smallest quotient of corresponding coefficients in Bernstein form. An arc whose lower bound is too far
below the best volume found is halved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..kernels import box_arcs
from ..numerics.tolerances import FIT_BOX_ARC, FIT_BOX_VOLUME
from ..numerics.types import Floats
from ..numerics.validation import array
from ..numerics.vectors import cross, dot, normalized
from ..shapes import Boxes
from ..shapes.batch import rotations
from .point_set import Cloud, extremes, hemisphere
from .result import Fit, box_about, frames

_STEPS = 64
"""Limit for the number of halvings; 29 lead from the longest arc to the shortest."""

_ARCS = 1 << 13
"""If more arcs are left, the hull is nearly a ball. The search stops, because the proof would take too long."""


_GOOD_BOXES = 12
"""The number of good boxes whose axes `least` returns.

Vertices that protrude from them are included early in the search.
"""

_ENDS = 2000
"""With at most this many arcs, their ends are tried too. There a face of the box contains a face of the hull, as in
most boxes of minimum volume."""


@dataclass(frozen=True, eq=False)
class EdgePairs:
    """The arcs of a hull, one or more for each pair of edges.

    Attributes
    ----------
    vertices : (V, 3) float64
    start, end : (C, 3) float64
        Unit vectors: the ends of the arc of the first normal.
    edge : (C, 3) float64
        Unit vector along the second edge.
    """

    vertices: Floats
    start: Floats
    end: Floats
    edge: Floats

    @classmethod
    def of(cls, hull: ConvexHull) -> EdgePairs:
        """All arcs of a hull with a volume."""
        points = hull.points
        along = normalized(points[hull.edges[:, 1]] - points[hull.edges[:, 0]], np.zeros(3))
        left, right = hull.edge_faces.T
        cosine = hull.normals @ hull.normals.T
        # The signs say whether a face beside edge j faces along or against a normal beside edge i.
        first, second = np.triu_indices(len(along))
        left_0, left_1 = cosine[left[first], left[second]], cosine[right[first], left[second]]
        right_0, right_1 = cosine[left[first], right[second]], cosine[right[first], right[second]]
        starts: list[Floats] = []
        ends: list[Floats] = []
        edges: list[Floats] = []
        for sign in (1.0, -1.0):
            low, high = _where_not_negative(sign * left_0, sign * left_1)
            other_low, other_high = _where_not_negative(-sign * right_0, -sign * right_1)
            low, high = np.maximum(low, other_low), np.minimum(high, other_high)
            rows = np.flatnonzero(low <= high)
            m0, m1 = hull.normals[left[first[rows]]], hull.normals[right[first[rows]]]
            for t, arcs in ((low, starts), (high, ends)):
                arcs.append(normalized(m0 + t[rows, None] * (m1 - m0), m0))
            edges.append(along[second[rows]])
        return cls(points[hull.vertices], *(np.concatenate(part) for part in (starts, ends, edges)))

    def least(self, axes: Floats, within: float, below: float = np.inf) -> tuple[Floats, float, Floats]:
        """Axes of the smallest box, (3, 3) as columns; a lower bound of the volume; and the axes of a few good boxes.

        Parameters
        ----------
        axes : (3, 3) float64
            Axes to begin with; the search is faster if their box is small.
        within : float
            How far the bound may be below the volume, as a fraction of the volume.
        below : float
            The bound need not be higher than this volume.
        """
        best = float(box_volumes(self.vertices, axes[None])[0])
        start, end, edge = self.start, self.end, self.edge
        tried = [(start, edge), (end, edge)] if len(start) <= _ENDS else []
        proved = np.inf  # the lower bound over the arcs that are finished
        good_axes = axes.T
        for number in range(_STEPS):
            middle = normalized(start + end, start)
            for rays, beside in [*tried, (middle, edge)]:
                boxes = _EdgeBoxes.of(self.vertices, rays, beside)
                row = int(np.argmin(boxes.volume))
                if boxes.volume[row] < best:
                    best, axes = float(boxes.volume[row]), boxes.axes(row)
            tried = []
            if number == 0:
                good_axes = boxes.normal[:, np.argsort(boxes.volume)[:_GOOD_BOXES]].reshape(-1, 3)
            target = min(best * (1.0 - within), below)
            bound = boxes.bounds(start, end, edge)
            left = np.flatnonzero(bound < target)
            if len(left) > _ARCS:
                return axes, min(proved, float(bound.min())), good_axes
            proved = min(proved, float(bound[bound >= target].min(initial=np.inf)))
            # The middle of an arc that is too short to be halved stands for the whole arc.
            long = dot(end[left] - start[left], end[left] - start[left]) > FIT_BOX_ARC**2
            left = left[long]
            if not len(left):
                break
            start, end = np.concatenate([start[left], middle[left]]), np.concatenate([middle[left], end[left]])
            edge = np.concatenate([edge[left], edge[left]])
        return axes, min(best, proved), good_axes


@dataclass(frozen=True, eq=False)
class _EdgeBoxes:
    """Boxes with given first normals and edges.

    Attributes
    ----------
    normal : (3, C, 3) float64
        The three unit normals.
    span : (3, C, 3) float64
        For each normal, from the lowest vertex along it to the highest.
    volume : (C,) float64
    """

    normal: Floats
    span: Floats
    volume: Floats

    @classmethod
    def of(cls, vertices: Floats, ray: Floats, edge: Floats) -> _EdgeBoxes:
        normal, span, volume = np.empty((3, len(ray), 3)), np.empty((3, len(ray), 3)), np.empty(len(ray))
        box_arcs.boxes(vertices, ray, edge, normal, span, volume)
        return cls(normal, span, volume)

    def axes(self, row: int) -> Floats:
        """The axes of one of the boxes, as columns."""
        result: Floats = self.normal[:, row].T.copy()
        return result

    def bounds(self, start: Floats, end: Floats, edge: Floats) -> Floats:
        """A lower bound of the volumes of each arc around these boxes; zero where nothing is proved, (C,)."""
        found = np.empty(len(start))
        box_arcs.bounds(self.span, start, end, edge, found)
        return found


def _where_not_negative(at_start: Floats, at_end: Floats) -> tuple[Floats, Floats]:
    """The part of [0, 1] where a linear function with these values at 0 and 1 is not negative; low > high if none."""
    change = at_end - at_start
    root = np.clip(-at_start / np.where(change == 0.0, 1.0, change), 0.0, 1.0)
    low = np.where(at_start >= 0.0, 0.0, root)
    high = np.where(at_end >= 0.0, 1.0, root)
    nowhere = (at_start < 0.0) & (at_end < 0.0)
    return np.where(nowhere, 1.0, low), np.where(nowhere, 0.0, high)


def box_volumes(vertices: Floats, axes: Floats) -> Floats:
    """Volumes of the boxes with axes (K, 3, 3), as columns, that contain the vertices: (K,)."""
    along = np.matmul(vertices, axes)
    result: Floats = (along.max(axis=1) - along.min(axis=1)).prod(axis=1)
    return result


_WHOLE = 48
"""A hull of at most this many vertices is searched with all of them."""

_DIRECTIONS = hemisphere(24)
"""For a larger hull, the search begins with the vertices that are farthest in these directions."""

_LARGEST = 128
"""With more vertices, the search stops and returns the bound proved so far."""

_COARSE = 0.02
"""The first rounds stop when the bound is within this fraction of the volume."""


def fit_box(points: ArrayLike | ConvexHull, axes: ArrayLike | None = None) -> Fit[Boxes]:
    """The smallest box along given axes that contains all points.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
    axes : (3, 3) array-like, optional
        A rotation, whose columns are the box's axes; by default the coordinate axes.

    Returns
    -------
    Fit
        Its `lower_bound` is for boxes along these axes, and therefore equal to its volume.

    Raises
    ------
    ValueError
        As for `convex_hull`, or if `axes` is not a rotation.

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
    """The box of minimum volume that contains all points.

    A box of minimum volume has two adjacent faces that each contain an edge of the convex hull (O'Rourke, "Finding
    minimal enclosing boxes", 1985). Every pair of edges is searched, along the arc of directions that keeps both edges
    flush. If the hull has many vertices, the search begins with a few of them. Their smallest box is no larger than
    that of all vertices. The vertices that protrude from it are added, and the search is repeated, until the box
    contains all vertices; it is then the smallest box for all of them. For a hull that is nearly a ball this takes too
    long, because thousands of boxes are nearly as good as the best. The result is then the best box found, with a lower
    bound on the volume.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
        Coplanar points give the smallest rectangle, a box without thickness; collinear points a segment.

    Returns
    -------
    Fit
        `lower_bound` is proved: no enclosing box has less volume. It is 0 for coplanar points, whose box may be a
        rounding thick.

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
        return _fitted(cloud, _flat_axes(cloud), 0.0)
    return _fitted(cloud, *_smallest(cloud, np.inf))


def oriented_box_below(cloud: Cloud, volume: float) -> Fit[Boxes] | None:
    """The box of minimum volume around points that are not coplanar; None as soon as it is proved to be no smaller."""
    if cloud.hull.volume >= volume:
        return None
    axes, proved = _smallest(cloud, volume / cloud.scale**3)
    return _fitted(cloud, axes, proved) if proved < volume else None


def _smallest(cloud: Cloud, below: float) -> tuple[Floats, float]:
    """Axes of the smallest box, as columns, and the proved bound of its volume: nothing more if that is not `below`."""
    vertices = cloud.vertices
    chosen = np.arange(len(vertices)) if len(vertices) <= _WHOLE else extremes(vertices, _DIRECTIONS)
    axes = _first_axes(cloud)
    best = float(box_volumes(vertices, axes[None])[0])
    proved, within = 0.0, FIT_BOX_VOLUME if len(chosen) == len(vertices) else _COARSE
    while best > proved * (1.0 + 2.0 * FIT_BOX_VOLUME) and proved < below and len(chosen) <= _LARGEST:
        some = convex_hull(vertices[chosen])
        if some.dimension < 3:  # the chosen vertices are coplanar within rounding, although all together are not
            chosen = np.arange(len(vertices))
            some = convex_hull(vertices)
        found, bound, good_axes = EdgePairs.of(some).least(axes, within, below)
        proved = max(proved, bound)
        volume = float(box_volumes(vertices, found[None])[0])
        if volume < best:
            best, axes = volume, found
        outside = np.setdiff1d(extremes(vertices, np.concatenate([found.T, axes.T, good_axes])), chosen)
        if not len(outside) and within == FIT_BOX_VOLUME:
            break
        # While vertices are still to be added, the bound need not be tight.
        within = (
            max(FIT_BOX_VOLUME, min(0.1 * (best / proved - 1.0), _COARSE))
            if len(outside) and proved
            else FIT_BOX_VOLUME
        )
        chosen = np.union1d(chosen, outside)
    return axes, proved * cloud.scale**3


def _fitted(cloud: Cloud, axes: Floats, least: float | None) -> Fit[Boxes]:
    """The box along axes, with a lower bound of the volume; None: the volume itself."""
    center, half = box_about(cloud.hull.points, axes, cloud.origin)
    volume = float(8.0 * half.prod())
    bound = volume if least is None else min(max(least, cloud.hull.volume), volume)
    return Fit(Boxes([center], [half], [axes]), volume, bound)


def _first_axes(cloud: Cloud) -> Floats:
    """The principal axes or the coordinate axes, whichever give the smaller box."""
    tried = np.stack([cloud.axes, np.eye(3)])
    axes: Floats = tried[np.argmin(box_volumes(cloud.vertices, tried))]
    return axes


def _flat_axes(cloud: Cloud) -> Floats:
    """Axes of the smallest rectangle around coplanar points, with a side along an edge; the third is its normal."""
    if cloud.hull.dimension == 0:
        return np.eye(3)
    points = cloud.hull.points
    along = normalized((points[cloud.hull.edges[:, 1]] - points[cloud.hull.edges[:, 0]]) / cloud.scale, np.zeros(3))
    if cloud.hull.dimension == 1:
        return np.column_stack([along[0], frames(along[:1])[0]])
    normal = cloud.hull.normals[0]
    along = normalized(along - (along @ normal)[:, None] * normal, np.zeros(3))
    across = cross(normal, along)
    area = np.ptp(cloud.vertices @ along.T, axis=0) * np.ptp(cloud.vertices @ across.T, axis=0)
    best = int(np.argmin(area))
    return np.stack([along[best], across[best], normal], axis=1)
