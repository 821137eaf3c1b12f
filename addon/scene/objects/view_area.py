# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a 3D view that headers, sidebars and buttons leave free."""

from typing import Any, NamedTuple

import bpy

# Width of the column of navigation buttons at the right, in pixels of the interface.
BUTTONS = 46


class FreePart(NamedTuple):
    """Borders of a rectangle in pixels of a region, from its lower left corner."""

    left: float
    low: float
    right: float
    high: float


def covered_corner(area: bpy.types.Area, region: bpy.types.Region) -> float:
    """Height in pixels of what *Adjust Last Operation* covers at the lower left of a region of a 3D view."""
    covering = (other for other in area.regions if other.type == "HUD" and other.width > 1 and other.height > 1)
    return max((float(other.y + other.height - region.y) for other in covering), default=0.0)


def free_part(context: bpy.types.Context, area: bpy.types.Area, region: bpy.types.Region) -> FreePart:
    """The part of a region of a 3D view that nothing covers.

    Parameters
    ----------
    context : bpy.types.Context
        Its preferences are used.
    area : bpy.types.Area
        A 3D view.
    region : bpy.types.Region
        Its region of type ``WINDOW``.
    """
    low, high = region.y, region.y + region.height
    left, right = region.x, region.x + region.width
    for other in area.regions:
        if other.type == "WINDOW" or other.width <= 1 or other.height <= 1:  # hidden ones are one pixel wide
            continue
        if other.alignment == "TOP":
            high = min(high, other.y)
        elif other.alignment == "BOTTOM":
            low = max(low, other.y + other.height)
        elif other.alignment == "RIGHT":
            right = min(right, other.x)
        elif other.alignment == "LEFT":
            left = max(left, other.x + other.width)
    space: Any = area.spaces.active
    if space.show_gizmo and space.show_gizmo_navigate and context.preferences.view.show_navigate_ui:
        right -= round(BUTTONS * context.preferences.system.ui_scale)
    return FreePart(left - region.x, low - region.y, right - region.x, high - region.y)
