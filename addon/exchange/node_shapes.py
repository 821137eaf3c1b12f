# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of a node of a file, about the origin of the node: plain data, with lengths in the unit of the file.

They are those of KHR_implicit_shapes. Round shapes lie along the Y axis of their node in glTF, which is Z in Blender.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class NodeBox:
    """A box along the axes of its node, with `size` along glTF's X, Y and Z."""

    size: tuple[float, float, float]


@dataclass(frozen=True)
class NodeSphere:
    """A ball."""

    radius: float


@dataclass(frozen=True)
class NodeCapsule:
    """The hull of two balls with centers `height` apart."""

    height: float
    bottom: float
    top: float


@dataclass(frozen=True)
class NodeCylinder:
    """The hull of two discs `height` apart."""

    height: float
    bottom: float
    top: float


@dataclass(frozen=True)
class NodePlane:
    """A plane with its normal along Y. A size of None is infinite."""

    size_x: float | None = None
    size_z: float | None = None
    double_sided: bool = False

    @property
    def endless(self) -> bool:
        """Return whether it is infinite in all directions."""
        return self.size_x is None and self.size_z is None


NodeShape = NodeBox | NodeSphere | NodeCapsule | NodeCylinder | NodePlane
