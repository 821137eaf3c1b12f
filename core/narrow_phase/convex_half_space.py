# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded shapes with a polytope core (A) against a half-space or a two-sided plane (B), in closed form.

The direction is known: it is opposite to the half-space's normal (Lee 2018, sections 13.3.2, 13.3.3 and 13.4.3).

For a plane, A is on the side where most of it is, by its extent along the plane's normal. If both sides have the same
extent, A is on the side that the normal points to. The plane then is the surface of a half-space, and everything is
computed as for a half-space. A shape that reaches through the plane overlaps it. The depth is the length of the shorter
separating translation (Lee 2018, section 13.3.2).
"""

import numpy as np

from ..numerics.rows import blocks
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes import HalfSpaces, Planes
from ..shapes.batch import Rows
from . import closed_form
from .algorithm import PairAlgorithm
from .half_space_supports import Bounded, Cores, Heights, Placed, Sided


class ConvexHalfSpace(PairAlgorithm[Bounded, HalfSpaces | Planes]):
    """Pair queries by the height of A over B's surface."""

    def overlap(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        return closed_form.overlap(Heights, Placed(a), b)

    def distance(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Distances:
        """Signed distance: the height of A's lowest point above the surface.

        The witness point is the mean of all lowest vertices. For a box that lies flat, this is the middle of its face.
        """
        return closed_form.distance(Sided, Placed(a), b)

    def separating_axis(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Separations:
        """The gap along the half-space's normal, which is the only axis, and A's lowest vertex."""
        placed, result = Placed(a), Separations.empty(len(a))
        for block in blocks(len(a)):
            pairs = Sided(placed.take(block), b.take(block))
            level = np.where(pairs.cores.real(), pairs.cores.heights(pairs.normal), np.inf)
            result.gap[block], result.axis[block] = pairs.lowest, -pairs.normal.T
            result.feature_a[block] = _shown(pairs.cores, level.argmin(axis=0), np.arange(block.stop - block.start))
            result.feature_b[block] = FeatureKind.FACE, 0
        return result

    def contacts(
        self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """A contact for each vertex (or cap, or sphere) of A that is in B or within `margin` of it."""
        placed = Placed(a)
        parts = []
        for block in blocks(len(a)):
            pairs = Sided(placed.take(block), b.take(block))
            near = np.flatnonzero(pairs.lowest <= margin + pairs.slack)
            if len(near):
                rows = block.start + near
                parts.append(_vertices(Sided(placed.take(rows), b.take(rows)), rows, margin))
        return Contacts.joined(parts)

    def contains(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether B contains all of A."""
        placed = Placed(a)
        result = np.empty(len(a), dtype=bool)
        for block in blocks(len(a)):
            pairs = Sided(placed.take(block), b.take(block))
            result[block] = pairs.highest() <= pairs.slack
        return result


def _vertices(pairs: Sided, rows: Ints, margin: float) -> Contacts:
    """Contacts of near pairs, deepest first. The first contact is as deep as the pair."""
    cores = pairs.cores
    height = pairs.height + cores.heights(pairs.normal) - cores.radius
    height = np.where(cores.real(), height, np.inf)
    at = np.arange(len(rows))
    lowest = height.argmin(axis=0)
    height[lowest, at] = pairs.lowest
    pair, vertex = np.nonzero((height <= margin + pairs.slack).T)
    gap = height[vertex, pair]
    order = np.lexsort((vertex, gap, pair))
    pair, vertex, gap = pair[order], vertex[order], gap[order]
    normal = pairs.normal[:, pair]
    # Midway between A's surface below the vertex and the surface of B.
    point = np.stack(cores.corners())[vertex, :, pair].T + cores.place[:, pair]
    point -= normal * (cores.radius[pair] + gap / 2.0)
    feature = _shown(cores, vertex, pair)
    face = np.tile(np.array([FeatureKind.FACE, 0]), (len(pair), 1))
    kind = contact_type(feature[:, 0], face[:, 0])
    depth = np.maximum(-gap, -margin)
    return Contacts(rows[pair], _rows_of(point), _rows_of(-normal), depth, kind, feature, face)


def _shown(cores: Cores, vertex: Ints, pair: Ints) -> Ints:
    """Vertices as features of the shapes. The vertices of a rounded core are spheres and caps, which are faces."""
    names = cores.names()
    kind = np.where(cores.radius[pair] > 0.0, int(FeatureKind.FACE), int(FeatureKind.VERTEX))
    return np.stack([kind, vertex if names is None else names[vertex, pair]], axis=1)


def _rows_of(vectors: Floats) -> Floats:
    return np.ascontiguousarray(vectors.T)


class ConvexPlane(ConvexHalfSpace):
    """Pair queries by the height of A over the side of B on which most of A is."""

    def contained(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether A is flat and lies in the plane."""
        placed = Placed(a)
        result = np.empty(len(a), dtype=bool)
        for block in blocks(len(a)):
            pairs = Sided(placed.take(block), b.take(block))
            result[block] = np.maximum(pairs.highest(), -pairs.lowest) <= pairs.slack
        return result
