# SPDX-License-Identifier: GPL-3.0-or-later
"""The support mapping of polytopes over a pool's direction tables, as GJK and EPA want it (`support_map.Supported`)."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..numerics.tolerances import SUPPORT
from ..numerics.types import Floats, Ints
from .polytopes import Polytopes
from .support_table import DirectionTable


@dataclass(frozen=True)
class PolytopeSupport:
    """Cores of polytopes placed in the world, on components.

    Attributes
    ----------
    table : DirectionTable
    vertices : (3, V) float64
        Of the whole pool, in the frames of the polytopes.
    polytope : (P,) int64
        Which polytope of the pool.
    base : (P,) int64
        Where its vertices begin.
    linear : (3, 3, P) float64
        Takes the vertices to the world's axes.
    translation : (3, P) float64
    size : (P,) float64
    """

    table: DirectionTable
    vertices: Floats
    polytope: Ints
    base: Ints
    linear: Floats
    translation: Floats
    size: Floats

    @classmethod
    def of(cls, shapes: Polytopes) -> "PolytopeSupport":
        """The support mapping of the cores of these shapes, radii left out."""
        pool = shapes.pool
        return cls(
            pool.table,
            pool.columns,
            shapes.geometry,
            pool.vertices.start[shapes.geometry],
            np.ascontiguousarray(shapes.linear.transpose(1, 2, 0)),
            np.ascontiguousarray(shapes.translation.T),
            shapes.size,
        )

    def __len__(self) -> int:
        return len(self.polytope)

    def support(self, direction: Floats) -> Floats:
        """The farthest vertex of each core along its direction: (P, 3) -> (P, 3)."""
        local = np.einsum("ijp,ip->jp", self.linear, direction.T)
        best = self.table.support(self.polytope, local, self.vertices, self.base)
        result = np.einsum("ijp,jp->ip", self.linear, self.vertices.take(best, axis=1))
        result += self.translation
        return result.T

    def level(self, direction: Floats) -> Ints:
        """How many vertices of each core are farthest along its unit direction (3, P), up to `tolerances.SUPPORT`."""
        local = np.einsum("ijp,ip->jp", self.linear, direction)
        return self.table.level(self.polytope, local, self.vertices, self.base, SUPPORT * self.size)

    def take(self, rows: Ints) -> Self:
        """The cores of these rows, in that order."""
        return type(self)(
            self.table,
            self.vertices,
            self.polytope.take(rows),
            self.base.take(rows),
            self.linear.take(rows, axis=2),
            self.translation.take(rows, axis=1),
            self.size.take(rows),
        )


@dataclass(frozen=True)
class BoxSupport(PolytopeSupport):
    """The support of boxes, whose corner is known by the signs of the direction, without a table."""

    def support(self, direction: Floats) -> Floats:
        """The farthest corner of each box along its direction: (P, 3) -> (P, 3)."""
        local = np.einsum("ijp,ip->jp", self.linear, direction.T)
        result = np.einsum("ijp,jp->ip", self.linear, np.copysign(1.0, local, out=local))
        result += self.translation
        return result.T
