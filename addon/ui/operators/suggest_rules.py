# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggest ignore rules for pairs that look intended, and add those that are chosen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy
from bpy.props import BoolVectorProperty

from ...i18n.lookup import label_, report_, tip_, translated
from ...i18n.units import length_text
from ...model.report import Report
from ...model.rules import listed
from ...model.suggestions import SuggestedRule, remaining, suggested_rules
from ...model.verdict_names import FAULTS
from ...scene.objects.labels import labels_of
from ...scene.rules import add_ignore_rule
from ...session import motion_results
from ...session.collision_results import last
from ..result_list import rows as results_rows
from .results_poll import results_missing

# Rules that are shown at once, and the width of the dialog at a resolution scale of 1.
SHOWN, WIDTH = 10, 520


class COLLISION_KIT_OT_suggest_rules(bpy.types.Operator):
    """Shows rules with what each would do; nothing is ignored before it is chosen."""

    bl_idname = "collision_kit.suggest_rules"
    bl_label = "Suggest Rules"
    bl_description = (
        "Suggest ignore rules for pairs that look intended, such as pairs with a navigation mesh, in a ground, of "
        "similar names, in one collection, or of a small depth"
    )
    bl_options = {"REGISTER", "UNDO"}

    take: BoolVectorProperty(
        name="Rules",
        description="Add this rule",
        size=SHOWN,
        default=(False,) * SHOWN,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results of this scene, and the scene must be the file's own."""
        missing = results_missing(context)
        if not missing and context.scene.library is not None:
            missing = tip_("The scene is linked")
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Show the suggestions."""
        self.found = _suggestions()
        if not self.found:
            self.report({"INFO"}, report_("No rules to suggest"))
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text=label_("Add Rules"))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a box for each rule."""
        report = last.report
        if report is None:
            return
        for number, one in enumerate(self.found[:SHOWN]):
            self._draw_rule(report, number, one)
        if len(self.found) > SHOWN:
            text = label_("{count} more after these are added", count=len(self.found) - SHOWN)
            self.layout.label(text=text, icon="INFO", translate=False)
        left = label_(
            "{count} of {total} pairs remain with all of these rules",
            count=len(remaining(report, results_rows.marks(), self.found)),
            total=len(results_rows.marks().open_rows(report, FAULTS)),
        )
        self.layout.label(text=left, icon="BLANK1", translate=False)
        self.layout.label(
            text=label_("Look at the deepest pair of a rule before you add the rule"), icon="INFO", translate=False
        )

    def _draw_rule(self, report: Report, number: int, one: SuggestedRule) -> None:
        column = self.layout.box().column(align=True)
        row = column.row()
        sides = f"{listed(one.rule.a)}  ×  {listed(one.rule.b)}"
        row.prop(self, "take", index=number, text=sides, translate=False)
        count = row.row()
        count.alignment = "RIGHT"
        count.label(text=label_("{count} pairs", count=len(one.rows)), translate=False)
        column.label(text=translated(one.reason), icon="BLANK1", translate=False)
        pair = report.pairs[one.rows[0]]
        text = label_(
            "Deepest: {pair}, {depth}. Ignored up to {limit}",
            pair=last.pair_name(pair),
            depth=length_text(-pair.gap, report.units),
            limit=length_text(one.rule.max_depth or 0.0, report.units),
        )
        column.label(text=text, icon="BLANK1", translate=False)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add those that are chosen."""
        # Called by a script, there is no dialog that has found them.
        found: Sequence[SuggestedRule] = getattr(self, "found", None) or _suggestions()
        chosen = [one for one, take in zip(found, self.take, strict=False) if take]
        if not chosen:
            self.report({"INFO"}, report_("No rules selected"))
            return {"CANCELLED"}
        for one in chosen:
            add_ignore_rule(context.scene, replace(one.rule, reason=translated(one.reason)))
        self.report({"INFO"}, report_("{count} rules added", count=len(chosen)))
        return {"FINISHED"}


def _suggestions() -> list[SuggestedRule]:
    """The suggestions for the last result, and for the last check of motion if that is of this scene and still true."""
    report, motion = last.report, motion_results.latest.here(last.place)
    if report is None:
        return []
    known = motion.report if motion is not None and motion.change is None else None
    return suggested_rules(report, labels_of(report.bodies), results_rows.marks(), known)
