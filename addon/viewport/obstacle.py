# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration space obstacle of two objects: the objects, their relation, and the overlay.

doc4code (2011) defines A - B about the origin of coordinates. Moved to B's origin, it is useful to an artist: the
region around A that B's origin must stay out of.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy

from ... import core
from .. import collisions, debug_draw, scene
from ..debug_draw.roles import Role
from ..i18n.units import spoken_text
from ..model.message import Message
from ..model.report import body_uids
from ..scene import reading
from ..scene.objects.selection import some_selected
from ..session.collision_results import last_check
from ..system.late import np
from . import stage
from .pair import ARROW_SHARE

if TYPE_CHECKING:
    from ...core.numerics.types import Floats


# With more pairs of parts, only the obstacle of the deciding pair is drawn, because more lines would hide it.
MOST_PIECES = 32


@dataclass(eq=False)
class ObstacleDrawing(stage.ObjectDrawing):
    """The drawn configuration space obstacle.

    Attributes
    ----------
    name_a, name_b : str
        A, which is fixed, and B, which moves.
    placement : str
        As for `show`.
    distance : float
        Signed distance of A and B, in Blender units.
    way : (3,) float64
        Translation by which B just touches A, for the deepest or nearest of its parts.
    pieces, drawn : int
        Number of pairs of parts, and of drawn obstacles.
    """

    name_a: str
    name_b: str
    placement: str
    distance: float
    way: "Floats"
    pieces: int
    drawn: int


def missing(context: bpy.types.Context) -> str:
    """Return what is missing for an obstacle, as a text to be translated. Empty if nothing is."""
    if len(some_selected(context)) == 2:
        return ""
    pair = last_check.pair(last_check.chosen)
    if pair is None:
        return "Select two objects, or click a result of a collision check"
    if last_check.place.scene_uid != context.scene.session_uid:
        return "The results belong to another scene or view layer"
    if last_check.pair_is_stale(pair):
        return "The active pair has changed since the check: select its two objects, or check again"
    if isinstance(last_check.world, core.planar.world.PlacedWorld):
        return "The active pair was checked in a plane: select its two objects"
    return ""


def find_subject(context: bpy.types.Context) -> "collisions.obstacle.Subject":
    """Return the two selected objects, with the active one as A. Otherwise, the chosen result.

    Raises
    ------
    NoObstacle
        If there are none, one has no shape, both are one body, or one is unbounded or not convex.
    """
    objects = list(context.selected_objects)
    if len(objects) == 2:
        active = context.view_layer.objects.active
        a, b = sorted(objects, key=lambda ob: (ob != active, ob.name))
        return collisions.obstacle.of_objects(context, a, b)
    subject = _of_result()
    collisions.obstacle.check_subject(subject)
    return subject


def show(context: bpy.types.Context, subject: "collisions.obstacle.Subject", placement: str) -> ObstacleDrawing:
    """Draw the obstacle, with the origin and the shortest way from it to the surface.

    Parameters
    ----------
    context : bpy.types.Context
    subject : Subject
    placement : str
        AT_A: around A, with the origin of B. ORIGIN: about the world origin.
    """
    measured = collisions.obstacle.measured(subject)
    pairs, distance, way = measured.pairs, measured.distance, measured.way
    drawn = pairs if len(pairs) <= MOST_PIECES else pairs[[measured.deciding]]
    around = placement == "AT_A"
    label = _label(subject.names[1] if around else "", distance, context.scene.unit_settings)
    primitives = debug_draw.obstacle.obstacle_primitives(
        subject.world,
        drawn,
        way,
        distance,
        offset=subject.reference if around else np.zeros(3),
        head=debug_draw.extract.HEAD * ARROW_SHARE * _size(subject),
        label=label,
    )
    if around:
        primitives = debug_draw.primitives.concatenate([*_shapes(subject), primitives])
    obstacle = ObstacleDrawing(
        primitives,
        context.scene.session_uid,
        *subject.names,
        placement,
        distance,
        way,
        len(pairs),
        len(drawn),
        uids=subject.uids,
    )
    stage.show(obstacle)
    return obstacle


def shown() -> ObstacleDrawing | None:
    """Return the drawn obstacle. None if there is none."""
    return stage.current(ObstacleDrawing)


def _label(name: str, distance: float, units: bpy.types.UnitSettings) -> str:
    """Return the name of the origin's object (empty: the world origin), and its relation to the obstacle."""
    length = spoken_text(abs(distance), units)
    if distance < 0.0:
        return (
            Message("Origin of {name}, {length} deep", name=name, length=length)
            if name
            else Message("Origin, {length} deep", length=length)
        )
    return (
        Message("Origin of {name}, {length} away", name=name, length=length)
        if name
        else Message("Origin, {length} away", length=length)
    )


def _of_result() -> "collisions.obstacle.Subject":
    pair = last_check.pair(last_check.chosen)
    if pair is None or last_check.report is None or not isinstance(last_check.world, core.World):
        raise collisions.obstacle.NoObstacle("Select two objects, or click a result of a collision check")
    bodies = last_check.bodies_of(pair)
    # The obstacle of the shapes without margins. Inflated, it would have no corners.
    world = reading.batches.without_margins(
        last_check.world, np.array([shape.margin for shape in last_check.report.shapes])
    )
    owner = np.array([shape.body for shape in last_check.report.shapes])
    rows_a, rows_b = np.flatnonzero(owner == pair.body_a), np.flatnonzero(owner == pair.body_b)
    key = bodies[1].key
    reference = None if key.instancer_uid else scene.objects.transforms.origin_by_uid(key.session_uid)
    if reference is None:
        lower, upper = world.bounds()
        reference = (lower[rows_b].min(axis=0) + upper[rows_b].max(axis=0)) / 2.0
    return collisions.obstacle.Subject(
        world=world,
        rows_a=rows_a,
        rows_b=rows_b,
        names=(last_check.body_name(bodies[0]), last_check.body_name(bodies[1])),
        reference=reference,
        uids=frozenset(body_uids(bodies[0]) | body_uids(bodies[1])),
    )


def _shapes(subject: "collisions.obstacle.Subject") -> "list[debug_draw.primitives.Primitives]":
    """Return both bodies, unless they have too many parts to be distinguished."""
    return [
        debug_draw.shapes.shape_edges(subject.world, int(row), role)
        for rows, role in ((subject.rows_a, Role.SHAPE_A), (subject.rows_b, Role.SHAPE_B))
        for row in rows[:MOST_PIECES]
    ]


def _size(subject: "collisions.obstacle.Subject") -> float:
    """Return the diagonal of the smaller body's bounds. One unit for two points."""
    lower, upper = subject.world.bounds()
    diagonals = [
        float(np.linalg.norm(upper[rows].max(axis=0) - lower[rows].min(axis=0)))
        for rows in (subject.rows_a, subject.rows_b)
    ]
    return min((size for size in diagonals if size > 0.0), default=1.0)
