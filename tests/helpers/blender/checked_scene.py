# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene with obvious verdicts: cubes with side 2, as collision shapes of empties."""

import bpy

from collision_kit.addon.session import dependencies

# Distances along X from the first cube, and the relation of each to its left neighbor.
PLACES = {"First": 0.0, "Second": 1.5, "Third": 3.5, "Fourth": 5.75}


def add_cube(name: str, x: float) -> bpy.types.Object:
    """Add an empty whose collision shape is a box of side 2."""
    ob = bpy.data.objects.new(name, None)
    ob.empty_display_type = "CUBE"
    ob.collision_kit.shape = "BOX"
    ob.location.x = x
    bpy.context.scene.collection.objects.link(ob)
    bpy.context.view_layer.update()
    return ob


def build() -> None:
    """First and Second overlap by 0.5; Second and Third touch; Third and Fourth are 0.25 apart."""
    for name, x in PLACES.items():
        add_cube(name, x)
    bpy.context.scene.collision_kit.clearance = 0.5


def check() -> None:
    """Check the scene with the operator."""
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}


def look() -> None:
    """Check for changes of the scene, as Blender's timer does after a short time without updates."""
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
