# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that nothing holds: what is asked, and what is found. Plain data, no Blender in it."""

import math
from typing import NamedTuple

from ..asset_rules.limits import Length
from .message import Message
from .rules import Pattern

# The gap in meters up to which two bodies count as touching.
GAP = 1e-3


class FloatingRequest(NamedTuple):
    """The options of a search for floating objects; lengths in Blender units.

    Attributes
    ----------
    scope, collection_a, collection_b : str
        As `addon.collisions.check.check` takes them. Objects of this scope are listed; visible ones hold them, too.
    gap : float
        Bodies that are no farther apart than this touch.
    below : bool
        Whether each body has to be held from below. Otherwise only bodies that are declared as dynamic have to be, and
        others may also hang, or lean on their side.
    ground : tuple of Pattern
        The bodies that hold others and need no support. Empty: they are found.
    include_operands : bool
        As `addon.collisions.check.check` takes it.
    """

    scope: str = "VISIBLE"
    collection_a: str = ""
    collection_b: str = ""
    gap: float = GAP
    below: bool = False
    ground: tuple[Pattern, ...] = ()
    include_operands: bool = False


class Floating(NamedTuple):
    """Bodies that are connected with each other and that nothing holds. Lengths in Blender units.

    Attributes
    ----------
    object : str
        The lowest of them, or the asset that it is a part of.
    others : tuple of str
        The others.
    uids : frozenset of int
        The `session_uid` of the objects to move together, which are the roots of assets.
    drop : float
        How far they can move down until they touch something; infinite: there is nothing below.
    onto : str
        What they then touch; "" for nothing.
    distance : float
        How far the nearest body that is held is away; infinite: farther than `drop`.
    nearest : str
        This body; "" for none.
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
