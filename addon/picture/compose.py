# SPDX-License-Identifier: GPL-3.0-or-later
"""Render one view as an image. Objects in front become transparent, and overlaps glow."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross, length, normalized
from ..viewport.palette import FAULT, Color
from .color import Image, encoded, linear
from .overlay import SAME_DEPTH, Shot
from .raster import NOTHING, View, clip, rasterise
from .shading import BAND, FINE, Focus, Lamp, Stage, crevices, lamp, lit, nearness, outlines, shaded, smoothed
from .subject import PAINT_A, PAINT_B, PAINT_OTHER, PictureScene, bare_stage

SKY_TOP: Color = (0.955, 0.962, 0.970)
SKY_LOW: Color = (0.840, 0.855, 0.872)

# An object that hides more than this fraction of the two bodies becomes transparent.
IN_THE_WAY = 0.004
GLASS_TINT = 0.06
GLASS_OUTLINE = 0.45

# A collision shape that is apart from its surface is shown as a shell.
SHELL_TINT = 0.30
SHELL_OUTLINE = 0.5

# Fraction of the distance by which the first object is drawn nearer than the last: above rounding, but invisible.
SAME_PLANE = 1e-5

# Width of darkened corners, as a fraction of the picture's width.
CREVICE = 0.075

# A larger scene, in Blender units, is scaled to about unit size, because pixels are shaded in single precision, in
# which squares of lengths above 1e19 are infinite.
ORDINARY = 1e6
# Objects farther away than this, in sizes of the scene, are drawn at this distance.
FARTHEST = 1e9

# Lamp positions: how far to the viewer's left, and how much more of the subject each must reach.
SHOULDERS = ((0.45, 0.0), (-0.45, 0.1), (0.0, 0.15))
LIT_SAMPLES = 2000
# A single body turns half of its surface away from the lamp, so about half of it is never lit.
LIT_ENOUGH = 0.38

OUTLINE = 0.62
FOLD_LINE = 0.22

# Opacity of the glow at the thinnest and the thickest place of the overlap.
GLOW = (0.30, 0.72)


def in_the_way(scenery: PictureScene, view: View) -> NDArray[np.bool_]:
    """Return the triangles (T,) of objects that hide some of the subject in this view."""
    triangles, _, parent = clip(view, scenery.stage.triangles, np.empty((len(scenery.subject), 3, 0)))
    screen, prominent = view.screen(triangles), scenery.prominent[parent]
    shown = rasterise(screen[prominent], view.width, view.height) != NOTHING
    seen = np.append(scenery.stage.thing[parent], NOTHING)[rasterise(screen, view.width, view.height)]
    things, hidden = np.unique(seen[shown], return_counts=True)
    blocking = things[hidden > IN_THE_WAY * max(shown.sum(), 1)]
    return np.isin(scenery.stage.thing, blocking) & ~scenery.subject


def compose(
    scenery: PictureScene, view: View, glass: NDArray[np.bool_], unshaded: NDArray[np.bool_]
) -> tuple[Image, Shot]:
    """Render the scenery in one view as an sRGB image (H, W, 3), and return the shot for the overlay.

    Parameters
    ----------
    scenery : PictureScene
    view : View
    glass : (T,) bool
        Which triangles of the stage are transparent.
    unshaded : (T,) bool
        Which of them cast no shadow.
    """
    size = float(np.abs(scenery.framed - scenery.framed[0]).max(initial=1.0))
    unit = 1.0 if size <= ORDINARY else 2.0 ** round(np.log2(size))
    scenery, drawn = (
        _in_units(scenery, unit, FARTHEST * size),
        replace(view, eye=view.eye / unit, near=view.near / unit),
    )
    light = key_light(scenery, drawn, unshaded)
    fine = drawn.resized(FINE)
    stage = scenery.stage.chosen(~glass).clipped(fine)
    screen = fine.screen(stage.triangles)
    # Of coplanar surfaces, the first object's is visible, everywhere and without stripes.
    first = 1.0 - stage.thing / (stage.thing.max(initial=0) + 1.0)
    screen[..., 2] += first[:, None] * fine.slack(screen[..., 2], SAME_PLANE)
    index = rasterise(screen, fine.width, fine.height)
    near = nearness(screen, index)
    focus = Focus(scenery.focus, scenery.reach, linear(PAINT_OTHER))
    image = shaded(fine, stage, index, near, light, focus)
    image *= _enlarged(crevices(drawn, near[::FINE, ::FINE], _crevice(drawn, scenery)))[..., None]
    outline, fold = outlines(fine, stage, index, near)
    image[fold] *= 1.0 - FOLD_LINE
    image[outline] *= 1.0 - OUTLINE
    _fade(image, fine, near, scenery)
    _glow(image, fine, scenery.overlapping)
    for solid, color in zip(scenery.solids, (PAINT_A, PAINT_B), strict=False):
        _glass(image, fine, bare_stage(solid, color), near, SHELL_TINT, SHELL_OUTLINE)
    _glass(image, fine, scenery.stage.chosen(glass), near, GLASS_TINT, GLASS_OUTLINE)
    small = image.reshape(view.height, FINE, view.width, FINE, 3).mean(axis=(1, 3))
    coarse = screen / (FINE, FINE, unit)
    # In very large scenes, it is below single precision.
    shown = near[::FINE, ::FINE] if unit == 1.0 else near[::FINE, ::FINE].astype(np.float64) / unit
    return encoded(small), Shot(view, coarse, shown)


def _in_units(scenery: PictureScene, unit: float, most: float) -> PictureScene:
    """Return the scenery in another unit of length, with nothing farther than this from the focus."""

    def scaled(points: Floats) -> Floats:
        return np.clip(points, scenery.focus - most, scenery.focus + most) / unit

    triangles, normals = scaled(scenery.stage.triangles), scenery.stage.normals
    # Blender has no normals for very large and very small faces.
    none = ~(length(normals) > 0.5)
    if none.any():
        across = cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        normals = np.where(none[..., None], normalized(across, np.array([0.0, 0.0, 1.0]))[:, None], normals)
    return replace(
        scenery,
        stage=replace(scenery.stage, triangles=triangles, normals=normals),
        solids=tuple(map(scaled, scenery.solids)),
        overlapping=tuple(map(scaled, scenery.overlapping)),
        others=tuple(map(scaled, scenery.others)),
        framed=scaled(scenery.framed),
        focus=scenery.focus / unit,
        reach=scenery.reach / unit,
    )


def key_light(scenery: PictureScene, view: View, glass: NDArray[np.bool_]) -> Lamp:
    """Return a lamp over the viewer's left shoulder, unless another place reaches more of the subject."""
    casters = scenery.stage.chosen(~glass)
    shown = scenery.stage.triangles[scenery.prominent].mean(axis=1)
    shown = shown[:: len(shown) // LIT_SAMPLES + 1]
    forward = view.axes[2] * (1.0, 1.0, 0.0)
    best, most = None, -1.0
    for sideways, handicap in SHOULDERS:
        direction = sideways * view.axes[0] + 0.75 * forward / max(np.linalg.norm(forward), 1e-6)
        direction = direction - np.array([0.0, 0.0, 0.95])
        light = lamp(direction / np.linalg.norm(direction), casters, scenery.focus, 2.6 * scenery.reach)
        offsets = (shown - view.eye).astype(np.float32)
        share = float(lit(light, view.eye, offsets).mean()) - handicap if len(shown) else -handicap
        if share > most:
            best, most = light, share
        if most > LIT_ENOUGH:
            break
    assert best is not None
    return best


def background(height: int) -> Floats:
    """Return the background light, per row (H, 1, 3)."""
    share = np.linspace(0.0, 1.0, height)[:, None, None]
    return linear(SKY_TOP) * (1.0 - share) + linear(SKY_LOW) * share


def _fade(image: Image, view: View, near: Image, scenery: PictureScene) -> None:
    """Blend distant surfaces into the background, and draw the background."""
    sky = background(view.height).astype(np.float32)
    eye = (view.eye - scenery.focus).astype(np.float32)
    for top in range(0, view.height, BAND):
        band = slice(top, top + BAND)
        away = np.linalg.norm(eye + view.offsets(near[band], top), axis=-1) / scenery.reach
        share = np.where(np.isfinite(near[band]), np.clip((away - 1.3) / 4.0, 0.0, 0.9), 1.0)
        image[band] += share[..., None] * (sky[band] - image[band])


def _glow(image: Image, view: View, solids: tuple[Floats, ...]) -> None:
    """Tint the overlap of two convex solids, more strongly where it is thicker. Does nothing without an overlap."""
    bounds = [(solid.min(axis=(0, 1)), solid.max(axis=(0, 1))) for solid in solids if len(solid)]
    if len(bounds) < 2 or (bounds[0][0] > bounds[1][1]).any() or (bounds[1][0] > bounds[0][1]).any():
        return
    layers = []
    for solid in solids:
        triangles, _, _ = clip(view, solid, np.empty((len(solid), 3, 0)))
        screen = view.screen(triangles)
        for farthest in (False, True):
            layers.append(nearness(screen, rasterise(screen, view.width, view.height, farthest=farthest)))
    # Nearness decreases with distance: the overlap begins at the farther front and ends at the nearer back.
    front, back = np.minimum(layers[0], layers[2]), np.maximum(layers[1], layers[3])
    inside = np.isfinite(front) & (front > back)
    if not inside.any():
        return
    thick = np.zeros_like(front)
    ends = front[inside], back[inside]
    thick[inside] = ends[0] - ends[1] if view.parallel else 1.0 / ends[1] - 1.0 / ends[0]
    thick /= thick.max()
    tint = inside * (GLOW[0] + (GLOW[1] - GLOW[0]) * thick)
    rim = (smoothed(inside.astype(np.float32), 2 * FINE + 1) < 1.0) & inside
    tint = np.where(rim, 0.95, tint)
    image += tint[..., None].astype(np.float32) * (linear(FAULT).astype(np.float32) - image)


def _glass(image: Image, view: View, stage: Stage, near: Image, tint: float, line: float) -> None:
    """Draw objects over the image as a tint with outlines, where they are in front."""
    if not len(stage.triangles):
        return
    stage = stage.clipped(view)
    screen = view.screen(stage.triangles)
    index = rasterise(screen, view.width, view.height)
    pane = nearness(screen, index)
    before = np.isfinite(pane)
    before[before] = pane[before] > near[before] + view.slack(pane[before], SAME_DEPTH)
    outline, fold = outlines(view, stage, index, pane)
    image[before] += tint * (stage.color[index[before]].astype(np.float32) - image[before])
    image[(outline | fold) & before] *= 1.0 - line


def _crevice(view: View, scenery: PictureScene) -> float:
    """Return the size of darkened corners: a fixed fraction of the picture's width."""
    distance = 1.0 if view.parallel else float(view.depth(scenery.focus))
    return CREVICE * view.width * distance / view.scale


def _enlarged(image: Image) -> Image:
    return np.repeat(np.repeat(image, FINE, axis=0), FINE, axis=1)
