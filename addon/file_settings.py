# SPDX-License-Identifier: GPL-3.0-or-later
"""Register the properties that files store and their handlers, without panels, operators and keys.

Scripts that import `api` need no more of the add-on than this. An enabled add-on has registered it already.
"""

import atexit
from contextlib import ExitStack
from typing import Any

import bpy

from .scene import events
from .scene import older_files as older_files  # listens for files that are loaded
from .scene import overrides as overrides  # listens for files that are saved
from .scene.settings import NAME
from .ui.properties.scene import CLASSES, GROUPS

# Cleanup for `unregister`, last first.
_registered = ExitStack()


def add_properties(steps: ExitStack) -> None:
    """Register the properties in Blender. `steps` unregisters them."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
        steps.callback(bpy.utils.unregister_class, cls)
    for owner, group in GROUPS:
        # Otherwise Blender does not look for overridden settings in the groups.
        override: Any = {"LIBRARY_OVERRIDABLE"} if owner is bpy.types.Object else set()
        setattr(owner, NAME, bpy.props.PointerProperty(type=group, override=override))
        steps.callback(delattr, owner, NAME)


def watch(steps: ExitStack) -> None:
    """Register handlers for scene events. `steps` unregisters them."""
    events.register()
    steps.callback(events.unregister)


def register() -> None:
    """Register both, unless they are registered."""
    global _registered
    if hasattr(bpy.types.Scene, NAME):
        return
    with ExitStack() as steps:
        add_properties(steps)
        watch(steps)
        _registered = steps.pop_all()
    # 4.2 and 4.5 as a module crash at exit if classes are still registered.
    atexit.register(unregister)


def unregister() -> None:
    """Undo `register`. Does nothing the second time."""
    atexit.unregister(unregister)
    _registered.close()
