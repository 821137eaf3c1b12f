# SPDX-License-Identifier: GPL-3.0-or-later
"""Check which objects collide, and which float."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty

from ... import collisions, culling, fixes
from ...i18n.lookup import enumerated, label_, report_, sentences, tip_
from ...live import live_mode
from ...model.floating import FloatingRequest
from ...model.floating_search import FloatingSearch
from ...model.report import Report, Settings
from ...model.verdict_names import FAULTS
from ...scene import events
from ...scene.objects import selection
from ...scene.objects.selection import may_make_instances, some_selected
from ...scene.settings import check_settings, floating_request, scene_settings
from ...session import comparison, dependencies, floating_results, isolation
from ...session.collision_results import last_check
from ...viewport import floating as floating_overlay
from ...viewport import framing, stage
from ...viewport import pair as pair_overlay
from ..result_list import mended
from ..result_list import rows as results_rows
from ..texts.culling import camera_missing
from ..texts.planar import plane_missing
from ..verdicts import found
from .base import Operator
from .modal_steps import RunInSteps, Steps, undisturbed
from .results import select_objects_of

if TYPE_CHECKING:
    from ....core.numerics.types import Floats


class COLLISION_KIT_OT_check_collisions(RunInSteps):
    """Runs the collision check, and shows the worst pair."""

    bl_idname = "collision_kit.check_collisions"
    manual = "quickstart"
    bl_label = "Check Collisions"
    bl_description = (
        "Find objects that penetrate, contain or touch each other, or are within the clearance. "
        "Modifiers and instances are included"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Return what is missing for a check of the scope."""
        return scope_problem(context) or plane_missing(context)

    def begin(self, context: bpy.types.Context) -> Steps:
        """Check with the settings of the scene."""
        self._settings = check_settings(context)
        return undisturbed(
            context, collisions.check.based_steps(context, self._settings, evidence=False), isolation.overlooked
        )

    def share(self, progress: "collisions.check.Progress") -> float:
        """Return the finished fraction of the time."""
        return progress.share

    def status(self, progress: "collisions.check.Progress") -> str:
        """Return the number of tested pairs, and the results so far."""
        if not progress.total:
            return label_("Reading the scene")
        return label_(
            "Testing pairs: {done} of {total}, {count} collisions found",
            done=progress.done,
            total=progress.total,
            count=progress.collisions,
        )

    def finish(self, context: bpy.types.Context, found: "collisions.basis.Checked") -> set[str]:
        """Store the report, list its pairs, and draw the previously chosen pair, or the worst."""
        keep(context, found, self._settings)
        self._summarize(found.report)
        return {"FINISHED"}

    def _summarize(self, report: Report) -> None:
        tested = report_("{count} bodies tested", count=len(report.tested_bodies))
        if len(report.bodies) < 2:
            self.report({"WARNING"}, report_("Nothing to test: fewer than two bodies have a collision shape"))
        elif not report.pairs:
            self.report({"INFO"}, sentences((report_("No collisions"), tested)))
        else:
            marks = results_rows.marks()
            texts = found(marks.open_counts(report))
            listed = [report_(text.counted, count=count) for text, count in texts]
            if marks.accepted:
                listed.append(report_("{count} accepted", count=len(marks.accepted)))
            if marks.ignored:
                listed.append(report_("{count} ignored", count=len(marks.ignored)))
            folded = sum(map(len, marks.folds(report).values()))
            if folded:
                listed.append(report_("{count} folded", count=folded))
            fault = any(text.alert for text, _ in texts)
            self.report({"WARNING" if fault else "INFO"}, sentences((enumerated(listed), tested)))


def keep(context: bpy.types.Context, checked: "collisions.basis.Checked", settings: Settings) -> None:
    """Make a report that of the session, and draw the previously chosen pair, the first new fault, or the worst."""
    stage.clear()
    chosen, framed = last_check.keys_of(last_check.chosen), last_check.framed
    comparison.begin(last_check)
    last_check.store(checked.report, checked.world, settings, events.place(context))
    live_mode.keep(checked)
    dependencies.remember(context)
    last_check.chosen = results_rows.row_after_check(context, chosen, framed=framed)
    same = last_check.keys_of(last_check.chosen) == chosen
    last_check.framed = framed and same
    pair_overlay.show(context, last_check.chosen)
    pair = last_check.pair(last_check.chosen)
    if pair is not None and pair.verdict in FAULTS and not same:
        framing.frame(context, pair)


def check_again(context: bpy.types.Context, moved: "Mapping[str, Floats]") -> None:
    """Test the pairs of objects again that a fix has moved, by name.

    If the chosen pair was a fault and is resolved now, the next fault of the list is chosen.
    """
    live_mode.catch_up(context, mended.fixed(context, moved))


@live_mode.on_current.subscribe
def _go_on() -> None:
    """Choose and frame the next fault if the chosen one was resolved. Select it if the resolved one was selected.

    Frame a pair whose fix was undone, because the view shows what was chosen after the fix.
    """
    context = bpy.context
    mended_pair, row, is_again = mended.go_on(context)
    pair = last_check.pair(row)
    if pair is None:
        return
    last_check.chosen, last_check.framed = row, not mended_pair and last_check.framed
    if mended_pair or not pair_overlay.has_stepped_back():
        pair_overlay.show(context, row)
    if mended_pair and {ob.session_uid for ob in context.selected_objects} == {key.selected_uid for key in mended_pair}:
        select_objects_of(context, pair)
        last_check.framed = framing.frame(context, last_check.pair(row) or pair)
    elif mended_pair or (is_again and not pair_overlay.has_stepped_back()):
        framing.frame(context, last_check.pair(row) or pair)


def scope_problem(context: bpy.types.Context) -> str:
    """Return what is missing for a check of the scope, as a tooltip. Empty if nothing is."""
    if scene_settings(context).scope == "CAMERA":
        return camera_missing(context)
    missing = _missing(context)
    return tip_(missing) if missing else ""


def _missing(context: bpy.types.Context) -> str:
    settings = scene_settings(context)
    selected = some_selected(context)
    if settings.scope == "SELECTED" and not selected:
        return "Select the objects to check"
    if settings.scope == "SELECTED" and len(selected) < 2 and not may_make_instances(selected[0]):
        return "Select at least two objects"
    if settings.scope == "ACTIVE" and context.active_object is None:
        return "No active object to test against the selected objects"
    if settings.scope == "ACTIVE" and all(ob == context.active_object for ob in selected):
        return "Select at least one object besides the active one"
    if settings.scope == "COLLECTION" and settings.collection_a is None:
        return "Choose the collection to check"
    if settings.scope == "COLLECTIONS" and not (settings.collection_a and settings.collection_b):
        return "Choose both collections"
    if settings.scope == "COLLECTIONS" and settings.collection_a == settings.collection_b:
        return "Choose two different collections"
    return ""


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

    def finish(self, context: bpy.types.Context, search: FloatingSearch) -> set[str]:
        """Store the results, draw them, frame the first, and report their number."""
        show_floating(context, self._request, search, 0)
        if search.found:
            self.report({"WARNING"}, report_("{count} floating objects", count=len(search.found)))
        else:
            self.report({"INFO"}, report_("Nothing floats"))
        return {"FINISHED"}


def show_floating(context: bpy.types.Context, request: FloatingRequest, search: FloatingSearch, row: int) -> None:
    """Make a search for floating objects that of the session, draw it, and choose and frame a row, or the last one."""
    floating_results.keep(context, request, search, row)
    if search.found:
        pair_overlay.step_back(context)
        floating_overlay.draw(context)
        floating_overlay.frame(context, min(row, len(search.found) - 1))


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
        if kept is not None and self.row >= 0:
            kept.chosen = self.row
        floating_overlay.draw(context)
        if self.row < 0 or not floating_overlay.frame(context, self.row):
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


CLASSES = (
    COLLISION_KIT_OT_check_collisions,
    COLLISION_KIT_OT_find_floating,
    COLLISION_KIT_OT_select_floating,
    COLLISION_KIT_OT_clear_floating,
)
