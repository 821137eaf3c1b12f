# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the core's batches from single world space shapes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.numerics.types import Floats, Ints
from ....core.planar.world import PlacedWorld
from ....core.shapes import (
    Boxes,
    Capsules,
    Cones,
    Cylinders,
    Ellipsoids,
    HalfSpaces,
    Hulls,
    Kind,
    Meshes,
    Shapes,
    Spheres,
)
from ....core.world.world import World
from ...model.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Mesh, Sphere, WorldShape

_KINDS: dict[type, Kind] = {
    Sphere: Kind.SPHERE,
    Capsule: Kind.CAPSULE,
    Cylinder: Kind.CYLINDER,
    Ellipsoid: Kind.ELLIPSOID,
    Cone: Kind.CONE,
    Box: Kind.BOX,
    Hull: Kind.HULL,
    HalfSpace: Kind.HALF_SPACE,
    Mesh: Kind.MESH,
}

# The fields of each batch that are stored for each row, other than the geometry of hulls and meshes.
PLACES: dict[Kind, tuple[str, ...]] = {
    Kind.SPHERE: ("center", "radius"),
    Kind.CAPSULE: ("start", "end", "radius"),
    Kind.CYLINDER: ("start", "end", "radius"),
    Kind.ELLIPSOID: ("center", "radii", "rotation"),
    Kind.CONE: ("base", "apex", "radius"),
    Kind.BOX: ("center", "half_extents", "rotation"),
    Kind.HULL: ("translation", "rotation"),
    Kind.HALF_SPACE: ("normal", "offset"),
    Kind.MESH: ("translation", "rotation"),
}


def kind_of(shape: WorldShape) -> Kind:
    """The core's kind of a shape. Rows of a world are sorted by kind."""
    return _KINDS[type(shape)]


def world_of(shapes: Sequence[WorldShape]) -> World:
    """Return a world of shapes that are sorted by kind, with its rows in their order."""
    batches: list[Shapes] = []
    if spheres := [s for s in shapes if isinstance(s, Sphere)]:
        batches.append(Spheres(np.array([s.center for s in spheres]), np.array([s.radius for s in spheres])))
    if capsules := [s for s in shapes if isinstance(s, Capsule)]:
        start, end = np.array([[s.start, s.end] for s in capsules]).transpose(1, 0, 2)
        batches.append(Capsules(start, end, np.array([s.radius for s in capsules])))
    if cylinders := [s for s in shapes if isinstance(s, Cylinder)]:
        start, end = np.array([[s.start, s.end] for s in cylinders]).transpose(1, 0, 2)
        batches.append(Cylinders(start, end, np.array([s.radius for s in cylinders])))
    if ellipsoids := [s for s in shapes if isinstance(s, Ellipsoid)]:
        center, radii = np.array([[s.center, s.radii] for s in ellipsoids]).transpose(1, 0, 2)
        batches.append(Ellipsoids(center, radii, np.array([s.axes for s in ellipsoids])))
    if cones := [s for s in shapes if isinstance(s, Cone)]:
        base, apex = np.array([[s.base, s.apex] for s in cones]).transpose(1, 0, 2)
        batches.append(Cones(base, apex, np.array([s.radius for s in cones])))
    if boxes := [s for s in shapes if isinstance(s, Box)]:
        center, half = np.array([[s.center, s.half] for s in boxes]).transpose(1, 0, 2)
        batches.append(Boxes(center, half, np.array([s.axes for s in boxes])))
    if hulls := [s for s in shapes if isinstance(s, Hull)]:
        batches.append(Hulls(*_shared(hulls)))
    if half_spaces := [s for s in shapes if isinstance(s, HalfSpace)]:
        normal = np.array([s.normal for s in half_spaces])
        batches.append(HalfSpaces(normal, np.array([s.offset for s in half_spaces])))
    if meshes := [s for s in shapes if isinstance(s, Mesh)]:
        batches.append(Meshes(*_shared(meshes)))
    return World(batches, np.array([getattr(shape, "margin", 0.0) for shape in shapes]))


def _shared(shapes: Sequence[Hull] | Sequence[Mesh]) -> tuple[list[Any], Ints, Floats, Floats]:
    """The fields of a batch in which shapes with the same geometry share it."""
    distinct = {id(shape.geometry): shape.geometry for shape in shapes}
    slot = {address: place for place, address in enumerate(distinct)}
    return (
        list(distinct.values()),
        np.array([slot[id(shape.geometry)] for shape in shapes]),
        np.array([shape.translation for shape in shapes]),
        np.array([shape.rotation for shape in shapes]),
    )


def bounds_of(world: World | PlacedWorld, rows: Sequence[int]) -> tuple[Floats, Floats]:
    """The bounds of some rows of a world: lower (R, 3) and upper (R, 3)."""
    if isinstance(world, PlacedWorld):
        lower, upper = world.bounds()
        return lower[list(rows)], upper[list(rows)]
    batches = [world.batches[world.batch[row]].take(world.slot[row : row + 1]) for row in rows]
    return World(batches, None if world.margin is None else world.margin[list(rows)]).bounds()


def without_margins(world: World, margin: Floats) -> World:
    """The shapes of a world without the margins (N,) that its rows were made with."""
    grown = {Kind.SPHERE: "radius", Kind.CAPSULE: "radius", Kind.HALF_SPACE: "offset"}
    batches = []
    for number, batch in enumerate(world.batches):
        name, room = grown.get(batch.kind), margin[world.batch == number]
        batches.append(batch if name is None else batch.with_fields(**{name: getattr(batch, name) - room}))
    return World(batches)


def with_shapes(world: World, rows: Ints, shapes: Sequence[WorldShape]) -> World | None:
    """The world with other shapes of the same kinds in these rows, ascending, much faster than a new world.

    None if a hull or a mesh has another geometry than the previous shape.
    """
    others = world_of(shapes)
    batches = list(world.batches)
    for batch in others.batches:
        number = next(place for place, one in enumerate(batches) if one.kind == batch.kind)
        slots = world.slot[rows[world.kind[rows] == batch.kind]]
        old = batches[number]
        if isinstance(batch, Hulls | Meshes) and isinstance(old, Hulls | Meshes):
            made = zip(batch.index.tolist(), old.index[slots].tolist(), strict=True)
            if any(batch.geometry[new] is not old.geometry[was] for new, was in made):
                return None
        values = {name: getattr(old, name).copy() for name in PLACES[batch.kind]}
        for name, value in values.items():
            value[slots] = getattr(batch, name)
        batches[number] = old.with_fields(**values)
    margin = world.margin
    if margin is not None or others.margin is not None:
        margin = np.zeros(len(world)) if margin is None else margin.copy()
        margin[rows] = [getattr(shape, "margin", 0.0) for shape in shapes]
    return World(batches, margin)
