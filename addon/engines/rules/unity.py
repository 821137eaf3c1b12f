# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of Unity, which has no naming convention, and limits of its convex mesh colliders."""

from collections.abc import Iterator

from ...asset_rules.limits import Limits, Values
from ...asset_rules.rule import Place, Rule, each_body, each_collider, each_object
from ...asset_rules.subject import Body, Collider


def _postprocessor(body: Body, _limits: Limits) -> Iterator[Place]:
    """Reported once for a body. Unity's sample script looks for "collider" in names."""
    own = [one for one in body.colliders if one.own and "collider" not in one.name.casefold()]
    if own:
        yield own[0], {}


POSTPROCESSOR = Rule(
    id="unity-import-script",
    title="Needs an Import Script",
    severity="info",
    engine="unity",
    sentence=(
        "Unity has no naming convention for colliders: imported as a visible mesh without an AssetPostprocessor script."
    ),
    advice=(
        "Save the import script of Collision Kit into a folder Editor of the project, or add the colliders in Unity."
    ),
    find=each_body(_postprocessor),
)


def _vertices(collider: Collider, limits: Limits) -> Values | None:
    """Uses the vertices of the hull that Unity makes."""
    count = len(collider.local_hull.vertices)
    if collider.kind != "HULL" or count <= limits.unity_vertices:
        return None
    return {"count": count, "limit": limits.unity_vertices}


VERTICES = Rule(
    id="unity-vertices",
    title="Too Many Vertices for Unity",
    severity="error",
    engine="unity",
    sentence="Convex hull has {count} vertices; a convex mesh collider in Unity has at most {limit}.",
    advice="Reduce the hull; Fix All makes one with fewer vertices that encloses the mesh.",
    find=each_collider(_vertices),
    fix="simplify",
)


def _triangles(collider: Collider, limits: Limits) -> Values | None:
    """Uses the triangles of the hull that Unity makes."""
    count = sum(len(face) - 2 for face in collider.local_hull.faces)
    if collider.kind != "HULL" or count <= limits.unity_triangles:
        return None
    return {"count": count, "limit": limits.unity_triangles}


TRIANGLES = Rule(
    id="unity-triangles",
    title="Too Many Triangles for Unity",
    severity="error",
    engine="unity",
    sentence="Convex hull has {count} triangles; a convex mesh collider in Unity has at most {limit}.",
    advice="Reduce the hull; Fix All makes one with fewer vertices that encloses the mesh.",
    find=each_collider(_triangles),
    fix="simplify",
)


def _moving(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.moving and collider.kind == "MESH" else None


MOVING = Rule(
    id="unity-moving-mesh",
    title="Triangle Mesh Moves",
    severity="error",
    engine="unity",
    sentence=("Triangle mesh collider moves: Unity requires convex colliders for non-kinematic rigid bodies."),
    advice="Use convex colliders, or set the rigid body to Passive.",
    find=each_object(_moving),
)


RULES = (POSTPROCESSOR, VERTICES, TRIANGLES, MOVING)
