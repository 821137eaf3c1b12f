# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision filter: which objects are tested against each other, by group, mask and body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Bools, Ints
from ..numerics.validation import numbers

# Defaults: an object is in the first group, is tested against all groups, and belongs to no body.
_GROUP, _MASK, _BODY = 1, -1, -1


@dataclass(frozen=True, eq=False)
class CollisionFilter:
    """Groups, masks and bodies of N objects. A pair is tested if all three allow it.

    Parameters
    ----------
    group : (N,) array-like of int, optional
        Bits of the groups that an object is in. None: the first group, 1.
    mask : (N,) array-like of int, optional
        Bits of the groups that an object is tested against. Both objects of a pair must allow it. None: all, -1.
    body : (N,) array-like of int, optional
        Objects of the same body are never tested against each other (Lee 2018: the parts of one assembly). Negative:
        the object belongs to no body. None: no object belongs to a body.

    Raises
    ------
    ValueError
        If no argument is given, lengths differ, or an argument does not consist of integers.
    """

    group: Ints
    mask: Ints
    body: Ints

    def __init__(
        self, group: ArrayLike | None = None, mask: ArrayLike | None = None, body: ArrayLike | None = None
    ) -> None:
        given = {
            name: _integers(value, name)
            for name, value in (("group", group), ("mask", mask), ("body", body))
            if value is not None
        }
        if not given:
            raise ValueError("group, mask, body: none is given")
        (first, count), *others = ((name, len(value)) for name, value in given.items())
        for name, length in others:
            if length != count:
                raise ValueError(f"{name}: {length} rows, but {first} has {count}")
        for name, default in (("group", _GROUP), ("mask", _MASK), ("body", _BODY)):
            value = given.get(name, np.full(count, default, dtype=np.int64))
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @classmethod
    def of_anything(cls, count: int) -> Self:
        """A filter for this many objects that allows all pairs."""
        return cls(body=np.full(count, _BODY))

    @classmethod
    def between(cls, count_a: int, count_b: int) -> Self:
        """A filter for the objects of A followed by those of B that allows only pairs between the two sets."""
        group = np.repeat([1, 2], [count_a, count_b])
        return cls(group=group, mask=3 - group)

    def __len__(self) -> int:
        return len(self.group)

    def allows(self, first: Ints, second: Ints) -> Bools:
        """Whether the objects of each pair of rows are tested against each other."""
        seen = (self.group[first] & self.mask[second] != 0) & (self.group[second] & self.mask[first] != 0)
        body = self.body[first]
        return seen & ((body != self.body[second]) | (body < 0))

    def with_rows(self, rows: Ints, other: Self) -> Self:
        """A filter with `other` in these rows, which may be beyond the last row. Rows in between get defaults."""
        count = max(len(self), int(rows.max(initial=-1)) + 1)
        fields = []
        for name, default in (("group", _GROUP), ("mask", _MASK), ("body", _BODY)):
            value = np.full(count, default, dtype=np.int64)
            value[: len(self)] = getattr(self, name)
            value[rows] = getattr(other, name)
            fields.append(value)
        return type(self)(*fields)


def _integers(value: ArrayLike, name: str) -> Ints:
    given = np.array(numbers(value, name))
    if given.size == 0:
        given = given.reshape(0).astype(np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iub":
        raise ValueError(f"{name}: {given.dtype} of shape {given.shape}, but integers of shape (N,) are needed")
    return given.astype(np.int64)
