# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's USD export, and what of the scene's physics is to be added to the file that it writes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import bpy

from ..model.errors import UserError
from .exporting import only
from .gltf.shapes import Exported, exported_shapes
from .objects.moving import ancestors, motion_of

# In the stubs, operators return nothing.
_operators: Any = bpy.ops


class Placed(NamedTuple):
    """An object that collides, or that physics moves.

    Attributes
    ----------
    object : bpy.types.Object
    exported : Exported or None
        Its shape; None if it has none of its own.
    motion : mapping or None
        Mass and ``isKinematic``; None if physics does not move it.
    carrier : bpy.types.Object or None
        The nearest parent that physics moves.
    """

    object: bpy.types.Object
    exported: Exported | None
    motion: dict[str, Any] | None
    carrier: bpy.types.Object | None


def placed_bodies(context: bpy.types.Context, wanted: Sequence[bpy.types.Object] | None) -> list[Placed]:
    """Read everything in the scene, or of some objects, that collides or that physics moves."""
    context.view_layer.update()
    objects = list(context.scene.objects if wanted is None else wanted)
    nodes = [SimpleNamespace(blender_object=ob, matrix_world=ob.matrix_world) for ob in objects]
    found = []
    for ob, exported in zip(objects, exported_shapes(context, nodes), strict=True):
        motion = motion_of(ob)
        if exported is not None or motion is not None:
            carrier = next((one for one in ancestors(ob) if motion_of(one) is not None), None)
            found.append(Placed(ob, exported, motion, carrier))
    return found


def separated_pairs(objects: Iterable[bpy.types.Object]) -> Iterator[tuple[bpy.types.Object, bpy.types.Object]]:
    """The pairs of objects whose collisions rigid body constraints switch off."""
    for ob in objects:
        joint = ob.rigid_body_constraint
        if joint is not None and joint.disable_collisions and joint.object1 is not None and joint.object2 is not None:
            yield joint.object1, joint.object2


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
