# SPDX-License-Identifier: GPL-3.0-or-later
"""Events by which the user looks around while an operator waits for more time."""

import bpy

# What the 3D viewport's keymap calls that changes the view and nothing else.
_NAVIGATION = {
    "view3d.dolly",
    "view3d.move",
    "view3d.ndof_all",
    "view3d.ndof_orbit",
    "view3d.ndof_orbit_zoom",
    "view3d.ndof_pan",
    "view3d.rotate",
    "view3d.view_all",
    "view3d.view_axis",
    "view3d.view_orbit",
    "view3d.view_pan",
    "view3d.view_persportho",
    "view3d.view_roll",
    "view3d.view_selected",
    "view3d.zoom",
}

# What scrolls lists and panels; with a modifier it changes values.
_SCROLLING = {"MIDDLEMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "WHEELDOWNMOUSE", "WHEELUPMOUSE"}


def navigates(context: bpy.types.Context, event: bpy.types.Event) -> bool:
    """Whether an event turns, moves or zooms the 3D view under the pointer, or scrolls elsewhere."""
    screen = context.screen
    areas = screen.areas if screen is not None else ()
    area = next((area for area in areas if _is_over(event, area)), None)
    if area is None:
        return False
    region = next((region for region in area.regions if region.type != "WINDOW" and _is_over(event, region)), None)
    if area.type != "VIEW_3D" or region is not None:
        return event.type in _SCROLLING and not (event.alt or event.ctrl or event.oskey or event.shift)
    return _called(context, area, event) in _NAVIGATION


def _is_over(event: bpy.types.Event, place: bpy.types.Area | bpy.types.Region) -> bool:
    """Whether the pointer is over a place; of regions that are hidden there is nothing."""
    return 0 <= event.mouse_x - place.x < place.width and 0 <= event.mouse_y - place.y < place.height


def _called(context: bpy.types.Context, area: bpy.types.Area, event: bpy.types.Event) -> str:
    """The operator that an event calls in a 3D view, in the user's own keymap."""
    keyconfig: bpy.types.KeyConfig | None = context.window_manager.keyconfigs.user
    keymap = keyconfig.keymaps.get("3D View") if keyconfig is not None else None
    if keymap is None:
        return ""
    region = next(region for region in area.regions if region.type == "WINDOW")
    with context.temp_override(area=area, region=region):
        item = keymap.keymap_items.match_event(event)
    return item.idname if item is not None else ""
