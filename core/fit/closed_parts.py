# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed parts of a mesh: the solids that it consists of, even where they share vertices, edges or faces.

Each side of a triangle faces one region of space. Around an edge, the triangles are sorted by angle: the sides of two
neighbors that face each other face the same region. Sides that are connected in this way bound one region. A region
that they enclose is a solid if it borders the outside. The region on the other side of a solid is also a solid if the
face between them was given twice, as for two boxes that share a face; otherwise it is empty, like a room between walls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..broad_phase.sweep_and_prune import sweep_and_prune
from ..convexity.report import ROUNDING
from ..convexity.topology import EdgeTopology, Faces, edge_topology, weld
from ..hull import convex_hull
from ..mesh.shells import cavities_of, half_planes
from ..mesh.triangle_mesh import LoosePart, TriangleMesh
from ..numerics.rows import cyclic_successors, numbered_components, rows_of_each
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_range, point_set
from ..numerics.vectors import cross, dot, length
from ..query.queries import contains
from ..shapes import Meshes

# Dimensionless: a fraction of the surface. If at least this much of the faces around a region are its own, it is a
# solid; a smaller part may consist of faces with the wrong orientation.
_OWN_FACES = 0.25


@dataclass(frozen=True, eq=False)
class MeshPart(LoosePart):
    """A part of a mesh.

    Attributes
    ----------
    points : (k, 3) float64
        The points of its triangles.
    triangles : (m, 3) int64
        Indices into `points`.
    point_index : (k,) int64
        Indices of the points in the mesh, ascending.
    triangle_index : (m,) int64
        Indices of the triangles in the mesh, ascending.
    closed : bool
        Whether the triangles enclose a solid. If so, they face outward.
    """

    closed: bool


def closed_parts(points: ArrayLike, triangles: ArrayLike) -> list[MeshPart]:
    """The closed parts of a mesh, and the remaining parts, in the order of their lowest points.

    - Closed parts that share vertices, edges or faces are separate. A face between two of them belongs to both, whether
      the mesh has it twice or once.
    - Parts that face inward are turned. A part that faces the other way inside another is a cavity, and belongs to it.
    - Parts in the same place as an earlier part are omitted.
    - Triangles that are in no closed part form the other parts, which are open. Those that share a point are connected.
      Flat ones are joined to a closed part that they share a point with.

    If the mesh is not closed otherwise, points with the same coordinates, within rounding, are merged, so seams of
    textures or shading do not split a mesh. Points without triangles are omitted.

    Parameters
    ----------
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int

    Returns
    -------
    list of MeshPart

    Raises
    ------
    ValueError
        If shapes are wrong, a coordinate is not finite or out of range, there is no triangle, or an index is out of
        range.

    Examples
    --------
    Two tetrahedra on both sides of one triangle:

    >>> from collision_kit.core import fit
    >>> points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1]]
    >>> above, below = [[0, 1, 3], [1, 2, 3], [2, 0, 3]], [[1, 0, 4], [2, 1, 4], [0, 2, 4]]
    >>> len(fit.closed_parts(points, [*above, *below, [0, 2, 1]]))
    2
    """
    given = point_set(points, "points", (3,))
    check_range(given, "points")
    mesh = TriangleMesh.checked(given, triangles, "mesh")
    hull = convex_hull(points)
    rounding = ROUNDING * hull.tolerance
    low = mesh.points.min(axis=0)
    centered = mesh.points - (low + (mesh.points.max(axis=0) - low) / 2.0)
    faces = Faces.of(mesh.triangles, np.zeros(len(mesh.triangles), np.int64))
    faces, topology = weld(centered, np.zeros(len(centered), np.int64), faces, np.array([rounding]))
    if not len(faces):
        faces = Faces.of(mesh.triangles, np.zeros(len(mesh.triangles), np.int64))
    solids = _solids(centered, faces, _unshared(faces, topology), rounding)
    used = np.zeros(len(faces), np.bool_)
    for one in solids:
        used[one.rows] = True
    solids = _distinct(centered, faces, _with_cavities(centered, faces, solids), rounding)
    parts = [_part(mesh, faces, one) for one in _with_sheets(centered, faces, solids, np.flatnonzero(~used))]
    return sorted(parts, key=lambda part: int(part.point_index[0]))


@dataclass(frozen=True, eq=False)
class _Faces:
    """Faces of a part.

    Attributes
    ----------
    rows, turned : (m,)
        Which faces they are, and whether each must be turned to face outward.
    inward : bool
        Whether most of the surface faces inward as given.
    volume : float
        What they enclose; 0 for an open part.
    """

    rows: Ints
    turned: Bools
    inward: bool = False
    volume: float = 0.0


def _unshared(faces: Faces, topology: EdgeTopology) -> Ints:
    """The corners of the faces, numbered so that faces of different surfaces, each closed on its own, share no vertex.

    A surface consists of the faces that are connected by edges with two faces.
    """
    first, second = topology.partner[:, :, 0].T
    surface = numbered_components(len(faces), first, second)
    edge = np.repeat(np.arange(len(topology.uses)), topology.uses)
    kinds, uses = np.unique(edge * len(faces) + surface[topology.sides // 3], return_counts=True)
    closed = np.bincount(kinds % len(faces), weights=uses != 2, minlength=int(surface.max(initial=0)) + 1) == 0
    group = np.where(closed[surface], surface + 1, 0)
    span = int(faces.corners.max(initial=0)) + 1
    return np.unique(group[:, None] * span + faces.corners, return_inverse=True)[1].reshape(-1, 3)


def _solids(points: Floats, faces: Faces, corners: Ints, rounding: float) -> list[_Faces]:
    """The solids that faces enclose; `corners` are the corners of the faces, as returned by `_unshared`."""
    place = points[faces.corners]
    region = _regions(place, corners)
    area, volume = _sizes(place, region)
    encloses, around = volume > rounding * area, volume < -rounding * area
    solid = _are_solid(region, encloses, around, length(_across(place)), faces.copies)
    front, back = region.reshape(-1, 2).T
    separates = front != back
    sides = np.flatnonzero(solid[region] & np.repeat(separates, 2))
    single = np.where(faces.copies % 2 == 1, length(_across(place)), 0.0)
    found = []
    for number, rows in rows_of_each(region[sides]):
        face, turned = sides[rows] // 2, sides[rows] % 2 == 0
        inward = bool(single[face[turned]].sum() > single[face[~turned]].sum())
        found.append(_Faces(face, turned, inward, float(volume[number])))
    return found


def _regions(place: Floats, corners: Ints) -> Ints:
    """The region that each side of each face borders, (2 m,): first for the fronts, then for the backs of all faces."""
    topology = edge_topology(Faces.of(corners, np.zeros(len(corners), np.int64)), int(corners.max(initial=0)) + 1)
    face, corner = np.divmod(topology.sides, 3)
    start, end = corners[face, (corner + 1) % 3], corners[face, (corner + 2) % 3]
    along = start < end
    edge = np.repeat(np.arange(len(topology.uses)), topology.uses)
    plane = np.zeros(len(edge), np.int64)
    crowded = np.flatnonzero(topology.uses[edge] > 2)
    if len(crowded):
        low, high = (corner + np.where(along, 1, 2)) % 3, (corner + np.where(along, 2, 1)) % 3
        low, high, apex = (place[face[crowded], which[crowded]] for which in (low, high, corner))
        plane[crowded] = half_planes(low, high, apex, edge[crowded])
    # In the same half-plane, faces that end a solid come before faces that begin one, and surfaces have the same order
    # at all edges.
    first, second = topology.partner[:, :, 0].T
    surface = numbered_components(len(corners), first, second)[face]
    order = np.lexsort((np.where(along, surface, -surface), ~along, plane, edge))
    face, along = face[order], along[order]
    # Seen along the edge, the front of a face that runs along it faces the next face.
    ahead, behind = 2 * face + ~along, 2 * face + along
    return numbered_components(2 * len(corners), ahead, behind[cyclic_successors(topology.uses)])


def _across(place: Floats) -> Floats:
    """Normals of triangles (m, 3, 3), twice as long as their areas."""
    return cross(place[:, 1] - place[:, 0], place[:, 2] - place[:, 0])


def _sizes(place: Floats, region: Ints) -> tuple[Floats, Floats]:
    """The surface of each region, and its volume if it is enclosed; negative for the region outside."""
    face = np.arange(len(region)) // 2
    origin = place[face[np.unique(region, return_index=True)[1]], 0]
    across = _across(place)
    cone = dot(across[face], place[face, 0] - origin[region])
    cone[::2] *= -1.0
    area = np.bincount(region, weights=length(across)[face]) / 2.0
    return area, np.bincount(region, weights=cone) / 6.0


def _are_solid(region: Ints, encloses: Bools, around: Bools, area: Floats, copies: Ints) -> Bools:
    """Return which regions are solid, determined from the outside inward.

    `around` are the regions outside. Other regions without volume are flat: they lie between two faces in the same
    place, whose orientations carry no information.

    The region on the other side of a solid is a solid if the faces around it are its own, that is, given twice or
    facing outward.
    """
    count = len(encloses)
    front, back = region.reshape(-1, 2).T
    # Each face has two rows, one for each side. The first of the two is for the region behind the face, as given.
    here, there, own = (
        np.concatenate([back, front]),
        np.concatenate([front, back]),
        np.repeat([True, False], len(front)),
    )
    area, copies = np.tile(area, 2), np.tile(copies, 2)
    outer = encloses[here] & ~encloses[there]
    seen = outer & around[there]
    facing = np.bincount(here[seen], weights=np.where(own, area, -area)[seen], minlength=count)
    # Faces that border only solids are oriented like most of the surface.
    outward = np.where(facing == 0.0, facing.sum(), facing) >= 0.0
    solid = np.zeros(count, np.bool_)
    solid[here[outer]] = True
    unknown = encloses & ~solid
    while unknown.any():
        rows = np.flatnonzero(unknown[here] & encloses[there])
        odd, behind = copies[rows] % 2 == 1, there[rows]
        # A face between two solids may be the only face that a region not yet classified has of its own.
        yes = np.where(solid[behind] | unknown[behind], ~odd | (own[rows] == outward[behind]), odd)
        share = [np.bincount(here[rows], weights=weight, minlength=count) for weight in (area[rows] * yes, area[rows])]
        reached = np.zeros(count, np.bool_)
        reached[here[rows[~unknown[behind]]]] = True
        if not reached.any():
            break
        solid |= reached & (share[0] >= _OWN_FACES * share[1])
        unknown &= ~reached
    return solid


def _with_cavities(points: Floats, faces: Faces, solids: list[_Faces]) -> list[_Faces]:
    """The solids, with cavities merged into the solids around them."""
    inward = np.array([one.inward for one in solids], np.bool_)
    if not inward.any() or inward.all():
        return solids
    pairs = _nested_bounds(points, faces, solids)
    nested = [_holds(points, faces, solids[outer], solids[inner]) for outer, inner in pairs.tolist()]
    outer, inner = pairs[np.array(nested, dtype=bool)].T
    volume = np.array([-one.volume if one.inward else one.volume for one in solids])
    cavity_of = cavities_of(volume, inner, outer)[0]
    parts = {number: one for number, one in enumerate(solids)}
    for number in np.flatnonzero(cavity_of >= 0).tolist():
        hole, host = parts.pop(number), int(cavity_of[number])
        whole = parts[host]
        parts[host] = replace(
            whole,
            rows=np.concatenate([whole.rows, hole.rows]),
            turned=np.concatenate([whole.turned, ~hole.turned]),
            volume=whole.volume - hole.volume,
        )
    return list(parts.values())


def _nested_bounds(points: Floats, faces: Faces, solids: list[_Faces]) -> Ints:
    """Pairs of solids (P, 2) where the bounds of the first contain those of the second."""
    corners = [points[faces.corners[one.rows]].reshape(-1, 3) for one in solids]
    low, high = np.array([one.min(axis=0) for one in corners]), np.array([one.max(axis=0) for one in corners])
    pairs = sweep_and_prune(low, high)
    pairs = np.concatenate([pairs, pairs[:, ::-1]])
    outer, inner = pairs.T
    result: Ints = pairs[(low[outer] < low[inner]).all(axis=1) & (high[inner] < high[outer]).all(axis=1)]
    return result


def _holds(points: Floats, faces: Faces, outer: _Faces, inner: _Faces) -> bool:
    """Whether the first solid contains the other."""
    a, b = (_mesh(points, _oriented(faces.corners[one.rows], one.turned)) for one in (outer, inner))
    return bool(contains(a, b)[0])


def _mesh(points: Floats, corners: Ints) -> Meshes:
    used, triangles = np.unique(corners, return_inverse=True)
    return Meshes.from_triangles([(points[used], triangles.reshape(-1, 3))], solid=True)


def _oriented(corners: Ints, turned: Bools) -> Ints:
    """Triangles (m, 3), with the orientation of some of them reversed."""
    return np.where(turned[:, None], corners[:, [0, 2, 1]], corners)


def _distinct(points: Floats, faces: Faces, solids: list[_Faces], rounding: float) -> list[_Faces]:
    """The solids without those that have the same corners, surface and volume as an earlier one."""
    kept: dict[bytes, list[tuple[float, float]]] = {}
    found = []
    for one in sorted(solids, key=lambda one: int(one.rows.min())):
        corners = faces.corners[one.rows]
        area = float(length(_across(points[corners])).sum()) / 2.0
        known = kept.setdefault(np.unique(points[np.unique(corners)] + 0.0, axis=0).tobytes(), [])
        if not any(abs(a - area) <= 1e-9 * a and abs(v - one.volume) <= rounding * a for a, v in known):
            known.append((area, one.volume))
            found.append(one)
    return found


def _with_sheets(points: Floats, faces: Faces, solids: list[_Faces], rest: Ints) -> list[_Faces]:
    """The solids and the open parts.

    The other faces that share points are connected, and flat ones are joined to a solid that they share a point with.
    """
    if not len(rest):
        return solids
    found = list(solids)
    corners = faces.corners[rest]
    sheet = numbered_components(len(points), corners[:, :2].ravel(), corners[:, 1:].ravel())[corners[:, 0]]
    for _, rows in rows_of_each(sheet):
        used = np.unique(corners[rows])
        one = _Faces(rest[rows], np.zeros(len(rows), np.bool_))
        shared = [int(np.isin(used, faces.corners[solid.rows]).sum()) for solid in solids]
        if any(shared) and convex_hull(points[used]).dimension < 3:
            host = int(np.argmax(shared))
            one = replace(
                found[host],
                rows=np.concatenate([found[host].rows, one.rows]),
                turned=np.concatenate([found[host].turned, one.turned]),
                volume=0.0,
            )
            found[host] = one
        else:
            found.append(one)
    return found


def _part(mesh: TriangleMesh, faces: Faces, some: _Faces) -> MeshPart:
    order = np.argsort(faces.given[some.rows])
    rows = faces.given[some.rows[order]]
    # As given: points in the same place are not merged.
    index, corner = np.unique(_oriented(mesh.triangles[rows], some.turned[order]), return_inverse=True)
    return MeshPart(mesh.points[index], corner.reshape(-1, 3), index, rows, some.volume > 0.0)
