# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies settings from one collider to another, except geometry and placement."""

from collections.abc import Set

import bpy

from ..objects.collision_settings import settings_of
from ..objects.own_data import check_own_object
from ..settings import object_settings
from .objects import display_as, move_beside


def copy_settings(source: bpy.types.Object, target: bpy.types.Object, what: Set[str]) -> None:
    """Copy the settings DISPLAY, SHAPE and COLLECTION that are in `what` from one collider to another.

    Raises
    ------
    UserError
        If the other one is linked.
    """
    check_own_object(target)
    if "DISPLAY" in what:
        display_as(target, source)
    if "SHAPE" in what:
        object_settings(target).shape = settings_of(source).shape
    if "COLLECTION" in what:
        move_beside(target, source)
