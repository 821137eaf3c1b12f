# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of a `ContactCache`."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..numerics.types import Floats, Ints
from ..results import Contacts


class ContactState(IntEnum):
    """What happened to a contact since the last update.

    Attributes
    ----------
    NEW
        Found, and not known before.
    KEPT
        Known, and found again.
    RECOMPUTED
        Known, not found again, and its features still meet.
    """

    NEW = 0  # found, not known before
    KEPT = 1  # known and found again
    RECOMPUTED = 2  # known, not found again, but its features still touch


class RemovalReason(IntEnum):
    """Why a contact was removed.

    Attributes
    ----------
    SEPARATED
        Its features no longer meet, or its pair was not asked about.
    COUNT
        Its pair has more contacts than are kept.
    DEPTH
        It is not deep enough.
    SEPARATING
        Its surfaces separate too fast.
    """

    SEPARATED = 0  # its features no longer touch, or its pair was not queried
    COUNT = 1  # its pair had too many contacts
    DEPTH = 2  # too shallow
    SEPARATING = 3  # its surfaces separate too fast


@dataclass(frozen=True)
class PersistentContacts:
    """Contacts of one update and what changed since the previous one.

    Attributes
    ----------
    contacts : Contacts
        Rows of one pair are adjacent, deepest first; `pair` is the row of the query. A recomputed contact has the
        normal of its own features.
    identity : (C,) int64
        Constant for the life of a contact; never reused.
    age : (C,) int64
        Updates since the contact was new.
    state : (C,) int8
        `ContactState`.
    displacement : (C,) float64
        Distance that the contact point moved in the world; 0 for a new contact.
    depth_change : (C,) float64
        Depth minus previous depth; 0 for a new contact.
    separation_speed : (C,) float64
        Minus the change of depth per unit of time. NaN for a new contact and where no time has passed.
    removed, removal_reason : (G,) int64, (G,) int8
        Identities that were returned last time and are removed now, and why: `RemovalReason`.
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
