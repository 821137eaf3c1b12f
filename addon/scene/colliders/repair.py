# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix colliders: apply the fix of a rule to one object, and find out whether it can be applied."""

import re
from collections.abc import Callable
from typing import cast

import bpy

from ...asset_rules.limits import Limits
from ...asset_rules.rule import Rule
from ...asset_rules.subject import Collider
from ...engines.collider_roles import GODOT_SUFFIXES, role_of
from . import repair_mesh, repair_transform

# In the order of application: first those that make others unnecessary or that others need.
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
    """Whether a violation of a rule by a collider can be fixed automatically: it is editable, and nothing is lost."""
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
        # A rendered mesh must not change, and neither must a mesh whose triangles are tested.
        return (
            collider.own and collider.kind != "MESH" and len(mesh.vertices) > 0 and collider.local_hull.dimension == 3
        )
    return True


def repair(context: bpy.types.Context, ob: bpy.types.Object, rule: Rule, limits: Limits, owner: str) -> None:
    """Apply the fix of a rule to an object, which must be `repairable`.

    Parameters
    ----------
    owner : str
        The name of its render mesh. Empty if it has none.
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
    """Give an object a mesh with no other users."""
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
    """An unused name that the engine recognizes as a collider of the owner, by default of the same kind."""
    role = role_of(ob.name)
    kind = kind or (role.kind if role is not None else "HULL")
    godot = engine == "godot" or (engine == "any" and role is not None and role.system == "godot")
    if godot and role is not None and not role.own:
        # A rendered mesh keeps its name and its suffix.
        stem, number, others = role.stem or "Mesh", 0, {other.name for other in bpy.data.objects if other != ob}
        while (
            name := f"{stem}_{number:02d}-{role.mark.lower()}" if number else f"{stem}-{role.mark.lower()}"
        ) in others:
            number += 1
        return name
    stem = owner or re.sub(r"_\d+$", "", (role.stem if role is not None else ob.name).strip(" _-$")) or "Collider"
    suffix = next(mark for mark, said in GODOT_SUFFIXES.items() if said == ("MESH" if kind == "MESH" else "HULL", True))
    # Unreal would assign a collider with another object's name plus a number to that object.
    taken = {other.name.casefold() for other in bpy.data.objects}
    number = 1
    while True:
        numbered = f"{stem}_{number:02d}"
        name = f"{numbered}-{suffix}" if godot else f"{_PREFIXES[kind]}_{numbered}"
        if name.casefold() not in taken and numbered.casefold() not in taken:
            return name
        number += 1
