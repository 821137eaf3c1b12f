# SPDX-License-Identifier: GPL-3.0-or-later
"""The small scenes of the pictures, each built into an empty file. Lengths are meters."""

from math import cos, pi, radians, sin
from typing import Any

import bmesh
import bpy

Vector3 = tuple[float, float, float]


def block(name: str, size: Vector3, at: Vector3, turned: Vector3 = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    """Add a box; `turned` is in degrees."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=at, rotation=tuple(map(radians, turned)))
    ob = bpy.context.object
    ob.name, ob.scale = name, size
    bpy.ops.object.transform_apply(location=False, rotation=False)
    return ob


def collected(ob: bpy.types.Object, collection: str) -> None:
    """Move an object to a collection of this name."""
    into = bpy.data.collections.get(collection)
    if into is None:
        into = bpy.data.collections.new(collection)
        bpy.context.scene.collection.children.link(into)
    for holder in ob.users_collection:
        holder.objects.unlink(ob)
    into.objects.link(ob)


def shaped(name: str, add: Any, **settings: Any) -> bpy.types.Object:
    """Add what an operator of Blender makes."""
    add(**settings)
    bpy.context.object.name = name
    return bpy.context.object


def two_cubes() -> None:
    """Blender's cube and its duplicate, half a meter in it."""
    for name, x in (("Cube", 0.0), ("Cube.001", 1.5)):
        block(name, (2.0, 2.0, 2.0), (x, 0.0, 0.0))


def yard() -> None:
    """A wall whose collider is too thick, a floor whose collider has a dent, a crate with a moved one, and a pillar."""
    shaped("Floor", bpy.ops.mesh.primitive_plane_add, size=8.0)
    block("Wall", (6.0, 0.2, 2.0), (0.0, 2.5, 1.0))
    block("UBX_Wall_01", (6.0, 0.4, 2.0), (0.0, 2.5, 1.0))
    block("Crate", (1.0, 1.0, 1.0), (1.8, 0.6, 0.5), (0.0, 0.0, 20.0))
    block("UBX_Crate_01", (1.0, 1.0, 1.0), (1.86, 0.6, 0.5), (0.0, 0.0, 20.0))
    block("Pillar", (0.6, 0.6, 2.0), (-2.4, 0.8, 1.0))
    shaped("Buoy", bpy.ops.mesh.primitive_uv_sphere_add, radius=0.5, location=(3.0, -1.4, 0.5))
    bpy.ops.object.shade_smooth()
    shaped("USP_Buoy_01", bpy.ops.mesh.primitive_uv_sphere_add, radius=0.5, location=(3.0, -1.4, 0.5))
    # The collider of the floor is a mesh whose top is 12 cm too low around a place.
    ground = shaped("Floor-colonly", bpy.ops.mesh.primitive_grid_add, x_subdivisions=120, y_subdivisions=120, size=8.0)
    for vertex in ground.data.vertices:
        away = ((vertex.co.x + 0.4) ** 2 + (vertex.co.y + 1.2) ** 2) ** 0.5
        vertex.co.z = -0.12 * max(0.0, 1.0 - (away / 0.9) ** 2)
    for name in ("UBX_Wall_01", "UBX_Crate_01", "USP_Buoy_01", "Floor-colonly"):
        bpy.data.objects[name].hide_set(True)


def beam_and_crate() -> None:
    """A tilted beam in a crate on a floor, and a tire."""
    block("Crate", (1.6, 1.6, 1.6), (0.0, 0.0, 0.8))
    block("Beam", (2.4, 0.5, 0.4), (1.0, -0.7, 0.9), (18.0, -14.0, 24.0))
    block("Floor", (9.0, 9.0, 0.2), (0.0, 0.0, -0.1))
    tire = {"major_radius": 0.6, "minor_radius": 0.16, "location": (0.2, 2.2, 0.76), "rotation": (radians(90), 0, 0)}
    shaped("Tire", bpy.ops.mesh.primitive_torus_add, **tire)
    bpy.ops.object.shade_smooth()


def three_meshes() -> None:
    """A head, a mug and a pebble."""
    shaped("Head", bpy.ops.mesh.primitive_monkey_add, location=(-2.6, 0.0, 0.0))
    shaped("Buoy", bpy.ops.mesh.primitive_uv_sphere_add, segments=24, ring_count=16)
    bpy.context.object.scale = (0.8, 0.8, 1.2)
    bpy.ops.object.transform_apply()
    bpy.ops.object.shade_smooth()
    shaped("Pebble", bpy.ops.mesh.primitive_ico_sphere_add, subdivisions=3, location=(2.6, 0.0, -0.2))
    bpy.context.object.scale = (1.3, 0.9, 0.7)
    bpy.ops.object.transform_apply(location=False)
    texture = bpy.data.textures.new("Bumps", "CLOUDS")
    texture.noise_scale = 0.9
    bumps = bpy.context.object.modifiers.new("Bumps", "DISPLACE")
    bumps.texture, bumps.strength = texture, 0.35
    bpy.ops.object.modifier_apply(modifier="Bumps")


def barrel_and_ball() -> None:
    """A barrel, and a ball beside it."""
    shaped("Barrel", bpy.ops.mesh.primitive_cylinder_add, vertices=20, radius=0.8, depth=2.2)
    ball = {"radius": 0.7, "location": (2.3, -0.5, -0.3), "segments": 24, "ring_count": 12}
    shaped("Ball", bpy.ops.mesh.primitive_uv_sphere_add, **ball)
    bpy.context.object.collision_kit.shape = "SPHERE"


def boulder() -> None:
    """A ball of triangles with two dents."""
    shaped("Boulder", bpy.ops.mesh.primitive_ico_sphere_add, subdivisions=3)
    mesh = bmesh.new()
    mesh.from_mesh(bpy.context.object.data)
    for direction in ((-0.2, -0.95, 0.25), (0.35, -0.9, -0.2)):
        vertex = max(mesh.verts, key=lambda v, d=direction: v.co.dot(d))
        vertex.co *= 0.86
    mesh.to_mesh(bpy.context.object.data)
    mesh.free()


def lid() -> None:
    """A crate and its lid."""
    block("Crate", (1.0, 1.0, 0.8), (0.0, 0.0, 0.4))
    block("Lid", (1.1, 1.1, 0.1), (0.0, 0.0, 0.85))


def assembly() -> None:
    """A frame with bolts in its plates, hinged doors, walls and props: intended collisions, and others."""
    for plate in range(4):
        x = 1.3 * plate
        collected(block(f"Plate.{plate + 1:03}", (1.2, 0.5, 0.05), (x, 0.0, 0.0)), "Frame")
        for place in range(3):
            sunk = 0.03 if (plate, place) == (3, 2) else 0.002
            name = f"Bolt.{3 * plate + place + 1:03}"
            collected(block(name, (0.08, 0.08, 0.2), (x + 0.4 * (place - 1), 0.0, 0.125 - sunk)), "Fasteners")
    door = block("Door", (0.9, 0.06, 1.8), (0.6, 0.8, 1.2))
    collected(door, "Doors")
    for z in (0.6, 1.8):
        hinge = block(f"Hinge.{z:.0f}", (0.1, 0.1, 0.15), (0.17, 0.8, z))
        hinge.parent, hinge.matrix_parent_inverse = door, door.matrix_world.inverted()
        collected(hinge, "Doors")
    collected(block("Wall", (1.0, 0.2, 2.4), (1.54, 0.8, 1.2)), "Walls")
    collected(block("Shelf", (1.0, 0.5, 1.2), (3.0, 0.8, 0.8)), "Props")
    collected(block("Box", (0.6, 0.4, 0.5), (3.6, 0.8, 0.6)), "Props")
    collected(block("Lamp", (0.3, 0.3, 0.4), (2.1, 0.8, 1.8)), "Props")
    bpy.context.scene.unit_settings.length_unit = "MILLIMETERS"


def one_of_each_shape() -> None:
    """A hull, a box, a capsule, a sphere and a cylinder, around other meshes, on a floor."""
    block("Floor", (11.0, 6.0, 0.2), (0.5, 0.0, -0.1))
    ring = {
        "major_radius": 1.0,
        "minor_radius": 0.3,
        "location": (1.5, -0.6, 1.3),
        "rotation": (radians(90), 0.0, 0.0),
    }
    for name, shape, add, settings in (
        ("Head", "HULL", bpy.ops.mesh.primitive_monkey_add, {"size": 2.6, "location": (-0.4, 0.4, 1.4)}),
        ("Ring", "BOX", bpy.ops.mesh.primitive_torus_add, ring),
        ("Cone", "CAPSULE", bpy.ops.mesh.primitive_cone_add, {"radius1": 0.7, "location": (-3.4, 0.6, 1.0)}),
        ("Ball", "SPHERE", bpy.ops.mesh.primitive_ico_sphere_add, {"radius": 0.8, "location": (-2.6, -1.6, 0.8)}),
        ("Drum", "CYLINDER", bpy.ops.mesh.primitive_cylinder_add, {"radius": 0.7, "location": (4.0, 1.0, 1.0)}),
    ):
        shaped(name, add, **settings).collision_kit.shape = shape


def ball_in_floor() -> None:
    """A ball of many triangles, sunk into an infinite plane by half its radius."""
    shaped("Floor", bpy.ops.mesh.primitive_plane_add, size=9.0).collision_kit.shape = "HALF_SPACE"
    ball = {"radius": 2.0, "location": (0.0, 0.0, 1.0), "segments": 64, "ring_count": 48}
    shaped("Ball", bpy.ops.mesh.primitive_uv_sphere_add, **ball)
    for ob in bpy.data.objects:
        ob.display_type = "WIRE"


def outline(name: str, *rings: list[tuple[float, float]]) -> None:
    """Add a flat outline around the first ring; the others are holes."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.fill_mode = "2D", "BOTH"
    for ring in rings:
        spline = curve.splines.new("POLY")
        spline.use_cyclic_u = True
        spline.points.add(len(ring) - 1)
        for point, (x, y) in zip(spline.points, ring, strict=True):
            point.co = (x, y, 0.0, 1.0)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, curve))


def circle(x: float, y: float, radius: float, count: int, *, tooth: float = 0.0) -> list[tuple[float, float]]:
    """Return points around a place; with a tooth, every second pair of them is so much further out."""
    turns = [2 * pi * k / count for k in range(count)]
    radii = [radius + tooth * (k // 2 % 2) for k in range(count)]
    return [(x + r * cos(a), y + r * sin(a)) for r, a in zip(radii, turns, strict=True)]


def turned(x: float, y: float, width: float, height: float, angle: float) -> list[tuple[float, float]]:
    """Return the corners of a rectangle around a place, turned by degrees."""
    c, s = cos(radians(angle)), sin(radians(angle))
    corners = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return [(x + c * u - s * v, y + s * u + c * v) for u, v in corners]


def level() -> None:
    """A level as seen from above: outlines with and without holes, a text, and the silhouettes of two meshes."""
    ground = [(-7.0, -4.4), (7.0, -4.4), (7.0, -0.4), (5.0, -0.4), (5.0, -1.6), (3.0, -1.6), (3.0, -3.2)]
    outline("Ground", [*ground, (-0.9, -3.2), (-0.9, -2.2), (-2.4, -2.2), (-2.4, -3.2), (-7.0, -3.2)])
    outline("Gear", circle(-3.35, -0.75, 1.2, 48, tooth=0.28), circle(-3.35, -0.75, 0.45, 24))
    outline("Window", turned(2.15, -1.1, 2.2, 1.8, 20.0), turned(2.15, -1.1, 1.4, 1.0, 20.0))
    outline("Crate", turned(-1.6, -1.6, 1.1, 1.2, 15.0))
    bpy.ops.object.text_add(location=(-6.1, 0.3, 0.0))
    text = bpy.context.object
    text.name, text.data.body, text.data.size = "Text", "2D", 2.3
    shaped("Head", bpy.ops.mesh.primitive_monkey_add, location=(5.0, 2.2, 0.0))
    shaped("Ball", bpy.ops.mesh.primitive_uv_sphere_add, radius=0.75, location=(5.2, 1.0, 0.0))
