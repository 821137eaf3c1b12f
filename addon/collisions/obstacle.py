# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration space obstacle of two bodies: its shapes, and the position of the origin relative to it."""

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.shapes import UNBOUNDED, Kind
from ...core.world.world import World
from ..model.errors import UserError
from ..model.report import Body, body_uids
from ..scene.objects.transforms import origin_of
from ..scene.reading.read_scene import read_scene

_NOT_CONVEX = (Kind.MESH, Kind.COMPOUND)


class NoObstacle(UserError):
    """The two objects have no configuration space obstacle."""


@dataclass(frozen=True, eq=False)
class Subject:
    """The two bodies of an obstacle.

    Attributes
    ----------
    world : World
    rows_a, rows_b : (K,) int64
        Shapes of A, which is fixed, and of B, which moves.
    names : (str, str)
    reference : (3,) float64
        Origin of B. For an instance, the center of its bounds.
    uids : frozenset of int
        The `session_uid` of the objects that the obstacle depends on.
    """

    world: World
    rows_a: Ints
    rows_b: Ints
    names: tuple[str, str]
    reference: Floats
    uids: frozenset[int]


@dataclass(frozen=True, eq=False)
class Measured:
    """Distance of the origin from an obstacle.

    Attributes
    ----------
    pairs : (P, 2) int64
        Rows of the world: every part of A with every part of B.
    deciding : int
        The deepest or nearest of these pairs.
    distance : float
        Signed: negative if the origin is inside the obstacle.
    way : (3,) float64
        From the origin to the nearest point of the obstacle's surface. Moving B by it makes B touch A.
    """

    pairs: Ints
    deciding: int
    distance: float
    way: Floats


def of_objects(context: bpy.types.Context, a: bpy.types.Object, b: bpy.types.Object) -> Subject:
    """Return the obstacle of two objects.

    Raises
    ------
    NoObstacle
        If an object has no shape, both are one body, or as for `check_subject`.
    """
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
    subject = Subject(
        world=shapes.world,
        rows_a=np.flatnonzero(np.isin(shapes.body, list(of_a))),
        rows_b=np.flatnonzero(np.isin(shapes.body, list(of_b))),
        names=(a.name, b.name),
        reference=origin_of(b),
        uids=frozenset(uids),
    )
    check_subject(subject)
    return subject


def check_subject(subject: Subject) -> None:
    """Raise `NoObstacle` if a body is unbounded or not convex."""
    for name, rows in zip(subject.names, (subject.rows_a, subject.rows_b), strict=True):
        if np.isin(subject.world.kind[rows], list(UNBOUNDED)).any():
            raise NoObstacle('"{name}" is infinite, so the obstacle would be infinite as well', name=name)
        if np.isin(subject.world.kind[rows], _NOT_CONVEX).any():
            raise NoObstacle('"{name}" is tested as a non-convex shape', name=name)


def measured(subject: Subject) -> Measured:
    """Measure the distance of the origin from the obstacle."""
    pairs = np.stack(np.meshgrid(subject.rows_a, subject.rows_b, indexing="ij"), axis=-1).reshape(-1, 2)
    found = subject.world.distance(pairs)
    deciding = int(np.argmin(found.distance))
    way = found.point_a[deciding] - found.point_b[deciding]
    return Measured(pairs, deciding, float(found.distance[deciding]), way)


def _takes_part(ob: bpy.types.Object, body: Body) -> bool:
    return ob.session_uid in body_uids(body)
