# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of a picture: the caption below it and the labels in it."""

from typing import NamedTuple

import numpy as np

from ...core.numerics.types import Floats, Ints
from ..debug_draw.primitives import Primitives
from ..debug_draw.roles import Role
from ..viewport.palette import LABEL_OFFSET, LOOKS, PLATE, PLATE_PADDING, PLATE_STRENGTH, TEXT, Color
from .color import Image
from .raster import View
from .text import blend, plate, text_mask, write

# Width in pixels of the picture to which all sizes refer.
USUAL_WIDTH = 1280

CAPTION_HEIGHT = 86
INSET = 32
TITLE_SIZE = 14.0
SMALL_SIZE = 8.5
CHIP = 20
# Space between the pieces of the first line, in heights of a capital.
GAP = 0.75
LABEL_SIZE = 9.5

CAPTION: Color = (0.105, 0.12, 0.15)
QUIET: Color = (0.66, 0.70, 0.75)


class CaptionPiece(NamedTuple):
    """A piece of the caption's first line: words, with a colored chip before the name of a body."""

    text: str
    color: Color = TEXT
    chip: Color | None = None


def draw_caption(
    image: Image, title: list[CaptionPiece], small: str, legend: list[tuple[Color, str]], scale: float
) -> None:
    """Draw the caption at the bottom of an sRGB image.

    Parameters
    ----------
    image : (H, W, 3) float32
    title : list of CaptionPiece
        The first line. Its size is reduced if it would be too long.
    small : str
        The second line.
    legend : list of (color, str)
        Meanings of the colors of the overlay, at the right of the second line.
    scale : float
        Pixels per pixel of a picture that is 1280 wide.
    """
    height, width = image.shape[:2]
    bar = round(CAPTION_HEIGHT * scale)
    blend(image, np.ones((bar, width), np.float32), 0, height - bar, CAPTION)
    inset = round(INSET * scale)
    size = TITLE_SIZE * scale
    needed = _title_width(title, size)
    if needed > width - 2 * inset:
        size *= (width - 2 * inset) / needed
    x, baseline = inset, height - bar + round(39 * scale)
    for piece in title:
        if piece.chip:
            chip = round(CHIP * size / TITLE_SIZE)
            blend(image, plate(chip, chip, chip / 4.0), x, baseline - round(0.86 * chip), piece.chip)
            x += round(1.45 * chip)
        x = write(image, piece.text, size, x, baseline, piece.color) + round(GAP * size)
    baseline = height - bar + round(68 * scale)
    left_end = write(image, small, SMALL_SIZE * scale, inset, baseline, QUIET)
    _draw_legend(image, legend, left_end + inset, width - inset, baseline, scale)


def draw_labels(image: Image, view: View, primitives: Primitives, scale: float) -> None:
    """Draw the labels, each on a plate beside its place, where it covers least of the overlay."""
    at = view.screen(primitives.label_at)[:, :2]
    seen = view.depth(primitives.label_at) > view.near
    taken = _sampled(view, primitives)
    pad = round(PLATE_PADDING * scale)
    for label, place, visible, role in zip(primitives.labels, at, seen, primitives.label_role, strict=True):
        if not visible:
            continue
        mask, baseline = text_mask(label, LABEL_SIZE * scale)
        size = np.array([mask.shape[1], mask.shape[0]]) + 2 * pad
        left, top = _free_place(place, size, np.array(LABEL_OFFSET) * scale, taken, view)
        # Keeps the next label away from this place.
        grid = np.stack(np.meshgrid(*(np.linspace(0.0, 1.0, 24),) * 2), axis=-1).reshape(-1, 2)
        taken = np.concatenate([taken, (left, top) + grid * size])
        blend(image, plate(int(size[0]), int(size[1]), 4.0 * scale), left, top, PLATE, PLATE_STRENGTH)
        bar = plate(max(round(4 * scale), 2), int(size[1]), 1.0)
        blend(image, bar, left, top, LOOKS[Role(role)].color)
        write(image, label, LABEL_SIZE * scale, left + pad + 1, top + pad + baseline, TEXT)


def _sampled(view: View, primitives: Primitives) -> Floats:
    """Return screen points (K, 2) along the lines that explain the pair."""
    evidence = ~np.isin(primitives.line_role, (Role.SHAPE_A, Role.SHAPE_B))
    ends = view.screen(primitives.lines[evidence])[..., :2]
    share = np.linspace(0.0, 1.0, 24)[:, None, None]
    sampled: Floats = (ends[:, 0] + share * (ends[:, 1] - ends[:, 0])).reshape(-1, 2)
    return sampled


def _free_place(place: Floats, size: Ints, offset: Floats, taken: Floats, view: View) -> tuple[int, int]:
    """Return left and top of a plate beside a place, in the diagonal direction where it covers least."""
    limit = np.maximum((view.width, view.height) - size, 0)
    beside = [np.where(side, offset, -offset - size) for side in ((1, 0), (0, 0), (1, 1), (0, 1))]
    corners = [np.clip(place + shift, 0, limit) for shift in beside]
    covered = [int(((taken >= corner) & (taken <= corner + size)).all(axis=1).sum()) for corner in corners]
    left, top = corners[int(np.argmin(covered))]
    return int(left), int(top)


def _title_width(title: list[CaptionPiece], size: float) -> float:
    chip = 1.45 * CHIP * size / TITLE_SIZE
    return sum(text_mask(piece.text, size)[0].shape[1] + GAP * size + (chip if piece.chip else 0.0) for piece in title)


def _draw_legend(
    image: Image, legend: list[tuple[Color, str]], left: int, right: int, baseline: int, scale: float
) -> None:
    """Draw as many entries as fit, from the right."""
    size = SMALL_SIZE * scale
    for color, text in reversed(legend):
        mask, above = text_mask(text, size)
        start = right - mask.shape[1] - round(26 * scale)
        if start < left:
            return
        line = plate(round(18 * scale), max(round(4 * scale), 2), 2.0 * scale)
        blend(image, line, start, baseline - round(6 * scale) - line.shape[0] // 2, color)
        blend(image, mask, right - mask.shape[1], baseline - above, QUIET)
        right = start - round(22 * scale)
