# SPDX-License-Identifier: GPL-3.0-or-later
"""Subjects of rules: colliders, their render mesh, and a scene of such bodies."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from ...core.convexity import Solidity, solidities
from ...core.fit import closed_parts
from ...core.hull import ConvexHull, convex_hulls
from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import length
from .linear_maps import Transform, transforms_of
from .surfaces import SurfaceFacts, surfaces_of

KINDS = ("BOX", "SPHERE", "CAPSULE", "HULL", "MESH")
"""Declared type of a collider. A MESH is tested triangle by triangle."""


class SolidPlanes(NamedTuple):
    """Planes of a convex solid: outward unit normals (F, 3), offsets (F,), and a point inside (3,)."""

    normals: Floats
    offsets: Floats
    inside: Floats


def _identity() -> Floats:
    return np.eye(4)


@dataclass(frozen=True, eq=False)
class Collider:
    """A mesh that takes part in collisions, or the render mesh of a body.

    Attributes
    ----------
    name : str
        Name in the file.
    points : (n, 3) float64
        In object space. Coordinates are assumed to be rounded to float32, as in files and in Blender.
    triangles : (m, 3) int64
        Rows of `points`.
    matrix : (4, 4) float64
        Object space to world space.
    kind : str
        One of `KINDS`.
    own : bool
        Whether it exists for collisions only. False: the mesh is rendered as well.
    moving : bool
        Whether physics moves it: a rigid body that is neither static nor animated.
    data : hashable
        Equal for objects that share one mesh. None: not shared.
    instanced : str
        Name of the instancer, if it is only an instance. Empty: it is an object of its own.
    within : str
        For a rigid body, the nearest ancestor that is a rigid body, too. Empty: none.
    mesh_name : str
        Name of its mesh data, which objects may share. Empty: it has none that a file would name.
    needs_no_mesh : bool
        Whether the engine imports it without a render mesh.
    by_omi : bool
        Whether OMI declares it in the imported glTF file.
    total_height : bool
        Whether the height of a capsule is the total height in OMI_physics_shape, as read by Godot.
    """

    name: str
    points: Floats
    triangles: Ints
    matrix: Floats = field(default_factory=_identity)
    kind: str = "HULL"
    own: bool = True
    moving: bool = False
    data: Hashable = None
    instanced: str = ""
    within: str = ""
    mesh_name: str = ""
    needs_no_mesh: bool = False
    by_omi: bool = False
    total_height: bool = False

    @cached_property
    def finite(self) -> bool:
        """Return whether all coordinates and matrix entries are finite in float32."""
        largest = float(np.finfo(np.float32).max)
        return all(bool((np.abs(values) < largest).all()) for values in (self.points, self.matrix))

    @property
    def solid(self) -> bool:
        """Return whether it has a finite surface: finite coordinates, and triangles."""
        return self.finite and len(self.triangles) > 0

    @property
    def linear(self) -> Floats:
        """Rotation, scale and shear, (3, 3)."""
        return self.matrix[:3, :3]

    @cached_property
    def world_points(self) -> Floats:
        """The points in world space, (n, 3)."""
        placed: Floats = self.points @ self.linear.T + self.matrix[:3, 3]
        return placed

    @cached_property
    def block(self) -> Sequence["Collider"]:
        """The colliders whose hulls are computed together with this one's, which is faster than one by one."""
        return (self,)

    @cached_property
    def twin(self) -> "Collider":
        """A collider with the same points and triangles, for which what depends only on these is computed."""
        return self

    @cached_property
    def hull(self) -> ConvexHull:
        """The convex hull in world space. There must be a point, and all must be finite."""
        return self._of_block(
            "hull", self.block, lambda block: convex_hulls([one.world_points.astype(np.float32) for one in block])
        )

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The triangles in world space. It must be `solid`."""
        return TriangleMesh(self.world_points, self.triangles)

    @cached_property
    def surface(self) -> SurfaceFacts:
        """The facts about the triangles in object space. It must be `solid`."""
        return self._of_twins(
            "surface", lambda block: surfaces_of([one.points for one in block], [one.triangles for one in block])
        )

    @cached_property
    def pieces(self) -> int:
        """The number of closed parts, and of other parts. It must be `solid`."""
        if self.twin is not self:
            return self.twin.pieces
        # Parts that share a face may form a convex whole.
        one = self.solidity.convex and not self.surface.crowded
        return 1 if one else len(closed_parts(self.points, self.triangles))

    @cached_property
    def local_hull(self) -> ConvexHull:
        """The convex hull in object space. There must be a point, and all must be finite."""
        return self._of_twins(
            "local_hull", lambda block: convex_hulls([one.points.astype(np.float32) for one in block])
        )

    @cached_property
    def solidity(self) -> Solidity:
        """The comparison of the mesh with its hull."""
        return self._of_twins(
            "solidity",
            lambda block: solidities([one.local_hull for one in block], [one.triangles for one in block]),
        )

    def _of_twins(self, name: str, compute: Callable[[Sequence["Collider"]], Sequence[Any]]) -> Any:
        """Compute a value once for all colliders of the block that have equal points and triangles."""
        self._of_block(name, dict.fromkeys(one.twin for one in self.block), compute)
        for one in self.block:
            vars(one)[name] = vars(one.twin)[name]
        return vars(self)[name]

    def _of_block(
        self, name: str, block: Iterable["Collider"], compute: Callable[[Sequence["Collider"]], Sequence[Any]]
    ) -> Any:
        """Compute and store a value for those of these colliders that do not have it."""
        missing = [one for one in block if name not in vars(one)]
        for one, value in zip(missing, compute(missing) if missing else (), strict=True):
            vars(one)[name] = value
        return vars(self).get(name)

    @cached_property
    def solid_planes(self) -> SolidPlanes | None:
        """The planes of the convex hull in world space. None if the hull is flat or the matrix is singular."""
        if self.local_hull.dimension < 3:
            return None
        with np.errstate(all="ignore"):
            try:
                back = np.linalg.inv(self.linear)
            except np.linalg.LinAlgError:
                return None
            normals = self.local_hull.normals @ back
            size = length(normals)
            offsets = self.local_hull.offsets + normals @ self.matrix[:3, 3]
            planes = SolidPlanes(
                normals / size[:, None], offsets / size, self.linear @ self.local_hull.centroid + self.matrix[:3, 3]
            )
        return planes if all(bool(np.isfinite(part).all()) for part in planes) else None

    @cached_property
    def transform(self) -> Transform:
        """The properties of its matrix, which must be finite."""
        return self._of_block(
            "transform", self.block, lambda block: transforms_of(np.stack([one.linear for one in block]))
        )

    @cached_property
    def bounds_of_distance(self) -> dict["Collider", float]:
        """The upper bounds of how far its points are from the hulls of other colliders, as far as they are known."""
        return {}

    @cached_property
    def size(self) -> float:
        """Diagonal of the bounds in world space."""
        return float(length(np.ptp(self.world_points, axis=0))) if len(self.points) else 0.0


# Approximate number of points in a block, and of bodies in one.
_TOGETHER, _BODIES = 1 << 14, 128


def put_in_blocks(*groups: Iterable[Collider]) -> None:
    """Divide the colliders of each group that have a surface into blocks whose hulls are computed together.

    Once for equal meshes, also of different groups.
    """
    known: dict[tuple[bytes, bytes], Collider] = {}
    for group in groups:
        solid = [one for one in dict.fromkeys(group) if one.solid]
        for one in solid:
            vars(one)["twin"] = known.setdefault((one.points.tobytes(), one.triangles.tobytes()), one)
        number = (np.cumsum([len(one.points) for one in solid]) // _TOGETHER).tolist()
        for _, some in groupby(zip(number, solid, strict=True), key=itemgetter(0)):
            block = [one for _, one in some]
            for one in block:
                vars(one)["block"] = block


@dataclass(frozen=True, eq=False)
class Body:
    """A render mesh and its colliders, which also stand for the other visible meshes of the body.

    Attributes
    ----------
    name : str
    render : Collider, optional
        None: the colliders belong to no render mesh.
    colliders : tuple of Collider
        Includes the render mesh if it is its own collider.
    by_itself : bool
        Whether it collides without colliders: a rigid body, an object with its own shape, or a mesh with a ragdoll.
    others : tuple of Collider
        Other visible meshes of the body.
    faces : bool
        Whether the render mesh has faces. A path has none.
    """

    name: str
    render: Collider | None = None
    colliders: tuple[Collider, ...] = ()
    by_itself: bool = False
    others: tuple[Collider, ...] = ()
    faces: bool = True

    @property
    def visible(self) -> tuple[Collider, ...]:
        """All visible meshes of the body."""
        return self.others if self.render is None else (self.render, *self.others)


def put_bodies_in_blocks(bodies: Iterable[Body]) -> None:
    """Divide bodies with several colliders into blocks whose colliders are compared together."""
    several = [one for one in bodies if len(one.colliders) > 1]
    for first in range(0, len(several), _BODIES):
        block = several[first : first + _BODIES]
        for one in block:
            vars(one)["block"] = block


@dataclass(frozen=True, eq=False)
class Imported:
    """Content of the imported file that the scene does not have in the same form.

    Attributes
    ----------
    subject : Collider
        The object that it is about, by name. It may be missing in the scene.
    severity : str
        error, warning or info.
    what : str
        A sentence.
    """

    subject: Collider
    severity: str
    what: str


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that is exported together.

    Attributes
    ----------
    bodies : tuple of Body
        Bodies to validate.
    others : tuple of str
        Names of other render meshes, which names of colliders may refer to as well.
    imported : tuple of Imported
    empties : tuple of Collider
        Empties with names of colliders.
    """

    bodies: tuple[Body, ...]
    others: tuple[str, ...] = ()
    imported: tuple[Imported, ...] = ()
    empties: tuple[Collider, ...] = ()

    def colliders(self) -> Iterator[tuple[Body, Collider]]:
        """Every collider with its body."""
        for body in self.bodies:
            for collider in body.colliders:
                yield body, collider

    @cached_property
    def render_names(self) -> tuple[str, ...]:
        """Names of all render meshes."""
        return (*(one.name for body in self.bodies for one in body.visible), *self.others)
