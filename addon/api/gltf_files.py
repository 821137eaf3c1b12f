# SPDX-License-Identifier: GPL-3.0-or-later
"""Export and import colliders in glTF files, with Blender's own glTF add-on."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import bpy

from ..exchange import sentences
from ..exchange.issues import add_to_last, last_issues, last_lines
from ..model.report import Issue
from ..scene import arguments
from ..scene.gltf import transfer


@dataclass(frozen=True, eq=False)
class ImportedFile:
    """Objects and issues of an imported glTF file.

    Attributes
    ----------
    objects : tuple of bpy.types.Object
        The imported objects.
    notes : tuple of str
        What could not be imported exactly, in English.
    issues : tuple of Issue
        The same notes as records with `id`, `severity` (error, warning or info), `object` and `message`, worst first.
    """

    objects: tuple[bpy.types.Object, ...]
    notes: tuple[str, ...]
    issues: tuple[Issue, ...] = ()


def export_gltf(
    path: str | Path,
    *,
    meshes: Literal["AUTO", "LEAVE_OUT", "KEEP"] = "AUTO",
    revision: Literal["MESH", "NODE"] = "MESH",
    extensions: Collection[Literal["KHR", "OMI"]] = ("KHR", "OMI"),
    omi_capsules: Literal["AUTO", "BETWEEN_CENTERS", "TOTAL"] = "AUTO",
    **options: Any,
) -> tuple[str, ...]:
    """Export the scene as glTF, with its colliders, collision shapes and rigid bodies.

    Parameters
    ----------
    path : str or Path
        .glb or .gltf.
    meshes : str
        Whether colliders keep their visible meshes in the file. AUTO: colliders that engines recognize by name keep
        them, except in scenes for Godot, which uses the shapes of OMI_physics_shape instead.
    revision : str
        MESH: KHR_physics_rigid_bodies as specified since January 2026. NODE: for older importers.
    extensions : collection of str
        Any of KHR: KHR_physics_rigid_bodies and KHR_implicit_shapes; OMI: OMI_physics_body and OMI_physics_shape.
    omi_capsules : str
        Meaning of a capsule's height in OMI_physics_shape. BETWEEN_CENTERS: as specified since September 2024. TOTAL:
        as read by Godot 4. AUTO: TOTAL in scenes for Godot, otherwise BETWEEN_CENTERS.
    **options
        Other arguments of ``bpy.ops.export_scene.gltf``, such as ``use_selection=True``.

    Returns
    -------
    tuple of str
        Notes, in English, on what the file format could not represent exactly.

    Raises
    ------
    ValueError
        If Blender's glTF add-on is not enabled, an argument is invalid, or the scale of an object is too large for
        glTF.
    RuntimeError
        If Blender's glTF add-on fails for another reason.

    Examples
    --------
    ::

        for note in api.export_gltf("level.glb", meshes="KEEP"):
            print(note)
    """
    arguments.one_of("meshes", meshes, ("AUTO", "LEAVE_OUT", "KEEP"))
    arguments.one_of("revision", revision, ("MESH", "NODE"))
    chosen = arguments.some_of("extensions", extensions, ("KHR", "OMI"))
    arguments.one_of("omi_capsules", omi_capsules, ("AUTO", "BETWEEN_CENTERS", "TOTAL"))
    written = {"khr": "KHR" in chosen, "omi": "OMI" in chosen}
    wanted = {"meshes": meshes, "revision": revision, "omi_capsules": omi_capsules, **written}
    add_to_last(transfer.export_file(bpy.context, arguments.path(path), wanted, options), sentences.NO_PARENT)
    return last_lines()


def import_gltf(path: str | Path, **options: Any) -> ImportedFile:
    """Import a glTF file with the colliders and triggers that it declares.

    Parameters
    ----------
    path : str or Path
    **options
        Other arguments of ``bpy.ops.import_scene.gltf``.

    Returns
    -------
    ImportedFile

    Raises
    ------
    ValueError
        If Blender's glTF add-on is not enabled, or an argument is invalid.
    RuntimeError
        If the file cannot be read.

    Examples
    --------
    ::

        print([ob.name for ob in api.colliders_of(api.import_gltf("level.glb").objects)])
    """
    objects = transfer.import_file(bpy.context, arguments.path(path), options)
    return ImportedFile(tuple(objects), last_lines(), last_issues())
