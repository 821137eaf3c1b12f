# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of bodies in samples, measured by their interference, as in a collision check.

A part that fits into a slot may have a large penetration depth although it hardly interferes.
"""

from collections.abc import Sequence

import numpy as np

from ...core import Distances
from ...core.constants import Verdict
from ...core.numerics.rows import smallest_per_group
from ...core.numerics.types import Bools, Floats, Ints
from ..scene.animation.moving_shapes import Sample
from .contact_records import ContactRecord
from .queries import interference

# Number of pairs of rows that are measured first for each pair of bodies, and its growth after each query.
_FIRST, _MORE = 1, 4


def deepen(
    records: Sequence[ContactRecord],
    of_record: Ints,
    samples: Sequence[Sample],
    which: Ints,
    pairs: Ints,
    found: Distances,
    level: Floats,
    steady: Bools,
) -> None:
    """Record the greatest depth of each pair of bodies.

    The interference is at most the penetration depth. It is therefore measured only where the penetration depth exceeds
    the greatest interference known, for the rows of the greatest penetration depth first.

    Parameters
    ----------
    records : sequence of ContactRecord
    of_record : (P,) int64
        Record of each pair of rows.
    samples : sequence of Sample
    which : (P,) int64
        Sample of each pair.
    pairs : (P, 2) int64
        Rows that touch.
    found : Distances
        Distance of each pair.
    level : (P,) float64
        The touching tolerance.
    steady : (P,) bool
        Pairs that are only measured at the greatest penetration depth of their bodies in these samples.
    """
    frames = np.array([sample.frame for sample in samples])
    most = np.maximum(-found.distance, 0.0)
    _note_shallowest(records, of_record, which, most)
    deep = found.verdict(level) == Verdict.PENETRATING

    def note(rows: Ints, depth: Floats, penetrates: Bools) -> None:
        # For each record the deepest, and of equally deep ones the earliest.
        frame = frames[which[rows]]
        order = np.lexsort((frame, -depth))
        any_penetrates = np.isin(np.arange(len(records)), of_record[rows[penetrates]])
        for place in order[smallest_per_group(of_record[rows[order]], np.arange(float(len(order))))].tolist():
            row, mine = rows[place], of_record[rows[place]]
            records[mine].deepen(
                float(frame[place]),
                float(depth[place]),
                -float(most[row]),
                penetrates=bool(any_penetrates[mine]),
                touching=float(level[row]),
            )

    shallow = np.flatnonzero(~deep)
    note(shallow, most[shallow], np.zeros(len(shallow), dtype=bool))
    left = np.flatnonzero(deep)
    left = left[np.lexsort((-most[left], of_record[left]))]
    count = _FIRST
    while len(left):
        known = np.array([record.depth for record in records])
        judged = np.array([record.penetrates for record in records], dtype=bool)
        mine = of_record[left]
        left = left[(most[left] > known[mine]) | ~judged[mine]]
        begin = np.flatnonzero(np.diff(of_record[left], prepend=-1))
        rank = np.arange(len(left)) - np.repeat(begin, np.diff(begin, append=len(left)))
        asked, left = left[rank < count], left[rank >= count]
        some = found.take(asked)
        depth = interference(samples, which[asked], pairs[asked], some, level[asked])
        note(asked, depth, some.verdict(level[asked], interference=depth) == Verdict.PENETRATING)
        left = left[~steady[left]]
        count *= _MORE


def _note_shallowest(records: Sequence[ContactRecord], of_record: Ints, which: Ints, depth: Floats) -> None:
    """Record the smallest depth of each pair of bodies. In a sample, it is the depth of the deepest rows."""
    both, place = np.unique(np.stack([of_record, which]), axis=1, return_inverse=True)
    in_sample = np.zeros(both.shape[1])
    np.maximum.at(in_sample, place.reshape(-1), depth)
    least = np.full(len(records), np.inf)
    np.minimum.at(least, both[0], in_sample)
    for record, mine in zip(records, least.tolist(), strict=True):
        record.shallowest = min(record.shallowest, mine)
