# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the active mesh is convex, and data of its convex hull."""

import bpy

from .... import core
from ...i18n.lookup import label_
from ...i18n.units import area_text, volume_text
from ...session import convexity_results
from .layout import fact, paragraph
from .tab import SwitchedTab


class COLLISION_KIT_PT_convexity(SwitchedTab, bpy.types.Panel):
    """The button that checks the selected meshes, and the result for the active one."""

    bl_label = "Convexity"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "convexity"

    @classmethod
    def applies(cls, context: bpy.types.Context) -> bool:
        """Return whether the active object is a mesh."""
        return context.active_object is not None and context.active_object.type == "MESH"

    @classmethod
    def has_results(cls, context: bpy.types.Context) -> bool:
        """Return whether the active object is a mesh that was checked."""
        ob = context.active_object
        return ob is not None and ob.type == "MESH" and convexity_results.known(ob) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the verdict, the flaws, and statistics of the hull."""
        layout, ob = self.layout, context.active_object
        assert ob is not None  # ensured by `poll`
        layout.operator("collision_kit.check_convexity", icon="MESH_ICOSPHERE")
        checked = convexity_results.known(ob)
        if checked is None:
            return
        stale = convexity_results.is_stale(ob)
        if stale:
            paragraph(layout.box(), context, label_("Possibly changed since this check"), "TIME", in_box=True)
        column = layout.column()
        column.active = not stale
        self._draw_verdict(context, column, ob, checked.convexity)
        self._draw_hull(context, column, checked.convexity)

    def _draw_verdict(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object, convexity: "core.Convexity"
    ) -> None:
        column = layout.column(align=True)
        row = column.row()
        row.alert = not convexity.convex
        if convexity.convex:
            row.label(text=label_('"{name}" is convex', name=ob.name), icon="CHECKMARK", translate=False)
        else:
            row.label(text=label_('"{name}" is not convex', name=ob.name), icon="ERROR", translate=False)
        for flaw in convexity.flaws:
            paragraph(
                column, context, convexity_results.flaw_text(flaw, convexity, context.scene.unit_settings), icon="DOT"
            )
        if convexity.inside_out:
            paragraph(column, context, label_("Faces point inward: recalculate normals"), icon="DOT")
        elif len(convexity.inconsistent_edges):
            text = label_("Some faces point the wrong way: recalculate normals")
            paragraph(column, context, text, icon="DOT")

    def _draw_hull(self, context: bpy.types.Context, layout: bpy.types.UILayout, convexity: "core.Convexity") -> None:
        hull, solidity, units = convexity.hull, convexity.solidity, context.scene.unit_settings
        column = layout.column(align=True)
        column.label(text=label_("Convex Hull"), icon="MESH_ICOSPHERE", translate=False)
        fact(column, "Vertices", f"{len(hull.vertices):,}")
        fact(column, "Edges", f"{len(hull.edges):,}")
        fact(column, "Faces", f"{len(hull.faces):,}")
        fact(column, "Area", area_text(hull.area, units))
        fact(column, "Volume", volume_text(hull.volume, units))
        if solidity.closed and hull.volume > 0.0:
            fact(column, "Filled", f"{100.0 * min(solidity.volume / hull.volume, 1.0):.4g} %")
