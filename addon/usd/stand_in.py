# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a USD file that is equivalent to another one and that Blender can import. A separate program, like `authoring`.

If a prim has no type, or a type that OpenUSD does not know, Blender's importer drops the parents of everything below it
and puts it at the origin. Such prims only group others, and are frequent in robots: `def "collisions"`. The written
file has the other one as a sublayer, and declares these prims as transforms.

The importer also merges a transform with the only prim in it, and numbers equal names in an order of its own: the
prims "geom" in "pillar_1" and in "pillar_2" become "geom" and "geom.001". So prims with equal names get their path as a
custom property, which the importer keeps.

The arguments are the file, the one to write and the name of that property. Nothing of Collision Kit is imported.
Nothing is written if no prim needs it. Prints the meters in a unit of the file.
"""

import sys
from collections import Counter
from typing import Any

from pxr import Sdf, Usd, UsdGeom


def main(file: str, written: str, path_property: str) -> None:
    """Write the file that stands in, if one is needed."""
    original = Sdf.Layer.FindOrOpen(file)
    layer = Sdf.Layer.CreateAnonymous(".usda")
    for key in original.pseudoRoot.ListInfoKeys():
        # Units, axes, frames and the default prim are only valid in the outermost layer.
        if key not in ("subLayers", "subLayerOffsets"):
            layer.pseudoRoot.SetInfo(key, original.pseudoRoot.GetInfo(key))
    layer.subLayerPaths.append(original.identifier)
    stage = Usd.Stage.Open(layer)
    # Prims below an instance cannot be changed, so it becomes a copy, and its content is examined next.
    while groups := [prim for prim in _all(stage) if _groups_geometry(prim)]:
        for prim in groups:
            if not prim.IsInstanceProxy():
                stage.OverridePrim(prim.GetPath()).SetTypeName("Xform")
        _copy_instances(stage, groups)
    while repeated := [prim for prim in _repeated(stage) if prim.IsInstanceProxy()]:
        _copy_instances(stage, repeated)
    for prim in _repeated(stage):
        named = stage.OverridePrim(prim.GetPath())
        named.CreateAttribute(f"userProperties:{path_property}", Sdf.ValueTypeNames.String).Set(str(prim.GetPath()))
    if layer.rootPrims:
        layer.Export(written)
    print(UsdGeom.GetStageMetersPerUnit(stage))


def _copy_instances(stage: Any, prims: list[Any]) -> None:
    """Replace the outermost instances around prims with copies."""
    for prim in prims:
        inside = prim
        while inside.IsInstanceProxy():
            inside = inside.GetParent()
        if inside != prim and inside.IsInstance():
            stage.OverridePrim(inside.GetPath()).SetInstanceable(False)


def _repeated(stage: Any) -> list[Any]:
    """Return the prims with geometry whose name occurs more than once."""
    found = [prim for prim in _all(stage) if prim.IsA(UsdGeom.Gprim)]
    count = Counter(prim.GetName() for prim in found)
    return [prim for prim in found if count[prim.GetName()] > 1]


def _all(stage: Any) -> Any:
    return Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies())


def _groups_geometry(prim: Any) -> bool:
    """Return whether a prim contains geometry and has a type that the importer does not know."""
    if prim.IsPseudoRoot() or prim.IsA(UsdGeom.Imageable):
        return False
    return any(one.IsA(UsdGeom.Gprim) for one in Usd.PrimRange(prim, Usd.TraverseInstanceProxies()))


if __name__ == "__main__":
    main(*sys.argv[1:])
