# SPDX-License-Identifier: GPL-3.0-or-later
"""Results as bytes: they come back as they were, and bytes of a stranger give one error and nothing else."""

import json
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from collision_kit.addon.asset_rules.limits import Length
from collision_kit.addon.model import stored_report
from collision_kit.addon.model.message import Message
from collision_kit.addon.model.report import (
    HIDDEN,
    Body,
    Issue,
    ObjectKey,
    PairResult,
    Report,
    Settings,
    Shape,
    Skipped,
    Surface,
    Units,
)
from collision_kit.addon.model.rules import PairTest, Pattern
from collision_kit.addon.model.stored_report import VERSION, Damaged, Stored, restored, stored
from collision_kit.core import Verdict

UNITS = Units("METRIC", 1.0, "METERS")
NORMAL = np.array([0.6, 0.0, 0.8])
TESTS = (PairTest("All", (Pattern("name", "A*"),), (), None, 0.5, "warning"),)
KEYS = (ObjectKey(11), ObjectKey(12, 13, (0, 4)))


def pair(contacts: int, **fields: Any) -> PairResult:
    point = np.array([1e3, 2.0, 3.0])
    values: dict[str, Any] = {
        "body_a": 0,
        "body_b": 1,
        "verdict": Verdict.PENETRATING,
        "distance": -0.25,
        "normal": NORMAL,
        "point_a": point,
        "point_b": point - 0.25 * NORMAL,
        "contact_points": point + np.arange(3.0 * contacts).reshape(contacts, 3) / 8.0,
        "contact_depths": np.arange(1.0 * contacts) / 16.0,
        "shape_a": 0,
        "shape_b": 1,
        "interference": 0.125,
        "contact_normals": np.tile(-NORMAL, (contacts, 1)),
        "touching": 1e-6,
        "rounding": 2e-6,
        "test": 0,
    }
    return PairResult(**(values | fields))


def content(*pairs: PairResult) -> Stored:
    """A report with something of every kind."""
    settings = Settings("COLLECTION", "Props", "", 0.001, 0.5, None, True, TESTS, True)
    report = Report(
        file="/folder/a.blend",
        scene="Scene",
        frame=7,
        scope="COLLECTION",
        units=UNITS,
        touching=0.001,
        clearance=0.5,
        bodies=(
            Body("A", KEYS[0], (KEYS[0],), object="A"),
            Body("Shelf/B", KEYS[1], (), "lib.blend", "B", "/lib.blend"),
            Body("A: part 1", ObjectKey(11, 0, (-2,)), (), object="A", part=1, whole="A"),
        ),
        shapes=(
            Shape("A", 0, "box", "setting", 0.5, Surface(0.1, 0.2)),
            Shape("B", 1, "hull", Message("name {name}", name="UBX_")),
            Shape("A", 2, "mesh", Message("loose part")),
        ),
        pairs=pairs,
        issues=(Issue("sheared-box", "warning", "A", Message("Off by {far}: {why}", far=Length(0.5), why="so")),),
        skipped=(
            Skipped("C", Message("In {n} collections", n=3), HIDDEN),
            Skipped("D", Message("Mesh has no vertices")),
        ),
        tested={"bodies": 2, "shapes": 3},
        tests=TESTS,
        self_check=True,
    )
    state = {("A", ""): "0123", ("B", "lib.blend"): ""}
    return Stored(
        report, settings, "View Layer", state, {"text": "crate", "depth": 0.5, "touching": False}, len(pairs) - 1
    )


def saved(key: ObjectKey) -> list[Any]:
    return [f"uid {key.session_uid}", "", f"uid {key.instancer_uid}", "", list(key.persistent_id)]


def loaded(found: list[Any]) -> ObjectKey | None:
    name, _, host, _, place = found
    return ObjectKey(int(name[4:]) + 100, int(host[4:]), place)


def read(data: bytes, load: Callable[[list[Any]], ObjectKey | None] = loaded, scene: str = "Scene") -> Stored | None:
    return restored(data, load, "/folder/a.blend", UNITS, scene)


def there_and_back(before: Stored) -> Stored:
    after = read(stored(before, saved))
    assert after is not None
    return after


PAIRS = (
    pair(3),
    pair(0, interference=None, distance=0.5, verdict=Verdict.WITHIN_CLEARANCE, test=-1),
    pair(2, body_b=2, shape_b=2, faces=(4, 900_000)),
)


def same(a: PairResult, b: PairResult) -> bool:
    for field in fields(a):
        one, other = getattr(a, field.name), getattr(b, field.name)
        if not np.allclose(one, other, rtol=1e-7, atol=1e-5) if isinstance(one, np.ndarray) else one != other:
            return False
    return True


def test_everything_comes_back() -> None:
    before = content(*PAIRS, pair(1, point_b=np.array([1e3, 2.0, 3.0]) - 0.25 * NORMAL))
    after = there_and_back(before)
    moved = tuple(
        replace(
            body,
            key=body.key._replace(session_uid=body.key.session_uid + 100),
            members=tuple(key._replace(session_uid=key.session_uid + 100) for key in body.members),
        )
        for body in before.report.bodies
    )
    assert replace(after.report, pairs=()) == replace(before.report, pairs=(), bodies=moved)
    assert len(after.report.pairs) == 4
    fitting = pair(0, distance=0.5, verdict=Verdict.WITHIN_CLEARANCE, interference=None, test=-1)
    fitting = replace(fitting, point_b=fitting.point_a + 0.5 * NORMAL)
    for one, other in zip((PAIRS[0], fitting, PAIRS[2], pair(1)), after.report.pairs, strict=True):
        assert same(one, other)
    assert replace(after, report=before.report) == before
    issue = after.report.issues[0].message
    assert isinstance(issue, Message)
    assert isinstance(issue.values["far"], Length)


def test_objects_that_are_gone_have_keys_of_no_object() -> None:
    after = read(stored(content(*PAIRS), saved), lambda found: None if found[0] == "uid 12" else loaded(found))
    assert after is not None
    assert after.report.bodies[0].key == ObjectKey(111)
    assert after.report.bodies[1].key.session_uid < 0


def test_results_of_a_scene_with_another_name_are_not_those_of_this_one() -> None:
    assert read(stored(content(*PAIRS), saved), scene="Scene.001") is None


def test_what_could_not_be_read_again_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stored(content(*PAIRS), saved)
    monkeypatch.setattr(stored_report, "MOST_BYTES", 1000)
    assert stored(content(*PAIRS), saved) == b""


def changed(path: str, value: object) -> bytes:
    """The bytes with another value in the JSON object."""
    data = zlib.decompress(stored(content(*PAIRS), saved))
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    part = header
    for step in steps:
        part = part[step]
    assert last in part if isinstance(part, dict) else part[last] != value
    part[last] = value
    text = json.dumps(header).encode()
    return zlib.compress(len(text).to_bytes(8, "little") + text + data[8 + length :])


def test_a_changed_value_that_is_none_the_worse_is_read() -> None:
    after = read(changed("frame", 9))
    assert after is not None
    assert after.report.frame == 9


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("frame", "7"),
        ("frame", True),
        ("frame", 1 << 70),
        ("touching", float("nan")),
        ("touching", float("inf")),
        ("touching", None),
        ("pairs", 2),
        ("pairs", 4),
        ("pairs", -1),
        ("pairs", 1 << 40),
        ("bodies", []),
        ("shapes", []),
        ("bodies.0.0", 5),
        ("bodies.0.1", 99),
        ("bodies.0.1", -1),
        ("bodies.0.2", [3]),
        ("shapes.0.1", 3),
        ("shapes.0.1", -1),
        ("shapes.0", []),
        ("settings", {}),
        ("settings.tests", []),
        ("settings.clearance", "0"),
        ("settings.tests.0.1", [["__class__", "*"]]),
        ("keys.0", ["A"]),
        ("keys.0.4", ["a"]),
        ("state", [["A", ""]]),
        ("state", {"A": 1}),
        ("tested", [1]),
        ("findings.0.3", {"template": "{far.__class__}", "values": {"far": 1}}),
        ("findings.0.3", {"template": "{far.__class__}", "values": {"far.__class__": 1, "far": 1}}),
        ("findings.0.3", {"template": "{far[0]}", "values": {"far": "so"}}),
        ("findings.0.3", {"template": "{far:>999999999}", "values": {"far": "so"}}),
        ("findings.0.3", {"template": "{far!r}", "values": {"far": "so"}}),
        ("findings.0.3", {"template": "{other}", "values": {"far": "so"}}),
        ("findings.0.3", {"template": "{}", "values": {"": "so"}}),
        ("findings.0.3", {"template": "{", "values": {}}),
        ("findings.0.3", [1]),
        ("skipped.0", ["C"]),
    ],
)
def test_values_that_nobody_stored_are_refused(path: str, value: object) -> None:
    with pytest.raises(Damaged, match="damaged and were ignored"):
        read(changed(path, value))


def test_results_of_another_version_are_refused() -> None:
    with pytest.raises(Damaged, match="another version"):
        read(changed("version", VERSION + 1))


@pytest.mark.parametrize(
    "data",
    [
        b"x",
        b"\0" * 100,
        zlib.compress(b""),
        zlib.compress(b"\xff" * 8),
        zlib.compress((4).to_bytes(8, "little") + b"null"),
        zlib.compress((200_000).to_bytes(8, "little") + b"[" * 200_000),
        stored(content(*PAIRS), saved)[:-20],
    ],
)
def test_bytes_that_nobody_stored_are_refused(data: bytes) -> None:
    with pytest.raises(Damaged):
        read(data)


def test_numbers_that_are_out_of_range_are_refused() -> None:
    data = zlib.decompress(stored(content(*PAIRS), saved))
    begin = 8 + int.from_bytes(data[:8], "little")
    refused = 0
    for place in range(begin, len(data), 3):
        broken = bytearray(data)
        broken[place] ^= 0xC0
        try:
            after = read(zlib.compress(bytes(broken)))
        except Damaged:
            refused += 1
            continue
        assert after is not None
        for one in after.report.pairs:
            assert 0 <= one.body_a < 3
            assert 0 <= one.body_b < 3
            assert 0 <= one.shape_a < 3
            assert 0 <= one.shape_b < 3
            assert -1 <= one.test < 1
            assert np.isfinite([*one.normal, *one.point_a, *one.point_b, one.distance, one.touching]).all()
            assert np.isfinite(one.contact_points).all()
    # The numbers of bodies, shapes, tests, verdicts, contacts and faces are most of the bytes of small integers.
    assert refused > 15


def test_little_that_would_become_much_is_refused_before_it_does() -> None:
    bomb = zlib.compress(b" " * (1 << 28), 9)
    assert len(bomb) < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises(Damaged):
            read(bomb)
        assert tracemalloc.get_traced_memory()[1] < 4 * stored_report.MOST_BYTES
    finally:
        tracemalloc.stop()
