# SPDX-License-Identifier: GPL-3.0-or-later
"""Rasterize a view of triangles in numpy: the triangle that each pixel shows, without a graphics driver.

On the screen, x is to the right and y is down, in pixels from the upper left corner. `nearness` increases towards the
camera and is linear across every triangle: the inverse of the distance in perspective, minus the distance in a parallel
projection.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...core.numerics.types import Floats
from .color import Image

# Number of fragments processed together, so that their arrays fit into the processor's cache.
BLOCK = 1 << 17

NOTHING = -1


@dataclass(frozen=True)
class View:
    """An ideal camera.

    Attributes
    ----------
    eye : (3,) float64
    axes : (3, 3) float64
        Rows: right, up and forward, unit vectors in the world.
    scale : float
        Perspective: pixels per unit at distance one. Parallel: pixels per unit.
    width, height : int
        In pixels.
    near : float
        Nothing closer than this is visible. May be negative in a parallel projection.
    parallel : bool
        Whether the projection is parallel (for the shadows of a lamp) or perspective.
    """

    eye: Floats
    axes: Floats
    scale: float
    width: int
    height: int
    near: float = 1e-3
    parallel: bool = False

    def resized(self, factor: float) -> "View":
        """Return the same view with `factor` times as many pixels along each side."""
        return replace(
            self,
            scale=self.scale * factor,
            width=round(self.width * factor),
            height=round(self.height * factor),
        )

    def screen(self, points: Floats) -> Floats:
        """Return points (..., 3) in world space as x, y and nearness. Points before `near` are moved to it."""
        seen = (points - self.eye) @ self.axes.T
        depth = seen[..., 2:] if self.parallel else np.maximum(seen[..., 2:], self.near)
        over = 1.0 if self.parallel else 1.0 / depth
        flat = seen[..., :2] * over * self.scale * (1.0, -1.0) + (self.width / 2.0, self.height / 2.0)
        return np.concatenate([flat, -depth if self.parallel else over], axis=-1)

    def depth(self, points: Floats) -> Floats:
        """Return the distance of points (..., 3) from the camera along the view direction."""
        result: Floats = (points - self.eye) @ self.axes[2]
        return result

    def offsets(self, near: Image, top: int = 0) -> Image:
        """Return the vectors from the camera to the visible points of pixels (h, W, 3). Zero for empty pixels.

        Parameters
        ----------
        near : (h, W) float32
            Nearness of visible points. Minus infinity for empty pixels.
        top : int, optional
            Row of the view at which `near` begins.
        """
        seen = np.isfinite(near)
        known = np.where(seen, near, 1.0)
        depth = np.where(seen, -known if self.parallel else 1.0 / known, 0.0).astype(np.float32)
        across = seen if self.parallel else depth
        x = ((np.arange(self.width) + 0.5 - self.width / 2.0) / self.scale).astype(np.float32)
        y = ((self.height / 2.0 - 0.5 - np.arange(top, top + len(near))) / self.scale).astype(np.float32)
        right, up, forward = self.axes.astype(np.float32)
        flat = x[None, :, None] * right + y[:, None, None] * up
        return flat * across[..., None] + depth[..., None] * forward

    def slack(self, near: Image | Floats, share: float) -> Image | Floats:
        """Return a fraction of the distance, or of the width of a parallel view, as a difference of nearness."""
        return np.full_like(near, share * self.width / self.scale) if self.parallel else share * np.abs(near)


def clip(view: View, triangles: Floats, attributes: Floats) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Clip triangles at the near plane of the view.

    Parameters
    ----------
    view : View
    triangles : (T, 3, 3) float64
    attributes : (T, 3, K) float64
        Interpolated along the cut edges.

    Returns
    -------
    triangles, attributes, parent
        The remaining triangles, and the original one of each.
    """
    inside = view.depth(triangles) - view.near
    count = (inside > 0.0).sum(axis=1)
    parents, pieces, values = [np.flatnonzero(count == 3)], [triangles[count == 3]], [attributes[count == 3]]
    for corners_inside in (1, 2):
        rows = np.flatnonzero(count == corners_inside)
        if not len(rows):
            continue
        # Rotate each triangle so that the corner that is alone on its side of the plane comes first.
        alone = np.argmax((inside[rows] > 0.0) == (corners_inside == 1), axis=1)
        turn = (alone[:, None] + np.arange(3)) % 3
        d = np.take_along_axis(inside[rows], turn, axis=1)
        both = np.concatenate([triangles[rows], attributes[rows]], axis=2)
        p, q, r = np.moveaxis(np.take_along_axis(both, turn[:, :, None], axis=1), 1, 0)
        to_q = p + (q - p) * (d[:, 0] / (d[:, 0] - d[:, 1]))[:, None]
        to_r = p + (r - p) * (d[:, 0] / (d[:, 0] - d[:, 2]))[:, None]
        cut = [(p, to_q, to_r)] if corners_inside == 1 else [(to_q, q, r), (to_q, r, to_r)]
        for triangle in cut:
            piece = np.stack(triangle, axis=1)
            parents.append(rows)
            pieces.append(piece[:, :, :3])
            values.append(piece[:, :, 3:])
    return np.concatenate(pieces), np.concatenate(values), np.concatenate(parents)


def planes(screen: Floats) -> Floats:
    """Return nearness over the screen as ``a x + b y + c``: (T, 3, 3) -> (T, 3). Edge-on triangles are flat."""
    origin, u, v = screen[:, 0], screen[:, 1] - screen[:, 0], screen[:, 2] - screen[:, 0]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    over = np.divide(1.0, area, out=np.zeros_like(area), where=np.abs(area) > 1e-12)
    a = (u[:, 2] * v[:, 1] - v[:, 2] * u[:, 1]) * over
    b = (v[:, 2] * u[:, 0] - u[:, 2] * v[:, 0]) * over
    return np.stack([a, b, origin[:, 2] - a * origin[:, 0] - b * origin[:, 1]], axis=1)


def rasterise(screen: Floats, width: int, height: int, *, farthest: bool = False) -> NDArray[np.int32]:
    """Return the triangle that each pixel shows.

    Parameters
    ----------
    screen : (T, 3, 3) float64
        Corners as x, y and nearness, with either winding.
    width, height : int
    farthest : bool, optional
        Keep the triangle farthest from the camera instead of the nearest.

    Returns
    -------
    (H, W) int32
        Row of `screen`, or `NOTHING`. A pixel shows a triangle that covers its center.
    """
    plane = planes(screen)
    if farthest:
        plane = -plane
    # Nearest first, so that most hidden fragments are rejected early.
    order = np.argsort(-_middle_nearness(screen, plane), kind="stable")
    triangle, row, left, right = _spans(screen[order], width, height)
    triangle = order[triangle]
    index = np.full(width * height, NOTHING, np.int32)
    nearest = np.full(width * height, -np.inf)
    ends = np.cumsum(right - left)
    start = 0
    while start < len(triangle):
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + BLOCK, side="right")))
        count = (right - left)[start:stop]
        span = np.repeat(np.arange(start, stop), count)
        x = np.arange(len(span)) - np.repeat(ends[start:stop] - count - done, count) + left[span]
        shown = triangle[span]
        value = plane[shown, 0] * (x + 0.5) + plane[shown, 1] * (row[span] + 0.5) + plane[shown, 2]
        _keep_greatest(index, nearest, row[span] * width + x, value, shown)
        start = stop
    return index.reshape(height, width)


def _middle_nearness(screen: Floats, plane: Floats) -> Floats:
    """Return the nearness at the center of each triangle, (T,)."""
    middle = screen[:, :, :2].mean(axis=1)
    result: Floats = plane[:, 0] * middle[:, 0] + plane[:, 1] * middle[:, 1] + plane[:, 2]
    return result


def _keep_greatest(
    index: NDArray[np.int32],
    greatest: Floats,
    pixel: NDArray[np.int64],
    value: Floats,
    triangle: NDArray[np.int64],
) -> None:
    """Write fragments into `index` and `greatest`. At each pixel, the greatest value is kept."""
    better = value > greatest[pixel]
    pixel, value, triangle = pixel[better], value[better], triangle[better]
    # An assignment with repeated pixels keeps one of them. Better ones are written in the next round.
    while len(pixel):
        greatest[pixel] = value
        kept = greatest[pixel] == value
        index[pixel[kept]] = triangle[kept]
        better = value > greatest[pixel]
        pixel, value, triangle = pixel[better], value[better], triangle[better]


def _spans(
    screen: Floats, width: int, height: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of pixels that triangles cover: triangle, row, first x and one past the last x."""
    x, y = screen[:, :, 0], screen[:, :, 1]
    top = np.clip(np.ceil(y.min(axis=1) - 0.5), 0, height).astype(np.int64)
    bottom = np.clip(np.ceil(y.max(axis=1) - 0.5), 0, height).astype(np.int64)
    seen = (x.max(axis=1) > 0.0) & (x.min(axis=1) < width)
    count = np.where(seen, bottom - top, 0)
    triangle = np.repeat(np.arange(len(screen)), count)
    row = np.arange(len(triangle)) - np.repeat(np.cumsum(count) - count, count) + top[triangle]
    middle = row + 0.5
    left = np.full(len(triangle), -np.inf)
    right = np.full(len(triangle), np.inf)
    for i in range(3):
        x0, y0, x1, y1 = x[:, i], y[:, i], x[:, (i + 1) % 3], y[:, (i + 1) % 3]
        rise = y1 - y0
        slope = np.divide(x1 - x0, rise, out=np.zeros_like(rise), where=rise != 0.0)
        crosses = (np.minimum(y0, y1)[triangle] <= middle) & (middle <= np.maximum(y0, y1)[triangle])
        crosses &= (rise != 0.0)[triangle]
        at = x0[triangle] + slope[triangle] * (middle - y0[triangle])
        # A row crosses two edges: the span is between the smaller and the greater of the two x.
        left = np.where(crosses, np.where(np.isinf(left), at, np.minimum(left, at)), left)
        right = np.where(crosses, np.where(np.isinf(right), at, np.maximum(right, at)), right)
    first = np.clip(np.ceil(np.where(np.isinf(left), 0.0, left) - 0.5), 0, width).astype(np.int64)
    after = np.clip(np.ceil(np.where(np.isinf(right), 0.0, right) - 0.5), 0, width).astype(np.int64)
    covers = after > first
    return triangle[covers], row[covers], first[covers], after[covers]
