# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the faces of a mesh that cross other objects."""

import bpy
from bpy.props import BoolProperty

from ... import fixes, scene
from ...i18n import CONTEXT
from ...i18n.lookup import error_text, report_, sentences, tip_
from ...model.errors import UserError
from ...scene import reading
from ...scene.objects.some_selected import is_mesh_editable
from ...scene.settings import check_settings
from ...system.late import np


class COLLISION_KIT_OT_select_crossing_faces(bpy.types.Operator):
    """Shows where a mesh collides, face by face."""

    bl_idname = "collision_kit.select_crossing_faces"
    bl_label = "Select Intersecting Faces"
    bl_description = (
        "Select faces of the active mesh that intersect the other selected objects or, if none are "
        "selected, the scope of the check"
    )
    bl_options = {"REGISTER", "UNDO"}

    inside: BoolProperty(
        name="Include Inside",
        description="Also select faces that are fully inside another closed mesh",
        default=False,
    )
    touching: BoolProperty(
        name="Include Touching",
        description="Also select faces that only touch other surfaces",
        default=False,
    )
    extend: BoolProperty(
        name="Extend", translation_context=CONTEXT, description="Extend the existing selection", default=False
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
        assert ob is not None  # As `poll` says.
        others = [other for other in context.view_layer.objects.selected if other != ob]
        try:
            found = fixes.mesh_crossings.crossing_faces_of(context, ob, others or None, check_settings(context))
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        if found is None:
            self.report({"WARNING"}, report_('"{name}" has no faces', name=ob.name))
            return {"CANCELLED"}
        wanted = np.concatenate(
            [found.crossing, found.touching if self.touching else (), found.inside if self.inside else ()]
        ).astype(np.int64)
        if not len(wanted) and context.mode == "OBJECT":
            self._summarize(ob.name, found)
            return {"CANCELLED"}
        if context.mode == "OBJECT":
            scene.objects.selection.edit_alone(context, ob)
        bpy.ops.mesh.select_mode(type="FACE")
        reading.crossing_faces.select_faces(ob, wanted, extend=self.extend)
        self._summarize(ob.name, found)
        return {"FINISHED"}

    def _summarize(self, name: str, found: "fixes.crossing_faces.CrossingFaces") -> None:
        crossing = len(found.crossing)
        if crossing:
            texts = [report_('{count} faces of "{name}" intersect other surfaces', count=crossing, name=name)]
        else:
            texts = [report_('No face of "{name}" intersects another surface', name=name)]
        if len(found.touching):
            texts.append(report_("{count} faces only touch", count=len(found.touching)))
        if len(found.inside):
            texts.append(report_("{count} faces are inside other objects", count=len(found.inside)))
        self.report({"WARNING" if crossing or len(found.inside) else "INFO"}, sentences(texts))


def _missing(context: bpy.types.Context) -> str:
    ob = context.view_layer.objects.active
    if context.mode not in {"OBJECT", "EDIT_MESH"}:
        return tip_("Not in Object Mode or mesh Edit Mode")
    if ob is None or ob.type != "MESH":
        return tip_("The active object is not a mesh")
    if not is_mesh_editable(ob):
        return tip_("The active mesh is linked: it cannot be edited")
    if not ob.visible_get():
        return tip_("The active object is hidden")
    return ""
