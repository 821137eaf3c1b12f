# SPDX-License-Identifier: GPL-3.0-or-later
"""The subjects of rules: colliders, the render mesh that they belong to, and a scene of such bodies."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from ...core.convexity import Solidity, solidities
from ...core.fit import closed_parts
from ...core.hull import ConvexHull, convex_hulls
from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import length

KINDS = ("BOX", "SPHERE", "CAPSULE", "HULL", "MESH")
"""What a collider claims to be; MESH is tested triangle by triangle."""


def _identity() -> Floats:
    return np.eye(4)


@dataclass(frozen=True, eq=False)
class Collider:
    """A mesh that takes part in collisions, or the render mesh of a body.

    Attributes
    ----------
    name : str
        As the file has it.
    points : (n, 3) float64
        In the object's own frame. Coordinates are taken to be rounded to float32, as files and Blender have them.
    triangles : (m, 3) int64
        Rows of `points`.
    matrix : (4, 4) float64
        From the object's frame to the world's.
    kind : str
        One of `KINDS`.
    own : bool
        It is there for collisions only; False: the mesh is what one sees as well.
    moving : bool
        The physics moves it: a rigid body that is neither static nor animated.
    data : hashable
        Equal for objects that share one mesh; None: shared with nobody.
    instanced : str
        What brings it in, if it is there as a copy only; empty: it is an object of its own.
    within : str
        Of a rigid body, the nearest parent that is one, too; empty: there is none.
    mesh_name : str
        The name of its mesh, which objects may share; empty: it has none that a file would name.
    needs_no_mesh : bool
        The engine imports it without a render mesh.
    by_omi : bool
        OMI declares it in the glTF file that it comes from.
    total_height : bool
        The height of a capsule is total in OMI_physics_shape, as Godot reads it.
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
        """Whether every coordinate and every entry of the matrix is a number that float32 can hold."""
        largest = float(np.finfo(np.float32).max)
        return all(bool((np.abs(values) < largest).all()) for values in (self.points, self.matrix))

    @property
    def solid(self) -> bool:
        """Whether there is a surface to speak of: finite, with triangles."""
        return self.finite and len(self.triangles) > 0

    @property
    def linear(self) -> Floats:
        """Rotation, scale and shear: (3, 3)."""
        return self.matrix[:3, :3]

    @cached_property
    def world_points(self) -> Floats:
        """The points in the world, (n, 3)."""
        placed: Floats = self.points @ self.linear.T + self.matrix[:3, 3]
        return placed

    @cached_property
    def block(self) -> Sequence["Collider"]:
        """The colliders whose hulls are computed together with this one's, which is faster than one by one."""
        return (self,)

    @cached_property
    def hull(self) -> ConvexHull:
        """The convex hull in the world; there must be a point, and all finite."""
        return self._of_block("hull", convex_hulls([one.world_points.astype(np.float32) for one in self.block]))

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The triangles in the world; it must be `solid`."""
        return TriangleMesh(self.world_points, self.triangles)

    @cached_property
    def local_mesh(self) -> TriangleMesh:
        """The triangles in the object's own frame; it must be `solid`."""
        return TriangleMesh(self.points, self.triangles)

    @cached_property
    def pieces(self) -> int:
        """The number of its closed parts and of what is left; it must be `solid`."""
        # Parts that share a face may make up a convex whole.
        one = self.solidity.convex and bool((self.local_mesh.edges.uses <= 2).all())
        return 1 if one else len(closed_parts(self.points, self.triangles))

    @cached_property
    def local_hull(self) -> ConvexHull:
        """The convex hull in the object's own frame; there must be a point, and all finite."""
        return self._of_block("local_hull", convex_hulls([one.points.astype(np.float32) for one in self.block]))

    @cached_property
    def solidity(self) -> Solidity:
        """How the mesh compares with its hull."""
        hulls, triangles = [one.local_hull for one in self.block], [one.triangles for one in self.block]
        return self._of_block("solidity", solidities(hulls, triangles))

    def _of_block(self, name: str, found: Sequence[Any]) -> Any:
        """Keep one value for each collider of the block, and return that of this one."""
        for one, value in zip(self.block, found, strict=True):
            vars(one)[name] = value
        return vars(self)[name]

    @cached_property
    def size(self) -> float:
        """Diagonal of the bounds in the world."""
        return float(length(np.ptp(self.world_points, axis=0))) if len(self.points) else 0.0


# Points of a block, about; and bodies of one.
_TOGETHER, _BODIES = 1 << 14, 128


def put_in_blocks(colliders: Iterable[Collider]) -> None:
    """Divide the colliders that have a surface into blocks whose hulls are computed together."""
    solid = [one for one in dict.fromkeys(colliders) if one.solid]
    number = (np.cumsum([len(one.points) for one in solid]) // _TOGETHER).tolist()
    for _, some in groupby(zip(number, solid, strict=True), key=itemgetter(0)):
        block = [one for _, one in some]
        for one in block:
            vars(one)["block"] = block


@dataclass(frozen=True, eq=False)
class Body:
    """A render mesh and the colliders that stand for it, and for the other visible meshes of the same body.

    Attributes
    ----------
    name : str
    render : Collider, optional
        None: the colliders stand for nothing that there is.
    colliders : tuple of Collider
        The render mesh itself is among them where it is its own collider.
    by_itself : bool
        It collides without colliders: a rigid body, an object with a shape of its own, or a mesh whose ragdoll does.
    others : tuple of Collider
        The other visible meshes of the body.
    faces : bool
        Whether the render mesh has faces; a path has none.
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
    """Something of the file that the scene was imported from, which is not in the scene as it is in the file.

    Attributes
    ----------
    subject : Collider
        What it is about, by name; the scene may not have it.
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
        Those that are asked about.
    others : tuple of str
        The names of the other render meshes, which a name may mean as well.
    imported : tuple of Imported
    empties : tuple of Collider
        Empties whose names are those of colliders.
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
        """The names of all render meshes."""
        return (*(one.name for body in self.bodies for one in body.visible), *self.others)
