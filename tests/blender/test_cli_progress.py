# SPDX-License-Identifier: GPL-3.0-or-later
"""Output of the command line on standard error besides errors: a progress bar, and what Blender prints."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.cli import commands, progress
from collision_kit.addon.system import streams
from tests.helpers.blender.command_line import box

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")

ERASED = "\r\x1b[K"


@contextmanager
def terminal() -> Iterator[list[str]]:
    """A list that has, afterwards, what was written on standard error, which is a terminal meanwhile."""
    import pty

    said: list[str] = []
    outer, inner = pty.openpty()
    kept = os.dup(2)
    os.dup2(inner, 2)
    try:
        yield said
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(inner)
        data = b""
        # The other end is closed: after all that was written there, reading is an error.
        with suppress(OSError):
            while more := os.read(outer, 1 << 16):
                data += more
        os.close(outer)
        said.append(data.decode())


def on_terminal(*arguments: str) -> tuple[int, list[str]]:
    """The exit code of a command, and the lines that it has shown one in place of the other."""
    with terminal() as said:
        code = commands.command(arguments)
    return code, said[0].split(ERASED)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands show their bars at once, and each change of them."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("check",), "100 %  [########################]  testing pairs, 1 of 1"),
        (("check", "--output", "page.html"), "100 %  [########################]  drawing pictures, 1 of 1"),
        (("motion", "--frames", "1:4"), "100 %  [########################]  testing frames, 2 of 2"),
        (("cull", "--frames", "1:4"), "100 %  [########################]  testing frames, 4 of 4"),
        (("validate", "--engine", "unreal"), "validating colliders, "),
        (("make", "--kind", "box", "--engine", "unreal", "--output", "made.blend"), "making colliders, 1 of 2: "),
        (("fix", "--output", "fixed.blend"), "moving objects, "),
        (("export", "out.glb"), "writing out.glb …"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_bar_says_what_a_command_is_at_and_is_erased_at_the_end(
    save_scene,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd,
    arguments: tuple[str, ...],
    shown: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    bpy.ops.object.camera_add(location=(0.0, 0.0, 9.0))
    bpy.context.scene.camera = bpy.context.object
    path = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    command, *options = arguments
    capfd.readouterr()
    code, lines = on_terminal(command, path, *options)
    assert code in (0, 1)
    assert lines[:2] == ["", "reading scene.blend …"]
    assert [line for line in lines if shown in line], lines
    assert lines[-1] == ""
    if "--output" not in options:
        # The report comes after the bar, and only on standard output.
        assert capfd.readouterr().out.startswith("scene.blend, scene Scene")


def test_what_takes_less_than_two_seconds_shows_no_bar(save_scene) -> None:
    code, lines = on_terminal("check", save_scene(A=(0, 0, 0), B=(0.75, 0, 0)))
    assert (code, lines) == (1, ["", "reading scene.blend …", ""])


def test_a_line_is_no_wider_than_the_terminal() -> None:
    import fcntl
    import struct
    import termios

    from collision_kit.addon.system.streams import terminal_line

    with terminal() as said:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 20, 0, 0))
        with terminal_line() as show:
            assert show is not None
            show("x" * 50 + "\n")
    assert said[0].split(ERASED) == ["", "x" * 19, ""]


@pytest.mark.usefixtures("impatient")
def test_there_is_no_bar_where_standard_error_is_no_terminal(save_scene, capfd) -> None:
    path = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    capfd.readouterr()
    assert commands.command(["check", path]) == 1
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("arguments", [("check",), ("export", "out.glb"), ("export", "out.fbx")])
def test_what_blender_prints_is_passed_on_only_with_verbose(
    save_scene,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    path, (command, *options) = save_scene(A=(0, 0, 0), B=(3, 0, 0)), arguments
    capfd.readouterr()
    assert commands.command([command, path, *options]) == 0
    quiet = capfd.readouterr()
    assert quiet.err == ""
    assert commands.command([command, path, *options, "--verbose"]) == 0
    told = capfd.readouterr()
    assert told.out == quiet.out
    assert "Read blend" in told.err


def test_an_error_that_blender_prints_is_passed_on(save_scene, capfd) -> None:
    path = save_scene(A=(0, 0, 0), B=(3, 0, 0))

    def fails(*_arguments: object) -> None:
        raise ValueError("of a handler")

    fails = bpy.app.handlers.persistent(fails)
    bpy.app.handlers.load_post.append(fails)
    try:
        capfd.readouterr()
        assert commands.command(["check", path]) == 0
    finally:
        bpy.app.handlers.load_post.remove(fails)
    assert "ValueError: of a handler" in capfd.readouterr().err


def test_with_verbose_bad_input_says_all_that_blender_said(tmp_path: Path, capfd) -> None:
    path = tmp_path / "broken.gltf"
    path.write_text(
        '{"asset": {"version": "2.0"}, "nodes": [{"name": "\\ud800"}], "scenes": [{"nodes": [0]}], "scene": 0}'
    )
    capfd.readouterr()
    assert commands.command(["check", str(path)]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"error: {path}: Blender cannot read it: ")
    assert commands.command(["check", str(path), "--verbose"]) == 2
    told = capfd.readouterr().err.splitlines()
    assert len(told) > 1 and told[-1] == line


def test_the_gltf_importer_adds_no_object_to_what_is_not_tested(tmp_path: Path, capfd) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.object.armature_add()
    box("Crate", (3, 0, 0))
    path = tmp_path / "rig.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    capfd.readouterr()
    assert commands.command(["check", str(path), "--allow-empty", "--format", "json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert [body["name"] for body in report["bodies"]] == ["Crate"]
    assert "Armature" in bpy.data.objects and "Icosphere" not in {one["object"] for one in report["skipped"]}


def test_where_standard_error_is_no_terminal_there_is_a_line_now_and_then(
    save_scene,
    capfd,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    capfd.readouterr()
    monkeypatch.setattr(streams, "FIRST_LINE", 0.0)
    monkeypatch.setattr(streams, "NEXT_LINE", 0.0)
    assert commands.command(["check", path]) == 1
    output, error = capfd.readouterr()
    assert output.startswith("scene.blend, scene Scene, frame 1: ")
    assert "testing pairs, 1 of 1" in error.splitlines()
    monkeypatch.setattr(streams, "NEXT_LINE", 600.0)
    assert commands.command(["check", path]) == 1
    assert capfd.readouterr().err.splitlines() == ["reading the scene"]
