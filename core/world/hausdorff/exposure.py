# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the surfaces of several shapes that are inside others, and so not on the surface of their union.

Where two shapes share a face, or their gap is narrower than a seam, there is no surface between them. So points of a
surface are tested at the height of the seam above it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...fit.patches import Patches
from ...numerics.rows import rows_of_each
from ...numerics.types import Bools, Floats, Ints
from ...query.queries import overlap
from ...rays.in_worlds import Shapes
from ...rays.points import measure
from ...shapes import Hulls, Meshes, Triangles
from ..world import World
from .hulls import PlacedHull, placed_hulls
from .region import heights


class Exposure:
    """Finds points and patches of the surfaces of shapes that are inside other ones, or in seams between them.

    Parameters
    ----------
    shapes : list of batches, with the number of each shape
        Shapes with the same number are different parts of one shape. They hide each other as well.
    seam : float
        In the caller's unit.
    once : bool
        Whether, of coplanar faces of two solids that face the same way, that of the second one is hidden.
    """

    def __init__(self, shapes: list[Any], seam: float, *, once: bool = False) -> None:
        self.seam = seam
        # Points are tested this many seams above the surface. Points that far below it, in a shape that comes first,
        # are coplanar with it or deeper.
        self._heights = (1.0, -1.0) if once else (1.0,)
        self._solid = np.concatenate([_has_inside(batch) for batch in shapes])
        shells = [_overlapping_shells(batch) for batch in shapes]
        self._hides_itself = np.concatenate(shells)
        self.any = int(self._solid.sum()) > 1 or bool((self._solid & self._hides_itself).any())
        if not self.any:
            return
        self._world = World(shapes)
        self._shapes = Shapes.of(self._world)
        surfaces = [_as_surface(batch) if isinstance(batch, Meshes) else batch for batch in shapes]
        self._surfaces = World(surfaces)
        self._hulls = [hull for batch in shapes for hull in _hulls(batch)]
        self._is_mesh = np.concatenate([np.full(len(batch), isinstance(batch, Meshes)) for batch in shapes])

    def is_hidden(self, points: Floats, normals: Floats, shape: Ints) -> Bools:
        """Whether points (P, 3) of the surfaces of shapes (P,) are hidden. Normals are zero where there is none."""
        hidden = np.zeros(len(points), dtype=bool)
        if self.any and len(points):
            for height in self._heights:
                pairs, gap, limit = self._depths(points, normals, shape, height)
                hidden[pairs[gap <= limit, 1]] = True
        return hidden

    def _depths(
        self, points: Floats, normals: Floats, shape: Ints, height: float, beyond: Floats | None = None
    ) -> tuple[Ints, Floats, Floats]:
        """Other shapes near points, (K, 2), their distances from the raised points, and those that hide them, (K,).

        Of shapes that are farther away than these distances (P,), by default 0, some are left out.
        """
        raised, limit = self._raised(points, normals, shape, height)
        reach = np.full(len(raised), self.seam) if beyond is None else self.seam + beyond
        pairs = self._shapes.within(np.ascontiguousarray(raised), reach)
        owner = shape[pairs[:, 1]]
        own = pairs[:, 0] == owner
        counts = self._solid[pairs[:, 0]] & (~own | self._hides_itself[pairs[:, 0]])
        if height < 0.0:
            counts &= (pairs[:, 0] < owner) & (raised != points).any(axis=1)[pairs[:, 1]]
        pairs = pairs[counts]
        gap = self._gaps(pairs, raised)
        # Next to a concave edge, a raised point is near its own surface.
        mine = pairs[:, 0] == shape[pairs[:, 1]]
        return pairs, gap, np.where(mine, np.minimum(limit[pairs[:, 1]], 0.0), limit[pairs[:, 1]])

    def _gaps(self, pairs: Ints, points: Floats) -> Floats:
        """The signed distances of points from shapes, by the rows of both (K, 2)."""
        gap = np.full(len(pairs), np.inf)
        for number, rows in rows_of_each(pairs[:, 0]):
            hull = self._hulls[number]
            if hull is not None:
                gap[rows] = hull.highest(points[pairs[rows, 1]])
        # Inside hulls, heights are distances. Farther away, they are less.
        left = np.flatnonzero((gap > 0.0) & ((gap <= self.seam) | (gap == np.inf)))
        gap[left] = measure(self._world, pairs[left], points, False).distance
        return gap

    def _raised(self, points: Floats, normals: Floats, shape: Ints, height: float) -> tuple[Floats, Floats]:
        """Points above the surface, and the distance from another shape up to which they are hidden by it.

        Surfaces without an inside are hidden if both of their sides are.
        """
        up = self._solid[shape] & normals.any(axis=1)
        away = np.where(up, height * self.seam, 0.0)
        return points + away[:, None] * normals, np.where(up, height, -1.0) * 0.5 * self.seam

    def are_hidden(self, patches: Patches, shape: Ints, center: Floats, radius: Floats) -> tuple[Bools, Bools]:
        """Whether the centers of patches, and the entire patches, are hidden, (P,) each."""
        hidden, whole = np.zeros((2, len(center)), dtype=bool)
        if self.any and len(center):
            for height in self._heights:
                self._hide(hidden, whole, patches, shape, center, radius, height)
        return hidden, whole

    def _hide(
        self,
        hidden: Bools,
        whole: Bools,
        patches: Patches,
        shape: Ints,
        center: Floats,
        radius: Floats,
        height: float,
    ) -> None:
        """Mark patches whose centers, and that entirely, are hidden at a height."""
        normal, ends = patches.normals()
        pairs, gap, limit = self._depths(center, normal, shape, height)
        inside = np.flatnonzero(gap <= limit)
        pairs, gap, limit = pairs[inside], gap[inside], limit[inside]
        of = pairs[:, 1]
        hidden[of] = True
        # Also from the hull of the raised corners, in multiples of the bulge.
        growth = self._growth(patches, shape)
        whole[of[gap + (growth * radius)[of] <= limit]] = True
        left = np.flatnonzero(~whole[of])
        convex = left[~self._is_mesh[pairs[left, 0]]]
        if len(convex):
            rows = of[convex]
            corners = self._raised_corners(patches.take(rows), ends[rows], shape[rows], height)
            each = np.stack([np.repeat(pairs[convex, 0], 4), np.arange(4 * len(corners))], axis=1)
            most = self._gaps(each, corners.reshape(-1, 3)).reshape(-1, 4).max(axis=1)
            whole[rows[most + (growth * patches.bulges())[rows] <= limit[convex]]] = True
        # A flat patch that does not cross the surface of a mesh is on one side of it.
        flat = left[self._is_mesh[pairs[left, 0]] & (patches.bulges()[of[left]] == 0.0)]
        if len(flat):
            rows = of[flat]
            corners = self._raised_corners(patches.take(rows), ends[rows], shape[rows], height)
            halves = Triangles(np.concatenate([corners[:, [0, 1, 3]], corners[:, [0, 3, 2]]]))
            each = np.stack([np.arange(len(halves)), np.tile(pairs[flat, 0], 2)], axis=1)
            crosses = overlap(halves, self._surfaces, each).reshape(2, -1).any(axis=0)
            whole[rows[~crosses]] = True

    def are_shown(self, patches: Patches, shape: Ints, center: Floats, radius: Floats) -> Bools:
        """Whether it is certain that no point of a patch is hidden, (P,)."""
        shown = np.ones(len(center), dtype=bool)
        if not (self.any and len(center)):
            return shown
        reach = self._growth(patches, shape) * radius
        # Raised points of patches as sharp as the tip of a cone may be anywhere.
        shown[~(reach < 1e6 * (radius + self.seam))] = False
        for height in self._heights:
            rows = np.flatnonzero(shown)
            some, owner, far = patches.take(rows), shape[rows], reach[rows]
            normal, ends = some.normals()
            pairs, gap, limit = self._depths(center[rows], normal, owner, height, far)
            near = np.flatnonzero(gap <= limit + far[pairs[:, 1]])
            pairs, limit = pairs[near], limit[near]
            # A convex shape is below the plane through its nearest point.
            apart = (gap[near] > limit) & ~self._is_mesh[pairs[:, 0]]
            raised = self._raised(center[rows], normal, owner, height)[0]
            corners = self._raised_corners(some, ends, owner, height)
            growth = self._growth(some, owner) * some.bulges()
            apart[apart] = heights(self._world, pairs[apart], raised, corners, growth) > limit[apart]
            shown[rows[pairs[~apart, 1]]] = False
        return shown

    def hides_itself(self, shape: Ints) -> Bools:
        """Whether shapes (P,) have parts that can hide other parts."""
        return np.asarray(self._hides_itself[shape])

    def _growth(self, patches: Patches, shape: Ints) -> Floats:
        """Distances of raised points of a patch from its raised center, in radii of a ball around the patch, (P,)."""
        return 1.0 + np.where(self._solid[shape], self.seam, 0.0) / np.maximum(patches.radii(), 1e-300)

    def _raised_corners(self, patches: Patches, normals: Floats, shape: Ints, height: float) -> Floats:
        """The raised corners of patches, (P, 4, 3)."""
        ends = patches.corners().reshape(-1, 3)
        return self._raised(ends, normals.reshape(-1, 3), np.repeat(shape, 4), height)[0].reshape(-1, 4, 3)


def _has_inside(batch: Any) -> Bools:
    """Return which shapes have an inside that can hide others."""
    if isinstance(batch, Meshes):
        return np.asarray(batch.solid)
    if isinstance(batch, Hulls):
        return np.array([hull.dimension == 3 for hull in batch.geometry], dtype=bool)[batch.index]
    return np.full(len(batch), not isinstance(batch, Triangles))


def _overlapping_shells(batch: Any) -> Bools:
    """Return which shapes are meshes with several parts, which can be inside each other."""
    if not isinstance(batch, Meshes):
        return np.zeros(len(batch), dtype=bool)
    several = np.array([len(mesh.representatives) > 1 for mesh in batch.geometry], dtype=bool)
    return several[batch.index] & batch.solid


def _hulls(batch: Any) -> list[PlacedHull | None]:
    return placed_hulls(batch) if isinstance(batch, Hulls) else [None] * len(batch)


def _as_surface(batch: Meshes) -> Meshes:
    return Meshes(
        batch.geometry, batch.index, batch.translation, batch.rotation, solid=np.zeros(len(batch), dtype=bool)
    )
