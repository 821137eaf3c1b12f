# SPDX-License-Identifier: GPL-3.0-or-later
"""Visible and hidden objects of the scene, as plain data that can be compared with a later state."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ...model.message import Message
from ...model.steps import exhausted
from .. import open_file
from ..meshes.types import GEOMETRY_TYPES
from ..objects.facts import ObjectFacts, facts_of
from ..objects.operands import operands
from ..objects.visibility import hidden_in_instance, hidden_reason

# Blender fills unused places of `persistent_id` with the largest signed 32-bit integer.
_UNUSED = 2**31 - 1


class SceneChanged(ValueError):
    """The scene has changed since it was read."""

    def __init__(self) -> None:
        super().__init__("the scene has changed while it was read")


class VisibleInstance(NamedTuple):
    """A visible object in the depsgraph, or an instance of one.

    Attributes
    ----------
    uid : int
        `session_uid` of the object.
    host : int
        `session_uid` of the object of the scene that instances it. 0 for an object of the scene.
    persistent_id : tuple of int
        `persistent_id` of the instance.
    position : int
        Position in the depsgraph's list of instances.
    is_mesh : bool
        Whether the instance is evaluated to a mesh. Not used for objects of the scene.
    """

    uid: int
    host: int
    persistent_id: tuple[int, ...]
    position: int
    is_mesh: bool


@dataclass(frozen=True)
class SceneSnapshot:
    """The data from which the scene's items are listed. Equal data gives the same list.

    Attributes
    ----------
    shown : list of VisibleInstance
        In the order of the depsgraph's instances, without invisible ones.
    unshown : list of (int, str)
        The other objects of the scene, by `session_uid`, with the reasons why they are hidden.
    members : dict of int to tuple of (int, str)
        For each collection that a shown object instances, its objects with a surface, each with the reason if it is
        hidden in the instance.
    facts : dict of int to ObjectFacts
        For every object above.
    operands : dict of int to str
        As in `operands`.
    """

    shown: list[VisibleInstance]
    unshown: list[tuple[int, str]]
    members: dict[int, tuple[tuple[int, str], ...]]
    facts: dict[int, ObjectFacts]
    operands: dict[int, str]

    @property
    def hidden(self) -> set[int]:
        """The objects that are hidden, by themselves or in an instance."""
        inside = {uid for found in self.members.values() for uid, reason in found if reason}
        return inside | {uid for uid, _ in self.unshown}


def instances_of(depsgraph: bpy.types.Depsgraph) -> Iterator[tuple[int, bpy.types.DepsgraphObjectInstance]]:
    """Yield every instance with its position. An instance is no longer valid after the next step."""
    return enumerate(depsgraph.object_instances)


def take_snapshot(context: bpy.types.Context, depsgraph: bpy.types.Depsgraph) -> tuple[SceneSnapshot, Floats]:
    """Take a snapshot of the scene as its view layer shows it.

    Returns
    -------
    snapshot : SceneSnapshot
    matrices : (N, 4, 4) float64
        The world matrices of all instances in the depsgraph's list.
    """
    return exhausted(snapshot_steps(context, depsgraph))


def snapshot_steps(
    context: bpy.types.Context, depsgraph: bpy.types.Depsgraph
) -> Generator[None, None, tuple[SceneSnapshot, Floats]]:
    """Run `take_snapshot` in two steps: the visible objects, and the facts about them.

    Raises
    ------
    SceneChanged
        If an object has been removed between the steps.
    """
    shown = _shown(context.view_layer, depsgraph)
    matrices = matrices_of(depsgraph)
    yield
    objects = open_file.objects_by_uid()
    uids = {uid for one in shown for uid in (one.uid, one.host or one.uid)}
    if not uids <= objects.keys():
        raise SceneChanged
    facts = {uid: facts_of(objects[uid]) for uid in uids}
    in_scene, view_layer = {one.uid for one in shown if not one.host}, context.view_layer
    unshown = []
    for ob in context.scene.objects:
        uid = ob.session_uid
        if uid not in in_scene:
            facts.setdefault(uid, facts_of(ob))
            unshown.append((uid, hidden_reason(ob, view_layer) or Message("The instancer itself is not shown.")))
    cut = operands(context.scene.objects)
    members: dict[int, tuple[tuple[int, str], ...]] = {}
    for uid in uids:
        collection = objects[uid].instance_collection if facts[uid].collection else None
        if collection is not None and collection.session_uid not in members:
            found = [ob for ob in collection.all_objects if ob.type in GEOMETRY_TYPES]
            cut |= operands(found)
            facts.update((ob.session_uid, facts_of(ob)) for ob in found if ob.session_uid not in facts)
            members[collection.session_uid] = tuple(
                (ob.session_uid, hidden_in_instance(ob, collection)) for ob in found
            )
    return SceneSnapshot(shown, unshown, members, facts, cut), matrices


def _shown(view_layer: bpy.types.ViewLayer, depsgraph: bpy.types.Depsgraph) -> list[VisibleInstance]:
    """List the instances of the depsgraph, in its order."""
    hidden: dict[int, bool] = {}
    shown = []
    for position, instance in instances_of(depsgraph):
        evaluated = instance.object
        host = ob = evaluated.original
        uid = host_uid = ob.session_uid
        if instance.is_instance:
            host = instance.parent.original
            host_uid = host.session_uid
        if host_uid not in hidden:
            # The depsgraph also lists objects that are hidden by their eye icon.
            hidden[host_uid] = bool(hidden_reason(host, view_layer))
        if hidden[host_uid] or not instance.show_self:
            continue
        if instance.is_instance:
            persistent_id = tuple(number for number in instance.persistent_id if number != _UNUSED)
            shown.append(VisibleInstance(uid, host_uid, persistent_id, position, evaluated.type == "MESH"))
        else:
            shown.append(VisibleInstance(uid, 0, (), position, False))
    return shown


def matrices_of(depsgraph: bpy.types.Depsgraph) -> Floats:
    """The world matrices (N, 4, 4) of all instances."""
    columns = np.empty(16 * len(depsgraph.object_instances), dtype=np.float32)
    depsgraph.object_instances.foreach_get("matrix_world", columns)
    matrices: Floats = columns.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
    return matrices
