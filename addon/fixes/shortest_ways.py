# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest translation of either object of a pair out of the other, and the object to move first."""

from typing import TYPE_CHECKING, NamedTuple

import bpy

from ..model.report import Body, PairResult
from ..scene.objects.collision_settings import is_own
from ..scene.open_file import objects_by_uid
from ..session.collision_results import last_check
from .first_to_move import first_to_move

if TYPE_CHECKING:
    from ...core.numerics.types import Floats

# The last pair that was asked about, and whether its second object would be moved first.
_chosen: tuple[PairResult, bool] | None = None


class ShortestWay(NamedTuple):
    """The shortest translation of one object of a pair out of the other or, if they are apart, into contact.

    Attributes
    ----------
    which : str
        A or B: the first or the second object of the pair.
    body : Body
    length : float
        In Blender units.
    direction : (3,) float64
        Unit vector in world space.
    """

    which: str
    body: Body
    length: float
    direction: "Floats"


def ways(context: bpy.types.Context, pair: PairResult) -> list[ShortestWay]:
    """Return how either object of a pair of the session's report would leave or reach the other, the one to move first.

    This is the active object or, if that is neither of the two, the one that an artist would move; except for an
    infinite plane and, if the other can be moved, a linked object or an override that cannot be edited.
    """
    report = last_check.report
    assert report is not None
    bodies, length = last_check.bodies_of(pair), abs(pair.distance)
    # The normal is from A to B.
    direction = pair.normal if pair.distance > 0.0 else -pair.normal
    found = [ShortestWay("A", bodies[0], length, direction), ShortestWay("B", bodies[1], length, -direction)]
    active = [_is_of(context.active_object, body) for body in bodies]
    if active[1] or (not active[0] and _second_goes_first(pair)):
        found.reverse()
    shapes = {"A": pair.shape_a, "B": pair.shape_b}
    found = [way for way in found if report.shapes[shapes[way.which]].kind != "half-space"]
    return [way for way in found if not _is_linked(way.body)] or found


def ways_apart(context: bpy.types.Context, pair: PairResult) -> list[ShortestWay]:
    """Return how either object of a pair that is closer than its clearance would reach it, the one to move first.

    Less is not enough for either of the two. It is for convex objects.
    """
    report = last_check.report
    assert report is not None
    missing = report.clearance_of(pair) - pair.distance
    return [way._replace(length=missing, direction=-way.direction) for way in ways(context, pair)]


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
