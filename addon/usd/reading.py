# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the shapes and meshes of a USD file with their UsdPhysics data. A separate program, like `authoring`.

The argument is the file. Nothing of Collision Kit is imported. Prints JSON. Each prim with geometry has its path, its
kind as a collider (empty if it is not one), whether it is a primitive, whether it is only a collider, the path of the
outermost prim without other visible geometry, that of its rigid body (empty if it has none), and the numbers of its
collision groups. Each group has the numbers of those that it does not collide with.
"""

import json
import sys
from collections import Counter
from typing import Any

from pxr import Usd, UsdGeom, UsdPhysics

KINDS = {"Cube": "BOX", "Sphere": "SPHERE", "Capsule": "CAPSULE", "Cylinder": "CYLINDER", "Cone": "CONE"}
APPROXIMATIONS = {"convexHull": "HULL", "boundingCube": "BOX", "boundingSphere": "SPHERE"}


def main(file: str) -> None:
    """Print the content."""
    stage = Usd.Stage.Open(file)
    every = Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies())
    prims = [prim for prim in every if prim.IsA(UsdGeom.Gprim)]
    guides = {prim for prim in prims if UsdGeom.Imageable(prim).ComputePurpose() == "guide"}
    count = Counter(above for prim in prims if prim not in guides for above in _around(prim))
    beside = Counter(prim.GetParent().GetPath() for prim in prims if prim not in guides)
    groups = [UsdPhysics.CollisionGroup(prim) for prim in every if prim.IsA(UsdPhysics.CollisionGroup)]
    members = [group.GetCollidersCollectionAPI().ComputeMembershipQuery() for group in groups]
    found = []
    for prim in prims:
        outermost = prim.GetPath()
        for above in [] if prim in guides else _around(prim):
            alone = count[above] == 1 or (above == prim.GetParent().GetPath() and beside[above] == 1)
            if not alone or above == stage.GetDefaultPrim().GetPath():
                break
            outermost = above
        found.append(
            {
                "path": str(prim.GetPath()),
                "kind": _kind(prim),
                "primitive": prim.GetTypeName() in KINDS,
                "motion": _motion(prim),
                "own": prim in guides,
                "outermost": str(outermost),
                "body": _body(prim),
                "groups": [row for row, inside in enumerate(members) if inside.IsPathIncluded(prim.GetPath())],
            }
        )
    joints = [_joint(UsdPhysics.Joint(prim)) for prim in every if prim.IsA(UsdPhysics.Joint)]
    joints += [joint for prim in every for joint in _filtered(prim)]
    print(json.dumps({"prims": found, "apart": [_apart(group, groups) for group in groups], "joints": joints}))


def _joint(joint: Any) -> dict[str, Any]:
    """Return a joint: its name, the rigid bodies that it links, whether it is fixed, and whether they collide."""
    ends = [one.GetForwardedTargets() for one in (joint.GetBody0Rel(), joint.GetBody1Rel())]
    return {
        "name": joint.GetPrim().GetName(),
        "bodies": [_body(joint.GetPrim().GetStage().GetPrimAtPath(one[0])) if one else "" for one in ends],
        "fixed": joint.GetPrim().IsA(UsdPhysics.FixedJoint),
        "collides": joint.GetCollisionEnabledAttr().Get() is True or joint.GetJointEnabledAttr().Get() is False,
    }


def _filtered(prim: Any) -> list[dict[str, Any]]:
    """Return the pairs of rigid bodies with a prim that do not collide, as joints without effect on motion."""
    if not prim.HasAPI(UsdPhysics.FilteredPairsAPI):
        return []
    targets = UsdPhysics.FilteredPairsAPI(prim).GetFilteredPairsRel().GetForwardedTargets()
    others = [_body(prim.GetStage().GetPrimAtPath(one)) for one in targets]
    name = f"{prim.GetName()}_filtered"
    return [{"name": name, "bodies": [_body(prim), one], "fixed": False, "collides": False} for one in others]


def _apart(group: Any, groups: list[Any]) -> list[int]:
    """Return the numbers of the groups that one does not collide with."""
    named = set(group.GetFilteredGroupsRel().GetForwardedTargets())
    only = group.GetInvertFilteredGroupsAttr().Get() is True
    return [row for row, other in enumerate(groups) if (other.GetPath() in named) != only]


def _around(prim: Any) -> list[Any]:
    """Return the paths of the prims around a prim, nearest first."""
    return list(prim.GetPath().GetPrefixes()[-2::-1])


def _body(prim: Any) -> str:
    """Return the path of the rigid body that contains a prim."""
    while prim and not prim.HasAPI(UsdPhysics.RigidBodyAPI):
        prim = prim.GetParent()
    return str(prim.GetPath()) if prim else ""


def _motion(prim: Any) -> str:
    """Return the motion type of the body of a prim: STATIC without an enclosing rigid body."""
    body = prim
    while body and not body.HasAPI(UsdPhysics.RigidBodyAPI):
        body = body.GetParent()
    if not body or UsdPhysics.RigidBodyAPI(body).GetRigidBodyEnabledAttr().Get() is False:
        return "STATIC"
    return "KINEMATIC" if UsdPhysics.RigidBodyAPI(body).GetKinematicEnabledAttr().Get() else "DYNAMIC"


def _kind(prim: Any) -> str:
    """Return the kind of collider of a prim. Empty for none. Its own schema is used, or that of an enclosing prim."""
    said = prim
    while said and not said.HasAPI(UsdPhysics.CollisionAPI):
        said = said.GetParent()
        if said and said.IsA(UsdGeom.Gprim):
            return ""
    if not said or UsdPhysics.CollisionAPI(said).GetCollisionEnabledAttr().Get() is False:
        return ""
    if prim.GetTypeName() in KINDS:
        return KINDS[prim.GetTypeName()]
    for one in (prim, said):
        if one.HasAPI(UsdPhysics.MeshCollisionAPI):
            return APPROXIMATIONS.get(UsdPhysics.MeshCollisionAPI(one).GetApproximationAttr().Get(), "MESH")
    return "MESH"


if __name__ == "__main__":
    main(*sys.argv[1:])
