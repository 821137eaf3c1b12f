# SPDX-License-Identifier: GPL-3.0-or-later
"""Edge topology of a mesh after welding and removal of duplicate faces, and the dihedral folds at its edges."""

from dataclasses import dataclass, replace

import numpy as np

from ..numerics.rows import RowTable, connected_components
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length


@dataclass(frozen=True, eq=False)
class Faces(RowTable):
    """Triangles of many meshes.

    Attributes
    ----------
    corners : (m, 3)
        Indices into the concatenated points of all meshes.
    mesh : (m,)
        The mesh of each triangle.
    given : (m,)
        The index of each triangle among those given.
    copies : (m,)
        How many of the triangles given have the same three corners as this one, which stands for them.
    """

    corners: Ints
    mesh: Ints
    given: Ints
    copies: Ints

    @classmethod
    def of(cls, corners: Ints, mesh: Ints) -> "Faces":
        """The triangles given."""
        return cls(corners, mesh, np.arange(len(corners)), np.ones(len(corners), np.int64))


@dataclass(frozen=True, eq=False)
class EdgeTopology:
    """Connections of faces.

    A side of a face has the number ``3 * face + corner``, where `corner` is the corner that is not on the side.

    Attributes
    ----------
    uses, mesh : (E,)
        The number of faces at each edge, and the mesh that it belongs to.
    sides : (3 m,)
        The sides of all faces, grouped by edge.
    first : (E,)
        Where the sides of each edge start in `sides`.
    partner : (P, 2, 2)
        For each edge of exactly two faces: each face, and its corner that is not on the edge.
    boundary_vertices : (R,)
        The vertices of all other edges.
    """

    uses: Ints
    mesh: Ints
    sides: Ints
    first: Ints
    partner: Ints
    boundary_vertices: Ints


def weld(points: Floats, owner: Ints, faces: Faces, rounding: Floats) -> tuple[Faces, EdgeTopology]:
    """Merge coincident vertices, and drop degenerate and duplicate faces.

    Only vertices at edges without exactly two faces are compared: seams of normals and textures double the vertices.
    """
    topology, distinct = edge_topology(faces, len(points)), False
    for within in (np.zeros_like(rounding), rounding):
        if not len(topology.boundary_vertices):
            break
        same = np.arange(len(points))
        same[topology.boundary_vertices] = topology.boundary_vertices[
            _weld_targets(
                points[topology.boundary_vertices],
                owner[topology.boundary_vertices],
                within[owner[topology.boundary_vertices]],
            )
        ]
        if distinct and (same == np.arange(len(points))).all():
            break
        seamed = np.zeros(len(rounding), np.bool_)
        seamed[owner[topology.boundary_vertices]] = True
        whole, rest = faces.take(~seamed[faces.mesh]), faces.take(seamed[faces.mesh])
        merged = _distinct(replace(rest, corners=same[rest.corners]))
        distinct = True
        # An open mesh without a seam stays as it is.
        if len(merged.corners) < len(rest.corners) or (same != np.arange(len(points))).any():
            faces = Faces.joined([whole, merged])
            topology = edge_topology(faces, len(points))
    return faces, topology


def _distinct(faces: Faces) -> Faces:
    """Faces with three different corners, without duplicates."""
    a, b, c = np.sort(faces.corners, axis=1).T
    order = np.lexsort((c, b, a))
    a, b, c = a[order], b[order], c[order]
    again = np.zeros(len(order), np.bool_)
    again[1:] = (a[1:] == a[:-1]) & (b[1:] == b[:-1]) & (c[1:] == c[:-1])
    copies = np.bincount(np.cumsum(~again) - 1, weights=faces.copies[order]).astype(np.int64)
    kept = (a != b)[~again] & (b != c)[~again]
    return replace(faces.take(order[~again]), copies=copies).take(kept)


def _weld_targets(points: Floats, owner: Ints, within: Floats) -> Ints:
    """For each point, the lowest index of the points of its mesh within `within`, directly or through other points."""
    # Models rarely align points at right angles to this direction, so that few points have nearly equal values.
    along = points @ np.array([0.5483, 0.7071, 0.4465])
    order = np.lexsort((along, owner))
    pairs = []
    for step in range(1, len(points)):
        a, b = order[:-step], order[step:]
        near = (owner[a] == owner[b]) & (along[b] - along[a] <= 2.0 * within[a])
        if not near.any():
            break
        a, b = a[near], b[near]
        same = np.abs(points[a] - points[b]).max(axis=1) <= within[a]
        pairs.append(np.stack([a[same], b[same]]))
    a, b = np.concatenate(pairs, axis=1) if pairs else np.empty((2, 0), np.int64)
    return connected_components(len(points), a, b)


def edge_topology(faces: Faces, points: int) -> EdgeTopology:
    """The edges of faces, and the faces at each edge."""
    ends = faces.corners[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2)
    label = ends.min(axis=1) * points + ends.max(axis=1)
    order = np.argsort(label, kind="stable")
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = label[order[1:]] != label[order[:-1]]
    starts = np.flatnonzero(fresh)
    uses = np.diff(np.append(starts, len(order)))
    pairs = starts[uses == 2]
    side = np.stack([order[pairs], order[pairs + 1]], axis=1)
    boundary_vertices = np.zeros(points, np.bool_)
    boundary_vertices[ends[order[starts[uses != 2]]]] = True
    return EdgeTopology(
        uses=uses,
        mesh=faces.mesh[order[starts] // 3],
        sides=order,
        first=starts,
        partner=np.stack([side // 3, side % 3], axis=-1),
        boundary_vertices=np.flatnonzero(boundary_vertices),
    )


def extrapolation_factor(corners: Floats, at: Floats) -> Floats:
    """By which factor a height above the plane of a triangle may exceed the rounding of its points.

    It is one for a point that is as far from the triangle as that is wide. The plane of a sliver, or of a triangle that
    is small compared with the distance, is extrapolated from corners that are close together, which multiplies their
    errors.

    Parameters
    ----------
    corners : (P, 3, 3)
    at : (P, 3)
        Where the heights are measured.

    Returns
    -------
    (P,)
        A quarter of the sum of the absolute weights of the four points in the height: one, and the barycentric
        coordinates. At least one; infinite for a triangle without area.
    """
    u, v, w = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], at - corners[:, 0]
    normal = cross(u, v)
    area = length(normal)
    flat = area == 0.0
    area = np.where(flat, 1.0, area)
    unit = normal / area[:, None]
    beta, gamma = dot(cross(w, v), unit) / area, dot(cross(u, w), unit) / area
    weights = 1.0 + np.abs(1.0 - beta - gamma) + np.abs(beta) + np.abs(gamma)
    result: Floats = np.where(flat, np.inf, np.maximum(1.0, weights / 4.0))
    return result


@dataclass(frozen=True, eq=False)
class Folds:
    """The folds between faces that meet, one row for each pair of faces.

    A side of a face has the number ``3 * face + corner``, where `corner` is the corner that is not on the side.

    Attributes
    ----------
    sides : (P, 2)
        The sides at which they meet.
    between : (P,)
        If they meet across slivers, the sliver at the first side; otherwise -1.
    reflex : (P,)
        Whether they fold inward by more than rounding.
    height : (P,)
        The height of the far corner of the smaller face above the plane of the larger; not negative if they fold
        inward.
    angle : (P,)
        The inner angle minus 180°, in radians.
    inconsistent : (K, 2)
        Sides of faces that are wound against each other.
    non_orientable : bool
        Whether the surface cannot be wound consistently.
    inside_out : bool
        Whether most of the surface is wound with the outside in.
    components : int
        The number of connected components; parts are connected if they share an edge.
    """

    sides: Ints
    between: Ints
    reflex: Bools
    height: Floats
    angle: Floats
    inconsistent: Ints
    non_orientable: bool
    inside_out: bool
    components: int


def find_folds(points: Floats, faces: Faces, topology: EdgeTopology, rounding: float) -> Folds:
    """Measure the folds of a mesh at each edge where two faces meet.

    Parameters
    ----------
    points : (n, 3)
        Relative to the middle of the mesh.
    faces, topology : Faces, EdgeTopology
        The faces and edges of one mesh, after welding.
    rounding : float
        The largest error of a corner's position, in the unit of the points.
    """
    corners = points[faces.corners]
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = length(normal)
    longest = length(corners[:, [2, 0, 1]] - corners[:, [1, 2, 0]])
    # A triangle this narrow differs from its longest side by no more than rounding.
    sliver = area <= rounding * longest.max(axis=1, initial=0.0)

    side = 3 * topology.partner[:, :, 0] + topology.partner[:, :, 1]
    start = faces.corners[side // 3, (side % 3 + 1) % 3]
    a, b = side[:, 0] // 3, side[:, 1] // 3
    same_way = start[:, 0] == start[:, 1]
    root, flipped = _oriented_components(len(corners), a, b, same_way)
    crossed = (flipped[a] ^ flipped[b]) != same_way
    outward, inside_out = _outward(corners, normal, area, root, flipped, rounding)

    across, slivers = _across_slivers(side, sliver, np.argmax(longest, axis=1))
    sides = np.concatenate([side, across])
    height, angle, reliable = _measure(corners, outward, area, sides, rounding)
    f, g = sides[:, 0] // 3, sides[:, 1] // 3
    # Faces that lie on each other have no height. They face opposite ways, and both have a reliable plane.
    folded_back = (np.abs(height) <= reliable) & (dot(outward[f], outward[g]) < 0.0) & ~sliver[f] & ~sliver[g]
    edge = np.repeat(np.arange(len(topology.uses)), topology.uses)
    shared = np.flatnonzero(edge[1:] == edge[:-1])
    first, second = topology.sides[shared] // 3, topology.sides[shared + 1] // 3
    connected = connected_components(len(corners), first, second)
    return Folds(
        sides=sides,
        between=np.concatenate([np.full(len(side), -1), slivers]),
        reflex=(height > reliable) | folded_back,
        height=np.where(folded_back, np.maximum(height, 0.0), height),
        angle=np.where(folded_back, np.abs(angle), angle),
        inconsistent=side[same_way],
        non_orientable=bool(crossed.any()),
        inside_out=inside_out,
        components=len(np.unique(connected)),
    )


def _oriented_components(count: int, a: Ints, b: Ints, inconsistent: Bools) -> tuple[Ints, Bools]:
    """Connected components, and which members must be flipped to agree within each component.

    Parameters
    ----------
    count : int
    a, b : (P,)
        Connected members.
    inconsistent : (P,)
        Whether one of the two must be flipped to agree with the other.

    Returns
    -------
    label : (count,)
        The lowest member of each component.
    flipped : (count,)
        Whether the member must be flipped to agree with the lowest one.
    """
    label, flipped = np.arange(count), np.zeros(count, np.bool_)
    while True:
        apart = label[a] != label[b]
        if not apart.any():
            return label, flipped
        a, b, inconsistent = a[apart], b[apart], inconsistent[apart]
        low, high = np.minimum(label[a], label[b]), np.maximum(label[a], label[b])
        order = np.lexsort((low, high))
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = high[order[1:]] != high[order[:-1]]
        link = order[fresh]
        parent, over = np.arange(count), np.zeros(count, np.bool_)
        parent[high[link]] = low[link]
        over[high[link]] = (inconsistent ^ flipped[a] ^ flipped[b])[link]
        while (parent[parent] != parent).any():
            over ^= over[parent]
            parent = parent[parent]
        flipped ^= over[label]
        label = parent[label]


def _outward(
    corners: Floats, normal: Floats, area: Floats, root: Ints, flipped: Bools, rounding: float
) -> tuple[Floats, bool]:
    """Outward normals with the length of twice the area, and whether most of the surface is wound inward."""
    count = len(corners)
    sign = np.where(flipped, -1.0, 1.0)
    surface = np.bincount(root, weights=area, minlength=count)
    weight = area / np.where(surface[root] > 0.0, surface[root], 1.0)
    middle = np.stack([np.bincount(root, weights=weight * x, minlength=count) for x in corners.mean(axis=1).T], axis=1)
    cone = dot(sign[:, None] * normal, corners[:, 0] - middle[root])
    enclosed = np.bincount(root, weights=cone, minlength=count)
    as_wound = np.bincount(root, weights=sign * area, minlength=count)
    # A component that encloses no volume keeps the outside that its winding gives.
    outside = np.where(np.abs(enclosed) > rounding * surface, enclosed, as_wound)
    sign *= np.where(outside < 0.0, -1.0, 1.0)[root]
    return sign[:, None] * normal, bool((sign * area).sum() < 0.0)


def _across_slivers(side: Ints, sliver: Bools, longest: Ints) -> tuple[Ints, Ints]:
    """For each face with a sliver at one of the sliver's shorter sides, the face beyond the sliver's longest side.

    Returns
    -------
    sides : (K, 2)
        The side of the face, and the side of the face beyond. Chains of slivers are passed, too.
    between : (K,)
        The first sliver.
    """
    if not sliver.any():
        return np.empty((0, 2), np.int64), np.empty(0, np.int64)
    twin = np.full(3 * len(sliver), -1)
    twin[side[:, 0]], twin[side[:, 1]] = side[:, 1], side[:, 0]
    sides = np.arange(len(twin))
    through = 3 * (sides // 3) + longest[sides // 3]
    passes = sliver[sides // 3] & (sides != through) & (twin[through] >= 0)
    following = np.where(passes, twin[through], sides)
    for _ in range(len(twin).bit_length()):  # doubling reaches the end of any chain; a ring of slivers has no end
        following = following[following]
    near = np.flatnonzero((twin >= 0) & ~sliver[sides // 3])
    near = near[sliver[twin[near] // 3]]
    beyond = following[twin[near]]
    kept = ~sliver[beyond // 3] & (beyond // 3 != near // 3)
    return np.stack([near[kept], beyond[kept]], axis=1), twin[near[kept]] // 3


def _measure(
    corners: Floats, outward: Floats, area: Floats, sides: Ints, rounding: float
) -> tuple[Floats, Floats, Floats]:
    """Height and angle of each fold, and the height above which it is more than rounding."""
    face, corner = sides // 3, sides % 3
    row = np.arange(len(sides))
    # Measured from the plane of the larger face, because that of a sliver is not reliable.
    larger = np.argmax(area[face], axis=1)
    base, other = face[row, larger], face[row, 1 - larger]
    apex = corners[other, corner[row, 1 - larger]]
    height = dot(outward[base], apex - corners[base, 0]) / np.where(area[base] > 0.0, area[base], 1.0)
    reliable = rounding * extrapolation_factor(corners[base], apex)
    sine = length(cross(outward[base], outward[other]))
    angle = np.copysign(np.arctan2(sine, dot(outward[base], outward[other])), height)
    return height, angle, reliable
