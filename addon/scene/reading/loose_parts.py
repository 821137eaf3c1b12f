# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose parts of meshes as separate bodies, for models with many objects in one mesh.

Loose parts are defined by `core.fit.closed_parts`: closed parts are separate, even if they share vertices, and seams of
texture or shading do not separate parts.
"""

from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ....core.fit import closed_parts
from ...model.message import Message
from ...model.report import Body, ObjectKey
from ...model.shapes import WorldShape
from ..meshes.geometry import Geometry, make_hulls
from ..objects.choice import MESH
from ..objects.collision_settings import filter_of
from ..objects.transforms import take_apart
from .batches import kind_of, world_of
from .incremental import Reading
from .placing import ShapeMaker
from .scene_shapes import SceneShapes

_LOOSE_PART = Message("loose part")


class _Row(NamedTuple):
    """A shape: its previous row, and the number of the part from 1. 0: the whole shape."""

    row: int
    part: int
    shape: WorldShape


def separated(read: Reading) -> Generator[None, None, SceneShapes]:
    """Make each loose part of the meshes of a reading a body, in steps.

    Objects that are not tested as their meshes, and meshes with one part, are not changed.

    Parameters
    ----------
    read : Reading

    Returns
    -------
    SceneShapes
        Bodies without their own shape are left out.
    """
    parts = yield from _parts(read)
    rows = [_Row(row, 0, shape) for row, shape in enumerate(read.placed) if row not in parts]
    facts = {item.key: item.facts for item in read.items}
    matrices = np.array([np.frombuffer(read.entries[read.keys[row]].matrix).reshape(4, 4) for row in parts])
    maker = ShapeMaker(take_apart(matrices.reshape(-1, 4, 4)))
    for place, (row, geometries) in enumerate(parts.items()):
        yield
        key = read.keys[row]
        for number, geometry in enumerate(geometries, start=1):
            result = maker.make(read.entries[key].choice, facts[key], geometry, place)
            if result.shape is not None:
                rows.append(_Row(row, number, result.shape))
    rows.sort(key=lambda one: kind_of(one.shape))
    return _shapes(read, rows) if parts else read.shapes


def _parts(read: Reading) -> Generator[None, None, dict[int, list[Geometry]]]:
    """The parts of meshes with several parts, by row, in the space of their objects."""
    known: dict[Geometry, list[Geometry]] = {}
    found: dict[int, list[Geometry]] = {}
    for row, key in enumerate(read.keys):
        entry = read.entries[key]
        if entry.choice.source != MESH or entry.geometry is None or not len(entry.geometry.triangles):
            continue
        if entry.geometry not in known:
            yield
            made = closed_parts(entry.geometry.points, entry.geometry.triangles)
            known[entry.geometry] = [Geometry(part.points, part.triangles) for part in made]
        if len(known[entry.geometry]) > 1:
            found[row] = known[entry.geometry]
    make_hulls(geometry for geometries in found.values() for geometry in geometries)
    return found


def _shapes(read: Reading, rows: list[_Row]) -> SceneShapes:
    """The shapes of a reading in which some rows were separated. `rows` are sorted by kind."""
    shapes = read.shapes
    whole: dict[int, Body] = {}
    bodies: dict[ObjectKey, Body] = {}
    split = {read.keys[one.row] for one in rows if one.part}
    keys = []
    for one in rows:
        number = int(shapes.body[one.row])
        if one.part:
            body = _part(shapes.bodies[number], read.keys[one.row], one.part, shapes.shapes[one.row].object)
        else:
            body = whole.setdefault(number, _without(shapes.bodies[number], split))
        bodies[body.key] = body
        keys.append(body.key)
    ordered = sorted(bodies.values(), key=lambda body: (body.whole or body.name, body.part, body.name))
    number_of = {body.key: number for number, body in enumerate(ordered)}
    world, body_of = world_of([one.shape for one in rows]), [number_of[key] for key in keys]
    told = []
    for one, number in zip(rows, body_of, strict=True):
        shape = replace(shapes.shapes[one.row], body=number)
        if one.part:
            shape = replace(shape, kind=kind_of(one.shape).name.lower(), reason=_LOOSE_PART)
        told.append(shape)
    groups = {item.key: item.facts.traits.groups for item in read.items}
    return replace(
        shapes,
        world=world,
        shapes=tuple(told),
        bodies=tuple(ordered),
        body=np.array(body_of, dtype=np.int64),
        filter=filter_of([groups[read.keys[one.row]] for one in rows]),
    )


def _part(body: Body, key: ObjectKey, number: int, name: str) -> Body:
    whole = body.name if key == body.key else f"{body.name}/{name}"
    # Negative numbers are in no other key.
    own = ObjectKey(key.session_uid, key.instancer_uid, (*key.persistent_id, -1 - number))
    return replace(body, name=f"{whole}: part {number}", key=own, members=(), part=number, whole=whole)


def _without(body: Body, split: set[ObjectKey]) -> Body:
    """A body without the separated members."""
    return replace(body, members=tuple(key for key in body.members if key not in split))
