# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests and rules for pairs that are meant to collide, as a scene stores them."""

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ...i18n import CONTEXT
from ..callbacks import scene as callbacks
from .lengths import length_setting

SEVERITIES = (
    ("ERROR", "Error", "Pairs that this test finds fail a check on the command line", "CANCEL", 0),
    ("WARNING", "Warning", "Pairs that this test finds are reported and fail no check", "ERROR", 1),
    ("INFO", "Info", "Pairs that this test finds are only listed", "INFO", 2),
)


class COLLISION_KIT_PG_pair_test(bpy.types.PropertyGroup):
    """A named test. `addon.scene.settings` reads it."""

    label: StringProperty(
        name="Name",
        description="Name of the test in reports",
        update=callbacks.settings_changed,
        options=set(),
    )
    side_a: StringProperty(
        name="Objects",
        description=(
            "Objects to test: names with * and ?, collection:, library:, material:, type: or parent:, "
            "separated by commas. Empty: all objects"
        ),
        update=callbacks.settings_changed,
        options=set(),
    )
    side_b: StringProperty(
        name="Against",
        description="Objects to test against, written in the same way. Empty: test the objects against each other",
        update=callbacks.settings_changed,
        options=set(),
    )
    use_touching: BoolProperty(
        name="Own Tolerance",
        description="Use a touching tolerance of its own for this test",
        update=callbacks.settings_changed,
        options=set(),
    )
    touching: length_setting(
        name="Tolerance",
        description="Gaps and overlaps up to this distance count as touching",
        default=0.001,
        soft_max=0.1,
        fine=True,
        update=callbacks.settings_changed,
    )
    use_clearance: BoolProperty(
        name="Own Clearance",
        description="Use a clearance of its own for this test",
        update=callbacks.settings_changed,
        options=set(),
    )
    clearance: length_setting(
        name="Clearance",
        description=(
            "Also list pairs that do not touch but are closer than this distance. Zero lists only pairs that touch"
        ),
        soft_max=10.0,
        update=callbacks.settings_changed,
    )
    severity: EnumProperty(
        name="Severity",
        translation_context=CONTEXT,
        description="How much the pairs of this test matter",
        items=SEVERITIES,
        default="ERROR",
        update=callbacks.settings_changed,
        options=set(),
    )


class COLLISION_KIT_PG_ignore_rule(bpy.types.PropertyGroup):
    """A rule for pairs that are meant to collide. `addon.scene.settings` reads it."""

    side_a: StringProperty(
        name="Objects",
        description=(
            "Objects whose collisions are intended: names with * and ?, collection:, library:, material:, type: or "
            "parent:, separated by commas"
        ),
        options=set(),
    )
    side_b: StringProperty(
        name="With",
        description="The other objects of these collisions, written in the same way. Empty: any object",
        options=set(),
    )
    use_max_depth: BoolProperty(
        name="Limit Depth",
        description="Ignore pairs only up to a depth",
        options=set(),
    )
    max_depth: length_setting(
        name="Max Depth",
        description="Pairs that are deeper than this are reported as collisions",
        default=0.001,
        fine=True,
    )
    reason: StringProperty(
        name="Reason",
        description="Why these collisions are intended",
        options=set(),
    )


CLASSES = (COLLISION_KIT_PG_pair_test, COLLISION_KIT_PG_ignore_rule)
