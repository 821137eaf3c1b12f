# SPDX-License-Identifier: GPL-3.0-or-later
"""Place of the add-on's panels: the tab "Collision" of the 3D viewport's sidebar."""

from typing import Any

import bpy

from .. import shown_panels


class CollisionTab:
    """Puts a panel into the tab."""

    # The stubs only allow the one value of `Panel` for each of these.
    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = "Collision"


class SwitchedTab(CollisionTab):
    """Puts a panel into the tab that can be hidden in the preferences. It is shown while it has results.

    Attributes
    ----------
    switch : str
        Its key in `shown_panels.PANELS`.
    """

    switch = ""

    @classmethod
    def applies(cls, _context: bpy.types.Context) -> bool:
        """Return whether the panel can be used with something in the scene."""
        return True

    @classmethod
    def has_results(cls, _context: bpy.types.Context) -> bool:
        """Return whether the panel has results, which may come from a menu."""
        return False

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if the preferences do and it can be used, and whenever it has results."""
        return cls.has_results(context) or (shown_panels.is_shown(context, cls.switch) and cls.applies(context))
