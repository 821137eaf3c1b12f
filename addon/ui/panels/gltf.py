# SPDX-License-Identifier: GPL-3.0-or-later
"""Options in Blender's dialogs for import and export of glTF. Blender's add-on calls these functions."""

from typing import Any

import bpy

from ...i18n.lookup import label_
from ...scene.settings import NAME, ROOT, preferences_of, scene_settings
from .layout import opened


def register() -> None:
    """Register `draw_export` with Blender's exporter, which from 4.4 on does not find it as its importer does."""
    drawn = _drawn_by_export()
    if drawn is not None:
        drawn[ROOT] = draw_export


def unregister() -> None:
    """Unregister it."""
    drawn = _drawn_by_export()
    if drawn is not None:
        drawn.pop(ROOT, None)


def _drawn_by_export() -> dict[str, Any] | None:
    """Return the drawing functions of the exporter. None if Blender has no glTF add-on."""
    try:
        from io_scene_gltf2 import exporter_extension_layout_draw  # type: ignore[import-not-found]
    except ImportError:
        return None
    found: dict[str, Any] = exporter_extension_layout_draw
    return found


def draw_import(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
    """Draw the import options."""
    body = _section(context, layout, "COLLISION_KIT_gltf_import")
    if body is not None:
        body.prop(scene_settings(context).gltf, "read")


def draw_export(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
    """Draw the export options."""
    body = _section(context, layout, "COLLISION_KIT_gltf_export")
    if body is None:
        return
    settings = scene_settings(context).gltf
    body.prop(settings, "write")
    preferences = preferences_of(context)
    if preferences is not None:
        body.prop(preferences, "validate_export")
    column = body.column()
    column.active = settings.write
    column.prop(settings, "meshes")
    column.prop(settings, "khr")
    row = column.row()
    row.active = settings.khr
    row.prop(settings, "revision")
    column.prop(settings, "omi")
    row = column.row()
    row.active = settings.omi
    row.prop(settings, "omi_capsules")


def _section(context: bpy.types.Context, layout: bpy.types.UILayout, name: str) -> bpy.types.UILayout | None:
    """Return a section that can be closed.

    None if it is closed, or the add-on was disabled and Blender still calls it.
    """
    if not hasattr(context.scene, NAME):
        return None
    body = opened(layout, name, label_("Colliders"), closed=False)
    if body is not None:
        body.use_property_split = True
        body.use_property_decorate = False
    return body
