# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the properties of a scene.

These functions reach `bpy` only while they run. Blender 4.2 keeps the class of a property group for ever,
with its callbacks and their globals, unregistered or not. A `bpy` among those outlives Python's end, and the
process crashes. For the same reason property groups have no methods.
"""

from typing import Any

from .shared import show_or_pair


def overlay_switched(results: Any, context: Any) -> None:
    """Draw the chosen pair, or draw it no more."""
    from ...session.collision_results import last_check
    from ...viewport import pair as pair_overlay
    from ...viewport import stage

    if results.show_overlay:
        pair_overlay.show(context, last_check.chosen)
    else:
        stage.clear()


def culling_shown(_results: Any) -> bool:
    """Whether the camera's view is drawn."""
    from ...viewport import camera_view as culling_overlay

    return culling_overlay.is_drawn()


def show_culling(_results: Any, wanted: bool) -> None:
    """Draw the camera's view, or the chosen pair again."""
    from ...viewport import camera_view as culling_overlay

    show_or_pair(wanted, culling_overlay.draw, culling_overlay.undraw)


def shape_changed(settings: Any, context: Any) -> None:
    """Tell that an object stands for another shape, which Blender's depsgraph does not know."""
    from ...scene import events

    events.changed_settings(context.scene, [settings.id_data.session_uid])


def settings_changed(_settings: Any, _context: Any) -> None:
    """Tell that the settings of the scene are others."""
    from ...scene import events

    events.on_settings.publish()


def live_on(_results: Any) -> bool:
    """Whether the results follow the scene."""
    from ...live import live_mode as live

    return live.is_on()


def switch_live(_results: Any, wanted: bool) -> None:
    """Have the results follow the scene, or no more."""
    from ...live import live_mode as live

    if wanted:
        live.start()
    else:
        live.stop()
