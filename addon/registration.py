# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit in Blender: panels, operators and a command on top of `core`."""

import atexit
from contextlib import ExitStack
from typing import Any

import bpy

from .i18n.catalogs import catalogs
from .scene import events
from .scene import overrides as overrides  # listens for files that are saved
from .scene.settings import NAME, ROOT
from .ui import keymap, manual, operators, panels, preferences
from .ui.panels import gltf as gltf_panels  # once the package `gltf` is imported, that name is its
from .ui.panels import menus
from .ui.properties.scene import CLASSES, GROUPS
from .viewport import handler

# What `unregister` has to undo, last first.
_registered = ExitStack()


def register() -> None:
    """Add everything to Blender, or, if one step fails, nothing."""
    global _registered
    with ExitStack() as steps:
        bpy.app.translations.register(ROOT, catalogs())
        steps.callback(bpy.app.translations.unregister, ROOT)
        for cls in (*CLASSES, *preferences.CLASSES, *operators.CLASSES, *panels.CLASSES):
            bpy.utils.register_class(cls)
            steps.callback(bpy.utils.unregister_class, cls)
        for owner, group in GROUPS:
            # Without this Blender does not look for overridden settings in the groups.
            override: Any = {"LIBRARY_OVERRIDABLE"} if owner is bpy.types.Object else set()
            setattr(owner, NAME, bpy.props.PointerProperty(type=group, override=override))
            steps.callback(delattr, owner, NAME)
        for part in (keymap, manual, menus):
            part.register()
            steps.callback(part.unregister)
        preferences.apply_saved()
        steps.callback(preferences.apply)
        if not bpy.app.background:  # Where it would keep Python from ending: it uses `driver_namespace`.
            handler.install()
            steps.callback(handler.remove)
        events.register()
        steps.callback(events.unregister)
        gltf_panels.register()
        steps.callback(gltf_panels.unregister)
        command = bpy.utils.register_cli_command("collision_kit", _run_command)
        steps.callback(bpy.utils.unregister_cli_command, command)
        _registered = steps.pop_all()
    # Of scripts that end with the add-on on: 4.2 and 4.5 as a module crash over classes that are still registered.
    atexit.register(unregister)


def unregister() -> None:
    """Take everything out of Blender again, in reverse order; a second time does nothing."""
    atexit.unregister(unregister)
    _registered.close()


def _run_command(arguments: list[str]) -> int:
    from .cli import commands  # What only the command line needs is not loaded with the panel.

    return commands.command(arguments)
