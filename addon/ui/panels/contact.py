# SPDX-License-Identifier: GPL-3.0-or-later
"""The chosen contact of moving objects: its time, depth and certainty."""

from typing import Any

import bpy

from ...i18n.lookup import label_
from ...i18n.units import direction_text, spoken_text
from ...i18n.wrapping import unbroken
from ...model.motion_report import MotionContact, curve_range
from ...session import motion_results
from ...session.motion_results import MotionResult
from ...viewport import curve_preview
from ..verdicts import VERDICTS
from .icons import ACCEPTED
from .layout import buttons, fact, is_narrow, paragraph
from .motion_texts import frame_text
from .tab import CollisionTab

JUMP = "collision_kit.jump_to_contact"
# Size of the image, in units of the interface.
PICTURE = 8.0


class COLLISION_KIT_PT_contact(CollisionTab, bpy.types.Panel):
    """The moments of a contact, with a button to go to each."""

    bl_label = "Active Contact"
    bl_parent_id = "COLLISION_KIT_PT_motion"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if a contact is chosen."""
        found = motion_results.latest.result
        return found is not None and found.contact(found.chosen) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw both names, the moments, and data about them."""
        found = motion_results.latest.result
        contact = found.contact(found.chosen) if found is not None else None
        if found is None or contact is None:
            return
        for body in found.bodies_of(contact):
            column = self.layout.column(align=True)
            column.label(text=found.body_name(body), icon="OBJECT_DATA", translate=False)
            if found.body_is_gone(body):
                paragraph(column, context, label_("Deleted since this check"), "GHOST_DISABLED")
        if contact.is_near_miss:
            self._draw_near_miss(context, found, contact)
        else:
            self._draw_moments(context, found, contact)
        self._draw_curve(context, found, contact)
        self._draw_details(context, found, contact)

    def _draw_moments(self, context: bpy.types.Context, found: MotionResult, contact: MotionContact) -> None:
        column, narrow = self.layout.column(align=True), is_narrow(context)
        for name, frame in (("First", contact.first), ("Deepest", contact.deepest), ("Last", contact.last)):
            fact(column, name, self._moment(found, frame), above=narrow)
        self._draw_depth(context, column, contact)
        fact(column, "Normal", direction_text(contact.normal), above=narrow)
        self._draw_advice(context, found, contact)
        moments: tuple[tuple[str, str, Any], ...] = (
            ("FIRST", label_("First"), "REW"),
            ("DEEPEST", label_("Deepest"), "TRIA_DOWN_BAR"),
            ("LAST", label_("Last"), "FF"),
        )
        row = buttons(self.layout, context, *(text for _, text, _ in moments))
        for moment, text, icon in moments:
            # Blender would look these up among the names of operators.
            jump = row.operator(JUMP, text=text, translate=False, icon=icon)
            jump.row, jump.moment, jump.frame_both = found.chosen, moment, False

    def _draw_advice(self, context: bpy.types.Context, found: MotionResult, contact: MotionContact) -> None:
        """Draw what separates the two, above the button that goes to the frame in which it is done."""
        if not contact.penetrates or contact.ignored >= 0 or found.change is not None:
            return
        bodies = found.bodies_of(contact)
        mover = 0 if contact.body_a in found.report.moving or contact.body_b not in found.report.moving else 1
        text = label_(
            (
                'To separate: press "Deepest", move "{name}" out of "{other}" by at least {length}, insert a key, and '
                "check again"
            ),
            name=found.body_name(bodies[mover]),
            other=found.body_name(bodies[1 - mover]),
            length=spoken_text(contact.depth, context.scene.unit_settings),
        )
        paragraph(self.layout, context, text)

    def _draw_near_miss(self, context: bpy.types.Context, found: MotionResult, contact: MotionContact) -> None:
        column, narrow = self.layout.column(align=True), is_narrow(context)
        fact(column, "Nearest", self._moment(found, contact.first), above=narrow)
        text, units = VERDICTS[contact.verdict], context.scene.unit_settings
        column.label(text=label_(text.name), icon=text.icon, translate=False)
        fact(column, "Distance", spoken_text(contact.distance, units), above=narrow)
        fact(column, "Normal", direction_text(contact.normal), above=narrow)
        jump = self.layout.operator(JUMP, text=label_("Nearest"), translate=False, icon="REW")
        jump.row, jump.moment, jump.frame_both = found.chosen, "FIRST", False

    def _draw_curve(self, context: bpy.types.Context, found: MotionResult, contact: MotionContact) -> None:
        """Draw the image of the distance over frames, with the greatest distance and the first and last frame."""
        picture = curve_preview.icon()
        if not picture:
            return
        units, column = context.scene.unit_settings, self.layout.column(align=True)
        (first, last), (low, high) = curve_range(contact, found.report.clearance)
        column.label(text=label_("Distance over Frames"), translate=False)
        column.label(text=spoken_text(high, units), translate=False)
        column.template_icon(icon_value=picture, scale=PICTURE)
        if low < 0.0:
            column.label(text=spoken_text(low, units).replace("-", "−"), translate=False)
        ends = column.row()
        ends.label(text=label_("Frame {frame}", frame=f"{first:.6g}"), translate=False)
        end = ends.row()
        end.alignment = "RIGHT"
        end.label(text=f"{last:.6g}", translate=False)

    def _draw_depth(self, context: bpy.types.Context, column: bpy.types.UILayout, contact: MotionContact) -> None:
        """Show it if a contact is active, as for a pair of the collision check."""
        if not contact.decided:
            return
        text, units = VERDICTS[contact.verdict], context.scene.unit_settings
        row = column.row()
        row.alert = text.alert
        row.label(text=label_(text.name), icon=text.icon, translate=False)
        if contact.penetrates:
            fact(column, "Depth", spoken_text(contact.depth, units), above=is_narrow(context))

    def _moment(self, found: MotionResult, frame: float) -> str:
        seconds = label_("{seconds} s", seconds=f"{found.report.seconds(frame):.3f}")
        return label_("{text} ({reason})", text=frame_text(frame), reason=seconds)

    def _draw_details(self, context: bpy.types.Context, found: MotionResult, contact: MotionContact) -> None:
        layout = self.layout
        if found.change is not None:
            text = label_("Not drawn: the objects have changed since this check. Check again")
            paragraph(layout, context, text, "TIME")
            layout.operator("collision_kit.check_motion", icon="FILE_REFRESH")
        reason, test = found.report.reason(contact), found.report.test_of(contact)
        if reason is not None:
            text = label_("Ignored: {reason}", reason=reason) if reason else label_("Ignored by a rule")
            paragraph(layout, context, text, ACCEPTED)
        if test is not None:
            paragraph(layout, context, label_("Test: {name}", name=test.name), "PRESET")
        if contact.started_touching:
            text = label_("Touching from the start of the range, frame {frame}", frame=found.report.start)
            paragraph(layout, context, text, "INFO")
        if not contact.decided:
            text = label_(
                "Undecided: no contact until frame {frame}, then a contact or a very small gap",
                frame=frame_text(contact.proved_until),
            )
            paragraph(layout, context, text, "QUESTION")
        if contact.per_frame and not contact.started_touching:
            text = label_(
                (
                    "Deforming or scaled object, tested at frames and subframes only: separated at frame "
                    "{before}, touching at frame {first}"
                ),
                before=unbroken(frame_text(contact.proved_until)),
                first=unbroken(frame_text(contact.first)),
            )
            paragraph(layout, context, text, "MOD_SIMPLEDEFORM")
