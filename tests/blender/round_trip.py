# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene written by Blender's own exporters, and what its importers read back."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import bpy

FORMATS = {"fbx": "scene.fbx", "gltf": "scene.glb"}

# In a Blender of its own: with the glTF add-on of 4.2 it crashes, at its end if not before. The files exist by then.
ROUND_TRIP = """
import bpy, sys
folder, *formats = sys.argv[1:]
for name, file in zip(formats[::2], formats[1::2]):
    bpy.ops.wm.open_mainfile(filepath=folder + "/before.blend")
    getattr(bpy.ops.export_scene, name)(filepath=folder + "/" + file)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    getattr(bpy.ops.import_scene, name)(filepath=folder + "/" + file)
    bpy.ops.wm.save_as_mainfile(filepath=folder + "/" + name + ".blend", compress=False)
"""


def through(formats: Sequence[str], folder: Path) -> Iterator[str]:
    """Write the scene in each format; load what Blender reads back, and yield the format."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "before.blend"), compress=False)
    command = [sys.executable, "-c", ROUND_TRIP, str(folder)]
    for one in formats:
        command += [one, FORMATS[one]]
    subprocess.run(command, check=False, capture_output=True, timeout=120)
    for one in formats:
        bpy.ops.wm.open_mainfile(filepath=str(folder / f"{one}.blend"))
        yield one


def exporter_missing(name: str) -> bool:
    """Whether this Blender comes without it, or without what its add-on needs."""
    return not (hasattr(bpy.types, f"EXPORT_SCENE_OT_{name}") and hasattr(bpy.types, f"IMPORT_SCENE_OT_{name}"))
