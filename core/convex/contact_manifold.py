# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact manifolds of any two convex shapes whose distance, normal and witness points are known.

`kernels.manifolds` computes them one pair at a time, together with the supporting faces and features that they need.
"""

from typing import Any

import numpy as np

from ..kernels import manifolds as kernel
from ..kernels import solids
from ..kernels.results import ContactRows, DistanceRows
from ..numerics.rows import blocks
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Distances, FeatureKind, contact_type
from ..shapes.batch import Rows
from .batch_sides import FACED_BLOCK, Faced, faced
from .polytopes.placed import Polytopes
from .rooms import manifold_room

# A pair has at most this many contacts.
MOST_CONTACTS = 4


def manifold(a: Faced, b: Faced, known: Distances, margin: float) -> tuple[Contacts, bool]:
    """Compute the contacts of pairs that are at most `margin` apart. Parts and materials are not filled in.

    Also returns whether each contact belongs to a needle or a plate. A patch has the normal of its face, and depths
    along that normal. The greatest depth is that of the pair, or more within `tolerances.FACE_DEEPER` and
    `FACE_DEEPER_SIZE`.
    """
    written, distances = contact_rows(len(known)), DistanceRows(*vars(known).values())
    given = a.solids, a.rows, b.solids, b.rows, manifold_room(max(a.width, b.width)), margin
    count, thin = kernel.contacts(*given, distances, written)
    return contacts_of(written, count), thin


def contact_rows(pairs: int) -> ContactRows:
    """Room for the contacts of so many pairs."""
    count = MOST_CONTACTS * pairs
    point, normal = np.empty((2, count, 3))
    features = np.empty((2, count, 2), dtype=np.int64)
    return ContactRows(np.empty(count, dtype=np.int64), point, normal, np.empty(count), *features)


def contacts_of(written: ContactRows, count: int) -> Contacts:
    """The first `count` contacts. Parts and materials are not filled in."""
    feature_a, feature_b = written.feature_a[:count], written.feature_b[:count]
    kind = contact_type(feature_a[:, 0], feature_b[:, 0])
    where = written.pair[:count], written.point[:count], written.normal[:count], written.depth[:count]
    return Contacts(*where, kind, feature_a, feature_b)


def dropped(contacts: Contacts, off: Bools, place: Ints, gap: Distances, middle: Floats) -> Contacts:
    """Drop the contacts that are `off` (K,).

    A pair that loses its deepest contact gets one midway between its witness points, with its own normal. Contacts with
    another normal are dropped, too.

    `place` (K,) is the pair of each contact, as an index into the distances and the midpoints `middle` (P, 3). The
    contacts of a pair are together, the deepest first.
    """
    if not off.any():
        return contacts
    deepest = np.full(len(middle), -np.inf)
    np.maximum.at(deepest, place[~off], contacts.depth[~off])
    lost = np.unique(place, return_index=True)[1]
    pair = place[lost]
    lost = lost[off[lost] & (deepest[pair] < -gap.distance[pair] - gap.rounding[pair])]
    pair = place[lost]
    contacts.point[lost], contacts.depth[lost], contacts.normal[lost] = (
        middle[pair],
        -gap.distance[pair],
        gap.normal[pair],
    )
    own = np.zeros(len(middle), dtype=bool)
    own[pair] = True
    off = off | (own[place] & (contacts.normal != gap.normal[place]).any(axis=1))
    off[lost] = False
    return contacts.take(np.flatnonzero(~off))


def supporting_features(shapes: Rows[Any], normal: Floats, sign: float) -> Ints:
    """The supporting feature of each shape along its direction (P, 3) times a sign: face, edge or vertex, (P, 2).

    The shapes are spheres, capsules, boxes, triangles or hulls.
    """
    result = np.empty((len(normal), 2), dtype=np.int64)
    for block in blocks(len(normal), FACED_BLOCK):
        of = faced(shapes, np.arange(block.start, block.stop))
        ways = np.ascontiguousarray(normal[block])
        solids.supporting_features(of.solids, of.rows, manifold_room(of.width).a, ways, sign, result[block])
    return result


def shape_features(shape: Polytopes, feature: Ints) -> Ints:
    """Convert features of cores (P, K, 2) to features of the shapes.

    A vertex of a hull gets its index in the hull's input. The round surface around a point is a face. A capsule's side
    is an edge, and its caps are faces (Lee 2018, section 13.2.5).
    """
    result = feature.copy()
    names = shape.pool.names.padded(shape.geometry)
    vertex = feature[..., 0] == FeatureKind.VERTEX
    named = np.take_along_axis(names, np.where(vertex, feature[..., 1], 0), axis=1)
    result[..., 1] = np.where(vertex, named, feature[..., 1])
    rounded = (shape.radius > 0.0)[:, None]
    result[..., 0] = np.where(vertex & rounded, FeatureKind.FACE, feature[..., 0])
    return result
