# SPDX-License-Identifier: GPL-3.0-or-later
"""A check in steps: however it is divided it finds the same, and it tells how far it is."""

import itertools
import random
from collections.abc import Generator

import bpy
import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon import api
from collision_kit.addon.collisions import check as checks
from collision_kit.addon.collisions.blocks import BLOCK, Blocks, blocks, costs
from collision_kit.addon.model.report import Settings
from collision_kit.addon.model.steps import exhausted
from collision_kit.core import Verdict
from tests.helpers.blender.checked_scene import add_cube, build
from tests.helpers.blender.live_scene import build_mixed, detailed
from tests.helpers.blender.stepped import slow_clocks, taken

pytestmark = pytest.mark.usefixtures("scene")

ALL = Settings("ALL", "", "", None, 0.3)


def assert_same(report, other) -> None:
    """Two reports are equal, but for the last bits of numbers, which depend on what is computed together."""
    assert len(report.pairs) == len(other.pairs) > 0
    for one, two in zip(report.pairs, other.pairs, strict=True):
        assert (one.body_a, one.body_b, one.verdict) == (two.body_a, two.body_b, two.verdict)
        np.testing.assert_allclose(one.distance, two.distance, rtol=0.0, atol=1e-12)
        assert len(one.contact_points) == len(two.contact_points)
        np.testing.assert_allclose(np.sort(one.contact_depths), np.sort(two.contact_depths), rtol=0.0, atol=1e-12)
    for field in ("frame", "scope", "bodies", "shapes", "issues", "skipped", "touching", "tested", "plane"):
        assert getattr(report, field) == getattr(other, field), field


# However it is divided


@pytest.mark.parametrize("plane", [None, "XY"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seconds", [0.0, pytest.param(1e-3, marks=pytest.mark.slow)])
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
    slow_clocks(monkeypatch)
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
    assert set(seen) == {(0, 0, 0, 0.0)}
    assert report.pairs == ()
    assert len(report.bodies) == 1


def test_a_whole_check_asks_each_question_once(monkeypatch: pytest.MonkeyPatch) -> None:
    build_mixed(random.Random(1), count=24)
    asked = []
    original = checks.PairEvidence.finding.__func__
    monkeypatch.setattr(
        checks.PairEvidence, "finding", classmethod(lambda cls, *given: (asked.append(given), original(cls, *given))[1])
    )
    checks.check(bpy.context, "ALL")
    assert len(asked) == 1
    api.check_collisions(scope="ALL")
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
    _, report = taken(api.check_collisions_steps([first, "Second"]))
    assert [api.names(report, pair) for pair in report.pairs] == [("First", "Second")]
    _, report = taken(api.check_collisions_steps([second], against=["Third"]))
    assert [api.names(report, pair) for pair in report.pairs] == [("Second", "Third")]
    with pytest.raises(ValueError, match="against: given without objects"):
        next(api.check_collisions_steps(against=["First"]))
    with pytest.raises(ValueError, match="clearance"):
        next(api.check_collisions_steps(clearance=-1.0))
    with pytest.raises(ValueError, match="There is no collection 'None'"):
        next(api.check_collisions_steps(scope="COLLECTION", collection="None"))


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
    kinds = [np.sort(world.kind[pairs[rows]], axis=1) for rows in found]
    # Those with a mesh are of two kinds only. None could take the first pair of the next.
    assert all((of == of[0]).all() for of in kinds if ck.Kind.MESH in of)
    for spent, of, after, next_of in zip(sums, kinds, found[1:], kinds[1:], strict=False):
        meshes = (of[-1] != next_of[0]).any() and (ck.Kind.MESH in of[-1] or ck.Kind.MESH in next_of[0])
        assert spent + cost[after[0]] > seconds or meshes
    kinds = np.concatenate(kinds)
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
    some = np.array([[1, 2], [1, 3], [0, 1]])
    deep, shallow, on_floor = costs(floor, floor.bounds(), some, evidence=True)
    assert deep > BLOCK > shallow > on_floor
    assert len(blocks(floor, floor.bounds(), np.array([[1, 2]] * 20), evidence=True)) == 20
    assert len(blocks(floor, floor.bounds(), np.array([[0, 1]] * 20), evidence=True)) == 1
    # A verdict is found sooner than a separating translation, and above a half-space both at once.
    sooner, soon, at_once = costs(floor, floor.bounds(), some)
    assert sooner < deep
    assert soon < shallow
    assert at_once == on_floor


def test_the_next_block_is_as_large_as_the_longest_step_before_was_short(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    boxes = ck.World([ck.Boxes(rng.normal(size=(200, 3)), np.ones((200, 3)))])
    pairs, bounds = np.stack(np.triu_indices(200, 1), axis=1), boxes.bounds()
    each = float(costs(boxes, bounds, pairs[:1])[0])
    clock, longer = 0.0, 5.0

    def tested(rows: np.ndarray) -> Generator[None, None, None]:
        nonlocal clock
        clock += 0.5 * longer * each * len(rows)
        yield
        clock += longer * each * len(rows)

    monkeypatch.setattr("time.thread_time", lambda: clock)
    given = Blocks(boxes, bounds, pairs, 1000.5 * each)
    sizes = []
    for rows in given:
        sizes.append(len(rows))
        for _ in given.timed(tested(rows)):
            clock += 1000.0  # What is done between two steps does not count.
        if len(sizes) == 3:
            longer = 0.25
    # A thousand pairs, and a fifth of these. What takes less is believed to take at least an eighth.
    assert sizes[:5] == [1000, 200, 200, 200, 1600]
    assert all(abs(size - 4002) <= 1 for size in sizes[5:-1])
    assert len(sizes) > 7
    assert sum(sizes) == len(pairs)
