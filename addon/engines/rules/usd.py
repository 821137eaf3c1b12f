# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of USD: requirements for rigid bodies and colliders of UsdPhysics.

From the rigid body requirements that NVIDIA publishes for OpenUSD (RB.COL.004, RB.006), and the behavior of PhysX.
"""

from collections.abc import Iterator

from ...asset_rules.limits import Limits, Values
from ...asset_rules.rule import Place, Rule, each_body, each_collider, each_object
from ...asset_rules.subject import Body, Collider
from ...asset_rules.transforms import uneven_round_shape

UNEVEN = Rule(
    id="usd-uneven-scale",
    title="Non-Uniform Scale",
    severity="error",
    engine="usd",
    sentence="Scale is not uniform: UsdPhysics requires uniform scale for spheres and capsules.",
    advice="Make the scale uniform, or change it to a convex collider (UCX_).",
    find=each_collider(uneven_round_shape),
    fix="as-hull",
    of_scale=True,
)


def _nested(body: Body, _limits: Limits) -> Iterator[Place]:
    for one in dict.fromkeys((*((body.render,) if body.render is not None else ()), *body.colliders)):
        if one.within:
            yield one, {"other": one.within}


NESTED = Rule(
    id="usd-nested-body",
    title="Body within a Body",
    severity="error",
    engine="usd",
    sentence='Rigid body is a child of the rigid body "{other}": UsdPhysics does not allow bodies within bodies.',
    advice="Clear the parent and keep the transform, or remove one of the rigid bodies.",
    find=each_body(_nested),
)


def _moving(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.moving and collider.kind == "MESH" else None


MOVING = Rule(
    id="usd-moving-mesh",
    title="Triangle Mesh Moves",
    severity="warning",
    engine="usd",
    sentence="Triangle mesh collider moves: PhysX uses its convex hull instead.",
    advice="Use convex colliders, or set the rigid body to Passive.",
    find=each_object(_moving),
)


RULES = (UNEVEN, NESTED, MOVING)
