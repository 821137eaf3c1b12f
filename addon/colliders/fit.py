# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a collider to points: its shape, its frame, its mesh, and its quality.

There are three ways to place a collider. Exporters can write all of them as location, rotation and scale of a child:

- In the frame of the shape, unscaled. The bounds of the mesh are the shape.
- In the axes of the object that it stands for, where that is scaled unevenly and the shape is turned against it:
  a frame of its own would be sheared within that object's. The mesh is turned instead.
- In the space of that object itself, where that is sheared.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import bpy
import numpy as np

from ...core import fit
from ...core.hull import ConvexHull, convex_hull
from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross, length
from ...core.shapes import Boxes, Capsules, Cylinders, Hulls, Kind, Spheres
from ..engines.kinds import PRIMITIVES, TRIANGLE_MESHES
from ..model.errors import UserError
from ..model.tolerances import FLOAT32_EPS, SHEAR
from ..scene.colliders.sources import Source
from ..scene.objects.transforms import take_apart
from ..validation.check import usual_limits
from . import meshes
from .kdop import kdop

_KINDS = {
    "BOX": Kind.BOX,
    "SPHERE": Kind.SPHERE,
    "CAPSULE": Kind.CAPSULE,
    "CYLINDER": Kind.CYLINDER,
    "HULL": Kind.HULL,
}
# These have a volume around flat points.
_THICK_BY_THEMSELVES = frozenset({"SPHERE", "CAPSULE"})
# Number of directions of each k-DOP.
_DIRECTIONS = {"KDOP10": 10, "KDOP18": 18, "KDOP26": 26}
KIND_OF = {value: key for key, value in _KINDS.items()}

# Dimensionless: fraction of the volume. A box along the object's axes is used if it is larger than the smallest box by
# at most this.
_ALIGNED = 1e-6

# Dimensionless: fraction of the radius, so that rounding of location and rotation to float32 leaves no point outside.
_ROOM = 1.0 + 4.0 * FLOAT32_EPS


class FitRequest(NamedTuple):
    """Options of a fit.

    Attributes
    ----------
    kind : str
        One of `kinds.KINDS`.
    engine : str
    budget : int
        Maximum number of vertices of a BUDGET_HULL.
    thickness : float
        Minimum thickness of a box.
    gap : float
        For BEST: the largest allowed gap. 0: the volume decides.
    flat : float
        Thickness of the boxes of flat meshes, unless `thickness` is larger.
    """

    kind: str
    engine: str
    budget: int = 32
    thickness: float = 0.0
    gap: float = 0.0
    flat: float = 0.0


@dataclass(frozen=True, eq=False)
class Fitted:
    """A collider to be made.

    Attributes
    ----------
    source : Source
    asked : str
        Requested kind.
    kind : str
        Resulting kind: BOX, SPHERE, CAPSULE, CYLINDER, HULL, MESH.
    shape : batch of one row
        In world space. For a triangle mesh, its hull.
    frame : (4, 4) float64, optional
        Placement of the object, unscaled. None: in the space of its owner, or of its bone.
    by_bounds : bool
        Whether the bounds of the mesh in that frame are the shape.
    setting : str
        Collision shape to set.
    quality : FitQuality
        Quality of the shape that the engine and a check use.
    scores : dict of str to float
        For BEST: the volume of each kind relative to the smallest.
    thickness : float
    was_flat : bool
        Whether the source is flat and got a box of this thickness.
    """

    source: Source
    asked: str
    kind: str
    shape: fit.Primitive
    frame: Floats | None
    by_bounds: bool
    setting: str
    quality: fit.FitQuality
    scores: dict[str, float]
    thickness: float
    was_flat: bool = False

    def mesh(self, matrix: Floats) -> meshes.Mesh:
        """Return the mesh in the space of an object placed at a matrix, (4, 4) float64: the rounded frame."""
        inverse, place = np.linalg.inv(matrix[:3, :3]).T, matrix[:3, 3]
        if self.by_bounds:
            return _measured(self, (self.source.points - place) @ inverse)
        if self.kind == "MESH":
            points, faces = self.source.points, self.source.triangles.tolist()
            if np.linalg.det(self.source.matrix[:3, :3]) < 0.0:
                faces = [face[::-1] for face in faces]
        else:
            points, faces = world_mesh(self.shape, self.setting == "HULL", _axes_of(self.frame))
        if np.linalg.det(matrix[:3, :3]) < 0.0:
            faces = [face[::-1] for face in faces]
        return (points - place) @ inverse, faces


def placed_mesh(fitted: Fitted) -> meshes.Mesh:
    """The mesh of a collider in the world, as it would be made."""
    frame = np.eye(4) if fitted.frame is None else fitted.frame
    points, faces = fitted.mesh(frame)
    return points @ frame[:3, :3].T + frame[:3, 3], faces


def fit_source(source: Source, request: FitRequest) -> Fitted:
    """Fit a collider.

    Raises
    ------
    UserError
        If this kind does not exist for the engine or the source.
    """
    if request.kind == "MESH":
        return _mesh_fitted(source, request)
    thick = max(request.thickness, request.flat)
    across = flat_normal(source.points) if thick > 0.0 and request.kind not in _THICK_BY_THEMSELVES else None
    if across is not None:
        box = request._replace(kind="BOX" if request.kind == "BOX" else "ORIENTED_BOX", thickness=thick, flat=0.0)
        return replace(fit_source(_thickened(source, across, thick), box), asked=request.kind, was_flat=True)
    owner_axes = nearest_axes(source.space)
    scores: dict[str, float] = {}
    shape = _fitted_shape(source, request, owner_axes, scores)
    kind = KIND_OF[shape.kind]
    if isinstance(shape, Hulls) and shape.geometry[0].dimension < 3:
        raise UserError('"{name}" is flat, so its hull has no volume: use a box instead', name=source.owner)
    return placed(source, request, kind, shape, owner_axes, scores)


def flat_thickness(scene: bpy.types.Scene) -> float:
    """Return the thickness of the boxes of flat meshes, in Blender units: twice the minimum side of validation."""
    return 2.0 * usual_limits(scene).smallest


def flat_normal(points: Floats) -> Floats | None:
    """Return the unit normal of the plane of points (n, 3) that are coplanar within rounding, otherwise None."""
    centered = points - points.mean(axis=0)
    size = float(np.abs(centered).max(initial=0.0))
    if size == 0.0:
        return None
    axes: Floats = np.linalg.eigh((centered / size).T @ (centered / size))[1].T
    extent = np.ptp(centered @ axes.T, axis=0)
    # Points that are as thin in another direction form a line.
    return axes[0] if extent[0] <= SHEAR * size < extent[1] else None


def _thickened(source: Source, across: Floats, thickness: float) -> Source:
    """Thicken a flat source with a copy of its points behind it, so that the front stays in place.

    Behind is the side that most of its triangles face away from. If both sides are equal, it is below.
    """
    corner = source.points[source.triangles]
    normal = cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    front = float(across @ normal.sum(axis=0))
    if abs(front) <= SHEAR * float(length(normal).sum()):
        front = next(float(value) for value in across[::-1] if abs(value) > SHEAR)
    behind = source.points - np.copysign(thickness, front) * across
    return replace(source, points=np.concatenate([source.points, behind]))


def hull_fitted(source: Source, request: FitRequest, hull: ConvexHull, quality: fit.FitQuality | None = None) -> Fitted:
    """Return a hull as a collider. Unless its quality is known, it is compared with the points of the source."""
    shape: fit.Primitive = Hulls([hull], [0])
    return placed(source, request, "HULL", shape, nearest_axes(source.space), {}, quality)


def _mesh_fitted(source: Source, request: FitRequest) -> Fitted:
    """Return the triangles as a collider."""
    if request.engine not in TRIANGLE_MESHES:
        raise UserError(
            'Unreal imports no triangle mesh by its name: set Collision Complexity of "{name}" there to Use '
            "Complex Collision As Simple",
            name=source.owner,
        )
    if not len(source.triangles):
        raise UserError('"{name}" has no faces, so it has no triangle mesh', name=source.owner)
    hull = hull_fitted(source, request, convex_hull(source.points))
    closed = np.isfinite(hull.quality.mesh_ratio)
    volume = hull.quality.volume / hull.quality.mesh_ratio if closed else 0.0
    share = 1.0 / hull.quality.mesh_ratio if closed else 0.0
    quality = fit.FitQuality(volume, share, 1.0 if closed else np.nan, 0.0, 0.0, 0.0)
    return replace(hull, kind="MESH", setting="MESH", quality=quality)


def frame_for(owner: Floats, axes: Floats, center: Floats) -> tuple[Floats | None, bool]:
    """Return a placement of a collider with location, rotation and scale, but without shear, within its owner.

    Parameters
    ----------
    owner : (4, 4) float64
    axes, center : (3, 3), (3,) float64
        Preferred placement.

    Returns
    -------
    (4, 4) float64 or None
        See `Fitted.frame`.
    bool
        Whether the placement is along the axes.
    """
    placements = take_apart(owner[None])
    own = True
    if not placements.flat[0]:
        if not placements.upright[0]:
            return None, False
        own = bool(placements.uniform[0]) or _along(axes, nearest_axes(owner))
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = axes if own else nearest_axes(owner), center
    return frame, own


def nearest_axes(matrix: Floats) -> Floats:
    """Return the rotation nearest to a matrix, (3, 3). For a mirrored matrix, axes may be opposite."""
    left, _, right = np.linalg.svd(matrix[:3, :3])
    axes: Floats = left @ right
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    return axes


def _fitted_shape(source: Source, request: FitRequest, owner_axes: Floats, scores: dict[str, float]) -> fit.Primitive:
    points, kind = source.points, request.kind
    if kind == "BOX":
        return fit.fit_box(points, owner_axes).shape
    if kind == "BUDGET_HULL":
        return Hulls([fit.simplify_hull(points, vertices=request.budget).hull], [0])
    hull = convex_hull(points)
    if kind in _DIRECTIONS:
        return Hulls([kdop(points, owner_axes, _DIRECTIONS[kind]) if hull.dimension == 3 else hull], [0])
    if kind == "BEST":
        known = PRIMITIVES[request.engine] | {"HULL"}
        kinds = [_KINDS[one] for one in _KINDS if one in known]
        choice = fit.best_primitive(hull, kinds, vertices=request.budget)
        if request.gap > 0.0:
            best = _within_gap(source, choice, request.gap)
        else:
            scores.update({KIND_OF[one]: choice.score(one) for one in choice.fits})
            best = choice.fit
    else:
        best = fit.fit_each(_KINDS["BOX" if kind == "ORIENTED_BOX" else kind], [hull])[0]
    if isinstance(best.shape, Boxes):
        straight = fit.fit_box(hull, owner_axes)
        if straight.volume <= best.volume * (1.0 + _ALIGNED):
            return straight.shape
    return best.shape


def _within_gap(source: Source, choice: fit.Choice, most: float) -> "fit.Fit[fit.Primitive]":
    """Return the simplest fit whose gap is at most the limit, or the one with the smallest gap if there is none."""
    gaps: dict[Kind, float] = {}
    for kind, one in choice.fits.items():
        gaps[kind] = _quality(source, one.shape).gap
        if gaps[kind] <= most:
            return one
    return choice.fits[min(gaps, key=lambda kind: gaps[kind])]


def _quality(source: Source, shape: fit.Primitive) -> fit.FitQuality:
    return fit.fit_quality(shape, source.points, source.triangles if len(source.triangles) else None)


def placed(
    source: Source,
    request: FitRequest,
    kind: str,
    shape: fit.Primitive,
    owner_axes: Floats,
    scores: dict[str, float],
    quality: fit.FitQuality | None = None,
) -> Fitted:
    """Return a shape as a collider. Its quality may be known."""
    frame, own = frame_for(source.space, *_own_frame(shape, owner_axes))
    by_bounds = own and kind in PRIMITIVES[request.engine]
    by_name = request.engine == "UNREAL" and kind in PRIMITIVES["UNREAL"]
    setting = kind if by_bounds else "AUTO" if by_name else "HULL"
    if quality is None:
        taken = shape
        if setting == "HULL" and not isinstance(shape, Hulls):
            taken = Hulls([convex_hull(world_mesh(shape, True, _axes_of(frame))[0])], [0])
        quality = _quality(source, taken)
    thickness = request.thickness if request.thickness > 0.0 else 0.0  # and if it is NaN
    return Fitted(source, request.kind, kind, shape, frame, by_bounds, setting, quality, scores, thickness)


def _own_frame(shape: fit.Primitive, owner_axes: Floats) -> tuple[Floats, Floats]:
    """Return axes and center of a shape. Axes of symmetry are aligned with the owner's axes."""
    if isinstance(shape, Boxes):
        return _snapped(shape.rotation[0], owner_axes), shape.center[0]
    if isinstance(shape, Spheres):
        return owner_axes, shape.center[0]
    if isinstance(shape, Hulls):
        points = shape.geometry[0].points[shape.geometry[0].vertices]
        return owner_axes, (points.min(axis=0) + points.max(axis=0)) / 2.0
    along = shape.end[0] - shape.start[0]
    center = (shape.start[0] + shape.end[0]) / 2.0
    if not along.any():
        return owner_axes, center
    upward = along / length(along)
    across = owner_axes[:, int(np.argmin(np.abs(owner_axes.T @ upward)))]
    across = across - (across @ upward) * upward
    across = across / length(across)
    return _snapped(np.stack([across, cross(upward, across), upward], axis=1), owner_axes), center


def _snapped(axes: Floats, owner_axes: Floats) -> Floats:
    """Return axes that are parallel to others within rounding, made exactly parallel."""
    return owner_axes @ np.rint(owner_axes.T @ axes) if _along(axes, owner_axes) else axes


def _along(axes: Floats, owner_axes: Floats) -> bool:
    turn = owner_axes.T @ axes
    return bool(np.abs(turn - np.rint(turn)).max() <= SHEAR / 4.0)


def _axes_of(frame: Floats | None) -> Floats:
    return np.eye(3) if frame is None else frame[:3, :3]


def world_mesh(shape: fit.Primitive, holds: bool, axes: Floats) -> meshes.Mesh:
    """Return the mesh of a shape in world space.

    Parameters
    ----------
    shape : batch of one row
    holds : bool
        Whether the mesh must contain the shape. Vertices of round shapes are outside it then, otherwise on it.
    axes : (3, 3) float64
        A sphere has its poles along these.
    """
    if isinstance(shape, Hulls):
        return meshes.hull_mesh(shape.geometry[0])
    if isinstance(shape, Boxes):
        points, faces = meshes.box_mesh(-shape.half_extents[0], shape.half_extents[0])
        return points @ shape.rotation[0].T + shape.center[0], faces
    radius = float(shape.radius[0]) * _ROOM
    around, rings = (meshes.MESH_SEGMENTS, meshes.MESH_RINGS) if holds else (meshes.SEGMENTS, meshes.RINGS)
    half = 0.0 if isinstance(shape, Spheres) else 0.5 * float(length(shape.end[0] - shape.start[0])) * _ROOM
    axes, center = (axes, shape.center[0]) if isinstance(shape, Spheres) else _own_frame(shape, axes)
    if isinstance(shape, Cylinders):
        size = radius / meshes.circle_inset(around) if holds else radius
        points, faces = meshes.cylinder_mesh(size, -half, half, around)
    else:
        if holds:
            around = meshes.SPHERE_SEGMENTS if half <= meshes.NO_LENGTH * radius else meshes.CAPSULE_SEGMENTS
        size = radius / meshes.ball_inset(around, rings) if holds else radius
        points, faces = meshes.round_mesh(size, half, around, rings)
    return points @ axes.T + center, faces


def _measured(fitted: Fitted, points: Floats) -> meshes.Mesh:
    """Return the mesh whose bounds are the shape, in its frame, large enough to contain these points."""
    if fitted.kind == "BOX":
        lower, upper = points.min(axis=0), points.max(axis=0)
        more = np.maximum(fitted.thickness - (upper - lower), 0.0) / 2.0
        return meshes.box_mesh(-_up(more - lower), _up(upper + more))
    if fitted.kind == "SPHERE":
        return meshes.round_mesh(float(_up(length(points).max() * _ROOM)), 0.0)
    assert isinstance(fitted.shape, Capsules | Cylinders)
    if fitted.kind == "CYLINDER":
        radius = float(_up(np.hypot(points[:, 0], points[:, 1]).max() * _ROOM))
        return meshes.cylinder_mesh(radius, -float(_up(-points[:, 2].min())), float(_up(points[:, 2].max())))
    half = 0.5 * float(length(fitted.shape.end[0] - fitted.shape.start[0]))
    off = points.copy()
    off[:, 2] -= np.clip(off[:, 2], -half, half)
    return meshes.round_mesh(float(_up(length(off).max() * _ROOM)), half)


def _up(value: Floats | float) -> Floats:
    """Return the smallest float32 numbers that are not below these."""
    near = np.asarray(value, np.float32)
    return np.where(near < value, np.nextafter(near, np.float32(np.inf)), near).astype(np.float64)
