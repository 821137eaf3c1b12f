# SPDX-License-Identifier: GPL-3.0-or-later
"""The question in which segments triangles cross."""

from numpy.typing import ArrayLike

from ..narrow_phase.triangle_intersection import Crossings, triangle_intersections
from ..results import UnsupportedPair
from ..shapes import Triangles
from .operands import index_pairs


def crossing_segments(a: Triangles, b: Triangles, pairs: ArrayLike | None = None) -> Crossings:
    """The segment in which the triangles of each pair cross.

    Parameters
    ----------
    a, b : Triangles
        The order of a triangle's corners plays no part, to the last digit.
    pairs : (P, 2) array-like of int, optional
        Rows of `a` and of `b`; none: row by row, as for every question.

    Returns
    -------
    Crossings
        One row for each pair.

    Raises
    ------
    UnsupportedPair
        For other shapes.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Triangles([[[0, 0, 0], [2, 0, 0], [0, 2, 0]]])
    >>> b = ck.Triangles([[[0.5, 0.5, -1], [0.5, 0.5, 1], [3, 0.5, 0]]])
    >>> ck.crossing_segments(a, b).start
    array([[0.5, 0.5, 0. ]])
    """
    for name, shapes in (("a", a), ("b", b)):
        if not isinstance(shapes, Triangles):
            raise UnsupportedPair(f"{name}: {type(shapes).__name__}, but only triangles cross in segments")
    rows = index_pairs(a, b, pairs)
    return triangle_intersections(a.take(rows[:, 0]), b.take(rows[:, 1]))
