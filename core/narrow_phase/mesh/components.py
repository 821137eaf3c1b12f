# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose parts: connected components of a mesh that lie inside the solid of another, crossing nothing of it.

Where no triangles of two shapes cross, each component is all inside the other's solid or all outside of it, and one
point of it that does not lie on the other's surface tells which.
"""

from dataclasses import dataclass

import numpy as np

from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import RowTable
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot
from .bvh_traversal import Near
from .operands import Side, Whole
from .placed import Surfaces
from .ray_casting import inside


@dataclass(frozen=True)
class Places(RowTable):
    """A point of each component.

    Attributes
    ----------
    row, component : (K,) int64
    point : (K, 3) float64
        In the world.
    """

    row: Ints
    component: Ints
    point: Floats


def held_places(a: Side, b: Surfaces, met: Near, along: Floats, probe: Floats) -> tuple[Places, Places]:
    """The components of A inside the solid B, and those of B inside the solid A, of pairs that cross nowhere.

    Of other pairs these are all components that are inside, and some of those that cross.

    Parameters
    ----------
    met : Near
        All pieces that meet.
    along : (P, 3) float64
        Unit direction in which B is to go.
    probe : (P,) float64
        How far into a mesh a vertex is moved that may lie on its surface.
    """
    if isinstance(a, Whole):
        row = np.flatnonzero(b.solid)
        return _inside(b, Places(row, row * 0, a.some_point()[row])), _none()
    of_a = _places(a, b, met.pair, met.a, -along, probe)
    return _inside(b, of_a), _inside(a, _places(b, a, met.pair, met.b, along, probe))


def untouched(of: Surfaces, other: Surfaces, row: Ints, triangle: Ints) -> Places:
    """A vertex of each component that has none of these triangles, where the other is a solid."""
    parts = [_none()]
    for number in np.unique(of.mesh[other.solid]):
        mesh = of.meshes[number]
        mine = np.flatnonzero((of.mesh == number) & other.solid)
        place = np.full(len(of), -1)
        place[mine] = np.arange(len(mine))
        free = np.ones((len(mine), len(mesh.representatives)), dtype=bool)
        among = place[row] >= 0
        free[place[row[among]], mesh.component[triangle[among]]] = False
        which, component = np.nonzero(free)
        point = of.placed(mine[which], mesh.representatives[component])[:, 0]
        parts.append(Places(mine[which], component, point))
    return _joined(parts)


def triangles_of(of: Surfaces, places: Places) -> tuple[Ints, Ints]:
    """All triangles of these components: rows of `of` and triangles."""
    rows, triangles = [_none().row], [_none().row]
    for number in np.unique(of.mesh[places.row]):
        mesh = of.meshes[number]
        mine = np.flatnonzero(of.mesh[places.row] == number)
        which, triangle = _triangles(mesh, places.component[mine])
        rows.append(places.row[mine[which]])
        triangles.append(triangle)
    return np.concatenate(rows), np.concatenate(triangles)


def _triangles(mesh: TriangleMesh, component: Ints) -> tuple[Ints, Ints]:
    """The triangles of components (K,) of a mesh: which of the K each belongs to, and the triangle."""
    size = np.diff(mesh.component_start)[component]
    which = np.repeat(np.arange(len(component)), size)
    at = np.arange(len(which)) - np.repeat(np.cumsum(size) - size, size)
    return which, mesh.by_component[mesh.component_start[component[which]] + at]


def _inside(solid: Surfaces, places: Places) -> Places:
    return places.take(inside(solid, places.row, places.point))


def _none() -> Places:
    none = np.empty(0, dtype=np.int64)
    return Places(none, none, np.empty((0, 3)))


def _places(of: Surfaces, other: Surfaces, row: Ints, triangle: Ints, along: Floats, probe: Floats) -> Places:
    """A point of each component off the other's surface, where the other is a solid; these triangles touch that.

    Where all triangles of a component touch, it is the vertex that leaves last along the direction (P, 3) of its row,
    moved on a little: into the component, unless that is bent.
    """
    span = max(len(mesh.triangles) for mesh in of.meshes)
    touched = np.unique(row * span + triangle)
    parts = [_none()]
    for number in np.unique(of.mesh[other.solid]):
        mesh = of.meshes[number]
        mine = np.flatnonzero((of.mesh == number) & other.solid)
        count = len(mesh.representatives)
        which, component = np.repeat(mine, count), np.tile(np.arange(count), len(mine))
        chosen = mesh.representatives[component]
        asked = np.flatnonzero(_among(which * span + chosen, touched))
        # All triangles of the components whose first one touches.
        of_asked, of_problem = _triangles(mesh, component[asked])
        problem = asked[of_asked]
        free = np.flatnonzero(~_among(which[problem] * span + of_problem, touched))
        # The last written is the first of each.
        chosen[problem[free[::-1]]] = of_problem[free[::-1]]
        point = of.placed(which, chosen)[:, 0]
        all_touch = np.ones(len(which), dtype=bool)
        all_touch[problem[free]] = False
        rest = np.flatnonzero(all_touch[problem])
        corner = of.placed(which[problem[rest]], of_problem[rest]).reshape(-1, 3)
        owner = np.repeat(problem[rest], 3)
        order = np.argsort(-dot(corner, along[which[owner]]), kind="stable")
        last = which[owner[order]]
        point[owner[order]] = corner[order] + probe[last][:, None] * along[last]
        parts.append(Places(which, component, point))
    return _joined(parts)


def _among(key: Ints, ordered: Ints) -> Bools:
    """Whether each key is one of those in ascending order."""
    if not len(ordered):
        return np.zeros(len(key), dtype=bool)
    at = np.minimum(np.searchsorted(ordered, key), len(ordered) - 1)
    result: Bools = ordered[at] == key
    return result


def _joined(parts: list[Places]) -> Places:
    return Places.joined(parts)
