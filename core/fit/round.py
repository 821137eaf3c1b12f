# SPDX-License-Identifier: GPL-3.0-or-later
"""Spheres, capsules and cylinders of least volume.

For capsules and cylinders, the problem is not convex. Searches start from many directions, and the best result is used:
see `interior_point`. A search uses only the vertices that are farthest in many directions. Vertices that protrude from
the best results are added until none does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..convex.polytopes.coplanar_faces import face_areas
from ..hull import ConvexHull
from ..numerics.rows import Table
from ..numerics.types import Floats, Ints
from ..numerics.vectors import length, normalized
from ..shapes import Capsules, Cylinders, Spheres
from .interior_point import CAPSULE, COARSE, CYLINDER, FINE, ROUGH, RoundKind, shrink
from .point_set import Cloud, hemisphere
from .result import Fit, capsule_about, cylinder_about, frames, least_balls, sphere_about


def fit_sphere(points: ArrayLike | ConvexHull) -> Fit[Spheres]:
    """The smallest sphere that contains all points.

    It is unique and determined by two to four of the points. It is exact except for rounding, also for coplanar or
    collinear points and a single point. Welzl, "Smallest enclosing disks (balls and ellipsoids)" (1991); Gärtner, "Fast
    and robust smallest enclosing balls" (1999).

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull

    Returns
    -------
    Fit
        Its `lower_bound` is proved by duality from the points that determine the sphere. It agrees with `volume` except
        for rounding.

    Raises
    ------
    ValueError
        As `convex_hull`.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> fit.fit_sphere(cube).shape.center
    array([[1., 1., 1.]])
    """
    return sphere_of(Cloud.of(points))


def sphere_of(cloud: Cloud) -> Fit[Spheres]:
    """See `fit_sphere`."""
    vertices = cloud.vertices
    far = np.argmax((vertices * vertices).sum(axis=1), keepdims=True)
    ball = least_balls(vertices[None], far)
    support = vertices[ball.support[0][ball.support[0] >= 0]]
    center = cloud.back(ball.center[0])
    radius = sphere_about(cloud.hull.points, center)
    least = _proved_radius(support, ball.center[0]) * cloud.scale
    return Fit(Spheres([center], [radius]), _ball_volume(radius), max(_ball_volume(least), cloud.hull.volume))


def _proved_radius(support: Floats, center: Floats) -> float:
    """A lower bound of the radius of any sphere around these points, from the weights of the points in its center.

    Take weights that are not negative and sum to one. The weighted mean of the squared distances from the weighted mean
    of the points is at most the squared radius of any enclosing sphere.
    """
    spoke = support - center
    system = np.concatenate([spoke.T, np.ones((1, len(support)))])
    weight = np.maximum(np.linalg.lstsq(system, np.array([0.0, 0.0, 0.0, 1.0]), rcond=None)[0], 0.0)
    weight /= weight.sum()
    mean = weight @ spoke
    return float(np.sqrt(max(weight @ ((spoke - mean) ** 2).sum(axis=1), 0.0)))


def _ball_volume(radius: float) -> float:
    return 4.0 / 3.0 * np.pi * radius**3


_WHOLE = 96
"""A hull of at most this many vertices is searched with all of them."""

_GRID = hemisphere(150)
"""Starting directions in the frame of the principal axes, in addition to those axes, and to faces and edges."""

_FACES, _EDGES = 16, 8
"""How many of the largest faces and longest edges give a direction."""

_STARTS = 16
_APART = float(np.cos(np.radians(8.0)))
"""The number of searches, and the cosine of the least angle between their starting directions."""

_KEPT = 4
"""The number of searches that continue with more vertices."""

_ROUNDS = 8

_FIRST, _AGAIN = 1e-3, 1e-4
"""The first barrier weight of searches, and of those that start again near their last result. With a larger first
weight, many of them would reach the same few minima: those with the widest basins, which are not always the deepest."""

_OUTSIDE = 1e-6
"""A vertex joins the search if it violates a constraint by more than this share of the squared radius."""

_SAME = 1e-3
"""Two searches whose volumes differ by less than this fraction have found the same shape."""

_DOUBLINGS = 60
"""How often the margin of a shape may be doubled until the shape contains all points."""

_THIN = 1e-9
"""The minimum width of a starting shape in relation to its length, and the minimum length in relation to its width."""

_WIDER = np.array([1.0, 1.03, 1.1, 1.25, 1.5, 2.0])
"""Radii of the first capsules, as multiples of the radius of the smallest cylinder: a wider capsule may be shorter."""

_ROOM = 0.01
"""A shape is enlarged by this fraction of its size, so that a search starts with all points inside."""


def fit_capsule(points: ArrayLike | ConvexHull) -> Fit[Capsules]:
    """A capsule of least volume that contains all points.

    The result is the best of sixteen searches from different directions, each of which ends at a local minimum, and of
    the smallest sphere, which is also a capsule. It is not proved that no other capsule is smaller: see docs/fitting.md
    for a comparison.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
        Collinear points give a capsule without width.

    Returns
    -------
    Fit
        Its `lower_bound` is the volume of the hull.

    Raises
    ------
    ValueError
        As `convex_hull`.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> found = fit.fit_capsule(cube)
    >>> bool(found.volume >= found.lower_bound)
    True
    """
    return capsule_of(Cloud.of(points))


def fit_cylinder(points: ArrayLike | ConvexHull) -> Fit[Cylinders]:
    """A cylinder of least volume that contains all points.

    The method is that of `fit_capsule`. For the axis found, the circle is the smallest one that contains the projected
    points (Welzl 1991).

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
        Coplanar points give a disk with a height of 1e-7 of its radius. A cylinder must have a length, and with less,
        rounding of the ends would decide the direction of the axis.

    Returns
    -------
    Fit
        Its `lower_bound` is the volume of the hull.

    Raises
    ------
    ValueError
        As `convex_hull`.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> bool(fit.fit_cylinder(cube).volume >= 8)
    True
    """
    return cylinder_of(Cloud.of(points))


def capsule_of(cloud: Cloud) -> Fit[Capsules]:
    """See `fit_capsule`."""
    sphere = sphere_of(cloud)
    ends = np.stack([sphere.shape.center[0]] * 2)[None]
    if cloud.hull.dimension == 1:
        ends = cloud.hull.points[cloud.hull.vertices][None]
    elif cloud.hull.dimension > 1:
        found = _search(cloud, CAPSULE)
        ends = np.concatenate([ends, cloud.back(found[:, :6].reshape(-1, 2, 3))])
    made = [(start, end, capsule_about(cloud.hull.points, start, end)) for start, end in ends]
    volumes = [_volume(CAPSULE, *one) for one in made]
    start, end, radius = made[int(np.argmin(volumes))]
    return Fit(Capsules([start], [end], [radius]), min(volumes), cloud.hull.volume)


def cylinder_of(cloud: Cloud) -> Fit[Cylinders]:
    """See `fit_cylinder`."""
    if cloud.hull.dimension == 3:
        found = _search(cloud, CYLINDER)
        axes, middles = found[:, 3:6] - found[:, :3], (found[:, 3:6] + found[:, :3]) / 2.0
    else:
        flat = cloud.hull.dimension == 2
        axes, middles = cloud.hull.normals[:1] if flat else cloud.axes[:, :1].T, np.zeros((1, 3))
    made = [
        cylinder_about(cloud.hull.points, middle, axis, cloud.hull.tolerance)
        for middle, axis in zip(cloud.back(middles), normalized(axes, cloud.axes[:, 0]), strict=True)
    ]
    volumes = [_volume(CYLINDER, *one) for one in made]
    start, end, radius = made[int(np.argmin(volumes))]
    return Fit(Cylinders([start], [end], [radius]), min(volumes), cloud.hull.volume)


def _volume(kind: RoundKind, start: Floats, end: Floats, radius: float) -> float:
    return float(np.pi * radius**2 * (length(end - start) + kind.bulge * radius))


def _search(cloud: Cloud, kind: RoundKind) -> Floats:
    """A few shapes of least volume that nearly contain the vertices: starts, ends and radii, (K, 7)."""
    vertices = cloud.vertices
    chosen = np.arange(len(vertices)) if len(vertices) <= _WHOLE else cloud.extremes
    own = _own_axes(cloud)
    axes = np.concatenate([own, _other_axes(cloud)])
    first = _along(kind, axes, vertices[chosen])
    x = shrink(kind, _starts(kind, axes, first, vertices[chosen]), vertices[chosen], _FIRST, ROUGH)
    x = shrink(kind, _distinct(kind, x), vertices[chosen], ROUGH, COARSE)
    for _ in range(_ROUNDS):
        outside = np.setdiff1d(_outside(kind, x, vertices), chosen)
        if not len(outside):
            break
        chosen = np.union1d(chosen, outside)
        x = shrink(kind, _enlarged(kind, x, vertices[chosen], _ROOM), vertices[chosen], _AGAIN, COARSE)
        x = _distinct(kind, x)
    x = shrink(kind, x, vertices[chosen], COARSE, FINE)
    # Whatever the searches find, no shape along one of these axes is smaller than the result.
    return np.concatenate([x, first[: len(own)] if len(vertices) <= _WHOLE else _along(kind, own, vertices)])


def _distinct(kind: RoundKind, x: Floats) -> Floats:
    """The shapes of least volume, at most `_KEPT`, but only one for each minimum."""
    volume = kind.log_volume(x)
    order = np.argsort(volume)
    new = np.append(True, np.diff(volume[order]) > _SAME)
    return x[order[new][:_KEPT]]


def _outside(kind: RoundKind, x: Floats, vertices: Floats) -> Ints:
    """For each shape and constraint, the vertex in each of eight octants that violates it most, if one does.

    The octants are those about the center of the shape.
    """
    slack = kind.values(x, vertices).reshape(len(x), -1, len(vertices))
    middle = (x[:, :3] + x[:, 3:6]) / 2.0
    octant = ((vertices > middle[:, None]) * [1, 2, 4]).sum(axis=2)
    worst = []
    for number in range(8):
        masked = np.where((octant == number)[:, None], slack, np.inf)
        row = masked.argmin(axis=2)
        worst.append(row[np.take_along_axis(masked, row[:, :, None], axis=2)[:, :, 0] < -_OUTSIDE * x[:, 6:] ** 2])
    return np.unique(np.concatenate(worst))


def _starts(kind: RoundKind, axes: Floats, x: Floats, points: Floats) -> Floats:
    """The smallest of the shapes along the axes (K, 3), at most `_STARTS`, larger by a margin: (K, 7) -> (B, 7)."""
    chosen: list[int] = []
    for row in np.argsort(kind.log_volume(x)):
        if len(chosen) < _STARTS and (np.abs(axes[chosen] @ axes[row]) < _APART).all():
            chosen.append(int(row))
    return _enlarged(kind, x[chosen], points, _ROOM)


def _along(kind: RoundKind, axes: Floats, points: Floats) -> Floats:
    """For each of the axes (K, 3) a small shape along it that contains the points, (K, 7)."""
    side = frames(axes)
    flat = np.matmul(points, side)
    balls = least_balls(flat, np.argmax((flat * flat).sum(axis=2), axis=1))
    height = points @ axes.T
    low, high = height.min(axis=0), height.max(axis=0)
    foot = np.einsum("kij,kj->ki", side, balls.center)
    # Searches need a positive width and length, which some sets lack because of rounding.
    radius = np.maximum(balls.radius, _THIN * (high - low))
    high = np.maximum(high, low + _THIN * radius)
    if kind is CAPSULE:
        radius = radius[:, None] * _WIDER
        off = flat - balls.center[:, None]
        reach = np.sqrt(np.maximum(radius[:, :, None] ** 2 - (off * off).sum(axis=2)[:, None], 0.0))
        low = (height.T[:, None] + reach).min(axis=2)
        high = np.maximum((height.T[:, None] - reach).max(axis=2), low + 1e-3 * radius)
        best = np.argmin(radius**2 * (high - low + CAPSULE.bulge * radius), axis=1)
        rows = np.arange(len(axes))
        radius, low, high = radius[rows, best], low[rows, best], high[rows, best]
    return np.concatenate([foot + low[:, None] * axes, foot + high[:, None] * axes, radius[:, None]], axis=1)


def _own_axes(cloud: Cloud) -> Floats:
    """The principal axes, and the direction between two vertices far apart, (4, 3)."""
    far = cloud.vertices[np.argmax((cloud.vertices**2).sum(axis=1))]
    across = far - cloud.vertices[np.argmax(((cloud.vertices - far) ** 2).sum(axis=1))]
    return np.concatenate([cloud.axes.T, normalized(across, np.zeros(3))[None]])


def _other_axes(cloud: Cloud) -> Floats:
    """Directions of the hull's edges and faces, and those of a grid, (K, 3) unit vectors."""
    hull = cloud.hull
    area = face_areas(hull.points, Table.of(hull.faces))
    along = (hull.points[hull.edges[:, 1]] - hull.points[hull.edges[:, 0]]) / cloud.scale
    span = length(along)
    longest = np.argsort(-span)[:_EDGES]
    largest = hull.normals[np.argsort(-area)[:_FACES]]
    return np.concatenate([along[longest] / span[longest, None], largest, _GRID @ cloud.axes.T])


def _enlarged(kind: RoundKind, x: Floats, points: Floats, room: float) -> Floats:
    """Enlarge shapes by a fraction of their size, and further until they contain the points."""
    more = np.full(len(x), room)
    for _ in range(_DOUBLINGS):
        span = length(x[:, 3:6] - x[:, :3])
        longer = more * (np.minimum(span, x[:, 6]) if kind is CAPSULE else span)
        ends = normalized(x[:, 3:6] - x[:, :3], np.zeros(3)) * longer[:, None]
        x = np.concatenate([x[:, :3] - ends, x[:, 3:6] + ends, x[:, 6:] * (1.0 + more[:, None])], axis=1)
        inside = (kind.values(x, points) > 0.0).all(axis=1)
        if inside.all():
            break
        more = np.where(inside, 0.0, 2.0 * more)
    return x
