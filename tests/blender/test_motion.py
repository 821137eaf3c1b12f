# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion: when bodies first touch between frames, who is tested, and that nothing is changed by finding out."""

import math
from contextlib import closing
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.model.motion_report import MotionRequest
from collision_kit.addon.motion.check import motion, steps
from collision_kit.addon.scene.animation.poses import PoseReader
from examples import motion as example
from tests.helpers.blender.bridge_scene import add, add_collection, add_instance, cube_mesh, l_mesh, with_setting
from tests.helpers.blender.motion_scene import box, by_name, checked, curves_of, keyed, slider

pytestmark = pytest.mark.usefixtures("scene")

# Frames: what a first contact may be off.
RIGHT = 1e-3


def state() -> list[object]:
    """Everything of the scene that animation may change."""
    scene = bpy.context.scene
    return [
        (scene.frame_current, scene.frame_subframe, scene.camera),
        *(
            (ob.name, tuple(ob.location), tuple(ob.rotation_euler), tuple(ob.scale), tuple(map(tuple, ob.matrix_world)))
            for ob in scene.objects
        ),
    ]


# The example


def test_the_example_s_contacts_and_only_they_are_found_at_their_frames() -> None:
    planted = {tuple(sorted((one.a, one.b))): one.frame for one in example.build()}
    before = state()
    report = motion(bpy.context, "ALL")
    found = by_name(report)
    assert found.keys() == planted.keys()
    for names, contact in found.items():
        assert contact.first == pytest.approx(planted[names], abs=RIGHT)
        assert contact.decided
        assert not contact.started_touching
        assert not contact.per_frame
        assert contact.proved_until == contact.first
    assert state() == before
    through = found["Bolt", "Sheet"]
    assert math.floor(through.first) == math.floor(through.last), "in touch at no whole frame"
    assert report.deviation_left.distance <= report.deviation_allowed
    assert (report.start, report.end, report.fps) == (1, 60, 24.0)


def test_the_example_can_be_built_as_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "motion.blend"
    assert example.main([str(target)]) == 0
    assert "5 planted contacts" in capsys.readouterr().out
    assert target.exists()
    assert example.main([]) == 2


# First and last contact


def test_where_when_and_how_deep() -> None:
    slider()
    box("Wall", (0.25, 0.0, 0.0))
    contact = by_name(checked())["Mover", "Wall"]
    assert contact.first == pytest.approx(5.25, abs=RIGHT)
    assert contact.last == pytest.approx(7.25, abs=RIGHT)
    assert (contact.deepest, contact.depth) == (pytest.approx(6.0), pytest.approx(0.75, abs=1e-5))
    assert contact.normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-5)
    assert contact.point[0] == pytest.approx(-0.25, abs=1e-4)
    assert (np.diff(contact.path[:, 0]) > 0.0).all()
    assert contact.path[[0, -1], 0] == pytest.approx([contact.first, contact.last])


def test_names_are_in_order_and_the_normal_goes_from_the_first_to_the_second() -> None:
    slider("Z")
    # It is not there at first, and so comes after the other wherever things are counted as they appear.
    keyed(box("A", (0.25, 0.0, 0.0)), "hide_viewport", [(1, True), (3, False)])
    report = checked()
    (contact,) = report.contacts
    assert [report.bodies[body].name for body in (contact.body_a, contact.body_b)] == ["A", "Z"]
    assert contact.normal == pytest.approx((-1.0, 0.0, 0.0), abs=1e-5)
    assert [report.shapes[shape].object for shape in (contact.shape_a, contact.shape_b)] == ["A", "Z"]
    assert [report.bodies[shape.body].name for shape in report.shapes] == [shape.object for shape in report.shapes]


def test_evidence_has_both_bodies_as_they_touch() -> None:
    slider()
    box("Wall", (0.25, 0.0, 0.0))
    run = steps(bpy.context, MotionRequest("ALL", start=1, end=12))
    while True:
        try:
            next(run)
        except StopIteration as finished:
            report, evidence = finished.value
            break
    (contact,) = report.contacts
    world = evidence.world_at(contact)
    (a,), (b,) = (evidence.rows_of(contact, body) for body in (contact.body_a, contact.body_b))
    assert world.distance([[a, b]]).distance[0] == pytest.approx(0.0, abs=1e-4)


def test_touching_at_the_start_is_said_and_lasts_as_long_as_nothing_moves() -> None:
    box("Floor", (0.0, 0.0, -1.0))
    box("Crate")
    slider("Passing", y=9.0)
    contact = by_name(checked())["Crate", "Floor"]
    assert contact.started_touching
    assert (contact.first, contact.last, contact.depth) == (1.0, 12.0, pytest.approx(0.0, abs=1e-6))


def test_what_parts_and_meets_again_has_its_last_contact_at_the_end() -> None:
    mover = box("Mover")
    keyed(mover, "location", [(1, (0, 0, 0)), (4, (3, 0, 0)), (7, (3, 0, 0)), (11, (-1, 0, 0)), (12, (-1, 0, 0))])
    box("Wall", (1.0, 0.0, 0.0))
    contact = by_name(checked())["Mover", "Wall"]
    assert contact.started_touching
    assert contact.last == pytest.approx(10.0, abs=RIGHT)
    assert contact.depth == pytest.approx(1.0, abs=1e-5)


def test_a_landing_that_just_touches_is_found() -> None:
    lander = box("Lander")
    keyed(lander, "location", [(1, (0, 0, 3.0)), (9, (0, 0, 0.5)), (12, (0, 0, 0.5))], "BEZIER")
    box("Ground", (0.0, 0.0, -0.5))
    contact = by_name(checked())["Ground", "Lander"]
    # It slows down to nothing, so that float32 cannot tell the last hundredths of a frame from rest.
    assert contact.first == pytest.approx(9.0, abs=0.05)
    assert contact.last == 12.0


@pytest.mark.parametrize("gap", [0.01, 1e-3])
def test_what_only_comes_near_is_not_in_touch(gap: float) -> None:
    slider(y=1.0 + gap)
    box("Wall")
    turning = keyed(box("Turning", (0, 20, 0), (2.0, 0.1, 0.1)), "rotation_euler", [(1, (0, 0, 0)), (12, (0, 0, 9.0))])
    box("Post", (math.hypot(2.0, 0.1) + gap + 0.5, 20.0, 0.0))
    assert turning
    assert checked().contacts == ()


def test_meshes_that_are_not_convex_are_met_where_they_are() -> None:
    """Into the notch of an L, of which a hull would be met earlier; and an L that turns its notch on to a post."""
    add("L", l_mesh())
    keyed(box("Small", half=(0.2, 0.2, 0.2)), "location", [(1, (1.6, 6.0, 0.5)), (11, (1.6, -4.0, 0.5))])
    keyed(add("Turning", l_mesh(), at=(20, 0, 0)), "rotation_euler", [(1, (0, 0, 0)), (11, (0, 0, 3.0))])
    box("Post", (21.5, 1.5, 0.5), (0.2, 0.2, 0.2))
    found = by_name(checked())
    assert found["L", "Small"].first == pytest.approx(5.8, abs=RIGHT)
    # The post's corner is on the upper face of the L's foot, which is at a height of 1.
    corner = math.hypot(1.7, 1.3)
    turned = math.asin(1.3 / corner) - math.asin(1.0 / corner)
    assert found["Post", "Turning"].first == pytest.approx(1.0 + turned / 0.3, abs=RIGHT)


# Who moves, and by what


def test_bones_constraints_instances_and_colliders_move_what_hangs_on_them() -> None:
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("Bone")
    bone.head, bone.tail = (0, 0, 0), (0, 1, 0)
    bpy.ops.object.mode_set(mode="OBJECT")
    keyed(rig.pose.bones["Bone"], "location", [(1, (-5, 0, 0)), (11, (5, 0, 0))], holder=rig)
    held = box("Held", (0, -1, 0), parent=rig)
    held.parent_type, held.parent_bone = "BONE", "Bone"
    box("Wall 1", (0.25, 0.0, 0.0))

    leader = keyed(add("Leader"), "location", [(1, (-5, 10, 0)), (11, (5, 10, 0))])
    follower = box("Follower", (0, 0, 0))
    follower.constraints.new("COPY_LOCATION").target = leader
    box("Wall 2", (0.35, 10.0, 0.0))

    kept = add_collection("Kept", parent=False)
    add("Inner", cube_mesh((0.5, 0.5, 0.5)), collection=kept)
    keyed(add_instance("Copy", kept), "location", [(1, (-5, 20, 0)), (11, (5, 20, 0))])
    box("Wall 3", (0.45, 20.0, 0.0))

    body = slider("Body", y=30.0)
    box("UCX_Body", (0, 0, 0), (1.0, 0.5, 0.5), parent=body)
    box("Wall 4", (0.55, 30.0, 0.0))

    found = by_name(checked())
    frames = {
        ("Held", "Wall 1"): 5.25,
        ("Follower", "Wall 2"): 5.35,
        ("Copy/Inner", "Wall 3"): 5.45,
        ("Body", "Wall 4"): 5.05,
    }
    assert found.keys() == frames.keys()
    for names, frame in frames.items():
        assert found[names].first == pytest.approx(frame, abs=RIGHT), names


def test_a_half_space_and_round_shapes() -> None:
    ground = with_setting(box("Ground", half=(1, 1, 0.0)), "HALF_SPACE")
    ball = with_setting(box("Ball", (40.0, 0.0, 3.0)), "SPHERE")
    keyed(ball, "location", [(1, (40, 0, 3.0)), (11, (40, 0, -1.0))])
    assert ground
    assert by_name(checked())["Ball", "Ground"].first == pytest.approx(1 + 2.5 / 0.4, abs=RIGHT)


def test_only_the_scope_is_tested() -> None:
    first, second = add_collection("First"), add_collection("Second")
    for number, collection in enumerate((first, second)):
        for name in ("Mover", "Wall"):
            ob = box(f"{name} {number}", (0.25, 0.0, 0.1 * number), collection=collection)
            if name == "Mover":
                keyed(ob, "location", [(1, (-5, 0, 0)), (11, (5, 0, 0))])
    assert by_name(checked(scope="COLLECTION", collection_a="First")).keys() == {("Mover 0", "Wall 0")}
    across = by_name(checked(scope="COLLECTIONS", collection_a="First", collection_b="Second"))
    assert {tuple(name[-1] for name in names) for names in across} == {("0", "1"), ("1", "0")}
    for ob in first.objects:
        ob.select_set(True)
    assert by_name(checked(scope="SELECTED")).keys() == {("Mover 0", "Wall 0")}


def test_what_is_hidden_is_tested_when_it_is_seen() -> None:
    slider()
    ghost = keyed(box("Ghost", (0.25, 0.0, 0.0)), "hide_viewport", [(1, True), (12, True)])
    assert ghost
    assert checked(scope="VISIBLE").contacts == ()
    slider("Later", y=10.0)
    keyed(box("Door", (0.25, 10.0, 0.0)), "hide_viewport", [(1, True), (6, False)])
    contact = by_name(checked(scope="VISIBLE"))["Door", "Later"]
    assert contact.first == pytest.approx(6.0, abs=RIGHT)


# Nothing is changed


def test_the_scene_is_put_back_also_when_it_is_stopped_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    mover = slider()
    box("Wall", (0.25, 0.0, 0.0))
    scene = bpy.context.scene
    scene.frame_set(3, subframe=0.25)
    mover.location = (7.0, 8.0, 9.0)  # not keyed
    bpy.context.view_layer.update()
    before = state()
    checked()
    assert state() == before
    request = MotionRequest("ALL", start=1, end=12)
    with closing(steps(bpy.context, request)) as run:
        for _ in range(9):
            next(run)
        assert scene.frame_current != 3
    assert state() == before

    def fail(*_arguments) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr("collision_kit.addon.motion.search.distance_steps", fail)
    with pytest.raises(RuntimeError, match="on purpose"):
        checked()
    assert state() == before
    assert len(curves_of(mover)) == 3


def test_progress_runs_from_the_first_frame_to_the_last() -> None:
    slider()
    box("Wall", (0.25, 0.0, 0.0))
    done = [progress.done for progress in steps(bpy.context, MotionRequest("ALL", start=1, end=12))]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (1, 12)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"start": 5, "end": 4}, "ends at 4, before its start at 5"),
        ({"end": 10**7}, "Frame out of range:"),
        ({"scope": "COLLECTION", "collection_a": "Nowhere"}, "There is no collection 'Nowhere'"),
        ({"deviation": -1.0}, "deviation"),
    ],
)
def test_bad_requests_are_refused(request_: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        checked(**request_)


def test_an_empty_scene_and_a_single_frame() -> None:
    assert checked().contacts == ()
    box("A")
    box("B", (0.5, 0, 0))
    report = checked(start=4, end=4)
    assert [contact.started_touching for contact in report.contacts] == [True]
    assert report.contacts[0].first == report.contacts[0].last == 4.0


def test_samples_are_not_evaluated_again_to_search_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    slider(begin=(1, -5.3))
    box("Post")
    frames: list[float] = []
    sample = PoseReader.sample

    def noted(self, frame: float, *arguments, **options):
        frames.append(frame)
        return sample(self, frame, *arguments, **options)

    monkeypatch.setattr(PoseReader, "sample", noted)
    (contact,) = checked().contacts
    assert contact.first < contact.last < 12
    whole = [frame for frame in frames if frame.is_integer()]
    assert whole == sorted(set(whole))
