# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole matrix: which module answers for which pair of kinds.

A pair has its kinds in the order of `Kind`; whoever asks the other way round has the answer turned by
`collision_kit.core.queries`. Every module has ``overlap``, ``separating_axis``, ``distance``, ``contacts``,
``contains`` (A holds B) and ``contained`` (B holds A). A pair that is not in the matrix raises `UnsupportedPair`.
"""

from types import ModuleType

from ..shapes import Kind
from . import assembly, box_box, convex_convex, convex_half_space

SPHERE, CAPSULE, CYLINDER, BOX, TRIANGLE, HULL, HALF_SPACE, PLANE, MESH, ASSEMBLY = Kind

PAIRS: dict[tuple[Kind, Kind], ModuleType] = {
    (SPHERE, SPHERE): convex_convex,
    (SPHERE, CAPSULE): convex_convex,
    (SPHERE, BOX): convex_convex,
    (SPHERE, TRIANGLE): convex_convex,
    (SPHERE, HULL): convex_convex,
    (SPHERE, HALF_SPACE): convex_half_space,
    (CAPSULE, CAPSULE): convex_convex,
    (CAPSULE, BOX): convex_convex,
    (CAPSULE, TRIANGLE): convex_convex,
    (CAPSULE, HULL): convex_convex,
    (CAPSULE, HALF_SPACE): convex_half_space,
    (BOX, BOX): box_box,
    (BOX, TRIANGLE): convex_convex,
    (BOX, HULL): convex_convex,
    (BOX, HALF_SPACE): convex_half_space,
    (TRIANGLE, TRIANGLE): convex_convex,
    (TRIANGLE, HULL): convex_convex,
    (TRIANGLE, HALF_SPACE): convex_half_space,
    (HULL, HULL): convex_convex,
    (HULL, HALF_SPACE): convex_half_space,
    **{(kind, ASSEMBLY): assembly for kind in Kind},
}
