# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and rigid bodies of the scene, for file formats that Blender's exporters write without them."""

from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import bpy
import numpy as np

from ...core.numerics.types import Floats, Ints
from .gltf.shapes import Exported, exported_shapes
from .meshes.geometry import NO_GEOMETRY, GeometryReader
from .meshes.types import GEOMETRY_TYPES
from .objects.moving import ancestors, motion_of


class Placed(NamedTuple):
    """An object that collides, or that physics moves.

    Attributes
    ----------
    object : bpy.types.Object
    exported : Exported or None
        Its shape. None if it has none of its own.
    motion : mapping or None
        Mass and ``isKinematic``. None if physics does not move it.
    carrier : bpy.types.Object or None
        The nearest ancestor that physics moves.
    """

    object: bpy.types.Object
    exported: Exported | None
    motion: dict[str, Any] | None
    carrier: bpy.types.Object | None


def placed_bodies(context: bpy.types.Context, wanted: Sequence[bpy.types.Object] | None) -> list[Placed]:
    """Read everything in the scene, or among some objects, that collides or that physics moves."""
    context.view_layer.update()
    objects = list(context.scene.objects if wanted is None else wanted)
    nodes = [SimpleNamespace(blender_object=ob, matrix_world=ob.matrix_world) for ob in objects]
    found = []
    for ob, exported in zip(objects, exported_shapes(context, nodes), strict=True):
        motion = motion_of(ob)
        if exported is not None or motion is not None:
            carrier = next((one for one in ancestors(ob) if motion_of(one) is not None), None)
            found.append(Placed(ob, exported, motion, carrier))
    return found


def separated_pairs(objects: Iterable[bpy.types.Object]) -> Iterator[tuple[bpy.types.Object, bpy.types.Object]]:
    """The pairs of objects whose collisions rigid body constraints disable."""
    for ob in objects:
        joint = ob.rigid_body_constraint
        if joint is not None and joint.disable_collisions and joint.object1 is not None and joint.object2 is not None:
            yield joint.object1, joint.object2


def mass_of(ob: bpy.types.Object) -> float | None:
    """The mass of a rigid body. None for other objects."""
    body: Any = ob.rigid_body
    return None if body is None else float(body.mass)


def world_mesh(context: bpy.types.Context, ob: bpy.types.Object) -> tuple[Floats, Ints]:
    """The world space points and the triangles of an object, including modifiers."""
    depsgraph = context.evaluated_depsgraph_get()
    if ob.type not in GEOMETRY_TYPES:
        return NO_GEOMETRY.points, NO_GEOMETRY.triangles
    matrix = np.array(ob.matrix_world, dtype=np.float64)
    geometry = GeometryReader().read(ob.evaluated_get(depsgraph))
    triangles = geometry.triangles if np.linalg.det(matrix[:3, :3]) > 0.0 else geometry.triangles[:, ::-1]
    return geometry.points @ matrix[:3, :3].T + matrix[:3, 3], triangles
