# SPDX-License-Identifier: GPL-3.0-or-later
"""Export colliders to USD files."""

from pathlib import Path
from typing import Any

import bpy

from ..scene import arguments
from ..usd import exporting
from .choices import Objects


def export_usd(path: str | Path, *, objects: Objects | None = None, **options: Any) -> tuple[str, ...]:
    """Export the scene as USD, with colliders, collision shapes and rigid bodies as UsdPhysics prims.

    Parameters
    ----------
    path : str or Path
        .usd, .usda, .usdc or .usdz.
    objects : iterable of objects or names, optional
        Objects to export. None: the whole scene.
    **options
        Other arguments of ``bpy.ops.wm.usd_export``, such as ``export_animation=True``.

    Returns
    -------
    tuple of str
        Notes, in English, on what the file format could not represent exactly.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If Blender has no USD support or no OpenUSD Python modules, or the export fails.

    Examples
    --------
    ::

        for note in api.export_usd("level.usdc"):
            print(note)
    """
    wanted = None if objects is None else arguments.objects("objects", objects)
    return exporting.write_usd(bpy.context, arguments.path(path), wanted, options).lines()
