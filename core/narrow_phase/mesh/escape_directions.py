# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions worth trying to part a shape (A) and a mesh (B), none of which depends on the world's axes."""

import numpy as np

from ...mesh.triangle_mesh import build_hulls
from ...numerics.rows import smallest_per_group
from ...numerics.types import Floats, Ints
from ...numerics.vectors import length, normalized
from ...shapes import Capsules, Cylinders, Hulls, Kind, Spheres
from ..convex_table import algorithm
from .bvh_traversal import Near
from .contact_regions import regions
from .operands import Side, Whole
from .placed import Convex, Surfaces

# Edges of the one times edges of the other up to which the hulls of two shapes are parted exactly.
_EDGES = 1 << 16
# Vertices of a mesh up to which its hull is built for that.
_VERTICES = 1 << 12
# Regions of contact, the largest ones, of each pair that give directions.
_REGIONS = 4

_AXES = np.concatenate([np.eye(3), -np.eye(3)])


def directions(a: Side, b: Surfaces, met: Near) -> tuple[Ints, Floats]:
    """Unit directions for each pair: the pair (K,) and the direction (K, 3)."""
    every = np.arange(len(b))
    found = [hull_normals(a, b)]
    for side in (a, b):
        axes = _axes(side)
        turned = np.einsum("nij,kj->nki", side.bodies.rotation, axes)
        found.append((np.repeat(every, len(axes)), turned.reshape(-1, 3)))
    found.append((every, middles(b) - middles(a)))
    if len(met):
        found += _of_regions(a, b, met)
    row, along = (np.concatenate(part) for part in zip(*found, strict=True))
    size = length(along)
    sure = size > 0.0
    return row[sure], along[sure] / size[sure, None]


def _axes(of: Side) -> Floats:
    """Axes of a side's own, in its frame: none of a ball, and only the long one of what is round about it."""
    if isinstance(of, Whole) and isinstance(of.shapes, Spheres):
        return _AXES[:0]
    if isinstance(of, Whole) and isinstance(of.shapes, Capsules | Cylinders):
        return _AXES[2::3]
    return _AXES


def middles(of: Side) -> Floats:
    """The middle of each shape's box, in the world: (N, 3)."""
    bodies = of.bodies
    result: Floats = np.einsum("nij,nj->ni", bodies.rotation, bodies.boxes(bodies.node_start)[0]) + bodies.translation
    return result


def hull_normals(a: Side, b: Surfaces) -> tuple[Ints, Floats]:
    """The normal between the convex hulls of each pair that has few edges: pairs (K,), normals (K, 3)."""
    first, edges_a = _hull(a)
    second, edges_b = _hull(b)
    row = np.flatnonzero(edges_a * edges_b <= _EDGES)
    if first is None or second is None or not len(row):
        return row[:0], np.empty((0, 3))
    return row, algorithm(first.kind, Kind.HULL).distance(first.take(row), second.take(row)).normal


def _hull(of: Side) -> tuple[Convex | None, Ints]:
    """The convex hulls of a side, and how many edges each has."""
    if isinstance(of, Whole):
        shapes = of.shapes
        if isinstance(shapes, Hulls):
            return shapes, np.array(
                [max(1, len(shapes.geometry[index].edges)) for index in shapes.index], dtype=np.int64
            )
        return shapes, np.full(len(shapes), 12)
    if max(len(mesh.used) for mesh in of.meshes) > _VERTICES:
        return None, np.full(len(of), _EDGES + 1)
    build_hulls(of.meshes)
    geometry = [mesh.hull for mesh in of.meshes]
    edges = np.array([max(1, len(hull.edges)) for hull in geometry], dtype=np.int64)
    return Hulls(geometry, of.mesh, of.bodies.translation, of.bodies.rotation), edges[of.mesh]


def _of_regions(a: Side, b: Surfaces, met: Near) -> list[tuple[Ints, Floats]]:
    """Both ways along the mean normals of either side of the largest regions."""
    found = regions(a, b, met)
    largest = smallest_per_group(found.pair, -found.count.astype(np.float64), _REGIONS)
    result = []
    for normal in (found.normal_a, found.normal_b):
        result += [(found.pair[largest], sign * normal[largest]) for sign in (1.0, -1.0)]
    result.append((found.pair[largest], normalized(found.normal_a - found.normal_b, np.zeros(3))[largest]))
    return result
