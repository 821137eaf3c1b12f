# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the explanation of a pair to draw, and the rows of the list of its axes."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty

from ..callbacks import explanation as callbacks


class COLLISION_KIT_PG_axis(bpy.types.PropertyGroup):
    """A row of the axes: the axis of the explored pair with the number of the row."""


class COLLISION_KIT_PG_explanation(bpy.types.PropertyGroup):
    """Options for drawing the chosen pair. They belong to the window manager, like the results."""

    axes: CollectionProperty(type=COLLISION_KIT_PG_axis)
    axis: IntProperty(
        name="Axis",
        description="Click to show how the shapes project onto this axis and which features define it",
        min=0,
        get=callbacks.axis_row,
        set=callbacks.choose_axis,
        update=callbacks.drawing_changed,
        options=set(),
    )
    ruler: BoolProperty(
        name="Axis Ruler",
        description=(
            "Draw the axis with the projections of both shapes, their overlap or gap, and the features that define it"
        ),
        default=True,
        update=callbacks.drawing_changed,
        options=set(),
    )
    separating_translation: BoolProperty(
        name="Separating Translation",
        description=(
            "Draw how far and in which direction one of the two objects must move to be free, "
            "instead of how deep they are in each other"
        ),
        default=False,
        update=callbacks.drawing_changed,
        options=set(),
    )
    contacts: BoolProperty(
        name="Contacts",
        description="Draw the contact points with normals and depths, and fill the area between them",
        default=True,
        update=callbacks.drawing_changed,
        options=set(),
    )
    every_arrow: BoolProperty(
        name="All Normals",
        description=(
            "Draw normals and depths of all contacts. Otherwise only of the deepest contact in each neighborhood"
        ),
        default=False,
        update=callbacks.drawing_changed,
        options=set(),
    )
    crossing: BoolProperty(
        name="Intersection Curve",
        description="Draw the curves along which the two surfaces intersect",
        default=True,
        update=callbacks.drawing_changed,
        options=set(),
    )
    by_verdict: BoolProperty(
        name="Color by Verdict",
        description="Color each tested object by its worst result",
        default=False,
        update=callbacks.drawing_changed,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_axis, COLLISION_KIT_PG_explanation)
