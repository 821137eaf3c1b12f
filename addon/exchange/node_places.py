# SPDX-License-Identifier: GPL-3.0-or-later
"""Express world space shapes as shapes of a node: on the node itself if possible, otherwise on a child."""

from dataclasses import dataclass

import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import cross, dot, length
from ..model.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Sphere, WorldShape
from ..model.tolerances import FLAT, SHEAR
from . import sentences
from .node_shapes import NodeBox, NodeCapsule, NodeCylinder, NodePlane, NodeShape, NodeSphere

# Dimensionless: fraction of the size of a shape. Nearer than this to its node, a shape counts as at the node. A chain
# of parents causes about half of it.
IN_PLACE = 2e-6


@dataclass(frozen=True, eq=False)
class Offset:
    """Transform of a child of a node, in Blender's axes.

    Attributes
    ----------
    translation : (3,) float64
    rotation : (3, 3) float64
    scale : (3,) float64
    """

    translation: Floats
    rotation: Floats
    scale: Floats


class NoShape(ValueError):
    """Reason why a node cannot have the shape, as a sentence."""


def shape_in_node(shape: WorldShape, node: Floats, axis: int) -> tuple[NodeShape, Offset | None]:
    """Express a world space shape in a node.

    Parameters
    ----------
    shape : WorldShape
        Neither a hull nor a mesh.
    node : (4, 4) float64
        Transform of the node, in Blender's axes.
    axis : int
        Blender axis that is glTF's Y axis, along which round shapes lie: 2, or 1 if the file keeps Blender's axes.

    Returns
    -------
    NodeShape
    Offset or None
        None: the shape is on the node itself.

    Raises
    ------
    NoShape
        If the scale of the node is zero, or does not allow a child with this shape, or the shape is degenerate or not
        supported by the format.
    """
    if isinstance(shape, Ellipsoid | Cone):
        raise NoShape(sentences.NOT_IN_GLTF)
    linear = node[:3, :3]
    stretches = np.linalg.svd(linear, compute_uv=False)
    if stretches[2] <= FLAT * stretches[0]:
        raise NoShape(sentences.NOTHING)
    axes, center, half = _frame(shape, node, axis)
    local = np.asarray(np.linalg.solve(linear, axes), np.float64)
    stretch = length(local.T)
    turn: Floats = local / stretch
    if max(_lean(axes), _lean(turn)) > SHEAR:
        raise NoShape(sentences.WRITTEN_AS_HULL)
    order = _nearest_axes(turn) if isinstance(shape, Box) else np.arange(3)
    turn, stretch, half = turn[:, order], stretch[order], half[order]
    turn = _without_mirror(turn, isinstance(shape, Box), axis)
    even = float(np.ptp(stretch)) <= SHEAR * float(stretch.max())
    measured = isinstance(shape, Box | HalfSpace)
    factor = stretch if measured else np.full(3, stretch.mean()) if even else np.ones(3)
    place = np.asarray(np.linalg.solve(linear, center - node[:3, 3]), np.float64)
    found = _resized(shape, factor, half, axis)
    size = float(np.abs(half * factor).max())
    turned = float(np.abs(turn - np.eye(3)).max())
    if max(turned, float(length(place)) / size) <= IN_PLACE and (measured or even):
        return found, None
    none: Floats = np.ones(3)
    return found, Offset(place, turn, none if measured or even else stretch)


def _frame(shape: WorldShape, node: Floats, axis: int) -> tuple[Floats, Floats, Floats]:
    """Return world space axes (columns), center and half extents of a shape. Free axes follow the node."""
    own = node[:3, :3] / length(node[:3, :3].T)
    if isinstance(shape, Box):
        return shape.axes, shape.center, shape.half
    if isinstance(shape, Sphere):
        return own, shape.center, np.full(3, shape.radius)
    if isinstance(shape, HalfSpace):
        above = shape.offset - float(shape.normal @ node[:3, 3])
        return _around(shape.normal, own, axis), node[:3, 3] + above * shape.normal, np.ones(3)
    assert isinstance(shape, Capsule | Cylinder)
    along, center = shape.end - shape.start, (shape.start + shape.end) / 2.0
    span = float(length(along))
    half = np.full(3, shape.radius)
    half[axis] = span / 2.0
    if span == 0.0:
        return own, center, half
    direction = along / span
    nearest = own[:, int(np.argmax(np.abs(own.T @ direction)))]
    return _around(direction if nearest @ direction >= 0.0 else -direction, own, axis), center, half


def _around(direction: Floats, own: Floats, axis: int) -> Floats:
    """Return right-handed axes with one given direction, and the others as near as possible to the node's axes."""
    nearest = int(np.argmax(np.abs(own.T @ direction)))
    axes = np.roll(own, axis - nearest, axis=1)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    across = axes[:, first] - dot(axes[:, first], direction) * direction
    axes[:, axis], axes[:, first] = direction, across / length(across)
    axes[:, second] = cross(direction, axes[:, first])
    return axes


def _lean(axes: Floats) -> float:
    """Return how far axes are from perpendicular."""
    return float(np.abs(axes.T @ axes - np.eye(3)).max())


def _nearest_axes(turn: Floats) -> Ints:
    """Return the order in which the axes of a box are nearest to those of its node."""
    order = np.argmax(np.abs(turn), axis=1)
    return order if len(set(order.tolist())) == 3 else np.arange(3)


def _without_mirror(turn: Floats, all_free: bool, axis: int) -> Floats:
    """Return the axes as a rotation. Axes of mirror symmetry may be reversed."""
    signs = np.where(np.diag(turn) < 0.0, -1.0, 1.0) if all_free else np.ones(3)
    if np.linalg.det(turn * signs) < 0.0:
        signs[(axis + 2) % 3] *= -1.0
    return turn * signs


def _resized(shape: WorldShape, factor: Floats, half: Floats, axis: int) -> NodeShape:
    """Return the shape for the file. `half` is along the axes of the child, `factor` their scale."""
    sizes = half * factor
    if isinstance(shape, HalfSpace):
        return NodePlane()
    if not (sizes[[(axis + 1) % 3, (axis + 2) % 3]] > 0.0).all() or (isinstance(shape, Box) and not sizes[axis]):
        raise NoShape(sentences.NO_VOLUME)
    if isinstance(shape, Box):
        x, y, z = (2.0 * sizes[[0, 2, 1]] if axis == 2 else 2.0 * sizes).tolist()
        return NodeBox((x, y, z))
    radius, height = float(sizes[(axis + 1) % 3]), 2.0 * float(sizes[axis])
    if isinstance(shape, Sphere) or (isinstance(shape, Capsule) and height <= FLAT * radius):
        return NodeSphere(radius)
    if height == 0.0:
        raise NoShape(sentences.NO_VOLUME)
    return (NodeCapsule if isinstance(shape, Capsule) else NodeCylinder)(height, radius, radius)
