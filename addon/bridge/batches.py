# SPDX-License-Identifier: GPL-3.0-or-later
"""Single world shapes put together into the core's batches."""

from collections.abc import Sequence

import numpy as np

from ...core.results import Ints
from ...core.shapes import Boxes, Capsules, HalfSpaces, Hulls, Kind, Shapes, Spheres
from ...core.world import World
from .fitting import Box, Capsule, Sphere
from .placing import HalfSpace, Hull, WorldShape

_KINDS: dict[type, Kind] = {
    Sphere: Kind.SPHERE,
    Capsule: Kind.CAPSULE,
    Box: Kind.BOX,
    Hull: Kind.HULL,
    HalfSpace: Kind.HALF_SPACE,
}

# What makes up a row of each batch; a hull's geometry apart.
_PLACES: dict[Kind, tuple[str, ...]] = {
    Kind.SPHERE: ("center", "radius"),
    Kind.CAPSULE: ("start", "end", "radius"),
    Kind.BOX: ("center", "half_extents", "rotation"),
    Kind.HULL: ("translation", "rotation"),
    Kind.HALF_SPACE: ("normal", "offset"),
}


def kind_of(shape: WorldShape) -> Kind:
    """Return which of the core's kinds a shape is of; rows of a world are in the order of their kinds."""
    return _KINDS[type(shape)]


def world_of(shapes: Sequence[WorldShape]) -> World:
    """Make a world of shapes that are sorted by kind; its rows are in their order."""
    batches: list[Shapes] = []
    if spheres := [s for s in shapes if isinstance(s, Sphere)]:
        batches.append(Spheres(np.array([s.center for s in spheres]), np.array([s.radius for s in spheres])))
    if capsules := [s for s in shapes if isinstance(s, Capsule)]:
        start, end = np.array([[s.start, s.end] for s in capsules]).transpose(1, 0, 2)
        batches.append(Capsules(start, end, np.array([s.radius for s in capsules])))
    if boxes := [s for s in shapes if isinstance(s, Box)]:
        center, half = np.array([[s.center, s.half] for s in boxes]).transpose(1, 0, 2)
        batches.append(Boxes(center, half, np.array([s.axes for s in boxes])))
    if hulls := [s for s in shapes if isinstance(s, Hull)]:
        batches.append(_hulls(hulls))
    if half_spaces := [s for s in shapes if isinstance(s, HalfSpace)]:
        normal = np.array([s.normal for s in half_spaces])
        batches.append(HalfSpaces(normal, np.array([s.offset for s in half_spaces])))
    return World(batches)


def _hulls(hulls: Sequence[Hull]) -> Hulls:
    """One batch in which hulls of the same geometry share it."""
    slot: dict[int, int] = {}
    for hull in hulls:
        slot.setdefault(id(hull.geometry), len(slot))
    distinct = {id(hull.geometry): hull.geometry for hull in hulls}
    return Hulls(
        geometry=list(distinct.values()),
        index=np.array([slot[id(hull.geometry)] for hull in hulls]),
        translation=np.array([hull.translation for hull in hulls]),
        rotation=np.array([hull.rotation for hull in hulls]),
    )


def with_shapes(world: World, rows: Ints, shapes: Sequence[WorldShape]) -> World | None:
    """Return the world with other shapes of the same kinds in these rows, ascending, much faster than a new one.

    None where a hull is of another geometry than the one that was there.
    """
    others = world_of(shapes)
    batches = list(world.batches)
    for batch in others.batches:
        number = next(place for place, one in enumerate(batches) if one.kind == batch.kind)
        slots = world.slot[rows[world.kind[rows] == batch.kind]]
        old = batches[number]
        if isinstance(batch, Hulls) and isinstance(old, Hulls):
            made = zip(batch.index.tolist(), old.index[slots].tolist(), strict=True)
            if any(batch.geometry[new] is not old.geometry[was] for new, was in made):
                return None
        values = {name: getattr(old, name).copy() for name in _PLACES[batch.kind]}
        for name, value in values.items():
            value[slots] = getattr(batch, name)
        batches[number] = old.with_fields(**values)
    return World(batches)
