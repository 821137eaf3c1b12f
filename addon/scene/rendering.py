# SPDX-License-Identifier: GPL-3.0-or-later
"""Start of Blender's graphics without a window, by a render."""

import bpy
import gpu


def start_graphics() -> None:
    """Start the graphics of a Blender without a window, and remove what that needed."""
    if hasattr(gpu, "init"):
        gpu.init()
        return
    images = set(bpy.data.images)
    scene = bpy.data.scenes.new("Collision Kit graphics")
    lens = bpy.data.cameras.new("Collision Kit graphics")
    scene.camera = bpy.data.objects.new("Collision Kit graphics", lens)
    scene.collection.objects.link(scene.camera)
    render = scene.render
    render.resolution_x = render.resolution_y = 16
    render.engine = "BLENDER_WORKBENCH"  # type: ignore[assignment]
    try:
        bpy.ops.render.render(scene=scene.name)
    finally:
        bpy.data.objects.remove(scene.camera)
        bpy.data.cameras.remove(lens)
        bpy.data.scenes.remove(scene)
        for image in set(bpy.data.images) - images:
            bpy.data.images.remove(image)
