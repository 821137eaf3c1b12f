# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs colliders: what rules name as their fix, done to one object; and whether it can be done."""

import re
from collections.abc import Callable
from typing import cast

import bpy

from ...asset_rules.limits import Limits
from ...asset_rules.rule import Rule
from ...asset_rules.subject import Collider
from ...engines.collider_roles import GODOT_SUFFIXES, role_of
from . import repair_mesh, repair_transform

# In the order in which they are done: what makes others needless, or what others need, comes first.
ORDER = (
    "own-mesh",
    "apply",
    "clean",
    "outward",
    "separate",
    "hull",
    "simplify",
    "origin",
    "as-hull",
    "rename",
)

_OF_MESHES = frozenset({"apply", "clean", "outward", "separate", "hull", "simplify", "origin"})
_OF_TRANSFORMS = frozenset({"apply", "origin"})
_PREFIXES = {"BOX": "UBX", "SPHERE": "USP", "CAPSULE": "UCP", "HULL": "UCX", "MESH": "UCX"}


def repairable(rule: Rule, collider: Collider, ob: bpy.types.Object) -> bool:
    """Whether a collider that breaks a rule can be repaired without the artist: ours to edit, and nothing is lost."""
    fix = rule.fix
    if not fix or ob.library is not None or ob.override_library is not None or ob.mode != "OBJECT":
        return False
    if fix == "rename":
        return True
    if fix == "as-hull":
        role = role_of(ob.name)
        return role is not None and role.system == "unreal"
    mesh = ob.data
    if not isinstance(mesh, bpy.types.Mesh) or mesh.library is not None or mesh.override_library is not None:
        return False
    if fix in _OF_MESHES and (len(ob.modifiers) or mesh.shape_keys is not None or not collider.finite):
        return False
    if fix in _OF_TRANSFORMS and not repair_transform.is_free(ob):
        return False
    if fix in {"hull", "simplify", "separate"}:
        # What one sees stays as it is, and so does what is tested triangle by triangle.
        return (
            collider.own and collider.kind != "MESH" and len(mesh.vertices) > 0 and collider.local_hull.dimension == 3
        )
    return True


def repair(context: bpy.types.Context, ob: bpy.types.Object, rule: Rule, limits: Limits, owner: str) -> None:
    """Do to an object what a rule names as its fix; it must be `repairable`.

    Parameters
    ----------
    owner : str
        The name of its render mesh; empty if it has none.
    """
    fix = rule.fix
    if fix in _OF_MESHES or fix == "own-mesh":
        own_mesh(ob)
    if fix in _SIMPLE:
        _SIMPLE[fix](ob)
    elif fix == "simplify":
        if rule.id == "unity-triangles":
            repair_mesh.simplify(ob, triangles=limits.unity_triangles)
        else:
            repair_mesh.simplify(ob, vertices=limits.unity_vertices if rule.engine == "unity" else limits.vertices)
    elif fix == "separate":
        repair_mesh.separate(ob, lambda: _free_name(ob, rule.engine, owner))
    elif fix == "as-hull":
        renamed = f"UCX_{ob.name.partition('_')[2]}"
        taken = {other.name.casefold() for other in bpy.data.objects}
        ob.name = _free_name(ob, "unreal", owner, "HULL") if renamed.casefold() in taken else renamed
    elif fix == "rename":
        ob.name = _free_name(ob, rule.engine, owner)
    context.view_layer.update()


def own_mesh(ob: bpy.types.Object) -> None:
    """Give an object a mesh that no other object has."""
    mesh = cast(bpy.types.Mesh, ob.data)
    if mesh.users > 1:
        ob.data = mesh.copy()


_SIMPLE: dict[str, Callable[[bpy.types.Object], None]] = {
    "own-mesh": own_mesh,
    "apply": repair_transform.apply,
    "origin": repair_transform.center_origin,
    "clean": repair_mesh.clean,
    "outward": repair_mesh.face_outward,
    "hull": repair_mesh.replace_by_hull,
}


def _free_name(ob: bpy.types.Object, engine: str, owner: str, kind: str = "") -> str:
    """A name, taken by no object, that the engine reads as a collider's of the owner; of the same kind by default."""
    role = role_of(ob.name)
    kind = kind or (role.kind if role is not None else "HULL")
    godot = engine == "godot" or (engine == "any" and role is not None and role.system == "godot")
    if godot and role is not None and not role.own:
        # What is seen keeps its name, and its suffix.
        return f"{role.stem or 'Mesh'}-{role.mark.lower()}"
    stem = owner or re.sub(r"_\d+$", "", (role.stem if role is not None else ob.name).strip(" _-$")) or "Collider"
    suffix = next(mark for mark, said in GODOT_SUFFIXES.items() if said == ("MESH" if kind == "MESH" else "HULL", True))
    # A number that makes the name of another object would make Unreal take the collider for that one's.
    taken = {other.name.casefold() for other in bpy.data.objects}
    number = 1
    while True:
        numbered = f"{stem}_{number:02d}"
        name = f"{numbered}-{suffix}" if godot else f"{_PREFIXES[kind]}_{numbered}"
        if name.casefold() not in taken and numbered.casefold() not in taken:
            return name
        number += 1
