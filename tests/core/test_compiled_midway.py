# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that are loaded in the middle of a process, while one thread asks or several do, change no answer."""

import importlib
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex import epa, gjk
from collision_kit.core.narrow_phase.mesh import leaf_queries
from collision_kit.core.numerics import compilation
from collision_kit.core.numerics.compilation import AUTOMATIC, NEVER, Kernels
from tests import mesh_zoo, zoo
from tests.offline import slow

pytest.importorskip("numba", reason="numba is not installed: pip install collision-kit[fast]")

# The function has the name of its module, and hides it.
sweeps = importlib.import_module("collision_kit.core.continuous.time_of_impact")
COUNT, ROUNDS = 60, 6


def hulls(rng):
    """Overlap, and distance or depth."""
    a, b = (ck.Hulls.from_points(list(rng.normal(size=(COUNT, 12, 3))), rng.normal(size=(COUNT, 3))) for _ in range(2))
    found = ck.distance(a, b)
    return ck.overlap(a, b), found.distance, found.rounding


def meshes(rng):
    """The same."""
    a, b = (
        mesh_zoo.meshes(rng, 15, "generic", rng.uniform(-0.9, 0.9, (15, 3)), zoo.rotations(rng, 15)) for _ in range(2)
    )
    found = ck.distance(a, b)
    return ck.overlap(a, b), found.distance, found.rounding


def boxes(rng):
    """Whether they hit each other, and when."""
    a, b = zoo.generic(ck.Kind.BOX, rng, COUNT), zoo.generic(ck.Kind.BOX, rng, COUNT)
    away = 5.0 * zoo.rotations(rng, COUNT)[:, 0]
    found = ck.time_of_impact(a, zoo.moved(b, away), velocity_b=-2.0 * away)
    return found.hit, np.where(found.hit, found.time, 0.0), np.full(COUNT, 1e-12)


USERS = {
    hulls: [("convex", gjk, "_KERNELS"), ("convex", epa, "_KERNELS")],
    meshes: [("mesh", leaf_queries, "_MEETING"), ("mesh", leaf_queries, "_NEAREST")],
    boxes: [("continuous", sweeps, "_KERNELS")],
}


@pytest.mark.parametrize("threads", [1, 2, *slow(4)])
@pytest.mark.parametrize("question", USERS)
def test_answers_before_and_after_kernels_are_loaded_are_the_same(monkeypatch, question, threads):
    with monkeypatch.context() as patch:
        patch.setattr(Kernels, "mode", NEVER)
        expected = [question(np.random.default_rng(number)) for number in range(ROUNDS)]
    monkeypatch.setattr(Kernels, "mode", AUTOMATIC)
    monkeypatch.setattr(Kernels, "_work", 0.0)
    # As in a process that has imported no kernels: numba makes them anew, and loads them from its cache.
    for name in [name for name in sys.modules if name.startswith("collision_kit.core.") and name.endswith(".compiled")]:
        monkeypatch.delitem(sys.modules, name)
    given = {}
    for package, module, name in USERS[question]:
        before = getattr(module, name)
        given[module, name] = Kernels(package, before._saved, *before._names)
        monkeypatch.setattr(module, name, given[module, name])
    start = threading.Barrier(threads)

    def ask(_):
        found = [question(np.random.default_rng(number)) for number in range(ROUNDS // 2)]
        assert not any(kernels._ready for kernels in given.values())
        start.wait()
        # Now they pay, even if they are not in the cache.
        Kernels._work = compilation._COMPILING
        return found + [question(np.random.default_rng(number)) for number in range(ROUNDS // 2, ROUNDS)]

    with ThreadPoolExecutor(threads) as pool:
        answers = list(pool.map(ask, range(threads)))
    assert all(kernels._ready for kernels in given.values())
    for found in answers:
        for (verdict, value, _), (known, exact, rounding) in zip(found, expected, strict=True):
            np.testing.assert_array_equal(verdict, known)
            assert (np.abs(value - exact) <= rounding).all()
    assert 0.1 < np.mean([known for known, _, _ in expected]) < 0.9
