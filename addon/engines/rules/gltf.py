# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of glTF: shapes of KHR_implicit_shapes, which are boxes, spheres, and capsules and cylinders along an axis.

From the drafts of KHR_physics_rigid_bodies and KHR_implicit_shapes. Other shapes are meshes, possibly convex hulls.
"""

import numpy as np

from ....core.numerics.vectors import length
from ...asset_rules.limits import Length, Limits, Values
from ...asset_rules.rule import Rule, each_collider
from ...asset_rules.subject import Collider
from ...asset_rules.transforms import uneven_round_shape
from ...model.shapes import Box, Capsule, Sphere
from ...model.tolerances import OFF_CENTER
from ..unreal_shapes import fit_box, fit_capsule, fit_sphere


def implicit_shape(collider: Collider) -> Box | Sphere | Capsule | None:
    """Return the declared shape of a collider in its own frame. None: its mesh is not such a shape."""
    if collider.kind == "BOX":
        return fit_box(collider.points, collider.triangles)
    if collider.kind == "SPHERE":
        return fit_sphere(collider.points)
    if collider.kind == "CAPSULE":
        capsule = fit_capsule(collider.local_hull)
        return capsule if capsule.fits else None
    return None


def _shape(collider: Collider, _limits: Limits) -> Values | None:
    if collider.kind not in {"BOX", "SPHERE", "CAPSULE"}:
        return None
    return {} if implicit_shape(collider) is None else None


SHAPE = Rule(
    id="gltf-not-the-shape",
    title="Not the Shape in Its Name",
    severity="warning",
    engine="gltf",
    sentence=(
        "Name says box, sphere or capsule, but the mesh is not one: glTF stores only the size of "
        "such shapes, so the form is lost."
    ),
    advice="Rebuild the mesh, or change it to a convex collider (UCX_).",
    find=each_collider(_shape),
    fix="as-hull",
)


UNEVEN = Rule(
    id="gltf-uneven-scale",
    title="Non-Uniform Scale",
    severity="error",
    engine="gltf",
    sentence="Scale is not uniform: glTF has no ellipsoids and no capsules with oval ends.",
    advice="Make the scale uniform, or change it to a convex collider (UCX_).",
    find=each_collider(uneven_round_shape),
    fix="as-hull",
    of_scale=True,
)


def _offset(collider: Collider, _limits: Limits) -> Values | None:
    """An implicit shape is centered on its node."""
    if collider.kind not in {"BOX", "SPHERE", "CAPSULE"}:
        return None
    lower, upper = collider.points.min(axis=0), collider.points.max(axis=0)
    center = (lower + upper) / 2.0
    if float(length(center)) <= OFF_CENTER * float(length(upper - lower)):
        return None
    return {"length": Length(float(length(collider.linear @ center)))}


OFFSET = Rule(
    id="gltf-offset",
    title="Center Away from Origin",
    severity="info",
    engine="gltf",
    sentence=("Center is {length} away from the origin: glTF shapes are centered on the origin of their node."),
    advice="Set the origin to the center of the bounds.",
    find=each_collider(_offset),
    fix="origin",
)


def _axis(collider: Collider, _limits: Limits) -> Values | None:
    """Blender's Z axis is glTF's Y axis, the axis of capsules."""
    capsule = implicit_shape(collider) if collider.kind == "CAPSULE" else None
    if not isinstance(capsule, Capsule):
        return None
    along = capsule.end - capsule.start
    across = float(np.abs(along[:2]).max())
    # A ball has no axis.
    return {} if across > OFF_CENTER * (float(np.abs(along).max()) + capsule.radius) else None


AXIS = Rule(
    id="gltf-capsule-axis",
    title="Capsule Not along Z",
    severity="info",
    engine="gltf",
    sentence="Capsule is not aligned with its local Z axis, as glTF requires.",
    advice=("Rotate the mesh in Edit Mode to align it with Z and the object back, or let the exporter add a node."),
    find=each_collider(_axis),
)


RULES = (SHAPE, UNEVEN, OFFSET, AXIS)
