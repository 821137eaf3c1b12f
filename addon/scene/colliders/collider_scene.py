# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the render meshes of a scene and their colliders, including hidden ones, for the rules of engines.

An object is a collider if its name is a collider name for Unreal or Godot, or if it was made as one. Artists hide
colliders while they work, but export them. A hidden object is read as last evaluated, without modifiers. Triggers do
not block and are not colliders. Objects from collection instances are read as placed there.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ...asset_rules.subject import Body, Collider, Scene
from ...engines.collider_roles import ColliderRole, role_of
from ...engines.stems import mesh_of_collider
from ..meshes.arrays import own_mesh
from ..meshes.geometry import NO_GEOMETRY, Geometry, GeometryReader, geometry_of
from ..meshes.types import GEOMETRY_TYPES
from ..objects.choice import is_trigger, setting_of
from ..objects.collision_settings import settings_of
from ..objects.moving import ancestors, motion_of
from ..objects.operands import operands
from ..objects.owners import Owners, is_collider, is_named_empty
from ..objects.structure import BODILESS, bone_above, link_part, space_of
from ..settings import omi_capsules
from .instanced_collections import Instance, distinct_instances

# The rule's kind of collider for each kind that an object was made as; all others are convex hulls.
_MADE_AS = {"BOX": "BOX", "SPHERE": "SPHERE", "CAPSULE": "CAPSULE", "MESH": "MESH"}

_SHAPES = frozenset({"BOX", "SPHERE", "CAPSULE"})

# Engines that read Godot's name suffixes of meshes that are both rendered and colliders.
_READS_SUFFIXES = frozenset({"any", "godot"})


@dataclass(frozen=True, eq=False)
class ColliderScene:
    """The bodies of some objects, with their colliders.

    Attributes
    ----------
    scene : Scene
    uids : dict of Collider to int
        The `session_uid` of the object of each collider and each render mesh. For objects from an instance, that of the
        object of the scene that instances them.
    labels : dict of Collider to str
        The names in reports of colliders from instances.
    """

    scene: Scene
    uids: dict[Collider, int]
    labels: dict[Collider, str]


def read_colliders(context: bpy.types.Context, objects: Iterable[bpy.types.Object], engine: str) -> ColliderScene:
    """Read the bodies that include any of these objects or their colliders.

    Parameters
    ----------
    context : bpy.types.Context
        Names are looked up in its scene.
    objects : iterable of bpy.types.Object
        Original objects, not evaluated ones.
    engine : str
        The engine's name in the rules. Suffixes of meshes that are their own colliders only apply to engines that read
        them.
    """
    wanted = {ob.session_uid for ob in objects}
    reading = _Reading(context, wanted, engine)
    reading.read(context.scene.objects)
    for one, hosts in zip(*distinct_instances(context.scene, reading.matrix_of), strict=True):
        reading.read(one.collection.all_objects, one, whole=bool(wanted & hosts))
    scene = Scene(tuple(reading.bodies), tuple(reading.others), empties=tuple(reading.empties))
    return ColliderScene(scene, reading.uids, reading.labels)


def owner_uids(scene: bpy.types.Scene) -> dict[int, int]:
    """The `session_uid` of the render mesh of each collider of a scene, as engines find it by names and parents."""
    return _owners([ob for ob in scene.objects if not is_trigger(ob)]).uids()


def _owners(objects: list[bpy.types.Object]) -> Owners:
    # Engines do not know the user's setting of the body that an object belongs to.
    return Owners(objects, by_settings=False)


def _members(
    objects: Iterable[bpy.types.Object], kin: Owners
) -> tuple[defaultdict[int, list[bpy.types.Object]], defaultdict[int, list[bpy.types.Object]]]:
    """The colliders of each owner, by `session_uid`, and visible meshes of its body without colliders."""
    members: defaultdict[int, list[bpy.types.Object]] = defaultdict(list)
    beside: defaultdict[int, dict[bpy.types.Object, None]] = defaultdict(dict)
    for ob in objects:
        owner = kin.of(ob)
        if owner is not None:
            members[owner.session_uid].append(ob)
            beside[owner.session_uid].update(dict.fromkeys(one for one in kin.meshes_of(ob) if one != owner))
    alone = {uid: [one for one in rest if one.session_uid not in members] for uid, rest in beside.items()}
    return members, defaultdict(list, alone)


class _Reading:
    """The bodies read so far."""

    def __init__(self, context: bpy.types.Context, wanted: set[int], engine: str) -> None:
        self.bodies: list[Body] = []
        self.others: list[str] = []
        self.empties: list[Collider] = []
        self.uids: dict[Collider, int] = {}
        self.labels: dict[Collider, str] = {}
        self._wanted, self._engine, self._capsules = wanted, engine, omi_capsules(context)
        self._reader = _Reader(context)
        self.matrix_of = self._reader.matrix_of

    def read(self, objects: Iterable[bpy.types.Object], instance: Instance | None = None, whole: bool = False) -> None:
        """Read the bodies of the scene, or of an instanced collection: all of it, or only the wanted ones."""
        given = [ob for ob in objects if not is_trigger(ob)]
        kin = _owners(given)
        owners = kin.uids()
        everything = [ob for ob in given if ob.type in GEOMETRY_TYPES]
        wanted = {ob.session_uid for ob in everything} if whole else self._wanted
        roles = {ob.session_uid: _role(ob) for ob in everything}
        cut = operands(given)
        members, others = _members(everything, kin)
        beside = {one.session_uid for rest in others.values() for one in rest}
        renders = [
            ob for ob in everything if not (is_collider(ob) or link_part(ob) in BODILESS or ob.session_uid in beside)
        ]
        with_ragdoll = {one.session_uid for ob in everything if kin.is_of_ragdoll(ob) for one in kin.meshes_of(ob)}
        for ob in given:
            if is_named_empty(ob) and (whole or ob.session_uid in wanted):
                self.empties.append(self._collider(ob, instance, own=True, moving=False, kind="HULL", surface=False))
        for render in renders:
            parts, more = members[render.session_uid], others[render.session_uid]
            no_body = render.session_uid in cut and not parts and roles[render.session_uid] is None
            if no_body or not wanted & {one.session_uid for one in (render, *parts, *more)}:
                self.others += [one.name for one in (render, *more)] if instance is None else []
                continue
            body = self._body(render, parts, more, roles, instance)
            self.bodies.append(replace(body, by_itself=True) if render.session_uid in with_ragdoll else body)
        for ob in everything:
            uid = ob.session_uid
            if uid in wanted and uid not in owners and is_collider(ob):
                alone = self._collider(ob, instance, own=True, moving=_moves(ob), kind=_kind(ob, roles[uid]))
                self.bodies.append(Body(ob.name, None, (alone,)))

    def _body(
        self,
        render: bpy.types.Object,
        parts: list[bpy.types.Object],
        others: list[bpy.types.Object],
        roles: dict[int, ColliderRole | None],
        instance: Instance | None,
    ) -> Body:
        role, moving = roles[render.session_uid], _moves(render)
        itself = role if role is not None and self._engine in _READS_SUFFIXES else None
        seen = self._collider(
            render,
            instance,
            own=False,
            moving=moving,
            kind=itself.kind if itself is not None else "MESH",
            surface=bool(parts) or itself is not None,
        )
        colliders = [
            self._collider(
                part, instance, own=True, moving=moving or _moves(part), kind=_kind(part, roles[part.session_uid])
            )
            for part in parts
        ]
        by_itself = render.rigid_body is not None or setting_of(render) != "AUTO"
        more = tuple(self._collider(one, instance, own=False, moving=_moves(one), kind="MESH") for one in others)
        mine = (*([seen] if itself is not None else []), *colliders)
        faces = bool(mine) or any(self._reader.has_faces(one) for one in (render, *others))
        return Body(render.name, seen, mine, by_itself, more, faces)

    def _collider(
        self,
        ob: bpy.types.Object,
        instance: Instance | None,
        *,
        own: bool,
        moving: bool,
        kind: str,
        surface: bool = True,
    ) -> Collider:
        made = self._reader.read(ob, own=own, moving=moving, kind=kind, surface=surface)
        omi = settings_of(ob).collider.omi
        made = replace(made, by_omi=omi != "NONE", total_height="TOTAL" in (omi, self._capsules))
        if self._engine == "godot" and (role := role_of(ob.name)) is not None and role.system == "godot":
            made = replace(made, needs_no_mesh=True)
        if _made_as(ob) == "NONE" and mesh_of_collider(ob.name) is not None:
            made = replace(made, needs_no_mesh=True)
        if instance is None:
            self.uids[made] = ob.session_uid
            return made
        made = replace(made, matrix=instance.matrix @ made.matrix, instanced=instance.label)
        self.uids[made] = instance.host.session_uid
        self.labels[made] = f"{instance.label}/{ob.name}"
        return made


def _made_as(ob: bpy.types.Object) -> str:
    """The kind of collider that an object was made as. NONE if it was not made as one."""
    return str(settings_of(ob).collider.kind)


def _role(ob: bpy.types.Object) -> ColliderRole | None:
    return role_of(ob.name)


def _kind(ob: bpy.types.Object, role: ColliderRole | None) -> str:
    if role is not None and (role.system != "godot" or role.kind == "MESH"):
        return role.kind
    made_as = _made_as(ob)
    if made_as == "NONE" and role is None and mesh_of_collider(ob.name) is not None:
        return "MESH"
    # The kind of the best fit is that of its setting. For colliders that were made for it, Godot takes the shape from
    # OMI_physics_shape.
    setting = setting_of(ob) if made_as != "NONE" else ""
    return setting if setting in _SHAPES else _MADE_AS.get(made_as, "HULL") if role is None else role.kind


def _moves(ob: bpy.types.Object) -> bool:
    body: Any = ob.rigid_body
    return body is not None and body.type == "ACTIVE" and not body.kinematic


def _body_above(ob: bpy.types.Object) -> str:
    """The nearest ancestor of a moving rigid body that is also a moving rigid body. Empty if there is none."""
    if motion_of(ob) is None:
        return ""
    return next((one.name for one in ancestors(ob) if motion_of(one) is not None), "")


class _Reader:
    """Reads objects as the view layer shows them. Hidden ones are read without modifiers."""

    def __init__(self, context: bpy.types.Context) -> None:
        self._depsgraph = context.evaluated_depsgraph_get()
        self._shown = {ob.original.session_uid for ob in self._depsgraph.objects}
        self._meshes = GeometryReader()

    def read(self, ob: bpy.types.Object, *, own: bool, moving: bool, kind: str, surface: bool) -> Collider:
        geometry = self._geometry(ob) if surface else NO_GEOMETRY
        shared = isinstance(ob.data, bpy.types.Mesh) and ob.data.users > 1 and not len(ob.modifiers)
        return Collider(
            name=ob.name,
            points=geometry.points,
            triangles=geometry.triangles,
            matrix=self.matrix_of(ob),
            kind=kind,
            own=own,
            moving=moving,
            data=ob.data.session_uid if shared and ob.data is not None else None,
            within=_body_above(ob),
            mesh_name=ob.data.name if isinstance(ob.data, bpy.types.Mesh) else "",
        )

    def has_faces(self, ob: bpy.types.Object) -> bool:
        """Whether an object has faces, modifiers included."""
        shown = ob.evaluated_get(self._depsgraph) if ob.session_uid in self._shown else ob
        if isinstance(shown.data, bpy.types.Mesh):
            return len(shown.data.polygons) > 0
        return len(self._geometry(ob).triangles) > 0

    def _geometry(self, ob: bpy.types.Object) -> Geometry:
        if ob.session_uid in self._shown:
            return self._meshes.read(ob.evaluated_get(self._depsgraph))
        if not isinstance(ob.data, bpy.types.Mesh):
            return NO_GEOMETRY
        return geometry_of(own_mesh(ob))

    def matrix_of(self, ob: bpy.types.Object) -> Floats:
        """The placement of an object in the world; in a collection outside the scene, in the collection's space."""
        if ob.session_uid in self._shown:
            return np.array(ob.evaluated_get(self._depsgraph).matrix_world, dtype=np.float64)
        # Blender does not update the matrices of hidden objects.
        basis = np.array(ob.matrix_basis, dtype=np.float64)
        if ob.parent is None:
            return basis
        inverse, bone = np.array(ob.matrix_parent_inverse, dtype=np.float64), bone_above(ob)
        above = space_of(ob.parent, bone) if bone else self.matrix_of(ob.parent)
        result: Floats = above @ inverse @ basis
        return result
