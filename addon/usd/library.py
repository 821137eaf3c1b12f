# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether OpenUSD is available, which USD files with colliders need."""

from importlib.machinery import PathFinder

import bpy

from ..model.message import Message
from ..system.search_path import search_path

# The Python modules of OpenUSD. Blender has them since 4.4.
LIBRARY = "pxr"

# Runs a file with OpenUSD in a separate process.
PROGRAM = "import runpy, sys; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"


def lacking() -> str:
    """Return what is missing, in English. Empty if nothing is."""
    if not bpy.app.build_options.usd:
        return Message("This Blender was built without USD")
    if PathFinder.find_spec(LIBRARY, search_path()) is None:
        # Since 4.4, Blender as a module has OpenUSD in a folder that it adds to the path on request.
        if hasattr(bpy.utils, "expose_bundled_modules"):
            bpy.utils.expose_bundled_modules()
        if PathFinder.find_spec(LIBRARY, search_path()) is not None:
            return ""
        return Message("This Blender has no Python modules of OpenUSD")
    return ""
