# SPDX-License-Identifier: GPL-3.0-or-later
"""What a `ContactCache` answers."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..results import Contacts, Floats, Ints


class ContactState(IntEnum):
    """What became of a contact since the last update."""

    NEW = 0  # found, and not known before
    KEPT = 1  # known, and found again
    RECOMPUTED = 2  # known, not found again, and its features still meet


class RemovalReason(IntEnum):
    """Why a contact is gone."""

    SEPARATED = 0  # its features meet no more, or its pair was not asked about
    COUNT = 1  # its pair had more than enough
    DEPTH = 2  # not deep enough
    SEPARATING = 3  # its surfaces part fast


@dataclass(frozen=True)
class PersistentContacts:
    """Contacts of one update, and what changed since the one before.

    Attributes
    ----------
    contacts : Contacts
        Rows of one pair next to each other, deepest first; `pair` is the row of the question. The normal of a contact
        that was recomputed is that of its own features.
    identity : (C,) int64
        The same as long as it is the same contact; never given to another.
    age : (C,) int64
        Updates since it was new.
    state : (C,) int8
        `ContactState`.
    displacement : (C,) float64
        How far its point has moved in the world; 0 for a new one.
    depth_change : (C,) float64
        Its depth less what it was; 0 for a new one.
    separation_speed : (C,) float64
        Velocity at which its surfaces part: minus the change of depth per unit of time. NaN for a new one, and where
        no time has passed.
    removed, removal_reason : (G,) int64, (G,) int8
        The identities that were given last and are no more, and why: `RemovalReason`.
    """

    contacts: Contacts
    identity: Ints
    age: Ints
    state: NDArray[np.int8]
    displacement: Floats
    depth_change: Floats
    separation_speed: Floats
    removed: Ints
    removal_reason: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.identity)
