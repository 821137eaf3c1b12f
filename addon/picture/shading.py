# SPDX-License-Identifier: GPL-3.0-or-later
"""Shade the triangle at each pixel: a lamp with soft shadows, a sky, and outlines."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross, dot
from .color import Image
from .raster import NOTHING, View, clip, planes, rasterise

# Strengths of the lamp and of the sky. Together they show a white surface that faces the lamp as white.
LAMP, SKY, GROUND = 0.74, 0.44, 0.24

SHADOW_SIZE = 1536
# A spiral of texels: the samples at the shadow's edge, which determine its softness.
SHADOW_TAPS = [
    (3.5 * np.sqrt((i + 0.5) / 12) * np.cos(2.4 * i), 3.5 * np.sqrt((i + 0.5) / 12) * np.sin(2.4 * i))
    for i in range(12)
]

# Number of samples of the nearby surface for ambient occlusion.
CREVICE_TAPS = 14

# Cosine of the angle from which on an edge between two triangles of an object is drawn as a line.
FOLD = np.cos(np.radians(28.0))

# Fraction of the nearness by which two neighboring pixels must differ for an outline between them.
STEP = 0.06

# Samples along each side of a pixel, and their positions.
FINE = 2
QUARTERS = [(0, 0), (0, 1), (1, 0), (1, 1)]

BAND = 64  # rows processed together


@dataclass(frozen=True)
class Stage:
    """Triangles in the range of a view, with shading data.

    Attributes
    ----------
    triangles, normals : (T, 3, 3) float64
        Corners and their unit normals, in world space.
    color : (T, 3) float64
        Linear.
    thing : (T,) int64
        Object of each triangle. Outlines are drawn between objects.
    """

    triangles: Floats
    normals: Floats
    color: Floats
    thing: NDArray[np.int64]

    def chosen(self, rows: NDArray[np.bool_]) -> "Stage":
        """Return the triangles of these rows."""
        return Stage(self.triangles[rows], self.normals[rows], self.color[rows], self.thing[rows])

    def clipped(self, view: View) -> "Stage":
        """Return the triangles clipped at the near plane of the view."""
        triangles, normals, parent = clip(view, self.triangles, self.normals)
        return Stage(triangles, normals, self.color[parent], self.thing[parent])


class Focus(NamedTuple):
    """The full-color region of a picture: a place and a radius. Surfaces beyond it fade."""

    at: Floats  # (3,)
    reach: float
    pale: Floats  # (3,), linear


@dataclass(frozen=True)
class Lamp:
    """A distant lamp and, per texel, the nearness of the first surface that it reaches."""

    view: View
    nearness: Image
    softness: float  # difference of nearness up to which a surface behind the first is still lit


def lamp(direction: Floats, stage: Stage, center: Floats, radius: float) -> Lamp:
    """Return a lamp that shines along `direction`, with shadows within `radius` of `center`."""
    side = cross(direction, (0.0, 0.0, 1.0))
    side /= np.linalg.norm(side)
    view = View(
        eye=center,
        axes=np.stack([side, cross(side, direction), direction]),
        scale=SHADOW_SIZE / (2.0 * radius),
        width=SHADOW_SIZE,
        height=SHADOW_SIZE,
        parallel=True,
    )
    screen = view.screen(stage.triangles)
    index = rasterise(screen, SHADOW_SIZE, SHADOW_SIZE)
    return Lamp(view, nearness(screen, index), 3.0 * 2.0 * radius / SHADOW_SIZE)


def nearness(screen: Floats, index: NDArray[np.int32]) -> Image:
    """Return the nearness at each pixel. Minus infinity for empty pixels."""
    result = np.full(index.shape, -np.inf, np.float32)
    plane = planes(screen)
    for top in range(0, len(index), BAND):
        rows, columns = np.nonzero(index[top : top + BAND] != NOTHING)
        a, b, c = plane[index[top + rows, columns]].T
        result[top + rows, columns] = a * (columns + 0.5) + b * (top + rows + 0.5) + c
    return result


def shaded(view: View, stage: Stage, index: NDArray[np.int32], near: Image, light: Lamp, focus: Focus) -> Image:
    """Return linear colors (H, W, 3) of each pixel. Zero for empty pixels.

    Parameters
    ----------
    view : View
    stage : Stage
        Clipped to the view.
    index : (H, W) int32
        Row of `stage` at each pixel.
    near : (H, W) float32
        Its nearness.
    light : Lamp
    focus : Focus
        Surfaces beyond its radius lose their color.
    """
    result = np.zeros((*index.shape, 3), np.float32)
    alike = _alike(index)
    needed = index != NOTHING
    for down, right in QUARTERS[1:]:
        needed[down::FINE, right::FINE] &= ~alike
    # Offsets from the camera fit into single precision wherever the scene is.
    corner = (stage.triangles[:, 0] - view.eye).astype(np.float32)
    to_u, to_v = _barycentric(stage.triangles)
    normals, paint = stage.normals.astype(np.float32), stage.color.astype(np.float32)
    middle, pale = (focus.at - view.eye).astype(np.float32), focus.pale.astype(np.float32)
    for top in range(0, len(index), BAND):
        band = slice(top, top + BAND)
        chosen = needed[band]
        triangle = index[band][chosen]
        sight = view.offsets(near[band], top)[chosen]
        offset = sight - corner[triangle]
        u, v = dot(offset, to_u[triangle])[:, None], dot(offset, to_v[triangle])[:, None]
        corners = normals[triangle]
        normal = corners[:, 0] * (1.0 - u - v) + corners[:, 1] * u + corners[:, 2] * v
        normal /= np.maximum(np.sqrt(dot(normal, normal)), 1e-6)[:, None]
        # Both sides of a surface are lit, because a mesh may be open or inside out.
        away = normal @ view.axes[2].astype(np.float32) if view.parallel else dot(normal, sight)
        normal *= np.where(away > 0.0, -1.0, 1.0).astype(np.float32)[:, None]
        facing = np.maximum(-(normal @ light.view.axes[2].astype(np.float32)), 0.0)
        direct = facing * lit(light, view.eye, sight + normal * np.float32(light.softness))
        sky = SKY + (GROUND - SKY) * (0.5 - 0.5 * normal[:, 2])
        aside = sight - middle
        far = np.clip((np.sqrt(dot(aside, aside)) / focus.reach - 1.0) / 1.2, 0.0, 0.85)[:, None]
        color = paint[triangle] * (1.0 - far) + pale * far
        result[band][chosen] = color * (LAMP * direct + sky)[:, None]
    for down, right in QUARTERS[1:]:
        result[down::FINE, right::FINE][alike] = result[::FINE, ::FINE][alike]
    return result


def _alike(index: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return whether all samples of a pixel show the same triangle. Then one is shaded for all of them."""
    first = index[::FINE, ::FINE]
    return np.logical_and.reduce([index[down::FINE, right::FINE] == first for down, right in QUARTERS[1:]])


def _barycentric(triangles: Floats) -> tuple[Image, Image]:
    """Return vectors whose dot products with a point's offset from corner 0 are its weights at corners 1 and 2."""
    u, v = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normal = cross(u, v)
    square = np.einsum("ti,ti->t", normal, normal)[:, None]
    over = np.divide(1.0, square, out=np.zeros_like(square), where=square > 0.0)
    return (cross(v, normal) * over).astype(np.float32), (cross(normal, u) * over).astype(np.float32)


def lit(light: Lamp, eye: Floats, offsets: Image) -> Image:
    """Return the fraction of the lamp's light that reaches points at these offsets (N, 3) from a camera."""
    lamp_view = light.view
    to_lamp = (lamp_view.axes * np.array([[lamp_view.scale], [-lamp_view.scale], [-1.0]])).astype(np.float32)
    start = lamp_view.screen(eye).astype(np.float32)
    x, y, near = (offsets @ to_lamp.T + start).T
    result = np.zeros(len(offsets), np.float32)
    for right, down in SHADOW_TAPS:
        column = np.clip(x + right, 0, SHADOW_SIZE - 1).astype(np.int32)
        row = np.clip(y + down, 0, SHADOW_SIZE - 1).astype(np.int32)
        result += light.nearness[row, column] <= near + np.float32(light.softness)
    return result / np.float32(len(SHADOW_TAPS))


def crevices(view: View, near: Image, reach: float) -> Image:
    """Return the ambient occlusion factor of each pixel, from 0 (deep in a corner) to 1, (H, W).

    Compares each pixel with samples of the surface within `reach` of it. Samples above its tangent plane and near it
    take light away.
    """
    height, width = near.shape
    far = ~np.isfinite(near)
    point = view.offsets(near)
    normal = _screen_normals(point, view)
    rows, columns = np.indices(near.shape, np.int32)
    # Sixteen rotations of the spiral, one per pixel of a 4 x 4 tile, which are then averaged by smoothing.
    turn = ((rows % 4) * 4 + columns % 4).astype(np.float32) * (2.0 * np.pi / 16.0)
    magnified = view.scale * reach * (1.0 if view.parallel else np.where(far, 0.0, near))
    radius = np.broadcast_to(np.minimum(magnified, 0.15 * width), near.shape).astype(np.float32)
    taken = np.zeros(near.shape, np.float32)
    for i in range(CREVICE_TAPS):
        angle = turn + np.float32(2.4 * i)
        out = radius * np.float32(((i + 0.5) / CREVICE_TAPS) ** 0.8)
        y = np.clip(rows + (out * np.sin(angle)).astype(np.int32), 0, height - 1)
        x = np.clip(columns + (out * np.cos(angle)).astype(np.int32), 0, width - 1)
        away = point[y, x] - point
        square = np.einsum("hwi,hwi->hw", away, away)
        above = np.einsum("hwi,hwi->hw", away, normal) - 0.02 * reach
        weight = np.maximum(0.0, 1.0 - square / np.float32(reach * reach)) * ~far[y, x]
        taken += weight * np.maximum(above, 0.0) / np.sqrt(square + np.float32(1e-4 * reach * reach))
    openness = np.clip(1.0 - 1.9 * taken / CREVICE_TAPS, 0.25, 1.0)
    openness[far] = 1.0
    return smoothed(openness.astype(np.float32), 4)


def _screen_normals(point: Image, view: View) -> Image:
    """Return unit normals of the surface through the points of neighboring pixels, towards the camera."""
    dx = _gentler(np.diff(point, axis=1, append=point[:, -1:]), np.diff(point, axis=1, prepend=point[:, :1]))
    dy = _gentler(np.diff(point, axis=0, append=point[-1:]), np.diff(point, axis=0, prepend=point[:1]))
    normal = cross(dy, dx).astype(np.float32)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-20)
    away = normal @ view.axes[2] if view.parallel else np.einsum("hwi,hwi->hw", normal, point)
    return normal * np.where(away > 0.0, -1.0, 1.0)[..., None].astype(np.float32)


def _gentler(a: Image, b: Image) -> Image:
    """Return the shorter of two differences, unless it is zero: the one that does not cross an edge."""
    length_a = np.einsum("hwi,hwi->hw", a, a)
    length_b = np.einsum("hwi,hwi->hw", b, b)
    use_a = ((length_a < length_b) & (length_a > 0.0)) | (length_b == 0.0)
    return np.where(use_a[..., None], a, b)


def smoothed(image: Image, size: int) -> Image:
    """Return the mean over a square of `size` pixels around each pixel, clipped at the border."""
    for axis in (0, 1):
        before = size // 2
        width = [(0, 0)] * image.ndim
        width[axis] = (before, size - 1 - before)
        padded = np.pad(image, width, mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, size, axis=axis)
        image = windows.mean(axis=-1, dtype=np.float32)
    return image


def outlines(
    view: View, stage: Stage, index: NDArray[np.int32], near: Image
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return pixels on an outline of an object or a depth discontinuity, and pixels on a crease of one object."""
    flat = cross(stage.triangles[:, 1] - stage.triangles[:, 0], stage.triangles[:, 2] - stage.triangles[:, 0])
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-30)
    flat = np.concatenate([flat, np.zeros((1, 3))]).astype(np.float32)
    thing = np.append(stage.thing, NOTHING)[index]
    outline = np.zeros(index.shape, np.bool_)
    fold = np.zeros(index.shape, np.bool_)
    height, width = index.shape
    for down, right in ((0, 1), (1, 0)):
        rows, columns = np.nonzero(index[down:, right:] != index[: height - down, : width - right])
        i, j = (rows + down, columns + right), (rows, columns)
        near_i, near_j = near[i], near[j]
        with np.errstate(invalid="ignore"):
            step = np.abs(near_i - near_j) > view.slack(np.maximum(near_i, near_j), STEP)
        edge = (thing[i] != thing[j]) | step
        bend = ~edge & (np.abs(np.einsum("ni,ni->n", flat[index[i]], flat[index[j]])) < FOLD)
        # The line is on the nearer side, so that it stays on the object that it outlines.
        closer = near_i >= near_j
        for target, chosen in ((outline, edge), (fold, bend)):
            target[i[0][chosen & closer], i[1][chosen & closer]] = True
            target[j[0][chosen & ~closer], j[1][chosen & ~closer]] = True
    return outline, fold & ~outline
