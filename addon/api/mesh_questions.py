# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions for meshes, outlines and pairs, with the data that the panels show."""

from dataclasses import dataclass

import bpy

from ...core.convexity import Convexity
from ...core.numerics.types import Floats
from ...core.query.candidate_axes import AxisStatus
from ..colliders import outline_pieces
from ..colliders.outline_pieces import OutlinePieces
from ..collisions import obstacle
from ..debug_draw.explanation import listed_axes, pair_axes
from ..fixes.crossing_faces import IntersectingFaces
from ..fixes.mesh_crossings import crossing_faces_of
from ..model.report import PairResult, Settings
from ..scene import arguments
from ..scene.colliders import convex_pieces
from ..validation.convexity import convexity_of
from .checking import CollisionReport
from .choices import PLANES, Objects, Plane, Scope


@dataclass(frozen=True, eq=False)
class Obstacle:
    """Position of the origin relative to the obstacle A - B of two objects in configuration space.

    They collide if it is inside.

    Attributes
    ----------
    distance : float
        Distance of the origin to the obstacle. Negative: depth inside it.
    way : (3,) float64
        Translation from the origin to the nearest point of the obstacle's surface. Moving B by it makes the objects
        touch.
    """

    distance: float
    way: Floats


@dataclass(frozen=True, eq=False)
class Axis:
    """A candidate axis of the separating axis test.

    Attributes
    ----------
    direction : (3,) float64
        Unit vector from A to B. Zero if the axis was skipped.
    gap : float
        Gap along the axis. Negative: overlap. NaN if the axis was skipped.
    tested : bool
        False: skipped, because the edges are parallel or have no length.
    deciding : bool
        True for the separating axis: the one with the largest gap or the smallest overlap.
    """

    direction: Floats
    gap: float
    tested: bool
    deciding: bool


def check_convexity(ob: bpy.types.Object | str) -> Convexity:
    """Test whether a mesh is convex, without modifiers, with the rotation and scale of the object.

    Parameters
    ----------
    ob : bpy.types.Object or str

    Returns
    -------
    Convexity
        `convex`, `flaws`, and the edges that make the mesh concave, as pairs of vertices: `reflex_edges`,
        `boundary_edges`, `non_manifold_edges`.

    Raises
    ------
    KeyError
        If no object has that name.
    ValueError
        If it is not a mesh, has no vertices, or has a coordinate that is not finite.

    Examples
    --------
    ::

        found = api.check_convexity("Rock")
        print(found.convex, found.flaws, found.reflex_edges)
    """
    return convexity_of(_mesh(ob))


def find_intersecting_faces(
    ob: bpy.types.Object | str,
    against: Objects | None = None,
    *,
    scope: Scope = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    touching: float | None = None,
) -> IntersectingFaces:
    """Find the faces of a mesh that intersect other objects, as *Select Intersecting Faces* does.

    Parameters
    ----------
    ob : bpy.types.Object or str
        A mesh object. Its modifiers are not applied.
    against : iterable of bpy.types.Object or str, optional
        Objects to test against. None: the objects of the scope, except those of its own body.
    scope, collection, other_collection, touching
        As for `check_collisions`.

    Returns
    -------
    IntersectingFaces
        Face indices in `crossing`, `touching` and `inside`.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If it is not a mesh, has no faces, or as for `check_collisions`.

    Examples
    --------
    ::

        faces = api.find_intersecting_faces("Shirt", ["Body"]).crossing
        for index in faces:
            bpy.data.objects["Shirt"].data.polygons[index].select = True
    """
    arguments.texts(scope=scope, collection=collection, other_collection=other_collection)
    mesh = _mesh(ob)
    others = None if against is None else arguments.objects("against", against)
    level = None if touching is None else arguments.length("touching", touching)
    settings = Settings(scope, collection, other_collection, level, 0.0)
    found = crossing_faces_of(bpy.context, mesh, others, settings)
    if found is None:
        raise ValueError(f"ob: {mesh.name!r} has no faces")
    return found


def find_obstacle(a: bpy.types.Object | str, b: bpy.types.Object | str) -> Obstacle:
    """Find the position of the origin relative to the Minkowski difference A - B of two objects.

    Parameters
    ----------
    a, b : bpy.types.Object or str
        Convex objects, or bodies of convex parts. A is fixed, B moves.

    Returns
    -------
    Obstacle

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If an object has no shape, is infinite or is not convex, or both are one body.

    Examples
    --------
    ::

        found = api.find_obstacle("Crate", "Shelf")
        bpy.data.objects["Shelf"].location += Vector(found.way)
    """
    subject = obstacle.of_objects(bpy.context, arguments.object_("a", a), arguments.object_("b", b))
    measured = obstacle.measured(subject)
    return Obstacle(measured.distance, measured.way)


def candidate_axes(report: CollisionReport, pair: PairResult) -> list[Axis]:
    """Return the candidate separating axes of two convex shapes.

    The shapes collide only if they overlap along all axes.

    Parameters
    ----------
    report : CollisionReport
    pair : PairResult
        A pair of the report. Its deepest or nearest shapes are used.

    Returns
    -------
    list of Axis
        The separating axis first, then by gap. Faces and edges with the same axis are listed once. Skipped axes, such
        as those of parallel edges, come last.

    Raises
    ------
    ValueError
        If a shape of the pair is not convex, or the check was in a plane.

    Examples
    --------
    ::

        for axis in api.candidate_axes(report, report.pairs[0]):
            print(axis.direction, axis.gap)
    """
    arguments.report(report, CollisionReport)
    axes = None if report.world is None else pair_axes(report.world, pair.shape_a, pair.shape_b)
    if axes is None:
        raise ValueError("pair: only convex shapes in space have candidate axes")
    tested = axes.status == AxisStatus.TESTED
    best = int(axes.best[0]) if len(axes.best) else -1
    return [
        Axis(axes.axis[row], float(axes.gap[row]), bool(tested[row]), row == best and bool(tested[row]))
        for rows in listed_axes(axes)
        for row in rows.tolist()
    ]


def find_convex_pieces(ob: bpy.types.Object | str, plane: Plane = "XY") -> OutlinePieces:
    """Split the outline of an object in a plane into a small number of convex pieces, without adding vertices.

    Parameters
    ----------
    ob : bpy.types.Object or str
    plane : str
        XY, XZ, YZ or CAMERA.

    Returns
    -------
    Pieces
        `pieces`: polygons, (k, 2) in the plane. ``plane.up(piece, height)`` places a piece in world space.

    Raises
    ------
    KeyError
        If no object has that name.
    ValueError
        If its outline is empty or intersects itself, or the camera is not orthographic.

    Examples
    --------
    ::

        print(len(api.find_convex_pieces("Gear", "XY").pieces))
    """
    arguments.one_of("plane", plane, PLANES)
    return outline_pieces.find_pieces(bpy.context, arguments.object_("ob", ob), plane)


def make_convex_pieces(ob: bpy.types.Object | str, plane: Plane = "XY") -> list[bpy.types.Object]:
    """Split the outline of an object into flat convex mesh objects, for engines that require convex polygons.

    Parameters
    ----------
    ob, plane
        As for `find_convex_pieces`.

    Returns
    -------
    list of bpy.types.Object
        Children of the object, in a separate collection. Checks skip them.

    Raises
    ------
    KeyError, ValueError
        As for `find_convex_pieces`.

    Examples
    --------
    ::

        made = api.make_convex_pieces("Gear", "XY")
    """
    found = find_convex_pieces(ob, plane)
    polygons = [found.plane.up(piece, found.height) for piece in found.pieces]
    return convex_pieces.make_pieces(bpy.context, arguments.object_("ob", ob), polygons)


def _mesh(given: bpy.types.Object | str) -> bpy.types.Object:
    ob = arguments.object_("ob", given)
    if ob.type != "MESH":
        raise ValueError(f"ob: {ob.name!r} is no mesh")
    return ob
