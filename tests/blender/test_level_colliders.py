# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of a level, which belong to no mesh: which of their pairs are folded."""

import bpy
import pytest

from tests.helpers.blender.asset_scene import box, checked, faults, folded


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.mark.parametrize("name", ["Collision", "collider.003", "Collision_Barrier", "WallCollider", "Barrier-colonly"])
def test_colliders_without_a_mesh_are_tested_against_what_can_hit_them(name: str) -> None:
    box("House", (0.0, 0.0, 0.0), (4.0, 4.0, 3.0))
    box(name, (-0.5, -0.5, 0.0), (0.5, 4.5, 3.0))
    box("Collision.001", (-0.5, -0.5, 0.0), (4.5, 0.5, 3.0))
    report = checked()
    assert folded(report) == {"level": 3} and faults(report) == []
    assert len(faults(checked(static=True))) == 3
    crate = box("Crate", (-1.0, 2.0, 0.0), (-0.2, 3.0, 1.0))
    assert faults(checked()) == []
    crate.collision_kit.motion = "DYNAMIC"
    assert faults(checked()) == [tuple(sorted(("Crate", name)))]
    crate.collision_kit.motion = "AUTO"
    box("Crate_collider", (-1.0, 2.0, 0.0), (-0.2, 3.0, 1.0))
    assert faults(checked()) == [tuple(sorted(("Crate", name)))]
    crate.collision_kit.motion = "STATIC"
    assert faults(checked()) == []


def test_a_file_of_nothing_but_colliders_is_tested_in_full() -> None:
    for number in range(2):
        box(f"Collision.00{number}", (0.5 * number, 0.0, 0.0), (0.5 * number + 1.0, 1.0, 1.0))
    assert faults(checked()) == [("Collision.000", "Collision.001")]
    box("Wall", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    assert faults(checked()) == [] and folded(checked()) == {"level": 1}
