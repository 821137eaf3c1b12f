# SPDX-License-Identifier: GPL-3.0-or-later
"""Make colliders of another kind of colliders."""

import bpy

from ... import colliders
from ...i18n.lookup import error_text, label_, report_, tip_
from ...scene.objects.owners import is_collider
from ...scene.objects.some_selected import may_be_selected
from ...scene.settings import collider_engine
from ...viewport import pair as pair_overlay
from ..properties.colliders import budget_setting, gap_setting, kind_setting, thickness_setting
from .collider_settings import draw_settings, take_from_scene
from .modal_steps import RunInSteps, Steps


def colliders_missing(context: bpy.types.Context) -> str:
    """Say why there is no collider to change, as a tooltip; empty if there is one."""
    if context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    return (
        ""
        if may_be_selected(context, lambda ob: ob.type == "MESH" and is_collider(ob))
        else tip_("Select colliders that belong to a render mesh")
    )


class COLLISION_KIT_OT_convert_collider(RunInSteps):
    """Fits another shape to what a collider holds; the object stays, and what refers to it."""

    bl_idname = "collision_kit.convert_collider"
    bl_label = "Convert Collider"
    bl_description = "Change the type of the selected colliders and refit them to their source"
    bl_options = {"REGISTER", "UNDO"}

    kind: kind_setting()
    budget: budget_setting()
    thickness: thickness_setting()
    gap: gap_setting()

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a selected collider."""
        text = colliders_missing(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the settings that this kind has."""
        draw_settings(self, self.kind, "kind")

    def begin(self, context: bpy.types.Context) -> Steps:
        """Find out what the colliders hold, and fit the shapes."""
        take_from_scene(self, context, "budget", "thickness", "gap")
        pairs = colliders.converting.with_owners(context, context.selected_objects)
        self._uids = [ob.session_uid for ob, _ in pairs]
        flat = colliders.fit.flat_thickness(context.scene)
        request = colliders.fit.Request(
            self.kind, collider_engine(context), self.budget, self.thickness, self.gap, flat
        )
        return colliders.converting.convert_steps(context, pairs, request)

    def is_short(self) -> bool:
        """Whether there is little to fit."""
        return len(self._uids) <= 1

    def share(self, progress: "colliders.fit_copies.Progress") -> float:
        """How many of the shapes are done."""
        return progress.done / progress.total

    def status(self, progress: "colliders.fit_copies.Progress") -> str:
        """Say which of the shapes is being fitted."""
        return label_("Fitting collider {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "list[colliders.fit.Fitted]") -> set[str]:
        """Change the objects, and say how well they fit."""
        changed = colliders.making.remake_all(context, self._uids, found, collider_engine(context))
        for problem in changed.problems:
            self.report({"WARNING"}, error_text(problem))
        if not self._uids:
            self.report({"WARNING"}, report_("Select colliders that belong to a render mesh"))
            return {"CANCELLED"}
        if not changed.objects:
            if not changed.problems:
                self.report({"ERROR"}, report_("The source objects no longer exist"))
            return {"CANCELLED"}
        pair_overlay.step_back(context)
        self.report({"INFO"}, colliders.making.summary(context, changed.objects, changed.fitted))
        return {"FINISHED"}
