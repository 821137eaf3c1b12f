# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the overlay at every redraw of a 3D view, while there are primitives to show."""

import logging
from collections.abc import Callable
from typing import Any

import bpy

from .. import debug_draw, viewport
from ..debug_draw.roles import Role
from ..scene.events import redraw
from ..scene.objects.view_area import covered_corner, free_part
from ..scene.settings import shows_legend
from ..system.late import np

log = logging.getLogger(__name__)

# Blender keeps draw handlers until they are removed, even when a file is loaded, so their handles must outlive a reload
# of this module.
_handles: list[Any] = globals().get("_handles", [])


class _Overlay:
    """An overlay, and its batches once a view has drawn it."""

    def __init__(self) -> None:
        self.primitives: debug_draw.primitives.Primitives | None = None
        self.scene_uid = 0
        self.batches: viewport.gpu.Batches | None = None


_overlay = _Overlay()


def install() -> None:
    """Start drawing in every 3D view. Does nothing without a window."""
    remove()
    if bpy.app.background:
        return
    add = bpy.types.SpaceView3D.draw_handler_add
    _handles.append(add(_guarded, (_draw_view,), "WINDOW", "POST_VIEW"))
    _handles.append(add(_guarded, (_draw_labels,), "WINDOW", "POST_PIXEL"))


def remove() -> None:
    """Stop drawing, and drop the primitives."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    clear()
    viewport.gpu.forget()


def is_installed() -> bool:
    """Return whether overlays are drawn in 3D views."""
    return bool(_handles)


def set_primitives(primitives: "debug_draw.primitives.Primitives", scene_uid: int = 0) -> None:
    """Show these primitives from the next redraw on, instead of the current ones.

    Parameters
    ----------
    primitives : Primitives
    scene_uid : int, optional
        `session_uid` of their scene. Windows that show another scene leave them out. 0: any scene.
    """
    _overlay.primitives, _overlay.scene_uid, _overlay.batches = primitives, scene_uid, None
    redraw()


def shows(primitives: "debug_draw.primitives.Primitives") -> bool:
    """Return whether these are shown and have not been replaced."""
    return _overlay.primitives is primitives


def clear() -> None:
    """Clear the overlay."""
    _overlay.primitives, _overlay.batches = None, None
    redraw()


def _guarded(draw: "Callable[[bpy.types.Context, debug_draw.primitives.Primitives], None]") -> None:
    """Call a draw function. An error hides the overlay instead of filling the console at every redraw."""
    try:
        context = bpy.context
        if _overlay.primitives is not None and _is_shown_here(context):
            draw(context, _overlay.primitives)
    except Exception:
        _overlay.primitives, _overlay.batches = None, None
        log.exception("The overlay cannot be drawn")


def _is_shown_here(context: bpy.types.Context) -> bool:
    """Return whether this is a 3D view that shows overlays, in a window of their scene."""
    space = context.space_data
    return (
        isinstance(space, bpy.types.SpaceView3D)
        and space.overlay.show_overlays
        and _overlay.scene_uid in (0, context.scene.session_uid)
    )


def _draw_view(context: bpy.types.Context, primitives: "debug_draw.primitives.Primitives") -> None:
    if _overlay.batches is None:
        _overlay.batches = viewport.gpu.batches(primitives)
    # Seen from the camera, the edges of its view are the border of the picture, which Blender draws.
    from_camera = _view(context).view_perspective == "CAMERA"
    drawn = _overlay.batches.without(Role.FRUSTUM) if from_camera else _overlay.batches
    viewport.gpu.draw_view(drawn, _viewport(context), _scale(context), adds_light=True)


def _draw_labels(context: bpy.types.Context, primitives: "debug_draw.primitives.Primitives") -> None:
    matrix, area, region = np.array(_view(context).perspective_matrix), context.area, context.region
    assert area is not None and region is not None
    room = free_part(context, area, region)
    low = max(room.low, covered_corner(area, region))
    if shows_legend(context):
        way = primitives.lines[primitives.line_role == Role.WAY].reshape(-1, 3)
        uncovered = viewport.gpu.pixels_of(way, matrix, _viewport(context))
        viewport.gpu.draw_legend(primitives.legend, room._replace(low=low), _scale(context), uncovered)
    viewport.gpu.draw_pixel(primitives, matrix, _viewport(context), _scale(context), room)


def _view(context: bpy.types.Context) -> bpy.types.RegionView3D:
    view = context.region_data
    assert view is not None  # while a 3D view is drawn, there is one, with a region and an area
    return view


def _viewport(context: bpy.types.Context) -> tuple[int, int]:
    region = context.region
    assert region is not None
    return region.width, region.height


def _scale(context: bpy.types.Context) -> float:
    return context.preferences.system.ui_scale
