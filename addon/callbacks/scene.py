# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens when properties are read or changed.

These functions reach `bpy` only while they run. Blender 4.2 keeps the class of a property group for ever,
with its callbacks and their globals, unregistered or not. A `bpy` among those outlives Python's end, and the
process crashes. For the same reason property groups have no methods.
"""

from typing import Any

from ..session import last


def overlay_switched(results: Any, context: Any) -> None:
    """Draw the chosen pair, or draw it no more."""
    from ..overlay import pair as pair_overlay

    if results.show_overlay:
        pair_overlay.show(context, last.chosen)
    else:
        pair_overlay.hide()


def culling_shown(_results: Any) -> bool:
    """Whether the camera's view is drawn."""
    return last.view_drawn


def show_culling(_results: Any, wanted: bool) -> None:
    """Draw the camera's view, or the chosen pair again."""
    import bpy

    from ..culling import session as culled
    from ..overlay import pair as pair_overlay

    if wanted:
        culled.draw()
    else:
        culled.undraw()
        pair_overlay.show(bpy.context, last.chosen)


def shape_changed(settings: Any, context: Any) -> None:
    """Take note that an object stands for another shape, which Blender's depsgraph does not know."""
    from ..culling import session as culled
    from ..live import mode as live
    from ..motion import overlay as motion_overlay
    from ..motion import session as motion_session
    from ..overlay import pair as pair_overlay

    uids = [settings.id_data.session_uid]
    last.mark_changed(uids)
    motion_session.mark_changed(uids)
    motion_overlay.undraw_if_changed()
    culled.mark_changed(context.scene, uids, frame_changed=False)
    live.note((), (), relations=True)
    if not live.is_on():
        pair_overlay.hide_if_stale()


def settings_changed(_settings: Any, _context: Any) -> None:
    """Have live mode check with the settings as they are now."""
    from ..live import mode as live

    live.note((), (), relations=True)


def live_on(_results: Any) -> bool:
    """Whether the results follow the scene."""
    from ..live import mode as live

    return live.is_on()


def switch_live(_results: Any, wanted: bool) -> None:
    """Have the results follow the scene, or no more."""
    from ..live import mode as live

    if wanted:
        live.start()
    else:
        live.stop()
