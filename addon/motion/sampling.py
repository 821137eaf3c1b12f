# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the sample times: every frame, and times in between where the motion deviates from uniform motion.

Between two samples, everything is assumed to move uniformly: its origin in a straight line, with a constant angular
velocity. The scene is evaluated at a time in between to measure the deviation. If it is too large, that time becomes a
sample, and both parts are examined in the same way, down to `FINEST`. If the deviation does not decrease, it is
followed down to `STEEPEST`, to distinguish a jump from fast motion.
"""

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.numerics.types import Bools, Floats
from ..model.motion_report import Deviation
from ..model.tolerances import TOUCHING_STEPS
from ..scene.animation.frames import as_kept
from ..scene.animation.moving_shapes import Sample, apart, motions, radii, same_form, same_place
from ..scene.animation.poses import PoseReader

# Frames. Spans no wider than this are not divided further, unless they may contain a jump. The deviation of uniformly
# accelerated motion is proportional to the square of the width, so this leaves a 256th of that of a whole frame.
FINEST = 1.0 / 16.0

# Frames. A possible jump is followed down to this width. The deviation of motion decreases with the width, that of a
# jump does not.
STEEPEST = 1.0 / 256.0

# Dimensionless: the position in a span at which it is probed. At one half, a rotation by two turns in the span would
# look like none. The golden section is the number farthest from fractions with small denominators: a rotation with k
# more turns than it appears to have deviates by at least 0.38/k of a turn there (Hurwitz's theorem). For a rotation
# whose rate changes by r per frame, 0.12 r must be subtracted.
PROBE = (3.0 - math.sqrt(5.0)) / 2.0

# Radians. A rotation that deviates by more is divided, whatever deviation is allowed. This is less than 0.35, the
# deviation at the probe for up to eight missed turns.
_TURN = 0.25

# Dimensionless: a fraction of the radius of an object's bounding sphere. The deviation that is allowed by default.
SHARE = 0.01


@dataclass(frozen=True, eq=False)
class Span:
    """The span between two consecutive samples.

    Attributes
    ----------
    begin, end : Sample
        Both with the same number of rows.
    even : (N,) bool
        Rows that move uniformly from one to the other: they do not deform, appear, vanish or jump.
    middle : Sample
        The sample in between that was compared with the uniform motion.
    """

    begin: Sample
    end: Sample
    even: Bools
    middle: Sample

    @property
    def width(self) -> float:
        """The width in frames."""
        return self.end.frame - self.begin.frame


class Jump(NamedTuple):
    """Time at which a row first jumps from one place to another, and the number of its jumps."""

    frame: float
    times: int


@dataclass(frozen=True, eq=False)
class _Probed:
    """A span, and the deviation from uniform motion at one time inside it.

    Attributes
    ----------
    begin, middle, end : Sample
        All with the same number of rows.
    even : (N,) bool
    radius, deviation, allowed : (N,) float64
    stray : (N,) bool
        Rows that deviate by more than allowed.
    """

    begin: Sample
    middle: Sample
    end: Sample
    even: Bools
    radius: Floats
    deviation: Floats
    allowed: Floats
    stray: Bools

    @property
    def width(self) -> float:
        return self.end.frame - self.begin.frame

    @property
    def span(self) -> Span:
        return Span(self.begin, self.end, self.even, self.middle)

    def rests(self, other: Sample) -> Bools:
        """Return the rows whose place in the middle is that in another sample, within the allowed deviation."""
        rows = np.arange(len(self.middle))
        turn, shift = other.rotation - self.middle.rotation, other.translation - self.middle.translation
        near = apart(self.middle, rows, turn, shift, self.radius) <= self.allowed
        return near & ~_turned(turn) & (self.middle.basis.number == other.basis.number)


class Sampler:
    """Take samples, one frame after the other.

    Parameters
    ----------
    reader : PoseReader
    deviation : float, optional
        As in `MotionRequest.deviation`.

    Attributes
    ----------
    allowed : float
        Greatest allowed deviation of any row that has moved.
    left : (float, int, float)
        Greatest deviation found between the samples, its row, and its frame.
    strayed : dict of int to (float, float)
        Rows that deviate by more than allowed between samples at the finest width: the deviation, and the frame.
    jumps : dict of int to Jump
    """

    def __init__(self, reader: PoseReader, deviation: float | None) -> None:
        self.allowed = 0.0
        self.left = (0.0, -1, 0.0)
        self.strayed: dict[int, tuple[float, float]] = {}
        self.jumps: dict[int, Jump] = {}
        self._reader, self._deviation = reader, deviation

    def deviation_left(self) -> Deviation:
        """The greatest deviation found between samples, with its row and frame."""
        distance, row, frame = self.left
        return Deviation(distance, self._reader.shapes[row].object if row >= 0 else "", frame)

    def spans(self, begin: Sample, frame: float) -> Generator[None, None, list[Span]]:
        """Sample up to the next frame. Yields after each evaluation of the scene."""
        end = self._reader.sample(frame, begin)
        yield
        found = yield from self._between(begin, end, np.zeros(len(end)))
        more = len(self._reader.shapes) - len(found[-1].end)
        if more > 0:
            # Rows that appeared in a later part, which was sampled after this one was probed.
            last, count = found[-1], len(self._reader.shapes)
            wide = last.begin.widened(count), last.end.widened(count)
            found[-1] = Span(*wide, np.pad(last.even, (0, more)), last.middle)
        return found

    def _between(self, begin: Sample, end: Sample, before: Floats) -> Generator[None, None, list[Span]]:
        probed = yield from self._probe(begin, end)
        found = yield from self._parted(probed, before, followed=False)
        return found

    def _parted(self, probed: _Probed, before: Floats, *, followed: bool) -> Generator[None, None, list[Span]]:
        """Return the spans of a span that has been probed.

        Parameters
        ----------
        probed : _Probed
        before : (M,) float64
            Deviation of rows in the enclosing span. Infinite for rows that are not followed further.
        followed : bool
            Whether rows are followed to find out whether they jump.
        """
        moving = probed.even & ~same_place(probed.begin, probed.end)
        self.allowed = max(self.allowed, float(probed.allowed[moving].max(initial=0.0)))
        if not probed.stray.any():
            self._note(probed.deviation, probed.middle.frame)
            return [probed.span]
        at_begin = probed.rests(probed.begin)
        at_rest = probed.stray & (at_begin | probed.rests(probed.end) | np.isinf(probed.deviation))
        if probed.width > FINEST:
            middle = probed.middle
            if at_begin[probed.stray].all():
                # The row stands still until it jumps, most likely exactly at the frame at the end.
                middle = self._reader.sample(as_kept(probed.end.frame - FINEST), probed.begin)
                yield
            first = yield from self._between(probed.begin, middle, probed.deviation)
            second = yield from self._between(middle, probed.end, probed.deviation)
            return first + second
        # In the longer part, uniformly accelerated motion has 0.38 of the deviation here; a jump has at least 0.62 in
        # the part that contains it.
        before = np.pad(before, (0, len(probed.middle) - len(before)), constant_values=np.inf)
        steep = probed.stray & ~at_rest & (probed.deviation >= before / 2.0)
        if probed.width > max(STEEPEST, 8.0 * float(np.spacing(np.float32(abs(probed.end.frame))))):
            if steep.any():
                size = np.where(steep, before if followed else probed.deviation, np.inf)
                found = yield from self._followed(probed, size)
                return found
        elif followed:
            at_rest |= steep
        self._finest(probed, at_rest)
        return [probed.span]

    def _followed(self, probed: _Probed, size: Floats) -> Generator[None, None, list[Span]]:
        """Sample both parts of a span that may contain a jump. size (N,): deviations there, infinite for other rows."""
        first = yield from self._probe(probed.begin, probed.middle)
        second = yield from self._probe(probed.middle, probed.end)
        count = len(size)
        less, more = np.sort([first.deviation[:count], second.deviation[:count]], axis=0)
        # A jump is in one part with the same deviation as before, and the other part is smooth; jitter is in both.
        size = np.where((less <= size / 8.0) & (more >= size / 2.0) & (more <= size * 2.0), size, np.inf)
        before = yield from self._parted(first, size, followed=True)
        after = yield from self._parted(second, size, followed=True)
        return before + after

    def _finest(self, probed: _Probed, jumping: Bools) -> None:
        """Record the deviations in a span that is not divided further. Rows that jump do not move uniformly."""
        for row in np.flatnonzero(jumping).tolist():
            jump = self.jumps.get(row, Jump(probed.begin.frame, 0))
            self.jumps[row] = jump._replace(times=jump.times + 1)
        probed.deviation[jumping], probed.even[jumping] = 0.0, False
        self._note(probed.deviation, probed.middle.frame)
        for row in np.flatnonzero(probed.stray & ~jumping).tolist():
            found = float(probed.deviation[row]), probed.middle.frame
            self.strayed[row] = max(self.strayed.get(row, (0.0, 0.0)), found)

    def _probe(self, begin: Sample, end: Sample) -> Generator[None, None, _Probed]:
        """Evaluate the scene between two samples."""
        middle = self._reader.sample(as_kept(begin.frame + PROBE * (end.frame - begin.frame)), begin)
        yield
        # New rows make samples longer.
        begin, end = begin.widened(len(middle)), end.widened(len(middle))
        even = same_form(begin, end)
        deviation, radius, turned = self._deviations(begin, middle, end, even)
        allowed = self._allowed(middle, radius)
        return _Probed(begin, middle, end, even, radius, deviation, allowed, (deviation > allowed) | turned)

    def _deviations(self, begin: Sample, middle: Sample, end: Sample, even: Bools) -> tuple[Floats, Floats, Bools]:
        """Return, for each row, the deviation from uniform motion, the radius, and whether it turns too far.

        Each array is (N,).

        The deviation is that of the farthest point. It is infinite for a row that deforms in between.
        """
        count = len(middle)
        deviation, radius = np.zeros(count), radii(middle)
        known = even & (middle.basis.number == begin.basis.number)
        deviation[even & ~known] = np.inf
        rotation, translation = begin.rotation.copy(), begin.translation.copy()
        moving = np.flatnonzero(known & ~same_place(begin, end))
        if len(moving):
            share = (middle.frame - begin.frame) / (end.frame - begin.frame)
            turn, shift = motions([begin], [end], np.zeros_like(moving), moving).pose(np.full(len(moving), share))
            rotation[moving] = turn @ begin.rotation[moving]
            translation[moving] = np.matmul(turn, begin.translation[moving][:, :, None])[:, :, 0] + shift
        rows = np.flatnonzero(known)
        turn, shift = rotation - middle.rotation, translation - middle.translation
        deviation[rows] = apart(middle, rows, turn[rows], shift[rows], radius)
        return deviation, radius, known & _turned(turn)

    def _allowed(self, sample: Sample, radius: Floats) -> Floats:
        wanted = SHARE * radius if self._deviation is None else np.full(len(radius), self._deviation)
        # Deviations below the rounding of float32 cannot be distinguished from zero.
        return np.maximum(wanted, TOUCHING_STEPS * (np.abs(sample.translation).max(axis=1, initial=0.0) + radius))

    def _note(self, deviation: Floats, frame: float) -> None:
        if len(deviation):
            row = int(np.argmax(deviation))
            if deviation[row] > self.left[0]:
                self.left = (float(deviation[row]), row, frame)


def _turned(turn: Floats) -> Bools:
    """Return which differences of two rotations (N, 3, 3) belong to rotations that differ by more than `_TURN`."""
    # The Frobenius norm is 2 sqrt(2) times the sine of half the angle between them.
    return np.asarray((turn * turn).sum(axis=(1, 2)) > 8.0 * math.sin(_TURN / 2.0) ** 2)
