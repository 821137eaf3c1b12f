# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for the meshes of colliders: their coordinates, faces, edges and normals."""

from .limits import Limits, Values
from .rule import Rule, each_collider, each_object
from .subject import Collider


def _not_finite(collider: Collider, _limits: Limits) -> Values | None:
    return None if collider.finite else {}


NOT_FINITE = Rule(
    id="non-finite",
    title="Non-Finite Values",
    severity="error",
    engine="any",
    sentence="Coordinate, location, rotation or scale is infinite or not a number.",
    advice="Delete the invalid vertices, or reset the transform.",
    find=each_object(_not_finite),
)


def _no_faces(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.finite and not len(collider.triangles) else None


NO_FACES = Rule(
    id="no-faces",
    title="No Faces",
    severity="error",
    engine="any",
    sentence="Mesh has no faces: engines import nothing or an empty collider.",
    advice="Add faces, make a convex hull of the vertices, or delete the object.",
    find=each_object(_no_faces),
    fix="hull",
)


def _zero_area(collider: Collider, _limits: Limits) -> Values | None:
    count = collider.surface.without_area
    return {"count": count} if count else None


ZERO_AREA = Rule(
    id="zero-area",
    title="Triangles without Area",
    severity="warning",
    engine="any",
    sentence="Mesh has {count} triangles without area.",
    advice="Dissolve degenerate faces.",
    find=each_collider(_zero_area),
    fix="clean",
)


def _doubles(collider: Collider, _limits: Limits) -> Values | None:
    """Exactly coincident vertices only. Render meshes may have them, as at seams."""
    if not collider.own:
        return None
    count = collider.surface.doubles
    return {"count": count} if count else None


DOUBLES = Rule(
    id="duplicate-vertices",
    title="Duplicate Vertices",
    severity="info",
    engine="any",
    sentence="Mesh has {count} duplicate vertices.",
    advice="Merge vertices by distance.",
    find=each_collider(_doubles),
    fix="clean",
)


def _winding(collider: Collider, _limits: Limits) -> Values | None:
    """Two triangles are consistent if they run along their common edge in opposite directions."""
    count = collider.surface.inconsistent
    return {"count": count} if count else None


WINDING = Rule(
    id="inconsistent-normals",
    title="Inconsistent Normals",
    severity="warning",
    engine="any",
    sentence="Normals are inconsistent at {count} edges.",
    advice="Recalculate normals outside.",
    find=each_collider(_winding),
    fix="outward",
)


def _inside_out(collider: Collider, _limits: Limits) -> Values | None:
    """Uses the volume of closed meshes, which is negative if the faces point inward."""
    return {} if collider.surface.inward else None


INSIDE_OUT = Rule(
    id="inside-out",
    title="Normals Point Inward",
    severity="warning",
    engine="any",
    sentence="Normals of all faces point inward.",
    advice="Flip normals.",
    find=each_collider(_inside_out),
    fix="outward",
)


def _open_mesh(collider: Collider, _limits: Limits) -> Values | None:
    """An edge with an odd number of triangles is the border of a hole. Flat meshes have their own rule.

    A static triangle mesh is a surface: floors, walls and terrain are open.
    """
    if collider.kind == "MESH" and not collider.moving:
        return None
    count = collider.surface.border
    return {"count": count} if count and collider.local_hull.dimension == 3 else None


OPEN_MESH = Rule(
    id="open-mesh",
    title="Open Mesh",
    severity="warning",
    engine="any",
    sentence="Mesh is open ({count} boundary edges): objects can get inside and stay there.",
    advice="Fill the holes, or replace a convex collider by its convex hull.",
    find=each_collider(_open_mesh),
    fix="hull",
)
