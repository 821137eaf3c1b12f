# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that turn many times between two frames, or jump back while they are fast, against dense samples."""

import math
from itertools import product

import bpy
import numpy as np
import pytest

from collision_kit.addon.motion import sampling
from collision_kit.addon.scene.animation.frames import frame_kept
from tests.helpers.blender.bridge_scene import add
from tests.helpers.blender.motion_scene import box, by_name, checked, curves_of, keyed
from tests.helpers.offline import slow

pytestmark = pytest.mark.usefixtures("scene")

# Frames: what a first contact may be off, and to what the oracle finds it.
RIGHT, FINE = 1e-3, 1e-6

# Degrees per frame. Those in between take no other way.
RATES = (10, 90, 200, 360, 540, 560, 720, 880, 1080, 1440, 2160, 2880, 3000)
MORE_RATES = (*range(29, 200, 38), *range(248, 3001, 108))


def places(go, ob: bpy.types.Object, frames) -> tuple[np.ndarray, np.ndarray]:
    """The corners (T, 8, 3) of a box in each frame as the scene is evaluated there, and its axes (T, 3, 3)."""
    local = np.array([tuple(corner) for corner in ob.bound_box])
    matrices = np.empty((len(frames), 4, 4))
    for number, frame in enumerate(frames):
        go(frame)
        matrices[number] = ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    axes = matrices[:, :3, :3].transpose(0, 2, 1)
    return local @ axes + matrices[:, None, :3, 3], axes / np.linalg.norm(axes, axis=2, keepdims=True)


def overlap(one: tuple[np.ndarray, np.ndarray], two: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Whether two boxes overlap in each frame (T,): separating axes, one after the other."""
    crossed = [np.cross(one[1][:, a], two[1][:, b]) for a, b in product(range(3), repeat=2)]
    apart = np.zeros(len(one[0]), dtype=bool)
    for axis in (*one[1].transpose(1, 0, 2), *two[1].transpose(1, 0, 2), *crossed):
        # Of parallel edges the axis is zero, and separates nothing.
        low, high = (np.einsum("tci,ti->tc", corners, axis) for corners in (one[0], two[0]))
        far = np.maximum(low.min(axis=1) - high.max(axis=1), high.min(axis=1) - low.max(axis=1))
        apart |= (far > 0.0) & (np.linalg.norm(axis, axis=1) > 1e-6)
    return ~apart


def oracle(mover: bpy.types.Object, others, begin: float, end: float, step: float) -> list[tuple[float, float] | None]:
    """The first and the last frame in which a mover overlaps each of others that stand still."""
    frames = np.linspace(begin, end, math.ceil((end - begin) / step) + 1).tolist()
    found: list[tuple[float, float] | None] = []
    with frame_kept(bpy.context) as go:
        moving = places(go, mover, frames)

        def change(other, apart: float, touching: float) -> float:
            while abs(touching - apart) > FINE:
                middle = (apart + touching) / 2.0
                inside = overlap(places(go, mover, [middle]), places(go, other, [middle]))[0]
                apart, touching = (apart, middle) if inside else (middle, touching)
            return touching

        for other in others:
            corners, axes = places(go, other, frames[:1])
            inside = overlap(moving, (corners.repeat(len(frames), axis=0), axes.repeat(len(frames), axis=0)))
            seen = np.flatnonzero(inside).tolist()
            if not seen:
                found.append(None)
                continue
            first, last = seen[0], seen[-1]
            entry = change(other, frames[first - 1], frames[first]) if first else begin
            found.append((entry, change(other, frames[last + 1], frames[last]) if last + 1 < len(frames) else end))
    return found


# What turns fast


def blade(degrees: float, frames: int = 1, **fields) -> bpy.types.Object:
    turn = math.radians(degrees * frames)
    return keyed(
        box("Blade", half=(5, 0.1, 0.1)), "rotation_euler", [(1, (0, 0, 0)), (1 + frames, (0, 0, turn))], **fields
    )


def post() -> bpy.types.Object:
    return box("Post", (0, 4, 0), (0.1, 0.1, 0.1))


@pytest.mark.parametrize("degrees", [*RATES, *slow(*MORE_RATES)])
def test_a_blade_meets_a_post_in_the_right_frame_however_fast_it_turns(degrees: int) -> None:
    turning, standing = blade(degrees, frames := max(1, 180 // degrees)), post()
    (truth,) = oracle(turning, [standing], 1.0, 1.0 + frames, 1.0 / degrees)
    assert truth is not None
    report = checked(end=1 + frames)
    contact = by_name(report)["Blade", "Post"]
    assert contact.first == pytest.approx(truth[0], abs=RIGHT)
    assert contact.last == pytest.approx(truth[1], abs=2.0 * RIGHT)
    assert contact.decided
    assert report.issues == ()
    assert report.deviation_left.distance <= report.deviation_allowed


@pytest.mark.parametrize("degrees", [10, 720, *slow(1440), 2880])
def test_coarse_deviation_does_not_hide_turns(degrees: int) -> None:
    turning, standing = blade(degrees, frames := max(1, 180 // degrees)), post()
    (truth,) = oracle(turning, [standing], 1.0, 1.0 + frames, 1.0 / degrees)
    report = checked(end=1 + frames, deviation=20.0)
    assert truth is not None
    assert by_name(report)["Blade", "Post"].first == pytest.approx(truth[0], abs=RIGHT)


@pytest.mark.parametrize("degrees", [7000, 20000, *slow(36000, 72000, 100800)])
def test_what_turns_too_fast_to_be_followed_is_found_or_reported(degrees: int) -> None:
    turning, standing = blade(degrees), post()
    (truth,) = oracle(turning, [standing], 1.0, 1.0 + 180.0 / degrees, 1.0 / degrees)
    report = checked(end=2)
    assert truth is not None
    contact = by_name(report).get(("Blade", "Post"))
    assert report.issues or (contact is not None and contact.first == pytest.approx(truth[0], abs=RIGHT))


@pytest.mark.parametrize("degrees", [*slow(850), 1440])
def test_what_is_carried_round_many_times_between_frames_meets_what_is_on_its_way(degrees: int) -> None:
    hub = keyed(add("Hub"), "rotation_euler", [(1, (0, 0, 0)), (3, (0, 0, math.radians(2 * degrees)))])
    carried, standing = box("Carried", (4, 0, 0), (0.2, 0.2, 0.2), parent=hub), post()
    (truth,) = oracle(carried, [standing], 1.0, 3.0, 1.0 / degrees)
    assert truth is not None
    report = checked(end=3)
    contact = by_name(report).get(("Carried", "Post"))
    right = contact is not None and (contact.first, contact.last) == pytest.approx(truth, abs=2.0 * RIGHT)
    # Of a circle the way is taken to be straight from sample to sample, which goes so far and no farther.
    assert right or "motion-strays" in [found.id for found in report.issues]


@pytest.mark.parametrize("speed", ["560", *slow("720 + 40 * frame", "90 * frame ** 2")])
def test_a_driven_wheel_that_rolls_by_and_gets_faster(speed: str) -> None:
    turning = box("Blade", half=(5, 0.1, 0.1))
    turning.driver_add("rotation_euler", 2).driver.expression = f"radians(({speed}) * (frame - 1))"
    keyed(turning, "location", [(1, (0, 12, 0)), (5, (0, 2, 0))])
    standing = box("Post", half=(0.1, 0.1, 0.1))
    (truth,) = oracle(turning, [standing], 2.0, 4.5, 1.0 / 1000.0)
    assert truth is not None
    report = checked(end=5)
    assert by_name(report)["Blade", "Post"].first == pytest.approx(truth[0], abs=RIGHT)


def test_even_motion_costs_two_evaluations_a_frame_and_no_more() -> None:
    """The end of each frame and one time within; then what is needed for the one contact."""
    keyed(box("Slider"), "location", [(1, (0, 0, 0)), (11, (9, 0, 0))])
    keyed(box("Wheel", (0, 20, 0)), "rotation_euler", [(1, (0, 0, 0)), (11, (0, 0, math.radians(1500)))])
    assert checked(end=11).frames_visited == 1 + 2 * 10


# What jumps


def looping(path: tuple[tuple[float, tuple[float, float, float]], ...], how: str) -> bpy.types.Object:
    """A box that goes along a path, and back to its beginning at once."""
    mover = keyed(box("Mover"), "location", path)
    if how == "modifier":
        for curve in curves_of(mover):
            curve.modifiers.new("CYCLES")
    else:
        action = mover.animation_data.action
        mover.animation_data.action = None
        strip = mover.animation_data.nla_tracks.new().strips.new("Loop", 1, action)
        strip.repeat = 3
    return mover


@pytest.mark.parametrize("how", ["modifier", "strip"])
def test_a_fast_loop_that_jumps_back_meets_nothing_on_the_way(how: str) -> None:
    mover = looping(((1, (-10, 0, 0)), (11, (0, 10, 0)), (21, (10, 0, 0))), how)
    wall = box("Wall")
    assert oracle(mover, [wall], 1.0, 61.0, 1.0 / 40.0) == [None]
    report = checked(end=61)
    assert report.contacts == ()
    assert [(found.id, found.object) for found in report.issues] == [("motion-jumps", "Mover")]
    assert "jumps 2 times" in report.issues[0].message


QUICK = ((0.05, 60.0, 3.0), (1.0, 4.0, 2.371), (4.0, -60.0, 3.0), (15.0, 60.0, 2.371))
OTHERS = set(product((0.05, 0.3, 1.0, 4.0, 15.0), (4.0, 60.0, -60.0), (3.0, 2.371))) - set(QUICK)


@pytest.mark.parametrize("case", [*QUICK, *slow(*sorted(OTHERS))])
def test_jumps_of_any_size_at_any_speed(case: tuple[float, float, float]) -> None:
    """It goes by at one side, and jumps along X through one wall; others are where it goes and where it arrives."""
    speed, size, period = case
    rise = speed * period
    mover = looping(((1.0, (0, 0, 0)), (1.0 + period, (size, rise, 0))), "modifier")
    walls = [
        box("Before", (size * 0.9, rise * 0.9 + 0.3, 0.0), (0.05, 0.05, 0.05)),
        box("Arrival", (0.0, 0.52, 0.0), (0.05, 0.05, 0.05)),
        box("Between", (size / 2.0, rise / 4.0 - 0.6, 0.0), (0.05, 0.05, 0.05)),
    ]
    report = checked(end=9)
    found = by_name(report)
    truths = oracle(mover, walls, 1.0, 9.0, min(0.02, 0.5 * period / math.hypot(size, rise)))
    for wall, truth in zip(walls, truths, strict=True):
        contact = found.get(("Mover", wall.name)) or found.get((wall.name, "Mover"))
        assert (contact is None) == (truth is None), wall.name
        if contact is not None and truth is not None:
            assert contact.first == pytest.approx(truth[0], abs=RIGHT), wall.name
    assert [one.id for one in report.issues] == ["motion-jumps"]


def random_loop(seed: int) -> tuple[bpy.types.Object, list[bpy.types.Object]]:
    generator = np.random.default_rng(seed)
    mover = box("Mover", half=generator.uniform(0.2, 0.8, 3))
    frames = [1.0, *(1.0 + np.cumsum(generator.uniform(0.3, 3.0, generator.integers(1, 4)))).tolist()]
    if seed % 2:
        frames = sorted({float(math.ceil(frame)) for frame in frames})
    size = 10.0 ** generator.uniform(-0.3, 1.5)
    reach = np.array([size, size, 0.05 * size])
    keys = [(frame, tuple(generator.uniform(-reach, reach))) for frame in frames]
    keyed(mover, "location", keys, "BEZIER" if seed % 3 else "LINEAR")
    turn = 10.0 ** generator.uniform(-1.0, 1.2)
    keyed(mover, "rotation_euler", [(frame, tuple(generator.uniform(-turn, turn, 3))) for frame in frames])
    for curve in curves_of(mover):
        curve.modifiers.new("CYCLES")
    at = generator.uniform(-reach, reach, (12, 3))
    return mover, [box(f"Wall {n}", at[n], generator.uniform(0.05, 0.3, 3)) for n in range(len(at))]


@pytest.mark.parametrize("seed", [1, *slow(*range(2, 24))])
def test_random_loops_against_dense_sampling(seed: int) -> None:
    mover, walls = random_loop(seed)
    step = 1.0 / 200.0
    truths = oracle(mover, walls, 1.0, 9.0, step)
    found = by_name(checked(end=9))
    for wall, truth in zip(walls, truths, strict=True):
        contact = found.get(("Mover", wall.name))
        if truth is not None:
            assert contact is not None, wall.name
            # What is nearer than two frames of the oracle it does not see.
            assert contact.first == pytest.approx(truth[0], abs=RIGHT) or contact.last - contact.first < step
        elif contact is not None:
            assert contact.last - contact.first < step
            at = oracle(mover, [wall], contact.first - RIGHT, contact.last + RIGHT, RIGHT / 100.0)
            assert at != [None], "nothing is there"


def test_what_trembles_does_not_jump() -> None:
    trembling = box("Trembling")
    box("Far", (0, 50, 0))
    trembling.driver_add("location", 0).driver.expression = "sin(frame * frame * 1000)"
    # Nothing is by chance where it was.
    report = checked(end=5, deviation=1e-5)
    assert [found.id for found in report.issues] == ["motion-strays"]


def test_what_even_motion_promises_is_not_believed_where_the_scene_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A jump that is not told from fast motion is taken to go the way between, and meets nothing there all the same."""
    monkeypatch.setattr(sampling, "STEEPEST", 1.0)
    looping(((1, (-10, 0, 0)), (11, (0, 10, 0)), (21, (10, 0, 0))), "modifier")
    box("Wall")
    report = checked(end=41)
    assert [found.id for found in report.issues] == ["motion-strays"], "a test of nothing otherwise"
    assert report.contacts == ()


@pytest.mark.parametrize("period", [2.02, 2.03, 2.04, 2.05])
def test_what_is_met_just_after_a_jump_is_found(period: float) -> None:
    """Within a hundredth of a frame, gone again before the next sample."""
    mover = keyed(box("Mover", half=(0.05,) * 3), "location", [(1, (0, 0, 0)), (1 + period, (15 * period, 0, 0))])
    for curve in curves_of(mover):
        curve.modifiers.new("CYCLES")
    wall = box("Wall", (0.1, 0, 0), (0.01, 0.3, 0.3))
    (truth,) = oracle(mover, [wall], 2.0, 3.5, 1e-3)
    assert truth is not None
    assert by_name(checked(start=2, end=4))["Mover", "Wall"].first == pytest.approx(truth[0], abs=RIGHT)


def test_a_fast_way_of_a_hundredth_of_a_frame_is_no_jump() -> None:
    keys = [(1, (-10, 0, 0)), (10, (-3, 0, 0)), (10.01, (3, 0, 0)), (20, (10, 0, 0))]
    mover, wall = keyed(box("Mover", half=(0.25,) * 3), "location", keys), box("Wall", half=(0.25,) * 3)
    (truth,) = oracle(mover, [wall], 9.99, 10.02, 1e-4)
    report = checked(end=20)
    assert truth is not None
    assert by_name(report)["Mover", "Wall"].first == pytest.approx(truth[0], abs=RIGHT)
    assert "motion-jumps" not in [found.id for found in report.issues]
