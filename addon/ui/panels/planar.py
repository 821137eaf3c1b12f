# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a check is in 3D or in a plane, and the convex pieces of the active object's outline there."""

from typing import Any

import bpy

from ...i18n.lookup import label_, translated
from ...i18n.units import area_text
from ...scene.settings import scene_settings
from ...viewport import convex_pieces
from .. import shown_panels
from ..texts.planar import plane_missing
from .layout import fact, fields, paragraph
from .tab import SwitchedTab


def draw_dimension(layout: bpy.types.UILayout, context: bpy.types.Context, settings: Any) -> None:
    """Draw the choice between 3D and a plane, and the plane. Nothing if planar checks are hidden."""
    if settings.planar.dimension == "SPACE" and not shown_panels.is_shown(context, "planar"):
        return
    row = layout.row(align=True)
    row.use_property_split = False
    row.prop(settings.planar, "dimension", expand=True)
    if settings.planar.dimension == "PLANE":
        fields(layout.column(), context, settings.planar, "plane")


class COLLISION_KIT_PT_planar(SwitchedTab, bpy.types.Panel):
    """Convex pieces of the active object's outline."""

    bl_label = "Convex Pieces"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "planar"

    @classmethod
    def applies(cls, context: bpy.types.Context) -> bool:
        """Return whether checks are planar, and there is an object with an outline."""
        return context.active_object is not None and scene_settings(context).planar.dimension == "PLANE"

    @classmethod
    def has_results(cls, _context: bpy.types.Context) -> bool:
        """Return whether pieces are drawn."""
        return convex_pieces.shown() is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons, and data of the drawn pieces."""
        layout = self.layout
        missing = plane_missing(context)
        if missing:
            paragraph(layout, context, missing, "ERROR")
        row = layout.row(align=True)
        # Blender would look these up among the names of operators.
        row.operator("collision_kit.show_convex_pieces", text=label_("Show"), translate=False, icon="MOD_EXPLODE")
        row.operator("collision_kit.hide_convex_pieces", text="", icon="X")
        layout.operator(
            "collision_kit.make_convex_pieces", text=label_("Make Objects"), translate=False, icon="OUTLINER_OB_MESH"
        )
        found = convex_pieces.shown()
        if found is None:
            return
        column = layout.column(align=True)
        column.label(text=found.name, icon="OBJECT_DATA", translate=False)
        fact(column, "Tested As", translated(found.reason))
        fact(column, "Pieces", f"{found.pieces:,}")
        fact(column, "Corners", f"{found.corners:,}")
        fact(column, "Area", area_text(found.area, context.scene.unit_settings))
