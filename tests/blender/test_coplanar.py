# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces in one plane that look the same way: a verdict, its drawing and its fix."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.api import check_collisions
from collision_kit.addon.cli import commands
from collision_kit.addon.collisions import pair_evidence
from collision_kit.addon.collisions.check import steps
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.model.report import Settings
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.panels.active_pair import COLLISION_KIT_PT_pair
from collision_kit.addon.ui.panels.fixes import COLLISION_KIT_PT_fixes
from collision_kit.addon.ui.panels.pair_list import COLLISION_KIT_UL_pairs
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh, mesh, with_setting
from tests.helpers.blender.live_scene import settle
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import drawn, drawn_row


@pytest.fixture(autouse=True)
def wall_and_poster(scene: bpy.types.Scene) -> None:
    """A wall whose front is the plane y = -0.1, and a sheet in that plane that looks the same way."""
    add("Wall", cube_mesh((2.0, 0.1, 1.0)))
    corners = [(-0.5, -0.1, -0.5), (0.5, -0.1, -0.5), (0.5, -0.1, 0.5), (-0.5, -0.1, 0.5)]
    add("Poster", mesh(corners, [(0, 1, 2, 3)]))
    bpy.context.view_layer.update()


def verdicts() -> dict[frozenset[str], Verdict]:
    report = check_collisions(scope="ALL")
    names = [body.name for body in report.bodies]
    return {frozenset((names[pair.body_a], names[pair.body_b])): pair.verdict for pair in report.pairs}


def check() -> None:
    bpy.context.view_layer.update()
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}


PAIR = frozenset(("Wall", "Poster"))


def test_a_sheet_in_the_plane_of_a_wall_is_coplanar() -> None:
    assert verdicts()[PAIR] == Verdict.COPLANAR
    # Turned over it looks into the wall.
    bpy.data.objects["Poster"].data.flip_normals()
    bpy.data.objects["Poster"].data.update_tag()
    bpy.context.view_layer.update()
    assert verdicts()[PAIR] == Verdict.TOUCHING


def test_a_crate_on_a_sheet_of_floor_only_touches() -> None:
    corners = [(5.0, -3.0, 0.0), (9.0, -3.0, 0.0), (9.0, 3.0, 0.0), (5.0, 3.0, 0.0)]
    floor = add("Floor", mesh(corners, [(0, 1, 2, 3)]))
    add("Crate", cube_mesh((0.5, 0.5, 0.5)), at=(7.0, 0.0, 0.5))
    bpy.context.view_layer.update()
    assert verdicts()[frozenset(("Floor", "Crate"))] == Verdict.TOUCHING
    # A mirrored sheet shows the same side, and one that is turned over looks down.
    floor.scale.x = -1.0
    floor.location.x = 14.0
    bpy.context.view_layer.update()
    assert verdicts()[frozenset(("Floor", "Crate"))] == Verdict.TOUCHING
    floor.scale.x, floor.location.x, floor.rotation_euler.x = 1.0, 0.0, np.pi
    bpy.context.view_layer.update()
    assert verdicts()[frozenset(("Floor", "Crate"))] == Verdict.COPLANAR


def test_what_rests_on_something_and_what_stands_beside_it_only_touch() -> None:
    add("Crate", cube_mesh((0.5, 0.5, 0.5)), at=(0.0, 0.0, 1.5))
    add("Next", cube_mesh((2.0, 0.1, 1.0)), at=(4.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    found = verdicts()
    assert found[frozenset(("Wall", "Crate"))] == Verdict.TOUCHING
    assert found[frozenset(("Wall", "Next"))] == Verdict.TOUCHING, "the fronts lie side by side"


def test_colliders_are_not_drawn_and_so_not_coplanar() -> None:
    with_setting(bpy.data.objects["Wall"], "BOX")
    assert verdicts()[PAIR] == Verdict.TOUCHING


def test_it_is_a_fault_between_penetrating_and_touching() -> None:
    add("Crate", cube_mesh((0.5, 0.5, 0.5)), at=(0.0, 0.0, 1.5))
    add("Sunk", cube_mesh((0.1, 0.1, 0.1)), at=(1.5, 0.0, 1.05))
    check()
    report = last_check.report
    assert report is not None
    assert [pair.verdict for pair in report.pairs] == [Verdict.PENETRATING, Verdict.COPLANAR, Verdict.TOUCHING]


def test_live_mode_finds_the_same() -> None:
    check()
    live.start()
    try:
        settle()
        report = last_check.report
        assert report is not None and [pair.verdict for pair in report.pairs] == [Verdict.COPLANAR]
        bpy.data.objects["Poster"].location.y = -0.01
        settle()
        assert last_check.report is not None and not last_check.report.pairs
    finally:
        live.stop()


def test_the_overlap_is_filled() -> None:
    check()
    shown = on_screen()
    assert shown is not None
    filled = shown.triangles[shown.triangle_role == Role.COPLANAR]
    sides = filled[:, 1:] - filled[:, :1]
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum() / 2.0
    assert area == pytest.approx(1.0, abs=1e-5)
    assert np.ptp(filled[:, :, 1]) < 1e-6


def test_a_nudge_brings_the_smaller_one_in_front() -> None:
    check()
    panel = drawn(COLLISION_KIT_PT_fixes, bpy.context)
    assert panel is not None and "collision_kit.nudge" in panel.operators
    assert "collision_kit.push_apart" not in panel.operators
    assert bpy.ops.collision_kit.nudge() == {"FINISHED"}
    assert bpy.data.objects["Poster"].location.y == pytest.approx(-0.001)
    assert bpy.data.objects["Wall"].location.y == 0.0
    check()
    assert last_check.report is not None and not last_check.report.pairs
    assert not bpy.ops.collision_kit.nudge.poll()


def test_the_panel_advises_a_nudge_and_tells_no_depth() -> None:
    check()
    last_check.chosen = 0
    panel = drawn(COLLISION_KIT_PT_pair, bpy.context)
    assert panel is not None and {"Coplanar", "in one plane: flickers"} <= set(panel.texts)
    said = " ".join(panel.texts)
    assert "Nudge one of the objects" in said
    assert "To separate" not in said
    (row,) = [texts for texts in [drawn_row(COLLISION_KIT_UL_pairs, bpy.context, 0).texts] if texts]
    assert not any(text.endswith(" m") for text in row)


def test_the_command_fails_with_it(tmp_path: Path) -> None:
    path, output = tmp_path / "a.blend", tmp_path / "a.json"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert commands.command(["check", str(path), f"--output={output}"]) == 1
    told = json.loads(output.read_text(encoding="utf-8"))
    assert told["counts"]["coplanar"] == 1
    assert [pair["verdict"] for pair in told["pairs"]] == ["coplanar"]
    assert commands.command(["check", str(path), "--fail-on=penetrating", f"--output={output}"]) == 0


def test_however_touching_pairs_are_divided_into_steps_the_same_are_coplanar(monkeypatch: pytest.MonkeyPatch) -> None:
    poster = bpy.data.objects["Poster"]
    for place in (-1.5, 1.5):
        add(f"Poster at {place}", poster.data, at=(place, 0.0, 0.0))
    add("Crate", cube_mesh((0.1, 0.1, 0.1)), at=(0.0, -0.2, 0.0))
    bpy.context.view_layer.update()
    expected, at_once = verdicts(), len(list(steps(bpy.context, Settings("ALL", "", "", None, 0.0))))
    assert list(expected.values()).count(Verdict.COPLANAR) == 3
    assert list(expected.values()).count(Verdict.TOUCHING) == 2
    monkeypatch.setattr(pair_evidence, "_COPLANAR", 2)
    assert len(list(steps(bpy.context, Settings("ALL", "", "", None, 0.0)))) == at_once + 2
    assert verdicts() == expected
