# SPDX-License-Identifier: GPL-3.0-or-later
"""When to look at the scene: at every frame, and in between wherever the motion strays from the even one.

Between two samples everything is taken to move evenly: its origin straight on, turning at one speed. Half-way the scene
is evaluated to see how far that is from the truth. What strays too far is sampled there as well, and both halves are
looked at in the same way, down to `FINEST`.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.results import Bools, Floats, Ints
from ..bridge.frames import as_kept
from ..bridge.motion_forms import Sample, apart, motion_of, radii, same_form, same_place
from ..bridge.motion_poses import PoseReader
from ..collisions.pairing import TOUCHING_STEPS
from .report import Deviation

# Frames. No two samples of the search are nearer to each other: each halving leaves a quarter of the deviation of a
# motion that speeds up evenly, so this leaves a 256th of what a whole frame has.
FINEST = 1.0 / 16.0

# Dimensionless: a share of the radius of an object's bounding ball. What is allowed if nothing else is said.
SHARE = 0.01


@dataclass(frozen=True, eq=False)
class Span:
    """Two neighbouring samples.

    Attributes
    ----------
    begin, end : Sample
        Of equally many rows.
    even : (N,) bool
        Rows that move evenly from the one to the other: they do not deform, appear, vanish or jump.
    """

    begin: Sample
    end: Sample
    even: Bools

    @property
    def width(self) -> float:
        """Frames between the two."""
        return self.end.frame - self.begin.frame


class Jump(NamedTuple):
    """Where a row is first found to jump from one place to another, and how often it does so."""

    frame: float
    times: int


class Sampler:
    """Samples one frame after the other.

    Parameters
    ----------
    reader : PoseReader
    deviation : float, optional
        As `MotionRequest.deviation`.

    Attributes
    ----------
    allowed : float
        The greatest deviation that was allowed for any row that has moved.
    left : (float, int, float)
        The greatest deviation found between the samples, of which row, and in which frame.
    strayed : dict of int to (float, float)
        Rows that stray more than is allowed between samples that are as near as can be: the deviation, and the frame.
    jumps : dict of int to Jump
    """

    def __init__(self, reader: PoseReader, deviation: float | None) -> None:
        self.allowed = 0.0
        self.left = (0.0, -1, 0.0)
        self.strayed: dict[int, tuple[float, float]] = {}
        self.jumps: dict[int, Jump] = {}
        self._reader, self._deviation = reader, deviation

    def deviation_left(self) -> Deviation:
        """The greatest deviation found between samples, and where."""
        distance, row, frame = self.left
        return Deviation(distance, self._reader.shapes[row].object if row >= 0 else "", frame)

    def spans(self, begin: Sample, frame: float) -> Generator[None, None, list[Span]]:
        """Sample up to the next frame; yields after each evaluation of the scene."""
        end = self._reader.sample(frame, begin)
        yield
        # Rows that appear make samples wider.
        found = yield from self._between(begin.widened(len(end)), end)
        return found

    def _between(self, begin: Sample, end: Sample) -> Generator[None, None, list[Span]]:
        width = end.frame - begin.frame
        middle = self._reader.sample(as_kept(begin.frame + width / 2.0), begin)
        yield
        count = len(middle)
        begin, end = begin.widened(count), end.widened(count)
        even = same_form(begin, end)
        deviation, radius = self._deviations(begin, middle, end, even)
        allowed = self._allowed(middle, radius)
        stray = deviation > allowed
        moving = even & ~same_place(begin, end)
        self.allowed = max(self.allowed, float(allowed[moving].max(initial=0.0)))
        if not stray.any():
            self._note(deviation, middle.frame)
            return [Span(begin, end, even)]
        rows = np.flatnonzero(stray)
        at_begin, at_end = (self._are_at(middle, other, rows, radius, allowed) for other in (begin, end))
        if width <= FINEST:
            jumping = rows[at_begin | at_end | np.isinf(deviation[rows])]
            for row in jumping.tolist():
                jump = self.jumps.get(row, Jump(begin.frame, 0))
                self.jumps[row] = jump._replace(times=jump.times + 1)
            deviation[jumping], even[jumping] = 0.0, False
            self._note(deviation, middle.frame)
            for row in np.setdiff1d(rows, jumping).tolist():
                self.strayed[row] = max(self.strayed.get(row, (0.0, 0.0)), (float(deviation[row]), middle.frame))
            return [Span(begin, end, even)]
        if at_begin.all():
            # It stands still until it jumps, most likely in the very frame at the end.
            middle = self._reader.sample(as_kept(end.frame - FINEST), begin)
            yield
        first = yield from self._between(begin.widened(len(middle)), middle)
        second = yield from self._between(middle, end.widened(len(middle)))
        return first + second

    def _deviations(self, begin: Sample, middle: Sample, end: Sample, even: Bools) -> tuple[Floats, Floats]:
        """How far each row is from where even motion has it, at its farthest point, and the rows' radii: (N,) each.

        Infinite where it has another form in the middle than at both ends.
        """
        count = len(middle)
        deviation, radius = np.zeros(count), radii(middle)
        known = even & (middle.basis.number == begin.basis.number)
        deviation[even & ~known] = np.inf
        rotation, translation = begin.rotation.copy(), begin.translation.copy()
        moving = np.flatnonzero(known & ~same_place(begin, end))
        if len(moving):
            share = (middle.frame - begin.frame) / (end.frame - begin.frame)
            turn, shift = motion_of(begin, end, moving).pose(np.full(len(moving), share))
            rotation[moving] = turn @ begin.rotation[moving]
            translation[moving] = np.matmul(turn, begin.translation[moving][:, :, None])[:, :, 0] + shift
        rows = np.flatnonzero(known)
        deviation[rows] = apart(
            middle, rows, rotation[rows] - middle.rotation[rows], translation[rows] - middle.translation[rows], radius
        )
        return deviation, radius

    def _are_at(self, one: Sample, other: Sample, rows: Ints, radius: Floats, allowed: Floats) -> Bools:
        """Which of these rows are where they are in another sample, give or take what is allowed."""
        same = one.basis.number[rows] == other.basis.number[rows]
        turn, shift = other.rotation[rows] - one.rotation[rows], other.translation[rows] - one.translation[rows]
        return same & (apart(one, rows, turn, shift, radius) <= allowed[rows])

    def _allowed(self, sample: Sample, radius: Floats) -> Floats:
        wanted = SHARE * radius if self._deviation is None else np.full(len(radius), self._deviation)
        # Nothing below float32's rounding can be told from none.
        return np.maximum(wanted, TOUCHING_STEPS * (np.abs(sample.translation).max(axis=1, initial=0.0) + radius))

    def _note(self, deviation: Floats, frame: float) -> None:
        if len(deviation):
            row = int(np.argmax(deviation))
            if deviation[row] > self.left[0]:
                self.left = (float(deviation[row]), row, frame)
