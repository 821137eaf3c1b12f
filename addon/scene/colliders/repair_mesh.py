# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixes of meshes: merging, making normals consistent, separating, replacing by convex hulls."""

from collections.abc import Callable
from typing import Any, cast

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.fit import MeshPart, closed_parts, simplify_hull
from ....core.hull import ConvexHull, convex_hull
from ....core.numerics.tolerances import RULE_ROUNDING
from ....core.numerics.types import Floats
from ....core.numerics.vectors import length
from ...asset_rules.surfaces import without_area
from ..meshes.geometry import geometry_of


def clean(ob: bpy.types.Object) -> None:
    """Merge vertices at the same place, and dissolve degenerate edges and faces.

    Polygons of which some triangles have no area become other triangles first.
    """
    mesh = cast(bpy.types.Mesh, ob.data)
    near = RULE_ROUNDING * float(np.abs(geometry_of(mesh).points).max(initial=0.0))
    edit = bmesh.new()
    try:
        edit.from_mesh(mesh)
        bmesh.ops.remove_doubles(edit, verts=edit.verts[:], dist=near)
        bmesh.ops.triangulate(edit, faces=_without_area(edit))
        bmesh.ops.dissolve_degenerate(edit, edges=edit.edges[:], dist=near)
        edit.to_mesh(mesh)
    finally:
        edit.free()
    mesh.update()


def _without_area(edit: bmesh.types.BMesh) -> list[bmesh.types.BMFace]:
    """Return the polygons with a triangle without area."""
    corners: Any = edit.calc_loop_triangles()
    points = np.array([loop.vert.co for triangle in corners for loop in triangle], np.float64).reshape(-1, 3)
    none = np.flatnonzero(without_area(points, np.arange(len(points)).reshape(-1, 3))).tolist()
    faces = dict.fromkeys(corners[row][0].face for row in none)
    return [face for face in faces if len(face.verts) > 3]


def face_outward(ob: bpy.types.Object) -> None:
    """Make the winding of the faces of each connected part consistent, with normals outward."""
    mesh = cast(bpy.types.Mesh, ob.data)
    edit = bmesh.new()
    try:
        edit.from_mesh(mesh)
        bmesh.ops.recalc_face_normals(edit, faces=edit.faces[:])
        edit.to_mesh(mesh)
    finally:
        edit.free()
    mesh.update()


def replace_by_hull(ob: bpy.types.Object) -> None:
    """Replace the mesh by the convex hull of its vertices."""
    _take_hull(ob, convex_hull(_points(ob)))


def thin_out(ob: bpy.types.Object) -> None:
    """Remove vertices of a convex mesh that are on a line between two others after rounding.

    They would be corners of triangles without area. The mesh becomes the convex hull of the other vertices.
    """
    while True:
        geometry = geometry_of(cast(bpy.types.Mesh, ob.data))
        corners = geometry.triangles[without_area(geometry.points, geometry.triangles)]
        if not len(corners):
            return
        sides = geometry.points[np.roll(corners, -1, axis=1)] - geometry.points[np.roll(corners, 1, axis=1)]
        kept, removed = set[int](), set[int]()
        for triangle, longest in zip(corners.tolist(), np.argmax(length(sides), axis=1).tolist(), strict=True):
            between = triangle.pop(longest)
            # The ends of the line stay, so that of vertices in nearly the same place one does.
            if between not in kept and removed.isdisjoint(triangle):
                removed.add(between)
                kept.update(triangle)
        points = np.delete(_points(ob), sorted(removed), axis=0)
        try:
            hull = convex_hull(points)
        except ValueError:
            return  # Nothing solid is left.
        _take_hull(ob, hull)


def simplify(ob: bpy.types.Object, *, vertices: int | None = None, triangles: int | None = None) -> None:
    """Replace the mesh by a convex hull within a vertex budget that contains all of the mesh."""
    _take_hull(ob, simplify_hull(_points(ob), vertices=vertices, triangles=triangles).hull)


def separate(ob: bpy.types.Object, free_name: Callable[[], str]) -> list[bpy.types.Object]:
    """Make an object of each loose part except the first, which stays in the object. Closed parts face outward.

    The new objects have the same parent, placement, collections and materials. Vertices without faces are left out.
    """
    mesh = cast(bpy.types.Mesh, ob.data)
    geometry = geometry_of(mesh)
    parts = closed_parts(geometry.points, geometry.triangles)
    made = []
    for part in parts[1:]:
        piece = ob.copy()
        piece.data = _only(mesh, part)
        piece.name = free_name()
        for collection in ob.users_collection:
            collection.objects.link(piece)
        made.append(piece)
    first = _only(mesh, parts[0])
    ob.data, name = first, mesh.name
    if not mesh.users:
        bpy.data.meshes.remove(mesh)
        first.name = name
    return made


def _only(mesh: bpy.types.Mesh, part: MeshPart) -> bpy.types.Mesh:
    """A copy of a mesh with only the faces of a part."""
    kept = {mesh.loop_triangles[row].polygon_index for row in part.triangle_index.tolist()}
    result = mesh.copy()
    edit = bmesh.new()
    try:
        edit.from_mesh(result)
        bmesh.ops.delete(edit, geom=[face for face in edit.faces if face.index not in kept], context="FACES_ONLY")
        bmesh.ops.delete(edit, geom=[edge for edge in edit.edges if not edge.link_faces], context="EDGES")
        bmesh.ops.delete(edit, geom=[vertex for vertex in edit.verts if not vertex.link_faces], context="VERTS")
        if part.closed:
            bmesh.ops.recalc_face_normals(edit, faces=edit.faces[:])
        edit.to_mesh(result)
    finally:
        edit.free()
    result.update()
    return result


def _points(ob: bpy.types.Object) -> NDArray[np.float32]:
    return geometry_of(cast(bpy.types.Mesh, ob.data)).points.astype(np.float32)


def _take_hull(ob: bpy.types.Object, hull: ConvexHull) -> None:
    """Replace the mesh of an object by the polygons of a hull. Its material slots remain."""
    mesh = cast(bpy.types.Mesh, ob.data)
    points: Floats = hull.points[hull.vertices]
    faces: list[list[int]] = [np.searchsorted(hull.vertices, face).tolist() for face in hull.faces]
    mesh.clear_geometry()
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.update()
