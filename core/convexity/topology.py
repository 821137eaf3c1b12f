# SPDX-License-Identifier: GPL-3.0-or-later
"""Edge topology of meshes: welding of seams, removal of duplicate faces, and the faces at each edge."""

from dataclasses import dataclass

import numpy as np

from ..numerics.segmented import connected_components
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length


@dataclass(frozen=True, eq=False)
class Faces:
    """Triangles of many meshes.

    Attributes
    ----------
    corners : (m, 3)
        Indices into the points of all meshes one after another.
    mesh : (m,)
        The mesh of each.
    given : (m,)
        Which of the triangles that were given each of them is.
    """

    corners: Ints
    mesh: Ints
    given: Ints

    def take(self, rows: Ints | Bools) -> "Faces":
        """The faces of these rows."""
        return Faces(self.corners[rows], self.mesh[rows], self.given[rows])


@dataclass(frozen=True, eq=False)
class EdgeTopology:
    """How faces are joined.

    A side of a face is numbered ``3 * face + corner`` after the corner that it does not have.

    Attributes
    ----------
    uses, mesh : (E,)
        How many faces share each edge, and the mesh it is in.
    sides : (3 m,)
        The sides of all faces, those at the same edge together.
    first : (E,)
        Where in `sides` those of each edge start.
    partner : (P, 2, 2)
        For each pair of faces that have an edge to themselves: face, and the corner of it that is not on the
        edge.
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
    """Merge coincident vertices, drop faces that become degenerate, and keep each face once.

    Only meshes with seams pay for this: split normals and texture seams double the vertices along them.
    """
    joints = edge_topology(faces, len(points))
    for within in (np.zeros_like(rounding), rounding):
        if not len(joints.boundary_vertices):
            break
        same = np.arange(len(points))
        same[joints.boundary_vertices] = joints.boundary_vertices[
            _weld_targets(
                points[joints.boundary_vertices],
                owner[joints.boundary_vertices],
                within[owner[joints.boundary_vertices]],
            )
        ]
        seamed = np.zeros(len(rounding), np.bool_)
        seamed[owner[joints.boundary_vertices]] = True
        whole, rest = faces.take(~seamed[faces.mesh]), faces.take(seamed[faces.mesh])
        rest = _distinct(Faces(same[rest.corners], rest.mesh, rest.given))
        faces = Faces(
            np.concatenate([whole.corners, rest.corners]),
            np.concatenate([whole.mesh, rest.mesh]),
            np.concatenate([whole.given, rest.given]),
        )
        joints = edge_topology(faces, len(points))
    return faces, joints


def _distinct(faces: Faces) -> Faces:
    """Faces with three different corners, without duplicates."""
    a, b, c = np.sort(faces.corners, axis=1).T
    order = np.lexsort((c, b, a))
    a, b, c = a[order], b[order], c[order]
    again = np.zeros(len(order), np.bool_)
    again[1:] = (a[1:] == a[:-1]) & (b[1:] == b[:-1]) & (c[1:] == c[:-1])
    return faces.take(order[(a != b) & (b != c) & ~again])


def _weld_targets(points: Floats, owner: Ints, within: Floats) -> Ints:
    """For each point, the lowest index of the points of its mesh within `within`, directly or through others."""
    # Along a direction that no modeler has a reason to line points up in, few other points are as near.
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
    """How many times the rounding of its points a height over the plane of a triangle may be off.

    One for a point as far from the triangle as that is wide. The plane of a sliver, or of a short edge seen
    from afar, is extrapolated from corners that are close together, and multiplies what these are off by.

    Parameters
    ----------
    corners : (P, 3, 3)
    at : (P, 3)
        Where the heights are measured.

    Returns
    -------
    (P,)
        A quarter of what the weights of the four points in the height, one and the barycentric coordinates,
        come to; at least one. Infinite over a triangle without area.
    """
    u, v, w = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], at - corners[:, 0]
    normal = np.cross(u, v)
    area = length(normal)
    flat = area == 0.0
    area = np.where(flat, 1.0, area)
    unit = normal / area[:, None]
    beta, gamma = dot(np.cross(w, v), unit) / area, dot(np.cross(u, w), unit) / area
    weights = 1.0 + np.abs(1.0 - beta - gamma) + np.abs(beta) + np.abs(gamma)
    result: Floats = np.where(flat, np.inf, np.maximum(1.0, weights / 4.0))
    return result
