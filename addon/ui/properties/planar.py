# SPDX-License-Identifier: GPL-3.0-or-later
"""The plane of a planar check of a scene."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ..callbacks import planar as callbacks_planar

DIMENSIONS = (
    ("SPACE", "3D", "Test objects in 3D"),
    (
        "PLANE",
        "Planar",
        (
            "Test objects as outlines in a plane, as in 2D games. Flat meshes and closed curves are "
            "exact, other objects use their silhouette"
        ),
    ),
)

PLANES = (
    ("XY", "XY: Top View", "Ground plane, viewed from above"),
    ("XZ", "XZ: Front View", "Vertical plane viewed from the front, as in side-scrollers"),
    ("YZ", "YZ: Right View", "Vertical plane viewed from the right"),
    ("CAMERA", "Active Camera", "View plane of the active camera, which must be orthographic"),
)


class COLLISION_KIT_PG_planar(bpy.types.PropertyGroup):
    """Whether a check tests outlines in a plane, and which plane."""

    dimension: EnumProperty(
        name="Dimension",
        translation_context=CONTEXT,
        description="Test objects in 3D, or as outlines in a plane",
        items=DIMENSIONS,
        default="SPACE",
        update=callbacks_planar.plane_changed,
        options=set(),
    )
    plane: EnumProperty(
        name="Plane",
        translation_context=CONTEXT,
        description="Plane of the outlines",
        items=PLANES,
        default="XY",
        update=callbacks_planar.plane_changed,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_planar,)
