# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit: collision geometry authored and validated, in Blender and out of it.

Blender calls `register` and `unregister`; everything that needs Blender is imported inside them, so that
``import collision_kit.core`` works with numpy alone.
"""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

__version__ = "0.1.0"

# The names by which Blender's glTF add-on finds what reads and writes extensions, and where it is.
_GLTF = {
    "glTF2ImportUserExtension": ("gltf.importing", "ColliderImport"),
    "glTF2ExportUserExtension": ("gltf.exporting", "ColliderExport"),
    "draw_import": ("panels.gltf", "draw_import"),
    "draw_export": ("panels.gltf", "draw_export"),
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
    if name == "api":
        return importlib.import_module(f"{__name__}.addon.api")
    if name in _GLTF:
        module, attribute = _GLTF[name]
        return getattr(importlib.import_module(f"{__name__}.addon.{module}"), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@contextmanager
def switched(stream: int, target: int) -> Iterator[None]:
    """Send what is written through C to one of the process's streams to another file descriptor."""
    import ctypes

    kept = os.dup(stream)
    try:
        os.dup2(target, stream)
        yield
    finally:
        # What was printed through C waits in C's own buffer and would come out after the switch.
        ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)
        os.dup2(kept, stream)
        os.close(kept)


def main() -> NoReturn:
    """Run the command ``collision-kit`` and end the process with its exit code."""
    try:
        # Blender 5.2 says on standard output which colours it uses, when it is loaded.
        with switched(1, 2):
            from .addon import cli
    except ModuleNotFoundError as error:
        if error.name != "bpy":
            raise
        print("error: Blender is needed as a Python module: pip install collision-kit[blender]", file=sys.stderr)
        sys.exit(2)
    code = cli.main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # Blender as a module may crash or hang while Python shuts down: 4.2 and 4.5 do so after any property callback.
    os._exit(code)
