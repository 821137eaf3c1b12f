# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the evaluated scene: core shapes, their bodies, and the skipped objects.

Because the evaluated scene is read, modifiers, Edit Mode, instances and parents are taken into account. Nothing is
changed.
"""

from collections.abc import Iterable

import bpy

from ..meshes.geometry import HullMemory
from .geometry_cache import KnownGeometry
from .incremental import read
from .scene_shapes import SceneShapes

__all__ = ["SceneShapes", "read_scene"]


def read_scene(
    context: bpy.types.Context,
    objects: Iterable[bpy.types.Object] | None,
    *,
    include_hidden_as_skipped: bool = True,
    memory: HullMemory | None = None,
    margins: bool = True,
) -> SceneShapes:
    """Read the collision shapes of objects, as the current view layer shows them in the current frame.

    Parameters
    ----------
    context : bpy.types.Context
    objects : iterable of bpy.types.Object, optional
        The scope, as original objects with their instances. The colliders of a render mesh, and the children of a
        compound rigid body, are included even if they are not in the scope. A collider alone includes neither its
        render mesh nor the other colliders of it. None: the whole scene.
    include_hidden_as_skipped : bool
        Whether hidden objects of the scope are listed as skipped.
    memory : HullMemory, optional
        The hulls of the previous frame: meshes with unchanged geometry keep their hulls.
    margins : bool
        Whether the shapes include the margins of their objects.

    Returns
    -------
    SceneShapes
        Its issues name the objects that cannot be represented exactly. No object causes an exception.
    """
    scope = None if objects is None else {ob.session_uid for ob in objects}
    return read(
        context,
        scope,
        include_hidden_as_skipped=include_hidden_as_skipped,
        known=KnownGeometry(memory),
        margins=margins,
    ).shapes
