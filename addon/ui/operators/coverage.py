# SPDX-License-Identifier: GPL-3.0-or-later
"""Coverage: compare colliders with render meshes, show the worst places, and select objects without colliders."""

from functools import partial

import bpy
from bpy.props import EnumProperty, IntProperty

from ... import debug_draw, validation
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, sentences, tip_
from ...model.coverage_report import CoverageReport
from ...scene import events
from ...scene.objects import selection, starts
from ...scene.settings import coverage_request, scene_settings
from ...session import coverage_results, dependencies
from ...viewport import coverage_map
from .base import Operator, missing_here
from .modal_steps import RunInSteps, Steps, undisturbed
from .results import clear_latest

# A place is framed with this many times the distance around it, but at least this fraction of the object's size.
AROUND, LEAST_SHARE = 6.0, 0.1


class COLLISION_KIT_OT_compare_with_render_mesh(RunInSteps):
    """Measures the distances between colliders and render meshes, and colors the surfaces by them."""

    bl_idname = "collision_kit.compare_with_render_mesh"
    manual = "coverage"
    bl_label = "Compare with Render Mesh"
    bl_description = (
        "Find how far colliders protrude from render meshes, how far render meshes are outside of all "
        "colliders, and what has no collider"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an object in the scope."""
        scope = scene_settings(context).coverage.scope
        if scope == "SELECTED" and not selection.some_selected(context):
            return tip_("Select the objects to check")
        if scope == "ACTIVE" and context.view_layer.objects.active is None:
            return tip_("No active object")
        request = coverage_request(context)
        if request.walk is not None and not starts.begins_somewhere(context.scene, request.walk.starts):
            return tip_("No start: add an empty or an object from which the character begins")
        return "" if context.scene.objects else tip_("The scene has no objects")

    def begin(self, context: bpy.types.Context) -> Steps:
        """Compare with the settings of the scene."""
        self._request = coverage_request(context)
        return undisturbed(context, validation.coverage.steps(context, self._request, maps=True))

    def share(self, progress: "validation.coverage.Progress") -> float:
        """Return the finished fraction of the objects."""
        return progress.done / max(progress.total, 1)

    def status(self, progress: "validation.coverage.Progress") -> str:
        """Return the number of compared objects."""
        if not progress.total:
            return label_("Walking the level")
        return label_("Comparing: {done} of {total} objects", done=progress.done, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "validation.coverage.Compared") -> set[str]:
        """Store the report, list its objects, and draw the heat map."""
        of = debug_draw.heat_map.HeatMap.of
        outside, inside = (tuple(of(one.outside) for one in found.maps), tuple(of(one.inside) for one in found.maps))
        coverage_results.keep(found.report, outside, inside, self._request, events.place(context))
        dependencies.remember_coverage(context)
        coverage_map.draw(context)
        self._summarize(found.report)
        return {"FINISHED"}

    def _summarize(self, report: CoverageReport) -> None:
        if not (report.objects or report.without_collider or report.out_of_reach):
            self.report({"WARNING"}, report_("Nothing to compare: no object has both a render mesh and colliders"))
            return
        failing, without = len(report.failing), len(report.without_collider)
        said = [report_("{count} objects compared", count=len(report.objects))]
        said.append(report_("{count} out of tolerance", count=failing) if failing else report_("No issues"))
        if without:
            said.append(report_("{count} without collider", count=without))
        if report.out_of_reach:
            said.append(report_("{count} out of reach", count=len(report.out_of_reach)))
        self.report({"WARNING" if failing else "INFO"}, sentences(said))


def results_missing(context: bpy.types.Context) -> str:
    """Return why there is nothing to work with, as a tooltip. Empty if there is."""
    found = coverage_results.latest.result
    none = tip_("No results: run Compare with Render Mesh first")
    return missing_here(context, None if found is None else found.place, none)


class COLLISION_KIT_OT_show_worst_place(Operator):
    """The operator for clicks on a row of the list."""

    bl_idname = "collision_kit.show_worst_place"
    manual = "coverage"
    bl_label = "Show Worst Place"
    bl_description = "Select this object and frame the place where its colliders and its render mesh are farthest apart"
    bl_options = {"REGISTER", "UNDO_GROUPED"}

    row: IntProperty(
        name="Object",
        description="Index of the object, from zero, the worst first; -1 for the active row of the list",
        default=-1,
        min=-1,
    )
    side: EnumProperty(
        name="Place",
        translation_context=CONTEXT,
        description="Which of the two places is framed",
        items=(
            ("WORST", "Worst", "The one with the greater distance"),
            ("OUTSIDE", "Outside", "Where the colliders protrude most"),
            ("INSIDE", "Inside", "Where the render mesh is farthest outside of all colliders"),
        ),
        default="WORST",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires compared objects of this scene."""
        found = coverage_results.latest.result
        if found is not None and not found.report.objects:
            return tip_("No object was compared")
        return results_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select the object, and frame the place, as far as both still exist."""
        dependencies.review(context)
        found = coverage_results.latest.result
        row = found.chosen if found is not None and self.row < 0 else self.row
        one = found.object(row) if found is not None else None
        if found is None or one is None:
            return self.refuse(report_("There is no object {row}", row=row), "WARNING")
        found.chosen = row
        coverage_map.draw(context)
        if not selection.select_uids(context, [one.uid]):
            return self.refuse(report_('Cannot select "{name}": it was deleted or is hidden', name=one.name), "WARNING")
        side = self.side if self.side != "WORST" else "OUTSIDE" if one.outside >= one.inside else "INSIDE"
        point, distance = (one.outside_point, one.outside) if side == "OUTSIDE" else (one.inside_point, one.inside)
        seen = found.inside[row]
        if point is None or found.change is not None:
            # Without a distance there, or the place is no longer known.
            selection.frame_selected(context)
        else:
            radius = max(AROUND * distance, LEAST_SHARE * found.size(row))
            selection.frame_ball(context, point, radius, partial(debug_draw.heat_map.outside_of, seen, point))
        return {"FINISHED"}


class COLLISION_KIT_OT_select_objects_without_collider(Operator):
    """Selects visible objects without colliders."""

    bl_idname = "collision_kit.select_objects_without_collider"
    manual = "coverage"
    bl_label = "Select Objects Without Collider"
    bl_description = "Select the visible objects for which the last comparison found no collider"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires such objects."""
        found = coverage_results.latest.result
        if found is not None and not found.report.without_uids:
            return tip_("Every object has a collider")
        return results_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select and frame the objects that still exist."""
        found = coverage_results.latest.result
        count = selection.select_uids(context, found.report.without_uids) if found is not None else 0
        if not count:
            return self.refuse(report_("Nothing selected: all objects are deleted or hidden"), "WARNING")
        selection.frame_selected(context)
        self.report({"INFO"}, report_("{count} objects selected", count=count))
        return {"FINISHED"}


class COLLISION_KIT_OT_clear_comparison(Operator):
    """Clears the list and removes the heat map."""

    bl_idname = "collision_kit.clear_comparison"
    manual = "coverage"
    bl_label = "Clear Comparison"
    bl_description = "Clear the comparison with render meshes and its heat map in the viewport"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, _context: bpy.types.Context) -> str:
        """Requires results."""
        found = coverage_results.latest.result
        return tip_("No results: run Compare with Render Mesh first") if found is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Clear the results."""
        return clear_latest(context, coverage_results.latest, drawn=coverage_map.is_drawn())


CLASSES = (
    COLLISION_KIT_OT_compare_with_render_mesh,
    COLLISION_KIT_OT_show_worst_place,
    COLLISION_KIT_OT_select_objects_without_collider,
    COLLISION_KIT_OT_clear_comparison,
)
