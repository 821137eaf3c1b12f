# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes that call the command do what they say."""

import os
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.command_line import box
from tests.helpers.blender.command_process import MAIN

RECIPES = Path(__file__).resolve().parents[2] / "examples" / "recipes"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell as POSIX has it")


def save(name: str, *places: float) -> str:
    """Save a file of cubes of side 1 along X."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for place in places:
        box("Box", (place, 0, 0))
    path = Path(name).absolute()
    path.parent.mkdir(exist_ok=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return name


def run(command: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300, check=False)


def test_check_folder(environment: dict[str, str]) -> None:
    save("kit/clean.blend", 0.0, 5.0)
    save("kit/small.blend", 0.0, 0.9)
    save("kit/worst.blend", 0.0, 0.25, 7.0, 7.5)
    done = run([sys.executable, str(RECIPES / "check_folder.py"), "kit", "report.json"], environment)
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()[-2:]
    assert lines[0].startswith("worst.blend: 2 collisions, up to 0.75")
    assert lines[1].startswith("small.blend: 1 collisions, up to 0.1")
    assert Path("report.json").exists()


# Three Blenders, one after the other.
@pytest.mark.slow
def test_guard_build(environment: dict[str, str], tmp_path: Path) -> None:
    command = tmp_path / "programs" / "collision-kit"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -c "{MAIN}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    variables = environment | {"PATH": f"{command.parent}{os.pathsep}{environment['PATH']}"}
    guard = ["sh", str(RECIPES / "guard_build.sh"), "level.blend", "known.json"]
    save("level.blend", 0.0, 0.75)
    done = run(guard, variables)
    assert done.returncode == 0 and Path("known.json").exists(), done.stderr
    assert run(guard, variables).returncode == 0
    save("level.blend", 0.0, 0.75, 5.0, 5.5)
    assert run(guard, variables).returncode == 1
    assert Path("guard.xml").exists()
