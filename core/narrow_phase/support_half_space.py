# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex shapes with a support mapping (A) against half-spaces or planes (B), in closed form.

The direction is known: it is opposite to the half-space's normal. For a shape on one side of a plane, the plane is the
surface of a half-space on the side away from the middle of the shape (Lee 2018, section 13.3.2).
"""

import numpy as np

from ..convex.manifold import Patch
from ..numerics.tolerances import SUPPORT, rounding
from ..numerics.types import Bools
from ..numerics.vectors import dot, length
from ..results import Contacts, Distances, FeatureKind, Separations
from ..shapes import HalfSpaces, Planes, SupportMapped
from ..shapes.batch import Rows
from .algorithm import PairAlgorithm
from .cylinder_queries import OwnContact, contacts_of


class SupportMappedHalfSpace(PairAlgorithm[SupportMapped, HalfSpaces | Planes]):
    """Pair queries by the height of A's lowest point over B's surface."""

    def overlap(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        pairs = _Pairs(a.gathered(), b.gathered())
        return pairs.height <= pairs.slack

    def distance(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Distances:
        """Signed distance: the height of A's lowest point over the surface."""
        pairs = _Pairs(a.gathered(), b.gathered())
        point = pairs.lowest + pairs.origin
        return Distances(pairs.height, point, point - pairs.height[:, None] * pairs.normal, -pairs.normal, pairs.slack)

    def separating_axis(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Separations:
        """The gap along the half-space's normal, which is the only axis."""
        pairs = _Pairs(a.gathered(), b.gathered())
        face = np.tile(np.array([int(FeatureKind.FACE), 0]), (len(pairs.height), 1))
        feature = pairs.shapes.outline(-pairs.normal, SUPPORT * pairs.shapes.size).feature()
        return Separations(pairs.height, -pairs.normal, feature, face)

    def contacts(
        self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four corners of A's supporting feature that are in B or within `margin` of it."""
        pairs = _Pairs(a.gathered(), b.gathered())
        near = np.flatnonzero(pairs.height <= margin + pairs.slack)
        normal = pairs.normal[near]
        shapes = pairs.shapes.take(near)
        outline = shapes.outline(-normal)
        level = shapes.outline(-normal, SUPPORT * shapes.size)
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
            level.feature(),
            face[:, 0],
        )
        return contacts_of(patch, own, margin)

    def contains(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[SupportMapped], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether B contains all of A. For a plane, whether A lies in it."""
        surfaces = b.gathered()
        pairs = _Pairs(a.gathered(), surfaces)
        highest = pairs.level + dot(pairs.shapes.support(pairs.normal), pairs.normal)
        if isinstance(surfaces, Planes):
            highest = np.maximum(highest, -pairs.height)
        return highest <= pairs.slack


class _Pairs:
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
            # A is on the side where most of it is, by its extent.
            up = dot(self.shapes.support(self.normal), self.normal)
            down = dot(self.shapes.support(-self.normal), self.normal)
            turn = self.level + up < -(self.level + down)
            flip = np.where(turn, -1.0, 1.0)
            self.normal, self.level = flip[:, None] * self.normal, flip * self.level
        self.lowest = self.shapes.support(-self.normal)
        self.height = self.level + dot(self.lowest, self.normal)
        outline = self.shapes.outline(-self.normal, self.slack)
        flat = np.flatnonzero(outline.kind != FeatureKind.VERTEX)
        corners = outline.corners[flat]
        edge = (outline.kind[flat] == FeatureKind.EDGE)[:, None]
        self.lowest[flat] = np.where(edge, corners[:, :2].mean(axis=1), corners.mean(axis=1))
