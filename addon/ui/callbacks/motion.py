# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the properties of a check of motion; see `callbacks` on `bpy` in here."""

from typing import Any


def chosen_contact(contacts: Any) -> int:
    """Return where the chosen contact is listed."""
    from ..result_list import contacts as listed

    return listed.chosen_place(contacts)


def choose_contact(contacts: Any, place: int) -> None:
    """Choose what is listed at a place."""
    from ...viewport import curve_preview
    from ..result_list import contacts as listed

    listed.choose_place(contacts, place)
    curve_preview.refresh()


def contact_chosen(_contacts: Any, _context: Any) -> None:
    """Do what a click on a row does."""
    import bpy

    from ..result_list.contacts import view

    if view.turned:
        return
    # An operator and not a function, so that the jump can be undone like any other.
    jump: Any = bpy.ops.collision_kit.jump_to_contact  # type: ignore[attr-defined]
    if jump.poll():
        # Without a window there may be no undo, and Blender crashes where a grouped step is pushed there.
        undo_history: Any = bpy.ops.ed.undo_history
        jump("EXEC_DEFAULT", undo_history.poll(), row=-1)


def motion_shown(_contacts: Any) -> bool:
    """Whether the chosen contact is drawn."""
    from ...viewport import motion_contact as motion_overlay

    return motion_overlay.is_drawn()


def show_motion(_contacts: Any, wanted: bool) -> None:
    """Draw the chosen contact, or the chosen pair of the collision check again."""
    import bpy

    from ...session.collision_results import last_check
    from ...viewport import motion_contact as motion_overlay
    from ...viewport import pair as pair_overlay

    if wanted:
        motion_overlay.draw()
    else:
        motion_overlay.undraw()
        pair_overlay.show(bpy.context, last_check.chosen)
