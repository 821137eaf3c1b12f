# SPDX-License-Identifier: GPL-3.0-or-later
"""The region that a view shows of a pair: the place where the two overlap, with its surroundings."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import bpy

from ... import core
from ...core.constants import Verdict
from ..model.report import PairResult, Report
from ..scene import reading
from ..scene.objects import selection
from ..session.collision_results import last_check
from ..system.late import np

if TYPE_CHECKING:
    from ...core.numerics.types import Floats
    from ...core.planar.world import PlacedWorld

# Dimensionless. The radius of the view is this many times that of the place where two bodies overlap, and of the cross
# section of the smaller body; at most this many times the depth, unless that is below a fraction of that section.
_ROOM, _SECTION, _DEPTHS, _SHARE = 2.0, 1.2, 200.0, 0.3
# For a body that goes through another, the radius is this many times the way out, but at most this many times that of
# the place alone; for one that the other holds on several sides, at most so many times. From the center of the place, a
# way out is drawn up to a fraction of the radius.
_WAY, _WAYS, _HELD, REACH = 1.4, 6.0, 2.0, 0.8
# Fractions of a body's size: for a contained or duplicate body, and for a container, for which less than its middle
# extent would show no surface. All of a container is shown if it is at most this many times as large as its content.
_WHOLE, _WALLS, _INSIDES = 1.2, 0.75, 10.0
# Bodies are recognized if all of the smaller one is shown, with this much around it, but at most this many times its
# cross section.
_RECOGNIZED, _SECTIONS = 1.1, 8.0


# By the pairs of the last worlds, as long as these exist: panels ask about the same pairs again and again.
_through: "WeakKeyDictionary[core.World, dict[tuple[int, int, float], bool]]" = WeakKeyDictionary()


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

    Where bodies meet or are near each other, it is the region between their contacts, wide enough to show the smaller
    body, unless that is long, and near enough to show the depth. If that is too near for the whole region, it is the
    place of the depth. For a duplicate or a contained body, it is the whole body, with its container unless that is
    much larger. If a body goes through the other, or is held on several sides, the way out is shown as well, unless it
    is long.

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
            walls = _WALLS * float(np.sort(around[1] - around[0])[1])
            radius = max(radius, walls, min(sizes[1 - smaller], _INSIDES * sizes[smaller]))
        return FramedPlace((low + high) / 2.0, radius)
    # Contacts are midway between surfaces, which may be far apart if one body passes through the other.
    ends = np.sort([np.maximum(sides[0][0], sides[1][0]), np.minimum(sides[0][1], sides[1][1])], axis=0)
    points = np.clip(pair.contact_points if len(pair.contact_points) else [pair.point_a, pair.point_b], *ends)
    center = (points.min(axis=0) + points.max(axis=0)) / 2.0
    # For a long pipe, its thickness.
    section = float(np.linalg.norm(np.sort(high - low)[:2])) / 2.0
    wide = max(_ROOM * float(np.linalg.norm(points - center, axis=1).max()), _SECTION * section)
    if goes_through(world, pair):
        way = max(float(np.linalg.norm(point - center)) for point in (pair.point_a, pair.point_b))
        return FramedPlace(center, max(wide, min(_WAY * way, _WAYS * wide)))
    if pair.held and pair.complete and not pair.faces:
        wide = max(wide, min(pair.depth / REACH, _HELD * wide))
    reach = float(np.linalg.norm(np.maximum(center - low, high - center)))
    wide = max(wide, min(_RECOGNIZED * reach, _SECTIONS * section))
    near = _DEPTHS * pair.depth
    if _SHARE * section < near < wide and len(pair.contact_points):
        # Where the depth is drawn: at a contact only if there is none between the witness points.
        at = points[int(pair.contact_depths.argmax())] if pair.held else (pair.point_a + pair.point_b) / 2.0
        return FramedPlace(at, near)
    return FramedPlace(center, wide)


def inner_side(world: "core.World | PlacedWorld", pair: PairResult) -> int:
    """Return the side of the smaller body of a pair, which is the contained one: 0 for A, 1 for B."""
    lower, upper = reading.batches.bounds_of(world, (pair.shape_a, pair.shape_b))
    return int(np.linalg.norm(upper - lower, axis=1).argmin())


def goes_through(world: "core.World | PlacedWorld", pair: PairResult) -> bool:
    """Return whether a penetrating body goes through the other, so that its depth is more than its own size.

    Then no part of it is as deep inside, and the length is that of the way out.
    """
    if not isinstance(world, core.World) or pair.verdict != Verdict.PENETRATING or pair.held or pair.faces:
        return False
    known, key = _through.setdefault(world, {}), (pair.shape_a, pair.shape_b, pair.distance)
    if key not in known:
        lower, upper = reading.batches.bounds_of(world, (pair.shape_a, pair.shape_b))
        with np.errstate(invalid="ignore"):
            sizes = np.nan_to_num((upper - lower) * np.abs(pair.normal), nan=0.0, posinf=np.inf).sum(axis=1)
        known[key] = pair.depth > float(sizes.min())
    return known[key]


def way_in_view(report: Report, world: "core.World | PlacedWorld", pair: PairResult) -> PairResult:
    """Return a pair with the ends of its depth moved toward each other, so that the view shows both."""
    center, radius = place_of(report, world, pair)
    room = radius / _WAY
    # Along the normal from the center. A is at the end to which the normal points.
    reach = [float(np.clip((point - center) @ pair.normal, -room, room)) for point in (pair.point_a, pair.point_b)]
    middle = (pair.point_a + pair.point_b) / 2.0
    beside = middle - ((middle - center) @ pair.normal) * pair.normal
    point_a, point_b = (beside + length * pair.normal for length in reach)
    return replace(pair, distance=reach[1] - reach[0], point_a=point_a, point_b=point_b)


def _bounds(report: Report, world: "core.World | PlacedWorld", body: int) -> "tuple[Floats, Floats]":
    rows = [row for row, shape in enumerate(report.shapes) if shape.body == body]
    lower, upper = reading.batches.bounds_of(world, rows)
    return lower.min(axis=0), upper.max(axis=0)
