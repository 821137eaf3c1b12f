# SPDX-License-Identifier: GPL-3.0-or-later
"""Test whether a mesh is convex, so that it can be used as a collider."""

import bpy

from ...core.convexity import Convexity, check_convexity
from ..model.errors import UserError
from ..scene.meshes.edit_mesh import read_editable


def convexity_of(ob: bpy.types.Object) -> Convexity:
    """Test the mesh of a mesh object without its modifiers, with the rotation and scale of the object.

    Raises
    ------
    UserError
        If it has no vertices, or a coordinate that is not finite.
    """
    mesh = read_editable(ob)
    if mesh is None:
        raise UserError('"{name}" has no vertices', name=ob.name)
    return check_convexity(mesh.points, mesh.triangles, mesh.polygons)
