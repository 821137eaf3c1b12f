# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user wants to see of the results, and what a scene remembers of them."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...i18n import CONTEXT
from ..callbacks import results as callbacks_results

ORDERS = (
    ("VERDICT", "Worst First", "What is inside first, then what penetrates, the deepest first", "SORT_DESC", 0),
    ("DEPTH", "Deepest First", "By depth alone; what is apart follows, the nearest first", "TRIA_DOWN_BAR", 1),
    (
        "DISTANCE",
        "Least First",
        "The smallest depth or gap first: what takes the least to mend",
        "DRIVER_DISTANCE",
        2,
    ),
    ("NAME", "By Name", "By the names of the objects; numbers in them count as numbers", "SORTALPHA", 3),
)


class COLLISION_KIT_PG_accepted(bpy.types.PropertyGroup):
    """A pair that a scene remembers as accepted; `addon.scene.accepted_pairs` reads and writes it."""

    bodies: StringProperty(
        name="Objects",
        description="The two objects by name and library, as the file is to know them",
        options=set(),
    )
    keys: StringProperty(
        name="Objects in Memory",
        description="The two objects as this run of Blender knows them, whatever their names",
        options=set(),
    )
    reason: StringProperty(
        name="Reason",
        description="Why the two may be as they are",
        options=set(),
    )


class COLLISION_KIT_PG_view(bpy.types.PropertyGroup):
    """Which results are listed, and in which order."""

    contained: BoolProperty(
        name="One Inside the Other",
        description="List pairs of which one is inside the other",
        default=True,
        options=set(),
    )
    penetrating: BoolProperty(
        name="Penetrating",
        description="List pairs that penetrate",
        default=True,
        options=set(),
    )
    touching: BoolProperty(
        name="Touching",
        description="List pairs that touch",
        default=True,
        options=set(),
    )
    within_clearance: BoolProperty(
        name="Too Near",
        description="List pairs that are nearer than the clearance",
        default=True,
        options=set(),
    )
    accepted: BoolProperty(
        name="Accepted",
        description="List pairs that were accepted, dimmed. They are counted apart and never fail a build",
        default=True,
        options=set(),
    )
    only_new: BoolProperty(
        name="Only New",
        description="List only pairs that the check before did not list; in live mode, since it was switched on",
        default=False,
        options=set(),
    )
    text: StringProperty(
        name="Search",
        description="List pairs in whose names all of these words appear",
        options={"TEXTEDIT_UPDATE"},
    )
    depth: FloatProperty(
        name="Minimum Depth",
        description="List only pairs that penetrate at least this deep. Zero lists all",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        step=0.1,
        precision=4,
        subtype="DISTANCE",
        options=set(),
    )
    order: EnumProperty(
        name="Sort By",
        translation_context=CONTEXT,
        description="In which order results are listed",
        items=ORDERS,
        default="VERDICT",
        options=set(),
    )
    reverse: BoolProperty(
        name="Reverse",
        description="The last first",
        default=False,
        options=set(),
    )
    grouped: BoolProperty(
        name="Group by Object",
        description="List each pair under both its objects, with how many each has. Click an object to fold it away",
        default=False,
        update=callbacks_results.grouping_changed,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_accepted, COLLISION_KIT_PG_view)
