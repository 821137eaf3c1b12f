# SPDX-License-Identifier: GPL-3.0-or-later
"""Incremental broad phase: overlapping pairs kept up to date while boxes move, are added and are removed.

Classic sweep and prune (doc4code 2011; Ericson 7.5.1) keeps interval endpoints sorted on each axis and swaps those that
pass each other; each swap begins or ends an overlap on that axis. If objects cluster on one axis, a small move causes
many irrelevant swaps. Here pairs are kept instead of an order. Each box is fattened by a margin, and all pairs of
overlapping fat boxes are cached. While boxes stay inside their fat boxes, no other pair can start to overlap, and an
update only tests the cached pairs. A box that leaves its fat box gets a new one. Its pairs are then searched: one by
one for a few boxes, with a full sweep otherwise. (Known as a "Verlet list" in molecular dynamics and as "fat AABBs" in
dynamic trees.)
"""

from __future__ import annotations

from operator import le
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.rows import ragged_arange
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import numbers
from . import grid_sweep
from .collision_filter import CollisionFilter
from .sweep_and_prune import check_filter, checked_bounds, pack_pairs, sorted_pairs, unpack_pairs


class PairCache:
    """Pairs of objects, each once. Pairs can be added.

    Parameters
    ----------
    first, second : (C,) int64
        The objects of each pair; the first index is below the second.
    objects : int
        Number that is above all indices.

    Attributes
    ----------
    count : int
        Number of pairs, including added pairs.
    swept : int
        Number of pairs at first.
    """

    def __init__(self, first: Ints, second: Ints, objects: int) -> None:
        self.count = self.swept = len(first)
        self._first, self._second = first, second
        self._overlaps = np.zeros(self.count, dtype=bool)
        self._reported = np.zeros(self.count, dtype=bool)
        self._allowed = np.ones(self.count, dtype=bool)
        self._object_count = objects
        # Where each object's pairs begin in `_by_object`, computed when needed; added pairs by object; cached results.
        self._start: Ints | None = None
        self._by_object: Ints = np.empty(0, dtype=np.int64)
        self._added: dict[int, list[int]] = {}
        self._pairs_by_object: dict[int, tuple[Ints, Ints]] = {}

    @property
    def first(self) -> Ints:
        """The first object of each pair: (C,)."""
        return self._first[: self.count]

    @property
    def second(self) -> Ints:
        """The second object of each pair: (C,)."""
        return self._second[: self.count]

    @property
    def overlaps(self) -> Bools:
        """Whether the objects of each pair overlap now: (C,), writable."""
        return self._overlaps[: self.count]

    @property
    def reported(self) -> Bools:
        """Whether they overlapped when last reported: (C,), writable."""
        return self._reported[: self.count]

    @property
    def allowed(self) -> Bools:
        """Whether the filter allows each pair: (C,), writable."""
        return self._allowed[: self.count]

    def pairs_of(self, index: int) -> tuple[Ints, Ints]:
        """The pairs of one box, and the other box of each pair."""
        known = self._pairs_by_object.get(index)
        if known is None:
            start = self._starts()
            own = self._by_object[start[index] : start[index + 1]] if index < self._object_count else start[:0]
            pairs = np.concatenate([own, np.array(self._added.get(index, ()), dtype=np.int64)])
            known = self._pairs_by_object[index] = pairs, self._first[pairs] + self._second[pairs] - index
        return known

    def pairs_of_any(self, indices: Ints) -> Ints:
        """The pairs of any of these boxes. A pair of two of them appears twice."""
        start = self._starts()
        swept = indices[indices < self._object_count]
        row, number = ragged_arange(start[swept + 1] - start[swept])
        added = [self._added[index] for index in indices.tolist() if index in self._added] if self._added else []
        late = np.array([pair for pairs in added for pair in pairs], dtype=np.int64)
        return np.concatenate([self._by_object[start[swept][row] + number], late])

    def add(self, first: Ints, second: Ints) -> None:
        """Add pairs that are not cached yet. They neither overlap nor are reported."""
        begin, end = self.count, self.count + len(first)
        if end > len(self._first):
            spare = max(end - len(self._first), len(self._first) // 2)
            self._first, self._second, self._overlaps, self._reported, self._allowed = (
                np.concatenate([part, np.zeros(spare, dtype=part.dtype)])
                for part in (self._first, self._second, self._overlaps, self._reported, self._allowed)
            )
        self._first[begin:end], self._second[begin:end] = first, second
        self._overlaps[begin:end] = self._reported[begin:end] = False
        self._allowed[begin:end] = True
        self.count = end
        for side in (first, second):
            for pair, index in enumerate(side.tolist(), begin):
                self._added.setdefault(index, []).append(pair)
                self._pairs_by_object.pop(index, None)

    def _starts(self) -> Ints:
        """Start of each box's swept pairs in `_by_object`: (N + 1,)."""
        if self._start is None:
            ends = np.concatenate([self._first[: self.swept], self._second[: self.swept]])
            # Small integers are sorted digit by digit, several times as fast.
            small = ends.astype(np.uint16) if self._object_count <= 1 << 16 else ends
            self._by_object = np.argsort(small, kind="stable") % max(self.swept, 1)
            self._start = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=self._object_count))])
        return self._start


# Fractions of a box's size: least and greatest margin on each side. At 0.2, about 2.7 times as many pairs are cached as
# overlap, at 0.3 about 4.1 times.
_MARGIN, _MAX_MARGIN = 0.2, 0.3
# A margin should last this many updates at the last observed motion. If even the greatest margin would not last for the
# minimum, there is no margin.
_LIFETIME, _MIN_LIFETIME = 24.0, 2.0
# Quantile of the observed motions for which margins are sized.
_TYPICAL = 0.9
# Multiples of the median size. Larger boxes get the margin of this size, so that a floor is not paired with everything
# above it.
_MAX_MARGIN_SIZE = 2.0
# Up to this many boxes that leave their fat boxes are queried one by one; a full sweep costs about a hundred queries.
_MAX_SINGLE_QUERIES = 48
# Fraction of all boxes: if more have moved, all cached pairs are tested instead of looking up those of each box.
_MAX_LOOKUP_FRACTION = 0.125
# Multiples of the pairs of the last sweep: if more are cached, the next box that leaves its fat box triggers a sweep.
_MAX_GROWTH = 1.5
# Cached pairs per chunk, so that intermediate results stay in CPU cache.
_BLOCK = 1 << 14
# Boxes whose motion is sampled.
_SAMPLE = 1024

_NO_PAIRS = np.empty((0, 2), dtype=np.int64)
_NO_PAIRS.flags.writeable = False
# Swaps lower bounds and negated upper bounds.
_FLIPPED = np.array([3, 4, 5, 0, 1, 2])


class SweepAndPrune:
    """The pairs of axis-aligned boxes that overlap, kept up to date while boxes move, are added and are removed.

    Touching counts, and bounds may be infinite. The pairs are always those that `sweep_and_prune` finds for the current
    boxes.

    Parameters
    ----------
    lower, upper : (N, 3) array-like
        As for `sweep_and_prune`. The index of a box is its row.
    filter : CollisionFilter, optional
        Filter for N boxes: which of them are tested against each other. None: all. To test one set against another, use
        `CollisionFilter.between`.

    Raises
    ------
    ValueError
        As for `sweep_and_prune`.

    Examples
    --------
    >>> sap = SweepAndPrune([[0, 0, 0], [2, 0, 0]], [[1, 1, 1], [3, 1, 1]])
    >>> added, removed = sap.update([1], [[1, 0, 0]], [[2, 1, 1]])
    >>> added.tolist(), removed.tolist(), sap.pairs.tolist()
    ([[0, 1]], [], [[0, 1]])
    """

    def __init__(self, lower: ArrayLike, upper: ArrayLike, filter: CollisionFilter | None = None) -> None:
        low, high = checked_bounds(lower, upper)
        check_filter(filter, low.shape[1])
        self._filter = filter
        # (6, S), a column for each box: lower bounds and negated upper bounds. A box is inside another if none of its
        # values is less. Columns without a box are NaN, for which all comparisons are false.
        self._box = np.concatenate([low, -high])
        self._fat_box = self._box.copy()
        self._margin = np.zeros(low.shape[1])
        self._max_margin_size = 0.0
        self._used = np.ones(low.shape[1], dtype=bool)
        # Indices of removed boxes; not reused until the next update has reported the removal.
        self._leaving: list[Ints] = []
        self._margin_ratio = _MARGIN
        self._updates = 0
        self._cache = PairCache(_NO_PAIRS[:, 0], _NO_PAIRS[:, 1], 0)
        # Cached pairs whose overlap may have changed since the last report.
        self._dirty: list[Ints] = []
        self._pairs: Ints | None = None
        self._sweep()
        self._report()

    def __len__(self) -> int:
        return int(np.count_nonzero(self._used))

    @property
    def indices(self) -> Ints:
        """The current boxes, ascending: (M,) int64."""
        return np.flatnonzero(self._used)

    @property
    def pairs(self) -> Ints:
        """The pairs that overlap now: (P, 2) int64, i < j, in lexicographic order, each once."""
        if self._pairs is None:
            overlaps = self._cache.overlaps
            keys = pack_pairs(self._cache.first[overlaps], self._cache.second[overlaps])
            # Sorted except for pairs added since the last sweep: two runs, which a stable sort merges.
            self._pairs = unpack_pairs(np.sort(keys, kind="stable"))
            self._pairs.flags.writeable = False
        return self._pairs

    def update(self, indices: ArrayLike = (), lower: ArrayLike = (), upper: ArrayLike = ()) -> tuple[Ints, Ints]:
        """Move boxes, and report what has changed since the last update.

        Parameters
        ----------
        indices : (K,) array-like of int
            The boxes that have moved or changed their size, in any order. If a box is given twice, the last row counts.
        lower, upper : (K, 3) array-like
            Their new bounds.

        Returns
        -------
        added, removed : (P, 2) int64
            Pairs that overlap now and did not at the last report, and the reverse, in lexicographic order. They include
            pairs that begin or end because of `add` and `remove`. The first pairs count as reported.

        Raises
        ------
        ValueError
            If a box does not exist, or as for `sweep_and_prune`. In that case, no box is moved.
        """
        self._updates += 1
        changed = self._update_one(indices, lower, upper)
        if changed is None:
            objects = self._checked_indices(indices)
            low, high = checked_bounds(lower, upper)
            if low.shape[1] != len(objects):
                raise ValueError(f"lower: {low.shape[1]} rows, but there are {len(objects)} indices")
            if len(objects):
                self._move(objects, np.concatenate([low, -high]))
            changed = self._report()
        return changed

    def add(self, lower: ArrayLike, upper: ArrayLike, filter: CollisionFilter | None = None) -> Ints:
        """Add boxes. The next update reports their pairs.

        Parameters
        ----------
        lower, upper : (K, 3) array-like
        filter : CollisionFilter, optional
            Filter for these K boxes. None: they may be paired with all boxes that allow it.

        Returns
        -------
        (K,) int64
            Indices of the new boxes: the lowest free ones. The index of a removed box is free after an update has
            reported the removal.

        Raises
        ------
        ValueError
            As for `sweep_and_prune`.
        """
        low, high = checked_bounds(lower, upper)
        count = low.shape[1]
        check_filter(filter, count)
        free = ~self._used
        free[[index for part in self._leaving for index in part.tolist()]] = False
        if np.count_nonzero(free) < count:
            more = max(count - int(np.count_nonzero(free)), len(free) // 4)
            self._box, self._fat_box = (
                np.concatenate([part, np.full((6, more), np.nan)], axis=1) for part in (self._box, self._fat_box)
            )
            self._margin = np.concatenate([self._margin, np.zeros(more)])
            self._used = np.concatenate([self._used, np.zeros(more, dtype=bool)])
            free = np.concatenate([free, np.ones(more, dtype=bool)])
        objects = np.flatnonzero(free)[:count]
        if filter is not None or self._filter is not None:
            own = CollisionFilter.of_anything(len(self._used)) if self._filter is None else self._filter
            self._filter = own.with_rows(objects, filter or CollisionFilter.of_anything(count))
            # Pairs cached while other boxes had these indices.
            pairs = self._cache.pairs_of_any(objects)
            self._cache.allowed[pairs] = self._filter.allows(self._cache.first[pairs], self._cache.second[pairs])
        self._used[objects] = True
        if count:
            self._move(objects, np.concatenate([low, -high]))
        return objects

    def remove(self, indices: ArrayLike) -> None:
        """Remove boxes. The next update reports their pairs as removed.

        Raises
        ------
        ValueError
            If a box does not exist, or is given twice.
        """
        objects = self._checked_indices(indices)
        if len(np.unique(objects)) < len(objects):
            raise ValueError("indices: a box is given twice")
        if not len(objects):
            return
        self._box[:, objects] = self._fat_box[:, objects] = np.nan
        self._used[objects] = False
        self._leaving.append(objects)
        self._compare(self._cache.pairs_of_any(objects))

    def _update_one(self, indices: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> tuple[Ints, Ints] | None:
        """`update` for a single box, for example while it is dragged; None if a sweep or the general checks are needed.

        Only the pairs of this box are compared, so the time depends on the number of numpy calls, not on arithmetic.
        """
        given: Any = indices
        try:
            (index,) = given
            ((x, y, z),), ((far_x, far_y, far_z),) = (np.asarray(b, dtype=np.float64).tolist() for b in (lower, upper))
            # A bool is not an index; the general method raises the error.
            reported = not self._dirty and not isinstance(index, bool | np.bool_) and self._used[index] and index >= 0
        except (TypeError, ValueError, IndexError):
            return None
        box = (x, y, z, -far_x, -far_y, -far_z)
        # Comparisons with NaN are false. Infinite bounds are left to the general method.
        if not (reported and x <= far_x < np.inf and y <= far_y < np.inf and z <= far_z < np.inf):
            return None
        if min(box) == -np.inf:
            return None
        index, cache = int(index), self._cache
        leaves = not all(map(le, self._fat_box[:, index].tolist(), box))
        if leaves and cache.count > _MAX_GROWTH * cache.swept + _MAX_SINGLE_QUERIES:
            return None
        self._box[:, index] = box
        if leaves:
            self._find_pairs_of(index)
        pairs, others = cache.pairs_of(index)
        reach = np.array(((far_x,), (far_y,), (far_z,), (-x,), (-y,), (-z,)))
        overlaps = (self._box.take(others, axis=1) <= reach).all(axis=0)
        overlaps &= cache.allowed.take(pairs)
        changed = pairs[overlaps != cache.overlaps.take(pairs)]
        if not len(changed):
            return _NO_PAIRS, _NO_PAIRS
        cache.overlaps[pairs] = cache.reported[pairs] = overlaps
        self._pairs = None
        return self._split(changed)

    def _checked_indices(self, indices: ArrayLike) -> Ints:
        """The validated indices."""
        given = numbers(indices, "indices")
        if given.size == 0 and given.dtype.kind != "b":
            return np.empty(0, dtype=np.int64)
        if given.ndim != 1 or given.dtype.kind not in "iu":
            raise ValueError(f"indices: {given.dtype} of shape {given.shape}, but integers of shape (K,) are needed")
        known = (given >= 0) & (given < len(self._used))
        known[known] = self._used[given[known]]
        if not known.all():
            row = int(np.argmin(known))
            raise ValueError(f"indices: row {row} is {given[row]}, and there is no such box")
        return given.astype(np.int64)

    def _move(self, objects: Ints, box: Floats) -> None:
        """Set the bounds of boxes, compute new fat boxes where needed, and compare their pairs."""
        all_rows = len(objects) == len(self._used) and bool((objects[1:] > objects[:-1]).all())
        # Fancy indexing would dominate the time.
        rows = slice(None) if all_rows else objects
        self._box[:, rows] = box
        # Compare the current boxes, because one may be given twice. A new box has no fat box yet.
        out = objects[~(self._fat_box[:, rows] <= self._box[:, rows]).all(axis=0)]
        if len(out) > _MAX_SINGLE_QUERIES or (
            len(out) and self._cache.count > _MAX_GROWTH * self._cache.swept + _MAX_SINGLE_QUERIES
        ):
            self._margin_ratio = self._margin_ratio_for(objects)
            self._sweep()
            return
        for index in sorted(set(out.tolist())):
            self._find_pairs_of(index)
        self._compare(
            None if len(objects) > _MAX_LOOKUP_FRACTION * len(self._used) else self._cache.pairs_of_any(objects)
        )

    def _margin_ratio_for(self, moved: Ints) -> float:
        """Margin that boxes need, as a fraction of their size, from the motion of these boxes since the last sweep."""
        sample = moved[:: -(-len(moved) // _SAMPLE)]
        size = self._sizes(sample)
        with np.errstate(divide="ignore", invalid="ignore"):
            traveled = np.abs(self._box[:, sample] - self._fat_box[:, sample] - self._margin[sample]).max(axis=0)
            needed = traveled / size
        needed = needed[np.isfinite(needed)] / max(self._updates, 1)
        typical = float(np.quantile(needed, _TYPICAL)) if len(needed) else 0.0
        if typical * _MIN_LIFETIME > _MAX_MARGIN:
            return 0.0
        return min(max(typical * _LIFETIME, _MARGIN), _MAX_MARGIN)

    def _sizes(self, objects: Ints) -> Floats:
        """The median of the three side lengths of each box, which is robust for needles and floors."""
        with np.errstate(over="ignore"):
            x, y, z = -self._box[3:, objects] - self._box[:3, objects]
        return np.maximum(np.minimum(x, y), np.minimum(np.maximum(x, y), z))

    def _fatten(self, objects: Ints) -> None:
        """Compute new fat boxes around the current boxes."""
        self._margin[objects] = self._margin_ratio * np.minimum(self._sizes(objects), self._max_margin_size)
        self._fat_box[:, objects] = self._box[:, objects] - self._margin[objects]

    def _sweep(self) -> None:
        """Compute new fat boxes for all boxes, and find all pairs of overlapping fat boxes."""
        objects = self.indices
        sizes = self._sizes(objects)
        sizes = sizes[np.isfinite(sizes)]
        self._max_margin_size = _MAX_MARGIN_SIZE * float(np.median(sizes)) if len(sizes) else 0.0
        self._fatten(objects)
        self._updates = 0
        fat_box = self._fat_box[:, objects]
        first, second = (objects[side] for side in grid_sweep.self_pairs(fat_box[:3], -fat_box[3:]))
        found = np.sort(pack_pairs(*self._allowed(np.minimum(first, second), np.maximum(first, second))))
        # Reported pairs are kept, so that their removal can be reported.
        reported = pack_pairs(self._cache.first[self._cache.reported], self._cache.second[self._cache.reported])
        place = np.searchsorted(found, reported)
        gone = np.append(found, -1)[place] != reported
        if gone.any():
            found = np.sort(np.concatenate([found, reported[gone]]), kind="stable")
            place = np.searchsorted(found, reported)
        first, second = np.ascontiguousarray(unpack_pairs(found).T)
        self._cache = PairCache(first, second, len(self._used))
        self._cache.reported[place] = True
        self._dirty.clear()
        self._compare(None)

    def _find_pairs_of(self, index: int) -> None:
        """Compute a new fat box for one box, and find its pairs."""
        box = self._box[:, index]
        size = sorted((-box[3:] - box[:3]).tolist())[1]
        self._margin[index] = margin = self._margin_ratio * min(size, self._max_margin_size)
        self._fat_box[:, index] = box - margin
        near: Bools = np.logical_and.reduce(self._fat_box <= -self._fat_box[_FLIPPED, index, None], axis=0)
        near[index] = False
        near[self._cache.pairs_of(index)[1]] = False
        others = np.flatnonzero(near)
        if len(others):
            self._cache.add(*self._allowed(np.minimum(others, index), np.maximum(others, index)))

    def _allowed(self, first: Ints, second: Ints) -> tuple[Ints, Ints]:
        """The pairs that the filter allows."""
        if self._filter is None:
            return first, second
        allowed = self._filter.allows(first, second)
        return first[allowed], second[allowed]

    def _compare(self, pairs: Ints | None) -> None:
        """Test these cached pairs for overlap at their current bounds; None: all pairs."""
        low, high = self._box[:3], -self._box[3:]
        cache = self._cache
        for begin in range(0, cache.count if pairs is None else len(pairs), _BLOCK):
            block = slice(begin, begin + _BLOCK) if pairs is None else pairs[begin : begin + _BLOCK]
            first, second = cache.first[block], cache.second[block]
            overlaps = cache.allowed[block].copy()
            for axis_low, axis_high in zip(low, high, strict=True):
                overlaps &= axis_low.take(first) <= axis_high.take(second)
                overlaps &= axis_low.take(second) <= axis_high.take(first)
            cache.overlaps[block] = overlaps
        if pairs is None:
            self._dirty = [np.flatnonzero(cache.overlaps != cache.reported)]
        else:
            self._dirty.append(pairs)
        self._pairs = None

    def _report(self) -> tuple[Ints, Ints]:
        """Pairs added and removed since the last report."""
        cache = self._cache
        touched = np.concatenate([_NO_PAIRS[:, 0], *self._dirty])
        changed = np.sort(touched[cache.overlaps[touched] != cache.reported[touched]])
        # Report each pair once, even if it was touched several times.
        changed = changed[np.append(True, changed[1:] != changed[:-1])[: len(changed)]]
        self._dirty.clear()
        self._leaving.clear()
        cache.reported[changed] = cache.overlaps[changed]
        return self._split(changed)

    def _split(self, changed: Ints) -> tuple[Ints, Ints]:
        """Split cached pairs whose overlap has changed: those that overlap now, and the others; see `update`."""
        now = self._cache.overlaps[changed]
        added, removed = (
            sorted_pairs(self._cache.first[some], self._cache.second[some]) for some in (changed[now], changed[~now])
        )
        return added, removed
