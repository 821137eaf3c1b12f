# SPDX-License-Identifier: GPL-3.0-or-later
"""Which colliders can be made, for which engine, and around what."""

from typing import Any

# Identifier, name, description and icon; the icons have a type of the stubs' own.
KINDS: tuple[tuple[str, str, str, Any], ...] = (
    ("BOX", "Box", "The smallest box along the object's own axes", "MESH_CUBE"),
    ("ORIENTED_BOX", "Oriented Box", "The box of least volume, however it is turned", "ORIENTATION_LOCAL"),
    ("SPHERE", "Sphere", "The smallest sphere", "MESH_UVSPHERE"),
    ("CAPSULE", "Capsule", "The smallest capsule that many searches find", "MESH_CAPSULE"),
    ("CYLINDER", "Cylinder", "The smallest cylinder that many searches find", "MESH_CYLINDER"),
    ("HULL", "Convex Hull", "The tightest convex shape", "MESH_ICOSPHERE"),
    ("BUDGET_HULL", "Simple Hull", "A convex hull of few vertices that still holds everything", "MOD_DECIM"),
    (
        "BEST",
        "Best Primitive",
        "The simplest of sphere, capsule, box, cylinder and hull whose volume is at most 10 % more than the least",
        "SOLO_ON",
    ),
)

KIND_ICONS = {kind: icon for kind, _, _, icon in KINDS}
KIND_NAMES = {kind: name for kind, name, _, _ in KINDS}

# As the items of a property.
KIND_ITEMS = tuple((kind, name, text, icon, number) for number, (kind, name, text, icon) in enumerate(KINDS))

SOURCES = (
    ("OBJECTS", "Each Object", "A collider for each selected object; in edit mode, for each object's selected faces"),
    ("AROUND", "All Together", "One collider around everything that is selected; it belongs to the active object"),
    ("PARTS", "Each Loose Part", "A collider for each connected part of what is selected"),
)

ENGINES = (
    ("UNREAL", "Unreal", "UBX_Name_01, USP_Name_01, UCP_Name_01 and UCX_Name_01, as Unreal's importer pairs them"),
    ("GODOT", "Godot", "Name_01-convcolonly: the mesh of each becomes one convex shape"),
    ("UNITY", "Unity", "Name_collider: what a script of the project makes of it is up to that script"),
    ("GLTF", "glTF", "Name_collider: a child of the mesh that it stands for"),
)

# What Unreal's importer goes by. It has no cylinders.
PREFIX_OF = {"BOX": "UBX", "SPHERE": "USP", "CAPSULE": "UCP", "CYLINDER": "UCX", "HULL": "UCX"}

# The shapes that an engine has itself and can take from such a name; of any other it uses the mesh. A box is its mesh.
PRIMITIVES = {
    "UNREAL": frozenset({"BOX", "SPHERE", "CAPSULE"}),
    "GODOT": frozenset({"BOX"}),
    "UNITY": frozenset({"BOX", "SPHERE", "CAPSULE"}),
    "GLTF": frozenset({"BOX", "SPHERE", "CAPSULE", "CYLINDER"}),
}
