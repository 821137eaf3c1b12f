# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files are checked, with what, and what is said to bad input."""

import csv
import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collision_kit.addon.model.errors import CommandError
from collision_kit.addon.system.characters import spelled, unspelled
from collision_kit.command import entry, usage
from collision_kit.command.files import common_folder, scene_files
from tests.helpers.project_files import ended, library, reported, stub


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        *("b.blend", "a.BLEND", "c.blend1", "notes.txt", "x_autosave.blend", "m.glb", "sub/old/d.blend", "sub/e.stl"),
        *(".hidden/f.blend", "sub.blend/g.blend", "old.blend", "sub/[h].fbx"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


ALL = ["a.BLEND", "b.blend", "m.glb", "old.blend", "sub.blend/g.blend", "sub/[h].fbx", "sub/e.stl", "sub/old/d.blend"]


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ([], [], ALL),
        (["*.blend"], [], ["b.blend", "old.blend", "sub.blend/g.blend", "sub/old/d.blend"]),
        ([], ["old"], [name for name in ALL if name != "sub/old/d.blend"]),
        ([], ["old*"], [name for name in ALL if "old" not in name]),
        (["sub/*"], [], ["sub/[h].fbx", "sub/e.stl"]),
        (["sub/**"], [], ["sub/[h].fbx", "sub/e.stl", "sub/old/d.blend"]),
        (["**/old/*"], [], ["sub/old/d.blend"]),
        (["**/*.blend"], ["**/old/**"], ["b.blend", "old.blend", "sub.blend/g.blend"]),
        (["?.blend", "sub/[[]h].*"], [], ["b.blend", "sub.blend/g.blend", "sub/[h].fbx", "sub/old/d.blend"]),
        (["./sub/[!e]*"], [], ["sub/[h].fbx"]),
    ],
)
def test_which_files_of_a_folder(tree: Path, include: list[str], exclude: list[str], expected: list[str]) -> None:
    found = scene_files([tree], include, exclude)
    assert [file.relative_to(tree).as_posix() for file in found] == expected


def test_links_are_followed_and_a_folder_is_searched_once(tree: Path) -> None:
    (tree / "sub" / "loop").symlink_to(tree)
    (tree / "a_link").symlink_to(tree / "sub")
    (tree / "gone.blend").symlink_to(tree / "nowhere.blend")
    outside = tree.parent / f"{tree.name} outside"
    library(outside, far="")
    (tree / "linked").symlink_to(outside)
    found = [file.relative_to(tree).as_posix() for file in scene_files([tree])]
    assert found == sorted([*ALL, "linked/far.blend"])


def test_a_folder_that_cannot_be_read_is_told(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked, scandir = tree / "sub" / "old", os.scandir

    # Root may read everything.
    def refused(folder: str):
        if Path(folder) == locked:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refused)
    for top in (tree, locked):
        with pytest.raises(CommandError, match=f"^{re.escape(str(locked))}: Permission denied$"):
            scene_files([top])
        with pytest.raises(CommandError):
            scene_files([top], exclude=["*.blend", "other/**"])
    for glob in ("old", "**/old/**", "sub/old/*", "sub/old/**"):
        found = [file.relative_to(tree).as_posix() for file in scene_files([tree], exclude=[glob])]
        assert found == [name for name in ALL if name != "sub/old/d.blend"]


def test_paths_that_overlap_give_each_file_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    paths = [Path("sub"), Path("b.blend"), Path("sub/e.stl"), tree / "sub" / "old", Path("notes.txt")]
    found = [file.relative_to(tree).as_posix() for file in scene_files(paths)]
    assert found == ["b.blend", "notes.txt", "sub/[h].fbx", "sub/e.stl", "sub/old/d.blend"]
    assert common_folder(paths, []) == tree
    assert common_folder([Path("sub/old/d.blend")], []) == tree / "sub" / "old"


def options(*arguments: str):
    return usage.read(list(arguments))


def test_missing_folders_of_reports_and_journals_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    library(tmp_path / "lib", a="clean")
    given = ("--output", "new/a/report.json", "--output", "new/report.xml", "--resume", "kept/run.jsonl")
    assert ended(stub(tmp_path), "check", "lib", *given) == 0
    assert all(Path(name).is_file() for name in given[1::2])


def test_one_file_is_one_file(tmp_path: Path) -> None:
    assert not options("check", "a.blend").many
    assert options("check", "a.blend").options.file == "a.blend"
    assert options("check", "a.blend", "b.blend").many
    assert options("check", str(tmp_path)).many
    for extra in (
        "--jobs=1",
        "--timeout=1m",
        "--memory=1G",
        "--include=*",
        "--exclude=x",
        "--resume=j",
        "--scheduler=s",
    ):
        assert options("motion", "a.blend", extra).many


def test_each_file_is_checked_with_what_was_asked_for() -> None:
    given = ["check", "--clear", "5mm", "Props", "lib", "--scope=collection:Props", "--against", "lib", "--jobs", "2"]
    given += ["--include", "lib", "--fail-on", "none", "--allow-empty", "--output", "lib", "--timeout", "90s"]
    assert options(*given).many.arguments == (
        *("check", "--clearance=5mm", "--scope=collection:Props", "--against=lib", "--fail-on=none", "--allow-empty"),
    )
    given = ("cull", "x", "y", "--conservative", "--frames=-5:9")
    assert options(*given).many.arguments == ("cull", "--conservative", "--frames=-5:9")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--jobs", "0"), "'0' is not a whole number above zero, or auto"),
        (("--jobs", "two"), "'two' is not a whole number"),
        (("--timeout", "0"), "'0' is not a time above zero"),
        (("--timeout", "1\u017f"), "'1\u017f' is not a time above zero"),
        (("--timeout", "1d"), "'1d' is not a time"),
        (("",), "PATH is empty"),
        (("--memory", "1" + "0" * 307 + "T"), "is not a size of memory"),
        (("--memory", "4X"), "'4X' is not a size of memory"),
        (("--picture", "a.png", "--jobs=1"), "--picture needs one FILE"),
        (("--picture", "-"), "argument --picture: '-' is not the path of a file"),
        (("--picture", "a.png/"), "argument --picture: 'a.png/' is not the path of a file"),
        (("--output", "new/", "--format", "json"), "argument --output: 'new/' is a folder, and --format json needs a"),
        (("--output", ".", "--suggest-rules"), "argument --output: '.' is a folder, and --suggest-rules needs a file"),
        (("--unknown",), "unrecognized arguments: --unknown (see collision-kit check --help)"),
        (("--format", "json", "--output", "a", "--output", "b"), "--format needs one --output"),
    ],
)
def test_bad_usage_is_one_line(capfd, arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(SystemExit) as stop:
        options("check", "a.blend", *arguments)
    error = capfd.readouterr().err
    assert stop.value.code == 2
    assert error.startswith("error: ") and words in error and error.count("\n") == 1


def test_sizes_and_times() -> None:
    read = options("check", "a", "--memory", "1.5G", "--timeout", "1.5h", "--jobs", "auto").many
    assert (read.memory, read.timeout, read.jobs) == (3 << 29, 5400.0, 0)
    assert [options("check", "a", "--memory", text).many.memory for text in ("7", "2k", "3MiB")] == [7, 2048, 3 << 20]
    assert [options("check", "a", "--timeout", text).many.timeout for text in ("7", "2 m", "3s", "1H")] == [
        7.0,
        120.0,
        3.0,
        3600.0,
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere", "lib"), "nowhere: no such file or folder"),
        (("empty",), "no scene files in empty"),
        (("lib", os.devnull), f"{os.devnull}: not a file"),
        (("lib", "--resume", os.devnull), f"cannot write {os.devnull}: not a file"),
        (
            ("lib", "--output", "lib/a.blend/report.json"),
            "cannot write lib/a.blend/report.json: lib/a.blend is not a folder",
        ),
        (("lib", "--output", "lib/a.blend", "--format", "json"), "cannot write lib/a.blend: it is an input file"),
        (("lib", "--output", "report.pdf"), "report.pdf: unknown report format .pdf"),
        (("lib", "--output", "a.json", "--output", "./a.json"), "are the same file: a.json"),
        (("lib", "--format", "html"), "--format html of many files needs --output"),
        (("lib", "--scheduler", "tcp://127.0.0.1:1"), "error: "),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd, arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    library(tmp_path / "lib", a="clean")
    assert ended(stub(tmp_path), "check", *arguments) == 2
    error = capfd.readouterr().err
    assert error.startswith("error: ") and words in error and error.count("\n") == 1
    assert not (tmp_path / "noted").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="names as POSIX has them")
def test_names_of_any_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = library(tmp_path / "lib")
    for name in ("-x.blend", "a b.blend", "새.blend", "new\nline.blend", os.fsdecode(b"\xff.blend")):
        (folder / name).write_text("clean")
    outputs = [f"--output=report{ending}" for ending in (".json", ".csv", ".txt", ".xml")]
    assert ended(stub(tmp_path), "check", folder, "--output", "page/", *outputs) == 0
    assert len(list((tmp_path / "page" / "pages").iterdir())) == 5


# Names of files as the file system has them.
BYTES = [
    *(b"bad\xff\xfe", b"bad\xfe\xff", b"bad??", rb"bad\xff\xfe", rb"bad\x5cxff"),
    *("bad\ufffd\ufffd".encode(), b"\xc3\xa9", b"%FF"),
]


def test_no_two_paths_are_spelled_alike() -> None:
    paths = [os.fsdecode(name) for name in BYTES]
    spelled_paths = [spelled(path) for path in paths]
    assert len(set(spelled_paths)) == len(paths)
    assert [unspelled(path) for path in spelled_paths] == paths
    assert [path.encode().decode() for path in spelled_paths] == spelled_paths
    assert spelled("scenes/Ünï\\new.blend") == "scenes/Ünï\\new.blend"


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=12), st.lists(st.sampled_from([b"\\x", b"\\", b"ff", b"5c", b"\xff", b"x"]), max_size=6))
def test_any_path_is_read_as_it_was_spelled(some: bytes, more: list[bytes]) -> None:
    path = os.fsdecode(some + b"".join(more))
    assert unspelled(spelled(path)) == path
    spelled(path).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any byte in a name")
def test_names_that_are_no_utf8_stay_apart_in_reports_and_against_a_baseline(tmp_path, monkeypatch, capfd) -> None:
    """Each has a page, and is compared with its own entry, not with that of another."""
    monkeypatch.chdir(tmp_path)
    command, folder = stub(tmp_path), tmp_path / "lib"
    folder.mkdir()
    for number, name in enumerate(BYTES):
        path = os.fsencode(folder) + b"/" + name + b".blend"
        pair = {"a": f"of {number}", "b": "B", "verdict": "touching", "distance": 0.0, "accepted": None}
        with open(path, "w") as stream:
            stream.write("clean\n" + json.dumps({"pairs": [pair]}))
    arguments = (
        "check",
        folder,
        "--output=report.json",
        "--output=report.csv",
        "--output=report.xml",
        "--output=pages/",
    )
    assert ended(command, *arguments) == 0
    first = reported(tmp_path / "report.json")["files"]
    assert {os.fsencode(unspelled(one["path"])) for one in first} == {name + b".blend" for name in BYTES}
    index = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    links = {unquote(link) for link in re.findall('href="(pages/[^"]*)"', index)}
    assert links == {f"pages/{one['path']}.html" for one in first}
    assert all((tmp_path / "pages" / link).is_file() for link in links)
    suites = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert len({suite.get("name") for suite in suites}) == len(BYTES)
    with open(tmp_path / "report.csv", encoding="utf-8", newline="") as table:
        assert len({row["file"] for row in csv.DictReader(table)}) == len(BYTES)
    assert ended(command, "check", folder, "--baseline", "report.json", "--output", "after.json") == 0
    for one in reported(tmp_path / "after.json")["files"]:
        assert one["report"]["before"] == one["report"]["pairs"]


@pytest.mark.parametrize(
    ("name", "why"),
    [("missing.blend", "no such file"), ("notes.md", "not a scene that can be read")],
)
def test_a_file_that_can_be_no_scene_is_told_before_blender_is_started(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.md").write_text("no scene", encoding="utf-8")
    monkeypatch.setattr(entry, "supervised", lambda command: pytest.fail("Blender was started"))
    assert entry._first(["check", str(tmp_path / name)]) == entry.BAD_INPUT
    assert capsys.readouterr().err.startswith(f"error: {tmp_path / name}: {why}")


def test_many_files_are_dealt_out_without_blender() -> None:
    """Loading it changes the search path of modules, which the processes of the files get."""
    program = "import sys; from collision_kit.command import many; sys.exit('bpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_many_files_are_fixed_in_place(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a.blend", "b.blend"):
        (tmp_path / name).touch()
    with pytest.raises(SystemExit):
        usage.read(["validate", str(tmp_path), "--fix", "--output=o.blend"])
    assert "--fix of many files needs --in-place" in capfd.readouterr().err
    many = usage.read(["validate", str(tmp_path), "--fix", "--in-place"]).many
    assert many.arguments == ("validate", "--fix", "--in-place")
