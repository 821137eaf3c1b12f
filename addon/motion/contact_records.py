# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of pairs of bodies that touch, filled during the search, and the contacts made from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...core.constants import Verdict
from ...core.numerics.types import Bools, Floats, Ints
from ..model.motion_report import MotionContact, Overlap, PosedBodies
from ..model.report import Body, Shape
from ..scene.animation.moving_shapes import Sample, posed
from ..scene.animation.poses import PoseReader
from .approach import Touch


@dataclass(frozen=True, eq=False)
class Leaving:
    """An interval in which two bodies separate. It is searched only when they are known not to touch again.

    Attributes
    ----------
    begin, end : Sample
        They touch in the first sample or between the two, and are apart in the other.
    even : (N,) bool
        Rows that move uniformly.
    pairs : (P, 2) int64
        Rows that may touch.
    entry : float, optional
        Frame of contact if they are apart in both samples. None: they touch in the first one.
    others : tuple of Sample
        As in `Way`.
    """

    begin: Sample
    end: Sample
    even: Bools
    pairs: Ints
    entry: float | None = None
    others: tuple[Sample, ...] = ()


@dataclass(eq=False)
class ContactRecord:
    """Search results for one pair of bodies.

    Attributes
    ----------
    frame : float
        Frame of the first contact. Infinite while none is known.
    pair, point, normal, apart_until
        As in `Touch`, at the first contact.
    posed : PosedBodies, optional
        Both bodies at the first contact, with the reader's numbers for bodies.
    last, deepest, depth, path, shallowest
        As in `MotionContact`.
    separation : float or Overlap
        As in `MotionContact`. Not known before `separate` if there is an `overlap`.
    parted : bool
        Whether they were apart in a sample after one in which they touched.
    penetrates : bool
        Whether a point of one body was found deeper in the other than the touching tolerance.
    unproved : float
        Frame after which a contact may have been missed. Infinite if none may have been.
    uncertain : bool
        Whether the first contact is only where the search stopped at its limit.
    gap : float
        Distance at `frame` of bodies that never touch. 0 for others.
    overlap : (Sample, (2,) int64), optional
        Where they are deepest, and the rows that are so deep, if these penetrate each other.
    """

    started: bool = False
    frame: float = np.inf
    pair: Ints = field(default_factory=lambda: np.zeros(2, dtype=np.int64))
    point: Floats = field(default_factory=lambda: np.full(3, np.nan))
    normal: Floats = field(default_factory=lambda: np.full(3, np.nan))
    apart_until: float = np.inf
    posed: PosedBodies | None = None
    last: float = -np.inf
    deepest: float = np.inf
    depth: float = -np.inf
    separation: float | Overlap = 0.0
    touching: float = 0.0
    shallowest: float = np.inf
    parted: bool = False
    penetrates: bool = False
    path: list[tuple[float, Floats]] = field(default_factory=list)
    unproved: float = np.inf
    uncertain: bool = False
    gap: float = 0.0
    overlap: tuple[Sample, Ints] | None = None

    def doubt(self, touch: Touch, reader: PoseReader) -> None:
        """Record an undecided frame where the bodies may touch."""
        self.unproved = min(self.unproved, touch.frame)
        if not self.touched and not self.uncertain:
            self.begin(touch, reader)
            self.uncertain = True

    @property
    def touched(self) -> bool:
        """Whether a contact is known."""
        return self.frame < np.inf and not self.uncertain

    def begin(self, touch: Touch, reader: PoseReader) -> None:
        """Record the first contact."""
        if self.uncertain:
            # A certain contact replaces an uncertain one.
            self.uncertain, self.last, self.deepest, self.depth = False, -np.inf, np.inf, -np.inf
            self.separation, self.penetrates, self.overlap = 0.0, False, None
            self.path.clear()
        self.frame, self.pair, self.point, self.normal = touch.frame, touch.pair, touch.point, touch.normal
        self.apart_until = touch.apart_until
        self.note(touch.frame, touch.point)
        self.deepen(touch.frame, 0.0, penetrates=False)
        body = np.array(reader.body, dtype=np.int64)
        rows = np.flatnonzero(touch.sample.there & np.isin(body[: len(touch.sample)], body[touch.pair]))
        found = posed([touch.sample], np.zeros(len(rows), dtype=np.int64), rows)
        order = np.empty(len(rows), dtype=np.int64)
        order[found.place] = rows
        self.posed = PosedBodies(found.world, body[order])

    def note(self, frame: float, point: Floats) -> None:
        """Record a frame in which they touch, and the point."""
        self.last = max(self.last, frame)
        self.path.append((frame, point))

    def deepen(
        self,
        frame: float,
        depth: float,
        *,
        penetrates: bool,
        touching: float = 0.0,
        overlap: tuple[Sample, Ints] | None = None,
    ) -> None:
        """Record the depth in a frame, and the rows that are so deep."""
        self.penetrates |= penetrates
        if depth > self.depth:
            self.deepest, self.depth, self.separation, self.touching = frame, depth, 0.0 - depth, touching
            self.overlap = overlap


def contacts_of(
    records: Mapping[tuple[int, int], ContactRecord],
    curves: Mapping[tuple[int, int], tuple[tuple[float, float], ...]],
    bodies: Sequence[Body],
    shapes: Sequence[Shape],
    body: Ints,
    deforming: set[int],
    touching: float = 0.0,
) -> tuple[tuple[Body, ...], tuple[Shape, ...], tuple[MotionContact, ...], dict[tuple[int, int], PosedBodies]]:
    """Return the contacts, with bodies sorted by name, and both bodies of each contact as at the first contact.

    Near misses are included.

    Parameters
    ----------
    records : mapping of (int, int) to ContactRecord
        By the two bodies, with the reader's numbers.
    curves : mapping of (int, int) to tuple of (float, float)
        As in `MotionContact.curve`, with the same keys.
    bodies, shapes : sequence of Body, of Shape
        Bodies and shapes of the reader.
    body : (N,) int64
        Body of each row.
    deforming : set of int
        Rows that deform.
    touching : float
        Contacts that never get deeper than this only touch.
    """
    kept = [row for row, shape in enumerate(shapes) if shape.kind]
    row_of = {row: place for place, row in enumerate(kept)}
    named = sorted(range(len(bodies)), key=lambda one: (bodies[one].name, one))
    number = np.empty(len(bodies), dtype=np.int64)
    number[named] = np.arange(len(bodies))
    bending = {int(body[row]) for row in deforming}
    contacts, evidence = [], {}
    for (first, second), record in records.items():
        if record.posed is None:
            continue
        a, b = int(number[first]), int(number[second])
        shape_a, shape_b = (row_of[row] for row in record.pair.tolist())
        normal = record.normal
        if a > b:
            a, b, shape_a, shape_b, normal = b, a, shape_b, shape_a, -normal
        per_frame = not bending.isdisjoint((first, second))
        proved = min(record.apart_until if per_frame else record.frame, record.unproved)
        # Sorted by frame, with one point for each frame.
        path = {frame: point for frame, point in sorted(record.path, key=lambda entry: entry[0])}
        contacts.append(
            MotionContact(
                body_a=a,
                body_b=b,
                first=record.frame,
                last=record.last,
                started_touching=record.started,
                deepest=record.deepest,
                depth=record.depth,
                separation=record.gap if record.gap > 0.0 else record.separation,
                verdict=_verdict(record, touching),
                point=record.point,
                normal=normal,
                path=np.array([[frame, *point] for frame, point in path.items()]),
                shape_a=shape_a,
                shape_b=shape_b,
                decided=not record.uncertain,
                proved_until=proved,
                per_frame=per_frame,
                touching=max(record.touching, touching),
                unbroken=record.started and not record.parted,
                shallowest=record.shallowest if record.shallowest < np.inf else 0.0,
                curve=_curve(record, curves.get((first, second), ())),
            )
        )
        evidence[a, b] = PosedBodies(record.posed.world, number[record.posed.body])
    contacts.sort(key=lambda contact: (contact.first, contact.body_a, contact.body_b))
    return (
        tuple(bodies[one] for one in named),
        tuple(replace(shapes[row], body=int(number[shapes[row].body])) for row in kept),
        tuple(contacts),
        evidence,
    )


def _verdict(record: ContactRecord, touching: float) -> Verdict:
    if record.gap > 0.0:
        return Verdict.WITHIN_CLEARANCE
    return Verdict.PENETRATING if record.penetrates and record.depth > touching else Verdict.TOUCHING


def _curve(record: ContactRecord, known: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Return the distances in samples, including those of first and last contact or smallest distance."""
    points = dict(known)
    if record.gap > 0.0:
        points.setdefault(record.frame, record.gap)
    elif not record.uncertain:
        for frame in (record.frame, record.last):
            points.setdefault(frame, 0.0)
    return tuple(sorted(points.items()))
