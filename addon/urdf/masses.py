# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes, centers of mass and inertia of solids of uniform density."""

from dataclasses import dataclass

import numpy as np

from ...core.numerics.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class Solid:
    """Moments of a solid with density 1.

    Attributes
    ----------
    volume : float
    center : (3,) float64
    second : (3, 3) float64
        The integral of the products of two coordinates, about the center.
    """

    volume: float
    center: Floats
    second: Floats

    def turned(self, rotation: Floats, translation: Floats) -> "Solid":
        """Return the solid after a rotation and a translation."""
        return Solid(self.volume, rotation @ self.center + translation, rotation @ self.second @ rotation.T)


def box(size: Floats) -> Solid:
    """Return a box about the origin."""
    volume = float(np.prod(size))
    return Solid(volume, np.zeros(3), np.diag(volume * size**2 / 12.0))


def ball(radius: float) -> Solid:
    """Return a ball about the origin."""
    volume = 4.0 / 3.0 * np.pi * radius**3
    return Solid(volume, np.zeros(3), volume * radius**2 / 5.0 * np.eye(3))


def cylinder(radius: float, height: float) -> Solid:
    """Return a cylinder along Z."""
    volume = np.pi * radius**2 * height
    across = volume * radius**2 / 4.0
    return Solid(volume, np.zeros(3), np.diag([across, across, volume * height**2 / 12.0]))


def capsule(radius: float, height: float) -> Solid:
    """Return a capsule along Z with end centers `height` apart."""
    middle, ends = cylinder(radius, height), ball(radius)
    # The centroid of a half ball is three eighths of the radius from its flat side.
    longer = ends.volume * (height**2 / 4.0 + height * 3.0 * radius / 8.0)
    return Solid(middle.volume + ends.volume, np.zeros(3), middle.second + ends.second + np.diag([0.0, 0.0, longer]))


def polyhedron(points: Floats, triangles: Ints) -> Solid:
    """Return a closed mesh, as a sum of tetrahedra from its center."""
    middle = points.mean(axis=0)
    corners = (points - middle)[triangles]
    sixfold = np.linalg.det(corners)
    volume = float(sixfold.sum()) / 6.0
    if volume <= 0.0:
        return Solid(0.0, middle, np.zeros((3, 3)))
    total = corners.sum(axis=1)
    center = (sixfold[:, None] * total).sum(axis=0) / 24.0 / volume
    products = np.einsum("t,tci,tcj->ij", sixfold, corners, corners) + np.einsum("t,ti,tj->ij", sixfold, total, total)
    return Solid(volume, middle + center, products / 120.0 - volume * np.outer(center, center))


def together(solids: list[Solid]) -> Solid:
    """Return several solids as one. Overlaps are counted several times."""
    volume = sum(one.volume for one in solids)
    if not volume:
        return Solid(0.0, np.zeros(3), np.zeros((3, 3)))
    center = sum((one.volume * one.center for one in solids), np.zeros(3)) / volume
    second = np.zeros((3, 3))
    for one in solids:
        apart = one.center - center
        second += one.second + one.volume * np.outer(apart, apart)
    return Solid(volume, center, second)


def inertia(solid: Solid, mass: float) -> Floats:
    """Return the inertia of a solid with this mass about its center."""
    found: Floats = mass / solid.volume * (np.trace(solid.second) * np.eye(3) - solid.second)
    return found
