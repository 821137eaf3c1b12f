# SPDX-License-Identifier: GPL-3.0-or-later
"""Menus of the add-on, in Blender's menus where an artist expects them. F3 finds their entries."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import bpy

from ...collisions.presets import ADD
from ...i18n.lookup import label_
from ...scene.settings import preferences_of, results_list
from .. import shown_panels
from ..keymap import PIE
from ..operators.settings import NAME_FOLDER, COLLISION_KIT_OT_add_name_preset, COLLISION_KIT_OT_apply_name_preset
from ..result_list import rows as results_rows
from .character_presets import ADD as ADD_CHARACTER
from .character_presets import draw_characters
from .check_presets import draw_presets, draw_users_presets


class Entry(NamedTuple):
    """An operator in a menu.

    Attributes
    ----------
    verb : str
        Its name, without ``collision_kit.``.
    text : str
        Text in the menu. Empty: its own label.
    values : mapping
        Property values for it.
    """

    verb: str
    text: str = ""
    values: Mapping[str, str | bool] = {}


# Groups in a menu.
MOST_GROUPS = 20

# Instead of an entry: a separator. The name of a menu stands for that menu.
LINE = None
Entries = tuple[Entry | str | None, ...]

CHECKS: Entries = (
    Entry("check_collisions"),
    Entry("check_motion"),
    Entry("find_floating"),
    Entry("walk_level"),
    Entry("check_convexity"),
    Entry("validate_colliders"),
    Entry("compare_with_render_mesh"),
)
SUBMENUS: Entries = (
    "COLLISION_KIT_MT_check_presets",
    "COLLISION_KIT_MT_name_presets",
    "COLLISION_KIT_MT_rules",
    "COLLISION_KIT_MT_results",
    "COLLISION_KIT_MT_floating",
    "COLLISION_KIT_MT_motion",
    "COLLISION_KIT_MT_probe",
    "COLLISION_KIT_MT_validation",
    "COLLISION_KIT_MT_coverage",
    "COLLISION_KIT_MT_export",
)
RESULTS_VIEWS: Entries = (
    Entry("results_table"),
    Entry("pairs_by_collection"),
    "COLLISION_KIT_MT_groups",
    "COLLISION_KIT_MT_statuses",
    Entry("show_all_results"),
    LINE,
    Entry("clear_results"),
)
MAKE: Entries = (
    Entry("make_collider"),
    Entry("make_collider_pieces"),
    Entry("compare_types"),
    Entry("preview_type"),
    Entry("confirm_preview"),
    Entry("cancel_preview"),
)
OBJECT_SETTINGS: Entries = (Entry("copy_collision_settings"), Entry("reset_collision_settings"))


def draw_entries(layout: bpy.types.UILayout, entries: Entries) -> None:
    """Draw operators, submenus and separators."""
    for entry in entries:
        if entry is None:
            layout.separator()
        elif isinstance(entry, str):
            layout.menu(entry)
        else:
            # Blender would look the text up among the names of operators.
            words: Any = {"text": label_(entry.text), "translate": False} if entry.text else {}
            operator: Any = layout.operator(f"collision_kit.{entry.verb}", **words)
            for setting, value in entry.values.items():
                setattr(operator, setting, value)


class _OfEntries:
    """Draws the entries of a menu."""

    layout: bpy.types.UILayout

    ENTRIES: Entries

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the entries."""
        draw_entries(self.layout, self.ENTRIES)


class COLLISION_KIT_MT_object(_OfEntries, bpy.types.Menu):
    """All functions in Object Mode, except those in other menus of Blender."""

    bl_label = "Collision"

    ENTRIES = (
        *CHECKS,
        LINE,
        *SUBMENUS,
        LINE,
        Entry("push_apart"),
        Entry("drop_to_surface"),
        Entry("snap_to_contact"),
        Entry("move_away"),
        Entry("nudge"),
        Entry("select_intersecting_faces"),
        LINE,
        *MAKE,
        Entry("make_convex_pieces"),
        "COLLISION_KIT_MT_convert",
        Entry("mirror_collider"),
        Entry("copy_collider_settings"),
        Entry("rename_colliders"),
        LINE,
        *OBJECT_SETTINGS,
        LINE,
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the entries, and the pie menu."""
        draw_entries(self.layout, self.ENTRIES)
        pie: Any = self.layout.operator("wm.call_menu_pie", text=label_("Pie Menu"), translate=False)
        pie.name = PIE


class COLLISION_KIT_MT_edit_mesh(_OfEntries, bpy.types.Menu):
    """All functions in Edit Mode, except those in other menus of Blender."""

    bl_label = "Collision"

    ENTRIES = (*MAKE, LINE, *CHECKS, LINE, *SUBMENUS, LINE, *OBJECT_SETTINGS)


class COLLISION_KIT_MT_check_presets(bpy.types.Menu):
    """Presets of the add-on and of the user."""

    bl_label = "Check Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the presets, and how to add another."""
        draw_presets(self)
        self.layout.separator()
        self.layout.operator(ADD, icon="ADD")


class COLLISION_KIT_MT_name_presets(bpy.types.Menu):
    """User presets of name templates."""

    bl_label = "Name Presets"

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the presets, and how to add another."""
        draw_users_presets(self, NAME_FOLDER, COLLISION_KIT_OT_apply_name_preset.bl_idname)
        self.layout.separator()
        self.layout.operator(COLLISION_KIT_OT_add_name_preset.bl_idname, icon="ADD")


class COLLISION_KIT_MT_rules(_OfEntries, bpy.types.Menu):
    """Menu of named tests and ignore rules."""

    bl_label = "Tests and Rules"

    ENTRIES = (
        Entry("edit_rules", "Add Test", {"what": "TESTS", "action": "ADD"}),
        Entry("edit_rules", "Remove Test", {"what": "TESTS", "action": "REMOVE"}),
        LINE,
        Entry("edit_rules", "Add Ignore Rule", {"what": "IGNORE", "action": "ADD"}),
        Entry("edit_rules", "Remove Ignore Rule", {"what": "IGNORE", "action": "REMOVE"}),
        Entry("suggest_rules"),
        LINE,
        Entry("import_configuration"),
        Entry("export_configuration"),
    )


class COLLISION_KIT_MT_results(_OfEntries, bpy.types.Menu):
    """Menu of results; also beside their list."""

    bl_label = "Results"

    ENTRIES = (
        Entry("previous_result"),
        Entry("next_result"),
        Entry("select_pair"),
        Entry("isolate_pair"),
        Entry("select_checked"),
        Entry("select_by_verdict"),
        Entry("select_duplicates"),
        LINE,
        Entry("accept_pair"),
        Entry("accept_pair", "Accept Listed Pairs", {"which": "LISTED"}),
        Entry("stop_accepting_pair"),
        Entry("stop_accepting_pair", "Stop Accepting All", {"which": "ALL"}),
        Entry("ignore_pair"),
        Entry("edit_pair_status"),
        LINE,
        Entry("copy_report", "Copy Report", {"what": "REPORT"}),
        Entry("copy_report", "Copy Listed Pairs", {"what": "LISTED"}),
        Entry("copy_report", "Copy Active Pair", {"what": "CHOSEN"}),
        Entry("save_report"),
        Entry("load_bcf"),
        LINE,
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the entries, and the views of the list."""
        draw_entries(self.layout, self.ENTRIES)
        self.layout.prop(results_list(context.window_manager).view, "grouped")
        draw_entries(self.layout, RESULTS_VIEWS)


class COLLISION_KIT_MT_groups(bpy.types.Menu):
    """Groups of connected objects, to which the list of results can be limited."""

    bl_label = "Groups"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the groups, those with most pairs first."""
        self.layout.operator("collision_kit.filter_results", text=label_("All Pairs"), translate=False)
        parts = results_rows.parts()
        if parts.groups:
            self.layout.separator()
        for number in range(min(len(parts.groups), MOST_GROUPS)):
            text = parts.group_text(number)
            button: Any = self.layout.operator("collision_kit.filter_results", text=text, translate=False)
            button.by, button.group = "GROUP", number + 1
        if len(parts.groups) > MOST_GROUPS:
            text = label_("{count} smaller groups are not shown", count=len(parts.groups) - MOST_GROUPS)
            self.layout.label(text=text, translate=False)


class COLLISION_KIT_MT_statuses(bpy.types.Menu):
    """The statuses of pairs that the list of results can be filtered by."""

    bl_label = "Status"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw them, with the number of pairs of each."""
        chosen = results_list(context.window_manager).view.status
        entries = {"": label_("All Pairs")}
        for status, count in results_rows.parts().statuses.items():
            entries[status] = label_("{status} ({count})", status=status, count=count)
        for status, text in entries.items():
            icon: Any = "LAYER_ACTIVE" if status == chosen else "LAYER_USED"
            button: Any = self.layout.operator("collision_kit.filter_by_status", text=text, translate=False, icon=icon)
            button.status = status


class COLLISION_KIT_MT_floating(_OfEntries, bpy.types.Menu):
    """Menu of floating objects."""

    bl_label = "Floating Objects"

    ENTRIES = (Entry("select_floating"), Entry("clear_floating"))


class COLLISION_KIT_MT_motion(_OfEntries, bpy.types.Menu):
    """Menu of contacts of a motion check."""

    bl_label = "Motion"

    ENTRIES = (
        Entry("jump_to_contact"),
        LINE,
        Entry("add_contact_markers"),
        Entry("remove_contact_markers"),
        LINE,
        Entry("clear_motion_results"),
    )


class COLLISION_KIT_MT_characters(bpy.types.Menu):
    """Characters of engines and of the user."""

    bl_label = "Character Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the characters, and how to add another."""
        draw_characters(self)
        self.layout.separator()
        self.layout.operator(ADD_CHARACTER, icon="ADD")


class COLLISION_KIT_MT_probe(_OfEntries, bpy.types.Menu):
    """Menu of issues of a probe, and of its starts."""

    bl_label = "Walk the Level"

    ENTRIES = (
        Entry("add_starts"),
        Entry("remove_start"),
        "COLLISION_KIT_MT_characters",
        LINE,
        Entry("select_walk_issue"),
        Entry("show_path"),
        Entry("accept_walk_issue"),
        Entry("stop_accepting_walk_issue"),
        Entry("stop_accepting_walk_issue", "Stop Accepting All", {"which": "ALL"}),
        LINE,
        Entry("show_all_walk_issues"),
        Entry("clear_walk_results"),
    )


class COLLISION_KIT_MT_validation(_OfEntries, bpy.types.Menu):
    """Menu of issues of a validation."""

    bl_label = "Validation"

    ENTRIES = (Entry("select_issue"), LINE, Entry("fix_issue"), Entry("fix_issues"))


class COLLISION_KIT_MT_coverage(_OfEntries, bpy.types.Menu):
    """Menu of a comparison of colliders with render meshes."""

    bl_label = "Collider Coverage"

    ENTRIES = (
        Entry("show_worst_place"),
        Entry("select_objects_without_collider"),
        LINE,
        Entry("clear_comparison"),
    )


class COLLISION_KIT_MT_export(_OfEntries, bpy.types.Menu):
    """Exports with colliders: validated first, one file for each asset, or in formats that Blender does not write."""

    bl_label = "Export"

    ENTRIES = (
        Entry("export_gltf"),
        Entry("export_fbx"),
        Entry("export_usd"),
        Entry("export_urdf"),
        LINE,
        Entry("rename_before_export"),
        Entry("save_import_script"),
    )


class COLLISION_KIT_MT_display(_OfEntries, bpy.types.Menu):
    """Display of colliders in the viewport."""

    bl_label = "Display Colliders"

    ENTRIES = (
        Entry("display_colliders", "Solid, by Type", {"style": "SOLID", "color": "KIND"}),
        Entry("display_colliders", "Solid, by Engine", {"style": "SOLID", "color": "ENGINE"}),
        Entry("display_colliders", "Solid, by Render Mesh", {"style": "SOLID", "color": "RENDER_MESH"}),
        Entry("display_colliders", "Solid, by Collision Layer", {"style": "SOLID", "color": "LAYER"}),
        Entry("display_colliders", "Wire", {"style": "WIRE", "color": "NONE"}),
        LINE,
        Entry("hide_colliders", "Show Colliders", {"hidden": False}),
        Entry("hide_colliders", "Hide Colliders", {"hidden": True}),
    )


class COLLISION_KIT_MT_select_object(_OfEntries, bpy.types.Menu):
    """Entries of Blender's *Select* menu in Object Mode."""

    bl_label = "Collision"

    ENTRIES = (Entry("select_colliders"), Entry("select_render_mesh"), Entry("select_outside_camera"))


class COLLISION_KIT_MT_select_edit_mesh(_OfEntries, bpy.types.Menu):
    """Entries of Blender's *Select* menu in Edit Mode."""

    bl_label = "Collision"

    ENTRIES = (Entry("select_intersecting_faces"),)


class COLLISION_KIT_MT_panels(bpy.types.Menu):
    """Panels that can be hidden, as in the preferences."""

    bl_label = "Show Panels"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there are preferences. There are none if the add-on was registered without being enabled."""
        return preferences_of(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each panel."""
        shown_panels.draw_switches(self.layout, context)


class COLLISION_KIT_MT_view(_OfEntries, bpy.types.Menu):
    """Entries of the *View* menu: the overlays in the viewport, and the camera."""

    bl_label = "Collision"

    ENTRIES = (
        Entry("step_axis", "Next Axis", {"step": "NEXT"}),
        Entry("step_axis", "Previous Axis", {"step": "PREVIOUS"}),
        Entry("step_axis", "Separating Axis", {"step": "DECIDING"}),
        LINE,
        Entry("show_obstacle"),
        Entry("hide_obstacle"),
        Entry("show_convex_pieces"),
        Entry("hide_convex_pieces"),
        LINE,
        "COLLISION_KIT_MT_display",
        "COLLISION_KIT_MT_panels",
        LINE,
        Entry("cull_to_camera"),
        Entry("hide_outside_camera"),
        Entry("clear_camera_culling"),
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the switches and the entries."""
        results = results_list(context.window_manager)
        self.layout.prop(results, "live", text=label_("Live Checking"), translate=False)
        self.layout.prop(results, "show_overlay")
        self.layout.prop(results.explanation, "by_verdict")
        self.layout.separator()
        draw_entries(self.layout, self.ENTRIES)


CLASSES = (
    COLLISION_KIT_MT_check_presets,
    COLLISION_KIT_MT_name_presets,
    COLLISION_KIT_MT_rules,
    COLLISION_KIT_MT_groups,
    COLLISION_KIT_MT_statuses,
    COLLISION_KIT_MT_results,
    COLLISION_KIT_MT_floating,
    COLLISION_KIT_MT_motion,
    COLLISION_KIT_MT_characters,
    COLLISION_KIT_MT_probe,
    COLLISION_KIT_MT_validation,
    COLLISION_KIT_MT_coverage,
    COLLISION_KIT_MT_export,
    COLLISION_KIT_MT_display,
    COLLISION_KIT_MT_panels,
    COLLISION_KIT_MT_object,
    COLLISION_KIT_MT_edit_mesh,
    COLLISION_KIT_MT_select_object,
    COLLISION_KIT_MT_select_edit_mesh,
    COLLISION_KIT_MT_view,
)

# Additions to Blender's menus, including context menus.
SUBMENU_OF = {
    "VIEW3D_MT_object": COLLISION_KIT_MT_object,
    "VIEW3D_MT_object_context_menu": COLLISION_KIT_MT_object,
    "VIEW3D_MT_edit_mesh": COLLISION_KIT_MT_edit_mesh,
    "VIEW3D_MT_edit_mesh_context_menu": COLLISION_KIT_MT_edit_mesh,
    "VIEW3D_MT_select_object": COLLISION_KIT_MT_select_object,
    "VIEW3D_MT_select_edit_mesh": COLLISION_KIT_MT_select_edit_mesh,
    "VIEW3D_MT_view": COLLISION_KIT_MT_view,
}
MARKERS: Entries = (LINE, Entry("add_contact_markers"), Entry("remove_contact_markers"))
# Blender 5 has no separate menu for the timeline.
MARKER_MENUS = ("TIME_MT_marker", "DOPESHEET_MT_marker")

Draw = Callable[[bpy.types.Menu, bpy.types.Context], None]

_added: list[tuple[Any, Draw]] = []


def register() -> None:
    """Add the menus to Blender's."""
    for name, menu in SUBMENU_OF.items():
        _add(name, _draws((LINE, menu.__name__)))
    for name in MARKER_MENUS:
        _add(name, _draws(MARKERS))


def unregister() -> None:
    """Remove the menus."""
    for menu, draw in _added:
        menu.remove(draw)
    _added.clear()


def _add(name: str, draw: Draw) -> None:
    menu: Any = getattr(bpy.types, name, None)
    if menu is not None:
        menu.append(draw)
        _added.append((menu, draw))


def _draws(entries: Entries) -> Draw:
    def draw(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
        draw_entries(menu.layout, entries)

    return draw
