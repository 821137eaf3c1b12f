# SPDX-License-Identifier: GPL-3.0-or-later
"""Broad phase for one frame: pairs of overlapping axis-aligned boxes without testing all pairs.

Sweep and prune (doc4code 2011; Ericson 7.5.1) along one axis, within grid cells on the other two; see `grid_sweep`. For
boxes that move from frame to frame, use `SweepAndPrune`.
"""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats, Ints
from ..numerics.validation import check_type, numbers
from . import grid_sweep
from .collision_filter import CollisionFilter


class HasBounds(Protocol):
    """A batch of shapes, or a world."""

    def bounds(self) -> tuple[Floats, Floats]:
        """Lower and upper bounds of each shape."""


def sweep_and_prune(
    lower: ArrayLike | HasBounds, upper: ArrayLike | None = None, filter: CollisionFilter | None = None
) -> Ints:
    """All pairs of axis-aligned boxes that overlap or touch.

    Parameters
    ----------
    lower, upper : (N, 3) array-like
        Lower bounds must not be above upper bounds. Bounds of unbounded shapes are infinite. If only shapes, a batch or
        a World, are given, their bounds are used.
    filter : CollisionFilter, optional
        Filter for N objects: which of them are tested against each other. None: all.

    Returns
    -------
    (P, 2) int64
        Index pairs, i < j, in lexicographic order, each once.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is NaN, or a lower bound is above its upper bound; names the row. If `upper` is
        missing.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.sweep_and_prune([[0, 0, 0], [1, 0, 0], [5, 0, 0]], [[2, 1, 1], [3, 1, 1], [6, 1, 1]])
    array([[0, 1]])
    >>> ck.sweep_and_prune(ck.Spheres([[0, 0, 0], [1, 0, 0], [5, 0, 0]], 1.0))
    array([[0, 1]])
    """
    low, high = checked_bounds(*given_bounds(lower, upper))
    check_filter(filter, low.shape[1])
    first, second = grid_sweep.self_pairs(low, high)
    if filter is not None:
        allowed = filter.allows(first, second)
        first, second = first[allowed], second[allowed]
    return sorted_pairs(np.minimum(first, second), np.maximum(first, second))


def given_bounds(lower: ArrayLike | HasBounds, upper: ArrayLike | None) -> tuple[ArrayLike, ArrayLike]:
    """Return given bounds, or those of shapes."""
    if upper is not None:
        return cast(ArrayLike, lower), upper
    if not hasattr(lower, "bounds"):
        raise ValueError("upper: missing; lower and upper bounds, or shapes, are needed")
    return lower.bounds()


def sweep_and_prune_between(lower_a: ArrayLike, upper_a: ArrayLike, lower_b: ArrayLike, upper_b: ArrayLike) -> Ints:
    """All pairs of a box of A and a box of B that overlap or touch. Pairs within a set are not searched.

    Parameters
    ----------
    lower_a, upper_a : (N, 3) array-like
    lower_b, upper_b : (M, 3) array-like
        As for `sweep_and_prune`.

    Returns
    -------
    (P, 2) int64
        Rows of A and of B, in lexicographic order, each pair once.

    Raises
    ------
    ValueError
        As for `sweep_and_prune`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a, b = ck.Spheres([[0, 0, 0], [5, 0, 0]], [1, 1]), ck.Spheres([[1, 0, 0]], [1])
    >>> ck.sweep_and_prune_between(*a.bounds(), *b.bounds())
    array([[0, 0]])
    """
    return sorted_pairs(
        *grid_sweep.cross_pairs(
            *checked_bounds(lower_a, upper_a, ("lower_a", "upper_a")),
            *checked_bounds(lower_b, upper_b, ("lower_b", "upper_b")),
        )
    )


def checked_bounds(
    lower: ArrayLike, upper: ArrayLike, names: tuple[str, str] = ("lower", "upper")
) -> tuple[Floats, Floats]:
    """Bounds (N, 3) as two arrays (3, N), one row for each axis; errors as for `sweep_and_prune`."""
    columns = []
    for value, name in zip((lower, upper), names, strict=True):
        given = numbers(value, name).astype(np.float64, copy=False)
        if given.size == 0:
            given = given.reshape(0, 3)
        if given.ndim != 2 or given.shape[1] != 3:
            raise ValueError(f"{name}: shape {given.shape}, but (N, 3) is needed")
        columns.append(np.ascontiguousarray(given.T))
    low, high = columns
    if low.shape != high.shape:
        raise ValueError(f"{names[1]}: {high.shape[1]} rows, but {names[0]} has {low.shape[1]}")
    ordered = (low <= high).all(axis=0)
    if not ordered.all():
        for column, name in zip(columns, names, strict=True):
            unknown = np.isnan(column).any(axis=0)
            if unknown.any():
                raise ValueError(f"{name}: row {int(np.argmax(unknown))} is not a number")
        raise ValueError(f"{names[0]}: row {int(np.argmin(ordered))} is above its upper bound")
    # A box from inf to inf lies at infinity.
    nowhere = ((low == np.inf) | (high == -np.inf)).any(axis=0)
    if nowhere.any():
        raise ValueError(f"{names[0]}: row {int(np.argmax(nowhere))} lies at infinity")
    return low, high


def check_filter(filter: CollisionFilter | None, count: int) -> None:
    """Raise `ValueError` unless the filter is for this many objects."""
    if filter is None:
        return
    check_type(filter, CollisionFilter, "filter")
    if len(filter) != count:
        raise ValueError(f"filter: of {len(filter)} objects, but there are {count}")


def sorted_pairs(first: Ints, second: Ints) -> Ints:
    """The pairs as (P, 2), in lexicographic order."""
    # Sorting one packed integer is faster than sorting pairs.
    return unpack_pairs(np.sort(pack_pairs(first, second)))


def pack_pairs(first: Ints, second: Ints) -> Ints:
    """Pack two indices into one integer; the integers sort like the pairs."""
    return (first << 32) | second


def unpack_pairs(keys: Ints) -> Ints:
    """The pairs (P, 2) packed into these integers."""
    return np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1)


def unpack_pair(key: int) -> tuple[int, int]:
    """The pair packed into this integer."""
    return key >> 32, key & 0xFFFFFFFF
