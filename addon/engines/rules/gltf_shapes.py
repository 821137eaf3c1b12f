# SPDX-License-Identifier: GPL-3.0-or-later
"""What KHR_implicit_shapes knows: boxes, spheres, and capsules and cylinders along an axis of their node.

Draft of KHR_physics_rigid_bodies and KHR_implicit_shapes; other shapes are meshes, which may be convex hulls.
"""

from ...asset_rules.subject import Collider
from ..unreal_shapes import Box, Capsule, Sphere, fit_box, fit_capsule, fit_sphere


def implicit_shape(collider: Collider) -> Box | Sphere | Capsule | None:
    """The shape that a collider is said to be and is, in its own frame; None: it is no such shape."""
    if collider.kind == "BOX":
        return fit_box(collider.points, collider.triangles)
    if collider.kind == "SPHERE":
        return fit_sphere(collider.points)
    if collider.kind == "CAPSULE":
        capsule = fit_capsule(collider.local_hull)
        return capsule if capsule.fits else None
    return None
