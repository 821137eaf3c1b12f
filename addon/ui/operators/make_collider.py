# SPDX-License-Identifier: GPL-3.0-or-later
"""Make colliders around what is selected."""

import bpy

from ... import colliders, scene
from ...i18n.lookup import error_text, label_, report_, tip_
from ...model.errors import UserError
from ...scene.meshes.types import GEOMETRY_TYPES
from ...scene.objects.owners import is_collider
from ...scene.objects.some_selected import may_be_selected
from ...viewport import pair as pair_overlay
from ..properties.colliders import (
    budget_setting,
    engine_setting,
    gap_setting,
    kind_setting,
    source_setting,
    thickness_setting,
)
from .collider_settings import draw_settings, take_from_scene
from .modal_steps import RunInSteps, Steps

# Fitting this few points is over before one could press Esc.
FEW_SOURCES, FEW_POINTS = 4, 2000


def sources_missing(context: bpy.types.Context) -> str:
    """Say why no collider can be made, as a tooltip; empty if one can."""
    if context.scene.library is not None:
        return tip_("The scene is linked")
    if context.mode not in {"OBJECT", "EDIT_MESH"}:
        return tip_("Not in Object Mode or mesh Edit Mode")
    if context.mode == "EDIT_MESH":
        return "" if scene.colliders.sources.candidates(context) else tip_("Select the faces to enclose")
    if may_be_selected(context, lambda ob: ob.type in GEOMETRY_TYPES and not is_collider(ob)):
        return ""
    return tip_("Select objects that have a surface and are not colliders")


class COLLISION_KIT_OT_make_collider(RunInSteps):
    """Fits shapes to what is selected and makes objects of them that the engine knows for colliders."""

    bl_idname = "collision_kit.make_collider"
    bl_label = "Make Collider"
    bl_description = (
        "Create colliders that enclose the selected objects with modifiers applied or, in Edit Mode, the selected faces"
    )
    bl_options = {"REGISTER", "UNDO"}

    kind: kind_setting()
    source: source_setting()
    budget: budget_setting()
    thickness: thickness_setting()
    gap: gap_setting()
    engine: engine_setting()

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Say what is missing."""
        text = sources_missing(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the settings that this kind has."""
        draw_settings(self, self.kind, "kind", "source", "engine")

    def begin(self, context: bpy.types.Context) -> Steps:
        """Read what is selected, and fit the shapes."""
        take_from_scene(self, context, "source", "budget", "thickness", "gap", "engine")
        sources, problems = scene.colliders.sources.read_sources(
            context,
            scene.colliders.sources.candidates(context),
            self.source,
            owner=context.active_object,
            selected_faces=context.mode == "EDIT_MESH",
        )
        self._problems = [error_text(problem) for problem in problems]
        self._short = len(sources) <= FEW_SOURCES and sum(len(source.points) for source in sources) <= FEW_POINTS
        return colliders.fit_copies.fit_steps(
            sources, colliders.fit.Request(self.kind, self.engine, self.budget, self.thickness, self.gap)
        )

    def is_short(self) -> bool:
        """Whether there is little to fit."""
        return self._short

    def share(self, progress: "colliders.fit_copies.Progress") -> float:
        """How many of the shapes are done."""
        return progress.done / progress.total

    def status(self, progress: "colliders.fit_copies.Progress") -> str:
        """Say which of the shapes is being fitted."""
        return label_("Fitting collider {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "list[colliders.fit.Fitted]") -> set[str]:
        """Make the objects, and say how well they fit."""
        try:
            made = colliders.making.make(context, found, self.engine)
        except UserError as error:
            return self._refuse(context, error)
        if not made.objects:
            self.report(
                {"ERROR"}, colliders.making.wrongs(self._problems) or report_("The source objects no longer exist")
            )
            return {"CANCELLED"}
        scene.colliders.objects.select_only(context, made.objects)
        pair_overlay.step_back(context)
        text = colliders.making.summary(context, made.objects, made.fitted)
        if self._problems:
            text = colliders.making.wrongs([text, *self._problems])
        flat = any(one.quality.volume == 0.0 and not self.thickness for one in found)
        self.report({"WARNING" if self._problems or flat else "INFO"}, text)
        return {"FINISHED"}
