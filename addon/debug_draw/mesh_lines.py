# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that show a triangle mesh."""

from typing import NamedTuple

import numpy as np

from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.numerics.types import Bools, Floats
from ...core.numerics.vectors import dot, length

# Edges with a larger angle between their faces than this (cosine) are drawn even if there are many creases. A rough
# surface, such as a terrain, has creases everywhere, and few of them are sharp.
SHARP = float(np.cos(np.radians(60.0)))

# A section that is this many times longer than the outline of the mesh's bounds winds over a rough surface.
LONGEST = 2.0

# If a mesh is this many times larger than the other shape, only the part near the contact is drawn.
LARGER = 4.0


class NearFaces(NamedTuple):
    """Place where another shape meets a mesh.

    Attributes
    ----------
    place : (3,) float64
    size : float
        Its diameter, or the size of the shown region.
    """

    place: Floats
    size: float


def mesh_lines(mesh: TriangleMesh, many: int, near: NearFaces | None = None) -> Floats:
    """Return lines (L, 2, 3) in the mesh's frame: its edges. With more than `many`, the creases and three sections.

    If a mesh has more than `many` edges and is more than `LARGER` times as large as the other shape, only the part
    around the place is drawn, with the size of the other shape: all of its edges there, if they are not too many.
    """
    shown = drawn_edges(mesh, many, near)
    lines = mesh.points[mesh.edges.vertices[shown]]
    if len(shown) <= many:
        return lines
    local = _local(mesh, near)
    if local is None:
        return np.concatenate([lines, *(_section(mesh, axis, mesh.ball[0][axis]) for axis in range(3))])
    sections = np.concatenate([_section(mesh, axis, local.place[axis]) for axis in range(3)])
    return np.concatenate([lines, sections[_reach(sections, local)]])


def drawn_edges(mesh: TriangleMesh, many: int, near: NearFaces | None = None) -> Bools:
    """Return which edges (E,) of a mesh are drawn; see `mesh_lines`."""
    shown = np.ones(len(mesh.edges.vertices), np.bool_)
    if len(shown) <= many:
        return shown
    local = _local(mesh, near)
    if local is not None:
        shown = _reach(mesh.points[mesh.edges.vertices], local)
        if np.count_nonzero(shown) <= many:
            return shown
    creases = mesh.creases & shown
    return creases if np.count_nonzero(creases) <= many else mesh.creases_from(SHARP) & shown


def _local(mesh: TriangleMesh, near: NearFaces | None) -> NearFaces | None:
    """Return the place to which drawing of the mesh is restricted. None: the whole mesh is drawn."""
    return near if near is not None and 2.0 * mesh.ball[1] > LARGER * near.size else None


def _reach(lines: Floats, near: NearFaces) -> Bools:
    """Return which of these lines (L, 2, 3) come within the size of a place."""
    start, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    square = dot(along, along)
    share = np.clip(dot(near.place - start, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return length(start + share[:, None] * along - near.place) <= near.size


def _section(mesh: TriangleMesh, axis: int, place: float) -> Floats:
    """Return lines (L, 2, 3) in which the plane at this place on a coordinate axis cuts the surface.

    Empty if they are longer than `LONGEST`: lines halfway up a terrain are all over it.
    """
    corners = mesh.corners
    above = corners[..., axis] >= place
    cut = np.flatnonzero(above.any(axis=1) & ~above.all(axis=1))
    start, end = corners[cut], np.roll(corners[cut], -1, axis=1)
    crosses = above[cut] != np.roll(above[cut], -1, axis=1)
    rise = end[..., axis] - start[..., axis]
    share = (place - start[..., axis]) / np.where(crosses, rise, 1.0)
    at = start + share[..., None] * (end - start)
    # Two of the three sides of each triangle are crossed.
    lines: Floats = at[crosses].reshape(-1, 2, 3)
    outline = 2.0 * np.delete(np.ptp(mesh.used_points, axis=0), axis).sum()
    return lines if length(lines[:, 1] - lines[:, 0]).sum() <= LONGEST * outline else lines[:0]
