# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of several pairs of a report for its HTML page, and viewpoints of pairs, without a graphics driver."""

from collections.abc import Iterator, Sequence

import bpy
import numpy as np

from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from ..model.report import Report
from ..reports.bcf import Viewpoint
from ..scene.reading.surfaces import scene_surfaces
from .raster import View
from .render import pair_picture, pair_view, png
from .subject import bounds_view, pair_scenery

# In pixels: two per pixel of a card on most screens.
SIZE = (720, 450)

# Pages show pictures at half their size, and labels must be legible.
LARGER = 3.0

# Objects farther from a pair than this, in radii of the full-color region, have nearly faded into the background, so
# they are left out.
FAINT = 5.0


def pair_pictures(
    context: bpy.types.Context,
    report: Report,
    world: World | PlacedWorld | None,
    rows: Sequence[int],
    size: tuple[int, int] = SIZE,
) -> Iterator[tuple[int, bytes]]:
    """Yield each row with a PNG file of its pair, rendered on demand.

    Parameters
    ----------
    context : bpy.types.Context
        With the checked scene, in the checked frame.
    report : Report
    world : World, PlacedWorld or None
        Shapes of the report. None: there are none, so no pictures are made.
    rows : sequence of int
        Rows of `report.pairs`.
    size : (width, height), optional
        In pixels.
    """
    for row, picture, _ in _drawn(context, report, world, rows, size):
        yield row, picture


def pair_viewpoints(
    context: bpy.types.Context,
    report: Report,
    world: World | PlacedWorld | None,
    rows: Sequence[int],
    pictured: Sequence[int],
    size: tuple[int, int] = SIZE,
) -> Iterator[tuple[int, Viewpoint]]:
    """Yield each row with a viewpoint of its pair. `pictured` rows have a picture as from `pair_pictures`."""
    if world is None:
        return
    for row, picture, view in _drawn(context, report, world, pictured, size):
        yield row, _viewpoint(view, picture)
    bounds = world.bounds()
    for row in sorted({*rows} - {*pictured}):
        yield row, _viewpoint(bounds_view(report.pairs[row], bounds, size), b"")


def _drawn(
    context: bpy.types.Context,
    report: Report,
    world: World | PlacedWorld | None,
    rows: Sequence[int],
    size: tuple[int, int],
) -> Iterator[tuple[int, bytes, View]]:
    """Each row with its picture and the view of it."""
    if not rows or world is None:
        return
    surfaces = scene_surfaces(context)
    bounds = [(surface.triangles.min(axis=(0, 1)), surface.triangles.max(axis=(0, 1))) for surface in surfaces]
    lower, upper = np.array(bounds).reshape(-1, 2, 3).swapaxes(0, 1)
    for row in rows:
        pair = report.pairs[row]
        scenery = pair_scenery(report, world, surfaces, pair)
        away = scenery.focus - np.clip(scenery.focus, lower, upper)
        near = np.flatnonzero((away**2).sum(axis=1) <= (FAINT * scenery.reach) ** 2)
        scenery = pair_scenery(report, world, [surfaces[index] for index in near.tolist()], pair)
        views = pair_view(pair, scenery, size)
        picture = pair_picture(report, pair, world, scenery, size, caption=False, views=views, larger=LARGER)
        yield row, png(picture), views[0]


def _viewpoint(view: View, picture: bytes) -> Viewpoint:
    _, up, forward = view.axes
    height = float(np.degrees(2.0 * np.arctan(0.5 * view.height / view.scale)))
    return Viewpoint(view.eye, forward, up, height, view.width / view.height, picture)
