# SPDX-License-Identifier: GPL-3.0-or-later
"""Access to the add-on's properties in Blender's data. They are defined in `addon/ui/properties`."""

import math
from typing import Any

import bpy

from ..engines.kinds import ENGINES, naming_engine, template_name
from ..model.coverage_report import CoverageRequest, Thresholds
from ..model.culling_report import CullRequest
from ..model.floating import FloatingRequest
from ..model.motion_report import MotionRequest
from ..model.probe_report import ProbeRequest
from ..model.report import Settings
from ..model.rules import IgnoreRule, PairTest, Pattern, read_list

# The extension's own name: `collision_kit`, or as part of a longer name, `bl_ext.user_default.collision_kit`.
ROOT = __package__.partition(".addon")[0]

# Default milliseconds for an update of live mode.
LIVE_BUDGET = 50

# Whether pairs within one asset are faults, by the setting for parts of an asset. None: only if there is a single
# asset.
PARTS = {"AUTOMATIC": None, "FAULTS": True, "FOLDED": False, "EACH": None}

_EVERYTHING = (Pattern("name", "*"),)

# The property of scenes, objects and the window manager that contains all properties of the add-on.
NAME = "collision_kit"


def number(group: Any, name: str) -> float:
    """A number of a property group. Its default if it is NaN, which a file can contain."""
    value = float(getattr(group, name))
    return value if value == value else float(group.bl_rna.properties[name].default)


def scene_settings(context: bpy.types.Context) -> Any:
    """The user's settings for checks of the scene: a `COLLISION_KIT_PG_scene`."""
    return getattr(context.scene, NAME)


def collider_engine(context: bpy.types.Context) -> str:
    """The engine whose naming convention new colliders of the scene get."""
    return naming_engine(scene_settings(context).engine)


def omi_capsules(context: bpy.types.Context) -> str:
    """Return the meaning of the height of a capsule in OMI_physics_shape: BETWEEN_CENTERS or TOTAL."""
    wanted = str(scene_settings(context).gltf.omi_capsules)
    if wanted != "AUTO":
        return wanted
    return "TOTAL" if collider_engine(context) == "GODOT" else "BETWEEN_CENTERS"


def check_settings(context: bpy.types.Context) -> Settings:
    """The settings of a check of the scene, with only the collections that the scope needs."""
    stored = scene_settings(context)
    first = stored.collection_a if stored.scope in {"COLLECTION", "COLLECTIONS"} else None
    second = stored.collection_b if stored.scope == "COLLECTIONS" else None
    space = stored.planar.dimension == "SPACE"
    return Settings(
        scope=stored.scope,
        collection_a=first.name if first else "",
        collection_b=second.name if second else "",
        touching=number(stored, "touching") if stored.touching_mode == "MANUAL" else None,
        clearance=number(stored, "clearance"),
        plane=stored.planar.plane if stored.planar.dimension == "PLANE" else None,
        include_operands=stored.include_operands,
        tests=tests_of(context.scene),
        self_check=stored.self_check and space and not stored.loose_parts,
        within=PARTS[stored.parts],
        static=stored.static,
        each_asset=stored.parts == "EACH",
        loose_parts=stored.loose_parts and space,
        surroundings=stored.surroundings,
        one_thing=read_list(stored.one_thing),
    )


def tests_of(scene: bpy.types.Scene) -> tuple[PairTest, ...]:
    """The named tests of a scene, with lengths in Blender units. An empty first side matches everything."""
    return tuple(
        PairTest(
            one.label,
            read_list(one.side_a) or _EVERYTHING,
            read_list(one.side_b),
            number(one, "touching") if one.use_touching else None,
            number(one, "clearance") if one.use_clearance else None,
            one.severity.lower(),
        )
        for one in getattr(scene, NAME).tests
    )


def names_of(scene: bpy.types.Scene) -> tuple[tuple[str, str], ...]:
    """The engines of a scene, in lower case, that have a naming template, each with it."""
    settings = getattr(scene, NAME).colliders
    found = ((engine.lower(), getattr(settings, template_name(engine))) for engine, *_ in ENGINES)
    return tuple((engine, template) for engine, template in found if template)


def ignore_rules_of(scene: bpy.types.Scene) -> tuple[IgnoreRule, ...]:
    """The ignore rules of a scene. A rule without patterns on its first side matches no pair."""
    return tuple(
        IgnoreRule(
            read_list(one.side_a),
            read_list(one.side_b),
            number(one, "max_depth") if one.use_max_depth else None,
            one.reason,
        )
        for one in getattr(scene, NAME).ignore_rules
    )


def cull_request(context: bpy.types.Context) -> CullRequest:
    """The request for frustum culling of the scene."""
    stored, scene = scene_settings(context), context.scene
    return CullRequest(
        scope=stored.cull_scope,
        exact=stored.cull_method == "EXACT",
        frames=(scene.frame_start, scene.frame_end) if stored.cull_frames == "RANGE" else None,
    )


def coverage_request(context: bpy.types.Context) -> CoverageRequest:
    """The request for a comparison of colliders with render meshes."""
    stored = scene_settings(context).coverage
    return CoverageRequest(
        scope=stored.scope,
        thresholds=Thresholds(number(stored, "max_outside"), number(stored, "max_inside")),
        include_hidden=stored.include_hidden,
        walk=probe_request(context) if stored.reachable_only else None,
        reach=number(stored, "reach") if stored.reachable_only else None,
    )


def listed_starts(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The objects in the list of starts of a scene that are in the scene: those that were deleted are kept by it."""
    listed = [entry.object for entry in getattr(scene, NAME).probe.starts]
    return [ob for ob in listed if ob is not None and scene.objects.get(ob.name) == ob]


def probe_request(context: bpy.types.Context) -> ProbeRequest:
    """The request for a probe of the scene, from the starts in its list that are in the scene."""
    stored, scene = scene_settings(context).probe, context.scene
    collection = stored.collection if stored.scope == "COLLECTION" else None
    return ProbeRequest(
        scope=stored.scope,
        collection=collection.name if collection is not None else "",
        starts=tuple(ob.name for ob in listed_starts(scene)),
        radius=number(stored, "radius"),
        height=number(stored, "height"),
        step=number(stored, "step"),
        # Blender stores radians as float32.
        slope=round(math.degrees(number(stored, "slope")), 4),
        drop=number(stored, "drop"),
        spacing=number(stored, "spacing"),
        ball=stored.shape == "BALL",
        margin=number(stored, "margin") if stored.margin_mode == "MANUAL" else None,
    )


def motion_request(context: bpy.types.Context) -> MotionRequest:
    """The request for a motion check, with the scope of the collision check."""
    check, stored = check_settings(context), scene_settings(context).motion
    start, end = motion_frames(context.scene)
    return MotionRequest(
        scope=check.scope,
        collection_a=check.collection_a,
        collection_b=check.collection_b,
        start=start,
        end=end,
        deviation=number(stored, "deviation") if stored.deviation_mode == "MANUAL" else None,
        include_operands=check.include_operands,
        clearance=number(stored, "clearance"),
        touching=check.touching,
        tests=check.tests,
        one_thing=check.one_thing,
    )


def motion_frames(scene: bpy.types.Scene) -> tuple[int, int]:
    """The first and the last frame of the range for motion checks."""
    stored = getattr(scene, NAME).motion
    if stored.frames == "OWN":
        return stored.frame_start, stored.frame_end
    if stored.frames == "PREVIEW":
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_start, scene.frame_end


def walk_issues(manager: bpy.types.WindowManager) -> Any:
    """The rows of the panel's list of issues: a `COLLISION_KIT_PG_walk_issues`."""
    return getattr(manager, NAME).walk_issues


def contacts_list(manager: bpy.types.WindowManager) -> Any:
    """The rows of the panel's list of contacts: a `COLLISION_KIT_PG_contacts`."""
    return getattr(manager, NAME).contacts


def floating_request(context: bpy.types.Context) -> FloatingRequest:
    """The request for floating objects of the scene, with the scope of the collision check."""
    check, stored = check_settings(context), scene_settings(context).floating
    return FloatingRequest(
        scope=check.scope,
        collection_a=check.collection_a,
        collection_b=check.collection_b,
        gap=number(stored, "gap"),
        below=stored.below,
        ground=read_list(stored.ground),
        include_operands=check.include_operands,
    )


def floating_list(manager: bpy.types.WindowManager) -> Any:
    """The rows of the panel's list of floating objects: a `COLLISION_KIT_PG_floating_list`."""
    return getattr(manager, NAME).floating


def compared_list(manager: bpy.types.WindowManager) -> Any:
    """The rows of the panel's list of compared objects: a `COLLISION_KIT_PG_compared_objects`."""
    return getattr(manager, NAME).compared


def issue_groups(manager: bpy.types.WindowManager) -> Any:
    """The rows of the panel's lists of issues, rule by rule: a collection of `COLLISION_KIT_PG_issue_group`."""
    return getattr(manager, NAME).issues


def object_settings(ob: bpy.types.Object) -> Any:
    """The user's settings for an object: a `COLLISION_KIT_PG_object`."""
    return getattr(ob, NAME)


def results_list(manager: bpy.types.WindowManager) -> Any:
    """The rows of the panel's list of results: a `COLLISION_KIT_PG_results`."""
    return getattr(manager, NAME)


def live_budget(context: bpy.types.Context) -> float:
    """The seconds that an update of live mode may take."""
    preferences = preferences_of(context)
    return (preferences.live_budget if preferences is not None else LIVE_BUDGET) / 1000.0


def saves_results(context: bpy.types.Context) -> bool:
    """Whether the results of the last check are saved in files, and shown when these are opened."""
    preferences = preferences_of(context)
    return preferences is None or preferences.save_results


def shows_legend(context: bpy.types.Context) -> bool:
    """Whether overlays have a legend."""
    preferences = preferences_of(context)
    return preferences is None or preferences.legend


def export_validation(context: bpy.types.Context) -> str:
    """Whether colliders are validated before files are written: NONE, WARN or STOP."""
    preferences = preferences_of(context)
    return str(preferences.validate_export) if preferences is not None else "NONE"


def save_preferences(context: bpy.types.Context) -> None:
    """Save the preferences, which Blender does not do for changes outside of their window."""
    context.preferences.is_dirty = True


def preferences_of(context: bpy.types.Context) -> Any:
    """The user's preferences. None if the add-on was registered without being enabled."""
    addon: Any = context.preferences.addons.get(ROOT)
    return addon.preferences if addon is not None else None
