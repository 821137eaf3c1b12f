# SPDX-License-Identifier: GPL-3.0-or-later
"""`validate --fix`: what Fix All does, saved to another file; the input stays as it is unless that is asked for."""

import json
from pathlib import Path
from xml.etree import ElementTree

import bpy
import numpy as np
import pytest

from collision_kit import api
from tests.helpers.blender.command_errors import run, save
from tests.helpers.blender.validated_scene import CORNERS, SIDES, add, world

TEXTURE = "//textures/wall.png"


@pytest.fixture
def file(scene: bpy.types.Scene, tmp_path: Path) -> Path:
    """A scaled collider, which can be fixed; one whose body is missing, which cannot; and a texture beside the file."""
    crate = add("Crate")
    add("UCX_Crate_01", np.multiply(CORNERS, 0.5), parent=crate, scale=(1.0, 2.0, 3.0), location=(0.0, 0.5, 0.0))
    add("UCX_Missing_01")
    bpy.data.images.new("wall", 8, 8).filepath = TEXTURE
    bpy.data.images["wall"].source = "FILE"
    bpy.data.images["wall"].use_fake_user = True
    return save(tmp_path / "in.blend")


def validated(capfd, path: Path) -> list[tuple[str, str]]:
    output = run(capfd, "validate", path, "--engine", "unreal", "--format", "json")[1]
    return [(one["object"], one["id"]) for one in json.loads(output)["findings"]]


def test_what_is_fixed_is_saved_to_another_file_and_what_remains_is_reported(file, tmp_path, capfd):
    before, found = file.read_bytes(), validated(capfd, file)
    assert {"unapplied-scale"} < {rule for _, rule in found}
    out = tmp_path / "sub" / "out.blend"
    out.parent.mkdir()
    shape = world(bpy.data.objects["UCX_Crate_01"])
    code, output, errors = run(capfd, "validate", file, "--engine", "unreal", "--fix", "--output", out)
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["in.blend", "out.blend"]
    left = validated(capfd, out)
    assert set(left) < set(found) and "unapplied-scale" not in {rule for _, rule in left}
    np.testing.assert_allclose(world(bpy.data.objects["UCX_Crate_01"]), shape, atol=1e-5)
    np.testing.assert_allclose(bpy.data.objects["UCX_Crate_01"].scale, 1.0)
    # A path beside the input is one beside it still.
    assert Path(bpy.path.abspath(bpy.data.images["wall"].filepath)).resolve() == tmp_path / "textures" / "wall.png"
    lines = output.split("fixed:\n")[1].splitlines()
    assert [" ".join(line.split()) for line in lines] == ["UCX_Crate_01 [unapplied-scale] applied scale"]
    # The code is that of what remains.
    assert (code, errors) == (run(capfd, "validate", out, "--engine", "unreal")[0], [])
    assert code == (1 if any(one.rule.severity == "error" for one in api.validate_colliders("UNREAL").issues) else 0)


def test_it_does_what_fix_all_does(file, tmp_path, capfd):
    out, report = tmp_path / "out.blend", tmp_path / "report.json"
    run(capfd, "validate", file, "--fix", "--output", out, "--output", report)
    content = json.loads(report.read_text())
    bpy.ops.wm.open_mainfile(filepath=str(file))
    expected = api.fix_issues(api.validate_colliders())
    assert [(one["id"], one["object"]) for one in content["fixed"]] == [(one.rule, one.object) for one in expected.done]
    assert [(one["id"], one["object"]) for one in content["findings"]] == [
        (one.rule.id, one.object) for one in expected.issues
    ]


def test_the_exit_code_is_0_if_nothing_remains(scene, tmp_path, capfd):
    add("UCX_Crate_01", parent=add("Crate"), faces=[SIDES[0][::-1], *SIDES[1:]])
    path = save(tmp_path / "in.blend")
    assert run(capfd, "validate", path, "--fail-on", "warning")[0] == 1
    junit = tmp_path / "r.xml"
    assert (
        run(
            capfd,
            "validate",
            path,
            "--fail-on",
            "warning",
            "--fix",
            "--output",
            tmp_path / "o.blend",
            "--output",
            junit,
        )[0]
        == 0
    )
    (suite,) = ElementTree.fromstring(junit.read_bytes())
    texts = [case.findtext("system-out") or "" for case in suite.findall("testcase")]
    assert [text for text in texts if text.startswith("fixed: ")] == ["fixed: recalculated normals outward"]


def test_in_place_changes_the_input_and_only_if_something_is_fixed(file, capfd):
    before = file.read_bytes()
    assert run(capfd, "validate", file, "--fix", "--in-place", "--engine", "unreal")[2] == []
    after = file.read_bytes()
    assert after != before
    assert "unapplied-scale" not in {rule for _, rule in validated(capfd, file)}
    run(capfd, "validate", file, "--fix", "--in-place", "--engine", "unreal")
    assert file.read_bytes() == after
    assert [path.name for path in file.parent.iterdir()] == ["in.blend"], "no backup is left behind"


def test_of_a_file_nothing_else_is_lost(scene, tmp_path, capfd):
    add("UCX_Crate_01", parent=add("Crate", scale=(1.0, 1.0, 1.0)), scale=(2.0, 1.0, 1.0))
    bpy.data.texts.new("notes").write("keep me")
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.mode_set(mode="EDIT")
    workspaces = sorted(one.name for one in bpy.data.workspaces)
    path = save(tmp_path / "in.blend", compress=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    run(capfd, "validate", path, "--fix", "--output", tmp_path / "out.blend")
    head = (tmp_path / "out.blend").read_bytes()[:4]
    assert head == path.read_bytes()[:4] != b"BLEN"
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    assert bpy.data.texts["notes"].as_string() == "keep me"
    assert sorted(one.name for one in bpy.data.workspaces) == workspaces
    np.testing.assert_allclose(bpy.data.objects["UCX_Crate_01"].scale, 1.0)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--fix",), "--fix needs one --output that ends in .blend, or --in-place"),
        (("--fix", "--output", "{folder}/r.json"), "--fix needs one --output"),
        (("--fix", "--output", "{folder}/a.blend", "--output", "{folder}/b.blend"), "--fix needs one --output"),
        (("--fix", "--in-place", "--output", "{folder}/a.blend"), "--fix needs one --output"),
        (("--in-place",), "--in-place needs --fix"),
        (("--output", "{folder}/a.blend"), "unknown report format .blend"),
        (("--fix", "--output", "{file}"), "it is the input file"),
        (("--fix", "--output", "{folder}/link.blend"), "it is the input file"),
        (("--fix", "--output", "{file}/a.blend"), "is not a folder"),
        (("--fix", "--output", "{folder}/folder.blend"), "folder.blend: not a file"),
    ],
)
def test_what_cannot_be_is_one_error_and_nothing_is_written(file, capfd, arguments, complaint):
    folder = file.parent
    (folder / "link.blend").symlink_to(file)
    (folder / "folder.blend").mkdir()
    before, content = file.read_bytes(), sorted(folder.rglob("*"))
    code, _, errors = run(capfd, "validate", file, *(text.format(file=file, folder=folder) for text in arguments))
    assert code == 2 and len(errors) == 1 and complaint in errors[0], errors
    assert (file.read_bytes(), sorted(folder.rglob("*"))) == (before, content)


def test_an_imported_file_is_saved_as_a_blend_file(scene, tmp_path, capfd):
    add("UCX_Crate_01", parent=add("Crate"), scale=(2.0, 1.0, 1.0))
    path = tmp_path / "in.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    assert run(capfd, "validate", path, "--fix", "--in-place")[2] == [
        "error: --in-place needs a FILE that ends in .blend"
    ]
    run(capfd, "validate", path, "--fix", "--output", tmp_path / "out.blend")
    assert "unapplied-scale" in {rule for _, rule in validated(capfd, path)}
    assert "unapplied-scale" not in {rule for _, rule in validated(capfd, tmp_path / "out.blend")}
