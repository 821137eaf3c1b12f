# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of a walk as bytes, and back: equal values, and one clear error for other bytes."""

import math
import zlib
from typing import Any

import numpy as np
import pytest

from collision_kit.addon.model.message import Message
from collision_kit.addon.model.probe_report import Ground, ProbeIssue, ProbeReport, ProbeRequest
from collision_kit.addon.model.report import Issue, ObjectKey, Skipped, Units
from collision_kit.addon.model.stored_values import Damaged
from collision_kit.addon.model.stored_walk import StoredWalk, restored, stored

UNITS = Units("METRIC", 1.0, "METERS")
DOWN = np.array([0.0, 0.0, -1.0])
REQUEST = ProbeRequest(radius=0.3, margin=0.02, ball=True)


def saved(key: ObjectKey) -> list[Any] | None:
    return None if key.session_uid == 3 else [f"Object {key.session_uid}", "", "", "", []]


def loaded(found: list[Any]) -> ObjectKey | None:
    return ObjectKey(100 + int(found[0].split()[1]))


def ground(rng: np.random.Generator, count: int) -> Ground:
    normal = rng.normal(size=(count, 3))
    return Ground(rng.normal(size=(count, 3)), normal / np.linalg.norm(normal, axis=1)[:, None], 0.25, DOWN)


def issue(rng: np.random.Generator, kind: str, **fields: Any) -> ProbeIssue:
    places = [tuple(row) for row in rng.normal(size=(4, 3)).tolist()]
    path = tuple(tuple(row) for row in rng.normal(size=(7, 3)).tolist())
    return ProbeIssue(
        "ab", kind, *places, ("Wall", "벽"), 0.5, **{"deep": 0.0, "area": 0.0, "pose": 4, "path": path, **fields}
    )


def content(seed: int = 0) -> StoredWalk:
    rng = np.random.default_rng(seed)
    found = (
        issue(rng, "fall", deep=math.inf, uids=(1, 2)),
        issue(rng, "stuck", area=3.0, ground=ground(rng, 5), uids=(1, 3)),
        issue(rng, "unreachable", area=9.0, ground=ground(rng, 2), path=()),
        issue(rng, "step", accepted=True),
    )
    report = ProbeReport(
        *("a.blend", "Scene", UNITS, REQUEST._replace(starts=("Start",)), 12.5, 0.62, 70, 4, found, ground(rng, 40)),
        starts=rng.normal(size=(2, 3)),
        uids=frozenset({1, 2, 4}),
        issues=(Issue("unit-scale", "warning", "Wall", Message("Scale {x}", x=2.0)),),
        skipped=(Skipped("Lamp", Message("no surface"), "kind"),),
    )
    return StoredWalk(report, REQUEST, "View Layer", {("Wall", ""): "00", ("Floor", "kit.blend"): ""}, 1)


def read(data: bytes) -> StoredWalk:
    found = restored(data, loaded, "b.blend", UNITS, "Scene")
    assert found is not None
    return found


def test_what_is_read_is_what_was_stored() -> None:
    before = content()
    after = read(stored(before, saved))
    assert (after.request, after.view_layer, after.state, after.chosen) == (REQUEST, "View Layer", before.state, 1)
    one, other = before.report, after.report
    assert (other.file, other.scene, other.request) == ("b.blend", "Scene", one.request)
    for name in ("reached_area", "undetected_below", "poses", "bodies", "issues", "skipped"):
        assert getattr(other, name) == getattr(one, name)
    assert other.uids == {101, 102, 104}
    np.testing.assert_allclose(other.starts, one.starts)
    assert other.found[0].uids == (101, 102)
    # An object that no longer exists has a number that no object has.
    assert other.found[1].uids[0] == 101 and other.found[1].uids[1] < 0
    for was, now in zip(one.found, other.found, strict=True):
        for name in ("id", "kind", "point", "before", "after", "contact", "objects", "measure", "deep", "area", "pose"):
            assert getattr(now, name) == getattr(was, name)
        assert now.accepted == was.accepted and len(now.path) == len(was.path)
        if was.path:
            np.testing.assert_allclose(now.path, was.path, atol=1e-6)
    floors = [
        (one.reached, other.reached),
        *((was.ground, now.ground) for was, now in zip(one.found, other.found, strict=True)),
    ]
    for was, now in floors:
        assert (was is None) == (now is None)
        if was is not None and now is not None:
            np.testing.assert_allclose(now.places, was.places, atol=1e-6)
            np.testing.assert_allclose(now.normal, was.normal, atol=1e-4)
            assert now.spacing == was.spacing and now.gravity.tolist() == was.gravity.tolist()


def test_the_copy_of_a_scene_has_no_walk() -> None:
    assert restored(stored(content(), saved), loaded, "", UNITS, "Scene.001") is None


def test_other_bytes_are_refused() -> None:
    data = stored(content(), saved)
    plain = zlib.decompress(data)
    broken = [b"", b"x", data[:-5], zlib.compress(plain[:-3]), zlib.compress(plain + b"0"), zlib.compress(b"\0" * 8)]
    broken += [zlib.compress(plain.replace(*swap)) for swap in ((b'"fall"', b'"fell"'), (b'"poses":70', b'"poses":7.'))]
    broken += [zlib.compress(plain.replace(b'"chosen":1', b'"chosen":9'))]
    for each in broken:
        assert each != data
        with pytest.raises(Damaged, match="damaged"):
            read(each)
    with pytest.raises(Damaged, match="another version"):
        read(zlib.compress(plain.replace(b'"version":1', b'"version":9')))


def test_a_large_floor_is_small() -> None:
    x, y = np.meshgrid(np.arange(400) * 0.25, np.arange(400) * 0.25)
    places = np.stack([x, y, 0.0 * x], axis=-1).reshape(-1, 3)
    wide = Ground(places, np.tile([0.0, 0.0, 1.0], (len(places), 1)), 0.25, DOWN)
    report = ProbeReport("", "Scene", UNITS, REQUEST, 1e4, 0.6, len(places), 1, (), wide)
    data = stored(StoredWalk(report, REQUEST, "", {}), saved)
    assert len(data) < len(places)
    assert len(read(data).report.reached.places) == len(places)
