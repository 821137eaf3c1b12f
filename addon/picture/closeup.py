# SPDX-License-Identifier: GPL-3.0-or-later
"""A magnified view across the axis, for depths and gaps too small to be visible in the picture of the whole pair."""

from dataclasses import replace

import numpy as np

from ...core.numerics.types import Floats
from ..debug_draw.primitives import Primitives
from ..viewport.palette import PLATE, PLATE_STRENGTH, TEXT
from .caption import SMALL_SIZE, USUAL_WIDTH, draw_labels
from .color import Image
from .compose import compose
from .overlay import circle, draw_overlay, draw_strokes
from .raster import View
from .subject import PictureScene
from .text import blend, plate, text_mask
from .view import upright

# A depth or gap with fewer pixels is magnified to this fraction of the close-up's height.
TOO_SMALL = 26.0
SHARE = 0.24

# Below this fraction of the pair's size, only rounding would be magnified.
NOTHING_TO_SEE = 2e-5

# Size of the close-up and its distance from the border, as fractions of the picture's width.
WIDTH, HEIGHT, BORDER = 0.30, 0.21, 0.018

# The pair is framed to the left of the close-up.
ASIDE = (0.06, 0.35, 0.09, 0.18)

# Objects farther away than this many times the size of the pair are left out.
FAR = 1e3

# Radius of the ring around the magnified place, in pixels of a picture 1280 wide.
RING = 20.0


def closeup_view(view: View, scenery: PictureScene, middle: Floats, normal: Floats, distance: float) -> View | None:
    """Return the view of the close-up, straight across the axis. None if the picture shows enough."""
    pixels = abs(distance) * view.scale / float(view.depth(middle))
    if pixels >= TOO_SMALL * view.width / USUAL_WIDTH or abs(distance) < NOTHING_TO_SEE * scenery.reach:
        return None
    width, height = round(WIDTH * view.width), round(HEIGHT * view.width)
    across = view.axes[2] - (view.axes[2] @ normal) * normal
    return View(
        eye=middle,
        axes=upright(across / np.linalg.norm(across)),
        scale=SHARE * height / abs(distance),
        width=width,
        height=height,
        near=-FAR * scenery.reach,
        parallel=True,
    )


def draw_closeup(image: Image, view: View, close: View, scenery: PictureScene, overlay: Primitives) -> None:
    """Draw the close-up into the upper right corner of the image, with a ring around the magnified place."""
    scale = view.width / USUAL_WIDTH
    stage = scenery.stage.chosen(scenery.subject)
    everything = np.ones(len(stage.triangles), np.bool_)
    # Nothing fades in front of the axis, and there are no shadows, because their casters are not visible.
    reach = FAR * scenery.reach
    pair = replace(scenery, focus=close.eye, reach=reach, stage=stage, subject=everything, prominent=everything)
    part, shot = compose(pair, close, ~everything, everything)
    draw_overlay(part, shot, overlay, scale)
    draw_labels(part, close, overlay, scale)
    magnification = close.scale / (view.scale / float(view.depth(close.eye)))
    mask, baseline = text_mask(f"across the axis, {_rounded(magnification)} times as large", SMALL_SIZE * scale)
    pad = round(7 * scale)
    strip = plate(mask.shape[1] + 2 * pad, round(26 * scale), 0.0)
    blend(part, strip, 0, close.height - strip.shape[0], PLATE, PLATE_STRENGTH)
    blend(part, mask, pad, close.height - round(9 * scale) - baseline, TEXT)

    left, top = view.width - round(BORDER * view.width) - close.width, round(BORDER * view.width)
    rim = max(round(2 * scale), 1)
    ring, spot, corner = RING * scale, view.screen(close.eye)[:2], np.array([left, top + close.height])
    toward = (corner - spot) / max(float(np.hypot(*(corner - spot))), 1.0)
    draw_strokes(image, view, circle(spot, ring), TEXT, 2.0 * scale)
    draw_strokes(image, view, np.array([[spot + ring * toward, corner]]), TEXT, 2.0 * scale)
    frame = plate(close.width + 2 * rim, close.height + 2 * rim, 0.0)
    blend(image, frame, left - rim, top - rim, TEXT)
    image[top : top + close.height, left : left + close.width] = part


def _rounded(value: float) -> str:
    """Return a number with two significant digits, without an exponent."""
    return f"{float(f'{value:.2g}'):g}" if value < 1e5 else f"{value:.0e}"
