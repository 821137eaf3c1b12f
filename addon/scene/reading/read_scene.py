# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the evaluated scene: Blender objects in; core shapes, their bodies and what was left out come out.

Modifiers, edit mode, instances and parents count, because it is the evaluated scene that is read. Nothing is
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
        The scope, as original objects; what they instance belongs to it. A render mesh brings its colliders
        along, and a compound rigid body its children, even where those are not in the scope; a collider by
        itself brings neither its render mesh's other colliders nor its mesh. None: the whole scene.
    include_hidden_as_skipped : bool
        Whether objects of the scope that cannot be seen are listed as skipped.
    memory : HullMemory, optional
        That of the frame before: meshes that have kept their form keep their hulls.
    margins : bool
        Whether shapes have the margins of their objects.

    Returns
    -------
    SceneShapes
        What cannot be represented faithfully is in its findings; no object of whatever kind raises.
    """
    scope = None if objects is None else {ob.session_uid for ob in objects}
    return read(
        context,
        scope,
        include_hidden_as_skipped=include_hidden_as_skipped,
        known=KnownGeometry(memory),
        margins=margins,
    ).shapes
