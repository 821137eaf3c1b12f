# SPDX-License-Identifier: GPL-3.0-or-later
"""Existing colliders: convert, mirror, rename, display and select them, and copy their settings."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ... import colliders, scene
from ...i18n import CONTEXT
from ...i18n.lookup import error_text, label_, report_, tip_
from ...model.errors import UserError
from ...scene.meshes.types import GEOMETRY_TYPES
from ...scene.objects.collision_settings import is_own
from ...scene.objects.owners import Owners, is_collider
from ...scene.objects.selection import may_be_selected, some_selected
from ...scene.settings import collider_engine
from ...viewport import pair as pair_overlay
from ..properties.colliders import budget_setting, engine_setting, gap_setting, kind_setting, thickness_setting
from .base import Operator
from .collider_making import draw_settings, end_preview, take_from_scene
from .modal_steps import RunInSteps, Steps


def colliders_missing(context: bpy.types.Context) -> str:
    """Return why there is no collider to change, as a tooltip. Empty if there is one."""
    if context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    return (
        ""
        if may_be_selected(context, lambda ob: ob.type == "MESH" and is_collider(ob))
        else tip_("Select colliders that belong to a render mesh")
    )


class COLLISION_KIT_OT_convert_collider(RunInSteps):
    """Fits another shape to the points in a collider. The object and references to it are kept."""

    bl_idname = "collision_kit.convert_collider"
    manual = "colliders"
    bl_label = "Convert Collider"
    bl_description = "Change the type of the selected colliders and refit them to their source"
    bl_options = {"REGISTER", "UNDO"}

    kind: kind_setting()
    budget: budget_setting()
    thickness: thickness_setting()
    gap: gap_setting()

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a selected collider."""
        return colliders_missing(context)

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the settings that this kind has."""
        draw_settings(self, self.kind, "kind")

    def begin(self, context: bpy.types.Context) -> Steps:
        """Find the points in the colliders, and fit the shapes."""
        take_from_scene(self, context, "budget", "thickness", "gap")
        pairs = colliders.converting.with_owners(context, context.selected_objects)
        self._uids = [ob.session_uid for ob, _ in pairs]
        flat = colliders.fit.flat_thickness(context.scene)
        request = colliders.fit.FitRequest(
            self.kind, collider_engine(context), self.budget, self.thickness, self.gap, flat
        )
        return colliders.converting.convert_steps(context, pairs, request)

    def is_short(self) -> bool:
        """Return whether there is little to fit."""
        return len(self._uids) <= 1

    def share(self, progress: "colliders.fit_copies.Progress") -> float:
        """Return the finished fraction of the shapes."""
        return progress.done / progress.total

    def status(self, progress: "colliders.fit_copies.Progress") -> str:
        """Return which of the shapes is being fitted."""
        return label_("Fitting collider {number} of {total}", number=progress.done + 1, total=progress.total)

    def finish(self, context: bpy.types.Context, found: "list[colliders.fit.Fitted]") -> set[str]:
        """Change the objects, and report how well they fit."""
        changed = colliders.making.remake_all(context, self._uids, found, collider_engine(context))
        for problem in changed.problems:
            self.report({"WARNING"}, error_text(problem))
        if not self._uids:
            return self.refuse(report_("Select colliders that belong to a render mesh"), "WARNING")
        if not changed.objects and changed.problems:
            return {"CANCELLED"}
        if not changed.objects:
            return self.refuse(report_("The source objects no longer exist"))
        end_preview(context)
        self.report({"INFO"}, colliders.making.summary(context, changed.objects, changed.fitted))
        return {"FINISHED"}


AXES = (
    ("X", "X", "Mirror along the render mesh's local X axis"),
    ("Y", "Y", "Mirror along the render mesh's local Y axis"),
    ("Z", "Z", "Mirror along the render mesh's local Z axis"),
)


class COLLISION_KIT_OT_mirror_collider(Operator):
    """Moves a collider, or a copy of it, to the other side of its render mesh."""

    bl_idname = "collision_kit.mirror_collider"
    manual = "colliders"
    bl_label = "Mirror Collider"
    bl_description = (
        "Mirror the selected colliders across a plane through the render mesh's origin. Mirrors the "
        "mesh instead of using negative scale"
    )
    bl_options = {"REGISTER", "UNDO"}

    axis: EnumProperty(
        name="Axis",
        translation_context=CONTEXT,
        description="Axis of the render mesh across which the colliders are mirrored",
        items=AXES,
        default="X",
    )
    copy: BoolProperty(
        name="Copy",
        translation_context=CONTEXT,
        description="Keep the original collider and mirror a copy",
        default=True,
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a selected collider."""
        return colliders_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Mirror the colliders, and select the result."""
        made = []
        chosen = colliders.converting.with_owners(context, context.selected_objects)
        for ob, owner in chosen:
            try:
                made.append(colliders.converting.mirror(context, ob, owner, "XYZ".index(self.axis), self.copy))
            except UserError as error:
                self.report({"WARNING"}, error_text(error))
        if not chosen:
            self.report({"WARNING"}, report_("Select colliders that belong to a render mesh"))
        if not made:
            return {"CANCELLED"}
        scene.colliders.objects.select_only(context, made)
        pair_overlay.step_back(context)
        self.report({"INFO"}, report_("{count} colliders mirrored", count=len(made)))
        return {"FINISHED"}


WHAT = (
    ("DISPLAY", "Display", "Display type and render visibility"),
    ("COLLECTION", "Collections", "Collections that the collider is in"),
    ("SHAPE", "Shape", "Collision shape setting"),
)


class COLLISION_KIT_OT_copy_collider_settings(Operator):
    """Makes colliders equal except for their shape and place."""

    bl_idname = "collision_kit.copy_collider_settings"
    manual = "colliders"
    bl_label = "Copy Collider Settings"
    bl_description = (
        "Copy display, collections and, optionally, collision shape of the active collider to the "
        "other selected colliders"
    )
    bl_options = {"REGISTER", "UNDO"}

    what: EnumProperty(
        name="Settings",
        translation_context=CONTEXT,
        description="Settings to copy",
        items=WHAT,
        options={"ENUM_FLAG"},
        default={"DISPLAY", "COLLECTION"},
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires that the active object and another selected one are colliders."""
        active = context.active_object
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        if active is None or not is_collider(active):
            return tip_("The active object is not a collider to copy from")
        if not may_be_selected(context, lambda ob: ob != active and is_collider(ob) and is_own(ob)):
            return tip_("Select the colliders to copy to in addition to the active one")
        return ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Copy the settings."""
        active, others = context.active_object, _others(context)
        if not others:
            return self.refuse(report_("Select the colliders to copy to in addition to the active one"), "WARNING")
        assert active is not None  # ensured by `poll`
        for ob in others:
            scene.colliders.copied_settings.copy_settings(active, ob, self.what)
        self.report({"INFO"}, report_("Settings copied to {count} colliders", count=len(others)))
        return {"FINISHED"}


def _others(context: bpy.types.Context) -> list[bpy.types.Object]:
    return [ob for ob in context.selected_objects if ob != context.active_object and is_collider(ob) and is_own(ob)]


class COLLISION_KIT_OT_rename_colliders(Operator):
    """Renames the selected colliders, and those of the selected render meshes."""

    bl_idname = "collision_kit.rename_colliders"
    manual = "colliders"
    bl_label = "Rename Colliders"
    bl_description = "Rename the selected colliders and those of the selected render meshes for the engine"
    bl_options = {"REGISTER", "UNDO"}

    engine: engine_setting()
    template: StringProperty(
        name="Name Template",
        description="Template for names. Empty: the one of the scene for this engine, or the engine's own names",
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a selected collider or render mesh."""
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        found = may_be_selected(context, lambda ob: ob.type in GEOMETRY_TYPES)
        return "" if found else tip_("Select colliders or their render meshes")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Rename the colliders."""
        take_from_scene(self, context, "engine")
        owners = Owners(context.scene.objects)
        selected = context.selected_objects
        chosen = dict.fromkeys([*filter(is_collider, selected), *owners.colliders_of(selected)])
        renamed = colliders.naming.rename(context, chosen, self.engine, self.template)
        self.report({"INFO"}, report_("{count} colliders renamed", count=len(renamed)))
        return {"FINISHED"}


STYLES = (
    ("SOLID", "Solid", "As translucent surfaces"),
    ("WIRE", "Wire", "As edges only, as new colliders are displayed"),
)
COLORS = (
    ("NONE", "None", "White"),
    ("KIND", "Type", "Box, sphere, capsule, cylinder, hull, triangle mesh or trigger"),
    ("ENGINE", "Engine", "The engine whose names they have: Unreal, Godot or none"),
    ("RENDER_MESH", "Render Mesh", "The object that they belong to"),
    ("LAYER", "Collision Layer", "The first of their collision layers"),
)


class _OfColliders(Operator):
    """Changes the display of all colliders of the view layer."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Only in Object Mode, because objects in other modes cannot be hidden."""
        return tip_("Not in Object Mode") if context.mode != "OBJECT" else ""


class COLLISION_KIT_OT_display_colliders(_OfColliders):
    """Sets how colliders are displayed."""

    bl_idname = "collision_kit.display_colliders"
    manual = "colliders"
    bl_label = "Display Colliders"
    bl_description = (
        "Display all colliders as translucent surfaces or as wires, in colors. 3D viewports then show object colors"
    )

    style: EnumProperty(
        name="Display As",
        translation_context=CONTEXT,
        description="How colliders are displayed",
        items=STYLES,
        default="SOLID",
    )
    color: EnumProperty(
        name="Color",
        translation_context=CONTEXT,
        description="What the color of a collider depends on",
        items=COLORS,
        default="KIND",
    )
    opacity: FloatProperty(
        name="Opacity",
        translation_context=CONTEXT,
        description="Opacity of the surfaces of colliders",
        subtype="FACTOR",
        default=0.4,
        min=0.0,
        max=1.0,
    )

    def run(self, context: bpy.types.Context) -> set[str]:
        """Set the display."""
        found = scene.colliders.display.show_as(context, self.style, self.color, self.opacity)
        if not found:
            return self.refuse(report_("The scene has no colliders"), "INFO")
        self.report({"INFO"}, report_("{count} colliders displayed", count=len(found)))
        return {"FINISHED"}


class COLLISION_KIT_OT_hide_colliders(_OfColliders):
    """Hides all colliders, or shows them."""

    bl_idname = "collision_kit.hide_colliders"
    manual = "colliders"
    bl_label = "Hide Colliders"
    bl_description = "Hide all colliders in the viewport, or show them again"

    hidden: BoolProperty(name="Hide", description="Hide colliders. Off: show them", default=True)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Hide or show the colliders."""
        changed = scene.colliders.display.hide(context, self.hidden)
        if not changed:
            return self.refuse(report_("No collider was changed"), "INFO")
        count = len(changed)
        self.report(
            {"INFO"},
            report_("{count} colliders hidden", count=count)
            if self.hidden
            else report_("{count} colliders shown", count=count),
        )
        return {"FINISHED"}


class COLLISION_KIT_OT_select_colliders(Operator):
    """Selects the colliders of render meshes."""

    bl_idname = "collision_kit.select_colliders"
    manual = "colliders"
    bl_label = "Select Colliders"
    bl_description = "Select all colliders of the selected objects, paired by name or by parent"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a selection in Object Mode."""
        text = "" if context.mode == "OBJECT" else tip_("Not in Object Mode")
        return text or ("" if some_selected(context) else tip_("Select an object"))

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select the colliders, or report that there are none."""
        owners = Owners(context.scene.objects)
        chosen = [owners.of(ob) if is_collider(ob) else ob for ob in context.selected_objects]
        found = owners.colliders_of(ob for ob in chosen if ob is not None)
        seen = [ob for ob in found if ob.visible_get()]
        if not seen:
            text = report_("The colliders are hidden") if found else report_("No colliders found")
            return self.refuse(text, "WARNING")
        scene.colliders.objects.select_only(context, seen)
        self.report({"INFO"}, report_("{count} colliders selected", count=len(seen)))
        return {"FINISHED"}


class COLLISION_KIT_OT_select_render_mesh(Operator):
    """Selects the render meshes of colliders."""

    bl_idname = "collision_kit.select_render_mesh"
    manual = "colliders"
    bl_label = "Select Render Mesh"
    bl_description = "Select the render meshes of the selected colliders, paired by name or by parent"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a selected collider in Object Mode."""
        if context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        return "" if may_be_selected(context, is_collider) else tip_("Select a collider")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select the render meshes, or report that there are none."""
        owners = Owners(context.scene.objects)
        found = [owners.of(ob) for ob in context.selected_objects if is_collider(ob)]
        seen = list(dict.fromkeys(ob for ob in found if ob is not None and ob.visible_get()))
        if not seen:
            text = (
                report_("The render mesh is hidden")
                if any(found)
                else report_("No render mesh found by name or parent")
            )
            return self.refuse(text, "WARNING")
        scene.colliders.objects.select_only(context, seen)
        return {"FINISHED"}


CLASSES = (
    COLLISION_KIT_OT_convert_collider,
    COLLISION_KIT_OT_mirror_collider,
    COLLISION_KIT_OT_copy_collider_settings,
    COLLISION_KIT_OT_rename_colliders,
    COLLISION_KIT_OT_display_colliders,
    COLLISION_KIT_OT_hide_colliders,
    COLLISION_KIT_OT_select_colliders,
    COLLISION_KIT_OT_select_render_mesh,
)
