# SPDX-License-Identifier: GPL-3.0-or-later
"""All rules that apply to any engine."""

from . import bodies, imports, meshes, pairs, shapes, transforms
from .rule import Rule

RULES: tuple[Rule, ...] = (
    imports.NOT_IMPORTED,
    imports.IMPORTED_DIFFERENTLY,
    imports.PHYSICS_NOT_IMPORTED,
    meshes.NOT_FINITE,
    meshes.NO_FACES,
    transforms.COLLAPSED,
    transforms.SHEARED,
    transforms.MIRRORED,
    transforms.SCALED,
    transforms.SHARED_DATA,
    meshes.ZERO_AREA,
    meshes.DOUBLES,
    meshes.WINDING,
    meshes.INSIDE_OUT,
    meshes.OPEN_MESH,
    shapes.FLAT,
    shapes.PIECES,
    shapes.CONCAVE,
    shapes.VERTEX_BUDGET,
    shapes.TRIANGLE_BUDGET,
    shapes.SMALL,
    bodies.ORPHAN,
    bodies.EMPTY_COLLIDER,
    bodies.NO_COLLIDER,
    pairs.NESTED,
    pairs.OVERLAPPING,
    bodies.MESH_OUTSIDE,
    bodies.COLLIDER_OUTSIDE,
    bodies.COLLIDER_FAR_OUTSIDE,
    bodies.COLLIDER_MISSES,
)
"""Rules for any engine. A rule comes before the rules whose fixes depend on its fix."""
