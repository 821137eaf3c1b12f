# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole matrix: which module answers for which pair of kinds.

A pair has its kinds in the order of `Kind`; whoever asks the other way round has the answer turned by
`collision_kit.core.queries`. Every module has ``overlap``, ``separating_axis``, ``distance``, ``contacts``,
``contains`` (A holds B) and ``contained`` (B holds A). A pair that is not in the matrix raises `UnsupportedPair`.
"""

from types import ModuleType

from ..shapes import Kind
from . import (
    assembly,
    bounded_mesh,
    box_box,
    box_triangle,
    capsule_box,
    capsule_capsule,
    capsule_cylinder,
    capsule_triangle,
    convex_convex,
    convex_half_space,
    convex_plane,
    cylinder_convex,
    cylinder_cylinder,
    cylinder_half_space,
    cylinder_plane,
    sphere_box,
    sphere_capsule,
    sphere_cylinder,
    sphere_sphere,
    sphere_triangle,
    triangle_triangle,
    unbounded_mesh,
)

SPHERE, CAPSULE, CYLINDER, BOX, TRIANGLE, HULL, HALF_SPACE, PLANE, MESH, ASSEMBLY = Kind

PAIRS: dict[tuple[Kind, Kind], ModuleType] = {
    (SPHERE, SPHERE): sphere_sphere,
    (SPHERE, CAPSULE): sphere_capsule,
    (SPHERE, CYLINDER): sphere_cylinder,
    (SPHERE, BOX): sphere_box,
    (SPHERE, TRIANGLE): sphere_triangle,
    (SPHERE, HULL): convex_convex,
    (SPHERE, HALF_SPACE): convex_half_space,
    (SPHERE, PLANE): convex_plane,
    (CAPSULE, CAPSULE): capsule_capsule,
    (CAPSULE, CYLINDER): capsule_cylinder,
    (CAPSULE, BOX): capsule_box,
    (CAPSULE, TRIANGLE): capsule_triangle,
    (CAPSULE, HULL): convex_convex,
    (CAPSULE, HALF_SPACE): convex_half_space,
    (CAPSULE, PLANE): convex_plane,
    (CYLINDER, CYLINDER): cylinder_cylinder,
    (CYLINDER, BOX): cylinder_convex,
    (CYLINDER, TRIANGLE): cylinder_convex,
    (CYLINDER, HULL): cylinder_convex,
    (CYLINDER, HALF_SPACE): cylinder_half_space,
    (CYLINDER, PLANE): cylinder_plane,
    (BOX, BOX): box_box,
    (BOX, TRIANGLE): box_triangle,
    (BOX, HULL): convex_convex,
    (BOX, HALF_SPACE): convex_half_space,
    (BOX, PLANE): convex_plane,
    (TRIANGLE, TRIANGLE): triangle_triangle,
    (TRIANGLE, HULL): convex_convex,
    (TRIANGLE, HALF_SPACE): convex_half_space,
    (TRIANGLE, PLANE): convex_plane,
    (HULL, HULL): convex_convex,
    (HULL, HALF_SPACE): convex_half_space,
    (HULL, PLANE): convex_plane,
    **{(kind, MESH): bounded_mesh for kind in (SPHERE, CAPSULE, CYLINDER, BOX, TRIANGLE, HULL, MESH)},
    (HALF_SPACE, MESH): unbounded_mesh,
    (PLANE, MESH): unbounded_mesh,
    **{(kind, ASSEMBLY): assembly for kind in Kind},
}

_CLOSED_FORMS = (
    sphere_sphere,
    sphere_capsule,
    sphere_box,
    sphere_triangle,
    capsule_capsule,
    capsule_box,
    capsule_triangle,
    convex_half_space,
    convex_plane,
)

BY_BLOCKS: dict[ModuleType, tuple[str, ...]] = {
    **dict.fromkeys(_CLOSED_FORMS, ("overlap", "distance")),
    **dict.fromkeys((box_box, box_triangle, triangle_triangle), ("overlap", "separating_axis")),
}
"""The questions that a module answers block by block: it is given `rounded.Rows`, and gathers each block itself."""
