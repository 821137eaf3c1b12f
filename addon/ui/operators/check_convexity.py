# SPDX-License-Identifier: GPL-3.0-or-later
"""Check whether meshes are convex, and select the edges at which they are not."""

import bpy
from bpy.props import EnumProperty

from .... import core
from ... import scene, validation
from ...i18n import CONTEXT
from ...i18n.lookup import enumerated, error_text, report_, sentences, tip_
from ...model.errors import UserError
from ...scene import meshes
from ...scene.objects.some_selected import is_mesh_editable, may_be_selected
from ...session import convexity_results
from ...system.late import np

KINDS = (
    ("REFLEX", "Concave Edges", "Edges where the surface folds inward, and all edges of faces that are bent inward"),
    ("OPEN", "Boundary Edges", "Edges of only one face, around holes"),
    ("CROWDED", "Non-Manifold Edges", "Edges of more than two faces, where interior walls begin"),
)


class COLLISION_KIT_OT_check_convexity(bpy.types.Operator):
    """Answers whether a mesh can be a collider as it is and, if not, where to mend it."""

    bl_idname = "collision_kit.check_convexity"
    bl_label = "Check Convexity"
    bl_description = (
        "Test whether the selected meshes are convex, without modifiers, and select the edges that "
        "make them concave in Edit Mode"
    )
    bl_options = {"REGISTER", "UNDO"}

    kinds: EnumProperty(
        name="Select",
        description="Which of the edges that make a mesh non-convex are selected",
        translation_context=CONTEXT,
        items=KINDS,
        options={"ENUM_FLAG"},
        default={"REFLEX", "OPEN", "CROWDED"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be meshes, in a mode in which edges can be selected."""
        if context.mode not in {"OBJECT", "EDIT_MESH"}:
            cls.poll_message_set(tip_("Not in Object Mode or mesh Edit Mode"))
            return False
        if context.mode == "OBJECT" and not may_be_selected(context, lambda ob: ob.type == "MESH"):
            cls.poll_message_set(tip_("Select a mesh object"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Check, remember, select, and say what was found."""
        found: dict[bpy.types.Object, core.Convexity] = {}
        if not _meshes(context):
            self.report({"WARNING"}, report_("Select a mesh object"))
        for ob in _meshes(context):
            try:
                found[ob] = validation.convexity.convexity_of(ob)
            except UserError as error:
                self.report({"WARNING"}, error_text(error))
        if not found:
            return {"CANCELLED"}
        selected = self._select(context, found)
        # Whatever the selecting set off is evaluated now, so that only later changes make the results stale.
        context.view_layer.update()
        for ob, convexity in found.items():
            convexity_results.keep(ob, convexity)
        self._summarize(context, found, selected)
        return {"FINISHED"}

    def _select(self, context: bpy.types.Context, found: "dict[bpy.types.Object, core.Convexity]") -> int:
        """Select the edges that are wanted, in edit mode; return how many."""
        faulty = [ob for ob, convexity in found.items() if len(self._pairs(convexity)) and is_mesh_editable(ob)]
        if context.mode == "OBJECT":
            if not faulty:
                return 0
            active = context.view_layer.objects.active
            scene.objects.selection.edit(context, active if active in faulty else faulty[0])
        bpy.ops.mesh.select_mode(type="EDGE")
        bpy.ops.mesh.select_all(action="DESELECT")
        count = 0
        for ob in scene.objects.selection.one_for_each_mesh(ob for ob in faulty if ob.mode == "EDIT"):
            bent = found[ob].reflex_polygon if "REFLEX" in self.kinds else np.empty(0, np.int64)
            count += meshes.edit_mesh.select_edges(ob, self._pairs(found[ob]), set(bent[bent >= 0].tolist()))
        return count

    def _pairs(self, convexity: "core.Convexity") -> "np.ndarray":
        """The edges of the kinds that are wanted."""
        edges = {
            "REFLEX": convexity.reflex_edges,
            "OPEN": convexity.boundary_edges if not convexity.convex else convexity.boundary_edges[:0],
            "CROWDED": convexity.non_manifold_edges,
        }
        return np.concatenate([edges[kind] for kind in edges if kind in self.kinds] or [np.empty((0, 2), np.int64)])

    def _summarize(
        self, context: bpy.types.Context, found: "dict[bpy.types.Object, core.Convexity]", selected: int
    ) -> None:
        not_convex = [ob for ob, convexity in found.items() if not convexity.convex]
        worst = max(not_convex, key=lambda ob: found[ob].reflex_height.max(initial=0.0), default=None)
        if len(found) == 1:
            (ob,) = found
            texts = [report_('"{name}" is not convex' if not_convex else '"{name}" is convex', name=ob.name)]
        elif not_convex:
            texts = [report_("{count} of {total} meshes are not convex", count=len(not_convex), total=len(found))]
        else:
            texts = [report_("All {total} meshes are convex", total=len(found))]
        if worst is not None:
            units = context.scene.unit_settings
            flaws = enumerated(convexity_results.flaw_text(flaw, found[worst], units) for flaw in found[worst].flaws)
            texts.append(report_('"{name}": {text}', name=worst.name, text=flaws))
        if selected:
            texts.append(report_("{count} edges selected", count=selected))
        if any(map(meshes.edit_mesh.is_modified, found)):
            texts.append(report_("Modifiers were ignored"))
        self.report({"WARNING" if not_convex else "INFO"}, sentences(texts))


def _meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The mesh objects that are being edited, or that are selected."""
    objects = context.objects_in_mode if context.mode == "EDIT_MESH" else context.selected_objects
    return [ob for ob in objects if ob.type == "MESH"]
