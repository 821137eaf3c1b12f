# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism of 44 bodies with planted faults, and faults that come later: an hour of work, and the next morning.

Lengths are meters. What is meant to collide has an ignore rule.
"""

import bpy

Vector3 = tuple[float, float, float]

# Patterns of what is meant to collide, how deep it may, and why.
RULES = (("Bushing*", "Housing*", 0.00002, "press fit"),)

# Objects that are moved after the file was saved, and by how much: all stood free or on something before.
LATER: dict[str, Vector3] = {
    "Bolt 8": (0.0, 0.0, -0.0003),
    "Bolt 9": (0.0, 0.0, -0.0005),
    "Shaft 10": (0.00008, 0.0, 0.0),
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


def move(name: str, by: Vector3) -> None:
    """Move an object."""
    bpy.data.objects[name].location = [
        one + other for one, other in zip(bpy.data.objects[name].location, by, strict=True)
    ]
