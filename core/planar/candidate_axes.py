# SPDX-License-Identifier: GPL-3.0-or-later
"""All axes of the separating axis test of each pair, with both projection intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.rows import RowTable, ragged_arange
from ..numerics.tolerances import PARALLEL_SINE_SQUARED
from ..numerics.types import Bools, Floats, Ints
from ..query.candidate_axes import AxisStatus
from ..query.operands import rows_of_pairs
from ..results import FeatureKind, UnsupportedPair
from .narrow_phase.convex import Block, blocks
from .narrow_phase.shape_cast import axis_times
from .narrow_phase.witnesses import named
from .queries import KINDS, velocity
from .shapes.blocks import Cores
from .shapes.regions import Body, piece_pairs, pieces_of


@dataclass(frozen=True, eq=False)
class CandidateAxes(RowTable):
    """Axes of many pairs, one row for each. The axes of a pair are adjacent, those of A's edges before those of B's.

    Attributes
    ----------
    pair : (M,) int64
        Row of the query.
    axis : (M, 2) float64
        Unit vector: outward from an edge of A, or inward to an edge of B, so that a separating axis points from A to B;
        for a circle, the direction from A's closest point to B's.
    interval_a, interval_b : (M, 2) float64
        Least and greatest coordinate of each shape along the axis, in world coordinates.
    gap : (M,) float64
        Gap between the two intervals; negative where they overlap.
    feature_a, feature_b : (M, 2) int64
        The features that define the axis, as in `separating_axis`; for the axis of a circle, the features of both.
    status : (M,) int8
        `AxisStatus`. PARALLEL: an earlier row of the pair has this axis or its opposite. DEGENERATE: concentric
        circles, whose centers define no direction.
    entry, exit : (M,) float64
        Times at which the moving intervals start and stop overlapping: -inf and inf if they always overlap, both inf if
        they never do (doc4code 2011, "Dynamic intersection test"). Not clipped to [0, 1]. NaN for the axis of a circle,
        which rotates as the circle moves.
    piece_a, piece_b : (M,) int64
        The pieces of regions, as rows of their `pieces`; for other shapes, the rows of the shapes.
    """

    pair: Ints
    axis: Floats
    interval_a: Floats
    interval_b: Floats
    gap: Floats
    feature_a: Ints
    feature_b: Ints
    status: NDArray[np.int8]
    entry: Floats
    exit: Floats
    piece_a: Ints
    piece_b: Ints


def candidate_axes(
    a: Body,
    b: Body,
    pairs: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
) -> CandidateAxes:
    """All candidate axes of each pair, with both projection intervals.

    The axes are the edge normals of both shapes and, for a circle, the direction of the closest points. For regions,
    they are those of each pair of pieces. Two convex shapes overlap if and only if their intervals overlap along every
    axis.

    Parameters
    ----------
    a, b : batch of shapes of the plane
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    velocity_a, velocity_b : (N, 2) array-like, optional
        As for `time_of_impact`.

    Returns
    -------
    CandidateAxes
        One row for each axis, the rows of one pair next to each other.

    Raises
    ------
    ValueError
        As for `time_of_impact`.
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> len(planar.candidate_axes(a, planar.Rectangles([[3, 0]], [[1, 1]], [0.5])).axis)
    8
    """
    for name, given in (("a", a), ("b", b)):
        if not isinstance(given, KINDS):
            raise UnsupportedPair(f"{name}: {type(given).__name__} are no shapes of the plane")
    rows_a, rows_b = np.ascontiguousarray(rows_of_pairs(a, b, pairs).T)
    moves = velocity(velocity_a, len(a), "velocity_a")[rows_a], velocity(velocity_b, len(b), "velocity_b")[rows_b]
    relative = moves[1] - moves[0]
    row, real, vector, feature = np.empty(0, np.int64), np.empty(0), np.empty((0, 2)), np.empty((0, 2), np.int64)
    status = np.empty(0, np.int8)
    found = [CandidateAxes(row, vector, vector, vector, real, feature, feature, status, real, real, row, row)]
    owned = [np.empty(0, np.bool_)]
    for part in piece_pairs(a, b, rows_a, rows_b):
        for block in blocks(pieces_of(a), pieces_of(b), part.a, part.b):
            pair, piece_a, piece_b = (which[block.slots] for which in (part.owner, part.a, part.b))
            for axes, own in _axes_of(block, relative[pair]):
                found.append(CandidateAxes(pair, piece_a=piece_a, piece_b=piece_b, **axes))
                owned.append(own)
    every = CandidateAxes.joined(found)
    # The axes of two pieces stay in the order in which they were found.
    order = np.lexsort((every.piece_b, every.piece_a, every.pair))
    result = every.take(order[np.concatenate(owned)[order]])
    result.status[_parallel(result)] = AxisStatus.PARALLEL
    return result


def _axes_of(block: Block, relative: Floats) -> Iterator[tuple[dict[str, Any], Bools]]:
    """Projections on one axis after the other of the pairs of a block, and which pairs have it; others are padded."""
    count = len(block.slots)
    none = np.full((count, 2), -1, dtype=np.int64)
    for of, sign, names in ((block.a, 1.0, ("feature_a", "feature_b")), (block.b, -1.0, ("feature_b", "feature_a"))):
        for edge in range(len(of.nx)):
            nx, ny = sign * of.nx[edge], sign * of.ny[edge]
            feature = named(of, np.full(count, FeatureKind.EDGE), np.full(count, edge))
            yield {**_along(block, nx, ny, relative), names[0]: feature, names[1]: none}, edge < of.count
    if not block.polygons:
        witnesses = block.witnesses(block.facets())
        axes = _along(block, witnesses.nx, witnesses.ny, relative)
        concentric = (block.x == 0.0) & (block.y == 0.0) & (not (block.a.has_edges or block.b.has_edges))
        axes["status"] = np.where(concentric, AxisStatus.DEGENERATE, AxisStatus.TESTED).astype(np.int8)
        axes["entry"] = axes["exit"] = np.full(count, np.nan)
        axes |= {"feature_a": witnesses.feature_a, "feature_b": witnesses.feature_b}
        yield axes, np.ones(count, np.bool_)


def _along(block: Block, nx: Floats, ny: Floats, relative: Floats) -> dict[str, Any]:
    low_a, high_a = _interval(block.a, nx, ny)
    low_b, high_b = _interval(block.b, nx, ny)
    between = nx * block.x + ny * block.y
    # Computed from relative positions, which have more exact digits than world coordinates.
    ahead, behind = low_b + between - high_a, low_a - high_b - between
    rate = nx * relative[:, 0] + ny * relative[:, 1]
    enters, leaves = axis_times(ahead, rate, block.slack)
    enters_behind, leaves_behind = axis_times(behind, -rate, block.slack)
    origin = nx * block.origin[:, 0] + ny * block.origin[:, 1]
    return {
        "axis": np.stack([nx, ny], axis=1),
        "interval_a": np.stack([low_a + origin, high_a + origin], axis=1),
        "interval_b": np.stack([low_b + between + origin, high_b + between + origin], axis=1),
        "gap": np.maximum(ahead, behind),
        "status": np.zeros(len(nx), np.int8),
        "entry": np.maximum(enters, enters_behind),
        "exit": np.minimum(leaves, leaves_behind),
    }


def _interval(core: Cores, nx: Floats, ny: Floats) -> tuple[Floats, Floats]:
    along = nx * core.x + ny * core.y
    return along.min(axis=0) - core.radius, along.max(axis=0) + core.radius


def _parallel(axes: CandidateAxes) -> Bools:
    """Rows with the same or the opposite axis as an earlier row of the same two pieces."""
    ids = np.stack([axes.pair, axes.piece_a, axes.piece_b], axis=1)
    same = (ids[1:] == ids[:-1]).all(axis=1)
    size = np.diff(np.flatnonzero(np.concatenate([[True], ~same, [True]])))
    number = ragged_arange(size)[1]
    found = np.zeros(len(ids), np.bool_)
    for back in range(1, int(size.max(initial=0))):
        rows = np.flatnonzero(number >= back)
        x, y = axes.axis[rows].T
        ox, oy = axes.axis[rows - back].T
        found[rows] |= (x * oy - y * ox) ** 2 <= PARALLEL_SINE_SQUARED
    return found & (axes.status == AxisStatus.TESTED)
