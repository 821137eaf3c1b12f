# SPDX-License-Identifier: GPL-3.0-or-later
"""How colliders are to be made, and what is known of one that was."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...engines.kinds import ENGINES, KIND_ITEMS, SOURCES
from ...i18n import CONTEXT
from ..callbacks import objects as callbacks

LEAST_BUDGET, USUAL_BUDGET, MOST_BUDGET = 4, 32, 255

# Of objects; the first is what no collider is.
MADE_AS = (
    ("NONE", "None", "It was not made as a collider"),
    *((kind, name, text) for kind, name, text, _, _ in KIND_ITEMS),
    ("PIECE", "Convex Piece", "One of several hulls that follow a concave mesh"),
    ("MESH", "Triangle Mesh", "A mesh as it is, hollows and holes included"),
)


# Settings that operators share with the scene, whose values they take where they have none of their own.


def kind_setting() -> object:
    """What the colliders are."""
    return EnumProperty(
        name="Kind",
        translation_context=CONTEXT,
        description="What the colliders are",
        items=KIND_ITEMS,
        default="BOX",
        options=set(),
    )


def engine_setting() -> object:
    """Whose rules their names follow."""
    return EnumProperty(
        name="Engine",
        translation_context=CONTEXT,
        description="The engine whose rules the names of colliders follow",
        items=ENGINES,
        default="UNREAL",
        options=set(),
    )


def source_setting() -> object:
    """What each is made around."""
    return EnumProperty(
        name="Around",
        translation_context=CONTEXT,
        description="What each collider is made around",
        items=SOURCES,
        default="OBJECTS",
        options=set(),
    )


def budget_setting() -> object:
    """How many vertices a hull may have."""
    return IntProperty(
        name="Vertices",
        description="How many vertices a simple hull, or a hull of a convex piece, may have",
        default=USUAL_BUDGET,
        min=LEAST_BUDGET,
        soft_max=MOST_BUDGET,
        options=set(),
    )


def thickness_setting() -> object:
    """How thick boxes of flat things are."""
    return FloatProperty(
        name="Least Thickness",
        description="Boxes of flat things are made this thick, since engines have no use for a box without a volume",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        step=1,
        precision=3,
        subtype="DISTANCE",
        options=set(),
    )


def pieces_setting() -> object:
    """How many pieces a concave mesh may become."""
    return IntProperty(
        name="Pieces",
        description="How many convex pieces a concave mesh may become",
        default=8,
        min=1,
        soft_max=64,
        options=set(),
    )


class COLLISION_KIT_PG_colliders(bpy.types.PropertyGroup):
    """How colliders of this scene are made."""

    engine: engine_setting()
    source: source_setting()
    budget: budget_setting()
    thickness: thickness_setting()
    pieces: pieces_setting()


class COLLISION_KIT_PG_collider(bpy.types.PropertyGroup):
    """What is known of an object that was made as a collider; `addon.colliders.fit_record` reads and writes it."""

    kind: EnumProperty(
        name="Made As",
        translation_context=CONTEXT,
        description="The kind of collider that this object was made as",
        items=MADE_AS,
        default="NONE",
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    trigger: BoolProperty(
        name="Trigger",
        description="It tells what is in it and stops nothing, so it is not tested; glTF files say it is a trigger",
        update=callbacks.setting_changed,
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )
    record: StringProperty(
        name="Record",
        description="How well this collider fitted when it was made, and what it was",
        options=set(),
        override={"LIBRARY_OVERRIDABLE"},
    )


CLASSES = (COLLISION_KIT_PG_colliders, COLLISION_KIT_PG_collider)
