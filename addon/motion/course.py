# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates of the transforms of bodies between two samples, without evaluating the scene.

Each search for a contact evaluates the scene several times, and each contact is in another frame. An estimate finds the
frame first, so that one evaluation is usually enough to confirm it.
"""

from collections.abc import Sequence

import numpy as np

from ...core.continuous.motion import rotation_vectors, rotations_by
from ...core.numerics.types import Floats, Ints
from ..scene.animation.moving_shapes import Sample, same_form


class Course:
    """The transforms of some rows as a polynomial in time through a few samples.

    The polynomials are those of the positions of origins, and of the rotation vectors from the first sample on.
    """

    def __init__(self, samples: Sequence[Sample], rows: Ints) -> None:
        self._begin, self._rows = samples[0], rows
        self._frames = np.array([one.frame for one in samples])
        back = samples[0].rotation[rows].transpose(0, 2, 1)
        self._turns = np.stack([rotation_vectors(one.rotation[rows] @ back) for one in samples])
        self._places = np.stack([one.translation[rows] for one in samples])

    def sample(self, frame: float) -> Sample:
        """Return the first sample with the rows at their estimated places in a frame."""
        share = self._shares(frame)
        turn = rotations_by(np.tensordot(share, self._turns, 1))
        rotation, translation = self._begin.rotation.copy(), self._begin.translation.copy()
        rotation[self._rows] = turn @ rotation[self._rows]
        translation[self._rows] = np.tensordot(share, self._places, 1)
        return Sample(frame, self._begin.basis, rotation, translation)

    def _shares(self, frame: float) -> Floats:
        """Return the weight of each sample, by Lagrange's formula: (S,)."""
        count = len(self._frames)
        share = np.ones(count)
        for one in range(count):
            for other in {*range(count)} - {one}:
                share[one] *= (frame - self._frames[other]) / (self._frames[one] - self._frames[other])
        return share


def course_of(begin: Sample, end: Sample, others: Sequence[Sample], rows: Ints) -> Course | None:
    """Return the estimate between two samples for rows that do not deform in them. None without other such samples."""
    samples = [begin, end, *others]
    count = max(map(len, samples))
    samples = [one.widened(count) for one in samples]
    kept = [one for one in samples if same_form(samples[0], one)[rows].all()]
    return Course(kept, rows) if len(kept) > 2 and kept[1] is samples[1] else None
