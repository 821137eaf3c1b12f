# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the open scene in the formats of the table: entirely or not at all, and never over its source files."""

import filecmp
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy

from .. import urdf, usd
from ..exchange import sentences
from ..exchange.issues import FileIssues, add_to_last, last_lines
from ..model.errors import CommandError
from ..scene.exporting import export_fbx, only, sheared_within_parents
from ..scene.files import reason_of, save_copy
from ..scene.gltf import transfer
from ..system.files import one_file, write_with
from .wanted import ExportOptions


def write_blend(_context: bpy.types.Context, path: Path, _wanted: ExportOptions) -> Sequence[str]:
    """Save a copy of the open file."""
    save_copy(path)
    return ()


def write_glb(context: bpy.types.Context, path: Path, wanted: ExportOptions) -> Sequence[str]:
    """Write a single glTF file that contains everything."""
    write_with(path, lambda temporary: _gltf(context, temporary, wanted, "GLB"))
    return last_lines()


def write_gltf(context: bpy.types.Context, path: Path, wanted: ExportOptions) -> Sequence[str]:
    """Write a glTF file with its buffer and textures beside it."""
    folder = Path(os.path.realpath(path)).parent
    with tempfile.TemporaryDirectory(prefix=".collision-kit-", dir=folder) as temporary:
        _gltf(context, Path(temporary, path.name), wanted, "GLTF_SEPARATE")
        made = [one for one in Path(temporary).rglob("*") if one.is_file()]
        placed = {one: folder / one.relative_to(temporary) for one in made}
        # A texture that the scene reads from this path already exists.
        kept = [one for one in made if any(one_file(placed[one], read) for read in wanted.inputs)]
        for one in kept:
            if not filecmp.cmp(one, placed[one], shallow=False):
                raise OSError(None, "it is a file that the scene uses", str(placed[one]))
        # The file that refers to the others comes last.
        for one in sorted(set(made) - set(kept), key=lambda one: (one.name == path.name, one)):
            placed[one].parent.mkdir(exist_ok=True)
            os.replace(one, placed[one])
    return last_lines()


def write_fbx(context: bpy.types.Context, path: Path, wanted: ExportOptions) -> Sequence[str]:
    """Write an FBX file."""
    issues = FileIssues()

    def write(temporary: Path) -> None:
        try:
            cleared = export_fbx(temporary, wanted.objects, modifiers=wanted.apply_modifiers)
        except (RuntimeError, AttributeError) as error:
            raise CommandError(f"Blender cannot write FBX: {reason_of(error)}") from None
        for name in cleared:
            issues.add(name, sentences.NO_PARENT)
        objects = context.scene.objects if wanted.objects is None else wanted.objects
        for name in set(sheared_within_parents(objects)).difference(cleared):
            issues.add(name, sentences.SHEARED)

    write_with(path, write)
    return issues.lines()


def write_usd(context: bpy.types.Context, path: Path, wanted: ExportOptions) -> Sequence[str]:
    """Write a USD file. Modifiers are always applied."""
    return usd.exporting.write_usd(context, path, wanted.objects, {}).lines()


def write_urdf(context: bpy.types.Context, path: Path, wanted: ExportOptions) -> Sequence[str]:
    """Write a URDF robot with its meshes beside it. Modifiers are always applied."""
    return urdf.exporting.write_urdf(context, path, wanted.objects).lines()


def _gltf(context: bpy.types.Context, path: Path, wanted: ExportOptions, layout: str) -> None:
    options: dict[str, Any] = {"export_format": layout, "export_apply": wanted.apply_modifiers}
    with only(wanted.objects) as collection:
        if collection:
            options["collection"] = collection
        try:
            add_to_last(transfer.export_file(context, path, dict(wanted.gltf), options), sentences.NO_PARENT)
        except (RuntimeError, ValueError) as error:
            raise CommandError(f"Blender cannot write glTF: {reason_of(error)}") from None
