# SPDX-License-Identifier: GPL-3.0-or-later
"""The outline of a flat hull with fewer sides, which still holds it."""

from collections.abc import Callable

import numpy as np

from ..hull import ConvexHull
from ..numerics.types import Floats


def outline_without_sides(corners: Floats, normal: Floats, enough: Callable[[int], bool]) -> Floats | None:
    """Take away sides, each time the one whose neighbors meet with the least area gained; None if none can be.

    Parameters
    ----------
    corners : (k, 3) float64
        In order, counter-clockwise about the normal.
    """
    while not enough(len(corners)):
        start, end = corners, np.roll(corners, -1, axis=0)
        along = end - start
        before, after = np.roll(along, 1, axis=0), np.roll(along, -1, axis=0)
        # start + s * before = end - t * after, with s and t above zero where the two meet.
        turn = np.cross(before, after) @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            s = np.cross(along, after) @ normal / turn
            area = s * (np.cross(before, along) @ normal)
        area = np.where((turn > 0.0) & np.isfinite(s), area, np.inf)
        row = int(np.argmin(area))
        if not np.isfinite(area[row]):
            return None
        corners = corners.copy()
        corners[row] += s[row] * before[row]
        corners = np.delete(corners, (row + 1) % len(corners), axis=0)
    return corners


def side_planes(hull: ConvexHull) -> tuple[Floats, Floats]:
    """Planes that bound a hull: of its faces; of a flat one, through its sides and at right angles to it."""
    if hull.dimension == 3:
        return hull.normals, hull.offsets
    face = hull.faces[0]
    start, end = hull.points[face], hull.points[np.roll(face, -1)]
    outward = np.cross(end - start, hull.normals[0])
    outward /= np.sqrt((outward * outward).sum(axis=1))[:, None]
    return outward, (start * outward).sum(axis=1)
