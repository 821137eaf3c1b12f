# SPDX-License-Identifier: GPL-3.0-or-later
"""Say how well each kind of collider would fit, before one is made."""

import bpy

from ... import colliders, scene
from ...i18n.lookup import error_text, label_, report_, tip_
from ...scene.meshes.types import GEOMETRY_TYPES
from ...scene.objects.owners import is_collider
from ...session import fit_comparison
from .modal_steps import RunInSteps, Steps


class COLLISION_KIT_OT_compare_fits(RunInSteps):
    """Fits all kinds of colliders to the active object and makes none of them."""

    bl_idname = "collision_kit.compare_fits"
    bl_label = "Compare Types"
    bl_description = (
        "Show the volume and the largest gap of each type for the active object, without creating a collider"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an active object with a surface."""
        text = ""
        if context.mode != "OBJECT":
            text = tip_("Not in Object Mode")
        elif context.active_object is None or context.active_object.type not in GEOMETRY_TYPES:
            text = tip_("The active object has no surface")
        if text:
            cls.poll_message_set(text)
        return not text

    def begin(self, context: bpy.types.Context) -> Steps:
        """Read the active object, or what it holds if it is a collider."""
        ob = context.active_object
        assert ob is not None  # As `poll` says.
        self._asked, self._uid, self._problems = fit_comparison.asked_for(context), ob.session_uid, []
        asked = self._asked
        flat = colliders.fit.flat_thickness(context.scene)
        request = colliders.fit.Request("", asked.engine, asked.budget, asked.thickness, asked.gap, flat)
        pairs = colliders.converting.with_owners(context, [ob])
        if pairs:
            self._whole = False
            return colliders.comparing.compare_held_steps(context, pairs, request)
        gather = "OBJECTS" if asked.source == "AROUND" else asked.source
        sources, problems = scene.colliders.sources.read_sources(context, [ob], gather)
        self._problems = [error_text(problem) for problem in problems]
        self._whole = len(sources) == 1 and not is_collider(ob)
        return colliders.comparing.compare_steps(sources, request)

    def share(self, progress: "colliders.fit_copies.Progress") -> float:
        """How many of the fits are done."""
        return progress.done / progress.total

    def status(self, progress: "colliders.fit_copies.Progress") -> str:
        """Say which of the fits is being computed."""
        return label_("Fitting collider {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "dict[str, fit_comparison.Expected]") -> set[str]:
        """Keep it for the panel."""
        ob = scene.open_file.objects_by_uid({self._uid}).get(self._uid)
        if ob is None or not found:
            self.report({"ERROR"}, "\n".join(self._problems) or report_("The source objects no longer exist"))
            return {"CANCELLED"}
        fit_comparison.keep(context, ob, self._asked, found, whole=self._whole)
        self.report({"INFO"}, report_("{count} types compared", count=len(found)))
        return {"FINISHED"}
