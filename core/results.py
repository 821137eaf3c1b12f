# SPDX-License-Identifier: GPL-3.0-or-later
"""What the questions answer: batches of separations, distances and contacts, and the verdicts.

One sign law for all of them: normals and axes are unit vectors that point from A to B, and a gap or distance
below zero is penetration. A contact's depth is the negative of its gap, so depth above zero is penetration.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .constants import Verdict
from .numerics.rows import RowTable
from .numerics.types import Bools, Floats, Ints
from .numerics.validation import row_lengths


class UnsupportedPair(TypeError):
    """Two kinds of shapes of which a question cannot be asked, such as two unbounded ones."""


class FeatureKind(IntEnum):
    """Which part of a shape's surface a feature id names: the dimension of the feature.

    Attributes
    ----------
    VERTEX
        A corner, or the tip of a curved surface that has no face there.
    EDGE
        A side between two faces; the side of a capsule or of a cylinder.
    FACE
        A flat face; the surface of a sphere, a cap.
    """

    VERTEX = 0
    EDGE = 1
    FACE = 2


class ContactType(IntEnum):
    """The two features that meet, in the order of Lee 2018 section 13.2.1: lower values come first.

    The first two are the ones that a manifold of polytopes is made of; the next two need a curved surface or
    a face with nothing better in it; the rest are degenerate.

    Attributes
    ----------
    POINT_FACE
        A vertex against a face.
    EDGE_EDGE
        Two edges that are not parallel.
    EDGE_FACE
        An edge that lies on a face.
    FACE_FACE
        Two faces that lie on each other, or two curved surfaces.
    POINT_EDGE
        A vertex against an edge.
    POINT_POINT
        Two vertices.
    """

    POINT_FACE = 0
    EDGE_EDGE = 1
    EDGE_FACE = 2
    FACE_FACE = 3
    POINT_EDGE = 4
    POINT_POINT = 5


def contact_type(kind_a: Ints, kind_b: Ints) -> NDArray[np.int8]:
    """`ContactType` of contacts between features of these kinds."""
    return _TYPES[kind_a, kind_b]


_TYPES = np.array(
    [
        [ContactType.POINT_POINT, ContactType.POINT_EDGE, ContactType.POINT_FACE],
        [ContactType.POINT_EDGE, ContactType.EDGE_EDGE, ContactType.EDGE_FACE],
        [ContactType.POINT_FACE, ContactType.EDGE_FACE, ContactType.FACE_FACE],
    ],
    dtype=np.int8,
)


@dataclass(frozen=True)
class Separations(RowTable):
    """The best separating axis of each pair, or the axis of least overlap.

    Attributes
    ----------
    gap : (N,) float64
        Along `axis`, the least of B minus the greatest of A. Negative: the overlap, which for convex shapes is
        minus the penetration depth.
    axis : (N, 3) float64
        Unit vector from A to B.
    feature_a, feature_b : (N, 2) int64
        What made the axis: `FeatureKind` and the feature's index in its shape; (-1, -1) where the axis comes
        from the other shape alone.
    """

    gap: Floats
    axis: Floats
    feature_a: Ints
    feature_b: Ints

    @classmethod
    def empty(cls, count: int, dimensions: int = 3) -> "Separations":
        """Room for this many answers."""
        features = np.empty((2, count, 2), dtype=np.int64)
        return cls(np.empty(count), np.empty((count, dimensions)), features[0], features[1])

    def flipped(self) -> "Separations":
        """The answers about B and A."""
        return Separations(self.gap, -self.axis, self.feature_b, self.feature_a)


@dataclass(frozen=True)
class Distances(RowTable):
    """Signed Euclidean distance of each pair, with its witnesses.

    ``point_b - point_a == distance * normal`` holds whether the pair is apart or not.

    Attributes
    ----------
    distance : (N,) float64
        Negative: the penetration depth, the length of the shortest translation that parts the two.
    point_a, point_b : (N, 3) float64
        The witness points on the surfaces of A and of B.
    normal : (N, 3) float64
        Unit vector from A to B. Moving B by ``-distance * normal`` brings an overlapping pair to touch.
    rounding : (N,) float64
        What cannot be told from zero at the coordinates of the pair: it overlaps where ``distance <= rounding``.
    """

    distance: Floats
    point_a: Floats
    point_b: Floats
    normal: Floats
    rounding: Floats

    def verdict(
        self, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0, *, interference: ArrayLike | None = None
    ) -> Ints:
        """The `Verdict` on each pair by its distance, (N,); to tell contained pairs takes more.

        Parameters
        ----------
        touching, clearance : float or (N,) array-like
            In the caller's unit; see `collision_kit.core.classify`.
        interference : (N,) array-like, optional
            What `collision_kit.core.interference` answered about the same pairs: a pair penetrates only if this is
            above the tolerance too. None: as for convex shapes, the penetration depth.

        Raises
        ------
        ValueError
            If one is no length, or there are as many as neither; names it and the row.
        """
        count = len(self.distance)
        level = np.maximum(row_lengths(touching, "touching", count), self.rounding)
        clear = row_lengths(clearance, "clearance", count)
        deepest = -self.distance
        if interference is not None:
            deepest = np.minimum(deepest, row_lengths(interference, "interference", count))
        return np.select(
            [deepest > level, self.distance <= level, self.distance <= clear],
            [int(Verdict.PENETRATING), int(Verdict.TOUCHING), int(Verdict.WITHIN_CLEARANCE)],
            int(Verdict.SEPARATED),
        )

    def touches(self) -> Bools:
        """Whether each pair touches, (N,): neither apart nor overlapping by more than rounding."""
        return np.abs(self.distance) <= self.rounding

    def flipped(self) -> "Distances":
        """The answers about B and A."""
        return Distances(self.distance, self.point_b, self.point_a, -self.normal, self.rounding)

    @classmethod
    def empty(cls, count: int, dimensions: int = 3) -> "Distances":
        """Room for this many answers."""
        vectors = np.empty((3, count, dimensions))
        return cls(np.empty(count), vectors[0], vectors[1], vectors[2], np.empty(count))


@dataclass(frozen=True)
class Impacts(RowTable):
    """When the shapes of each pair first touch as they move over the times 0 to 1.

    Attributes
    ----------
    hit : (N,) bool
        They touch within the interval; those that touch or overlap at the start do at 0.
    time : (N,) float64
        Fraction of the interval; infinite where they do not touch.
    point, normal : (N, 3) float64, in the plane (N, 2)
        Where they touch, midway between the surfaces, and the unit normal from A to B, both at that time; NaN where
        they do not touch.
    safe : (N,) float64
        The time before which there is proved to be no touch: `time` for a hit, 1 for a miss; where `decided` is
        false, as far as the proof got.
    decided : (N,) bool
        False where the search stopped at its limit: `hit` is then false, and means nothing.
    """

    hit: Bools
    time: Floats
    point: Floats
    normal: Floats
    safe: Floats
    decided: Bools

    def flipped(self) -> "Impacts":
        """The answers about B and A."""
        return replace(self, normal=-self.normal)

    @classmethod
    def misses(cls, count: int, dimensions: int = 3) -> "Impacts":
        """So many pairs that never touch."""
        nowhere = np.full((2, count, dimensions), np.nan)
        hit, decided = np.zeros(count, np.bool_), np.ones(count, np.bool_)
        return cls(hit, np.full(count, np.inf), nowhere[0], nowhere[1], np.ones(count), decided)


@dataclass(frozen=True)
class Contacts(RowTable):
    """Contact points of many pairs, one row a point, rows of one pair next to each other, deepest first.

    Attributes
    ----------
    pair : (C,) int64
        Which pair, as a row of the question.
    point : (C, 3) float64
        Midway between the two surfaces along the normal.
    normal : (C, 3) float64
        Unit vector from A to B, the same for all the points of a pair.
    depth : (C,) float64
        Positive: how far the surfaces have passed each other here; at least minus the margin asked for.
    type : (C,) int8
        `ContactType` of the point.
    feature_a, feature_b : (C, 2) int64
        `FeatureKind` and index of the feature of each shape; of a compound, of the part.
    part_a, part_b : (C,) int64
        Which part of a compound the contact is of, counted within it; 0 for all other shapes.
    friction, restitution : (C,) float64
        Of the two materials together; see `collision_kit.core.Materials`.
    """

    pair: Ints
    point: Floats
    normal: Floats
    depth: Floats
    type: NDArray[np.int8]
    feature_a: Ints
    feature_b: Ints
    # The pairs of kinds know nothing of parts and materials; `queries.contacts` sees to them.
    part_a: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    part_b: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    friction: Floats = field(default_factory=lambda: np.empty(0))
    restitution: Floats = field(default_factory=lambda: np.empty(0))

    def take(self, rows: Ints | Bools) -> "Contacts":
        """These contacts, in that order."""
        return Contacts(**{name: value[rows] if len(value) else value for name, value in vars(self).items()})

    def flipped(self) -> "Contacts":
        """The contacts of B and A."""
        return replace(
            self,
            normal=-self.normal,
            feature_a=self.feature_b,
            feature_b=self.feature_a,
            part_a=self.part_b,
            part_b=self.part_a,
        )

    @classmethod
    def joined(cls, parts: Sequence["Contacts"], dimensions: int = 3) -> "Contacts":
        """All contacts of `parts`, ordered by pair, the order within a pair kept."""
        if not parts:
            none, features = np.empty((0, dimensions)), np.empty((0, 2), np.int64)
            ids = np.empty(0, np.int64)
            return cls(ids, none, none, np.empty(0), np.empty(0, np.int8), features, features, ids, ids)
        order = np.argsort(np.concatenate([part.pair for part in parts]), kind="stable")
        everything = {name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])}
        return cls(**everything).take(order)
