# SPDX-License-Identifier: GPL-3.0-or-later
"""The support mapping, one question for every convex kind: the point farthest along a direction.

What GJK, the separating axis test and A - B are made of: the support of A - B along d is that of A along d
minus that of B along -d.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Floats
from ..numerics.validation import array
from ..numerics.vectors import dot, length, normalized
from ..shapes import Compounds, Cylinders, HalfSpaces, Hulls, Meshes, Planes, Shapes, SupportMapped, check_batch
from .cylinders import PlacedCylinders
from .polytopes import Polytopes, polytopes

# Vertices times rows of the largest intermediate array.
_BLOCK = 1 << 20


def support(shapes: Shapes, directions: ArrayLike) -> Floats:
    """The farthest point of each shape along its direction.

    Parameters
    ----------
    shapes : batch of one kind
        Of what is not convex, the answer is that of its convex hull.
    directions : (N, 3) array-like
        Of any length. A batch of one goes with every row of the other.

    Returns
    -------
    (N, 3) float64
        Of vertices that are equally far, the lowest: for a capsule its start, for a cylinder the rim at its start,
        for a box the lower side along its own axis, for a hull the vertex with the lowest index; of a cap or a base
        that is equally far, the center, of a cone's side a point of its rim. Along a direction of length zero all
        points are equally far; the answer is then the lowest vertex, of a sphere, an ellipsoid and a cone's base the
        center, of a capsule and of a cylinder the start: no radius is added. For a half-space along its normal, for a
        plane along it or against it, or of direction zero, the point of the surface nearest to the world's origin.

    Raises
    ------
    ValueError
        If the directions have the wrong shape or are not finite, numbers of rows do not go together, or a half-space
        or a plane has no farthest point because it goes on for ever that way; names the row.

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
    # To about unit length by powers of two, which leaves ties what they are.
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
    if rows.large:
        return _by_table(rows, along)
    result = np.empty((count, 3))
    size = rows.pool.vertices.count[rows.geometry]
    order = np.argsort(size, kind="stable")  # like sizes together, so that padding wastes nothing
    first = 0
    while first < count:
        # Sizes ascend: the last row that still fits decides how wide the block is.
        width = size[order[first:]]
        fits = np.arange(1, len(width) + 1) * width <= _BLOCK
        block = order[first : first + max(1, int(np.count_nonzero(fits)))]
        result[block] = _of_polytopes(rows.take(block), along[block])
        first += len(block)
    return result


def _of_polytopes(rows: Polytopes, along: Floats) -> Floats:
    """The support of each row: the vertex of the core, and the radius."""
    vertices = rows.pool.vertices.padded(rows.geometry)
    local = np.einsum("pij,pi->pj", rows.linear, along)
    best = np.argmax(np.matmul(vertices, local[:, :, None])[:, :, 0], axis=1)
    return _placed(rows, along, vertices[np.arange(len(best)), best])


def _by_table(rows: Polytopes, along: Floats) -> Floats:
    """The support of each row by the support tables, which compare a few vertices."""
    pool, local = rows.pool, np.einsum("pij,pi->jp", rows.linear, along)
    lowest = pool.table.lowest(rows.geometry, local, pool.columns, pool.vertices.start[rows.geometry])
    # Without a direction all are equally far.
    lowest = np.where(local.any(axis=0), lowest, pool.vertices.start[rows.geometry])
    return _placed(rows, along, pool.vertices.values[lowest])


def _placed(rows: Polytopes, along: Floats, vertex: Floats) -> Floats:
    """The vertex of each row, (P, 3) in its frame, in the world, and the radius beyond it."""
    core = np.einsum("pij,pj->pi", rows.linear, vertex) + rows.translation
    return core + rows.radius[:, None] * normalized(along, np.zeros(3))


def _of_compounds(batch: Compounds, along: Floats) -> Floats:
    """The farthest of the supports of each body's parts."""
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
    """The foot of each half-space or plane, where the direction is its normal or zero; of a plane, against it too."""
    unit = normalized(along, np.zeros(3))
    unbounded = length(np.cross(unit, batch.normal)) > ROUNDING_STEPS * EPS
    if isinstance(batch, HalfSpaces):
        unbounded |= dot(unit, batch.normal) < 0.0
    if unbounded.any():
        row, name = int(np.argmax(unbounded)), "half-space" if isinstance(batch, HalfSpaces) else "plane"
        raise ValueError(f"directions: row {row}: the {name} has no farthest point along it")
    return batch.normal * batch.offset[:, None]
