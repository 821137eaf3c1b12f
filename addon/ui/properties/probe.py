# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a probe: character, starts, and the listed and accepted issues."""

import math

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...i18n import CONTEXT
from ...model.probe_report import ProbeRequest
from ..callbacks import probe as callbacks_probe
from .lengths import length_setting

SHAPES = (
    ("CAPSULE", "Capsule", "An upright capsule that walks, as the characters of engines do"),
    ("BALL", "Ball", "A ball that rolls, such as a marble or a wheel"),
)

SCOPES = (
    ("VISIBLE", "Visible Objects", "Walk on all visible objects"),
    ("ALL", "Whole Scene", "Walk on all objects in the scene. Hidden objects are listed as not tested"),
    ("SELECTED", "Selected Objects", "Walk on the selected objects"),
    ("COLLECTION", "One Collection", "Walk on all objects in one collection"),
)

MARGIN_MODES = (
    ("AUTOMATIC", "Automatic", "An eighth of the radius"),
    ("MANUAL", "Custom", "Use a custom distance"),
)

_USUAL = ProbeRequest()


class COLLISION_KIT_PG_start(bpy.types.PropertyGroup):
    """A start object. The character begins below its origin."""

    object: PointerProperty(
        name="Start",
        description="Empty or object. The character begins on the floor below its origin",
        type=bpy.types.Object,
        options=set(),
    )


class COLLISION_KIT_PG_accepted_walk_issue(bpy.types.PropertyGroup):
    """An accepted issue, stored in the scene. `addon.scene.accepted_walk_issues` reads and writes it."""

    id: StringProperty(name="ID", description="Identifies the issue by its kind and its objects", options=set())
    reason: StringProperty(name="Reason", description="Why this place is intended", options=set())


class COLLISION_KIT_PG_probe(bpy.types.PropertyGroup):
    """The character, the scope and the starts."""

    scope: EnumProperty(
        name="Objects",
        translation_context=CONTEXT,
        description="Objects to walk on",
        items=SCOPES,
        default="VISIBLE",
        options=set(),
    )
    collection: PointerProperty(
        name="Collection",
        description="Collection of the objects to walk on, including child collections",
        type=bpy.types.Collection,
        options=set(),
    )
    shape: EnumProperty(
        name="Character",
        translation_context=CONTEXT,
        description="Shape of the character",
        items=SHAPES,
        default="CAPSULE",
        options=set(),
    )
    radius: length_setting(
        name="Radius",
        description="Radius of the character",
        default=_USUAL.radius,
        min=1e-4,
        soft_max=10.0,
    )
    height: length_setting(
        name="Height",
        description="Height of the whole capsule, at least twice the radius",
        default=_USUAL.height,
        min=2e-4,
        soft_max=10.0,
    )
    step: length_setting(
        name="Step Height",
        description="The highest step that the character climbs",
        default=_USUAL.step,
        soft_max=10.0,
    )
    slope: FloatProperty(
        name="Max Slope",
        description="The steepest slope on which the character walks",
        default=math.radians(_USUAL.slope),
        min=0.0,
        max=math.radians(89.0),
        step=100,
        subtype="ANGLE",
        options=set(),
    )
    drop: length_setting(
        name="Max Drop",
        description="How far the character may drop. Places from which it drops farther are reported as falls",
        default=_USUAL.drop,
        soft_max=100.0,
        step=10,
    )
    spacing: length_setting(
        name="Spacing",
        translation_context=CONTEXT,
        description=(
            "Distance of the columns between which the character moves. Gaps are found between them, too. Half the "
            "spacing takes about four times as long"
        ),
        default=_USUAL.spacing,
        min=1e-3,
        soft_max=10.0,
    )
    margin_mode: EnumProperty(
        name="Margin",
        translation_context=CONTEXT,
        description="Report steps that are too high, and passages that are too narrow, by up to this",
        items=MARGIN_MODES,
        default="AUTOMATIC",
        options=set(),
    )
    margin: length_setting(
        name="Distance",
        description="Higher steps and narrower passages are treated as walls",
        default=0.05,
    )
    starts: CollectionProperty(type=COLLISION_KIT_PG_start)
    active_start: IntProperty(name="Active Start", description="Start that can be removed", options=set())
    accepted: CollectionProperty(type=COLLISION_KIT_PG_accepted_walk_issue)


class COLLISION_KIT_PG_walk_issue(bpy.types.PropertyGroup):
    """A row of the list of issues: the issue with the number of the row."""


def _shown(name: str, description: str) -> object:
    return BoolProperty(
        name=name, description=description, default=True, update=callbacks_probe.filter_changed, options=set()
    )


class COLLISION_KIT_PG_walk_issues(bpy.types.PropertyGroup):
    """The list of issues with its filters. It belongs to the window manager, like other results."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_walk_issue)
    active: IntProperty(
        name="Issue",
        description=(
            "Click to select the objects of this issue, to frame it, and to draw the character before and after"
        ),
        min=-1,
        get=callbacks_probe.chosen_issue,
        set=callbacks_probe.choose_issue,
        update=callbacks_probe.issue_chosen,
        options=set(),
    )
    show: BoolProperty(
        name="Show in Viewport",
        description="Draw the reached floor, floors that are not reached, the starts and the listed issues",
        get=callbacks_probe.walk_shown,
        set=callbacks_probe.show_walk,
        options=set(),
    )
    fall: _shown("Falls", "List places from which the character drops too far, or out of the level")
    stuck: _shown("No Way Back", "List places that the character can enter but not leave")
    snag: _shown("Snags", "List edges between two colliders that look level")
    squeeze: _shown("Narrow Passages", "List passages that are a little too narrow")
    step: _shown("High Steps", "List steps that are a little too high")
    slope: _shown("Steep Slopes", "List slopes that are a little too steep")
    unreachable: _shown("Unreachable Floors", "List floors that the character does not reach")
    accepted: BoolProperty(
        name="Accepted",
        description="List accepted issues, dimmed. They fail no build",
        default=False,
        update=callbacks_probe.filter_changed,
        options=set(),
    )


CLASSES = (
    COLLISION_KIT_PG_start,
    COLLISION_KIT_PG_accepted_walk_issue,
    COLLISION_KIT_PG_probe,
    COLLISION_KIT_PG_walk_issue,
    COLLISION_KIT_PG_walk_issues,
)
