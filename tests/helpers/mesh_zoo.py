# SPDX-License-Identifier: GPL-3.0-or-later
"""Small triangle meshes for the tests: various solids, open surfaces, and degenerate meshes."""

import itertools

import numpy as np

import collision_kit.core as ck
from collision_kit.core.mesh.triangle_mesh import TriangleMesh

Mesh = tuple[np.ndarray, np.ndarray]


def voxels(cells: list[tuple[int, int, int]]) -> Mesh:
    """The surface of a union of unit cells of the lattice, facing outward."""
    filled = set(cells)
    points: dict[tuple[int, ...], int] = {}
    triangles = []
    for cell in cells:
        for axis, side in itertools.product(range(3), (0, 1)):
            beyond = list(cell)
            beyond[axis] += 2 * side - 1
            if tuple(beyond) in filled:
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corners = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                corner = list(cell)
                corner[axis] += side
                corner[u] += du
                corner[v] += dv
                corners.append(points.setdefault(tuple(corner), len(points)))
            if not side:
                corners.reverse()
            triangles += [(corners[0], corners[1], corners[2]), (corners[0], corners[2], corners[3])]
    return np.array(list(points), dtype=float), np.array(triangles)


def box() -> Mesh:
    """The unit cell."""
    return voxels([(0, 0, 0)])


def bracket() -> Mesh:
    """Three cells around a corner."""
    return voxels([(0, 0, 0), (1, 0, 0), (0, 1, 0)])


def ring() -> Mesh:
    """Eight cells around a hole."""
    return voxels([(x, y, 0) for x in range(3) for y in range(3) if (x, y) != (1, 1)])


def torus(around: int = 8, across: int = 5) -> Mesh:
    """A torus about the z axis."""
    turn, tilt = (2.0 * np.pi * np.arange(n) / n for n in (around, across))
    distance = 1.0 + 0.4 * np.cos(tilt)
    points = np.stack(
        [
            np.outer(np.cos(turn), distance),
            np.outer(np.sin(turn), distance),
            np.tile(0.4 * np.sin(tilt), (around, 1)),
        ],
        axis=2,
    ).reshape(-1, 3)
    i, j = (grid.reshape(-1) for grid in np.meshgrid(np.arange(around), np.arange(across), indexing="ij"))
    following, up = (i + 1) % around, (j + 1) % across
    a, b, c, d = i * across + j, following * across + j, following * across + up, i * across + up
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def terrain(rng: np.random.Generator, cells: int = 4) -> Mesh:
    """An open height field over the unit square."""
    line = np.linspace(0.0, 1.0, cells + 1)
    x, y = (grid.reshape(-1) for grid in np.meshgrid(line, line, indexing="ij"))
    points = np.stack([x, y, 0.3 * rng.random(len(x))], axis=1)
    i, j = (grid.reshape(-1) for grid in np.meshgrid(np.arange(cells), np.arange(cells), indexing="ij"))
    a = i * (cells + 1) + j
    b, c, d = a + cells + 1, a + cells + 2, a + 1
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def joined(meshes: list[Mesh]) -> Mesh:
    """Several meshes combined into one."""
    first = np.cumsum([0, *(len(points) for points, _ in meshes)])
    triangles = [mesh[1] + start for mesh, start in zip(meshes, first, strict=False)]
    return np.concatenate([points for points, _ in meshes]), np.concatenate(triangles)


def moved(mesh: Mesh, shift: tuple[float, float, float], scale: float = 1.0) -> Mesh:
    return scale * mesh[0] + np.array(shift), mesh[1]


def soup(mesh: Mesh) -> Mesh:
    """Every triangle with its own corners, as in files that list facets."""
    return mesh[0][mesh[1]].reshape(-1, 3), np.arange(3 * len(mesh[1])).reshape(-1, 3)


def inside_out(mesh: Mesh) -> Mesh:
    return mesh[0], mesh[1][:, ::-1]


def hollow() -> Mesh:
    """A cell of three units with a cell of one unit removed from its center."""
    return joined([moved(box(), (-1.5, -1.5, -1.5), 3.0), inside_out(moved(box(), (-0.5, -0.5, -0.5)))])


def generic(rng: np.random.Generator) -> Mesh:
    """A mesh of about unit size, in general position except for the right angles of the mesh itself."""
    choice = rng.integers(0, 9)
    if choice == 0:
        points, triangles = torus()
    elif choice == 1:
        points, triangles = terrain(rng)
    elif choice == 2:
        # Two intersecting boxes: a union with surfaces inside.
        points, triangles = joined([box(), moved(box(), (0.3, 0.4, 0.5))])
    elif choice == 3:
        points, triangles = joined([box(), moved(box(), (1.6, 0.1, 0.2), 0.7)])
    elif choice == 4:
        points, triangles = box()[0], box()[1][2:]  # a box without a lid
    elif choice == 5:
        points, triangles = inside_out(soup(bracket()))
    elif choice == 6:
        points, triangles = hollow()
    else:
        points, triangles = (bracket, ring)[choice - 7]()
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    size = rng.uniform(0.3, 1.0, 3) / (points.max(axis=0) - points.min(axis=0)).max() * 1.6
    return (points - middle) * size, triangles


def degenerate(rng: np.random.Generator) -> Mesh:
    """A mesh on a lattice with step 1/2, including flat meshes, duplicated meshes, and triangles without area."""
    choice = rng.integers(0, 9)
    if choice == 0:
        return moved(box(), (-0.5, -0.5, -0.5))
    if choice == 1:
        return moved(bracket(), (-0.5, -0.5, -0.5), 0.5)
    if choice == 2:
        return moved(ring(), (-0.75, -0.75, -0.25), 0.5)
    if choice == 3:
        return hollow()
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    if choice == 4:
        return square, np.array([[0, 1, 2], [0, 2, 3]])
    if choice == 5:
        # Both sides of a sheet: watertight and empty.
        return square, np.array([[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 2, 0]])
    if choice == 6:
        # A corner, a segment and a point among the triangles.
        return square, np.array([[0, 1, 2], [0, 1, 1], [3, 3, 3]])
    if choice == 7:
        return joined([box(), moved(box(), (0.5, 0.5, 0.5))])
    return rng.integers(-1, 2, (6, 3)) / 2.0, rng.integers(0, 6, (3, 3))


def meshes(rng: np.random.Generator, count: int, maker: str, place: np.ndarray, rotation: np.ndarray) -> ck.Meshes:
    make = {"generic": generic, "degenerate": degenerate}[maker]
    return ck.Meshes.from_triangles([make(rng) for _ in range(count)], place, rotation)


def scaled(shapes: ck.Meshes, scale: float) -> list[TriangleMesh]:
    """The geometries of a batch, scaled."""
    return [TriangleMesh.checked(scale * mesh.points, mesh.triangles, "mesh") for mesh in shapes.geometry]


def world(shapes: ck.Meshes, row: int) -> np.ndarray:
    """Corners of one row's triangles in the world, (m, 3, 3)."""
    mesh = shapes.geometry[shapes.index[row]]
    return mesh.points[mesh.triangles] @ shapes.rotation[row].T + shapes.translation[row]


def winding(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The winding numbers of a closed surface around points (k, 3), by solid angles: integers off the surface."""
    p, q, r = np.moveaxis(triangles[None] - points[:, None, None], 2, 0)
    a, b, c = (np.linalg.norm(v, axis=2) for v in (p, q, r))
    volume = (p * np.cross(q, r)).sum(axis=2)
    level = a * b * c + (p * q).sum(axis=2) * c + (q * r).sum(axis=2) * a + (r * p).sum(axis=2) * b
    return np.arctan2(volume, level).sum(axis=1) / (2.0 * np.pi)
