# SPDX-License-Identifier: GPL-3.0-or-later
"""Make objects from fitted colliders, change them, and describe how well they fit."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import bpy

from ..engines.kinds import KIND_NAMES
from ..i18n.lookup import enumerated, report_, sentences
from ..i18n.units import spoken_range
from ..model.errors import UserError
from ..scene import open_file
from ..scene.colliders.objects import NewCollider, keep_as_collider, make_objects, remake_object, too_long
from . import fit_record as colliders_record
from .choosing import Chosen
from .fit import Fitted
from .naming import names_of


class Made(NamedTuple):
    """Objects that are colliders now, their sources, and problems."""

    objects: list[bpy.types.Object]
    fitted: list[Fitted]
    problems: list[UserError]


def make(context: bpy.types.Context, fitted: Sequence[Fitted], engine: str) -> Made:
    """Make the objects of colliders, for owners that still exist.

    Raises
    ------
    NameTooLong
        If a name is too long for Blender. Nothing is made then.
    UserError
        If the naming template of the scene is invalid.
    """
    objects = open_file.objects_by_uid()
    there = [one for one in fitted if one.source.owner_uid in objects]
    names = names_of(context, engine)
    wanted = []
    for one in there:
        owner = objects[one.source.owner_uid]
        wanted.append(_wanted(names.take(engine, one.kind, owner.name), owner, one))
    made = make_objects(context, wanted)
    for ob, one in zip(made, there, strict=True):
        if one.source.holder is not None:
            keep_as_collider(ob, objects[one.source.owner_uid], one.kind)
        colliders_record.keep(ob, objects[one.source.owner_uid], one, one.asked)
    return Made(made, there, [])


def without_long_names(
    context: bpy.types.Context, chosen: Sequence[Chosen], engine: str, replaced: Iterable[bpy.types.Object]
) -> tuple[list[Chosen], list[UserError]]:
    """Return the colliders whose names are short enough, and the problems of the other objects.

    Parameters
    ----------
    context : bpy.types.Context
    chosen : sequence of Chosen
    engine : str
    replaced : iterable of bpy.types.Object
        Colliders whose names become free.

    Raises
    ------
    UserError
        If the naming template of the scene is invalid.
    """
    names, long = names_of(context, engine), dict[int, UserError]()
    names.give_back(*(ob.name for ob in replaced))
    for one in (one for some in chosen for one in some.fitted):
        name = names.take(engine, one.kind, one.source.owner)
        if too_long(name):
            long[one.source.owner_uid] = UserError(
                'Collider name "{collider}" is too long for Blender: shorten the name of "{name}"',
                collider=name,
                name=one.source.owner,
            )
    return [one for one in chosen if one.owner_uid not in long], list(long.values())


def remake_all(context: bpy.types.Context, uids: Sequence[int], fitted: Sequence[Fitted], engine: str) -> Made:
    """Replace colliders by new fits, by `session_uid`."""
    objects = open_file.objects_by_uid()
    changed = Made([], [], [])
    for uid, one in zip(uids, fitted, strict=True):
        if uid not in objects or one.source.owner_uid not in objects:
            continue
        try:
            remake(context, objects[uid], objects[one.source.owner_uid], one, engine)
        except UserError as error:
            changed.problems.append(error)
            continue
        changed.objects.append(objects[uid])
        changed.fitted.append(one)
    return changed


def remake(
    context: bpy.types.Context, ob: bpy.types.Object, owner: bpy.types.Object, fitted: Fitted, engine: str
) -> None:
    """Replace the collider of an object. It keeps its name if that still matches its kind.

    Raises
    ------
    NameTooLong
        As for `make`. Nothing is changed then.
    """
    names = names_of(context, engine)
    names.give_back(ob.name)
    name = names.take(engine, fitted.kind, owner.name)
    remake_object(context, ob, _wanted(name, owner, fitted))
    colliders_record.keep(ob, owner, fitted, fitted.asked)


def _wanted(name: str, owner: bpy.types.Object, fitted: Fitted) -> NewCollider:
    """Make the object of a collider: a child of its owner, or of a bone."""
    holder = fitted.source.holder
    armature = open_file.objects_by_uid({holder.armature_uid}).get(holder.armature_uid) if holder else None
    if holder is None or armature is None:
        return NewCollider(name, owner, fitted.frame, fitted.mesh, convex=fitted.kind == "HULL")
    return NewCollider(name, armature, fitted.frame, fitted.mesh, holder.bone, fitted.kind == "HULL")


def summary(context: bpy.types.Context, made: Sequence[bpy.types.Object], fitted: Sequence[Fitted]) -> str:
    """Describe what was made and how well it fits. Of several colliders, the loosest is described."""
    worst = max(fitted, key=lambda one: one.quality.hull_ratio)
    text = quality_text(context, worst)
    if len(made) == 1:
        return report_('"{name}": {text}', name=made[0].name, text=text)
    return sentences(
        (
            report_("{count} colliders created", count=len(made)),
            report_('Loosest is "{name}": {text}', name=made[list(fitted).index(worst)].name, text=text),
        )
    )


def quality_text(context: bpy.types.Context, fitted: Fitted) -> str:
    """Describe how well a collider fits and, for BEST, why its kind was chosen."""
    quality, units = fitted.quality, context.scene.unit_settings
    if fitted.kind == "MESH":
        return report_("{count} triangles", count=len(fitted.source.triangles))
    if quality.volume == 0.0:
        parts = [report_("flat, without volume")]
    elif math.isfinite(quality.hull_ratio):
        parts = [report_("{ratio} × the volume of the hull", ratio=f"{quality.hull_ratio:.3g}")]
    else:
        parts = [report_("flat mesh")]
    parts.append(report_("largest gap {length}", length=spoken_range(quality.gap, quality.gap_error, units)))
    if quality.protrusion + quality.protrusion_error > 0.0:
        length = spoken_range(quality.protrusion, quality.protrusion_error, units)
        parts.append(report_("protrusion {length}", length=length))
    text = enumerated(parts)
    if not fitted.scores:
        return text
    return report_(
        "{text}. {kind} is the simplest shape close to the smallest ({scores})",
        text=text,
        kind=report_(KIND_NAMES[fitted.kind]),
        scores=scores_text(fitted.scores),
    )


def scores_text(scores: dict[str, float]) -> str:
    """Describe the volume of each kind relative to the smallest."""
    return enumerated(
        report_("{kind} {ratio} ×", kind=report_(KIND_NAMES[kind]), ratio=f"{score:.3g}")
        for kind, score in scores.items()
    )


def wrongs(problems: Iterable[str]) -> str:
    """Return the problems as one text, without repetition."""
    return sentences(dict.fromkeys(problems))
