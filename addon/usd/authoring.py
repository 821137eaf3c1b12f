# SPDX-License-Identifier: GPL-3.0-or-later
"""Add the schemas of UsdPhysics to a USD file. Runs as a separate program, because it uses OpenUSD.

The arguments are a JSON file with the additions, the USD file, and the path of a USDZ package, if one is requested.
Nothing of Collision Kit is imported. What could not be added is printed as JSON: the names of objects that are not in
the file, and of those whose mesh is not.
"""

import json
import sys
from typing import Any

from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade, UsdUtils

# Attribute by which Blender's exporter names the object of a prim.
NAME = "userProperties:blender:object_name"


def main(description: str, file: str, package: str) -> None:
    """Add everything, save, and report what is missing."""
    with open(description, encoding="utf-8") as stream:
        wanted = json.load(stream)
    stage = Usd.Stage.Open(file)
    missing = author(stage, wanted)
    stage.GetRootLayer().Save()
    if package and not UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(file), package):
        sys.exit("the USDZ package could not be written")
    print(json.dumps(missing))


def author(stage: Any, wanted: dict[str, Any]) -> dict[str, list[str]]:
    """Add bodies, colliders, materials, collision groups and filtered pairs to a stage."""
    prims = _prims_by_object(stage)
    missing: dict[str, list[str]] = {"objects": [], "meshes": []}
    root = stage.GetDefaultPrim()
    scope = (root.GetPath() if root else Sdf.Path.absoluteRootPath).AppendChild("Physics")
    materials = _materials(stage, scope, wanted["materials"])
    groups = _groups(stage, scope, wanted["groups"])
    # Shapes of parents are added after those of children, whose prims would otherwise be searched for meshes as well.
    for one in wanted["objects"]:
        found = prims.get(one["name"], [])
        if not found:
            missing["objects"].append(one["name"])
        for prim in found:
            if one["body"] is not None:
                _body(prim, one["body"])
            if one["collider"] is None:
                continue
            collider = _collider(stage, prim, one["collider"])
            if collider is None:
                missing["meshes"].append(one["name"])
                continue
            if one["material"] is not None:
                binding = UsdShade.MaterialBindingAPI.Apply(collider)
                binding.Bind(materials[one["material"]], UsdShade.Tokens.weakerThanDescendants, "physics")
            if one["group"] is not None and groups:
                groups[one["group"]].GetCollidersCollectionAPI().CreateIncludesRel().AddTarget(collider.GetPath())
    for first, second in wanted["filtered"]:
        for prim in prims.get(first, []):
            for other in prims.get(second, []):
                UsdPhysics.FilteredPairsAPI.Apply(prim).CreateFilteredPairsRel().AddTarget(other.GetPath())
    UsdPhysics.SetStageKilogramsPerUnit(stage, 1.0)
    _in_meters(stage, wanted["unit"])
    return missing


def _in_meters(stage: Any, unit: float) -> None:
    """Scale the units of the scene to meters, because not all versions of Blender write or read the units of a file."""
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    if unit == 1.0:
        return
    # Blender's importer leaves out the root that its exporter writes, with its transform.
    root = stage.GetDefaultPrim() or stage.GetPseudoRoot()
    for prim in root.GetChildren():
        if prim.IsA(UsdGeom.Xformable):
            xform = UsdGeom.Xformable(prim)
            scale = xform.AddScaleOp(UsdGeom.XformOp.PrecisionDouble, "meters")
            scale.Set(Gf.Vec3d(unit))
            others = [op for op in xform.GetOrderedXformOps() if op.GetName() != scale.GetName()]
            xform.SetXformOpOrder([scale, *others], xform.GetResetXformStack())


def _prims_by_object(stage: Any) -> dict[str, list[Any]]:
    """Return the prims of each object. Objects that are copied in the file have several."""
    found: dict[str, list[Any]] = {}
    for prim in stage.Traverse():
        name = prim.GetAttribute(NAME)
        if name:
            found.setdefault(name.Get(), []).append(prim)
    return found


def _body(prim: Any, body: dict[str, Any]) -> None:
    api = UsdPhysics.RigidBodyAPI.Apply(prim)
    if body["static"]:
        # It only declares that everything below is one body.
        api.CreateRigidBodyEnabledAttr(False)
        return
    if body["kinematic"]:
        api.CreateKinematicEnabledAttr(True)
    UsdPhysics.MassAPI.Apply(prim).CreateMassAttr(body["mass"])


def _collider(stage: Any, prim: Any, shape: dict[str, Any]) -> Any:
    """Add a collider to the prim of an object, and return its own prim. None if the mesh is not in the file."""
    meshes = [child for child in prim.GetChildren() if child.IsA(UsdGeom.Mesh)]
    if shape["type"] == "Mesh":
        if not meshes:
            return None
        made = _named_as_its_object(stage, prim, meshes[0]) if shape["own"] else meshes[0]
        UsdPhysics.MeshCollisionAPI.Apply(made).CreateApproximationAttr(shape["approximation"])
    else:
        if shape["own"]:
            for mesh in meshes:
                stage.RemovePrim(mesh.GetPath())
        taken = {child.GetName() for child in prim.GetChildren()}
        name = prim.GetName() if shape["own"] else f"{prim.GetName()}_collider"
        while name in taken:
            name += "_"
        made = _primitive(stage, prim.GetPath().AppendChild(name), shape)
    UsdPhysics.CollisionAPI.Apply(made)
    if shape["own"] or shape["type"] != "Mesh":
        UsdGeom.Imageable(made).CreatePurposeAttr(UsdGeom.Tokens.guide)
    return made


def _named_as_its_object(stage: Any, prim: Any, mesh: Any) -> Any:
    """Give a mesh the name of its object, which importers that join both use."""
    name = prim.GetName()
    if mesh.GetName() == name or any(child.GetName() == name for child in prim.GetChildren()):
        return mesh
    stage.GetRootLayer().GetPrimAtPath(mesh.GetPath()).name = name
    return stage.GetPrimAtPath(prim.GetPath().AppendChild(name))


def _primitive(stage: Any, path: Any, shape: dict[str, Any]) -> Any:
    """Define a prim for a shape that USD supports."""
    made = getattr(UsdGeom, shape["type"]).Define(stage, path)
    sizes = dict(shape["sizes"])
    if shape["axis"]:
        made.CreateAxisAttr(shape["axis"])
    for size, value in sizes.items():
        getattr(made, f"Create{size.capitalize()}Attr")(value)
    translation, rotation, scale = shape["translation"], shape["rotation"], shape["scale"]
    if any(translation):
        made.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*translation))
    if rotation != [1.0, 0.0, 0.0, 0.0]:
        made.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Quatd(*rotation))
    if scale != [1.0, 1.0, 1.0]:
        made.AddScaleOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*scale))
    extent = UsdGeom.Boundable.ComputeExtentFromPlugins(UsdGeom.Boundable(made.GetPrim()), Usd.TimeCode.Default())
    if extent:
        made.CreateExtentAttr(extent)
    return made.GetPrim()


def _materials(stage: Any, scope: Any, wanted: list[dict[str, float]]) -> list[Any]:
    made = []
    for number, one in enumerate(wanted):
        UsdGeom.Scope.Define(stage, scope)
        material = UsdShade.Material.Define(stage, scope.AppendChild(f"Material_{number}"))
        api = UsdPhysics.MaterialAPI.Apply(material.GetPrim())
        api.CreateStaticFrictionAttr(one["friction"])
        api.CreateDynamicFrictionAttr(one["friction"])
        api.CreateRestitutionAttr(one["restitution"])
        made.append(material)
    return made


def _groups(stage: Any, scope: Any, wanted: list[list[int]]) -> list[Any]:
    """Add groups of colliders. Each names those that it does not collide with."""
    if wanted:
        UsdGeom.Scope.Define(stage, scope)
    made = [UsdPhysics.CollisionGroup.Define(stage, scope.AppendChild(f"Group_{n}")) for n in range(len(wanted))]
    for group, others in zip(made, wanted, strict=True):
        for other in others:
            group.CreateFilteredGroupsRel().AddTarget(made[other].GetPath())
    return made


if __name__ == "__main__":
    main(*sys.argv[1:])
