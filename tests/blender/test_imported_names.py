# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are imported: their names in reports, their units, and the names of their groups and solids."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.scene.files import open_scene
from tests.helpers.blender.command_line import box, run
from tests.helpers.blender.gltf_box import file as gltf_file

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def obj(path: Path, parts: dict[str, tuple[float, float]], word: str = "g") -> Path:
    """Cubes of a size from a place along X, each a group or an object of its name."""
    lines = []
    for number, (name, (start, size)) in enumerate(parts.items()):
        lines += [f"{word} {name}"]
        lines += [f"v {start + size * x} {size * y} {size * z}" for x, y, z in CORNERS]
        lines += ["f " + " ".join(str(8 * number + corner + 1) for corner in quad) for quad in QUADS]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def stl(path: Path, parts: dict[str, tuple[float, float]]) -> Path:
    text = ""
    for name, (start, size) in parts.items():
        text += f"solid {name}\n"
        for quad in QUADS:
            corners = [(start + size * CORNERS[one][0], size * CORNERS[one][1], size * CORNERS[one][2]) for one in quad]
            for triangle in ((0, 1, 2), (0, 2, 3)):
                text += "facet normal 0 0 0\nouter loop\n"
                text += "".join("vertex {} {} {}\n".format(*corners[one]) for one in triangle)
                text += "endloop\nendfacet\n"
        text += f"endsolid {name}\n"
    path.write_text(text, encoding="utf-8")
    return path


PARTS = {"Left part": (0.0, 2.0), "Right part": (1.0, 2.0)}


@pytest.mark.parametrize("write", [obj, stl])
def test_groups_and_solids_are_objects_of_their_names(write, tmp_path: Path, capfd) -> None:
    path = write(tmp_path / f"two.{write.__name__}", PARTS)
    code, output, _ = run(capfd, "check", str(path), "--format", "json")
    report = json.loads(output)
    assert (code, sorted(body["name"] for body in report["bodies"])) == (1, sorted(PARTS))
    assert report["pairs"][0]["distance"] == pytest.approx(-1.0, abs=1e-5)


def test_objects_of_an_obj_file_keep_their_groups_together(tmp_path: Path) -> None:
    path = obj(tmp_path / "one.obj", PARTS)
    text = path.read_text(encoding="utf-8")
    path.write_text(f"o Chair\n{text}", encoding="utf-8")
    open_scene(path)
    assert [ob.name for ob in bpy.context.scene.objects] == ["Chair"]


def test_a_solid_without_a_name_has_that_of_the_file(tmp_path: Path) -> None:
    open_scene(stl(tmp_path / "parts.stl", {"": (0.0, 1.0), "Named": (3.0, 1.0)}))
    assert {ob.name for ob in bpy.context.scene.objects} == {"parts 1", "Named"}
    assert all(np.isclose(ob.dimensions, 1.0).all() for ob in bpy.context.scene.objects)


@pytest.mark.parametrize(("unit", "depth"), [(None, 1.0), ("mm", 0.001), ("cm", 0.01), ("in", 0.0254)])
@pytest.mark.parametrize("write", [obj, stl])
def test_the_unit_of_a_file_without_one_can_be_told(write, unit, depth: float, tmp_path: Path, capfd) -> None:
    path = write(tmp_path / f"two.{write.__name__}", PARTS)
    options = [] if unit is None else ["--unit", unit]
    report = json.loads(run(capfd, "check", str(path), "--format", "json", *options)[1])
    assert report["pairs"][0]["distance"] == pytest.approx(-depth, rel=1e-4)


@pytest.mark.parametrize("write", [obj, stl])
def test_a_file_without_a_unit_whose_objects_are_large_gets_a_hint(write, tmp_path: Path, capfd) -> None:
    name = f"two.{write.__name__}"
    large = {one: (100.0 * start, 100.0 * size) for one, (start, size) in PARTS.items()}
    path = write(tmp_path / name, large)
    said = f"info     {name}: The file does not say its unit and was read in meters, but half of its objects are larger"
    assert f"{said} than 200 m: --unit mm reads it in millimeters. [unit]" in run(capfd, "check", str(path))[1]
    assert "[unit]" not in run(capfd, "check", str(path), "--unit", "mm")[1]
    write(path, PARTS)
    assert "[unit]" not in run(capfd, "check", str(path))[1]


def test_meshes_with_names_of_a_program_have_the_names_of_their_empties_too() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for number, (name, above, kind) in enumerate(
        (
            ("Object_4", "Door", None),
            ("Mesh.012", "Wall", None),
            ("Lamp", "Holder", None),
            ("Object_7", "Crate", "mesh"),
        )
    ):
        root = bpy.data.objects.new(above, None if kind is None else bpy.data.meshes.new(above))
        bpy.context.scene.collection.objects.link(root)
        ob = box(name, (0.5 * number, 0, 0))
        ob.parent = root
    from collision_kit import api

    report = api.check_collisions(scope="ALL")
    assert {body.name for body in report.bodies} == {"Door/Object_4", "Wall/Mesh.012", "Lamp", "Object_7"}
    assert {body.object for body in report.bodies} == {"Object_4", "Mesh.012", "Lamp", "Object_7"}


def test_a_file_with_a_unit_takes_no_other(save_scene, capfd) -> None:
    path = save_scene(A=(0, 0, 0))
    code, _, error = run(capfd, "check", path, "--unit", "mm")
    assert (code, error) == (2, f"error: --unit is for .obj, .ply, .stl; {path} has its own unit")


@pytest.mark.parametrize("command", ["check", "motion", "validate"])
def test_an_imported_file_has_its_name_in_every_report(command: str, tmp_path: Path, capfd) -> None:
    path = obj(tmp_path / "two.obj", PARTS)
    assert json.loads(run(capfd, command, str(path), "--format", "json")[1])["file"] == str(path)
    assert run(capfd, command, str(path))[1].startswith("two.obj")
    page = run(capfd, command, str(path), "--format", "html")[1]
    assert f"<dt>File</dt><dd>{path}</dd>" in page and "two.obj · Scene" in page
    assert 'name="two/Scene"' in run(capfd, command, str(path), "--format", "junit")[1]
    written = tmp_path / "made.blend"
    make = ("make", str(path), "--kind", "box", "--engine", "unreal", "--output", str(written), "--format", "json")
    assert json.loads(run(capfd, *make, "--output", "-")[1])["file"] == str(path)
    # A file that is new has none.
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    box("A", (0, 0, 0))
    from collision_kit import api

    assert api.check_collisions(scope="ALL").file == ""


def test_required_textures_that_blender_does_not_know_stop_no_file(tmp_path: Path, capfd) -> None:
    names = ["KHR_texture_basisu", "KHR_materials_variants", "EXT_texture_avif"]
    top = {
        "extensionsUsed": names,
        "extensionsRequired": names,
        "images": [{"uri": "data:image/ktx2;base64,q0tUWCAyMLs=", "mimeType": "image/ktx2"}],
        "textures": [{"extensions": {"KHR_texture_basisu": {"source": 0}}}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
    }
    path = gltf_file(tmp_path, primitive={"material": 0}, top=top, physics=False)
    code, output, error = run(capfd, "check", str(path), "--format", "json")
    assert (code, error) == (0, "")
    assert "Rock" in [body["name"] for body in json.loads(output)["bodies"]]
