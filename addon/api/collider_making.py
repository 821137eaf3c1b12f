# SPDX-License-Identifier: GPL-3.0-or-later
"""Make, change, mirror and find colliders."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import bpy

from ...core.fit import FitQuality
from ..colliders import converting, decomposition, fit_record, making, naming
from ..colliders.choosing import Chooser
from ..colliders.fit import FitRequest, flat_thickness
from ..colliders.settling import preparing, settling
from ..engines.kinds import PIECES
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
    """A collider that was made or changed.

    Attributes
    ----------
    object : bpy.types.Object
        The collider.
    owner : str
        Name of its render mesh.
    kind : str
        BOX, SPHERE, CAPSULE, CYLINDER, HULL or MESH.
    quality : FitQuality
        Quality of the fit: the volume relative to the hull, the largest gap, and how far the mesh protrudes.
    scores : dict of str to float
        For type BEST: the volume of each type relative to the smallest.
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
        Errors of the objects that were skipped.
    over : tuple of str
        Names of objects with more loose parts than the allowed number of hulls. They got one hull for each part.
    decomposed : tuple of Decomposed
        For `make_collider_pieces`: the name of each object, `owner`, and the `quality` of its pieces together.
    issues : tuple of Issue
        Issues of the colliders: they are much larger than their meshes, close openings, or make separate bodies
        collide.
    new_collisions, gone_collisions : tuple of ChangedPair
        Pairs of bodies, `a` and `b`: those that started to collide, and those that no longer collide.
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
    """Make colliders that enclose objects (with modifiers) or selected faces.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Objects that have a surface and are not colliders.
    kind : str
        BOX, ORIENTED_BOX, SPHERE, CAPSULE, CYLINDER, HULL, BUDGET_HULL, BEST, KDOP10, KDOP18, KDOP26, or MESH (not for
        Unreal).
    source : str
        OBJECTS: one for each object. AROUND: one around all of them, which belongs to the first. PARTS: one for each
        loose part; closed parts are separate even where they touch. GROUPS: one for each vertex group, around the
        vertices with their largest weight in it. If the group deforms a bone, the collider follows the bone.
    budget : int
        Maximum number of vertices of a BUDGET_HULL, at least 4.
    thickness : float
        Minimum thickness of a box, in Blender units.
    gap : float
        BEST chooses the simplest type whose largest gap to the mesh is at most this, in Blender units, or the type with
        the smallest gap if none is within it. 0: the simplest type whose volume is within 10 % of the smallest.
    engine : str
        UNREAL, GODOT, UNITY or GLTF: the naming convention.
    selected_faces : bool
        Enclose only the selected faces of each mesh, without modifiers.

    Returns
    -------
    MadeColliders

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If no collider can be made for any object, an object has no surface or is a collider, a hull would be flat, a
        name is too long for Blender, the scene is linked, or an argument is invalid. No collider is made then.

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
    """Make several convex hulls that approximate each concave mesh.

    Closed parts are separate even where they touch. Convex parts are kept. Concave parts are cut along their faces or,
    if that leaves wide gaps and CoACD is available, decomposed by CoACD.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    pieces : int
        Maximum number of hulls for an object, but at least one for each part.
    preset : str
        FAST, BALANCED or FINE: accuracy and search time.
    budget : int
        Maximum number of vertices of each hull, at least 4.
    engine, selected_faces
        As for `make_collider`.

    Returns
    -------
    MadeColliders

    Raises
    ------
    KeyError, ValueError
        As for `make_collider`. ValueError also if CoACD fails.

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
    """Change the type of colliders and refit them to their source geometry. The objects are kept.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Mesh colliders of render meshes.
    kind, budget, thickness, gap, engine
        As for `make_collider`.

    Returns
    -------
    MadeColliders

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If an object is not such a collider, it has no usable vertices, a hull would be flat, or an argument is invalid.

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
    """Mirror colliders across a plane through the origin of the render mesh, without negative scale.

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
        If no object has a given name.
    ValueError
        If an object is not such a collider, the axis is unknown, a name is too long for Blender, or a linked collider
        would be changed in place.

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
    """Copy the display settings, the collections and the collision shape of a collider to others.

    Parameters
    ----------
    source : bpy.types.Object or str
    objects : iterable of bpy.types.Object or str
    what : collection of str
        Any of DISPLAY, COLLECTION, SHAPE.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If an object is not a collider or is linked, or `what` contains an unknown name.

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
    """Rename colliders by the convention of an engine or by a template. They stay colliders of their render meshes.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Colliders of render meshes. Other objects are left unchanged.
    engine : str
        UNREAL, GODOT, UNITY or GLTF.
    template : str
        Template with the fields mesh, base, lod, kind, prefix, suffix, engine and index in braces. Empty: the scene's
        template for the engine or, if there is none, the engine's convention.

    Returns
    -------
    list of bpy.types.Object
        Colliders whose names have changed.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If the template is invalid, a name is too long for Blender, or a collider is linked. No collider is renamed
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
    """Return the colliders of objects, found by name or by parent.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
        Render meshes. For a collider, the colliders of its render mesh are returned.

    Returns
    -------
    list of bpy.types.Object
        The colliders, including hidden ones.

    Raises
    ------
    KeyError, ValueError
        As for `objects` of `check_collisions`.

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
        None if it is not a collider, or has no render mesh.

    Raises
    ------
    KeyError, ValueError
        As for `objects` of `check_collisions`.

    Examples
    --------
    ::

        print(api.render_mesh_of("UCX_Chair_01"))
    """
    return Owners(bpy.context.scene.objects).of(arguments.object_("collider", collider))


def collider_quality(collider: bpy.types.Object | str) -> FitQuality | None:
    """Return the quality of the fit of a collider, measured when it was made.

    Parameters
    ----------
    collider : bpy.types.Object or str

    Returns
    -------
    FitQuality or None
        None if it is unknown, or the collider or its render mesh has changed since.

    Raises
    ------
    KeyError, ValueError
        As for `objects` of `check_collisions`.

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
    """Return the new colliders; raise the first problem if there are none."""
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
