# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches of contacts of round shapes, and which of their corners are kept.

Seen along the normal, a patch is the intersection of two convex outlines. Its corners are of three kinds: corners of
one outline inside the other, the reverse, and crossings of the outlines (Lee 2018, sections 13.2.3 to 13.2.6 and
13.4.1). Those of two polytopes are found by `kernels.patches`.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..numerics.tolerances import EPS, PATCH_LEVEL
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot
from .polytopes.placed import Polytopes

Number = TypeVar("Number", np.float64, np.int64)

# Number of roundings by which a corner may be outside an outline and still count as inside. Coordinates in the plane of
# the patch are sums of three products of differences.
_INSIDE_STEPS = 64.0


@dataclass(frozen=True)
class Patch:
    """All corners of the contact patch of each pair, before the reduction.

    Attributes
    ----------
    point : (P, K, 3) float64
        Midway between the surfaces.
    depth : (P, K) float64
    valid : (P, K) bool
    feature_a, feature_b : (P, K, 2) int64
        `FeatureKind` and index.
    """

    point: Floats
    depth: Floats
    valid: Bools
    feature_a: Ints
    feature_b: Ints

    def flipped(self) -> "Patch":
        """The same patch with the features of A and B swapped."""
        return Patch(self.point, self.depth, self.valid, self.feature_b, self.feature_a)


def on_faces(shape: Polytopes, which: Bools, base: Floats, normal: Floats, height: Floats, sign: float = 1.0) -> None:
    """Correct heights over the plane of joined coplanar faces to heights over the faces themselves, in place.

    The corners of patches, ``base + height * normal`` with a height for each (P, K), are over faces where `which` (P,
    K) is true. The faces point along the unit `normal` (P, 3), or against it for a `sign` of -1.
    """
    row, corner = np.nonzero(which & shape.pool.joined[shape.geometry][:, None])
    if not len(row):
        return
    along = normal[row]
    start = base[row, corner] + height[row, corner, None] * along
    rise = shape.surface(row, start, sign * along)
    height[row, corner] += np.where(np.isfinite(rise), sign * rise, 0.0)


def _following(values: NDArray[Number], axis: int = 1) -> NDArray[Number]:
    """For each entry the next one along an axis, and for the last the first: a faster `numpy.roll`."""
    ahead: tuple[slice, ...] = (slice(None),) * axis
    return np.concatenate([values[(*ahead, slice(1, None))], values[(*ahead, slice(None, 1))]], axis=axis)


def points_inside(points: Floats, polygon: Floats, size: Floats) -> tuple[Bools, Bools, Floats]:
    """Whether points (P, K, 2) are inside a counterclockwise polygon (P, M, 2), which may be padded.

    Parameters
    ----------
    size : (P,) float64
        Size of the shapes, for rounding.

    Returns
    -------
    inside : (P, K) bool
        Behind every edge, or within rounding of an edge. The distance from the line of an edge is not used for this:
        near the tip of a sliver, a point may be near to both lines but far from the edges. The bounding box excludes
        points if the polygon is only a segment or a point, as edges of length zero exclude nothing.
    near : (P, K, M) bool
        Which edges are within rounding.
    t : (P, K, M) float64
        Parameter of the nearest point on each edge, 0 to 1.
    """
    x, y, first, second = points[..., 0], points[..., 1], polygon[..., 0], polygon[..., 1]
    along, rise = (_following(of) - of for of in (first, second))
    square = along * along + rise * rise
    along, rise, square = along[:, None], rise[:, None], np.where(square > 0.0, square, 1.0)[:, None]
    over, up = x[:, :, None] - first[:, None], y[:, :, None] - second[:, None]
    t = np.minimum(np.maximum((over * along + up * rise) / square, 0.0), 1.0)
    # Relative to the nearest point of the edge, so that the height is as accurate as the distance from the nearer end.
    over -= t * along
    up -= t * rise
    behind = np.logical_and.reduce(along * up - rise * over >= 0.0, axis=2)
    slack = _INSIDE_STEPS * EPS * size[:, None]
    near = over * over + up * up <= (slack * slack)[:, None]
    for of, corner in ((x, first), (y, second)):
        behind &= of >= corner.min(axis=1)[:, None] - slack
        behind &= of <= corner.max(axis=1)[:, None] + slack
    return behind | near.any(axis=2), near, t


def outline_crossings(ours: Floats, theirs: Floats, size: Floats) -> tuple[Bools, Floats]:
    """Crossings of the edges of two outlines, ends included, (P, M, K), and their parameter on the second's edge.

    Edges of length zero, which padding makes, cross nothing. Parallel edges do not either. The lines of nearly parallel
    edges may cross far beyond their common part, by rounding. So the crossing must also be on the first's edge. If
    edges of one line have a common part, its ends are corners, which are inside. `size` (P,) is the size of the shapes.
    """
    (along, rise), (their_along, their_rise) = (
        [_following(of[..., k]) - of[..., k] for k in (0, 1)] for of in (ours, theirs)
    )
    along, rise, their_along, their_rise = (
        along[:, :, None],
        rise[:, :, None],
        their_along[:, None],
        their_rise[:, None],
    )
    over, up = (theirs[:, None, :, k] - ours[:, :, None, k] for k in (0, 1))
    turn = along * their_rise - rise * their_along
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (over * rise - up * along) / turn
        slack = (_INSIDE_STEPS * EPS * size)[:, None, None]
        length = np.sqrt(their_along * their_along + their_rise * their_rise)
        crosses = (turn != 0.0) & (np.abs(at - 0.5) <= 0.5 + slack / length)
        at = np.where(crosses, np.minimum(np.maximum(at, 0.0), 1.0), 0.0)
        over += at * their_along
        up += at * their_rise
        square = along * along + rise * rise
        crosses &= np.abs((over * along + up * rise) / square - 0.5) <= 0.5 + slack / np.sqrt(square)
    return crosses, at


def reduced(patch: Patch, normal: Floats, least: Floats) -> Ints:
    """Choose at most four corners of each patch that keep its extent: indices (P, 4), -1 if there are fewer.

    The first is the deepest. The second is the farthest from it, the third the farthest from their line. The fourth
    adds the most area to the triangle. Corners less deep than `least` (P,) and duplicates are left out. Values within
    `tolerances.PATCH_LEVEL` are equal, and the first corner wins, so that the choice is stable under noise.
    """
    count = len(normal)
    at = np.arange(count)
    usable = patch.valid & (patch.depth >= least[:, None])
    chosen = np.full((count, 4), -1)
    scale = np.where(usable, np.abs(patch.point).max(axis=2), 0.0).max(axis=1, initial=0.0)
    depth = np.where(usable, patch.depth, -np.inf)
    deepest = np.argmax(depth >= (depth.max(axis=1, initial=-np.inf) - PATCH_LEVEL * scale)[:, None], axis=1)
    spoke = patch.point - patch.point[at, deepest][:, None]
    spoke -= _inner(spoke, normal)[..., None] * normal[:, None]
    reach = np.where(usable, _inner(spoke, spoke), 0.0)
    # Corners within this distance are one corner, found by two kinds of features.
    merge = (1e-9 * scale) ** 2
    chosen[:, 0] = np.where(usable.any(axis=1), deepest, -1)
    second = _first_of_the_greatest(reach)
    has_second = reach[at, second] > merge
    chosen[:, 1] = np.where(has_second, second, -1)
    axis = spoke[at, second]
    area = np.where(usable, _inner(spoke, cross(normal, axis)), 0.0)
    third = _first_of_the_greatest(np.abs(area))
    has_third = has_second & (area[at, third] ** 2 > merge * reach[at, second])
    chosen[:, 2] = np.where(has_third, third, -1)
    # With the triangle oriented counterclockwise, the fourth is the corner farthest outside one of its edges.
    turn = np.sign(area[at, third])[:, None]
    tip = spoke[at, third]
    beyond = -turn * area
    for start, side in ((axis, tip - axis), (tip, -tip)):
        across = cross(normal, side)
        np.maximum(beyond, turn * (dot(start, across)[:, None] - _inner(spoke, across)), out=beyond)
    beyond = np.where(usable, beyond, 0.0)
    fourth = _first_of_the_greatest(beyond)
    has_fourth = has_third & (beyond[at, fourth] > 0.0) & (beyond[at, fourth] ** 2 > merge * reach[at, second])
    chosen[:, 3] = np.where(has_fourth, fourth, -1)
    return chosen


def _inner(vectors: Floats, other: Floats) -> Floats:
    """Inner products of vectors (P, K, 3) with one vector (P, 3) per pair, or with (P, K, 3), (P, K)."""
    x, y, z = (other[..., k] if other.ndim == vectors.ndim else other[:, k, None] for k in range(3))
    result: Floats = vectors[..., 0] * x
    result += vectors[..., 1] * y
    result += vectors[..., 2] * z
    return result


def _first_of_the_greatest(values: Floats) -> Ints:
    """For each row (P, K), the first value within noise of the greatest, which is positive."""
    result: Ints = np.argmax(values >= (1.0 - PATCH_LEVEL) * values.max(axis=1, keepdims=True), axis=1)
    return result
