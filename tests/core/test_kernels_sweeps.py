# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel for sweeps of boxes answers what numpy does, and leaves in doubt what rounding could change."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels import loading, sweeps
from collision_kit.core.kernels.loading import COMPILED, INTERPRETED
from tests.helpers import zoo
from tests.helpers.offline import slow
from tests.hunt import flat_sweeps


class Boxes(np.random.Generator):
    """Random numbers that choose boxes wherever a sort of shapes is chosen."""

    def choice(self, values, *more, **named):
        return "box" if "box" in list(values) else super().choice(values, *more, **named)


def aimed(rng, count):
    """Boxes with corners, edges and faces that meet at a share of the way or are missed by some part of the size.

    They are solid, flat or without extent, at any angle or nearly parallel, and move along any direction.
    """
    half = rng.uniform(0.1, 1.0, (2, count, 3)) * (rng.random((2, count, 3)) > 0.2)
    turn = zoo.rotations(rng, count)
    bend = 10.0 ** rng.uniform(-17.0, 0.0, count)[:, None] * rng.normal(size=(count, 3))
    still = np.zeros((count, 3))
    other = ck.RigidMotion(still, bend, still).pose(np.ones(count))[0] @ turn
    far = 10.0 ** rng.uniform(-1.0, 5.0, count)[:, None]
    path = far * rng.normal(size=(count, 3)) * (rng.random((count, 3)) > 0.15)
    share = np.where(rng.random(count) < 0.15, rng.integers(0, 2, count), rng.random(count))[:, None]
    off = 10.0 ** rng.uniform(-17.0, 0.5, count)[:, None] * rng.normal(size=(count, 3))
    off *= rng.random((count, 1)) < 0.7
    place = rng.normal(size=(count, 3)) * rng.choice([0.0, 1.0, 1e3], (count, 1))
    on_a, on_b = rng.choice([-1.0, 0.0, 0.5, 1.0], (2, count, 3)) * half
    meeting = place + (turn @ on_a[..., None])[..., 0]
    start = meeting - (other @ on_b[..., None])[..., 0] - share * path + off
    common = rng.normal(size=(count, 3)) * rng.integers(0, 2, (count, 1))
    return ck.Boxes(place, half[0], turn), ck.Boxes(start, half[1], other), common, path + common


def lattice(rng, count):
    """Boxes on a small lattice that move by whole steps: touching, parallel, flat, passing each other."""
    a, b = (zoo.degenerate(ck.Kind.BOX, rng, count) for _ in range(2))
    away = rng.integers(-3, 4, (count, 3)) * 1.0
    steps = rng.integers(-1, 2, (2, count, 3)) * 1.0
    return a, zoo.moved(b, away), steps[0], steps[1] - 2.0 * away


def flat(rng, count):
    """Boxes without thickness, whose numbers are whole multiples of a power of two."""
    batch = flat_sweeps.Batch(Boxes(rng.bit_generator), count)
    corners, velocities = batch.floats()
    return *(flat_sweeps.made("box", of) for of in corners), *velocities


def answered(monkeypatch, mode, question, case):
    a, b, velocity_a, velocity_b = case
    monkeypatch.setattr(loading, "mode", mode)
    return question(a, b, velocity_a=velocity_a, velocity_b=velocity_b)


@pytest.mark.parametrize("question", [ck.time_of_impact, ck.last_contact], ids=lambda question: question.__name__)
@pytest.mark.parametrize("make", [aimed, lattice, flat])
@pytest.mark.parametrize("seed", [0, *slow(*range(1, 20))])
def test_kernels_answer_what_numpy_does(monkeypatch, seed, make, question):
    case = make(np.random.default_rng([1, seed]), 500)
    expected = answered(monkeypatch, INTERPRETED, question, case)
    verdicts, kernel = [], sweeps.box_contacts
    monkeypatch.setattr(sweeps, "box_contacts", lambda *given: verdicts.append(given[2]) or kernel(*given))
    found = answered(monkeypatch, COMPILED, question, case)
    for name in ("hit", "decided"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.hit.any() and not found.hit.all()
    # Pairs in doubt go to methods that may ask other kernels, whose rounding differs.
    settled = verdicts[0] != sweeps.DOUBTFUL
    assert settled.mean() > 0.2
    for name in ("time", "safe", "normal"):
        of_both = (getattr(of, name)[settled] for of in (found, expected))
        np.testing.assert_allclose(*of_both, rtol=0.0, atol=1e-13)
    far = sum(np.abs(of).sum(axis=1) for of in (case[0].center, case[1].center, case[2], case[3]))
    size = far + np.linalg.norm(case[0].half_extents + case[1].half_extents, axis=1)
    off, hit = np.abs(found.point - expected.point).max(axis=1), settled & found.hit
    assert (off[hit] <= 1e-14 * size[hit]).all()


@pytest.mark.parametrize("count", [400, *slow(10_000)])
def test_flat_boxes_do_not_pass_each_other(monkeypatch, count):
    """From 1 to 10^7 sizes away, according to the separating axis test in integers."""
    monkeypatch.setattr(loading, "mode", COMPILED)
    for number in range(count // 40):
        batch = flat_sweeps.Batch(Boxes(np.random.default_rng([2, number]).bit_generator), 40)
        assert batch.sorts == ("box", "box") and batch.failures() == []


def swept(case):
    """The results of the kernel for pairs."""
    a, b, *velocities = case
    count = len(a)
    sides = [
        sweeps.MovingBoxes(of.center, of.half_extents, of.rotation, np.arange(count), np.ascontiguousarray(velocity))
        for of, velocity in zip((a, b), velocities, strict=True)
    ]
    verdicts = np.full(count, -1)
    sweeps.box_contacts(*sides, verdicts, np.empty(count, dtype=int), np.empty(count), *np.empty((2, count, 3)))
    return verdicts


def test_nearly_all_random_pairs_are_settled():
    rng = np.random.default_rng(3)
    a, b = (zoo.generic(ck.Kind.BOX, rng, 2000) for _ in range(2))
    away, path = 2.5 * rng.normal(size=(2, 2000, 3))
    verdict = swept((a, zoo.moved(b, away), path, path - 1.6 * away))
    counts = np.bincount(verdict, minlength=5)
    # 250 of them overlap at the start.
    assert counts[sweeps.DOUBTFUL] < 400 and counts[1:].min() > 20


@pytest.mark.parametrize(
    ("gap", "expected"),
    [(0.0, sweeps.DOUBTFUL), (1e-15, sweeps.DOUBTFUL), (-1e-15, sweeps.DOUBTFUL), (-0.5, sweeps.STARTED)],
)
def test_what_may_touch_at_the_start_is_left_in_doubt(gap, expected):
    rng = np.random.default_rng(4)
    turn = zoo.rotations(rng, 50)
    a = ck.Boxes(np.zeros((50, 3)), np.ones((50, 3)), turn)
    b = ck.Boxes((2.0 + gap) * turn[:, :, 0], np.ones((50, 3)), turn)
    verdict = swept((a, b, np.zeros((50, 3)), rng.normal(size=(50, 3))))
    assert (verdict == expected).all()


@pytest.mark.parametrize("gap", [0.0, 1e-15, -1e-15])
def test_what_may_touch_at_the_end_is_left_in_doubt(gap):
    rng = np.random.default_rng(5)
    turn, ones = zoo.rotations(rng, 50), np.ones((50, 3))
    a, b = ck.Boxes(0.0 * ones, ones, turn), ck.Boxes(5.0 * turn[:, :, 0], ones, turn)
    verdict = swept((a, b, 0.0 * ones, (gap - 3.0) * turn[:, :, 0]))
    assert (verdict == sweeps.DOUBTFUL).all()
    sure = swept((a, b, 0.0 * ones, -3.001 * turn[:, :, 0])), swept((a, b, 0.0 * ones, -2.999 * turn[:, :, 0]))
    assert (sure[0] == sweeps.TOUCHING).all() and (sure[1] == sweeps.FACES_APART).all()


def test_the_kernel_takes_arrays_in_any_order(monkeypatch):
    rng = np.random.default_rng(6)
    monkeypatch.setattr(loading, "mode", COMPILED)
    boxes = ck.Boxes(rng.normal(size=(30, 3)), rng.uniform(0.1, 1.0, (30, 3)))
    pairs, velocity = rng.integers(0, 30, (10, 2)), rng.normal(size=(60, 3))
    columns, up = np.asfortranarray, [[0, 0, 1.0]]
    found = [
        ck.time_of_impact(boxes, boxes, pairs, velocity_a=velocity[:30], velocity_b=up),
        ck.time_of_impact(boxes, boxes, columns(pairs), velocity_a=columns(velocity[:30]), velocity_b=up),
        ck.time_of_impact(boxes, boxes, pairs, velocity_a=velocity[::-1][::-1][:30], velocity_b=up),
    ]
    assert len({of.time.tobytes() for of in found}) == 1 and found[0].hit.any()
