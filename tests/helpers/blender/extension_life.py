# SPDX-License-Identifier: GPL-3.0-or-later
"""Go through the whole life cycle of the extension in a new profile, then quit Blender in the usual way.

``python tests/helpers/blender/extension_life.py ZIP enabled|disabled|uninstalled``: how it is when Blender ends. With
``reloaded`` all scripts are reloaded on the way, and Blender does not tidy up: 4.2 as a module crashes over any reload.
"""

import importlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy

sys.path.append(str(Path(__file__).parent))

from footprint import footprint, modules

EXTENSION = "bl_ext.user_default.collision_kit"


def is_enabled() -> bool:
    """Whether Blender has the extension enabled."""
    return EXTENSION in bpy.context.preferences.addons


def addon(name: str) -> Any:
    """The current module object of the extension."""
    return importlib.import_module(f"{EXTENSION}.addon.{name}")


def enable() -> None:
    """Enable the extension again; nothing is registered twice."""
    bpy.ops.preferences.addon_enable(module=EXTENSION)
    assert is_enabled()
    assert footprint(EXTENSION) == present, footprint(EXTENSION) ^ present


def disable() -> None:
    """Disable the extension; nothing of it remains."""
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    assert not is_enabled()
    assert not footprint(EXTENSION), f"left behind: {footprint(EXTENSION)}"


def two_cubes() -> None:
    """Two cubes of size 2 in a new file, their centers 1.5 apart."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.mesh.primitive_cube_add(location=(0.0, 0.0, 0.0))
    bpy.ops.mesh.primitive_cube_add(location=(1.5, 0.0, 0.0))


def depth() -> float:
    """The depth of their penetration, from the last report."""
    report = addon("session.collision_results").last_check.report
    assert [pair.verdict.name for pair in report.pairs] == ["PENETRATING"], report
    return -report.pairs[0].distance


def check() -> None:
    """Two cubes of size 2, their centers 1.5 apart, penetrate."""
    bpy.context.scene.collision_kit.scope = "VISIBLE"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    assert abs(depth() - 0.5) < 1e-6


def use() -> None:
    """Produce results of every kind, with live mode on."""
    check()
    assert bpy.ops.collision_kit.validate_colliders() == {"FINISHED"}
    assert bpy.ops.collision_kit.check_convexity() == {"FINISHED"}
    assert bpy.ops.collision_kit.check_motion() == {"FINISHED"}
    bpy.context.window_manager.collision_kit.live = True
    assert addon("live.live_mode").update(bpy.context, 60.0)


def follows() -> None:
    """Assert that live mode is notified of moved objects."""
    bpy.context.window_manager.collision_kit.live = True
    bpy.context.view_layer.objects[0].location.x += 0.25
    bpy.context.view_layer.update()
    assert addon("live.live_mode").update(bpy.context, 60.0)
    assert abs(depth() - 0.75) < 1e-6


def change() -> None:
    """Do things that call handlers.

    These are: move an object, change the frame, undo and redo, save a file, start a new one, and open the saved one
    again.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "two.blend"))
        first = bpy.context.view_layer.objects[0]
        first.location.z += 1.0
        bpy.context.view_layer.update()
        first.location.z -= 1.0
        bpy.context.scene.frame_set(3)
        for number in range(2):
            bpy.ops.ed.undo_push(message=f"{number}")
        bpy.ops.ed.undo()
        bpy.ops.ed.redo()
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.ops.wm.open_mainfile(filepath=path)


def keeps_settings() -> None:
    """Assert that the data in a file are kept when it is loaded and saved while the extension is disabled."""
    bpy.context.view_layer.objects[0].collision_kit.shape = "SPHERE"
    bpy.context.scene.collision_kit.clearance = 0.125
    disable()
    change()
    enable()
    assert bpy.context.view_layer.objects[0].collision_kit.shape == "SPHERE"
    assert bpy.context.scene.collision_kit.clearance == 0.125


def main(extension_zip: str, at_the_end: str) -> None:
    """Install, use, disable, enable and use again; reload all scripts or reset Blender."""
    two_cubes()
    assert not is_enabled()
    assert not footprint(EXTENSION)

    install = bpy.ops.extensions.package_install_files
    install(filepath=extension_zip, repo="user_default", enable_on_install=True)
    assert is_enabled()
    present.update(footprint(EXTENSION))
    assert present, "nothing was registered"
    use()

    disable()
    change()
    enable()
    use()
    follows()
    change()
    keeps_settings()

    two_cubes()
    use()
    if at_the_end == "reloaded":
        bpy.ops.script.reload()
    else:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        assert not is_enabled()
        assert not footprint(EXTENSION), f"left behind: {footprint(EXTENSION)}"
        enable()
    assert is_enabled()
    assert footprint(EXTENSION) == present, footprint(EXTENSION) ^ present
    two_cubes()
    use()
    follows()

    if at_the_end == "disabled":
        disable()
    elif at_the_end == "uninstalled":
        repositories = [repository.module for repository in bpy.context.preferences.extensions.repos]
        uninstall = bpy.ops.extensions.package_uninstall
        uninstall(repo_index=repositories.index("user_default"), pkg_id="collision_kit")
        assert not footprint(EXTENSION)
        assert not modules(EXTENSION)
    assert is_enabled() == (at_the_end in {"enabled", "reloaded"})
    print("the extension has lived", flush=True)
    if at_the_end == "reloaded":
        os._exit(0)


# The parts of the extension that exist while it is enabled.
present: set[str] = set()


if __name__ == "__main__":
    main(*sys.argv[1:])
