# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts call, and the examples of it, run as they are."""

import importlib
import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

import collision_kit
from collision_kit import api
from collision_kit.addon.collisions.check import check
from collision_kit.addon.model.report import ObjectKey
from collision_kit.addon.scene import accepted_pairs
from collision_kit.core import Verdict
from tests.blender.bridge_scene import add, add_collection, cube_mesh, with_setting

SCRIPTS = Path(__file__).resolve().parents[2] / "examples" / "scripts"


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


@pytest.fixture
def row() -> list[bpy.types.Object]:
    """A and B overlap by 0.5, B and C touch, D is 0.25 beyond C."""
    return [add(name, cube_mesh(), at=(x, 0, 0)) for name, x in zip("ABCD", (0, 1.5, 3.5, 5.75), strict=True)]


def pairs(report: api.Report) -> dict[str, Verdict]:
    return {"".join(sorted(api.names(report, pair))): pair.verdict for pair in report.pairs}


def run(script: str, *arguments: object, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", [script, *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(SCRIPTS / script), run_name="__main__")
    return int(end.value.code)


def test_it_is_found_under_both_names_and_lazily() -> None:
    assert api is importlib.import_module(f"{collision_kit.__name__}.addon.api")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        collision_kit.nothing  # noqa: B018


def test_all_that_is_promised_is_there_and_documented() -> None:
    for name in api.__all__:
        assert getattr(api, name).__doc__


@pytest.mark.usefixtures("row")
def test_what_is_somewhere_else_is_not_passed_over() -> None:
    elsewhere = bpy.data.objects.new("Elsewhere", None)
    bpy.data.scenes.new("Other").collection.objects.link(elsewhere)
    for objects in (["A", "Elsewhere"], [elsewhere]):
        with pytest.raises(ValueError, match="objects: 'Elsewhere' is not in the view layer 'ViewLayer' of 'Scene'"):
            api.check(objects)


@pytest.mark.usefixtures("row")
def test_check_says_what_the_check_says() -> None:
    ours, theirs = api.check(clearance=0.5), check(bpy.context, clearance=0.5)[0]
    assert pairs(ours) == {"AB": Verdict.PENETRATING, "BC": Verdict.TOUCHING, "CD": Verdict.WITHIN_CLEARANCE}
    assert [pair.distance for pair in ours.pairs] == [pair.distance for pair in theirs.pairs]
    assert ours.scope == "VISIBLE"


def test_check_of_objects_and_of_names(row: list[bpy.types.Object]) -> None:
    a, b, c, d = row
    assert pairs(api.check([a, b])) == {"AB": Verdict.PENETRATING}
    assert pairs(api.check(["A", c])) == {}
    assert pairs(api.check([b], against=[a, "C", d])) == {"AB": Verdict.PENETRATING, "BC": Verdict.TOUCHING}
    assert pairs(api.check([a, b], touching=0.6)) == {"AB": Verdict.TOUCHING}
    assert pairs(api.check([c, d], clearance=0.3)) == {"CD": Verdict.WITHIN_CLEARANCE}
    assert pairs(api.check([a, b], plane="XY")) == {"AB": Verdict.PENETRATING}
    assert api.check([a, b]).scope == "OBJECTS"
    assert not any(ob.select_get() for ob in bpy.context.scene.objects)


def test_collections_and_what_is_wrong(row: list[bpy.types.Object]) -> None:
    first, second = add_collection("First"), add_collection("Second")
    first.objects.link(row[0])
    second.objects.link(row[1])
    found = api.check(scope="COLLECTIONS", collection="First", other_collection="Second")
    assert pairs(found) == {"AB": Verdict.PENETRATING}
    with pytest.raises(ValueError, match="There is no collection"):
        api.check(scope="COLLECTION", collection="Third")
    with pytest.raises(ValueError, match="against"):
        api.check(against=row)
    with pytest.raises(ValueError, match="clearance"):
        api.check(row, clearance=-1.0)
    with pytest.raises(KeyError):
        api.check(["Z"])


def test_faults_leave_out_what_was_accepted(row: list[bpy.types.Object]) -> None:
    assert [api.names(api.check(), pair) for pair in api.faults(api.check())] == [("A", "B")]
    accepted_pairs.accept(bpy.context.scene, [frozenset(ObjectKey(ob.session_uid) for ob in row[:2])], "glued")
    assert api.faults(api.check()) == []


@pytest.mark.parametrize("ending", [".json", ".txt", ".html", ".xml"])
@pytest.mark.usefixtures("row")
def test_save_writes_each_format(ending: str, tmp_path: Path) -> None:
    path = api.save(api.check(), str(tmp_path / f"report{ending}"))
    text = path.read_text(encoding="utf-8")
    assert "A" in text and "B" in text
    if ending == ".json":
        assert json.loads(text)["schema_version"]


@pytest.mark.usefixtures("row")
def test_save_refuses_other_endings_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'report\.pdf' ends in none of"):
        api.save(api.check(), tmp_path / "report.pdf")
    with pytest.raises(ValueError, match=r"'cull\.html' ends in none of"):
        bpy.context.scene.camera = add("Camera", bpy.data.cameras.new("Camera"), at=(0, 0, 20))
        api.save(api.cull(), tmp_path / "cull.html")
    assert list(tmp_path.iterdir()) == []


def test_motion_and_cull(tmp_path: Path) -> None:
    add("Post", cube_mesh(), at=(5, 0, 0))
    cart = add("Cart", cube_mesh())
    for frame, x in ((1, 0.0), (11, 10.0)):
        cart.location.x = x
        cart.keyframe_insert("location", frame=frame)
    for curve in _curves(cart):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    found = api.motion(start=1, end=11)
    (contact,) = found.contacts
    assert contact.first == pytest.approx(4.0, abs=1e-3)  # 3 units on at one a frame
    assert json.loads(api.save(found, tmp_path / "motion.json").read_text())["contacts"]
    bpy.context.scene.camera = add("Camera", bpy.data.cameras.new("Camera"), at=(5, 0, 30))
    seen = {entry.name: entry.verdict for entry in api.cull().objects}
    assert seen["Post"] == 1
    assert {entry.name for entry in api.cull("Camera", frames=(1, 2), exact=False).objects} == {"Cart", "Post"}
    assert "Post" in api.save(api.cull(), tmp_path / "cull.txt").read_text()


def _curves(ob: bpy.types.Object) -> list:
    action = ob.animation_data.action
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return list(action.layers[0].strips[0].channelbag(ob.animation_data.action_slot).fcurves)


def test_fixes(row: list[bpy.types.Object]) -> None:
    outcome = api.separate(["A"])
    assert outcome.farthest == pytest.approx(0.5, abs=1e-5)
    assert api.faults(api.check()) == []
    with_setting(add("Floor", at=(0, 0, -5)), "HALF_SPACE")
    outcome = api.rest_on([row[3]], (0, 0, -7))
    assert outcome.onto == {"D": "Floor"}
    assert row[3].location.z == pytest.approx(-4.0, abs=1e-5)
    for bad in ((0, 0, 0), (1, 2), (np.nan, 0, 1)):
        with pytest.raises(ValueError, match="direction"):
            api.rest_on([row[3]], bad)
    for bad in (-1.0, np.nan, np.inf, "x"):
        for question in (api.separate, api.rest_on):
            with pytest.raises(ValueError, match="touching"):
                question(["A"], touching=bad)


def test_nothing_of_it_needs_the_add_on_to_be_on(row: list[bpy.types.Object]) -> None:
    collision_kit.unregister()
    try:
        assert not hasattr(bpy.context.scene, "collision_kit")
        assert len(api.faults(api.check())) == 1
        assert api.separate(row).moved
        bpy.context.view_layer.update()
        assert api.rest_on(["D"], (-1, 0, 0)).onto == {"D": "C"}
    finally:
        collision_kit.register()


# The examples


def test_check_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), at=(1.5, 0, 0))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "level.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    report = tmp_path / "report.json"
    assert run("check_file.py", report, tmp_path / "level.blend", monkeypatch=monkeypatch) == 1
    assert "A × B: penetrating, 0.5 deep" in capsys.readouterr().out
    assert json.loads(report.read_text(encoding="utf-8"))["pairs"]
    bpy.data.objects["B"].location.x = 9.0
    bpy.context.view_layer.update()
    assert run("check_file.py", "--", report, monkeypatch=monkeypatch) == 0


def test_tidy_heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tidy_heap.py", "--", tmp_path / "heap.blend", monkeypatch=monkeypatch) == 0
    said = capsys.readouterr().out
    assert "0 collisions left" in said and "rests on Floor" in said
    assert not said.startswith("0 collisions at first")
    assert (tmp_path / "heap.blend").is_file()


def test_motion_and_camera(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from examples import motion

    motion.build()
    scene = bpy.context.scene
    if scene.camera is None:
        scene.camera = add("Eye", bpy.data.cameras.new("Eye"), at=(0, 0, 60))
    assert run("motion_and_camera.py", tmp_path / "reports", monkeypatch=monkeypatch) == 1
    assert json.loads((tmp_path / "reports" / "motion.json").read_text(encoding="utf-8"))["contacts"]
    assert json.loads((tmp_path / "reports" / "camera.json").read_text(encoding="utf-8"))["objects"]


def test_every_example_is_run_here() -> None:
    tests = Path(__file__).read_text(encoding="utf-8")
    assert {path.name for path in SCRIPTS.glob("*.py")} == {
        name for name in ("check_file.py", "tidy_heap.py", "motion_and_camera.py") if f'run("{name}"' in tests
    }


@pytest.mark.usefixtures("row")
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("camera", lambda: api.cull(camera=5)),
        ("frames", lambda: api.cull(frames=3)),
        ("frames", lambda: api.cull(frames=(1.5, 2))),
        ("objects", lambda: api.check(objects=[None])),
        ("objects", lambda: api.check(objects=5)),
        ("objects", lambda: api.separate(None)),
        ("objects", lambda: api.rest_on([3])),
        ("against", lambda: api.check(["A"], against=[bpy.data.meshes[0]])),
        ("start", lambda: api.motion(start="x")),
        ("end", lambda: api.motion(end=2.5)),
        ("scope", lambda: api.check(scope=None)),
        ("collection", lambda: api.motion(scope="COLLECTION", collection=3)),
        ("plane", lambda: api.check(plane=["XY"])),
        ("direction", lambda: api.rest_on(["A"], "down")),
        ("report", lambda: api.save(None, "report.json")),
        ("report", lambda: api.faults(3)),
        ("path", lambda: api.save(api.check(), 5)),
        ("path", lambda: api.save(api.check(), "a\0.json")),
    ],
)
def test_an_argument_that_is_not_what_it_should_be_is_named(name: str, call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=f"^{name}: "):
        call()


@pytest.mark.usefixtures("row")
def test_objects_that_are_gone_are_told() -> None:
    gone = bpy.data.objects["A"]
    bpy.data.objects.remove(gone)
    with pytest.raises(ValueError, match=r"^objects: an object of these was removed"):
        api.check([gone])
    with pytest.raises(KeyError, match="objects: there is no object 'A'"):
        api.check(["A"])
