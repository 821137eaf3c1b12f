# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw primitives with the graphics card.

This module decides nothing: content and place come from the primitives, colors and sizes from the palette, and the time
from the handler. The view matrices are those of the GPU state when a function is called.
"""

from functools import cache
from typing import Any, NamedTuple

import blf
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix
from numpy.typing import ArrayLike

from ...core.numerics.types import Floats
from ..debug_draw.primitives import Primitives, Scale
from ..debug_draw.roles import Role
from ..i18n.lookup import translated
from ..i18n.wrapping import ShortNames
from ..model.message import Message
from .heat_colors import heat_colors, lit_colors
from .labels import beside, laid_out, moved_into
from .palette import (
    HALO,
    HALO_STRENGTH,
    HALO_WIDTH,
    LABEL_OFFSET,
    LEGEND_BESIDE,
    LEGEND_COLOR,
    LEGEND_INSET,
    LEGEND_MOST,
    LEGEND_TEXT,
    LOOKS,
    PLATE,
    PLATE_BAR,
    PLATE_PADDING,
    PLATE_RIM,
    PLATE_STRENGTH,
    SCALE_INSET,
    SCALE_SIZE,
    TEXT,
    TEXT_SIZE,
)

# The type stubs have other signatures for these than Blender.
state: Any = gpu.state
matrix: Any = gpu.matrix
types: Any = gpu.types
font: Any = blf

FONT = 0

# Fraction of its distance by which a line may be behind a surface and still count as visible.
NEARER = 1e-3

# A disc is a square around its center, offset on the screen. The builtin points are square and missing before 4.5.
DISC_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)], np.float32)
DISC_VERTEX = """
void main()
{
  vec4 middle = ModelViewProjectionMatrix * vec4(pos, 1.0);
  away = corner * (radius + 1.0);
  gl_Position = middle + vec4(away * 2.0 / viewportSize * middle.w, 0.0, 0.0);
}
"""
# `srgbTarget` is whether the output of a shader is encoded again on its way to the screen.
DISC_FRAGMENT = """
vec3 linear(vec3 c)
{
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

void main()
{
  float beyond = length(away);
  vec4 rim = vec4(RIM.rgb, RIM.a * color.a * color.a);
  vec4 shown = mix(color, rim, clamp(beyond - radius + rimWidth + 0.5, 0.0, 1.0));
  shown.a *= clamp(radius - beyond + 0.5, 0.0, 1.0);
  fragColor = srgbTarget ? vec4(linear(shown.rgb), shown.a) : shown;
}
"""


class Batches(NamedTuple):
    """Primitives in the memory of the graphics card, by role."""

    fills: dict[Role, gpu.types.GPUBatch]
    lines: dict[Role, gpu.types.GPUBatch]
    discs: dict[Role, gpu.types.GPUBatch]
    heat: dict[Role, gpu.types.GPUBatch]

    def without(self, left_out: Role) -> "Batches":
        """Return all except those with this role."""
        return Batches(*({role: batch for role, batch in part.items() if role != left_out} for part in self))


def batches(primitives: Primitives) -> Batches:
    """Send triangles, lines and points to the graphics card, once for all redraws."""
    fills, lines, discs, heat = {}, {}, {}, {}
    if len(primitives.graded):
        colors = np.ones((len(primitives.graded), 3, 4), np.float32)
        colors[:, :, :3] = lit_colors(primitives.graded, primitives.grade)
        corners = primitives.graded.reshape(-1, 3)
        heat[Role.HEAT] = batch_for_shader(_smooth_shader(), "TRIS", {"pos": corners, "color": colors.reshape(-1, 4)})
    for role in LOOKS:
        corners = primitives.triangles[primitives.triangle_role == role].reshape(-1, 3).astype(np.float32)
        if len(corners):
            fills[role] = batch_for_shader(_fill_shader(), "TRIS", {"pos": corners})
        ends = primitives.lines[primitives.line_role == role].reshape(-1, 3).astype(np.float32)
        if len(ends):
            lines[role] = batch_for_shader(_line_shader(), "LINES", {"pos": ends})
        points = primitives.points[primitives.point_role == role].astype(np.float32)
        if len(points):
            around = np.tile(DISC_CORNERS, (len(points), 1))
            positions = np.repeat(points, len(DISC_CORNERS), axis=0)
            discs[role] = batch_for_shader(_disc_shader(), "TRIS", {"pos": positions, "corner": around})
    return Batches(fills, lines, discs, heat)


def forget() -> None:
    """Free the graphics card's resources that are shared by all overlays."""
    _unit_square.cache_clear()
    _heat_bar.cache_clear()
    _disc_shader.cache_clear()


def draw_view(drawn: Batches, viewport: tuple[int, int], scale: float = 1.0, *, adds_light: bool = False) -> None:
    """Draw triangles, lines and points in the 3D view of the GPU state's matrices.

    Parts hidden by the depth buffer are drawn fainter, as defined by the look of each role.

    Parameters
    ----------
    drawn : Batches
    viewport : (width, height)
        In pixels.
    scale : float, optional
        Pixels of this screen per pixel of the palette.
    adds_light : bool, optional
        Whether the framebuffer blends linear light, as the viewport's does, and not encoded colors.
    """
    _draw_heat(drawn)
    state.blend_set("ALPHA")
    state.depth_mask_set(False)
    # Bright lines look too strong when blended as linear light. Half of it looks like half of the color.
    power = 2.0 if adds_light else 1.0
    with matrix.push_pop():
        _come_nearer()
        try:
            _draw_roles(drawn, viewport, scale, power)
        finally:
            state.depth_test_set("NONE")
            state.blend_set("NONE")


def draw_pixel(
    primitives: Primitives,
    clip_from_world: ArrayLike,
    viewport: tuple[int, int],
    scale: float = 1.0,
    room: tuple[float, float, float, float] | None = None,
) -> None:
    """Draw the scale and the labels, each on a plate and in the language of the interface, if there is room.

    The view's GPU matrices are in pixels from its lower left corner.

    Parameters
    ----------
    primitives : Primitives
    clip_from_world : (4, 4) array-like
        Matrix of the 3D view. Labels behind the camera or outside the view are left out.
    viewport : (width, height)
    scale : float, optional
        Pixels of this screen per pixel of the palette.
    room : (left, low, right, high), optional
        Unobstructed part of the view. Default: the whole view. Labels are moved into it.
    """
    if primitives.scale is not None:
        _draw_scale(primitives.scale, room or (0.0, 0.0, *viewport), scale)
    if not primitives.labels:
        return
    ends = np.stack([primitives.label_at, primitives.label_away])
    at, away = np.insert(ends, 3, 1.0, axis=2) @ np.asarray(clip_from_world, np.float64).T
    shown = np.flatnonzero((np.abs(at[:, :2]) <= at[:, 3:]).all(axis=1) & (at[:, 3] > 0.0))
    labels = [translated(primitives.labels[row]) for row in shown]
    font.size(FONT, TEXT_SIZE * scale)
    font.color(FONT, *TEXT, 1.0)
    text = np.array([font.dimensions(FONT, label) for label in labels], np.float64).reshape(-1, 2)
    place = _pixels(at[shown], viewport)
    far = np.full_like(place, np.nan)
    has_side = away[shown, 3] > 0.0
    far[has_side] = _pixels(away[shown][has_side], viewport)
    pad = PLATE_PADDING * scale
    state.blend_set("ALPHA")
    try:
        # All plates have the same height, whatever their letters.
        size = np.c_[text[:, 0], np.full(len(text), text[:, 1].max(initial=0.0))] + 2.0 * pad
        free, margin = np.asarray(room or (0.0, 0.0, *viewport)), PLATE_BAR * scale
        corner = beside(place, far, size, np.array(LABEL_OFFSET) * scale, free, margin)
        corner = moved_into(free, corner, size, margin=margin)
        placed, kept = laid_out(corner, size)
        for which in np.flatnonzero(kept):
            (left, low), (width, height) = placed[which], size[which]
            color = LOOKS[Role(primitives.label_role[shown[which]])].color
            _draw_label(labels[which], left, low, width, height, scale, color)
    finally:
        state.blend_set("NONE")


def _pixels(clip: Floats, viewport: tuple[int, int]) -> Floats:
    """Return the pixels (N, 2) of points in front of the camera, in the coordinates of its matrix (N, 4)."""
    pixels: Floats = (clip[:, :2] / clip[:, 3:] + 1.0) * np.asarray(viewport) / 2.0
    return pixels


def pixels_of(points: Floats, clip_from_world: Floats, viewport: tuple[int, int]) -> Floats:
    """Return the pixels (K, 2) of those points (N, 3) that are in front of the camera."""
    clip = np.insert(points, 3, 1.0, axis=1) @ clip_from_world.T
    return _pixels(clip[clip[:, 3] > 0.0], viewport)


def draw_legend(
    legend: tuple[tuple[tuple[int, ...], str], ...],
    room: tuple[float, float, float, float],
    scale: float = 1.0,
    uncovered: Floats | None = None,
) -> None:
    """Draw the colors of roles with their meanings on a plate at the lower left of a rectangle.

    Long texts are shortened. Nothing is drawn if the rectangle is too low.

    Parameters
    ----------
    legend : tuple of (tuple of int, str)
        As in `Primitives`.
    room : (left, low, right, high)
        Unobstructed part of the view, in pixels.
    scale : float, optional
        Pixels of this screen per pixel of the palette.
    uncovered : (K, 2) float64, optional
        Pixels of what the plate should not cover. It is at the lower right if only that leaves it free.
    """
    left, low, right, high = room
    pad, box = PLATE_PADDING * scale, LEGEND_COLOR * scale
    line = (LEGEND_TEXT + PLATE_PADDING) * scale
    height = line * len(legend) + pad
    if not legend or height > LEGEND_MOST[1] * (high - low):
        return
    font.size(FONT, LEGEND_TEXT * scale)
    font.color(FONT, *TEXT, 1.0)
    before = pad + box + LEGEND_BESIDE * scale
    texts = [translated(text) if isinstance(text, Message) else text for _, text in legend]
    short, most = ShortNames(texts), LEGEND_MOST[0] * (right - left) - before - pad
    texts = [short.shortened(text, most, _text_width) for text in texts]
    width = before + max(map(_text_width, texts)) + pad
    inset = LEGEND_INSET * scale
    low += inset
    places = left + inset, right - inset - width
    covered = [_meets(uncovered, place, low, place + width, low + height) for place in places]
    left = places[1] if covered == [True, False] else places[0]
    state.blend_set("ALPHA")
    try:
        _draw_rectangle(left, low, left + width, low + height, (*PLATE, PLATE_STRENGTH))
        middle = float(font.dimensions(FONT, "0")[1]) / 2.0
        for row, ((roles, _), text) in enumerate(zip(legend, texts, strict=True)):
            center = low + height - pad / 2.0 - (row + 0.5) * line
            part = box / len(roles)
            for place, role in enumerate(roles):
                start, color = left + pad + place * part, (*LOOKS[Role(role)].color, 1.0)
                _draw_rectangle(start, center - box / 2.0, start + part, center + box / 2.0, color)
            font.position(FONT, left + before, center - middle, 0.0)
            font.draw(FONT, text)
    finally:
        state.blend_set("NONE")


def _meets(points: Floats | None, left: float, low: float, right: float, high: float) -> bool:
    """Return whether the bounds of points (K, 2) overlap a rectangle."""
    if points is None or not len(points):
        return False
    return bool((points.min(axis=0) < (right, high)).all() and (points.max(axis=0) > (left, low)).all())


def _text_width(text: str) -> float:
    return float(font.dimensions(FONT, text)[0])


def _draw_roles(drawn: Batches, viewport: tuple[int, int], scale: float, power: float) -> None:
    # Triangles are below all lines, whatever their role.
    for role, fill in drawn.fills.items():
        look = LOOKS[role]
        for comparison, opacity in (("GREATER", look.hidden), ("LESS_EQUAL", look.seen)):
            state.depth_test_set(comparison)
            _draw_fill(fill, (*look.color, (look.fill * opacity) ** power))
    for role, look in LOOKS.items():
        for comparison, opacity in (("GREATER", look.hidden), ("LESS_EQUAL", look.seen)):
            state.depth_test_set(comparison)
            strength = opacity**power
            if role in drawn.lines:
                width = look.width * scale
                halo = (*HALO, HALO_STRENGTH * opacity**2)
                _draw_lines(drawn.lines[role], viewport, width + 2.0 * HALO_WIDTH * scale, halo)
                _draw_lines(drawn.lines[role], viewport, width, (*look.color, strength))
            if role in drawn.discs:
                _draw_discs(drawn.discs[role], viewport, scale, look.disc, (*look.color, strength))


def _draw_heat(drawn: Batches) -> None:
    """Draw opaque surfaces, which hide each other and what is behind them."""
    for batch in drawn.heat.values():
        state.blend_set("NONE")
        state.depth_mask_set(True)
        state.depth_test_set("LESS_EQUAL")
        with matrix.push_pop():
            # Later primitives in the surface are nearer than it.
            _come_nearer(NEARER / 2.0)
            try:
                shader = _smooth_shader()
                shader.bind()
                batch.draw(shader)
            finally:
                state.depth_test_set("NONE")


def _come_nearer(share: float = NEARER) -> None:
    """Move primitives slightly towards the camera, so that a line in a surface is visible.

    In a perspective view, by a fraction of the distance; in a parallel one, by that fraction of its width. Matrices
    without a view along -Z, such as those of clip space, are not changed.
    """
    projection = matrix.get_projection_matrix()
    if projection[3][3] == 0.0:
        nearer = Matrix.Scale(1.0 - share, 4)
    elif projection[2][2] < 0.0:
        nearer = Matrix.Translation((0.0, 0.0, share * 2.0 / projection[0][0]))
    else:
        return
    matrix.load_matrix(nearer @ matrix.get_model_view_matrix())


def _draw_fill(batch: gpu.types.GPUBatch, color: tuple[float, ...]) -> None:
    shader = _fill_shader()
    shader.bind()
    shader.uniform_float("color", color)
    batch.draw(shader)


def _draw_lines(batch: gpu.types.GPUBatch, viewport: tuple[int, int], width: float, color: tuple[float, ...]) -> None:
    shader = _line_shader()
    shader.bind()
    shader.uniform_float("viewportSize", viewport)
    shader.uniform_float("lineWidth", width)
    shader.uniform_bool("lineSmooth", True)
    shader.uniform_float("color", color)
    batch.draw(shader)


def _draw_discs(
    batch: gpu.types.GPUBatch,
    viewport: tuple[int, int],
    scale: float,
    diameter: float,
    color: tuple[float, ...],
) -> None:
    shader = _disc_shader()
    shader.bind()
    shader.uniform_float("viewportSize", viewport)
    shader.uniform_float("radius", (diameter / 2.0 + HALO_WIDTH) * scale)
    shader.uniform_float("rimWidth", HALO_WIDTH * scale)
    shader.uniform_float("color", color)
    batch.draw(shader)


def _draw_label(
    label: str, left: float, low: float, width: float, height: float, scale: float, color: tuple[float, ...]
) -> None:
    """Draw a label on a plate with this lower left corner and size, with a bar in the color of its role."""
    pad, bar, rim = PLATE_PADDING * scale, PLATE_BAR * scale, PLATE_RIM * scale
    # What is behind may have the color of the bar.
    _draw_rectangle(left - bar - rim, low - rim, left + width + rim, low + height + rim, (*HALO, 1.0))
    _draw_rectangle(left, low, left + width, low + height, (*PLATE, 1.0))
    _draw_rectangle(left - bar, low, left, low + height, (*color, 1.0))
    font.position(FONT, left + pad, low + pad, 0.0)
    font.draw(FONT, label)


def _draw_scale(scale_: Scale, room: tuple[float, float, float, float], scale: float) -> None:
    """Draw the color bar at the lower left, on a plate, with its title above it and its ticks below it."""
    font.size(FONT, TEXT_SIZE * scale)
    font.color(FONT, *TEXT, 1.0)
    pad, (length, height) = PLATE_PADDING * scale, (size * scale for size in SCALE_SIZE)
    title = translated(scale_.title)
    line = float(font.dimensions(FONT, "0")[1])
    ticks = [(grade, translated(text)) for grade, text in scale_.ticks]
    widths = [float(font.dimensions(FONT, text)[0]) for _, text in ticks]
    # Half of the outer ticks is beside the bar.
    left, low = room[0] + SCALE_INSET * scale, room[1] + SCALE_INSET * scale
    before = max((width / 2.0 - grade * length for (grade, _), width in zip(ticks, widths, strict=True)), default=0.0)
    begin = left + pad + max(before, 0.0)
    end = begin + max(length + widths[-1] / 2.0, float(font.dimensions(FONT, title)[0])) + pad
    bar = low + 2.0 * pad + line
    state.blend_set("ALPHA")
    try:
        _draw_rectangle(left, low, end, bar + height + 2.0 * pad + line, (*PLATE, PLATE_STRENGTH))
        with matrix.push_pop():
            matrix.translate((begin, bar))
            matrix.scale((length, height))
            shader = _smooth_shader()
            shader.bind()
            _heat_bar().draw(shader)
        for (grade, text), width in zip(ticks, widths, strict=True):
            x = begin + grade * length
            _draw_rectangle(x - 0.5 * scale, bar - 0.5 * pad, x + 0.5 * scale, bar, (*TEXT, 1.0))
            font.position(FONT, x - width / 2.0, low + pad, 0.0)
            font.draw(FONT, text)
        font.position(FONT, begin, bar + height + pad, 0.0)
        font.draw(FONT, title)
    finally:
        state.blend_set("NONE")


@cache
def _heat_bar() -> gpu.types.GPUBatch:
    """Return the color bar as a unit square."""
    grade = np.linspace(0.0, 1.0, 33)
    color = np.c_[heat_colors(grade), np.ones(len(grade))].astype(np.float32)
    corners = np.stack([np.c_[grade, 0.0 * grade], np.c_[grade, 0.0 * grade + 1.0]], axis=1)
    first = 2 * np.arange(len(grade) - 1)[:, None]
    indices = (first[:, None] + np.array([[0, 2, 3], [0, 3, 1]])).reshape(-1, 3).astype(np.int32)
    positions = np.c_[corners.reshape(-1, 2), np.zeros(2 * len(grade))].astype(np.float32)
    content = {"pos": positions, "color": np.repeat(color, 2, axis=0)}
    return batch_for_shader(_smooth_shader(), "TRIS", content, indices=indices)


def _draw_rectangle(left: float, low: float, right: float, high: float, color: tuple[float, ...]) -> None:
    shader = _fill_shader()
    with matrix.push_pop():
        matrix.translate((left, low))
        matrix.scale((right - left, high - low))
        shader.bind()
        shader.uniform_float("color", color)
        _unit_square().draw(shader)


@cache
def _unit_square() -> gpu.types.GPUBatch:
    """Return the batch that all plates share, so that a redraw sends nothing to the graphics card."""
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    return batch_for_shader(_fill_shader(), "TRIS", {"pos": corners}, indices=[(0, 1, 2), (0, 2, 3)])


def _fill_shader() -> Any:
    return gpu.shader.from_builtin("UNIFORM_COLOR")


def _smooth_shader() -> Any:
    return gpu.shader.from_builtin("SMOOTH_COLOR")


def _line_shader() -> Any:
    return gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")


@cache
def _disc_shader() -> Any:
    between = types.GPUStageInterfaceInfo("collision_kit_disc")
    between.smooth("VEC2", "away")
    info = types.GPUShaderCreateInfo()
    info.define("RIM", f"vec4({HALO[0]}, {HALO[1]}, {HALO[2]}, {HALO_STRENGTH})")
    info.push_constant("MAT4", "ModelViewProjectionMatrix")
    info.push_constant("VEC4", "color")
    info.push_constant("VEC2", "viewportSize")
    info.push_constant("FLOAT", "radius")
    info.push_constant("FLOAT", "rimWidth")
    info.push_constant("BOOL", "srgbTarget")
    info.vertex_in(0, "VEC3", "pos")
    info.vertex_in(1, "VEC2", "corner")
    info.vertex_out(between)
    info.fragment_out(0, "VEC4", "fragColor")
    info.vertex_source(DISC_VERTEX)
    info.fragment_source(DISC_FRAGMENT)
    return gpu.shader.create_from_info(info)
