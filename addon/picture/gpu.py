# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay of a picture drawn by the graphics card, with the very code that draws it in the viewport.

Without a usable driver Blender's first call of one ends the process, and nothing in it can catch that. So the
first call is made by another process, which may end.
"""

import logging
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.numerics.types import Floats
from ..debug_draw.primitives import Primitives
from ..scene import rendering
from ..system.processes import started
from ..system.streams import errors_dropped
from ..viewport.gpu import batches, draw_view, matrix, state, types
from .color import Image
from .raster import View
from .software import SAME_DEPTH, Shot, Software, near_clipped

log = logging.getLogger(__name__)

ToClip = Callable[[Floats], NDArray[np.float32]]

# What the other process says when drawing worked: nothing ends a process with this code by accident.
WORKS = 73

# Seconds. Starting Blender takes one or two; a driver that hangs is not usable.
PATIENCE = 60.0

# Only Blender 5.2 has a call that starts the graphics; before, any render starts those of a Blender without a window.
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
def usable() -> bool:
    """Whether this machine can draw: known where a window is open, tried in another process where not."""
    if not bpy.app.background:
        return True
    # In a folder of its own, which takes what Blender leaves there when the process ends so suddenly.
    with tempfile.TemporaryDirectory(prefix="collision-kit-", ignore_cleanup_errors=True) as folder:
        try:
            process = started(TRIAL, (), Path(folder), subprocess.DEVNULL, blender=True)
        except OSError:
            return False
        try:
            return process.wait(PATIENCE) == WORKS
        except subprocess.TimeoutExpired:
            return False
        finally:
            process.kill()  # which does nothing to one that has ended
            process.wait()


def best_engine() -> Software:
    """What draws overlays: the graphics card where there is a usable one, else numpy."""
    if usable():
        try:
            return Graphics()
        except RuntimeError:
            log.exception("The graphics cannot be started, so the overlay is drawn without")
    return Software()


class Graphics(Software):
    """Draws with the graphics card; made only where `usable` says so."""

    name = "gpu"

    def __init__(self) -> None:
        if bpy.app.background:
            # Blender asks the driver for one kind of context after another, and the driver complains of each refusal.
            with errors_dropped():
                rendering.start_graphics()

    def draw(self, image: Image, shot: Shot, primitives: Primitives, scale: float) -> None:
        """Draw lines and points over an sRGB image (H, W, 3), with what draws them in the viewport.

        Drivers differ: where this one fails nevertheless, the overlay is drawn without it, and `name` says so.
        """
        try:
            laid = _drawn(shot, primitives, scale)
        except Exception:
            log.exception("The graphics card cannot draw the overlay, so it is drawn without")
            self.name = Software.name
            super().draw(image, shot, primitives, scale)
        else:
            # Drawn on nothing, so the colors already carry their opacity.
            image *= 1.0 - laid[..., 3:]
            image += laid[..., :3]


def _drawn(shot: Shot, primitives: Primitives, scale: float) -> Image:
    """The overlay on nothing (H, W, 4), its colors multiplied by their opacity."""
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
    """The primitives in clip space, a little nearer than they are: a line in a surface is seen."""
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
    """Draw into an empty offscreen in clip space; yields what takes points of the screen there."""
    depth = screen[..., 2]
    low, high = (float(depth.min()), float(depth.max())) if depth.size else (0.0, 1.0)
    # Room for lines before the first triangle and behind the last.
    middle, half = (low + high) / 2.0, 0.6 * (high - low) + 1e-6 * abs(high) + 1e-12

    def to_clip(points: Floats) -> NDArray[np.float32]:
        x = points[..., 0] * (2.0 / width) - 1.0
        y = 1.0 - points[..., 1] * (2.0 / height)
        # Lines that reach beyond what is drawn are not cut off there.
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
    """The bound framebuffer (H, W, 4), the upper row first."""
    pixels = state.active_framebuffer_get().read_color(0, 0, width, height, 4, 0, "UBYTE")
    pixels.dimensions = width * height * 4
    return np.array(pixels, dtype=np.uint8).reshape(height, width, 4)[::-1]
