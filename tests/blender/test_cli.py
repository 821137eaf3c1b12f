# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: what it prints, what it writes, how it ends, and what it says to bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.model.formats import SCENES
from collision_kit.core.kernels import loading
from tests.helpers.blender.command_line import box, run


def test_text_says_what_collides_how_deep_and_along_which_axis(save_scene, capfd):
    code, output, _ = run(capfd, "check", save_scene(A=(0, 0, 0), B=(0.75, 0, 0), C=(-0.9, 0, 1), D=(9, 9, 9)))
    assert code == 1
    lines = output.splitlines()
    assert lines[0] == "scene.blend, scene Scene, frame 1: 4 bodies tested, 1 penetrating, 1 touching"
    fault = next(line for line in lines if line.startswith("  penetrating"))
    assert " ".join(fault.split()) == "penetrating A × B 0.25 m deep along (1.00, 0.00, 0.00) 4 contacts"
    assert "1 pair touches: A × C" in lines


def test_json_holds_evidence_that_can_be_checked(save_scene, capfd):
    code, output, _ = run(capfd, "check", save_scene(A=(0, 0, 0), B=(0.75, 0, 0), C=(-0.9, 0, 1)), "--format", "json")
    assert code == 1
    report = json.loads(output)
    assert report["schema_version"] == 1
    assert report["tool"]["kernels"] == loading.mode
    assert report["counts"] == {
        "duplicate": 0,
        "contained": 0,
        "penetrating": 1,
        "coplanar": 0,
        "touching": 1,
        "within_clearance": 0,
    }
    assert [body["name"] for body in report["bodies"]] == ["A", "B", "C"]
    worst, touching = report["pairs"]
    assert (worst["a"], worst["b"], worst["verdict"]) == ("A", "B", "penetrating")
    assert worst["distance"] == pytest.approx(-0.25)
    step = np.subtract(worst["point_b"], worst["point_a"])
    np.testing.assert_allclose(step, worst["distance"] * np.array(worst["normal"]), atol=1e-9)
    np.testing.assert_allclose(worst["normal"], [1, 0, 0], atol=1e-6)
    assert [contact["depth"] for contact in worst["contacts"]] == pytest.approx([0.25] * 4)
    assert (touching["verdict"], len(touching["contacts"])) == ("touching", 4)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--fail-on", "contained"), 0),
        (("--fail-on", "none"), 0),
        (("--fail-on", "touching"), 1),
        (("--scope", "collection:Left"), 0),
        (("--scope", "collection:Left", "--against", "Right"), 1),
        (("--touching", "30cm"), 0),
    ],
)
def test_the_exit_code_is_one_for_the_verdicts_asked_for(save_scene, capfd, options, code):
    for name, members in (("Left", ("A", "C")), ("Right", ("B",))):
        collection = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(collection)
        for member in members:
            place = {"A": (0, 0, 0), "B": (0.75, 0, 0), "C": (0, 0, 1)}[member]
            thing = box(member, place)
            thing.users_collection[0].objects.unlink(thing)
            collection.objects.link(thing)
    assert run(capfd, "check", save_scene(), *options)[0] == code


def test_crates_at_rest_pass(save_scene, capfd):
    assert run(capfd, "check", save_scene(A=(0.1, 7.3, 0.5), B=(0.1, 7.3, 1.5)))[0] == 0


def test_clearance_is_in_meters_or_the_unit_named(save_scene, capfd):
    bpy.context.scene.unit_settings.scale_length = 0.01
    path = save_scene(A=(0, 0, 0), B=(1.5, 0, 0))
    for clearance, near in (("4mm", 0), ("6mm", 1), ("0.6cm", 1), ("0.004", 0), ("0.006", 1)):
        _, output, _ = run(capfd, "check", path, "--clearance", clearance, "--format", "json")
        assert json.loads(output)["counts"]["within_clearance"] == near


def test_a_dash_is_standard_output(save_scene, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    before = set(tmp_path.iterdir())
    assert run(capfd, "check", path, "--output", "-") == run(capfd, "check", path)
    assert set(tmp_path.iterdir()) == before


def test_output_is_written_whole_or_not_at_all(save_scene, capfd, tmp_path):
    path = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    target = tmp_path / "report.json"
    code, output, _ = run(capfd, "check", path, "--format", "json", "--output", str(target))
    assert (code, output) == (1, "")
    assert json.loads(target.read_text(encoding="utf-8"))["counts"]["penetrating"] == 1
    code, _, error = run(capfd, "check", path, "--output", str(target / "report.txt"))
    assert code == 2
    assert "cannot write " in error and "report.json is not a folder" in error
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report.json", "scene.blend"]


def test_a_folder_gets_the_report_as_a_page(save_scene, capfd, tmp_path):
    path, folder = save_scene(A=(0, 0, 0)), tmp_path / "new" / "report"
    # Without a separator at its end, it is a folder only if there is one.
    for written, *options in ((f"{folder}{os.sep}",), (str(folder), "--format", "html")):
        assert run(capfd, "validate", path, "--allow-empty", "--output", written, *options) == (0, "", "")
        assert [one.name for one in folder.iterdir()] == ["index.html"]
        page = folder / "index.html"
        assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        page.unlink()


@pytest.mark.parametrize("format", ["json", "html"])
def test_a_curve_without_splines_has_no_shape(save_scene, capfd, tmp_path, format):
    curve = bpy.data.objects.new("Empty curve", bpy.data.curves.new("Empty curve", "CURVE"))
    bpy.context.scene.collection.objects.link(curve)
    path = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    assert run(capfd, "check", path, "--output", str(tmp_path / f"report.{format}")) == (1, "", "")


def test_colliders_of_flat_meshes_are_measured_with_their_thickness(save_scene, capfd, tmp_path):
    flat = box("Flat", (0, 0, 0))
    flat.scale.z = 0.0
    arguments = ("make", save_scene(), "--kind", "box", "--engine", "unreal", "--format", "json")
    code, output, _ = run(capfd, *arguments, "--output", str(tmp_path / "made.blend"), "--output", "-")
    assert code == 0
    (made,) = json.loads(output)["colliders"]
    assert made["hull_ratio"] == pytest.approx(1.0) and made["volume"] == pytest.approx(0.02)


def test_a_picture_is_drawn(save_scene, capfd, tmp_path):
    picture = tmp_path / "worst.png"
    assert run(capfd, "check", save_scene(A=(0, 0, 0), B=(0.75, 0, 0)), "--picture", str(picture))[0] == 1
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", ["check", "motion"])
def test_a_scene_without_a_body_does_not_pass_unless_that_is_allowed(save_scene, capfd, command):
    path, text = save_scene(), "othing to test: no body with a collision shape"
    code, output, error = run(capfd, command, path)
    assert (code, error) == (2, f"error: n{text} (see --allow-empty)")
    assert f"N{text}." in output
    assert run(capfd, command, path, "--allow-empty") == (0, output, "")


def test_one_body_alone_is_clean(save_scene, capfd):
    path, text = save_scene(A=(0, 0, 0)), "Nothing to collide with: only 1 body has a collision shape"
    for command, more in (("check", "; --self tests it against itself"), ("motion", "")):
        code, output, error = run(capfd, command, path)
        assert (code, error) == (0, "")
        assert f"{text}{more}." in output
        code, output, _ = run(capfd, command, path, "--format", "junit")
        assert (code, 'errors="0"' in output) == (0, True)
    assert f"{text}." in run(capfd, "check", path, "--self")[1]
    code, output, _ = run(capfd, "check", path, "--format", "html")
    assert (code, f"<h1>{text}; --self tests it against itself</h1>" in output) == (0, True)


def test_two_collections_of_which_one_is_empty_have_nothing_to_collide(save_scene, capfd):
    for name in ("Left", "Right"):
        bpy.context.scene.collection.children.link(bpy.data.collections.new(name))
    for name in "AB":
        thing = box(name, (0, 0, 0))
        thing.users_collection[0].objects.unlink(thing)
        bpy.data.collections["Left"].objects.link(thing)
    options = ("check", save_scene(), "--scope", "collection:Left")
    assert run(capfd, *options)[0] == 1
    code, _, error = run(capfd, *options, "--against", "Right")
    assert (code, error) == (
        2,
        "error: nothing to test: no object on the other side could be tested (see --allow-empty)",
    )
    assert run(capfd, *options, "--against", "Right", "--allow-empty")[0] == 0


def test_a_test_report_of_nothing_is_an_error_unless_that_is_allowed(save_scene, capfd):
    path = save_scene()
    for command, nothing in {"check": "no collisions", "motion": "no contacts", "validate": "no issues"}.items():
        options = (command, path, "--format", "junit")
        assert 'errors="1"' in run(capfd, *options)[1]
        code, output, _ = run(capfd, *options, "--allow-empty")
        assert (code, 'errors="0"' in output, f'name="{nothing}"' in output) == (0, True, True)


def test_to_validate_a_scene_without_colliders_does_not_pass_unless_that_is_allowed(save_scene, capfd):
    path = save_scene()
    code, _, error = run(capfd, "validate", path)
    assert (code, error) == (2, "error: nothing to validate: the scene has no colliders (see --allow-empty)")
    assert run(capfd, "validate", path, "--allow-empty")[::2] == (0, "")


@pytest.mark.parametrize("shape", ["AUTO", "BOX"])
def test_to_validate_bodies_that_need_no_collider_passes(shape, tmp_path, capfd):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    crate = box("Crate", (0, 0, 0))
    if shape == "AUTO":
        bpy.ops.rigidbody.object_add()
    crate.collision_kit.shape = shape
    path = str(tmp_path / "crate.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert run(capfd, "validate", path)[::2] == (0, "")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_an_object_with_coordinates_that_are_no_numbers_is_bad_input(save_scene, capfd, value):
    box("A", (0, 0, 0)).data.vertices[3].co.y = value
    code, output, error = run(capfd, "check", save_scene(B=(9, 0, 0)))
    assert code == 2
    assert error.startswith("error: A: ")
    assert "A:" in output


def test_a_mesh_without_faces_and_one_scaled_to_nothing_are_told(save_scene, capfd):
    mesh = bpy.data.meshes.new("Points")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [])
    bpy.context.collection.objects.link(bpy.data.objects.new("Points", mesh))
    bpy.context.collection.objects.link(bpy.data.objects.new("Nothing", bpy.data.meshes.new("Nothing")))
    box("Flat", (5, 0, 0)).scale = (1, 1, 0)
    code, output, _ = run(capfd, "check", save_scene(), "--allow-empty")
    assert code == 0
    for name in ("Points: ", "Nothing: ", "Flat: "):
        assert name in output


@pytest.mark.parametrize("ending", SCENES)
def test_a_file_that_is_no_scene_is_bad_input(capfd, tmp_path, ending):
    path = tmp_path / f"not a scene{ending}"
    for content in (b"", b"This is no scene.\n"):
        path.write_bytes(content)
        code, output, error = run(capfd, "check", str(path))
        assert (code, output) == (2, "")
        assert error.startswith(f"error: {path}: ")
        assert "\n" not in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: COMMAND"),
        (("frobnicate",), "invalid choice: 'frobnicate'"),
        (("check", "missing.blend"), "missing.blend: no such file"),
        (("check", "."), ".: not a file"),
        (("check", __file__), "not a scene that can be read; these can: .blend"),
        (("check",), "Blender could not open the given file"),
        (("check", "--scope", "sideways"), "'sideways' is not all, visible"),
        (("check", "--clearance", "-1"), "argument --clearance: '-1' is not a length"),
        (("check", "--clearance", "1parsec"), "argument --clearance: '1parsec' is not a length"),
        (("check", "--fail-on", "penetrating,nothing"), "'nothing' is not one of duplicate, contained, penetrating"),
        (("check", "--format", "poem"), "argument --format: invalid choice: 'poem'"),
    ],
)
def test_bad_usage_is_one_line_and_two(capfd, arguments, message):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    code, output, error = run(capfd, *arguments)
    assert (code, output) == (2, "")
    assert message in error
    assert "\n" not in error


def test_a_collection_that_does_not_exist_is_bad_usage(save_scene, capfd):
    path = save_scene(A=(0, 0, 0))
    code, _, error = run(capfd, "check", path, "--scope", "collection:None such")
    assert (code, error) == (2, "error: There is no collection 'None such'")
    assert "--against needs --scope collection:NAME" in run(capfd, "check", path, "--against", "Left")[2]


# The command of the installed package, in a Blender of its own.
ROOT = Path(__file__).resolve().parents[2]
COMMAND = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("collision_kit", sys.argv.pop(1))
sys.modules["collision_kit"] = package = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
importlib.import_module("collision_kit.command").main()
"""


def test_nothing_but_the_report_is_on_standard_output_whatever_blender_says_when_it_is_loaded(save_scene):
    path = save_scene(A=(0, 0, 0), B=(0.75, 0, 0))
    colors = Path(bpy.utils.system_resource("DATAFILES"), "colormanagement", "config.ocio")
    assert colors.is_file()
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(ROOT / "__init__.py"), "check", path, "--format", "json"],
        env=os.environ | {"OCIO": str(colors)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["counts"]["penetrating"] == 1
