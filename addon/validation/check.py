# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation for the panel, the command line and scripts: from a scope to a report."""

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
from ..model.steps import after, exhausted
from ..model.validation_report import ValidationIssue, ValidationReport
from ..scene import open_file
from ..scene.background_sets import background_objects
from ..scene.colliders.collider_scene import read_colliders
from ..scene.colliders.instanced_collections import stretch
from ..scene.colliders.repair import repairable
from ..scene.coverage import coverage_of
from ..scene.objects.collision_settings import is_own
from ..scene.scope import scope_objects
from ..system.garbage import collected_between

# Seconds of tests in a step.
_STEP = 0.02


class Progress(NamedTuple):
    """Number of finished tests, of all tests, and of violations found so far."""

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
    """Find out how an engine will import the colliders of a scope.

    Parameters
    ----------
    context : bpy.types.Context
    engine : str
        any, unreal, godot, unity, gltf or usd. Its own rules apply, and those for any engine.
    scope : str
        ALL, VISIBLE, SELECTED or COLLECTION. Bodies with a part in the scope are validated entirely.
    collection : str
        Name of the collection for scope COLLECTION.
    limits : Limits, optional
        In Blender units. None: the defaults, converted from meters to the unit of the scene.

    Raises
    ------
    ValueError
        If the engine, the scope or the collection does not exist.
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
    fix: str = "",
) -> Generator[Progress, None, ValidationReport]:
    """Run `validate` in steps of a few tests. A test is one rule for one collider. The scene must not change meanwhile.

    Issues of importing the scene violate rules, too. `only`: what to validate instead of a scope. `fix`: test only
    rules whose issues are fixed in this way.
    """
    if engine not in ENGINES:
        raise UserError("There is no engine {name}", name=repr(engine))
    return collected_between(_steps(context, engine, scope, collection, limits, imported, only, fix))


def _steps(
    context: bpy.types.Context,
    engine: str,
    scope: str,
    collection: str,
    limits: Limits | None,
    imported: tuple[Issue, ...],
    only: Sequence[bpy.types.Object] | None,
    fix: str,
) -> Generator[Progress, None, ValidationReport]:
    scene = context.scene
    chosen = limits if limits is not None else usual_limits(scene)
    looked_at = scope_objects(context, scope, collection).set_a if only is None else only
    found = read_colliders(context, looked_at, engine)
    named = {ob.name: ob.session_uid for ob in scene.objects}
    told = [Imported(_nothing(one.object), one.severity, one.message.removesuffix(".")) for one in imported]
    found.uids.update({one.subject: named.get(one.subject.name, 0) for one in told})
    rules = [one for one in with_thresholds(rules_for(engine), chosen) if fix in {"", one.fix}]
    asked = questions(rules, replace(found.scene, imported=tuple(told)), chosen)
    places: list[RuleIssue] = []
    done, total = 0, sum(map(len, asked))
    yield Progress(done, total, 0)
    due = after(_STEP)
    for question in asked:
        for violations in question:
            places += violations
            done += 1
            if due() or done == total:
                yield Progress(done, total, len(places))
                due = after(_STEP)
    # Not earlier, because no Blender data is kept between steps.
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
    """Return a collider that only has a name."""
    return Collider(name, np.empty((0, 3)), np.empty((0, 3), np.int64))


def _each_once(places: Sequence[RuleIssue]) -> Iterator[RuleIssue]:
    """Return issues of objects of the scene, and of instances unless the same is already reported."""
    said = {_sentence(one) for one in places if not one.subject.instanced}
    for one in places:
        if not one.subject.instanced or _sentence(one) not in said:
            said.add(_sentence(one))
            yield one


def _sentence(one: RuleIssue) -> Hashable:
    """Return a key that is equal for instances that differ in scale, unless the rule is about their scale."""
    subject = one.subject
    scale = stretch(subject.matrix) if one.rule.of_scale else b""
    return one.rule.id, subject.name, tuple(sorted(one.values.items())), scale


def usual_limits(scene: bpy.types.Scene) -> Limits:
    """Return the default limits: lengths in meters, converted to the unit of the scene."""
    usual = Limits()
    return Limits(smallest=usual.smallest / scene.unit_settings.scale_length)
