# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit: collision geometry authored and validated, in Blender and out of it.

Blender calls `register` and `unregister`; everything that needs Blender is imported inside them, so that
``import collision_kit.core`` works with numpy alone.
"""

import importlib
import os
import sys
from typing import Any, NoReturn

__version__ = "0.1.0"


def register() -> None:
    """Add Collision Kit to Blender."""
    from . import addon

    addon.register()


def unregister() -> None:
    """Take Collision Kit out of Blender, leaving nothing behind."""
    from . import addon

    addon.unregister()


def __getattr__(name: str) -> Any:
    """Load `api`, what scripts call, when it is asked for: it needs Blender."""
    if name == "api":
        return importlib.import_module(f"{__name__}.addon.api")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main() -> NoReturn:
    """Run the command ``collision-kit`` and end the process with its exit code."""
    try:
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
