# SPDX-License-Identifier: GPL-3.0-or-later
"""World transforms of objects: origins, decomposed matrices, and the directions in which objects are moved."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.numerics.types import Bools, Floats
from ....core.numerics.vectors import dot, length
from ...model import tolerances
from ...model.errors import UserError
from ...model.folds import one_asset
from ...model.report import Body
from ..open_file import objects_by_uid
from . import moving
from .selection import view_3d


@dataclass(frozen=True, eq=False)
class Placements:
    """N world matrices. A point x of the object is at ``linear @ x + translation``.

    The translation is kept separate, because adding it to the vertices would lose digits far from the origin.

    Attributes
    ----------
    linear : (N, 3, 3) float64
    translation : (N, 3) float64
    finite : (N,) bool
    flat : (N,) bool
        Scaled to zero in at least one direction. The three fields below are meaningless then.
    upright : (N,) bool
        No shear: boxes remain boxes. Within `tolerances.SHEAR`, like the next.
    uniform : (N,) bool
        Neither shear nor non-uniform scale: spheres remain spheres. Mirroring is allowed.
    rotation, scale : (N, 3, 3), (N, 3) float64
        ``linear == rotation * scale`` with a proper rotation (a mirrored object has a negative scale), accurate to the
        last bits of float32. If the matrix is not such a product, the rotation is the identity and the scale NaN.
    stretch : (N,) float64
        The scale of a uniform matrix, positive.
    """

    linear: Floats
    translation: Floats
    finite: Bools
    flat: Bools
    upright: Bools
    uniform: Bools
    rotation: Floats
    scale: Floats
    stretch: Floats


def take_apart(matrices: Floats) -> Placements:
    """Decompose (N, 4, 4) world matrices."""
    linear, translation = matrices[:, :3, :3].copy(), matrices[:, :3, 3].copy()
    finite: Bools = np.asarray((np.abs(matrices[:, :3]) < tolerances.FLOAT32_MAX).all(axis=(1, 2)))
    linear[~finite], translation[~finite] = np.eye(3), 0.0
    stretches = np.linalg.svd(linear, compute_uv=False)
    flat = stretches[:, 2] <= tolerances.FLAT * stretches[:, 0]
    columns = linear.transpose(0, 2, 1)
    size = length(columns)
    axes = columns / np.where(size > 0.0, size, 1.0)[:, :, None]
    lean = np.abs(dot(axes, np.roll(axes, 1, axis=1))).max(axis=1, initial=0.0)
    uneven = size.max(axis=1) / np.where(flat, 1.0, size.min(axis=1)) - 1.0
    exact = ~flat & (lean <= tolerances.ROTATION_AND_SCALE)
    rotation, scale = _rotation_and_scale(axes, size, exact)
    return Placements(
        linear=linear,
        translation=translation,
        finite=finite,
        flat=flat,
        upright=~flat & (lean <= tolerances.SHEAR),
        uniform=~flat & (lean <= tolerances.SHEAR) & (uneven <= tolerances.SHEAR),
        rotation=rotation,
        scale=scale,
        stretch=_without_noise(np.cbrt(size.prod(axis=1))),
    )


def of_matrices(matrices: Sequence[Matrix]) -> Placements:
    """Decompose the world matrices of Blender objects."""
    return take_apart(np.array(matrices, dtype=np.float64).reshape(-1, 4, 4))


def _rotation_and_scale(axes: Floats, size: Floats, exact: Bools) -> tuple[Floats, Floats]:
    rotation = axes.transpose(0, 2, 1).copy()
    scale = _without_noise(size)
    mirrored = np.linalg.det(rotation) < 0.0
    # Mirroring along one axis differs from mirroring along another only by a rotation; the first axis is used.
    rotation[mirrored, :, 0] *= -1.0
    scale[mirrored, 0] *= -1.0
    rotation[~exact], scale[~exact] = np.eye(3), np.nan
    return rotation, scale


def _without_noise(size: Floats) -> Floats:
    """Lengths without the rounding of float32, so that all objects with scale 2 share the geometry of scale 2."""
    with np.errstate(divide="ignore", invalid="ignore"):
        digits = 5.0 - np.floor(np.log10(size))
        # Only powers of ten with exponents of at least zero are exact, so small numbers are multiplied and large ones
        # divided.
        up, down = 10.0 ** np.maximum(digits, 0.0), 10.0 ** np.maximum(-digits, 0.0)
        short = np.round(size * up / down) * down / up
        near = np.abs(short - size) <= tolerances.ROTATION_AND_SCALE * size
    return np.where(near, short, size)


def origin_of(ob: bpy.types.Object) -> Floats:
    """The origin (3,) of an object in world space."""
    return np.array(ob.matrix_world, dtype=np.float64)[:3, 3]


def origin_by_uid(uid: int) -> Floats | None:
    """The origin (3,) of the object with this `session_uid`. None if it does not exist."""
    return next((origin_of(ob) for ob in objects_by_uid([uid]).values()), None)


def origins_of_assets(bodies: Sequence[Body]) -> Floats:
    """The origins (B, 3) of the assets of bodies, or of bodies without an asset. NaN if there is no such object."""
    found = np.full((len(bodies), 3), np.nan)
    for row, ob in enumerate(_roots(bodies)):
        if ob is not None:
            found[row] = origin_of(ob)
    return found


def placements_of(bodies: Sequence[Body]) -> list[bytes]:
    """The transform of each body's object as bytes, which are equal for objects that *Separate* has made of one mesh.

    Empty if it says nothing: for an instance, and for an object at the origin of its parent or of the scene.
    """
    objects, found = objects_by_uid({body.key.session_uid for body in bodies}), []
    for body in bodies:
        ob = None if body.key.instancer_uid else objects.get(body.key.session_uid)
        moved = ob is not None and ob.matrix_basis.translation.length > 0.0
        found.append(np.array(ob.matrix_world, np.float32).tobytes() if ob is not None and moved else b"")
    return found


def movers_of(bodies: Sequence[Body]) -> list[int]:
    """The `session_uid` of the object that moves each body with the parts of its asset.

    If all bodies are parts of one asset, it is that of the body's own object.
    """
    roots = [None] * len(bodies) if one_asset(bodies) else _roots(bodies)
    return [body.key.selected_uid if ob is None else ob.session_uid for body, ob in zip(bodies, roots, strict=True)]


def _roots(bodies: Sequence[Body]) -> list[bpy.types.Object | None]:
    objects, found = objects_by_uid({body.key.selected_uid for body in bodies}), []
    for body in bodies:
        ob = objects.get(body.key.selected_uid)
        while ob is not None and body.asset and ob.name != body.asset and ob.parent is not None:
            ob = ob.parent
        found.append(ob)
    return found


# Those of the scene are the same for all objects.
OF_ALL = ("DOWN", "GRAVITY", "VIEW")
DIRECTIONS = ("DOWN", "GRAVITY", "VIEW", "X", "Y", "Z", "NEGATIVE_X", "NEGATIVE_Y", "NEGATIVE_Z")


def direction(context: bpy.types.Context, ob: bpy.types.Object, name: str) -> Floats:
    """The direction with this name, one of `DIRECTIONS`, for an object, as a unit vector (3,).

    Raises
    ------
    UserError
        If the direction does not exist.
    """
    if name == "DOWN":
        return np.array([0.0, 0.0, -1.0])
    if name == "GRAVITY":
        return _gravity(context.scene)
    if name == "VIEW":
        view = view_3d(context)
        space = view[1].spaces.active if view is not None else None
        if not isinstance(space, bpy.types.SpaceView3D) or space.region_3d is None:
            raise UserError("No 3D viewport to take the direction from")
        return _unit(
            np.array(space.region_3d.view_rotation @ Vector((0.0, 0.0, -1.0)), dtype=np.float64),
            UserError("No 3D viewport to take the direction from"),
        )
    axis = moving.axis_of(ob, "XYZ".index(name[-1]))
    sign = -1.0 if name.startswith("NEGATIVE") else 1.0
    return _unit(sign * axis, UserError('"{name}" has zero scale along that axis', name=ob.name))


def direction_of_gravity(scene: bpy.types.Scene) -> Floats:
    """The direction of gravity of the scene, or −Z if it has none, as a unit vector (3,)."""
    try:
        return _gravity(scene)
    except UserError:
        return np.array([0.0, 0.0, -1.0])


def _gravity(scene: bpy.types.Scene) -> Floats:
    return _unit(np.array(scene.gravity, dtype=np.float64), UserError("The scene has no gravity"))


def _unit(vector: Floats, problem: UserError) -> Floats:
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise problem
    return vector / length
