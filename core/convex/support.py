# SPDX-License-Identifier: GPL-3.0-or-later
"""Support mapping of all convex kinds: the farthest point along a direction.

GJK, the separating axis test and A - B are based on it. The support of A - B along d is the support of A along d minus
the support of B along -d.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Floats
from ..numerics.validation import array
from ..numerics.vectors import cross, dot, length, normalized
from ..shapes import Compounds, Cylinders, HalfSpaces, Hulls, Meshes, Planes, Shapes, SupportMapped, check_batch
from .cylinders import PlacedCylinders
from .polytopes.placed import PolytopeSupport, polytopes


def support(shapes: Shapes, directions: ArrayLike) -> Floats:
    """The farthest point of each shape along its direction.

    Parameters
    ----------
    shapes : batch of one kind
        For shapes that are not convex, the result is that of the convex hull.
    directions : (N, 3) array-like
        Of any length. A batch with one row is combined with every row of the other.

    Returns
    -------
    (N, 3) float64
        Ties go to the lowest vertex: for a capsule its start, for a cylinder the rim at its start, for a box the lower
        side along its own axis, for a hull the vertex with the lowest index. If a whole cap or base is equally far, the
        result is its center. If the side of a cone is equally far, it is a point of the rim. Along a direction of
        length zero all points are equally far. Then the result is the lowest vertex, the center of a sphere, of an
        ellipsoid and of a cone's base, and the start of a capsule and of a cylinder; no radius is added. For a
        half-space along its normal, for a plane along or against it, and for both along a zero direction, the result is
        the point of the surface nearest to the world's origin.

    Raises
    ------
    ValueError
        If the directions have the wrong shape or are not finite, if the numbers of rows do not match, or if a
        half-space or a plane is unbounded along the direction; names the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> ck.support(a, [[1, 1, 0.5]])
    array([[1., 1., 1.]])
    """
    check_batch(shapes, "shapes")
    given = array(directions, "directions", (-1, 3))
    if len(given) != len(shapes) and 1 not in (len(given), len(shapes)):
        raise ValueError(f"directions: {len(given)} rows, but there are {len(shapes)} shapes")
    count = len(shapes) if len(given) == 1 else len(given)
    # Scale to about unit length by powers of two, which preserves ties.
    scaled = np.ldexp(given, -np.frexp(np.abs(given).max(axis=1, initial=0.0, keepdims=True))[1])
    along = np.broadcast_to(scaled, (count, 3))
    batch = shapes if len(shapes) == count else shapes.take(np.zeros(count, dtype=np.int64))
    if isinstance(batch, HalfSpaces | Planes):
        return _of_surfaces(batch, along)
    if isinstance(batch, SupportMapped):
        return batch.support(along)
    if isinstance(batch, Cylinders):
        return PlacedCylinders.of(batch).support(along)
    if isinstance(batch, Compounds):
        return _of_compounds(batch, along)
    if isinstance(batch, Meshes):
        hulls = [mesh.hull for mesh in batch.geometry]
        return support(Hulls(hulls, batch.index, batch.translation, batch.rotation), along)
    rows = polytopes(batch)
    core = PolytopeSupport.of(rows).support(along)
    # For a zero direction, all vertices are equally far.
    still = np.flatnonzero(~along.any(axis=1))
    core[still] = rows.take(still).vertices[:, 0]
    return core + rows.radius[:, None] * normalized(along, np.zeros(3))


def _of_compounds(batch: Compounds, along: Floats) -> Floats:
    """The farthest support point of the parts of each body."""
    body, part = batch.parts_of(np.arange(len(batch)))
    points = np.empty((len(part), 3))
    number, slot = batch.parts.batch[part], batch.parts.slot[part]
    for kind, shapes in enumerate(batch.parts.batches):
        rows = np.flatnonzero(number == kind)
        points[rows] = support(shapes.take(slot[rows]), along[body[rows]])
    order = np.lexsort((-dot(points, along[body]), body))
    result: Floats = points[order[np.cumsum(batch.count) - batch.count]]
    return result


def _of_surfaces(batch: HalfSpaces | Planes, along: Floats) -> Floats:
    """The point of each surface nearest to the origin. Other directions than the normal (or zero) are unbounded."""
    unit = normalized(along, np.zeros(3))
    unbounded = length(cross(unit, batch.normal)) > ROUNDING_STEPS * EPS
    if isinstance(batch, HalfSpaces):
        unbounded |= dot(unit, batch.normal) < 0.0
    if unbounded.any():
        row, name = int(np.argmax(unbounded)), "half-space" if isinstance(batch, HalfSpaces) else "plane"
        raise ValueError(f"directions: row {row}: the {name} has no farthest point along it")
    return batch.normal * batch.offset[:, None]
