# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of motion checks, the listed contacts, and the markers of the add-on."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...i18n import CONTEXT
from ..callbacks import motion as callbacks_motion
from .lengths import length_setting

FRAMES = (
    ("SCENE", "Scene Range", "Frame range of the scene"),
    ("PREVIEW", "Preview Range", "Preview range of the timeline"),
    ("OWN", "Custom Range", "Use a custom start and end frame"),
)

DEVIATION_MODES = (
    ("AUTOMATIC", "Automatic", "A small fraction of the size of each moving object"),
    ("MANUAL", "Custom", "Use a custom distance"),
)


ORDERS = (
    ("FRAME", "First Contact", "Contacts that begin within the range first, in the order of their frames", "TIME", 0),
    ("DEPTH", "Deepest First", "Sort by depth only, followed by separated pairs from near to far", "TRIA_DOWN_BAR", 1),
    ("NAME", "By Name", "Sort by object names. Numbers in names are compared by value", "SORTALPHA", 2),
)


class COLLISION_KIT_PG_marker(bpy.types.PropertyGroup):
    """A timeline marker as it was added. If its name or frame has changed since, it belongs to the user."""

    label: StringProperty(
        name="Marker",
        description="Name of the marker when it was added",
        options=set(),
    )
    frame: IntProperty(
        name="Frame",
        description="Frame of the marker when it was added",
        options=set(),
    )


class COLLISION_KIT_PG_motion(bpy.types.PropertyGroup):
    """Settings of a motion check."""

    frames: EnumProperty(
        name="Frames",
        translation_context=CONTEXT,
        description="Frames to check",
        items=FRAMES,
        default="SCENE",
        options=set(),
    )
    frame_start: IntProperty(
        name="Start",
        description="First frame of the range",
        default=1,
        options=set(),
    )
    frame_end: IntProperty(
        name="End",
        description="Last frame of the range",
        default=250,
        options=set(),
    )
    deviation_mode: EnumProperty(
        name="Deviation",
        translation_context=CONTEXT,
        description=("How far the tested motion may deviate from the animation between frames"),
        items=DEVIATION_MODES,
        default="AUTOMATIC",
        options=set(),
    )
    deviation: length_setting(
        name="Max Deviation",
        description="Motion that deviates further from the animation is sampled at more subframes",
        default=0.001,
        min=1e-6,
        soft_max=0.1,
        fine=True,
    )
    clearance: length_setting(
        name="Clearance",
        description="Also list objects that never touch, but come nearer to each other than this; 0: none",
    )
    markers: CollectionProperty(type=COLLISION_KIT_PG_marker)


class COLLISION_KIT_PG_contact(bpy.types.PropertyGroup):
    """A row of the list of contacts: the contact with the number of the row."""


class COLLISION_KIT_PG_contact_view(bpy.types.PropertyGroup):
    """Filters and order of the list of contacts."""

    new: BoolProperty(
        name="New",
        translation_context=CONTEXT,
        description="List contacts that begin within the range",
        default=True,
        options=set(),
    )
    started: BoolProperty(
        name="From the Start",
        description="List pairs that touch from the start of the range",
        default=True,
        options=set(),
    )
    undecided: BoolProperty(
        name="Undecided",
        description="List pairs that may touch",
        default=True,
        options=set(),
    )
    near: BoolProperty(
        name="Near Misses",
        description="List pairs that never touch, but come closer than the clearance",
        default=True,
        options=set(),
    )
    accepted: BoolProperty(
        name="Ignored",
        description="List contacts ignored by rules, dimmed, after the others",
        default=False,
        options=set(),
    )
    text: StringProperty(
        name="Search",
        description="List pairs whose names contain all of these words",
        options={"TEXTEDIT_UPDATE"},
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
        default="FRAME",
        options=set(),
    )
    reverse: BoolProperty(
        name="Reverse",
        description="Reverse the order of the list",
        default=False,
        options=set(),
    )


class COLLISION_KIT_PG_contacts(bpy.types.PropertyGroup):
    """The list of contacts. It belongs to the window manager, like the results of a collision check."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_contact)
    active: IntProperty(
        name="Contact",
        description=(
            "Click to jump to the first moment of this contact, select and frame both objects, and show "
            "where they touch"
        ),
        min=-1,
        get=callbacks_motion.chosen_contact,
        set=callbacks_motion.choose_contact,
        update=callbacks_motion.contact_chosen,
        options=set(),
    )
    view: PointerProperty(
        name="Listed Contacts",
        description="Filter and order of the list of contacts",
        type=COLLISION_KIT_PG_contact_view,
    )
    show: BoolProperty(
        name="Show in Viewport",
        description=(
            "Draw both objects of the active contact as they first touch, with the path of the contact "
            "point and the normal"
        ),
        get=callbacks_motion.motion_shown,
        set=callbacks_motion.show_motion,
        options=set(),
    )


CLASSES = (
    COLLISION_KIT_PG_marker,
    COLLISION_KIT_PG_motion,
    COLLISION_KIT_PG_contact,
    COLLISION_KIT_PG_contact_view,
    COLLISION_KIT_PG_contacts,
)
