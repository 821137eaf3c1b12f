# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded shapes (A) against half-spaces or planes (B), in closed form.

The direction is known: it is opposite to the half-space's normal (Lee 2018, sections 13.3.2, 13.3.3 and 13.4.3). A
plane has two sides. For a shape on one side of it, the plane is the surface of a half-space on the side away from the
shape, even if the shape reaches through the plane.
"""

import numpy as np

from ..convex.cylinders import PlacedCylinders
from ..convex.manifold import Patch
from ..numerics.rows import blocks
from ..numerics.tolerances import SUPPORT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized, perpendicular
from ..results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes import Cylinders, HalfSpaces, Planes, SupportMapped
from ..shapes.batch import Rows
from . import closed_form
from .algorithm import PairAlgorithm
from .cylinder_queries import OwnContact, contacts_of
from .half_space_supports import Bounded, Cores, Heights, Placed, Sided

# Points of a manifold, and tested points on each rim: the lowest point, and those at quarter turns from it.
_POINTS = 4


class CylinderHalfSpace(PairAlgorithm[Cylinders, HalfSpaces]):
    """A cylinder (A), by the height of its lowest point over B's surface."""

    def overlap(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        return height - cylinders.reach(-b.normal) <= slack

    def distance(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Distances:
        """Signed distance: the height of A's lowest point above the surface.

        The witness point is the middle of all lowest points: of the cap on which the cylinder stands, or of the line on
        which it lies.
        """
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        value = height - cylinders.reach(-b.normal)
        tilt = dot(cylinders.half, b.normal)
        end = np.where(2.0 * np.abs(tilt) <= slack, 0.0, cylinders.cap_sign(-b.normal))
        out = cylinders.outward(-b.normal)
        out = np.where((-dot(out, b.normal) <= slack)[:, None], 0.0, out)
        middle = end[:, None] * cylinders.half + out
        # Start from the center's height, where the cancellation of position and offset is already done.
        point_a = middle - b.normal * (height + dot(middle, b.normal) - value)[:, None] + _origin(a)
        return Distances(value, point_a, point_a - value[:, None] * b.normal, -b.normal, slack)

    def separating_axis(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Separations:
        """The gap along the half-space's normal, which is the only axis."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, _ = _placed(a, b)
        face = np.tile(np.array([FeatureKind.FACE, 0]), (len(a), 1))
        value = height - cylinders.reach(-b.normal)
        return Separations(value, -b.normal, cylinders.feature(-b.normal), face)

    def contacts(
        self, a: Rows[Cylinders], b: Rows[HalfSpaces], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four points of the rims that are in B or within `margin` of it: the deepest ones.

        The tested points of each rim are the lowest one and the three at quarter turns from it. A cylinder that stands
        on a cap has four contacts, one that lies on its side two, and one that rests on a rim one.
        """
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        axis, radius = cylinders.axis, cylinders.radius[:, None]
        first = normalized(cylinders.outward(-b.normal), perpendicular(axis))
        second = np.cross(axis, first)
        # The lowest point of the rim stays exact. With a radius of zero, only one of the four points is kept.
        around = radius[:, None] * np.stack([first, second, -first, -second], axis=1)
        spots = np.concatenate([around - cylinders.half[:, None], around + cylinders.half[:, None]], axis=1)
        gap = height[:, None] + dot(spots, b.normal[:, None])
        real = (np.arange(2 * _POINTS) % _POINTS == 0) | (radius > 0.0)
        order = np.argsort(np.where(real, gap, np.inf), axis=1, kind="stable")[:, :_POINTS]
        at = np.arange(len(a))[:, None]
        # No point may be lower than the support distance, and the lowest point must attain it.
        lowest = height - cylinders.reach(-b.normal)
        gap = np.maximum(gap, lowest[:, None])
        gap[at[:, 0], order[:, 0]] = lowest
        near = real[at, order] & (gap[at, order] <= margin + slack[:, None])
        pair, rank = np.nonzero(near)
        spot = order[pair, rank]
        normal, deep = b.normal[pair], gap[pair, spot]
        point = spots[pair, spot] - normal * (deep / 2.0)[:, None] + _origin(a)[pair]
        rim = np.stack([np.full(len(pair), FeatureKind.EDGE), spot // _POINTS], axis=1)
        shown = cylinders.take(pair).shown(rim[:, None])[:, 0]
        face = np.tile(np.array([FeatureKind.FACE, 0]), (len(pair), 1))
        return Contacts(
            pair=pair,
            point=point,
            normal=-normal,
            depth=np.maximum(-deep, -margin),
            type=contact_type(shown[:, 0], face[:, 0]),
            feature_a=shown,
            feature_b=face,
        )

    def contains(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Whether B contains all of A."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        return height + cylinders.reach(b.normal) <= slack


def _origin(a: Cylinders) -> Floats:
    return PlacedCylinders.of(a).center


def _placed(a: Cylinders, b: HalfSpaces) -> tuple[PlacedCylinders, Floats, Floats]:
    """A relative to its centers, the heights of the centers above B's surface, and the rounding error of each pair."""
    placed = PlacedCylinders.of(a)
    return placed.take(np.arange(len(a)), placed.center), *_heights(placed, b)


def _heights(placed: PlacedCylinders, b: HalfSpaces | Planes) -> tuple[Floats, Floats]:
    """The heights of the centers above B's surface, and the rounding error of each pair."""
    height: Floats = dot(placed.center, b.normal) - b.offset
    return height, rounding(placed.size, np.maximum(length(placed.center), np.abs(b.offset)))


class CylinderPlane(PairAlgorithm[Cylinders, Planes]):
    """A cylinder (A), by the half-space of the plane that does not contain its center.

    A center within rounding of the plane is on the side that the normal points to.
    """

    def overlap(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether A intersects the plane, touching included."""
        a, b = a.gathered(), b.gathered()
        return _CYLINDER_HALF_SPACE.overlap(a, _far_side(a, b))

    def distance(self, a: Rows[Cylinders], b: Rows[Planes]) -> Distances:
        """Signed distance: of the nearest point, or minus the least translation that moves A to one side."""
        a, b = a.gathered(), b.gathered()
        return _CYLINDER_HALF_SPACE.distance(a, _far_side(a, b))

    def separating_axis(self, a: Rows[Cylinders], b: Rows[Planes]) -> Separations:
        """The gap along the plane's normal, which is the only axis."""
        a, b = a.gathered(), b.gathered()
        return _CYLINDER_HALF_SPACE.separating_axis(a, _far_side(a, b))

    def contacts(self, a: Rows[Cylinders], b: Rows[Planes], margin: float, known: Distances | None = None) -> Contacts:
        """Up to four points of the rims that are beyond the plane or within `margin` of it."""
        a, b = a.gathered(), b.gathered()
        return _CYLINDER_HALF_SPACE.contacts(a, _far_side(a, b), margin)

    def contains(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether A lies in the plane. This requires a radius of zero."""
        a, b = a.gathered(), b.gathered()
        halves = _far_side(a, b)
        turned = HalfSpaces(-halves.normal, -halves.offset)
        return _CYLINDER_HALF_SPACE.contained(a, halves) & _CYLINDER_HALF_SPACE.contained(a, turned)


def _far_side(a: Cylinders, b: Planes) -> HalfSpaces:
    """The half-space of each plane that does not contain A's center."""
    height, slack = _heights(PlacedCylinders.of(a), b)
    sign = np.where(height < -slack, -1.0, 1.0)
    normal, offset = sign[:, None] * b.normal, sign * b.offset
    # Not normalized once more, which would change the last digit.
    return HalfSpaces(normal, offset).with_fields(normal=normal, offset=offset)


_CYLINDER_HALF_SPACE = CylinderHalfSpace()


class SupportMappedHalfSpace(PairAlgorithm[SupportMapped, HalfSpaces | Planes]):
    """Convex shapes with a support mapping (A), by the height of the lowest point over B's surface.

    For a plane, the half-space is on the side with the smaller part of the shape.
    """

    def overlap(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        pairs = _SupportPairs(a.gathered(), b.gathered())
        return pairs.height <= pairs.slack

    def distance(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Distances:
        """Signed distance: the height of A's lowest point over the surface."""
        pairs = _SupportPairs(a.gathered(), b.gathered())
        point = pairs.lowest + pairs.origin
        return Distances(pairs.height, point, point - pairs.height[:, None] * pairs.normal, -pairs.normal, pairs.slack)

    def separating_axis(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Separations:
        """The gap along the half-space's normal, which is the only axis."""
        pairs = _SupportPairs(a.gathered(), b.gathered())
        face = np.tile(np.array([int(FeatureKind.FACE), 0]), (len(pairs.height), 1))
        feature = pairs.shapes.outline(-pairs.normal, SUPPORT * pairs.shapes.size).feature()
        return Separations(pairs.height, -pairs.normal, feature, face)

    def contacts(
        self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four corners of A's supporting feature that are in B or within `margin` of it."""
        pairs = _SupportPairs(a.gathered(), b.gathered())
        near = np.flatnonzero(pairs.height <= margin + pairs.slack)
        normal = pairs.normal[near]
        shapes = pairs.shapes.take(near)
        outline = shapes.outline(-normal)
        rise = dot(outline.corners - pairs.lowest[near, None], normal[:, None])
        gap = pairs.height[near, None] + rise
        face = np.zeros((len(near), 1, 2), dtype=np.int64)
        face[..., 0] = FeatureKind.FACE
        patch = Patch(
            outline.corners - normal[:, None] * (gap / 2.0)[..., None],
            -gap,
            np.repeat((outline.kind != FeatureKind.VERTEX)[:, None], gap.shape[1], axis=1),
            outline.corner_feature,
            np.repeat(face, gap.shape[1], axis=1),
        )
        half = normal * (pairs.height[near] / 2.0)[:, None]
        own = OwnContact(
            near,
            pairs.origin[near],
            pairs.lowest[near] - half,
            pairs.height[near],
            -normal,
            pairs.slack[near],
            outline.feature(),
            face[:, 0],
        )
        return contacts_of(patch, own, margin)

    def contains(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether B contains all of A. For a plane, whether A lies in it."""
        surfaces = b.gathered()
        pairs = _SupportPairs(a.gathered(), surfaces)
        highest = pairs.level + dot(pairs.shapes.support(pairs.normal), pairs.normal)
        if isinstance(surfaces, Planes):
            highest = np.maximum(highest, -pairs.height)
        return highest <= pairs.slack


class _SupportPairs:
    """Distances of shapes from surfaces, relative to the centers of the shapes, which are `level` (P,) above them.

    Attributes
    ----------
    shapes : SupportMapped
        Relative to `origin` (P, 3).
    normal : (P, 3) float64
        Outward normal of the half-space.
    lowest : (P, 3) float64
        The farthest point of each shape against the normal. For a level face or edge, its middle.
    height, slack : (P,) float64
        Height of that point over the surface, and the rounding error of the pair.
    """

    def __init__(self, a: SupportMapped, b: HalfSpaces | Planes) -> None:
        self.origin = a.interior_point()
        self.shapes = a.seen_from(self.origin)
        self.normal, self.level = b.normal, dot(self.origin, b.normal) - b.offset
        self.slack = rounding(self.shapes.size, np.maximum(length(self.origin), np.abs(b.offset)))
        if isinstance(b, Planes):
            # A is on the side where most of it is, by its extent. If both sides have equal parts within rounding, it is
            # on the side of the normal.
            up = dot(self.shapes.support(self.normal), self.normal)
            down = dot(self.shapes.support(-self.normal), self.normal)
            turn = self.level + up < -(self.level + down) - self.slack
            flip = np.where(turn, -1.0, 1.0)
            self.normal, self.level = flip[:, None] * self.normal, flip * self.level
        self.lowest = self.shapes.support(-self.normal)
        self.height = self.level + dot(self.lowest, self.normal)
        outline = self.shapes.outline(-self.normal, self.slack)
        flat = np.flatnonzero(outline.kind != FeatureKind.VERTEX)
        corners = outline.corners[flat]
        edge = (outline.kind[flat] == FeatureKind.EDGE)[:, None]
        self.lowest[flat] = np.where(edge, corners[:, :2].mean(axis=1), corners.mean(axis=1))


class ConvexHalfSpace(PairAlgorithm[Bounded, HalfSpaces | Planes]):
    """Bounded shapes with a polytope core (A), by their height over B's surface."""

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
    """Bounded shapes with a polytope core (A), by their height over the side of B on which most of A is.

    The side is found by the extent of A along the plane's normal. If both sides have the same extent, A is on the side
    that the normal points to. A shape that reaches through the plane overlaps it. The depth is the length of the
    shorter separating translation.
    """

    def contained(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether A is flat and lies in the plane."""
        placed = Placed(a)
        result = np.empty(len(a), dtype=bool)
        for block in blocks(len(a)):
            pairs = Sided(placed.take(block), b.take(block))
            result[block] = np.maximum(pairs.highest(), -pairs.lowest) <= pairs.slack
        return result
