# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set for an object, copied to others and taken back."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

import bpy

from ..settings import object_settings

# The properties of each part of the settings.
PARTS = {
    "SHAPE": ("shape",),
    "MARGIN": ("margin",),
    "GROUPS": ("own_groups", "groups", "mask"),
    "SURFACE": ("own_surface", "friction", "restitution"),
    "BODY": ("part_of",),
}


@dataclass(frozen=True, eq=False)
class ObjectSettings:
    """What is set for an object.

    Attributes
    ----------
    shape : str
        What it is tested as; AUTO: as its rigid body, its name or its mesh say.
    margin : float
        By how much the shape is enlarged, in Blender units.
    part_of : bpy.types.Object or None
        Whose body it belongs to.
    layers, mask : tuple of int, or None
        The layers that it is in, and those that it collides with, from 1; None: nothing of its own is set.
    friction, restitution : float or None
        Of its surface; None: nothing of its own is set.
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
    """Return what is set for an object."""
    found = object_settings(ob)
    groups, surface = found.own_groups, found.own_surface
    return ObjectSettings(
        shape=found.shape,
        margin=found.margin,
        part_of=found.part_of,
        layers=_numbers(found.groups) if groups else None,
        mask=_numbers(found.mask) if groups else None,
        friction=found.friction if surface else None,
        restitution=found.restitution if surface else None,
        trigger=found.collider.trigger,
    )


def write(ob: bpy.types.Object, values: Mapping[str, Any]) -> None:
    """Set some of what `ObjectSettings` has."""
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
    """Whether an object can be part of another: not of itself, and of nothing that is part of it already."""
    seen = set()
    while target is not None and target.session_uid not in seen:
        if target == ob:
            return False
        seen.add(target.session_uid)
        target = object_settings(target).part_of
    return True


def _numbers(flags: Any) -> tuple[int, ...]:
    return tuple(number for number, flag in enumerate(flags, start=1) if flag)


def copy_settings(source: bpy.types.Object, target: bpy.types.Object, what: Set[str]) -> None:
    """Give an object these parts of another's settings."""
    given, taken = object_settings(source), object_settings(target)
    for part, names in PARTS.items():
        for name in names if part in what else ():
            value = getattr(given, name)
            # An object is no part of itself, nor of one that is part of it: that would be a circle.
            if part != "BODY" or value is None or value != target:
                setattr(taken, name, value)


def is_set(ob: bpy.types.Object) -> bool:
    """Whether anything is set for an object that is not so by default."""
    settings = object_settings(ob)
    names = (name for names in PARTS.values() for name in names)
    return any(settings.is_property_set(name) and _differs(settings, name) for name in names)


def reset(ob: bpy.types.Object, what: Set[str] = frozenset(PARTS)) -> None:
    """Unset these parts; to what they are by default first, for unsetting tells nobody that anything has changed."""
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
