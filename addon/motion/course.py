# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates of where bodies are between two samples, without an evaluation of the scene.

Each search for a contact evaluates the scene several times, and each contact is at another frame. An estimate finds
the frame first, so that one evaluation is mostly enough to confirm it.
"""

import numpy as np

from ...core.continuous.motion import rotation_vectors, rotations_by
from ...core.numerics.types import Floats, Ints
from ..scene.animation.moving_shapes import Sample, same_form


class Course:
    """The placement of some rows, as the quadratic polynomial in time through three samples.

    The polynomials are those of the positions of origins, and of the rotation vectors from the first sample on.
    """

    def __init__(self, begin: Sample, middle: Sample, end: Sample, rows: Ints) -> None:
        self._begin, self._rows = begin, rows
        self._frames = np.array([one.frame for one in (begin, middle, end)])
        back = begin.rotation[rows].transpose(0, 2, 1)
        samples = (begin, middle, end)
        self._turns = np.stack([rotation_vectors(one.rotation[rows] @ back) for one in samples])
        self._places = np.stack([one.translation[rows] for one in samples])

    def sample(self, frame: float) -> Sample:
        """The first sample with the rows where they are estimated to be at a frame."""
        share = self._shares(frame)
        turn = rotations_by(np.tensordot(share, self._turns, 1))
        rotation, translation = self._begin.rotation.copy(), self._begin.translation.copy()
        rotation[self._rows] = turn @ rotation[self._rows]
        translation[self._rows] = np.tensordot(share, self._places, 1)
        return Sample(frame, self._begin.basis, rotation, translation)

    def _shares(self, frame: float) -> Floats:
        """The share of each of the three samples, by Lagrange's formula: (3,)."""
        share = np.ones(3)
        for one in range(3):
            for other in {0, 1, 2} - {one}:
                share[one] *= (frame - self._frames[other]) / (self._frames[one] - self._frames[other])
        return share


def course_of(begin: Sample, middle: Sample | None, end: Sample, rows: Ints) -> Course | None:
    """The estimate for rows that keep their form in all three samples; otherwise None."""
    if middle is None:
        return None
    count = max(len(begin), len(middle), len(end))
    begin, middle, end = (one.widened(count) for one in (begin, middle, end))
    if not (same_form(begin, middle) & same_form(begin, end))[rows].all():
        return None
    return Course(begin, middle, end, rows)
