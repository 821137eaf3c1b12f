# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders and their owners, for checks, fixes, validation, glTF and selection.

A collider is an object that was made as one, that has a collider name for Unreal or Godot or a name such as
``Crate_collider``, or that is one in Phobos. It is used instead of all visible meshes of its body. Its body is, in this
order: that of the object that the user or a file has made it part of; that of its link in a robot; that of the mesh
that its name means in Unreal, that it is parented to, directly or through other colliders, or that its name means
elsewhere; that of the only mesh with the same parent. A mesh that a file has made part of an object, or that is in a
link, is in the same body as that object or link.

Colliders that follow bones, and rigid bodies that bones follow, are used instead of the meshes that the armature
deforms. They move separately, so each is a body of its own, unless it was made for one of these meshes.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import bpy

from ... import scene
from ...engines.collider_roles import ColliderRole, role_of
from ...engines.stems import mesh_of_collider
from ...engines.unreal_names import RenderMeshes
from .collision_settings import settings_of
from .facts import ObjectFacts
from .structure import BODILESS, USUAL, Structure, bone_above, is_within, structure_of


class Named(NamedTuple):
    """The data of an object that determines its owner.

    Attributes
    ----------
    uid : int
        `session_uid`, as for the others. 0: none.
    name, type : str
    parent : int
    made : bool
        Whether it was made as a collider.
    part_of : int
        The object that the user or a file has made it part of.
    structure : Structure
    """

    uid: int
    name: str
    type: str
    parent: int
    made: bool
    part_of: int = 0
    structure: Structure = USUAL

    @property
    def role(self) -> ColliderRole | None:
        """The role from its name, if that is only a collider."""
        role = role_of(self.name)
        return role if role is not None and role.own else None

    @property
    def is_geometry(self) -> bool:
        """Whether it can have a surface."""
        return self.type in scene.meshes.types.GEOMETRY_TYPES

    @property
    def is_collider(self) -> bool:
        """Whether it is a collider of another object."""
        named = self.role is not None or mesh_of_collider(self.name) is not None
        return self.is_geometry and (self.made or self.structure.link_part == "collision" or named)

    @property
    def link(self) -> int:
        """The object that is its link in a robot. 0: none."""
        return self.parent if self.structure.link_part else 0


class Kinship(NamedTuple):
    """Relations of objects to each other. All numbers are rows.

    Attributes
    ----------
    owner : dict of int to int
        By the row of each collider with an owner: its visible mesh, the first of several. In a body without visible
        meshes, the object that the body is named after.
    body : dict of int to int
        By the row of each collider, and of each mesh that is in a body by structure: the object that it is part of.
    stands_for : dict of int to tuple of int
        The visible meshes that each collider, or rigid body of a ragdoll, is tested instead of.
    """

    owner: dict[int, int]
    body: dict[int, int]
    stands_for: dict[int, tuple[int, ...]]


def kinship(named: Sequence[Named]) -> Kinship:
    """Find out how objects belong together.

    Parameters
    ----------
    named : sequence of Named
        All objects that may belong together: those of a scene, or of one instance of a collection.
    """
    if not any(one.is_collider or one.structure != USUAL for one in named):
        return Kinship({}, {}, {})
    return _Family(named).kinship()


class _Family:
    """The objects that may belong together."""

    def __init__(self, named: Sequence[Named]) -> None:
        self._named = named
        self._colliders = [row for row, one in enumerate(named) if one.is_collider]
        self._limbs = _limbs(named)
        apart = {*self._colliders, *(row for row, _ in self._limbs)}
        self._visible = [
            row
            for row, one in enumerate(named)
            if row not in apart and one.is_geometry and one.structure.link_part not in BODILESS
        ]
        self._by_uid = {one.uid: row for row, one in enumerate(named)}
        self._meshes = RenderMeshes((named[row].name, row) for row in self._visible)
        self._stems = {named[row].name: row for row in self._visible}
        self._body: dict[int, int] = {}
        self._deformed: defaultdict[int, list[int]] = defaultdict(list)
        self._siblings: defaultdict[int, list[int]] = defaultdict(list)
        for row in self._visible:
            one = named[row]
            self._deformed[one.structure.deformed_by].append(row)
            self._siblings[one.parent].append(row)
            above = self._by_uid.get(one.link or self._structural(one))
            if above is not None and above != row:
                self._body[row] = above
        self._members: defaultdict[int, list[int]] = defaultdict(list)
        for row in self._visible:
            self._members[self._root(row)].append(row)

    def kinship(self) -> Kinship:
        owner: dict[int, int] = {}
        stands_for: dict[int, tuple[int, ...]] = {}
        body: dict[int, int] = {}
        for row in self._colliders:
            above = self._owner(row)
            if above is not None:
                body[row] = above
            if above is not None or row in self._members:
                meshes = self._members.get(self._root(row if above is None else above), [])
                if above is not None and (above in meshes or not meshes):
                    owner[row] = above
                elif meshes:
                    owner[row] = meshes[0]
            else:
                meshes = self._deformed[bone] if (bone := self._named[row].structure.bone_of) else []
                if meshes:
                    owner[row] = meshes[0]
            if meshes:
                stands_for[row] = tuple(meshes)
        for row, armature in self._limbs:
            if self._deformed.get(armature):
                stands_for[row] = tuple(self._deformed[armature])
        return Kinship(owner, self._body | body, stands_for)

    def _structural(self, one: Named) -> int:
        """The object that a file has made a mesh part of. 0: none."""
        return one.part_of if one.structure.within else 0

    def _root(self, row: int) -> int:
        """The object at the end of the chain of bodies. In a cycle, the lowest row."""
        seen = [row]
        while (row := self._body.get(row, -1)) >= 0:
            if row in seen:
                return min(seen[seen.index(row) :])
            seen.append(row)
        return seen[-1]

    def _owner(self, row: int) -> int | None:
        """The object whose body a collider is in. None if there is none, or it follows a bone without its own mesh."""
        one = self._named[row]
        for uid in (one.part_of, one.link):
            if uid in self._by_uid:
                return self._by_uid[uid]
        above, role = self._visible_above(one), one.role
        found = above
        if role is not None and role.system == "unreal":
            found = self._meshes.of_collider(one.name, [] if above is None else [(self._named[above].name, above)])
        elif above is None and role is not None:
            found = self._stems.get(role.stem, self._stems.get(role.stem.rpartition("_")[0]))
        elif above is None and (said := mesh_of_collider(one.name)) is not None:
            mesh, number = said
            found = self._stems.get(f"{mesh}{number}", self._stems.get(mesh)) if mesh else None
        if found is None and one.parent and not one.structure.bone_of and len(self._siblings[one.parent]) == 1:
            found = self._siblings[one.parent][0]
        return found

    def _visible_above(self, one: Named) -> int | None:
        """The mesh that a collider is parented to, directly or through other colliders."""
        row = self._by_uid.get(one.parent)
        while row is not None and self._named[row].is_collider:
            row = self._by_uid.get(self._named[row].parent)
        return row if row is not None and self._named[row].is_geometry else None


def _limbs(named: Sequence[Named]) -> list[tuple[int, int]]:
    """The rigid bodies of ragdolls, each with its armature.

    They are rigid bodies that bones follow, and invisible ones that follow bones.
    """
    followed = {uid: one.uid for one in named for uid in one.structure.followed}
    limbs = []
    for row, one in enumerate(named):
        if not one.structure.rigid or one.is_collider:
            continue
        armature = followed.get(one.uid, 0 if one.structure.seen else one.structure.bone_of)
        if armature:
            limbs.append((row, armature))
    return limbs


def named(ob: bpy.types.Object, *, by_settings: bool = True) -> Named:
    """The data of an original object that determines its owner.

    Parameters
    ----------
    ob : bpy.types.Object
    by_settings : bool
        Whether the user's *Part Of* setting is used, which engines do not know. It is always used for objects that
        follow a bone, which belongs to the skeleton of the mesh in an engine, and for objects that are within that body
        by their parents.
    """
    settings, parent = settings_of(ob), ob.parent
    target = settings.part_of
    if target is not None and not (by_settings or bone_above(ob) or is_within(ob, target)):
        target = None
    return Named(
        ob.session_uid,
        ob.name,
        ob.type,
        parent.session_uid if parent is not None else 0,
        settings.collider.kind != "NONE",
        target.session_uid if target is not None else 0,
        structure_of(ob, settings),
    )


def named_by(facts: ObjectFacts) -> Named:
    """The data of an object that determines its owner, if the user's settings count."""
    return Named(facts.uid, facts.name, facts.type, facts.parent, facts.made, facts.traits.part_of, facts.structure)


def related(named: Sequence[Named]) -> dict[int, set[int]]:
    """For each collider and each mesh that it is used for, by `session_uid`, the objects that it belongs to."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    kin = kinship(named)
    pairs = [*kin.owner.items(), *((row, mesh) for row, meshes in kin.stands_for.items() for mesh in meshes)]
    for row, owner in pairs:
        uid, other = named[row].uid, named[owner].uid
        found[uid].add(other)
        found[other].add(uid)
    return dict(found)


def is_collider(ob: bpy.types.Object) -> bool:
    """Whether an object is a collider of another."""
    return ob.type in scene.meshes.types.GEOMETRY_TYPES and named(ob).is_collider


def is_named_empty(ob: bpy.types.Object) -> bool:
    """Whether an object is an empty without a shape that has a collider name."""
    return ob.type == "EMPTY" and settings_of(ob).shape == "AUTO" and named(ob).role is not None


def render_mesh_above(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The render mesh that a collider is parented to, directly or through other colliders, or made for on a bone."""
    parent = _parent_of(ob)
    while parent is not None and is_collider(parent):
        parent = _parent_of(parent)
    return parent if parent is not None and parent.type in scene.meshes.types.GEOMETRY_TYPES else None


def _parent_of(ob: bpy.types.Object) -> bpy.types.Object | None:
    """Return the parent of an object. For an object that follows a bone, the mesh that it was made for."""
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
        kin = kinship([named(ob, by_settings=by_settings) for ob in self._objects])
        self._owner = {self._objects[row].session_uid: self._objects[owner] for row, owner in kin.owner.items()}
        self._stands_for = {
            self._objects[row].session_uid: tuple(self._objects[mesh] for mesh in meshes)
            for row, meshes in kin.stands_for.items()
        }

    def of(self, collider: bpy.types.Object) -> bpy.types.Object | None:
        """The owner of a collider, the first of its visible meshes."""
        return self._owner.get(collider.session_uid)

    def uids(self) -> dict[int, int]:
        """The `session_uid` of the owner of each collider, by the collider's own."""
        return {uid: owner.session_uid for uid, owner in self._owner.items()}

    def meshes_of(self, collider: bpy.types.Object) -> tuple[bpy.types.Object, ...]:
        """The visible meshes that a collider, or a rigid body of a ragdoll, is tested instead of."""
        return self._stands_for.get(collider.session_uid, ())

    def is_of_ragdoll(self, ob: bpy.types.Object) -> bool:
        """Whether an object is a rigid body of a ragdoll, which is used for the meshes that its armature deforms."""
        return ob.session_uid in self._stands_for and ob.session_uid not in self._owner

    def stood_for(self) -> Iterator[bpy.types.Object]:
        """The visible meshes for which colliders, or the rigid bodies of a ragdoll, are tested."""
        yield from {mesh.session_uid: mesh for meshes in self._stands_for.values() for mesh in meshes}.values()

    def colliders_of(self, objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
        """The colliders of some objects."""
        wanted = {ob.session_uid for ob in objects}
        found = []
        for collider in self._objects:
            owner = self.of(collider)
            if owner is not None and wanted & {
                owner.session_uid,
                *(one.session_uid for one in self.meshes_of(collider)),
            }:
                found.append(collider)
        return found
