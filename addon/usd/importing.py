# SPDX-License-Identifier: GPL-3.0-or-later
"""Import the colliders of a USD file after Blender's importer, which only reads the meshes."""

import json
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import bpy

from ..model.errors import UserError
from ..model.message import Message
from ..model.report import Issue
from ..scene.usd import PATH_PROPERTY, imported_colliders, merge_transforms
from ..system.processes import started
from .library import PROGRAM, lacking


def take_physics(context: bpy.types.Context, path: Path) -> tuple[Issue, ...]:
    """Make the imported objects of the scene colliders as declared by UsdPhysics.

    Without OpenUSD, only the names of objects identify colliders. Empties that only place a mesh are replaced by the
    mesh, with the name of the empty.

    Returns
    -------
    tuple of Issue
        An issue that physics was not read, if OpenUSD is missing and the file has physics.

    Raises
    ------
    UserError
        If OpenUSD cannot read the file.
    """
    missing = lacking()
    if not missing:
        read = _read(path)
        imported_colliders(context, read["prims"], read["apart"], read["joints"])
    merge_transforms(context, named=not missing)
    return (Issue("not-imported", "error", "", _unread(missing)),) if missing and _has_physics(path) else ()


def stand_in(path: Path) -> tuple[Path, float]:
    """Return the file that Blender imports instead of a USD file, and its meters per unit.

    It is the same file if no other is needed, or if OpenUSD is missing or cannot read it; see `stand_in.py`. The unit
    is 1 then.
    """
    written, unit = Path(bpy.app.tempdir, f"{path.stem}.usda"), 1.0
    written.unlink(missing_ok=True)
    if not lacking():
        with suppress(UserError):
            unit = float(_run("stand_in.py", str(path.absolute()), str(written), PATH_PROPERTY))
    return written if written.exists() else path, unit


def _unread(why: str) -> Message:
    return Message("Physics of the USD file was not read, so all meshes are tested as they are: {reason}.", reason=why)


def _has_physics(path: Path) -> bool:
    """Return whether a file names a schema of UsdPhysics. Referenced files are not examined."""
    with path.open("rb") as stream:
        return b"Physics" in stream.read()


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_run("reading.py", str(path.absolute())))
    return found


def _run(program: str, *arguments: str) -> str:
    """Run one of the programs that use OpenUSD, and return the last line of its output."""
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        said = Path(folder, "errors")
        with said.open("wb") as errors:
            file = str(Path(__file__).with_name(program))
            process = started(PROGRAM, [file, *arguments], Path(folder), errors, output=subprocess.PIPE)
            printed, _ = process.communicate()
        if process.returncode:
            lines = said.read_text("utf-8", "replace").strip().splitlines()
            raise UserError("OpenUSD failed: {reason}", reason=lines[-1] if lines else process.returncode)
    return printed.decode("utf-8").strip().splitlines()[-1]
