# SPDX-License-Identifier: GPL-3.0-or-later
"""Make several convex colliders around a concave mesh."""

import bpy

from ... import colliders, scene, viewport
from ...colliders import decomposition as colliders_pieces
from ...i18n.lookup import error_text, label_, report_
from ...model.errors import UserError
from ...viewport import pair as pair_overlay
from ..properties.colliders import budget_setting, engine_setting, pieces_setting, preset_setting
from .collider_settings import take_from_scene
from .make_collider import sources_missing
from .modal_steps import RunInSteps, Steps


class COLLISION_KIT_OT_make_collider_pieces(RunInSteps):
    """Follows the hollows of a mesh with several hulls, for engines whose moving bodies must be convex."""

    bl_idname = "collision_kit.make_collider_pieces"
    bl_label = "Make Colliders of Convex Pieces"
    bl_description = (
        "Create several convex hulls that approximate concave meshes, by convex decomposition with CoACD. "
        "Shows them before they are created"
    )
    bl_options = {"REGISTER", "UNDO"}

    pieces: pieces_setting()
    preset: preset_setting()
    budget: budget_setting()
    engine: engine_setting()

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Say what is missing."""
        text = sources_missing(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def begin(self, context: bpy.types.Context) -> Steps:
        """Read what is selected, and cut it up."""
        take_from_scene(self, context, "pieces", "preset", "budget", "engine")
        chosen, editing = scene.colliders.sources.candidates(context), context.mode == "EDIT_MESH"
        sources, problems = scene.colliders.sources.read_sources(context, chosen, "OBJECTS", selected_faces=editing)
        self._problems = [error_text(problem) for problem in problems]
        request = colliders.fit.Request("PIECE", self.engine, self.budget)
        return colliders_pieces.steps(sources, request, self.pieces, self.preset)

    def share(self, progress: colliders_pieces.Progress) -> float:
        """How much of all is done."""
        return progress.share

    def status(self, progress: colliders_pieces.Progress) -> str:
        """Say which of the meshes is being cut up, and how far that is."""
        text = label_("Decomposing mesh {number} of {total}", number=progress.done + 1, total=progress.total)
        if not progress.round:
            return text
        percent = f"{progress.part * 100.0:.0f}"
        return label_("{text}: round {round}, {percent} %", text=text, round=progress.round, percent=percent)

    def show(self, context: bpy.types.Context, found: colliders_pieces.Pieces) -> str:
        """Draw the pieces, and say how well they stand for the meshes."""
        if not found.fitted:
            return ""
        viewport.collider_pieces.show(context, found.fitted)
        return colliders_pieces.summary(context, found.decomposed)

    def hide(self, context: bpy.types.Context) -> None:
        """Draw them no more."""
        viewport.collider_pieces.hide(context)

    def finish(self, context: bpy.types.Context, found: colliders_pieces.Pieces) -> set[str]:
        """Make the objects, and say how many there are and how well they stand for the meshes."""
        try:
            made = colliders.making.make(context, found.fitted, self.engine)
        except UserError as error:
            return self._refuse(context, error)
        if not made.objects:
            self.report(
                {"ERROR"}, colliders.making.wrongs(self._problems) or report_("The source objects no longer exist")
            )
            return {"CANCELLED"}
        scene.colliders.objects.select_only(context, made.objects)
        pair_overlay.step_back(context)
        said = [report_("{count} colliders created", count=len(made.objects))]
        said.append(colliders_pieces.summary(context, found.decomposed))
        lacking = colliders_pieces.lacking()
        wrong = [*self._problems, *([report_(lacking)] if lacking else [])]
        wrong += [
            report_('"{name}" has more parts than Max Hulls: one hull for each', name=name) for name in found.over
        ]
        self.report({"WARNING" if wrong else "INFO"}, colliders.making.wrongs([*said, *wrong]))
        return {"FINISHED"}
