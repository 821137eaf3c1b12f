# SPDX-License-Identifier: GPL-3.0-or-later
"""The snippets of the pages with functions for scripts and with commands run, on files that are made here."""

import contextlib
import io
import itertools
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.cli import usage
from collision_kit.addon.cli.arguments import EVERY
from collision_kit.addon.cli.commands import command
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.command_line import box, run
from tests.helpers.blender.command_process import finish, start
from tests.helpers.snippets import ROOT, Snippet, commands, snippets

# The page of all functions has a test of its own: its snippets go on from each other.
PYTHON = [one for one in snippets("python") if one.for_blender and one.page != "docs/scripting.md"]


@pytest.mark.usefixtures("scene")
@pytest.mark.parametrize("snippet", PYTHON, ids=str)
def test_a_python_snippet_runs(snippet: Snippet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, x in (("Crate", 0.0), ("Chair", 5.0), ("Rock", 9.0)):
        add(name, cube_mesh(), at=(x, 0, 0))
    api.export_gltf("level.glb")
    exec(compile(snippet.text, str(snippet), "exec"), {"api": api, "bpy": bpy})


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the snippets name: each has two boxes, a camera and a floor."""
    folder = tmp_path_factory.mktemp("example")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    box("A", (0, 0, 0))
    box("B", (0.75, 0, 0))
    for name, kind in (("Camera", "PERSP"), ("Close", "ORTHO")):
        data = bpy.data.cameras.new(name)
        data.type = kind
        camera = bpy.data.objects.new(name, data)
        camera.location.z = 20.0
        bpy.context.scene.collection.objects.link(camera)
        bpy.context.scene.camera = camera
    start = bpy.data.objects.new("Start", None)
    start.location = (0.4, 0.0, 1.0)
    bpy.context.scene.collection.objects.link(start)
    level = folder / "level.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(level), compress=False)
    for name in (
        "first.blend",
        "shot.blend",
        "kit/a.blend",
        "kit/b.blend",
        "library/a.blend",
        "library/old/c.blend",
        "props.blend",
        "meshes/a.blend",
    ):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(level, folder / name)
    assert command(["check", str(level), "--output", str(folder / "before.json")]) == 1
    assert command(["probe", str(level), "--output", str(folder / "walked.json")]) == 1
    return folder


@pytest.fixture
def files(example: Path, environment: dict[str, str]) -> dict[str, str]:
    """The files that the snippets name, in the working directory."""
    shutil.copytree(example, Path(), dirs_exist_ok=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return environment


def is_of_many(arguments: list[str]) -> bool:
    """Whether a command is on many files, with options that the command of Blender does not have, or on a folder."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            options = usage.read("blender", arguments)
    except SystemExit:
        return True
    return os.path.isdir(options.file or "") or options.scene == EVERY


def command_of(snippet: Snippet, line: str) -> Any:
    """A parameter of the test: slow if it starts a Blender for each of several files, but for one such command."""
    program, *arguments = shlex.split(line, comments=True)
    many = program != "python" and is_of_many(arguments)
    marks = [pytest.mark.slow] * bool(many and arguments[0] != "check")
    return pytest.param(snippet, line, id=f"{snippet}-{line}"[:60], marks=marks)


COMMANDS = [
    command_of(one, line)
    for one, line in commands()
    if shlex.split(line, comments=True)[0] in ("collision-kit", "python")
    # Clusters have tests of their own.
    and "--scheduler" not in shlex.split(line, comments=True)
]


@pytest.mark.skipif(sys.platform == "win32", reason="processes as POSIX has them")
@pytest.mark.parametrize(("snippet", "line"), COMMANDS)
def test_a_command_runs(snippet: Snippet, line: str, files: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    program, *arguments = shlex.split(line, comments=True)
    if program == "python":
        ended, output, error = finish(start(files, *arguments[1:], how=(str(ROOT / arguments[0]),)))
    elif is_of_many(arguments):
        ended, output, error = finish(start(files, *arguments))
    else:
        # In the Blender of this process: loading another takes seconds. test_cli_process.py starts processes.
        ended, output, error = run(capfd, *arguments)
    assert ended in (0, 1), error
    assert "error" not in error
    named = [path for option, path in itertools.pairwise(arguments) if option in ("--output", "--picture")]
    assert all(os.path.exists(path) for path in named)
    assert output or named


def test_blender_runs_the_command_on_the_open_file(files: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    lines = [shlex.split(line) for _, line in commands() if line.startswith("blender -b")]
    assert lines
    for line in lines:
        bpy.ops.wm.open_mainfile(filepath=str(Path(line[2]).absolute()))
        code, output, error = run(capfd, *line[line.index("collision_kit") + 1 :])
        assert code == 1, error
        assert "A × B" in " ".join(output.split())


def test_every_command_is_run() -> None:
    lines = [line for _, line in commands() if "--scheduler" not in line]
    count: Callable[[str], int] = lambda word: sum(line.startswith(word) for line in lines)  # noqa: E731
    assert len(COMMANDS) == count("collision-kit ") + count("python ") > 10
