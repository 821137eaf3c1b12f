# SPDX-License-Identifier: GPL-3.0-or-later
"""Floating objects: find them, select them, and clear the results."""

import bpy
from bpy.props import IntProperty

from ... import culling, fixes
from ...i18n.lookup import label_, report_, tip_
from ...model.floating import Floating
from ...scene.objects import selection
from ...scene.settings import floating_request
from ...session import floating_results
from ...viewport import pair as pair_overlay
from .base import Operator
from .check import scope_problem
from .modal_steps import RunInSteps, Steps, undisturbed


class COLLISION_KIT_OT_find_floating(RunInSteps):
    """Lists the objects of the scope that nothing supports."""

    bl_idname = "collision_kit.find_floating"
    manual = "fixes"
    bl_label = "Find Floating"
    bl_description = (
        "Find objects that nothing holds, neither from below nor from the side or from above, and how far they can drop"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Return what is missing for the scope of the check. A single object is enough."""
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        return scope_problem(context)

    def begin(self, context: bpy.types.Context) -> Steps:
        """Search with the settings of the scene."""
        self._request = floating_request(context)
        return undisturbed(context, fixes.floating.floating_steps(context, self._request))

    def share(self, progress: "culling.check.Progress") -> float:
        """Return the finished fraction of the current step."""
        return progress.done / max(progress.total, 1)

    def status(self, progress: "culling.check.Progress") -> str:
        """Return the progress."""
        return label_("Finding floating objects: {done} of {total}", done=progress.done, total=progress.total)

    def finish(self, context: bpy.types.Context, found: tuple[Floating, ...]) -> set[str]:
        """Store the results, and report their number."""
        floating_results.keep(context, self._request, found)
        if found:
            self.report({"WARNING"}, report_("{count} floating objects", count=len(found)))
        else:
            self.report({"INFO"}, report_("Nothing floats"))
        return {"FINISHED"}


def floating_missing(context: bpy.types.Context) -> str:
    """Return why there are no floating objects to work with, as a tooltip. Empty if there are."""
    found = floating_results.found_here(context)
    if found is None or not found.found:
        return tip_("No floating objects: run Find Floating first")
    return ""


class COLLISION_KIT_OT_select_floating(Operator):
    """The operator for clicks on a row of the list of floating objects."""

    bl_idname = "collision_kit.select_floating"
    manual = "fixes"
    bl_label = "Select Floating"
    bl_description = "Select and frame floating objects, with those that are held only by them"
    bl_options = {"REGISTER", "UNDO_GROUPED"}

    row: IntProperty(
        name="Floating Object",
        description="Index of the floating object, from zero; -1 for all",
        default=-1,
        min=-1,
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires floating objects."""
        return floating_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select and frame the objects that still exist."""
        kept = floating_results.found_here(context)
        found = kept.found if kept is not None else ()
        rows = found if self.row < 0 else found[self.row : self.row + 1]
        if not rows:
            return self.refuse(report_("There is no floating object {row}", row=self.row), "WARNING")
        if not selection.select_uids(context, sorted(set[int]().union(*(one.uids for one in rows)))):
            return self.refuse(
                report_('Cannot select "{name}": it was deleted or is hidden', name=rows[0].object), "WARNING"
            )
        pair_overlay.step_back(context)
        selection.frame_selected(context)
        return {"FINISHED"}


class COLLISION_KIT_OT_clear_floating(Operator):
    """Clears the list of floating objects."""

    bl_idname = "collision_kit.clear_floating"
    manual = "fixes"
    bl_label = "Clear Floating Objects"
    bl_description = "Clear the list of floating objects"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, _context: bpy.types.Context) -> str:
        """Requires results."""
        return tip_("No floating objects: run Find Floating first") if floating_results.latest.result is None else ""

    def run(self, _context: bpy.types.Context) -> set[str]:
        """Clear the results."""
        floating_results.latest.forget()
        return {"FINISHED"}


CLASSES = (COLLISION_KIT_OT_find_floating, COLLISION_KIT_OT_select_floating, COLLISION_KIT_OT_clear_floating)
