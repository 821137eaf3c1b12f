# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of Godot 4, and of Godot 3.2 where it differs.

They concern names, and how the importer treats meshes and the shapes of OMI_physics_shape. Its reader for
OMI_physics_shape is `modules/gltf/extensions/physics/gltf_physics_shape.cpp`.
"""

from collections.abc import Hashable, Iterator

from ...asset_rules.limits import Limits, Values
from ...asset_rules.rule import Place, Rule, each_body, each_collider, each_object
from ...asset_rules.subject import Body, Collider, Scene
from ..collider_roles import role_of


def _name(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return {} if collider.own and not collider.by_omi and (role is None or role.system != "godot") else None


NAME = Rule(
    id="godot-name",
    title="No Godot Suffix",
    severity="error",
    engine="godot",
    sentence="Name has no Godot collision suffix: imported as a visible mesh, unless the glTF file declares it by OMI.",
    advice=(
        "End the name with -convcolonly, or with -colonly for a triangle mesh, export glTF with OMI, or save the "
        "import script of Collision Kit into the project."
    ),
    find=each_object(_name),
    fix="rename",
)


def _number(collider: Collider, _limits: Limits) -> Values | None:
    """Digits, spaces and underscores after the suffix are ignored. A minus is not."""
    role = role_of(collider.name)
    return None if role is None or role.read else {"name": role.mark}


NUMBER = Rule(
    id="godot-number",
    title="Number after the Suffix",
    severity="error",
    engine="godot",
    sentence=("Name suffix {name} is not recognized by Godot: a number may follow it after _, not after -."),
    advice="Put the number before the suffix, or an underscore before the number.",
    find=each_object(_number),
    fix="rename",
)


def _empty(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return {} if role is not None and role.system == "godot" and not role.stem.strip(" _-$") else None


def _number_3(collider: Collider, _limits: Limits) -> Values | None:
    """A suffix after a dollar sign may be anywhere."""
    role = role_of(collider.name)
    if role is None or role.system != "godot" or not role.read:
        return None
    end = collider.name.casefold()
    read = end.endswith(role.mark.casefold()) or f"${role.mark}".casefold() in end
    return None if read else {"name": role.mark}


NUMBER_3 = Rule(
    id="godot-3-number",
    title="Number after the Suffix in Godot 3",
    severity="info",
    engine="godot",
    sentence="A number follows the name suffix {name}: Godot 4 reads it, Godot 3.2 imports a visible mesh.",
    advice="For Godot 3, put the number before the suffix.",
    find=each_object(_number_3),
    fix="rename",
)


EMPTY = Rule(
    id="godot-empty-name",
    title="Name Is Only a Suffix",
    severity="error",
    engine="godot",
    sentence="Name is only a suffix: Godot 4 skips objects without a name before it, and Godot 3.2 hangs.",
    advice="Add a name before the suffix.",
    find=each_object(_empty),
    fix="rename",
)


def _case(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return (
        {"name": role.mark} if role is not None and role.system == "godot" and role.mark != role.mark.lower() else None
    )


CASE = Rule(
    id="godot-capitals",
    title="Suffix in Uppercase",
    severity="info",
    engine="godot",
    sentence="Name suffix {name} has uppercase letters: Godot reads it, but documents lowercase suffixes only.",
    advice="Write the suffix in lowercase.",
    find=each_object(_case),
    fix="rename",
)


def _mesh_name(body: Body, _limits: Limits) -> Iterator[Place]:
    """A suffix of the object has priority. -colonly, -convcolonly and -rigid are only read from objects."""
    for one in dict.fromkeys((*((body.render,) if body.render is not None else ()), *body.colliders)):
        of_object, of_mesh = role_of(one.name), role_of(one.mesh_name)
        if of_object is not None and of_object.system == "godot" and of_object.read:
            continue
        if of_mesh is not None and of_mesh.read and of_mesh.mark.casefold().strip("-_$") in {"col", "convcol"}:
            yield one, {"other": one.mesh_name}


MESH_NAME = Rule(
    id="godot-mesh-name",
    title="Suffix in the Name of the Mesh",
    severity="warning",
    engine="godot",
    sentence='Mesh data has the name "{other}": Godot 4 makes a static collision shape of it, and Godot 3.2 does not.',
    advice="Rename the mesh data, or give the suffix to the object instead.",
    find=each_body(_mesh_name),
)


def _shared(scene: Scene, _limits: Limits) -> Iterator[Place]:
    """Godot reuses the shapes of a mesh, with the kind that they had at first use."""
    first: dict[Hashable, Collider] = {}
    for _, collider in scene.colliders():
        if collider.data is None:
            continue
        other = first.setdefault(collider.data, collider)
        if (other.kind == "MESH") != (collider.kind == "MESH"):
            yield collider, {"other": other.name}


SHARED = Rule(
    id="godot-shared-mesh",
    title="Shared Mesh, Different Types",
    severity="warning",
    engine="godot",
    sentence=('Mesh is shared with "{other}", which has a different collider type: Godot uses one type for both.'),
    advice="Make the mesh single-user.",
    find=_shared,
    fix="own-mesh",
)


def _moving(collider: Collider, _limits: Limits) -> Values | None:
    return {} if collider.moving and collider.kind == "MESH" else None


MOVING = Rule(
    id="godot-moving-mesh",
    title="Triangle Mesh Moves",
    severity="error",
    engine="godot",
    sentence="Triangle mesh collider moves: Godot supports it for static bodies only.",
    advice="Use convex colliders, or set the rigid body to Passive.",
    find=each_object(_moving),
)


def _capsule(collider: Collider, _limits: Limits) -> Values | None:
    """Since September 2024, OMI_physics_shape specifies the distance between the centers of the end caps."""
    return {} if collider.kind == "CAPSULE" and not collider.total_height else None


CAPSULE = Rule(
    id="godot-capsule-height",
    title="Capsule Height Read Differently",
    severity="info",
    engine="godot",
    sentence="Capsule: Godot 4 reads its height in OMI_physics_shape as the total height, so it becomes too short.",
    advice="Export glTF with Capsule Height set to Total.",
    find=each_collider(_capsule),
)


RULES = (NAME, NUMBER, NUMBER_3, EMPTY, CASE, MESH_NAME, SHARED, MOVING, CAPSULE)
