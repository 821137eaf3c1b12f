# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the command line writes: never over files that it reads; existing files keep their permissions."""

import csv
import io
import json
import os
import stat
import sys
import threading
from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon import picture
from collision_kit.addon.cli import commands
from collision_kit.addon.reports.csv import unguarded
from collision_kit.addon.system.files import encoded, one_file, write_whole
from tests.helpers.blender.command_line import box, run

links = pytest.mark.skipif(sys.platform == "win32", reason="links are for the few there")

MADE_FILES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def pair(save_scene, folder: Path) -> Path:
    """A scene of two boxes that penetrate, in the working directory."""
    return Path(save_scene(A=(0, 0, 0), B=(0.75, 0, 0)))


@pytest.mark.parametrize(
    ("command", "endings"),
    [
        (
            "check",
            {
                **{
                    ".txt": "2 bodies",
                    ".json": '"pairs"',
                    ".xml": "<?xml",
                    ".html": "<!DOCTYPE html>",
                    ".HTM": "<!DOC",
                },
                ".csv": "file,scene,frame,a,b,verdict,",
            },
        ),
        ("motion", {".txt": "2 bodies", ".JSON": '"contacts"', ".html": "<!DOCTYPE html>"}),
        ("cull", {".txt": "Camera", ".json": '"objects"', ".xml": "<?xml", ".html": "<!DOCTYPE html>"}),
        ("validate", {".txt": "validated", ".json": '"findings"', ".html": "<!DOCTYPE html>"}),
    ],
)
def test_the_ending_of_the_output_says_in_which_format_it_is(
    command: str,
    endings: dict[str, str],
    save_scene,
    folder: Path,
    capfd,
) -> None:
    file = save_scene(A=(0, 0, 0), B=(5, 0, 0))
    bpy.ops.wm.open_mainfile(filepath=file)
    bpy.context.scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(bpy.context.scene.camera)
    bpy.ops.wm.save_mainfile()
    more = "--exact" if command == "cull" else "--allow-empty"
    for ending, beginning in endings.items():
        path = folder / f"report{ending}"
        assert run(capfd, command, file, "--output", path.name, more)[0] == 0
        assert beginning in path.read_text("utf-8")
        path.unlink()
        if "json" not in ending.lower():
            # What is asked for comes before what the name says.
            run(capfd, command, file, "--output", path.name, "--format", "json")
            json.loads(path.read_text("utf-8"))
            path.unlink()
    code, output, error = run(capfd, command, file, "--output", "report.yaml")
    assert (code, output) == (2, "")
    assert error.startswith("error: report.yaml: unknown report format .yaml; use .txt, .json")
    assert not (folder / "report.yaml").exists()
    assert run(capfd, command, file, "--output", "report", more)[0] == 0
    assert endings[".txt"] in (folder / "report").read_text("utf-8"), "a name without an ending is no mistake"


@links
def test_the_scene_is_never_written_to_however_it_is_named(pair: Path, folder: Path, capfd) -> None:
    (folder / "link.blend").symlink_to(pair.name)
    (folder / "hard.blend").hardlink_to(pair)
    (folder / "here").symlink_to(".")
    before = pair.read_bytes()
    names = ["scene.blend", "./scene.blend", "here/scene.blend", "link.blend", "hard.blend", "SCENE.blend", str(pair)]
    for option in ("--output", "--picture"):
        for name in names:
            code, output, error = run(capfd, "check", "scene.blend", option, name)
            assert (code, output) == (2, "")
            assert error == f"error: cannot write {Path(name)}: it is the input file"
    assert run(capfd, "check", "link.blend", "--output", "scene.blend")[0] == 2
    assert pair.read_bytes() == before
    assert sorted(os.listdir()) == ["hard.blend", "here", "link.blend", "scene.blend"]


def test_libraries_and_textures_of_a_scene_are_never_written_to(folder: Path, capfd) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    box("Linked", (0, 0, 0))
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(folder / "library.blend"), link=True, relative=True) as (_, wanted):
        wanted.objects = ["Linked"]
    bpy.context.collection.objects.link(wanted.objects[0])
    for name, source in (("one.png", "FILE"), ("walk_0007.png", "SEQUENCE"), ("tile.<UDIM>.png", "TILED")):
        image = bpy.data.images.new(name, 4, 4)
        image.source, image.filepath, image.use_fake_user = source, f"//{name}", True
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"), relative_remap=False)
    textures = ["one.png", "walk_0007.png", "walk_0008.png", "tile.1001.png"]
    for name in textures:
        (folder / name).write_bytes(b"a picture")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ["library.blend", *textures]:
        code, output, error = run(capfd, "check", "scene.blend", "--picture", name)
        assert (code, output) == (2, "")
        assert error.startswith(f"error: cannot write {name}: it is a file that the scene uses, ")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_other_files_of_an_imported_scene_are_never_written_to(pair: Path, folder: Path, capfd) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(pair))
    bpy.ops.export_scene.gltf(filepath=str(folder / "a scene.gltf"), export_format="GLTF_SEPARATE")
    bpy.ops.wm.obj_export(filepath=str(folder / "scene.obj"))
    assert "a%20scene.bin" in (folder / "a scene.gltf").read_text()
    for file, part in (("a scene.gltf", "a scene.bin"), ("scene.obj", "scene.mtl")):
        before = (folder / part).read_bytes()
        error = run(capfd, "check", file, "--output", part, "--format", "text")[2]
        assert ": it is a file that the scene uses" in error
        assert (folder / part).read_bytes() == before


def test_an_imported_scene_may_refer_to_files_that_cannot_exist(pair: Path, folder: Path, capfd) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(pair))
    bpy.ops.export_scene.gltf(filepath=str(folder / "scene.gltf"), export_format="GLTF_SEPARATE")
    content = json.loads((folder / "scene.gltf").read_text()) | {"images": [{"uri": "%00.png"}, {"uri": "\ud800.png"}]}
    (folder / "scene.gltf").write_text(json.dumps(content))
    bpy.ops.wm.obj_export(filepath=str(folder / "scene.obj"))
    lines = (folder / "scene.obj").read_bytes()
    (folder / "scene.obj").write_bytes(lines.replace(b"mtllib scene", b"mtllib sc\0ne"))
    assert b"\0" in (folder / "scene.obj").read_bytes()
    for name in ("scene.gltf", "scene.obj"):
        assert run(capfd, "check", name, "--output", "report.txt") == (1, "", "")


def test_two_outputs_of_one_name_are_refused(pair: Path, folder: Path, capfd) -> None:
    for other in ("a.png", "./a.png", "A.png"):
        code, output, error = run(capfd, "check", pair.name, "--output", "a.png", "--picture", other)
        assert (code, output) == (2, "")
        assert error == f"error: --output and --picture are the same file: {Path(other)}"
    assert os.listdir() == ["scene.blend"]


@pytest.mark.parametrize("name", ["scene.blend/report.txt", "scene.blend/new/report.txt"])
def test_what_cannot_be_written_is_told_before_the_scene_is_read(pair, capfd, monkeypatch, name) -> None:
    def read(*_arguments):
        raise AssertionError

    monkeypatch.setattr(commands, "open_scene", read)
    for option in ("--output", "--picture"):
        code, output, error = run(capfd, "check", pair.name, option, name)
        assert (code, output) == (2, "")
        assert error.startswith(f"error: cannot write {name}: scene.blend is not a folder")


def test_a_folder_for_a_page_that_is_a_file_is_told(pair: Path, folder: Path, capfd) -> None:
    (folder / "f").touch()
    for name, page in (("f/", "f/index.html"), ("f/g/", "f/g/index.html")):
        code, output, error = run(capfd, "check", pair.name, "--output", name)
        assert (code, output, error) == (2, "", f"error: cannot write {page}: f is not a folder")


def test_a_folder_for_a_page_is_made_for_its_sake_only(save_scene, folder: Path, capfd) -> None:
    file = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    code, _, error = run(capfd, "cull", file, "--output", "new/folder/")
    assert (code, error) == (2, "error: The scene has no active camera")
    assert os.listdir() == ["scene.blend"]
    assert run(capfd, "check", file, "--output", "new/folder/")[0] == 1
    assert os.listdir("new/folder") == ["index.html"]


def test_missing_folders_of_reports_and_pictures_are_made(pair: Path, folder: Path, capfd) -> None:
    given = ("--output", "new/a/report.json", "--output", "new/report.txt", "--picture", "new/pictures/worst.png")
    code, _, error = run(capfd, "check", "nowhere.blend", *given)
    assert code == 2 and "nowhere.blend" in error and os.listdir() == ["scene.blend"]
    assert run(capfd, "check", pair.name, *given) == (1, "", "")
    made = sorted(path.relative_to(folder).as_posix() for path in Path(folder, "new").rglob("*") if path.is_file())
    assert made == ["new/a/report.json", "new/pictures/worst.png", "new/report.txt"]


@links
def test_a_link_to_a_folder_that_is_not_there_yet_is_followed(pair: Path, folder: Path, capfd) -> None:
    (folder / "link").symlink_to("place")
    assert run(capfd, "check", pair.name, "--output", "link/")[0] == 1
    assert os.listdir("place") == ["index.html"] and (folder / "link").is_symlink()


def test_a_file_whose_name_is_a_dash_is_a_file(pair: Path, folder: Path, capfd) -> None:
    for name in ("./-", str(folder / "-")):
        assert run(capfd, "check", pair.name, "--output", name)[:2] == (1, "")
        assert (folder / "-").read_text().startswith("scene.blend, scene Scene, frame 1: 2 bodies tested")
        (folder / "-").unlink()
    assert run(capfd, "check", pair.name, "--output", "-")[1].startswith(
        "scene.blend, scene Scene, frame 1: 2 bodies tested"
    )
    (folder / "-").touch()
    assert "is not the path of a file" in run(capfd, "check", pair.name, "--picture", "-")[2]


def test_names_that_are_too_long_are_told(pair: Path, folder: Path, capfd) -> None:
    name = "x" * 300
    for begin, arguments in (
        ("", ("check", f"{name}.blend")),
        ("cannot write ", ("check", pair.name, "--output", name)),
        ("cannot write ", ("export", pair.name, "--output", f"{name}.glb")),
    ):
        code, output, error = run(capfd, *arguments)
        assert (code, output) == (2, "")
        assert error.startswith(f"error: {begin}xxx") and error.endswith(": File name too long")
    assert os.listdir() == ["scene.blend"]


@links
def test_links_are_followed_and_modes_kept(pair: Path, folder: Path, capfd) -> None:
    old_mask = os.umask(0o022)
    try:
        (folder / "place").mkdir()
        (folder / "link").symlink_to("place/report.txt")
        run(capfd, "check", pair.name, "--output", "link")
        target = folder / "place" / "report.txt"
        assert (folder / "link").is_symlink() and "penetrating" in target.read_text()
        assert stat.S_IMODE(target.stat().st_mode) == 0o644
        for mode in (0o600, 0o444, 0o640):
            target.write_text("before")
            target.chmod(mode)
            run(capfd, "check", pair.name, "--output", "link")
            assert (folder / "link").is_symlink() and "penetrating" in target.read_text()
            assert stat.S_IMODE(target.stat().st_mode) == mode
            target.unlink()
        (folder / "round").symlink_to("round")
        assert "cannot write" in run(capfd, "check", pair.name, "--output", "round")[2]
        assert (folder / "round").is_symlink()
    finally:
        os.umask(old_mask)
    assert sorted(os.listdir()) == ["link", "place", "round", "scene.blend"] and not os.listdir("place")


@MADE_FILES
def test_named_pipes_and_devices_are_written_to_and_stay(pair: Path, folder: Path, capfd, monkeypatch) -> None:
    monkeypatch.setattr(picture, "draw_picture", lambda *_arguments: b"a picture")
    os.mkfifo("pipe")
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_text(encoding="utf-8")), daemon=True)
    reader.start()
    options = ("--picture", os.devnull, "--output", "pipe")
    assert run(capfd, "check", pair.name, *options)[:2] == (1, "")
    reader.join(10)
    assert got == [run(capfd, "check", pair.name)[1]]
    assert stat.S_ISFIFO(os.stat("pipe").st_mode) and stat.S_ISCHR(os.stat(os.devnull).st_mode)
    # Two things may go where nothing is kept.
    assert run(capfd, "check", pair.name, "--picture", os.devnull, "--output", os.devnull)[0] == 1


def test_paths_are_those_of_the_working_directory_and_not_of_the_environment(save_scene, tmp_path, capfd, monkeypatch):
    path = Path(save_scene(A=(0, 0, 0), B=(0.75, 0, 0)))
    other = tmp_path / "other"
    other.mkdir()
    path.rename(other / "scene.blend")
    save_scene(A=(0, 0, 0))
    monkeypatch.setenv("PWD", str(tmp_path))
    monkeypatch.setattr(picture, "draw_picture", lambda *_arguments: b"a picture")
    monkeypatch.chdir(other)
    code, _, _ = run(capfd, "check", "scene.blend", "--output", "report.json", "--format", "json", "--picture", "a.png")
    assert code == 1
    assert sorted(os.listdir(other)) == ["a.png", "report.json", "scene.blend"]
    assert json.loads(Path("report.json").read_text(encoding="utf-8"))["file"] == str(other / "scene.blend")


def test_text_that_no_encoding_has_is_written_nevertheless(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", encoded("\udc80 ×\n"))
    assert (tmp_path / "a").read_bytes() == "? ×".encode() + os.linesep.encode()


def test_one_file_is_told_from_two(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "b").touch()
    assert one_file(tmp_path / "a", tmp_path / "x" / ".." / "a")
    assert not one_file(tmp_path / "a", tmp_path / "b")
    assert one_file(tmp_path / "new", tmp_path / "new")
    assert not one_file(tmp_path / "new", tmp_path / "a")


def test_a_report_that_a_script_cannot_save_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with pytest.raises(FileNotFoundError) as error:
        api.save_report(api.check_collisions(), tmp_path / "no folder" / "report.json")
    assert error.value.filename == str(tmp_path / "no folder" / "report.json")


def test_several_outputs_are_the_same_report_in_several_formats(pair: Path, folder: Path, capfd) -> None:
    outputs = [f"--output=report{ending}" for ending in (".json", ".csv", ".xml")]
    code, output, _ = run(capfd, "check", pair.name, *outputs, "--output", "-")
    assert (code, output) == run(capfd, "check", pair.name)[:2]
    (found,) = json.loads((folder / "report.json").read_text("utf-8"))["pairs"]
    (row,) = csv.DictReader(io.StringIO((folder / "report.csv").read_text("utf-8"), newline=""))
    for name in ("a", "b", "verdict", "shape_a", "shape_b"):
        assert row[name] == found[name]
    for name in ("distance", "interference", "friction"):
        assert float(row[name]) == found[name]
    assert [float(row[f"normal_{axis}"]) for axis in "xyz"] == found["normal"]
    assert int(row["contacts"]) == len(found["contacts"])
    assert f'name="{found["a"]} × {found["b"]}"' in (folder / "report.xml").read_text("utf-8")
    code, output, error = run(capfd, "check", pair.name, "--output", "a.txt", "--output", "./a.txt")
    assert (code, output, error) == (2, "", "error: two of --output are the same file: a.txt")


def test_no_report_is_written_over_the_binary_part_of_a_gltf_file(pair: Path, folder: Path, capfd) -> None:
    code, output, error = run(capfd, "export", pair.name, "a.gltf", "--format", "json", "--output", "./a.bin")
    assert (code, output, error) == (2, "", "error: two of --output are the same file: a.bin")
    assert not (folder / "a.bin").exists()


def test_names_of_any_kind_come_back_from_csv(save_scene, folder: Path, capfd) -> None:
    names = ["=1+1", "+x", "-x", "@SUM(A1)", "'quoted", "'=both", 'a,"b"', "-5", "plain", "two\u00a0words"]
    file = save_scene(**{name: (0, 0, 0) for name in names})
    bpy.ops.wm.open_mainfile(filepath=file)
    bodies = sorted(ob.name for ob in bpy.data.objects)
    assert run(capfd, "check", file, "--output", "report.csv")[0] == 1
    with open("report.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == len(names) * (len(names) - 1) // 2
    cells = {row[side] for row in rows for side in "ab"}
    assert sorted(map(unguarded, cells)) == bodies == sorted(names)
    assert not [cell for cell in cells - {"-5"} if cell[0] in "=+-@"]


@pytest.mark.parametrize("name", ["zeros.gltf", "vertices.ply", "pipe.obj"])
def test_files_that_ask_for_more_than_there_is_are_one_error(folder: Path, capfd, name: str) -> None:
    """Memory for billions of vertices in files of some bytes, and a file of materials that never ends."""
    count = 2_000_000_000
    if name == "zeros.gltf":
        vertices = {"count": count, "componentType": 5126, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]}
        meshes = [{"primitives": [{"attributes": {"POSITION": 0}}]}]
        parts = {"nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "meshes": meshes, "accessors": [vertices]}
        text, reason = json.dumps({"asset": {"version": "2.0"}, **parts}), f"declares {count} elements"
    elif name == "vertices.ply":
        text, reason = f"ply\nformat ascii 1.0\nelement vertex {count}\nproperty float x\nend_header\n0\n", "declares"
    elif not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes")
    else:
        os.mkfifo("materials.mtl")
        text, reason = "mtllib materials.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not a file"
    Path(name).write_text(text)
    code, output, error = run(capfd, "check", name)
    assert (code, output) == (2, "")
    assert error.startswith("error: ") and reason in error and len(error.splitlines()) == 1
