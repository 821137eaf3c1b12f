# SPDX-License-Identifier: GPL-3.0-or-later
"""The validation itself, the same for the panel, the command line and scripts: from a scope to a report."""

from collections.abc import Generator, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np

from ..asset_rules.bodies import with_thresholds
from ..asset_rules.limits import ENGINES, Limits
from ..asset_rules.rule import RuleIssue, questions, worst_first
from ..asset_rules.subject import Collider, Imported
from ..engines.rules import rules_for
from ..model.errors import UserError
from ..model.report import Issue
from ..model.steps import exhausted
from ..model.validation_report import ValidationIssue, ValidationReport
from ..scene import open_file
from ..scene.background_sets import background_objects
from ..scene.colliders.collider_scene import read_colliders
from ..scene.colliders.instanced_collections import stretch
from ..scene.colliders.repair import repairable
from ..scene.coverage import coverage_of
from ..scene.objects.collision_settings import is_own
from ..scene.scope import scope_objects


class Progress(NamedTuple):
    """How many questions have been asked, of how many, and how many places were found where a rule is broken."""

    done: int
    total: int
    issues: int


def validate(
    context: bpy.types.Context,
    engine: str = "any",
    scope: str = "ALL",
    *,
    collection: str = "",
    limits: Limits | None = None,
) -> ValidationReport:
    """Find out what an engine will make of the colliders of a scope.

    Parameters
    ----------
    context : bpy.types.Context
    engine : str
        any, unreal, godot, unity, gltf or usd: its own rules hold, and those of any engine.
    scope : str
        ALL, VISIBLE, SELECTED or COLLECTION. Bodies of which a part is in the scope are looked at whole.
    collection : str
        That of the last.
    limits : Limits, optional
        In Blender units. None: the usual ones, for a scene in meters scaled to its unit.

    Raises
    ------
    ValueError
        If there is no such engine, scope or collection.
    """
    return exhausted(steps(context, engine, scope, collection=collection, limits=limits))


def steps(
    context: bpy.types.Context,
    engine: str = "any",
    scope: str = "ALL",
    *,
    collection: str = "",
    limits: Limits | None = None,
    imported: tuple[Issue, ...] = (),
    only: Sequence[bpy.types.Object] | None = None,
) -> Generator[Progress, None, ValidationReport]:
    """`validate`, a question a step: of each rule about each collider. The scene must not change meanwhile.

    What there was to say of the import of the scene breaks rules, too. `only`: what is validated instead of a scope.
    """
    if engine not in ENGINES:
        raise UserError("There is no engine {name}", name=repr(engine))
    scene = context.scene
    chosen = limits if limits is not None else usual_limits(scene)
    looked_at = scope_objects(context, scope, collection).set_a if only is None else only
    found = read_colliders(context, looked_at, engine)
    named = {ob.name: ob.session_uid for ob in scene.objects}
    told = [Imported(_nothing(one.object), one.severity, one.message.removesuffix(".")) for one in imported]
    found.uids.update({one.subject: named.get(one.subject.name, 0) for one in told})
    asked = questions(with_thresholds(rules_for(engine), chosen), replace(found.scene, imported=tuple(told)), chosen)
    places: list[RuleIssue] = []
    yield Progress(0, len(asked), 0)
    for done, question in enumerate(asked, start=1):
        places += question()
        yield Progress(done, len(asked), len(places))
    # Not before: from one step to the next nothing of Blender's data is held on to.
    scene = context.scene
    objects = {ob.session_uid: ob for ob in scene.objects}
    linked = {uid for uid, ob in objects.items() if not is_own(ob)}
    issues = (
        ValidationIssue(
            one.rule,
            found.labels.get(one.subject, one.subject.name),
            found.uids[one.subject],
            dict(one.values),
            bool(one.rule.fix)
            and not one.subject.instanced
            and repairable(one.rule, one.subject, objects[found.uids[one.subject]]),
            found.uids[one.subject] in linked,
        )
        for one in _each_once(worst_first(places))
    )
    return ValidationReport(
        file=open_file.source(scene),
        scene=scene.name,
        engine=engine,
        scope=scope,
        units=open_file.units(scene),
        limits=chosen,
        bodies=len(found.scene.bodies),
        colliders=sum(1 for _ in found.scene.colliders()),
        issues=tuple(issues),
        collection=collection,
        imported=imported,
        skipped=background_objects(scene, scope),
        coverage=coverage_of(scene),
        by_themselves=sum(one.by_itself and not one.colliders for one in found.scene.bodies),
    )


def _nothing(name: str) -> Collider:
    """Return a collider that has a name only."""
    return Collider(name, np.empty((0, 3)), np.empty((0, 3), np.int64))


def _each_once(places: Sequence[RuleIssue]) -> Iterator[RuleIssue]:
    """Issues about objects of the scene, and about what instances bring in where the same is not said already."""
    said = {_sentence(one) for one in places if not one.subject.instanced}
    for one in places:
        if not one.subject.instanced or _sentence(one) not in said:
            said.add(_sentence(one))
            yield one


def _sentence(one: RuleIssue) -> Hashable:
    """Return a key that is the same for instances that differ in scale, unless the rule is about their scale."""
    subject = one.subject
    scale = stretch(subject.matrix) if one.rule.of_scale else b""
    return one.rule.id, subject.name, tuple(sorted(one.values.items())), scale


def usual_limits(scene: bpy.types.Scene) -> Limits:
    """The limits that hold where none are set: lengths in meters, turned into the unit of the scene."""
    usual = Limits()
    return Limits(smallest=usual.smallest / scene.unit_settings.scale_length)
