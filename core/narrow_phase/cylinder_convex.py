# SPDX-License-Identifier: GPL-3.0-or-later
"""A cylinder (A) against any polytope with a radius (B): box, triangle, hull, capsule.

There are finitely many directions along which features of the two shapes can face each other. All are tested, and the
best one is the result. So no iteration over the shapes has to converge. Radii are subtracted afterwards. Everything is
computed in a frame at A's position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..convex.contact_manifold import shape_features
from ..convex.cylinders import PlacedCylinders
from ..convex.cylinders.candidate_directions import FeaturePair, facing_polytopes
from ..convex.cylinders.circles import farthest_from_segment
from ..convex.cylinders.features import polytope_outline
from ..convex.cylinders.patch import cylinder_patch
from ..convex.gap import outside
from ..convex.manifold import Patch, on_faces
from ..convex.polytopes import Polytopes, PolytopeSupport, polytopes
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized
from ..results import FeatureKind
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Spheres, Triangles
from ..shapes.batch import Rows
from .convex_convex import bounding_axes
from .cylinder_queries import FacingBlock, FacingPair

Cored = Spheres | Capsules | Boxes | Triangles | Hulls

# Number of elements in the largest intermediate array of a block: a few MB of float64, which stay in cache.
_BLOCK = 1 << 19


@dataclass(frozen=True)
class _FacingBlock(FacingBlock):
    """Cylinders against polytopes."""

    b: Polytopes

    @property
    def radius(self) -> Floats:
        return self.b.radius

    def is_unique(self) -> Bools:
        level = self.a.facing_side(self.normal, self.slack) | self.a.facing_cap(self.normal, self.slack)
        return (self.facing.feature_pair >= FeaturePair.RIM_EDGE) & ~level

    def witness(self) -> Floats:
        at = np.arange(len(self.rows))
        feature_pair, normal, vertices = self.facing.feature_pair, self.normal, self.b.vertices
        lowest = np.matmul(vertices, normal[:, :, None])[:, :, 0].argmin(axis=1)
        result = vertices[at, np.where(feature_pair == FeaturePair.VERTEX, self.facing.index, lowest)]
        face = feature_pair == FeaturePair.FACE
        result[face] = self.a.support(normal)[face]
        rows = np.flatnonzero((feature_pair == FeaturePair.SIDE_EDGE) | (feature_pair == FeaturePair.RIM_EDGE))
        if len(rows):
            a, normal = self.a.take(rows), normal[rows]
            ends = vertices[rows[:, None], self.b.edges[rows, self.facing.index[rows]][:, :2]]
            start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
            # Intersection of the edge with the axis, seen along the normal.
            aside = np.cross(a.axis, normal)
            speed = dot(along, aside)
            t = dot(a.center - start, aside) / np.where(speed != 0.0, speed, 1.0)
            crossing = start + np.clip(t, 0.0, 1.0)[:, None] * along
            rim = a.rim_facing(normal, start, normalized(along, normal))
            result[rows] = np.where((feature_pair[rows] == FeaturePair.SIDE_EDGE)[:, None], crossing, rim)
        return result

    def patch(self, level: Floats | None = None) -> Patch:
        if level is None:
            on_cap, on_side = self.a.nearly_facing_cap(self.normal), self.a.nearly_facing_side(self.normal)
            outline = polytope_outline(self.b, -self.normal, on_cap, on_side)
        else:
            outline = polytope_outline(self.b, -self.normal, level=level)
        found = cylinder_patch(self.a, outline, self.normal, self.b.radius, level)
        over = found.valid & (outline.kind == FeatureKind.FACE)[:, None]
        up, rise = self.normal[:, None], np.zeros_like(found.depth)
        on_b = found.point - np.where(over, found.depth / 2.0, 0.0)[..., None] * up
        on_faces(self.b, over, on_b, self.normal, rise, -1.0)
        point = found.point + (rise / 2.0)[..., None] * up
        return Patch(point, found.depth - rise, found.valid, found.feature_a, shape_features(self.b, found.feature_b))

    def outside(self, point_a: Floats, point_b: Floats, every: bool = False) -> Floats:
        result = length(self.a.nearest(point_a) - point_a)
        # A witness point on a face or an edge may come from a rim. All other witness points come from vertices.
        by_rim = (self.facing.feature_pair == FeaturePair.FACE) | (self.facing.feature_pair == FeaturePair.RIM_EDGE)
        rows = np.flatnonzero(by_rim | every)
        if len(rows):
            off = outside(self.b.take(rows), point_b[rows]) - self.b.radius[rows]
            result[rows] = np.maximum(result[rows], off)
        return result

    def support_of_b(self) -> PolytopeSupport:
        return PolytopeSupport.of(self.b)

    def features(self) -> tuple[Ints, Ints]:
        outline = polytope_outline(self.b, -self.normal)
        return self.a.feature(self.normal), shape_features(self.b, outline.feature()[:, None])[:, 0]


class CylinderConvex(FacingPair[Cylinders, Cored]):
    """Pair queries by the best of all directions along which features of the two can face each other."""

    def blocks(self, a: Cylinders, b: Cored) -> Iterator[_FacingBlock]:
        """See `FacingPair`."""
        for rows, cylinders, cores, origin, slack in _blocks(a, b):
            yield _FacingBlock(rows, origin, cylinders, cores, facing_polytopes(cylinders, cores), slack)

    def contains(self, a: Rows[Cylinders], b: Rows[Cored]) -> Bools:
        """Whether A contains all of B: every vertex of its core, with the radius around it."""
        a, b = a.gathered(), b.gathered()
        result = np.zeros(len(a), dtype=bool)
        for rows, cylinders, cores, _, slack in _blocks(a, b):
            spoke = cores.vertices - cylinders.center[:, None]
            level = dot(spoke, cylinders.axis[:, None])
            aside = length(spoke - level[..., None] * cylinders.axis[:, None]).max(axis=1)
            result[rows] = (np.abs(level).max(axis=1) + cores.radius <= cylinders.height + slack) & (
                aside + cores.radius <= cylinders.radius + slack
            )
        return result

    def contained(self, a: Rows[Cylinders], b: Rows[Cored]) -> Bools:
        """Whether B contains all of A: A is behind all faces, or within the radius of the core's segment."""
        a, b = a.gathered(), b.gathered()
        result = np.zeros(len(a), dtype=bool)
        for rows, cylinders, cores, _, slack in _blocks(a, b):
            if cores.vertices.shape[1] <= 2:
                start, end = cores.vertices[:, 0], cores.vertices[:, -1]
                rims = [cylinders.center + sign * cylinders.half for sign in (-1.0, 1.0)]
                far = [farthest_from_segment(rim, cylinders.axis, cylinders.radius, start, end) for rim in rims]
                # Segment and point hulls without a radius are handled here, too. They contain what lies on them.
                result[rows] = np.maximum(*far) <= cores.radius + slack
            else:
                axes = bounding_axes(cores)
                result[rows] = (cylinders.reach(axes) <= cores.greatest(axes) + slack[:, None]).all(axis=1)
        return result


def _blocks(a: Cylinders, b: Cored) -> Iterator[tuple[Ints, PlacedCylinders, Polytopes, Floats, Floats]]:
    """Blocks of pairs of similar cost: rows, A and B relative to A's position, that position, and rounding errors."""
    left, right = PlacedCylinders.of(a), polytopes(b)
    vertices = right.pool.vertices.count[right.geometry]
    edges = right.pool.edges.count[right.geometry]
    size = np.ceil(np.log2(vertices)).astype(np.int64)
    for key in np.unique(size):
        group = np.flatnonzero(size == key)
        step = max(1, _BLOCK // int(24 * edges[group].max() + 2 * vertices[group].max() ** 2))
        for first in range(0, len(group), step):
            rows = group[first : first + step]
            origin = left.center[rows]
            cylinders, cores = left.take(rows, origin), right.take(rows, origin)
            offset = np.maximum(length(origin), length(right.translation[rows]))
            yield rows, cylinders, cores, origin, rounding(cylinders.size + cores.size, offset)
