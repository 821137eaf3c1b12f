# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of new colliders in a scene, and renaming of colliders."""

from collections.abc import Iterable

import bpy

from ..engines.collider_names import Names
from ..engines.collider_roles import role_of
from ..engines.kinds import template_name
from ..engines.name_templates import check_template
from ..scene import open_file
from ..scene.colliders.objects import Renamed, keep_as_collider, rename_objects
from ..scene.objects.collision_settings import settings_of
from ..scene.objects.owners import Owners, is_collider
from ..scene.settings import scene_settings

# Shape settings that determine the kind of a collider independently of its name.
_SHAPES = frozenset({"BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL", "MESH"})


def names_of(context: bpy.types.Context, engine: str, template: str = "") -> Names:
    """Return free names by the template of the scene for an engine, or by another template.

    Raises
    ------
    UserError
        If the template is invalid.
    """
    template = template or str(getattr(scene_settings(context).colliders, template_name(engine)))
    if template:
        check_template(template)
    return Names(open_file.object_names().values(), {engine: template} if template else {})


def rename(
    context: bpy.types.Context, objects: Iterable[bpy.types.Object], engine: str, template: str = ""
) -> list[bpy.types.Object]:
    """Rename colliders that belong to render meshes by the convention of an engine or by a template.

    They keep their render meshes. Returns those whose names have changed.

    Raises
    ------
    UserError
        If the template is invalid, or a name is too long for Blender. Nothing is renamed then.
    """
    owners = Owners(context.scene.objects)
    chosen = [(ob, owner) for ob in objects if is_collider(ob) and (owner := owners.of(ob)) is not None]
    names = names_of(context, engine, template)
    names.give_back(*(ob.name for ob, _ in chosen))
    wanted = [(ob, names.take(engine, _kind_of(ob), owner.name)) for ob, owner in chosen]
    changed = [Renamed(ob, name) for ob, name in wanted if ob.name != name]
    kinds = {ob: _kind_of(ob) for ob, _ in changed}
    rename_objects(changed)
    for ob, owner in chosen:
        if ob in kinds:
            keep_as_collider(ob, owner, kinds[ob])
    return [ob for ob, _ in changed]


def _kind_of(ob: bpy.types.Object) -> str:
    """Return the kind of a collider by its collision shape or, if it has none, by its name."""
    shape = settings_of(ob).shape
    role = role_of(ob.name)
    if shape in _SHAPES:
        return str(shape)
    return role.kind if role is not None else "HULL"
