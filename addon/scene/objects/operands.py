# SPDX-License-Identifier: GPL-3.0-or-later
"""Operands: objects that others are cut, joined or intersected with, and that are no bodies themselves.

What is the operand of a Boolean modifier, or of geometry nodes with a Boolean among them, may be a body as well: a
table that a hole is cut for. Artists have those that are not displayed as wires or bounds, or leave them out of
renders.
"""

from collections.abc import Iterable
from typing import Any

import bpy

from ...model.message import Message

# The node, as Blender identifies it.
_BOOLEAN_NODE = "GeometryNodeMeshBoolean"

_WIRE, _BOUNDS, _NOT_RENDERED = (
    Message("Boolean operand that is displayed as wire."),
    Message("Boolean operand that is displayed as bounds."),
    Message("Boolean operand that is not rendered."),
)

# Trees of nodes by uid: the objects and collections that one and its groups name, and whether it has a Boolean.
_Trees = dict[int, tuple[list[bpy.types.ID], bool]]


def operands(objects: Iterable[bpy.types.Object]) -> dict[int, str]:
    """Which objects are operands of some of these and no bodies, by `session_uid`, and a sentence that says so.

    Modifiers count whether or not they are switched off at the moment: what cuts now and then is no body in between.
    """
    reasons: dict[int, str] = {}
    trees: _Trees = {}
    for ob in objects:
        for modifier in ob.modifiers:
            for operand in _used_by(modifier, trees):
                if operand != ob and (reason := _reason(operand)):
                    reasons[operand.session_uid] = reason
    return reasons


def _reason(ob: bpy.types.Object) -> str:
    """What tells that an operand is no body; empty if nothing does."""
    if ob.display_type == "WIRE":
        return _WIRE
    if ob.display_type == "BOUNDS":
        return _BOUNDS
    return _NOT_RENDERED if ob.hide_render else ""


def _used_by(modifier: bpy.types.Modifier, trees: _Trees) -> Iterable[bpy.types.Object]:
    """The operands of a modifier: of Booleans among nodes, all objects that the nodes name or are given."""
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
    """The values of a modifier's inputs; before Blender 5.2 they are custom properties of it."""
    properties = getattr(modifier, "properties", None)
    if properties is None:
        return [modifier[name] for name in modifier.keys()]  # noqa: SIM118 (it is no mapping)
    names = [rule.identifier for rule in properties.inputs.bl_rna.properties if rule.type == "POINTER"]
    return [getattr(getattr(properties.inputs, name), "value", None) for name in names]


def _named(tree: bpy.types.NodeTree, trees: _Trees) -> tuple[list[bpy.types.ID], bool]:
    """What the nodes of a tree and of its groups name, and whether there is a Boolean among them."""
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
