# SPDX-License-Identifier: GPL-3.0-or-later
"""Random scenes whose truth is known by construction: the check finds all of it and nothing else."""

import bpy
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.core import Verdict
from tests.helpers.blender.build_scene import build_in_blender
from tests.helpers.offline import slow
from tests.helpers.scenes import CLEARANCE, random_scene

# Several roundings of float32 at coordinates of up to 20: matrix, parent's matrix, vertex, of both bodies.
ROUNDING = 1e-5


@pytest.mark.parametrize("seed", [*range(8), *slow(*range(8, 24))])
def test_all_pairs_of_a_random_scene_are_judged_as_they_were_made(scene: bpy.types.Scene, seed: int) -> None:
    spec, truths = random_scene(seed)
    build_in_blender(spec)
    report, _ = check(bpy.context, clearance=CLEARANCE)

    assert {body.name for body in report.bodies} == {item.name for item in spec.items} | {"Ground"}
    found = {}
    for pair in report.pairs:
        names = frozenset((report.bodies[pair.body_a].name, report.bodies[pair.body_b].name))
        assert names not in found, "one line for each pair of bodies"
        found[names] = pair
    known = {frozenset((truth.a, truth.b)): truth for truth in truths}
    assert {names: pair.verdict.name.lower() for names, pair in found.items()} == {
        names: truth.verdict for names, truth in known.items() if truth.verdict != Verdict.SEPARATED.name.lower()
    }
    for names, pair in found.items():
        if (distance := known[names].distance) is not None:
            assert pair.distance == pytest.approx(distance, abs=ROUNDING), sorted(names)


@pytest.mark.parametrize("seed", range(3))
def test_every_body_is_the_shape_that_was_meant(scene: bpy.types.Scene, seed: int) -> None:
    spec, _ = random_scene(seed)
    build_in_blender(spec)
    report, _ = check(bpy.context)

    inner_balls = {f"USP_{item.name}_02" for item in spec.items}
    kinds = {report.bodies[shape.body].name: shape.kind for shape in report.shapes if shape.object not in inner_balls}
    for item in spec.items:
        assert kinds[item.name] == ("hull" if item.said_by == "mesh" else item.form.kind), item.name
    assert kinds["Ground"] == "half-space"
    assert [issue for issue in report.issues if issue.severity != "info"] == []
