# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of comparisons of colliders with render meshes, and the list of their objects."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty

from ...i18n import CONTEXT
from ..callbacks import coverage as callbacks_coverage
from .lengths import length_setting

SCOPES = (
    ("ALL", "Whole Scene", "All render meshes of the scene and their colliders"),
    ("VISIBLE", "Visible Objects", "All visible objects, with their colliders or render meshes"),
    ("SELECTED", "Selected Objects", "All selected objects, with their colliders or render meshes"),
    ("ACTIVE", "Active Object", "The active object, with its colliders or its render mesh"),
)

SURFACES = (
    ("BOTH", "Both", "Color render meshes, and colliders where they protrude"),
    ("OUTSIDE", "Colliders", "Color the surfaces of colliders by how far they protrude"),
    ("INSIDE", "Render Meshes", "Color the render meshes by how far they are outside of all colliders"),
)


class COLLISION_KIT_PG_coverage(bpy.types.PropertyGroup):
    """Scope of a comparison, and the maximum distances."""

    scope: EnumProperty(
        name="Objects",
        translation_context=CONTEXT,
        description="Objects whose colliders are compared with their render meshes",
        items=SCOPES,
        default="ALL",
        options=set(),
    )
    max_outside: length_setting(
        name="Max Outside",
        description="How far colliders may protrude from the render mesh",
        default=0.05,
    )
    max_inside: length_setting(
        name="Max Inside",
        description="How far the render mesh may protrude from all colliders. Objects sink in there",
        default=0.05,
    )
    include_hidden: BoolProperty(
        name="Include Hidden",
        description="Also compare hidden render meshes. Hidden colliders are always compared",
        default=False,
        options=set(),
    )
    reachable_only: BoolProperty(
        name="Only Reachable",
        description="Only count surfaces that the character of Walk the Level comes near, from its starts",
        default=False,
        options=set(),
    )
    reach: length_setting(
        name="Reach",
        description="How near the character must come. Next to walls it gets up to one and a half spacings nearer",
        default=0.4,
        soft_max=10.0,
    )


class COLLISION_KIT_PG_compared_object(bpy.types.PropertyGroup):
    """A row of the list of compared objects: the object with the number of the row."""


class COLLISION_KIT_PG_compared_objects(bpy.types.PropertyGroup):
    """The list of compared objects. It belongs to the window manager, like the results of a collision check."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_compared_object)
    active: IntProperty(
        name="Compared Object",
        description="Click to select this object and frame its worst place",
        min=-1,
        get=callbacks_coverage.chosen_object,
        set=callbacks_coverage.choose_object,
        update=callbacks_coverage.object_chosen,
        options=set(),
    )
    show: BoolProperty(
        name="Heat Map",
        description="Color surfaces by the distance between colliders and render meshes, and mark the worst places",
        get=callbacks_coverage.map_shown,
        set=callbacks_coverage.show_map,
        options=set(),
    )
    surfaces: EnumProperty(
        name="Surfaces",
        translation_context=CONTEXT,
        description="Which surfaces are colored",
        items=SURFACES,
        default="BOTH",
        update=callbacks_coverage.map_changed,
        options=set(),
    )
    range: length_setting(
        name="Range",
        description=(
            "Distance that has the last color of the scale. Zero: the greatest distance, but at most four times "
            "the larger limit"
        ),
        update=callbacks_coverage.map_changed,
    )


CLASSES = (COLLISION_KIT_PG_coverage, COLLISION_KIT_PG_compared_object, COLLISION_KIT_PG_compared_objects)
