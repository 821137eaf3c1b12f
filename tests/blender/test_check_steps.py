# SPDX-License-Identifier: GPL-3.0-or-later
"""A check in steps: however it is divided, whatever happens meanwhile; in a window with progress, until Esc."""

import itertools
import random
import re
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon import api, check_blocks, stored, watch
from collision_kit.addon import check as checks
from collision_kit.addon.check_blocks import blocks, costs
from collision_kit.addon.operators import check_collisions, run_in_steps
from collision_kit.addon.operators.check_collisions import COLLISION_KIT_OT_check_collisions
from collision_kit.addon.operators.validate_colliders import COLLISION_KIT_OT_validate_colliders
from collision_kit.addon.session import Settings, last
from collision_kit.addon.stepping import exhausted
from collision_kit.addon.validation import session as validation_session
from collision_kit.addon.validation.check import steps as validation_steps
from collision_kit.addon.validation.check import validate
from collision_kit.core import Verdict
from tests.blender import validated_scene
from tests.blender.checked_scene import add_cube, build, check
from tests.blender.live_scene import build_mixed
from tests.blender.panel_recorder import stand_in
from tests.blender.test_culling_operators import Window

pytestmark = pytest.mark.usefixtures("scene")

ALL = Settings("ALL", "", "", None, 0.3)


def taken(steps):
    """What a generator yields, and what it returns."""
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return seen, end.value


def assert_same(report, other) -> None:
    """Two reports are equal, but for the last bits of numbers, which depend on what is computed together."""
    assert len(report.pairs) == len(other.pairs) > 0
    for one, two in zip(report.pairs, other.pairs, strict=True):
        assert (one.body_a, one.body_b, one.verdict) == (two.body_a, two.body_b, two.verdict)
        np.testing.assert_allclose(one.distance, two.distance, rtol=0.0, atol=1e-12)
        assert len(one.contact_points) == len(two.contact_points)
        np.testing.assert_allclose(np.sort(one.contact_depths), np.sort(two.contact_depths), rtol=0.0, atol=1e-12)
    for field in ("frame", "scope", "bodies", "shapes", "findings", "skipped", "touching", "tested", "plane"):
        assert getattr(report, field) == getattr(other, field), field


def detailed(count: int = 3) -> None:
    """Balls of 320 triangles each, tested as the meshes they are, in each other."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3)
    mesh = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    for number in range(count):
        own = mesh.copy()
        own.vertices[number].co *= 1.5
        ob = bpy.data.objects.new(f"Ball {number}", own)
        ob.location.x = 0.4 * number
        bpy.context.scene.collection.objects.link(ob)
        ob.collision_kit.shape = "MESH"
    bpy.context.view_layer.update()


# However it is divided


@pytest.mark.parametrize("plane", [None, "XY"])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("seconds", [0.0, 1e-3])
def test_however_it_is_divided_it_finds_the_same(seconds: float, seed: int, plane: str | None) -> None:
    build_mixed(random.Random(seed), count=24)
    detailed(2)
    settings = ALL._replace(plane=plane)
    whole, _ = exhausted(checks.steps(bpy.context, settings, seconds=np.inf))
    seen, (divided, _) = taken(checks.steps(bpy.context, settings, seconds=seconds))
    assert_same(divided, whole)
    assert any(pair.verdict == Verdict.CONTAINED for pair in whole.pairs) or plane is not None
    assert len(seen) > (whole.tested["candidates"] if not seconds else 3)


def test_it_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "monotonic", itertools.count().__next__)
    build_mixed(random.Random(3), count=24)
    seen, (report, _) = taken(checks.steps(bpy.context, ALL, seconds=0.0))
    reading = [progress for progress in seen if not progress.total]
    testing = seen[len(reading) :]
    assert len(reading) > 1
    assert reading == [(0, 0, 0, 0.0)] * len(reading)
    assert {progress.total for progress in testing} == {report.tested["candidates"]}
    for first, second in itertools.pairwise(testing):
        assert all(one <= two for one, two in zip(first, second, strict=True))
    assert testing[0][:1] + testing[0][2:] == (0, 0, 0.0)
    assert testing[-1].done == report.tested["candidates"]
    assert testing[-1].share == 1.0
    assert testing[-1].collisions == sum(pair.verdict >= Verdict.PENETRATING for pair in report.pairs) > 0


def test_a_check_of_nothing_is_done_in_steps_too() -> None:
    add_cube("Alone", 0.0)
    seen, (report, _) = taken(checks.steps(bpy.context, ALL))
    assert seen == [(0, 0, 0, 0.0)]
    assert report.pairs == ()
    assert len(report.bodies) == 1


def test_a_whole_check_asks_each_question_once(monkeypatch: pytest.MonkeyPatch) -> None:
    build_mixed(random.Random(1), count=24)
    asked = []
    original = checks.Evidence.of.__func__
    monkeypatch.setattr(
        checks.Evidence, "of", classmethod(lambda cls, *given: (asked.append(given), original(cls, *given))[1])
    )
    checks.check(bpy.context, "ALL")
    assert len(asked) == 1
    api.check(scope="ALL")
    assert len(asked) == 2


def test_between_two_steps_it_holds_on_to_nothing() -> None:
    build_mixed(random.Random(4), count=12)
    expected, _ = exhausted(checks.steps(bpy.context, ALL))
    run = checks.steps(bpy.context, ALL, seconds=0.0)
    while not next(run).total:
        pass
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    _, (report, _) = taken(run)
    assert_same(report, expected)
    assert report.scene == expected.scene


def test_objects_that_are_given_are_checked_in_steps() -> None:
    build()
    first, second = bpy.data.objects["First"], bpy.data.objects["Second"]
    _, report = taken(api.check_steps([first, "Second"]))
    assert [api.names(report, pair) for pair in report.pairs] == [("First", "Second")]
    _, report = taken(api.check_steps([second], against=["Third"]))
    assert [api.names(report, pair) for pair in report.pairs] == [("Second", "Third")]
    with pytest.raises(ValueError, match="against: given without objects"):
        next(api.check_steps(against=["First"]))
    with pytest.raises(ValueError, match="clearance"):
        next(api.check_steps(clearance=-1.0))
    with pytest.raises(ValueError, match="there is no collection 'None'"):
        next(api.check_steps(scope="COLLECTION", collection="None"))


# Blocks


def world_of_kinds(rng: np.random.Generator) -> ck.World:
    points = rng.normal(size=(6, 20, 3))
    tetrahedron = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    return ck.World(
        [
            ck.Spheres(rng.normal(size=(10, 3)), np.ones(10)),
            ck.Cylinders(rng.normal(size=(5, 3)), rng.normal(size=(5, 3)) + 3.0, np.ones(5)),
            ck.Boxes(rng.normal(size=(10, 3)), np.ones((10, 3))),
            ck.Hulls.from_points(list(points)),
            ck.HalfSpaces([[0.0, 0.0, 1.0]], [0.0]),
            ck.Meshes.from_triangles([tetrahedron] * 4, rng.normal(size=(4, 3))),
        ]
    )


@pytest.mark.parametrize("seconds", [0.0, 1e-4, 1e-3, 0.1, np.inf])
def test_every_pair_is_in_one_block_and_no_block_takes_longer(seconds: float) -> None:
    world = world_of_kinds(np.random.default_rng(1))
    pairs, bounds = world.pairs(), world.bounds()
    found = blocks(world, bounds, pairs, seconds)
    assert sorted(np.concatenate(found).tolist()) == list(range(len(pairs)))
    cost = costs(world, bounds, pairs)
    assert (cost > 0.0).all()
    assert np.isfinite(cost).all()
    sums = [cost[rows].sum() for rows in found]
    assert all(spent <= seconds * (1.0 + 1e-9) or len(rows) == 1 for spent, rows in zip(sums, found, strict=True))
    # None could take the first pair of the next.
    assert all(spent + cost[after[0]] > seconds for spent, after in zip(sums, found[1:], strict=False))
    kinds = np.sort(world.kind[pairs[np.concatenate(found)]], axis=1)
    changes = np.count_nonzero((np.diff(kinds, axis=0) != 0).any(axis=1))
    assert changes == len(np.unique(kinds, axis=0)) - 1


def test_no_pairs_are_no_blocks() -> None:
    world = world_of_kinds(np.random.default_rng(1))
    assert blocks(world, world.bounds(), np.empty((0, 2), np.int64)) == []


def test_what_is_dear_is_taken_by_itself_and_what_is_cheap_together() -> None:
    rng = np.random.default_rng(2)
    boxes = ck.World([ck.Boxes(rng.normal(size=(200, 3)), np.ones((200, 3)))])
    pairs = np.stack(np.triu_indices(200, 1), axis=1)[:10_000]
    assert len(blocks(boxes, boxes.bounds(), pairs)) <= 2
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4)
    mesh = bpy.context.object.data
    points = np.array([vertex.co[:] for vertex in mesh.vertices])
    mesh.calc_loop_triangles()
    triangles = np.array([triangle.vertices[:] for triangle in mesh.loop_triangles])
    balls = ck.Meshes.from_triangles([(points, triangles)] * 3, [[0, 0, 0], [0.1, 0, 0], [1.95, 0, 0]])
    floor = ck.World([ck.HalfSpaces([[0.0, 0.0, 1.0]], [0.0]), balls])
    deep, shallow, on_floor = costs(floor, floor.bounds(), np.array([[1, 2], [1, 3], [0, 1]]))
    assert deep > check_blocks.BLOCK > shallow > on_floor
    assert len(blocks(floor, floor.bounds(), np.array([[1, 2]] * 20))) == 20
    assert len(blocks(floor, floor.bounds(), np.array([[0, 1]] * 20))) == 1


# In a window


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two steps are taken between two looks at the keyboard, and each tests one pair."""
    monkeypatch.setattr(run_in_steps, "monotonic", itertools.count().__next__)
    monkeypatch.setattr(run_in_steps, "SLICE", 3)
    monkeypatch.setattr(checks, "monotonic", itertools.count().__next__)
    original = checks.steps
    monkeypatch.setattr(check_collisions, "steps", lambda *given: original(*given, seconds=0.0))


class OpenWindow(Window):
    """A window that writes down what the status bar says."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str | None] = []
        shown = self.status_text_set
        self.status_text_set = lambda text: (shown(text), self.texts.append(text))
        self.collision_kit = bpy.context.window_manager.collision_kit
        self.space_data, self.area, self.mode = None, None, "OBJECT"


def begun(operator=COLLISION_KIT_OT_check_collisions):
    """An operator that has been invoked in a window, the window, what it answered, and what it has reported."""
    said: list[tuple[str, str]] = []
    made = stand_in(operator, report=lambda kind, text: said.append((*kind, text)))
    window = OpenWindow()
    return made, window, made.invoke(window, None), said


def event(kind: str) -> SimpleNamespace:
    return SimpleNamespace(type=kind)


def to_the_end(operator, window: Window) -> set[str]:
    for _ in range(10_000):
        answer = operator.modal(window, event("TIMER"))
        if answer != {"RUNNING_MODAL"}:
            return answer
    raise AssertionError("it never ends")


def test_what_is_soon_done_is_done_at_once() -> None:
    build()
    _, window, answer, said = begun()
    assert answer == {"FINISHED"}
    assert (window.open, window.said, window.texts) == (set(), [], [])
    assert len(last.report.pairs) == 3
    assert len(said) == 1


@pytest.mark.usefixtures("slow")
def test_in_a_window_it_tells_how_far_it_is_and_swallows_events() -> None:
    build()
    operator, window, answer, said = begun()
    assert answer == {"RUNNING_MODAL"}
    assert window.open == {"timer", "progress"}
    for kind in ("MOUSEMOVE", "LEFTMOUSE", "Z", "TIMER1"):
        assert operator.modal(window, event(kind)) == {"RUNNING_MODAL"}
    assert last.report is None
    assert to_the_end(operator, window) == {"FINISHED"}
    assert window.open == set()
    assert window.said == sorted(window.said)
    assert 0.0 <= window.said[0] < window.said[-1] <= 1.0
    told = [
        re.fullmatch(r"Testing pairs: (\d+) of 3, (\d+) collisions so far\. Esc stops", text).groups()
        for text in window.texts
        if text and text.startswith("Testing")
    ]
    assert told[-1] == ("3", "1")
    assert window.texts[-1] is None
    assert said == [("WARNING", "1 penetrating, 1 touching, 1 too near. 4 bodies tested")]
    assert last.change(stored.check_settings(bpy.context)) is None
    assert last.chosen == last.shown == 0


@pytest.mark.usefixtures("slow")
def test_the_status_bar_says_that_the_scene_is_read() -> None:
    detailed(12)
    operator, window, _, _ = begun()
    operator.modal(window, event("TIMER"))
    assert window.texts == ["Reading the scene. Esc stops"]
    operator.modal(window, event("ESC"))


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("timers", [0, 1])
def test_escape_leaves_the_earlier_report_as_it_was(timers: int) -> None:
    build()
    check()
    earlier, shown = last.report, last.shown
    bpy.context.scene.collision_kit.clearance = 0.0
    operator, window, _, said = begun()
    for _ in range(timers):
        assert operator.modal(window, event("TIMER")) == {"RUNNING_MODAL"}
    assert operator.modal(window, event("ESC")) == {"CANCELLED"}
    assert said == [("INFO", "Cancelled: nothing was changed")]
    assert window.open == set()
    assert (last.report, last.shown, len(window.collision_kit.rows)) == (earlier, shown, 3)
    assert not watch._notes


def move() -> None:
    bpy.data.objects["First"].location.x += 0.1
    bpy.context.view_layer.update()


def delete() -> None:
    bpy.data.objects.remove(bpy.data.objects["First"])
    bpy.context.view_layer.update()


def undo() -> None:
    watch._on_undo(bpy.context.scene, None)


def hide() -> None:
    bpy.data.objects["First"].hide_set(True)
    bpy.context.view_layer.update()


def frame() -> None:
    first = bpy.data.objects["First"]
    first.keyframe_insert("location", frame=1)
    first.location.x += 1.0
    first.keyframe_insert("location", frame=2)
    bpy.context.scene.frame_set(2)


def paused() -> None:
    with watch.paused():
        move()


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("timers", [1, 3])
@pytest.mark.parametrize("happens", [move, delete, undo, hide, frame, paused])
def test_a_scene_that_changes_meanwhile_ends_it(happens, timers: int) -> None:
    for number in range(6):
        add_cube(("First", "Second", "Third", "4", "5", "6")[number], 0.1 * number)
    check()
    earlier = last.report
    operator, window, _, said = begun()
    for _ in range(timers):
        assert operator.modal(window, event("TIMER")) == {"RUNNING_MODAL"}
    happens()
    assert to_the_end(operator, window) == {"CANCELLED"}
    assert said == [("ERROR", "The scene has changed meanwhile: nothing was kept. Try again")]
    assert window.open == set()
    assert last.report is earlier
    assert not watch._notes


@pytest.mark.usefixtures("slow")
def test_another_scene_that_is_shown_meanwhile_ends_it() -> None:
    build()
    operator, window, _, said = begun()
    operator.modal(window, event("TIMER"))
    window.scene = bpy.data.scenes.new("Other")
    assert to_the_end(operator, window) == {"CANCELLED"}
    assert said[-1][0] == "ERROR"
    assert last.report is None


@pytest.mark.usefixtures("slow")
def test_what_came_before_and_changes_of_other_data_do_not_end_it() -> None:
    build()
    bpy.data.objects["First"].location.x -= 0.25
    operator, window, _, _ = begun()
    operator.modal(window, event("TIMER"))
    bpy.data.materials.new("Paint").diffuse_color = (1.0, 0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    assert to_the_end(operator, window) == {"FINISHED"}
    assert last.report.pairs[0].distance == pytest.approx(-0.25)


@pytest.mark.usefixtures("slow")
def test_a_mesh_in_edit_mode_is_checked_in_steps() -> None:
    detailed(2)
    bpy.context.view_layer.objects.active = bpy.data.objects["Ball 0"]
    bpy.ops.object.mode_set(mode="EDIT")
    operator, window, _, said = begun()
    assert to_the_end(operator, window) == {"FINISHED"}, said
    assert len(last.report.pairs) == 1
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.usefixtures("slow")
def test_blender_ending_the_operator_ends_everything() -> None:
    build()
    operator, window, _, _ = begun()
    operator.modal(window, event("TIMER"))
    operator.cancel(window)
    assert window.open == set()
    assert not watch._notes
    assert last.report is None


# Validation


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
    severities = [ck_severity(one) for one in report.violations]
    assert severities == sorted(severities)


def ck_severity(violation) -> int:
    return ("error", "warning", "info").index(violation.rule.severity)


@pytest.mark.parametrize("end", ["ESC", "TIMER"])
def test_a_validation_can_be_stopped(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_in_steps, "monotonic", itertools.count().__next__)
    monkeypatch.setattr(run_in_steps, "SLICE", 3)
    crates()
    operator, window, answer, said = begun(COLLISION_KIT_OT_validate_colliders)
    assert answer == {"RUNNING_MODAL"}
    operator.modal(window, event("TIMER"))
    assert re.fullmatch(r"Validating: \d+ of \d+ tests, \d+ findings so far\. Esc stops", window.texts[0])
    answer = operator.modal(window, event("ESC")) if end == "ESC" else to_the_end(operator, window)
    assert answer == ({"CANCELLED"} if end == "ESC" else {"FINISHED"})
    assert (validation_session.kept() is None) == (end == "ESC")
    assert window.open == set()
    assert len(said) == 1
