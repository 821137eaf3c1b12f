# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry operators: separating axes, convexity, configuration space obstacles, convex pieces of outlines."""

import bpy
from bpy.props import EnumProperty

from .... import core
from ... import colliders, scene, validation
from ...i18n import CONTEXT
from ...i18n.lookup import enumerated, error_text, report_, sentences, tip_
from ...i18n.units import spoken_text
from ...model.errors import UserError
from ...scene import meshes
from ...scene.objects.selection import is_mesh_editable, may_be_selected
from ...scene.settings import results_list, scene_settings
from ...session import convexity_results
from ...session.collision_results import last_check
from ...system.late import np
from ...viewport import axis_explorer, convex_pieces, obstacle, stage
from ...viewport import pair as pair_overlay
from ..texts.planar import pieces_missing
from .base import Operator, linked_scene

STEPS = (
    ("NEXT", "Next", "Axis with the next smaller gap. After the last axis, start again at the first"),
    ("PREVIOUS", "Previous", "Axis with the next larger gap"),
    ("DECIDING", "Separating", "Separating axis: the axis with the largest gap or the least overlap"),
)


class COLLISION_KIT_OT_step_axis(Operator):
    """Steps through the candidate separating axes of the pair."""

    bl_idname = "collision_kit.step_axis"
    manual = "evidence"
    bl_label = "Step Separating Axis"
    bl_description = (
        "Show another candidate axis of the separating axis test. Two convex shapes collide only if "
        "they overlap along all axes"
    )
    bl_options = {"REGISTER"}

    step: EnumProperty(
        name="Step",
        description="Which axis to show",
        translation_context=CONTEXT,
        items=STEPS,
        default="NEXT",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a pair with axes in the viewport."""
        if pair_overlay.shown_row() < 0:
            return tip_("No active pair: click one in the list of results")
        if not results_list(context.window_manager).explanation.ruler:
            return tip_("Turn on Axis Ruler first")
        return "" if axis_explorer.explored() is not None else tip_("Non-convex meshes have no separating axis")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Choose the axis, and draw it."""
        here = axis_explorer.place()
        axis_explorer.look_at({"NEXT": here + 1, "PREVIOUS": here - 1, "DECIDING": 0}[self.step])
        pair_overlay.show(context, pair_overlay.shown_row())
        return {"FINISHED"}


KINDS = (
    ("REFLEX", "Concave Edges", "Edges where the surface folds inward, and all edges of faces that are bent inward"),
    ("OPEN", "Boundary Edges", "Edges of only one face, around holes"),
    ("CROWDED", "Non-Manifold Edges", "Edges of more than two faces, where interior walls begin"),
)


class COLLISION_KIT_OT_check_convexity(Operator):
    """Tests whether a mesh is convex, so that it can be used as a collider, and shows what prevents it."""

    bl_idname = "collision_kit.check_convexity"
    manual = "definitions"
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
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires meshes, in a mode in which edges can be selected."""
        if context.mode not in {"OBJECT", "EDIT_MESH"}:
            return tip_("Not in Object Mode or mesh Edit Mode")
        if context.mode == "OBJECT" and not may_be_selected(context, lambda ob: ob.type == "MESH"):
            return tip_("Select a mesh object")
        return ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Test the meshes, store the results, select the edges, and report."""
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
        # Evaluate the changes by the selection now, so that only later changes make the results stale.
        context.view_layer.update()
        for ob, convexity in found.items():
            convexity_results.keep(ob, convexity)
        self._summarize(context, found, selected)
        return {"FINISHED"}

    def _select(self, context: bpy.types.Context, found: "dict[bpy.types.Object, core.Convexity]") -> int:
        """Select the requested edges in Edit Mode. Return their number."""
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
        """Return the edges of the requested kinds."""
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
    """Return the mesh objects that are in Edit Mode, or that are selected."""
    objects = context.objects_in_mode if context.mode == "EDIT_MESH" else context.selected_objects
    return [ob for ob in objects if ob.type == "MESH"]


PLACEMENTS = (
    (
        "AT_A",
        "Around A",
        "Around the first object: the region that the other object's origin must stay out of",
    ),
    ("ORIGIN", "At World Origin", "Around the world origin, as A − B is defined"),
)


class COLLISION_KIT_OT_show_obstacle(Operator):
    """Shows two bodies as an obstacle and a point, which is how collision algorithms treat them."""

    bl_idname = "collision_kit.show_obstacle"
    manual = "definitions"
    bl_label = "Show Configuration Space Obstacle"
    bl_description = (
        "Draw the Minkowski difference A − B of two objects. They collide if the origin is inside; "
        "the arrow is the shortest separating translation"
    )
    bl_options = {"REGISTER"}

    placement: EnumProperty(
        name="Placement",
        description="Where the obstacle is drawn",
        translation_context=CONTEXT,
        items=PLACEMENTS,
        default="AT_A",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires two objects, or a chosen result."""
        missing = obstacle.missing(context)
        return tip_(missing) if missing else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Draw the obstacle, and report the position of the origin."""
        shown = obstacle.show(context, obstacle.find_subject(context), self.placement)
        length = spoken_text(abs(shown.distance), context.scene.unit_settings)
        if shown.distance < 0.0:
            text = report_("Collision: the origin is {length} deep inside the obstacle", length=length)
        else:
            text = report_("No collision: the origin is {length} away from the obstacle", length=length)
        self.report({"INFO"}, text)
        return {"FINISHED"}


class COLLISION_KIT_OT_hide_obstacle(Operator):
    """Removes the overlay of the obstacle."""

    bl_idname = "collision_kit.hide_obstacle"
    manual = "definitions"
    bl_label = "Hide Configuration Space Obstacle"
    bl_description = "Remove the obstacle from the viewport and draw the active pair again"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a drawn obstacle."""
        return tip_("No obstacle is drawn") if obstacle.shown() is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Draw the chosen pair, or nothing."""
        stage.clear()
        pair_overlay.show(context, last_check.chosen)
        return {"FINISHED"}


class COLLISION_KIT_OT_show_convex_pieces(Operator):
    """Shows the convex pieces of a concave outline, as used by engines and by the check."""

    bl_idname = "collision_kit.show_convex_pieces"
    manual = "planar"
    bl_label = "Show Convex Pieces of Outline"
    bl_description = (
        "Draw the active object's outline in the selected plane, split into few convex pieces without new vertices"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an active object, and a plane in which it can be seen."""
        return tip_("No active object") if context.active_object is None else pieces_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Draw the pieces, and report their number."""
        ob = context.active_object
        assert ob is not None  # ensured by `poll`
        shown = convex_pieces.show(context, ob)
        self.report({"INFO"}, report_('"{name}": {count} convex pieces', name=shown.name, count=shown.pieces))
        return {"FINISHED"}


class COLLISION_KIT_OT_hide_convex_pieces(Operator):
    """Removes the overlay of the pieces."""

    bl_idname = "collision_kit.hide_convex_pieces"
    manual = "planar"
    bl_label = "Hide Convex Pieces of Outline"
    bl_description = "Remove the convex pieces from the viewport and draw the active pair again"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires drawn pieces."""
        return tip_("No convex pieces are drawn") if convex_pieces.shown() is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Draw the chosen pair, or nothing."""
        convex_pieces.hide_and_show_pair(context)
        return {"FINISHED"}


class COLLISION_KIT_OT_make_convex_pieces(Operator):
    """Makes convex outlines for engines that require them."""

    bl_idname = "collision_kit.make_convex_pieces"
    manual = "planar"
    bl_label = "Make Convex Pieces of Outline"
    bl_description = (
        "Split the active object's outline into flat convex mesh objects, for engines that require convex polygons"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an active object in Object Mode, and a plane in which it can be seen."""
        if context.active_object is None:
            return tip_("No active object")
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        return linked_scene(context) or pieces_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Make the pieces, select them, and report their number."""
        ob = context.active_object
        assert ob is not None  # ensured by `poll`
        found = colliders.outline_pieces.find_pieces(context, ob, scene_settings(context).planar.plane)
        made = scene.colliders.convex_pieces.make_pieces(
            context, ob, [found.plane.up(piece, found.height) for piece in found.pieces]
        )
        scene.colliders.objects.select_only(context, made)
        pair_overlay.step_back(context)
        self.report({"INFO"}, report_('"{name}" split into {count} convex pieces', name=ob.name, count=len(made)))
        return {"FINISHED"}


CLASSES = (
    COLLISION_KIT_OT_step_axis,
    COLLISION_KIT_OT_check_convexity,
    COLLISION_KIT_OT_show_obstacle,
    COLLISION_KIT_OT_hide_obstacle,
    COLLISION_KIT_OT_show_convex_pieces,
    COLLISION_KIT_OT_hide_convex_pieces,
    COLLISION_KIT_OT_make_convex_pieces,
)
