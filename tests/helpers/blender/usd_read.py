# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics in a USD file, read with usd-core in a process without Blender."""

import json
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import json, sys
from pxr import Usd, UsdGeom, UsdPhysics, UsdShade
stage = Usd.Stage.Open(sys.argv[1])
found = {}
for prim in stage.Traverse():
    one = {"type": prim.GetTypeName(), "schemas": list(prim.GetAppliedSchemas())}
    one["purpose"] = UsdGeom.Imageable(prim).ComputePurpose() if prim.IsA(UsdGeom.Imageable) else ""
    if prim.IsA(UsdGeom.Xformable):
        one["matrix"] = [list(row) for row in UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(0)]
    for attribute in prim.GetAuthoredAttributes():
        value = attribute.Get()
        if isinstance(value, (str, float, int, bool)):
            one[attribute.GetName()] = value
    if prim.IsA(UsdGeom.Boundable) and prim.HasAPI(UsdPhysics.CollisionAPI):
        extent = UsdGeom.Boundable(prim).GetExtentAttr().Get()
        one["extent"] = [list(corner) for corner in extent] if extent else None
    one["targets"] = {r.GetName(): [str(t) for t in r.GetTargets()] for r in prim.GetAuthoredRelationships()}
    found[str(prim.GetPath())] = one
json.dump({"prims": found, "kilograms": UsdPhysics.GetStageKilogramsPerUnit(stage)}, sys.stdout)
"""


def read_physics(file: Path) -> dict:
    """The prims of a file by their paths, and its unit of mass in kilograms."""
    done = subprocess.run([sys.executable, "-I", "-c", _PROGRAM, str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
