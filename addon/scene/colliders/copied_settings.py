# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders made alike in all but form and place."""

from collections.abc import Set

import bpy

from ..settings import object_settings
from .objects import display_as, move_beside


def copy_settings(source: bpy.types.Object, target: bpy.types.Object, what: Set[str]) -> None:
    """Give a collider of another's settings DISPLAY, SHAPE and COLLECTION, as far as these are wanted."""
    if "DISPLAY" in what:
        display_as(target, source)
    if "SHAPE" in what:
        object_settings(target).shape = object_settings(source).shape
    if "COLLECTION" in what:
        move_beside(target, source)
