# SPDX-License-Identifier: GPL-3.0-or-later
"""Import the colliders of a USD file after Blender's importer, which only reads the meshes."""

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import bpy

from ..model.errors import UserError
from ..model.message import Message
from ..model.report import Issue
from ..scene.usd import PATH_PROPERTY, imported_colliders, merge_transforms
from .library import lacking, run


def take_physics(context: bpy.types.Context, path: Path) -> tuple[Issue, ...]:
    """Make the imported objects of the scene colliders as declared by UsdPhysics.

    Without OpenUSD, only the names of objects identify colliders. Empties that only place a mesh are replaced by the
    mesh, with the name of the empty.

    Returns
    -------
    tuple of Issue
        An issue that physics was not read: an error if the file has physics, and a warning if OpenUSD cannot read a
        file without it, whose layers may have some. Empty if OpenUSD is missing and the file has no physics.
    """
    why, unread = lacking(), "error"
    if not why:
        try:
            read = _read(path)
        except UserError as error:
            why, unread = str(error), "error" if _has_physics(path) else "warning"
        else:
            imported_colliders(context, read["prims"], read["apart"], read["joints"])
    elif not _has_physics(path):
        unread = ""
    merge_transforms(context, named=not why)
    return (Issue("not-imported", unread, "", _unread(why)),) if why and unread else ()


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
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        return run(program, list(arguments), Path(folder))
