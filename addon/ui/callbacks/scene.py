# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the properties of a scene.

These functions access `bpy` only while they run. Blender 4.2 keeps the class of a property group forever, with its
callbacks and their globals, even after it is unregistered. A `bpy` among those would outlive the end of Python and
crash the process. For the same reason, property groups have no methods.
"""

from typing import Any

from .shared import show_or_pair


def overlay_switched(results: Any, context: Any) -> None:
    """Draw the chosen pair, or stop drawing it."""
    from ...session.collision_results import last_check
    from ...viewport import pair as pair_overlay
    from ...viewport import stage

    if results.show_overlay:
        pair_overlay.show(context, last_check.chosen)
    else:
        stage.clear()


def culling_shown(_results: Any) -> bool:
    """Return whether the camera's view is drawn."""
    from ...viewport import camera_view as culling_overlay

    return culling_overlay.is_drawn()


def show_culling(_results: Any, wanted: bool) -> None:
    """Draw the camera's view, or the chosen pair again."""
    from ...viewport import camera_view as culling_overlay

    show_or_pair(wanted, culling_overlay.draw, culling_overlay.undraw)


def shape_changed(settings: Any, context: Any) -> None:
    """Report that the collision shape of an object has changed, which Blender's depsgraph does not know."""
    from ...scene import events

    events.changed_settings(context.scene, [settings.id_data.session_uid])


def settings_changed(_settings: Any, _context: Any) -> None:
    """Report that the settings of the scene have changed."""
    from ...scene import events

    events.on_settings.publish()


def live_on(_results: Any) -> bool:
    """Return whether the results follow the scene."""
    from ...live import live_mode as live

    return live.is_on()


def switch_live(_results: Any, wanted: bool) -> None:
    """Start or stop live mode."""
    from ...live import live_mode as live

    if wanted:
        live.start()
    else:
        live.stop()
