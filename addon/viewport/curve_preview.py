# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of the chosen contact as an image for the panel, with a line at the current frame.

The curve is drawn when another contact is chosen, and the line whenever the frame changes.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import bpy.utils.previews

from .. import debug_draw, viewport
from ..model.motion_report import MotionContact, curve_parts, curve_range
from ..scene import animation, events
from ..session import motion_results

if TYPE_CHECKING:
    from ...core.numerics.types import Floats

# Size in pixels. Square, as panels show previews.
SIZE = 240
_NAME = "distance"


class _Shown(NamedTuple):
    """The contact whose curve is shown, the image without the current frame, and its range of frames and distances."""

    contact: MotionContact
    picture: "Floats"
    window: tuple[tuple[float, float], tuple[float, float]]


_previews: list[Any] = []
_shown: list[_Shown] = []


def icon() -> int:
    """Return the icon with the image of the chosen contact. 0 if there is none."""
    found = motion_results.latest.result
    contact = found.contact(found.chosen) if found is not None else None
    return _previews[0][_NAME].icon_id if _shown and contact is _shown[0].contact else 0


@motion_results.latest.on_new.subscribe
def refresh() -> None:
    """Make the image of the chosen contact."""
    found = motion_results.latest.result
    contact = found.contact(found.chosen) if found is not None else None
    if found is None or contact is None or bpy.app.background or (_shown and _shown[0].contact is contact):
        return
    _shown.clear()
    if len(contact.curve) < 2:
        return
    palette, clearance = viewport.palette, found.report.clearance
    window = curve_range(contact, clearance)
    levels = [(0.0, (*palette.QUIET, 0.9))]
    if clearance and window[1][0] == 0.0:
        levels.append((clearance, (*palette.TOUCHING, 0.9)))
    color = palette.NEAR if contact.is_near_miss else palette.FAULT
    picture = debug_draw.curve.curve_picture(
        curve_parts(contact.curve),
        window,
        levels,
        ((contact.first, contact.distance if contact.is_near_miss else 0.0), (*color, 1.0)),
        (SIZE, SIZE),
        ((*palette.COLOR_B, 1.0), (*palette.FAULT, 0.25)),
    )
    if not _previews:
        _previews.append(bpy.utils.previews.new())
    preview = _previews[0].get(_NAME) or _previews[0].new(_NAME)
    preview.image_size = (SIZE, SIZE)
    _shown.append(_Shown(contact, picture, window))
    _show_frame(bpy.context.scene)


@events.on_change.subscribe
def _frame_changed(change: events.SceneChange) -> None:
    found = motion_results.latest.result
    if change.frame and _shown and found is not None and change.scene.session_uid == found.place.scene_uid:
        _show_frame(change.scene)


def _show_frame(scene: bpy.types.Scene) -> None:
    """Show the image with a line at the current frame."""
    _, picture, window = _shown[0]
    frame = animation.frames.current_frame(scene)
    drawn = debug_draw.curve.with_frame(picture, window, frame, (*viewport.palette.CALM, 1.0))
    # Panels expect premultiplied alpha in previews.
    drawn[:, :, :3] *= drawn[:, :, 3:]
    _previews[0][_NAME].image_pixels_float = drawn.reshape(-1).tolist()


def register() -> None:
    """Created on first use."""


def unregister() -> None:
    """Free the image."""
    _shown.clear()
    while _previews:
        bpy.utils.previews.remove(_previews.pop())
