# SPDX-License-Identifier: GPL-3.0-or-later
"""All kinds of shapes in the form in which kernels walk on them: triangles, planes and curved shapes, in a grid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..convex.cylinders import PlacedCylinders
from ..kernels import heights
from ..kernels.supports import CONE, CYLINDER, ELLIPSOID, POLYTOPE, Side
from ..narrow_phase.mesh.boundary import boundary
from ..narrow_phase.mesh.orientation import orientation
from ..numerics.rows import ragged_arange, rows_of_each
from ..numerics.types import Floats, Ints
from ..numerics.vectors import cross, dot, length
from ..query.operands import split
from ..results import UnsupportedPair
from ..shapes import (
    Batch,
    Boxes,
    Capsules,
    Compounds,
    Cones,
    Cylinders,
    Ellipsoids,
    HalfSpaces,
    Hulls,
    Meshes,
    Planes,
    Spheres,
    Triangles,
)
from ..shapes.sides import NO_CELLS, NO_FLOATS, round_side

_CURVED = (Cylinders, Cones, Ellipsoids)


@dataclass(frozen=True)
class Frame:
    """The frame in which up is +Z: the point x of the world is at ``rotation @ (x - origin)``.

    Attributes
    ----------
    rotation : (3, 3) float64
    origin : (3,) float64
    """

    rotation: Floats
    origin: Floats

    @classmethod
    def of(cls, gravity: Floats, origin: Floats) -> Frame:
        """The frame for a direction of gravity: the smallest rotation that turns it to -Z."""
        up = -gravity / length(gravity[None])[0]
        axis = cross(up, (0.0, 0.0, 1.0))
        cosine = up[2]
        if cosine < -1.0 + 1e-12:
            return cls(np.diag([1.0, -1.0, -1.0]), origin)
        skew = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
        return cls(np.eye(3) + skew + skew @ skew / (1.0 + cosine), origin)

    def into(self, points: Floats) -> Floats:
        """Convert world points, (..., 3), to this frame."""
        result: Floats = (points - self.origin) @ self.rotation.T
        return result

    def out(self, points: Floats) -> Floats:
        """Convert points of this frame, (..., 3), to world space."""
        result: Floats = points @ self.rotation + self.origin
        return result

    def turned_out(self, vectors: Floats) -> Floats:
        """Convert vectors of this frame, (..., 3), to world space."""
        result: Floats = vectors @ self.rotation
        return result


@dataclass(frozen=True)
class Items:
    """All shapes as items of `kernels.heights.Ground`, without the grid.

    Attributes
    ----------
    corners, normals, round, planes, pad, span
        As in `Ground`.
    sides : tuple of three Side
        Cylinders, cones, ellipsoids.
    owner : (N,) int64
        The row of each item in the world.
    """

    corners: Floats
    normals: Floats
    round: Ints
    planes: Floats
    pad: Floats
    span: Floats
    sides: tuple[Side, Side, Side]
    owner: Ints

    @property
    def bounded(self) -> Ints:
        """The indices of all items except planes."""
        count = len(self.corners)
        return np.delete(np.arange(len(self.owner)), np.arange(count, count + len(self.planes)))

    def near_columns(self, spacing: float, radius: float, lower: Floats, upper: Floats) -> heights.Ground:
        """The items with those near each column between two corners, (2,) each."""
        width = max(2.0 * spacing, radius)
        size = np.maximum(np.ceil((upper - lower) / width).astype(np.int64), 1)
        bounded = self.bounded
        reach = radius + 1.01 * spacing
        first = np.floor((self.span[bounded, :2] - reach - lower) / width).astype(np.int64)
        last = np.floor((self.span[bounded, 3:5] + reach - lower) / width).astype(np.int64)
        # Poses beyond the grid belong to its outermost columns.
        first, last = np.clip(first, 0, size - 1), np.clip(last, 0, size - 1)
        across = last - first + 1
        row, place = ragged_arange(across[:, 0] * across[:, 1])
        x, y = first[row, 0] + place // across[row, 1], first[row, 1] + place % across[row, 1]
        column = x * size[1] + y
        order = np.argsort(column, kind="stable")
        starts = np.searchsorted(column[order], np.arange(size[0] * size[1] + 1)).astype(np.int64)
        points = np.zeros((3, 2))
        path = Side(
            POLYTOPE,
            np.eye(3).reshape(1, 9),
            np.zeros((1, 3)),
            NO_FLOATS,
            points,
            np.array([[0, 2, -1, 0]], dtype=np.int64),
            NO_CELLS,
            NO_CELLS,
            NO_FLOATS,
            NO_FLOATS,
        )
        grid = np.array([*lower, width])
        found = np.ascontiguousarray(bounded[row[order]])
        fixed = self.corners, self.normals, self.round, self.planes, self.pad, self.span
        return heights.Ground(*fixed, starts, found, grid, size, *self.sides, path, points)


def items_of(world: Any, frame: Frame) -> Items:
    """All shapes of a batch or a world as items, in a frame.

    Raises
    ------
    UnsupportedPair
        If a shape is of a third-party kind.
    """
    corners, normals, rounded, planes = [np.empty((0, 3, 3))], [NO_FLOATS], [], [np.empty((0, 5))]
    pads: dict[str, list[Floats]] = {"triangle": [], "plane": []}
    owners: dict[str, list[Ints]] = {"triangle": [], "plane": []}
    curved: dict[type, list[tuple[Any, Ints, Floats]]] = {kind: [] for kind in _CURVED}
    for shapes, owner, margin in _parts(world):
        local = _in_frame(shapes, frame)
        if isinstance(local, HalfSpaces | Planes):
            solid = np.full(len(local), float(isinstance(local, HalfSpaces)))
            planes.append(np.column_stack([local.normal, local.offset, solid]))
            owners["plane"].append(owner)
            pads["plane"].append(margin)
            continue
        if isinstance(local, _CURVED):
            curved[type(local)].append((local, owner, margin))
            continue
        row, corner, normal, pad, is_round = _triangles(local)
        corners.append(corner)
        normals.append(normal)
        rounded.append(is_round)
        owners["triangle"].append(owner[row])
        pads["triangle"].append(pad + margin[row])
    sides, spans, last_pads, last_owners = [], [], [], []
    for kind, code in ((Cylinders, CYLINDER), (Cones, CONE), (Ellipsoids, ELLIPSOID)):
        given = curved[kind]
        if not given:
            sides.append(round_side(code, np.zeros((0, 2, 3)), NO_FLOATS, NO_FLOATS))
            continue
        batch: Any = kind.joined([one for one, _, _ in given])
        sides.append(PlacedCylinders.of(batch).side if kind is Cylinders else batch.side)
        margin = np.concatenate([one for _, _, one in given])
        lower, upper = batch.bounds()
        spans.append(np.hstack([lower - margin[:, None], upper + margin[:, None]]))
        last_pads.append(margin)
        last_owners.append(np.concatenate([one for _, one, _ in given]))
    corner = np.concatenate(corners)
    pad = np.concatenate([*pads["triangle"], np.empty(0)])
    flat = np.hstack([corner.min(axis=1) - pad[:, None], corner.max(axis=1) + pad[:, None]])
    plane = np.concatenate(planes)
    endless = np.tile([-np.inf] * 3 + [np.inf] * 3, (len(plane), 1))
    every = [*owners["triangle"], *owners["plane"], *last_owners, np.empty(0, dtype=np.int64)]
    return Items(
        np.ascontiguousarray(corner),
        np.ascontiguousarray(np.concatenate(normals)),
        np.concatenate([*rounded, np.empty(0, dtype=np.int64)]).astype(np.int64),
        np.ascontiguousarray(plane),
        np.concatenate([pad, *pads["plane"], *last_pads, np.empty(0)]),
        np.ascontiguousarray(np.concatenate([flat, endless, *spans])),
        (sides[0], sides[1], sides[2]),
        np.concatenate(every).astype(np.int64),
    )


def _parts(world: Any) -> Iterator[tuple[Batch, Ints, Floats]]:
    """Batches without compounds, the row of each shape in the world, and its margin."""
    margin = np.zeros(len(world)) if isinstance(world, Batch) or world.margin is None else world.margin
    for batch, index, place in split(world, np.arange(len(world))):
        shapes = batch.take(index)
        if not isinstance(shapes, Compounds):
            yield shapes, place, margin[place]
            continue
        body, part = shapes.parts_of(np.arange(len(shapes)))
        for one, inner, where in split(shapes.parts, part):
            yield one.take(inner), place[body[where]], np.zeros(len(inner))


def _in_frame(shapes: Batch, frame: Frame) -> Batch:
    count = len(shapes)
    turn = np.broadcast_to(frame.rotation, (count, 3, 3))
    return shapes.placed(turn, np.broadcast_to(-frame.rotation @ frame.origin, (count, 3)))


def _triangles(shapes: Any) -> tuple[Ints, Floats, Floats, Floats, Ints]:
    """Triangles of the surfaces: rows of the batch, corners, normals, padding, and which of them are round."""
    count = len(shapes)
    if isinstance(shapes, Spheres | Capsules):
        start, end = (shapes.center, shapes.center) if isinstance(shapes, Spheres) else (shapes.start, shapes.end)
        every = np.arange(count)
        corner = np.stack([start, end, end], axis=1)
        return every, corner, np.zeros((count, 3)), shapes.radius, np.ones(count, dtype=np.int64)
    if isinstance(shapes, Meshes):
        row, corner, solid = _of_meshes(shapes)
        inside = np.zeros((len(row), 3))
    elif isinstance(shapes, Boxes | Hulls | Triangles):
        found = boundary(shapes)
        row, corner = found.row, found.corner
        solid = np.full(len(row), not isinstance(shapes, Triangles))
        middle = np.zeros((count, 3))
        np.add.at(middle, row, corner.mean(axis=1))
        inside = (middle / np.maximum(np.bincount(row, minlength=count), 1)[:, None])[row]
    else:
        raise UnsupportedPair(f"shapes: no character can walk on {type(shapes).__name__}")
    normal = cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    size = length(normal)
    normal = normal / np.where(size > 0.0, size, 1.0)[:, None]
    if not isinstance(shapes, Meshes):
        out = dot(normal, corner[:, 0] - inside)
        # A flat hull has two sides.
        thick = np.zeros(count)
        np.maximum.at(thick, row, np.abs(out))
        extent = length(corner.reshape(-1, 9)[:, :3] - inside)
        solid &= thick[row] > 1e-12 * np.maximum(extent, 1e-300)
        normal = np.where((solid & (out < 0.0))[:, None], -normal, normal)
    normal = np.where((~solid & (normal[:, 2] < 0.0))[:, None], -normal, normal)
    return row, corner, normal, np.zeros(len(row)), np.zeros(len(row), dtype=np.int64)


def _of_meshes(shapes: Meshes) -> tuple[Ints, Floats, Any]:
    """The triangles of meshes: rows, corners, and whether they bound a solid and face outward."""
    rows, corners, solids = [np.empty(0, dtype=np.int64)], [np.empty((0, 3, 3))], [np.empty(0, dtype=bool)]
    for number, mine in rows_of_each(shapes.index):
        for solid in (False, True):
            some = mine[shapes.solid[mine] == solid]
            if not len(some):
                continue
            mesh = shapes.geometry[number]
            local = (orientation(mesh).mesh if solid else mesh).corners
            placed = np.einsum("nij,tkj->ntki", shapes.rotation[some], local) + shapes.translation[some, None, None]
            rows.append(np.repeat(some, len(local)))
            corners.append(placed.reshape(-1, 3, 3))
            solids.append(np.full(len(some) * len(local), solid))
    return np.concatenate(rows), np.concatenate(corners), np.concatenate(solids)
