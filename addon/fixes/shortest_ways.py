# SPDX-License-Identifier: GPL-3.0-or-later
"""The translation of either object of a pair out of the other or away from it, and the object to move first."""

from typing import TYPE_CHECKING, NamedTuple

import bpy

from ...core.constants import Verdict
from ...core.world.world import World
from ..model.report import Body, PairResult
from ..model.verdict_names import DEEP
from ..scene.objects.collision_settings import is_own
from ..scene.open_file import objects_by_uid
from ..session.collision_results import last_check
from ..system.late import np
from .first_to_move import first_to_move
from .ways_ahead import WayAhead, moves_along, scenery_of, units_of_pair, way_apart, way_out

if TYPE_CHECKING:
    from ...core.numerics.types import Floats

# Seconds to find out what is in the way of one object of a pair, and while the results follow the scene.
_AHEAD, _FOLLOWING = 0.2, 0.02

# The last pair whose ways have been looked at: what is ahead of its first and its second object, A and B.
_ahead: tuple[PairResult, dict[str, WayAhead]] | None = None
# Which objects of that pair take the other with them if they are moved.
_leads: frozenset[str] = frozenset()

# The last pair that was asked about, and whether its second object would be moved first.
_chosen: tuple[PairResult, bool] | None = None


class ShortestWay(NamedTuple):
    """A translation of one object of a pair out of the other or, if they are apart, into contact or away.

    Attributes
    ----------
    which : str
        A or B: the first or the second object of the pair.
    body : Body
    length : float
        In Blender units.
    direction : (3,) float64
        Unit vector in world space.
    at_least : bool
        Whether the object may have to move farther, because of other objects.
    obstacle : Body or None
        The body that is in the way of the shortest translation, if it is known.
    under : bool
        Whether the shortest translation leads under the obstacle.
    """

    which: str
    body: Body
    length: float
    direction: "Floats"
    at_least: bool = False
    obstacle: Body | None = None
    under: bool = False


def ways(context: bpy.types.Context, pair: PairResult) -> list[ShortestWay]:
    """Return how either object of a pair of the session's report would leave or reach the other, the one to move first.

    This is the active object or, if that is neither of the two, the one that an artist would move; except for an
    infinite plane and, if the other can be moved, a linked object or an override that cannot be edited. Ways out are
    those that `look_ahead` has found.
    """
    report = last_check.report
    assert report is not None
    bodies, length = last_check.bodies_of(pair), abs(pair.distance)
    # The normal is from A to B.
    direction = pair.normal if pair.distance > 0.0 else -pair.normal
    found = [ShortestWay("A", bodies[0], length, direction), ShortestWay("B", bodies[1], length, -direction)]
    if pair.verdict in DEEP:
        found = [_as_looked_ahead(pair, way) for way in found]
    active = [_is_of(context.active_object, body) for body in bodies]
    if active[1] or (not active[0] and _second_goes_first(pair)):
        found.reverse()
    shapes = {"A": pair.shape_a, "B": pair.shape_b}
    found = [way for way in found if report.shapes[shapes[way.which]].kind != "half-space"]
    found = [way for way in found if not _is_linked(way.body)] or found
    leads = _leads if _ahead is not None and _ahead[0] is pair else ()
    return [way for way in found if way.which not in leads] or found


def moves_as_one(pair: PairResult) -> bool:
    """Return whether no fix separates the objects of a pair of the session's report: they are parts of one object."""
    first, second = last_check.bodies_of(pair)
    return bool(second.part) or first.key.selected_uid == second.key.selected_uid


def ways_apart(context: bpy.types.Context, pair: PairResult) -> list[ShortestWay]:
    """Return how either object of a pair that is closer than its clearance would get out of it, as `ways`."""
    report = last_check.report
    assert report is not None
    missing = report.clearance_of(pair) - pair.distance
    found = [way._replace(length=missing, direction=-way.direction) for way in ways(context, pair)]
    return [_as_looked_ahead(pair, way) for way in found]


def _as_looked_ahead(pair: PairResult, way: ShortestWay) -> ShortestWay:
    """Return a way as it is among the other objects. If nobody has looked ahead, it may be longer."""
    ahead = _ahead[1].get(way.which) if _ahead is not None and _ahead[0] is pair else None
    if ahead is None:
        return way._replace(at_least=True)
    length, report = float(np.linalg.norm(ahead.vector)), last_check.report
    if not length or report is None:
        return way
    return way._replace(
        length=length,
        direction=ahead.vector / length,
        at_least=not ahead.is_free,
        obstacle=report.bodies[ahead.obstacle] if ahead.obstacle >= 0 else None,
        under=ahead.under,
    )


def look_ahead(context: bpy.types.Context, pair: PairResult) -> None:
    """Find out what is in the way of both objects of a pair of the session's report, for `ways` and `ways_apart`.

    It tests shapes, and is called when a pair is chosen, not when it is drawn.
    """
    global _ahead, _leads
    report, world, settings = last_check.report, last_check.world, last_check.settings
    if _ahead is not None and _ahead[0] is pair:
        return
    _ahead = None
    if report is None or settings is None or not isinstance(world, World) or not pair.complete:
        return
    apart = pair.verdict == Verdict.WITHIN_CLEARANCE
    if pair.faces or moves_as_one(pair) or not (apart or pair.verdict in DEEP):
        return
    units = units_of_pair(context, report, pair)
    _leads = frozenset(which for side, which in enumerate("AB") if moves_along(report, pair, side, units[side]))
    found, seconds = {}, _FOLLOWING if last_check.followed else _AHEAD
    for side, which in enumerate("AB"):
        unit, scenery = units[side], scenery_of(context, report, world, settings, pair, side, units[side])
        if unit is None or scenery is None:
            continue
        if apart:
            way = way_apart(unit, scenery, pair, side, report.clearance_of(pair), seconds)
        else:
            shortest = -abs(pair.distance) * (pair.normal if side == 0 else -pair.normal)
            way = way_out(unit, scenery, pair, side, shortest, seconds)
        if way is not None:
            found[which] = way
    _ahead = pair, found


def vector_of(pair: PairResult, which: str) -> "Floats | None":
    """Return the translation that frees an object of a pair, A or B, if it is known."""
    ahead = _ahead[1].get(which) if _ahead is not None and _ahead[0] is pair else None
    return ahead.vector if ahead is not None and ahead.is_free else None


def _second_goes_first(pair: PairResult) -> bool:
    """Return whether an artist would move the second object of a pair. Kept for the last pair, as panels ask often."""
    global _chosen
    report, world = last_check.report, last_check.world
    if report is None or world is None:
        return True
    if _chosen is None or _chosen[0] is not pair:
        mover, _ = first_to_move(report, world, pair)
        _chosen = pair, mover == report.bodies[pair.body_b].key
    return _chosen[1]


def _is_linked(body: Body) -> bool:
    """Return whether an object is linked, or an override that cannot be edited.

    An instance's instancer can be moved.
    """
    if body.key.instancer_uid or not body.library_file:
        return False
    ob = objects_by_uid([body.key.session_uid]).get(body.key.session_uid)
    return bool(body.library) or (ob is not None and not is_own(ob))


def _is_of(ob: bpy.types.Object | None, body: Body) -> bool:
    """Return whether an object is a part of a body."""
    return ob is not None and ob.session_uid in {key.session_uid for key in (body.key, *body.members)}
