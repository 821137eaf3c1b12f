# SPDX-License-Identifier: GPL-3.0-or-later
"""Primitives of an overlay: lines, points, triangles and labels with roles. No colors and no GPU."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numerics.types import Floats
from .roles import Role


class Scale(NamedTuple):
    """Meaning of the colors of graded triangles.

    Attributes
    ----------
    title : str
        A `Message` is translated when drawn.
    ticks : tuple of (float, str)
        Grades from 0 to 1, each with its text.
    """

    title: str
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Primitives:
    """Lines, points, triangles and labels in world coordinates.

    Attributes
    ----------
    lines : (L, 2, 3) float64
    line_role : (L,) int8
        `Role` of each line.
    points : (P, 3) float64
    point_role : (P,) int8
    triangles : (T, 3, 3) float64
        Filled faintly, visible from both sides.
    triangle_role : (T,) int8
    label_at : (M, 3) float64
    label_away : (M, 3) float64
        A label is beside its place, on the side away from this one. NaN: to the right.
    label_role : (M,) int8
    labels : tuple of M str
        A `Message` is translated when drawn.
    graded : (G, 3, 3) float32
        Triangles of opaque surfaces.
    grade : (G, 3) float32
        Grade of each corner, from 0 to 1: the position of its color on the scale.
    scale : Scale, optional
    legend : tuple of (tuple of int, str)
        Roles, whose colors are shown side by side, with their meaning. A `Message` is translated when
        drawn, and a name is not.
    """

    lines: Floats = field(default_factory=lambda: np.empty((0, 2, 3)))
    line_role: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    points: Floats = field(default_factory=lambda: np.empty((0, 3)))
    point_role: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    triangles: Floats = field(default_factory=lambda: np.empty((0, 3, 3)))
    triangle_role: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    label_at: Floats = field(default_factory=lambda: np.empty((0, 3)))
    label_away: Floats = field(default_factory=lambda: np.empty((0, 3)))
    label_role: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    labels: tuple[str, ...] = ()
    graded: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 3, 3), np.float32))
    grade: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 3), np.float32))
    scale: Scale | None = None
    legend: tuple[tuple[tuple[int, ...], str], ...] = ()


def concatenate(parts: list[Primitives]) -> Primitives:
    """Combine the primitives of `parts`, in order."""
    parts = [Primitives(), *parts]
    return Primitives(
        lines=np.concatenate([p.lines for p in parts]),
        line_role=np.concatenate([p.line_role for p in parts]),
        points=np.concatenate([p.points for p in parts]),
        point_role=np.concatenate([p.point_role for p in parts]),
        triangles=np.concatenate([p.triangles for p in parts]),
        triangle_role=np.concatenate([p.triangle_role for p in parts]),
        label_at=np.concatenate([p.label_at for p in parts]),
        label_away=np.concatenate([p.label_away for p in parts]),
        label_role=np.concatenate([p.label_role for p in parts]),
        labels=tuple(label for p in parts for label in p.labels),
        graded=np.concatenate([p.graded for p in parts]),
        grade=np.concatenate([p.grade for p in parts]),
        scale=next((p.scale for p in parts if p.scale is not None), None),
        legend=tuple(entry for p in parts for entry in p.legend),
    )


def as_lines(lines: Floats, role: Role) -> Primitives:
    """Return lines (L, 2, 3) of one role."""
    return Primitives(lines=lines, line_role=np.full(len(lines), role, np.int8))


def as_points(points: Floats, role: Role) -> Primitives:
    """Return points (P, 3) of one role."""
    return Primitives(points=points, point_role=np.full(len(points), role, np.int8))


def as_triangles(triangles: Floats, role: Role) -> Primitives:
    """Return triangles (T, 3, 3) of one role."""
    return Primitives(triangles=triangles, triangle_role=np.full(len(triangles), role, np.int8))


def as_label(at: Floats, role: Role, text: str, away: Floats | None = None) -> Primitives:
    """Return one label at a place (3,), on the side away from another place. Empty if the text is empty."""
    if not text:
        return Primitives()
    beside = np.full((1, 3), np.nan) if away is None else away[None]
    return Primitives(label_at=at[None], label_away=beside, label_role=np.array([role], np.int8), labels=(text,))
