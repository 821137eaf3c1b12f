# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes with planted faults, for counting the clicks that mend or accept them. Lengths are meters."""

import bpy

Vector3 = tuple[float, float, float]


def block(name: str, size: Vector3, at: Vector3) -> bpy.types.Object:
    """Add a box along the axes."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=at)
    ob = bpy.context.object
    ob.name, ob.scale = name, size
    bpy.ops.object.transform_apply(location=False, rotation=False)
    return ob


def pole(name: str, radius: float, length: float, at: Vector3) -> bpy.types.Object:
    """Add an upright cylinder."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=32, radius=radius, depth=length, location=at)
    bpy.context.object.name = name
    return bpy.context.object


def room() -> None:
    """A room; a staff is sunk into its floor, a vase into a table, and a chair into the table's side.

    Two posters are in the plane of the wall behind them.
    """
    block("Floor", (8.0, 6.0, 0.2), (0.0, 0.0, -0.1))
    block("Wall", (8.0, 0.2, 2.6), (0.0, 3.1, 1.3))
    block("Table Top", (1.6, 0.9, 0.06), (0.0, 0.0, 0.75))
    for number, (x, y) in enumerate(((-0.7, -0.35), (0.7, -0.35), (-0.7, 0.35), (0.7, 0.35))):
        block(f"Table Leg {number + 1}", (0.06, 0.06, 0.72), (x, y, 0.36))
    block("Chair", (0.45, 0.45, 0.9), (0.95, 0.1, 0.45))
    pole("Staff", 0.03, 1.8, (-2.6, 1.0, 0.8))
    pole("Vase", 0.08, 0.3, (-0.3, 0.1, 0.91))
    for number, x in ((1, -1.5), (2, 1.5)):
        bpy.ops.mesh.primitive_plane_add(size=0.8, location=(x, 3.0, 1.6), rotation=(1.5707963, 0.0, 0.0))
        bpy.context.object.name = f"Poster {number}"
    for number in range(4):
        block(f"Box {number + 1}", (0.4, 0.4, 0.4), (2.2 + 0.6 * number, -2.0, 0.2))


def mechanism() -> None:
    """A shaft in two bearings; a pin reaches into the shaft, a plate into a bearing, a bolt into the bed."""
    block("Bed", (0.6, 0.2, 0.02), (0.0, 0.0, -0.01))
    for side, x in (("L", -0.2), ("R", 0.2)):
        block(f"Bearing {side}", (0.04, 0.12, 0.08), (x, 0.0, 0.04))
    shaft = pole("Shaft", 0.02, 0.34, (0.0, 0.0, 0.12))
    shaft.rotation_euler.y = 1.5707963
    pole("Pin", 0.004, 0.03, (0.05, 0.0, 0.1435))
    block("Plate", (0.02, 0.1, 0.06), (0.226, 0.0, 0.03))
    pole("Bolt", 0.005, 0.03, (-0.1, 0.05, 0.011))
    bpy.context.scene.unit_settings.length_unit = "MILLIMETERS"


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


def hall() -> None:
    """Two floors with a gap of 1.1 m between them, and an empty from which a character walks."""
    block("Near", (6.0, 6.0, 0.2), (-1.0, 0.0, -0.1))
    block("Far", (5.0, 6.0, 0.2), (5.6, 0.0, -0.1))
    for name, y in (("Left", 3.1), ("Right", -3.1)):
        block(name, (12.4, 0.2, 1.5), (2.1, y, 0.75))
    for name, x in (("Back", -4.1), ("Front", 8.2)):
        block(name, (0.2, 6.4, 1.5), (x, 0.0, 0.75))
    bpy.ops.object.empty_add(location=(0.0, 0.0, 0.1))
    bpy.context.object.name = "Start"


def stacks() -> None:
    """A floor with 112 stacks of three boxes, and a box that is sunk into the floor: 337 pairs, one of them a fault."""
    block("Floor", (34.0, 16.0, 0.2), (16.0, 7.0, -0.1))
    mesh = block("Sunk", (0.8, 0.8, 0.8), (-0.5, -0.5, 0.35)).data
    for number in range(112):
        for level in range(3):
            ob = bpy.data.objects.new(f"Box {number + 1} {'abc'[level]}", mesh)
            ob.location = (1.0 + 2.0 * (number % 16), 1.0 + 2.0 * (number // 16), 0.4 + 0.8 * level)
            bpy.context.scene.collection.objects.link(ob)
