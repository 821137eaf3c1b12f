# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests, and rules for pairs that are meant to collide: a list of each, and settings of the active entry."""

from typing import Any

import bpy

from ...i18n.lookup import label_
from ...scene.settings import scene_settings
from ...session.collision_results import last_check
from ..properties.rules import SEVERITIES
from ..result_list import rows as results_rows
from .tab import SwitchedTab

_SEVERITY_ICONS: dict[str, Any] = {name: icon for name, _, _, icon, _ in SEVERITIES}

# Number of rows of a list, independent of its length.
ROWS = 3


class _Rows:
    """A list whose rows `draw_row` draws from the entry and its number."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: Any,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw an entry in a row."""
        self.draw_row(layout.row(align=True), item, index)

    def draw_row(self, row: bpy.types.UILayout, item: Any, index: int) -> None:
        """Draw an entry."""
        raise NotImplementedError


class COLLISION_KIT_UL_pair_tests(_Rows, bpy.types.UIList):  # type: ignore[misc]
    """Named tests of the scene."""

    def draw_row(self, row: bpy.types.UILayout, item: Any, index: int) -> None:
        """Draw the name of a test, its severity, and the number of pairs that it has found."""
        row.prop(item, "label", text="", emboss=False, icon=_SEVERITY_ICONS[item.severity])
        report = last_check.report
        if report is not None and [test.name for test in report.tests][index : index + 1] == [item.label]:
            _count(row, report.test_counts[index])


class COLLISION_KIT_UL_ignore_rules(_Rows, bpy.types.UIList):  # type: ignore[misc]
    """Ignore rules of the scene."""

    def draw_row(self, row: bpy.types.UILayout, item: Any, index: int) -> None:
        """Draw the two sides of a rule, and the number of pairs that match it."""
        sides = row.split(factor=0.5, align=True)
        sides.label(text=item.side_a or label_("Nothing"), translate=False)
        sides.label(text=item.side_b or label_("Anything"), translate=False)
        uses = results_rows.marks().uses()
        if last_check.report is not None and index < len(uses):
            _count(row, uses[index])


def _count(row: bpy.types.UILayout, count: int) -> None:
    end = row.row()
    end.alignment = "RIGHT"
    end.active = count > 0
    end.label(text=str(count), translate=False)


class COLLISION_KIT_PT_rules(SwitchedTab, bpy.types.Panel):
    """Tests and rules, which can also be read from and written to the configuration file of the command line."""

    bl_label = "Tests and Rules"
    bl_parent_id = "COLLISION_KIT_PT_check"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "rules"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the two lists."""
        settings, layout = scene_settings(context), self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.label(text=label_("Tests"), translate=False)
        _draw_list(layout, settings, "COLLISION_KIT_UL_pair_tests", "tests", "active_test", "TESTS")
        if 0 <= settings.active_test < len(settings.tests):
            _draw_test(layout, settings.tests[settings.active_test])
        layout.separator()
        layout.label(text=label_("Ignore Rules"), translate=False)
        _draw_list(layout, settings, "COLLISION_KIT_UL_ignore_rules", "ignore_rules", "active_ignore_rule", "IGNORE")
        if 0 <= settings.active_ignore_rule < len(settings.ignore_rules):
            _draw_rule(layout, settings.ignore_rules[settings.active_ignore_rule])
        layout.operator("collision_kit.suggest_rules")
        layout.separator()
        row = layout.row(align=True)
        row.operator("collision_kit.import_configuration", text=label_("Import"), translate=False, icon="IMPORT")
        row.operator("collision_kit.export_configuration", text=label_("Export"), translate=False, icon="EXPORT")


def _draw_list(layout: bpy.types.UILayout, settings: Any, kind: str, entries: str, active: str, what: str) -> None:
    row = layout.row()
    row.template_list(kind, "", settings, entries, settings, active, rows=ROWS)
    column = row.column(align=True)
    icons: dict[str, Any] = {"ADD": "ADD", "REMOVE": "REMOVE", "UP": "TRIA_UP", "DOWN": "TRIA_DOWN"}
    for action, icon in icons.items():
        button: Any = column.operator("collision_kit.edit_rules", text="", icon=icon)
        button.what, button.action = what, action


def _draw_test(layout: bpy.types.UILayout, test: Any) -> None:
    column = layout.column()
    column.prop(test, "side_a")
    column.prop(test, "side_b")
    column.prop(test, "severity")
    _draw_optional(column, test, "use_clearance", "clearance")
    _draw_optional(column, test, "use_touching", "touching")


def _draw_rule(layout: bpy.types.UILayout, rule: Any) -> None:
    column = layout.column()
    column.prop(rule, "side_a")
    column.prop(rule, "side_b")
    _draw_optional(column, rule, "use_max_depth", "max_depth")
    column.prop(rule, "reason")


def _draw_optional(layout: bpy.types.UILayout, data: Any, switch: str, value: str) -> None:
    """Draw a value with the checkbox that enables it, as Blender does."""
    row = layout.row(heading=label_(data.bl_rna.properties[value].name), translate=False)
    row.prop(data, switch, text="")
    field = row.row()
    field.active = getattr(data, switch)
    field.prop(data, value, text="")
