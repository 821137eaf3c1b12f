# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are colliders, and whose: the one answer for checks, fixes, validation, glTF and selection.

A collider is an object that was made as one, or whose name says so to Unreal or to Godot. It stands for, in this
order: what the user has said it is part of; the mesh that its name means to Unreal; the mesh that it is parented to,
directly or through other colliders; the mesh that its name means to Godot.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import bpy

from ... import scene
from ...engines.collider_roles import Role, role_of
from ...engines.unreal_names import RenderMeshes
from .traits import settings_of


class Named(NamedTuple):
    """An object as far as it matters to whose collider it is.

    Attributes
    ----------
    uid : int
        `session_uid`, as for the others; 0: none.
    name, type : str
    parent : int
    made : bool
        Made as a collider.
    part_of : int
        What the user has said it is part of.
    """

    uid: int
    name: str
    type: str
    parent: int
    made: bool
    part_of: int = 0

    @property
    def role(self) -> Role | None:
        """What its name says that it is, if that is a collider and nothing else."""
        role = role_of(self.name)
        return role if role is not None and role.own else None

    @property
    def is_collider(self) -> bool:
        """Whether it stands for another object."""
        return self.type in scene.meshes.types.GEOMETRY_TYPES and (self.made or self.role is not None)


def owner_rows(named: Sequence[Named]) -> dict[int, int]:
    """Find out which collider stands for which object.

    Parameters
    ----------
    named : sequence of Named
        All objects among which they look for each other: those of a scene, or of one instance of a collection.

    Returns
    -------
    dict of int to int
        The row of what it stands for, by the row of each collider that stands for something.
    """
    colliders = [row for row, one in enumerate(named) if one.is_collider]
    if not colliders:
        return {}
    skipped = set(colliders)
    renders = [
        row for row, one in enumerate(named) if one.type in scene.meshes.types.GEOMETRY_TYPES and row not in skipped
    ]
    meshes = RenderMeshes((named[row].name, row) for row in renders)
    stems = {named[row].name: row for row in renders}
    by_uid = {one.uid: row for row, one in enumerate(named)}
    found = {}
    for row in colliders:
        one = named[row]
        owner = by_uid.get(one.part_of) if one.part_of else None
        if owner is None:
            owner = _owner_by_name(one, meshes, stems, _render_above(one, named, by_uid), named)
        if owner is not None:
            found[row] = owner
    return found


def _render_above(one: Named, named: Sequence[Named], by_uid: dict[int, int]) -> int | None:
    """The row of the render mesh that a collider is parented to, directly or through other colliders."""
    row = by_uid.get(one.parent)
    while row is not None and named[row].is_collider:
        row = by_uid.get(named[row].parent)
    return row if row is not None and named[row].type in scene.meshes.types.GEOMETRY_TYPES else None


def _owner_by_name(
    one: Named, meshes: RenderMeshes[int], stems: dict[str, int], above: int | None, named: Sequence[Named]
) -> int | None:
    role = one.role
    if role is not None and role.system == "unreal":
        return meshes.of_collider(one.name, [] if above is None else [(named[above].name, above)])
    if above is None and role is not None:
        return stems.get(role.stem, stems.get(role.stem.rpartition("_")[0]))
    return above


def named(ob: bpy.types.Object, *, by_settings: bool = True) -> Named:
    """Return an original object as far as it matters here.

    Parameters
    ----------
    ob : bpy.types.Object
    by_settings : bool
        Whether what the user has said it is part of counts, which engines do not know.
    """
    settings, parent = settings_of(ob), ob.parent
    target = settings.part_of if by_settings else None
    return Named(
        ob.session_uid,
        ob.name,
        ob.type,
        parent.session_uid if parent is not None else 0,
        settings.collider.kind != "NONE",
        target.session_uid if target is not None else 0,
    )


def is_collider(ob: bpy.types.Object) -> bool:
    """Whether an object stands for another."""
    return ob.type in scene.meshes.types.GEOMETRY_TYPES and named(ob).is_collider


def render_mesh_above(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The render mesh that a collider is parented to, directly or through other colliders."""
    parent: bpy.types.Object | None = ob.parent
    while parent is not None and is_collider(parent):
        parent = parent.parent
    return parent if parent is not None and parent.type in scene.meshes.types.GEOMETRY_TYPES else None


class Owners:
    """Some objects, those of a scene as a rule, for looking up whose a collider is.

    Parameters
    ----------
    objects : iterable of bpy.types.Object
    by_settings : bool
        As `named` takes it.
    """

    def __init__(self, objects: Iterable[bpy.types.Object], *, by_settings: bool = True) -> None:
        self._objects = list(objects)
        rows = owner_rows([named(ob, by_settings=by_settings) for ob in self._objects])
        self._owner = {self._objects[row].session_uid: self._objects[owner] for row, owner in rows.items()}

    def of(self, collider: bpy.types.Object) -> bpy.types.Object | None:
        """What a collider stands for."""
        return self._owner.get(collider.session_uid)

    def uids(self) -> dict[int, int]:
        """The `session_uid` of what each collider stands for, by its own."""
        return {uid: owner.session_uid for uid, owner in self._owner.items()}

    def colliders_of(self, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
        """The colliders that stand for any of some objects."""
        wanted = {ob.session_uid for ob in objects}
        owned = ((collider, self.of(collider)) for collider in self._objects)
        return [collider for collider, owner in owned if owner is not None and owner.session_uid in wanted]

    def pairs(self) -> dict[int, set[int]]:
        """For each collider and for what it stands for, by `session_uid`, which the others are."""
        found: defaultdict[int, set[int]] = defaultdict(set)
        for uid, owner in self.uids().items():
            found[uid].add(owner)
            found[owner].add(uid)
        return dict(found)
