# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the faces of a mesh that cross other objects."""

import bpy
import numpy as np
from bpy.props import BoolProperty

from ....core.mesh.triangle_mesh import TriangleMesh
from ...fixes.crossing_faces import CrossingFaces, crossing_faces
from ...i18n import CONTEXT
from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...scene.meshes.edit_mesh import read_editable
from ...scene.objects.choice import setting_of
from ...scene.objects.origins import origin_of
from ...scene.reading.bodies import body_uids
from ...scene.reading.crossing_faces import select_faces, surfaces_of
from ...scene.scope import scope_objects
from ...scene.settings import check_settings


class COLLISION_KIT_OT_select_crossing_faces(bpy.types.Operator):
    """Shows where a mesh collides, face by face."""

    bl_idname = "collision_kit.select_crossing_faces"
    bl_label = "Select Crossing Faces"
    bl_description = (
        "Select the faces of the active mesh that cross the other selected objects or, if none are, everything in the "
        "scope of the check that can be seen. The mesh that you edit is tested without its modifiers, the others with "
        "theirs. Surfaces that only touch do not cross"
    )
    bl_options = {"REGISTER", "UNDO"}

    inside: BoolProperty(
        name="Inside Too",
        description="Select faces that lie wholly inside another closed mesh, too",
        default=False,
    )
    touching: BoolProperty(
        name="Touching Too",
        description="Select faces that touch surfaces which do not penetrate the mesh, too",
        default=False,
    )
    extend: BoolProperty(
        name="Extend", translation_context=CONTEXT, description="Keep what is selected already", default=False
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A mesh must be active, in a mode in which its faces can be selected."""
        missing = _missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Find the faces, select them in edit mode, and say how many there are."""
        ob = context.view_layer.objects.active
        try:
            mesh = read_editable(ob)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        try:
            uids = _others(context, ob)
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        if mesh is None or not len(mesh.triangles):
            self.report({"WARNING"}, report_("“{name}” has no faces", name=ob.name))
            return {"CANCELLED"}
        placed = TriangleMesh(mesh.points.astype(np.float64) + origin_of(ob), mesh.triangles)
        found = crossing_faces(placed, mesh.polygons, surfaces_of(context, uids), check_settings(context).touching)
        wanted = np.concatenate(
            [found.crossing, found.touching if self.touching else (), found.inside if self.inside else ()]
        ).astype(np.int64)
        if not len(wanted) and context.mode == "OBJECT":
            self._summarize(ob.name, found)
            return {"CANCELLED"}
        _edit(context, ob)
        bpy.ops.mesh.select_mode(type="FACE")
        select_faces(ob, wanted, extend=self.extend)
        self._summarize(ob.name, found)
        return {"FINISHED"}

    def _summarize(self, name: str, found: CrossingFaces) -> None:
        if len(found.crossing):
            text = report_("Faces of “{name}” that cross other surfaces: {count}", count=len(found.crossing), name=name)
        else:
            text = report_("No face of “{name}” crosses another surface", name=name)
        if len(found.touching):
            text = f"{text}. {report_('faces that only touch: {count}', count=len(found.touching))}"
        if len(found.inside):
            text = f"{text}. {report_('faces inside other objects: {count}', count=len(found.inside))}"
        self.report({"WARNING" if len(found.crossing) or len(found.inside) else "INFO"}, text)


def _missing(context: bpy.types.Context) -> str:
    ob = context.view_layer.objects.active
    if context.mode not in {"OBJECT", "EDIT_MESH"}:
        return tip_("Go to object mode or mesh edit mode first")
    if ob is None or ob.type != "MESH":
        return tip_("Make a mesh object the active one")
    if not ob.data.is_editable:
        return tip_("The active mesh is linked from another file: it cannot be edited")
    return ""


def _others(context: bpy.types.Context, ob: bpy.types.Object) -> set[int]:
    """The `session_uid` of what a mesh is held against: never itself, and of the scope nothing of its own body."""
    selected = {other.session_uid for other in context.view_layer.objects.selected} - {ob.session_uid}
    if selected:
        return selected
    settings = check_settings(context)
    scope = "VISIBLE" if settings.scope in {"SELECTED", "ACTIVE"} else settings.scope
    selection = scope_objects(context, scope, settings.collection_a, settings.collection_b)
    found = {other.session_uid for other in (*selection.set_a, *(selection.set_b or ())) if setting_of(other) != "NONE"}
    return found - body_uids(context, ob)


def _edit(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Enter edit mode with this object alone, whatever else is selected."""
    if context.mode != "OBJECT":
        return
    others = [other for other in context.view_layer.objects.selected if other != ob]
    for other in others:
        other.select_set(False)
    bpy.ops.object.mode_set(mode="EDIT")
    for other in others:
        other.select_set(True)
