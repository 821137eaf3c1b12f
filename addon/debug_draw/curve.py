# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two moving bodies over frames as an image, for places where no lines can be drawn."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...core.numerics.types import Floats
from .strokes import coverage, distances

Color = tuple[float, float, float, float]
Point = tuple[float, float]

# Fraction of the image that stays free around the curve.
_BORDER = 0.04
# Pixels.
_WIDTH, _THIN, _DOT = 4.0, 2.0, 7.0


def curve_picture(
    parts: Sequence[Sequence[Point]],
    window: tuple[Point, Point],
    levels: Sequence[tuple[float, Color]],
    dot: tuple[Point, Color],
    size: tuple[int, int],
    colors: tuple[Color, Color],
) -> Floats:
    """Return a curve, with rows from the bottom up: (height, width, 4).

    Parameters
    ----------
    parts : sequence of sequence of (frame, distance)
        Connected parts of the curve.
    window : ((first, last), (low, high))
        Frames and distances that the image shows.
    levels : sequence of (distance, color)
        Horizontal lines across the image.
    dot : ((frame, distance), color)
    size : (width, height)
        In pixels.
    colors : (curve, area)
        Color of the curve, and of the area below distance 0.
    """
    width, height = size
    (first, last), (low, _) = window

    def at(points: Sequence[Point]) -> Floats:
        return _placed(points, window, size)

    picture = np.zeros((height, width, 4))
    if low < 0.0:
        picture[: round(float(at([(first, 0.0)])[0, 1]))] = colors[1]
    for distance, color in levels:
        _draw(picture, at([(first, distance), (last, distance)]), _THIN, color)
    for part in parts:
        _draw(picture, at(part), _WIDTH, colors[0])
    _draw(picture, at([dot[0], dot[0]]), 2.0 * _DOT, dot[1])
    return picture


def with_frame(picture: Floats, window: tuple[Point, Point], frame: float, color: Color) -> Floats:
    """Return a copy of the image of a curve, with a vertical line at a frame if the image shows it."""
    (first, last), (low, high) = window
    result = picture.copy()
    if first <= frame <= last:
        height, width = picture.shape[:2]
        _draw(result, _placed([(frame, low), (frame, high)], window, (width, height)), _THIN, color)
    return result


def _placed(points: Sequence[Point], window: tuple[Point, Point], size: tuple[int, int]) -> Floats:
    """Return points (frame, distance) in pixels, (K, 2)."""
    (first, last), (low, high) = window
    room = np.array(size) * (1.0 - 2.0 * _BORDER)
    scaled: Floats = (np.array(points) - (first, low)) / (last - first, high - low) * room + np.array(size) * _BORDER
    return scaled


def _draw(picture: Floats, points: Floats, width: float, color: Color) -> None:
    """Draw a line through points (K, 2), with smooth edges."""
    height, breadth = picture.shape[:2]
    if len(points) == 1:
        points = np.repeat(points, 2, axis=0)
    covered = np.zeros((height, breadth))
    for begin, end in pairwise(points):
        low = np.maximum(np.floor(np.minimum(begin, end) - width), 0).astype(int)
        high = np.minimum(np.ceil(np.maximum(begin, end) + width), (breadth, height)).astype(int)
        block = covered[low[1] : high[1], low[0] : high[0]]
        np.maximum(block, coverage(distances(begin, end, low, high)[0], width / 2.0), out=block)
    share = (covered * color[3])[:, :, None]
    kept = picture[:, :, 3:] * (1.0 - share)
    opacity = share + kept
    mixed = (np.array(color[:3]) * share + picture[:, :, :3] * kept) / np.where(opacity > 0.0, opacity, 1.0)
    picture[:, :, :3], picture[:, :, 3:] = mixed, opacity
