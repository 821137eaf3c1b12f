# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene, stored in Blender's data, and the rows of the results list."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...i18n import CONTEXT
from ..callbacks import results as callbacks_results
from ..callbacks import scene as callbacks
from . import colliders as properties_colliders
from . import coverage as properties_coverage
from . import explanation as properties_explanation
from . import floating as properties_floating
from . import gltf as properties_gltf
from . import motion as properties_motion
from . import objects as properties_objects
from . import planar as properties_planar
from . import probe as properties_probe
from . import results as properties_results
from . import rules as properties_rules
from . import validation as properties_validation
from .lengths import length_setting

SCOPES = (
    ("VISIBLE", "Visible Objects", "Test all visible objects against each other"),
    (
        "CAMERA",
        "In Camera View",
        ("Test all visible objects that are at least partly inside the active camera's view against each other"),
    ),
    ("SELECTED", "Selected Objects", "Test all selected objects against each other"),
    ("ACTIVE", "Active vs. Selected", "Test the active object against the other selected objects"),
    (
        "ALL",
        "Whole Scene",
        ("Test all objects in the scene against each other. Hidden objects are listed as not tested"),
    ),
    ("COLLECTION", "One Collection", "Test all objects in one collection against each other"),
    (
        "COLLECTIONS",
        "Two Collections",
        ("Test all objects in one collection against all objects in another, such as props against the level"),
    ),
)

PARTS = (
    ("AUTOMATIC", "Automatic", "One line for each asset, unless all tested objects are parts of one asset"),
    ("FAULTS", "As Collisions", "List each pair of parts like any other pair"),
    ("FOLDED", "Folded", "One line for each asset, even if there is only one"),
    ("EACH", "Each Asset Alone", "Test each asset on its own: its parts against each other, and nothing else"),
)

TOUCHING_MODES = (
    ("AUTOMATIC", "Automatic", "Just above floating-point precision at the objects' coordinates"),
    ("MANUAL", "Custom", "Use a custom distance"),
)

CULL_SCOPES = (
    ("VISIBLE", "Visible Objects", "All visible objects"),
    ("SELECTED", "Selected Objects", "All selected objects"),
)

CULL_FRAMES = (
    ("CURRENT", "Current Frame", "Test only the current frame"),
    (
        "RANGE",
        "Scene Range",
        "Test all frames of the scene. Objects that are in view in no frame are outside",
    ),
)

CULL_METHODS = (
    ("EXACT", "Exact", "Test the exact shape of each object"),
    (
        "CONSERVATIVE",
        "Planes Only",
        ("Test the six planes of the view only, as engines do. Large objects near a corner may count as partly inside"),
    ),
)


class COLLISION_KIT_PG_scene(bpy.types.PropertyGroup):
    """Settings of a check of this scene."""

    scope: EnumProperty(
        name="Scope",
        translation_context=CONTEXT,
        description="Which objects are tested against which",
        items=SCOPES,
        default="VISIBLE",
        update=callbacks.settings_changed,
        options=set(),
    )
    collection_a: PointerProperty(
        name="Collection",
        description="Collection of the objects to test, including child collections",
        type=bpy.types.Collection,
        update=callbacks.settings_changed,
        options=set(),
    )
    collection_b: PointerProperty(
        name="Against",
        description="Collection of the objects to test against, including child collections",
        type=bpy.types.Collection,
        update=callbacks.settings_changed,
        options=set(),
    )
    touching_mode: EnumProperty(
        name="Touching",
        translation_context=CONTEXT,
        description=("Largest gap or overlap of two surfaces that still counts as touching"),
        items=TOUCHING_MODES,
        default="AUTOMATIC",
        update=callbacks.settings_changed,
        options=set(),
    )
    touching: length_setting(
        name="Tolerance",
        description=("Gaps and overlaps up to this distance count as touching"),
        default=0.001,
        soft_max=0.1,
        fine=True,
        update=callbacks.settings_changed,
    )
    clearance: length_setting(
        name="Clearance",
        description=(
            "Also list pairs that do not touch but are closer than this distance. Zero lists only pairs that touch"
        ),
        soft_max=10.0,
        update=callbacks.settings_changed,
    )
    include_operands: BoolProperty(
        name="Boolean Operands",
        description=(
            "Also test Boolean operands that are displayed as wire or bounds, or not rendered. Operands "
            "with a collision shape are always tested"
        ),
        default=False,
        update=callbacks.settings_changed,
        options=set(),
    )
    self_check: BoolProperty(
        name="Self Collision",
        description=(
            "Also test each mesh against itself: its loose parts against each other, and faces that cross each "
            "other. Live mode does not"
        ),
        default=False,
        update=callbacks.settings_changed,
        options=set(),
    )
    loose_parts: BoolProperty(
        name="Loose Parts",
        description=(
            "Test each loose part of a mesh as an object of its own, such as the walls and the furniture of a house "
            "that is one mesh. Live mode does not"
        ),
        default=False,
        update=callbacks.settings_changed,
        options=set(),
    )
    parts: EnumProperty(
        name="Parts",
        translation_context=CONTEXT,
        description="How to list pairs of objects that are parts of one asset: parent and children, or one instance",
        items=PARTS,
        default="AUTOMATIC",
        update=callbacks.settings_changed,
        options=set(),
    )
    one_thing: StringProperty(
        name="One Thing",
        description=(
            "Objects that are one thing, such as a car of many parts, so that their pairs share one line: *, "
            "collection:Car, parent:Car, Car_*"
        ),
        default="",
        update=callbacks.settings_changed,
        options=set(),
    )
    static: BoolProperty(
        name="Static Pairs",
        description=(
            "List pairs of objects that are both static, such as passive rigid bodies, as collisions. No engine tests "
            "them"
        ),
        default=False,
        update=callbacks.settings_changed,
        options=set(),
    )
    surroundings: BoolProperty(
        name="Surroundings",
        description=(
            "List objects inside of an object that contains nearly all others, such as a sky, as collisions. Otherwise "
            "they share one line"
        ),
        default=False,
        update=callbacks.settings_changed,
        options=set(),
    )
    engine: EnumProperty(
        name="Engine",
        translation_context=CONTEXT,
        description=(
            "Target engine. New colliders are named for it, and colliders are validated by its rules in addition to "
            "the general rules"
        ),
        items=properties_validation.ENGINES,
        default="ANY",
        options=set(),
    )
    cull_scope: EnumProperty(
        name="Objects",
        translation_context=CONTEXT,
        description="Objects to test against the camera's view",
        items=CULL_SCOPES,
        default="VISIBLE",
        options=set(),
    )
    cull_frames: EnumProperty(
        name="Frames",
        translation_context=CONTEXT,
        description="Frames to test",
        items=CULL_FRAMES,
        default="CURRENT",
        options=set(),
    )
    cull_method: EnumProperty(
        name="Method",
        translation_context=CONTEXT,
        description="How objects near the edges of the camera's view are classified",
        items=CULL_METHODS,
        default="EXACT",
        options=set(),
    )
    motion: PointerProperty(
        name="Motion",
        description="Settings of motion checks",
        type=properties_motion.COLLISION_KIT_PG_motion,
    )
    probe: PointerProperty(
        name="Walk the Level",
        description="Settings of the character that walks the level",
        type=properties_probe.COLLISION_KIT_PG_probe,
    )
    results: StringProperty(
        name="Results",
        description="Results of the last check, compressed, as saved in the file",
        subtype="BYTE_STRING",
        options={"HIDDEN"},
    )
    walk: StringProperty(
        name="Walk",
        description="Results of the last walk of the level, compressed, as saved in the file",
        subtype="BYTE_STRING",
        options={"HIDDEN"},
    )
    accepted: CollectionProperty(type=properties_results.COLLISION_KIT_PG_accepted)
    floating: PointerProperty(
        name="Floating Objects",
        description="Settings of the search for floating objects",
        type=properties_floating.COLLISION_KIT_PG_floating,
    )
    topics: CollectionProperty(type=properties_results.COLLISION_KIT_PG_topic)
    tests: CollectionProperty(type=properties_rules.COLLISION_KIT_PG_pair_test)
    active_test: IntProperty(name="Active Test", description="Named test shown below the list", options=set())
    ignore_rules: CollectionProperty(type=properties_rules.COLLISION_KIT_PG_ignore_rule)
    active_ignore_rule: IntProperty(
        name="Active Ignore Rule", description="Ignore rule shown below the list", options=set()
    )
    planar: PointerProperty(
        name="Planar",
        description="Settings of checks in a plane",
        type=properties_planar.COLLISION_KIT_PG_planar,
    )
    colliders: PointerProperty(
        name="Colliders",
        description="Settings for new colliders in this scene",
        type=properties_colliders.COLLISION_KIT_PG_colliders,
    )
    gltf: PointerProperty(
        name="glTF",
        description="Settings for colliders in glTF files",
        type=properties_gltf.COLLISION_KIT_PG_gltf,
    )
    coverage: PointerProperty(
        name="Collider Coverage",
        description="Settings for comparisons of colliders with render meshes",
        type=properties_coverage.COLLISION_KIT_PG_coverage,
    )
    validation: PointerProperty(
        name="Validation",
        description="Settings of collider validation",
        type=properties_validation.COLLISION_KIT_PG_validation,
    )


class COLLISION_KIT_PG_row(bpy.types.PropertyGroup):
    """A row of the results list. `addon.ui.result_list.rows` determines its content."""

    tip: StringProperty(
        name="Result",
        description="Both names, the verdict and the depth or gap of the pair in this row",
        get=callbacks_results.row_tip,
        options=set(),
    )


class COLLISION_KIT_PG_results(bpy.types.PropertyGroup):
    """The results list. It belongs to the window manager, because data of a scene is undone with the scene."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_row)
    active: IntProperty(
        name="Pair",
        description="Click to select and frame both objects and show how they collide",
        min=-1,
        get=callbacks_results.chosen_place,
        set=callbacks_results.choose_place,
        update=callbacks_results.place_chosen,
        options=set(),
    )
    show_overlay: BoolProperty(
        name="Show in Viewport",
        description=("Draw the shapes, separating axis and contacts of the active pair"),
        default=True,
        update=callbacks.overlay_switched,
        options=set(),
    )
    live: BoolProperty(
        name="Live",
        description=(
            "Update the results while objects are moved, edited, added or deleted. Only changed objects "
            "are tested again"
        ),
        get=callbacks.live_on,
        set=callbacks.switch_live,
        options=set(),
    )
    show_culling: BoolProperty(
        name="Show in Viewport",
        description="Draw the camera's view and color the tested objects",
        get=callbacks.culling_shown,
        set=callbacks.show_culling,
        options=set(),
    )
    contacts: PointerProperty(
        name="Active Contact",
        description="Results of the last motion check",
        type=properties_motion.COLLISION_KIT_PG_contacts,
    )
    walk_issues: PointerProperty(
        name="Issues",
        description="Results of the last walk",
        type=properties_probe.COLLISION_KIT_PG_walk_issues,
    )
    compared: PointerProperty(
        name="Compared Objects",
        description="Results of the last comparison with render meshes",
        type=properties_coverage.COLLISION_KIT_PG_compared_objects,
    )
    issues: CollectionProperty(type=properties_validation.COLLISION_KIT_PG_issue_group)
    floating: PointerProperty(
        name="Floating Objects",
        description="Results of the last search for floating objects",
        type=properties_floating.COLLISION_KIT_PG_floating_list,
    )
    view: PointerProperty(
        name="Listed Results",
        description="Filter and order of the list of results",
        type=properties_results.COLLISION_KIT_PG_view,
    )
    explanation: PointerProperty(
        name="Evidence",
        description="What is drawn for the active pair",
        type=properties_explanation.COLLISION_KIT_PG_explanation,
    )


CLASSES = (
    *properties_colliders.CLASSES,
    *properties_coverage.CLASSES,
    *properties_explanation.CLASSES,
    *properties_floating.CLASSES,
    *properties_gltf.CLASSES,
    *properties_motion.CLASSES,
    *properties_objects.CLASSES,
    *properties_planar.CLASSES,
    *properties_probe.CLASSES,
    *properties_results.CLASSES,
    *properties_rules.CLASSES,
    *properties_validation.CLASSES,
    COLLISION_KIT_PG_scene,
    COLLISION_KIT_PG_row,
    COLLISION_KIT_PG_results,
)

# Types that get each group as their property `collision_kit`.
GROUPS = (
    (bpy.types.Scene, COLLISION_KIT_PG_scene),
    (bpy.types.Object, properties_objects.COLLISION_KIT_PG_object),
    (bpy.types.WindowManager, COLLISION_KIT_PG_results),
)
