# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of several pairs of a report, without a graphics driver: what its HTML page shows; and viewpoints of all."""

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

# In pixels: two to one of a card's on most screens.
SIZE = (720, 450)

# Pages show pictures at half their size, and labels must be legible there.
LARGER = 3.0

# What is farther from a pair, in radii of what is in full color, has all but sunk into the background: left out, it
# takes no time.
FAINT = 5.0


def pair_pictures(
    context: bpy.types.Context,
    report: Report,
    world: World | PlacedWorld | None,
    rows: Sequence[int],
    size: tuple[int, int] = SIZE,
) -> Iterator[tuple[int, bytes]]:
    """Yield each row with a PNG file of its pair, drawn when it is asked for.

    Parameters
    ----------
    context : bpy.types.Context
        Of the scene that was checked, at the frame that was checked.
    report : Report
    world : World, PlacedWorld or None
        The shapes that the report speaks of; None: there are none, and so no pictures.
    rows : sequence of int
        Of `report.pairs`.
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
    """Yield each row with a viewpoint of its pair: for `pictured` rows with a picture, as `pair_pictures` has it."""
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
