# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave bodies that pass by each other: proofs that they stay apart change no result, and save queries."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.motion import near_misses, queries
from collision_kit.addon.motion.broad_phase import Block
from collision_kit.addon.motion.check import motion
from collision_kit.addon.reports.motion import motion_as_json
from tests.helpers.blender.bridge_scene import add, l_mesh
from tests.helpers.blender.motion_scene import keyed

pytestmark = pytest.mark.usefixtures("scene")


def wander(count: int, seed: int) -> None:
    """Concave bodies on random ways through a room, of which some turn by more than half a turn between two frames."""
    rng = np.random.default_rng(seed)
    mesh = l_mesh()
    for number in range(count):
        ob = add(f"Part {number}", mesh, at=rng.uniform(0.0, 9.0, 3))
        spin = 8.0 if number % 4 == 0 else 1.0
        keyed(ob, "location", [(frame, rng.uniform(0.0, 9.0, 3)) for frame in (1, 7, 13)], "BEZIER")
        keyed(ob, "rotation_euler", [(frame, rng.uniform(-spin, spin, 3)) for frame in (1, 5, 13)], "BEZIER")


def asked(monkeypatch: pytest.MonkeyPatch, name: str) -> list[int]:
    """The numbers of pairs that a query to the core is asked about from now on."""
    counts: list[int] = []
    original = getattr(queries, name)

    def counting(a, b, pairs, **options):
        counts.append(len(pairs))
        return original(a, b, pairs, **options)

    monkeypatch.setattr(queries, name, counting)
    return counts


@pytest.mark.parametrize("clearance", [0.0, 0.4])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_proved_to_stay_apart_changes_no_result_and_saves_queries(seed, clearance, monkeypatch):
    wander(12, seed)
    distances, impacts = asked(monkeypatch, "local_distance"), asked(monkeypatch, "time_of_impact")
    report = motion(bpy.context, "ALL", start=1, end=13, clearance=clearance)
    with_proofs = sum(distances), sum(impacts)
    assert report.contacts and (report.near_misses or not clearance)

    def nothing_clear(_block, span, _pairs):
        yield
        return np.zeros(len(span), dtype=bool)

    monkeypatch.setattr(Block, "clear", nothing_clear)
    monkeypatch.setattr(Block, "room_left", lambda _block, span, *_: np.full(len(span), -np.inf))
    distances.clear()
    impacts.clear()
    assert motion_as_json(motion(bpy.context, "ALL", start=1, end=13, clearance=clearance)) == motion_as_json(report)
    assert with_proofs[0] < sum(distances) and with_proofs[1] < sum(impacts) / 2


def test_distances_are_measured_at_once_where_too_many_would_be_kept(monkeypatch):
    wander(12, 0)
    report = motion_as_json(motion(bpy.context, "ALL", start=1, end=13))
    monkeypatch.setattr(near_misses, "_MOST_KEPT", -1)
    kept: list[int] = []
    put_off = near_misses.NearMisses.put_off

    def counting(self, samples, which, pairs, bodies):
        kept.append(len(pairs))
        put_off(self, samples, which, pairs, bodies)

    monkeypatch.setattr(near_misses.NearMisses, "put_off", counting)
    assert motion_as_json(motion(bpy.context, "ALL", start=1, end=13)) == report
    assert not any(kept)
