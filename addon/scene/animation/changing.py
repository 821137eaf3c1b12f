# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in which anything of the open file can change: between the first and last keys, and in simulations."""

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from ...model.message import Message
from ...model.report import Issue
from ..objects.moving import curves_of
from ..settings import ROOT

# Data blocks whose animation moves no surface.
_BESIDE = {
    *("actions", "brushes", "cameras", "fonts", "images", "libraries", "lightprobes", "lights", "linestyles", "masks"),
    *("materials", "movieclips", "paint_curves", "palettes", "screens", "sounds", "speakers", "texts"),
    *("window_managers", "workspaces", "worlds"),
}
# Modifiers and constraints that change with the frame, without keys.
_TIMED = {
    *("BUILD", "CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "GREASE_PENCIL_BUILD", "GREASE_PENCIL_TIME", "MESH_CACHE"),
    *("MESH_SEQUENCE_CACHE", "OCEAN", "PARTICLE_INSTANCE", "PARTICLE_SYSTEM", "SOFT_BODY", "WAVE"),
    *("CAMERA_SOLVER", "FOLLOW_TRACK", "OBJECT_SOLVER", "TRANSFORM_CACHE"),
}
_TIMED_NODES = {
    *("GeometryNodeBake", "GeometryNodeInputSceneTime", "GeometryNodeSimulationInput", "GeometryNodeSimulationOutput"),
    *("GeometryNodeImageTexture", "GeometryNodeImageInfo"),
}
# Functions and words of driver expressions that depend on their arguments alone.
_PLAIN = {
    *("abs", "acos", "asin", "atan", "atan2", "ceil", "clamp", "cos", "degrees", "exp", "floor", "fmod", "int"),
    *("float", "lerp", "log", "max", "min", "mod", "pi", "pow", "radians", "round", "sin", "smoothstep", "sqrt"),
    *("tan", "trunc", "and", "or", "not", "if", "else", "True", "False"),
}
# Frame handlers of these modules move nothing.
_OWN = (ROOT, "bl_ext.user_default.collision_kit", "collision_kit")

# Simulations whose results exist only once they are baked: by type of the modifier.
_SIMULATIONS = {
    "CLOTH": Message("Cloth"),
    "SOFT_BODY": Message("Soft Body"),
    "FLUID": Message("Fluid"),
    "DYNAMIC_PAINT": Message("Dynamic Paint"),
    "PARTICLE_SYSTEM": Message("Particle System"),
}

Range = tuple[float, float]
_ALWAYS: Range = (-math.inf, math.inf)


def changing_frames(context: bpy.types.Context, start: int, end: int) -> tuple[list[int], bool]:
    """The frames of a range that have to be evaluated, and whether anything is animated at all.

    They are the frames in which something can change, and the first and the last.
    """
    ranges = list(_ranges(context.scene))
    if not ranges:
        return sorted({start, end}), False
    low, high = min(first for first, _ in ranges), max(last for _, last in ranges)
    first = start if low <= start else min(math.floor(low), end)
    last = end if high >= end else max(math.ceil(high), start)
    return sorted({start, *range(first, last + 1), end}), True


def keyed_range(context: bpy.types.Context) -> tuple[int, int] | None:
    """The first and the last frame with a key; None if nothing is animated, or something changes without keys."""
    ranges = list(_ranges(context.scene))
    if not ranges or _ALWAYS in ranges:
        return None
    return math.floor(min(first for first, _ in ranges)), math.ceil(max(last for _, last in ranges))


def _ranges(scene: bpy.types.Scene) -> Iterator[Range]:
    """Ranges of frames in which something can change."""
    if _has_handlers():
        yield _ALWAYS
    world = scene.rigidbody_world
    if world is not None and world.enabled and world.collection is not None and len(world.collection.objects):
        yield float(world.point_cache.frame_start), float(world.point_cache.frame_end)
    for ob in bpy.data.objects:
        if any(one.type in _TIMED for one in (*ob.modifiers, *ob.constraints)) or len(ob.particle_systems):
            yield _ALWAYS
        if ob.pose is not None and any(one.type in _TIMED for bone in ob.pose.bones for one in bone.constraints):
            yield _ALWAYS
    if any(node.bl_idname in _TIMED_NODES for tree in bpy.data.node_groups for node in tree.nodes):
        yield _ALWAYS
    if any(volume.is_sequence for volume in bpy.data.volumes):
        yield _ALWAYS
    found: list[Range] = []
    for owner in _animated():
        found += _of_animation(owner.animation_data)
    for drawing in _drawings():
        found += [(float(frame.frame_number),) * 2 for layer in drawing.layers for frame in layer.frames]
    remapped = scene.render.frame_map_old != scene.render.frame_map_new
    yield from [_ALWAYS] if found and remapped else found


def _has_handlers() -> bool:
    """Whether functions of other add-ons are called in each frame, which may move anything."""
    handlers = bpy.app.handlers
    called = (*handlers.frame_change_pre, *handlers.frame_change_post)
    return any(not getattr(one, "__module__", "").startswith(_OWN) for one in called)


def _animated() -> Iterator[Any]:
    for rule in bpy.data.bl_rna.properties:
        if rule.type == "COLLECTION" and rule.identifier not in _BESIDE:
            for one in getattr(bpy.data, rule.identifier):
                if getattr(one, "animation_data", None) is not None:
                    yield one


def _drawings() -> Iterable[Any]:
    """Grease Pencil data with more than one drawing in a layer."""
    for name in ("grease_pencils_v3", "grease_pencils"):
        for one in getattr(bpy.data, name, ()):
            if any(len(layer.frames) > 1 for layer in one.layers):
                yield one


def _of_animation(animation: Any) -> Iterator[Range]:
    for driver in animation.drivers:
        if _depends_on_time(driver.driver):
            yield _ALWAYS
    for curve in curves_of(animation):
        yield from _of_curve(curve)
    for track in animation.nla_tracks:
        for strip in track.strips:
            if not track.mute and not strip.mute:
                yield float(strip.frame_start), float(strip.frame_end)


def _of_curve(curve: Any) -> Iterator[Range]:
    if curve.mute:
        return
    times = [point.co[0] for points in (curve.keyframe_points, curve.sampled_points) for point in points]
    if any(not one.mute for one in curve.modifiers) or (len(times) > 1 and curve.extrapolation == "LINEAR"):
        yield _ALWAYS
    elif len(times) > 1:
        yield min(times), max(times)


def _depends_on_time(driver: Any) -> bool:
    """Whether a driver may change in a frame without a change of what it refers to."""
    paths = [target.data_path for variable in driver.variables for target in variable.targets]
    if driver.type != "SCRIPTED":
        return any("frame" in path for path in paths)
    names = set(re.findall(r"[^\W\d]\w*", driver.expression)) - {one.name for one in driver.variables}
    return not names <= _PLAIN or any("frame" in path for path in paths)


def unbaked_simulations(scene: bpy.types.Scene) -> list[Issue]:
    """A warning for each simulation that is not baked, because its state in a frame depends on the frames before."""
    found = []
    for ob in scene.objects:
        for modifier in ob.modifiers:
            what = _SIMULATIONS.get(modifier.type)
            if what is not None and modifier.show_viewport and _is_unbaked(modifier):
                message = Message(
                    'Simulation of the modifier "{name}" ({what}) is not baked, so it was not tested as it plays; '
                    "bake it first.",
                    name=modifier.name,
                    what=what,
                )
                found.append(Issue("simulation-not-baked", "warning", ob.name, message))
    return found


def _is_unbaked(modifier: Any) -> bool:
    if modifier.type == "FLUID":
        domain = modifier.domain_settings if modifier.fluid_type == "DOMAIN" else None
        return domain is not None and not domain.has_cache_baked_data
    if modifier.type == "DYNAMIC_PAINT":
        canvas = modifier.canvas_settings
        surfaces = canvas.canvas_surfaces if canvas is not None else ()
        shaping = [one for one in surfaces if one.is_active and one.surface_type in {"DISPLACE", "WAVE"}]
        return any(not one.point_cache.is_baked for one in shaping)
    if modifier.type == "PARTICLE_SYSTEM":
        system = modifier.particle_system
        moves = system.settings.type != "HAIR" and system.settings.physics_type not in {"NO", "KEYED"}
        shows = system.settings.render_type in {"OBJECT", "COLLECTION"}
        return bool(moves and shows and not system.point_cache.is_baked)
    return not modifier.point_cache.is_baked
