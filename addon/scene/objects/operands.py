# SPDX-License-Identifier: GPL-3.0-or-later
"""Operands of Booleans and other helper objects, which are not bodies themselves.

The operand of a Boolean modifier, or of geometry nodes with a Boolean, may also be a body, for example a table for
which another object has a cut-out. An operand is not a body if it is displayed as wire or bounds, or not rendered,
because artists usually set up pure operands that way.

In a scene with rigid bodies, objects that are neither rendered nor rigid bodies are other helpers: navigation meshes,
guides, effect volumes. In every scene, objects that are displayed as wire or bounds and are not rendered, while others
are, are helpers, too, such as the boxes that cut windows out of walls; and so are domains of fluid simulations. Objects
with a rigid body, colliders, and those that have colliders as children are bodies.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import bpy

from ...model.message import Message
from ..meshes.types import GEOMETRY_TYPES
from .owners import is_collider

# Blender's identifier of the node.
_BOOLEAN_NODE = "GeometryNodeMeshBoolean"

_WIRE, _BOUNDS, _NOT_RENDERED, _HELPER, _UNSEEN, _DOMAIN = (
    Message("Boolean operand that is displayed as wire."),
    Message("Boolean operand that is displayed as bounds."),
    Message("Boolean operand that is not rendered."),
    Message("Neither rendered nor a rigid body, unlike other objects in the scene."),
    Message("Displayed as wire or bounds, and not rendered, unlike other objects in the scene."),
    Message("Domain of a fluid simulation."),
)

# Node trees by uid: the objects and collections that a tree and its groups refer to, and whether it has a Boolean.
_Trees = dict[int, tuple[list[bpy.types.ID], bool]]


def operands(objects: Iterable[bpy.types.Object]) -> dict[int, str]:
    """Operands and other helper objects, by `session_uid`, each with a sentence with the reason.

    Disabled modifiers count as well: an object that is only sometimes an operand is not a body at other times.
    """
    objects = tuple(objects)
    reasons: dict[int, str] = _helpers(objects)
    trees: _Trees = {}
    for ob in objects:
        for modifier in ob.modifiers:
            for operand in _used_by(modifier, trees):
                if operand != ob and (reason := _reason(operand)):
                    reasons[operand.session_uid] = reason
    return reasons


def _helpers(objects: Sequence[bpy.types.Object]) -> dict[int, str]:
    """The helpers that are not operands, by `session_uid`, each with the reason.

    They are not declared to collide. What is not rendered is a helper only if something else is.
    """
    drawn = [ob for ob in objects if ob.type in GEOMETRY_TYPES]
    domains = [ob for ob in drawn if _is_domain(ob)]
    unseen = [ob for ob in drawn if ob.hide_render and ob.rigid_body is None]
    if len(unseen) == len(drawn):
        unseen = []
    if not unseen and not domains:
        return {}
    simulated = any(ob.rigid_body is not None for ob in objects)
    owners = {ob.parent for ob in objects if ob.parent is not None and is_collider(ob)}
    found: dict[int, str] = {}
    for ob in unseen:
        if ob not in owners and not is_collider(ob):
            if simulated:
                found[ob.session_uid] = _HELPER
            elif ob.display_type in {"WIRE", "BOUNDS"}:
                found[ob.session_uid] = _UNSEEN
    return found | {ob.session_uid: _DOMAIN for ob in domains if ob.rigid_body is None and not is_collider(ob)}


def _is_domain(ob: bpy.types.Object) -> bool:
    """Whether an object is the space of a fluid simulation, and not the mesh of a liquid."""
    for modifier in ob.modifiers:
        if isinstance(modifier, bpy.types.FluidModifier) and modifier.fluid_type == "DOMAIN":
            domain = modifier.domain_settings
            return domain is None or domain.domain_type == "GAS" or not domain.use_mesh
    return False


def _reason(ob: bpy.types.Object) -> str:
    """The reason why an operand is not a body. Empty if there is none."""
    if ob.display_type == "WIRE":
        return _WIRE
    if ob.display_type == "BOUNDS":
        return _BOUNDS
    return _NOT_RENDERED if ob.hide_render else ""


def _used_by(modifier: bpy.types.Modifier, trees: _Trees) -> Iterable[bpy.types.Object]:
    """The operands of a modifier. For Booleans in nodes, all objects that the nodes refer to or get as inputs."""
    if isinstance(modifier, bpy.types.BooleanModifier):
        return _members(modifier.object if modifier.operand_type == "OBJECT" else modifier.collection)
    if isinstance(modifier, bpy.types.NodesModifier) and modifier.node_group is not None:
        named, boolean = _named(modifier.node_group, trees)
        if boolean:
            return [ob for used in (*named, *_given(modifier)) for ob in _members(used)]
    return ()


def _members(used: object) -> Iterable[bpy.types.Object]:
    if isinstance(used, bpy.types.Collection):
        return used.all_objects
    return [used] if isinstance(used, bpy.types.Object) else []


def _given(modifier: Any) -> list[Any]:
    """The values of a modifier's inputs. Before Blender 5.2 they are its custom properties."""
    properties = getattr(modifier, "properties", None)
    if properties is None:
        return [modifier[name] for name in modifier.keys()]  # noqa: SIM118 (it is no mapping)
    names = [rule.identifier for rule in properties.inputs.bl_rna.properties if rule.type == "POINTER"]
    return [getattr(getattr(properties.inputs, name), "value", None) for name in names]


def _named(tree: bpy.types.NodeTree, trees: _Trees) -> tuple[list[bpy.types.ID], bool]:
    """The objects and collections that the nodes of a tree and its groups refer to, and whether it has a Boolean."""
    uid = tree.session_uid
    if uid in trees:
        return trees[uid]
    found: list[bpy.types.ID] = []
    boolean = False
    for node in tree.nodes:
        boolean |= node.bl_idname == _BOOLEAN_NODE
        group = getattr(node, "node_tree", None)
        if group is not None:
            named, inner = _named(group, trees)
            found += named
            boolean |= inner
        for socket in node.inputs:
            value: Any = getattr(socket, "default_value", None)
            if isinstance(value, bpy.types.Object | bpy.types.Collection):
                found.append(value)
    trees[uid] = found, boolean
    return trees[uid]
