# SPDX-License-Identifier: GPL-3.0-or-later
"""Result of a fix: the moved objects, and failures. Plain data, without Blender."""

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from ...core.numerics.types import Floats
from ..scene.objects.moving import Lock


class Refusal(Enum):
    """Reason why an object was not moved, other than locks."""

    FLOOR = "floor"
    NO_SHAPE = "no shape"
    NO_FREE_POSITION = "no free position"
    INSIDE = "inside"
    NOTHING_HIT = "nothing hit"
    ALREADY = "already"
    DIRECTION = "direction"
    CLEAR = "clear"


@dataclass(frozen=True)
class Left:
    """Two bodies that still penetrate."""

    name: str
    other: str
    depth: float


@dataclass(frozen=True)
class NotMoved:
    """An object that was not moved, and the reason."""

    name: str
    refusal: Refusal | None
    locks: tuple[Lock, ...] = ()
    other: str = ""
    length: float = 0.0


@dataclass
class FixResult:
    """Result of a fix: the moved objects, and failures.

    Attributes
    ----------
    moved : dict of str to (3,) float64
        Translation of each object, by name.
    onto : dict of str to str
        Object that each object touches now, by name.
    left : list of Left
        Pairs that still penetrate, deepest first.
    refused : list of NotMoved
    one_by_one : bool
        Whether there were too many objects to move them together as requested.
    """

    moved: dict[str, Floats] = field(default_factory=dict)
    onto: dict[str, str] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    refused: list[NotMoved] = field(default_factory=list)
    one_by_one: bool = False

    @property
    def farthest(self) -> float:
        """The length of the longest translation."""
        return max((float(np.linalg.norm(way)) for way in self.moved.values()), default=0.0)
