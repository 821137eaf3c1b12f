# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in a Blender with a window: installed, checked with, drawn.

Needs Blender 4.2 or later as a program, $BLENDER or `blender` on PATH, and a display or `xvfb-run`.
"""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts.build_extension import build

TIME_LIMIT = 240  # seconds; without a graphics card Blender draws slowly


@pytest.fixture(scope="module")
def blender() -> list[str]:
    command = shlex.split(os.environ.get("BLENDER") or shutil.which("blender") or "")
    if not command:
        pytest.skip("no Blender with a window: put `blender` on PATH, or set BLENDER to the program")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return command
    if shutil.which("xvfb-run") is None:
        pytest.skip("no display: set DISPLAY, or install xvfb-run")
    return ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1280x800x24", *command]


@pytest.fixture(scope="module")
def seen(blender: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the script in the window saw."""
    folder = tmp_path_factory.mktemp("window")
    extension_zip = build(folder)
    script = Path(__file__).with_name("window.py")
    options = ["--factory-startup", "--window-geometry", "0", "0", "1280", "800", "--python", str(script)]
    result = subprocess.run(
        [*blender, *options, "--", str(extension_zip), str(folder / "seen.json")],
        env=os.environ | {"BLENDER_USER_RESOURCES": str(folder / "profile"), "LIBGL_ALWAYS_SOFTWARE": "1"},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    output = result.stdout + result.stderr
    assert result.returncode == 0, output
    assert "Traceback" not in output
    found: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    return found


def test_the_check_lists_the_pair_that_penetrates(seen: dict[str, Any]) -> None:
    assert seen["verdicts"] == ["PENETRATING"]


def test_the_sidebar_shows_the_tab(seen: dict[str, Any]) -> None:
    assert seen["tab"] == "Collision"


def test_the_overlay_is_drawn_and_disappears(seen: dict[str, Any]) -> None:
    # Of 700,000 pixels; a few differ, because edges grow smoother from redraw to redraw.
    assert seen["pixels changed by the same view drawn twice"] < 200
    assert seen["pixels changed by the overlay"] > 1000
    assert seen["pixels changed once the results are cleared"] < 200
