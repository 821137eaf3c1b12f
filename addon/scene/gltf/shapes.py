# SPDX-License-Identifier: GPL-3.0-or-later
"""The collision shapes of objects, for a file in which an exporter has placed them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ...engines.unreal_names import collider_prefix
from ...model.message import Message
from ..meshes.geometry import Geometry, GeometryReader, geometry_of
from ..meshes.types import GEOMETRY_TYPES
from ..objects.choice import (
    MESH,
    NAME,
    PHOBOS,
    RIGID_BODY,
    SETTING,
    ShapeChoice,
    is_trigger,
    made_as_collider,
    shape_of,
)
from ..objects.facts import facts_of
from ..objects.owners import Owners
from ..objects.structure import link_part
from ..objects.transforms import take_apart
from ..reading.known_issues import OPEN_MESH, inward_parts
from ..reading.placing import ShapeMaker, ShapeResult

# What is said of meshes only because of how they are tested.
_OF_CHECKS = frozenset({OPEN_MESH.id, inward_parts(1).id})


@dataclass(frozen=True, eq=False)
class Exported:
    """A collider or a trigger, placed as it is exported.

    Attributes
    ----------
    object : bpy.types.Object
    matrix : (4, 4) float64
    result : ShapeResult
        Its shape in world coordinates.
    trigger : bool
    own : bool
        Whether the object exists only for this purpose and is not rendered.
    """

    object: bpy.types.Object
    matrix: Floats
    result: ShapeResult
    trigger: bool
    own: bool

    @property
    def changes(self) -> list[Message]:
        """Return how the file differs from the scene, without how checks test unchanged meshes."""
        return [issue.message for issue in self.result.issues if issue.id not in _OF_CHECKS]


def exported_shapes(context: bpy.types.Context, nodes: Sequence[Any]) -> list[Exported | None]:
    """Read the shapes of the nodes of an exporter's tree. With instances, an object may be in it several times.

    Parameters
    ----------
    context : bpy.types.Context
    nodes : sequence of nodes of the exporter's tree
        `blender_object` is an original object, `matrix_world` its placement in the export.

    Returns
    -------
    list of Exported or None
        None for objects that are neither colliders nor triggers: render meshes without their own shape, helpers, and
        rigid bodies whose colliders are among the nodes, because a check tests these instead.
    """
    stood_for = _rigid_bodies_with_colliders([node.blender_object for node in nodes])
    matrices = np.array([np.array(node.matrix_world, dtype=np.float64) for node in nodes]).reshape(-1, 4, 4)
    maker, reader = ShapeMaker(take_apart(matrices), margins=False), _Reader(context)
    found: list[Exported | None] = []
    for row, node in enumerate(nodes):
        ob = node.blender_object
        choice = shape_of(ob)
        made = ob.type in GEOMETRY_TYPES and (made_as_collider(ob) or link_part(ob) == "collision")
        own_shape = choice.source in {SETTING, RIGID_BODY, PHOBOS, NAME} and ob.session_uid not in stood_for
        if choice.shape in {"NONE", "COMPOUND"} or not (own_shape or made):
            found.append(None)
            continue
        named = ob.type in GEOMETRY_TYPES and bool(collider_prefix(ob.name))
        if choice.source == MESH:
            choice = ShapeChoice("HULL", SETTING)
        result = maker.make(choice, facts_of(ob), reader.read(ob), row)
        trigger = is_trigger(ob)
        found.append(Exported(ob, matrices[row], result, trigger, made or named or trigger or ob.hide_render))
    return found


def _rigid_bodies_with_colliders(objects: Sequence[bpy.types.Object]) -> set[int]:
    """Return the rigid bodies that colliders are tested instead of, by `session_uid`."""
    every = {ob.session_uid: ob for ob in objects}
    if not any(ob.rigid_body for ob in every.values()):
        return set()
    owners = Owners(every.values())
    solid = [ob for ob in every.values() if not is_trigger(ob) and shape_of(ob).shape != "NONE"]
    meshes = [mesh for ob in solid for mesh in owners.meshes_of(ob)]
    return {ob.session_uid for ob in meshes if shape_of(ob).source == RIGID_BODY}


class _Reader:
    """Reads objects as the view layer shows them. Those outside it are read without modifiers."""

    def __init__(self, context: bpy.types.Context) -> None:
        self._depsgraph = context.evaluated_depsgraph_get()
        self._known = {ob.original.session_uid for ob in self._depsgraph.objects}
        self._known |= {one.object.original.session_uid for one in self._depsgraph.object_instances}
        self._meshes = GeometryReader()

    def read(self, ob: bpy.types.Object) -> Geometry | None:
        """The geometry of an object. None if it has none."""
        if ob.type not in GEOMETRY_TYPES:
            return None
        if ob.session_uid in self._known:
            return self._meshes.read(ob.evaluated_get(self._depsgraph))
        return geometry_of(ob.data) if isinstance(ob.data, bpy.types.Mesh) else None
