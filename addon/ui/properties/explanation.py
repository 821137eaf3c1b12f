# SPDX-License-Identifier: GPL-3.0-or-later
"""Which parts of the explanation of a pair are drawn, and the rows of the list of its axes."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty

from ..callbacks import explanation as callbacks


class COLLISION_KIT_PG_axis(bpy.types.PropertyGroup):
    """A row of the axes: the axis of the explored pair that has the row's number."""


class COLLISION_KIT_PG_explanation(bpy.types.PropertyGroup):
    """What is drawn of the chosen pair; the window manager's, like the results."""

    axes: CollectionProperty(type=COLLISION_KIT_PG_axis)
    axis: IntProperty(
        name="Axis",
        description="Click to see what both shapes cover of this axis, and what made it",
        min=0,
        get=callbacks.axis_row,
        set=callbacks.choose_axis,
        update=callbacks.drawing_changed,
        options=set(),
    )
    ruler: BoolProperty(
        name="Axis Ruler",
        description=(
            "Draw the axis beside the pair with the stretch that each shape covers of it, and their overlap or gap, "
            "and highlight the face, edges or vertex that made it"
        ),
        default=True,
        update=callbacks.drawing_changed,
        options=set(),
    )
    contacts: BoolProperty(
        name="Contacts",
        description="Draw the contact points with their normals and depths, and fill what they span",
        default=True,
        update=callbacks.drawing_changed,
        options=set(),
    )
    every_arrow: BoolProperty(
        name="All Arrows",
        description=(
            "Draw normal and depth of every contact. Off: of many contacts only of those that have no deeper one "
            "beside them, so that arrows do not cover each other; all have their points"
        ),
        default=False,
        update=callbacks.drawing_changed,
        options=set(),
    )
    crossing: BoolProperty(
        name="Crossing Curve",
        description="Draw the lines in which the surfaces of the two cross",
        default=True,
        update=callbacks.drawing_changed,
        options=set(),
    )
    by_verdict: BoolProperty(
        name="Color by Verdict",
        description="Color every tested object by the worst that was found about it",
        default=False,
        update=callbacks.drawing_changed,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_axis, COLLISION_KIT_PG_explanation)
