# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of colliders: the engines that support them, and what they are made around."""

from typing import Any

# Identifier, name, description and icon. Icons have their own type in the stubs.
KINDS: tuple[tuple[str, str, str, Any], ...] = (
    ("BOX", "Box", "Smallest box along the object's local axes", "MESH_CUBE"),
    ("ORIENTED_BOX", "Oriented Box", "Smallest box in any orientation", "ORIENTATION_LOCAL"),
    ("SPHERE", "Sphere", "Smallest sphere", "MESH_UVSPHERE"),
    ("CAPSULE", "Capsule", "Smallest capsule found (not guaranteed to be minimal)", "MESH_CAPSULE"),
    ("CYLINDER", "Cylinder", "Smallest cylinder found (not guaranteed to be minimal)", "MESH_CYLINDER"),
    ("HULL", "Convex Hull", "Smallest convex shape", "MESH_ICOSPHERE"),
    ("BUDGET_HULL", "Reduced Hull", "Convex hull with few vertices that still contains the whole mesh", "MOD_DECIM"),
    (
        "BEST",
        "Best Fit",
        (
            "Simplest shape within Max Gap or, if that is zero, within 10 % of the smallest volume. "
            "Parts, triangles or pieces of concave meshes"
        ),
        "SOLO_ON",
    ),
    ("KDOP10", "10-DOP", "Box with the edges along one axis beveled, the one that fits best", "MESH_CUBE"),
    ("KDOP18", "18-DOP", "Box with all edges beveled", "MESH_CUBE"),
    ("KDOP26", "26-DOP", "Box with all edges and corners beveled", "MESH_CUBE"),
    (
        "MESH",
        "Triangle Mesh",
        "The mesh itself, including cavities and holes, for static objects. Unreal imports none by its name",
        "MESH_DATA",
    ),
)

# The convex pieces of a mesh, and a hull for each of its loose parts: colliders that are no single shape.
PIECES, PARTS = "PIECES", "PARTS"

KIND_NAMES = {kind: name for kind, name, _, _ in KINDS} | {PIECES: "Convex Pieces", PARTS: "Loose Parts"}

# As items of a property.
KIND_ITEMS = tuple((kind, name, text, icon, number) for number, (kind, name, text, icon) in enumerate(KINDS))

# The types that each setting of a length or a number of vertices is for.
SETTINGS: dict[str, tuple[str, ...]] = {
    "budget": ("BUDGET_HULL", "BEST", PIECES),
    "thickness": ("BOX", "ORIENTED_BOX", "BEST"),
    "gap": ("BEST",),
}

SOURCES = (
    ("OBJECTS", "Each Object", "One collider for each selected object or, in Edit Mode, for its selected faces"),
    ("AROUND", "All Together", "One collider around the whole selection, belonging to the active object"),
    (
        "PARTS",
        "Each Loose Part",
        "One collider for each loose part of the selection. Closed parts are separate even where they touch",
    ),
    (
        "GROUPS",
        "Each Vertex Group",
        (
            "One collider for each vertex group, around the vertices that weigh most in it. If it is the group of a "
            "bone, the collider follows the bone"
        ),
    ),
)

# How to search for convex pieces.
PRESETS = (
    ("FAST", "Fast", "Few cuts are tried. Hollows shallower than about a tenth of the size are filled"),
    (
        "BALANCED",
        "Balanced",
        "About three times as long as Fast. Follows hollows down to about a twentieth of the size",
    ),
    ("FINE", "Fine", "About twice as long as Balanced. Follows hollows down to about a fiftieth of the size"),
)

ENGINES = (
    (
        "UNREAL",
        "Unreal",
        (
            "Names such as UCX_Name_01 (UBX_ box, USP_ sphere, UCP_ capsule, UCX_ convex), as the Unreal "
            "importer expects them"
        ),
    ),
    (
        "GODOT",
        "Godot",
        (
            "Names such as Name_01-convcolonly. In glTF files with OMI, boxes, spheres, capsules and cylinders are "
            "imported as such; by name, each mesh as a convex shape"
        ),
    ),
    ("UNITY", "Unity", "Names such as Name_collider, for an import script in your project"),
    ("GLTF", "glTF", "Names such as Name_collider, with the collider as a child of the render mesh"),
)

# Prefixes of Unreal's importer. It has no cylinders.
PREFIX_OF = {"BOX": "UBX", "SPHERE": "USP", "CAPSULE": "UCP", "CYLINDER": "UCX", "HULL": "UCX"}

# Primitive shapes that each engine can create from a name or, for Godot and glTF, from extensions of a glTF file. For
# other shapes it uses the mesh. The mesh of a box is a box.
PRIMITIVES = {
    "UNREAL": frozenset({"BOX", "SPHERE", "CAPSULE"}),
    "GODOT": frozenset({"BOX", "SPHERE", "CAPSULE", "CYLINDER"}),
    "UNITY": frozenset({"BOX", "SPHERE", "CAPSULE"}),
    "GLTF": frozenset({"BOX", "SPHERE", "CAPSULE", "CYLINDER"}),
}

# Engines that accept triangle meshes by their names or settings.
TRIANGLE_MESHES = frozenset({"GODOT", "UNITY", "GLTF"})


# Engine whose naming convention is used for engines without one.
_NAMED_AS = {"ANY": "UNREAL", "USD": "GLTF"}


def naming_engine(engine: str) -> str:
    """Return the member of `ENGINES` whose naming convention a validation engine uses."""
    return _NAMED_AS.get(engine, engine)


def template_name(engine: str) -> str:
    """Return the property of `COLLISION_KIT_PG_colliders` that holds the template of an engine."""
    return f"name_{engine.lower()}"
