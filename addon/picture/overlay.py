# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay of a picture, drawn in numpy like `addon.viewport.gpu` draws it in the viewport."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numerics.types import Floats
from ..debug_draw.primitives import Primitives
from ..debug_draw.roles import Role
from ..debug_draw.strokes import coverage, distances
from ..viewport.palette import HALO, HALO_STRENGTH, HALO_WIDTH, LOOKS, Color, Look
from .color import Image
from .raster import NOTHING, View, clip, planes, rasterise

# Bodies are painted in orange and blue, and no selection is outlined in orange beside them, as in the viewport.
COLOR_A: Color = (0.98, 0.58, 0.16)
COLORS = {
    Role.SHAPE_A: (1.00, 0.71, 0.34),
    **dict.fromkeys((Role.WITNESS_A, Role.FEATURE_A, Role.INTERVAL_A), COLOR_A),
}

# Lines are drawn in pieces of this many pixels, each in a small square.
PIECE = 48.0

# A line is hidden if a surface is nearer by more than this fraction of the distance, because it may lie in a surface.
SAME_DEPTH = 2e-3


class Shot(NamedTuple):
    """A rendered view below an overlay. Visible parts of the overlay are drawn strongly, hidden parts faintly.

    Attributes
    ----------
    view : View
    screen : (T, 3, 3) float64
        Occluding triangles, in pixels of `view`.
    near : (H, W) float32 or float64
        Their nearness at each pixel.
    """

    view: View
    screen: Floats
    near: Image | Floats


def draw_overlay(image: Image, shot: Shot, primitives: Primitives, scale: float) -> None:
    """Draw primitives over an sRGB image (H, W, 3), with `scale` pixels per pixel of the palette."""
    looks = {role: look._replace(color=COLORS.get(role, look.color)) for role, look in LOOKS.items()}
    for role, look in looks.items():
        triangles = primitives.triangles[primitives.triangle_role == role]
        if len(triangles):
            _fill(image, shot, triangles, look)
    for role, look in looks.items():
        lines = primitives.lines[primitives.line_role == role]
        if len(lines):
            pieces = _cut(shot.view.screen(near_clipped(shot.view, lines)[0]))
            _draw(image, shot, pieces, look, look.width * scale, scale)
        points = primitives.points[primitives.point_role == role]
        if len(points):
            ends = shot.view.screen(points[shot.view.depth(points) > shot.view.near])
            _draw(image, shot, np.stack([ends, ends], axis=1), look, look.disc * scale, scale)


def draw_strokes(image: Image, view: View, strokes: Floats, color: Color, width: float) -> None:
    """Draw lines (L, 2, 2), in pixels of the view, over an sRGB image."""
    near = np.ones((len(strokes), 2, 1))
    shot = Shot(view, np.empty((0, 3, 3)), np.zeros(image.shape[:2], np.float32))
    look = Look(color, width, 0.0, 1.0, 1.0)
    _draw(image, shot, _cut(np.concatenate([strokes, near], axis=2)), look, width, width / 2.0)


def circle(middle: Floats, radius: float) -> Floats:
    """Return lines (L, 2, 2) that form a circle."""
    angle = np.linspace(0.0, 2.0 * np.pi, 49)
    points = middle + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.stack([points[:-1], points[1:]], axis=1)


def near_clipped(view: View, lines: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return world space lines (L, 2, 3) clipped at the near plane, and the original line of each."""
    inside = view.depth(lines) - view.near
    parent = np.flatnonzero((inside > 0.0).any(axis=1))
    lines, inside = lines[parent], inside[parent]
    for end, other in ((0, 1), (1, 0)):
        cut = inside[:, end] < 0.0
        share = inside[cut, end] / (inside[cut, end] - inside[cut, other])
        lines[cut, end] += share[:, None] * (lines[cut, other] - lines[cut, end])
    return lines, parent


def _cut(ends: Floats) -> Floats:
    """Return lines on the screen (L, 2, 3) in pieces no longer than `PIECE`."""
    count = np.clip(np.ceil(np.hypot(*(ends[:, 1, :2] - ends[:, 0, :2]).T) / PIECE), 1, 4096).astype(int)
    line = np.repeat(np.arange(len(ends)), count)
    step = np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count)
    share = np.stack([step, step + 1], axis=1) / count[line][:, None]
    return ends[line, 0][:, None] + share[:, :, None] * (ends[line, 1] - ends[line, 0])[:, None]


def _fill(image: Image, shot: Shot, triangles: Floats, look: Look) -> None:
    """Tint the area of triangles (T, 3, 3) of one look, once where they overlap, and less where they are hidden."""
    view = shot.view
    screen = view.screen(clip(view, triangles, np.empty((len(triangles), 3, 0)))[0])
    index = rasterise(screen, view.width, view.height)
    row, column = np.nonzero(index != NOTHING)
    a, b, c = planes(screen)[index[row, column]].T
    surface = shot.near[row, column]
    seen = a * (column + 0.5) + b * (row + 0.5) + c >= surface - view.slack(surface, SAME_DEPTH)
    strength = look.fill * np.where(seen, look.seen, look.hidden).astype(np.float32)
    image[row, column] += strength[:, None] * (np.array(look.color, np.float32) - image[row, column])


def _draw(image: Image, shot: Shot, pieces: Floats, look: Look, width: float, scale: float) -> None:
    """Draw pieces of one look together, so that overlaps are not drawn twice."""
    halo = HALO_WIDTH * scale
    reach = width / 2.0 + halo + 1.0
    size = np.array([shot.view.width, shot.view.height])
    low = np.floor(pieces[:, :, :2].min(axis=1) - reach).astype(int)
    high = np.ceil(pieces[:, :, :2].max(axis=1) + reach).astype(int) + 1
    on_screen = ((high > 0) & (low < size)).all(axis=1)
    pieces, low, high = pieces[on_screen], np.maximum(low, 0)[on_screen], np.minimum(high, size)[on_screen]
    if not len(pieces):
        return
    corner, end = low.min(axis=0), high.max(axis=0)
    # Coverage of the halo and of the line itself, for hidden and visible parts.
    cover = np.zeros((2, 2, end[1] - corner[1], end[0] - corner[0]), np.float32)
    for (start, stop), (x0, y0), (x1, y1) in zip(pieces, low, high, strict=True):
        beyond, share = distances(start[:2], stop[:2], np.array([x0, y0]), np.array([x1, y1]))
        nearness = start[2] + share * (stop[2] - start[2])
        surface = shot.near[y0:y1, x0:x1]
        seen = nearness >= surface - shot.view.slack(surface, SAME_DEPTH)
        part = cover[:, :, y0 - corner[1] : y1 - corner[1], x0 - corner[0] : x1 - corner[0]]
        for layer, radius in enumerate((width / 2.0 + halo, width / 2.0)):
            covered = coverage(beyond, radius)
            np.maximum(part[layer, 0], np.where(seen, 0.0, covered), out=part[layer, 0])
            np.maximum(part[layer, 1], np.where(seen, covered, 0.0), out=part[layer, 1])
    target = image[corner[1] : end[1], corner[0] : end[0]]
    halo_strength = HALO_STRENGTH * look.hidden**2, HALO_STRENGTH * look.seen**2
    for layer, color, strength in ((0, HALO, halo_strength), (1, look.color, (look.hidden, look.seen))):
        mask = np.maximum(cover[layer, 0] * strength[0], cover[layer, 1] * strength[1])
        target += mask[..., None] * (np.array(color, np.float32) - target)
