# SPDX-License-Identifier: GPL-3.0-or-later
"""Move objects by a translation in world space, and find what prevents it.

The object's location is changed, and its children follow, as when it is moved with G.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import bpy

from ...system.late import np
from .collision_settings import is_own
from .owners import Owners

if TYPE_CHECKING:
    from ....core.numerics.types import Floats


# Constraints that do not change the location of an object.
_HARMLESS = frozenset({"COPY_ROTATION", "COPY_SCALE", "LIMIT_ROTATION", "LIMIT_SCALE", "MAINTAIN_VOLUME"})
# Directions with less than this fraction of the longest are not reachable. They come from rounding of float32 matrices.
_RANK = 1e-5


class Lock(Enum):
    """A reason why an object cannot be moved, or not in every direction."""

    LINKED = "linked"
    CONSTRAINED = "constrained"
    PARENT = "parent"
    LOCKED = "locked"
    ANIMATED = "animated"
    SIMULATED = "simulated"


@dataclass(frozen=True, eq=False)
class Freedom:
    """The directions in which an object may be moved.

    Attributes
    ----------
    basis : (3, k) float64
        Orthonormal directions in world space along which it may be moved. k is 3 if nothing restricts it.
    to_location : (3, 3) float64
        The map from a translation in world space to a change of its location.
    locks : tuple of Lock
        Restrictions.
    """

    basis: "Floats"
    to_location: "Floats"
    locks: tuple[Lock, ...] = ()

    def allows(self, direction: "Floats") -> bool:
        """Whether it may be moved along a unit vector."""
        return float(np.linalg.norm(self.basis @ (self.basis.T @ direction) - direction)) < 1e-4


def tops(objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The given objects, without those that move along with another one of them."""
    given = list(objects)
    uids = {ob.session_uid for ob in given}
    return [ob for ob in given if not any(parent.session_uid in uids for parent in ancestors(ob))]


def family(ob: bpy.types.Object) -> tuple[bpy.types.Object, ...]:
    """An object and everything that moves with it."""
    return (ob, *ob.children_recursive)


def volume(ob: bpy.types.Object) -> float:
    """The volume of the local bounds of an object. 0 for an object without geometry."""
    size = ob.dimensions
    return float(size.x * size.y * size.z)


def has_size(ob: bpy.types.Object) -> bool:
    """Whether an object has geometry of its own."""
    return bool(ob.dimensions.length > 0.0)


def motion_of(ob: bpy.types.Object) -> dict[str, Any] | None:
    """The physics motion of an object, as in files. None for no motion, and for a part of a compound, which has it."""
    body = ob.rigid_body
    if body is None or body.type != "ACTIVE" or compound_above(ob) is not None:
        return None
    return {"mass": body.mass, **({"isKinematic": True} if body.kinematic else {})}


def compound_above(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The compound rigid body that a rigid body is a part of."""
    above = ob.parent
    body = above.rigid_body if above is not None and ob.rigid_body is not None else None
    return above if body is not None and body.collision_shape == "COMPOUND" else None


def is_static_compound(ob: bpy.types.Object) -> bool:
    """Whether an object is a compound rigid body with parts that does not move."""
    body = ob.rigid_body
    static = body is not None and body.type == "PASSIVE" and body.collision_shape == "COMPOUND"
    return static and compound_above(ob) is None and any(child.rigid_body is not None for child in ob.children)


def ancestors(ob: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """All ancestors of an object."""
    while ob.parent is not None:
        ob = ob.parent
        yield ob


def loose_colliders(scene: bpy.types.Scene) -> dict[int, list[bpy.types.Object]]:
    """The colliders of each object, including hidden ones, that do not move along with it."""
    found: defaultdict[int, list[bpy.types.Object]] = defaultdict(list)
    objects = list(scene.objects)
    owners = Owners(objects).uids()
    for ob in objects:
        owner = owners.get(ob.session_uid)
        if owner is not None and all(parent.session_uid != owner for parent in ancestors(ob)):
            found[owner].append(ob)
    return found


def freedom(ob: bpy.types.Object) -> Freedom:
    """The directions in which an original object may be moved now."""
    if not is_own(ob):
        return Freedom(np.zeros((3, 0)), np.eye(3), (Lock.LINKED,))
    holding = [c for c in ob.constraints if not c.mute and c.influence > 0.0 and c.type not in _HARMLESS]
    if holding:
        return Freedom(np.zeros((3, 0)), np.eye(3), (Lock.CONSTRAINED,))
    if _simulated(ob):
        return Freedom(np.zeros((3, 0)), np.eye(3), (Lock.SIMULATED,))
    linear = _parent_space(ob)
    if linear is None:
        return Freedom(np.zeros((3, 0)), np.eye(3), (Lock.PARENT,))
    animated = _animated_axes(ob)
    free = [axis for axis in range(3) if not ob.lock_location[axis] and axis not in animated]
    locks = [Lock.LOCKED] if any(ob.lock_location) else []
    locks += [Lock.ANIMATED] if animated else []
    if not free:
        return Freedom(np.zeros((3, 0)), np.eye(3), tuple(locks))
    columns = linear[:, free]
    left, size, _ = np.linalg.svd(columns, full_matrices=False)
    rank = int(np.count_nonzero(size > _RANK * size[0])) if size[0] > 0.0 else 0
    if rank < len(free):
        locks.append(Lock.PARENT)
    to_location = np.zeros((3, 3))
    to_location[free] = np.linalg.pinv(columns, rcond=_RANK)
    return Freedom(np.eye(3) if rank == 3 else left[:, :rank], to_location, tuple(locks))


def common(freedoms: Iterable[Freedom]) -> "tuple[Floats, tuple[Lock, ...]]":
    """The directions (3, k) along which several objects may be moved together, and the restrictions."""
    basis: Floats = np.eye(3)
    locks: dict[Lock, None] = {}
    for one in freedoms:
        locks.update(dict.fromkeys(one.locks))
        if one.basis.shape[1] < 3:
            # Vectors in both subspaces have a singular value of 1.
            left, size, _ = np.linalg.svd(basis.T @ one.basis, full_matrices=False)
            basis = basis @ left[:, : np.count_nonzero(size > 1.0 - 1e-6)]
    return basis, tuple(locks)


def move(ob: bpy.types.Object, way: "Floats") -> None:
    """Move an object by an allowed translation (3,) in world space, without updating the view layer."""
    step = freedom(ob).to_location @ way
    ob.location = (np.array(location_of(ob)) + step).tolist()


def axis_of(ob: bpy.types.Object, axis: int) -> "Floats":
    """One of the three axes of an object in world space, (3,), with its scale."""
    return np.array(ob.matrix_world, dtype=np.float64)[:3, axis]


def put_back(ob: bpy.types.Object, location: tuple[float, ...]) -> None:
    """Set the location of an object to a value from `location_of`."""
    ob.location = location


def location_of(ob: bpy.types.Object) -> tuple[float, ...]:
    """The location of an object, as a value for `put_back`."""
    return tuple(np.array(ob.location, dtype=np.float64).tolist())


def _simulated(ob: bpy.types.Object) -> bool:
    """Whether a running simulation determines the place of a rigid body."""
    body = ob.rigid_body
    if body is None or body.type != "ACTIVE" or body.kinematic or not body.enabled:
        return False
    worlds = ((scene, scene.rigidbody_world) for scene in ob.users_scene)
    return any(
        world is not None and world.enabled and scene.frame_current > world.point_cache.frame_start
        for scene, world in worlds
    )


def _parent_space(ob: bpy.types.Object) -> "Floats | None":
    """The map from a change of location to a translation in world space, (3, 3). None if unknown."""
    if ob.parent is None:
        return np.eye(3)
    if ob.parent_type in {"OBJECT", "ARMATURE", "LATTICE"} and ob.parent.type != "CURVE":
        space = np.array(ob.parent.matrix_world, np.float64) @ np.array(ob.matrix_parent_inverse, np.float64)
        return space[:3, :3]
    own = np.array(ob.matrix_basis, np.float64)[:3, :3]
    if ob.constraints or np.linalg.matrix_rank(own, tol=_RANK * np.linalg.norm(own)) < 3:
        return None
    return np.array(ob.matrix_world, np.float64)[:3, :3] @ np.linalg.inv(own)


def _animated_axes(ob: bpy.types.Object) -> set[int]:
    """The components of its location that keys, strips or drivers would overwrite."""
    return {curve.array_index for curve in _effective_curves(ob) if curve.data_path == "location"}


def has_animated_visibility(ob: bpy.types.Object) -> bool:
    """Whether keys, strips or drivers hide and show an object."""
    return any(curve.data_path in ("hide_viewport", "hide_render") for curve in _effective_curves(ob))


def _effective_curves(ob: bpy.types.Object) -> list[Any]:
    """The curves of an object that are not muted: keys, strips and drivers."""
    animation = ob.animation_data
    if animation is None:
        return []
    curves: list[Any] = [*animation.drivers, *curves_of(animation)]
    for track in animation.nla_tracks:
        for strip in track.strips:
            if not track.mute and not strip.mute:
                curves += curves_of(strip)
    return [curve for curve in curves if not curve.mute]


def own_place(ob: bpy.types.Object) -> "Floats":
    """The location (3,) of an object without its parents and constraints."""
    return np.array(ob.matrix_basis.translation, dtype=np.float64)


def before(context: bpy.types.Context, ways: "Mapping[str, Floats]") -> "dict[int, tuple[Floats, Floats]]":
    """The previous locations (3,) of moved objects and their translations, both without parents and constraints.

    Parameters
    ----------
    context : bpy.types.Context
    ways : mapping of str to (3,) float64
        The translation of each object in world space, by name.

    Returns
    -------
    dict of int to tuple
        By `session_uid`. Objects that are not in the scene are left out.
    """
    context.view_layer.update()
    found: dict[int, tuple[Floats, Floats]] = {}
    for name, way in ways.items():
        ob = context.scene.objects.get(name)
        if ob is not None:
            of_parents = (ob.matrix_world @ ob.matrix_basis.inverted_safe()).to_3x3()
            own = np.array(of_parents.inverted_safe(), dtype=np.float64) @ way
            found[ob.session_uid] = own_place(ob) - own, own
    return found


def curves_of(animated: Any) -> list[Any]:
    """The curves of the action of an object's `animation_data`, or of an NLA strip. Empty if it has no action."""
    action, slot = animated.action, getattr(animated, "action_slot", None)
    if action is None:
        return []
    if slot is None or not hasattr(action, "layers"):
        return list(getattr(action, "fcurves", ()))
    bags = (strip.channelbag(slot) for layer in action.layers for strip in layer.strips)
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]
