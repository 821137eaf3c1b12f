# SPDX-License-Identifier: GPL-3.0-or-later
"""Text, chips and plates drawn over a picture."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...core.numerics.types import Floats
from ..scene.meshes.text_outlines import text_outlines
from .color import Image

# Samples along each side of a pixel.
FINE = 4


@lru_cache(maxsize=64)
def text_mask(text: str, size: float) -> tuple[Image, int]:
    """Return the coverage (H, W) of one line of text, and the row of its baseline.

    Parameters
    ----------
    text : str
    size : float
        Height of a capital letter, in pixels.
    """
    edges = text_outlines(text) * size * (1.0, -1.0)
    if not len(edges):
        return np.zeros((1, 1), np.float32), 0
    left, top = np.floor(edges.min(axis=(0, 1)))
    right, bottom = np.ceil(edges.max(axis=(0, 1)))
    width, height = int(right - left), int(bottom - top)
    inside = _wound((edges - (left, top)) * FINE, width * FINE, height * FINE)
    mask = inside.reshape(height, FINE, width, FINE).mean(axis=(1, 3), dtype=np.float32)
    return mask, int(-top)


def _wound(edges: Floats, width: int, height: int) -> NDArray[np.bool_]:
    """Return the pixels (H, W) whose centers the directed edges (E, 2, 2) wind around."""
    (x0, y0), (x1, y1) = edges[:, 0].T, edges[:, 1].T
    first = np.ceil(np.minimum(y0, y1) - 0.5).astype(np.int64)
    count = np.ceil(np.maximum(y0, y1) - 0.5).astype(np.int64) - first
    edge = np.repeat(np.arange(len(edges)), count)
    row = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + first[edge]
    share = (row + 0.5 - y0[edge]) / (y1 - y0)[edge]
    column = np.ceil(x0[edge] + share * (x1 - x0)[edge] - 0.5).astype(np.int64)
    # Every crossing changes the winding number of all pixels to its right.
    turns = np.zeros((height, width + 1), np.int64)
    np.add.at(turns, (row, np.clip(column, 0, width)), np.where(y1 > y0, 1, -1)[edge])
    inside: NDArray[np.bool_] = np.cumsum(turns, axis=1)[:, :width] != 0
    return inside


def blend(
    image: Image, mask: Image, left: int, top: int, color: Floats | tuple[float, ...], strength: float = 1.0
) -> None:
    """Draw a color over the image with a mask whose corner is at (left, top)."""
    height, width = image.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + mask.shape[1], width), min(top + mask.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    cover = strength * mask[y0 - top : y1 - top, x0 - left : x1 - left, None]
    part = image[y0:y1, x0:x1]
    part += cover * (np.asarray(color[:3], np.float32) - part)


def plate(width: int, height: int, radius: float) -> Image:
    """Return the coverage of a rectangle with rounded corners."""
    x = np.abs(np.arange(width) + 0.5 - width / 2.0) - (width / 2.0 - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2.0) - (height / 2.0 - radius)
    beyond = np.hypot(np.maximum(x, 0.0)[None, :], np.maximum(y, 0.0)[:, None])
    beyond += np.minimum(np.maximum(x[None, :], y[:, None]), 0.0)
    return np.clip(radius - beyond + 0.5, 0.0, 1.0).astype(np.float32)


def write(image: Image, text: str, size: float, left: int, baseline: int, color: tuple[float, ...]) -> int:
    """Write one line of text. Returns the x after it."""
    mask, row = text_mask(text, size)
    blend(image, mask, left, baseline - row, color)
    return left + mask.shape[1]
