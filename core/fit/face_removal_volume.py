# SPDX-License-Identifier: GPL-3.0-or-later
"""What a polytope gains when one of its half-spaces goes: a cap over the face, measured for many faces at once."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..numerics.tolerances import FIT_BOUNDED
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot

_MOST = 24
"""Faces of more sides are not tried: they have fewer when some of their neighbors are gone."""


@dataclass(frozen=True, eq=False)
class Cap:
    """What is gained over one face.

    Attributes
    ----------
    volume : float
        Infinite where the other half-spaces do not bound it.
    triangles : (k - 2, 3) int64
        Of the dual, between the k neighbors, as places in their ring: the new corners.
    """

    volume: float
    triangles: Ints


def caps(point: Floats, ring: Floats) -> list[Cap]:
    """The caps of K faces with k neighbors each, in general position.

    Parameters
    ----------
    point : (K, 3) float64
        The dual points of the faces.
    ring : (K, k, 3) float64
        Those of their neighbors, in order, counter-clockwise seen from outside.
    """
    count, size = ring.shape[:2]
    none = np.empty((0, 3), np.int64)
    if size > _MOST:
        return [Cap(np.inf, none)] * count
    triples = np.array(list(combinations(range(size), 3)))
    corner = ring[:, triples]
    origin = corner[:, :, 0]
    normal = np.cross(corner[:, :, 1] - origin, corner[:, :, 2] - origin)
    offset = dot(normal, origin)
    height = np.matmul(normal, ring.transpose(0, 2, 1)) - offset[:, :, None]
    height[:, np.arange(len(triples))[:, None], triples] = -1.0
    # Triangles of the neighbors' hull that face the point which goes.
    seen = (height < 0.0).all(axis=2) & (dot(normal, point[:, None]) > offset)
    limit = FIT_BOUNDED * np.sqrt(dot(normal, normal)) * np.abs(ring).max(axis=(1, 2))[:, None]
    good = np.flatnonzero((seen.sum(axis=1) == size - 2) & ~(seen & (offset <= limit)).any(axis=1))
    result = [Cap(np.inf, none)] * count
    if len(good):
        which, triple = np.nonzero(seen[good])
        triangles = triples[triple].reshape(len(good), size - 2, 3)
        place = normal[good][which, triple] / offset[good][which, triple][:, None]
        volumes = _volumes(point[good], ring[good], triangles, place.reshape(len(good), size - 2, 3))
        for row, volume, made in zip(good, volumes, triangles, strict=True):
            result[row] = Cap(float(volume), made)
    return result


def _volumes(point: Floats, ring: Floats, triangles: Ints, tips: Floats) -> Floats:
    """Volumes of caps: a sixth of the sum, over all faces and their edges, of the determinants that these span.

    Every edge of a cap lies between two planes a and b, and joins the corner of the dual triangle to the right of the
    edge from a to b with that to the left. The corners are measured from one on the face that goes, which adds nothing
    then.
    """
    count, size = ring.shape[:2]
    rows = np.arange(count)[:, None]
    after = np.roll(ring, -1, axis=1)
    base = _meet(np.broadcast_to(point[:, None], ring.shape), ring, after)
    origin = base[:, :1]
    base, tips = base - origin, tips - origin
    left = np.zeros((count, size, size, 3))
    for first, second in ((0, 1), (1, 2), (2, 0)):
        left[rows, triangles[:, :, first], triangles[:, :, second]] = tips
    place = np.arange(size)
    left[:, (place + 1) % size, place] = base
    turn = np.cross(left.transpose(0, 2, 1, 3), left).sum(axis=2) + np.cross(np.roll(base, 1, axis=1), base)
    # From that corner, the foot on the plane q · x = 1.
    foot = (1.0 - dot(ring, origin)) / dot(ring, ring)
    volumes: Floats = (foot[:, :, None] * ring * turn).sum(axis=(1, 2)) / 6.0
    return volumes


def _meet(a: Floats, b: Floats, c: Floats) -> Floats:
    """Where the planes of three dual points meet."""
    normal = np.cross(b - a, c - a)
    result: Floats = normal / dot(normal, a)[..., None]
    return result
