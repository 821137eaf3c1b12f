# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of the tab that the preferences show or hide.

To add one: an entry in `PANELS`, and a panel that derives from `panels.tab.SwitchedTab` with the entry's key as its
`switch`.
"""

from typing import NamedTuple

import bpy
from bpy.props import BoolProperty

from ..scene import events
from ..scene.settings import preferences_of, save_preferences


class ShownPanel(NamedTuple):
    """A panel that can be hidden.

    Attributes
    ----------
    name : str
        Its title. For a part of a larger feature, the name of that feature.
    description : str
        What it contains.
    shown : bool
        Whether it is shown by default.
    """

    name: str
    description: str
    shown: bool = True


# In the order of appearance in the tab.
PANELS = {
    "rules": ShownPanel("Tests and Rules", "Named tests, and rules for pairs that are meant to collide"),
    "axes": ShownPanel("Separating Axes", "All axes that were tested for the active pair"),
    "floating": ShownPanel("Floating Objects", "Find objects that nothing holds, and drop them", False),
    "object": ShownPanel("Active Object", "The shape, layers and surface of the active object in checks"),
    "colliders": ShownPanel("Colliders", "Make and change colliders"),
    "validation": ShownPanel("Validation", "Find problems that game engines have with the colliders"),
    "coverage": ShownPanel("Collider Coverage", "Compare colliders with what is seen"),
    "motion": ShownPanel("Motion", "Find when animated objects first touch"),
    "probe": ShownPanel("Walk the Level", "Let a character walk on the colliders, and find what goes wrong"),
    "planar": ShownPanel("Planar Checks", "Choose 3D or planar checks, and draw convex pieces of outlines", False),
    "camera": ShownPanel("Camera", "Find the objects that the camera sees", False),
    "obstacle": ShownPanel("Configuration Space", "Draw two objects as one obstacle and a point", False),
    "convexity": ShownPanel("Convexity", "Find what keeps a mesh from being convex", False),
}


def _changed(_panels: object, context: bpy.types.Context) -> None:
    """Redraw the tab, and save the change."""
    save_preferences(context)
    events.redraw()


class COLLISION_KIT_PG_panels(bpy.types.PropertyGroup):
    """A switch for each of the panels."""

    __annotations__ = {
        key: BoolProperty(
            name=panel.name, description=panel.description, default=panel.shown, update=_changed, options=set()
        )
        for key, panel in PANELS.items()
    }


def is_shown(context: bpy.types.Context, key: str) -> bool:
    """Return whether the preferences show a panel. Without preferences, its default."""
    preferences = preferences_of(context)
    return PANELS[key].shown if preferences is None else bool(getattr(preferences.panels, key))


def draw_switches(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw a switch for each panel. There are none if the add-on was registered without being enabled."""
    preferences = preferences_of(context)
    for key in PANELS if preferences is not None else ():
        layout.prop(preferences.panels, key)


CLASSES = (COLLISION_KIT_PG_panels,)
