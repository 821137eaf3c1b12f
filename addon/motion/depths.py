# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of bodies in samples: their interference, as in a collision check.

The distance to separate two bodies takes longer to measure. It is measured in the end, where they are deepest, and for
concave meshes when it is first asked for.
"""

from collections.abc import Generator, Iterable, Sequence

import numpy as np

from ...core import Distances
from ...core.constants import Verdict
from ...core.numerics.rows import smallest_per_group
from ...core.numerics.types import Floats, Ints
from ..collisions.pair_evidence import with_mesh
from ..model.motion_report import Overlap
from ..scene.animation.moving_shapes import Sample
from .contact_records import ContactRecord
from .queries import separation_steps, together


def deepen(
    records: Sequence[ContactRecord],
    of_record: Ints,
    samples: Sequence[Sample],
    which: Ints,
    pairs: Ints,
    found: Distances,
    level: Floats,
) -> None:
    """Record the greatest depth of each pair of bodies, and the rows that are so deep.

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
    for row in first.tolist():
        mine = int(of_record[row])
        records[mine].deepen(
            float(frames[row]),
            float(depth[row]),
            penetrates=bool(any_penetrates[mine]),
            touching=float(level[row]),
            overlap=(samples[which[row]], pairs[row]) if penetrates[row] else None,
        )


def separate(records: Iterable[ContactRecord]) -> Generator[None, None, None]:
    """Measure how far the bodies of each record have to move to be separated where they are deepest. Yields often.

    Concave meshes are kept as an `Overlap`, to be measured later.
    """
    overlapping = [(record, *record.overlap) for record in records if record.overlap is not None]
    pairs = np.array([pair for *_, pair in overlapping], dtype=np.int64).reshape(-1, 2)
    found, places = together([sample for _, sample, _ in overlapping], np.arange(len(pairs)), pairs)
    later = with_mesh(found.world, places)
    now = np.flatnonzero(~later)
    far = yield from separation_steps(found.world, places[now])
    for row, length in zip(now.tolist(), far.tolist(), strict=True):
        record = overlapping[row][0]
        record.separation = -max(length, record.depth)
    for row in np.flatnonzero(later).tolist():
        record = overlapping[row][0]
        record.separation = Overlap(found.world, places[row], record.depth)


def _note_shallowest(records: Sequence[ContactRecord], of_record: Ints, which: Ints, depth: Floats) -> None:
    """Record the smallest depth of each pair of bodies. In a sample, it is the depth of the deepest rows."""
    both, place = np.unique(np.stack([of_record, which]), axis=1, return_inverse=True)
    in_sample = np.zeros(both.shape[1])
    np.maximum.at(in_sample, place.reshape(-1), depth)
    least = np.full(len(records), np.inf)
    np.minimum.at(least, both[0], in_sample)
    for record, mine in zip(records, least.tolist(), strict=True):
        record.shallowest = min(record.shallowest, mine)
