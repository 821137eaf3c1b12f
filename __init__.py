# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit: collision geometry authored and validated, in Blender and out of it.

Blender calls `register` and `unregister`; everything that needs Blender is imported inside them, so that
``import collision_kit.core`` works with numpy alone.
"""

from __future__ import annotations

import sys

# ``python -m collision_kit`` looks for modules in the working directory first, and what lies there may be anybody's.
if sys.argv[:1] == ["-m"] and {__name__, f"-m{__name__}"} & set(sys.orig_argv) and not sys.flags.safe_path:
    del sys.path[0]

import os

# Nothing else is loaded here: whoever interrupts the command before `main` has begun gets a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

__version__ = "0.1.0"

# The names by which Blender's glTF add-on finds what reads and writes extensions, and where it is.
_GLTF = {
    "glTF2ImportUserExtension": ("gltf.importing", "ColliderImport"),
    "glTF2ExportUserExtension": ("gltf.exporting", "ColliderExport"),
    "draw_import": ("ui.panels.gltf", "draw_import"),
    "draw_export": ("ui.panels.gltf", "draw_export"),
}


def register() -> None:
    """Add Collision Kit to Blender."""
    from . import addon

    addon.register()


def unregister() -> None:
    """Take Collision Kit out of Blender, leaving nothing behind."""
    from . import addon

    addon.unregister()


def __getattr__(name: str) -> Any:
    """Load what needs Blender when it is asked for: `api`, and what Blender's glTF add-on looks for in add-ons."""
    import importlib

    if name == "api":
        # So that scripts find the settings of objects and the accepted pairs that files hold.
        importlib.import_module(f"{__name__}.addon.file_settings").register()
        return importlib.import_module(f"{__name__}.addon.api")
    if name in _GLTF:
        module, attribute = _GLTF[name]
        return getattr(importlib.import_module(f"{__name__}.addon.{module}"), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main() -> NoReturn:
    """Run the command ``collision-kit`` and end the process with its exit code."""
    # Before anything else is imported: with ``python -c`` Python looks for it in the working directory first.
    if sys.path[:1] == [""]:
        del sys.path[0]
    try:
        import signal

        # Until there is something to tidy up. An interrupt can become another error while modules are loaded.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda *_: os._exit(130))
        from .process import main

        main()
    except KeyboardInterrupt:
        os._exit(130)
