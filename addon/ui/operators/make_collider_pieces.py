# SPDX-License-Identifier: GPL-3.0-or-later
"""Make several convex colliders around a concave mesh."""

import bpy

from ... import colliders, scene, viewport
from ...colliders import decomposition as colliders_pieces
from ...i18n.lookup import error_text, label_, report_
from ..properties.colliders import budget_setting, engine_setting, pieces_setting, preset_setting
from .collider_settings import take_from_scene
from .make_collider import make_prepared, sources_missing
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
        flat = colliders.fit.flat_thickness(context.scene)
        request = colliders.fit.Request(colliders.choosing.PIECES, self.engine, self.budget, flat=flat)
        self._chooser = colliders.choosing.Chooser(request, self.pieces, self.preset, whole=not editing)
        return colliders.settling.preparing(context, sources, self._chooser)

    def share(self, progress: colliders_pieces.Progress) -> float:
        """How much of all is done."""
        return progress.share if progress.total else 0.0

    def status(self, progress: colliders_pieces.Progress) -> str:
        """Say which of the meshes is being cut up, and how far that is."""
        if not progress.total:
            return label_("Reading the scene")
        text = label_("Decomposing mesh {number} of {total}", number=progress.done + 1, total=progress.total)
        if not progress.round:
            return text
        percent = f"{progress.part * 100.0:.0f}"
        return label_("{text}: round {round}, {percent} %", text=text, round=progress.round, percent=percent)

    def show(self, context: bpy.types.Context, found: "colliders.settling.Prepared") -> str:
        """Draw the pieces, and say how well they stand for the meshes."""
        decomposed = [one.decomposed for one in found.chosen if one.decomposed is not None]
        if not decomposed:
            return ""
        viewport.collider_pieces.show(context, [one for some in found.chosen for one in some.fitted])
        return colliders_pieces.summary(context, decomposed)

    def hide(self, context: bpy.types.Context) -> None:
        """Draw them no more."""
        viewport.collider_pieces.hide(context)

    def finish(self, context: bpy.types.Context, found: "colliders.settling.Prepared") -> set[str]:
        """Make the objects, and say how many there are, how well they stand for the meshes, and what has changed."""
        return make_prepared(self, context, self._chooser, found, self._problems, _more)


def _more(chosen: "list[colliders.choosing.Chosen]") -> list[str]:
    lacking = colliders_pieces.lacking()
    return [
        *([report_(lacking)] if lacking else []),
        *(
            report_('"{name}" has more parts than Max Hulls: one hull for each', name=one.owner)
            for one in chosen
            if one.over
        ),
    ]
