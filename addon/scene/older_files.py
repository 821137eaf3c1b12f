# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings as older versions of the add-on have saved them in files."""

from typing import Any

import bpy

from . import events
from .settings import NAME

# Where scenes had an engine before there was one for all panels, the one that counts first, with the items' numbers.
_ENGINES = (
    ("colliders", ("UNREAL", "GODOT", "UNITY", "GLTF")),
    ("validation", ("ANY", "UNREAL", "GODOT", "UNITY", "GLTF", "USD")),
)


@events.on_load.subscribe
def update() -> None:
    """Bring the settings of all scenes to where they are now."""
    for scene in bpy.data.scenes:
        _take_engine(getattr(scene, NAME))


def _take_engine(settings: Any) -> None:
    """Set the engine to the first that was set, and remove what is left of the old settings."""
    for name, items in reversed(_ENGINES):
        group = getattr(settings, name)
        number = group.get("engine")
        if number is not None:
            settings.engine = items[number]
            del group["engine"]
