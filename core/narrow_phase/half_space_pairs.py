# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded shapes (A) against half-spaces or planes (B), in closed form.

The direction is known: it is opposite to the half-space's normal (Lee 2018, sections 13.3.2, 13.3.3 and 13.4.3). A
plane has two sides. For a shape on one side of it, the plane is the surface of a half-space on the side away from the
shape, even if the shape extends through the plane.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Generic

import numpy as np

from ..convex.cylinders import PlacedCylinders
from ..convex.manifold import Patch
from ..numerics.rows import blocks
from ..numerics.tolerances import SUPPORT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length, normalized, perpendicular
from ..results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes import Cylinders, HalfSpaces, Planes, SupportMapped
from ..shapes.batch import Rows
from . import closed_form
from .algorithm import A, PairAlgorithm
from .half_space_supports import BlockCores, Bounded, Heights, Sided
from .patch_contacts import OwnContact, contacts_of

# Points of a manifold, and tested points on each rim: the lowest point, and those at quarter turns from it.
_POINTS = 4


class SurfacePair(PairAlgorithm[A, HalfSpaces | Planes]):
    """A bounded shape (A) against a half-space or plane (B)."""

    def contains(self, a: Any, b: HalfSpaces | Planes) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)


class _SurfaceHeights(ABC, Generic[A]):
    """Heights of shapes over surfaces, relative to the centers of the shapes, which are `level` (P,) above them.

    Attributes
    ----------
    shapes
        Relative to `origin` (P, 3).
    normal : (P, 3) float64
        Outward normal of the half-space.
    slack : (P,) float64
        The rounding error of each pair.
    """

    def __init__(self, shapes: A, origin: Floats, size: Floats, b: HalfSpaces | Planes) -> None:
        self.shapes, self.origin = shapes, origin
        self.normal, self.level = b.normal, dot(origin, b.normal) - b.offset
        self.slack = rounding(size, np.maximum(length(origin), np.abs(b.offset)))
        if isinstance(b, Planes):
            flip = np.where(self.is_behind(), -1.0, 1.0)
            self.normal, self.level = flip[:, None] * self.normal, flip * self.level

    @cached_property
    def height(self) -> Floats:
        """Height of the lowest point of each shape over the surface, (P,)."""
        return self.level - self.reach(-self.normal)

    @abstractmethod
    def reach(self, direction: Floats) -> Floats:
        """Support distances of the shapes along unit directions (P, 3)."""

    @abstractmethod
    def is_behind(self) -> Bools:
        """Whether most of each shape is behind the plane. Equal parts within rounding are in front of it."""

    @abstractmethod
    def middle(self) -> Floats:
        """The lowest point of each shape. For a level face or edge, its center."""

    @abstractmethod
    def feature(self) -> Ints:
        """The lowest feature of each shape, (P, 2)."""


class _SupportHeights(_SurfaceHeights[SupportMapped]):
    def __init__(self, a: SupportMapped, b: HalfSpaces | Planes) -> None:
        origin = a.interior_point()
        shapes = a.seen_from(origin)
        super().__init__(shapes, origin, shapes.size, b)

    def reach(self, direction: Floats) -> Floats:
        return dot(self.shapes.support(direction), direction)

    def is_behind(self) -> Bools:
        up, down = self.level + self.reach(self.normal), self.level - self.reach(-self.normal)
        return np.asarray(up < -down - self.slack)

    def middle(self) -> Floats:
        result = self.shapes.support(-self.normal)
        outline = self.shapes.outline(-self.normal, self.slack)
        flat = np.flatnonzero(outline.kind != FeatureKind.VERTEX)
        corners = outline.corners[flat]
        edge = (outline.kind[flat] == FeatureKind.EDGE)[:, None]
        result[flat] = np.where(edge, corners[:, :2].mean(axis=1), corners.mean(axis=1))
        return result

    def feature(self) -> Ints:
        return self.shapes.outline(-self.normal, SUPPORT * self.shapes.size).feature()


class _CylinderHeights(_SurfaceHeights[PlacedCylinders]):
    def __init__(self, a: Cylinders, b: HalfSpaces | Planes) -> None:
        placed = PlacedCylinders.of(a)
        super().__init__(placed.take(np.arange(len(a)), placed.center), placed.center, placed.size, b)

    def reach(self, direction: Floats) -> Floats:
        return self.shapes.reach(direction)

    def is_behind(self) -> Bools:
        return np.asarray(self.level < -self.slack)

    def middle(self) -> Floats:
        tilt = dot(self.shapes.half, self.normal)
        end = np.where(2.0 * np.abs(tilt) <= self.slack, 0.0, self.shapes.cap_sign(-self.normal))
        out = self.shapes.outward(-self.normal)
        out = np.where((-dot(out, self.normal) <= self.slack)[:, None], 0.0, out)
        result = end[:, None] * self.shapes.half + out
        # Start from the center's height, where the cancellation of position and offset is already done.
        return result - self.normal * (self.level + dot(result, self.normal) - self.height)[:, None]

    def feature(self) -> Ints:
        return self.shapes.feature(-self.normal)


class SupportMappedHalfSpace(SurfacePair[Any]):
    """Convex shapes with a support mapping (A), by the height of the lowest point over B's surface.

    For a plane, the half-space is on the side with the smaller part of the shape.
    """

    pairs: ClassVar[type[Any]] = _SupportHeights

    def overlap(self, a: Rows[Any], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        pairs = self.pairs(a.gathered(), b.gathered())
        return pairs.height <= pairs.slack

    def distance(self, a: Rows[Any], b: Rows[HalfSpaces | Planes]) -> Distances:
        """Signed distance: the height of A's lowest point over the surface.

        The witness point is the mean of all lowest points, which form a face or edge if it is level.
        """
        pairs = self.pairs(a.gathered(), b.gathered())
        point = pairs.middle() + pairs.origin
        return Distances(pairs.height, point, point - pairs.height[:, None] * pairs.normal, -pairs.normal, pairs.slack)

    def separating_axis(self, a: Rows[Any], b: Rows[HalfSpaces | Planes]) -> Separations:
        """The gap along the half-space's normal, which is the only axis."""
        pairs = self.pairs(a.gathered(), b.gathered())
        return Separations(pairs.height, -pairs.normal, pairs.feature(), _surface(len(a)))

    def contacts(
        self, a: Rows[Any], b: Rows[HalfSpaces | Planes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four corners of A's supporting feature that are in B or within `margin` of it."""
        pairs = self.pairs(a.gathered(), b.gathered())
        near = np.flatnonzero(pairs.height <= margin + pairs.slack)
        normal, height, lowest = pairs.normal[near], pairs.height[near], pairs.middle()[near]
        outline = pairs.shapes.take(near).outline(-normal)
        gap = height[:, None] + dot(outline.corners - lowest[:, None], normal[:, None])
        face = _surface(len(near))
        patch = Patch(
            outline.corners - normal[:, None] * (gap / 2.0)[..., None],
            -gap,
            np.repeat((outline.kind != FeatureKind.VERTEX)[:, None], gap.shape[1], axis=1),
            outline.corner_feature,
            np.repeat(face[:, None], gap.shape[1], axis=1),
        )
        middle = lowest - normal * (height / 2.0)[:, None]
        own = OwnContact(near, pairs.origin[near], middle, height, -normal, pairs.slack[near], outline.feature(), face)
        return contacts_of(patch, own, margin)

    def contained(self, a: Any, b: HalfSpaces | Planes) -> Bools:
        """Whether B contains all of A. For a plane, whether A lies in it."""
        pairs = self.pairs(a, b)
        highest = pairs.level + pairs.reach(pairs.normal)
        if isinstance(b, Planes):
            highest = np.maximum(highest, -pairs.height)
        return highest <= pairs.slack


class CylinderHalfSpace(SupportMappedHalfSpace):
    """Cylinders (A), by the height of the lowest point over B's surface."""

    pairs = _CylinderHeights

    def contacts(
        self, a: Rows[Any], b: Rows[HalfSpaces | Planes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four points of the rims that are in B or within `margin` of it: the deepest ones.

        The tested points of each rim are the lowest one and the three at quarter turns from it. A cylinder that stands
        on a cap has four contacts, one that lies on its side two, and one that rests on a rim one.
        """
        pairs = self.pairs(a.gathered(), b.gathered())
        cylinders, slack, outward = pairs.shapes, pairs.slack, pairs.normal
        axis, radius = cylinders.axis, cylinders.radius[:, None]
        first = normalized(cylinders.outward(-outward), perpendicular(axis))
        second = cross(axis, first)
        # The lowest point of the rim stays exact. With a radius of zero, only one of the four points is kept.
        around = radius[:, None] * np.stack([first, second, -first, -second], axis=1)
        spots = np.concatenate([around - cylinders.half[:, None], around + cylinders.half[:, None]], axis=1)
        gap = pairs.level[:, None] + dot(spots, outward[:, None])
        real = (np.arange(2 * _POINTS) % _POINTS == 0) | (radius > 0.0)
        order = np.argsort(np.where(real, gap, np.inf), axis=1, kind="stable")[:, :_POINTS]
        at = np.arange(len(a))[:, None]
        # No point may be lower than the support distance, and the lowest point must attain it.
        gap = np.maximum(gap, pairs.height[:, None])
        gap[at[:, 0], order[:, 0]] = pairs.height
        near = real[at, order] & (gap[at, order] <= margin + slack[:, None])
        pair, rank = np.nonzero(near)
        spot = order[pair, rank]
        normal, deep = outward[pair], gap[pair, spot]
        point = spots[pair, spot] - normal * (deep / 2.0)[:, None] + pairs.origin[pair]
        rim = np.stack([np.full(len(pair), FeatureKind.EDGE), spot // _POINTS], axis=1)
        shown = cylinders.take(pair).shown(rim[:, None])[:, 0]
        face = _surface(len(pair))
        return Contacts(
            pair=pair,
            point=point,
            normal=-normal,
            depth=np.maximum(-deep, -margin),
            type=contact_type(shown[:, 0], face[:, 0]),
            feature_a=shown,
            feature_b=face,
        )


def _surface(count: int) -> Ints:
    """The only feature of each half-space or plane, (N, 2)."""
    return np.tile(np.array([FeatureKind.FACE, 0]), (count, 1))


class ConvexHalfSpace(SurfacePair[Bounded]):
    """Bounded shapes with a polytope core (A), by their height over B's surface.

    For a plane, A is on the side on which most of it is, by its extent along the normal. If both sides have the same
    extent, A is on the side that the normal points to. A shape that extends through the plane overlaps it. The depth is
    the length of the shorter separating translation.
    """

    def overlap(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        return closed_form.overlap(Heights, a, b)

    def distance(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Distances:
        """Signed distance: the height of A's lowest point above the surface.

        The witness point is the mean of all lowest vertices. For a box that lies flat, this is the middle of its face.
        """
        return closed_form.distance(Sided, a, b)

    def separating_axis(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Separations:
        """The gap along the half-space's normal, which is the only axis, and A's lowest vertex."""
        result = Separations.empty(len(a))
        for block in blocks(len(a)):
            pairs = Sided(a.take(block), b.take(block))
            level = np.where(pairs.cores.real(), pairs.cores.heights(pairs.normal), np.inf)
            result.gap[block], result.axis[block] = pairs.distance, -pairs.normal.T
            result.feature_a[block] = _shown(pairs.cores, level.argmin(axis=0), np.arange(block.stop - block.start))
            result.feature_b[block] = FeatureKind.FACE, 0
        return result

    def contacts(
        self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """A contact for each vertex (or cap, or sphere) of A that is in B or within `margin` of it."""
        parts = []
        for block in blocks(len(a)):
            pairs = Sided(a.take(block), b.take(block))
            near = np.flatnonzero(pairs.distance <= margin + pairs.slack)
            if len(near):
                rows = block.start + near
                parts.append(_vertices(Sided(a.take(rows), b.take(rows)), rows, margin))
        return Contacts.joined(parts)

    def contained(self, a: Bounded, b: HalfSpaces | Planes) -> Bools:
        """Whether B contains all of A. For a plane, whether A is flat and lies in it."""
        result = np.empty(len(a), dtype=bool)
        for block in blocks(len(a)):
            pairs = Sided(a.take(block), b.take(block))
            highest = pairs.highest()
            if isinstance(b, Planes):
                highest = np.maximum(highest, -pairs.distance)
            result[block] = highest <= pairs.slack
        return result


def _vertices(pairs: Sided, rows: Ints, margin: float) -> Contacts:
    """Contacts of near pairs, deepest first. The first contact is as deep as the pair."""
    cores = pairs.cores
    height = pairs.height + cores.heights(pairs.normal) - cores.radius
    height = np.where(cores.real(), height, np.inf)
    at = np.arange(len(rows))
    lowest = height.argmin(axis=0)
    height[lowest, at] = pairs.distance
    pair, vertex = np.nonzero((height <= margin + pairs.slack).T)
    gap = height[vertex, pair]
    order = np.lexsort((vertex, gap, pair))
    pair, vertex, gap = pair[order], vertex[order], gap[order]
    normal = pairs.normal[:, pair]
    # Midway between A's surface below the vertex and the surface of B.
    point = np.stack(cores.corners())[vertex, :, pair].T + cores.place[:, pair]
    point -= normal * (cores.radius[pair] + gap / 2.0)
    feature = _shown(cores, vertex, pair)
    face = _surface(len(pair))
    kind = contact_type(feature[:, 0], face[:, 0])
    depth = np.maximum(-gap, -margin)
    point, normal = (np.ascontiguousarray(of.T) for of in (point, -normal))
    return Contacts(rows[pair], point, normal, depth, kind, feature, face)


def _shown(cores: BlockCores, vertex: Ints, pair: Ints) -> Ints:
    """Vertices as features of the shapes. The vertices of a rounded core are spheres and caps, which are faces."""
    names = cores.names()
    kind = np.where(cores.radius[pair] > 0.0, int(FeatureKind.FACE), int(FeatureKind.VERTEX))
    return np.stack([kind, vertex if names is None else names[vertex, pair]], axis=1)
