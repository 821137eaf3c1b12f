# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Godot 4 makes the shapes that names, OMI_physics_shape and the import script ask for.

Needs Godot 4 as a program: $GODOT4, `godot4` or `godot`. GODOT4=debian has that of Debian sid (4.6) installed in
build/debian, which takes some minutes, and root.
"""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))

from start import NoWindow, debian

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GODOT = os.environ.get("GODOT4") or shutil.which("godot4") or shutil.which("godot")
KINDS = ("box", "sphere", "capsule", "cylinder", "hull")
CLASSES = {"HULL": "ConvexPolygonShape3D", "MESH": "ConcavePolygonShape3D"}
SIZE = (1.0, 3.0, 2.0)  # of the boxes of `godot_4_scene`, in Godot's axes
TIME_LIMIT = 240  # seconds
SCRIPTED = """[remap]

importer="scene"
type="PackedScene"

[params]

import_script/path="res://collision_kit_import.gd"
"""

pytestmark = [
    pytest.mark.skipif(GODOT is None, reason="needs Godot 4: set GODOT4 to the program, or GODOT4=debian"),
    pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="needs Blender as a module"),
]


def run(*command: str) -> str:
    """The output of a program."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    return done.stdout + done.stderr


def godot(folder: Path) -> list[str]:
    """The command that starts Godot, which has to see this folder."""
    if GODOT != "debian":
        return shlex.split(str(GODOT))
    try:
        prefix = debian("sid", [folder])
    except NoWindow as error:
        pytest.skip(str(error))
    wanted = "command -v godot || apt-get install -y -q --no-install-recommends godot"
    run(*prefix, "sh", "-c", wanted)
    return [*prefix, "godot"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The predictions for names, the corners of the boxes, and the nodes that Godot has made of each file."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Shapes"\n')
    shutil.copy(HERE / "read_shapes_4.gd", folder)
    shutil.copy(ROOT / "engines" / "godot" / "collision_kit_import.gd", folder)
    predicted = json.loads(run(sys.executable, str(HERE / "godot_scene.py"), str(folder)).strip().splitlines()[-1])
    plain = folder.parent / "plain.blend"
    printed = run(sys.executable, str(HERE / "godot_4_scene.py"), str(plain), str(folder / "unreal.glb"))
    corners = json.loads(printed.strip().splitlines()[-1])
    (folder / "unreal.glb.import").write_text(SCRIPTED)
    command = str(Path(sys.executable).with_name("collision-kit"))
    for kind in KINDS:
        options = ["--kind", kind, "--engine", "godot", "--objects", kind.capitalize()]
        printed = run(command, "make", str(plain), *options, "--output", str(folder / f"made_{kind}.glb"))
        assert (folder / f"made_{kind}.glb").exists(), printed
    program = godot(folder)
    run(*program, "--headless", "--path", str(folder), "--import")
    printed = run(*program, "--headless", "--path", str(folder), "--script", "read_shapes_4.gd")
    found = re.search(r"^SHAPES (.*)$", printed, re.MULTILINE)
    assert found is not None, printed
    return predicted, corners, json.loads(found[1])


def outside(shape: dict[str, Any], points: np.ndarray) -> np.ndarray:
    """Return how far points are outside a shape; below zero within it."""
    local = (points - np.array(shape["origin"])) @ np.linalg.inv(np.array(shape["basis"]))
    if shape["kind"] == "BoxShape3D":
        return (np.abs(local) - np.array(shape["size"]) / 2.0).max(axis=1)
    radial, along = np.hypot(local[:, 0], local[:, 2]), np.abs(local[:, 1])
    if shape["kind"] == "SphereShape3D":
        return np.linalg.norm(local, axis=1) - shape["radius"]
    if shape["kind"] == "CylinderShape3D":
        return np.maximum(radial - shape["radius"], along - shape["height"] / 2.0)
    assert shape["kind"] == "CapsuleShape3D"
    beyond = np.maximum(along - (shape["height"] / 2.0 - shape["radius"]), 0.0)
    return np.hypot(radial, beyond) - shape["radius"]


def test_names_become_the_shapes_that_are_predicted(project: Any) -> None:
    predicted, _, made = project
    kinds = {round(one["origin"][0]): one["kind"] for one in made["scene.glb"]["shapes"]}
    assert {name: kinds.get(round(one["place"])) for name, one in predicted.items()} == {
        name: CLASSES.get(one["kind"]) for name, one in predicted.items()
    }
    seen = {round(one["place"]) for one in made["scene.glb"]["meshes"]}
    assert {name: round(one["place"]) in seen for name, one in predicted.items()} == {
        name: one["seen"] for name, one in predicted.items()
    }


def test_only_a_rigid_suffix_makes_a_body_that_moves(project: Any) -> None:
    predicted, _, made = project
    bodies = {round(one["origin"][0]): one["body"] for one in made["scene.glb"]["shapes"]}
    moving = {name for name, one in predicted.items() if bodies.get(round(one["place"])) == "RigidBody3D"}
    assert moving == {"Gate-rigid"}


def test_shapes_of_names_are_exactly_the_meshes(project: Any) -> None:
    _, _, made = project
    assert made["scene.glb"]["shapes"]
    for one in made["scene.glb"]["shapes"]:
        points = np.array(one["points"]) - np.array([one["origin"][0], 0.0, 0.0])
        assert points.min(axis=0) == pytest.approx([0, 0, -3], abs=1e-5)
        assert points.max(axis=0) == pytest.approx([2, 4, 0], abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_made_colliders_arrive_as_the_shape_itself_and_touch_what_they_enclose(project: Any, kind: str) -> None:
    _, corners, made = project
    (shape,) = made[f"made_{kind}.glb"]["shapes"]
    assert (shape["body"], len(made[f"made_{kind}.glb"]["meshes"])) == ("StaticBody3D", len(KINDS))
    points = np.array(corners[kind.capitalize()])
    if kind == "hull":
        assert shape["kind"] == "ConvexPolygonShape3D"
        distance = np.linalg.norm(np.array(shape["points"])[:, None] - points, axis=2)
        # 40 m from the origin, neighboring values of float32 are 4e-6 apart.
        assert max(distance.min(axis=0).max(), distance.min(axis=1).max()) < 1e-5
        return
    assert shape["kind"] == f"{kind.capitalize()}Shape3D"
    assert np.abs(outside(shape, points)).max() < 2e-6
    if kind == "box":
        assert shape["size"] == pytest.approx(SIZE, abs=1e-6)
    elif kind == "sphere":
        # Rounded up.
        assert shape["radius"] == pytest.approx(np.linalg.norm(SIZE) / 2.0, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_the_import_script_makes_shapes_of_the_names_of_unreal(project: Any, kind: str) -> None:
    _, corners, made = project
    points = np.array(corners[kind.capitalize()])
    shapes = made["unreal.glb"]["shapes"]
    assert len(shapes) == len(made["unreal.glb"]["meshes"]) == len(KINDS)
    (shape,) = [one for one in shapes if np.linalg.norm(np.array(one["origin"]) - points.mean(axis=0)) < 1.0]
    assert shape["body"] == "StaticBody3D"
    if kind in ("box", "sphere", "capsule"):
        assert shape["kind"] == f"{kind.capitalize()}Shape3D"
        assert np.abs(outside(shape, points)).max() < 2e-5
    else:
        # Unreal has no cylinders, so theirs are hulls.
        assert shape["kind"] == "ConvexPolygonShape3D"
        assert len(shape["points"]) == (32 if kind == "cylinder" else 8)
