# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of which something is linked from a file that is gone: no command gives them a clean bill."""

import json
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.bridge_scene import add, add_collection, cube_mesh
from tests.helpers.blender.command_errors import run, save
from tests.helpers.report_schemas import mistakes

pytestmark = pytest.mark.usefixtures("scene")

MESSAGE = "Data linked from library.blend is missing."


def level(folder: Path, *, objects: bool = False, instanced: bool = False) -> Path:
    """A scene with a camera, two crates apart, and a collection, or an object in an instance, that is gone.

    The collection is in two others, or in one that is instanced.
    """
    kit = add_collection("Kit")
    add("Barrel", cube_mesh(), collection=kit)
    save(folder / "library.blend")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(folder / "library.blend"), link=True) as (_, data):
        if objects:
            data.objects = ["Barrel"]
        else:
            data.collections = ["Kit"]
    if objects:
        inside = add_collection("Inside", parent=False)
        inside.objects.link(bpy.data.objects["Barrel"])
        add("Instance", instance_type="COLLECTION", instance_collection=inside)
    elif instanced:
        room = add_collection("Room", parent=False)
        room.children.link(bpy.data.collections["Kit"])
        for number in range(2):
            add(f"Instance {number}", instance_type="COLLECTION", instance_collection=room)
    else:
        bpy.context.scene.collection.children.link(bpy.data.collections["Kit"])
        add_collection("Room").children.link(bpy.data.collections["Kit"])
    for number in range(2):
        add(f"Crate {number}", cube_mesh(), at=(10.0 + 10.0 * number, 0.0, 0.0))
    bpy.context.scene.camera = add("Camera", bpy.data.cameras.new("Camera"))
    file = save(folder / "level.blend")
    (folder / "library.blend").unlink()
    return file


@pytest.mark.parametrize("objects", [False, True])
def test_what_is_written_without_missing_data_is_told(tmp_path: Path, capfd, objects: bool) -> None:
    file, report = level(tmp_path, objects=objects), tmp_path / "report.json"
    name = "Barrel" if objects else "Kit"
    commands = {
        "make": ("make", file, "--kind", "box", "--engine", "unreal", "--output", tmp_path / "made.blend"),
        "fix": ("fix", file, "--output", tmp_path / "fixed.blend"),
        "export": ("export", file, tmp_path / "out.glb"),
    }
    for command, arguments in commands.items():
        code, _, errors = run(capfd, *arguments, "--output", report)
        assert (code, errors) == (2, [f"error: {name}: {MESSAGE}"]), command
        found = json.loads(report.read_text("utf-8"))
        assert mistakes(command, found) == [] and len(found["written"]) == 1
        assert [(one["id"], one["object"], one["message"]) for one in found["findings"]] == [
            ("missing-link", name, MESSAGE)
        ]
    assert run(capfd, "validate", file, "--engine", "unreal")[::2] == (2, [f"error: {name}: {MESSAGE}"])


@pytest.mark.parametrize("instanced", [False, True])
def test_collections_that_are_missing_are_an_error_of_every_check_of_the_scene(
    tmp_path: Path, capfd, instanced: bool
) -> None:
    file = level(tmp_path, instanced=instanced)
    for arguments in (("check",), ("motion", "--frames", "1:2"), ("cull",)):
        code, _, errors = run(capfd, arguments[0], file, *arguments[1:])
        assert (code, errors) == (2, [f"error: Kit: {MESSAGE}"]), arguments
    bpy.ops.wm.open_mainfile(filepath=str(file))
    crates = add_collection("Crates")
    for number in range(2):
        crates.objects.link(bpy.data.objects[f"Crate {number}"])
    save(file)
    assert run(capfd, "check", file, "--scope", "collection:Crates")[0] == 0


def test_a_collection_that_is_set_but_not_instanced_may_be_missing(tmp_path: Path, capfd) -> None:
    file = level(tmp_path, instanced=True)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    for number in range(2):
        bpy.data.objects[f"Instance {number}"].instance_type = "NONE"
    save(file)
    out = tmp_path / "out.blend"
    assert run(capfd, "make", file, "--kind", "box", "--engine", "unreal", "--output", out)[0] == 0
    assert run(capfd, "check", file)[0] == 0


def test_nothing_is_written_where_there_is_nothing_to_make(tmp_path: Path, capfd) -> None:
    file, out = save(tmp_path / "empty.blend"), tmp_path / "out.blend"
    make = ("make", file, "--kind", "box", "--engine", "unreal", "--output", out)
    code, _, errors = run(capfd, *make)
    assert (code, out.exists()) == (2, False) and "no render mesh" in errors[0]
    assert run(capfd, *make, "--allow-empty")[0] == 0 and out.exists()


@pytest.mark.parametrize(
    ("excluded", "code"), [([], 2), (["Kit"], 2), (["Kit", "Room"], 0), (["Kit", "Room", "below Room"], 2)]
)
def test_a_collection_that_is_excluded_from_the_view_layer_may_be_missing(
    tmp_path: Path, capfd, excluded: list[str], code: int
) -> None:
    file = level(tmp_path)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    layers = bpy.context.view_layer.layer_collection.children
    for name in ("Kit", "Room"):
        layers[name].exclude = name in excluded
    if "below Room" in excluded:
        # One below a collection that is excluded may be included.
        layers["Room"].children["Kit"].exclude = False
    save(file)
    assert run(capfd, "check", file)[0] == code


@pytest.mark.parametrize(("excluded", "code"), [(False, 2), (True, 0)])
def test_instances_in_a_collection_that_is_excluded_may_miss_theirs(
    tmp_path: Path, capfd, excluded: bool, code: int
) -> None:
    file = level(tmp_path, instanced=True)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    stage = add_collection("Stage")
    for number in range(2):
        ob = bpy.data.objects[f"Instance {number}"]
        ob.users_collection[0].objects.unlink(ob)
        stage.objects.link(ob)
    bpy.context.view_layer.layer_collection.children["Stage"].exclude = excluded
    save(file)
    assert run(capfd, "check", file)[0] == code
