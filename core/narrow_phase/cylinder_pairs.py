# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders against cylinders and against polytopes with a radius: boxes, triangles, hulls and capsules.

GJK and EPA measure nearly all pairs. For the others, all directions along which features of the two shapes can face
each other are tested: caps, sides, rims, and the faces, edges and vertices of a polytope. There are finitely many, and
the best one is the result. So no iteration over the shapes has to converge, but for two rims: their direction is
searched as for any two round shapes (`support_gap`). Radii are subtracted afterwards. Everything is computed in a frame
at A's position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..convex.batch_sides import faced, side_rows
from ..convex.contact_manifold import contact_rows, contacts_of, dropped, shape_features
from ..convex.cylinders import PlacedCylinders
from ..convex.cylinders.candidate_directions import (
    BestDirection,
    FeaturePair,
    face_rims,
    facing_cylinders,
    facing_polytopes,
)
from ..convex.cylinders.circles import farthest_from_line, farthest_from_segment
from ..convex.cylinders.placed import polytope_outline
from ..convex.polytopes.placed import Polytopes, PolytopeSupport, polytopes
from ..convex.rooms import manifold_room
from ..kernels import cylinder_contacts
from ..kernels.results import DistanceRows
from ..numerics.tolerances import OFF_THIN, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import (
    circles,
    cross,
    dot,
    length,
    normalized,
    perpendicular,
)
from ..results import Contacts, Distances
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Spheres, Triangles
from ..shapes.batch import Rows
from .convex_convex import all_inside, bounding_axes, outside
from .cylinder_queries import FacingBlock, FacingPair
from .support_cores import CylinderCores
from .support_gap import measured

# Tested points of each rim.
_ROUND = 16


# Corners of an outline on the side of a cylinder.
_RIMS = 2

# Pairs of a block. Each needs some thousand numbers. Smaller blocks fit in cache, but take more calls for few pairs.
_CYLINDERS = 1 << 12


@dataclass(frozen=True)
class _CylinderBlock(FacingBlock):
    """Cylinders against cylinders."""

    b: PlacedCylinders

    @property
    def radius(self) -> Floats:
        return np.zeros(len(self))

    def is_unique(self) -> Bools:
        beside = self.a.facing_side(self.normal, self.slack) & self.b.facing_side(-self.normal, self.slack)
        return (self.facing.feature_pair >= FeaturePair.RIM_EDGE) & ~beside

    def witness(self) -> Floats:
        feature_pair, normal, index = self.facing.feature_pair, self.normal, self.facing.index
        # The index numbers the rims of A against B's side first, then the rims of B against A's side.
        on_b = (feature_pair == FeaturePair.CAP) | ((feature_pair == FeaturePair.RIM_EDGE) & (index >= 2))
        # If A's side or cap faces B, A has no unique farthest point. The distance then came from a point of B's rim.
        level = self.a.facing_side(normal, self.slack) | self.a.facing_cap(normal, self.slack)
        on_b |= (feature_pair == FeaturePair.VERTEX) & level
        result = np.where(on_b[:, None], self.b.support(-normal), self.a.support(normal))
        rows = np.flatnonzero(feature_pair == FeaturePair.SIDE_EDGE)
        # Intersection of the axes, seen along the normal.
        along = self.b.half[rows]
        aside = cross(self.a.axis[rows], normal[rows])
        speed = dot(along, aside)
        t = dot(self.a.center[rows] - self.b.center[rows], aside) / np.where(speed != 0.0, speed, 1.0)
        result[rows] = self.b.center[rows] + np.clip(t, -1.0, 1.0)[:, None] * along
        return result

    def write_middles(self, normal: Floats, distance: Floats, slack: Floats, middle: Floats) -> None:
        cylinder_contacts.middles_with_cylinders(
            self.a.side, self.b.side, manifold_room(_RIMS), normal, distance, slack, middle
        )

    def outside(self, point_a: Floats, point_b: Floats) -> Floats:
        return np.maximum(length(self.a.nearest(point_a) - point_a), length(self.b.nearest(point_b) - point_b))

    def support_of_b(self) -> PlacedCylinders:
        return self.b

    def features(self) -> tuple[Ints, Ints]:
        return self.a.feature(self.normal), self.b.feature(-self.normal)


class CylinderCylinder(FacingPair[Cylinders, Cylinders]):
    """Pair queries by the best of all directions along which features of the two can face each other."""

    def blocks(self, a: Cylinders, b: Cylinders, known: Distances | None = None) -> Iterator[_CylinderBlock]:
        """See `FacingPair`."""
        for rows, left, right, origin, slack in _cylinder_blocks(a, b):
            facing = _facing(left, right) if known is None else BestDirection.of(known.take(rows))
            yield _CylinderBlock(rows, origin, left, right, facing, slack)

    def manifold(self, a: Rows[Cylinders], b: Rows[Cylinders], margin: float, known: Distances) -> Contacts:
        """See `FacingPair`."""
        written = contact_rows(len(known))
        off = np.empty(len(written.pair), dtype=bool)
        given = *side_rows(a), *side_rows(b), manifold_room(_RIMS), margin
        count = cylinder_contacts.with_cylinders(*given, DistanceRows(*vars(known).values()), written, off)
        made = contacts_of(written, count)
        return dropped(made, off[:count], made.pair, known, (known.point_a + known.point_b) / 2.0)

    def contains(self, a: Cylinders, b: Cylinders) -> Bools:
        """Whether A contains all of B: B is between A's caps, and B's rims are within A's radius of A's axis."""
        result = np.zeros(len(a), dtype=bool)
        for rows, left, right, _, slack in _cylinder_blocks(a, b):
            level = dot(right.center - left.center, left.axis)
            reach = right.reach(left.axis) - dot(right.center, left.axis)
            between = np.abs(level) + reach <= left.height + slack
            far = [
                farthest_from_line(right.center + sign * right.half, right.axis, right.radius, left.center, left.axis)[
                    1
                ]
                for sign in (-1.0, 1.0)
            ]
            result[rows] = between & (np.maximum(*far) <= left.radius + slack)
        return result

    def contained(self, a: Cylinders, b: Cylinders) -> Bools:
        """Whether B contains all of A."""
        return self.contains(b, a)


def _facing(a: PlacedCylinders, b: PlacedCylinders) -> BestDirection:
    """The best facing direction of each pair of cylinders."""
    best, rows = facing_cylinders(a, b)
    if len(rows):
        left, right = a.take(rows), b.take(rows)
        found = measured(CylinderCores(left), CylinderCores(right), np.zeros(len(rows)))
        face_rims(best, rows, left, right, found.normal, found.middle)
    return best


def _cylinder_blocks(
    a: Cylinders, b: Cylinders
) -> Iterator[tuple[Ints, PlacedCylinders, PlacedCylinders, Floats, Floats]]:
    """Blocks of pairs: rows, A and B relative to A's position, that position, and the rounding error of each pair."""
    left, right = PlacedCylinders.of(a), PlacedCylinders.of(b)
    for first in range(0, len(a), _CYLINDERS):
        rows = np.arange(first, min(first + _CYLINDERS, len(a)))
        origin = left.center[rows]
        offset = np.maximum(length(origin), length(right.center[rows]))
        yield (
            rows,
            left.take(rows, origin),
            right.take(rows, origin),
            origin,
            rounding(left.size[rows] + right.size[rows], offset),
        )


Cored = Spheres | Capsules | Boxes | Triangles | Hulls

# Number of elements in the largest intermediate array of a block: 16 MB of float64.
_BLOCK = 1 << 21


@dataclass(frozen=True)
class _ConvexBlock(FacingBlock):
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
            aside = cross(a.axis, normal)
            speed = dot(along, aside)
            t = dot(a.center - start, aside) / np.where(speed != 0.0, speed, 1.0)
            crossing = start + np.clip(t, 0.0, 1.0)[:, None] * along
            rim = a.rim_facing(normal, start, normalized(along, normal))
            result[rows] = np.where((feature_pair[rows] == FeaturePair.SIDE_EDGE)[:, None], crossing, rim)
        return result

    def write_middles(self, normal: Floats, distance: Floats, slack: Floats, middle: Floats) -> None:
        room = manifold_room(self.b.pool.width)
        cylinder_contacts.middles_with_polytopes(self.a.side, self.b.solids, room, normal, distance, slack, middle)

    def outside(self, point_a: Floats, point_b: Floats) -> Floats:
        result = length(self.a.nearest(point_a) - point_a)
        # A witness point on a face or an edge may come from a rim, and one of a patch is a mean of the patch's points.
        # All other witness points come from edges and vertices.
        by_rim = (self.facing.feature_pair == FeaturePair.FACE) | (self.facing.feature_pair == FeaturePair.RIM_EDGE)
        rows = np.flatnonzero(by_rim | ~self.is_unique())
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

    def blocks(self, a: Cylinders, b: Cored, known: Distances | None = None) -> Iterator[_ConvexBlock]:
        """See `FacingPair`."""
        for rows, cylinders, cores, origin, slack in _convex_blocks(a, b):
            facing = facing_polytopes(cylinders, cores) if known is None else BestDirection.of(known.take(rows))
            yield _ConvexBlock(rows, origin, cylinders, cores, facing, slack)

    def manifold(self, a: Rows[Cylinders], b: Rows[Cored], margin: float, known: Distances) -> Contacts:
        """See `FacingPair`."""
        written, shapes = contact_rows(len(known)), faced(b, np.arange(len(known)))
        off = np.empty(len(written.pair), dtype=bool)
        given = *side_rows(a), shapes.solids, shapes.rows, manifold_room(shapes.width), margin
        count, thin = cylinder_contacts.with_polytopes(*given, DistanceRows(*vars(known).values()), written, off)
        made, off = contacts_of(written, count), off[:count]
        if not thin:
            return made
        # Points that lie over each other along the normal may be beside a needle or a sliver.
        cores = polytopes(b.take(np.arange(len(known))))
        rows = np.flatnonzero(cores.thin[made.pair])
        pair, origin = made.pair[rows], a.take(made.pair[rows]).bounding_spheres()[0]
        point = made.point[rows] - origin
        allowed = np.maximum(OFF_THIN * np.abs(point).max(axis=1, initial=0.0), known.rounding[pair])
        surface = point - made.normal[rows] * (made.depth[rows] / 2.0)[:, None]
        off[rows] |= outside(cores.take(pair, origin), surface) - cores.radius[pair] > allowed
        return dropped(made, off, made.pair, known, (known.point_a + known.point_b) / 2.0)

    def contains(self, a: Cylinders, b: Cored) -> Bools:
        """Whether A contains all of B: every vertex of its core, with the radius around it."""
        result = np.zeros(len(a), dtype=bool)
        for rows, cylinders, cores, _, slack in _convex_blocks(a, b):
            spoke = cores.vertices - cylinders.center[:, None]
            level = dot(spoke, cylinders.axis[:, None])
            aside = length(spoke - level[..., None] * cylinders.axis[:, None]).max(axis=1)
            result[rows] = (np.abs(level).max(axis=1) + cores.radius <= cylinders.height + slack) & (
                aside + cores.radius <= cylinders.radius + slack
            )
        return result

    def contained(self, a: Cylinders, b: Cored) -> Bools:
        """Whether B contains all of A: A is behind all faces, or within the radius of the core's segment."""
        result = np.zeros(len(a), dtype=bool)
        for rows, cylinders, cores, _, slack in _convex_blocks(a, b):
            if cores.vertices.shape[1] <= 2:
                start, end = cores.vertices[:, 0], cores.vertices[:, -1]
                rims = [cylinders.center + sign * cylinders.half for sign in (-1.0, 1.0)]
                far = [farthest_from_segment(rim, cylinders.axis, cylinders.radius, start, end) for rim in rims]
                # Segment and point hulls without a radius are handled here, too. They contain what lies on them.
                result[rows] = np.maximum(*far) <= cores.radius + slack
            else:
                axes = bounding_axes(cores)
                reach, level = cylinders.reach(axes), cores.greatest(axes)
                held: Bools = np.all(reach <= level + slack[:, None], axis=1)
                sharp = np.flatnonzero(held & (cores.thin | (reach > level).any(axis=1)))
                held[sharp] = all_inside(cores.take(sharp), _rim_points(cylinders.take(sharp)), slack[sharp])
                result[rows] = held
        return result


def _rim_points(cylinders: PlacedCylinders) -> Floats:
    """Points of both rims, (P, 2 * `_ROUND`, 3)."""
    first = perpendicular(cylinders.axis)
    spokes = circles(first, cross(cylinders.axis, first), _ROUND)
    middle = cylinders.center[:, None] + cylinders.radius[:, None, None] * spokes
    return np.concatenate([middle - cylinders.half[:, None], middle + cylinders.half[:, None]], axis=1)


def _convex_blocks(a: Cylinders, b: Cored) -> Iterator[tuple[Ints, PlacedCylinders, Polytopes, Floats, Floats]]:
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
