# SPDX-License-Identifier: GPL-3.0-or-later
"""The region that a view shows of a pair: the place where the two overlap, with its surroundings."""

from typing import TYPE_CHECKING, NamedTuple

import bpy

from ... import core
from ...core.constants import Verdict
from ..model.report import PairResult, Report
from ..scene.objects import selection
from ..session.collision_results import last_check
from ..system.late import np

if TYPE_CHECKING:
    from ...core.numerics.types import Floats
    from ...core.planar.world import PlacedWorld

# Dimensionless. The radius of the view is this many times that of the place where two bodies overlap, and of the cross
# section of the smaller body; at most this many times the depth, unless that is below a fraction of that section.
_ROOM, _SECTION, _DEPTHS, _SHARE = 2.0, 1.2, 200.0, 0.3
# Fractions of a body's size: for a contained or duplicate body, and for a container, for which less than its middle
# extent would show no surface.
_WHOLE, _WALLS = 1.2, 0.75


class FramedPlace(NamedTuple):
    """A ball that the view shows."""

    center: "Floats"
    radius: float


def frame(context: bpy.types.Context, pair: PairResult) -> bool:
    """Show where the two bodies of a pair of the session's report meet. False if there is no 3D view."""
    report, world = last_check.report, last_check.world
    if report is None or world is None:
        return False
    center, radius = place_of(report, world, pair)
    return radius > 0.0 and selection.frame_ball(context, center.tolist(), radius)


def place_of(report: Report, world: "core.World | PlacedWorld", pair: PairResult) -> FramedPlace:
    """Return the place of a pair that the view shows.

    Where bodies meet, it is the region between their contacts, wide enough to show the surroundings and near enough to
    show the depth. If that is too near for the whole region, it is the deepest contact. For a duplicate or a contained
    body, it is the whole body. For a container, it is the surface around the contained body.

    Parameters
    ----------
    report : Report
    world : World or PlacedWorld
        Tested shapes, row for row with ``report.shapes``.
    pair : PairResult
        A pair of the report.

    Returns
    -------
    Place
        With radius 0 if both bodies are unbounded.
    """
    sides = [_bounds(report, world, body) for body in (pair.body_a, pair.body_b)]
    sizes = [float(np.linalg.norm(high - low)) / 2.0 for low, high in sides]
    finite = [number for number, size in enumerate(sizes) if np.isfinite(size)]
    if not finite:
        return FramedPlace(np.zeros(3), 0.0)
    smaller = min(finite, key=lambda number: sizes[number])
    low, high = sides[smaller]
    if pair.verdict in {Verdict.DUPLICATE, Verdict.CONTAINED}:
        radius = _WHOLE * sizes[smaller]
        if pair.verdict == Verdict.CONTAINED and len(finite) == 2:
            around = sides[1 - smaller]
            radius = max(radius, _WALLS * float(np.sort(around[1] - around[0])[1]))
        return FramedPlace((low + high) / 2.0, radius)
    # Contacts are midway between surfaces, which may be far apart if one body passes through the other.
    ends = np.sort([np.maximum(sides[0][0], sides[1][0]), np.minimum(sides[0][1], sides[1][1])], axis=0)
    points = np.clip(pair.contact_points if len(pair.contact_points) else [pair.point_a, pair.point_b], *ends)
    center = (points.min(axis=0) + points.max(axis=0)) / 2.0
    # For a long pipe, its thickness.
    section = float(np.linalg.norm(np.sort(high - low)[:2])) / 2.0
    wide = max(_ROOM * float(np.linalg.norm(points - center, axis=1).max()), _SECTION * section)
    near = _DEPTHS * pair.depth
    if _SHARE * section < near < wide and len(pair.contact_points):
        return FramedPlace(points[int(pair.contact_depths.argmax())], near)
    return FramedPlace(center, wide)


def _bounds(report: Report, world: "core.World | PlacedWorld", body: int) -> "tuple[Floats, Floats]":
    rows = [row for row, shape in enumerate(report.shapes) if shape.body == body]
    lower, upper = world.bounds()
    return lower[rows].min(axis=0), upper[rows].max(axis=0)
