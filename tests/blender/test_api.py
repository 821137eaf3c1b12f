# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions for scripts, and the examples of them, run as they are."""

import importlib
import inspect
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import bpy
import numpy as np
import pytest

import collision_kit
from collision_kit import api
from collision_kit.addon.api.choices import Format
from collision_kit.addon.collisions.check import check
from collision_kit.addon.model.culling_report import CullReport
from collision_kit.addon.model.formats import TEXTS
from collision_kit.addon.model.report import ObjectKey
from collision_kit.addon.scene import accepted_pairs
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, add_collection, cube_mesh, with_setting

SCRIPTS = Path(__file__).resolve().parents[2] / "examples" / "scripts"


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def test_a_check_returns_a_report_of_named_pairs(row: list[bpy.types.Object]) -> None:
    report = api.check_collisions(scope="ALL")
    assert isinstance(report, api.CollisionReport) and [*api.names(report, api.faults(report)[0])] == ["A", "B"]


@pytest.fixture
def row() -> list[bpy.types.Object]:
    """A and B overlap by 0.5, B and C touch, D is 0.25 beyond C."""
    return [add(name, cube_mesh(), at=(x, 0, 0)) for name, x in zip("ABCD", (0, 1.5, 3.5, 5.75), strict=True)]


def pairs(report: api.CollisionReport) -> dict[str, Verdict]:
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
        value = getattr(api, name)
        text = inspect.getdoc(value) or ""
        assert text
        if inspect.isfunction(value):
            parameters = list(inspect.signature(value).parameters)
            assert all(re.search(rf"\b{parameter}\b", text.partition("Parameters\n---")[2]) for parameter in parameters)
            assert ("Raises\n------" in text) >= bool(parameters), name
            assert "Examples\n--------" in text, name


@pytest.mark.usefixtures("row")
def test_what_is_somewhere_else_is_not_passed_over() -> None:
    elsewhere = bpy.data.objects.new("Elsewhere", None)
    bpy.data.scenes.new("Other").collection.objects.link(elsewhere)
    for objects in (["A", "Elsewhere"], [elsewhere]):
        with pytest.raises(ValueError, match="objects: 'Elsewhere' is not in the view layer 'ViewLayer' of 'Scene'"):
            api.check_collisions(objects)


@pytest.mark.usefixtures("row")
def test_check_says_what_the_check_says() -> None:
    ours, theirs = api.check_collisions(clearance=0.5), check(bpy.context, clearance=0.5)[0]
    assert pairs(ours) == {"AB": Verdict.PENETRATING, "BC": Verdict.TOUCHING, "CD": Verdict.WITHIN_CLEARANCE}
    assert [pair.distance for pair in ours.pairs] == [pair.distance for pair in theirs.pairs]
    assert ours.scope == "VISIBLE"


def test_check_of_objects_and_of_names(row: list[bpy.types.Object]) -> None:
    a, b, c, d = row
    assert pairs(api.check_collisions([a, b])) == {"AB": Verdict.PENETRATING}
    assert pairs(api.check_collisions(["A", c])) == {}
    assert pairs(api.check_collisions([b], against=[a, "C", d])) == {"AB": Verdict.PENETRATING, "BC": Verdict.TOUCHING}
    assert pairs(api.check_collisions([a, b], touching=0.6)) == {"AB": Verdict.TOUCHING}
    assert pairs(api.check_collisions([c, d], clearance=0.3)) == {"CD": Verdict.WITHIN_CLEARANCE}
    assert pairs(api.check_collisions([a, b], plane="XY")) == {"AB": Verdict.PENETRATING}
    assert api.check_collisions([a, b]).scope == "OBJECTS"
    assert not any(ob.select_get() for ob in bpy.context.scene.objects)


def test_collections_and_what_is_wrong(row: list[bpy.types.Object]) -> None:
    first, second = add_collection("First"), add_collection("Second")
    first.objects.link(row[0])
    second.objects.link(row[1])
    found = api.check_collisions(scope="COLLECTIONS", collection="First", other_collection="Second")
    assert pairs(found) == {"AB": Verdict.PENETRATING}
    with pytest.raises(ValueError, match="There is no collection"):
        api.check_collisions(scope="COLLECTION", collection="Third")
    with pytest.raises(ValueError, match="against"):
        api.check_collisions(against=row)
    with pytest.raises(ValueError, match="clearance"):
        api.check_collisions(row, clearance=-1.0)
    with pytest.raises(KeyError):
        api.check_collisions(["Z"])


def test_faults_leave_out_what_was_accepted(row: list[bpy.types.Object]) -> None:
    assert [api.names(api.check_collisions(), pair) for pair in api.faults(api.check_collisions())] == [("A", "B")]
    accepted_pairs.accept(bpy.context.scene, {frozenset(ObjectKey(ob.session_uid) for ob in row[:2]): 1.0}, "glued")
    assert api.faults(api.check_collisions()) == []


@pytest.mark.parametrize("ending", [".json", ".txt", ".html", ".xml", ".csv"])
@pytest.mark.usefixtures("row")
def test_save_writes_each_format(ending: str, tmp_path: Path) -> None:
    path = api.save_report(api.check_collisions(), str(tmp_path / f"report{ending}"), pictures=0)
    text = path.read_text(encoding="utf-8")
    assert "A" in text and "B" in text
    if ending == ".json":
        assert json.loads(text)["schema_version"]


@pytest.mark.usefixtures("row")
def test_save_refuses_other_endings_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'report\.pdf' ends in none of"):
        api.save_report(api.check_collisions(), tmp_path / "report.pdf")
    with pytest.raises(ValueError, match=r"'cull\.csv' ends in none of"):
        bpy.context.scene.camera = add("Camera", bpy.data.cameras.new("Camera"), at=(0, 0, 20))
        api.save_report(api.cull_to_camera(), tmp_path / "cull.csv")
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
    found = api.check_motion(start=1, end=11)
    (contact,) = found.contacts
    assert contact.first == pytest.approx(4.0, abs=1e-3)  # 3 units on at one a frame
    assert json.loads(api.save_report(found, tmp_path / "motion.json").read_text())["contacts"]
    bpy.context.scene.camera = add("Camera", bpy.data.cameras.new("Camera"), at=(5, 0, 30))
    seen = {entry.name: entry.verdict for entry in api.cull_to_camera().objects}
    assert seen["Post"] == 1
    assert {entry.name for entry in api.cull_to_camera("Camera", frames=(1, 2), exact=False).objects} == {
        "Cart",
        "Post",
    }
    assert "Post" in api.save_report(api.cull_to_camera(), tmp_path / "cull.txt").read_text()


def _curves(ob: bpy.types.Object) -> list:
    action = ob.animation_data.action
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return list(action.layers[0].strips[0].channelbag(ob.animation_data.action_slot).fcurves)


def test_fixes(row: list[bpy.types.Object]) -> None:
    outcome = api.push_apart(["A"])
    assert outcome.farthest == pytest.approx(0.5, abs=1e-5)
    assert api.faults(api.check_collisions()) == []
    with_setting(add("Floor", at=(0, 0, -5)), "HALF_SPACE")
    outcome = api.drop_to_surface([row[3]], (0, 0, -7))
    assert outcome.onto == {"D": "Floor"}
    assert row[3].location.z == pytest.approx(-4.0, abs=1e-5)
    for bad in ((0, 0, 0), (1, 2), (np.nan, 0, 1)):
        with pytest.raises(ValueError, match="direction"):
            api.drop_to_surface([row[3]], bad)
    for bad in (-1.0, np.nan, np.inf, "x"):
        for question in (api.push_apart, api.drop_to_surface):
            with pytest.raises(ValueError, match="touching"):
                question(["A"], touching=bad)


ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
import bpy
from collision_kit import api

bpy.ops.wm.open_mainfile(filepath=sys.argv[2])
report = api.check_collisions()
assert [api.names(report, pair) for pair in report.pairs] == [("A", "B")], report.pairs
assert api.accepted_reason(report, report.pairs[0]) == "glued"
assert api.faults(report) == []
made = api.make_collider(["C"], "SPHERE")
assert api.collider_quality(made.colliders[0].object) is not None
assert not hasattr(bpy.types, "COLLISION_KIT_PT_check")
assert not hasattr(bpy.types, "COLLISION_KIT_OT_check_collisions")
import collision_kit

collision_kit.register()
assert hasattr(bpy.types, "COLLISION_KIT_PT_check")
assert api.collision_settings("C").shape == "NONE"
collision_kit.unregister()
assert not hasattr(bpy.types.Scene, "collision_kit")
print("as it should be")
"""


@pytest.mark.usefixtures("row")
def test_what_files_hold_counts_though_the_add_on_is_not_enabled(tmp_path: Path) -> None:
    api.set_collision_settings(["C"], shape="NONE")
    report = api.check_collisions()
    api.accept_pair(report, report.pairs[0], "glued")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "row.blend"), copy=True)
    root = str(Path(__file__).resolve().parents[3])
    command = [sys.executable, "-c", ALONE, root, str(tmp_path / "row.blend")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "as it should be" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_checks_do_without_the_properties(row: list[bpy.types.Object]) -> None:
    collision_kit.unregister()
    try:
        assert not hasattr(bpy.context.scene, "collision_kit")
        assert len(api.faults(api.check_collisions())) == 1
        assert api.push_apart(row).moved
        bpy.context.view_layer.update()
        assert api.drop_to_surface(["D"], (-1, 0, 0)).onto == {"D": "C"}
    finally:
        collision_kit.register()


def test_the_formats_of_texts_are_those_of_the_command_line() -> None:
    assert get_args(Format) == TEXTS


# The documentation

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scripting.md"


def test_the_page_names_every_function_and_its_arguments() -> None:
    tables = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    calls = dict(re.findall(r"`(\w+)\((.*?)\)`", "\n".join(line.split(" | ")[0] for line in tables)))
    functions = {name for name in api.__all__ if inspect.isfunction(getattr(api, name))}
    assert set(calls) == functions
    for name, written in calls.items():
        signature = inspect.signature(getattr(api, name))
        for argument in re.findall(r"(\w+)(?:=|,|$)", re.sub(r"\([^)]*\)|\".*?\"", "", written)):
            assert argument in signature.parameters or argument.isdecimal() or argument in {"None", "True", "False"}
        if "…" not in written:
            for parameter in signature.parameters.values():
                if parameter.default is None or isinstance(parameter.default, bool | int | float):
                    assert f"{parameter.name}={parameter.default}" in written, name
                elif isinstance(parameter.default, str) and parameter.default is not parameter.empty:
                    assert f'{parameter.name}="{parameter.default}"' in written, name
                else:
                    assert parameter.name in written, name


def test_what_the_page_says_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, x in (("Crate", 0.0), ("Shelf", 1.5), ("Hinge", 3.25), ("Rock", 9.0)):
        add(name, cube_mesh(), at=(x, 0, 0))
    bpy.context.scene.camera = add("Camera", bpy.data.cameras.new("Camera"), at=(0, 0, 30))
    first, *blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert "from collision_kit import api" in first
    assert len(blocks) > 6
    known: dict[str, object] = {"api": api, "bpy": bpy}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), known)
    assert {path.name for path in tmp_path.iterdir()} == {"collisions.html", "level.glb"}
    assert len(api.accepted_pairs()) == 1


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


def test_make_level_colliders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, x in (("Crate", 0.0), ("Barrel", 5.0)):
        add(name, cube_mesh(), at=(x, 0, 0))
    assert run("make_level_colliders.py", "--", tmp_path / "level.glb", monkeypatch=monkeypatch) == 0
    assert "Crate: box, 1 times the volume of the hull" in capsys.readouterr().out
    assert len(api.colliders_of(["Crate", "Barrel"])) == 2
    assert (tmp_path / "level.glb").is_file()
    assert run("make_level_colliders.py", "--", tmp_path / "level.glb", monkeypatch=monkeypatch) == 0
    assert len(api.colliders_of(["Crate", "Barrel"])) == 2


def test_every_example_is_run_here() -> None:
    tests = Path(__file__).read_text(encoding="utf-8")
    assert {path.name for path in SCRIPTS.glob("*.py")} == {
        name
        for name in ("check_file.py", "tidy_heap.py", "motion_and_camera.py", "make_level_colliders.py")
        if f'run("{name}"' in tests
    }


CULLED = CullReport("", "Scene", (), 1, 1, True, ())


@pytest.mark.usefixtures("row")
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("camera", lambda: api.cull_to_camera(camera=5)),
        ("frames", lambda: api.cull_to_camera(frames=3)),
        ("frames", lambda: api.cull_to_camera(frames=(1.5, 2))),
        ("objects", lambda: api.check_collisions(objects=[None])),
        ("objects", lambda: api.check_collisions(objects=5)),
        ("objects", lambda: api.push_apart(None)),
        ("objects", lambda: api.drop_to_surface([3])),
        ("against", lambda: api.check_collisions(["A"], against=[bpy.data.meshes[0]])),
        ("start", lambda: api.check_motion(start="x")),
        ("end", lambda: api.check_motion(end=2.5)),
        ("scope", lambda: api.check_collisions(scope=None)),
        ("collection", lambda: api.check_motion(scope="COLLECTION", collection=3)),
        ("plane", lambda: api.check_collisions(plane=["XY"])),
        ("direction", lambda: api.drop_to_surface(["A"], "down")),
        ("to", lambda: api.snap_to_contact("A", 3)),
        ("source", lambda: api.make_collider(["A"], source="FACES")),
        ("thickness", lambda: api.make_collider(["A"], thickness=-1.0)),
        ("pieces", lambda: api.make_collider_pieces(["A"], pieces=0)),
        ("axis", lambda: api.mirror_collider(["A"], "W")),
        ("what", lambda: api.copy_collision_settings("A", ["B"], "SHAPE")),
        ("what", lambda: api.reset_collision_settings(["A"], ["SHADE"])),
        ("source", lambda: api.copy_collider_settings("A", ["B"])),
        ("engine", lambda: api.validate_colliders("unreal")),
        ("limits", lambda: api.validate_colliders(limits={"vertices": 8})),
        ("preset", lambda: api.apply_check_preset("MINE")),
        ("plane", lambda: api.find_convex_pieces("A", "XX")),
        ("which", lambda: api.culled_objects(CULLED, "BEHIND")),
        ("pictures", lambda: api.save_report(api.check_collisions(), "a.html", pictures=-1)),
        ("meshes", lambda: api.export_gltf("a.glb", meshes="NONE")),
        ("report", lambda: api.accept_pair(None, None)),
        ("report", lambda: api.fix_issues(api.check_collisions())),
        ("report", lambda: api.add_contact_markers(api.check_collisions())),
        ("pair", lambda: api.accepted_reason(api.check_collisions(), api.check_collisions().pairs[0])),
        ("report", lambda: api.save_report(None, "report.json")),
        ("report", lambda: api.faults(3)),
        ("path", lambda: api.save_report(api.check_collisions(), 5)),
        ("path", lambda: api.save_report(api.check_collisions(), "a\0.json")),
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
        api.check_collisions([gone])
    with pytest.raises(KeyError, match="objects: there is no object 'A'"):
        api.check_collisions(["A"])
