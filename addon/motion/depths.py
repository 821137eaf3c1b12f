# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of bodies in samples: their interference, as in a collision check."""

from collections.abc import Sequence

import numpy as np

from ...core import Distances
from ...core.constants import Verdict
from ...core.numerics.rows import smallest_per_group
from ...core.numerics.types import Floats, Ints
from ..scene.animation.moving_shapes import Sample
from .contact_records import ContactRecord
from .queries import distances_to_separate


def deepen(
    records: Sequence[ContactRecord],
    of_record: Ints,
    samples: Sequence[Sample],
    which: Ints,
    pairs: Ints,
    found: Distances,
    level: Floats,
) -> None:
    """Record the greatest depth of each pair of bodies, and the distance to separate the rows that are so deep.

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
        Distance of each pair, minus the depth of overlapping ones.
    level : (P,) float64
        The touching tolerance.
    """
    if not len(pairs):
        return
    depth = np.maximum(-found.distance, 0.0)
    _note_shallowest(records, of_record, which, depth)
    frames = np.array([sample.frame for sample in samples])[which]
    penetrates = found.verdict(level) == Verdict.PENETRATING
    any_penetrates = np.isin(np.arange(len(records)), of_record[penetrates])
    # For each record the deepest, and of equally deep ones the earliest.
    order = np.lexsort((frames, -depth))
    first = order[smallest_per_group(of_record[order], np.arange(float(len(order))))]
    known = np.array([record.depth for record in records])
    first = first[(depth[first] > known[of_record[first]]) | any_penetrates[of_record[first]]]
    far = depth[first]
    deeper = np.flatnonzero(penetrates[first] & (depth[first] > known[of_record[first]]))
    rows = first[deeper]
    far[deeper] = np.maximum(distances_to_separate(samples, which[rows], pairs[rows]), far[deeper])
    for row, way in zip(first.tolist(), far.tolist(), strict=True):
        mine = int(of_record[row])
        records[mine].deepen(
            float(frames[row]),
            float(depth[row]),
            -way,
            penetrates=bool(any_penetrates[mine]),
            touching=float(level[row]),
        )


def _note_shallowest(records: Sequence[ContactRecord], of_record: Ints, which: Ints, depth: Floats) -> None:
    """Record the smallest depth of each pair of bodies. In a sample, it is the depth of the deepest rows."""
    both, place = np.unique(np.stack([of_record, which]), axis=1, return_inverse=True)
    in_sample = np.zeros(both.shape[1])
    np.maximum.at(in_sample, place.reshape(-1), depth)
    least = np.full(len(records), np.inf)
    np.minimum.at(least, both[0], in_sample)
    for record, mine in zip(records, least.tolist(), strict=True):
        record.shallowest = min(record.shallowest, mine)
