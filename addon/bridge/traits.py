# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set for an object beside its shape: margin, groups, surface and the body it is part of.

Where nothing of its own is set, an object goes by its rigid body. Blender has two rigid bodies collide that share a
collision collection, and so has this: among themselves they go by those. To everything else an object without groups
of its own is in the first group and meets all.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import bpy
import numpy as np

from ...core.collision_filter import CollisionFilter
from ..report import Surface

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


def traits_of(ob: bpy.types.Object) -> Traits:
    """Return what is set for an original object."""
    target = part_of(ob)
    return Traits(margin_of(ob), groups_of(ob), surface_of(ob), target.session_uid if target is not None else 0)


def margin_of(ob: bpy.types.Object) -> float:
    """Return the margin that the user has set for an object."""
    return float(getattr(_settings(ob), "margin", 0.0))


def groups_of(ob: bpy.types.Object) -> Groups:
    """Return an object's groups and mask: its own, or those of its rigid body."""
    settings = _settings(ob)
    if getattr(settings, "own_groups", False):
        mask = _bits(settings.mask)
        return Groups(_bits(settings.groups), mask | _RIGID if mask & 1 else mask)
    if ob.rigid_body is not None:
        collections = _bits(ob.rigid_body.collision_collections) << _FIRST_COLLECTION
        return Groups(_RIGID | collections, _ALL | collections)
    return ANY


def surface_of(ob: bpy.types.Object) -> Surface:
    """Return an object's friction and restitution: its own, or those of its rigid body."""
    settings = _settings(ob)
    source: Any = settings if getattr(settings, "own_surface", False) else ob.rigid_body
    if source is None:
        return Surface()
    return Surface(float(source.friction), float(source.restitution))


def part_of(ob: bpy.types.Object) -> bpy.types.Object | None:
    """Return the object that the user has said an object is part of."""
    target: bpy.types.Object | None = getattr(_settings(ob), "part_of", None)
    return target


def filter_of(groups: Sequence[Groups]) -> CollisionFilter | None:
    """Return which rows may meet, by their groups; None where any two may."""
    if all(one == ANY for one in groups):
        return None
    return CollisionFilter(*np.array(groups, dtype=np.int64).T)


def _settings(ob: bpy.types.Object) -> Any:
    return getattr(ob, "collision_kit", None)


def _bits(flags: Any) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
