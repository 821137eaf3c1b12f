# SPDX-License-Identifier: GPL-3.0-or-later
"""Registration of the properties that files store and of their handlers, without panels, operators and keys.

Scripts that import `api` need no more of the add-on than this. While the add-on is enabled it is there anyway.
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

# What `unregister` has to undo, last first.
_registered = ExitStack()


def add_properties(steps: ExitStack) -> None:
    """Add the properties to Blender; `steps` takes them out again."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
        steps.callback(bpy.utils.unregister_class, cls)
    for owner, group in GROUPS:
        # Without this Blender does not look for overridden settings in the groups.
        override: Any = {"LIBRARY_OVERRIDABLE"} if owner is bpy.types.Object else set()
        setattr(owner, NAME, bpy.props.PointerProperty(type=group, override=override))
        steps.callback(delattr, owner, NAME)


def watch(steps: ExitStack) -> None:
    """Listen to what happens to scenes; `steps` ends that."""
    events.register()
    steps.callback(events.unregister)


def register() -> None:
    """Add both to Blender, unless they are there."""
    global _registered
    if hasattr(bpy.types.Scene, NAME):
        return
    with ExitStack() as steps:
        add_properties(steps)
        watch(steps)
        _registered = steps.pop_all()
    # 4.2 and 4.5 as a module crash at exit over classes that are still registered.
    atexit.register(unregister)


def unregister() -> None:
    """Take out again what `register` has added; a second time does nothing."""
    atexit.unregister(unregister)
    _registered.close()
