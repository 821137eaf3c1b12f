# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes whose shells face outward, except cavities, as used by all queries with solid meshes.

The shells of a mesh may face different ways: a part was mirrored, or each face exists twice, once flipped. Winding
numbers would then cancel where such shells overlap. So each shell is oriented by its place:

- A shell that is not inside another faces outward. All shells inside it are flipped with it. So a mesh that is entirely
inside out bounds the same solid.
  out as a whole bounds the same solid.
- A shell inside another, whose surface it does not touch, is a cavity if it faces inward and there is solid around it.
Otherwise it faces outward: in a cavity it is a separate solid, and in a solid it does not matter.
  Otherwise it faces outward: in a cavity it is a solid of its own, in a solid it does not matter.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from ...broad_phase.sweep_and_prune import sweep_and_prune
from ...mesh.shells import cavities_of, shells_of, volumes_of
from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import rows_of_each
from ...numerics.steps import exhausted
from ...numerics.types import Bools, Floats, Ints
from ...shapes import Meshes
from . import operands
from .leaf_queries import meeting
from .operands import Convex, MeshRows, ShapeRows
from .ray_casting import inside


@dataclass(frozen=True, eq=False)
class Orientation:
    """Orientation of the shells of a watertight mesh.

    Attributes
    ----------
    mesh : TriangleMesh
        The mesh with some triangles flipped. The indices of triangles, vertices and edges are the same.
    shell : (m,) int64
        The shell of each triangle.
    turned : (S,) bool
        Which shells face inward in the given mesh and outward in this one. None if the given mesh is inside out.
    cavity_of : (S,) int64
        The shell in whose solid each cavity is. -1 for shells that are not cavities.
    """

    mesh: TriangleMesh
    shell: Ints
    turned: Bools
    cavity_of: Ints


def orientation(mesh: TriangleMesh) -> Orientation:
    """Orient the shells of a watertight mesh. This is done once for each mesh."""
    return exhausted(orientation_steps(mesh))


def orientation_steps(mesh: TriangleMesh) -> Generator[None, None, Orientation]:
    """Run `orientation` in steps. A small mesh takes none."""
    if "orientation" not in vars(mesh):
        yield from mesh.topology_steps()
        vars(mesh)["orientation"] = yield from _orienting(mesh)
    result: Orientation = vars(mesh)["orientation"]
    return result


def prepared(batch: Meshes) -> Generator[None, None, None]:
    """Compute what queries with a batch need of its large meshes, in steps.

    Without these steps, the first query computes it at once.
    """
    if operands.has_tables(batch):
        return
    for number in operands.needed(batch):
        mesh = batch.geometry[number]
        if batch.solid[batch.index == number].any():
            mesh = (yield from orientation_steps(mesh)).mesh
        yield from mesh.query_steps()


def oriented(mesh: TriangleMesh) -> TriangleMesh:
    """The mesh with its shells oriented. Unchanged if it is not watertight."""
    return orientation(mesh).mesh if mesh.watertight else mesh


def oriented_rows(batch: Meshes) -> MeshRows:
    """The meshes of a batch, row by row, with the shells of solids oriented."""
    geometry = list(batch.geometry)
    for number in np.unique(batch.index[batch.solid]).tolist():
        geometry[number] = orientation(geometry[number]).mesh
    return operands.mesh_rows(batch, geometry)


def oriented_side(shapes: Convex | Meshes) -> ShapeRows:
    """Convert a batch to an operand of a pair query with a mesh, with the shells of solids oriented."""
    return oriented_rows(shapes) if isinstance(shapes, Meshes) else operands.side(shapes)


def _orienting(mesh: TriangleMesh) -> Generator[None, None, Orientation]:
    shell = shells_of(mesh)
    if mesh.is_large:
        yield
    volume = volumes_of(mesh, shell)
    if mesh.is_large:
        yield
    inward = volume < 0.0
    cavity_of = np.full(len(volume), -1)
    if inward.any() and (volume > 0.0).any():
        cavity_of, flipped = cavities_of(volume, *_nested(mesh, shell, volume))
    else:
        flipped = inward
    turned = inward & flipped & ~flipped[volume != 0.0].all()
    return Orientation(mesh.flipped(flipped[shell]) if flipped.any() else mesh, shell, turned, cavity_of)


def _nested(mesh: TriangleMesh, shell: Ints, volume: Floats) -> tuple[Ints, Ints]:
    """Pairs of shells with the first inside the second and surfaces that do not touch, (K,) each."""
    groups = [rows for _, rows in rows_of_each(shell)]
    low, high = (
        np.array([limit(mesh.corners[rows].reshape(-1, 3), axis=0) for rows in groups]) for limit in (np.min, np.max)
    )
    pairs = sweep_and_prune(low, high)
    size = np.abs(volume)
    inner, outer = np.where((size[pairs[:, 0]] < size[pairs[:, 1]])[:, None], pairs, pairs[:, ::-1]).T
    within = (low[outer] < low[inner]).all(axis=1) & (high[inner] < high[outer]).all(axis=1) & (size[outer] > 0.0)
    # A triangle whose corners are one point has no surface that could be inside.
    corner = mesh.welded_triangles
    wide = (corner != np.roll(corner, 1, axis=1)).all(axis=1)
    within &= np.array([wide[rows].any() for rows in groups])[inner]
    inner, outer = inner[within], outer[within]
    nested = np.zeros(len(inner), dtype=bool)
    for number, rows in rows_of_each(outer):
        nested[rows] = _inside(mesh, groups[number], [groups[one] for one in inner[rows].tolist()])
    return inner[nested], outer[nested]


def _inside(mesh: TriangleMesh, around: Ints, shells: list[Ints]) -> Bools:
    """Whether shells (K), given by their triangles, are inside the shell `around`, and do not touch its surface."""
    solid = _rows(mesh, around)
    point = mesh.corners[[triangles[0] for triangles in shells]].mean(axis=1)
    result = inside(solid, np.zeros(len(shells), dtype=np.int64), point)
    rows = np.flatnonzero(result)
    if len(rows):
        owner = np.repeat(rows, [len(shells[row]) for row in rows])
        result[owner[meeting(_rows(mesh, np.concatenate([shells[row] for row in rows])), solid).a]] = False
    return result


def _rows(mesh: TriangleMesh, triangles: Ints) -> MeshRows:
    """Some of the triangles as a separate mesh."""
    used, corner = np.unique(mesh.welded_triangles[triangles], return_inverse=True)
    return operands.mesh_rows(Meshes([TriangleMesh(mesh.points[used], corner.reshape(-1, 3))], [0], solid=True))
