# SPDX-License-Identifier: GPL-3.0-or-later
"""Make several convex colliders around a concave mesh."""

import bpy

from ... import colliders, scene
from ...colliders import decomposition as colliders_pieces
from ...i18n.lookup import error_text, label_, report_
from ...model.errors import UserError
from ..properties.colliders import budget_setting, engine_setting, pieces_setting
from .collider_settings import take_from_scene
from .make_collider import sources_missing
from .modal_steps import RunInSteps, Steps


class COLLISION_KIT_OT_make_collider_pieces(RunInSteps):
    """Follows the hollows of a mesh with several hulls, for engines whose moving bodies must be convex."""

    bl_idname = "collision_kit.make_collider_pieces"
    bl_label = "Make Colliders of Convex Pieces"
    bl_description = (
        "Create several convex hulls that approximate concave meshes. With CoACD: convex "
        "decomposition, else one hull per loose part"
    )
    bl_options = {"REGISTER", "UNDO"}

    pieces: pieces_setting()
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
        take_from_scene(self, context, "pieces", "budget", "engine")
        chosen, editing = scene.colliders.sources.candidates(context), context.mode == "EDIT_MESH"
        sources, problems = scene.colliders.sources.read_sources(context, chosen, "OBJECTS", selected_faces=editing)
        self._problems = [error_text(problem) for problem in problems]
        return colliders_pieces.steps(sources, colliders.fit.Request("PIECE", self.engine, self.budget), self.pieces)

    def share(self, progress: "colliders.fit.Progress") -> float:
        """How many of the meshes are done."""
        return progress.done / progress.total

    def status(self, progress: "colliders.fit.Progress") -> str:
        """Say which of the meshes is being cut up."""
        return label_("Decomposing mesh {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: colliders_pieces.Pieces) -> set[str]:
        """Make the objects, and say how many there are."""
        try:
            made = colliders.making.make(context, found.fitted, self.engine)
        except UserError as error:
            return self._refuse(error)
        if not made.objects:
            self.report(
                {"ERROR"}, colliders.making.wrongs(self._problems) or report_("The source objects no longer exist")
            )
            return {"CANCELLED"}
        scene.colliders.objects.select_only(context, made.objects)
        parts = [report_("{count} colliders created", count=len(made.objects)), *self._problems]
        if not colliders_pieces.is_available():
            parts.append(report_("CoACD is not installed: created one hull per loose part"))
        parts += [report_('"{name}" has more loose parts than Max Hulls', name=name) for name in found.over]
        self.report({"WARNING" if len(parts) > 1 else "INFO"}, colliders.making.wrongs(parts))
        return {"FINISHED"}
