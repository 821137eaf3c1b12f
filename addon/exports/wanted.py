# SPDX-License-Identifier: GPL-3.0-or-later
"""Options for writing a scene. Nothing here needs Blender."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import bpy


@dataclass(frozen=True, eq=False)
class ExportOptions:
    """Options for writing a file.

    Attributes
    ----------
    objects : tuple of bpy.types.Object, optional
        Objects to write. None: the whole scene.
    inputs : tuple of Path
        Files that are never overwritten: those that the scene depends on.
    apply_modifiers : bool
        Whether modifiers are applied to meshes. In a Blender file they never are.
    gltf : dict of str to value
        Settings of `COLLISION_KIT_PG_gltf` for glTF files. Missing settings are those of the scene.
    """

    objects: "tuple[bpy.types.Object, ...] | None" = None
    inputs: tuple[Path, ...] = ()
    apply_modifiers: bool = True
    gltf: tuple[tuple[str, str | bool], ...] = ()
