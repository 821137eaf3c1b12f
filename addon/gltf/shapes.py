# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of KHR_implicit_shapes: read, validate and write them, and convert them to meshes.

They are centered on their node, and round ones lie along its Y axis, which is Z in Blender.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.hull import convex_hull
from ...core.numerics.types import Floats
from ..colliders import meshes
from ..exchange.node_shapes import NodeBox, NodeCapsule, NodeCylinder, NodePlane, NodeShape, NodeSphere
from ..model.message import Message
from .fields import LEAST, MOST, as_number


class UnreadableShape(ValueError):
    """An error in a shape, as a phrase that follows its name."""


def read_shape(content: Any) -> NodeShape:
    """Read a shape of the file. Missing values have the defaults of the extension.

    Parameters
    ----------
    content : object
        An entry of `shapes` in the JSON.

    Raises
    ------
    UnreadableShape
        If its type is not defined by the extension, or it is degenerate, which the extension forbids.
    """
    if not isinstance(content, Mapping):
        raise UnreadableShape(Message("not an object"))
    kind = content.get("type")
    fields = content.get(kind, {}) if isinstance(kind, str) else {}
    if not isinstance(fields, Mapping):
        raise UnreadableShape(Message("{field} is not an object", field=kind))
    match kind:
        case "box":
            size = fields.get("size", [1.0, 1.0, 1.0])
            if not isinstance(size, list) or len(size) != 3:
                raise UnreadableShape(Message("size is not three numbers"))
            x, y, z = (_number({"size": value}, "size", 1.0) for value in size)
            return NodeBox((x, y, z))
        case "sphere":
            return NodeSphere(_number(fields, "radius", 0.5))
        case "capsule" | "cylinder":
            height = _number(fields, "height", 0.5)
            bottom = _number(fields, "radiusBottom", 0.25, least_is_open=False)
            top = _number(fields, "radiusTop", 0.25, least_is_open=False)
            if bottom == top == 0.0:
                raise UnreadableShape(Message("both radii are zero"))
            return (NodeCapsule if kind == "capsule" else NodeCylinder)(height, bottom, top)
        case "plane":
            sizes = [_number(fields, name, 1.0) if name in fields else None for name in ("sizeX", "sizeZ")]
            return NodePlane(sizes[0], sizes[1], bool(fields.get("doubleSided", False)))
    raise UnreadableShape(Message("type is {value}", value=repr(kind)))


def written(shape: NodeShape) -> dict[str, Any]:
    """Return the entry of `shapes` for a shape."""
    match shape:
        case NodeBox(size):
            return {"type": "box", "box": {"size": list(size)}}
        case NodeSphere(radius):
            return {"type": "sphere", "sphere": {"radius": radius}}
        case NodeCapsule(height, bottom, top):
            return {"type": "capsule", "capsule": {"height": height, "radiusBottom": bottom, "radiusTop": top}}
        case NodeCylinder(height, bottom, top):
            return {"type": "cylinder", "cylinder": {"height": height, "radiusBottom": bottom, "radiusTop": top}}
        case NodePlane(size_x, size_z, double_sided):
            fields: dict[str, Any] = {"doubleSided": double_sided}
            if size_x is not None:
                fields["sizeX"] = size_x
            if size_z is not None:
                fields["sizeZ"] = size_z
            return {"type": "plane", "plane": fields}


def kind_of(shape: NodeShape) -> str:
    """Return the collision shape that Blender's object gets for a shape of the file.

    A round shape with two radii has no type of its own and becomes its hull. A finite plane is a rectangle.
    """
    match shape:
        case NodeBox():
            return "BOX"
        case NodeSphere():
            return "SPHERE"
        case NodeCapsule(_, bottom, top):
            return "CAPSULE" if bottom == top else "HULL"
        case NodeCylinder(_, bottom, top):
            return "CYLINDER" if bottom == top else "HULL"
        case NodePlane():
            return "HALF_SPACE" if shape.endless and not shape.double_sided else "MESH"


def shape_mesh(shape: NodeShape, unit: float) -> meshes.Mesh:
    """Return the vertices and faces of a shape, along Blender's axes.

    Vertices of boxes and of round shapes with one radius are on the shape, and the bounds of the mesh are those of the
    shape. Vertices of round shapes with two radii are outside, so that the mesh contains the shape. An infinite plane
    has the size of its unit.

    Parameters
    ----------
    shape : NodeShape
    unit : float
        Blender units per meter.
    """
    match shape:
        case NodeBox((x, y, z)):
            half = np.array([x, z, y]) * unit / 2.0
            return meshes.box_mesh(-half, half)
        case NodeSphere(radius):
            return meshes.round_mesh(radius * unit, 0.0)
        case NodeCapsule(height, bottom, top) if bottom == top:
            return meshes.round_mesh(top * unit, height * unit / 2.0)
        case NodeCylinder(height, bottom, top) if bottom == top:
            return meshes.cylinder_mesh(top * unit, -height * unit / 2.0, height * unit / 2.0)
        case NodeCapsule(height, bottom, top):
            points, _ = meshes.round_mesh(1.0 / meshes.ball_inset(meshes.MESH_SEGMENTS, meshes.MESH_RINGS), 0.0, 16, 6)
            return _hull_of(
                np.concatenate([_ball(points, top, height / 2.0), _ball(points, bottom, -height / 2.0)]), unit
            )
        case NodeCylinder(height, bottom, top):
            circle, _ = meshes.cylinder_mesh(1.0 / meshes.circle_inset(meshes.MESH_SEGMENTS), -0.5, 0.5, 16)
            circle[:, :2] *= np.where(circle[:, 2:] > 0.0, top, bottom)
            return _hull_of(circle * (1.0, 1.0, height), unit)
        case NodePlane(size_x, size_z, _):
            x, y = (unit if size is None else size * unit / 2.0 for size in (size_x, size_z))
            return np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)]), [[0, 1, 2, 3]]


def _ball(points: Floats, radius: float, height: float) -> Floats:
    return points * radius + (0.0, 0.0, height)


def _hull_of(points: Floats, unit: float) -> meshes.Mesh:
    return meshes.hull_mesh(convex_hull(points * unit))


def _number(fields: Mapping[str, Any], name: str, usual: float, *, least_is_open: bool = True) -> float:
    """Return a number that is at least, or above, zero."""
    given = fields.get(name, usual)
    value = as_number(given)
    if value is None:
        if isinstance(given, int | float) and abs(given) > MOST:
            raise UnreadableShape(Message("{field} is not from 0 to {limit}", field=name, limit=f"{MOST:.2g}"))
        raise UnreadableShape(Message("{field} is not a number", field=name))
    if value < 0.0 or (least_is_open and value == 0.0):
        raise UnreadableShape(Message("{field} is {value}", field=name, value=f"{value:g}"))
    if 0.0 < value < LEAST:
        raise UnreadableShape(
            Message("{field} is {value}, below {limit}", field=name, value=f"{value:g}", limit=f"{LEAST:.2g}")
        )
    return value
