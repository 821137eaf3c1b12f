# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that arguments take, as the interface has them."""

from collections.abc import Iterable
from typing import Literal, get_args

import bpy

Objects = Iterable[bpy.types.Object | str]
"""Objects, or their names."""

Scope = Literal["VISIBLE", "ALL", "SELECTED", "ACTIVE", "CAMERA", "COLLECTION", "COLLECTIONS"]
"""Which objects are checked. ACTIVE: the active object against the other selected ones. CAMERA: what the active camera
sees. COLLECTION and COLLECTIONS: those of one collection, or those of one against those of another."""

Plane = Literal["XY", "XZ", "YZ", "CAMERA"]
"""The plane in which outlines are looked at. CAMERA: the view plane of the active, orthographic camera."""

Shape = Literal[
    "AUTO", "BOX", "SPHERE", "ELLIPSOID", "CAPSULE", "CYLINDER", "CONE", "HULL", "MESH", "HALF_SPACE", "NONE"
]
"""What an object is tested as."""

Kind = Literal[
    "BOX", "ORIENTED_BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL", "BUDGET_HULL", "BEST", "KDOP10", "KDOP18", "KDOP26",
    "MESH",
]  # fmt: skip
"""What a collider is made as. BUDGET_HULL: a hull of few vertices. BEST: the simplest shape close to the smallest.
KDOP10, KDOP18, KDOP26: a box with beveled edges and corners. MESH: the triangles themselves."""

Source = Literal["OBJECTS", "AROUND", "PARTS", "GROUPS"]
"""What each collider is fitted to: an object, all objects together, a loose part, or a vertex group."""

Engine = Literal["UNREAL", "GODOT", "UNITY", "GLTF"]
"""Whose naming convention colliders follow."""

Rules = Literal["ANY", "UNREAL", "GODOT", "UNITY", "GLTF", "USD"]
"""The engine whose rules are checked. ANY: only those that apply to all engines."""

ScriptEngine = Literal["UNITY", "GODOT"]
"""The engines with an import script."""

Part = Literal["SHAPE", "MARGIN", "GROUPS", "SURFACE", "BODY"]
"""The parts of an object's collision settings. GROUPS: layers and mask; BODY: what it is part of."""

ColliderPart = Literal["DISPLAY", "COLLECTION", "SHAPE"]
"""What is copied from collider to collider."""

View = Literal["OUTSIDE", "CROSSING", "INSIDE"]
"""Where an object is in the view of a camera."""

Preset = Literal["GAME_LEVEL", "MECHANICAL", "TOUCHING_COUNTS"]
"""The presets that come with the add-on."""

PiecePreset = Literal["FAST", "BALANCED", "FINE"]
"""How closely convex pieces follow a mesh, and how long the search takes."""

Format = Literal["text", "json", "junit", "html", "csv"]
"""The formats of reports; only those of collision checks have csv."""

Direction = Literal["DOWN", "GRAVITY", "VIEW", "X", "Y", "Z", "NEGATIVE_X", "NEGATIVE_Y", "NEGATIVE_Z"]
"""Directions in which objects are moved; X to NEGATIVE_Z are the object's own axes."""

SHAPES, KINDS, SOURCES, ENGINES = get_args(Shape), get_args(Kind), get_args(Source), get_args(Engine)
RULES, PARTS, COLLIDER_PARTS, PLANES = get_args(Rules), get_args(Part), get_args(ColliderPart), get_args(Plane)
PRESETS, DIRECTIONS = get_args(Preset), get_args(Direction)
PIECE_PRESETS = get_args(PiecePreset)
