# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the world space shape of an object from its chosen shape, its geometry and its matrix.

A convex mesh is tested as its hull, which is faster; any other mesh as its triangles. Nothing is approximated silently.
If the chosen shape would misrepresent the object, either its convex hull is used or the object is skipped, with an
issue in both cases.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

import numpy as np

from ....core.hull import ConvexHull, convex_hull
from ....core.mesh.triangle_mesh import TriangleMesh
from ....core.narrow_phase.mesh.orientation import orientation, orientation_steps
from ....core.numerics.types import Floats
from ....core.numerics.vectors import cross, dot, length
from ...engines.unreal_shapes import fit_box, fit_capsule, fit_sphere
from ...model import tolerances
from ...model.message import Message
from ...model.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Mesh,
    Primitive,
    Sphere,
    WorldShape,
    with_margin,
)
from ..meshes.geometry import Geometry
from ..objects.choice import MESH, NAME, RIGID_BODY, ShapeChoice, no_surface
from ..objects.facts import ObjectFacts
from ..objects.transforms import Placements
from . import known_issues
from .bounds import (
    bounds_box,
    bounds_capsule,
    bounds_cone,
    bounds_cylinder,
    bounds_ellipsoid,
    bounds_sphere,
    cylinder_axis,
)
from .known_issues import ReadingIssue


@dataclass
class ShapeResult:
    """The result of making the shape of one object.

    Attributes
    ----------
    shape : WorldShape, optional
        In world space. None if there is none.
    reason : str
        The reason for this shape, as in reports.
    skipped : str
        The reason why there is no shape.
    issues : list of ReadingIssue
    """

    shape: WorldShape | None = None
    reason: str = ""
    skipped: str = ""
    issues: list[ReadingIssue] = field(default_factory=list)

    def add_issue(self, issue: ReadingIssue) -> None:
        """Add an issue unless it was added before."""
        if issue not in self.issues:
            self.issues.append(issue)


@cache
def _cube() -> ConvexHull:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    return convex_hull(corners)


# Geometry that can be scaled, rotated and translated.
Placed = TypeVar("Placed", ConvexHull, TriangleMesh)


class ShapeMaker:
    """Makes the shapes of many objects. Shared data is computed once.

    Parameters
    ----------
    placements : Placements
    margins : bool
        Whether the shapes include the margins of their objects.
    """

    def __init__(self, placements: Placements, *, margins: bool = True) -> None:
        self._placements, self._margins = placements, margins
        self._of_size_one: list[bool] = (placements.scale == 1.0).all(axis=1).tolist()
        self._fits: dict[tuple[Geometry, str], Box | Sphere | Capsule | None] = {}
        self._axes: dict[tuple[Geometry, int | None], int] = {}
        self._images: dict[tuple[int, bytes], tuple[Any, Any]] = {}

    def make(self, choice: ShapeChoice, facts: ObjectFacts, geometry: Geometry | None, row: int) -> ShapeResult:
        """Make the shape of one object.

        Parameters
        ----------
        choice : ShapeChoice
        facts : ObjectFacts
            The facts of the original object.
        geometry : Geometry, optional
            None for objects without geometry, such as empties.
        row : int
            The row of the placements.
        """
        result = ShapeResult(reason=choice.reason)
        if choice.shape == "NONE":
            result.skipped = choice.note
        elif choice.shape == "COMPOUND":
            result.skipped = Message("Compound rigid body without a child that has a shape.")
        elif not self._placements.finite[row]:
            _give_up(result, known_issues.MATRIX_NOT_FINITE)
        elif choice.shape == "HALF_SPACE":
            self._half_space(row, result)
        elif facts.type == "EMPTY":
            self._empty(choice, facts.size, row, result)
        elif geometry is None and choice.source == MESH:
            # Its nodes may make a mesh, but did not.
            result.skipped = no_surface(facts.type)
        elif geometry is None:
            _give_up(result, known_issues.no_geometry(choice.shape))
        elif not len(geometry.points):
            result.skipped = _nothing_there(facts)
        elif not geometry.is_finite:
            _give_up(result, known_issues.VERTEX_NOT_FINITE)
        elif choice.source == NAME:
            self._named(choice, geometry, row, result)
        elif choice.shape in {"BOX", "SPHERE", "ELLIPSOID", "CAPSULE", "CYLINDER", "CONE"}:
            self._bounds(choice, geometry, row, result)
        elif choice.source == MESH and not len(geometry.triangles):
            result.skipped = _no_faces(facts)
        else:
            self._mesh(choice, geometry, row, result)
        if choice.source == RIGID_BODY and result.shape is not None and facts.rigid_margin >= 0.0:
            result.add_issue(known_issues.rigid_body_margin(facts.rigid_margin))
        if self._margins and result.shape is not None:
            result.shape = with_margin(result.shape, facts.traits.margin)
        return result

    def preparing(self, choice: ShapeChoice, geometry: Geometry | None, row: int) -> Generator[None, None, None]:
        """Compute what `make` needs of a large mesh, in steps."""
        if choice.shape != "MESH" or geometry is None or not geometry.is_finite:
            return
        surface = geometry.surface
        if len(surface.triangles) and not surface.solidity.convex and not self._placements.flat[row]:
            yield from surface.mesh.topology_steps()
            if surface.mesh.watertight:
                yield from orientation_steps(surface.mesh)

    def _half_space(self, row: int, result: ShapeResult) -> None:
        """A half-space below the object's local XY plane, on the side of its negative Z."""
        linear, translation = self._placements.linear[row], self._placements.translation[row]
        normal = cross(linear[:, 0], linear[:, 1])
        size = float(length(normal))
        if size == 0.0 or self._placements.flat[row]:
            _give_up(result, known_issues.NO_PLANE)
            return
        # With shear, the plane's normal is not the local Z axis, but it points to the same side.
        normal = normal / size * np.sign(float(dot(normal, linear[:, 2])))
        result.shape = HalfSpace(normal, float(dot(normal, translation)))

    def _empty(self, choice: ShapeChoice, size: float, row: int, result: ShapeResult) -> None:
        if choice.shape == "BOX":
            self._place(Box(np.zeros(3), np.eye(3), np.full(3, abs(size))), None, row, result)
        elif choice.shape == "SPHERE":
            self._place(Sphere(np.zeros(3), abs(size)), None, row, result)
        elif choice.shape == "ELLIPSOID":
            self._place(bounds_ellipsoid(np.zeros(3), np.full(3, abs(size))), None, row, result)
        else:
            _give_up(result, known_issues.no_geometry(choice.shape))

    def _bounds(self, choice: ShapeChoice, geometry: Geometry, row: int, result: ShapeResult) -> None:
        """A shape from the bounds in object space: about their center, or placed as in Blender's rigid bodies."""
        lower, upper = geometry.bounds
        center, half = (lower + upper) / 2.0, (upper - lower) / 2.0
        axis = int(np.argmax(half))
        if choice.source == RIGID_BODY:
            # Blender's simulation centers these shapes on the origin; all but boxes and spheres are along Z.
            off = float(length(center))
            if off > tolerances.OFF_CENTER * float(length(half)):
                result.add_issue(known_issues.off_center(choice.shape, off))
            center, axis = np.zeros(3), 2
        if choice.shape == "BOX":
            self._place(bounds_box(center, half), geometry, row, result)
        elif choice.shape == "SPHERE":
            self._place(bounds_sphere(center, half), geometry, row, result)
        elif choice.shape == "ELLIPSOID":
            self._place(bounds_ellipsoid(center, half), geometry, row, result)
        elif choice.shape == "CONE":
            self._place(bounds_cone(center, half), geometry, row, result)
        elif choice.shape == "CYLINDER":
            if choice.source != RIGID_BODY:
                axis = self._cylinder_axis(geometry, choice.axis)
            self._place(bounds_cylinder(center, half, axis), geometry, row, result)
        else:
            self._place(bounds_capsule(center, half, axis), geometry, row, result)

    def _named(self, choice: ShapeChoice, geometry: Geometry, row: int, result: ShapeResult) -> None:
        """The shape that a mesh's name stands for, if Unreal would accept the mesh."""
        if choice.shape == "HULL":
            if not len(geometry.triangles):
                result.add_issue(known_issues.NO_FACES)
            elif not geometry.solidity.convex:
                result.add_issue(known_issues.concave_collider(geometry.solidity, geometry.hull.volume))
            self._hull(geometry, row, result)
            return
        local = self._fit(choice.shape, geometry)
        if self._placements.flat[row]:
            self._hull(geometry, row, result)
        elif self._placements.uniform[row]:
            if local is None:
                result.add_issue(known_issues.not_a(choice))
                self._hull(geometry, row, result)
            else:
                self._check_capsule(local, result)
                self._place(local, geometry, row, result)
        else:
            # The engine gets the mesh as placed in the scene, so the placed mesh must be a box or a sphere.
            turned = Geometry(geometry.points @ self._placements.linear[row].T, geometry.triangles)
            placed = _fit(choice.shape, turned)
            if placed is None:
                result.add_issue(known_issues.not_a(choice) if local is None else known_issues.distorted(choice.shape))
                self._hull(geometry, row, result)
            else:
                self._check_capsule(placed, result)
                result.shape = _moved(placed, self._placements.translation[row])

    def _check_capsule(self, fit: Primitive, result: ShapeResult) -> None:
        if isinstance(fit, Capsule) and not fit.fits:
            result.add_issue(known_issues.NOT_A_CAPSULE)

    def _mesh(self, choice: ShapeChoice, geometry: Geometry, row: int, result: ShapeResult) -> None:
        """The convex hull, unless the mesh itself is needed and is not convex. Only vertices of faces are used."""
        if choice.shape == "MESH":
            geometry = geometry.surface
        if not len(geometry.triangles):
            result.add_issue(known_issues.NO_FACES)
        elif choice.shape == "MESH" and not geometry.solidity.convex and not self._placements.flat[row]:
            if not geometry.mesh.watertight:
                result.add_issue(known_issues.OPEN_MESH)
            elif turned := int(orientation(geometry.mesh).turned.sum()):
                result.add_issue(known_issues.inward_parts(turned))
            if choice.source == MESH:
                result.reason = Message("mesh")
            result.shape = Mesh(*self._at(geometry.mesh, row))
            return
        if choice.source == MESH:
            result.reason = Message("convex mesh")
        self._hull(geometry, row, result)

    def _fit(self, shape: str, geometry: Geometry) -> Box | Sphere | Capsule | None:
        if (geometry, shape) not in self._fits:
            self._fits[geometry, shape] = _fit(shape, geometry)
        return self._fits[geometry, shape]

    def _cylinder_axis(self, geometry: Geometry, stored: int | None) -> int:
        if (geometry, stored) not in self._axes:
            lower, upper = geometry.bounds
            found = cylinder_axis(geometry.points, (lower + upper) / 2.0, (upper - lower) / 2.0, stored)
            self._axes[geometry, stored] = found
        return self._axes[geometry, stored]

    def _place(self, local: Primitive, geometry: Geometry | None, row: int, result: ShapeResult) -> None:
        """Place a primitive of object space in world space. If the matrix distorts it, the hull is used instead."""
        placements = self._placements
        linear, translation = placements.linear[row], placements.translation[row]
        if isinstance(local, Box):
            self._box(local, linear, translation, row, result)
        elif isinstance(local, Cylinder | Cone):
            self._upright(local, geometry, row, result)
        elif isinstance(local, Ellipsoid):
            self._ellipsoid(local.center, local.axes * local.radii, geometry, row, result)
        elif placements.uniform[row]:
            result.shape = _moved(_scaled(local, linear, float(placements.stretch[row])), translation)
        elif isinstance(local, Sphere):
            if not placements.flat[row]:
                result.add_issue(known_issues.ELLIPSOID)
            self._ellipsoid(local.center, np.eye(3) * local.radius, geometry, row, result)
        else:
            assert geometry is not None  # no empty is displayed as a capsule
            if not placements.flat[row]:
                result.add_issue(known_issues.distorted("CAPSULE"))
            self._hull(geometry, row, result)

    def _ellipsoid(
        self, center: Floats, axes: Floats, geometry: Geometry | None, row: int, result: ShapeResult
    ) -> None:
        """Place an ellipsoid with these semi-axes, as columns. Any matrix maps it to another ellipsoid."""
        linear = self._placements.linear[row]
        if self._placements.flat[row]:
            if geometry is not None:
                self._hull(geometry, row, result)
                return
            result.add_issue(known_issues.FLAT_ELLIPSOID)
        turn, radii, _ = np.linalg.svd(linear @ axes)
        if np.linalg.det(turn) < 0.0:
            turn[:, 0] *= -1.0
        result.shape = Ellipsoid(linear @ center + self._placements.translation[row], turn, radii)

    def _box(self, local: Box, linear: Floats, translation: Floats, row: int, result: ShapeResult) -> None:
        sides, center = linear @ local.axes, linear @ local.center + translation
        size = length(sides.T)
        lean = np.abs(dot(sides.T, sides.T[[2, 0, 1]]))
        if self._placements.flat[row] or (lean > tolerances.SHEAR * size * size[[2, 0, 1]]).any():
            if not self._placements.flat[row]:
                result.add_issue(known_issues.distorted("BOX"))
            result.shape = self._transformed(_cube(), sides * local.half, center, row, result)
            return
        axes = sides / size
        if (lean > tolerances.ROTATION_AND_SCALE * size * size[[2, 0, 1]]).any():
            left, _, right = np.linalg.svd(axes)
            axes = left @ right
        if np.linalg.det(axes) < 0.0:
            axes[:, 0] *= -1.0
        result.shape = Box(center, axes, local.half * size)

    def _upright(self, local: Cylinder | Cone, geometry: Geometry | None, row: int, result: ShapeResult) -> None:
        """Place a cylinder or a cone, unless its circles are no longer round or it has no height."""
        linear, translation = self._placements.linear[row], self._placements.translation[row]
        start, end = (local.base, local.apex) if isinstance(local, Cone) else (local.start, local.end)
        along = end - start
        axis = int(np.argmax(np.abs(along)))
        spokes = np.delete(linear, axis, axis=1).T
        (first, second), size = length(spokes), float(length(linear @ along))
        round_ = abs(first - second) <= tolerances.SHEAR * first
        upright = np.abs(spokes @ linear[:, axis]).max() <= tolerances.SHEAR * first * float(length(linear[:, axis]))
        square = abs(float(dot(*spokes))) <= tolerances.SHEAR * first * second
        if size > 0.0 and first > 0.0 and round_ and upright and square:
            ends = linear @ start + translation, linear @ end + translation
            result.shape = type(local)(*ends, float(np.sqrt(first * second)) * local.radius)
            return
        assert geometry is not None  # no empty is displayed as a cylinder, and one displayed as a cone has no shape
        if size > 0.0 and not self._placements.flat[row]:
            result.add_issue(known_issues.distorted("CONE" if isinstance(local, Cone) else "CYLINDER"))
        self._hull(geometry, row, result)

    def _hull(self, geometry: Geometry, row: int, result: ShapeResult) -> None:
        if self._placements.flat[row]:
            result.add_issue(known_issues.ZERO_SCALE)
        result.shape = Hull(*self._at(geometry.hull, row))

    def _transformed(
        self, hull: ConvexHull, linear: Floats, translation: Floats, row: int, result: ShapeResult
    ) -> Hull:
        if self._placements.flat[row]:
            result.add_issue(known_issues.ZERO_SCALE)
        return Hull(self._image(hull, linear), translation, np.eye(3))

    def _at(self, geometry: Placed, row: int) -> tuple[Placed, Floats, Floats]:
        """A geometry scaled by its matrix, and its translation and rotation."""
        placements = self._placements
        scale, rotation = placements.scale[row], placements.rotation[row]
        if self._of_size_one[row]:
            return geometry, placements.translation[row], rotation
        linear = placements.linear[row] if np.isnan(scale).any() else np.diag(scale)
        return self._image(geometry, linear), placements.translation[row], rotation

    def _image(self, geometry: Placed, linear: Floats) -> Placed:
        """The image of a hull or a mesh. Equal images are the same object."""
        if np.array_equal(linear, np.eye(3)):
            return geometry
        key = (id(geometry), (linear + 0.0).tobytes())
        if key not in self._images:
            # The original is stored with its image, so that its id cannot be reused.
            self._images[key] = (geometry, geometry.transformed(linear))
        image: Placed = self._images[key][1]
        return image


def _fit(shape: str, geometry: Geometry) -> Box | Sphere | Capsule | None:
    if shape == "BOX":
        return fit_box(geometry.points, geometry.triangles)
    return fit_sphere(geometry.points) if shape == "SPHERE" else fit_capsule(geometry.hull)


def _scaled(local: Sphere | Capsule, linear: Floats, stretch: float) -> Sphere | Capsule:
    if isinstance(local, Sphere):
        return Sphere(linear @ local.center, stretch * local.radius)
    return Capsule(linear @ local.start, linear @ local.end, stretch * local.radius)


def _moved(shape: Sphere | Capsule | Box, translation: Floats) -> Sphere | Capsule | Box:
    if isinstance(shape, Capsule):
        return Capsule(shape.start + translation, shape.end + translation, shape.radius)
    if isinstance(shape, Sphere):
        return Sphere(shape.center + translation, shape.radius)
    return Box(shape.center + translation, shape.axes, shape.half)


def _give_up(result: ShapeResult, issue: ReadingIssue) -> None:
    result.add_issue(issue)
    result.skipped = issue.message


def _nothing_there(facts: ObjectFacts) -> Message:
    if facts.type == "META":
        return Message("Metaball is part of the surface of another metaball, which is tested.")
    return Message("Mesh has no vertices.")


def _no_faces(facts: ObjectFacts) -> Message:
    return Message("Curve has no surface.") if facts.type == "CURVE" else Message("Mesh has no faces.")
