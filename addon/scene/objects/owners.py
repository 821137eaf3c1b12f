# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are colliders, and which objects they belong to: for checks, fixes, validation, glTF and selection.

A collider is an object that was made as one, or whose name is a collider's name for Unreal or Godot. Its owner is, in
this order: the object that the user has made it part of; the mesh that its name means to Unreal; the mesh that it is
parented to, directly or through other colliders; the mesh that its name means to Godot. A collider that follows a bone
is part of the mesh that it was made for.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import bpy

from ... import scene
from ...engines.collider_roles import Role, role_of
from ...engines.unreal_names import RenderMeshes
from .facts import Facts
from .parents import bone_above
from .traits import settings_of


class Named(NamedTuple):
    """The data of an object that determines its owner.

    Attributes
    ----------
    uid : int
        `session_uid`, as for the others; 0 for none.
    name, type : str
    parent : int
    made : bool
        Whether it was made as a collider.
    part_of : int
        The object that the user has made it part of.
    """

    uid: int
    name: str
    type: str
    parent: int
    made: bool
    part_of: int = 0

    @property
    def role(self) -> Role | None:
        """The role that its name gives it, if that is only a collider."""
        role = role_of(self.name)
        return role if role is not None and role.own else None

    @property
    def is_collider(self) -> bool:
        """Whether it is a collider of another object."""
        return self.type in scene.meshes.types.GEOMETRY_TYPES and (self.made or self.role is not None)


def owner_rows(named: Sequence[Named]) -> dict[int, int]:
    """Find the owner of each collider.

    Parameters
    ----------
    named : sequence of Named
        All objects that may belong together: those of a scene, or of one instance of a collection.

    Returns
    -------
    dict of int to int
        The row of the owner, by the row of each collider that has one.
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
    """The data of an original object that determines its owner.

    Parameters
    ----------
    ob : bpy.types.Object
    by_settings : bool
        Whether the user's setting of the body that it is part of counts, which engines do not know. It always does for
        what follows a bone: in an engine, that belongs to the skeleton of the mesh.
    """
    settings, parent = settings_of(ob), ob.parent
    target = settings.part_of if by_settings or bone_above(ob) else None
    return Named(
        ob.session_uid,
        ob.name,
        ob.type,
        parent.session_uid if parent is not None else 0,
        settings.collider.kind != "NONE",
        target.session_uid if target is not None else 0,
    )


def named_by(facts: Facts) -> Named:
    """The data of an object that determines its owner, if the user's settings count."""
    return Named(facts.uid, facts.name, facts.type, facts.parent, facts.made, facts.traits.part_of)


def related(named: Sequence[Named]) -> dict[int, set[int]]:
    """For each collider and each owner, by `session_uid`, the objects that belong together with it."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for row, owner in owner_rows(named).items():
        uid, other = named[row].uid, named[owner].uid
        found[uid].add(other)
        found[other].add(uid)
    return dict(found)


def is_collider(ob: bpy.types.Object) -> bool:
    """Whether an object is a collider of another."""
    return ob.type in scene.meshes.types.GEOMETRY_TYPES and named(ob).is_collider


def render_mesh_above(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The render mesh that a collider is parented to, directly or through other colliders, or made for on a bone."""
    parent = _parent_of(ob)
    while parent is not None and is_collider(parent):
        parent = _parent_of(parent)
    return parent if parent is not None and parent.type in scene.meshes.types.GEOMETRY_TYPES else None


def _parent_of(ob: bpy.types.Object) -> bpy.types.Object | None:
    """What an object is parented to; of what follows a bone the mesh that it was made for."""
    made_for: bpy.types.Object | None = settings_of(ob).part_of if bone_above(ob) else None
    return made_for or ob.parent


class Owners:
    """Some objects, usually those of a scene, for looking up the owners of colliders.

    Parameters
    ----------
    objects : iterable of bpy.types.Object
    by_settings : bool
        As in `named`.
    """

    def __init__(self, objects: Iterable[bpy.types.Object], *, by_settings: bool = True) -> None:
        self._objects = list(objects)
        rows = owner_rows([named(ob, by_settings=by_settings) for ob in self._objects])
        self._owner = {self._objects[row].session_uid: self._objects[owner] for row, owner in rows.items()}

    def of(self, collider: bpy.types.Object) -> bpy.types.Object | None:
        """The owner of a collider."""
        return self._owner.get(collider.session_uid)

    def uids(self) -> dict[int, int]:
        """The `session_uid` of the owner of each collider, by the collider's own."""
        return {uid: owner.session_uid for uid, owner in self._owner.items()}

    def colliders_of(self, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
        """The colliders of some objects."""
        wanted = {ob.session_uid for ob in objects}
        owned = ((collider, self.of(collider)) for collider in self._objects)
        return [collider for collider, owner in owned if owner is not None and owner.session_uid in wanted]
