# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the sources of colliders: the points and triangles of selected objects, in world space."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, cast

import bpy
import numpy as np

from ....core import fit
from ....core.numerics.types import Floats, Ints
from ...model.errors import UserError
from ...model.tolerances import FLOAT32_MAX
from ..meshes.arrays import (
    own_mesh,
    positions,
    selected_faces,
    strongest_groups,
    triangle_faces,
    triangle_vertices,
)
from ..meshes.geometry import Geometry, GeometryReader
from ..meshes.types import GEOMETRY_TYPES
from ..objects.moving import ancestors, motion_of
from ..objects.owners import is_collider
from ..objects.structure import bone_above, deforming_armature, space_of
from .objects import Faces


class Holder(NamedTuple):
    """The bone that a collider follows.

    Attributes
    ----------
    armature_uid : int
    bone : str
    matrix : (4, 4) float64
        The current space of its children; see `space_of`.
    """

    armature_uid: int
    bone: str
    matrix: Floats


@dataclass(frozen=True, eq=False)
class Source:
    """The geometry that a collider has to contain.

    Attributes
    ----------
    owner_uid, owner : int, str
        The object that the collider will belong to.
    matrix : (4, 4) float64
        The world matrix of that object.
    points : (n, 3) float64
        In world space, at least one.
    triangles : (m, 3) int64
        Rows of `points`. May be empty.
    alone : bool
        Whether all of the geometry belongs to the owner.
    holder : Holder, optional
        The bone that the collider will follow; None: it will follow its owner.
    motion : str
        What moves the geometry. STATIC: nothing, or keys, so that a triangle mesh can be used; BODY: physics; ARMATURE:
        bones, which deform it.
    """

    owner_uid: int
    owner: str
    matrix: Floats
    points: Floats
    triangles: Ints
    alone: bool = True
    holder: Holder | None = None
    motion: str = "STATIC"

    @property
    def space(self) -> Floats:
        """The space in which the collider will be placed, (4, 4) float64."""
        return self.matrix if self.holder is None else self.holder.matrix


def candidates(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The objects that colliders can be made from. In Edit Mode, those with selected faces."""
    if context.mode == "EDIT_MESH":
        return [ob for ob in context.objects_in_mode if cast(bpy.types.Mesh, ob.data).total_face_sel]
    return [ob for ob in context.selected_objects if ob.type in GEOMETRY_TYPES and not is_collider(ob)]


def read_sources(
    context: bpy.types.Context,
    objects: Sequence[bpy.types.Object],
    gather: str,
    *,
    owner: bpy.types.Object | None = None,
    selected_faces: bool = False,
) -> tuple[list[Source], list[UserError]]:
    """Read the sources of colliders.

    Parameters
    ----------
    context : bpy.types.Context
    objects : sequence of bpy.types.Object
    gather : str
        OBJECTS, AROUND, PARTS or GROUPS; see `engines.kinds.SOURCES`.
    owner : bpy.types.Object, optional
        The owner of the collider AROUND all objects, if it is one of them. Default: the first object.
    selected_faces : bool
        Whether to read only the selected faces of each mesh, without modifiers. Otherwise entire objects are read, with
        modifiers.

    Returns
    -------
    list of Source
    list of UserError
        The reasons why objects were skipped.
    """
    found: list[Source] = []
    problems: list[UserError] = []
    read = source_reader(context)
    for ob in objects:
        try:
            found.append(source_of(ob, _selected_faces(ob)) if selected_faces else read(ob))
        except UserError as problem:
            problems.append(problem)
    if gather == "AROUND" and found:
        return [_together(found, owner.session_uid if owner is not None else 0)], problems
    if gather == "GROUPS":
        return _by_groups(context, found, problems, selected_faces), problems
    if gather == "PARTS":
        found = [part for source in found for part in parts_of(source)]
    return found, problems


def source_of(ob: bpy.types.Object, geometry: Geometry) -> Source:
    """A source with all of an object's geometry.

    Raises
    ------
    UserError
        If the object has no vertices, or a coordinate that is not finite.
    """
    matrix = world_matrix(ob)
    if not len(geometry.points):
        raise UserError('"{name}" has no vertices', name=ob.name)
    if not (geometry.is_finite and (np.abs(matrix) < FLOAT32_MAX).all()):
        raise UserError('"{name}" has a vertex coordinate that is infinite or not a number', name=ob.name)
    points = geometry.points @ matrix[:3, :3].T + matrix[:3, 3]
    return Source(ob.session_uid, ob.name, matrix, points, geometry.triangles, motion=_motion(ob))


def _motion(ob: bpy.types.Object) -> str:
    """The kind of motion of the geometry of an object; see `Source.motion`."""
    if deforming_armature(ob) is not None:
        return "ARMATURE"
    simulated = (motion_of(one) for one in (ob, *ancestors(ob)))
    return "STATIC" if all(one is None or "isKinematic" in one for one in simulated) else "BODY"


def source_reader(context: bpy.types.Context) -> Callable[[bpy.types.Object], Source]:
    """Return a reader of sources with all of the geometry of an object, modifiers included; see `source_of`."""
    reader, graph = GeometryReader(), context.evaluated_depsgraph_get()
    return cache(lambda ob: source_of(ob, reader.read(ob.evaluated_get(graph))))


def world_polygons(context: bpy.types.Context, ob: bpy.types.Object) -> tuple[Floats, Faces]:
    """World vertices of an object, modifiers included, and its faces, wound outward as placed in the world."""
    evaluated = ob.evaluated_get(context.evaluated_depsgraph_get())
    matrix = world_matrix(ob)
    try:
        mesh = evaluated.to_mesh()
        local = positions(mesh).astype(np.float64)
        faces = [list(polygon.vertices) for polygon in mesh.polygons]
    finally:
        evaluated.to_mesh_clear()
    if np.linalg.det(matrix[:3, :3]) < 0.0:
        faces = [face[::-1] for face in faces]
    return local @ matrix[:3, :3].T + matrix[:3, 3], faces


def world_matrix(ob: bpy.types.Object) -> Floats:
    """The world matrix of an object, (4, 4) float64."""
    return np.array(ob.matrix_world, dtype=np.float64)


def parts_of(source: Source) -> list[Source]:
    """The closed parts of a source and the rest. The source itself if it has no faces."""
    return [part for part, _ in indexed_parts_of(source)]


def indexed_parts_of(source: Source) -> list[tuple[Source, Ints]]:
    """The parts as from `parts_of`, and the rows of their points in the source."""
    if not len(source.triangles):
        return [(source, np.arange(len(source.points)))]
    # In world space, closed parts face outward. In a mirrored space, they face inward.
    mirrored = np.linalg.det(source.matrix[:3, :3]) < 0.0
    return [
        (
            replace(
                source,
                points=part.points,
                triangles=part.triangles[:, ::-1] if part.closed and mirrored else part.triangles,
            ),
            part.point_index,
        )
        for part in fit.closed_parts(source.points, source.triangles)
    ]


def _by_groups(
    context: bpy.types.Context, sources: Sequence[Source], problems: list[UserError], selected_faces: bool
) -> list[Source]:
    """A source for each vertex group: the vertices with their largest weight in it, and the triangles between them."""
    if selected_faces:
        problems.append(UserError("Vertex groups are those of whole objects: leave Edit Mode"))
        return []
    graph, found = context.evaluated_depsgraph_get(), []
    objects = {ob.session_uid: ob for ob in context.scene.objects}
    for source in sources:
        owner = objects[source.owner_uid]
        strongest = strongest_groups(owner.evaluated_get(graph))
        if not (strongest >= 0).any():
            problems.append(UserError('"{name}" has no vertex groups with vertices', name=source.owner))
        for group in np.unique(strongest[strongest >= 0]):
            chosen = strongest == group
            place = np.cumsum(chosen) - 1
            triangles = source.triangles[chosen[source.triangles].all(axis=1)]
            part = replace(source, points=source.points[chosen], triangles=place[triangles], alone=False)
            found.append(replace(part, holder=_bone_of(owner, owner.vertex_groups[int(group)].name)))
    return found


def holder_of(ob: bpy.types.Object) -> Holder | None:
    """The bone that a collider follows."""
    bone = bone_above(ob)
    return _holder(ob.parent, bone) if bone and ob.parent is not None else None


def _bone_of(owner: bpy.types.Object, group: str) -> Holder | None:
    """The bone that moves the vertices of a vertex group."""
    armature = deforming_armature(owner)
    bone = armature.pose.bones.get(group) if armature is not None and armature.pose is not None else None
    return _holder(armature, group) if armature is not None and bone is not None and bone.bone.use_deform else None


def _holder(armature: bpy.types.Object, bone: str) -> Holder:
    return Holder(armature.session_uid, bone, space_of(armature, bone))


def _together(sources: Sequence[Source], uid: int) -> Source:
    """All sources combined, with the given object as owner if it is among them."""
    owner = next((source for source in sources if source.owner_uid == uid), sources[0])
    first = np.cumsum([0, *(len(source.points) for source in sources[:-1])])
    return replace(
        owner,
        points=np.concatenate([source.points for source in sources]),
        triangles=np.concatenate([source.triangles + at for source, at in zip(sources, first, strict=True)]),
        alone=len(sources) == 1,
        motion=next((source.motion for source in sources if source.motion != "STATIC"), "STATIC"),
    )


def _selected_faces(ob: bpy.types.Object) -> Geometry:
    """The selected faces of a mesh in Edit Mode, in its edited state without modifiers."""
    mesh = own_mesh(ob)
    chosen = selected_faces(mesh)[triangle_faces(mesh)]
    used, triangles = np.unique(triangle_vertices(mesh)[chosen], return_inverse=True)
    return Geometry(positions(mesh)[used].astype(np.float64), triangles.reshape(-1, 3).astype(np.int64))
