# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism of 44 bodies and a level of 157 with planted faults, and faults that come later, on the next morning.

Lengths are meters. What is meant to collide has an ignore rule.
"""

from typing import NamedTuple

import bpy

Vector3 = tuple[float, float, float]


class Day(NamedTuple):
    """Rules for pairs that are meant to collide in a scene, and the objects that are moved after the file was saved.

    Attributes
    ----------
    rules : tuple of (str, str, float, str)
        Patterns of names, how deep a pair may be, and why.
    later : dict of str to Vector3
        By how much objects are moved that stood free or on something before.
    """

    rules: tuple[tuple[str, str, float, str], ...]
    later: dict[str, Vector3]


DAYS = {
    "bearings": Day(
        (("Bushing*", "Housing*", 0.00002, "press fit"),),
        {"Bolt 8": (0.0, 0.0, -0.0003), "Bolt 9": (0.0, 0.0, -0.0005), "Shaft 10": (0.00008, 0.0, 0.0)},
    ),
    "level_kit": Day(
        (("Pillar*", "Wall*", 0.3, "built into the wall"), ("Pipe*", "Wall*", 1.0, "goes through the wall")),
        {"Crate 20": (0.0, 0.0, -0.05), "Barrel 2": (0.0, 0.0, -0.03), "Cup 6": (0.0, 0.0, -0.02)},
    ),
}


def ring(name: str, inner: float, outer: float, height: float, at: Vector3) -> bpy.types.Object:
    """Add an upright tube of 48 sides."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=outer, depth=height, location=at, end_fill_type="NOTHING")
    ob = bpy.context.object
    ob.name, count = name, len(ob.data.vertices)
    mesh, points = bpy.data.meshes.new(name), [tuple(vertex.co) for vertex in ob.data.vertices]
    sides = [tuple(face.vertices) for face in ob.data.polygons]
    share = inner / outer
    points += [(x * share, y * share, z) for x, y, z in points]
    faces = list(sides)
    for face in sides:
        faces.append(tuple(count + corner for corner in reversed(face)))
        edges = zip(face, (*face[1:], face[0]), strict=True)
        faces += [
            (end, begin, count + begin, count + end) for begin, end in edges if points[begin][2] == points[end][2]
        ]
    mesh.from_pydata(points, [], faces)
    ob.data = mesh
    return ob


def bearings() -> None:
    """Eleven bearings of four parts each in millimeters: two bolts and a shaft are in what is beside them."""
    for number in range(1, 12):
        x = 0.08 * number
        ring(f"Housing {number}", 0.015, 0.03, 0.02, (x, 0.0, 0.0))
        ring(f"Bushing {number}", 0.01, 0.01501, 0.018, (x, 0.0, 0.0))
        bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=0.00995, depth=0.05, location=(x, 0.0, 0.0))
        bpy.context.object.name = f"Shaft {number}"
        bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=0.003, depth=0.01, location=(x, 0.023, 0.0151))
        bpy.context.object.name = f"Bolt {number}"
    for name, by in (
        ("Bolt 2", (0.0, 0.0, -0.00038)),
        ("Bolt 5", (0.0, 0.0, -0.0011)),
        ("Shaft 7", (0.0001, 0.0, 0.0)),
    ):
        move(name, by)
    bpy.context.scene.unit_settings.length_unit = "MILLIMETERS"
    assert len(bpy.context.scene.objects) == 44


def level_kit() -> None:
    """Thirty tiles of floor with walls, pillars, pipes, crates, barrels, tables, cups and lamps: four are sunk in."""
    kinds: dict[str, tuple[range, Vector3, Vector3]] = {
        # Which tiles have one, its size, and its middle on the tile.
        "Floor": (range(30), (4.0, 4.0, 0.2), (0.0, 0.0, -0.1)),
        "Wall": (range(22), (3.6, 0.2, 3.0), (0.0, 1.5, 1.5)),
        "Pillar": (range(20), (0.4, 0.4, 3.0), (-1.8, 1.5, 1.5)),
        "Pipe": (range(10), (0.1, 2.0, 0.1), (1.0, 1.2, 2.5)),
        "Crate": (range(30), (0.8, 0.8, 0.8), (-0.5, -0.8, 0.4)),
        "Barrel": (range(20), (0.6, 0.6, 0.9), (0.8, -0.8, 0.45)),
        "Table": (range(20, 30), (1.2, 0.7, 0.75), (0.0, 0.3, 0.375)),
        "Cup": (range(20, 30), (0.1, 0.1, 0.1), (0.0, 0.3, 0.8)),
        "Lamp": (range(5), (0.3, 0.3, 0.3), (0.0, 0.0, 2.0)),
    }
    for kind, (tiles, size, middle) in kinds.items():
        maker = bpy.ops.mesh.primitive_cylinder_add if kind == "Barrel" else bpy.ops.mesh.primitive_cube_add
        maker(**({"vertices": 16, "radius": 0.5, "depth": 1.0} if kind == "Barrel" else {"size": 1.0}))
        mesh = bpy.context.object.data
        bpy.data.objects.remove(bpy.context.object)
        for vertex in mesh.vertices:
            vertex.co = [one * other for one, other in zip(vertex.co, size, strict=True)]
        for number, tile in enumerate(tiles, start=1):
            ob = bpy.data.objects.new(f"{kind} {number}", mesh)
            ob.location = (4.0 * (tile % 6) + middle[0], 4.0 * (tile // 6) + middle[1], middle[2])
            bpy.context.scene.collection.objects.link(ob)
    for name, by in (
        ("Crate 3", (0.0, 0.0, -0.015)),
        ("Barrel 7", (-0.66, 0.0, 0.0)),
        ("Cup 2", (0.0, 0.0, -0.005)),
        ("Barrel 11", (0.0, 0.0, -0.003)),
    ):
        move(name, by)
    assert len(bpy.context.scene.objects) == 157


def move(name: str, by: Vector3) -> None:
    """Move an object."""
    bpy.data.objects[name].location = [
        one + other for one, other in zip(bpy.data.objects[name].location, by, strict=True)
    ]
