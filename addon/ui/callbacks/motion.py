# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the properties of a motion check; see `callbacks` on `bpy` in here."""

from typing import Any

from .shared import click, show_or_pair


def chosen_contact(contacts: Any) -> int:
    """Return the place of the chosen contact in the list."""
    from ..result_list import contacts as listed

    return listed.chosen_place(contacts)


def choose_contact(contacts: Any, place: int) -> None:
    """Choose the contact at a place in the list."""
    from ...viewport import curve_preview
    from ..result_list import contacts as listed

    listed.choose_place(contacts, place)
    curve_preview.refresh()


def contact_chosen(_contacts: Any, _context: Any) -> None:
    """Do the same as clicking a row."""
    from ..result_list.contacts import view

    if not view.turned:
        click("jump_to_contact", -1)


def motion_shown(_contacts: Any) -> bool:
    """Whether the chosen contact is drawn."""
    from ...viewport import motion_contact as motion_overlay

    return motion_overlay.is_drawn()


def show_motion(_contacts: Any, wanted: bool) -> None:
    """Draw the chosen contact, or the chosen pair of the collision check again."""
    from ...viewport import motion_contact as motion_overlay

    show_or_pair(wanted, motion_overlay.draw, motion_overlay.undraw)
