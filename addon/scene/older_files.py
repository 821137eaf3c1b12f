# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert settings saved by older versions of the add-on."""

from typing import Any

import bpy

from . import events
from .settings import NAME

# Former places of the engine setting, before there was one for all panels. The first has priority. With the numbers of
# the items.
_ENGINES = (
    ("colliders", ("UNREAL", "GODOT", "UNITY", "GLTF")),
    ("validation", ("ANY", "UNREAL", "GODOT", "UNITY", "GLTF", "USD")),
)


@events.on_load.subscribe
def update() -> None:
    """Convert the settings of all scenes."""
    for scene in bpy.data.scenes:
        _take_engine(getattr(scene, NAME))


def _take_engine(settings: Any) -> None:
    """Set the engine to the first that was set, and remove the old settings."""
    for name, items in reversed(_ENGINES):
        group = getattr(settings, name)
        number = group.get("engine")
        if number is not None:
            settings.engine = items[number]
            del group["engine"]
