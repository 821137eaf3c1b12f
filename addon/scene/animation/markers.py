# SPDX-License-Identifier: GPL-3.0-or-later
"""Timeline markers that name contacts. Those of ours are known by the name and the frame with which they were added.

What the user has renamed or moved is the user's. Blender gives markers no place for a note of one's own.
"""

from typing import Any

import bpy

from ..settings import NAME


def ours(scene: bpy.types.Scene) -> dict[tuple[str, int], bpy.types.TimelineMarker]:
    """The markers that were added for contacts and are as they were."""
    noted = {(entry.label, entry.frame) for entry in _notes(scene)}
    by_place = {(marker.name, marker.frame): marker for marker in scene.timeline_markers}
    return {place: marker for place, marker in by_place.items() if place in noted}


def add(scene: bpy.types.Scene, places: dict[tuple[str, int], None]) -> int:
    """Mark these places and no others; return how many markers are new."""
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
    """Remove the markers of ours; return how many there were."""
    removed = ours(scene)
    for marker in removed.values():
        scene.timeline_markers.remove(marker)
    _notes(scene).clear()
    return len(removed)


def _notes(scene: bpy.types.Scene) -> Any:
    return getattr(scene, NAME).motion.markers
