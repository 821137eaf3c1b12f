# SPDX-License-Identifier: GPL-3.0-or-later
"""What a check of motion has to say about single objects, and which it left out."""

import bpy

from ...model.report import Finding, Skipped
from ...session import motion_results
from .findings import draw_count, draw_findings, draw_skipped
from .tab import CollisionTab


class COLLISION_KIT_PT_motion_findings(CollisionTab, bpy.types.Panel):
    """Objects that could not be followed faithfully, and the like."""

    bl_label = "Issues"
    bl_parent_id = "COLLISION_KIT_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there is something to find in it."""
        return bool(_findings())

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Say how many, for those who do not open it."""
        draw_count(self.layout, len(_findings()))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each finding: the object, then the sentence."""
        draw_findings(self.layout, context, _findings())


class COLLISION_KIT_PT_motion_skipped(CollisionTab, bpy.types.Panel):
    """Objects of the scope that were left out in all frames, by reason."""

    bl_label = "Not Tested"
    bl_parent_id = "COLLISION_KIT_PT_motion"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if something was left out."""
        return bool(_skipped())

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Say how many, for those who do not open it."""
        draw_count(self.layout, len(_skipped()))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each reason once, with its objects under it."""
        draw_skipped(self.layout, context, _skipped())


def _findings() -> tuple[Finding, ...]:
    found = motion_results.latest.result
    return found.report.findings if found is not None else ()


def _skipped() -> tuple[Skipped, ...]:
    found = motion_results.latest.result
    return found.report.skipped if found is not None else ()
