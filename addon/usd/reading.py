# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the shapes and meshes of a USD file, and what UsdPhysics says of them; a program of its own, as `authoring`.

The argument is the file. Nothing of Collision Kit is imported. Prints JSON: for each prim with geometry its path, its
kind as a collider, which is empty if it is none, whether it is there for that only, and whether a transform holds
nothing else.
"""

import json
import sys
from typing import Any

from pxr import Usd, UsdGeom, UsdPhysics

KINDS = {"Cube": "BOX", "Sphere": "SPHERE", "Capsule": "CAPSULE", "Cylinder": "CYLINDER", "Cone": "CONE"}
APPROXIMATIONS = {"convexHull": "HULL", "boundingCube": "BOX", "boundingSphere": "SPHERE"}


def main(file: str) -> None:
    """Print what there is."""
    stage = Usd.Stage.Open(file)
    found = []
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()):
        if prim.IsA(UsdGeom.Gprim):
            purpose = UsdGeom.Imageable(prim).ComputePurpose()
            around = prim.GetParent()
            alone = around.IsA(UsdGeom.Xform) and len(around.GetAllChildren()) == 1 and around != stage.GetDefaultPrim()
            kind = _kind(prim)
            said = {"path": str(prim.GetPath()), "kind": kind, "motion": _motion(prim)}
            found.append({**said, "own": purpose == "guide", "alone": alone})
    print(json.dumps(found))


def _motion(prim: Any) -> str:
    """How the body of a prim moves: STATIC without a rigid body around it."""
    body = prim
    while body and not body.HasAPI(UsdPhysics.RigidBodyAPI):
        body = body.GetParent()
    if not body or UsdPhysics.RigidBodyAPI(body).GetRigidBodyEnabledAttr().Get() is False:
        return "STATIC"
    return "KINEMATIC" if UsdPhysics.RigidBodyAPI(body).GetKinematicEnabledAttr().Get() else "DYNAMIC"


def _kind(prim: Any) -> str:
    """The kind of collider that a prim is; empty for none. Its own schema counts, or that of a prim around it."""
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
