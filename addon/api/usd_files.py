# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in USD files."""

from pathlib import Path
from typing import Any

import bpy

from ..scene import arguments
from ..usd import exporting
from .choices import Objects


def export_usd(path: str | Path, *, objects: Objects | None = None, **options: Any) -> tuple[str, ...]:
    """Export the scene as USD, with its colliders, collision shapes and rigid bodies as UsdPhysics has them.

    Parameters
    ----------
    path : str or Path
        .usd, .usda, .usdc or .usdz.
    objects : iterable of objects or names, optional
        Export only these. None: the whole scene.
    **options
        Whatever else ``bpy.ops.wm.usd_export`` takes, such as ``export_animation=True``.

    Returns
    -------
    tuple of str
        What is in the scene and could not be written as it is, in English.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If Blender has no USD or no Python modules of OpenUSD, or if either fails.

    Examples
    --------
    ::

        for note in api.export_usd("level.usdc"):
            print(note)
    """
    wanted = None if objects is None else arguments.objects("objects", objects)
    return exporting.write_usd(bpy.context, arguments.path(path), wanted, options).lines()
