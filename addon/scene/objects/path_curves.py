# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a curve along points."""

from typing import TYPE_CHECKING

import bpy

from ..settings import object_settings
from .own_data import check_own_scene

if TYPE_CHECKING:
    from ....core.numerics.types import Floats


def make_path(context: bpy.types.Context, name: str, points: "Floats") -> bpy.types.Object:
    """Make a poly curve through points, (K, 3), in the scene collection.

    Checks skip it. It is drawn in front of everything, and not rendered.

    Raises
    ------
    UserError
        If the scene is linked.
    """
    check_own_scene(context.scene)
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    spline.points.foreach_set("co", [coordinate for point in points.tolist() for coordinate in (*point, 1.0)])
    ob = bpy.data.objects.new(name, curve)
    object_settings(ob).shape = "NONE"
    context.scene.collection.objects.link(ob)
    ob.show_in_front, ob.hide_render = True, True
    context.view_layer.update()
    return ob
