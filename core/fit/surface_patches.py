# SPDX-License-Identifier: GPL-3.0-or-later
"""The surface of a shape in patches that can be cut in four again and again, each in a ball about its middle."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..hull import ConvexHull
from ..narrow_phase.mesh.boundary import hull_triangles
from ..numerics.row_table import RowTable
from ..numerics.types import Floats, Ints
from ..numerics.vectors import length
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Spheres
from .conservative import frame
from .result import Primitive


@dataclass(frozen=True, eq=False)
class Patches(RowTable):
    """Patches of one surface.

    Flat ones are triangles. Round ones are rectangles of two parameters, an angle about an axis first, then what `kind`
    says: the height on the side of a cylinder, the angle from the axis on a sphere, the radius on a cap.

    Attributes
    ----------
    corner, first, second : (P, 3) float64
        Flat: ``corner + u * first + u * v * second``. Round: a center, the axis, and the radius in the first place.
    side : (P, 2, 3) float64
        Round: two unit vectors at right angles to the axis.
    kind : (P,) int64
        `FLAT`, `SIDE`, `DOME` or `CAP`.
    low, high : (P, 2) float64
        The ranges of the two parameters.
    """

    corner: Floats
    first: Floats
    second: Floats
    side: Floats
    kind: Ints
    low: Floats
    high: Floats

    def quartered(self) -> Self:
        """Each patch cut in four."""
        middle = (self.low + self.high) / 2.0
        lows, highs = [], []
        for u in (0, 1):
            for v in (0, 1):
                upper = np.array([u, v], dtype=bool)
                lows.append(np.where(upper, middle, self.low))
                highs.append(np.where(upper, self.high, middle))
        fields = {name: np.concatenate([value] * 4) for name, value in vars(self).items()}
        return type(self)(**{**fields, "low": np.concatenate(lows), "high": np.concatenate(highs)})

    def balls(self) -> tuple[Floats, Floats]:
        """The middle of each patch, which is on it, and a radius about it that holds all of the patch."""
        middle, half = (self.low + self.high) / 2.0, (self.high - self.low) / 2.0
        center = self._at(middle)
        # A flat patch is a quadrilateral: one of its corners is farthest.
        flat = length(self.corners() - center[:, None]).max(axis=1)
        # Around the axis no way is longer than along the widest circle, and the way there is at right angles to it.
        radius = self.second[:, 0]
        wide = {
            FLAT: np.zeros(len(flat)),
            SIDE: radius,
            DOME: radius * np.sin(np.clip(np.pi / 2.0, self.low[:, 1], self.high[:, 1])),
            CAP: self.high[:, 1],
        }
        across = np.choose(self.kind, [wide[kind] for kind in range(4)]) * half[:, 0]
        along = half[:, 1] * np.where(self.kind == DOME, radius, 1.0)
        return center, np.where(self.kind == FLAT, flat, np.hypot(across, along))

    def corners(self) -> Floats:
        """The four corners of each patch, (P, 4, 3)."""
        ends = [np.where([u, v], self.high, self.low) for u in (False, True) for v in (False, True)]
        return np.stack([self._at(one) for one in ends], axis=1)

    def _at(self, place: Floats) -> Floats:
        """The points of the patches at these parameters."""
        u, v = place.T
        flat = self.corner + u[:, None] * self.first + (u * v)[:, None] * self.second
        radius = self.second[:, 0]
        around = np.cos(u)[:, None] * self.side[:, 0] + np.sin(u)[:, None] * self.side[:, 1]
        out = np.choose(self.kind, [0.0 * u, radius, radius * np.sin(v), v])
        up = np.choose(self.kind, [0.0 * u, v, radius * np.cos(v), 0.0 * u])
        round_ = self.corner + out[:, None] * around + up[:, None] * self.first
        return np.where((self.kind == FLAT)[:, None], flat, round_)


FLAT, SIDE, DOME, CAP = range(4)

_AROUND = 8
"""Patches around an axis, to begin with."""


def patches_of(shape: Primitive) -> Patches:
    """The surface of a shape, a batch of one row."""
    if isinstance(shape, Hulls):
        hull: ConvexHull = shape.geometry[shape.index[0]]
        vertices = hull.points[hull.vertices] @ shape.rotation[0].T + shape.translation[0]
        return _flat(vertices[hull_triangles(hull)])
    if isinstance(shape, Boxes):
        return _flat(_box_triangles(shape))
    if isinstance(shape, Spheres):
        start = end = shape.center[0]
        axis = np.array([0.0, 0.0, 1.0])
    else:
        start, end = shape.start[0], shape.end[0]
        span = float(length(end - start))
        axis = (end - start) / span if span > 0.0 else np.array([0.0, 0.0, 1.0])
    radius, height = float(shape.radius[0]), float(length(end - start))
    parts = [] if isinstance(shape, Spheres) else [_round(SIDE, start, axis, radius, 0.0, height)]
    if isinstance(shape, Cylinders):
        parts += [_round(CAP, place, axis, radius, 0.0, radius) for place in (start, end)]
    elif isinstance(shape, Capsules | Spheres):
        half = np.pi / 2.0
        parts += [_round(DOME, end, axis, radius, 0.0, half), _round(DOME, start, axis, radius, half, np.pi)]
    return Patches.joined(parts)


def _flat(corners: Floats) -> Patches:
    """Triangles (T, 3, 3)."""
    count = len(corners)
    a, b, c = corners.transpose(1, 0, 2)
    low, high = np.zeros((count, 2)), np.ones((count, 2))
    return Patches(a, b - a, c - b, np.zeros((count, 2, 3)), np.full(count, FLAT), low, high)


def _round(kind: int, center: Floats, axis: Floats, radius: float, low: float, high: float) -> Patches:
    """A ring of patches around an axis."""
    turn = np.linspace(0.0, 2.0 * np.pi, _AROUND + 1)
    rows = (_AROUND, 1)
    return Patches(
        np.tile(center, rows),
        np.tile(axis, rows),
        np.full((_AROUND, 3), radius),
        np.tile(np.stack(frame(axis)), (_AROUND, 1, 1)),
        np.full(_AROUND, kind),
        np.stack([turn[:-1], np.full(_AROUND, low)], axis=1),
        np.stack([turn[1:], np.full(_AROUND, high)], axis=1),
    )


def _box_triangles(shape: Boxes) -> Floats:
    """The surface of a box as twelve triangles, (12, 3, 3)."""
    spoke = (shape.rotation[0] * shape.half_extents[0]).T
    made = []
    for k in range(3):
        for sign in (-1.0, 1.0):
            a, b = spoke[(k + 1) % 3], spoke[(k + 2) % 3]
            middle = shape.center[0] + sign * spoke[k]
            corners = [middle - a - b, middle + a - b, middle + a + b, middle - a + b]
            made += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
    return np.array(made)
