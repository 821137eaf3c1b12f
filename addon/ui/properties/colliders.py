# SPDX-License-Identifier: GPL-3.0-or-later
"""Options for making colliders, and the record of a made one."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from ...engines.kinds import ENGINES, KIND_ITEMS, PRESETS, SOURCES
from ...i18n import CONTEXT
from ..callbacks import objects as callbacks
from .lengths import length_setting

LEAST_BUDGET, USUAL_BUDGET, MOST_BUDGET = 4, 32, 255

# Meanings of the height of a capsule in OMI_physics_shape.
CAPSULES = (
    ("BETWEEN_CENTERS", "Between Centers", "As OMI_physics_shape specifies it since September 2024"),
    ("TOTAL", "Total", "As Godot 4 reads it, and as OMI_physics_shape specified it before September 2024"),
)

# Kinds of objects. The first means that it is not a collider. The numbers are stored in files, so new kinds come last.
_NUMBERS = ("NONE", *(kind for kind, *_ in KIND_ITEMS[:8]), "PIECE", "MESH", "KDOP10", "KDOP18", "KDOP26")
_MADE_AS = {
    "NONE": ("None", "Not created as a collider"),
    **{kind: (name, text) for kind, name, text, _, _ in KIND_ITEMS},
    "PIECE": ("Convex Piece", "One of several hulls that approximate a concave mesh"),
}
MADE_AS = tuple((kind, *_MADE_AS[kind], "NONE", number) for number, kind in enumerate(_NUMBERS))


# Settings that operators share with the scene, and whose scene values are their defaults. For the engine, the scene has
# more choices.


def kind_setting() -> object:
    """Return the property of the kind of new colliders."""
    return EnumProperty(
        name="Type",
        translation_context=CONTEXT,
        description="Type of the new colliders",
        items=KIND_ITEMS,
        default="BOX",
        options=set(),
    )


def engine_setting() -> object:
    """Return the property of the naming convention."""
    return EnumProperty(
        name="Engine",
        translation_context=CONTEXT,
        description="Engine whose naming convention new colliders follow",
        items=ENGINES,
        default="UNREAL",
        options=set(),
    )


def source_setting() -> object:
    """Return the property of what each collider is made around."""
    return EnumProperty(
        name="Fit To",
        translation_context=CONTEXT,
        description="What each collider is fitted to",
        items=SOURCES,
        default="OBJECTS",
        options=set(),
    )


def budget_setting() -> object:
    """Return the property of the maximum number of vertices of a hull."""
    return IntProperty(
        name="Max Vertices",
        description="Maximum number of vertices of a reduced hull, a Best Fit hull, or each hull of convex pieces",
        default=USUAL_BUDGET,
        min=LEAST_BUDGET,
        soft_max=MOST_BUDGET,
        options=set(),
    )


def thickness_setting() -> object:
    """Return the property of the minimum thickness of boxes."""
    return length_setting(
        name="Min Thickness",
        description=(
            "Minimum thickness of boxes. Boxes of flat meshes are 2 cm thick at least, since engines reject boxes "
            "without volume"
        ),
    )


def gap_setting() -> object:
    """Return the property of the maximum gap of the best fit."""
    return length_setting(
        name="Max Gap",
        description=(
            "Best Fit takes the simplest type whose largest distance from the mesh is no larger. "
            "Zero: the simplest type whose volume is within 10 % of the smallest"
        ),
    )


def pieces_setting() -> object:
    """Return the property of the maximum number of pieces of a concave mesh."""
    return IntProperty(
        name="Max Hulls",
        description="Maximum number of convex hulls for a concave mesh",
        default=8,
        min=1,
        soft_max=64,
        options=set(),
    )


def preset_setting() -> object:
    """Return the property of the search for pieces."""
    return EnumProperty(
        name="Quality",
        translation_context=CONTEXT,
        description="How closely convex pieces follow the mesh, and how long the search takes",
        items=PRESETS,
        default="BALANCED",
        options=set(),
    )


def template_setting(title: str) -> object:
    """Return the property of the template for names of new colliders of an engine."""
    return StringProperty(
        name=title,
        description=(
            "Template for names: {mesh}, {base} (without LOD), {lod}, {kind}, {prefix} (UBX), {suffix}, {engine}, "
            "{index} or {index:03}. Empty: the engine's own names"
        ),
        options=set(),
    )


class COLLISION_KIT_PG_colliders(bpy.types.PropertyGroup):
    """Options for making colliders of this scene."""

    source: source_setting()
    budget: budget_setting()
    thickness: thickness_setting()
    gap: gap_setting()
    pieces: pieces_setting()
    preset: preset_setting()
    name_unreal: template_setting("Name Template")
    name_godot: template_setting("Name Template")
    name_unity: template_setting("Name Template")
    name_gltf: template_setting("Name Template")


class COLLISION_KIT_PG_collider(bpy.types.PropertyGroup):
    """The record of an object that was made as a collider. `addon.colliders.fit_record` reads and writes it."""

    kind: EnumProperty(
        name="Type",
        translation_context=CONTEXT,
        description="Type of collider that this object was created as",
        items=MADE_AS,
        default="NONE",
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    axis: EnumProperty(
        name="Axis",
        translation_context=CONTEXT,
        description="Local axis of a cylinder, used if the mesh does not look round along exactly one axis",
        items=(
            ("NONE", "None", "Not stored: the bounds decide"),
            ("X", "X", "Along the local X axis"),
            ("Y", "Y", "Along the local Y axis"),
            ("Z", "Z", "Along the local Z axis"),
        ),
        default="NONE",
        update=callbacks.setting_changed,
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    trigger: BoolProperty(
        name="Trigger",
        description=(
            "Trigger volume: detects overlaps but does not block. Not tested, and exported to glTF as a trigger"
        ),
        update=callbacks.setting_changed,
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    omi: EnumProperty(
        name="OMI",
        translation_context=CONTEXT,
        description="How the glTF file of this collider declares it in OMI_physics_shape, which Godot reads",
        items=(
            ("NONE", "None", "Not declared there"),
            *CAPSULES,
        ),
        default="NONE",
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    record: StringProperty(
        name="Record",
        description="How well this collider fitted when it was created, and its state then",
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )


CLASSES = (COLLISION_KIT_PG_colliders, COLLISION_KIT_PG_collider)
