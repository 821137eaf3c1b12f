# SPDX-License-Identifier: GPL-3.0-or-later
"""Two files as one scene: one tested against the other, and one with the colliders of the other."""

import json
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh
from tests.helpers.blender.command_errors import run, save
from tests.helpers.report_schemas import mistakes

pytestmark = pytest.mark.usefixtures("scene")

ENDINGS = (".blend", ".glb", ".obj", ".stl", ".ply", ".fbx")


def clear() -> None:
    bpy.ops.wm.read_homefile(use_empty=True)


def written(path: Path, *, scale: float = 1.0) -> Path:
    """The open scene as a file, in meters."""
    ending = path.suffix
    if ending == ".blend":
        return save(path)
    if ending == ".glb":
        bpy.ops.export_scene.gltf(filepath=str(path))
    elif ending == ".fbx":
        bpy.ops.export_scene.fbx(filepath=str(path))
    else:
        getattr(bpy.ops.wm, f"{ending[1:]}_export")(filepath=str(path), global_scale=scale)
    return path


def boxes(*named: tuple[str, tuple[float, float, float], float]) -> None:
    """Cubes with these names, centers, and halves of their sides."""
    clear()
    for name, center, half in named:
        add(name, cube_mesh((half, half, half)), at=center)


def checked(capfd, *arguments, code: int) -> dict:
    found, printed, errors = run(capfd, "check", *arguments, "--format", "json")
    assert found == code, errors
    report = json.loads(printed)
    assert mistakes("check", report) == []
    return report


@pytest.mark.parametrize("ending", ENDINGS)
def test_bodies_of_the_two_files_are_tested_against_each_other(ending: str, tmp_path: Path, capfd) -> None:
    boxes(("Crate", (0.0, 0.0, 0.0), 1.0), ("Twin", (0.5, 0.0, 0.0), 1.0))
    first = written(tmp_path / "props.glb")
    boxes(("Wall", (1.75, 0.0, 0.0), 1.0))
    second = written(tmp_path / f"room{ending}")
    report = checked(capfd, first, "--with", second, code=1)
    assert report["coverage"]["second_file"] == f"room{ending}"
    assert report["scope"] == "collections"
    # Crate and Twin are of one file.
    found = {pair["a"]: pair for pair in report["pairs"]}
    assert set(found) == {"Crate", "Twin"}
    assert len({pair["b"] for pair in report["pairs"]}) == 1
    for name, depth in (("Crate", 0.25), ("Twin", 0.75)):
        assert found[name]["distance"] == pytest.approx(-depth, abs=1e-5)
        assert found[name]["normal"] == pytest.approx((1.0, 0.0, 0.0), abs=1e-5)
    # The other way around, the sides change.
    if ending == ".glb":
        report = checked(capfd, second, "--with", first, code=1)
        assert {pair["b"] for pair in report["pairs"]} == {"Crate", "Twin"}
        assert report["pairs"][0]["normal"] == pytest.approx((-1.0, 0.0, 0.0), abs=1e-5)


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_units_of_both_files_count(scale: float, tmp_path: Path, capfd) -> None:
    boxes(("Crate", (0.0, 0.0, 0.0), 1.0 / scale))
    bpy.context.scene.unit_settings.scale_length = scale
    first = save(tmp_path / "crate.blend")
    boxes(("Wall", (1.75, 0.0, 0.0), 1.0))
    other = written(tmp_path / "wall.stl", scale=1000.0)
    same = written(tmp_path / "wall.glb")
    for second, more in ((other, ("--unit", "mm")), (same, ())):
        (pair,) = checked(capfd, first, "--with", second, *more, code=1)["pairs"]
        assert pair["distance"] * scale == pytest.approx(-0.25, abs=1e-5)
    boxes(("Wall", (1.75 / scale, 0.0, 0.0), 1.0 / scale))
    bpy.context.scene.unit_settings.scale_length = scale
    third = save(tmp_path / "wall.blend")
    (pair,) = checked(capfd, same, "--with", third, code=1)["pairs"]
    assert pair["distance"] == pytest.approx(-2.0, abs=1e-5)


def test_one_file_has_the_colliders_of_the_other(tmp_path: Path, capfd) -> None:
    clear()
    add("link", l_mesh())
    seen = written(tmp_path / "link.glb")
    found = {}
    for name in ("good", "box"):
        clear()
        data = l_mesh() if name == "good" else cube_mesh((1.0, 1.0, 0.5), (1.0, 1.0, 0.5))
        add(f"link_collision_{name}", data)
        file = written(tmp_path / f"{name}.stl")
        code, printed, errors = run(capfd, "validate", seen, "--with", file, "--format", "json")
        report = json.loads(printed)
        assert mistakes("validate", report) == []
        assert (*report["tested"].values(), report["coverage"]["second_file"]) == (1, 1, f"{name}.stl")
        found[name] = {one["id"] for one in report["findings"]}
        assert not errors and code in (0, 1)
    assert "collider-sticks-out" not in found["good"]
    assert "collider-sticks-out" in found["box"]
    assert "no-collider" not in found["good"] | found["box"]


def test_names_say_which_mesh_has_which_colliders_and_all_others_stand_for_the_rest(tmp_path: Path, capfd) -> None:
    boxes(("Floor", (0, 0, 0), 1.0), ("Lamp", (9, 0, 0), 1.0), ("Shade", (9, 0, 2), 1.0), ("Bare", (20, 0, 0), 1.0))
    first = written(tmp_path / "level.glb")
    boxes(("FloorCollider", (0, 0, 0), 1.0), ("Hull", (9, 0, 0), 1.0), ("Hull 2", (9, 0, 2), 1.0))
    second = written(tmp_path / "collision.glb")
    _, printed, _ = run(capfd, "validate", first, "--with", second, "--format", "json")
    report = json.loads(printed)
    assert tuple(report["tested"].values()) == (2, 3)
    assert {one["id"] for one in report["findings"]} & {"no-collider", "orphan-collider"} == set()


def test_what_cannot_be_is_said(tmp_path: Path, capfd) -> None:
    boxes(("Crate", (0.0, 0.0, 0.0), 1.0))
    first = written(tmp_path / "crate.glb")
    blend = save(tmp_path / "several.blend")
    bpy.ops.scene.new(type="EMPTY")
    several = save(blend)
    for arguments, said in (
        (("check", first, "--with", tmp_path / "none.glb"), "no such file"),
        (("check", first, "--with", several), "has several scenes"),
        (("check", first, "--with", first, "--scope", "visible"), "cannot be combined with --scope"),
        (("check", first, "--with", first, "--scene", "Scene"), "cannot be combined with --scene"),
        (("check", first, "--with", tmp_path / "a.usda"), "no such file"),
    ):
        code, _, errors = run(capfd, *arguments)
        assert code == 2 and said in errors[-1], errors
    (tmp_path / "a.usda").write_text("#usda 1.0\n")
    assert "first of two files" in run(capfd, "check", first, "--with", tmp_path / "a.usda")[2][-1]
    code, _, errors = run(capfd, "check", first, "--with", blend, "--output", blend)
    assert code == 2
