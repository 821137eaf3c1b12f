# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Godot imports what the add-on names, and makes the collision shapes that `validate --engine godot` predicts.

Needs Godot 3 as a program: $GODOT, `godot3-server` or `godot3`. Debian has 3.2, which knows the suffixes of names and
nothing of glTF physics.
"""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GODOT = os.environ.get("GODOT") or shutil.which("godot3-server") or shutil.which("godot3")
CLASSES = {"HULL": "ConvexPolygonShape", "MESH": "ConcavePolygonShape"}
# Godot 3.2 reads a suffix at the very end only, and of objects; Godot 4 reads past digits, and of meshes.
LATER = {"Bush-convcolonly_002", "Plank"}
TIME_LIMIT = 120  # seconds

pytestmark = [
    pytest.mark.skipif(GODOT is None, reason="needs Godot 3: apt-get install godot3-server"),
    pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="needs Blender as a module"),
]


def run(*command: str) -> str:
    """The output of a program."""
    return subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False).stdout


def shapes_at(made: dict) -> dict[int, str]:
    """The class of the shapes at each place."""
    return {round(one["place"]): one["kind"] for one in made["shapes"]}


def imported(folder: Path) -> None:
    """Have the editor import everything; Godot 3.2 may hang when it quits."""
    command = [str(GODOT), "--path", str(folder), "--editor", "--quit"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + TIME_LIMIT
        # This file is written last.
        while not list(folder.glob(".import/scene.glb-*.md5")):
            assert time.monotonic() < end, "Godot has imported nothing"
            time.sleep(0.2)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2.0)
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict, dict]:
    """The predictions, and the nodes that Godot has made."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "project.godot").write_text('config_version=4\n[application]\nconfig/name="Shapes"\n')
    (folder / "read_shapes.gd").write_bytes((HERE / "read_shapes.gd").read_bytes())
    printed = run(sys.executable, str(HERE / "godot_scene.py"), str(folder))
    predicted = json.loads(printed.strip().splitlines()[-1])
    imported(folder)
    printed = run(GODOT, "--path", str(folder), "-s", "read_shapes.gd")
    found = re.search(r"^SHAPES (.*)$", printed, re.MULTILINE)
    assert found is not None, printed
    return predicted, json.loads(found[1])


def test_godot_makes_the_shapes_that_are_predicted(both: tuple[dict, dict]) -> None:
    predicted, made = both
    expected = {name: CLASSES.get(one["kind"]) for name, one in predicted.items() if name not in LATER}
    kinds = shapes_at(made)
    assert {name: kinds.get(round(predicted[name]["place"])) for name in expected} == expected
    assert set(expected.values()) == {*CLASSES.values(), None}


def test_godot_shows_what_is_predicted_to_be_seen(both: tuple[dict, dict]) -> None:
    predicted, made = both
    places = {round(place) for place in made["meshes"]}
    expected = {name: one["seen"] for name, one in predicted.items() if name not in LATER}
    assert {name: round(predicted[name]["place"]) in places for name in expected} == expected


def test_rules_name_what_gets_no_shape(both: tuple[dict, dict]) -> None:
    predicted, made = both
    rules = {name: one["rules"] for name, one in predicted.items() if one["rules"]}
    assert rules == {
        "Sign_collider": ["godot-name"],
        "Post-convcolonly-003": ["godot-number"],
        "Bush-convcolonly_002": ["godot-3-number"],
        "Bench-ConvColOnly": ["godot-capitals"],
        "Plank": ["godot-mesh-name"],
    }
    kinds = shapes_at(made)
    without = {name for name in rules.keys() - LATER if round(predicted[name]["place"]) not in kinds}
    # Godot 3.2 reads capitals, too.
    assert without == {"Sign_collider", "Post-convcolonly-003"}


def test_some_names_are_read_by_later_versions_only(both: tuple[dict, dict]) -> None:
    predicted, made = both
    for name in LATER:
        assert predicted[name]["kind"] == "HULL"
        assert round(predicted[name]["place"]) not in shapes_at(made)


def test_shapes_are_where_the_mesh_is_and_of_its_size(both: tuple[dict, dict]) -> None:
    _, made = both
    assert made["shapes"]
    for one in made["shapes"]:
        bounds = [[f(side) for side in zip(*one["points"], strict=True)] for f in (min, max)]
        # In Godot's axes: X, Z, -Y. Godot 3.2 decomposes hulls, and enlarges them a little.
        exact = one["kind"] == "ConcavePolygonShape"
        for found, expected in zip(bounds, ([0, 0, -3], [2, 4, 0]), strict=True):
            assert found == pytest.approx(expected, abs=1e-5 if exact else 0.25)
