# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact manifolds of two boxes over the face of one, in closed form.

The reference is the face that is best aligned with the normal of the pair. The incident face is the most opposed face
of the other box. Seen along the reference's normal, the reference is a rectangle parallel to the axes, and the incident
face is a parallelogram. Its area is never small, because it is tilted by 55 degrees at most. The corners of their
intersection are the corners of each inside the other, and the two ends of each side of the parallelogram clipped to the
rectangle (Liang and Barsky 1984): sixteen candidates for every pair, so all steps run along the pairs. The rules by
which a face is accepted and corners are chosen are those of `convex.contact_manifold`. Pairs that the closed form does
not settle are left to it.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics.rows import RowTable
from ..numerics.tolerances import (
    EPS,
    FACE_ALIGNMENT,
    FACE_DEEPER,
    FACE_DEEPER_SIZE,
    FACE_TIE,
    FACE_TILT,
    PATCH_DEPTH,
    PATCH_LEVEL,
    SUPPORT,
)
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import as_columns, dot_columns, picked, turned_back
from ..results import Contacts, ContactType, FeatureKind
from ..shapes import Boxes

# Pairs per block: each array of candidates takes 256 kB.
_BLOCK = 2048

# Number of roundings by which a corner may be outside an outline and still count as inside, and the distance within
# which two corners are one, as a fraction of the coordinates. As in `convex.manifold`.
_INSIDE_STEPS, _SAME = 64.0, 1e-9

# Dimensionless. Stands for the component of a side of the parallelogram that is parallel to a side of the rectangle.
_TINY = 1e-200

# The candidates: four corners of the incident face, four of the reference, and where each of the four incident sides
# enters and leaves the reference. `_THEIRS` is the part of the incident face for each candidate, and `_OURS` the part
# of the reference for the first eight: 0 is the face itself, 1 to 4 its corners, 5 to 8 its sides.
_CORNERS, _CROSSINGS, _COUNT = 4, 8, 16
_THEIRS = np.array([1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 5, 6, 7, 8])
_OURS = np.array([0, 0, 0, 0, 1, 2, 3, 4])
# Signs of the corners of a face along its two axes, and its sides: the one at the low end of the second axis, the high
# end of the first, the high end of the second, and the low end of the first.
_SIGN_U, _SIGN_V = np.array([[-1.0], [1.0], [1.0], [-1.0]]), np.array([[-1.0], [-1.0], [1.0], [1.0]])
_LOW_V, _HIGH_U, _HIGH_V, _LOW_U = 5, 6, 7, 8
_MARKS = np.arange(_COUNT, 0, -1, dtype=np.int8)[:, None]


def _part_table() -> Ints:
    """Feature kind and index of the nine parts of each face of a box, (6 * 9, 2), in the order of `polytopes`."""
    table = np.empty((3, 2, 9, 2), dtype=np.int64)
    for axis, high in np.ndindex(3, 2):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        table[axis, high, 0] = FeatureKind.FACE, 2 * axis + high
        for corner, (u, v) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
            table[axis, high, 1 + corner] = FeatureKind.VERTEX, (high << axis) + (u << first) + (v << second)
        for side, (along, across, end) in enumerate(
            ((first, second, 0), (second, first, 1), (first, second, 1), (second, first, 0))
        ):
            bits = {axis: high, across: end}
            low, upper = (bits[k] for k in sorted(bits))
            table[axis, high, 5 + side] = FeatureKind.EDGE, 4 * along + low + 2 * upper
    return table.reshape(-1, 2)


_PARTS = _part_table()


@dataclass(frozen=True)
class Measured(RowTable):
    """Pairs with known distances, P rows.

    Attributes
    ----------
    normal : (P, 3) float64
        Unit, from A to B.
    gap : (P,) float64
        Signed distance along the normal.
    slack : (P,) float64
        Largest gap that counts as contact.
    exact : (P,) bool
        Whether the gap is the distance. If not, it is a lower bound.
    """

    normal: Floats
    gap: Floats
    slack: Floats
    exact: Bools


def over_faces(a: Boxes, b: Boxes, pairs: Measured, margin: float) -> tuple[list[Contacts], Ints, Ints]:
    """The manifolds of pairs over a face, at most `margin` apart.

    Returns
    -------
    contacts : list of Contacts
        In any order of the pairs. Parts and materials are not filled in.
    faceless : (R,) int64
        Rows of pairs with a normal that is not near that of any face. Each has a single contact.
    others : (R,) int64
        Rows of all other pairs without contacts.
    """
    parts = [_of_block(a, b, pairs, margin, slice(first, first + _BLOCK)) for first in range(0, len(a), _BLOCK)]
    if not parts:
        return [], np.arange(0), np.arange(0)
    found, faceless, others = zip(*parts, strict=True)
    return [one for several in found for one in several], np.concatenate(faceless), np.concatenate(others)


def _of_block(a: Boxes, b: Boxes, pairs: Measured, margin: float, block: slice) -> tuple[list[Contacts], Ints, Ints]:
    """See `over_faces`."""
    pairs, shapes = pairs.take(block), (a.take(block), b.take(block))
    normal = as_columns(pairs.normal)
    boxes = [_Oriented.of(box, way) for box, way in zip(shapes, (normal, -normal), strict=True)]
    size = boxes[0].size + boxes[1].size
    solid = boxes[0].solid & boxes[1].solid
    by_b = boxes[1].cosine > boxes[0].cosine + FACE_TIE
    cosine = np.where(by_b, boxes[1].cosine, boxes[0].cosine)
    tilted = cosine < FACE_TILT
    done, found = tilted & solid, []
    faceless = np.flatnonzero(done)
    for of_b in (False, True):
        rows = np.flatnonzero((by_b == of_b) & solid & ~tilted)
        if not len(rows):
            continue
        own, their = (box if len(rows) == len(size) else box.take(rows) for box in boxes[:: -1 if of_b else 1])
        patch = _Patch(own, their, size[rows])
        chosen = patch.chosen(pairs.take(rows), margin)
        good = np.flatnonzero(chosen[0] >= 0)
        done[rows[good]] = True
        found.append(patch.contacts(chosen.take(good, axis=1), good, block.start + rows[good], of_b))
    return found, block.start + faceless, block.start + np.flatnonzero(~done)


@dataclass(frozen=True)
class _Oriented:
    """Boxes and their faces that are best aligned with given directions, in component arrays."""

    center: Floats
    turn: Floats
    half: Floats
    face: Ints
    high: Bools
    cosine: Floats

    @classmethod
    def of(cls, boxes: Boxes, direction: Floats) -> "_Oriented":
        """Find the faces best aligned with directions (3, P)."""
        turn = as_columns(boxes.rotation)
        face, along = _steepest(turned_back(turn, direction))
        return cls(as_columns(boxes.center), turn, as_columns(boxes.half_extents), face, along > 0.0, np.abs(along))

    def take(self, rows: Ints) -> "_Oriented":
        """Select these boxes."""
        return _Oriented(*[part.take(rows, axis=-1) for part in vars(self).values()])

    @property
    def size(self) -> Floats:
        """Distance of the corners from the center, (P,)."""
        return np.sqrt(dot_columns(self.half, self.half))

    @property
    def solid(self) -> Bools:
        """Boxes that are not so flat that opposite faces are on the same support plane, (P,)."""
        result: Bools = self.half.min(axis=0) > SUPPORT * self.size
        return result


def _steepest(along: Floats) -> tuple[Ints, Floats]:
    """The row with the greatest absolute value and that value, (3, P) -> (P,), (P,). The first of equal rows wins."""
    x, y, z = np.abs(along)
    row = (y > x).astype(np.int64)
    row[z > np.maximum(x, y)] = 2
    return row, picked(along[None], row)[0]


class _Patch:
    """Corners of the intersection of a face of `own` with the most opposed face of `their`.

    Attributes
    ----------
    place : (3, 16, P) float64
        The candidates in the frame of the reference: along its two axes, and the height over it.
    valid : (16, P) bool
    side : (8, P) int8
        The side of the reference that each crossing is on, as in `_PARTS`.
    """

    def __init__(self, own: _Oriented, their: _Oriented, size: Floats) -> None:
        self.own, self.size = own, size
        count = len(size)
        at = np.arange(count)
        u, v = _next(own.face)
        way = np.where(own.high, 1.0, -1.0)
        # Coordinates of the axes of the other box in the frame of the reference, coordinate by axis.
        turn = np.einsum("kip,kjp->jip", own.turn, their.turn)
        turn = np.stack([picked(turn, u), picked(turn, v), picked(turn, own.face) * way])
        shift = turned_back(own.turn, their.center - own.center)
        shift = np.stack([shift[u, at], shift[v, at], shift[own.face, at] * way])
        incident, cosine = _steepest(turn[2])
        self.incident, self.incident_high = incident, cosine < 0.0
        first, second = _next(incident)
        middle = picked(turn, incident)
        middle *= np.where(self.incident_high, 1.0, -1.0) * their.half[incident, at]
        middle += shift
        height = own.half[own.face, at]
        middle[2] -= height
        p, q = picked(turn, first), picked(turn, second)
        p *= their.half[first, at]
        q *= their.half[second, at]
        self.u, self.v, self.way, self.height = u, v, way, height
        self.place, self.valid = np.empty((3, _COUNT, count)), np.empty((_COUNT, count), dtype=bool)
        self.side = np.empty((_CROSSINGS, count), dtype=np.int8)
        # A corner within rounding of an outline is inside.
        self.slack = _INSIDE_STEPS * EPS * size
        self.reach = own.half[u, at], own.half[v, at]
        self.spread = [np.abs(c) + np.abs(d) + np.abs(e) for c, d, e in zip(middle, p, q, strict=True)]
        self._corners_of_their(middle, p, q)
        self._corners_of_own(middle, p, q)
        self._crossings(middle, p, q)

    def _corners_of_their(self, middle: Floats, p: Floats, q: Floats) -> None:
        low, high = middle - p, middle + p
        place = self.place
        np.subtract(low, q, out=place[:, 0])
        np.subtract(high, q, out=place[:, 1])
        np.add(high, q, out=place[:, 2])
        np.add(low, q, out=place[:, 3])
        inside = np.abs(place[0, :_CORNERS]) <= self.reach[0] + self.slack
        inside &= np.abs(place[1, :_CORNERS]) <= self.reach[1] + self.slack
        self.valid[:_CORNERS] = inside

    def _corners_of_own(self, middle: Floats, p: Floats, q: Floats) -> None:
        part = slice(_CORNERS, 2 * _CORNERS)
        for coordinate, signs, reach in zip(self.place, (_SIGN_U, _SIGN_V), self.reach, strict=False):
            np.multiply(signs, reach, out=coordinate[part])
        area = p[0] * q[1] - p[1] * q[0]
        x, y = self.place[:2, part] - middle[:2, None]
        s, t = (x * q[1] - y * q[0]) / area, (y * p[0] - x * p[1]) / area
        # The distance from a side is its parameter times the area over the length of the side.
        slack = self.slack / np.abs(area)
        inside = np.abs(s) <= 1.0 + slack * np.sqrt(q[0] * q[0] + q[1] * q[1])
        inside &= np.abs(t) <= 1.0 + slack * np.sqrt(p[0] * p[0] + p[1] * p[1])
        self.valid[part] = inside
        height = np.multiply(np.clip(s, -1.0, 1.0, out=s), p[2], out=self.place[2, part])
        height += np.clip(t, -1.0, 1.0, out=t) * q[2]
        height += middle[2]

    def _crossings(self, middle: Floats, p: Floats, q: Floats) -> None:
        # Each side of the incident face is a start plus or minus a run: sides 0 and 2 run along p, 1 and 3 along q.
        start = np.empty((3, 4, len(self.size)))
        np.subtract(middle, q, out=start[:, 0])
        np.add(middle, p, out=start[:, 1])
        np.add(middle, q, out=start[:, 2])
        np.subtract(middle, p, out=start[:, 3])
        run = np.stack([p, q], axis=1)  # (3, 2, P)
        ways = []
        for coordinate, along, reach in zip(start[:2], run[:2], self.reach, strict=True):
            inverse = 1.0 / np.where(np.abs(along) < _TINY, _TINY, along)
            center = coordinate.reshape(2, 2, -1) * -inverse
            half = np.abs(inverse) * (reach + self.slack)
            ways.append((center - half, center + half, along > 0.0))
        (enter_u, leave_u, rising_u), (enter_v, leave_v, rising_v) = ways
        enter, leave = np.maximum(enter_u, enter_v), np.minimum(leave_u, leave_v)
        some = enter <= leave
        valid = self.valid[2 * _CORNERS :].reshape(2, 2, 2, -1)
        np.logical_and(some, (enter > -1.0) & (enter <= 1.0), out=valid[0])
        np.logical_and(some, (leave < 1.0) & (leave >= -1.0), out=valid[1])
        starts, runs = start.reshape(3, 2, 2, -1), run[:, None]
        place = self.place[:, 2 * _CORNERS :].reshape(3, 2, 2, 2, -1)
        side = self.side.reshape(2, 2, 2, -1)
        for end, time, by_v, way in ((0, enter, enter_v > enter_u, -1), (1, leave, leave_v < leave_u, 1)):
            np.multiply(np.clip(time, -1.0, 1.0, out=time), runs, out=place[:, end])
            place[:, end] += starts
            upper_u, upper_v = (rising_u, rising_v) if way > 0 else (~rising_u, ~rising_v)
            side[end] = np.where(
                by_v,
                np.where(upper_v, np.int8(_HIGH_V), np.int8(_LOW_V)),
                np.where(upper_u, np.int8(_HIGH_U), np.int8(_LOW_U)),
            )

    def chosen(self, pairs: Measured, margin: float) -> Ints:
        """At most four corners of each patch, (4, P), -1 if there are fewer; none if the face is not accepted."""
        gap, size = pairs.gap, self.size
        at = np.arange(len(gap))
        x, y, depth = self.place[0], self.place[1], -self.place[2]
        np.copyto(depth, -np.inf, where=~self.valid)
        deepest = depth.max(axis=0)
        smaller = np.minimum(self.own.size, size - self.own.size)
        # If the gap is only a lower bound of the distance, the patch has to show that it is the distance.
        lenient = np.where(pairs.exact, FACE_DEEPER, 0.0)
        good = deepest >= -gap - lenient * np.maximum(gap, 0.0) - PATCH_DEPTH * size
        good &= deepest <= -gap + FACE_DEEPER * np.abs(gap) + FACE_DEEPER_SIZE * smaller
        least = -(margin + pairs.slack)
        good &= deepest >= least
        unusable = depth < least
        # From here on, corners that are not usable are where the first corner is.
        scale = np.maximum(*(np.minimum(r, s) for r, s in zip(self.reach, self.spread, strict=False)))
        chosen = np.empty((4, len(gap)), dtype=np.int64)
        level = np.maximum(deepest - PATCH_LEVEL * scale, least)
        chosen[0] = _first_at_least(depth, np.minimum(level, deepest))
        x, y = x - x[chosen[0], at], y - y[chosen[0], at]
        np.copyto(x, 0.0, where=unusable)
        np.copyto(y, 0.0, where=unusable)
        reach = x * x
        reach += y * y
        same = _SAME * scale
        same *= same
        chosen[1], farthest = _first_of_the_greatest(reach)
        second = farthest > same
        along_x, along_y = x[chosen[1], at], y[chosen[1], at]
        area = y * along_x
        area -= x * along_y
        chosen[2], greatest = _first_of_the_greatest(np.abs(area))
        same *= farthest
        third = second & (greatest * greatest > same)
        # With the triangle oriented counter-clockwise, the fourth is the corner farthest outside one of its sides.
        turn = np.where(area[chosen[2], at] < 0.0, -1.0, 1.0)
        tip_x, tip_y = x[chosen[2], at], y[chosen[2], at]
        beyond = area * -turn
        for from_x, from_y, run_x, run_y in (
            (along_x, along_y, tip_x - along_x, tip_y - along_y),
            (tip_x, tip_y, -tip_x, -tip_y),
        ):
            run_x, run_y = run_x * turn, run_y * turn
            outside = x * run_y
            outside -= y * run_x
            outside -= from_x * run_y - from_y * run_x
            np.maximum(beyond, outside, out=beyond)
        np.copyto(beyond, 0.0, where=unusable)
        chosen[3], greatest = _first_of_the_greatest(beyond)
        fourth = third & (greatest > 0.0) & (greatest * greatest > same)
        # A single corner is a worse contact than the witness points, unless the normal is that of the face. If boxes
        # touch, only corners that span an area leave no doubt about the normal.
        good &= second | (self.own.cosine >= 1.0 - FACE_ALIGNMENT)
        good &= third | (np.abs(gap) > pairs.slack)
        for corner, exists in zip(chosen, (good, second, third, fourth), strict=True):
            corner[~exists] = -1
        return chosen

    def contacts(self, chosen: Ints, patches: Ints, rows: Ints, of_b: bool) -> Contacts:
        """The chosen corners (4, K) of these patches, which are of the pairs `rows`, (K,) each."""
        depth = np.where(chosen >= 0, -self.place[2][np.maximum(chosen, 0), patches], -np.inf).T
        order = np.argsort(-depth, axis=1, kind="stable")
        depth = np.take_along_axis(depth, order, axis=1)
        which, corner = np.nonzero(depth > -np.inf)
        corner, at = chosen[order[which, corner], which], patches[which]
        own, face = self.own, self.own.face[at]
        crossing = corner >= 2 * _CORNERS
        normal = own.turn[:, own.face, np.arange(len(own.face))] * self.way
        place = self.place[:, corner, at]
        place[2] = place[2] / 2.0 + self.height[at]
        # To the axes of the world.
        point = own.center[:, at] + normal[:, at] * place[2]
        point += own.turn[:, self.u[at], at] * place[0] + own.turn[:, self.v[at], at] * place[1]
        part = np.where(crossing, self.side[corner - 2 * _CORNERS, at], _OURS[corner % (2 * _CORNERS)])
        ours = _PARTS[(2 * face + own.high[at]) * 9 + part]
        theirs = _PARTS[(2 * self.incident[at] + self.incident_high[at]) * 9 + _THEIRS[corner]]
        return Contacts(
            rows[which],
            np.ascontiguousarray(point.T),
            np.ascontiguousarray((-normal if of_b else normal)[:, at].T),
            depth[depth > -np.inf],
            np.where(crossing, np.int8(ContactType.EDGE_EDGE), np.int8(ContactType.POINT_FACE)),
            theirs if of_b else ours,
            ours if of_b else theirs,
        )


def _next(axis: Ints) -> tuple[Ints, Ints]:
    """The other two axes of each, in cyclic order."""
    return (axis + 1) % 3, (axis + 2) % 3


def _first_at_least(values: Floats, threshold: Floats) -> Ints:
    """The first of the sixteen rows with a value of at least the threshold, (16, P), (P,) -> (P,)."""
    marks = np.greater_equal(values, threshold).view(np.int8)
    marks *= _MARKS
    return _COUNT - marks.max(axis=0).astype(np.int64)


def _first_of_the_greatest(values: Floats) -> tuple[Ints, Floats]:
    """The first row within noise of the greatest value, which is not negative, and its value."""
    row = _first_at_least(values, (1.0 - PATCH_LEVEL) * values.max(axis=0))
    return row, values[row, np.arange(len(row))]
