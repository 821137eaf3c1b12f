# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of the results table: the verdict, both names, depth or gap, group, and test."""

from typing import Any

import bpy

from ...i18n.lookup import label_
from ...model.report import Body, PairResult
from ...session.collision_results import last_check
from ...viewport import spoken
from ..operators.results import columns_now, divided
from ..result_list import rows as results_rows
from ..result_list.rows import view
from ..verdicts import VERDICTS
from .pair_list import Rows, icon_of


class COLLISION_KIT_UL_pair_table(Rows, bpy.types.UIList):  # type: ignore[misc]
    """Pairs of the results table, with lines as in the panel."""

    def draw_heading(self, context: bpy.types.Context, layout: bpy.types.UILayout, body: Body, count: int) -> None:
        """Draw an object, and the number of its listed pairs."""
        name = label_("{name} ({count})", name=last_check.body_name(body), count=count)
        icon: Any = "TRIA_RIGHT" if view.is_folded(body.key) else "TRIA_DOWN"
        layout.label(text=name, icon=icon, translate=False)

    def draw_pair(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        row: int,
        pair: PairResult,
        bodies: list[Body],
    ) -> None:
        """Draw a pair, with both names even under a heading."""
        marks, verdict, report = results_rows.marks(), VERDICTS[pair.verdict], last_check.report
        known = row in marks.accepted or row in marks.ignored
        line = layout.row(align=True)
        line.active = not (known or last_check.pair_is_stale(pair))
        line.enabled = not any(last_check.body_is_gone(body) for body in last_check.bodies_of(pair))
        cells = dict(zip(columns_now(), divided(line, [share for *_, share in columns_now()]), strict=True))
        group = view.group_of(row)
        test = report.test_of(pair) if report is not None else None
        for (order, *_), cell in cells.items():
            if order == "VERDICT":
                cell.label(text=label_(verdict.name), icon=icon_of(row, pair), translate=False)
            elif order == "NAME":
                for body in last_check.bodies_of(pair):
                    cell.label(text=last_check.body_name(body), translate=False)
            elif order == "DEPTH":
                cell.alert = verdict.alert and line.active and row != last_check.chosen
                cell.label(text=spoken.in_list(pair, context.scene.unit_settings), translate=False)
            elif order == "GROUP":
                cell.label(text=str(group + 1) if group >= 0 else "", translate=False)
            else:
                cell.label(text=test.name if test is not None else "", translate=False)
