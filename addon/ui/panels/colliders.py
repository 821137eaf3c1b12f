# SPDX-License-Identifier: GPL-3.0-or-later
"""Make and change colliders, and show how well the active one fits."""

import math
from typing import Any

import bpy

from ...colliders import decomposition as colliders_pieces
from ...colliders import fit_record as colliders_record
from ...engines.kinds import KIND_NAMES, KINDS, PARTS, PIECES, SETTINGS, template_name
from ...i18n.lookup import enumerated, label_
from ...i18n.units import measured_text, spoken_range
from ...scene.objects.collision_settings import settings_of
from ...scene.objects.owners import is_collider, render_mesh_above
from ...scene.objects.selection import some_selected
from ...scene.settings import collider_engine, scene_settings
from ...session import fit_comparison
from ..operators.modal_steps import shown_text
from ..properties.colliders import MADE_AS
from .layout import buttons, fact, fields, has_room, is_narrow, paragraph
from .name_presets import COLLISION_KIT_PT_name_presets
from .tab import SwitchedTab

_NAMES = {kind: name for kind, name, *_ in MADE_AS}
# In the comparison of kinds: the fraction of the width for names, the fraction of the rest for volumes, and the
# significant digits of the volumes. A narrow sidebar has room for names and gaps only.
_NAME_SHARE, _VOLUME_SHARE, _VOLUME_DIGITS, _NARROW_NAME_SHARE = 0.39, 0.38, 3, 0.65
# Fraction of the remaining width for the gaps; the rest is for the vertices. And the digits of the gaps.
_GAP_SHARE, _GAP_DIGITS = 0.55, 2
# Marks the recommended kind.
RECOMMENDED: Any = "CHECKMARK"
MAKE, MAKE_PIECES = "collision_kit.make_collider", "collision_kit.make_collider_pieces"
# Shown instead of a number if no collider of this kind can be made.
_NONE = "–"


class COLLISION_KIT_MT_convert(bpy.types.Menu):
    """Kinds that colliders can be converted to."""

    bl_label = "Convert Collider"

    def draw(self, _context: bpy.types.Context) -> None:
        """List the kinds."""
        for kind, name, _, icon in KINDS:
            entry: Any = self.layout.operator(
                "collision_kit.convert_collider", text=label_(name), translate=False, icon=icon
            )
            entry.kind = kind


class COLLISION_KIT_PT_colliders(SwitchedTab, bpy.types.Panel):
    """A button for each kind of collider, and data about the active one."""

    bl_label = "Colliders"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "colliders"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that lists the presets of names."""
        COLLISION_KIT_PT_name_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the buttons, and how well the active collider fits."""
        layout, settings = self.layout, scene_settings(context).colliders
        if shown_text():
            _draw_waiting(context, layout.box(), shown_text())
            return
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        fields(column, context, scene_settings(context), "engine")
        fields(column, context, settings, template_name(collider_engine(context)), "source")
        column = layout.column()
        for name, kinds in SETTINGS.items():
            fields(column, context, settings, name)
            served = column.column()
            served.active = False
            paragraph(served, context, enumerated(label_(KIND_NAMES[kind]) for kind in kinds), "BLANK1")
        ob = context.active_object
        # A new collider is selected, and another button tries another kind.
        converts = ob is not None and ob in some_selected(context) and is_collider(ob)
        operator = "collision_kit.convert_collider" if converts else MAKE
        layout.label(text=label_("Convert To") if converts else label_("Make Collider"), translate=False)
        self._draw_kinds(context, layout, operator)
        self._draw_pieces(context, layout, settings)
        self._draw_tools(context, layout)
        if ob is not None and is_collider(ob):
            self._draw_active(context, layout.box(), ob)

    def _draw_kinds(self, context: bpy.types.Context, layout: bpy.types.UILayout, operator: str) -> None:
        """Draw a button for each kind and, after a comparison, how well its collider would fit."""
        expected, narrow = fit_comparison.known(context), is_narrow(context)
        name_share = _NARROW_NAME_SHARE if narrow else _NAME_SHARE
        column = layout.column(align=True)
        if expected:
            # A heading ends where its column does, and may begin farther left.
            if narrow:
                _label_at_right(column, label_("Gap"))
            else:
                heads = column.split(factor=name_share + (1.0 - name_share) * _VOLUME_SHARE)
                _label_at_right(heads, label_("Volume / Hull"))
                rest = heads.split(factor=_GAP_SHARE, align=True)
                _label_at_right(rest, label_("Gap"))
                # Short, as in Blender's statistics.
                _label_at_right(rest, label_("Verts"))
        names = [label_(name) for _, name, *_ in KINDS]
        columns = 2 if all(has_room(context, name, name) for name in names) else 1
        grid: Any = column
        if not expected:
            grid = layout.grid_flow(row_major=True, columns=columns, even_columns=True, align=True)
        compared = fit_comparison.compared(context)
        shown_kind = compared.shown if compared is not None else ""
        if operator != MAKE and shown_kind and not expected[shown_kind].single:
            shown_kind = ""
        for kind, name, _, icon in KINDS:
            one = expected.get(kind)
            if not expected:
                button: Any = grid.operator(operator, text=label_(name), translate=False, icon=icon)
                button.kind = kind
            elif one is None or (operator != MAKE and not one.single):
                line = grid.split(factor=name_share, align=True)
                name_row = line.row()
                name_row.alignment = "CENTER"  # as in the buttons above it
                name_row.label(text=label_(name), translate=False)
                _draw_expected(context, line, None)
            else:
                _draw_row(context, grid, kind, label_(name), one, shown_kind)
        # Kinds with several colliders for one mesh. Conversion keeps a single one.
        parts, pieces = expected.get(PARTS), expected.get(PIECES)
        if parts is not None and operator == MAKE:
            _draw_row(context, grid, PARTS, label_("{count} Parts", count=parts.parts), parts, shown_kind)
        if pieces is not None and operator == MAKE:
            _draw_row(context, grid, PIECES, label_("{count} Pieces", count=pieces.parts), pieces, shown_kind)
        if not expected:
            layout.operator("collision_kit.compare_types", icon="VIEWZOOM")
            return
        best, recommended = expected.get("BEST"), compared.recommended if compared is not None else ""
        if best is not None and recommended:
            paragraph(layout, context, label_("Best Fit: {kind}", kind=label_(KIND_NAMES[recommended])), RECOMMENDED)
        elif recommended:
            text = label_("Best Fit makes none. Closest: {kind}", kind=label_(KIND_NAMES[recommended]))
            paragraph(layout, context, text, RECOMMENDED)
        self._draw_confirm(context, layout, operator, shown_kind)

    def _draw_confirm(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, operator: str, shown_kind: str
    ) -> None:
        """Draw the type that is shown, and buttons that make it or end the comparison."""
        box = layout.box()
        if not shown_kind:
            paragraph(box, context, label_("Click a type to see it"), "INFO", in_box=True)
        else:
            text = label_("Preview: {kind}", kind=label_(KIND_NAMES[shown_kind]))
            paragraph(box, context, text, "HIDE_OFF", in_box=True)
        confirm, cancel = label_("Confirm"), label_("Cancel")
        row = buttons(box, context, confirm, cancel)
        if shown_kind == PIECES:
            row.operator(MAKE_PIECES, text=confirm, translate=False, icon="CHECKMARK")
        elif shown_kind:
            button: Any = row.operator(operator, text=confirm, translate=False, icon="CHECKMARK")
            button.kind = "HULL" if shown_kind == PARTS else shown_kind
            if shown_kind == PARTS:
                button.source = "PARTS"
        row.operator("collision_kit.cancel_preview", text=cancel, translate=False, icon="X")

    def _draw_pieces(self, context: bpy.types.Context, layout: bpy.types.UILayout, settings: Any) -> None:
        column = layout.column()
        fields(column, context, settings, "pieces", "preset")
        column.operator(MAKE_PIECES, text=label_("Convex Pieces"), translate=False, icon="MOD_EXPLODE")
        lacking = colliders_pieces.lacking()
        if lacking:
            paragraph(column, context, label_(lacking), "INFO")

    def _draw_tools(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        column = layout.column(align=True)
        mirror, rename = label_("Mirror"), label_("Rename")
        row = buttons(column, context, mirror, rename)
        row.operator("collision_kit.mirror_collider", text=mirror, translate=False, icon="MOD_MIRROR")
        row.operator("collision_kit.rename_colliders", text=rename, translate=False, icon="SORTALPHA")
        render_mesh = label_("Select Render Mesh")
        icon: Any = "MESH_DATA" if has_room(context, render_mesh) else "NONE"
        column.operator("collision_kit.select_render_mesh", text=render_mesh, translate=False, icon=icon)
        select, copy = label_("Select Colliders"), label_("Copy Settings")
        row = buttons(column, context, select, copy)
        row.operator("collision_kit.select_colliders", text=select, translate=False, icon="RESTRICT_SELECT_OFF")
        row.operator("collision_kit.copy_collider_settings", text=copy, translate=False, icon="COPYDOWN")
        column.menu("COLLISION_KIT_MT_display", text=label_("Display"), translate=False, icon="SHADING_SOLID")

    def _draw_active(self, context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object) -> None:
        layout.label(text=ob.name, icon="MOD_PHYSICS", translate=False)
        above = is_narrow(context)
        kind = settings_of(ob).collider.kind
        column = layout.column(align=True)
        if kind != "NONE":
            fact(column, "Type", label_(_NAMES[kind]), above=above)
        owner = render_mesh_above(ob)
        if owner is not None:
            fact(column, "Render Mesh", owner.name, above=above)
        record = colliders_record.known(ob)
        if record is None:
            return
        quality, units = record.quality, context.scene.unit_settings
        if colliders_record.is_stale(ob, owner, record):
            paragraph(
                layout, context, label_("Changed since it was created. Values when created:"), "TIME", in_box=True
            )
        column = layout.column(align=True)
        if kind == "MESH" and quality.volume == 0.0:
            paragraph(column, context, label_("Not closed, so without volume"), "INFO")
        elif quality.volume > 0.0:
            solid = math.isfinite(quality.hull_ratio)
            fact(column, "Volume / Hull", f"{quality.hull_ratio:.4g} ×" if solid else label_("flat mesh"), above=above)
            if quality.mesh_ratio == quality.mesh_ratio:
                fact(column, "Volume / Mesh", f"{quality.mesh_ratio:.4g} ×", above=above)
        else:
            paragraph(column, context, label_("Flat, without volume"), "ERROR", in_box=True)
        fact(column, "Largest Gap", spoken_range(quality.gap, quality.gap_error, units), above=above)
        fact(column, "Protrusion", spoken_range(quality.protrusion, quality.protrusion_error, units), above=above)
        if record.scores:
            column.label(text=label_("Volume relative to the smallest:"), translate=False)
            for one, score in record.scores.items():
                fact(column, KIND_NAMES[one], f"{score:.4g} ×")


def _draw_waiting(context: bpy.types.Context, layout: bpy.types.UILayout, text: str) -> None:
    """Draw the text about a preview that waits for confirmation, and two buttons."""
    paragraph(layout, context, text, "HIDE_OFF", in_box=True)
    confirm, cancel = label_("Confirm"), label_("Cancel")
    row = buttons(layout, context, confirm, cancel)
    row.operator("collision_kit.confirm_preview", text=confirm, translate=False, icon="CHECKMARK")
    row.operator("collision_kit.cancel_preview", text=cancel, translate=False, icon="X")


def _draw_row(
    context: bpy.types.Context,
    grid: bpy.types.UILayout,
    kind: str,
    text: str,
    one: fit_comparison.Expected,
    shown_kind: str,
) -> None:
    """Draw a button that shows a type, and how well it would fit."""
    line = grid.split(factor=_NARROW_NAME_SHARE if is_narrow(context) else _NAME_SHARE, align=True)
    icon: Any = RECOMMENDED if one.recommended else "NONE"
    button: Any = line.operator(
        "collision_kit.preview_type", text=text, translate=False, icon=icon, depress=kind == shown_kind
    )
    button.kind = kind
    _draw_expected(context, line, one)


def _draw_expected(context: bpy.types.Context, line: bpy.types.UILayout, one: fit_comparison.Expected | None) -> None:
    """Draw the expected collider beside its button. None: no collider of its kind is possible."""
    gap = measured_text(one.gap, context.scene.unit_settings, _GAP_DIGITS) if one is not None else _NONE
    if is_narrow(context):
        _label_at_right(line, gap)
        return
    values = line.split(factor=_VOLUME_SHARE)
    ratio = one.ratio if one is not None else math.nan
    text = f"{ratio:.0f}" if ratio >= 10**_VOLUME_DIGITS else f"{ratio:.{_VOLUME_DIGITS}g}"
    _label_at_right(values, f"{text} ×" if math.isfinite(ratio) else _NONE)
    rest = values.split(factor=_GAP_SHARE, align=True)
    _label_at_right(rest, gap)
    _label_at_right(rest, str(one.vertices) if one is not None else "")


def _label_at_right(layout: bpy.types.UILayout, text: str) -> None:
    row = layout.row()
    row.alignment = "RIGHT"
    row.label(text=text, translate=False)
