# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps of rotating shapes of the plane, by the sweeps of space.

Each shape is represented in space by a solid that is symmetric about the plane: a circle by a sphere, a box or a
polygon by a prism, a region by the compound of its pieces. Two such solids that rotate about the normal of the plane
have the same distance as the shapes themselves, as long as these do not overlap. Conservative advancement in space
therefore proves for the plane, too, that no contact is missed.
"""

from typing import Any

import numpy as np

from ..continuous.motion import RigidMotion
from ..continuous.time_of_impact import time_of_impact as impacts_in_space
from ..hull import convex_hulls
from ..numerics.types import Floats, Ints
from ..results import Impacts
from ..shapes import Boxes, Compounds, Hulls, Spheres
from .shapes.convex import AABBs, Circles, Polygons, Rectangles
from .shapes.regions import Body, Regions


def time_of_impact(
    a: Body, b: Body, motions: tuple[RigidMotion, RigidMotion], margin: Floats, max_iterations: int
) -> Impacts:
    """First contact of each row of A with that row of B; the rows neither overlap nor touch at time 0.

    Parameters
    ----------
    a, b : batch of N shapes of the plane
    motions : (RigidMotion, RigidMotion)
        Motions in space, about axes perpendicular to the plane z = 0.
    margin : (N,) float64
        Pairs touch if they are no farther apart than this.
    max_iterations : int
    """
    found = impacts_in_space(
        in_space(a), in_space(b), motion_a=motions[0], motion_b=motions[1], margin=margin, max_iterations=max_iterations
    )
    normal = found.normal[:, :2] / np.hypot(*found.normal[:, :2].T)[:, None]
    return Impacts(found.hit, found.time, found.point[:, :2], normal, found.safe, found.decided)


def motion_in_space(velocity: Floats, angular_velocity: Floats, pivot: Floats) -> RigidMotion:
    """The motion in space of rows with velocities (N, 2), angular velocities in radians (N,) and pivots (N, 2)."""
    turn = np.concatenate([np.zeros((len(velocity), 2)), angular_velocity[:, None]], axis=1)
    return RigidMotion(_raised(velocity), turn, _raised(pivot))


def in_space(shapes: Body) -> Any:
    """The rows of a batch of the plane, as solids that are symmetric about the plane z = 0."""
    match shapes:
        case Circles():
            return Spheres(_raised(shapes.center), shapes.radius)
        case AABBs():
            return _prisms((shapes.lower + shapes.upper) / 2.0, (shapes.upper - shapes.lower) / 2.0)
        case Rectangles():
            turn = np.zeros((len(shapes), 3, 3))
            turn[:, 0, 0] = turn[:, 1, 1] = shapes.cosine
            turn[:, 1, 0], turn[:, 0, 1], turn[:, 2, 2] = shapes.sine, -shapes.sine, 1.0
            return _prisms(shapes.center, shapes.half_extents, turn)
        case Polygons():
            return _hulls(shapes)
        case Regions():
            pieces, first = _hulls(shapes.pieces), shapes.first
            return Compounds([[pieces.take(np.arange(first[row], first[row + 1]))] for row in shapes.index])


def _prisms(center: Floats, half: Floats, rotation: Floats | None = None) -> Boxes:
    """Rectangles as boxes, each as high as it is long."""
    return Boxes(_raised(center), np.concatenate([half, half.max(axis=1, initial=0.0)[:, None]], axis=1), rotation)


def _hulls(shapes: Polygons) -> Hulls:
    """Polygons as prisms, each as high as it is long; rows with the same geometry share a hull."""
    used, index = np.unique(shapes.index, return_inverse=True)
    corners = [_prism(shapes, geometry) for geometry in used.tolist()]
    return Hulls(convex_hulls(corners), index.reshape(-1), _raised(np.stack([shapes.rows.x, shapes.rows.y], axis=1)))


def _prism(shapes: Polygons, geometry: int) -> Floats:
    """Corners (2k, 3) of the prism over a polygon of the pool, relative to the polygon's place."""
    pool = shapes.pool
    corners: Ints = np.arange(pool.start[geometry], pool.start[geometry + 1])
    flat = np.unique(np.stack([pool.x[corners], pool.y[corners]], axis=1), axis=0)
    height = np.full(len(flat), np.abs(flat).max(initial=0.0))
    return np.concatenate([np.column_stack([flat, height]), np.column_stack([flat, -height])])


def _raised(vectors: Floats) -> Floats:
    """Vectors (N, 2) of the plane as vectors of space (N, 3)."""
    return np.concatenate([vectors, np.zeros((len(vectors), 1))], axis=1)
