# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by a Blender with a window: install the extension, check two cubes, write down what the window showed.

``blender --python window.py -- ZIP OUT.json``
"""

import json
import sys
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import bpy
import gpu
import numpy as np

EXTENSION = "bl_ext.user_default.collision_kit"
PAUSE = 0.7  # seconds between two steps: a redraw by a software renderer takes part of one


def view() -> tuple[bpy.types.Window, bpy.types.Area, bpy.types.Region]:
    """Return the window, its 3D view and the region in which that draws the scene."""
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    return window, area, next(region for region in area.regions if region.type == "WINDOW")


class Camera:
    """Keeps what the 3D view showed last, read back after everything else was drawn into it."""

    def __init__(self) -> None:
        self.pixels = np.zeros(0)
        bpy.types.SpaceView3D.draw_handler_add(self._expose, (), "WINDOW", "POST_PIXEL")

    def _expose(self) -> None:
        x, y, width, height = gpu.state.viewport_get()
        buffer = gpu.state.active_framebuffer_get().read_color(x, y, width, height, 4, 0, "FLOAT")
        buffer.dimensions = width * height * 4
        self.pixels = np.array(buffer).reshape(height, width, 4)


def changed(before: np.ndarray, after: np.ndarray) -> int:
    """Count the pixels that differ visibly."""
    return int((np.abs(before - after)[..., :3].max(axis=-1) > 0.05).sum())


def steps(extension_zip: str, out: str) -> Iterator[None]:
    """Do one thing after another; between two of them Blender draws."""
    install = bpy.ops.extensions.package_install_files
    install(filepath=extension_zip, repo="user_default", enable_on_install=True)
    seen: dict[str, object] = {}
    window, area, region = view()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.mesh.primitive_cube_add(location=(1.5, 0.0, 0.0))
        bpy.ops.object.select_all(action="DESELECT")
        area.spaces.active.show_region_ui = True
        bpy.context.scene.collision_kit.scope = "VISIBLE"
    yield
    sidebar = next(region for region in area.regions if region.type == "UI")
    sidebar.active_panel_category = "Collision"
    camera = Camera()  # its handler comes after the overlay's own
    area.tag_redraw()
    yield
    empty = camera.pixels
    area.tag_redraw()
    yield
    seen["pixels changed by the same view drawn twice"] = changed(empty, camera.pixels)
    seen["tab"] = sidebar.active_panel_category

    with bpy.context.temp_override(window=window, area=area, region=region):
        assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    report = import_module(f"{EXTENSION}.addon.session").last.report
    seen["verdicts"] = [pair.verdict.name for pair in report.pairs]
    area.tag_redraw()
    yield
    seen["pixels changed by the overlay"] = changed(empty, camera.pixels)

    with bpy.context.temp_override(window=window, area=area, region=region):
        assert bpy.ops.collision_kit.clear_results() == {"FINISHED"}
    area.tag_redraw()
    yield
    seen["pixels changed once the results are cleared"] = changed(empty, camera.pixels)
    Path(out).write_text(json.dumps(seen, indent=1), encoding="utf-8")


def run(todo: Iterator[None]) -> None:
    """Take a step now and the next ones in the pauses of Blender's event loop, then end Blender."""

    def step() -> float | None:
        try:
            next(todo)
        except StopIteration:
            bpy.ops.wm.quit_blender()
            return None
        except Exception:
            traceback.print_exc()
            bpy.ops.wm.quit_blender()
            return None
        return PAUSE

    bpy.app.timers.register(step, first_interval=PAUSE)


run(steps(*sys.argv[sys.argv.index("--") + 1 :]))
