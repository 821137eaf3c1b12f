# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a USD file that shows another one as Blender can import it; a program of its own, as `authoring`.

Blender's importer drops the parents of what is below a prim that has no type, or a type that OpenUSD does not know, and
puts it at the origin. Such prims only group others, and robots are full of them: `def "collisions"`. The written file
has the other one as a sublayer, and says that they are transforms.

The arguments are the file and the one to write. Nothing of Collision Kit is imported. Nothing is written if there is no
such prim. Prints the meters in a unit of the file.
"""

import sys
from typing import Any

from pxr import Sdf, Usd, UsdGeom


def main(file: str, written: str) -> None:
    """Write the file that stands in, if one is needed."""
    original = Sdf.Layer.FindOrOpen(file)
    layer = Sdf.Layer.CreateAnonymous(".usda")
    for key in original.pseudoRoot.ListInfoKeys():
        # Units, axes, frames and the default prim hold where they are in the outermost layer only.
        if key not in ("subLayers", "subLayerOffsets"):
            layer.pseudoRoot.SetInfo(key, original.pseudoRoot.GetInfo(key))
    layer.subLayerPaths.append(original.identifier)
    stage = Usd.Stage.Open(layer)
    # Prims below an instance cannot be changed, so it becomes a copy, and what is below that is looked at next.
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
    """Whether a prim holds geometry and is nothing that the importer knows."""
    if prim.IsPseudoRoot() or prim.IsA(UsdGeom.Imageable):
        return False
    return any(one.IsA(UsdGeom.Gprim) for one in Usd.PrimRange(prim, Usd.TraverseInstanceProxies()))


if __name__ == "__main__":
    main(*sys.argv[1:])
