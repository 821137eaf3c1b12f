# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in the Blender of this process."""

import importlib
import tempfile
from pathlib import Path
from typing import Any

import bpy

from scripts.build_extension import build

EXTENSION = "bl_ext.user_default.collision_kit"


def install() -> None:
    """Build it from the tree, and install it in this process's profile."""
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.extensions.package_install_files(
            filepath=str(build(Path(folder))), repo="user_default", enable_on_install=True
        )
    assert enabled()


def enabled() -> bool:
    """Whether Blender has it enabled."""
    return EXTENSION in bpy.context.preferences.addons


def kit(name: str) -> Any:
    """A module of it as it is now."""
    return importlib.import_module(f"{EXTENSION}.{name}")
