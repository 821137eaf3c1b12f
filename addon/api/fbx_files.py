# SPDX-License-Identifier: GPL-3.0-or-later
"""Export FBX files with colliders."""

from pathlib import Path

import bpy

from .. import exports
from ..scene import arguments
from .choices import Objects


def export_fbx(path: str | Path, *, objects: Objects | None = None, apply_modifiers: bool = True) -> None:
    """Export the scene as FBX with all colliders, including hidden ones. An existing file is replaced only on success.

    Parameters
    ----------
    path : str or Path
    objects : iterable of objects or names, optional
        Objects to export. None: the whole scene.
    apply_modifiers : bool
        Apply the modifiers of meshes.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If an object does not exist.
    RuntimeError
        If Blender's FBX exporter fails.

    Examples
    --------
    ::

        api.export_fbx("rock.fbx", objects=["Rock", *api.colliders_of(["Rock"])])
    """
    wanted = None if objects is None else tuple(arguments.objects("objects", objects))
    chosen = exports.wanted.ExportOptions(wanted, apply_modifiers=apply_modifiers)
    exports.writers.write_fbx(bpy.context, arguments.path(path), chosen)
