# SPDX-License-Identifier: GPL-3.0-or-later
"""Export robots to URDF files."""

from pathlib import Path

import bpy

from ..scene import arguments
from ..urdf import exporting
from .choices import Objects


def export_urdf(path: str | Path, *, objects: Objects | None = None) -> tuple[str, ...]:
    """Export the scene as a robot: links, joints, masses and colliders.

    Parameters
    ----------
    path : str or Path
        Meshes are written to a folder beside the file, with the name ending ``_meshes``.
    objects : iterable of objects or names, optional
        Objects to export. None: the whole scene.

    Returns
    -------
    tuple of str
        Notes, in English, on what the file format could not represent exactly.

    Raises
    ------
    OSError
        If a file cannot be written.
    ValueError
        If an object would have two parents, joints form a loop, or no object can be a link.

    Examples
    --------
    ::

        for note in api.export_urdf("arm.urdf"):
            print(note)
    """
    wanted = None if objects is None else arguments.objects("objects", objects)
    return exporting.write_urdf(bpy.context, arguments.path(path), wanted).lines()
