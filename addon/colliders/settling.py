# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the chosen colliders, and closer ones where bodies collide only because of them."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

import bpy

from ..asset_rules.limits import Length
from ..i18n.lookup import report_, sentences
from ..i18n.units import issues_with_units
from ..model.errors import UserError
from ..model.message import Message
from ..model.report import Issue
from ..model.steps import Counted, telling
from ..scene import open_file
from ..scene.colliders.objects import remove_objects
from ..scene.colliders.sources import Source
from ..scene.objects.collision_settings import has_rigid_body
from . import decomposition, making
from .choosing import Chooser, Chosen, choosing_steps
from .decomposition import Progress
from .new_collisions import Before, CollisionChanges

# Number of attempts with closer colliders: a hull after a primitive, the triangles or pieces after a hull.
_ROUNDS = 2

_FLAT = Message("Mesh is flat: its box is {length} thick.")


class Prepared(NamedTuple):
    """Colliders to be made.

    Attributes
    ----------
    before : Before
    chosen : list of Chosen
    problems : list of UserError
        Reasons why some meshes get no colliders.
    """

    before: Before
    chosen: list[Chosen]
    problems: list[UserError]


class Settled(NamedTuple):
    """Colliders that were made.

    Attributes
    ----------
    made : Made
    chosen : list of Chosen
        Chosen colliders of each object.
    changes : CollisionChanges
        Changes that they caused.
    issues : list of Issue
        Issues of the colliders.
    """

    made: making.Made
    chosen: list[Chosen]
    changes: CollisionChanges
    issues: list[Issue]


def preparing(
    context: bpy.types.Context, sources: Sequence[Source], chooser: Chooser
) -> Generator[Progress, None, Prepared]:
    """Read the surroundings of meshes, and choose their colliders, in steps. The scene must not change meanwhile."""
    before = yield from telling(Progress(0, 0), Before.reading(context, sources))
    return Prepared(before, *(yield from choosing_steps(sources, chooser)))


def settling(
    context: bpy.types.Context, chosen: Sequence[Chosen], chooser: Chooser, before: Before
) -> Generator[Counted, None, Settled]:
    """Make colliders, in steps, and find the changes that they cause.

    Raises
    ------
    NameTooLong, UserError
        As for `making.make`.
    """
    found, engine = list(chosen), chooser.engine
    made = making.make(context, [one for some in found for one in some.fitted], engine)
    changes = yield from before.changes(context, _changed(found))
    for _ in range(_ROUNDS):
        closer: dict[int, Chosen] = {}
        for row, one in enumerate(found):
            if one.owner_uid not in changes.uids:
                continue
            progress = Progress(row, len(found), current=one.owner)
            yield progress
            try:
                other = yield from telling(progress, chooser.tightening(one))
            except UserError:
                continue  # The existing colliders stay, with their problems.
            if other is not None:
                closer[row] = other
        if not closer:
            break
        replaced = {found[row].owner_uid for row in closer}
        remove_objects(
            ob for ob, one in zip(made.objects, made.fitted, strict=True) if one.source.owner_uid in replaced
        )
        more = making.make(context, [one for some in closer.values() for one in some.fitted], engine)
        kept = [
            (ob, one) for ob, one in zip(made.objects, made.fitted, strict=True) if one.source.owner_uid not in replaced
        ]
        made = making.Made(
            [*(ob for ob, _ in kept), *more.objects], [*(one for _, one in kept), *more.fitted], made.problems
        )
        found = [closer.get(row, one) for row, one in enumerate(found)]
        changes = yield from before.changes(context, _changed(found))
    return Settled(made, found, changes, _issues(made, found, changes))


def _changed(chosen: Sequence[Chosen]) -> set[int]:
    """Return the objects whose shape has changed, by `session_uid`.

    Triangle meshes are tested as before, unless a rigid body had another shape.
    """
    objects = open_file.objects_by_uid()
    return {
        one.owner_uid
        for one in chosen
        if one.fitted[0].kind != "MESH" or ((owner := objects.get(one.owner_uid)) is not None and has_rigid_body(owner))
    }


def _issues(made: making.Made, chosen: Sequence[Chosen], changes: CollisionChanges) -> list[Issue]:
    """Return the issues of single colliders by collider name, and of pieces by mesh name."""
    name_of = {id(one): ob.name for ob, one in zip(made.objects, made.fitted, strict=True)}
    found = []
    for one in chosen:
        name = name_of.get(id(one.fitted[0]), one.owner) if len(one.fitted) == 1 else one.owner
        found += [Issue(key, "warning", name, message) for key, message in one.loose.messages()]
    for ob, fitted in zip(made.objects, made.fitted, strict=True):
        if fitted.was_flat:
            found.append(Issue("flat-mesh", "info", ob.name, Message(_FLAT, length=Length(fitted.thickness))))
    return [*found, *changes.issues()]


def summary(context: bpy.types.Context, settled: Settled) -> str:
    """Describe the number of colliders and how well they fit. Of several meshes, the loosest is described."""
    made = settled.made
    decomposed = [one.decomposed for one in settled.chosen if one.decomposed is not None]
    if not decomposed:
        return making.summary(context, made.objects, made.fitted)
    single = [ob for ob, one in zip(made.objects, made.fitted, strict=True) if one.asked != "PIECE"]
    texts = [report_("{count} colliders created", count=len(made.objects)), decomposition.summary(context, decomposed)]
    if single:
        texts.append(making.summary(context, single, [one for one in made.fitted if one.asked != "PIECE"]))
    return sentences(texts)


def texts(context: bpy.types.Context, settled: Settled, severity: str) -> list[str]:
    """Describe the issues of this severity. Issues of the same kind are counted."""
    found: dict[str, list[Issue]] = {}
    for one in issues_with_units(settled.issues, open_file.units(context.scene)):
        if one.severity == severity:
            found.setdefault(one.id, []).append(one)
    return [_text(some) for some in found.values()]


def _text(found: Sequence[Issue]) -> str:
    first, more = found[0], len(found) - 1
    message = first.message
    what = report_(message.template, **message.values) if isinstance(message, Message) else report_(message)
    text = report_('"{name}": {text}', name=first.object, text=what.removesuffix("."))
    return report_("{text} (and {count} more)", text=text, count=more) if more else text
