# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of parts of one thing in a check of motion: joined parts that stay together, and declared things."""

import json
from pathlib import Path

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.model.motion_report import MotionReport
from collision_kit.addon.scene.settings import NAME, motion_request
from tests.helpers.blender.asset_scene import box
from tests.helpers.blender.command_line import run


@pytest.fixture(autouse=True)
def _cart_and_wall() -> None:
    """A cart of four parts that are not parented moves into a wall. Its lid rises from it and comes back."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 11
    bpy.context.scene.collection.children.link(bpy.data.collections.new("Cart"))
    parts = [
        box("Cart_bed", (0.0, 0.0, 0.45), (1.0, 0.6, 0.55), collection="Cart"),
        box("Cart_left", (0.1, 0.02, 0.0), (0.5, 0.12, 0.47), collection="Cart"),
        box("Cart_right", (0.1, 0.47, 0.0), (0.5, 0.58, 0.47), collection="Cart"),
        box("Cart_post", (0.9, 0.25, 0.53), (0.98, 0.35, 1.2), collection="Cart"),
        box("Cart_lid", (0.2, 0.1, 0.53), (0.7, 0.5, 0.6), collection="Cart"),
    ]
    for part in parts:
        for frame, x in ((1, 0.0), (11, 2.0)):
            part.location.x = x
            part.keyframe_insert("location", frame=frame)
    for frame, z in ((1, 0.0), (5, 1.0), (11, 0.0)):
        parts[-1].location.z = z
        parts[-1].keyframe_insert("location", index=2, frame=frame)
    box("Wall", (2.5, -1.0, 0.1), (2.7, 2.0, 2.0))


def folded(report: MotionReport) -> dict[str, int]:
    return {fold.name: len(contacts) for fold, contacts in report.folds().items()}


def listed(report: MotionReport) -> set[tuple[str, ...]]:
    return {api.names(report, one) for one in report.contacts if report.fold_of(one) is None}


def test_joined_parts_that_stay_together_are_folded_and_what_parts_is_listed() -> None:
    report = api.check_motion(scope="ALL")
    assert folded(report) == {"Cart": 3}
    assert {pair for pair in listed(report) if "Wall" not in pair} == {("Cart_bed", "Cart_lid")}
    assert ("Cart_bed", "Wall") in listed(report)
    between = api.check_motion(scope="COLLECTIONS", collection="Cart", other_collection="Cart", one_thing=["*"])
    assert len(between.contacts) == 4 and folded(between) == {}, "each pair was requested"


def test_contacts_within_a_declared_thing_are_folded_always(tmp_path: Path, capfd) -> None:
    report = api.check_motion(scope="ALL", one_thing=["collection:Cart"])
    assert folded(report) == {"Cart": 4} and all("Wall" in pair for pair in listed(report))
    getattr(bpy.context.scene, NAME).one_thing = "collection:Cart"
    assert [one.text for one in motion_request(bpy.context).one_thing] == ["collection:Cart"]
    path = tmp_path / "cart.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    options = ("--one-thing", "collection:Cart", "--one-thing", "Nothing*", "--format", "json")
    of_option = json.loads(run(capfd, "motion", str(path), *options)[1])
    assert [one["within"] for one in of_option["contacts"] if "Wall" not in (one["a"], one["b"])] == ["Cart"] * 4
    assert [(one["id"], one["object"]) for one in of_option["findings"]] == [("thing-without-objects", "Nothing*")]
    (tmp_path / "collision-kit.toml").write_text('[check]\none_thing = ["collection:Cart"]\n', encoding="utf-8")
    of_file = json.loads(run(capfd, "motion", str(path), "--format", "json")[1])
    assert of_file["folded_counts"] == of_option["folded_counts"] and of_file["folded_counts"]["started"] == 4
