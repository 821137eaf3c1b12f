# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fix has done, and what it could not do. Plain data, no Blender in it."""

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from ...core.numerics.types import Floats
from ..scene.objects.moving import Lock


class Refusal(Enum):
    """Why an object was not moved, apart from what locks it."""

    FLOOR = "floor"
    NO_SHAPE = "no shape"
    NO_WAY_OUT = "no way out"
    INSIDE = "inside"
    NOTHING_HIT = "nothing hit"
    ALREADY = "already"
    DIRECTION = "direction"


@dataclass(frozen=True)
class Left:
    """Two bodies that still penetrate."""

    name: str
    other: str
    depth: float


@dataclass(frozen=True)
class NotMoved:
    """An object that stays where it is, and why."""

    name: str
    refusal: Refusal | None
    locks: tuple[Lock, ...] = ()
    other: str = ""
    length: float = 0.0


@dataclass
class Outcome:
    """What a fix has done, and what it could not do.

    Attributes
    ----------
    moved : dict of str to (3,) float64
        How far each object was moved, by name.
    onto : dict of str to str
        What it touches now.
    left : list of Left
        What still penetrates, the deepest first.
    refused : list of NotMoved
    one_by_one : bool
        They were too many to be moved together, as was asked for.
    """

    moved: dict[str, Floats] = field(default_factory=dict)
    onto: dict[str, str] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    refused: list[NotMoved] = field(default_factory=list)
    one_by_one: bool = False

    @property
    def farthest(self) -> float:
        """The longest way that an object was moved."""
        return max((float(np.linalg.norm(way)) for way in self.moved.values()), default=0.0)
