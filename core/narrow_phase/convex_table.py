# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of convex pairs: the algorithm for two convex shapes, or for a convex and an unbounded shape."""

from itertools import combinations_with_replacement, product
from typing import Any

from ..shapes import UNBOUNDED, Kind
from .algorithm import Flipped, PairAlgorithm
from .capsule_pairs import CapsuleCapsule
from .convex_convex import ConvexConvex
from .cylinder_pairs import CylinderConvex, CylinderCylinder
from .flat_faced import BOX_BOX, BOX_TRIANGLE, TRIANGLE_TRIANGLE
from .half_space_pairs import ConvexHalfSpace, CylinderHalfSpace, SupportMappedHalfSpace
from .sphere_cone_ellipsoid import SphereCone, SphereEllipsoid
from .sphere_pairs import SphereBox, SphereCapsule, SphereCylinder, SphereSphere, SphereTriangle
from .support_mapped import SupportMappedPair

SPHERE, CAPSULE, CYLINDER, ELLIPSOID, CONE, BOX, TRIANGLE, HULL, HALF_SPACE, PLANE, *_ = Kind
_BOUNDED = tuple(kind for kind in Kind if kind < HALF_SPACE)

_CONVEX = ConvexConvex()
_CYLINDER = CylinderConvex()
_HALF_SPACE = ConvexHalfSpace()
_SUPPORT_MAPPED = SupportMappedPair()
_SURFACE = SupportMappedHalfSpace()
_CYLINDER_SURFACE = CylinderHalfSpace()

CONVEX_PAIRS: dict[tuple[Kind, Kind], PairAlgorithm[Any, Any]] = {
    # Default for pairs without a special algorithm.
    **dict.fromkeys(combinations_with_replacement(_BOUNDED, 2), _SUPPORT_MAPPED),
    **dict.fromkeys(product(_BOUNDED, UNBOUNDED), _SURFACE),
    (SPHERE, SPHERE): SphereSphere(),
    (SPHERE, CAPSULE): SphereCapsule(),
    (SPHERE, CYLINDER): SphereCylinder(),
    (SPHERE, ELLIPSOID): SphereEllipsoid(),
    (SPHERE, CONE): SphereCone(),
    (SPHERE, BOX): SphereBox(),
    (SPHERE, TRIANGLE): SphereTriangle(),
    (SPHERE, HULL): _CONVEX,
    (SPHERE, HALF_SPACE): _HALF_SPACE,
    (SPHERE, PLANE): _HALF_SPACE,
    (CAPSULE, CAPSULE): CapsuleCapsule(),
    (CAPSULE, CYLINDER): Flipped(_CYLINDER),
    (CAPSULE, BOX): _CONVEX,
    (CAPSULE, TRIANGLE): _CONVEX,
    (CAPSULE, HULL): _CONVEX,
    (CAPSULE, HALF_SPACE): _HALF_SPACE,
    (CAPSULE, PLANE): _HALF_SPACE,
    (CYLINDER, CYLINDER): CylinderCylinder(),
    (CYLINDER, BOX): _CYLINDER,
    (CYLINDER, TRIANGLE): _CYLINDER,
    (CYLINDER, HULL): _CYLINDER,
    (CYLINDER, HALF_SPACE): _CYLINDER_SURFACE,
    (CYLINDER, PLANE): _CYLINDER_SURFACE,
    (BOX, BOX): BOX_BOX,
    (BOX, TRIANGLE): BOX_TRIANGLE,
    (BOX, HULL): _CONVEX,
    (BOX, HALF_SPACE): _HALF_SPACE,
    (BOX, PLANE): _HALF_SPACE,
    (TRIANGLE, TRIANGLE): TRIANGLE_TRIANGLE,
    (TRIANGLE, HULL): _CONVEX,
    (TRIANGLE, HALF_SPACE): _HALF_SPACE,
    (TRIANGLE, PLANE): _HALF_SPACE,
    (HULL, HULL): _CONVEX,
    (HULL, HALF_SPACE): _HALF_SPACE,
    (HULL, PLANE): _HALF_SPACE,
}

# The same in either order of the two kinds.
EITHER_ORDER = {**CONVEX_PAIRS, **{(b, a): Flipped(pair) for (a, b), pair in CONVEX_PAIRS.items() if a != b}}
