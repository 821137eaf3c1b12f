# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of pairs that have a margin each, from a question that takes one margin for all."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..numerics.types import Floats, Ints
from ..results import Contacts


def contacts_within(ask: Callable[[Ints, float], Contacts], margin: Floats) -> Contacts:
    """The contacts of pairs up to their margins apart, in a few questions; some are up to twice as far apart.

    There is a question for each power of two, so that a pair's contacts do not depend on the other pairs.

    Parameters
    ----------
    ask : function
        The contacts of the pairs of some rows, up to this far apart.
    margin : (P,) float64
        Not negative.

    Returns
    -------
    Contacts
        `pair` is the row of `margin`.
    """
    some = margin > 0.0
    reach = np.where(some, np.exp2(np.ceil(np.log2(np.where(some, margin, 1.0)))), 0.0)
    parts = []
    for most in np.unique(reach).tolist():
        rows = np.flatnonzero(reach == most)
        part = ask(rows, most)
        parts.append(replace(part, pair=rows[part.pair]))
    return Contacts.joined(parts)
