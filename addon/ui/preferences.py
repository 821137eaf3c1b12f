# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the add-on: panels, colors of the overlay, time for live mode, and content of files."""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty

from ..debug_draw.roles import Role
from ..i18n import CONTEXT
from ..i18n.lookup import label_
from ..scene.settings import LIVE_BUDGET, ROOT
from ..system.late import kernels
from ..viewport.palette import LOOKS
from . import keymap, shown_panels

DEFAULT_LOOKS = dict(LOOKS)

# Roles of each color preference.
ROLES = {
    "color_a": (Role.SHAPE_A, Role.WITNESS_A, Role.FEATURE_A, Role.INTERVAL_A, Role.POSE_AFTER),
    "color_b": (Role.SHAPE_B, Role.WITNESS_B, Role.FEATURE_B, Role.INTERVAL_B),
    "color_axis": (Role.RULER,),
    "color_way": (Role.WAY,),
    "color_depth": (Role.DEPTH, Role.WORST_PENETRATING, Role.FOUND, Role.WORST_PLACE),
    "color_gap": (Role.GAP,),
    "color_contact": (Role.CONTACT, Role.NORMAL, Role.PATCH),
    "color_curve": (Role.CURVE,),
    "color_duplicate": (Role.WORST_DUPLICATE,),
    "color_contained": (Role.WORST_CONTAINED, Role.CONTAINED),
    "color_coplanar": (Role.WORST_COPLANAR, Role.COPLANAR),
    "color_touching": (Role.WORST_TOUCHING,),
    "color_near": (Role.WORST_NEAR, Role.POSE_BEFORE, Role.FLOATING),
    "color_clear": (Role.CLEAR,),
    "color_obstacle": (Role.OBSTACLE,),
    "color_origin": (Role.ORIGIN,),
    "color_path": (Role.PATH,),
    "color_frustum": (Role.FRUSTUM,),
    "color_inside": (Role.INSIDE,),
    "color_crossing": (Role.CROSSING,),
    "color_outside": (Role.OUTSIDE,),
    "color_reached": (Role.REACHED,),
    "color_start": (Role.START,),
    "color_unreached": (Role.UNREACHED,),
    "color_trap": (Role.TRAP,),
}


def apply(preferences: Any = None, _context: object = None) -> None:
    """Apply the appearance in these preferences to the overlay. None: the defaults."""
    LOOKS.update(DEFAULT_LOOKS)
    if preferences is None:
        return
    width = preferences.line_width
    for role, look in DEFAULT_LOOKS.items():
        LOOKS[role] = look._replace(width=look.width * width, disc=look.disc * width)
    for name, roles in ROLES.items():
        # A color that the user has not changed keeps the default of each of its roles.
        if preferences.is_property_set(name):
            red, green, blue = getattr(preferences, name)
            for role in roles:
                LOOKS[role] = LOOKS[role]._replace(color=(red, green, blue))


def _color(name: str, description: str, role: Role) -> object:
    # The palette is sRGB, which is what COLOR_GAMMA stores.
    return FloatVectorProperty(
        name=name,
        translation_context=CONTEXT,
        description=description,
        subtype="COLOR_GAMMA",
        size=3,
        min=0.0,
        max=1.0,
        default=DEFAULT_LOOKS[role].color,
        update=apply,
    )


class COLLISION_KIT_preferences(bpy.types.AddonPreferences):
    """Visible panels, colors of the overlay, time for live mode, and content of files."""

    bl_idname = ROOT

    color_a: _color("First Object", "Collision shape of the first object of the active pair", Role.SHAPE_A)
    color_b: _color("Second Object", "Collision shape of the second object of the active pair", Role.SHAPE_B)
    color_axis: _color("Axis", "Lines from the two objects to their ranges along an axis", Role.RULER)
    color_way: _color("Move This Way", "Arrow along which an object has to move to leave the other", Role.WAY)
    color_depth: _color("Depth", "Penetration depth of the two objects", Role.DEPTH)
    color_gap: _color("Gap", "Gap between the two objects", Role.GAP)
    color_contact: _color("Contacts", "Contact points and their normals", Role.CONTACT)
    color_curve: _color(
        "Intersection Curve", "Curves along which the surfaces of the active pair intersect", Role.CURVE
    )
    color_duplicate: _color(
        "Duplicate", "Objects with the same geometry in the same place, when colored by verdict", Role.WORST_DUPLICATE
    )
    color_contained: _color(
        "Contained", "Contained objects and their containers, when colored by verdict", Role.WORST_CONTAINED
    )
    color_coplanar: _color(
        "Coplanar", "Overlaps of faces in one plane, and their objects when colored by verdict", Role.COPLANAR
    )
    color_touching: _color("Touching", "Touching objects, when colored by verdict", Role.WORST_TOUCHING)
    color_near: _color("Within Clearance", "Objects within the clearance, when colored by verdict", Role.WORST_NEAR)
    color_clear: _color("No Collision", "Objects without collisions, when colored by verdict", Role.CLEAR)
    color_obstacle: _color("Obstacle", "Surface of the configuration space obstacle", Role.OBSTACLE)
    color_origin: _color("Origin", "Origin, which lies inside the obstacle if the two objects collide", Role.ORIGIN)
    color_path: _color("Contact Path", "Path of the contact point over time", Role.PATH)
    color_frustum: _color("Camera View", "Edges of the active camera's view", Role.FRUSTUM)
    color_inside: _color("Inside", "Objects inside the camera's view", Role.INSIDE)
    color_crossing: _color("Partly Inside", "Objects partly inside the camera's view", Role.CROSSING)
    color_outside: _color("Outside", "Objects outside the camera's view", Role.OUTSIDE)
    color_reached: _color("Reached Floors", "Floors that the character reaches", Role.REACHED)
    color_start: _color("Starts", "Places where the character begins", Role.START)
    color_unreached: _color("Unreached Floors", "Floors that the character does not reach", Role.UNREACHED)
    color_trap: _color("No Way Back", "Floors that the character cannot leave", Role.TRAP)
    line_width: FloatProperty(
        name="Line Width",
        translation_context=CONTEXT,
        description="Scale factor for the width of lines and points",
        default=1.0,
        min=0.5,
        max=4.0,
        update=apply,
    )

    legend: BoolProperty(
        name="Legend",
        translation_context=CONTEXT,
        description="Show the meaning of the colors at the lower left of the view",
        default=True,
    )

    live_budget: IntProperty(
        name="Update Budget (ms)",
        description=("Maximum time per live update in milliseconds. Longer work is spread over several updates"),
        default=LIVE_BUDGET,
        min=5,
        max=1000,
    )

    panels: PointerProperty(
        name="Show Panels",
        description="Panels of the tab Collision",
        type=shown_panels.COLLISION_KIT_PG_panels,
    )

    save_results: BoolProperty(
        name="Save Results",
        description=(
            "Save the results of the last check in the .blend file, and show them when it is opened. If off, saving "
            "removes them from the file"
        ),
        default=True,
    )

    validate_export: EnumProperty(
        name="Validate on Export",
        translation_context=CONTEXT,
        description="What happens when glTF and FBX files with colliders are exported from a window",
        items=(
            ("NONE", "Off", "Export without a validation"),
            ("WARN", "Warn", "Validate for the engine of the Colliders panel, and show errors and warnings"),
            ("STOP", "Stop", "Also write nothing if there is an error"),
        ),
        default="NONE",
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the visible panels, the colors of the overlay in two columns, and the rest."""
        layout = self.layout
        layout.use_property_split = True
        layout.label(text=label_("Show Panels"), icon="MENU_PANEL", translate=False)
        flow = layout.grid_flow(columns=3, even_columns=True)
        flow.use_property_split = False
        shown_panels.draw_switches(flow, context)
        layout.label(text=label_("Viewport Drawing"), icon="OVERLAY", translate=False)
        flow = layout.grid_flow(columns=2, even_columns=True)
        for name in ROLES:
            flow.prop(self, name)
        flow.prop(self, "line_width")
        flow.prop(self, "legend")
        layout.label(text=label_("Live Checking"), icon="TIME", translate=False)
        layout.prop(self, "live_budget")
        layout.label(text=label_("Results"), icon="FILE_TICK", translate=False)
        layout.prop(self, "save_results")
        layout.label(text=label_("Export"), icon="EXPORT", translate=False)
        layout.prop(self, "validate_export")
        layout.label(text=label_("Shortcuts"), icon="KEYINGSET", translate=False)
        keymap.draw(layout, context)
        layout.label(text=label_("Kernels"), icon="SETTINGS", translate=False)
        layout.label(text=_kernels(), translate=False)


def _kernels() -> str:
    """Return whether the kernels of the collision library are compiled."""
    if kernels.mode == kernels.COMPILED:
        return label_("Compiled for this platform")
    return label_("Interpreted: checks take longer")


def apply_saved() -> None:
    """Apply the user's stored preferences to the overlay."""
    # There are none for an add-on that was registered without being enabled, as scripts do.
    addon: bpy.types.Addon | None = bpy.context.preferences.addons.get(ROOT)
    apply(addon.preferences if addon is not None else None)


CLASSES = (*shown_panels.CLASSES, COLLISION_KIT_preferences)
