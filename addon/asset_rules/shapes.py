# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for the shapes that engines make of colliders: convexity, size and number of vertices."""

import numpy as np

from .limits import Length, Limits, Values
from .rule import Rule, each_collider
from .subject import Collider


def _flat(collider: Collider, _limits: Limits) -> Values | None:
    """Find flat colliders, except triangle meshes such as a ground, and colliders that are flat by their scale."""
    return {} if collider.kind != "MESH" and collider.local_hull.dimension < 3 else None


FLAT = Rule(
    id="flat",
    title="Flat Mesh",
    severity="error",
    engine="any",
    sentence="Mesh is flat, without volume: engines reject it or give it minimum thickness.",
    advice="Give the mesh thickness.",
    find=each_collider(_flat),
)


def _pieces(collider: Collider, _limits: Limits) -> Values | None:
    """Find colliders of several closed parts, including parts that share vertices, edges or faces."""
    return {"count": collider.pieces} if collider.kind == "HULL" and collider.pieces > 1 else None


PIECES = Rule(
    id="several-pieces",
    title="Several Loose Parts",
    severity="warning",
    engine="any",
    sentence="Convex collider has {count} loose parts: engines enclose all of them in one hull.",
    advice="Separate the mesh by loose parts.",
    find=each_collider(_pieces),
    fix="separate",
)


def _concave(collider: Collider, _limits: Limits) -> Values | None:
    """Find concave colliders of one closed part that faces outward. Other rules find open and inside-out meshes."""
    if collider.kind != "HULL" or collider.local_hull.dimension < 3 or collider.solidity.convex:
        return None
    if not collider.surface.watertight or collider.pieces > 1:
        return None
    filled = 1.0 - collider.solidity.volume / collider.local_hull.volume
    return {"percent": f"{100.0 * max(filled, 0.0):.3g}"}


CONCAVE = Rule(
    id="not-convex",
    title="Not Convex",
    severity="warning",
    engine="any",
    sentence=("Convex collider is not convex: engines use its convex hull, {percent} % of which is empty."),
    advice="Split the mesh into convex parts, or replace it by its convex hull.",
    find=each_collider(_concave),
    fix="hull",
)


def _vertex_budget(collider: Collider, limits: Limits) -> Values | None:
    """Find colliders whose hulls have too many vertices. An engine keeps only the hull."""
    count = len(collider.local_hull.vertices)
    if collider.kind != "HULL" or count <= limits.vertices:
        return None
    return {"count": count, "limit": limits.vertices}


VERTEX_BUDGET = Rule(
    id="vertex-budget",
    title="Too Many Vertices",
    severity="warning",
    engine="any",
    sentence="Convex hull has {count} vertices; the limit is {limit}.",
    advice="Reduce the hull; Fix All makes one with fewer vertices that encloses the mesh.",
    find=each_collider(_vertex_budget),
    fix="simplify",
)


def _triangle_budget(collider: Collider, limits: Limits) -> Values | None:
    count = len(collider.triangles)
    if collider.kind != "MESH" or count <= limits.triangles:
        return None
    return {"count": count, "limit": limits.triangles}


TRIANGLE_BUDGET = Rule(
    id="triangle-budget",
    title="Too Many Triangles",
    severity="warning",
    engine="any",
    sentence="Triangle mesh collider has {count} triangles; the limit is {limit}.",
    advice="Decimate the mesh, or use convex colliders.",
    find=each_collider(_triangle_budget),
)


def _small(collider: Collider, limits: Limits) -> Values | None:
    """Find colliders that are too thin along a local axis. Flat colliders have their own rule."""
    stretch = np.sqrt((collider.linear**2).sum(axis=0))
    thin = float((np.ptp(collider.points, axis=0) * stretch).min())
    return {"length": Length(thin)} if thin < limits.smallest and collider.hull.dimension == 3 else None


SMALL = Rule(
    id="too-small",
    title="Too Thin",
    severity="warning",
    engine="any",
    sentence="Thickness is only {length}: fast objects tunnel through it and stacks jitter.",
    advice="Make the collider thicker, or delete it.",
    find=each_collider(_small),
)
