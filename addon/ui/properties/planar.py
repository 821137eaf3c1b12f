# SPDX-License-Identifier: GPL-3.0-or-later
"""In which plane a scene is checked, if not in space."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ..callbacks import planar as callbacks_planar

DIMENSIONS = (
    ("SPACE", "3D", "Objects are tested in space"),
    (
        "PLANE",
        "Planar",
        "Objects are tested as their outlines in a plane, as 2D games and plan views have them: flat meshes and closed "
        "curves exactly, holes included, and everything else by its silhouette",
    ),
)

PLANES = (
    ("XY", "XY: Top View", "The ground plane, seen from above"),
    ("XZ", "XZ: Front View", "The upright plane of side-scrollers, seen from the front"),
    ("YZ", "YZ: Right View", "The upright plane that is seen from the right"),
    ("CAMERA", "Active Camera", "What the scene's active camera sees, which must be an orthographic one"),
)


class COLLISION_KIT_PG_planar(bpy.types.PropertyGroup):
    """Whether a check looks at outlines in a plane, and in which."""

    dimension: EnumProperty(
        name="Dimension",
        translation_context=CONTEXT,
        description="Whether objects are tested in space or as their outlines in a plane",
        items=DIMENSIONS,
        default="SPACE",
        update=callbacks_planar.plane_changed,
        options=set(),
    )
    plane: EnumProperty(
        name="Plane",
        translation_context=CONTEXT,
        description="The plane in which objects have their outlines",
        items=PLANES,
        default="XY",
        update=callbacks_planar.plane_changed,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_planar,)
