# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes with a support mapping in the form of kernels: `kernels.supports.Side`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels import supports as kernels
from ..kernels.arrays import Vector
from ..kernels.loading import SOURCES
from ..kernels.supports import BOX, OTHER, POLYTOPE, Side
from ..numerics.types import Floats
from .support_mapped import Supported

NO_FLOATS, NO_POINTS = np.empty((0, 3)), np.empty((3, 0))
NO_PLACES, NO_CELLS = np.empty((0, 4), dtype=np.int64), np.empty(0, dtype=np.int64)
_NO_POLYTOPES = NO_POINTS, NO_PLACES, NO_CELLS, NO_CELLS, NO_FLOATS, NO_FLOATS


def triangle_side() -> Side:
    """One triangle at the origin, whose corners, the columns of `points`, are to be written."""
    places = np.array([[0, 3, -1, -1]])
    still = np.eye(3).reshape(1, 9), np.zeros((1, 3))
    return Side(POLYTOPE, *still, NO_FLOATS, np.zeros((3, 3)), places, NO_CELLS, NO_CELLS, NO_FLOATS, NO_FLOATS)


def box_side(linear: Floats, translation: Floats) -> Side:
    """Rows of boxes, (P, 9) and (P, 3); see `Side`."""
    return Side(BOX, linear, translation, NO_FLOATS, *_NO_POLYTOPES)


def round_side(kind: int, linear: Floats, translation: Floats, sizes: Floats) -> Side:
    """Rows of a round kind, (P, K, 3), (P, 3) and (P, 3); see `Side`."""
    matrix = np.zeros((len(linear), 9))
    matrix[:, : 3 * linear.shape[1]] = linear.reshape(len(linear), 3 * linear.shape[1])
    return Side(kind, matrix, np.ascontiguousarray(translation), np.ascontiguousarray(sizes), *_NO_POLYTOPES)


def side_of(shapes: Supported) -> Side:
    """Any shapes with a support mapping. Those without their own `side` are evaluated row by row, which is slower."""
    own: Side | None = getattr(shapes, "side", None)
    if own is not None:
        return own
    result = AskedSide(OTHER, NO_FLOATS, np.zeros((len(shapes), 3)), NO_FLOATS, *_NO_POLYTOPES)
    result.shapes, result.rows = shapes, {}
    return result


class AskedSide(Side):
    """Shapes whose support points kernels request row by row. Only interpreted kernels can do that: `chosen`."""

    shapes: Supported
    rows: dict[int, Any]

    def ask(self, row: int, way: Vector) -> Vector:
        """The support point of a row along a direction."""
        if row not in self.rows:
            self.rows[row] = self.shapes.take(np.array([row]))
        ((x, y, z),) = self.rows[row].support(np.array([way])).tolist()
        return x, y, z


def backward(side: Side) -> Side:
    """The same shapes, whose support points are the ones that are farthest against a direction."""
    return changed(side, backward=True)


def changed(side: Side, **fields: Any) -> Side:
    """The same shapes, with other values of some fields."""
    result = side._replace(**fields)
    if isinstance(side, AskedSide):
        vars(result).update(vars(side))
    return result


def chosen(function: Callable[..., Any], name: str, *sides: Side) -> Callable[..., Any]:
    """The kernel for these sides: the given one, or the interpreted one with the given name."""
    return SOURCES[name] if any(side.kind == OTHER for side in sides) else function


def farthest(side: Side, direction: Floats) -> Floats:
    """The support point of each row along its direction, (P, 3) -> (P, 3)."""
    result = np.empty(direction.shape)
    kernels.supports(side, np.ascontiguousarray(direction), result)
    return result
