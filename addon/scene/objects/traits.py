# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set for an object beside its shape: margin, groups, surface and the body it is part of.

Where nothing of its own is set, an object goes by its rigid body. Blender has two rigid bodies collide that share a
collision collection, and so has this: among themselves they go by those. To everything else an object without groups
of its own is in the first group and meets all.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import bpy

from .... import core
from ...model.report import Surface
from ...system.late import np

GROUPS = 16

_ALL = (1 << GROUPS) - 1
# In a group of its own, beside the first: that of rigid bodies which go by their collections; those come after it.
_RIGID = 1 << GROUPS
_FIRST_COLLECTION = GROUPS + 1


class Groups(NamedTuple):
    """Bits: the groups that an object is in, and those that it meets; see `CollisionFilter`."""

    group: int = 1
    mask: int = _ALL | _RIGID


# In the first group, and meets all.
ANY = Groups()


class Traits(NamedTuple):
    """What is set for an object.

    Attributes
    ----------
    margin : float
        In Blender units.
    groups : Groups
    surface : Surface
    part_of : int
        `session_uid` of the object of whose body it is part; 0: none.
    """

    margin: float = 0.0
    groups: Groups = ANY
    surface: Surface = Surface()
    part_of: int = 0


_USUAL = Traits()

# What an object has set as long as the add-on is not registered.
_NOTHING_SET = SimpleNamespace(
    shape="AUTO",
    margin=0.0,
    own_groups=False,
    own_surface=False,
    part_of=None,
    collider=SimpleNamespace(kind="NONE", trigger=False),
)


def settings_of(ob: bpy.types.Object) -> Any:
    """Return what the user has set for an object, as its property group has it."""
    return getattr(ob, "collision_kit", _NOTHING_SET)


def traits_of(ob: bpy.types.Object) -> Traits:
    """Return what is set for an original object."""
    return traits_by(settings_of(ob), ob.rigid_body)


def traits_by(settings: Any, rigid_body: bpy.types.RigidBodyObject | None) -> Traits:
    """`traits_of`, with the object's settings and its rigid body at hand."""
    margin, target = settings.margin, settings.part_of
    if not margin and target is None and rigid_body is None and not (settings.own_groups or settings.own_surface):
        return _USUAL
    groups, surface = _groups_by(settings, rigid_body), _surface_by(settings, rigid_body)
    return Traits(float(margin), groups, surface, target.session_uid if target is not None else 0)


def margin_of(ob: bpy.types.Object) -> float:
    """Return the margin that the user has set for an object."""
    return float(settings_of(ob).margin)


def groups_of(ob: bpy.types.Object) -> Groups:
    """Return an object's groups and mask: its own, or those of its rigid body."""
    return _groups_by(settings_of(ob), ob.rigid_body)


def surface_of(ob: bpy.types.Object) -> Surface:
    """Return an object's friction and restitution: its own, or those of its rigid body."""
    return _surface_by(settings_of(ob), ob.rigid_body)


def has_rigid_body(ob: bpy.types.Object) -> bool:
    """Whether an object has a rigid body, by which it goes where nothing of its own is set."""
    return ob.rigid_body is not None


def part_of(ob: bpy.types.Object) -> bpy.types.Object | None:
    """Return the object that the user has said an object is part of."""
    target: bpy.types.Object | None = settings_of(ob).part_of
    return target


def _groups_by(settings: Any, rigid_body: bpy.types.RigidBodyObject | None) -> Groups:
    if settings.own_groups:
        mask = _bits(settings.mask)
        return Groups(_bits(settings.groups), mask | _RIGID if mask & 1 else mask)
    if rigid_body is not None:
        collections = _bits(rigid_body.collision_collections) << _FIRST_COLLECTION
        return Groups(_RIGID | collections, _ALL | collections)
    return ANY


def _surface_by(settings: Any, rigid_body: bpy.types.RigidBodyObject | None) -> Surface:
    source: Any = settings if settings.own_surface else rigid_body
    return Surface() if source is None else Surface(float(source.friction), float(source.restitution))


def filter_of(groups: Sequence[Groups]) -> "core.CollisionFilter | None":
    """Return which rows may meet, by their groups; None where any two may."""
    if all(one == ANY for one in groups):
        return None
    return core.CollisionFilter(*np.array(groups, dtype=np.int64).T)


def _bits(flags: Any) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
