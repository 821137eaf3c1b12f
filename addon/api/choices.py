# SPDX-License-Identifier: GPL-3.0-or-later
"""Allowed values of arguments, named as in the interface."""

from collections.abc import Iterable
from typing import Literal, get_args

import bpy

Objects = Iterable[bpy.types.Object | str]
"""Objects or names of objects."""

Scope = Literal["VISIBLE", "ALL", "SELECTED", "ACTIVE", "CAMERA", "COLLECTION", "COLLECTIONS"]
"""Objects to check. ACTIVE: the active object against the other selected objects. CAMERA: the objects that the
active camera sees. COLLECTION: the objects of one collection. COLLECTIONS: the objects of one collection against
those of another.
"""

Plane = Literal["XY", "XZ", "YZ", "CAMERA"]
"""Plane of the outlines. CAMERA: the view plane of the active camera, which must be orthographic."""

Shape = Literal[
    "AUTO", "BOX", "SPHERE", "ELLIPSOID", "CAPSULE", "CYLINDER", "CONE", "HULL", "MESH", "HALF_SPACE", "NONE"
]
"""Collision shape of an object."""

Kind = Literal[
    "BOX", "ORIENTED_BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL", "BUDGET_HULL", "BEST", "KDOP10", "KDOP18", "KDOP26",
    "MESH",
]  # fmt: skip
"""Type of a collider. BUDGET_HULL: a hull with a limited number of vertices. BEST: the simplest type that fits
nearly as closely as the closest. KDOP10, KDOP18, KDOP26: a box with beveled edges and corners. MESH: the triangles
of the mesh.
"""

Source = Literal["OBJECTS", "AROUND", "PARTS", "GROUPS"]
"""Geometry that each collider is fitted to: an object, all objects together, a loose part, or a vertex group."""

Engine = Literal["UNREAL", "GODOT", "UNITY", "GLTF"]
"""Naming convention for colliders."""

Rules = Literal["ANY", "UNREAL", "GODOT", "UNITY", "GLTF", "USD"]
"""Engine whose rules are checked. ANY: only the rules that apply to all engines."""

ScriptEngine = Literal["UNITY", "GODOT"]
"""Engines with an import script."""

Part = Literal["SHAPE", "MARGIN", "GROUPS", "SURFACE", "BODY"]
"""Parts of the collision settings of an object. GROUPS: layers and mask. BODY: the body that it is part of."""

ColliderPart = Literal["DISPLAY", "COLLECTION", "SHAPE"]
"""Settings that are copied from one collider to others."""

View = Literal["OUTSIDE", "CROSSING", "INSIDE"]
"""Place of an object relative to the view of a camera."""

Preset = Literal["GAME_LEVEL", "MECHANICAL", "TOUCHING_COUNTS"]
"""Presets that come with the add-on."""

PiecePreset = Literal["FAST", "BALANCED", "FINE"]
"""Accuracy and search time of convex decomposition."""

Format = Literal["text", "json", "junit", "html", "csv"]
"""Report formats. Only reports of collision checks have csv."""

Direction = Literal["DOWN", "GRAVITY", "VIEW", "X", "Y", "Z", "NEGATIVE_X", "NEGATIVE_Y", "NEGATIVE_Z"]
"""Directions of movement. X to NEGATIVE_Z are the local axes of the object."""

SHAPES, KINDS, SOURCES, ENGINES = get_args(Shape), get_args(Kind), get_args(Source), get_args(Engine)
RULES, PARTS, COLLIDER_PARTS, PLANES = get_args(Rules), get_args(Part), get_args(ColliderPart), get_args(Plane)
PRESETS, DIRECTIONS = get_args(Preset), get_args(Direction)
PIECE_PRESETS = get_args(PiecePreset)
