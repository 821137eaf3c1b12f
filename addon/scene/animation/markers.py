# SPDX-License-Identifier: GPL-3.0-or-later
"""Timeline markers of contacts. The add-on's markers are identified by the name and frame with which they were added.

A marker that the user has renamed or moved belongs to the user. Blender's markers have no custom properties.
"""

from typing import Any

import bpy

from ..settings import NAME


def ours(scene: bpy.types.Scene) -> dict[tuple[str, int], bpy.types.TimelineMarker]:
    """The markers that were added for contacts and have not been changed."""
    noted = {(entry.label, entry.frame) for entry in _notes(scene)}
    by_place = {(marker.name, marker.frame): marker for marker in scene.timeline_markers}
    return {place: marker for place, marker in by_place.items() if place in noted}


def add(scene: bpy.types.Scene, places: dict[tuple[str, int], None]) -> int:
    """Set the markers of contacts to these places. Returns how many are new."""
    old = ours(scene)
    for place in old.keys() - places.keys():
        scene.timeline_markers.remove(old[place])
    new = [place for place in places if place not in old]
    for name, frame in new:
        scene.timeline_markers.new(name, frame=frame)
    notes = _notes(scene)
    notes.clear()
    for name, frame in places:
        note = notes.add()
        note.label, note.frame = name, frame
    return len(new)


def remove(scene: bpy.types.Scene) -> int:
    """Remove the add-on's markers. Returns how many there were."""
    removed = ours(scene)
    for marker in removed.values():
        scene.timeline_markers.remove(marker)
    _notes(scene).clear()
    return len(removed)


def _notes(scene: bpy.types.Scene) -> Any:
    return getattr(scene, NAME).motion.markers
