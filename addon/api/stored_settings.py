# SPDX-License-Identifier: GPL-3.0-or-later
"""Read and change the check settings that files store, of the scene and of each object."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import bpy

from ..collisions.presets import apply_shipped
from ..model.rules import PairTest
from ..scene import arguments
from ..scene.objects import collision_settings as stored
from ..scene.objects.collision_settings import GROUPS, ObjectSettings
from ..scene.settings import check_settings as stored_check
from ..scene.settings import scene_settings
from .choices import PARTS, PRESETS, SHAPES, Objects, Part, Preset, Shape


@dataclass(frozen=True)
class CheckSettings:
    """Check settings of a scene: the arguments of `check_collisions`, with the same names.

    Attributes
    ----------
    scope, collection, other_collection, clearance, touching, plane, include_operands, tests, self_check
    within, static, each_asset, loose_parts, surroundings, one_thing
        As for `check_collisions`.
    """

    scope: str
    collection: str
    other_collection: str
    clearance: float
    touching: float | None
    plane: str | None
    include_operands: bool
    tests: tuple[PairTest, ...] = ()
    self_check: bool = False
    within: bool | None = None
    static: bool = False
    each_asset: bool = False
    loose_parts: bool = False
    surroundings: bool = False
    one_thing: tuple[str, ...] = ()


def check_settings() -> CheckSettings:
    """Return the settings of the panel. `check_collisions` with these does the same as the button.

    Returns
    -------
    CheckSettings

    Examples
    --------
    ::

        report = api.check_collisions(**vars(api.check_settings()))
    """
    found = stored_check(bpy.context)
    return CheckSettings(
        found.scope,
        found.collection_a,
        found.collection_b,
        found.clearance,
        found.touching,
        found.plane,
        found.include_operands,
        found.tests,
        found.self_check,
        found.within,
        found.static,
        found.each_asset,
        found.loose_parts,
        found.surroundings,
        tuple(one.text for one in found.one_thing),
    )


def apply_check_preset(preset: Preset) -> CheckSettings:
    """Apply a preset of the add-on to the current scene.

    Parameters
    ----------
    preset : str
        GAME_LEVEL: gaps and overlaps up to 1 mm are ignored. MECHANICAL: all parts less than 0.3 mm apart are listed.
        TOUCHING_COUNTS: every overlap above floating-point precision counts.

    Returns
    -------
    CheckSettings
        The new settings of the scene.

    Raises
    ------
    ValueError
        If the preset does not exist.

    Examples
    --------
    ::

        report = api.check_collisions(**vars(api.apply_check_preset("GAME_LEVEL")))
    """
    arguments.one_of("preset", preset, PRESETS)
    apply_shipped(scene_settings(bpy.context), preset, bpy.context.scene.unit_settings.scale_length)
    return check_settings()


def collision_settings(ob: bpy.types.Object | str) -> ObjectSettings:
    """Return the collision settings of an object.

    Parameters
    ----------
    ob : bpy.types.Object or str

    Returns
    -------
    ObjectSettings

    Raises
    ------
    KeyError
        If no object has that name.
    ValueError
        If the object is not in the current view layer.

    Examples
    --------
    ::

        print(api.collision_settings("Crate").shape)
    """
    return stored.read(arguments.object_("ob", ob))


def set_collision_settings(
    objects: Objects,
    *,
    shape: Shape | None = None,
    margin: float | None = None,
    part_of: bpy.types.Object | str | None = None,
    layers: Sequence[int] | None = None,
    mask: Sequence[int] | None = None,
    friction: float | None = None,
    restitution: float | None = None,
    trigger: bool | None = None,
) -> None:
    """Set the collision settings of objects.

    None leaves a setting unchanged. `reset_collision_settings` restores defaults.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    shape : str, optional
        AUTO, BOX, SPHERE, ELLIPSOID, CAPSULE, CYLINDER, CONE, HULL, MESH, HALF_SPACE or NONE.
    margin : float, optional
        Distance by which the shape is enlarged on all sides, in Blender units.
    part_of : bpy.types.Object or str, optional
        The body that the objects belong to. For a collider, its render mesh.
    layers, mask : sequence of int, optional
        Layers that the objects are in, and layers that they collide with: numbers from 1 to 16.
    friction, restitution : float, optional
        Surface properties: friction at least 0, restitution from 0 to 1.
    trigger : bool, optional
        Whether the objects detect overlaps without blocking.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If a value is invalid, or an object would be part of itself. No setting is changed then.

    Examples
    --------
    ::

        api.set_collision_settings(["Floor"], shape="HALF_SPACE", friction=0.8)
        api.set_collision_settings(["Debris"], layers=[2], mask=[1])
    """
    values: dict[str, object] = {}
    if shape is not None:
        values["shape"] = arguments.one_of("shape", shape, SHAPES)
    if margin is not None:
        values["margin"] = arguments.length("margin", margin)
    if friction is not None:
        values["friction"] = arguments.length("friction", friction)
    if restitution is not None:
        values["restitution"] = arguments.length("restitution", restitution)
        if restitution > 1.0:
            raise ValueError(f"restitution: {restitution!r} is more than 1")
    for name, numbers in (("layers", layers), ("mask", mask)):
        if numbers is not None:
            values[name] = _layers(name, numbers)
    if trigger is not None:
        values["trigger"] = bool(trigger)
    chosen = arguments.objects("objects", objects)
    if part_of is not None:
        target = values["part_of"] = arguments.object_("part_of", part_of)
        for ob in chosen:
            if not stored.may_be_part_of(ob, target):
                raise ValueError(f"part_of: {ob.name!r} would be part of itself")
    for ob in chosen:
        stored.write(ob, values)


def copy_collision_settings(
    source: bpy.types.Object | str, objects: Objects, what: Collection[Part] = ("SHAPE", "MARGIN", "GROUPS", "SURFACE")
) -> None:
    """Copy the collision settings of an object to others.

    Parameters
    ----------
    source : bpy.types.Object or str
    objects : iterable of bpy.types.Object or str
    what : collection of str
        Any of SHAPE, MARGIN, GROUPS (layers and mask), SURFACE (friction and restitution), BODY (what they are part
        of).

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If `what` contains an unknown name.

    Examples
    --------
    ::

        api.copy_collision_settings("Floor", ["Wall", "Roof"], {"SURFACE"})
    """
    wanted = arguments.some_of("what", what, PARTS)
    given = arguments.object_("source", source)
    for ob in arguments.objects("objects", objects):
        if ob != given:
            stored.copy_settings(given, ob, wanted)


def reset_collision_settings(objects: Objects, what: Collection[Part] = PARTS) -> None:
    """Reset the collision settings of objects to their defaults. Data about how colliders were made is kept.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    what : collection of str
        As for `copy_collision_settings`. Default: all parts.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If `what` contains an unknown name.

    Examples
    --------
    ::

        api.reset_collision_settings(bpy.context.scene.objects)
    """
    wanted = arguments.some_of("what", what, PARTS)
    for ob in arguments.objects("objects", objects):
        stored.reset(ob, wanted)


def _layers(name: str, numbers: Sequence[int]) -> tuple[int, ...]:
    try:
        found = tuple(sorted({arguments.count(name, number, 1) for number in numbers}))
    except TypeError:
        raise ValueError(f"{name}: {numbers!r} is not a list of numbers of layers") from None
    if found and found[-1] > GROUPS:
        raise ValueError(f"{name}: there is no layer {found[-1]}, only 1 to {GROUPS}")
    return found
