# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of several closed parts with different orientations, and the solids that they represent by construction."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from collision_kit.core.hull import convex_hull
from tests.helpers import mesh_zoo, zoo
from tests.helpers.mesh_zoo import Mesh


@dataclass(eq=False)
class Part:
    """A closed surface that faces outward, and the nested cavities and islands in it.

    Attributes
    ----------
    mesh : Mesh
    inner : Part, optional
        A smaller copy inside: a cavity in a solid, or a solid in a cavity.
    inward : bool
        Whether the part, with everything in it, is inside out in the mesh.
    twice : bool
        Whether each face exists twice, once flipped.
    """

    mesh: Mesh
    inner: "Part | None" = None
    inward: bool = False
    twice: bool = False

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Whether points (k, 3) are in the solid."""
        within = np.rint(mesh_zoo.winding(self.mesh[0][self.mesh[1]], points)) != 0
        return within & ~self.inner.contains(points) if self.inner else within

    def surfaces(self, inward: bool = False) -> list[Mesh]:
        """The surfaces in the mesh."""
        inward ^= self.inward
        own = mesh_zoo.inside_out(self.mesh) if inward else self.mesh
        both = [own, mesh_zoo.inside_out(own)] if self.twice else [own]
        return both + (self.inner.surfaces(not inward) if self.inner else [])


@dataclass(eq=False)
class Kit:
    """A mesh of parts.

    Attributes
    ----------
    parts : list of Part
        No part is inside the surface of another.
    mesh : Mesh
        All of them in one mesh.
    """

    parts: list[Part] = field(default_factory=list)
    mesh: Mesh = (np.empty((0, 3)), np.empty((0, 3), dtype=np.int64))

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Whether points (k, 3) are in the union of the parts."""
        return np.any([part.contains(points) for part in self.parts], axis=0)

    def recalculated(self) -> Mesh:
        """The mesh with all normals outward and each face once, as it would be without the flaws."""
        right = [Part(part.mesh, part.inner) for part in self.parts]
        return mesh_zoo.joined([surface for part in right for surface in part.surfaces()])


def turned(rng: np.random.Generator, mesh: Mesh, size: float, place: np.ndarray) -> Mesh:
    """A mesh with another size and rotation."""
    points = mesh[0] / np.abs(mesh[0]).max() * size * rng.uniform(0.5, 1.0, 3)
    return points @ zoo.rotations(rng, 1)[0].T + place, mesh[1]


def star(rng: np.random.Generator, mesh: Mesh, place: np.ndarray) -> Part:
    """A part around its center, which may contain smaller copies of itself, one inside the other."""
    size = rng.uniform(0.5, 1.2)
    points, triangles = turned(rng, mesh, size, np.zeros(3))
    inner = None
    for scale in sorted(rng.uniform(0.15, 0.9, rng.integers(0, 4))):
        inner = Part((scale * points + place, triangles), inner)
    return Part((points + place, triangles), inner)


def dented(rng: np.random.Generator) -> Mesh:
    """A polyhedron around the origin, concave at most corners."""
    points = rng.normal(size=(rng.integers(8, 30), 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    hull = convex_hull(np.concatenate([points, np.eye(3), -np.eye(3)]))
    fans = [(face[0], face[i], face[i + 1]) for face in hull.faces for i in range(1, len(face) - 1)]
    return hull.points * rng.uniform(0.6, 1.0, (len(hull.points), 1)), np.array(fans)


def scattered(rng: np.random.Generator) -> Kit:
    """Convex and concave parts at random places. Most of them overlap, and none is inside another."""
    kit = Kit()
    while len(kit.parts) < rng.integers(1, 6):
        place = rng.uniform(-0.8, 0.8, 3)
        choice = rng.integers(0, 6)
        if choice == 0:
            part = Part(turned(rng, mesh_zoo.torus(), 1.0, place))
        elif choice == 1:
            part = Part(turned(rng, mesh_zoo.bracket(), 1.0, place))
        elif choice == 2:
            part = Part(turned(rng, mesh_zoo.ring(), 1.0, place))
        elif choice == 3:
            part = star(rng, mesh_zoo.moved(mesh_zoo.box(), (-0.5, -0.5, -0.5)), place)
        else:
            part = star(rng, dented(rng), place)
        part.inward = bool(rng.integers(0, 2))
        part.twice = part.inner is None and rng.random() < 0.25
        kit.parts.append(part)
        if rng.random() < 0.15:
            # A copy in the same place.
            kit.parts.append(
                Part(part.mesh, part.inner, bool(rng.integers(0, 2)) if part.inner is None else part.inward)
            )
    return mixed(rng, kit)


def stacked(rng: np.random.Generator) -> Kit:
    """Boxes and brackets on a lattice. They share vertices, edges and faces, overlap, and some coincide."""
    kit = Kit()
    for _ in range(rng.integers(2, 6)):
        mesh = (mesh_zoo.box, mesh_zoo.box, mesh_zoo.bracket)[rng.integers(0, 3)]()
        size = rng.integers(1, 3, 3)
        points = (mesh[0] * size)[:, rng.permutation(3)]
        flipped = np.linalg.det(np.linalg.lstsq(mesh[0] - mesh[0].mean(0), points - points.mean(0), rcond=None)[0]) < 0
        mesh = points + rng.integers(-1, 2, 3), mesh[1][:, ::-1] if flipped else mesh[1]
        kit.parts.append(Part(mesh, None, bool(rng.integers(0, 2)), rng.random() < 0.25))
    kit = mixed(rng, kit)
    turn = zoo.rotations(rng, 1)[0] if rng.integers(0, 2) else np.eye(3)
    for part in kit.parts:
        part.mesh = part.mesh[0] @ turn.T, part.mesh[1]
    return Kit(kit.parts, (kit.mesh[0] @ turn.T, kit.mesh[1]))


def mixed(rng: np.random.Generator, kit: Kit) -> Kit:
    """The kit with its surfaces in one mesh.

    The triangles are in random order; vertices are shared, duplicated, or unchanged.
    """
    points, triangles = mesh_zoo.joined([surface for part in kit.parts for surface in part.surfaces()])
    choice = rng.integers(0, 3)
    if choice == 0:
        points, number = np.unique(points, axis=0, return_inverse=True)
        triangles = number.reshape(-1)[triangles]
    elif choice == 1:
        points, triangles = mesh_zoo.soup((points, triangles))
    if rng.integers(0, 2):
        triangles = rng.permutation(triangles)
    return Kit(kit.parts, (points, triangles))


def ambiguous(kit: Kit) -> bool:
    """Whether a surface is inside a surface of another part.

    It would then be a cavity or not depending on its orientation.
    """
    for one in kit.parts:
        for other in kit.parts:
            if one is not other and any(_inside(a, b) for a in one.surfaces() for b in other.surfaces()):
                return True
    return False


def _inside(mesh: Mesh, other: Mesh) -> bool:
    """Whether all points of a mesh are inside the other mesh, and not on its boundary."""
    points, corners = mesh[0], other[0][other[1]]
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    if not ((low < points.min(axis=0)) & (points.max(axis=0) < high)).all():
        return False
    return bool((np.abs(mesh_zoo.winding(corners, points)) > 0.5).all())


def kits(rng: np.random.Generator, count: int, make: Callable[[np.random.Generator], Kit]) -> list[Kit]:
    """Kits of a kind whose solids are known."""
    result: list[Kit] = []
    while len(result) < count:
        kit = make(rng)
        if not ambiguous(kit):
            result.append(kit)
    return result


def canceled(rng: np.random.Generator, kit: Kit) -> np.ndarray:
    """Points (k, 3) in the solid around which the mesh, as it is, has the winding number 0."""
    low, high = kit.mesh[0].min(axis=0), kit.mesh[0].max(axis=0)
    points = rng.uniform(low, high, (1000, 3))
    around = np.rint(mesh_zoo.winding(kit.mesh[0][kit.mesh[1]], points))
    return points[kit.contains(points) & (around == 0)]


def flawed(rng: np.random.Generator, make: Callable[[np.random.Generator], Kit]) -> Kit:
    """A kit of a kind whose parts cancel each other somewhere."""
    while True:
        kit = make(rng)
        if len(canceled(rng, kit)) > 10:
            return kit
