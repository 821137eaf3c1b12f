# SPDX-License-Identifier: GPL-3.0-or-later
"""The subject of a picture of a report: surfaces, colors, and the pair."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.constants import Verdict
from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross, length, normalized
from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from ..debug_draw.shapes import CORNERS
from ..debug_draw.surfaces import shape_triangles
from ..model.report import Body, PairResult, Report
from ..model.verdict_names import FAULTS
from ..scene.reading.batches import bounds_of
from ..scene.reading.surfaces import ObjectSurface
from ..viewport.palette import Color
from .color import linear
from .raster import View
from .shading import Stage
from .view import usual_view

# Surfaces are darker than the lines of the same role over them.
PAINT_A: Color = (0.93, 0.52, 0.13)
PAINT_B: Color = (0.22, 0.51, 0.90)
PAINT_BODY: Color = (0.42, 0.70, 0.66)
PAINT_VAST: Color = (0.74, 0.83, 0.82)
PAINT_OTHER: Color = (0.80, 0.815, 0.83)

# If a body is far larger than the other, this much around the smaller one is framed, in sizes of the smaller.
NEIGHBORHOOD = 0.25
FAR_LARGER = 3.5
# If a body is this many times larger than its collision shape, the shape is framed.
PART = 2.0

# Number of directions for finding the extreme points of a body.
OUTERMOST = 64

# Size of a body without extent, in Blender units.
LEAST = 1e-6

# A solid is flat if its extent along the axis is less than this fraction of the depth.
FLAT = 1e-3

# Half the side of the patch of a half-space, in sizes of the other body.
HALF_SPACE_SIZE = 1.2


@dataclass(frozen=True)
class PictureScene:
    """The surfaces in a picture, and its subject.

    Attributes
    ----------
    stage : Stage
    subject : (T,) bool
        Triangles of the stage that belong to the subject.
    prominent : (T,) bool
        Triangles of the subject that must not be hidden: for a crate on a floor, only the crate's.
    solids : tuple of (t, 3, 3) float64
        Collision shapes of A and B. Empty if no pair is shown.
    overlapping : tuple of (t, 3, 3) float64
        The two solids whose overlap glows. Empty if there is none.
    others : tuple of (t, 3, 3) float64
        Possible occluders, object by object.
    framed : (K, 3) float64
        Points that must be in the picture.
    focus : (3,) float64
    reach : float
        Radius of the full-color region around the focus. Surfaces beyond it fade.
    """

    stage: Stage
    subject: NDArray[np.bool_]
    prominent: NDArray[np.bool_]
    solids: tuple[Floats, ...]
    overlapping: tuple[Floats, ...]
    others: tuple[Floats, ...]
    framed: Floats
    focus: Floats
    reach: float


def pair_scenery(
    report: Report, world: World | PlacedWorld, surfaces: list[ObjectSurface], pair: PairResult
) -> PictureScene:
    """Return the pair in color among gray neighbors."""
    bodies = report.bodies[pair.body_a], report.bodies[pair.body_b]
    focus = (pair.point_a + pair.point_b) / 2.0
    shapes = pair.shape_a, pair.shape_b
    seen = [_surfaces_of(body, surfaces) for body in bodies]
    size = HALF_SPACE_SIZE * _smaller_size(world, shapes)
    solids = tuple(shape_triangles(world, row, focus=focus, size=size) for row in shapes)
    # A body without its own surface, such as an empty, shows its collision shape.
    cast = [own or [_bare(solid)] for own, solid in zip(seen, solids, strict=True)]
    framed, vast = _framed(cast, solids, pair)
    middle = (framed.min(axis=0) + framed.max(axis=0)) / 2.0
    others = _others(surfaces, bodies)
    painted = [(cast[0], PAINT_A), (cast[1], PAINT_B), (others, PAINT_OTHER)]
    counts = [sum(len(s.triangles) for s in group) for group, _ in painted]
    subject = np.repeat([True, True, False], counts)
    prominent = np.repeat([not vast[0], not vast[1], False], counts)
    reach = max(float(length(framed - middle).max()), LEAST)
    return PictureScene(
        _stage(painted),
        subject,
        prominent,
        solids,
        _overlapping(solids, pair),
        tuple(s.triangles for s in others),
        framed,
        middle,
        reach,
    )


def bounds_view(pair: PairResult, bounds: tuple[Floats, Floats], size: tuple[int, int]) -> View:
    """Return a view of the place where a pair meets, with the bounds of the smaller shape and the witness points.

    `bounds` are the lower and upper corners of all shapes.
    """
    extents = bounds[1] - bounds[0]
    across = length(np.where(np.isfinite(extents), extents, np.inf))
    smaller = min(pair.shape_a, pair.shape_b, key=lambda shape: float(across[shape]))
    corners = np.stack([pair.point_a, pair.point_b])
    if np.isfinite(across[smaller]):
        corners = np.concatenate([corners, [bounds[0][smaller], bounds[1][smaller]]])
    return usual_view(_corners(*_bounds(corners)), pair.normal, size)


def whole_scenery(report: Report, surfaces: list[ObjectSurface]) -> PictureScene:
    """Return every tested body in one neutral color. If there is no body, everything."""
    tested = [surface for body in report.bodies for surface in _surfaces_of(body, surfaces)]
    others = _others(surfaces, report.bodies)
    # A floor or a wall far larger than the rest determines neither the frame nor the tone.
    sizes = np.array([_size(s.triangles.reshape(-1, 3)) for s in tested])
    vast = sizes > FAR_LARGER * np.median(sizes) if len(sizes) else np.zeros(0, np.bool_)
    usual = [s for s, is_vast in zip(tested, vast, strict=True) if not is_vast]
    large = [s for s, is_vast in zip(tested, vast, strict=True) if is_vast]
    painted = [(usual, PAINT_BODY), (large, PAINT_VAST), (others, PAINT_OTHER)]
    shown = usual or others or [_bare(np.zeros((1, 3, 3)))]
    framed = np.concatenate([_corners(*_bounds(s.triangles.reshape(-1, 3))) for s in shown])
    middle = (framed.min(axis=0) + framed.max(axis=0)) / 2.0
    counts = [sum(len(s.triangles) for s in group) for group, _ in painted]
    subject = np.repeat([True, False, False], counts)
    reach = max(float(length(framed - middle).max()), LEAST)
    obstacles = tuple(s.triangles for s in [*large, *others])
    return PictureScene(_stage(painted), subject, subject, (), (), obstacles, framed, middle, reach)


def bare_stage(triangles: Floats, color: Color) -> Stage:
    """Return triangles that belong to no object, with flat shading, as a stage with one object."""
    return _stage([([_bare(triangles)], color)])


def _overlapping(solids: tuple[Floats, ...], pair: PairResult) -> tuple[Floats, ...]:
    """Return the solids whose overlap is shown. For a flat one, its part beyond the other counts as overlap."""
    if pair.verdict not in FAULTS or pair.distance >= 0.0:
        return ()
    through = -pair.distance * pair.normal
    return tuple(
        _thickened(solid, offset) if _is_flat(solid, pair) else solid
        for solid, offset in zip(solids, (-through, through), strict=True)
    )


def _is_flat(solid: Floats, pair: PairResult) -> bool:
    """Return whether a solid has nearly no extent along the axis."""
    return len(solid) > 0 and float(np.ptp(solid @ pair.normal)) < FLAT * -pair.distance


def _thickened(triangles: Floats, offset: Floats) -> Floats:
    """Return the surfaces of the prisms (8 T, 3, 3) from moving triangles by `offset`."""
    moved = triangles + offset
    walls = []
    for i, j in ((0, 1), (1, 2), (2, 0)):
        walls.append(np.stack([triangles[:, i], triangles[:, j], moved[:, j]], axis=1))
        walls.append(np.stack([triangles[:, i], moved[:, j], moved[:, i]], axis=1))
    return np.concatenate([triangles, moved, *walls])


def _surfaces_of(body: Body, surfaces: list[ObjectSurface]) -> list[ObjectSurface]:
    """Return the visible surfaces of a body, or its colliders if nothing else is visible."""
    own = [surface for surface in surfaces if surface.body == body.key]
    return [surface for surface in own if not surface.collider] or own


def _others(surfaces: list[ObjectSurface], bodies: tuple[Body, ...]) -> list[ObjectSurface]:
    """Return the visible surfaces that do not belong to these bodies."""
    keys = {body.key for body in bodies}
    return [s for s in surfaces if s.shown and not s.collider and s.body not in keys]


def _bare(triangles: Floats) -> ObjectSurface:
    """Return triangles as a surface with flat shading that belongs to no object."""
    normal = cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    flat = normalized(normal, np.array([0.0, 0.0, 1.0]))
    return ObjectSurface(None, False, True, triangles, np.repeat(flat[:, None], 3, axis=1))


def _stage(painted: list[tuple[list[ObjectSurface], Color]]) -> Stage:
    surfaces = [surface for group, _ in painted for surface in group]
    paint = [linear(color) for group, color in painted for _ in group]
    counts = [len(surface.triangles) for surface in surfaces]
    nothing = np.empty((0, 3, 3))
    return Stage(
        triangles=np.concatenate([nothing, *(surface.triangles for surface in surfaces)]),
        normals=np.concatenate([nothing, *(surface.normals for surface in surfaces)]),
        color=np.repeat(np.reshape(paint, (-1, 3)), counts, axis=0),
        thing=np.repeat(np.arange(len(surfaces)), counts),
    )


def _smaller_size(world: World | PlacedWorld, rows: tuple[int, int]) -> float:
    """Return the diagonal of the smaller shape's bounds. Half-spaces have none."""
    lower, upper = bounds_of(world, rows)
    across = length(np.where(np.isfinite(upper - lower), upper - lower, np.inf))
    return max(float(across.min()), LEAST)


def _framed(cast: list[list[ObjectSurface]], solids: tuple[Floats, ...], pair: PairResult) -> tuple[Floats, list[bool]]:
    """Return points (K, 3) that a picture of the pair must contain, and which body is too large to fit."""
    witnesses = np.stack([pair.point_a, pair.point_b])
    parts = []
    for own, solid in zip(cast, solids, strict=True):
        body = np.concatenate([surface.triangles for surface in own]).reshape(-1, 3)
        # For a body with many parts, such as a rack, the colliding part is used. For a body without surface, such as a
        # mesh of edges, the place of contact is used.
        whole = _size(body) <= PART * _size(solid.reshape(-1, 3))
        parts.append(np.concatenate([body if whole else solid.reshape(-1, 3), witnesses]))
    sizes = [_size(points) for points in parts]
    # A container is shown entirely, even if its content is small.
    larger = FAR_LARGER if pair.verdict != Verdict.CONTAINED else np.inf
    vast = [own > larger * other for own, other in zip(sizes, sizes[::-1], strict=True)]
    framed = [
        _near(points, other) if is_vast else _outermost(points)
        for points, other, is_vast in zip(parts, parts[::-1], vast, strict=True)
    ]
    return np.concatenate(framed), vast


def _near(points: Floats, other: Floats) -> Floats:
    """Return the corners of the part of the bounds of `points` around `other`."""
    lower, upper = _bounds(other)
    around = NEIGHBORHOOD * length(upper - lower)
    own_lower, own_upper = _bounds(points)
    return _corners(
        np.clip(own_lower, lower - around, upper + around), np.clip(own_upper, lower - around, upper + around)
    )


def _outermost(points: Floats) -> Floats:
    """Return a few of the points that extend nearly as far as all of them in every direction."""
    step = np.arange(OUTERMOST) + 0.5
    height, around = 1.0 - 2.0 * step / OUTERMOST, step * np.pi * (3.0 - np.sqrt(5.0))
    flat = np.sqrt(1.0 - height**2)
    directions = np.stack([flat * np.cos(around), flat * np.sin(around), height], axis=1)
    return points[np.unique(np.argmax(directions @ np.ascontiguousarray(points.T), axis=1))]


def _size(points: Floats) -> float:
    """Return the diagonal of the points' bounds. Zero without points."""
    return float(length(np.ptp(points, axis=0))) if len(points) else 0.0


def _bounds(points: Floats) -> tuple[Floats, Floats]:
    return points.min(axis=0), points.max(axis=0)


def _corners(lower: Floats, upper: Floats) -> Floats:
    return np.where(CORNERS > 0.0, upper, lower)
