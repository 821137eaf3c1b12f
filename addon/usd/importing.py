# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of a USD file that Blender has just imported, of which its importer takes the meshes only."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import bpy

from ..model.errors import UserError
from ..scene.usd import imported_colliders, merge_transforms
from ..system.processes import started
from .library import PROGRAM, lacking


def take_physics(context: bpy.types.Context, path: Path) -> None:
    """Have the objects of the scene, all of which come from a file, be the colliders that UsdPhysics says they are.

    Without OpenUSD, only the names of objects say what is a collider. Empties that only place a mesh become one object
    with it, with the name of the empty.

    Raises
    ------
    UserError
        If OpenUSD cannot read the file.
    """
    if not lacking():
        imported_colliders(context, _prims(path))
    merge_transforms(context)


def _prims(path: Path) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        said = Path(folder, "errors")
        with said.open("wb") as errors:
            arguments = [str(Path(__file__).with_name("reading.py")), str(path.absolute())]
            process = started(PROGRAM, arguments, Path(folder), errors, output=subprocess.PIPE)
            printed, _ = process.communicate()
        if process.returncode:
            lines = said.read_text("utf-8", "replace").strip().splitlines()
            raise UserError("OpenUSD failed: {reason}", reason=lines[-1] if lines else process.returncode)
    found: list[dict[str, Any]] = json.loads(printed.decode("utf-8").strip().splitlines()[-1])
    return found
