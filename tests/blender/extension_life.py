# SPDX-License-Identifier: GPL-3.0-or-later
"""Live the extension's whole life in this process's new profile, then leave Blender the ordinary way.

``python tests/blender/extension_life.py ZIP enabled|disabled|uninstalled``: how it is when Blender ends.
"""

import importlib
import sys

import bpy

EXTENSION = "bl_ext.user_default.collision_kit"


def is_enabled() -> bool:
    """Whether Blender has the extension enabled."""
    return EXTENSION in bpy.context.preferences.addons


def registered() -> set[object]:
    """What the extension has put into Blender: classes, handlers, properties."""
    found: set[object] = set()
    bases = [bpy.types.Operator, bpy.types.Panel, bpy.types.Menu, bpy.types.UIList, bpy.types.PropertyGroup]
    for base in [*bases, bpy.types.AddonPreferences]:
        found |= {c for c in base.__subclasses__() if c.is_registered and c.__module__.startswith(EXTENSION)}
    for name in dir(bpy.app.handlers):
        handlers = getattr(bpy.app.handlers, name)
        if isinstance(handlers, list):
            found |= {(name, h.__name__) for h in handlers if h.__module__.startswith(EXTENSION)}
    for owner in (bpy.types.Scene, bpy.types.Object, bpy.types.WindowManager):
        found |= {(owner.__name__, p.identifier) for p in owner.bl_rna.properties if p.is_runtime}
    return found


def check_two_cubes() -> None:
    """Two cubes of size 2, their centers 1.5 apart, penetrate."""
    bpy.context.scene.collision_kit.scope = "VISIBLE"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    report = importlib.import_module(f"{EXTENSION}.addon.session.collision_results").last.report
    assert [pair.verdict.name for pair in report.pairs] == ["PENETRATING"], report
    assert abs(report.pairs[0].distance + 0.5) < 1e-6, report


def main(extension_zip: str, at_the_end: str) -> None:
    """Install, enable, check, disable, enable and check again."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.mesh.primitive_cube_add(location=(0.0, 0.0, 0.0))
    bpy.ops.mesh.primitive_cube_add(location=(1.5, 0.0, 0.0))
    before = registered()
    assert not is_enabled()

    install = bpy.ops.extensions.package_install_files
    install(filepath=extension_zip, repo="user_default", enable_on_install=True)
    assert is_enabled()
    present = registered()
    assert present > before, "nothing was registered"
    check_two_cubes()

    bpy.ops.preferences.addon_disable(module=EXTENSION)
    assert not is_enabled()
    assert registered() == before, f"left behind: {registered() - before}"

    bpy.ops.preferences.addon_enable(module=EXTENSION)
    assert is_enabled()
    assert len(registered()) == len(present)
    check_two_cubes()

    if at_the_end == "disabled":
        bpy.ops.preferences.addon_disable(module=EXTENSION)
    elif at_the_end == "uninstalled":
        repositories = [repository.module for repository in bpy.context.preferences.extensions.repos]
        uninstall = bpy.ops.extensions.package_uninstall
        uninstall(repo_index=repositories.index("user_default"), pkg_id="collision_kit")
    assert is_enabled() == (at_the_end == "enabled")
    assert is_enabled() or registered() == before
    print("the extension has lived")


if __name__ == "__main__":
    main(*sys.argv[1:])
