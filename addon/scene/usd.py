# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's USD export, so that physics can be added to the file that it writes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

from ..model.errors import UserError
from .exporting import only

# In the stubs, operators return nothing.
_operators: Any = bpy.ops


def export_stage(path: Path, objects: Sequence[bpy.types.Object] | None, options: Mapping[str, Any]) -> None:
    """Write the scene, or some objects, with Blender's own exporter, with the name of each object in the file.

    Raises
    ------
    UserError
        If it fails.
    """
    # Colliders are not rendered, and would be left out.
    fixed: dict[str, Any] = {"evaluation_mode": "VIEWPORT", **options}
    fixed |= {"export_custom_properties": True, "author_blender_name": True}
    # The prim of an object and that of its data are two, so that a shape can be beside the data.
    if "merge_parent_xform" in _operators.wm.usd_export.get_rna_type().properties:
        fixed["merge_parent_xform"] = False
    try:
        with only(objects) as collection:
            if collection:
                fixed["collection"] = collection
            done = _operators.wm.usd_export(filepath=str(path), **fixed)
    except RuntimeError as error:
        raise UserError("Blender cannot write USD: {reason}", reason=str(error).strip().splitlines()[0]) from None
    if "FINISHED" not in done:
        raise UserError("Blender cannot write USD: {reason}", reason=", ".join(done))
