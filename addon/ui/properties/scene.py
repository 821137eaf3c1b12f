# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can set, stored where Blender stores such things, and the rows of the results list."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
)

from ...i18n import CONTEXT
from ..callbacks import results as callbacks_results
from ..callbacks import scene as callbacks
from . import colliders as properties_colliders
from . import explanation as properties_explanation
from . import gltf as properties_gltf
from . import motion as properties_motion
from . import objects as properties_objects
from . import planar as properties_planar
from . import results as properties_results
from . import validation as properties_validation

SCOPES = (
    ("VISIBLE", "Visible Objects", "Every object that can be seen, against every other"),
    (
        "CAMERA",
        "In Camera View",
        "Every visible object that is not outside the active camera's view, against every other",
    ),
    ("SELECTED", "Selected Objects", "Every selected object against every other selected one"),
    ("ACTIVE", "Active against Selected", "The active object against each of the other selected ones"),
    (
        "ALL",
        "Whole Scene",
        "Every object of the scene against every other; hidden ones are listed as not tested",
    ),
    ("COLLECTION", "One Collection", "Every object of one collection against every other in it"),
    (
        "COLLECTIONS",
        "Two Collections",
        "Every object of one collection against every object of another, such as props against the level",
    ),
)

TOUCHING_MODES = (
    ("AUTOMATIC", "Automatic", "Just above the rounding of coordinates as large as these objects'"),
    ("MANUAL", "Manual", "A distance of your own"),
)

CULL_SCOPES = (
    ("VISIBLE", "Visible Objects", "Every object that can be seen"),
    ("SELECTED", "Selected Objects", "Every selected object"),
)

CULL_FRAMES = (
    ("CURRENT", "This Frame", "Only the current frame"),
    (
        "RANGE",
        "Scene Range",
        "Every frame of the scene: outside is what no frame shows. Afterwards the current frame is back",
    ),
)

CULL_METHODS = (
    ("EXACT", "Exact", "What is not inside and not crossing is outside"),
    (
        "CONSERVATIVE",
        "By Planes",
        "Outside is what lies beyond one of the six planes, as engines cull; "
        "large objects beside a corner may count as crossing",
    ),
)


class COLLISION_KIT_PG_scene(bpy.types.PropertyGroup):
    """What a check of this scene looks at."""

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
        description="The objects to test, those of its child collections included",
        type=bpy.types.Collection,
        update=callbacks.settings_changed,
        options=set(),
    )
    collection_b: PointerProperty(
        name="Against",
        description="The objects to test them against, those of its child collections included",
        type=bpy.types.Collection,
        update=callbacks.settings_changed,
        options=set(),
    )
    touching_mode: EnumProperty(
        name="Touching",
        translation_context=CONTEXT,
        description=("How near or how deep two surfaces may be to count as touching: neither apart nor penetrating"),
        items=TOUCHING_MODES,
        default="AUTOMATIC",
        update=callbacks.settings_changed,
        options=set(),
    )
    touching: FloatProperty(
        name="Tolerance",
        description=("Surfaces that are no further apart than this, and no deeper in each other, count as touching"),
        default=0.001,
        min=0.0,
        soft_max=0.1,
        step=0.1,
        precision=4,
        subtype="DISTANCE",
        update=callbacks.settings_changed,
        options=set(),
    )
    clearance: FloatProperty(
        name="Clearance",
        description=("List pairs that do not touch but are nearer than this, too. Zero lists only what touches"),
        default=0.0,
        min=0.0,
        soft_max=10.0,
        step=1,
        precision=3,
        subtype="DISTANCE",
        update=callbacks.settings_changed,
        options=set(),
    )
    include_operands: BoolProperty(
        name="Boolean Operands",
        description=(
            "Test operands of Boolean modifiers that are displayed as wire or bounds, or not rendered, as well. Off: "
            "they are listed as not tested, unless their shape is set"
        ),
        default=False,
        update=callbacks.settings_changed,
        options=set(),
    )
    cull_scope: EnumProperty(
        name="Objects",
        translation_context=CONTEXT,
        description="Which objects are held against the camera's view",
        items=CULL_SCOPES,
        default="VISIBLE",
        options=set(),
    )
    cull_frames: EnumProperty(
        name="Frames",
        translation_context=CONTEXT,
        description="In which frames the camera looks",
        items=CULL_FRAMES,
        default="CURRENT",
        options=set(),
    )
    cull_method: EnumProperty(
        name="Method",
        translation_context=CONTEXT,
        description="How objects beside an edge or a corner of the camera's view are decided",
        items=CULL_METHODS,
        default="EXACT",
        options=set(),
    )
    motion: PointerProperty(
        name="Motion",
        description="What a check of motion looks at",
        type=properties_motion.COLLISION_KIT_PG_motion,
    )
    accepted: CollectionProperty(type=properties_results.COLLISION_KIT_PG_accepted)
    planar: PointerProperty(
        name="Planar",
        description="In which plane the scene is checked, if not in space",
        type=properties_planar.COLLISION_KIT_PG_planar,
    )
    colliders: PointerProperty(
        name="Colliders",
        description="How colliders of this scene are made",
        type=properties_colliders.COLLISION_KIT_PG_colliders,
    )
    gltf: PointerProperty(
        name="glTF",
        description="Colliders in glTF files",
        type=properties_gltf.COLLISION_KIT_PG_gltf,
    )
    validation: PointerProperty(
        name="Validation",
        description="What a validation of colliders looks at",
        type=properties_validation.COLLISION_KIT_PG_validation,
    )


class COLLISION_KIT_PG_row(bpy.types.PropertyGroup):
    """A row of the results list; `addon.ui.result_list.rows` knows what is listed there."""


class COLLISION_KIT_PG_results(bpy.types.PropertyGroup):
    """The results list; the window manager's, because what a scene stores is undone with the scene."""

    rows: CollectionProperty(type=COLLISION_KIT_PG_row)
    active: IntProperty(
        name="Pair",
        description="Click to select both objects, frame them and see how they stand to each other",
        min=-1,
        get=callbacks_results.chosen_place,
        set=callbacks_results.choose_place,
        update=callbacks_results.place_chosen,
        options=set(),
    )
    show_overlay: BoolProperty(
        name="Show in Viewport",
        description=(
            "Draw the chosen pair's shapes, the axis that parts them or is least penetrated, and its contacts"
        ),
        default=True,
        update=callbacks.overlay_switched,
        options=set(),
    )
    live: BoolProperty(
        name="Live",
        description=(
            "Keep the results up to date while objects move, are edited, added or deleted: only what has changed is "
            "tested again"
        ),
        get=callbacks.live_on,
        set=callbacks.switch_live,
        options=set(),
    )
    show_culling: BoolProperty(
        name="Show in Viewport",
        description="Draw the camera's view and what was classified against it, colored by where it is",
        get=callbacks.culling_shown,
        set=callbacks.show_culling,
        options=set(),
    )
    contacts: PointerProperty(
        name="Chosen Contact",
        description="What the last check of motion found",
        type=properties_motion.COLLISION_KIT_PG_contacts,
    )
    view: PointerProperty(
        name="Listed Results",
        description="Which results are listed, and in which order",
        type=properties_results.COLLISION_KIT_PG_view,
    )
    explanation: PointerProperty(
        name="Evidence",
        description="What is drawn of the chosen pair",
        type=properties_explanation.COLLISION_KIT_PG_explanation,
    )


CLASSES = (
    *properties_colliders.CLASSES,
    *properties_explanation.CLASSES,
    *properties_gltf.CLASSES,
    *properties_motion.CLASSES,
    *properties_objects.CLASSES,
    *properties_planar.CLASSES,
    *properties_results.CLASSES,
    *properties_validation.CLASSES,
    COLLISION_KIT_PG_scene,
    COLLISION_KIT_PG_row,
    COLLISION_KIT_PG_results,
)

# What gets each group, as its property `collision_kit`.
GROUPS = (
    (bpy.types.Scene, COLLISION_KIT_PG_scene),
    (bpy.types.Object, properties_objects.COLLISION_KIT_PG_object),
    (bpy.types.WindowManager, COLLISION_KIT_PG_results),
)
