# SPDX-License-Identifier: GPL-3.0-or-later
"""The validation itself, the same for the panel, the command line and scripts: from a scope to a report."""

import bpy

from ...core.checks import ENGINES, Limits, broken
from ..bridge.collider_scene import read_colliders
from ..bridge.repair import repairable
from ..bridge.scope import scope_objects
from ..report import Units
from ..rules import rules_for
from .report import ValidationReport, Violation


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
        any, unreal, godot, unity or gltf: its own rules hold, and those of any engine.
    scope : str
        ALL, VISIBLE, SELECTED or COLLECTION. Bodies of which a part is in the scope are looked at whole.
    collection : str
        That of the last.
    limits : Limits, optional
        In Blender units. None: the usual ones, for a scene in metres scaled to its unit.

    Raises
    ------
    ValueError
        If there is no such engine, scope or collection.
    """
    if engine not in ENGINES:
        raise ValueError(f"there is no engine {engine!r}")
    scene = context.scene
    chosen = limits if limits is not None else usual_limits(scene)
    found = read_colliders(context, scope_objects(context, scope, collection).set_a, engine)
    objects = {ob.session_uid: ob for ob in scene.objects}
    violations = (
        Violation(
            one.rule,
            one.hit.subject.name,
            found.uids[one.hit.subject],
            dict(one.hit.values),
            repairable(one.rule, one.hit.subject, objects[found.uids[one.hit.subject]]),
        )
        for one in broken(rules_for(engine), found.scene, chosen)
    )
    return ValidationReport(
        file=bpy.data.filepath,
        scene=scene.name,
        engine=engine,
        scope=scope,
        units=Units(*(getattr(scene.unit_settings, field) for field in Units._fields)),
        limits=chosen,
        bodies=len(found.scene.bodies),
        colliders=sum(1 for _ in found.scene.colliders()),
        violations=tuple(violations),
    )


def usual_limits(scene: bpy.types.Scene) -> Limits:
    """The limits that hold where none are set: lengths in metres, turned into the unit of the scene."""
    usual = Limits()
    return Limits(smallest=usual.smallest / scene.unit_settings.scale_length)
