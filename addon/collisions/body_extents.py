# SPDX-License-Identifier: GPL-3.0-or-later
"""Extents of bodies beyond their bounds: those of their loose parts, and along diagonals."""

import numpy as np

from ...core.frustum.projections import extents
from ...core.numerics.types import Bools, Floats
from ...core.shapes import Kind
from ..scene.reading.scene_shapes import SceneShapes

# Between each two axes, both ways.
_DIAGONALS = np.array([[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]], np.float64)


class BodyExtents:
    """Extents of the bodies of a scene, which are computed for one body at a time and kept.

    Parameters
    ----------
    shapes : SceneShapes
    """

    def __init__(self, shapes: SceneShapes) -> None:
        self._world = shapes.world
        self._order = np.argsort(shapes.body, kind="stable")
        self._start = np.searchsorted(shapes.body[self._order], np.arange(len(shapes.bodies) + 1))
        self._loose = dict[int, tuple[Floats, Floats]]()
        self._diagonal = dict[int, Floats]()

    def _rows(self, body: int) -> list[int]:
        """Return the shapes of a body."""
        rows: list[int] = self._order[self._start[body] : self._start[body + 1]].tolist()
        return rows

    def in_one_piece(self) -> Bools:
        """Return which bodies are one shape that is no mesh, so that they are their only loose part, (B,)."""
        first = self._order[np.minimum(self._start[:-1], len(self._order) - 1)]
        alone: Bools = (np.diff(self._start) == 1) & (self._world.kind[first] != Kind.MESH)
        return alone

    def loose(self, body: int) -> tuple[Floats, Floats]:
        """Return the bounds of the loose parts of a body, lower and upper, (K, 3)."""
        if body not in self._loose:
            found = [self._loose_of_shape(row) for row in self._rows(body)]
            lower, upper = (np.concatenate(side) for side in zip(*found, strict=True))
            self._loose[body] = lower, upper
        return self._loose[body]

    def _loose_of_shape(self, row: int) -> tuple[Floats, Floats]:
        batch, slot = self._world.batches[self._world.batch[row]], int(self._world.slot[row])
        if self._world.kind[row] != Kind.MESH:
            lower, upper = batch.take(np.array([slot])).bounds()
            return lower, upper
        mesh = batch.geometry[batch.index[slot]]
        points = mesh.points @ batch.rotation[slot].T + batch.translation[slot]
        corners = points[mesh.triangles[mesh.by_component]].reshape(-1, 3)
        start = 3 * mesh.component_start[:-1]
        return np.minimum.reduceat(corners, start), np.maximum.reduceat(corners, start)

    def diagonal(self, body: int) -> Floats:
        """Return the lengths of a body along the six diagonals between two axes. Infinite for a half-space.

        Copies of one object have equal ones if none is turned against the other.
        """
        if body not in self._diagonal:
            low, high = np.full(len(_DIAGONALS), np.inf), np.full(len(_DIAGONALS), -np.inf)
            for row in self._rows(body):
                if self._world.kind[row] in (Kind.HALF_SPACE, Kind.PLANE):
                    low, high = np.full_like(low, -np.inf), np.full_like(high, np.inf)
                    break
                batch, slot = self._world.batches[self._world.batch[row]], int(self._world.slot[row])
                if self._world.kind[row] == Kind.MESH:
                    along = batch.geometry[batch.index[slot]].used_points @ (_DIAGONALS @ batch.rotation[slot]).T
                    place = _DIAGONALS @ batch.translation[slot]
                    least, most = along.min(axis=0) + place, along.max(axis=0) + place
                else:
                    least, most = (side[:, 0] for side in extents(batch.take(np.array([slot])), _DIAGONALS))
                low, high = np.minimum(low, least), np.maximum(high, most)
            self._diagonal[body] = high - low
        return self._diagonal[body]
