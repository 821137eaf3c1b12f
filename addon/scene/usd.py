# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's USD export and import, so that physics can be added to what is written and read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix

from ..model.errors import UserError
from .animation.frames import all_frames_kept
from .exporting import only
from .objects.owners import is_collider
from .settings import object_settings

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
        with only(objects) as collection, all_frames_kept(bpy.context):
            if collection:
                fixed["collection"] = collection
            done = _operators.wm.usd_export(filepath=str(path), **fixed)
    except RuntimeError as error:
        raise UserError("Blender cannot write USD: {reason}", reason=str(error).strip().splitlines()[0]) from None
    if "FINISHED" not in done:
        raise UserError("Blender cannot write USD: {reason}", reason=", ".join(done))


def imported_colliders(context: bpy.types.Context, prims: Sequence[Mapping[str, Any]]) -> None:
    """Have imported objects be the colliders that a file says they are.

    Parameters
    ----------
    context : bpy.types.Context
    prims : sequence of mapping
        Each prim with geometry: its `path`, its `kind` as a collider, which is empty if it is none, how it moves
        (`motion`), whether it is there for the collider only (`own`), and whether a transform holds nothing else
        (`alone`), of which the importer makes one object with the name of the geometry.
    """
    objects = _objects_of([one["path"] for one in prims], context.scene)
    seen = {one["path"]: objects[one["path"]] for one in prims if one["path"] in objects and not one["own"]}
    for one in prims:
        ob = objects.get(one["path"])
        if ob is None or not one["kind"]:
            continue
        object_settings(ob).shape, object_settings(ob).motion = one["kind"], one["motion"]
        if one["own"]:
            ob.display_type, ob.hide_render = "WIRE", True
            object_settings(ob).collider.kind = "HULL" if one["kind"] == "CONE" else one["kind"]
            owner = next((other for above in _above(one["path"]) for other in _below(above, seen)), None)
            if owner is not None:
                _follow(ob, owner)
                object_settings(owner).motion = one["motion"]
    for one in prims:
        if one["path"] in objects and one["alone"]:
            objects[one["path"]].name = one["path"].split("/")[-2]
    context.view_layer.update()


def merge_transforms(context: bpy.types.Context) -> None:
    """Have each mesh take the place and the name of an imported empty that holds it and no other rendered mesh."""
    for empty in [ob for ob in context.scene.objects if ob.type == "EMPTY"]:
        meshes = [ob for ob in empty.children if ob.type == "MESH" and not is_collider(ob)]
        meshes = [ob for ob in meshes if ob.matrix_parent_inverse @ ob.matrix_basis == Matrix()]
        if len(meshes) != 1 or empty.animation_data or empty.constraints:
            continue
        mesh, name = meshes[0], empty.name
        mesh.parent, mesh.matrix_parent_inverse = empty.parent, empty.matrix_parent_inverse.copy()
        mesh.matrix_basis = empty.matrix_basis.copy()
        for child in empty.children:
            child.parent = mesh
        bpy.data.objects.remove(empty)
        mesh.name = name
    context.view_layer.update()


def _follow(ob: bpy.types.Object, owner: bpy.types.Object) -> None:
    """Have a collider be a child of its render mesh, where it is."""
    world = ob.matrix_world.copy()
    ob.parent, ob.matrix_parent_inverse = owner, Matrix()
    ob.matrix_basis = owner.matrix_world.inverted_safe() @ world


def _objects_of(paths: Sequence[str], scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    """The object that Blender's importer has made of each prim, by its path.

    The names of an object and its parents are those of the prim and the prims around it. Some are left out, such as the
    root, and a prim that only places one mesh; numbers are added where a name was taken.
    """
    free = {ob: _chain(ob) for ob in scene.objects if ob.type == "MESH"}
    found = {}
    for path in paths:
        parts = path.strip("/").split("/")
        for ob, chain in free.items():
            if chain[-1] in parts[-2:] and _in_order(chain, parts):
                found[path] = ob
                del free[ob]
                break
    return found


def _chain(ob: bpy.types.Object) -> list[str]:
    """The names of an object and its parents, the topmost first, without numbers that Blender has added."""
    above: bpy.types.Object | None = ob
    names = []
    while above is not None:
        names.append(re.sub(r"\.\d{3,}$", "", above.name))
        above = above.parent
    return names[::-1]


def _in_order(names: Sequence[str], parts: Sequence[str]) -> bool:
    rest = iter(parts)
    return all(name in rest for name in names)


def _above(path: str) -> Iterator[str]:
    """The paths of the prims around a prim, the nearest first."""
    while path.count("/") > 1:
        path = path.rpartition("/")[0]
        yield path


def _below(path: str, objects: Mapping[str, bpy.types.Object]) -> Iterator[bpy.types.Object]:
    """The objects of prims below a prim."""
    return (ob for other, ob in objects.items() if other.startswith(f"{path}/"))
