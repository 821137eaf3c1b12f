# SPDX-License-Identifier: GPL-3.0-or-later
"""Render what the camera of a scene sees, by the settings of the scene: ``python render_scene.py SCENE PICTURE``."""

import sys

import bpy

# Of JPEG, in percent.
QUALITY = 85

if __name__ == "__main__":
    scene, picture = sys.argv[1:]
    bpy.ops.wm.open_mainfile(filepath=scene)
    render = bpy.context.scene.render
    render.image_settings.file_format = "JPEG"
    render.image_settings.quality = QUALITY
    render.filepath = picture
    bpy.ops.render.render(write_still=True)
