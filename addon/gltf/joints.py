# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that a glTF file declares, by KHR_physics_rigid_bodies or OMI_physics_joint, and the nodes that they link."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..exchange import sentences
from . import OMI_JOINT, PHYSICS
from .declared import NodeIssue, Tree
from .fields import as_list, as_mapping, as_number, is_index

_AXES = {0, 1, 2}


class NodeJoint(NamedTuple):
    """A joint of a node.

    Attributes
    ----------
    node, other : int
        The linked nodes. Their bodies are joined.
    collides : bool
        Whether the two bodies collide nevertheless.
    fixed : bool
        Whether it allows no relative motion.
    """

    node: int
    other: int
    collides: bool
    fixed: bool


def read_joints(tree: Tree, root: Mapping[str, Any]) -> tuple[list[NodeJoint], list[NodeIssue]]:
    """Read the joints of all nodes. If a node has both, that of the KHR draft.

    Parameters
    ----------
    tree : Tree
    root : mapping
        `extensions` of the file itself.

    Returns
    -------
    list of NodeJoint
    list of NodeIssue
        Joints with broken references, and joints that lose more than the link: limits and drives.
    """
    found, issues = list[NodeJoint](), list[NodeIssue]()
    for node, name, content in _declared(tree.extensions):
        kinds = as_list(as_mapping(root.get(name)).get("physicsJoints"))
        other: Any = content.get("connectedNode")
        kind: Any = content.get("joint")
        if not is_index(other, len(tree.extensions)):
            issues.append(NodeIssue(node, sentences.NO_JOINT, {"what": "connectedNode"}))
            continue
        if not is_index(kind, len(kinds)):
            issues.append(NodeIssue(node, sentences.NO_JOINT, {"what": "joint"}))
            continue
        fixed = _is_fixed(as_mapping(kinds[kind]))
        if not fixed:
            issues.append(NodeIssue(node, sentences.JOINT))
        found.append(NodeJoint(node, other, content.get("enableCollision") is True, fixed))
    return found, issues


def _declared(extensions: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """Return the node, the extension and the content of each joint."""
    for node, one in enumerate(extensions):
        khr, omi = as_mapping(one.get(PHYSICS)).get("joint"), one.get(OMI_JOINT)
        if isinstance(khr, Mapping):
            yield node, PHYSICS, khr
        elif isinstance(omi, Mapping):
            yield node, OMI_JOINT, omi


def _is_fixed(joint: Mapping[str, Any]) -> bool:
    """Return whether limits lock all axes."""
    turns, slides = set[Any](), set[Any]()
    for one in map(as_mapping, as_list(joint.get("limits"))):
        low, high = as_number(one.get("min")), as_number(one.get("max"))
        if low is not None and low == high:
            turns.update(axis for axis in as_list(one.get("angularAxes")) if isinstance(axis, int))
            slides.update(axis for axis in as_list(one.get("linearAxes")) if isinstance(axis, int))
    return turns >= _AXES and slides >= _AXES
