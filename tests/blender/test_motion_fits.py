# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits that move: judged by how deep a point of one is in the other, as a collision check does."""

import json
import math
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.motion.contact_records import ContactRecord
from collision_kit.addon.reports.motion import motion_as_text
from collision_kit.addon.ui.panels.contact import COLLISION_KIT_PT_contact
from collision_kit.core import Verdict, World
from tests.helpers.blender.fits_scene import boxes, plug, tube
from tests.helpers.blender.motion_scene import by_name, checked, keyed
from tests.helpers.blender.panel_recorder import drawn
from tests.helpers.offline import slow
from tests.helpers.report_schemas import mistakes

pytestmark = pytest.mark.usefixtures("scene")

SIDES, RADIUS, HALF = 8, 1.0, 0.5


def pose(turn: float, along: float = 0.0, spin: float = 0.0) -> Matrix:
    """Somewhere askew, then along the axis of the hole and around it."""
    askew = Matrix.Translation((3.0, -2.0, 1.0)) @ Matrix.Rotation(turn, 4, Vector((1.0, 2.0, 0.5)))
    return askew @ Matrix.Translation((0.0, 0.0, along)) @ Matrix.Rotation(spin, 4, "Z")


def peg(radius: float, turn: float, keys: list[tuple[float, float, float]]) -> None:
    """A block with a hole, and a peg on its way along the hole and around: frame, way and angle of each key."""
    block, moving = tube("Block", SIDES, RADIUS, 2.0 * RADIUS, HALF), plug("Peg", SIDES, radius, HALF)
    block.matrix_world = pose(turn)
    moving.rotation_mode = "QUATERNION"
    for path, number in (("location", 0), ("rotation_quaternion", 1)):
        poses = [(frame, pose(turn, along, spin).decompose()[number]) for frame, along, spin in keys]
        keyed(moving, path, poses)
    bpy.context.view_layer.update()


SLIDES = [(1, 0.0, 0.0), (6, 0.3, 0.0), (12, -0.2, 0.0)]


@pytest.mark.parametrize("turn", [0.7, *slow(0.0)])
def test_a_peg_that_slides_in_its_hole_touches(turn: float) -> None:
    peg(RADIUS, turn, SLIDES)
    report = checked()
    contact = by_name(report)["Block", "Peg"]
    assert contact.started_touching
    assert (contact.first, contact.last) == (1.0, 12.0)
    assert contact.verdict == Verdict.TOUCHING
    assert contact.depth < 1e-5
    text = motion_as_text(report)
    assert "touching" in text
    assert "deep" not in text


@pytest.mark.parametrize("turn", [0.7, *slow(0.0)])
def test_a_peg_that_goes_into_its_hole_touches_and_leaves(turn: float) -> None:
    peg(RADIUS, turn, [(1, 2.5, 0.0), (11, 0.0, 0.0), (21, -2.5, 0.0)])
    contact = by_name(checked(end=21))["Block", "Peg"]
    # Its faces are as far from its middle as those of the block: they meet 1 of the 2.5 before it is in place.
    assert contact.first == pytest.approx(7.0, abs=1e-2)
    assert contact.last == pytest.approx(15.0, abs=1e-2)
    assert contact.verdict == Verdict.TOUCHING


def test_a_press_fit_that_slides_has_its_interference_and_a_separating_translation() -> None:
    peg(1.002 * RADIUS, 0.7, SLIDES)
    report = checked()
    contact = by_name(report)["Block", "Peg"]
    # A corner of the peg is as far from the corner of the hole.
    assert contact.verdict == Verdict.PENETRATING
    assert contact.depth == pytest.approx(0.002 * RADIUS, rel=0.01)
    assert contact.distance < -0.4
    text = motion_as_text(report)
    assert "interference; " in text
    assert " to separate at " in text


def test_how_far_meshes_have_to_move_is_measured_when_it_is_asked_for(monkeypatch, tmp_path, capfd) -> None:
    def measured(_self: World, _pairs: object) -> None:
        raise AssertionError("measured")

    peg(1.002 * RADIUS, 0.7, SLIDES)
    path = tmp_path / "fit.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))

    def told(*options: str) -> str:
        capfd.readouterr()
        assert commands.command(["motion", str(path), "--frames", "1:12", *options]) == 0
        return capfd.readouterr().out

    with monkeypatch.context() as patched:
        patched.setattr(World, "distance", measured)
        report = checked()
        assert " deep at " in told()
        found = json.loads(told("--format", "json", "--evidence", "none"))
        assert found["contacts"][0]["deepest"]["distance"] is None
        assert mistakes("motion", found) == []
        with pytest.raises(AssertionError, match="measured"):
            by_name(report)["Block", "Peg"].distance  # noqa: B018  it is measured now
    distance = by_name(report)["Block", "Peg"].distance
    assert json.loads(told("--format", "json"))["contacts"][0]["deepest"]["distance"] == distance < -0.4
    assert " to separate at " in told("--evidence", "all")


@pytest.mark.slow
def test_each_frame_says_what_a_check_of_it_says() -> None:
    """A peg that turns in its hole: the corners cut into the sides, most of all half-way to the next side."""
    half = math.pi / SIDES
    peg(RADIUS, 0.7, [(1, 0.0, 0.0), (9, 0.1, half), (17, 0.2, 2.0 * half)])
    contact = by_name(checked(end=17))["Block", "Peg"]
    depths = {}
    for frame in (1, 5, 8, 9, 10, 17):
        bpy.context.scene.frame_set(frame)
        (pair,) = api.check_collisions(scope="ALL").pairs
        depths[frame] = pair.interference
        assert pair.verdict == (Verdict.TOUCHING if frame in (1, 17) else Verdict.PENETRATING)
    assert contact.verdict == Verdict.PENETRATING
    assert contact.deepest == max(depths, key=depths.__getitem__) == 9
    assert contact.depth == pytest.approx(RADIUS * (1.0 - math.cos(half)), rel=0.01)
    assert contact.depth == pytest.approx(depths[9], rel=1e-3)


def test_what_is_deepest_is_not_what_has_the_longest_separating_translation() -> None:
    """A block in a slot is far from free; the same block pressed through one wall later is deeper and nearly free."""
    boxes("Slot", ((0, 0, 0), (1, 4, 4)), ((2, 0, 0), (1, 4, 4)))
    block = boxes("Block", ((0, 0, 0), (1.002, 1, 1)))
    keyed(block, "location", [(1, (0.999, 1, 1)), (6, (0.999, 2, 1)), (11, (2.9, 2, 1)), (12, (2.9, 2, 1))])
    contact = by_name(checked())["Block", "Slot"]
    assert contact.verdict == Verdict.PENETRATING
    assert 6.0 < contact.deepest < 11.0
    assert contact.depth > 0.4


def test_the_panel_tells_one_depth_of_a_fit() -> None:
    peg(1.002 * RADIUS, 0.7, SLIDES)
    bpy.context.scene.collision_kit.scope = "ALL"
    bpy.context.scene.frame_end = 12
    assert bpy.ops.collision_kit.check_motion() == {"FINISHED"}
    texts = drawn(COLLISION_KIT_PT_contact, bpy.context).texts
    assert {"Penetrating", "Depth"} <= set(texts)
    assert texts.count("Depth") == 1


def test_a_build_can_fail_on_what_penetrates_alone(tmp_path, capfd) -> None:
    codes, told = [], []
    for number, radius in enumerate((RADIUS, 1.002 * RADIUS)):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        peg(radius, 0.7, [(1, 2.5, 0.0), (11, 0.0, 0.0), (12, 0.0, 0.0)])
        path = tmp_path / f"{number}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        capfd.readouterr()
        options = ["--frames", "1:12", "--fail-on", "penetrating", "--format", "json"]
        codes.append(commands.command(["motion", str(path), *options]))
        told.append(json.loads(capfd.readouterr().out)["contacts"][0]["verdict"])
    assert (codes, told) == ([0, 1], ["touching", "penetrating"])


def test_the_greatest_depth_is_kept_and_what_penetrates_once_does() -> None:
    record, sample, rows = ContactRecord(), SimpleNamespace(), np.array([0, 1])
    for frame, depth, penetrates in ((3.0, 0.5, True), (4.0, 0.2, False), (5.0, 0.5, False)):
        record.deepen(frame, depth, penetrates=penetrates, overlap=(sample, rows) if penetrates else None)
    assert (record.deepest, record.depth, record.separation, record.penetrates) == (3.0, 0.5, -0.5, True)
    assert record.overlap == (sample, rows)
    # What is deeper only touches.
    record.deepen(6.0, 0.6, penetrates=False)
    assert (record.deepest, record.separation, record.overlap) == (6.0, -0.6, None)
