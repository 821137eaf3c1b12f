# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the add-on's properties are in Blender's data; what they are is in `properties`."""

from typing import Any

import bpy

from ..model.culling_report import Request
from ..model.motion_report import MotionRequest
from ..model.report import Settings
from ..model.rules import IgnoreRule, PairTest, Pattern, read_list

# The extension's own name: `collision_kit`, or nested, `bl_ext.user_default.collision_kit`.
ROOT = __package__.partition(".addon")[0]

# Milliseconds that an update of live mode may take, unless the preferences say otherwise.
LIVE_BUDGET = 50

_EVERYTHING = (Pattern("name", "*"),)

# The property of scenes, objects and the window manager that holds everything of ours.
NAME = "collision_kit"


def scene_settings(context: bpy.types.Context) -> Any:
    """Return what the user has set for checks of the scene: a `COLLISION_KIT_PG_scene`."""
    return getattr(context.scene, NAME)


def check_settings(context: bpy.types.Context) -> Settings:
    """Return what a check of the scene is to be asked for; only the collections that the scope needs."""
    stored = scene_settings(context)
    first = stored.collection_a if stored.scope in {"COLLECTION", "COLLECTIONS"} else None
    second = stored.collection_b if stored.scope == "COLLECTIONS" else None
    return Settings(
        scope=stored.scope,
        collection_a=first.name if first else "",
        collection_b=second.name if second else "",
        touching=stored.touching if stored.touching_mode == "MANUAL" else None,
        clearance=stored.clearance,
        plane=stored.planar.plane if stored.planar.dimension == "PLANE" else None,
        include_operands=stored.include_operands,
        tests=tests_of(context.scene),
    )


def tests_of(scene: bpy.types.Scene) -> tuple[PairTest, ...]:
    """Return the named tests of a scene, with lengths in Blender units; a first side without patterns is everything."""
    return tuple(
        PairTest(
            one.label,
            read_list(one.side_a) or _EVERYTHING,
            read_list(one.side_b),
            one.touching if one.use_touching else None,
            one.clearance if one.use_clearance else None,
            one.severity.lower(),
        )
        for one in getattr(scene, NAME).tests
    )


def ignore_rules_of(scene: bpy.types.Scene) -> tuple[IgnoreRule, ...]:
    """Return the ignore rules of a scene; one without patterns on its first side takes no pair."""
    return tuple(
        IgnoreRule(
            read_list(one.side_a), read_list(one.side_b), one.max_depth if one.use_max_depth else None, one.reason
        )
        for one in getattr(scene, NAME).ignore_rules
    )


def cull_request(context: bpy.types.Context) -> Request:
    """Return what a culling of the scene is to be asked for."""
    stored, scene = scene_settings(context), context.scene
    return Request(
        scope=stored.cull_scope,
        exact=stored.cull_method == "EXACT",
        frames=(scene.frame_start, scene.frame_end) if stored.cull_frames == "RANGE" else None,
    )


def motion_request(context: bpy.types.Context) -> MotionRequest:
    """Return what a check of motion is to be asked for; its scope is that of the collision check."""
    check, stored = check_settings(context), scene_settings(context).motion
    start, end = motion_frames(context.scene)
    return MotionRequest(
        scope=check.scope,
        collection_a=check.collection_a,
        collection_b=check.collection_b,
        start=start,
        end=end,
        deviation=stored.deviation if stored.deviation_mode == "MANUAL" else None,
        include_operands=check.include_operands,
    )


def motion_frames(scene: bpy.types.Scene) -> tuple[int, int]:
    """Return the first and the last frame of the range in which motion is to be checked."""
    stored = getattr(scene, NAME).motion
    if stored.frames == "OWN":
        return stored.frame_start, stored.frame_end
    if stored.frames == "PREVIEW":
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_start, scene.frame_end


def contacts_list(manager: bpy.types.WindowManager) -> Any:
    """Return the rows of the contacts that the panel lists: a `COLLISION_KIT_PG_contacts`."""
    return getattr(manager, NAME).contacts


def object_settings(ob: bpy.types.Object) -> Any:
    """Return what the user has set for an object: a `COLLISION_KIT_PG_object`."""
    return getattr(ob, NAME)


def results_list(manager: bpy.types.WindowManager) -> Any:
    """Return the rows that the panel lists: a `COLLISION_KIT_PG_results`."""
    return getattr(manager, NAME)


def live_budget(context: bpy.types.Context) -> float:
    """Return the seconds that an update of live mode may take."""
    addon: Any = context.preferences.addons.get(ROOT)
    return (addon.preferences.live_budget if addon is not None else LIVE_BUDGET) / 1000.0
