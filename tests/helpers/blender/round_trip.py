# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene written by Blender's own exporters and read back by its importers."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import bpy

from tests.helpers.blender.other_blender import OtherBlender

FORMATS = {"fbx": "scene.fbx", "gltf": "scene.glb"}

# Run in another Blender, because with the glTF add-on of 4.2 it crashes, at the latest when it ends.
ROUND_TRIP = """
import bpy
folder, *formats = arguments
for name, file in zip(formats[::2], formats[1::2]):
    bpy.ops.wm.open_mainfile(filepath=folder + "/before.blend")
    getattr(bpy.ops.export_scene, name)(filepath=folder + "/" + file)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    getattr(bpy.ops.import_scene, name)(filepath=folder + "/" + file)
    bpy.ops.wm.save_as_mainfile(filepath=folder + "/" + name + ".blend", compress=False)
"""
_OTHER = OtherBlender()


def through(formats: Sequence[str], folder: Path) -> Iterator[str]:
    """Write the scene in each format, load what Blender reads back, and yield the format."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "before.blend"), compress=False)
    _OTHER.run(ROUND_TRIP, str(folder), *(part for one in formats for part in (one, FORMATS[one])))
    for one in formats:
        bpy.ops.wm.open_mainfile(filepath=str(folder / f"{one}.blend"))
        yield one


def exporter_missing(name: str) -> bool:
    """Whether this Blender lacks the format, or something that its add-on needs."""
    return not (hasattr(bpy.types, f"EXPORT_SCENE_OT_{name}") and hasattr(bpy.types, f"IMPORT_SCENE_OT_{name}"))
