# SPDX-License-Identifier: GPL-3.0-or-later
"""OMI_physics_shape and OMI_physics_body: conversion to and from the KHR drafts.

Since September 2024, the height of a capsule is measured between the centers of its ends, as in the KHR draft, and
there are two radii. Before that, and in Godot 4, it is the total height, and there is one radius.
"""

from collections.abc import Mapping
from typing import Any

from ..exchange.node_shapes import NodeBox, NodeCapsule, NodeCylinder, NodeShape, NodeSphere
from ..model.message import Message
from .fields import as_mapping, as_number
from .shapes import UnreadableShape, read_shape, written

# Meanings of a capsule's height.
BETWEEN_CENTERS, TOTAL = "BETWEEN_CENTERS", "TOTAL"

# Default values.
_USUAL: dict[str, dict[str, Any]] = {
    "box": {"size": [1.0, 1.0, 1.0]},
    "sphere": {"radius": 0.5},
    "capsule": {"height": 1.0, "radiusBottom": 0.5, "radiusTop": 0.5},
    "cylinder": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.5},
}
_USUAL_TOTAL = 2.0

# Types of shapes that are meshes, and whether the convex hull is used. `hull` is from older files.
MESHES = {"convex": True, "hull": True, "trimesh": False}


# Motion type that the KHR draft does not have.
STATIC = "static"


def mesh_of(content: Any) -> tuple[Any, bool] | None:
    """Return the mesh that a shape of a file refers to, and whether its convex hull is used. None for other shapes."""
    kind = as_mapping(content).get("type")
    if not isinstance(kind, str) or kind not in MESHES:
        return None
    return as_mapping(content.get(kind)).get("mesh", -1), MESHES[kind]


def read_omi_shape(content: Any) -> NodeShape:
    """Read a shape of a file that is not a mesh. Raises `UnreadableShape` as `read_shape` does."""
    if not isinstance(content, Mapping):
        raise UnreadableShape(Message("not an object"))
    kind = content.get("type")
    if not isinstance(kind, str) or kind not in _USUAL:
        raise UnreadableShape(Message("type is {value}", value=repr(kind)))
    fields = content.get(kind, {})
    if not isinstance(fields, Mapping):
        raise UnreadableShape(Message("{field} is not an object", field=kind))
    if kind in {"capsule", "cylinder"} and capsules_of(content) == TOTAL:
        fields = {**fields, "radiusBottom": fields["radius"], "radiusTop": fields["radius"]}
        total, radius = as_number(fields.get("height", _USUAL_TOTAL)), as_number(fields["radius"])
        if kind == "capsule" and total is not None and radius is not None:
            if 0.0 < total <= 2.0 * radius:
                return read_shape({"type": "sphere", "sphere": {"radius": radius}})
            fields["height"] = total - 2.0 * radius if total > 0.0 else total
    return read_shape({"type": kind, kind: {**_USUAL[kind], **fields}})


def capsules_of(content: Any) -> str:
    """Return the meaning of capsule heights in a file: BETWEEN_CENTERS or TOTAL."""
    shape = as_mapping(content)
    fields = set(as_mapping(shape.get(str(shape.get("type")))))
    return TOTAL if "radius" in fields and not {"radiusBottom", "radiusTop"} & fields else BETWEEN_CENTERS


def omi_written(shape: NodeBox | NodeSphere | NodeCapsule | NodeCylinder, capsules: str) -> dict[str, Any]:
    """Return the entry of `shapes` for a shape.

    Parameters
    ----------
    shape : NodeShape
    capsules : str
        BETWEEN_CENTERS or TOTAL.
    """
    entry = written(shape)
    if isinstance(shape, NodeCapsule | NodeCylinder) and shape.bottom == shape.top:
        if isinstance(shape, NodeCapsule) and capsules == TOTAL:
            entry["capsule"] = {"height": shape.height + 2.0 * shape.top, "radius": shape.top}
        else:
            # Godot reads only this one of the two.
            entry[entry["type"]]["radius"] = shape.top
    return entry


def omi_mesh(mesh: Any, *, convex: bool) -> dict[str, Any]:
    """Return the entry of `shapes` for a mesh."""
    kind = "convex" if convex else "trimesh"
    return {"type": kind, kind: {"mesh": mesh}}


def omi_motion(motion: Mapping[str, Any]) -> dict[str, Any]:
    """Return the motion type of a node, from the motion of the KHR draft."""
    rest = {name: value for name, value in motion.items() if name != "isKinematic"}
    return {"type": "kinematic" if motion.get("isKinematic") else "dynamic", **rest}
