# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit in Blender: panels, operators and a command on top of `core`."""

import atexit
from contextlib import ExitStack

import bpy

from . import file_settings
from .i18n.catalogs import catalogs
from .scene.settings import ROOT
from .ui import keymap, manual, operators, panels, preferences
from .ui.panels import gltf as gltf_panels  # after the package `gltf` is imported, this name is that of the package
from .ui.panels import menus
from .viewport import curve_preview, handler

# Cleanup for `unregister`, last first.
_registered = ExitStack()


def register() -> None:
    """Register everything in Blender or, if one step fails, nothing."""
    global _registered
    file_settings.unregister()  # a script may have registered them before
    with ExitStack() as steps:
        bpy.app.translations.register(ROOT, catalogs())
        steps.callback(bpy.app.translations.unregister, ROOT)
        file_settings.add_properties(steps)
        for cls in (*preferences.CLASSES, *operators.CLASSES, *panels.CLASSES):
            bpy.utils.register_class(cls)
            steps.callback(bpy.utils.unregister_class, cls)
        steps.callback(operators.modal_steps.end_all)
        for part in (keymap, manual, menus, curve_preview):
            part.register()
            steps.callback(part.unregister)
        preferences.apply_saved()
        steps.callback(preferences.apply)
        if not bpy.app.background:  # Where it would keep Python from exiting: it uses `driver_namespace`.
            handler.install()
            steps.callback(handler.remove)
        file_settings.watch(steps)
        gltf_panels.register()
        steps.callback(gltf_panels.unregister)
        command = bpy.utils.register_cli_command("collision_kit", _run_command)
        steps.callback(bpy.utils.unregister_cli_command, command)
        _registered = steps.pop_all()
    # For scripts that end with the add-on enabled: 4.2 and 4.5 as a module crash if classes are still registered.
    atexit.register(unregister)


def unregister() -> None:
    """Unregister everything, in reverse order. Does nothing the second time."""
    atexit.unregister(unregister)
    _registered.close()


def _run_command(arguments: list[str]) -> int:
    from .cli import commands  # modules that only the command line needs are not loaded with the panel

    return commands.command(arguments)
