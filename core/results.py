# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the queries: batches of separations, distances, impacts and contacts, the verdicts, and statistics.

All of them use the same signs. Normals and axes are unit vectors that point from A to B. A negative gap or distance
means penetration. A contact's depth is the negated gap, so a positive depth means penetration.

A cheap test that resolves a pair saves all later stages (Lee 2018, section 13.1.2). `QueryStats` counts how many pairs
each stage resolved. Queries report to it with `record_pairs` and `record_resolved`, which cost almost nothing if none
is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from enum import IntEnum
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .constants import Verdict
from .numerics.rows import RowTable, takes_rows
from .numerics.types import Bools, Floats, Ints
from .numerics.validation import row_lengths


class UnsupportedPair(TypeError):
    """A query for two kinds of shapes that it does not support, such as two unbounded shapes."""


class FeatureKind(IntEnum):
    """Part of a shape's surface that a feature id refers to: the dimension of the feature.

    Attributes
    ----------
    VERTEX
        A corner, or the tip of a curved surface that has no face there.
    EDGE
        A side between two faces, or the side of a capsule or a cylinder.
    FACE
        A flat face, or the surface of a sphere or a cap.
    """

    VERTEX = 0
    EDGE = 1
    FACE = 2


class ContactType(IntEnum):
    """The two features in contact, in the order of Lee 2018 section 13.2.1: lower values have priority.

    The contact manifolds of polytopes consist of the first two types. The next two types occur with curved surfaces,
    or if a face has no better contact. The others are degenerate.

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


# The enumerations of the fields of results.
_OF_FEATURES: dict[str, type[IntEnum]] = {"feature_a": FeatureKind, "feature_b": FeatureKind}
_OF_FEATURE: dict[str, type[IntEnum]] = {"feature": FeatureKind}
_OF_CONTACTS: dict[str, type[IntEnum]] = {"type": ContactType, **_OF_FEATURES}


@dataclass(frozen=True, eq=False, repr=False)
class Separations(RowTable):
    """The best separating axis of each pair or, if the pair overlaps, the axis of least overlap.

    Attributes
    ----------
    gap : (N,) float64
        Along `axis`: the minimum of B minus the maximum of A. If negative, its magnitude is the overlap, which is the
        penetration depth if both shapes are convex.
    axis : (N, 3) float64
        Unit vector from A to B.
    feature_a, feature_b : (N, 2) int64
        The features that define the axis: `FeatureKind` and the feature's index in its shape; (-1, -1) if only the
        other shape defines the axis.
    """

    gap: Floats
    axis: Floats
    feature_a: Ints
    feature_b: Ints
    enums = _OF_FEATURES

    @classmethod
    def empty(cls, count: int, dimensions: int = 3) -> Separations:
        """An uninitialized batch of this many rows."""
        features = np.empty((2, count, 2), dtype=np.int64)
        return cls(np.empty(count), np.empty((count, dimensions)), features[0], features[1])

    def flipped(self) -> Separations:
        """The results for B and A."""
        return Separations(self.gap, -self.axis, self.feature_b, self.feature_a)


@dataclass(frozen=True, eq=False, repr=False)
class Depths(RowTable):
    """Interference of each pair; see `collision_kit.core.interference`.

    Attributes
    ----------
    depth : (N,) float64
        The depth of the deepest point that was found.
    bound : (N,) float64
        No point is deeper, apart from the stated accuracy. Equal to `depth`, or greater if the search for the deepest
        point was ended because it took too long. Then the pair is at least as deep as `depth`.
    """

    depth: Floats
    bound: Floats

    @property
    def at_least(self) -> Bools:
        """Return of which pairs the depth is only a lower bound, (N,)."""
        return self.bound > self.depth


@dataclass(frozen=True, eq=False, repr=False)
class Distances(RowTable):
    """Signed Euclidean distance of each pair, with its witness points.

    ``point_b - point_a == distance * normal`` holds whether the pair is separated or not.

    Attributes
    ----------
    distance : (N,) float64
        If negative, its magnitude is the penetration depth: the length of the shortest translation that separates the
        pair.
    point_a, point_b : (N, 3) float64
        The witness points on the surfaces of A and of B.
    normal : (N, 3) float64
        Unit vector from A to B. Moving B by ``-distance * normal`` brings an overlapping pair into touching contact.
    rounding : (N,) float64
        Distances up to this are indistinguishable from zero at the coordinates of the pair. A pair overlaps if
        ``distance <= rounding``.
    """

    distance: Floats
    point_a: Floats
    point_b: Floats
    normal: Floats
    rounding: Floats

    def verdict(
        self, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0, *, interference: ArrayLike | None = None
    ) -> Ints:
        """The `Verdict` on each pair by its distance, (N,). Contained pairs are reported as penetrating.

        Parameters
        ----------
        touching, clearance : float or (N,) array-like
            In the caller's unit; see `collision_kit.core.classify`.
        interference : (N,) array-like, optional
            The result of `collision_kit.core.interference` for the same pairs. A pair then penetrates only if its
            interference is above the tolerance, too. If None, the penetration depth is used, as is correct for convex
            shapes.

        Raises
        ------
        ValueError
            If a value is not a valid length, or the number of values is neither 1 nor N. The message names the
            parameter and the row.
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
        """Whether each pair touches, (N,): its distance or its penetration depth is within rounding."""
        return np.abs(self.distance) <= self.rounding

    def flipped(self) -> Distances:
        """The results for B and A."""
        return Distances(self.distance, self.point_b, self.point_a, -self.normal, self.rounding)

    @classmethod
    def empty(cls, count: int, dimensions: int = 3) -> Distances:
        """An uninitialized batch of this many rows."""
        vectors = np.empty((3, count, dimensions))
        return cls(np.empty(count), vectors[0], vectors[1], vectors[2], np.empty(count))


@dataclass(frozen=True, eq=False, repr=False)
class Impacts(RowTable):
    """First time of contact of each pair while its shapes move from time 0 to time 1.

    Attributes
    ----------
    hit : (N,) bool
        Whether the pair touches within the interval. Pairs that touch or overlap at the start have a hit at time 0.
    time : (N,) float64
        Fraction of the interval; infinite if the pair does not touch.
    point, normal : (N, 3) float64, in the plane (N, 2)
        The contact point, midway between the surfaces, and the unit normal from A to B, both at that time. NaN if the
        pair does not touch.
    safe : (N,) float64
        The pair is proved not to touch before this time. It is `time` for a hit and 1 for a miss. If `decided` is
        false, it is the time up to which the proof succeeded.
    decided : (N,) bool
        False if the search stopped at its limit. `hit` is then false and has no meaning.
    """

    hit: Bools
    time: Floats
    point: Floats
    normal: Floats
    safe: Floats
    decided: Bools

    def flipped(self) -> Impacts:
        """The results for B and A."""
        return replace(self, normal=-self.normal)

    @classmethod
    def misses(cls, count: int, dimensions: int = 3) -> Impacts:
        """A batch of `count` pairs that never touch."""
        nowhere = np.full((2, count, dimensions), np.nan)
        hit, decided = np.zeros(count, np.bool_), np.ones(count, np.bool_)
        return cls(hit, np.full(count, np.inf), nowhere[0], nowhere[1], np.ones(count), decided)


@dataclass(frozen=True, eq=False, repr=False)
class RayHits(RowTable):
    """First hits of rays on shapes.

    Attributes
    ----------
    hit : (R,) bool
    distance : (R,) float64
        Along the unit direction, from the origin of the ray. 0 for a ray that begins inside or on a shape, infinite for
        a miss.
    point : (R, 3) float64, in the plane (R, 2)
        Hit point on the surface. NaN for a miss.
    normal : (R, 3) float64, in the plane (R, 2)
        Unit normal of the surface, against the ray. For a ray that begins inside, its reversed direction. NaN for a
        miss.
    feature : (R, 2) int64
        `FeatureKind` and index of the hit feature. For a compound, of its part. (-1, -1) for a miss, and for a ray that
        begins inside.
    inside : (R,) bool
        Whether the ray begins inside a solid or on its surface.
    part : (R,) int64
        For a compound, the index of the hit part. 0 for all other shapes.
    """

    hit: Bools
    distance: Floats
    point: Floats
    normal: Floats
    feature: Ints
    inside: Bools
    part: Ints
    enums = _OF_FEATURE

    @classmethod
    def misses(cls, count: int, dimensions: int = 3) -> RayHits:
        """A batch of misses."""
        nowhere = np.full((2, count, dimensions), np.nan)
        feature, part = np.full((count, 2), -1), np.zeros(count, np.int64)
        hit, inside = np.zeros((2, count), np.bool_)
        return cls(hit, np.full(count, np.inf), nowhere[0], nowhere[1], feature, inside, part)


@dataclass(frozen=True, eq=False, repr=False)
class WorldRayHits(RayHits):
    """Hits of rays on the shapes of a world.

    Attributes
    ----------
    hit, distance, point, normal, feature, inside, part
        As in `RayHits`.
    shape : (R,) int64
        The row of the shape in the world. -1 for a miss.
    ray : (R,) int64
        The row of the ray.
    """

    shape: Ints
    ray: Ints


@dataclass(frozen=True, eq=False, repr=False)
class ClosestPoints(RowTable):
    """The nearest points of the surfaces of shapes to given points.

    ``given - point == distance * normal`` holds for given points inside and outside.

    Attributes
    ----------
    distance : (Q,) float64
        Signed distance of the given point from the surface. Negative inside.
    point : (Q, 3) float64
        The nearest point of the surface.
    normal : (Q, 3) float64
        Unit vector out of the shape: the gradient of the distance.
    feature : (Q, 2) int64
        `FeatureKind` and index of the feature that contains the nearest point. For a compound, of its part.
    part : (Q,) int64
        For a compound, the index of the nearest or deepest part; 0 for all other shapes.
    """

    distance: Floats
    point: Floats
    normal: Floats
    feature: Ints
    part: Ints
    enums = _OF_FEATURE


@dataclass(frozen=True, eq=False, repr=False)
class WorldClosestPoints(ClosestPoints):
    """The nearest points of the shapes of a world to given points.

    Attributes
    ----------
    distance, point, normal, feature, part
        As in `ClosestPoints`.
    shape : (Q,) int64
        The row of the nearest or deepest shape in the world.
    """

    shape: Ints


@dataclass(frozen=True, eq=False, repr=False)
class WorldImpacts(Impacts):
    """The first shapes of a world that moving shapes touch.

    Attributes
    ----------
    hit, time, point, normal, safe, decided
        As in `Impacts`. The normal points from the moving shape to the other.
    shape : (N,) int64
        The row of the shape that is touched first; -1 if there is none.
    """

    shape: Ints


def put_hits(result: Impacts, rows: Ints | Bools, time: Floats | float, point: Floats, normal: Floats) -> None:
    """Make hits of these rows."""
    result.hit[rows], result.time[rows], result.safe[rows] = True, time, time
    result.point[rows], result.normal[rows] = point, normal


@dataclass(frozen=True, eq=False, repr=False)
class Contacts(RowTable):
    """Contact points of many pairs. Rows of the same pair are consecutive, deepest first.

    Attributes
    ----------
    pair : (C,) int64
        Index of the pair in the query.
    point : (C, 3) float64
        Midway between the two surfaces, along the normal.
    normal : (C, 3) float64
        Unit vector from A to B. It is the same for all points of a pair, except for meshes, whose points each have
        their own.
    depth : (C,) float64
        Positive if the surfaces penetrate here. At least the negated margin of the query. For a pair with a mesh: the
        distance of the point of one boundary from the other one.
    type : (C,) int8
        `ContactType` of the point.
    feature_a, feature_b : (C, 2) int64
        `FeatureKind` and index of the feature of each shape. For a compound: of its part.
    part_a, part_b : (C,) int64
        For a compound, the index of the part within it; 0 for all other shapes.
    friction, restitution : (C,) float64
        The combined values of the two materials; see `collision_kit.core.Materials`.
    """

    pair: Ints
    point: Floats
    normal: Floats
    depth: Floats
    type: NDArray[np.int8]
    feature_a: Ints
    feature_b: Ints
    # The algorithms for pairs of kinds do not fill in parts and materials; `queries.contacts` does.
    part_a: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    part_b: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    friction: Floats = field(default_factory=lambda: np.empty(0))
    restitution: Floats = field(default_factory=lambda: np.empty(0))
    enums = _OF_CONTACTS

    @takes_rows
    def take(self, rows: Ints | slice) -> Contacts:
        """These contacts, in that order; `rows` may also be a mask of all contacts."""
        return Contacts(**{name: value[rows] if len(value) else value for name, value in vars(self).items()})

    def of(self, pair: int) -> Contacts:
        """The contacts of one pair of the query, deepest first; none if it has none."""
        return self.take(np.flatnonzero(self.pair == pair))

    def flipped(self) -> Contacts:
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
    def joined(cls, parts: Sequence[Contacts], dimensions: int = 3) -> Contacts:
        """All contacts of `parts`, ordered by pair, the order within a pair kept."""
        if not parts:
            none, features = np.empty((0, dimensions)), np.empty((0, 2), np.int64)
            ids = np.empty(0, np.int64)
            return cls(ids, none, none, np.empty(0), np.empty(0, np.int8), features, features, ids, ids)
        if len(parts) == 1:
            every = parts[0]
        else:
            every = cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])})
        pair = every.pair
        ordered = len(pair) < 2 or bool((pair[1:] >= pair[:-1]).all())
        return every if ordered else every.take(np.argsort(pair, kind="stable"))


def contacts_per_margin(query: Callable[[Ints, float], Contacts], margin: Floats) -> Contacts:
    """The contacts of each pair up to its margin. Some contacts may be up to twice as far apart.

    Margins are rounded up to powers of two, with one query for each distinct value. The contacts of a pair therefore do
    not depend on the other pairs.

    Parameters
    ----------
    query : function
        Takes rows of `margin` and a distance. Returns the contacts of these pairs up to that distance.
    margin : (P,) float64
        Not negative.

    Returns
    -------
    Contacts
        `pair` is the row of `margin`.
    """
    parts = []
    for rows, most in per_margin(margin):
        part = query(rows, most)
        parts.append(replace(part, pair=rows[part.pair]))
    return Contacts.joined(parts)


def per_margin(margin: Floats) -> Iterator[tuple[Ints, float]]:
    """Rows of margins (P,) that are equal after they are rounded up to powers of two, and that value."""
    positive = margin > 0.0
    reach = np.where(positive, np.exp2(np.ceil(np.log2(np.where(positive, margin, 1.0)))), 0.0)
    for most in np.unique(reach).tolist():
        yield np.flatnonzero(reach == most), most


BOUNDING_SPHERES = "bounding spheres"
CACHED_AXIS = "cached axis"
FACE_AXES = "face axes"
EDGE_AXES = "edge axes"
EXACT = "exact"


class QueryStats:
    """Counts which stage resolved each pair, over all queries made while it is open.

    Open it around the queries::

        with ck.QueryStats() as stats:
            ck.overlap(a, b)
        print(stats)     # 10000 pairs: 8120 bounding spheres, 1400 face axes, 480 edge axes

    Attributes
    ----------
    pairs : int
        Pairs queried.
    resolved_by : dict of str to int
        Pairs resolved by each stage, in the order in which the stages first resolved one. Pairs that no stage claims
        were resolved by a single-stage method.
    """

    def __init__(self) -> None:
        self.pairs = 0
        self.resolved_by: dict[str, int] = {}
        self._token: Token[tuple[QueryStats, ...]] | None = None

    def __enter__(self) -> Self:
        self._token = _OPEN.set((*_OPEN.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._token is not None
        _OPEN.reset(self._token)

    def __str__(self) -> str:
        stages = ", ".join(f"{count} {stage}" for stage, count in self.resolved_by.items())
        return f"{self.pairs} pairs: {stages}"


_OPEN: ContextVar[tuple[QueryStats, ...]] = ContextVar("open query statistics", default=())


def record_pairs(count: int) -> None:
    """Record that `count` pairs were queried."""
    for stats in _OPEN.get():
        stats.pairs += count


def record_resolved(stage: str, pairs: int | Bools) -> None:
    """Record that a stage resolved a number of pairs, or the pairs of a mask."""
    for stats in _OPEN.get():
        count = int(np.count_nonzero(pairs)) if isinstance(pairs, np.ndarray) else pairs
        stats.resolved_by[stage] = stats.resolved_by.get(stage, 0) + count
