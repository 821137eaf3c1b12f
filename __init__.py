# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit: collision geometry authored and validated, in Blender and out of it.

Blender calls `register` and `unregister`; everything that needs Blender is imported inside them, so that
``import collision_kit.core`` works with numpy alone.
"""

import sys

__version__ = "0.1.0"


def register() -> None:
    """Add Collision Kit to Blender."""
    from . import addon

    addon.register()


def unregister() -> None:
    """Take Collision Kit out of Blender, leaving nothing behind."""
    from . import addon

    addon.unregister()


def main() -> int:
    """Run the command ``collision-kit``; returns its exit code."""
    try:
        from .addon import cli
    except ModuleNotFoundError as error:
        if error.name != "bpy":
            raise
        print("error: Blender is needed as a Python module: pip install collision-kit[blender]", file=sys.stderr)
        return 2
    return cli.main(sys.argv[1:])
