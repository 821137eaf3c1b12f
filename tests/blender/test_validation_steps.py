# SPDX-License-Identifier: GPL-3.0-or-later
"""A validation in steps, a question at a time."""

import re

import bpy
import pytest

from collision_kit.addon.ui.operators.validate_colliders import COLLISION_KIT_OT_validate_colliders
from collision_kit.addon.validation.check import steps as validation_steps
from collision_kit.addon.validation.check import validate
from tests.blender import validated_scene
from tests.blender.stepped import taken

pytestmark = pytest.mark.usefixtures("scene")


def crates(count: int = 4) -> None:
    for number in range(count):
        crate = validated_scene.add(f"Crate{number}", location=(3.0 * number, 0.0, 0.0))
        validated_scene.add(f"UCX_Crate{number}_01", parent=crate, scale=(1.0, 1.0, 1.5))


def test_a_validation_asks_a_question_a_step() -> None:
    crates()
    expected = validate(bpy.context, "unreal")
    seen, report = taken(validation_steps(bpy.context, "unreal"))
    key = [(one.rule.id, one.object, dict(one.values), one.fixable) for one in expected.violations]
    assert [(one.rule.id, one.object, dict(one.values), one.fixable) for one in report.violations] == key != []
    assert len(seen) == seen[0].total + 1 > 4 * 20
    assert [progress.done for progress in seen] == list(range(len(seen)))
    assert seen[-1].findings == len(report.violations)
    text = COLLISION_KIT_OT_validate_colliders.status(None, seen[3])
    assert re.fullmatch(r"Validating: 3 of \d+ tests, \d+ issues? found", text)
    severities = [ck_severity(one) for one in report.violations]
    assert severities == sorted(severities)


def ck_severity(violation) -> int:
    return ("error", "warning", "info").index(violation.rule.severity)
