# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes from files: Blender's own, and those that it can import."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy


class UnreadableFile(Exception):
    """A file that is no scene; the message says which file and why, in one line."""


@contextmanager
def _as_add_on() -> Iterator[None]:
    """Blender's glTF add-on asks add-ons only for what they know of a file, and as a Python package this is none."""
    addons: Any = bpy.context.preferences.addons
    root = __package__.partition(".addon.")[0]
    if root in addons:
        yield
        return
    added = addons.new()
    added.module = root
    try:
        yield
    finally:
        addons.remove(added)


def _import_gltf(path: str) -> None:
    with _as_add_on():
        bpy.ops.import_scene.gltf(filepath=path)


def _import_fbx(path: str) -> None:
    # Blender's new importer needs no add-on; versions before it have only the old one.
    operators: Any = bpy.ops
    if hasattr(bpy.types, "WM_OT_fbx_import"):
        operators.wm.fbx_import(filepath=path)
    else:
        operators.import_scene.fbx(filepath=path)


_IMPORTERS: dict[str, Callable[[str], object]] = {
    ".glb": _import_gltf,
    ".gltf": _import_gltf,
    ".obj": lambda path: bpy.ops.wm.obj_import(filepath=path),
    ".ply": lambda path: bpy.ops.wm.ply_import(filepath=path),
    ".stl": lambda path: bpy.ops.wm.stl_import(filepath=path),
    ".fbx": _import_fbx,
}

EXTENSIONS = (".blend", *_IMPORTERS)


def open_scene(path: Path) -> None:
    """Open or import a file, in place of what is open now.

    Raises
    ------
    UnreadableFile
        If there is no such file, its ending is none of `EXTENSIONS`, Blender cannot read it, or an imported file
        holds no object.
    """
    if not path.exists():
        raise UnreadableFile(f"{path}: no such file")
    if not path.is_file():
        raise UnreadableFile(f"{path}: not a file")
    ending = path.suffix.lower()
    if ending not in EXTENSIONS:
        raise UnreadableFile(f"{path}: not a scene that can be read; these can: {', '.join(EXTENSIONS)}")
    try:
        if ending == ".blend":
            bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
            return
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        _IMPORTERS[ending](str(path))
    # Importers written in Python fail with whatever their parsers raise.
    except Exception as error:
        raise UnreadableFile(f"{path}: Blender cannot read it: {_first_line(error)}") from None
    if not bpy.context.scene.objects:
        raise UnreadableFile(f"{path}: nothing in it that Blender can read")


def _first_line(error: Exception) -> str:
    """What an error says, on one line, without the prefixes that Blender's operators put before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return text.removeprefix("Error: ").rstrip(".")
