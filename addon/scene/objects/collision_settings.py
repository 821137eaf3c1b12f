# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision settings of an object: margin, groups, surface, body. They are read, written, copied and reset here.

An object without its own settings uses those of its rigid body, and a collider without them the layers and the surface
of the render mesh that it is parented to. In Blender, two rigid bodies collide if they share a
collision collection, and the same holds here: collections decide between rigid bodies. For everything else, an object
without its own groups is in the first group and collides with all groups.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import bpy

from .... import core
from ...engines.collider_roles import role_of
from ...engines.stems import mesh_of_collider
from ...model.report import Surface
from ...system.late import np
from ..settings import NAME, number, object_settings

GROUPS = 16

_ALL = (1 << GROUPS) - 1
# The group of rigid bodies that are filtered by collections, in addition to the first. The groups of collections follow
# it.
RIGID = 1 << GROUPS
_FIRST_COLLECTION = GROUPS + 1


class Groups(NamedTuple):
    """Bits: the groups that an object is in, and those that it collides with; see `CollisionFilter`."""

    group: int = 1
    mask: int = _ALL | RIGID


# In the first group, colliding with all.
ANY = Groups()


class CollisionTraits(NamedTuple):
    """The settings of an object.

    Attributes
    ----------
    margin : float
        In Blender units.
    groups : Groups
    surface : Surface
    part_of : int
        `session_uid` of the object to whose body it belongs. 0: none.
    """

    margin: float = 0.0
    groups: Groups = ANY
    surface: Surface = Surface()
    part_of: int = 0


_USUAL = CollisionTraits()

# The settings of an object without settings, or while the add-on is not registered.
_NOTHING_SET = SimpleNamespace(
    shape="AUTO",
    margin=0.0,
    own_groups=False,
    own_surface=False,
    part_of=None,
    motion="AUTO",
    collider=SimpleNamespace(kind="NONE", axis="NONE", record="", trigger=False, omi="NONE"),
)


def settings_of(ob: bpy.types.Object) -> Any:
    """An object's settings, read-only: Blender adds settings to an object when they are first accessed."""
    is_set = hasattr(bpy.types.Object, NAME) and ob.is_property_set(NAME)
    return getattr(ob, NAME) if is_set else _NOTHING_SET


def traits_of(ob: bpy.types.Object) -> CollisionTraits:
    """The traits of an original object."""
    return traits_by(settings_of(ob), ob)


def traits_by(settings: Any, ob: bpy.types.Object) -> CollisionTraits:
    """`traits_of` with the object's settings as an argument."""
    margin, target, carrier = number(settings, "margin"), settings.part_of, None
    if not (settings.own_groups and settings.own_surface) and ob.rigid_body is None:
        carrier = _carrier_of(settings, ob)
        if not margin and target is None and carrier is None and not (settings.own_groups or settings.own_surface):
            return _USUAL
    groups = _groups_by(*_holder(settings, ob, carrier, own=settings.own_groups))
    surface = _surface_by(*_holder(settings, ob, carrier, own=settings.own_surface))
    return CollisionTraits(margin, groups, surface, target.session_uid if target is not None else 0)


def _carrier_of(settings: Any, ob: bpy.types.Object) -> bpy.types.Object | None:
    """The object above a collider whose layers and surface it has. None for other objects, or if that has none."""
    above = settings.part_of if ob.parent_type == "BONE" else ob.parent
    while above is not None and _is_collider(settings_of(above), above):
        above = above.parent
    if above is None or (above.rigid_body is None and settings_of(above) is _NOTHING_SET):
        return None
    return above if _is_collider(settings, ob) else None


def _is_collider(settings: Any, ob: bpy.types.Object) -> bool:
    """Whether an object was made as a collider, or has the name of one."""
    if settings.collider.kind != "NONE":
        return True
    role = role_of(ob.name)
    return (role is not None and role.own) or mesh_of_collider(ob.name) is not None


def _holder(
    settings: Any, ob: bpy.types.Object, carrier: bpy.types.Object | None, *, own: bool
) -> tuple[Any, bpy.types.RigidBodyObject | None]:
    """The settings and the rigid body that apply to an object: its own, or those of its render mesh."""
    if carrier is None or own or ob.rigid_body is not None:
        return settings, ob.rigid_body
    return settings_of(carrier), carrier.rigid_body


def margin_of(ob: bpy.types.Object) -> float:
    """The margin that the user has set for an object."""
    return number(settings_of(ob), "margin")


def groups_of(ob: bpy.types.Object) -> Groups:
    """An object's groups and mask: its own, or those of its rigid body or render mesh."""
    return traits_of(ob).groups


def surface_of(ob: bpy.types.Object) -> Surface:
    """An object's friction and restitution: its own, or those of its rigid body or render mesh."""
    return traits_of(ob).surface


def has_own_groups(ob: bpy.types.Object) -> bool:
    """Whether the user has set groups for an object, or for the render mesh whose groups it has."""
    settings = settings_of(ob)
    return bool(_holder(settings, ob, _carrier_of(settings, ob), own=settings.own_groups)[0].own_groups)


def has_surface(ob: bpy.types.Object) -> bool:
    """Whether an object has friction and restitution that are set, or those of a rigid body."""
    settings = settings_of(ob)
    holder, rigid_body = _holder(settings, ob, _carrier_of(settings, ob), own=settings.own_surface)
    return bool(holder.own_surface) or rigid_body is not None


def has_rigid_groups(ob: bpy.types.Object) -> bool:
    """Whether an object has the groups of a rigid body."""
    settings = settings_of(ob)
    holder, rigid_body = _holder(settings, ob, _carrier_of(settings, ob), own=settings.own_groups)
    return rigid_body is not None and not holder.own_groups


def has_rigid_body(ob: bpy.types.Object) -> bool:
    """Whether an object has a rigid body, whose settings are used where it has none of its own."""
    return ob.rigid_body is not None


def part_of(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The object that the user has made an object part of."""
    target: bpy.types.Object | None = settings_of(ob).part_of
    return target


def _groups_by(settings: Any, rigid_body: bpy.types.RigidBodyObject | None) -> Groups:
    if settings.own_groups:
        mask = _bits(settings.mask)
        return Groups(_bits(settings.groups), mask | RIGID if mask & 1 else mask)
    if rigid_body is not None:
        collections = _bits(rigid_body.collision_collections) << _FIRST_COLLECTION
        return Groups(RIGID | collections, _ALL | collections)
    return ANY


def _surface_by(settings: Any, rigid_body: bpy.types.RigidBodyObject | None) -> Surface:
    source: Any = settings if settings.own_surface else rigid_body
    return Surface() if source is None else Surface(number(source, "friction"), number(source, "restitution"))


def filter_of(groups: Sequence[Groups]) -> "core.CollisionFilter | None":
    """Return which rows may collide, from their groups. None if all may."""
    if all(one == ANY for one in groups):
        return None
    return core.CollisionFilter(*np.array(groups, dtype=np.int64).T)


def _bits(flags: Any) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


def is_own(ob: bpy.types.Object) -> bool:
    """Whether an object can be changed: it is not linked, or it is an override that Blender lets users edit."""
    override = ob.override_library
    return bool(ob.is_editable) and not (override is not None and override.is_system_override)


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
        The collision shape. AUTO: from its rigid body, its name or its mesh.
    margin : float
        How far the shape is enlarged, in Blender units.
    part_of : bpy.types.Object or None
        The object to whose body it belongs.
    layers, mask : tuple of int, or None
        The layers that it is in, and those that it collides with, from 1. None: not set.
    friction, restitution : float or None
        Surface properties. None: not set.
    trigger : bool
        Whether it detects overlaps and does not block.
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
            # An object cannot be part of itself, nor of a part of it, because that would be a cycle.
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
    """Reset these parts. They are set to defaults first, because unsetting a property causes no notification."""
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
