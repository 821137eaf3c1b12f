# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphics in a Blender without a window: whether they work, and what the viewport draws with them.

Without a usable driver, the first graphics call ends Blender's process, and nothing in it can prevent that. Another
process therefore makes the first call.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import bpy
import gpu
import numpy as np
import pytest
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix
from numpy.typing import NDArray

from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.picture.color import Image
from collision_kit.addon.picture.overlay import SAME_DEPTH, Shot, near_clipped
from collision_kit.addon.picture.raster import View
from collision_kit.addon.viewport.gpu import batches, draw_view, matrix, state, types
from collision_kit.core.numerics.types import Floats

ToClip = Callable[[Floats], NDArray[np.float32]]

# The exit code of the other process if drawing worked. No process ends with it by accident.
WORKS = 73

# Seconds. Starting Blender takes one or two; a driver that hangs does not work.
PATIENCE = 60.0

# Only Blender 5.2 has a function that starts the graphics. In earlier versions, any render starts them in a Blender
# without a window.
TRIAL = f"""
import os, bpy, gpu
if hasattr(gpu, "init"):
    gpu.init()
else:
    render = bpy.context.scene.render
    render.engine, render.resolution_x, render.resolution_y = "BLENDER_WORKBENCH", 16, 16
    bpy.ops.render.render()
offscreen = gpu.types.GPUOffScreen(8, 8, format="RGBA8")
with offscreen.bind():
    gpu.state.active_framebuffer_get().clear(color=(1.0, 0.0, 0.0, 1.0))
    pixel = gpu.state.active_framebuffer_get().read_color(0, 0, 1, 1, 4, 0, "UBYTE").to_list()
os._exit({WORKS} if pixel[0][0] == [255, 0, 0, 255] else 1)
"""


@cache
def works() -> bool:
    """Whether Blender can draw on this machine, tried in another process."""
    # In a separate folder, for the files that Blender leaves behind when the process ends so suddenly.
    with tempfile.TemporaryDirectory(prefix="collision-kit-", ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)}
        command = [sys.executable, "-P", "-c", TRIAL]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == WORKS


def needed() -> None:
    """Start the graphics, or skip the test if they do not work."""
    if not works():
        pytest.skip("no usable graphics driver")
    start()


def start() -> None:
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
    render.engine = "BLENDER_WORKBENCH"
    try:
        bpy.ops.render.render(scene=scene.name)
    finally:
        bpy.data.objects.remove(scene.camera)
        bpy.data.cameras.remove(lens)
        bpy.data.scenes.remove(scene)
        for image in set(bpy.data.images) - images:
            bpy.data.images.remove(image)


def draw_overlay(image: Image, shot: Shot, primitives: Primitives, scale: float) -> None:
    """Draw primitives over an image like `picture.overlay.draw_overlay`, but as the viewport draws them."""
    drawn = _drawn(shot, primitives, scale)
    # Drawn on a transparent background, so the colors are already multiplied by their opacity.
    image *= 1.0 - drawn[..., 3:]
    image += drawn[..., :3]


def _drawn(shot: Shot, primitives: Primitives, scale: float) -> Image:
    """The overlay on a transparent background (H, W, 4), with colors multiplied by their opacity."""
    width, height = shot.view.width, shot.view.height
    offscreen = types.GPUOffScreen(width, height, format="RGBA8")
    try:
        with _pixels(offscreen, shot.screen, width, height) as to_clip:
            if len(shot.screen):
                shader: Any = gpu.shader.from_builtin("UNIFORM_COLOR")
                state.color_mask_set(False, False, False, False)
                batch_for_shader(shader, "TRIS", {"pos": to_clip(shot.screen.reshape(-1, 3))}).draw(shader)
                state.color_mask_set(True, True, True, True)
            draw_view(batches(_on_screen(primitives, shot.view, to_clip)), (width, height), scale)
            return _read(width, height).astype(np.float32) / 255.0
    finally:
        offscreen.free()


def _on_screen(primitives: Primitives, view: View, to_clip: ToClip) -> Primitives:
    """The primitives in clip space, moved slightly nearer, so that a line in a surface is visible."""
    lines, parent = near_clipped(view, primitives.lines)
    seen = view.depth(primitives.points) > view.near
    return Primitives(
        lines=to_clip(_nearer(view, lines)).astype(np.float64),
        line_role=primitives.line_role[parent],
        points=to_clip(_nearer(view, primitives.points[seen])).astype(np.float64),
        point_role=primitives.point_role[seen],
    )


def _nearer(view: View, points: Floats) -> Floats:
    screen = view.screen(points)
    screen[..., 2] += view.slack(screen[..., 2], SAME_DEPTH)
    return screen


@contextmanager
def _pixels(offscreen: Any, screen: Floats, width: int, height: int) -> Iterator[ToClip]:
    """Draw into an empty offscreen buffer in clip space; yields a function that takes points of the screen to it."""
    depth = screen[..., 2]
    low, high = (float(depth.min()), float(depth.max())) if depth.size else (0.0, 1.0)
    # Depth range for lines in front of the first triangle and behind the last.
    middle, half = (low + high) / 2.0, 0.6 * (high - low) + 1e-6 * abs(high) + 1e-12

    def to_clip(points: Floats) -> NDArray[np.float32]:
        x = points[..., 0] * (2.0 / width) - 1.0
        y = 1.0 - points[..., 1] * (2.0 / height)
        # Lines that extend beyond the drawn region are not clipped there.
        z = np.clip((middle - points[..., 2]) / half, -0.9999, 0.9999)
        return np.stack([x, y, z], axis=-1).astype(np.float32)

    with offscreen.bind(), matrix.push_pop(), matrix.push_pop_projection():
        matrix.load_matrix(Matrix.Identity(4))
        matrix.load_projection_matrix(Matrix.Identity(4))
        state.active_framebuffer_get().clear(color=(0.0, 0.0, 0.0, 0.0), depth=1.0)
        state.depth_test_set("LESS_EQUAL")
        state.depth_mask_set(True)
        state.blend_set("NONE")
        try:
            yield to_clip
        finally:
            state.color_mask_set(True, True, True, True)
            state.depth_test_set("NONE")
            state.depth_mask_set(False)


def _read(width: int, height: int) -> NDArray[np.uint8]:
    """The bound framebuffer (H, W, 4), upper row first."""
    pixels = state.active_framebuffer_get().read_color(0, 0, width, height, 4, 0, "UBYTE")
    pixels.dimensions = width * height * 4
    return np.array(pixels, dtype=np.uint8).reshape(height, width, 4)[::-1]
