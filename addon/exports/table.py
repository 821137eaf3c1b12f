# SPDX-License-Identifier: GPL-3.0-or-later
"""File formats for scenes. Nothing here needs Blender until a file is written."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .. import exports
from ..model.formats import USD
from .wanted import ExportOptions

if TYPE_CHECKING:
    import bpy


class Export(NamedTuple):
    """A file format.

    Attributes
    ----------
    name : str
    write : callable
        Writes the open scene to a path, entirely or not at all, and returns notes in English on what could not be
        written exactly. Raises OSError if the file cannot be written and CommandError if the scene cannot.
    some : bool
        Whether it can write only some of the objects.
    """

    name: str
    write: "Callable[[bpy.types.Context, Path, ExportOptions], Sequence[str]]"
    some: bool = True


# By file extension.
EXPORTS = {
    ".blend": Export("Blender file", lambda *given: exports.writers.write_blend(*given), some=False),
    ".glb": Export("binary glTF", lambda *given: exports.writers.write_glb(*given)),
    ".gltf": Export("glTF with separate files", lambda *given: exports.writers.write_gltf(*given)),
    ".fbx": Export("FBX", lambda *given: exports.writers.write_fbx(*given)),
    ".urdf": Export("URDF", lambda *given: exports.writers.write_urdf(*given)),
    **dict.fromkeys(USD, Export("USD", lambda *given: exports.writers.write_usd(*given))),
}
