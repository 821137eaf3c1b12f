# SPDX-License-Identifier: GPL-3.0-or-later
"""View settings of the results, and the data about results that a scene stores."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...i18n import CONTEXT
from ...scene.accepted_pairs import ANY_DEPTH
from ..callbacks import results as callbacks_results
from .lengths import length_setting

ORDERS = (
    (
        "VERDICT",
        "Worst First",
        "Duplicates first, then contained pairs, then penetrating pairs from deep to shallow",
        "SORT_DESC",
        0,
    ),
    ("DEPTH", "Deepest First", "Sort by depth only, followed by separated pairs from near to far", "TRIA_DOWN_BAR", 1),
    (
        "DISTANCE",
        "Smallest First",
        "Smallest depth or gap first: easiest to fix",
        "DRIVER_DISTANCE",
        2,
    ),
    ("NAME", "By Name", "Sort by object names. Numbers in names are compared by value", "SORTALPHA", 3),
    ("TEST", "By Test", "Sort by the named test that found each pair", "PRESET", 4),
    ("GROUP", "By Group", "Pairs of the largest group of connected objects first", "LINKED", 5),
)


class COLLISION_KIT_PG_accepted(bpy.types.PropertyGroup):
    """An accepted pair, stored in the scene. `addon.scene.accepted_pairs` reads and writes it."""

    bodies: StringProperty(
        name="Objects",
        description="The two objects by name and library, as saved in the file",
        options=set(),
    )
    keys: StringProperty(
        name="Session Objects",
        description="The two objects as identified in the current session, independent of their names",
        options=set(),
    )
    reason: StringProperty(
        name="Reason",
        description="Why this collision is intended",
        options=set(),
    )
    depth: FloatProperty(
        name="Accepted Depth",
        description="Depth at which the pair was accepted. If it becomes deeper, it is reported again",
        # For pairs that were accepted before this was stored: any depth.
        default=ANY_DEPTH,
        options=set(),
    )


class COLLISION_KIT_PG_topic(bpy.types.PropertyGroup):
    """Status, assignee and comments of a pair. `addon.scene.topics` reads and writes it."""

    guid: StringProperty(name="GUID", description="Identifies the topic and its pair", options=set())
    status: StringProperty(name="Status", translation_context=CONTEXT, description="Status of the topic", options=set())
    assigned_to: StringProperty(name="Assigned To", description="Who the topic is assigned to", options=set())
    comments: StringProperty(name="Comments", description="Comments on the topic, as JSON", options=set())


class COLLISION_KIT_PG_view(bpy.types.PropertyGroup):
    """Filters and order of the list of results."""

    duplicate: BoolProperty(
        name="Duplicate",
        translation_context=CONTEXT,
        description="List pairs of objects that have the same geometry in the same place",
        default=True,
        options=set(),
    )
    contained: BoolProperty(
        name="Contained",
        description="List pairs in which one object is inside the other",
        default=True,
        options=set(),
    )
    penetrating: BoolProperty(
        name="Penetrating",
        description="List penetrating pairs",
        default=True,
        options=set(),
    )
    coplanar: BoolProperty(
        name="Coplanar",
        description="List pairs with faces that lie in one plane, look the same way and overlap, so that they flicker",
        default=True,
        options=set(),
    )
    touching: BoolProperty(
        name="Touching",
        description="List touching pairs",
        default=True,
        options=set(),
    )
    within_clearance: BoolProperty(
        name="Within Clearance",
        description="List pairs that are closer than the clearance",
        default=True,
        options=set(),
    )
    accepted: BoolProperty(
        name="Accepted and Ignored",
        description="List accepted pairs and those ignored by rules, dimmed, after the others. They fail no build",
        default=False,
        options=set(),
    )
    only_new: BoolProperty(
        name="New Only",
        description=(
            "List only faults that were none in the previous check, or were less deep. "
            "In live mode, those since it was turned on"
        ),
        default=False,
        options=set(),
    )
    text: StringProperty(
        name="Search",
        description="List pairs whose names, status, assignee or comments contain all of these words",
        options={"TEXTEDIT_UPDATE"},
    )
    status: StringProperty(
        name="Status",
        translation_context=CONTEXT,
        description="List only pairs that have this status. Those without one are open. Empty lists all pairs",
        options=set(),
    )
    depth: length_setting(
        name="Minimum Depth",
        description="List only pairs that penetrate at least this deep. Zero lists all pairs",
        fine=True,
    )
    order: EnumProperty(
        name="Sort By",
        translation_context=CONTEXT,
        description="Order of the list",
        items=ORDERS,
        default="VERDICT",
        options=set(),
    )
    reverse: BoolProperty(
        name="Reverse",
        description="Reverse the order of the list",
        default=False,
        options=set(),
    )
    grouped: BoolProperty(
        name="Group by Object",
        description=(
            "List each pair under both of its objects, with the number of pairs of each. Click an object to collapse it"
        ),
        default=False,
        update=callbacks_results.grouping_changed,
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_accepted, COLLISION_KIT_PG_topic, COLLISION_KIT_PG_view)
