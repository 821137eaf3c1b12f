# SPDX-License-Identifier: GPL-3.0-or-later
"""A small scene with a planted fault, for counting the clicks that find it. Lengths are meters."""

import bpy

Vector3 = tuple[float, float, float]


def block(name: str, size: Vector3, at: Vector3) -> bpy.types.Object:
    """Add a box along the axes."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=at)
    ob = bpy.context.object
    ob.name, ob.scale = name, size
    bpy.ops.object.transform_apply(location=False, rotation=False)
    return ob


def animation() -> None:
    """A cart drives through a post and stops beside a gate, in 60 frames."""
    block("Ground", (12.0, 4.0, 0.2), (0.0, 0.0, -0.15))
    block("Post", (0.3, 0.3, 2.0), (1.0, 0.4, 1.0))
    block("Gate", (0.2, 3.0, 2.0), (5.5, 0.0, 1.0))
    cart = block("Cart", (1.0, 0.8, 0.6), (-4.0, 0.0, 0.31))
    for frame, x in ((1, -4.0), (60, 4.0)):
        cart.location.x = x
        cart.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_end = 60
    bpy.context.scene.frame_set(1)
