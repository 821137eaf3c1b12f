# SPDX-License-Identifier: GPL-3.0-or-later
"""When to look at the scene: at every frame, and in between wherever the motion strays from the even one.

Between two samples everything is taken to move evenly: its origin straight on, turning at one speed. In between the
scene is evaluated to see how far that is from the truth. What strays too far is sampled there as well, and both parts
are looked at in the same way, down to `FINEST`; what then strays as far as before is followed down to `STEEPEST`, to
tell a jump from fast motion.
"""

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.numerics.types import Bools, Floats
from ..collisions.pairing import TOUCHING_STEPS
from ..model.motion_report import Deviation
from ..scene.animation.frames import as_kept
from ..scene.animation.moving_shapes import Sample, apart, motion_of, radii, same_form, same_place
from ..scene.animation.poses import PoseReader

# Frames. What is no wider is parted no more, but where it might hold a jump. The deviation of a motion that speeds up
# evenly goes by the square of the width, so this leaves a 256th of what a whole frame has.
FINEST = 1.0 / 16.0

# Frames. What might be a jump is followed down to this: motion strays the less the shorter the time, a jump stays as
# long as it is.
STEEPEST = 1.0 / 256.0

# Dimensionless: the share of a span after which it is probed. Half-way, what turns twice in a span is where it would be
# if it did not turn at all. Of all numbers the golden section is the farthest from fractions of small numbers: what
# turns k times more than it seems to is off by 0.38/k of a turn at least (Hurwitz's theorem). Of a turn whose rate
# changes by r a frame, 0.12 r is to be taken off.
PROBE = (3.0 - math.sqrt(5.0)) / 2.0

# Radians. A turn that is farther off is looked at more closely, whatever the deviation allowed: less than what the
# probe shows of up to eight turns that were not seen, which is 0.35.
_TURN = 0.25

# Dimensionless: a share of the radius of an object's bounding ball. What is allowed if nothing else is said.
SHARE = 0.01


@dataclass(frozen=True, eq=False)
class Span:
    """Two neighboring samples.

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


@dataclass(frozen=True, eq=False)
class _Probed:
    """A span, and how far it is from even motion at one time within.

    Attributes
    ----------
    begin, middle, end : Sample
        Of equally many rows.
    even : (N,) bool
    radius, deviation, allowed : (N,) float64
    stray : (N,) bool
        Rows that are farther off than they may be.
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
        return Span(self.begin, self.end, self.even)

    def rests(self, other: Sample) -> Bools:
        """Which rows are in the middle where they are in another sample, give or take what is allowed."""
        rows = np.arange(len(self.middle))
        turn, shift = other.rotation - self.middle.rotation, other.translation - self.middle.translation
        near = apart(self.middle, rows, turn, shift, self.radius) <= self.allowed
        return near & ~_turned(turn) & (self.middle.basis.number == other.basis.number)


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
        found = yield from self._between(begin, end, np.zeros(len(end)))
        more = len(self._reader.shapes) - len(found[-1].end)
        if more > 0:
            # They have appeared in a part that was looked at after this one was probed.
            last, count = found[-1], len(self._reader.shapes)
            found[-1] = Span(last.begin.widened(count), last.end.widened(count), np.pad(last.even, (0, more)))
        return found

    def _between(self, begin: Sample, end: Sample, before: Floats) -> Generator[None, None, list[Span]]:
        probed = yield from self._probe(begin, end)
        found = yield from self._parted(probed, before, followed=False)
        return found

    def _parted(self, probed: _Probed, before: Floats, *, followed: bool) -> Generator[None, None, list[Span]]:
        """The spans of one that has been probed.

        Parameters
        ----------
        probed : _Probed
        before : (M,) float64
            How far rows were off in what this is a part of; infinite: not to be followed any further.
        followed : bool
            Whether rows are followed to find out if they jump.
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
                # It stands still until it jumps, most likely in the very frame at the end.
                middle = self._reader.sample(as_kept(probed.end.frame - FINEST), probed.begin)
                yield
            first = yield from self._between(probed.begin, middle, probed.deviation)
            second = yield from self._between(middle, probed.end, probed.deviation)
            return first + second
        # Even motion that speeds up has 0.38 of the deviation in the longer part of what is parted here, a jump 0.62 at
        # least in the part that it is in.
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
        """Look at both parts of what may hold a jump; size (N,): how far rows stray there, infinite for all others."""
        first = yield from self._probe(probed.begin, probed.middle)
        second = yield from self._probe(probed.middle, probed.end)
        count = len(size)
        less, more = np.sort([first.deviation[:count], second.deviation[:count]], axis=0)
        # What jumps does so in one part, as far as before, and moves on in the other; what trembles strays in both.
        size = np.where((less <= size / 8.0) & (more >= size / 2.0) & (more <= size * 2.0), size, np.inf)
        before = yield from self._parted(first, size, followed=True)
        after = yield from self._parted(second, size, followed=True)
        return before + after

    def _finest(self, probed: _Probed, jumping: Bools) -> None:
        """Take note of what strays in a span that is parted no further; what jumps does not move evenly."""
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
        # Rows that appear make samples wider.
        begin, end = begin.widened(len(middle)), end.widened(len(middle))
        even = same_form(begin, end)
        deviation, radius, turned = self._deviations(begin, middle, end, even)
        allowed = self._allowed(middle, radius)
        return _Probed(begin, middle, end, even, radius, deviation, allowed, (deviation > allowed) | turned)

    def _deviations(self, begin: Sample, middle: Sample, end: Sample, even: Bools) -> tuple[Floats, Floats, Bools]:
        """How far each row is from where even motion has it, its radius, and whether it is turned too far: (N,) each.

        How far its farthest point is; infinite where it has another form in the middle than at both ends.
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
        turn, shift = rotation - middle.rotation, translation - middle.translation
        deviation[rows] = apart(middle, rows, turn[rows], shift[rows], radius)
        return deviation, radius, known & _turned(turn)

    def _allowed(self, sample: Sample, radius: Floats) -> Floats:
        wanted = SHARE * radius if self._deviation is None else np.full(len(radius), self._deviation)
        # Nothing below float32's rounding can be told from none.
        return np.maximum(wanted, TOUCHING_STEPS * (np.abs(sample.translation).max(axis=1, initial=0.0) + radius))

    def _note(self, deviation: Floats, frame: float) -> None:
        if len(deviation):
            row = int(np.argmax(deviation))
            if deviation[row] > self.left[0]:
                self.left = (float(deviation[row]), row, frame)


def _turned(turn: Floats) -> Bools:
    """Which differences of two rotations (N, 3, 3) are of such that are more than `_TURN` apart."""
    # The Frobenius norm is 2 sqrt(2) times the sine of half the angle between.
    return np.asarray((turn * turn).sum(axis=(1, 2)) > 8.0 * math.sin(_TURN / 2.0) ** 2)
