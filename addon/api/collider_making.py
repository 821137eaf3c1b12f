# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders made, changed, mirrored, and found."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import bpy

from ...core.fit import FitQuality
from ..colliders import converting, decomposition, fit_record, making, naming
from ..colliders.choosing import PIECES, Chooser
from ..colliders.fit import FitRequest, flat_thickness
from ..colliders.settling import preparing, settling
from ..i18n.units import issues_with_units
from ..model.errors import UserError
from ..model.report import Issue
from ..model.steps import exhausted
from ..model.writing_reports import ChangedPair
from ..scene import arguments, open_file
from ..scene.colliders import copied_settings
from ..scene.colliders import sources as collider_sources
from ..scene.colliders.sources import read_sources
from ..scene.meshes.types import GEOMETRY_TYPES
from ..scene.objects.owners import Owners, is_collider
from ..scene.objects.visibility import disable_like, evaluated
from .choices import (
    COLLIDER_PARTS,
    ENGINES,
    KINDS,
    PIECE_PRESETS,
    SOURCES,
    ColliderPart,
    Engine,
    Kind,
    Objects,
    PiecePreset,
    Source,
)

_LEAST_BUDGET = 4


@dataclass(frozen=True, eq=False)
class Collider:
    """A collider that was made.

    Attributes
    ----------
    object : bpy.types.Object
        The new or changed object.
    owner : str
        The name of the object that it stands for.
    kind : str
        What it is: BOX, SPHERE, CAPSULE, CYLINDER, HULL or MESH.
    quality : FitQuality
        How well it fits: its volume over that of the hull, the largest gap, what sticks out of it.
    scores : dict of str to float
        Where the best primitive was asked for: the volume of each kind over the least.
    """

    object: bpy.types.Object
    owner: str
    kind: str
    quality: FitQuality
    scores: dict[str, float]


@dataclass(frozen=True, eq=False)
class MadeColliders:
    """The result of a call that makes colliders.

    Attributes
    ----------
    colliders : tuple of Collider
    problems : tuple of UserError
        Why objects were passed over.
    over : tuple of str
        Names of objects that have more parts than hulls were allowed, and got one hull for each part all the same.
    decomposed : tuple of Decomposed
        For `make_collider_pieces`: of each object its name, `owner`, and how well its pieces stand for it together,
        `quality`.
    issues : tuple of Issue
        What is to be said of the colliders: which are much larger than their meshes, close openings, or make bodies
        collide that were apart.
    new_collisions, gone_collisions : tuple of ChangedPair
        Pairs of bodies, `a` and `b`, that collide now and were apart before, and the other way around.
    """

    colliders: tuple[Collider, ...]
    problems: tuple[UserError, ...] = ()
    over: tuple[str, ...] = ()
    decomposed: tuple[decomposition.Decomposed, ...] = ()
    issues: tuple[Issue, ...] = ()
    new_collisions: tuple[ChangedPair, ...] = ()
    gone_collisions: tuple[ChangedPair, ...] = ()


def make_collider(
    objects: Objects,
    kind: Kind = "BOX",
    *,
    source: Source = "OBJECTS",
    budget: int = 32,
    thickness: float = 0.0,
    gap: float = 0.0,
    engine: Engine = "UNREAL",
    selected_faces: bool = False,
) -> MadeColliders:
    """Make colliders that enclose objects, modifiers applied, or faces of them.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Objects that have a surface and are no colliders.
    kind : str
        BOX, ORIENTED_BOX, SPHERE, CAPSULE, CYLINDER, HULL, BUDGET_HULL, BEST, KDOP10, KDOP18, KDOP26, or MESH, which
        Unreal does not have.
    source : str
        OBJECTS: one for each object. AROUND: one around all of them, which belongs to the first. PARTS: one for each
        loose part; closed parts are separate even where they touch. GROUPS: one for each vertex group, around the
        vertices that weigh most in it; if it is the group of a bone, the collider follows the bone.
    budget : int
        Of a BUDGET_HULL: the most vertices, at least 4.
    thickness : float
        No side of a box is thinner, in Blender units.
    gap : float
        The BEST is the simplest type whose largest gap to the mesh is no larger, in Blender units. If no type has such
        a gap, it is the one with the smallest. 0: the simplest type whose volume is within 10 % of the smallest.
    engine : str
        UNREAL, GODOT, UNITY or GLTF: whose naming convention they follow.
    selected_faces : bool
        Enclose the selected faces of each mesh only, without modifiers.

    Returns
    -------
    MadeColliders

    Raises
    ------
    KeyError
        If there is no object of some name.
    ValueError
        If nothing can be made of any of the objects, one has no surface or is a collider, a hull would be flat, a name
        is too long for Blender, the scene is linked, or an argument is not what it should be. Nothing was made then.

    Examples
    --------
    ::

        made = api.make_collider(["Crate"], "BEST", engine="GODOT")
        print(made.colliders[0].object.name, made.colliders[0].quality.hull_ratio)
    """
    arguments.one_of("kind", kind, KINDS)
    arguments.one_of("source", source, SOURCES)
    request = FitRequest(kind, *_request(engine, budget), *_lengths(thickness, gap), flat_thickness(bpy.context.scene))
    chosen = _render_meshes(objects, selected_faces)
    with evaluated(bpy.context, chosen):
        sources, problems = read_sources(bpy.context, chosen, source, selected_faces=selected_faces)
        return _settled(sources, Chooser(request, whole=not selected_faces), problems)


def make_collider_pieces(
    objects: Objects,
    *,
    pieces: int = 8,
    preset: PiecePreset = "BALANCED",
    budget: int = 32,
    engine: Engine = "UNREAL",
    selected_faces: bool = False,
) -> MadeColliders:
    """Make several convex hulls that approximate concave meshes.

    Closed parts are separate even where they touch. Convex ones are kept as they are, and the others are cut up by
    convex decomposition with CoACD; where that is not available, they become one hull each.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    pieces : int
        The most hulls for an object, but at least one for each of its parts.
    preset : str
        FAST, BALANCED or FINE: how closely they follow the mesh, and how long the search takes.
    budget : int
        The most vertices of each hull, at least 4.
    engine, selected_faces
        As for `make_collider`.

    Returns
    -------
    MadeColliders

    Raises
    ------
    KeyError, ValueError
        As `make_collider`, and if CoACD fails.

    Examples
    --------
    ::

        made = api.make_collider_pieces(["Chair"], pieces=12)
        for one in made.decomposed:
            print(one.owner, one.quality.count, one.quality.mesh_ratio, one.quality.gap)
    """
    arguments.one_of("preset", preset, PIECE_PRESETS)
    flat = flat_thickness(bpy.context.scene)
    request, most = FitRequest(PIECES, *_request(engine, budget), flat=flat), arguments.count("pieces", pieces, 1)
    chosen = _render_meshes(objects, selected_faces)
    with evaluated(bpy.context, chosen):
        sources, problems = read_sources(bpy.context, chosen, "OBJECTS", selected_faces=selected_faces)
        return _settled(sources, Chooser(request, most, preset, whole=not selected_faces), problems)


def convert_collider(
    objects: Objects,
    kind: Kind = "BOX",
    *,
    budget: int = 32,
    thickness: float = 0.0,
    gap: float = 0.0,
    engine: Engine = "UNREAL",
) -> MadeColliders:
    """Change the type of colliders and refit them to what they were made from. The objects stay.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Mesh colliders that belong to a render mesh.
    kind, budget, thickness, gap, engine
        As for `make_collider`.

    Returns
    -------
    MadeColliders

    Raises
    ------
    KeyError
        If there is no object of some name.
    ValueError
        If an object is no such collider or has no usable vertex, a hull would be flat, or an argument is not what it
        should be.

    Examples
    --------
    ::

        api.convert_collider(api.colliders_of(["Barrel"]), "CYLINDER")
    """
    arguments.one_of("kind", kind, KINDS)
    request = FitRequest(kind, *_request(engine, budget), *_lengths(thickness, gap), flat_thickness(bpy.context.scene))
    pairs = _with_owners(objects)
    with evaluated(bpy.context, (ob for pair in pairs for ob in pair)):
        fitted = exhausted(converting.convert_steps(bpy.context, pairs, request))
        changed = making.remake_all(bpy.context, [ob.session_uid for ob, _ in pairs], fitted, engine)
    return _made(changed, changed.problems)


def mirror_collider(objects: Objects, axis: str = "X", *, copy: bool = True) -> list[bpy.types.Object]:
    """Mirror colliders across a plane through the render mesh's origin. Mirrors the mesh, without negative scale.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        As for `convert_collider`.
    axis : str
        X, Y or Z of the render mesh.
    copy : bool
        Keep the original collider and mirror a copy.

    Returns
    -------
    list of bpy.types.Object
        The copies, or the colliders themselves.

    Raises
    ------
    KeyError
        If there is no object of some name.
    ValueError
        If an object is no such collider, there is no such axis, a name is too long for Blender, or a collider to be
        mirrored in its place is linked.

    Examples
    --------
    ::

        left_arm = api.mirror_collider(["UCX_Chair_03"], "X")
    """
    place = "XYZ".index(arguments.one_of("axis", axis, "XYZ"))
    pairs = _with_owners(objects)
    with evaluated(bpy.context, (ob for pair in pairs for ob in pair)):
        images = [converting.mirror(bpy.context, ob, owner, place, copy) for ob, owner in pairs]
    disable_like(images, (ob for ob, _ in pairs))
    return images


def copy_collider_settings(
    source: bpy.types.Object | str,
    objects: Objects,
    what: Collection[ColliderPart] = ("DISPLAY", "COLLECTION"),
) -> None:
    """Copy display, collections and, where that is wanted, the collision shape of a collider to others.

    Parameters
    ----------
    source : bpy.types.Object or str
    objects : iterable of bpy.types.Object or str
    what : collection of str
        DISPLAY, COLLECTION, SHAPE.

    Raises
    ------
    KeyError
        If there is no object of some name.
    ValueError
        If an object is no collider or linked, or there is no such part.

    Examples
    --------
    ::

        api.copy_collider_settings("UCX_Chair_01", api.colliders_of(["Chair"]))
    """
    wanted = arguments.some_of("what", what, COLLIDER_PARTS)
    given, others = arguments.object_("source", source), arguments.objects("objects", objects)
    for name, ob in (("source", given), *(("objects", other) for other in others)):
        if not is_collider(ob):
            raise ValueError(f"{name}: {ob.name!r} is no collider")
    for ob in others:
        if ob != given:
            copied_settings.copy_settings(given, ob, wanted)


def rename_colliders(objects: Objects, engine: Engine = "UNREAL", *, template: str = "") -> list[bpy.types.Object]:
    """Give colliders the names that an engine or a template asks for; they stay colliders of their render meshes.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Colliders that belong to a render mesh; others are left as they are.
    engine : str
        UNREAL, GODOT, UNITY or GLTF.
    template : str
        A template with the fields mesh, base, lod, kind, prefix, suffix, engine and index in braces. Empty: that of the
        scene for this engine or, without one, the engine's own names.

    Returns
    -------
    list of bpy.types.Object
        Those whose names have changed.

    Raises
    ------
    KeyError
        If there is no object of some name.
    ValueError
        If the template makes no names, a name is too long for Blender, or a collider is linked. Nothing is renamed
        then.

    Examples
    --------
    ::

        api.rename_colliders(api.colliders_of(["Chair"]), "UNITY", template="COL_{mesh}_{index}")
    """
    arguments.one_of("engine", engine, ENGINES)
    arguments.texts(template=template)
    return naming.rename(bpy.context, arguments.objects("objects", objects), engine, template)


def colliders_of(objects: Objects) -> list[bpy.types.Object]:
    """The colliders of objects, paired by name or by parent.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Render meshes; of a collider, those that belong to the same render mesh.

    Returns
    -------
    list of bpy.types.Object
        Hidden ones, too.

    Raises
    ------
    KeyError, ValueError
        As `check_collisions` of objects.

    Examples
    --------
    ::

        for ob in api.colliders_of(["Chair"]):
            print(ob.name, api.collider_quality(ob))
    """
    owners = Owners(bpy.context.scene.objects)
    chosen = [owners.of(ob) if is_collider(ob) else ob for ob in arguments.objects("objects", objects)]
    return owners.colliders_of(ob for ob in chosen if ob is not None)


def render_mesh_of(collider: bpy.types.Object | str) -> bpy.types.Object | None:
    """Return the render mesh of a collider, found by name or by parent.

    Parameters
    ----------
    collider : bpy.types.Object or str

    Returns
    -------
    bpy.types.Object or None
        None: it is no collider, or of nothing.

    Raises
    ------
    KeyError, ValueError
        As `check_collisions` of objects.

    Examples
    --------
    ::

        print(api.render_mesh_of("UCX_Chair_01"))
    """
    return Owners(bpy.context.scene.objects).of(arguments.object_("collider", collider))


def collider_quality(collider: bpy.types.Object | str) -> FitQuality | None:
    """How well a collider fitted when it was made.

    Parameters
    ----------
    collider : bpy.types.Object or str

    Returns
    -------
    FitQuality or None
        None: that is not known, or the collider or its render mesh has changed since.

    Raises
    ------
    KeyError, ValueError
        As `check_collisions` of objects.

    Examples
    --------
    ::

        quality = api.collider_quality("UCX_Chair_01")
    """
    ob = arguments.object_("collider", collider)
    record = fit_record.known(ob)
    if record is None or fit_record.is_stale(ob, Owners(bpy.context.scene.objects).of(ob), record):
        return None
    return record.quality


def _lengths(thickness: float, gap: float) -> tuple[float, float]:
    return arguments.length("thickness", thickness), arguments.length("gap", gap)


def _request(engine: str, budget: int) -> tuple[str, int]:
    return arguments.one_of("engine", engine, ENGINES), arguments.count("budget", budget, _LEAST_BUDGET)


def _render_meshes(objects: Objects, selected_faces: bool) -> list[bpy.types.Object]:
    chosen = arguments.objects("objects", objects)
    for ob in chosen:
        if ob.type not in GEOMETRY_TYPES or is_collider(ob):
            raise ValueError(f"objects: {ob.name!r} has no surface, or is a collider")
        if selected_faces and ob.type != "MESH":
            raise ValueError(f"objects: {ob.name!r} is no mesh, and has no selected faces")
    return chosen


def _with_owners(objects: Objects) -> list[tuple[bpy.types.Object, bpy.types.Object]]:
    chosen = arguments.objects("objects", objects)
    found = converting.with_owners(bpy.context, chosen)
    for ob in chosen:
        if ob not in [collider for collider, _ in found]:
            raise ValueError(f"objects: {ob.name!r} is no mesh collider that belongs to a render mesh")
    return found


def _settled(
    sources: Sequence[collider_sources.Source], chooser: Chooser, problems: Sequence[UserError]
) -> MadeColliders:
    """Make the colliders of some meshes."""
    prepared = exhausted(preparing(bpy.context, sources, chooser))
    settled = exhausted(settling(bpy.context, prepared.chosen, chooser, prepared.before))
    made = _made(settled.made, (*problems, *prepared.problems))
    return replace(
        made,
        over=tuple(one.owner for one in settled.chosen if one.over),
        decomposed=tuple(one.decomposed for one in settled.chosen if one.decomposed is not None),
        issues=issues_with_units(settled.issues, open_file.units(bpy.context.scene)),
        new_collisions=settled.changes.new,
        gone_collisions=settled.changes.gone,
    )


def _made(made: making.Made, problems: Iterable[UserError]) -> MadeColliders:
    """Return the colliders that were made; raise the first problem if there are none."""
    wrong = tuple(problems)
    if not made.objects and wrong:
        raise wrong[0]
    return MadeColliders(
        tuple(
            Collider(ob, one.source.owner, one.kind, one.quality, dict(one.scores))
            for ob, one in zip(made.objects, made.fitted, strict=True)
        ),
        wrong,
    )
