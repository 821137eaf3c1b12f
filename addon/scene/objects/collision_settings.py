# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads, writes, copies and resets the collision settings of an object."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

import bpy

from ..settings import NAME, number, object_settings
from .traits import settings_of

# The properties of each part of the settings.
PARTS = {
    "SHAPE": ("shape",),
    "MARGIN": ("margin",),
    "GROUPS": ("own_groups", "groups", "mask"),
    "SURFACE": ("own_surface", "friction", "restitution"),
    "BODY": ("part_of", "motion"),
}


@dataclass(frozen=True, eq=False)
class ObjectSettings:
    """The collision settings of an object.

    Attributes
    ----------
    shape : str
        The shape that it is tested as; AUTO: according to its rigid body, its name or its mesh.
    margin : float
        How far the shape is enlarged, in Blender units.
    part_of : bpy.types.Object or None
        The object to whose body it belongs.
    layers, mask : tuple of int, or None
        The layers that it is in, and those that it collides with, from 1; None: not set.
    friction, restitution : float or None
        Of its surface; None: not set.
    trigger : bool
        Whether it detects overlaps and blocks nothing.
    """

    shape: str
    margin: float
    part_of: bpy.types.Object | None
    layers: tuple[int, ...] | None
    mask: tuple[int, ...] | None
    friction: float | None
    restitution: float | None
    trigger: bool


def read(ob: bpy.types.Object) -> ObjectSettings:
    """The collision settings of an object."""
    found = settings_of(ob)
    groups, surface = found.own_groups, found.own_surface
    return ObjectSettings(
        shape=found.shape,
        margin=number(found, "margin"),
        part_of=found.part_of,
        layers=_numbers(found.groups) if groups else None,
        mask=_numbers(found.mask) if groups else None,
        friction=number(found, "friction") if surface else None,
        restitution=number(found, "restitution") if surface else None,
        trigger=found.collider.trigger,
    )


def write(ob: bpy.types.Object, values: Mapping[str, Any]) -> None:
    """Set some of the values in `ObjectSettings`."""
    settings = object_settings(ob)
    for name, value in values.items():
        if name == "trigger":
            settings.collider.trigger = value
        elif name in ("layers", "mask"):
            settings.own_groups = True
            numbers = range(1, len(settings.mask) + 1)
            setattr(settings, "groups" if name == "layers" else name, [number in value for number in numbers])
        else:
            if name in ("friction", "restitution"):
                settings.own_surface = True
            setattr(settings, name, value)


def may_be_part_of(ob: bpy.types.Object, target: bpy.types.Object | None) -> bool:
    """Whether an object can be part of another: not of itself, and not of an object that is already part of it."""
    seen = set()
    while target is not None and target.session_uid not in seen:
        if target == ob:
            return False
        seen.add(target.session_uid)
        target = settings_of(target).part_of
    return True


def _numbers(flags: Any) -> tuple[int, ...]:
    return tuple(number for number, flag in enumerate(flags, start=1) if flag)


def copy_settings(source: bpy.types.Object, target: bpy.types.Object, what: Set[str]) -> None:
    """Copy these parts of the settings of one object to another."""
    given, taken = object_settings(source), object_settings(target)
    for part, names in PARTS.items():
        for name in names if part in what else ():
            value = getattr(given, name)
            # An object cannot be part of itself, nor of a part of it: that would be a cycle.
            if part != "BODY" or value is None or value != target:
                setattr(taken, name, value)


def is_set(ob: bpy.types.Object) -> bool:
    """Whether any setting of an object differs from the default."""
    if not ob.is_property_set(NAME):
        return False
    settings = object_settings(ob)
    names = (name for names in PARTS.values() for name in names)
    return any(settings.is_property_set(name) and _differs(settings, name) for name in names)


def reset(ob: bpy.types.Object, what: Set[str] = frozenset(PARTS)) -> None:
    """Unset these parts; they are set to defaults first, because unsetting a property causes no notification."""
    settings = object_settings(ob)
    for part, names in PARTS.items():
        for name in names if part in what else ():
            if _differs(settings, name):
                setattr(settings, name, _default(settings, name))
            settings.property_unset(name)


def _differs(settings: bpy.types.PropertyGroup, name: str) -> bool:
    value, usual = getattr(settings, name), _default(settings, name)
    return bool((tuple(value) if isinstance(usual, tuple) else value) != usual)


def _default(settings: bpy.types.PropertyGroup, name: str) -> object:
    known: Any = settings.bl_rna.properties[name]
    if known.type == "POINTER":
        return None
    return tuple(known.default_array) if getattr(known, "is_array", False) else known.default
