# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether there is what USD files with colliders are written with."""

from importlib.machinery import PathFinder

import bpy

from ..model.message import Message
from ..system.search_path import search_path

# The Python modules of OpenUSD. Blender brings them since 4.4.
LIBRARY = "pxr"

# Runs a file with OpenUSD in a process of its own.
PROGRAM = "import runpy, sys; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"


def lacking() -> str:
    """Say in English what is missing; empty where nothing is."""
    if not bpy.app.build_options.usd:
        return Message("This Blender was built without USD")
    if PathFinder.find_spec(LIBRARY, search_path()) is None:
        # Since 4.4, Blender as a module has OpenUSD in a folder that it adds to the path when asked.
        if hasattr(bpy.utils, "expose_bundled_modules"):
            bpy.utils.expose_bundled_modules()
        if PathFinder.find_spec(LIBRARY, search_path()) is not None:
            return ""
        return Message("This Blender has no Python modules of OpenUSD")
    return ""
