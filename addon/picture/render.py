# SPDX-License-Identifier: GPL-3.0-or-later
"""Render a picture of the worst pair of a report without a window. The file is not changed."""

import struct
import zlib
from pathlib import Path

import bpy
import numpy as np

from ...core.constants import Verdict
from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from ..debug_draw.primitives import Primitives
from ..debug_draw.roles import Role
from ..i18n.units import stand_text
from ..model.report import PairResult, Report
from ..model.verdict_names import FAULTS
from ..scene.reading.read_scene import SceneShapes
from ..scene.reading.scene_shapes import PlanarShapes
from ..scene.reading.surfaces import scene_surfaces
from ..viewport.pair_primitives import evidence_primitives
from ..viewport.palette import CALM, FAULT, LOOKS, TEXT, Color
from .caption import QUIET, USUAL_WIDTH, CaptionPiece, draw_caption, draw_labels
from .closeup import ASIDE, closeup_view, draw_closeup
from .color import Image
from .compose import compose, in_the_way
from .overlay import draw_overlay
from .raster import View
from .subject import PAINT_A, PAINT_B, PictureScene, pair_scenery, whole_scenery
from .view import best_direction, framing

# Length of the overlay's arrows, as a fraction of the picture's width at the pair.
ARROW = 0.085

# The verdict between the two names, and what may follow them.
SENTENCES = {
    Verdict.DUPLICATE: ("is a duplicate of",),
    Verdict.CONTAINED: ("and", "contained"),
    Verdict.PENETRATING: ("penetrates",),
    Verdict.COPLANAR: ("has faces in one plane with",),
    Verdict.TOUCHING: ("touches",),
    Verdict.WITHIN_CLEARANCE: ("is within clearance of",),
    Verdict.SEPARATED: ("is separated from",),
}

# Words for the pairs that do not collide, for the second line.
ALIKE = {
    Verdict.TOUCHING: "touching",
    Verdict.WITHIN_CLEARANCE: "within the clearance",
    Verdict.SEPARATED: "separated",
}


def write_picture(
    context: bpy.types.Context,
    report: Report,
    scene_shapes: "SceneShapes | PlanarShapes",
    path: str | Path,
    size: tuple[int, int] = (1280, 800),
) -> None:
    """Write a PNG of the worst pair that is not folded with its overlay or, without pairs, of the whole scene.

    Parameters
    ----------
    context : bpy.types.Context
        With the checked scene, in the checked frame.
    report : Report
    scene_shapes : SceneShapes or PlanarShapes
        Shapes of the report.
    path : str or Path
    size : (width, height), optional
        In pixels.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    Path(path).write_bytes(draw_picture(context, report, scene_shapes, size))


def draw_picture(
    context: bpy.types.Context,
    report: Report,
    scene_shapes: "SceneShapes | PlanarShapes",
    size: tuple[int, int] = (1280, 800),
) -> bytes:
    """Return the picture for `write_picture`."""
    surfaces = scene_surfaces(context)
    if not report.pairs:
        return png(_whole_picture(report, whole_scenery(report, surfaces), size))
    world, pair = scene_shapes.world, report.pairs[worst_row(report)]
    image = pair_picture(report, pair, world, pair_scenery(report, world, surfaces, pair), size)
    return png(image)


def pair_picture(
    report: Report,
    pair: PairResult,
    world: World | PlacedWorld,
    scenery: PictureScene,
    size: tuple[int, int],
    *,
    caption: bool = True,
    views: tuple[View, View | None] | None = None,
    larger: float = 1.0,
) -> Image:
    """Render a pair with its overlay as an sRGB image (H, W, 3), with or without a caption.

    `views` is from `pair_view`. The argument for labels is a factor of their size.
    """
    scale = size[0] / USUAL_WIDTH
    view, close = pair_view(pair, scenery, size) if views is None else views
    glass = in_the_way(scenery, view.resized(0.25))
    image, shot = compose(scenery, view, glass, glass)
    amount = _amount(report, pair)
    overlay = _overlay(pair, world, view, scenery, amount)
    draw_overlay(image, shot, overlay, scale)
    if close is None:
        draw_labels(image, view, overlay, larger * scale)
    else:
        draw_closeup(image, view, close, scenery, _overlay(pair, world, close, scenery, amount))
    if caption:
        small = f"{_whence(report)} · {_among(report, pair)}"
        draw_caption(image, _title(report, pair, amount), small, _legend(pair), scale)
    return image


def pair_view(pair: PairResult, scenery: PictureScene, size: tuple[int, int]) -> tuple[View, View | None]:
    """Return the view of a picture of a pair, and that of its close-up. None if it has none."""
    middle = (pair.point_a + pair.point_b) / 2.0
    direction = best_direction(scenery.framed, pair.normal, list(scenery.solids), list(scenery.others), size)
    view = framing(direction, scenery.framed, size)
    close = closeup_view(view, scenery, middle, pair.normal, pair.distance)
    return (view if close is None else framing(direction, scenery.framed, size, ASIDE)), close


def worst_row(report: Report) -> int:
    """Return the first row that is not folded. If all are, the first of all."""
    return next((row for row in range(len(report.pairs)) if row not in report.folded), 0)


def _amount(report: Report, pair: PairResult) -> str:
    """Return the depth or the gap in words. Empty if the verdict is enough."""
    if pair.verdict in (Verdict.TOUCHING, Verdict.COPLANAR, Verdict.DUPLICATE):
        return ""
    return stand_text(pair, report.units)


def _among(report: Report, pair: PairResult) -> str:
    """Return the number of pairs that are not folded and have the verdict of the worst pair."""
    count = report.counts()
    open_count = count - report.verdicts_of(list(report.folded))
    count = open_count if open_count[pair.verdict] else count
    collisions = sum(count[verdict] for verdict in FAULTS)
    if pair.verdict in FAULTS:
        return "the only collision" if collisions == 1 else f"the worst of {collisions} collisions"
    pairs = "1 pair" if count[pair.verdict] == 1 else f"{count[pair.verdict]} pairs"
    return f"no collisions, {pairs} {ALIKE[pair.verdict]}"


def _title(report: Report, pair: PairResult, amount: str) -> list[CaptionPiece]:
    near = LOOKS[Role.GAP].color if pair.verdict == Verdict.WITHIN_CLEARANCE else CALM
    tone = FAULT if pair.verdict in FAULTS else near
    verb, *rest = SENTENCES[pair.verdict]
    title = [
        CaptionPiece(report.bodies[pair.body_a].name, TEXT, PAINT_A),
        CaptionPiece(verb, tone),
        CaptionPiece(report.bodies[pair.body_b].name, TEXT, PAINT_B),
    ]
    for words in (*rest, amount):
        if words:
            title += [CaptionPiece("·", QUIET), CaptionPiece(words, tone)]
    return title


def _legend(pair: PairResult) -> list[tuple[Color, str]]:
    legend = []
    if pair.distance < 0.0:
        legend.append((FAULT, "overlap"))
    elif pair.verdict == Verdict.WITHIN_CLEARANCE:
        legend.append((LOOKS[Role.GAP].color, "gap"))
    if len(pair.contact_points):
        legend.append((LOOKS[Role.CONTACT].color, "contacts and normals"))
    return legend


def _whole_picture(report: Report, scenery: PictureScene, size: tuple[int, int]) -> Image:
    scale = size[0] / USUAL_WIDTH
    things = np.unique(scenery.stage.thing[scenery.subject])
    bodies = [scenery.stage.triangles[scenery.stage.thing == thing] for thing in things]
    view = framing(best_direction(scenery.framed, None, bodies, list(scenery.others), size), scenery.framed, size)
    glass = in_the_way(scenery, view.resized(0.25))
    image, _ = compose(scenery, view, glass, glass)
    count = len(report.tested_bodies)
    small = f"{_whence(report)} · {count} {'body' if count == 1 else 'bodies'} tested"
    draw_caption(image, [CaptionPiece("No collisions", CALM)], small, [], scale)
    return image


def _overlay(pair: PairResult, world: World | PlacedWorld, view: View, scenery: PictureScene, label: str) -> Primitives:
    depth = 1.0 if view.parallel else float(view.depth((pair.point_a + pair.point_b) / 2.0))
    arrow = ARROW * view.width * depth / view.scale
    return evidence_primitives(world, pair, size=scenery.reach, arrow=arrow, label=label)


def _whence(report: Report) -> str:
    file = [Path(report.file).name] if report.file else []
    return " · ".join([*file, report.scene, f"frame {report.frame}"])


def png(image: Image) -> bytes:
    """Return an sRGB image (H, W, 3), 0 to 1, as the bytes of a PNG file."""
    height, width = image.shape[:2]
    pixels = (np.clip(image, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8).reshape(height, -1)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
