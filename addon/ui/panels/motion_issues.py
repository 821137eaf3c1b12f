# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of issues of a motion check, and of objects that it left out."""

import bpy

from ...model.report import Issue, Skipped
from ...session import motion_results
from .issues import draw_count, draw_issues, draw_skipped
from .tab import CollisionTab


class COLLISION_KIT_PT_motion_issues(CollisionTab, bpy.types.Panel):
    """Objects that could not be followed exactly, and similar issues."""

    bl_label = "Issues"
    bl_parent_id = "COLLISION_KIT_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there are issues."""
        return bool(_issues())

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        draw_count(self.layout, len(_issues()))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each issue: the object, then the sentence."""
        draw_issues(self.layout, context, _issues())


class COLLISION_KIT_PT_motion_skipped(CollisionTab, bpy.types.Panel):
    """Objects of the scope that were left out in all frames, by reason."""

    bl_label = "Not Tested"
    bl_parent_id = "COLLISION_KIT_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if an object was left out."""
        return bool(_skipped())

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        draw_count(self.layout, len(_skipped()))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each reason once, with its objects below it."""
        draw_skipped(self.layout, context, _skipped())


def _issues() -> tuple[Issue, ...]:
    found = motion_results.latest.result
    return found.report.issues if found is not None else ()


def _skipped() -> tuple[Skipped, ...]:
    found = motion_results.latest.result
    return found.report.skipped if found is not None else ()
