# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two moving bodies over frames as a picture: an array of pixels, for where no lines can be drawn."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...core.numerics.types import Floats
from ..model.motion_report import MotionContact, curve_parts, curve_range

Color = tuple[float, float, float, float]

# Share of the picture that stays free around the curve.
_BORDER = 0.04
# Pixels.
_WIDTH, _THIN, _DOT = 4.0, 2.0, 7.0


def curve_picture(
    contact: MotionContact, clearance: float, size: tuple[int, int], colors: Sequence[Color]
) -> Floats | None:
    """The curve of a contact or near miss, rows from the bottom up: (height, width, 4); None without a curve.

    Parameters
    ----------
    contact : MotionContact
    clearance : float
        Drawn as a line if the two do not penetrate.
    size : (width, height)
        In pixels.
    colors : sequence of (r, g, b, a)
        Of the line at distance 0, of the area below it, of the clearance, of the curve, and of the dot at the first
        contact or least distance.
    """
    if len(contact.curve) < 2:
        return None
    width, height = size
    (first, last), (low, high) = curve_range(contact, clearance)
    zero, inside, near, line, dot = colors
    corner, room = np.array(size) * _BORDER, np.array(size) * (1.0 - 2.0 * _BORDER)

    def at(points: Sequence[tuple[float, float]]) -> Floats:
        scaled: Floats = (np.array(points) - (first, low)) / (last - first, high - low) * room + corner
        return scaled

    picture = np.zeros((height, width, 4))
    if low < 0.0:
        top = round(float(at([(first, 0.0)])[0, 1]))
        picture[:top] = inside
    for distance, color in ((0.0, zero), *([(clearance, near)] if clearance and low == 0.0 else [])):
        _draw(picture, at([(first, distance), (last, distance)]), _THIN, color)
    for part in curve_parts(contact.curve):
        _draw(picture, at(part), _WIDTH, line)
    _draw(picture, at([(contact.first, max(contact.distance, 0.0))] * 2), 2.0 * _DOT, dot)
    return picture


def _draw(picture: Floats, points: Floats, width: float, color: Color) -> None:
    """Draw a line through points (K, 2), with smooth edges."""
    height, breadth = picture.shape[:2]
    if len(points) == 1:
        points = np.repeat(points, 2, axis=0)
    covered = np.zeros((height, breadth))
    for begin, end in pairwise(points):
        low = np.maximum(np.floor(np.minimum(begin, end) - width), 0).astype(int)
        high = np.minimum(np.ceil(np.maximum(begin, end) + width), (breadth, height)).astype(int)
        x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
        way, away = end - begin, np.stack([x, y], axis=2) - begin
        square = float(way @ way)
        share = np.clip(away @ way / square, 0.0, 1.0) if square else np.zeros_like(x)
        distance = np.hypot(*(away - share[:, :, None] * way).transpose(2, 0, 1))
        block = covered[low[1] : high[1], low[0] : high[0]]
        np.maximum(block, np.clip(width / 2.0 + 0.5 - distance, 0.0, 1.0), out=block)
    share = (covered * color[3])[:, :, None]
    kept = picture[:, :, 3:] * (1.0 - share)
    opacity = share + kept
    mixed = (np.array(color[:3]) * share + picture[:, :, :3] * kept) / np.where(opacity > 0.0, opacity, 1.0)
    picture[:, :, :3], picture[:, :, 3:] = mixed, opacity
