# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can set for checks of motion, the contacts that are listed, and the markers of ours."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

from ...i18n import CONTEXT
from ..callbacks import motion as callbacks_motion

FRAMES = (
    ("SCENE", "Scene Range", "From the first to the last frame of the scene"),
    ("PREVIEW", "Preview Range", "The frames of the timeline's preview range"),
    ("OWN", "Own Range", "From and to frames of your own"),
)

DEVIATION_MODES = (
    ("AUTOMATIC", "Automatic", "A small share of the size of what moves"),
    ("MANUAL", "Manual", "A distance of your own"),
)


class COLLISION_KIT_PG_marker(bpy.types.PropertyGroup):
    """A timeline marker as it was added; one that has another name or frame by now is the user's."""

    label: StringProperty(
        name="Marker",
        description="The name with which the marker was added",
        options=set(),
    )
    frame: IntProperty(
        name="Frame",
        description="The frame in which the marker was added",
        options=set(),
    )


class COLLISION_KIT_PG_motion(bpy.types.PropertyGroup):
    """What a check of motion looks at."""

    frames: EnumProperty(
        name="Frames",
        translation_context=CONTEXT,
        description="Between which frames objects are followed",
        items=FRAMES,
        default="SCENE",
        options=set(),
    )
    frame_start: IntProperty(
        name="Start",
        description="The first frame of the range",
        default=1,
        options=set(),
    )
    frame_end: IntProperty(
        name="End",
        description="The last frame of the range",
        default=250,
        options=set(),
    )
    deviation_mode: EnumProperty(
        name="Deviation",
        translation_context=CONTEXT,
        description=(
            "How far the motion that is followed may stray from the animation. It runs evenly between frames and, "
            "where that is not near enough, between parts of frames"
        ),
        items=DEVIATION_MODES,
        default="AUTOMATIC",
        options=set(),
    )
    deviation: FloatProperty(
        name="At Most",
        description="Motion that strays further from the animation than this is followed in smaller parts of a frame",
        default=0.001,
        min=1e-6,
        soft_max=0.1,
        step=0.1,
        precision=4,
        subtype="DISTANCE",
        options=set(),
    )
    markers: CollectionProperty(type=COLLISION_KIT_PG_marker)


class COLLISION_KIT_PG_contact(bpy.types.PropertyGroup):
    """A row of the list of contacts: the contact that has the row's number."""


class COLLISION_KIT_PG_contacts(bpy.types.PropertyGroup):
    """The list of contacts; the window manager's, as the results of a collision check are."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_contact)
    active: IntProperty(
        name="Contact",
        description=(
            "Click to go to the first moment of this contact, select both objects, frame them, and see both as they "
            "touch, the way that the point of contact takes, and the normal"
        ),
        min=-1,
        get=callbacks_motion.chosen_contact,
        set=callbacks_motion.choose_contact,
        update=callbacks_motion.contact_chosen,
        options=set(),
    )
    show: BoolProperty(
        name="Show in Viewport",
        description=(
            "Draw both objects of the chosen contact as they first touch, the way that the point of contact takes, and "
            "the normal"
        ),
        get=callbacks_motion.motion_shown,
        set=callbacks_motion.show_motion,
        options=set(),
    )


CLASSES = (
    COLLISION_KIT_PG_marker,
    COLLISION_KIT_PG_motion,
    COLLISION_KIT_PG_contact,
    COLLISION_KIT_PG_contacts,
)
