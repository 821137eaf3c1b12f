# SPDX-License-Identifier: GPL-3.0-or-later
"""Make colliders, one shape or convex pieces for each object, and compare how well each kind would fit."""

from collections.abc import Callable, Iterable

import bpy
from bpy.props import EnumProperty

from ... import colliders, scene, viewport
from ...colliders import decomposition as colliders_pieces
from ...engines.kinds import KIND_ITEMS, KIND_NAMES, PARTS, PIECES, SETTINGS
from ...i18n import CONTEXT
from ...i18n.lookup import error_text, label_, report_, tip_
from ...model.steps import exhausted
from ...scene.meshes.types import GEOMETRY_TYPES
from ...scene.objects.owners import is_collider
from ...scene.objects.selection import may_be_selected
from ...scene.settings import collider_engine, scene_settings
from ...session import fit_comparison
from ...viewport import pair as pair_overlay
from ..properties.colliders import (
    budget_setting,
    engine_setting,
    gap_setting,
    kind_setting,
    pieces_setting,
    preset_setting,
    source_setting,
    thickness_setting,
)
from .base import Operator, linked_scene
from .modal_steps import RunInSteps, Steps, answer_shown, shown_text


def take_from_scene(operator: bpy.types.Operator, context: bpy.types.Context, *names: str) -> None:
    """Set those settings of an operator that were not given to the values of the scene."""
    stored = scene_settings(context).colliders
    for name in names:
        if not operator.properties.is_property_set(name):
            setattr(operator, name, collider_engine(context) if name == "engine" else getattr(stored, name))


def draw_settings(operator: bpy.types.Operator, kind: str, *names: str) -> None:
    """Draw these settings of an operator, and those that this kind of collider has."""
    layout = operator.layout
    layout.use_property_split = True
    layout.use_property_decorate = False
    for name in names:
        layout.prop(operator, name)
    for name, kinds in SETTINGS.items():
        if kind in kinds:
            layout.prop(operator, name)


# Fitting this few points is faster than pressing Esc.
FEW_SOURCES, FEW_POINTS = 4, 2000


def sources_missing(context: bpy.types.Context) -> str:
    """Return why no collider can be made, as a tooltip. Empty if one can."""
    if context.scene.library is not None:
        return linked_scene(context)
    if context.mode not in {"OBJECT", "EDIT_MESH"}:
        return tip_("Not in Object Mode or mesh Edit Mode")
    if context.mode == "EDIT_MESH":
        return "" if scene.colliders.sources.candidates(context) else tip_("Select the faces to enclose")
    if may_be_selected(context, lambda ob: ob.type in GEOMETRY_TYPES and not is_collider(ob)):
        return ""
    return tip_("Select objects that have a surface and are not colliders")


class COLLISION_KIT_OT_make_collider(RunInSteps):
    """Fits shapes to the selection, and makes colliders that the engine recognizes."""

    bl_idname = "collision_kit.make_collider"
    manual = "colliders"
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
    def missing(cls, context: bpy.types.Context) -> str:
        """Return what is missing."""
        return sources_missing(context)

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the settings that this kind has."""
        draw_settings(self, self.kind, "kind", "source", "engine")

    def begin(self, context: bpy.types.Context) -> Steps:
        """Read the selection, and fit the shapes."""
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
        request = colliders.fit.FitRequest(self.kind, self.engine, self.budget, self.thickness, self.gap, flat)
        self._chooser = colliders.choosing.Chooser(request, whole=context.mode != "EDIT_MESH")
        return colliders.settling.preparing(context, sources, self._chooser)

    def is_short(self) -> bool:
        """Return whether there is little to fit."""
        return self._short

    def share(self, progress: "colliders.fit_copies.Progress") -> float:
        """Return the finished fraction of the shapes."""
        return progress.done / progress.total if progress.total else 0.0

    def status(self, progress: "colliders.fit_copies.Progress") -> str:
        """Return which of the shapes is being fitted."""
        if not progress.total:
            return label_("Reading the scene")
        return label_("Fitting collider {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "colliders.settling.Prepared") -> set[str]:
        """Make the objects, and report how well they fit and what they have changed."""
        return make_prepared(self, context, self._chooser, found, self._problems)


def end_preview(context: bpy.types.Context) -> None:
    """Stop drawing compared types and pairs after colliders were made."""
    pair_overlay.step_back(context)
    if fit_comparison.latest.result is not None:
        fit_comparison.latest.result.shown = ""
    viewport.collider_preview.hide(context)


def make_prepared(
    operator: RunInSteps,
    context: bpy.types.Context,
    chooser: "colliders.choosing.Chooser",
    found: "colliders.settling.Prepared",
    problems: list[str],
    more: Callable[["list[colliders.choosing.Chosen]"], Iterable[str]] = lambda _chosen: (),
) -> set[str]:
    """Make the objects of an operator, select them, and report how well they fit and what they have changed.

    Parameters
    ----------
    operator, context, chooser, found
        The prepared colliders, and where they come from.
    problems : list of str
        Reasons why some objects get no colliders.
    more : callable
        Returns further warnings about the colliders.
    """
    problems += [error_text(problem) for problem in found.problems]
    settled = exhausted(colliders.settling.settling(context, found.chosen, chooser, found.before))
    made = settled.made
    if not made.objects:
        return operator.refuse(colliders.making.wrongs(problems) or report_("The source objects no longer exist"))
    scene.colliders.objects.select_only(context, made.objects)
    end_preview(context)
    warnings = [*colliders.settling.texts(context, settled, "warning"), *problems, *more(settled.chosen)]
    texts = [colliders.settling.summary(context, settled), *colliders.settling.texts(context, settled, "info")]
    operator.report({"WARNING" if warnings else "INFO"}, colliders.making.wrongs([*texts, *warnings]))
    return {"FINISHED"}


class COLLISION_KIT_OT_make_collider_pieces(RunInSteps):
    """Approximates concave meshes by several hulls, for engines whose moving bodies must be convex."""

    bl_idname = "collision_kit.make_collider_pieces"
    manual = "colliders"
    bl_label = "Make Collider Pieces"
    bl_description = (
        "Create several convex hulls that approximate concave meshes, by cuts along flat faces or by CoACD. "
        "Shows them before they are created"
    )
    bl_options = {"REGISTER", "UNDO"}

    pieces: pieces_setting()
    preset: preset_setting()
    budget: budget_setting()
    engine: engine_setting()

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Return what is missing."""
        return sources_missing(context)

    def begin(self, context: bpy.types.Context) -> Steps:
        """Read the selection, and decompose it."""
        take_from_scene(self, context, "pieces", "preset", "budget", "engine")
        chosen, editing = scene.colliders.sources.candidates(context), context.mode == "EDIT_MESH"
        sources, problems = scene.colliders.sources.read_sources(context, chosen, "OBJECTS", selected_faces=editing)
        self._problems = [error_text(problem) for problem in problems]
        flat = colliders.fit.flat_thickness(context.scene)
        request = colliders.fit.FitRequest(PIECES, self.engine, self.budget, flat=flat)
        self._chooser = colliders.choosing.Chooser(request, self.pieces, self.preset, whole=not editing)
        return colliders.settling.preparing(context, sources, self._chooser)

    def share(self, progress: colliders_pieces.Progress) -> float:
        """Return the finished fraction."""
        return progress.share if progress.total else 0.0

    def status(self, progress: colliders_pieces.Progress) -> str:
        """Return which of the meshes is being decomposed, and the progress."""
        if not progress.total:
            return label_("Reading the scene")
        text = label_("Decomposing mesh {number} of {total}", number=progress.done + 1, total=progress.total)
        if not progress.round:
            return text
        percent = f"{progress.part * 100.0:.0f}"
        return label_("{text}: round {round}, {percent} %", text=text, round=progress.round, percent=percent)

    def show(self, context: bpy.types.Context, found: "colliders.settling.Prepared") -> str:
        """Draw the pieces, and report how well they fit the meshes."""
        decomposed = [one.decomposed for one in found.chosen if one.decomposed is not None]
        if not decomposed:
            return ""
        fitted = [one for some in found.chosen for one in some.fitted]
        meshes = [colliders.fit.placed_mesh(one) for one in fitted]
        viewport.collider_preview.show(context, meshes, {one.source.owner_uid for one in fitted})
        return colliders_pieces.summary(context, decomposed)

    def hide(self, context: bpy.types.Context) -> None:
        """Stop drawing the pieces."""
        viewport.collider_preview.hide(context)

    def finish(self, context: bpy.types.Context, found: "colliders.settling.Prepared") -> set[str]:
        """Make the objects, and report their number, how well they fit the meshes, and what has changed."""
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


class COLLISION_KIT_OT_compare_types(RunInSteps):
    """Fits all kinds of colliders to the active object without making them."""

    bl_idname = "collision_kit.compare_types"
    manual = "colliders"
    bl_label = "Compare Types"
    bl_description = (
        "Show the volume, the largest gap and the vertices of each type of collider, which one Best Fit makes, and "
        "what each looks like, without creating one"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an active object with a surface."""
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        if context.active_object is None or context.active_object.type not in GEOMETRY_TYPES:
            return tip_("The active object has no surface")
        return ""

    def begin(self, context: bpy.types.Context) -> Steps:
        """Read the active object. For a collider, read the points in it."""
        ob = context.active_object
        assert ob is not None  # ensured by `poll`
        self._asked, self._uid, self._problems = fit_comparison.asked_for(context), ob.session_uid, []
        asked = self._asked
        flat = colliders.fit.flat_thickness(context.scene)
        request = colliders.fit.FitRequest("", asked.engine, asked.budget, asked.thickness, asked.gap, flat)
        pairs = colliders.converting.with_owners(context, [ob])
        if pairs:
            self._whole = False
            return colliders.comparing.compare_held_steps(context, pairs, request)
        gather = "OBJECTS" if asked.source == "AROUND" else asked.source
        sources, problems = scene.colliders.sources.read_sources(context, [ob], gather)
        self._problems = [error_text(problem) for problem in problems]
        self._whole = len(sources) == 1 and not is_collider(ob)
        pieces = colliders.comparing.Pieces(asked.pieces, asked.preset) if self._whole else None
        return colliders.comparing.compare_steps(sources, request, pieces)

    def share(self, progress: "colliders.fit_copies.Progress") -> float:
        """Return the finished fraction of the fits."""
        return progress.done / progress.total

    def status(self, progress: "colliders.fit_copies.Progress") -> str:
        """Return which of the fits is being computed."""
        return label_("Fitting collider {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "dict[str, fit_comparison.Expected]") -> set[str]:
        """Store the result for the panel, and show the recommended type."""
        ob = scene.open_file.objects_by_uid({self._uid}).get(self._uid)
        if ob is None or not found:
            return self.refuse("\n".join(self._problems) or report_("The source objects no longer exist"))
        fit_comparison.keep(context, ob, self._asked, found, whole=self._whole)
        compared = fit_comparison.compared(context)
        if compared is not None:
            _show_type(context, compared, compared.recommended or next(iter(found)))
        self.report({"INFO"}, report_("{count} types compared", count=len(found)))
        return {"FINISHED"}


def _show_type(context: bpy.types.Context, compared: "fit_comparison.ComparedFits", kind: str) -> None:
    """Draw what a collider of a type would be."""
    compared.shown = kind
    viewport.collider_preview.show(context, compared.kinds[kind].meshes, compared.uids, compared=True)


_TYPES = (
    *KIND_ITEMS,
    *(
        (kind, KIND_NAMES[kind], text, "NONE", len(KIND_ITEMS) + number)
        for number, (kind, text) in enumerate(
            ((PIECES, "Several hulls that approximate a concave mesh"), (PARTS, "A hull for each loose part"))
        )
    ),
)


class COLLISION_KIT_OT_preview_type(Operator):
    """Draws one of the types that were compared."""

    bl_idname = "collision_kit.preview_type"
    manual = "colliders"
    bl_label = "Preview Type"
    bl_description = "Show in the viewport what a collider of this type looks like. Confirm creates it"
    bl_options = {"REGISTER"}

    kind: EnumProperty(
        name="Type",
        translation_context=CONTEXT,
        description="Type that is shown",
        items=_TYPES,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """The types must have been compared."""
        return "" if fit_comparison.known(context) else tip_("Use Compare Types first")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Show it."""
        compared = fit_comparison.compared(context)
        if compared is None or self.kind not in compared.kinds:
            return self.refuse(report_("There is no collider of this type for the engine or the mesh"), "WARNING")
        _show_type(context, compared, self.kind)
        return {"FINISHED"}


class COLLISION_KIT_OT_confirm_preview(Operator):
    """Confirms colliders that an operator shows before it makes them."""

    bl_idname = "collision_kit.confirm_preview"
    manual = "colliders"
    bl_label = "Confirm Preview"
    bl_description = "Create the colliders that are shown in the viewport"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, _context: bpy.types.Context) -> str:
        """Something must be shown to be confirmed."""
        return "" if shown_text() else tip_("No colliders are shown to be confirmed")

    def run(self, _context: bpy.types.Context) -> set[str]:
        """Let the operator go on."""
        answer_shown(confirmed=True)
        return {"FINISHED"}


class COLLISION_KIT_OT_cancel_preview(Operator):
    """Ends the comparison of types, or an operator that waits for confirmation."""

    bl_idname = "collision_kit.cancel_preview"
    manual = "colliders"
    bl_label = "Cancel Preview"
    bl_description = "Remove the preview without creating colliders"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Something must be shown."""
        return "" if shown_text() or fit_comparison.known(context) else tip_("No colliders are shown to be confirmed")

    def run(self, context: bpy.types.Context) -> set[str]:
        """End it."""
        if shown_text():
            answer_shown(confirmed=False)
            return {"FINISHED"}
        fit_comparison.latest.forget()
        viewport.collider_preview.hide(context)
        return {"FINISHED"}


CLASSES = (
    COLLISION_KIT_OT_make_collider,
    COLLISION_KIT_OT_make_collider_pieces,
    COLLISION_KIT_OT_compare_types,
    COLLISION_KIT_OT_preview_type,
    COLLISION_KIT_OT_confirm_preview,
    COLLISION_KIT_OT_cancel_preview,
)
