# SPDX-License-Identifier: GPL-3.0-or-later
"""How a scene is to be written. Nothing here needs Blender."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import bpy


@dataclass(frozen=True, eq=False)
class ExportOptions:
    """How a file is to be written.

    Attributes
    ----------
    objects : tuple of bpy.types.Object, optional
        Write only these. None: the whole scene.
    inputs : tuple of Path
        Files that are never replaced: those that the scene consists of.
    apply_modifiers : bool
        Whether modifiers are applied to meshes; in a Blender file they never are.
    gltf : dict of str to value
        Settings of `COLLISION_KIT_PG_gltf` for glTF files; what is not there is as in the scene.
    """

    objects: "tuple[bpy.types.Object, ...] | None" = None
    inputs: tuple[Path, ...] = ()
    apply_modifiers: bool = True
    gltf: tuple[tuple[str, str | bool], ...] = ()
