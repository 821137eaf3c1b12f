# SPDX-License-Identifier: GPL-3.0-or-later
"""Make colliders around what is selected."""

from collections.abc import Callable, Iterable

import bpy

from ... import colliders, scene
from ...i18n.lookup import error_text, label_, report_, tip_
from ...model.errors import UserError
from ...model.steps import exhausted
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
        flat = colliders.fit.flat_thickness(context.scene)
        request = colliders.fit.Request(self.kind, self.engine, self.budget, self.thickness, self.gap, flat)
        self._chooser = colliders.choosing.Chooser(request, whole=context.mode != "EDIT_MESH")
        return colliders.settling.preparing(context, sources, self._chooser)

    def is_short(self) -> bool:
        """Whether there is little to fit."""
        return self._short

    def share(self, progress: "colliders.fit_copies.Progress") -> float:
        """How many of the shapes are done."""
        return progress.done / progress.total if progress.total else 0.0

    def status(self, progress: "colliders.fit_copies.Progress") -> str:
        """Say which of the shapes is being fitted."""
        if not progress.total:
            return label_("Reading the scene")
        return label_("Fitting collider {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "colliders.settling.Prepared") -> set[str]:
        """Make the objects, and say how well they fit and what they have changed."""
        return make_prepared(self, context, self._chooser, found, self._problems)


def make_prepared(
    operator: RunInSteps,
    context: bpy.types.Context,
    chooser: "colliders.choosing.Chooser",
    found: "colliders.settling.Prepared",
    problems: list[str],
    more: Callable[["list[colliders.choosing.Chosen]"], Iterable[str]] = lambda _chosen: (),
) -> set[str]:
    """Make the objects of an operator, select them, and say how well they fit and what they have changed.

    Parameters
    ----------
    operator, context, chooser, found
        Whatever was prepared, and by what.
    problems : list of str
        Why there are none of some objects.
    more : callable
        Returns what else is to be said of the colliders, as warnings.
    """
    problems += [error_text(problem) for problem in found.problems]
    try:
        settled = exhausted(colliders.settling.settling(context, found.chosen, chooser, found.before))
    except UserError as error:
        return operator._refuse(context, error)
    made = settled.made
    if not made.objects:
        operator.report({"ERROR"}, colliders.making.wrongs(problems) or report_("The source objects no longer exist"))
        return {"CANCELLED"}
    scene.colliders.objects.select_only(context, made.objects)
    pair_overlay.step_back(context)
    warnings = [*colliders.settling.texts(context, settled, "warning"), *problems, *more(settled.chosen)]
    texts = [colliders.settling.summary(context, settled), *colliders.settling.texts(context, settled, "info")]
    operator.report({"WARNING" if warnings else "INFO"}, colliders.making.wrongs([*texts, *warnings]))
    return {"FINISHED"}
