# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene written by Blender's own exporters, and what its importers read back."""

import subprocess
import sys
from pathlib import Path

import bpy

FORMATS = {"gltf": "scene.glb", "fbx": "scene.fbx"}

# In a Blender of its own: with the glTF add-on of 4.2 it crashes, at its end if not before. The file is there by then.
ROUND_TRIP = """
import bpy, sys
folder, name, file = sys.argv[1:]
bpy.ops.wm.open_mainfile(filepath=folder + "/before.blend")
getattr(bpy.ops.export_scene, name)(filepath=folder + "/" + file)
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
getattr(bpy.ops.import_scene, name)(filepath=folder + "/" + file)
bpy.ops.wm.save_as_mainfile(filepath=folder + "/after.blend", compress=False)
"""


def through(file_format: str, folder: Path) -> None:
    """Write the scene in a format, and load what Blender reads back."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "before.blend"), compress=False)
    command = [sys.executable, "-c", ROUND_TRIP, str(folder), file_format, FORMATS[file_format]]
    subprocess.run(command, check=False, capture_output=True, timeout=120)
    bpy.ops.wm.open_mainfile(filepath=str(folder / "after.blend"))


def exporter_missing(name: str) -> bool:
    """Whether this Blender comes without it, or without what its add-on needs."""
    return not (hasattr(bpy.types, f"EXPORT_SCENE_OT_{name}") and hasattr(bpy.types, f"IMPORT_SCENE_OT_{name}"))
