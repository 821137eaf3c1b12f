# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests and results of the search for floating objects. Plain data, without Blender."""

import math
from typing import NamedTuple

from ..asset_rules.limits import Length
from .message import Message
from .rules import Pattern

# Gap in meters up to which two bodies count as touching.
GAP = 1e-3


class FloatingRequest(NamedTuple):
    """Options of a search for floating objects. Lengths are in Blender units.

    Attributes
    ----------
    scope, collection_a, collection_b : str
        As for `addon.collisions.check.check`. Objects of this scope are listed. All visible objects count as support.
    gap : float
        Bodies that are no farther apart than this count as touching.
    below : bool
        Whether each body has to be held from below. Otherwise only dynamic bodies have to be, and others may also hang,
        or lean sideways.
    ground : tuple of Pattern
        Bodies that need no support. Empty: they are found automatically.
    include_operands : bool
        As for `addon.collisions.check.check`.
    """

    scope: str = "VISIBLE"
    collection_a: str = ""
    collection_b: str = ""
    gap: float = GAP
    below: bool = False
    ground: tuple[Pattern, ...] = ()
    include_operands: bool = False


class Floating(NamedTuple):
    """Connected bodies that nothing holds. Lengths are in Blender units.

    Attributes
    ----------
    object : str
        The lowest of them, or its asset.
    others : tuple of str
        The other bodies.
    uids : frozenset of int
        The `session_uid` of the objects to move together, which are the roots of assets.
    drop : float
        How far they can move down until they touch something. Infinite: nothing is below.
    onto : str
        What they touch then. Empty: nothing.
    distance : float
        Distance of the nearest body that is held. Infinite: farther than `drop`.
    nearest : str
        Name of this body. Empty: none.
    """

    object: str
    others: tuple[str, ...]
    uids: frozenset[int]
    drop: float
    onto: str
    distance: float = math.inf
    nearest: str = ""

    @property
    def message(self) -> Message:
        """Return the issue as a sentence."""
        where = Message("There is nothing below it.")
        if self.onto and self.nearest and self.nearest != self.onto:
            where = Message(
                'It is {drop} above "{onto}", and {distance} away from "{nearest}".',
                drop=Length(self.drop),
                onto=self.onto,
                distance=Length(self.distance),
                nearest=self.nearest,
            )
        elif self.onto:
            where = Message('It is {drop} above "{onto}".', drop=Length(self.drop), onto=self.onto)
        if not self.others:
            return where
        return Message("{sentence} {count} other objects are held only by it.", sentence=where, count=len(self.others))
