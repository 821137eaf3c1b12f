# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration space obstacle of two objects: which two, how they stand, and its drawing.

doc4code (2011) defines A - B about the origin of coordinates. Moved to where B's own origin is, it becomes what an
artist can use: the region around A that B's origin must stay out of.
"""

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.planar.world import PlacedWorld
from ...core.shapes import UNBOUNDED, Kind
from ...core.world.world import World
from ..debug_draw.extract import HEAD
from ..debug_draw.obstacle import obstacle_primitives
from ..debug_draw.primitives import Primitives, Role, concatenate
from ..debug_draw.shapes import shape_edges
from ..i18n.lookup import label_
from ..i18n.units import length_text
from ..model.errors import UserError
from ..model.report import Body, body_uids
from ..scene.objects.origins import origin_by_uid, origin_of
from ..scene.objects.some_selected import some_selected
from ..scene.reading.batches import without_margins
from ..scene.reading.read_scene import read_scene
from ..session.collision_results import last
from . import stage
from .pair import ARROW_SHARE

# Pairs of parts above which only the obstacle of the pair that decides is drawn: more lines would hide it.
MOST_PIECES = 32


NOT_CONVEX = (Kind.MESH, Kind.COMPOUND)


@dataclass(eq=False)
class Obstacle(stage.ObjectDrawing):
    """The configuration space obstacle that is drawn.

    Attributes
    ----------
    name_a, name_b : str
        A, which stays, and B, which moves.
    placement : str
        As `show` takes it.
    distance : float
        Signed, of A and B, in Blender units.
    way : (3,) float64
        Moved by it, B does no more than touch A: the deepest or nearest of its parts.
    pieces, drawn : int
        Pairs of parts, and those whose obstacles are drawn.
    """

    name_a: str
    name_b: str
    placement: str
    distance: float
    way: Floats
    pieces: int
    drawn: int


class NoObstacle(UserError):
    """There is no obstacle of these two."""


@dataclass(frozen=True, eq=False)
class Subject:
    """What the obstacle is of.

    Attributes
    ----------
    world : World
    rows_a, rows_b : (K,) int64
        The shapes of A, which stays, and of B, which moves.
    names : (str, str)
    reference : (3,) float64
        B's origin; of an instance, the middle of its bounds.
    uids : frozenset of int
        The objects that it depends on.
    """

    world: World
    rows_a: Ints
    rows_b: Ints
    names: tuple[str, str]
    reference: Floats
    uids: frozenset[int]


def missing(context: bpy.types.Context) -> str:
    """Return what is missing for an obstacle, as a text to be translated; empty if nothing is."""
    if len(some_selected(context)) == 2:
        return ""
    pair = last.pair(last.chosen)
    if pair is None:
        return "Select two objects, or click a result of a collision check"
    if last.place.scene_uid != context.scene.session_uid:
        return "The results belong to another scene or view layer"
    if last.pair_is_stale(pair):
        return "The active pair has changed since the check: select its two objects, or check again"
    if isinstance(last.world, PlacedWorld):
        return "The active pair was checked in a plane: select its two objects"
    return ""


def find_subject(context: bpy.types.Context) -> Subject:
    """Return the two selected objects, A being the active one; otherwise the chosen result.

    Raises
    ------
    NoObstacle
        If there are none, one has no shape, they are one body, or one has no end or is not convex.
    """
    objects = list(context.selected_objects)
    if len(objects) == 2:
        active = context.view_layer.objects.active
        subject = _of_objects(context, *sorted(objects, key=lambda ob: (ob != active, ob.name)))
    else:
        subject = _of_result()
    for name, rows in zip(subject.names, (subject.rows_a, subject.rows_b), strict=True):
        if np.isin(subject.world.kind[rows], list(UNBOUNDED)).any():
            raise NoObstacle('"{name}" is infinite, so the obstacle would be infinite as well', name=name)
        if np.isin(subject.world.kind[rows], NOT_CONVEX).any():
            raise NoObstacle('"{name}" is tested as a non-convex shape', name=name)
    return subject


def show(context: bpy.types.Context, subject: Subject, placement: str) -> Obstacle:
    """Draw the obstacle, with the origin and the shortest way from it to the surface.

    Parameters
    ----------
    context : bpy.types.Context
    subject : Subject
    placement : str
        AT_A: around A, the origin being that of B. ORIGIN: about the world's origin.
    """
    pairs = np.stack(np.meshgrid(subject.rows_a, subject.rows_b, indexing="ij"), axis=-1).reshape(-1, 2)
    measured = subject.world.distance(pairs)
    deciding = int(np.argmin(measured.distance))
    distance = float(measured.distance[deciding])
    way = measured.point_a[deciding] - measured.point_b[deciding]
    drawn = pairs if len(pairs) <= MOST_PIECES else pairs[[deciding]]
    around = placement == "AT_A"
    label = _label(subject.names[1] if around else "", distance, context.scene.unit_settings)
    primitives = obstacle_primitives(
        subject.world,
        drawn,
        way,
        distance,
        offset=subject.reference if around else np.zeros(3),
        head=HEAD * ARROW_SHARE * _size(subject),
        label=label,
    )
    if around:
        primitives = concatenate([*_shapes(subject), primitives])
    obstacle = Obstacle(
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


def shown() -> Obstacle | None:
    """Return the obstacle that is drawn; None if none is."""
    return stage.current(Obstacle)


def _label(name: str, distance: float, units: bpy.types.UnitSettings) -> str:
    """Whose origin it is, that of the world if there is no name, and how it stands to the obstacle."""
    length = length_text(abs(distance), units)
    if distance < 0.0:
        return (
            label_("Origin of {name}, {length} deep", name=name, length=length)
            if name
            else label_("Origin, {length} deep", length=length)
        )
    return (
        label_("Origin of {name}, {length} away", name=name, length=length)
        if name
        else label_("Origin, {length} away", length=length)
    )


def _of_objects(context: bpy.types.Context, a: bpy.types.Object, b: bpy.types.Object) -> Subject:
    shapes = read_scene(context, [a, b], margins=False)
    of_a, of_b = ({n for n, body in enumerate(shapes.bodies) if _takes_part(ob, body)} for ob in (a, b))
    for ob, bodies in ((a, of_a), (b, of_b)):
        if not bodies:
            reasons = [entry.reason for entry in shapes.skipped if entry.object == ob.name]
            if reasons:
                raise NoObstacle('"{name}" has no collision shape: {reason}', name=ob.name, reason=reasons[0])
            raise NoObstacle('"{name}" has no collision shape', name=ob.name)
    if of_a & of_b:
        raise NoObstacle('"{a}" and "{b}" belong to one body', a=a.name, b=b.name)
    uids = {uid for n in of_a | of_b for uid in body_uids(shapes.bodies[n])}
    return Subject(
        world=shapes.world,
        rows_a=np.flatnonzero(np.isin(shapes.body, list(of_a))),
        rows_b=np.flatnonzero(np.isin(shapes.body, list(of_b))),
        names=(a.name, b.name),
        reference=origin_of(b),
        uids=frozenset(uids),
    )


def _takes_part(ob: bpy.types.Object, body: Body) -> bool:
    return ob.session_uid in body_uids(body)


def _of_result() -> Subject:
    pair = last.pair(last.chosen)
    if pair is None or last.report is None or not isinstance(last.world, World):
        raise NoObstacle("Select two objects, or click a result of a collision check")
    bodies = last.bodies_of(pair)
    # The obstacle is that of the bare shapes: inflated it would have no corners.
    world = without_margins(last.world, np.array([shape.margin for shape in last.report.shapes]))
    owner = np.array([shape.body for shape in last.report.shapes])
    rows_a, rows_b = np.flatnonzero(owner == pair.body_a), np.flatnonzero(owner == pair.body_b)
    key = bodies[1].key
    reference = None if key.instancer_uid else origin_by_uid(key.session_uid)
    if reference is None:
        lower, upper = world.bounds()
        reference = (lower[rows_b].min(axis=0) + upper[rows_b].max(axis=0)) / 2.0
    return Subject(
        world=world,
        rows_a=rows_a,
        rows_b=rows_b,
        names=(last.body_name(bodies[0]), last.body_name(bodies[1])),
        reference=reference,
        uids=frozenset(body_uids(bodies[0]) | body_uids(bodies[1])),
    )


def _shapes(subject: Subject) -> list[Primitives]:
    """Both bodies, as far as they are not too many parts to be told apart."""
    return [
        shape_edges(subject.world, int(row), role)
        for rows, role in ((subject.rows_a, Role.SHAPE_A), (subject.rows_b, Role.SHAPE_B))
        for row in rows[:MOST_PIECES]
    ]


def _size(subject: Subject) -> float:
    """Diagonal of the smaller body's bounds; of two points, one unit."""
    lower, upper = subject.world.bounds()
    diagonals = [
        float(np.linalg.norm(upper[rows].max(axis=0) - lower[rows].min(axis=0)))
        for rows in (subject.rows_a, subject.rows_b)
    ]
    return min((size for size in diagonals if size > 0.0), default=1.0)
