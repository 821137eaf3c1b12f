# SPDX-License-Identifier: GPL-3.0-or-later
"""Files with Python drivers and scripts, which the command line does not run unless it is told to."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from collision_kit.addon.cli import commands
from collision_kit.addon.collisions.check import check
from collision_kit.addon.scene.reading.skipped_scripts import may_move_objects, skipped_scripts
from tests.helpers.blender.bridge_scene import add, cube_mesh

# Blender runs neither in a file that it does not trust.
PYTHON = "float(__import__('math').floor(1.5)) + 0.5"
SCRIPT = "import bpy\nbpy.data.objects['B'].location.x = 1.5\n"
ALLOW = "--allow-skipped-scripts"
COMMANDS = (("check",), ("motion", "--frames", "1:3"), ("cull",), ("validate",), ("check", "--plane", "xy"))


@pytest.fixture(autouse=True)
def preferences(scene: bpy.types.Scene) -> Iterator[None]:
    """Scripts are allowed in the preferences."""
    filepaths = bpy.context.preferences.filepaths
    before = filepaths.use_scripts_auto_execute
    filepaths.use_scripts_auto_execute = True
    yield
    filepaths.use_scripts_auto_execute = before
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def drive(data: bpy.types.ID, path: str, expression: str = PYTHON, index: int = -1) -> None:
    driver = data.driver_add(path, index).driver if index >= 0 else data.driver_add(path).driver
    driver.type, driver.expression = "SCRIPTED", expression


def two_cubes() -> None:
    add("A", cube_mesh(), at=(3.0, 0.0, 0.0))
    add("B", cube_mesh(), at=(8.0, 0.0, 0.0))
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location.z = 20.0
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    bpy.context.view_layer.update()


def saved(folder: Path) -> str:
    path = folder / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return str(path)


def run(capfd: pytest.CaptureFixture[str], command: tuple[str, ...], file: str, *more: str) -> tuple[int, str, str]:
    capfd.readouterr()
    code = commands.command([command[0], file, *command[1:], *more])
    output, error = capfd.readouterr()
    return code, output, "".join(line for line in error.splitlines(keepends=True) if line.startswith("error"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_python_driver_that_was_not_run_is_no_clean_bill(
    command: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    two_cubes()
    add("UCX_A_01", cube_mesh(), parent=bpy.data.objects["A"])
    drive(bpy.data.objects["B"], "location", index=0)
    file = saved(tmp_path)
    code, output, error = run(capfd, command, file)
    assert code == 2
    assert error.startswith("error: B: Python driver of location was not run because scripts are disabled")
    assert output, "the report is there all the same"
    assert command[0] == "validate" or "script-not-run" in output
    code, output, error = run(capfd, command, file, "--allow-skipped-scripts")
    assert (code, error) == (0, "")
    assert command[0] == "validate" or "script-not-run" in output
    if command[0] in ("check", "motion"):
        counted = [run(capfd, command, file, "--format", "junit", *more)[1].count("<error") for more in ((), (ALLOW,))]
        assert counted == [1, 0]
        found = json.loads(run(capfd, command, file, "--format", "json", ALLOW)[1])["findings"]
        assert [(one["id"], one["severity"]) for one in found] == [("script-not-run", "warning")]


def test_with_scripts_the_driver_moves_its_object(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    two_cubes()
    drive(bpy.data.objects["B"], "location", index=0)
    file = saved(tmp_path)
    code, output, error = run(capfd, ("check", "--format", "json"), file, "--enable-autoexec")
    assert (code, error) == (1, "")
    report = json.loads(output)
    assert report["pairs"][0]["distance"] == pytest.approx(-0.5)
    assert report["findings"] == []
    assert bpy.context.preferences.filepaths.use_scripts_auto_execute, "the preferences stay as they are"


@pytest.mark.parametrize("allowed", [True, False])
def test_the_preferences_do_not_matter(allowed: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    two_cubes()
    text = bpy.data.texts.new("move.py")
    text.write(SCRIPT)
    text.use_module = True
    file = saved(tmp_path)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = allowed
    code, _, error = run(capfd, ("check",), file)
    assert code == 2
    assert error.startswith("error: move.py: Script was not run")
    assert bpy.data.objects["B"].location.x == 8.0
    assert run(capfd, ("check",), file, "--enable-autoexec")[0] == 1


def test_what_penetrates_all_the_same_comes_first(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    two_cubes()
    add("C", cube_mesh(), at=(3.5, 0.0, 0.0))
    drive(bpy.data.objects["B"], "location", index=0)
    code, _, error = run(capfd, ("check",), saved(tmp_path))
    assert code == 1
    assert error.startswith("error: B: ")


def opened_without_scripts(folder: Path) -> None:
    path = saved(folder)
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    bpy.context.view_layer.update()


def test_drivers_that_blender_works_out_itself_are_no_issue(tmp_path: Path) -> None:
    two_cubes()
    drive(bpy.data.objects["B"], "location", "4.0 + sin(0)", 0)
    drive(bpy.data.objects["B"], "scale", "max([1.0, frame * 0])", 0)
    opened_without_scripts(tmp_path)
    assert skipped_scripts(bpy.context) == []
    ob = bpy.data.objects["B"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert (ob.location.x, ob.scale.x) == (4.0, 1.0)


def test_only_drivers_that_may_move_or_reshape_something_are_issues(tmp_path: Path) -> None:
    two_cubes()
    first, second = bpy.data.objects["A"], bpy.data.objects["B"]
    material = bpy.data.materials.new("Paint")
    first.data.materials.append(material)
    drive(material, "diffuse_color", index=0)
    drive(first, "color", index=0)
    drive(first, "hide_render")
    second.shape_key_add(name="Basis")
    key = second.shape_key_add(name="Wide")
    drive(key, "value")
    lattice = bpy.data.objects.new("Cage", bpy.data.lattices.new("Cage"))
    bpy.context.scene.collection.objects.link(lattice)
    drive(lattice, "delta_location", index=2)
    for data in (bpy.context.scene, material):
        data["offset"] = 0.0
        drive(data, '["offset"]')
    opened_without_scripts(tmp_path)
    found = {one.object: one for one in skipped_scripts(bpy.context)}
    assert set(found) == {"Cage", "Scene", bpy.data.objects["B"].data.shape_keys.name}
    assert {(one.id, one.severity) for one in found.values()} == {("script-not-run", "error")}
    assert "delta_location" in found["Cage"].message


def read_by(reader: bpy.types.Object, kind: Any, data: bpy.types.ID, path: str) -> None:
    """Drive a location by a property, which Blender does without Python."""
    drive(reader, "location", "k", 0)
    variable = reader.animation_data.drivers[-1].driver.variables.new()
    variable.name, variable.type = "k", "SINGLE_PROP"
    variable.targets[0].id_type, variable.targets[0].id, variable.targets[0].data_path = kind, data, path


def test_what_only_changes_looks_is_an_issue_if_a_driver_reads_it(tmp_path: Path) -> None:
    two_cubes()
    first, second = bpy.data.objects["A"], bpy.data.objects["B"]
    material = bpy.data.materials.new("Paint")
    first.data.materials.append(material)
    drive(material, "roughness")
    drive(second, "color", index=0)
    read_by(first, "MATERIAL", material, "roughness")
    read_by(bpy.context.scene.camera, "OBJECT", second, "color[0]")
    opened_without_scripts(tmp_path)
    assert {one.object for one in skipped_scripts(bpy.context)} == {"Paint", "B"}


def test_checks_inside_blender_say_so_too(tmp_path: Path) -> None:
    two_cubes()
    drive(bpy.data.objects["B"], "location", index=0)
    opened_without_scripts(tmp_path)
    assert [(one.object, one.id) for one in check(bpy.context)[0].issues] == [("B", "script-not-run")]


@pytest.mark.parametrize(
    ("source", "moves"),
    [
        ("", False),
        ("import bpy\nrig = 'x'\nclass P(bpy.types.Panel):\n    def draw(self, c): c.object.location.x = 1\n", False),
        ("import bpy\ndef register():\n    bpy.utils.register_class(P)\n"
         "    bpy.types.Object.x = bpy.props.IntProperty()\nif __name__ == '__main__':\n    register()\n", False),
        (SCRIPT, True),
        ("import bpy\ndef register():\n    bpy.data.objects['B'].location.x = 1\nregister()\n", True),
        ("import bpy\ndef f(s): pass\nbpy.app.handlers.frame_change_pre.append(f)\n", True),
        ("from bpy.app import handlers\n\ndef register():\n    pass\n", False),
        ("from bpy.app.handlers import frame_change_pre as h\nh.append(print)\n", True),
        ("import bpy\nbpy.app.driver_namespace['f'] = abs\n", True),
        ("import bpy\nbpy.ops.transform.translate(value=(1, 0, 0))\n", True),
        ("import other\nother.run()\n", True),
        ("del bpy.data.objects[0]\n", True),
        ("import bpy\nbpy.utils.execfile('/other.py')\n", True),
        ("import bpy\nclass P(bpy.types.Panel):\n    bpy.data.objects['B'].location.x = 1\n", True),
        ("import bpy\nclass P(bpy.types.Panel):\n    x: bpy.props.IntProperty(default=int('1'))\n", False),
        ("x: int = move()\n", True),
        ("this is no Python", True),
    ],
)  # fmt: skip
def test_scripts_that_only_add_to_the_interface_move_nothing(source: str, moves: bool) -> None:
    assert may_move_objects(source) == moves
