# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of Unreal: names, the render mesh that its importers match, and shapes that it would not make.

The name after the first underscore must be the name of a render mesh, exactly or without its last ``_suffix``. The
older importer ignores case. Parents and Blender's number suffixes do not matter.
"""

from collections.abc import Collection, Iterator
from difflib import SequenceMatcher, get_close_matches

from ...asset_rules.limits import Limits, Values
from ...asset_rules.rule import Place, Rule, each_collider, each_object
from ...asset_rules.subject import Body, Collider, Scene
from ..collider_roles import role_of
from ..name_templates import lod_of
from ..unreal_shapes import fit_box, fit_capsule, fit_sphere


def candidates(name: str) -> tuple[str, str]:
    """Return the two names that a collider's name may refer to. The first has priority; the second may be empty."""
    rest = name.partition("_")[2]
    return rest, rest.rpartition("_")[0]


def paired(name: str, render_names: Collection[str]) -> str:
    """Return the render mesh that a collider is matched with. Empty: none."""
    return next((one for one in candidates(name) if one in render_names), "")


def _name(collider: Collider, _limits: Limits) -> Values | None:
    role = role_of(collider.name)
    return {} if collider.own and (role is None or role.system != "unreal") else None


NAME = Rule(
    id="unreal-name",
    title="No Unreal Prefix",
    severity="error",
    engine="unreal",
    sentence="Name has no Unreal collision prefix: imported as a visible mesh.",
    advice="Start the name with UBX_, USP_, UCP_ or UCX_, followed by the name of the render mesh.",
    find=each_object(_name),
    fix="rename",
)


def _instanced(collider: Collider, _limits: Limits) -> Values | None:
    """Blender's FBX exporter names instanced objects after the instance, with bars in between."""
    role = role_of(collider.name)
    if not (collider.own and collider.instanced and role is not None and role.system == "unreal"):
        return None
    host = collider.instanced.partition("/")[0]
    return {"name": f"{host}|{collider.name}|Dupli|"}


INSTANCED = Rule(
    id="unreal-instanced",
    title="Renamed in FBX Files",
    severity="error",
    engine="unreal",
    sentence=(
        "Collider belongs to a collection instance: it is named {name} in an FBX file, which Unreal imports as a mesh."
    ),
    advice=("Make the instance real before export (Object > Apply > Make Instances Real), or export glTF."),
    find=each_object(_instanced),
)


# Number of render mesh names suggested for one that does not exist.
_MOST_NAMES = 3


def nearest(name: str, names: Collection[str]) -> str:
    """Return the names most similar to the owner of a collider, separated by commas, or a dash.

    Parameters
    ----------
    name : str
        Name of the collider, with its prefix.
    names : collection of str
        Names of the render meshes.
    """
    known = {one.casefold(): one for one in names}
    wanted = [one.strip().casefold() for one in candidates(name) if one.strip()]
    # Similar names or, if there are none, any names.
    for least in (0.6, 0.0):
        found = {near for one in wanted for near in get_close_matches(one, known, _MOST_NAMES, least)}
        if found:
            likeness = {one: max(SequenceMatcher(None, one, other).ratio() for other in wanted) for one in found}
            best = sorted(found, key=lambda one: (-likeness[one], one))[:_MOST_NAMES]
            return ", ".join(known[one] for one in best)
    return "–"


def _unpaired(scene: Scene) -> Iterator[tuple[Body, Collider]]:
    """Return the colliders whose name matches no render mesh, with their bodies. Case has its own rule."""
    names = {name.casefold() for name in scene.render_names}
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        if role is not None and role.system == "unreal" and not paired(collider.name.casefold(), names):
            yield body, collider


def _no_mesh(scene: Scene, _limits: Limits) -> Iterator[Place]:
    """Bodies that have a render mesh."""
    for body, collider in _unpaired(scene):
        if body.render is not None:
            near = nearest(collider.name, scene.render_names)
            yield collider, {"name": candidates(collider.name)[0], "other": body.render.name, "nearest": near}


NO_MESH = Rule(
    id="unreal-no-render-mesh",
    title="No Matching Mesh",
    severity="error",
    engine="unreal",
    sentence=(
        'Name makes Unreal look for a mesh "{name}", which does not exist: not imported as a collider of "{other}". '
        "Nearest mesh names: {nearest}."
    ),
    advice="Keep the prefix, and let the name of the render mesh and a number such as _01 follow it.",
    find=_no_mesh,
    fix="rename",
)


def _no_owner(scene: Scene, _limits: Limits) -> Iterator[Place]:
    """Colliders without a render mesh, by name and by parent."""
    for body, collider in _unpaired(scene):
        if body.render is None:
            near = nearest(collider.name, scene.render_names)
            yield collider, {"name": candidates(collider.name)[0], "nearest": near}


NO_OWNER = Rule(
    id="unreal-orphan",
    title="No Mesh of That Name",
    severity="error",
    engine="unreal",
    sentence=(
        'Name makes Unreal look for a mesh "{name}", which does not exist: not imported as a collider. '
        "Nearest mesh names: {nearest}."
    ),
    advice="Keep the prefix, and let the name of the render mesh and a number such as _01 follow it.",
    find=_no_owner,
)


def _other_mesh(scene: Scene, _limits: Limits) -> Iterator[Place]:
    names = set(scene.render_names)
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        if body.render is None or role is None or role.system != "unreal":
            continue
        taken = paired(collider.name, names)
        if taken and taken != body.render.name:
            yield collider, {"name": taken, "other": body.render.name}


OTHER_MESH = Rule(
    id="unreal-other-mesh",
    title="Matches Other Mesh",
    severity="error",
    engine="unreal",
    sentence='Name makes it a collider of "{name}" in Unreal, not of "{other}".',
    advice="Keep the prefix, and let the name of the render mesh and a number such as _01 follow it.",
    find=_other_mesh,
    fix="rename",
)


def _case(scene: Scene, _limits: Limits) -> Iterator[Place]:
    """The prefix, or a name that only matches if case is ignored."""
    names = set(scene.render_names)
    any_case = {name.casefold() for name in names}
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        if role is None or role.system != "unreal" or body.render is None:
            continue
        pairs = paired(collider.name.casefold(), any_case)
        if pairs and (role.mark != role.mark.upper() or not paired(collider.name, names)):
            yield collider, {"other": body.render.name}


CASE = Rule(
    id="unreal-capitals",
    title="Letter Case Differs",
    severity="warning",
    engine="unreal",
    sentence=(
        'Upper and lower case differ from "{other}" or from the prefix: only Unreal\'s legacy importer accepts that.'
    ),
    advice="Write the prefix in uppercase and the name exactly as that of the render mesh.",
    find=_case,
    fix="rename",
)


def _ambiguous(scene: Scene, _limits: Limits) -> Iterator[Place]:
    names = set(scene.render_names)
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        first, second = candidates(collider.name)
        if role is None or role.system != "unreal" or body.render is None or body.render.name != first:
            continue
        if second in names:
            yield collider, {"name": first, "other": second}


AMBIGUOUS = Rule(
    id="unreal-ambiguous",
    title="Ambiguous Name",
    severity="warning",
    engine="unreal",
    sentence=(
        'Name matches both "{name}" and, with a number, "{other}": Unreal uses the first if both are imported together.'
    ),
    advice="Add a number such as _01 to the name.",
    find=_ambiguous,
    fix="rename",
)


def _box(collider: Collider, _limits: Limits) -> Values | None:
    """Uses Unreal's own test, see `unreal_shapes`, for the mesh in world space."""
    role = role_of(collider.name)
    if role is None or role.system != "unreal" or collider.kind != "BOX":
        return None
    points = collider.world_points - collider.world_points.mean(axis=0)
    return {} if fit_box(points, collider.triangles) is None else None


BOX = Rule(
    id="unreal-not-a-box",
    title="Not a Box",
    severity="error",
    engine="unreal",
    sentence="Name says box (UBX_), but the mesh is not one: Unreal rejects it.",
    advice="Rebuild the mesh, or change it to a convex collider (UCX_).",
    find=each_collider(_box),
    fix="as-hull",
)


def _sphere(collider: Collider, _limits: Limits) -> Values | None:
    """Uses Unreal's own test, see `unreal_shapes`, for the mesh in world space."""
    role = role_of(collider.name)
    if role is None or role.system != "unreal" or collider.kind != "SPHERE":
        return None
    points = collider.world_points - collider.world_points.mean(axis=0)
    return {} if fit_sphere(points) is None else None


SPHERE = Rule(
    id="unreal-not-a-sphere",
    title="Not a Sphere",
    severity="error",
    engine="unreal",
    sentence="Name says sphere (USP_), but the mesh is not one: Unreal rejects it.",
    advice="Rebuild the mesh, or change it to a convex collider (UCX_).",
    find=each_collider(_sphere),
    fix="as-hull",
)


def _capsule(collider: Collider, _limits: Limits) -> Values | None:
    """Unreal makes a capsule of any mesh, see `unreal_shapes`. Uses the mesh in world space."""
    role = role_of(collider.name)
    if role is None or role.system != "unreal" or collider.kind != "CAPSULE":
        return None
    return None if fit_capsule(collider.hull).fits else {}


CAPSULE = Rule(
    id="unreal-not-a-capsule",
    title="Not a Capsule",
    severity="warning",
    engine="unreal",
    sentence=(
        "Name says capsule (UCP_), but the mesh is not one: Unreal makes a capsule between its two farthest vertices."
    ),
    advice="Rebuild the mesh, or change it to a convex collider (UCX_).",
    find=each_collider(_capsule),
    fix="as-hull",
)


def _lod(scene: Scene, _limits: Limits) -> Iterator[Place]:
    """Each collider of a level of detail other than the first."""
    first: dict[str, str] = {}
    for name in scene.render_names:
        base, level, number = lod_of(name)
        if level and number == 0:
            first.setdefault(base, name)
    for body, collider in scene.colliders():
        role = role_of(collider.name)
        if body.render is None or role is None or role.system != "unreal":
            continue
        base, _, number = lod_of(body.render.name)
        if number > 0 and base in first:
            yield collider, {"name": body.render.name, "other": first[base]}


LOD = Rule(
    id="unreal-lod",
    title="Collider of a LOD",
    severity="warning",
    engine="unreal",
    sentence='Collider of the level of detail "{name}": Unreal has one collision for all levels, that of "{other}".',
    advice="Name the collider after the first level of detail.",
    find=_lod,
)


RULES = (NAME, INSTANCED, NO_MESH, NO_OWNER, OTHER_MESH, CASE, AMBIGUOUS, BOX, SPHERE, CAPSULE, LOD)
