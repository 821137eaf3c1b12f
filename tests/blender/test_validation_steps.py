# SPDX-License-Identifier: GPL-3.0-or-later
"""A validation in steps of a few tests."""

import re

import bpy
import numpy as np
import pytest

from collision_kit.addon.session import validation_results
from collision_kit.addon.ui.operators.validation import COLLISION_KIT_OT_fix_issues, COLLISION_KIT_OT_validate_colliders
from collision_kit.addon.validation import check
from collision_kit.addon.validation.check import steps as validation_steps
from collision_kit.addon.validation.check import validate
from collision_kit.addon.validation.fixes import Repairs
from collision_kit.addon.validation.run import fix_steps
from tests.helpers.blender import validated_scene
from tests.helpers.blender.panel_recorder import stand_in
from tests.helpers.blender.stepped import taken

pytestmark = pytest.mark.usefixtures("scene")


def crates(count: int = 4) -> None:
    for number in range(count):
        crate = validated_scene.add(f"Crate{number}", location=(3.0 * number, 0.0, 0.0))
        validated_scene.add(f"UCX_Crate{number}_01", parent=crate, scale=(1.0, 1.0, 1.5))


def test_a_validation_takes_steps_of_so_many_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    crates()
    expected = validate(bpy.context, "unreal")
    monkeypatch.setattr(check, "_STEP", np.inf)
    (first, last), _ = taken(validation_steps(bpy.context, "unreal"))
    assert (first.done, last.done) == (0, first.total)
    monkeypatch.setattr(check, "_STEP", 0.0)
    seen, report = taken(validation_steps(bpy.context, "unreal"))
    key = [(one.rule.id, one.object, dict(one.values), one.fixable) for one in expected.issues]
    assert [(one.rule.id, one.object, dict(one.values), one.fixable) for one in report.issues] == key != []
    assert len(seen) == seen[0].total + 1 > 4 * 20
    assert [progress.done for progress in seen] == list(range(len(seen)))
    assert seen[-1].issues == len(report.issues)
    text = COLLISION_KIT_OT_validate_colliders.status(None, seen[3])
    assert re.fullmatch(r"Validating: 3 of \d+ tests, \d+ issues? found", text)
    severities = [ck_severity(one) for one in report.issues]
    assert severities == sorted(severities)


def test_what_was_fixed_before_a_cancellation_stays_and_is_listed() -> None:
    crates()
    report = validate(bpy.context)
    repairs = Repairs(report)
    steps = fix_steps(bpy.context, repairs)
    while len(repairs.done) < 2:
        progress = next(steps)
    steps.close()
    assert progress.left == 2
    scales = [bpy.data.objects[f"UCX_Crate{number}_01"].scale.z for number in range(4)]
    assert sorted(scales) == [1.0, 1.0, 1.5, 1.5]
    found = repairs.so_far()
    assert len(found.done) == 2
    assert len(found.by_rule["unapplied-scale"].rows) == len(report.by_rule["unapplied-scale"].rows) - 2
    _, rest = taken(fix_steps(bpy.context, Repairs(report)))
    assert len(rest.done) == 2 and "unapplied-scale" not in rest.by_rule


def test_a_change_meanwhile_ends_the_repairs_and_keeps_them() -> None:
    crates()
    bpy.ops.collision_kit.validate_colliders()
    operator = stand_in(COLLISION_KIT_OT_fix_issues, rule="", reports=[])
    operator.report = lambda kind, text: operator.reports.append((kind, text))
    operator._steps = operator.begin(bpy.context)
    while not operator._repairs.done:
        next(operator._steps)
    while operator.status(next(operator._steps)) != "Validating: 4 issues fixed":
        pass
    bpy.data.objects["Crate0"].location.x += 1.0
    bpy.context.view_layer.update()
    assert operator._take_all(bpy.context) == {"FINISHED"}
    assert [kind for kind, _ in operator.reports] == [{"ERROR"}, {"INFO"}]
    kept = validation_results.latest.result
    assert kept is not None
    assert kept.change is not None and len(kept.report.done) == 4


def ck_severity(issue) -> int:
    return ("error", "warning", "info").index(issue.rule.severity)
