# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion that is hard to follow: bodies that deform or jump, motion that strays, and what the search cannot settle."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.motion import queries as motion_queries
from collision_kit.addon.scene.animation.frames import frame_kept
from collision_kit.core import Verdict
from tests.helpers.blender.motion_scene import box, by_name, checked, keyed, slider

pytestmark = pytest.mark.usefixtures("scene")

# Frames: what a first contact may be off.
RIGHT = 1e-3


# What is not rigid


def test_growing_bodies_are_looked_at_in_samples_and_said_to_deform() -> None:
    keyed(box("Grower"), "scale", [(1, (1, 1, 1)), (11, (3, 1, 1))])
    box("Wall 1", (1.55, 0.0, 0.0))
    bender = box("Bender", (0.0, 10.0, 0.0))
    bender.shape_key_add(name="Basis")
    key = bender.shape_key_add(name="Long")
    for point in key.data:
        point.co.x *= 3.0
    keyed(key, "value", [(1, 0.0), (11, 1.0)], holder=bender.data.shape_keys)
    box("Wall 2", (1.63, 10.0, 0.0))
    report = checked()
    found = by_name(report)
    # Half of what is wanted beyond 0.5, at 0.1 by the frame.
    assert found["Grower", "Wall 1"].first == pytest.approx(1 + 0.55 / 0.1, abs=RIGHT)
    assert found["Bender", "Wall 2"].first == pytest.approx(1 + 0.63 / 0.1, abs=RIGHT)
    for contact in found.values():
        assert contact.per_frame
        assert contact.proved_until < contact.first
    assert report.deforming == ("Bender", "Grower")


def test_a_body_that_deforms_only_between_frames_is_seen() -> None:
    pulse = keyed(box("Pulse"), "scale", [(1, (1, 1, 1)), (5, (1, 1, 1)), (5.5, (9, 1, 1)), (6, (1, 1, 1))])
    box("Wall", (3.0, 0.0, 0.0))
    assert pulse
    contact = by_name(checked())["Pulse", "Wall"]
    assert 5.0 < contact.first < 5.5 < contact.last < 6.0
    assert contact.first == pytest.approx(5 + 0.5 * 4 / 8, abs=RIGHT)


def test_a_body_that_deforms_on_its_way_through_something_between_frames_is_seen() -> None:
    bolt = keyed(box("Bolt", half=(0.2, 0.2, 0.2)), "location", [(1, (-5, 0, 0)), (11, (15, 0, 0))])
    keyed(bolt, "scale", [(1, (1, 1, 1)), (11, (1, 1.5, 1))])
    box("Sheet", (0.1, 0.0, 0.0), (0.005, 1.0, 1.0))
    contact = by_name(checked())["Bolt", "Sheet"]
    assert contact.per_frame
    assert contact.first == pytest.approx(1 + (5.0 + 0.1 - 0.005 - 0.2) / 2.0, abs=RIGHT)
    assert contact.last == pytest.approx(1 + (5.0 + 0.1 + 0.005 + 0.2) / 2.0, abs=2 * RIGHT)


def test_a_static_modifier_leaves_a_body_rigid() -> None:
    slider().modifiers.new("Bevel", "BEVEL").width = 0.01
    box("Wall", (0.25, 0.0, 0.0))
    report = checked()
    assert report.deforming == ()
    assert by_name(report)["Mover", "Wall"].first == pytest.approx(5.25, abs=RIGHT)


def test_a_jump_is_not_a_way() -> None:
    slider(interpolation="CONSTANT")
    box("Wall", (0.25, 0.0, 0.0))
    box("Target", (5.5, 0.0, 0.0))
    report = checked()
    (contact,) = report.contacts
    assert report.pair_name(contact) == "Mover × Target"
    assert contact.first == pytest.approx(11.0, abs=RIGHT)
    assert [found.id for found in report.issues] == ["motion-jumps"]


# How closely motion is followed


def test_a_smaller_deviation_takes_more_samples_and_is_kept() -> None:
    slider(interpolation="BEZIER")
    box("Wall", (0.25, 0.0, 0.0))
    coarse, fine = checked(), checked(deviation=1e-3)
    assert fine.frames_visited > coarse.frames_visited
    assert fine.deviation_left.distance <= 1e-3 < coarse.deviation_left.distance <= coarse.deviation_allowed
    assert fine.deviation_left.object == "Mover"
    first, second = (by_name(report)["Mover", "Wall"].first for report in (coarse, fine))
    assert first == pytest.approx(second, abs=RIGHT)


def test_motion_that_cannot_be_followed_is_reported() -> None:
    shaky = box("Shaky")
    shaky.driver_add("location", 0).driver.expression = "sin(frame * frame * 1000)"
    box("Far", (0, 50, 0))
    report = checked(end=3)
    assert "motion-strays" in [found.id for found in report.issues]
    assert report.deviation_left.distance > report.deviation_allowed


def test_what_swings_between_frames_and_is_back_at_each_is_seen() -> None:
    swinging = box("Swinging")
    swinging.driver_add("location", 0).driver.expression = "2 * sin(pi * (frame - 1)) ** 2"
    box("Wall", (2.0, 0.0, 0.0))
    contact = by_name(checked(end=3))["Swinging", "Wall"]
    # The wall's face is 1 away: the square of the sine is a half.
    assert contact.first == pytest.approx(1.25, abs=RIGHT)


def test_random_motion_against_dense_sampling() -> None:
    """A contact that a check finds anywhere in a dense row of subframes is found, no later; and no long one besides."""
    generator = np.random.default_rng(11)
    dense = 1.0 / 8.0
    for _ in range(2):
        for ob in list(bpy.data.objects):
            bpy.data.objects.remove(ob)
        for number in range(5):
            ob = box(f"Box {number}", half=generator.uniform(0.2, 0.9, 3))
            keys = [(frame, tuple(generator.uniform(-3.0, 3.0, 3))) for frame in (1, 4, 7)]
            keyed(ob, "location", keys, "BEZIER")
            keyed(ob, "rotation_euler", [(frame, tuple(generator.uniform(-2, 2, 3))) for frame in (1, 7)], "BEZIER")
        seen: dict[tuple[str, str], list[float]] = {}
        with frame_kept(bpy.context) as go:
            for frame in np.arange(1.0, 7.0 + dense / 2, dense):
                go(float(frame))
                report = check(bpy.context, "ALL")[0]
                for pair in report.pairs:
                    if pair.verdict >= Verdict.TOUCHING:
                        names = (report.bodies[pair.body_a].name, report.bodies[pair.body_b].name)
                        seen.setdefault(names, []).append(float(frame))
        assert len(seen) > 2, "a test of nothing otherwise"
        found = by_name(checked(end=7))
        assert seen.keys() <= found.keys()
        for names, contact in found.items():
            if names in seen:
                assert seen[names][0] - dense <= contact.first <= seen[names][0] + RIGHT
                assert seen[names][-1] - RIGHT <= contact.last <= seen[names][-1] + dense
            else:
                assert contact.last - contact.first < dense


def test_what_the_search_cannot_settle_is_said_to_be_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allowed one step, it proves little; what samples see in touch is certain all the same."""
    near = keyed(box("Near", half=(2.0, 0.1, 0.1)), "rotation_euler", [(1, (0, 0, 0)), (3, (0, 0, 3.0))])
    box("Post", (2.55, 0.0, 0.0))
    swinging = keyed(box("Swinging", (0, 20, 0), (2.0, 0.1, 0.1)), "rotation_euler", [(1, (0, 0, 0)), (3, (0, 0, 1.0))])
    box("Stop", (0.0, 21.5, 0.0), (2.5, 0.2, 0.2))
    assert near
    assert swinging
    settled = by_name(checked(end=3))
    assert settled.keys() == {("Stop", "Swinging")}
    impacts = motion_queries.time_of_impact

    def hasty(*arguments, **options):
        return impacts(*arguments, **options | {"max_iterations": 1})

    monkeypatch.setattr(motion_queries, "time_of_impact", hasty)
    report = checked(end=3)
    found = by_name(report)
    assert found["Near", "Post"].status == "undecided"
    assert 1.0 <= found["Near", "Post"].proved_until == found["Near", "Post"].first < 3.0
    assert found["Stop", "Swinging"].status == "new"
    assert found["Stop", "Swinging"].first == pytest.approx(settled["Stop", "Swinging"].first, abs=RIGHT)
    assert report.counts() == {"new": 1, "undecided": 1}
