# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines that show a triangle mesh."""

from typing import NamedTuple

import numpy as np

from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.numerics.types import Bools, Floats
from ...core.numerics.vectors import dot, length

# Edges between faces at a larger angle than this (cosine) are drawn even where there are many creases: on a rough
# surface, such as a terrain, creases run all over, and few of them are sharp.
SHARP = float(np.cos(np.radians(60.0)))

# A section that is longer than so many times the outline of the mesh's bounds winds over a rough surface.
LONGEST = 2.0

# Of a mesh this many times as large as what it meets only what is near is drawn.
LARGER = 4.0


class NearFaces(NamedTuple):
    """Where something is that a mesh meets.

    Attributes
    ----------
    place : (3,) float64
    size : float
        Its diameter, or what is shown around the place.
    """

    place: Floats
    size: float


def mesh_lines(mesh: TriangleMesh, many: int, near: NearFaces | None = None) -> Floats:
    """Lines (L, 2, 3) in the mesh's frame: its edges; of more than `many`, the creases and three sections.

    Of a mesh with more than `many` edges that is more than `LARGER` times as large as what it meets, only the part
    that is no farther from the place than that is large is drawn: all of its edges there, if these are not too many.
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
    """Which edges (E,) of a mesh are drawn; see `mesh_lines`."""
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
    """Where the mesh is drawn alone; None: all of it is."""
    return near if near is not None and 2.0 * mesh.ball[1] > LARGER * near.size else None


def _reach(lines: Floats, near: NearFaces) -> Bools:
    """Which of these lines (L, 2, 3) reach as near to a place as the size there."""
    start, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    square = dot(along, along)
    share = np.clip(dot(near.place - start, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return length(start + share[:, None] * along - near.place) <= near.size


def _section(mesh: TriangleMesh, axis: int, place: float) -> Floats:
    """Lines (L, 2, 3) in which the plane across a coordinate axis, at this place on it, cuts the surface.

    None where they are longer than `LONGEST` says: those of a terrain halfway up are all over it.
    """
    corners = mesh.corners
    above = corners[..., axis] >= place
    cut = np.flatnonzero(above.any(axis=1) & ~above.all(axis=1))
    start, end = corners[cut], np.roll(corners[cut], -1, axis=1)
    crosses = above[cut] != np.roll(above[cut], -1, axis=1)
    rise = end[..., axis] - start[..., axis]
    share = (place - start[..., axis]) / np.where(crosses, rise, 1.0)
    at = start + share[..., None] * (end - start)
    # Of the three sides of each triangle two are crossed.
    lines: Floats = at[crosses].reshape(-1, 2, 3)
    outline = 2.0 * np.delete(np.ptp(mesh.points[mesh.used], axis=0), axis).sum()
    return lines if length(lines[:, 1] - lines[:, 0]).sum() <= LONGEST * outline else lines[:0]
