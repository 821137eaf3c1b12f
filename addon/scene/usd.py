# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's USD export and import, prepared so that physics can be added."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bmesh
import bpy
from mathutils import Matrix

from ..model.errors import UserError
from .animation.frames import all_frames_kept
from .colliders.imported_bodies import join_body
from .colliders.imported_joints import give_joints, join
from .colliders.objects import too_long
from .exporting import only, sheared_within_parents, unsheared
from .objects.collision_settings import GROUPS, settings_of
from .objects.moving import ancestors
from .objects.owners import is_collider
from .settings import object_settings

# In the stubs, operators return nothing.
_operators: Any = bpy.ops

# The custom property with the path of a prim whose name another prim has as well; see `addon.usd.stand_in`.
PATH_PROPERTY = "collision_kit_prim"

# Relative: factors and coordinates that differ by rounding to float32.
SAME = 1e-6


def export_stage(path: Path, objects: Sequence[bpy.types.Object] | None, options: Mapping[str, Any]) -> list[str]:
    """Write the scene, or some objects, with Blender's own exporter. Return the name of each object in the file.

    Also returns the names of those that are written without their parents; see `unsheared`.

    Raises
    ------
    UserError
        If it fails.
    """
    # Colliders are not rendered, and would be left out.
    fixed: dict[str, Any] = {"evaluation_mode": "VIEWPORT", **options}
    fixed |= {"export_custom_properties": True, "author_blender_name": True}
    # An object and its data are two prims, so that a shape can be beside the data.
    if "merge_parent_xform" in _operators.wm.usd_export.get_rna_type().properties:
        fixed["merge_parent_xform"] = False
    try:
        with unsheared(bpy.context, objects) as cleared, only(objects) as collection, all_frames_kept(bpy.context):
            if collection:
                fixed["collection"] = collection
            # Location, rotation and scale have no shear, but matrices have.
            if any(sheared_within_parents(bpy.context.scene.objects if objects is None else objects)):
                fixed["xform_op_mode"] = "MAT"
            done = _operators.wm.usd_export(filepath=str(path), **fixed)
    except RuntimeError as error:
        raise UserError("Blender cannot write USD: {reason}", reason=str(error).strip().splitlines()[0]) from None
    if "FINISHED" not in done:
        raise UserError("Blender cannot write USD: {reason}", reason=", ".join(done))
    return cleared


def imported_colliders(
    context: bpy.types.Context,
    prims: Sequence[Mapping[str, Any]],
    apart: Sequence[Sequence[int]],
    joints: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Make imported objects colliders and bodies as declared by the file.

    Objects get the name of the outermost prim around them that contains no other geometry. If several prims have that
    name, it is the shortest suffix of the path that is unique.

    Parameters
    ----------
    context : bpy.types.Context
    prims : sequence of mapping
        Each prim with geometry: its `path`, its `kind` as a collider (empty if it is not one), whether it is a
        `primitive` and no mesh, its `motion`, whether it is only a collider (`own`), the path of the `outermost` prim
        without other geometry, that of its rigid `body`, and its collision `groups`.
    apart : sequence of sequence of int
        For each collision group, those that it does not collide with.
    joints : sequence of mapping
        Each joint: its `name`, the paths of the two `bodies`, whether it is `fixed`, and whether they collide
        nevertheless (`collides`). Bodies without geometry, and the world, are left out.
    """
    objects = _objects_of([one["path"] for one in prims], context.scene)
    found = [(one, objects[one["path"]]) for one in prims if one["path"] in objects]
    seen = {one["path"]: ob for one, ob in found if not one["own"]}
    tops = {one["body"]: _placing(ob, one["body"]) for one, ob in found if one["body"]}
    for one, ob in found:
        if not one["kind"]:
            continue
        object_settings(ob).shape, object_settings(ob).motion = one["kind"], one["motion"]
        _set_groups(ob, one["groups"], apart)
        if one["own"]:
            ob.display_type, ob.hide_render = "WIRE", True
            object_settings(ob).collider.kind = "HULL" if one["kind"] == "CONE" else one["kind"]
            owner = next((other for above in _above(one["path"]) for other in _below(above, seen)), None)
            if owner is not None:
                placed_by = ob.parent
                _follow(ob, owner)
                if placed_by not in tops.values():
                    _remove_emptied(placed_by, ob)
                object_settings(owner).motion = one["motion"]
            if one["primitive"]:
                _as_made(ob, one["kind"])
    for path, top in tops.items():
        inside = [(one, ob) for one, ob in found if one["body"] == path]
        join_body(top, [ob for one, ob in inside if one["kind"]], [ob for one, ob in inside if not one["kind"]])
    # A body that is the only geometry in a prim around it is named after that.
    alone = {one["body"]: one["outermost"] for one, _ in found if one["body"].startswith(f"{one['outermost']}/")}
    called = {path: alone.get(path, path) for path in tops}
    names = _short_names({one["outermost"] for one, _ in found} | set(called.values()))
    named = {top: names[called[path]] for path, top in tops.items()}
    named |= {ob: names[one["outermost"]] for one, ob in found if ob not in named}
    # The importer also makes empties for joints, which often have the name of a body. An empty that places a body is
    # kept.
    placing = {above for ob in named for above in ancestors(ob)}
    others = [ob for ob in context.scene.objects if ob not in named and ob not in placing]
    taken = {ob: ob.name for ob in others if ob.name in named.values()}
    for ob in [*named, *taken]:
        ob.name = "being renamed"
    for ob, name in (named | taken).items():
        ob.name = name
    context.view_layer.update()
    for one in joints:
        ends = [tops[path] for path in one["bodies"] if path in tops]
        if len(ends) == 2 and ends[0] != ends[1]:
            free = [ob for ob in others if ob.type == "EMPTY" and _without_number(ob.name) == one["name"]]
            holder = next((ob for ob in free if not ob.children and ob.rigid_body_constraint is None), one["name"])
            join(context, holder, *ends, fixed=one["fixed"], collides=one["collides"])
    context.view_layer.update()


def merge_transforms(context: bpy.types.Context, *, named: bool) -> None:
    """Replace each imported empty that contains a single rendered mesh by that mesh.

    Parameters
    ----------
    context : bpy.types.Context
    named : bool
        Whether meshes have the names of their prims. Otherwise they take those of the empties.
    """
    for empty in sorted(context.scene.objects, key=lambda ob: -sum(1 for _ in ancestors(ob))):
        mesh = _placed_by(empty, named=named) if empty.type == "EMPTY" else None
        if mesh is None:
            continue
        name = empty.name
        if empty.animation_data or empty.constraints:
            if _without_number(mesh.name) == _without_number(name) and len(name) < len(mesh.name):
                # Reports name the mesh.
                theirs, mesh.name = mesh.name, "being renamed"
                empty.name, mesh.name = theirs, name
            continue
        mesh.parent, mesh.matrix_parent_inverse = empty.parent, empty.matrix_parent_inverse.copy()
        mesh.matrix_basis = empty.matrix_basis.copy()
        for child in empty.children:
            child.parent = mesh
        for ob in context.scene.objects:
            if settings_of(ob).part_of == empty:
                object_settings(ob).part_of = None if ob == mesh else mesh
        give_joints(empty, mesh, context.scene.objects)
        bpy.data.objects.remove(empty)
        same = _without_number(mesh.name) == _without_number(name)
        # Either of the two may have the number.
        if not named or (same and len(name) < len(mesh.name)):
            mesh.name = name
    context.view_layer.update()


def _placed_by(empty: bpy.types.Object, *, named: bool) -> bpy.types.Object | None:
    """The rendered mesh that an imported empty only places. None if there is none, or if it is ambiguous."""
    meshes = [ob for ob in empty.children_recursive if ob.type == "MESH" and not is_collider(ob)]
    found = [ob for ob in meshes if ob.parent == empty and ob.matrix_parent_inverse @ ob.matrix_basis == Matrix()]
    if named and len(meshes) > 1:
        found = [ob for ob in found if _without_number(ob.name) == _without_number(empty.name)]
    return found[0] if len(found) == 1 else None


def _set_groups(ob: bpy.types.Object, groups: Sequence[int], apart: Sequence[Sequence[int]]) -> None:
    """Put a collider into layers for its collision groups, from layer 2 on, because layer 1 is that of all others."""
    if not groups:
        return
    settings = object_settings(ob)
    settings.own_groups = True
    # A group does not collide with those that it names, nor with those that name it.
    without = {other for one in groups for other, named in enumerate(apart) if other in apart[one] or one in named}
    settings.groups = tuple(place - 1 in groups for place in range(GROUPS))
    settings.mask = tuple(place - 1 not in without for place in range(GROUPS))


def _placing(ob: bpy.types.Object, path: str) -> bpy.types.Object:
    """The object of a prim around the prim of an object. The object itself if the importer made one object for both."""
    name, above = path.rpartition("/")[2], ob
    while above.parent is not None and _without_number(above.name) != name:
        above = above.parent
    return above if _without_number(above.name) == name else ob


def _short_names(paths: Iterable[str]) -> dict[str, str]:
    """A name for each prim: the shortest unique suffix of its path."""
    parts = {path: path.strip("/").split("/") for path in paths}
    ends = Counter(tuple(names[-count:]) for names in parts.values() for count in range(1, len(names) + 1))
    found = {}
    for path, names in parts.items():
        count = next((count for count in range(1, len(names) + 1) if ends[tuple(names[-count:])] == 1), len(names))
        name = "/".join(names[-count:])
        found[path] = names[-1] if too_long(name) else name
    return found


def _follow(ob: bpy.types.Object, owner: bpy.types.Object) -> None:
    """Parent a collider to its render mesh, keeping its transform."""
    world = ob.matrix_world.copy()
    ob.parent, ob.matrix_parent_inverse = owner, Matrix()
    ob.matrix_basis = owner.matrix_world.inverted_safe() @ world


def _remove_emptied(placed_by: bpy.types.Object | None, ob: bpy.types.Object) -> None:
    """Remove the empty that has placed a collider and has its name, if nothing else needs it."""
    if placed_by is None or placed_by.type != "EMPTY" or _without_number(placed_by.name) != _without_number(ob.name):
        return
    if not (placed_by.children or placed_by.animation_data or placed_by.constraints):
        bpy.data.objects.remove(placed_by)


def _as_made(ob: bpy.types.Object, kind: str) -> None:
    """Make the imported mesh of a primitive like that of a collider made here: scale applied, and vertices merged.

    A cube of USD has one size and becomes a box by its scale. A scale that distorts another kind is left for the rules.
    """
    mesh, scale = ob.data, (ob.scale.x, ob.scale.y, ob.scale.z)
    if not isinstance(mesh, bpy.types.Mesh) or mesh.users > 1 or ob.animation_data:
        return
    edited = bmesh.new()
    edited.from_mesh(mesh)
    if min(scale) > 0.0 and (kind == "BOX" or max(scale) - min(scale) <= SAME * max(scale)):
        bmesh.ops.scale(edited, vec=scale, verts=list(edited.verts))
        ob.scale = (1.0, 1.0, 1.0)
    largest = max((vertex.co.length for vertex in edited.verts), default=0.0)
    bmesh.ops.remove_doubles(edited, verts=list(edited.verts), dist=SAME * largest)
    edited.to_mesh(mesh)
    edited.free()


def _objects_of(paths: Sequence[str], scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    """The object that Blender's importer has made from each prim, by path.

    Prims whose name occurs more than once have their path in a custom property, which is removed. The names of other
    objects and their parents are those of the prim and the prims around it. Some are left out, such as the root, and a
    prim that only places one mesh. Numbers are added if a name was taken.
    """
    meshes = [ob for ob in scene.objects if ob.type == "MESH"]
    # If the importer makes one object of a prim and that around it, the property is in its data.
    said = [(ob, str(_taken_out(ob) or _taken_out(ob.data) or "")) for ob in meshes]
    found = {path: ob for ob, path in said if path in set(paths)}
    free = {ob: _chain(ob) for ob in meshes if ob not in found.values()}
    for path in paths:
        if path in found:
            continue
        parts = path.strip("/").split("/")
        for ob, chain in free.items():
            if chain[-1] in parts[-2:] and _in_order(chain, parts):
                found[path] = ob
                del free[ob]
                break
    return found


def _taken_out(data: bpy.types.ID | None) -> object:
    """Remove the custom property with the path of a prim, and return the path. None: there is none."""
    # The stubs have no `pop`.
    held: Any = data
    return held.pop(PATH_PROPERTY, None)


def _chain(ob: bpy.types.Object) -> list[str]:
    """The names of an object and its parents, topmost first, without numbers that Blender has added."""
    above: bpy.types.Object | None = ob
    names = []
    while above is not None:
        names.append(_without_number(above.name))
        above = above.parent
    return names[::-1]


def _without_number(name: str) -> str:
    """A name without the number that Blender has added."""
    return re.sub(r"\.\d{3,}$", "", name)


def _in_order(names: Sequence[str], parts: Sequence[str]) -> bool:
    rest = iter(parts)
    return all(name in rest for name in names)


def _above(path: str) -> Iterator[str]:
    """The paths of the prims around a prim, nearest first."""
    while path.count("/") > 1:
        path = path.rpartition("/")[0]
        yield path


def _below(path: str, objects: Mapping[str, bpy.types.Object]) -> Iterator[bpy.types.Object]:
    """The objects of prims below a prim."""
    return (ob for other, ob in objects.items() if other.startswith(f"{path}/"))
