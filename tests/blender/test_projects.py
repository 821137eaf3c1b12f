# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files, checked by Blender itself: what becomes of each, and what several have from one they link."""

import json
import sys
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.command_line import box
from tests.helpers.blender.command_process import finish, left_behind, start
from tests.helpers.report_schemas import mistakes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes as POSIX has them")


def saved(path: Path) -> None:
    """Save the open file, and open an empty one."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    empty()


def empty() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def linked(asset: Path) -> bpy.types.Collection:
    with bpy.data.libraries.load(str(asset), link=True, relative=True) as (_, wanted):
        wanted.collections = ["Chair"]
    return bpy.data.collections["Chair"]


@pytest.fixture
def folder(tmp_path: Path, environment: dict[str, str]) -> Path:
    """An asset with a fault, files that link it in several ways, one without a fault and one that is broken."""
    folder = tmp_path / "library"
    (folder / "shots").mkdir(parents=True)
    (folder / "assets").mkdir()
    asset = folder / "assets" / "chair.blend"
    empty()
    chair = bpy.data.collections.new("Chair")
    bpy.context.scene.collection.children.link(chair)
    for name, place in (("Leg", 0.0), ("Seat", 0.75)):
        ob = box(name, (place, 0, 0))
        ob.users_collection[0].objects.unlink(ob)
        chair.objects.link(ob)
    saved(asset)
    instance = bpy.data.objects.new("Chair 1", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", linked(asset)
    instance.location = (3.7, 1.3, 0)
    bpy.context.scene.collection.objects.link(instance)
    saved(folder / "shots" / "shot1.blend")
    bpy.context.scene.collection.children.link(linked(asset))
    saved(folder / "shots" / "shot2.blend")
    chair = linked(asset)
    bpy.context.scene.collection.children.link(chair)
    chair.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    bpy.context.scene.collection.children.unlink(chair)
    saved(folder / "shots" / "shot3.blend")
    # Its own pair, of the same names.
    box("Leg", (0, 0, 0))
    box("Seat", (0.75, 0, 0))
    saved(folder / "shots" / "shot4.blend")
    box("A", (0, 0, 0))
    box("B", (3, 0, 0))
    saved(folder / "clean.blend")
    (folder / "broken.blend").write_bytes(b"BLENDER garbage")
    return folder


SHOWN = ["assets/chair.blend", *(f"shots/shot{number}.blend" for number in range(1, 4))]


# A dozen Blenders. test_snippets.py has a folder that is checked in a few seconds.
@pytest.mark.slow
def test_a_folder_of_files_is_one_report(folder: Path, environment: dict[str, str]) -> None:
    arguments = ("check", str(folder), "--jobs", "2", "--resume", "run.jsonl", "--output=report.xml", "--output")
    code, output, error = finish(start(environment, *arguments, "report.json"))
    assert (code, output, error) == (1, "", "")
    report = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert mistakes("project", report) == []
    outcomes = {file["path"]: file["outcome"] for file in report["files"]}
    expected = dict.fromkeys([*SHOWN, "shots/shot4.blend"], "found")
    assert outcomes == {"broken.blend": "unreadable", "clean.blend": "clean"} | expected
    assert list(outcomes) == sorted(outcomes)
    (shared,) = report["shared"]
    chair = str(folder / "assets" / "chair.blend")
    assert (shared["a"], shared["b"], shared["library_a"], shared["library_b"]) == ("Leg", "Seat", chair, chair)
    assert shared["files"] == SHOWN
    assert shared["distance"] == pytest.approx(-0.25, abs=1e-5)
    broken = report["files"][1]
    assert broken["path"] == "broken.blend" and "Blender cannot read it" in broken["message"]
    assert left_behind(environment) == []
    # A file's own report is that of the file.
    code, output, _ = finish(start(environment, "check", str(folder / "clean.blend"), "--format", "json"))
    assert code == 0
    assert json.loads(output) == report["files"][2]["report"]
    # With an asset mended, those that link it are checked again, and the others are taken from the journal.
    bpy.ops.wm.open_mainfile(filepath=chair)
    bpy.data.objects["Seat"].location.x = 5.0
    saved(Path(chair))
    Path(f"{chair}1").unlink(missing_ok=True)
    journal = Path("run.jsonl").read_text(encoding="utf-8")
    assert finish(start(environment, *arguments, "again.json"))[0] == 1
    again = json.loads(Path("again.json").read_text(encoding="utf-8"))
    outcomes = {file["path"]: file["outcome"] for file in again["files"]}
    assert [path for path, outcome in outcomes.items() if outcome == "found"] == ["shots/shot4.blend"]
    assert again["shared"] == []
    written = Path("run.jsonl").read_text(encoding="utf-8").removeprefix(journal)
    checked = [json.loads(line)["checked"]["path"] for line in written.splitlines()]
    assert sorted(checked) == SHOWN


@pytest.mark.parametrize(
    ("command", "option", "field", "code"),
    [
        ("validate", "--engine=unreal", "findings", 0),
        pytest.param("motion", "--fail-on=started", "contacts", 1, marks=pytest.mark.slow),
    ],
)
def test_the_other_checks_take_many_files_too(
    folder: Path,
    environment: dict[str, str],
    command: str,
    option: str,
    field: str,
    code: int,
) -> None:
    files = [str(folder / "clean.blend"), str(folder / "shots" / "shot4.blend")]
    ended, output, error = finish(start(environment, command, *files, option, "--allow-empty", "--format", "json"))
    assert ended == code, error
    report = json.loads(output)
    assert mistakes("project", report) == []
    assert (report["command"], report["arguments"]) == (command, [option, "--allow-empty"])
    assert [file["path"] for file in report["files"]] == ["clean.blend", "shots/shot4.blend"]
    assert all(field in file["report"] for file in report["files"])


@pytest.mark.slow
def test_culling_many_files_of_which_none_has_a_camera(folder: Path, environment: dict[str, str]) -> None:
    files = [str(folder / "clean.blend"), str(folder / "shots" / "shot4.blend")]
    ended, output, error = finish(start(environment, "cull", *files))
    assert ended == 2 and output.startswith("2 files: 0 with findings, 0 clean, 2 not fully checked"), error


@pytest.mark.skipif(sys.platform != "linux", reason="no limit is set elsewhere")
def test_a_limit_of_memory_that_blender_needs_more_than(
    folder: Path,
    environment: dict[str, str],
) -> None:
    clean = str(folder / "clean.blend")
    for limit, written in (("1", "1 B"), ("12M", "12 MiB"), ("22M", "22 MiB"), ("100M", "100 MiB")):
        code, output, error = finish(start(environment, "check", clean, "--memory", limit, "--format", "json"))
        assert code == 2, error
        (file,) = json.loads(output)["files"]
        message = f"no memory left: the limit was {written}, and Blender was not loaded yet"
        assert (file["outcome"], file["message"]) == ("out_of_memory", message)
    assert finish(start(environment, "check", clean, "--memory", "2G"))[0] == 0
