# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of heat maps, without a graphics driver, for the HTML page of a comparison with render meshes."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...core.numerics.types import Floats
from ..debug_draw.heat_map import HeatMap
from ..debug_draw.primitives import Scale, concatenate
from ..model.coverage_report import CoverageReport
from ..validation.coverage import Compared
from ..viewport.coverage_map import end_of_scale, maps_of, places_of, scale_of
from ..viewport.heat_colors import heat_colors, lit_colors
from ..viewport.palette import PLATE, PLATE_STRENGTH, TEXT
from .caption import USUAL_WIDTH, draw_labels
from .color import Image
from .compose import SKY_LOW
from .overlay import Shot, draw_overlay
from .raster import NOTHING, View, clip, planes, rasterise
from .render import png
from .shading import nearness
from .text import blend, plate, text_mask, write
from .view import framing

# In pixels: two per pixel of a card on most screens.
SIZE = (720, 450)
# Pages show pictures at half their size, and labels must be legible.
LARGER = 2.2
# Samples along each side of a pixel.
FINE = 2
# Number of directions that are tried, and their elevations; and the width of a test image in pixels.
AROUND, HEIGHTS, TRIAL = 8, np.radians((28.0, -18.0)), 120
# A view from above is preferred unless a view from below shows this many times as much.
ABOVE = 1.5
# The scale at the lower left, as fractions of the width of the picture.
BAR, HIGH, INSET, LETTER = 0.30, 0.02, 0.02, 0.0165


def heat_pictures(compared: Compared, rows: Sequence[int], size: tuple[int, int] = SIZE) -> Iterator[tuple[int, bytes]]:
    """Yield each row of `compared.report.objects` with a PNG file of its heat map, rendered on demand."""
    report = compared.report
    end = end_of_scale(report)
    scale = scale_of(report, end, report.units, "BOTH")
    for row in rows:
        found, worst = compared.maps[row], max(report.objects[row].outside, report.objects[row].inside)
        maps = maps_of(HeatMap.of(found.outside), HeatMap.of(found.inside), "BOTH", worst)
        corners = np.concatenate([one.corners for one in maps]).astype(np.float64)
        grade = np.minimum(np.concatenate([one.distance for one in maps]).astype(np.float64) / end, 1.0)
        yield row, png(_drawn(report, row, corners, grade, scale, size))


def _drawn(
    report: CoverageReport, row: int, corners: Floats, grade: Floats, scale: Scale, size: tuple[int, int]
) -> Image:
    view = _best_view(corners, grade, size)
    image, shot = _painted(view, corners, grade)
    places = concatenate(places_of(report.objects[row], "BOTH", report.units, chosen=True))
    factor = LARGER * size[0] / USUAL_WIDTH
    draw_overlay(image, shot, places, factor)
    draw_labels(image, view, places, factor)
    _draw_scale(image, scale)
    return image


def _best_view(corners: Floats, grade: Floats, size: tuple[int, int]) -> View:
    """Return the view that shows most of the distant surfaces."""
    framed = corners.reshape(-1, 3)
    low, high = framed.min(axis=0), framed.max(axis=0)
    box = np.array([[low, high][k >> axis & 1][axis] for k in range(8) for axis in range(3)]).reshape(8, 3)
    views = []
    for height in HEIGHTS:
        for turn in (np.arange(AROUND) + 0.35) * 2.0 * np.pi / AROUND:
            flat = np.cos(height)
            direction = np.array([flat * np.cos(turn), flat * np.sin(turn), -np.sin(height)])
            views.append(framing(direction, box, size))
    heat = [_heat(view.resized(TRIAL / size[0]), corners, grade) for view in views]
    # The first ones are from above.
    heat[:AROUND] = [ABOVE * one for one in heat[:AROUND]]
    return views[int(np.argmax(heat))]


def _heat(view: View, corners: Floats, grade: Floats) -> float:
    triangles, values, _ = clip(view, corners, grade[:, :, None])
    index = rasterise(view.screen(triangles), view.width, view.height)
    mean = np.append(values.mean(axis=(1, 2)), 0.0)
    return float((mean[index] * (index != NOTHING)).sum())


def _painted(view: View, corners: Floats, grade: Floats) -> tuple[Image, Shot]:
    """Render the map on a plain background. Also returns the shot for drawing marks."""
    fine = view.resized(FINE)
    colors = lit_colors(corners, grade)
    triangles, values, _ = clip(fine, corners, colors)
    screen = fine.screen(triangles)
    index = rasterise(screen, fine.width, fine.height)
    image = np.empty((fine.height, fine.width, 3), np.float32)
    image[:] = SKY_LOW
    y, x = np.nonzero(index != NOTHING)
    shown = index[y, x]
    over = _at(planes(screen), shown, x, y)
    for channel in range(3):
        # A quantity that is linear in space is linear on the screen after division by the distance.
        part = np.concatenate([screen[:, :, :2], values[:, :, channel, None] * screen[:, :, 2:]], axis=2)
        image[y, x, channel] = np.clip(_at(planes(part), shown, x, y) / over, 0.0, 1.0)
    coarse = image.reshape(view.height, FINE, view.width, FINE, 3).mean(axis=(1, 3))
    flat = view.screen(clip(view, corners, np.empty((len(corners), 3, 0)))[0])
    return coarse, Shot(view, flat, nearness(flat, rasterise(flat, view.width, view.height)))


def _at(plane: Floats, shown: np.ndarray, x: np.ndarray, y: np.ndarray) -> Floats:
    a, b, c = plane[shown].T
    value: Floats = a * (x + 0.5) + b * (y + 0.5) + c
    return value


def _draw_scale(image: Image, scale: Scale) -> None:
    """Draw the color bar with its title and its ticks into the lower left corner."""
    height, width = image.shape[:2]
    long, thick, inset, letter = (round(share * width) for share in (BAR, HIGH, INSET, LETTER))
    line, pad = round(1.6 * letter), round(0.7 * letter)
    texts = [(grade, text_mask(str(text), letter)[0].shape[1], str(text)) for grade, text in scale.ticks]
    before = max(pad, round(texts[0][1] / 2) + pad)
    title = text_mask(str(scale.title), letter)[0].shape[1]
    wide = before + max(long + round(texts[-1][1] / 2), title) + pad
    top = height - inset - 2 * line - thick - 3 * pad
    blend(image, plate(wide, height - inset - top, 0.35 * letter), inset, top, PLATE, PLATE_STRENGTH)
    left, bar = inset + before, top + pad + line + pad // 2
    write(image, str(scale.title), letter, left, top + pad + letter, TEXT)
    image[bar : bar + thick, left : left + long] = heat_colors(np.linspace(0.0, 1.0, long))
    for grade, size, text in texts:
        x = left + round(grade * (long - 1))
        image[bar + thick : bar + thick + pad // 2, x : x + 2] = TEXT
        write(image, text, letter, x - size // 2, bar + thick + pad + letter, TEXT)
