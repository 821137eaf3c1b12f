# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a USD file that is equivalent to another one and that Blender can import. A separate program, like `authoring`.

If a prim has no type, or a type that OpenUSD does not know, Blender's importer drops the parents of everything below it
and puts it at the origin. Such prims only group others, and are frequent in robots: `def "collisions"`. The written
file has the other one as a sublayer, and declares these prims as transforms.

The arguments are the file and the output file. Nothing of Collision Kit is imported. Nothing is written if there is no
such prim. Prints the meters per unit of the file.
"""

import sys
from typing import Any

from pxr import Sdf, Usd, UsdGeom


def main(file: str, written: str) -> None:
    """Write the equivalent file, if it is needed."""
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
            inside = prim
            while inside.IsInstanceProxy():
                inside = inside.GetParent()
            if inside == prim:
                stage.OverridePrim(prim.GetPath()).SetTypeName("Xform")
            elif inside.IsInstance():
                stage.OverridePrim(inside.GetPath()).SetInstanceable(False)
    if layer.rootPrims:
        layer.Export(written)
    print(UsdGeom.GetStageMetersPerUnit(stage))


def _all(stage: Any) -> Any:
    return Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies())


def _groups_geometry(prim: Any) -> bool:
    """Return whether a prim contains geometry and has a type that the importer does not know."""
    if prim.IsPseudoRoot() or prim.IsA(UsdGeom.Imageable):
        return False
    return any(one.IsA(UsdGeom.Gprim) for one in Usd.PrimRange(prim, Usd.TraverseInstanceProxies()))


if __name__ == "__main__":
    main(*sys.argv[1:])
