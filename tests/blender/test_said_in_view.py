# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay says how a pair stands in one label, where the two meet, and draws what its verdict is about."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import axis_explorer, framing
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh, mesh
from tests.helpers.blender.on_screen import on_screen


@pytest.fixture(autouse=True)
def forgotten(scene: bpy.types.Scene):
    yield
    last_check.forget()


def sunk() -> None:
    add("Floor", cube_mesh((2.0, 2.0, 0.1)), at=(0.0, 0.0, -0.1))
    add("Post", cube_mesh((0.3, 0.3, 0.5)), at=(0.0, 0.0, 0.497))


def copied() -> None:
    add("Crate", cube_mesh())
    add("Copy", cube_mesh())


def swallowed() -> None:
    add("Pillar", cube_mesh((0.3, 0.3, 2.0)))
    add("Cup", cube_mesh((0.04, 0.04, 0.05)), at=(0.1, 0.0, 0.5))


def flush() -> None:
    add("Wall", cube_mesh((2.0, 0.1, 1.0)))
    add("Poster", mesh([(-0.5, -0.1, -0.5), (0.5, -0.1, -0.5), (0.5, -0.1, 0.5), (-0.5, -0.1, 0.5)], [(0, 1, 2, 3)]))


def stacked() -> None:
    add("Lower", cube_mesh())
    add("Upper", cube_mesh(), at=(0.0, 0.0, 2.0))


def near() -> None:
    bpy.context.scene.collision_kit.clearance = 0.05
    add("Left", cube_mesh())
    add("Right", cube_mesh(), at=(2.02, 0.0, 0.0))


CASES = (
    (sunk, Verdict.PENETRATING, "3 mm inside", None),
    (copied, Verdict.DUPLICATE, "same geometry in the same place", Role.WORST_DUPLICATE),
    (swallowed, Verdict.CONTAINED, "inside Pillar", Role.WORST_CONTAINED),
    (flush, Verdict.COPLANAR, "faces in one plane", Role.COPLANAR),
    (stacked, Verdict.TOUCHING, "touching", None),
    (near, Verdict.WITHIN_CLEARANCE, "20 mm apart", None),
)


@pytest.mark.parametrize(("build", "verdict", "label", "filled"), CASES)
def test_one_label_says_how_a_pair_stands_where_it_is_seen(
    build: Callable[[], None], verdict: Verdict, label: str, filled: Role | None
) -> None:
    build()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    assert bpy.ops.collision_kit.select_pair(row=0) == {"FINISHED"}
    pair, shown, report = last_check.pair(0), on_screen(), last_check.report
    assert pair is not None and pair.verdict == verdict and shown is not None and report is not None
    assert list(map(str, shown.labels)) == [label]
    assert last_check.world is not None
    center, radius = framing.place_of(report, last_check.world, pair)
    assert np.linalg.norm(shown.label_at[0] - center) < radius
    of_verdict = {Role.WORST_DUPLICATE, Role.WORST_CONTAINED, Role.COPLANAR}
    drawn = of_verdict.intersection(Role(int(role)) for role in shown.triangle_role)
    assert drawn == ({filled} if filled is not None else set())
    if filled is not None:
        own = {Role.AXIS, Role.RULER, Role.DEPTH, Role.NORMAL}
        assert own.isdisjoint(Role(int(role)) for role in shown.line_role), "it is not about how deep the two are"


def test_while_another_axis_is_looked_at_the_label_is_the_overlap_along_that() -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), at=(1.5, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    assert list(map(str, on_screen().labels)) == ["500 mm inside"]
    axis_explorer.look_at(1)
    pair_overlay.show(bpy.context, 0)
    assert list(map(str, on_screen().labels)) == ["Overlap 2 m"]
    axis_explorer.look_at(0)
    pair_overlay.show(bpy.context, 0)
    assert list(map(str, on_screen().labels)) == ["500 mm inside"]
