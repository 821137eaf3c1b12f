# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the faces of an object's own mesh that intersect other objects of the scene."""

from collections.abc import Iterable

import bpy
import numpy as np

from ...core.mesh.triangle_mesh import TriangleMesh
from ..model.report import Settings
from ..scene.meshes.edit_mesh import read_editable
from ..scene.objects.choice import setting_of
from ..scene.objects.transforms import origin_of
from ..scene.reading.body_tree import body_uids
from ..scene.reading.crossing_faces import surfaces_of
from ..scene.scope import scope_objects
from .crossing_faces import IntersectingFaces, crossing_faces


def crossing_faces_of(
    context: bpy.types.Context,
    ob: bpy.types.Object,
    others: Iterable[bpy.types.Object] | None,
    settings: Settings,
) -> IntersectingFaces | None:
    """Find the faces of a mesh object, without modifiers, that other surfaces intersect. None if it has no faces.

    Parameters
    ----------
    context : bpy.types.Context
    ob : bpy.types.Object
    others : iterable of bpy.types.Object, optional
        Objects to test against, without `ob` itself. None: the scope of the settings without the object's own body.
    settings : Settings
        Scope and touching tolerance.

    Raises
    ------
    UserError
        If a coordinate is not finite, or as for `scope_objects`.
    """
    mesh = read_editable(ob)
    if others is not None:
        uids = {other.session_uid for other in others} - {ob.session_uid}
    else:
        uids = _in_scope(context, settings) - body_uids(context, ob)
    if mesh is None or not len(mesh.triangles):
        return None
    placed = TriangleMesh(mesh.points.astype(np.float64) + origin_of(ob), mesh.triangles)
    return crossing_faces(placed, mesh.polygons, surfaces_of(context, uids), settings.touching)


def _in_scope(context: bpy.types.Context, settings: Settings) -> set[int]:
    """Return the `session_uid` of the objects in the scope. For a selection scope, of all visible objects."""
    scope = "VISIBLE" if settings.scope in {"SELECTED", "ACTIVE"} else settings.scope
    selection = scope_objects(context, scope, settings.collection_a, settings.collection_b)
    found = (*selection.set_a, *(selection.set_b or ()))
    return {other.session_uid for other in found if setting_of(other) != "NONE"}
